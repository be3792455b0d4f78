"""Players of one's own: classes and functions of a file, and whatever such code may do wrong."""

import re
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import fields
from pathlib import Path

import pytest

from othellier.arena.bout import Bout, close_players, play_bout
from othellier.arena.guard import Contestant, Guard
from othellier.arena.messages import LONGEST, read_answer, read_question, write_answer, write_question
from othellier.arena.play import OpeningMoves, Played
from othellier.errors import ConfigError, PlayerError, Resigned
from othellier.games.results import Limit, MoveValue, Result
from othellier.rules import native
from waiting import LIMIT

PLAYERS = """
from __future__ import annotations

import os
import random
import sys
import time

from othellier.players import Player
from othellier.errors import Resigned
from othellier.games.results import Result


def first(position):
    print("hello from a player")
    return position.moves()[0]


def named(position, *, last: bool = False):
    from othellier import square_name
    return square_name(position.moves()[-1 if last else 0], position.size)


def dice(position):
    return random.choice(position.moves())


class Dice(Player):
    def __init__(self, *, seed: int = 0) -> None:
        self.rng = random.Random(seed)

    def choose(self, position, limit):
        return Result(self.rng.choice(position.moves()), position.turn)


class Counting(Player):
    def __init__(self) -> None:
        self.games = self.moves = 0

    def new_game(self, start):
        self.games += 1
        self.moves = 0

    def observe(self, move):
        self.moves += 1

    def choose(self, position, limit):
        return Result(position.moves()[0], position.turn, nodes=1000 * self.games + self.moves)


class Sulks(Player):
    games = 0

    def new_game(self, start):
        self.games += 1

    def choose(self, position, limit):
        if self.games == 1:
            raise RuntimeError("not today")
        return Result(position.moves()[0], position.turn)


def stuck(position):
    while True:
        try:
            while True:
                pass
        except BaseException:
            pass


def dies(position):
    os._exit(7)


def leaves(position):
    sys.exit("enough")


def lines():
    import socket, stat
    for fd in range(3, 64):
        try:
            if stat.S_ISSOCK(os.fstat(fd).st_mode):
                yield socket.socket(fileno=os.dup(fd))
        except OSError:
            pass


def deaf(position):
    for line in lines():
        line.shutdown(1)
    while True:
        time.sleep(1)


def mumbles(position):
    for line in lines():
        line.sendall(bytes([0, 0, 1, 0]) + b"half of a message")
    while True:
        time.sleep(1)


def drips(position):
    for line in lines():
        line.sendall(bytes([0, 0, 4, 0]))
        while True:
            line.sendall(b"x")
            time.sleep(0.01)


def wrong(position):
    return 0


def nothing(position):
    return None


def raises(position):
    return {}[position]


def tired(position):
    raise Resigned("enough")


class Unready(Player):
    def __init__(self) -> None:
        raise RuntimeError("not today")

    def choose(self, position, limit): ...


def broken(position, *, depth: Undefined = 1): ...
"""

START = native.start(4)


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    (tmp_path / "mine.py").write_text(PLAYERS)
    monkeypatch.chdir(tmp_path)
    yield tmp_path
    close_players()


def games(first: str, second: str = "random", seed: int = 0, patience: float = 60, number: int = 2) -> list[Played]:
    return play_bout(Bout(0, (first, second), OpeningMoves(START), number, seed, patience=patience))


@pytest.mark.usefixtures("folder")
def test_who_resigns_has_lost_and_made_no_mistake() -> None:
    found = [(game.score, game.reason, game.error) for game in games("mine.py:tired")]
    assert found == [(-16, "resigned", ""), (16, "resigned", "")]


@pytest.mark.usefixtures("folder")
@pytest.mark.parametrize("spec", ["mine.py:first", "mine.py:named", "mine.py:named:last=yes", "mine.py:Dice:seed=3"])
def test_classes_and_functions_play(spec: str, capfd: pytest.CaptureFixture[str]) -> None:
    played = games(spec)
    assert [game.error for game in played] == ["", ""]
    assert capfd.readouterr().out == ""


@pytest.mark.usefixtures("folder")
def test_the_process_serves_for_game_after_game() -> None:
    contestant = Contestant("mine.py:Counting")
    try:
        for number in (1, 2, 3):
            player = contestant.take(START, 0)
            assert player.choose(START, Limit()).nodes == 1000 * number
            player.observe(START.moves()[0])
            player.observe(0)
            for _ in range(2):  # each move is told once
                assert player.choose(START, Limit()).nodes == 1000 * number + 2
    finally:
        contestant.close()


@pytest.mark.usefixtures("folder")
def test_whoever_has_failed_begins_anew() -> None:
    """What it remembers of the game may be why it failed: the next one does not begin with that."""
    assert [game.failed for game in games("mine.py:Sulks")] == ["black", "white"]


