"""One game: played to the end, written down as it was, lost by whoever fails."""

import itertools
import json
import random
from dataclasses import replace
from typing import Any

import pytest

from othellier import records
from othellier.arena.ledger import game_line, parse_line
from othellier.arena.play import OpeningMoves, Ply, play_game
from othellier.errors import PlayerError
from othellier.games.results import Limit, Result
from othellier.players import Player, RandomPlayer, create_player
from othellier.rules import native
from othellier.rules.board import Position
from othellier.rules.geometry import PASS

OPENING = OpeningMoves(native.start(), (37, 43))  # f5 d6


class Recorder(RandomPlayer):
    """A random player that remembers what it was told."""

    def __init__(self, seed: int) -> None:
        super().__init__(seed=seed)
        self.observed: list[int] = []

    def observe(self, move: int) -> None:
        self.observed.append(move)


class Failing(Player):
    """Plays the first move, but at some position does something else."""

    def __init__(self, reply: object, after: int = 2) -> None:
        self.reply = reply
        self.left = after

    def choose(self, position: Position, limit: Limit) -> Result:
        self.left -= 1
        if self.left >= 0:
            return Result(position.moves()[0], position.turn)
        if isinstance(self.reply, Exception):
            raise self.reply
        return self.reply  # type: ignore[return-value]


@pytest.mark.parametrize("size", ["4", "6", "8", "4x6", "10"])
def test_games_are_played_to_the_end(size: str) -> None:
    passes = 0
    for seed in range(12):
        black, white = Recorder(seed), Recorder(seed + 100)
        played = play_game(black, white, OpeningMoves(native.start(size)))
        game = played.game("a", "b")
        outcome = game.outcome()
        assert outcome is not None
        assert (outcome.score, game.result, played.error) == (played.score, None, "")
        assert black.observed == white.observed == game.moves()
        assert game.end.position.is_over()
        passes += game.moves().count(PASS)
        assert len(played.chosen("black")) + len(played.chosen("white")) == len(game.moves()) - game.moves().count(PASS)
    assert passes


def test_the_opening_is_not_the_players_doing() -> None:
    played = play_game(RandomPlayer(seed=1), create_player("alphabeta:depth=1"), OPENING)
    assert [ply.move for ply in played.plies[:2]] == [37, 43]
    assert played.opening == 2
    assert len(played.chosen("black")) <= 29
    assert all(ply.nodes for ply in played.chosen("white"))
    assert not any(ply.nodes for ply in played.chosen("black"))
    nodes = played.game("random", "depth 1").main_line()
    assert nodes[0].seconds is None
    assert nodes[2].seconds == played.plies[2].seconds


def test_white_may_begin() -> None:
    start = native.start().play(37)
    played = play_game(RandomPlayer(seed=1), create_player("alphabeta:depth=1"), OpeningMoves(start))
    assert all(ply.nodes for ply in played.chosen("white"))
    assert played.plies[0] in played.chosen("white")


@pytest.mark.parametrize(
    ("reply", "words"),
    [
        (Result(0, "black"), "Failing played a1, which is illegal"),
        (ZeroDivisionError("why"), "Failing failed: ZeroDivisionError: why"),
        (None, "Failing answered None, which is no move"),
        (PlayerError("it died"), "it died"),
    ],
)
@pytest.mark.parametrize("color", ["black", "white"])
def test_who_fails_loses(reply: object, words: str, color: str) -> None:
    players = [Failing(reply), RandomPlayer(seed=1)]
    black, white = players if color == "black" else reversed(players)
    played = play_game(black, white, OPENING)
    assert played.score == (-64 if color == "black" else 64)
    assert played.error.startswith(words)
    assert played.reason == "resigned"
    game = played.game()
    assert played.error.count(game.end.position.board_string()) == 1
    assert game.end.position.turn == color
    outcome = game.outcome()
    assert outcome is not None
    assert outcome.score == played.score
    assert game.end.comment == played.error


def test_moves_that_take_too_long_are_told(monkeypatch: pytest.MonkeyPatch) -> None:
    clock = itertools.count()
    monkeypatch.setattr("othellier.arena.play.time.perf_counter", lambda: float(next(clock)))  # each move takes 1 s
    start = OpeningMoves(native.start(4))
    assert play_game(RandomPlayer(seed=1), RandomPlayer(seed=2), start, Limit(time=1)).overruns == ()
    slight = Limit(time=0.9803)  # 20 ms are nothing on a busy machine
    assert play_game(RandomPlayer(seed=1), RandomPlayer(seed=2), start, slight).overruns == ()
    played = play_game(RandomPlayer(seed=1), RandomPlayer(seed=2), start, Limit(time=0.9))
    chosen = [index for index, ply in enumerate(played.plies, 1) if ply.move != PASS]
    assert list(played.overruns) == chosen
    assert play_game(RandomPlayer(seed=1), RandomPlayer(seed=2), start).overruns == ()
    lost = play_game(Failing(PlayerError("too late"), after=0), RandomPlayer(seed=2), start, Limit(time=0.5))
    assert (lost.reason, lost.overruns) == ("time", ()), "the error says what was wrong"


