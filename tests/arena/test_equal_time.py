"""Equal time: processor time measured move by move, kept with the games, and fitted to that of the opponent."""

import json
import os
import subprocess
import sys
import time
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

import othellier
from othellier.arena import equal_time
from othellier.arena.bout import Bout
from othellier.arena.effort import EqualTime, Side, used
from othellier.arena.equal_time import fit_time, wants_fit
from othellier.arena.guard import Contestant
from othellier.arena.ledger import game_line, parse_line
from othellier.arena.play import OpeningMoves, Played, Ply, play_game
from othellier.base import processor
from othellier.base.jobs import Crew
from othellier.base.processor import MEASURES_PROGRAMS, processor_seconds, usable_cores
from othellier.cli import main
from othellier.errors import ConfigError, PlayerError
from othellier.games.results import Limit, Result
from othellier.players import RandomPlayer, answer, create_player
from othellier.rules import native
from othellier.rules.board import Position
from waiting import hear_line

START = native.start(4)
BURN = "import time\nend = time.process_time() + 0.2\nwhile time.process_time() < end:\n    pass\n"
ours_alone = pytest.mark.skipif(not MEASURES_PROGRAMS, reason="only Linux measures other processes")


# -- measuring


@ours_alone
def test_the_processor_time_of_a_program_holds_that_of_its_children() -> None:
    """One child has ended and one still runs; the shell itself does nothing."""
    burn = f"{sys.executable} -c '{BURN}'"
    rest = f"{sys.executable} -c '{BURN}print(1, flush=True)\ninput()'"
    with subprocess.Popen(
        ["sh", "-c", f"{burn}; {rest}; true"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, bufsize=0
    ) as program:
        assert program.stdout is not None
        hear_line(program.stdout, "the program has used its time")
        spent = processor_seconds(program.pid)
        program.communicate(b"\n")
    assert spent is not None
    assert spent >= 0.39  # one of the clocks counts in hundredths of a second
    assert processor_seconds(program.pid) is None


class Burning(RandomPlayer):
    """A random player that uses 20 ms of processor time for each move."""

    def choose(self, position: Position, limit: Limit) -> Result:
        end = time.process_time() + 0.02
        while time.process_time() < end:
            pass
        return super().choose(position, limit)


def test_the_processor_time_of_each_move_is_measured_if_asked_for() -> None:
    opening = OpeningMoves(START)
    players = Burning(seed=1), RandomPlayer(seed=2)
    played = play_game(*players, opening, measured=True)
    for ply in played.chosen("black"):
        assert ply.processor is not None
        assert ply.processor >= 0.02
    for seconds in (ply.processor for ply in played.chosen("white")):
        assert seconds is not None
        assert seconds < 0.02, "what the opponent uses in the same process is the opponent's"
    plain = play_game(*players, opening)
    assert {ply.processor for ply in plain.plies} == {None}


def test_a_program_is_measured_from_move_to_move(monkeypatch: pytest.MonkeyPatch) -> None:
    """What a program uses while it is not asked, thinking ahead, is part of its next move."""

    class Program(RandomPlayer):
        @property
        def process_id(self) -> int:
            return 77

    clock = {77: 5.0, None: 0.0}

    def passing(process: int | None = None) -> float:
        clock[77] += 0.5  # whenever anybody looks
        return clock[process]

    monkeypatch.setattr("othellier.arena.play.processor_seconds", passing)
    played = play_game(Program(seed=1), RandomPlayer(seed=2), OpeningMoves(START), measured=True)
    # Between two of its own looks there are two of the opponent's.
    assert {ply.processor for ply in played.chosen("black")[1:]} <= {0.5, 1.0, 1.5, 2.5}
    assert 1.5 in {ply.processor for ply in played.chosen("black")}
    assert {ply.processor for ply in played.chosen("white")} == {0.0}


@ours_alone
def test_programs_and_players_of_a_file_are_measured_in_their_own_processes(tmp_path: Path) -> None:
    (tmp_path / "mine.py").write_text(
        f"def burn(position):\n    {BURN.replace(chr(10), chr(10) + '    ')}\n    return 0\n"
    )
    guard = Contestant(f"{tmp_path / 'mine.py'}:burn").take(START, 0)
    program = create_player(f"gtp:{sys.executable} -m othellier gtp --player random")
    with guard, program:
        assert len({guard.process_id, program.process_id, os.getpid(), None}) == 4
        before = processor_seconds(guard.process_id)
        with pytest.raises(PlayerError, match="a1, which is illegal"):
            answer(guard, START)
        after = processor_seconds(guard.process_id)
    assert before is not None
    assert after is not None
    assert after - before >= 0.2


# -- keeping


def test_saved_games_keep_processor_times_and_older_ones_are_read() -> None:
    played = play_game(Burning(seed=1), RandomPlayer(seed=2), OpeningMoves(START), measured=True)
    line = json.loads(json.dumps(game_line(played, "a", "b")))
    assert parse_line(line) == played
    spent = line.pop("processor")  # as an older version wrote it
    assert len(spent) == len(line["seconds"])
    assert parse_line(line) == replace(played, plies=tuple(ply._replace(processor=None) for ply in played.plies))
    assert "processor" not in game_line(play_game(RandomPlayer(), RandomPlayer(), OpeningMoves(START)), "a", "b")


# -- fitting


class Simulated(Crew):
    """Plays no games: the player with a time uses 60 % of it, the other one 0.3 s a move."""

    def __init__(self, measured: bool = True) -> None:
        super().__init__("here")
        self.measured = measured
        self.asked: list[float] = []

    def map(self, function: Callable[[Any], Any], jobs: Iterable[Any]) -> Iterator[tuple[Any, Any]]:
        move = START.moves()[0]
        reply = START.play(move).moves()[0]
        for bout in (bout for job in jobs for bout in job):
            assert isinstance(bout, Bout)
            assert bout.measured
            spent = [self.spent(spec) for spec in bout.players]
            games = []
            for order in (spent, spent[::-1]):
                values = [(seconds, 0, None, seconds if self.measured else None) for seconds in order]
                plies = Ply(move, *values[0]), Ply(reply, *values[1])
                games.append(Played(START, plies, 0, 2))
            yield [bout], [games]

    def spent(self, spec: str) -> float:
        if "time=" not in spec:
            return 0.3
        seconds = float(spec.partition("time=")[2].partition(",")[0])
        self.asked.append(seconds)
        return 0.6 * seconds


@pytest.mark.parametrize("side", [0, 1])
@pytest.mark.parametrize("measured", [True, False])
def test_the_pilot_fits_the_time_of_one_player_to_the_other(side: int, measured: bool) -> None:
    specs = ["random", "random"]
    specs[side] = "alphabeta:time=fit,depth=3"
    crew, lines = Simulated(measured), list[str]()
    fitted = fit_time(specs[0], specs[1], crew, size=4, told=lines.append)
    assert (fitted.side, fitted.seconds) == (side, 0.5)
    assert fitted.players[side] == "alphabeta:time=0.5,depth=3"
    assert fitted.players[1 - side] == "random"
    assert sorted(set(crew.asked)) == [0.05, 0.5]
    assert lines[0] == "pilot: alphabeta:time=0.05,depth=3 used 30.00 ms a move, its opponent 300.00 ms"
    assert len(lines) == 2


def test_a_match_reports_both_times_and_when_they_differ_by_more_than_a_tenth() -> None:
    other = Side(moves=10, seconds=9.0, processor=1.0, measured=10)
    found = EqualTime(0, 0.2, ("a", "b"))
    near, far = Side(moves=5, seconds=1.0, processor=0.54, measured=5), Side(moves=5, processor=0.56, measured=5)
    assert found.remarks((near, other)) == [
        "time=fit gave 0.2 s a move; processor time a move: 108.00 ms against 100.00 ms"
    ]
    assert found.remarks((far, other))[1].startswith("these times differ by more than a tenth (+12 %)")
    assert found.summary((far, other)) == {"player": "a", "time": 0.2, "measured": "processor", "ratio": 1.12}
    turned = EqualTime(1, 0.2, ("a", "b")).summary((other, near))
    assert (turned["player"], turned["ratio"]) == ("b", 1.08)
    unmeasured = Side(moves=10, seconds=1.0)
    assert used((near, unmeasured), 0) == (0.2, 0.1, False)
    assert "cannot be measured on this system" in found.remarks((near, unmeasured))[0]


def test_one_player_alone_can_be_fitted() -> None:
    assert wants_fit("random", "build:HEAD,time=fit")
    assert not wants_fit("gtp:program --time=fit", "engine:time=1")
    with pytest.raises(ConfigError, match="only one of the players"):
        wants_fit("engine:time=fit", "engine:time=fit,threads=2")


def test_a_match_at_equal_time_from_the_command_and_from_python(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(equal_time, "STEPS", 1)
    saved = tmp_path / "games.jsonl"
    command = ["match", "alphabeta:time=fit", "alphabeta:depth=2", "--size", "4", "--games", "2", "--jobs", "1"]
    assert main([*command, "--json", "--save", str(saved)]) == 0
    out, err = capsys.readouterr()
    facts = json.loads(out)
    assert facts["equal_time"]["player"] == "a"
    assert facts["equal_time"]["measured"] == "processor"
    assert facts["a"]["processor"] > 0
    assert "pilot: alphabeta:time=0.05 used" in err
    lines = [json.loads(line) for line in saved.read_text().splitlines()]
    assert len(lines) == 2, "the games of the pilot are not those of the match"
    assert all(len(line["processor"]) == len(line["nodes"]) for line in lines)
    match = othellier.match("alphabeta:depth=2", "alphabeta:time=fit", games=2, size=4)
    assert match.equal_time is not None
    assert match.equal_time.side == 1
    assert "time=fit gave" in str(match)


# -- a core for each game


def cores_of_this(_: int) -> list[int]:
    return usable_cores()


@pytest.mark.skipif(not usable_cores(), reason="this system has no affinity of processes")
def test_each_process_has_a_core_of_its_own() -> None:
    everything = usable_cores()
    jobs = min(2, len(everything))
    with Crew("processes", jobs, pinned=True) as crew:
        found = {tuple(cores) for _, cores in crew.map(cores_of_this, range(40))}
    assert found <= {(core,) for core in everything}
    assert usable_cores() == everything, "this process keeps all of its own"
    with pytest.raises(ConfigError, match="each game needs one of its own"):
        Crew("processes", len(everything) + 1, pinned=True)
    with Crew("processes", 1) as crew:
        assert dict(crew.map(cores_of_this, [0])) == {0: everything}


def test_where_the_system_measures_no_other_process_none_is_measured(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(processor, "MEASURES_PROGRAMS", False)
    assert processor_seconds(os.getppid()) is None
    assert processor_seconds() is not None