@pytest.mark.usefixtures("folder")
@pytest.mark.parametrize("spec", ["mine.py:Dice", "mine.py:dice", "random", "mcts:iterations=5"])
def test_lots_are_drawn_by_the_seed_of_the_bout(spec: str) -> None:
    def moves(seed: int) -> list[tuple[int, ...]]:
        return [tuple(ply.move for ply in game.plies) for game in games(spec, seed=seed)]

    assert moves(1) == moves(1)
    assert len({tuple(moves(seed)) for seed in (1, 2, 3, 4)}) > 1


@pytest.mark.usefixtures("folder")
@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("wrong", r"wrong played a1, which is illegal \(\S+ X\)"),
        ("nothing", r"nothing answered None, which is no move \(\S+ X\)"),
        ("raises", r"raises failed: KeyError: .*\(mine.py, line \d+\)"),
        ("dies", r"the process of mine.py:dies ended with status 7 \(\S+ X\)"),
        ("leaves", r"the process of mine.py:leaves ended with status 1 \(\S+ X\)"),
        ("stuck", r"mine.py:stuck did not answer within 0.1 s \(\S+ X\)"),
    ],
)
def test_whatever_it_does_only_the_game_is_lost(name: str, words: str) -> None:
    first, second = games(f"mine.py:{name}", "alphabeta:depth=1", patience=0.1 if name == "stuck" else 60)
    assert (first.score, second.score) == (-16, 16)
    assert re.match(words, first.error)
    assert second.error
    later = games("alphabeta:depth=1", "random")
    assert [game.error for game in later] == ["", ""]