class Clocked(RandomPlayer):
    """A random player that remembers what was left on its clock."""

    def __init__(self, seed: int) -> None:
        super().__init__(seed=seed)
        self.clocks: list[float | None] = []

    def choose(self, position: Position, limit: Limit) -> Result:
        self.clocks.append(limit.clock)
        assert limit.increment == 0.25
        return super().choose(position, limit)


def test_each_side_has_a_clock_for_all_its_moves(monkeypatch: pytest.MonkeyPatch) -> None:
    clock = itertools.count()
    monkeypatch.setattr("othellier.arena.play.time.perf_counter", lambda: float(next(clock)))  # each move takes 1 s
    black, white = Clocked(1), Clocked(2)
    played = play_game(black, white, OPENING, Limit(clock=60, increment=0.25))
    assert (played.error, played.overruns) == ("", ())
    for player, color in ((black, "black"), (white, "white")):
        assert player.clocks == [60 - 0.75 * move for move in range(len(played.chosen(color)))]  # type: ignore[arg-type]


@pytest.mark.parametrize("color", ["black", "white"])
def test_who_has_nothing_left_on_the_clock_loses(color: str, monkeypatch: pytest.MonkeyPatch) -> None:
    clock = itertools.count()
    monkeypatch.setattr("othellier.arena.play.time.perf_counter", lambda: float(next(clock)))
    opening = OPENING if color == "black" else OpeningMoves(native.start(), (37,))
    limit = Limit(clock=2.98)  # three moves of a second: 20 ms are nothing on a busy machine
    played = play_game(RandomPlayer(seed=1), RandomPlayer(seed=2), opening, limit)
    assert (played.failed, played.reason, len(played.chosen(color))) == (color, "time", 3)  # type: ignore[arg-type]
    assert played.overruns == ()
    assert played.error.startswith(f"{color} took 1.00 s where its clock had 0.00 s left")


def test_players_are_handed_the_limit_and_watchers_the_moves() -> None:
    seen: list[int] = []
    white = create_player("alphabeta")
    play_game(RandomPlayer(seed=3), white, OPENING, Limit(depth=1), lambda _, result: seen.append(result.depth))
    assert set(seen) == {0, 1}


def test_a_game_outlasts_its_line() -> None:
    rng = random.Random(5)
    for size in ("4", "6x8", "8", "12"):
        start = native.random_position(rng, size, empties=10)
        played = play_game(RandomPlayer(seed=1), create_player("alphabeta:depth=1"), OpeningMoves(start))
        line = game_line(played, "a", "b", number=3)
        assert parse_line(line) == played
        assert records.read(json.dumps(line) + "\n") == [played.game("a", "b")]
    failed = play_game(RandomPlayer(seed=1), Failing(KeyError("x")), OPENING)
    line = game_line(failed, "a", "b")
    assert parse_line(line) == failed
    assert records.read(json.dumps(line) + "\n") == [failed.game("a", "b")]
    assert (line["reason"], line["moves"][:4]) == ("resigned", "F5D6")
    assert "start" not in line
    assert failed.plies[0] == Ply(37)
    late = replace(failed, overruns=(3, 5))
    assert parse_line(game_line(late, "a", "b")) == late


SCORES = [
    ({"score": -4}, "its moves come to [+]4, its score is -4"),
    ({"score": 4.0}, "its moves come to [+]4, its score is 4.0"),
    ({"score": "4"}, "its moves come to"),
    ({"reason": "resigned", "score": 16}, "its moves come to the end, and yet it ended otherwise"),
    ({"error": "it failed"}, "a game that was played to the end has an error"),
    ({"failed": "white"}, "a game that was played to the end has an error"),
    ({"moves": "C1"}, "(?s)."),
    ({"opening": 99}, "an opening of 99 moves of"),
    ({"opening": True}, "an opening of True moves of"),
    ({"nodes": []}, "shorter"),
    ({"overruns": [0]}, "moves that took too long"),
]
ENDS = [
    ({"reason": ""}, "its moves do not come to the end, and no reason is given"),
    ({"reason": "tired"}, "'tired' is no reason"),
    ({"score": 2}, "a side that gave up has lost all squares, its score is 2"),
    ({"failed": "black"}, "the loser is white, not black"),
]


def written(*, whole: bool) -> dict[str, Any]:
    """A line of a game on the small board: played to the end, Black winning by 4, or lost by White's failure."""
    for seed in range(1000):
        opening, other = OpeningMoves(native.start(4)), RandomPlayer(seed=seed)
        played = play_game(RandomPlayer(seed=seed + 1), other if whole else Failing(KeyError("x")), opening)
        if played.score == (4 if whole else 16):
            return game_line(played, "a", "b")
    raise AssertionError("no such game")


@pytest.mark.parametrize(
    ("whole", "change", "words"), [(True, *case) for case in SCORES] + [(False, *case) for case in ENDS]
)
def test_a_result_that_its_moves_contradict_is_refused(whole: bool, change: dict[str, Any], words: str) -> None:
    line = written(whole=whole)
    parse_line(line)
    with pytest.raises(ValueError, match=words):
        parse_line(line | change)


def test_numbers_of_a_line_are_numbers() -> None:
    line = written(whole=True)
    for value in (float("nan"), "7", True, None):
        with pytest.raises(ValueError, match="is no number"):
            parse_line(line | {"seconds": [value for _ in line["seconds"]]})