@pytest.mark.usefixtures("folder")
@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("deaf", r"the process of mine.py:deaf closed its line and goes on \(\S+ X\)"),
        ("mumbles", r"mine.py:mumbles did not finish its message within 1 s \(\S+ X\)"),
        ("drips", r"mine.py:drips did not finish its message within 1 s \(\S+ X\)"),
    ],
)
def test_nobody_waits_for_a_process_that_does_not_end(name: str, words: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Its patience is longer than the whole test may take: what ends the wait is that nothing more can come."""
    monkeypatch.setattr("othellier.arena.guard.FAREWELL", 1.0)
    (lost,) = games(f"mine.py:{name}", "alphabeta:depth=1", patience=3600, number=1)
    assert (lost.score, lost.failed) == (-16, "black")
    assert re.match(words, lost.error)


@pytest.mark.usefixtures("folder")
@pytest.mark.parametrize(
    ("spec", "words"),
    [
        ("mine.py:Unready", "player .*mine.py:Unready': it cannot be made: RuntimeError: not today"),
        ("mine.py:frst", "mine.py has no class or function 'frst', did you mean 'first'?"),
        ("mine.py:named:lst=yes", "unknown option 'lst', did you mean 'last'?"),
        ("mine.py:random", "mine.py has no class or function 'random'"),
        ("nowhere.py:first", "there is no file .*nowhere.py"),
        ("mine.py:broken", "NameError: name 'Undefined' is not defined"),
    ],
)
def test_players_that_cannot_be_made_are_told_of(spec: str, words: str) -> None:
    contestant = Contestant(spec)
    try:
        with pytest.raises((ConfigError, PlayerError), match=words):
            contestant.take(START, 0)
    finally:
        contestant.close()
    (lost,) = games(spec, "random", number=1)
    assert (lost.score, lost.plies) == (-16, ())
    (won,) = games("random", spec, number=1)
    assert won.score == 16


def test_a_stuck_process_ends_with_the_one_that_asks(folder: Path) -> None:
    """Its parent is killed while it waits; what the child held open is closed when it is gone."""
    code = (
        "import os, sys, signal\n"
        "from othellier.rules import native\n"
        "from othellier.arena.guard import Guard\n"
        "from othellier.arena.messages import write_question\n"
        "from othellier.games.results import Limit\n"
        "guard = Guard('mine.py:stuck', 0.1)\n"
        "guard.begin(native.start(4), 0)\n"
        "guard._connection.send_bytes(write_question(((), native.start(4), Limit())))\n"
        "os.kill(os.getpid(), signal.SIGKILL)\n"
    )
    done = subprocess.run([sys.executable, "-c", code], cwd=folder, stderr=subprocess.PIPE, check=False, timeout=LIMIT)
    assert done.returncode == -9
    assert done.stderr == b""  # and the end of it came, so nobody holds it open


@pytest.mark.parametrize(
    ("limit", "seconds"),
    [
        (Limit(), 7.0),
        (Limit(time=2.5), 9.5),
        (Limit(depth=3), 7.0),
        (Limit(clock=4), 11.0),
        (Limit(time=1, clock=4), 8.0),
    ],
)
def test_patience_begins_when_the_time_is_over(limit: Limit, seconds: float, monkeypatch: pytest.MonkeyPatch) -> None:
    waited: list[float] = []

    def ask(self: Guard, request: object, seconds: float, task: str) -> Result:
        waited.append(seconds)
        return Result(START.moves()[0], START.turn)

    monkeypatch.setattr(Guard, "_ask", ask)
    Guard("mine.py:first", 7.0).choose(START, limit)
    assert waited == [seconds]


def test_a_guard_that_was_closed_says_so(folder: Path) -> None:
    guard = Guard(f"{folder}/mine.py:first")
    guard.begin(START, 0)
    guard.close()
    with pytest.raises(PlayerError, match="is gone"):
        guard.choose(START, Limit())


def test_questions_and_answers_come_through_whole() -> None:
    moves = (MoveValue(19, 0.5, "upper", 7), MoveValue(26, -3))
    result = Result(19, "white", 1.5, "lower", 4, 2**63, 0.25, (19, -1, 26), "search", 95, moves, may_be_beaten=True)
    plain = Result(19, "black")
    assert all(
        getattr(result, field.name) != getattr(plain, field.name) for field in fields(Result) if field.name != "move"
    )
    assert read_answer(write_answer(result)) == result
    assert read_answer(write_answer(None)) is None
    for error in (ConfigError("one"), PlayerError("two"), Resigned("three")):
        found = read_answer(write_answer(error))
        assert (type(found), str(found)) == (type(error), str(error))
    limit = Limit(depth=4, nodes=5, time=0.5, clock=60, increment=1.5, selectivity=95)
    for size in (4, 8, 10):
        start = native.start(size)
        for question in ((("a.py:b", start, 7)), ((1, -1), start.play(start.moves()[0]), limit)):
            assert read_question(write_question(question)) == question
    assert read_question(write_question(((), START, Limit(infinite=True))))[2] == Limit(infinite=True)


def test_numbers_of_other_libraries_are_numbers(folder: Path) -> None:
    (folder / "arrays.py").write_text(
        "import numpy\nfrom othellier import Player, Result\n\n\nclass Arrays(Player):\n"
        "    def choose(self, position, limit):\n        move = position.moves()[0]\n"
        "        return Result(move, position.turn, depth=numpy.int64(3), pv=tuple(numpy.array([move])))\n"
    )
    contestant = Contestant("arrays.py:Arrays")
    try:
        result = contestant.take(START, 0).choose(START, Limit())
    finally:
        contestant.close()
    assert (result.depth, result.pv) == (3, (result.move,))


@pytest.mark.parametrize(
    "message",
    [
        b"",
        b"false",
        b"[]",
        b"{}",
        b"\xff",
        b'"true"',
        b'{"error": "os"}',
        b'{"error": "player", "words": 7}',
        b'{"error": ["player"]}',
        b'{"move": "19", "turn": "black"}',
        b'{"move": true, "turn": "black"}',
        b'{"move": 19, "turn": "red"}',
        b'{"move": 19, "turn": "black", "score": NaN}',
        b'{"move": 19, "turn": "black", "score": 1e999}',
        b'{"move": 19, "turn": "black", "nodes": 1' + b"0" * 20 + b"}",
        b'{"move": 19, "turn": "black", "nodes": 1' + b"0" * 5000 + b"}",
        b'{"move": 19, "turn": "black", "pv": {"0": 19}}',
        b'{"move": 19, "turn": "black", "moves": [[19, 1, "exact"]]}',
        b'{"move": 19, "turn": "black", "moves": [19]}',
        b"[" * 50_000,
        b" " * LONGEST + b"true",
        b"\x80\x04\x8b\xff\xff\xff\x7f.",  # of pickle: two gigabytes of memory
    ],
)
def test_an_answer_is_made_of_results_alone(message: bytes) -> None:
    with pytest.raises(ValueError):  # noqa: PT011 - of several kinds
        read_answer(message)


def test_words_of_a_player_are_one_line_without_what_a_terminal_obeys() -> None:
    error = read_answer(b'{"error": "player", "words": "one\\ntwo \\u001b[31m' + b"x" * 9000 + b'"}')
    assert str(error).startswith("one two [31mx")
    assert len(str(error)) <= 2000


def test_a_file_may_import_what_lies_beside_it(folder: Path) -> None:
    """Behind all that is installed: a file that is named like a module of Python takes nobody's place."""
    (folder / "bots").mkdir()
    (folder / "bots" / "helper.py").write_text("def first(moves):\n    return moves[0]\n")
    (folder / "bots" / "statistics.py").write_text("raise RuntimeError('not the one of Python')\n")
    (folder / "bots" / "ann.py").write_text(
        "import statistics\nfrom helper import first\n\n\ndef choose(position):\n    return first(position.moves())\n"
    )
    assert [game.error for game in games("bots/ann.py:choose")] == ["", ""]
