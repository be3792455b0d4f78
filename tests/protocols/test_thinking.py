"""Players that analyse and can be stopped, and the thread in which they think."""

import threading
from dataclasses import replace

import pytest

from othellier.errors import PlayerError
from othellier.games.game import Game
from othellier.games.results import Limit, Result, Stop
from othellier.players import Player, create_player
from othellier.protocols.thinker import Thinker
from othellier.rules import native
from othellier.rules.board import Position
from othellier.rules.geometry import PASS
from waiting import LIMIT, until

ENDGAME = Position.parse("-XXO XOOX XXOX OO-X X", 4)


@pytest.mark.parametrize("spec", ["alphabeta:depth=9", "engine:depth=9", "negamax:depth=9,count=winner"])
def test_every_move_is_judged(spec: str) -> None:
    heard: list[list[Result]] = []
    with create_player(spec) as player:
        results = player.analyze(ENDGAME, Limit(depth=9), progress=heard.append)
        (best,) = player.analyze(ENDGAME, Limit(depth=9), best=1)
    assert [(result.move, result.score, result.is_move_exact, result.is_exact, result.pv) for result in results] == [
        (0, 4.0, True, True, (0, 14)),
        (14, -2.0, True, False, (14, 0)),
    ]
    assert not any(result.is_exact for step in heard for result in step if result.score != 4)
    assert (best.move, best.score) == (0, 4.0)
    assert {result.turn for result in results} == {"black"}
    assert heard[-1][0].move == 0


@pytest.mark.parametrize("spec", ["random:seed=1", "mcts:iterations=20", "alphabeta:depth=2", "engine:level=beginner+"])
def test_an_analysis_names_each_move_once(spec: str) -> None:
    with create_player(spec) as player:
        for limit in (Limit(depth=3), Limit(nodes=100), Limit(time=0.05), Limit(clock=0.5)):
            results = player.analyze(native.start(), limit)
            assert sorted(result.move for result in results) == [19, 26, 37, 44]
            assert all(result.pv[:1] in ((), (result.move,)) for result in results)
            assert len({(result.nodes, result.seconds) for result in results}) == 1, "they are those of the analysis"
        assert len(player.analyze(native.start(), Limit(depth=2), best=3)) == 3


class Fixed(Player):
    """Judges every position alike, with a bound, and keeps what it was asked."""

    def __init__(self, score: float | None) -> None:
        self.score = score
        self.asked: list[tuple[Position, Limit]] = []

    def choose(self, position: Position, limit: Limit) -> Result:
        self.asked.append((position, limit))
        return Result(position.moves()[-1], position.turn, self.score, "lower", depth=4, nodes=10, seconds=0.5)


def test_moves_are_judged_by_the_replies() -> None:
    player = Fixed(3.0)
    first, *_ = player.analyze(native.start(), Limit(depth=5, nodes=400, time=2, clock=40))
    assert [position for position, _ in player.asked] == [native.start().play(move) for move in (19, 26, 37, 44)]
    assert {limit for _, limit in player.asked} == {Limit(depth=4, nodes=100, time=0.5, clock=10)}
    assert (first.score, first.bound, first.depth, first.nodes, first.seconds) == (-3.0, "upper", 5, 40, 2.0)
    assert first.pv == (19, native.start().play(19).moves()[-1])


def test_passes_and_ends_are_judged_too() -> None:
    black_passes = Position.parse("OX-- X--- ---- ---- O", 4)
    results = Fixed(5.0).analyze(black_passes, Limit())
    assert [(r.move, r.score, r.bound, r.depth, r.pv[:2]) for r in results] == [
        (2, 5.0, "lower", 6, (2, PASS)),
        (8, 5.0, "lower", 6, (8, PASS)),
    ]
    takes_all = Position.parse("OO-- -X-- ---- ---- O", 4)
    player = Fixed(5.0)
    results = player.analyze(takes_all, Limit())
    assert [(r.move, r.score, r.is_exact) for r in results] == [(9, 16, True), (10, 16, True)]
    assert player.asked == []


def test_a_favourite_without_scores() -> None:
    results = Fixed(None).analyze(native.start(), Limit())
    assert results[0].move == native.start().moves()[-1]


@pytest.mark.parametrize(
    "spec", ["alphabeta:depth=60", "pvs:depth=60,deepening=yes", "mcts:time=3600", "engine:depth=60"]
)
def test_thinking_can_be_stopped(spec: str) -> None:
    with create_player(spec) as player:
        thinker = Thinker(player)
        future = thinker.submit(lambda: thinker.choose(Game().current, Limit()))

        def stopped() -> bool:
            thinker.stop()
            return future.done()

        until(stopped, f"{spec} to stop")
        assert future.result(0).move in native.start().moves()
        thinker.close()


@pytest.mark.parametrize("spec", ["alphabeta:depth=60", "mcts:time=3600", "engine:depth=60"])
def test_a_stop_before_the_start_is_kept(spec: str) -> None:
    """A search that never ends by itself is asked with a stop that is already set."""
    stop = Stop()
    stop.set()
    with create_player(spec) as player:
        assert player.choose(native.start(), Limit(stop=stop)).move in native.start().moves()


def test_a_stop_ends_what_was_asked_before_and_nothing_after() -> None:
    with create_player("alphabeta:depth=3") as player:
        thinker = Thinker(player)
        thinker.stop()
        found = thinker.submit(lambda: thinker.choose(Game().current, Limit())).result(60)
        assert found.depth == 3
        thinker.close()


class Listener(Player):
    def __init__(self) -> None:
        self.told: list[int | Position] = []
        self.thread: threading.Thread | None = None

    def choose(self, position: Position, limit: Limit) -> Result:
        self.thread = threading.current_thread()
        return Result(position.moves()[0], position.turn)

    def new_game(self, start: Position) -> None:
        self.told.append(start)

    def observe(self, move: int) -> None:
        self.told.append(move)


def test_a_player_follows_the_game() -> None:
    player = Listener()
    thinker = Thinker(player)

    def ask(game: Game) -> list[int | Position]:
        player.told.clear()
        thinker.result(lambda: thinker.choose(game.current, Limit()))
        return list(player.told)

    start = native.start()
    game = Game()
    assert ask(game) == [start]
    game.push(37)
    assert ask(game) == [37]
    assert ask(game) == []
    game.push(43)
    game.push(18)
    assert ask(game) == [43, 18]
    same = Game.from_moves([37, 43, 18, 19])
    same.goto(-1)
    assert ask(same) == [19], "another game that began alike goes on"
    same.undo()
    assert ask(same) == [start, 37, 43, 18]
    assert player.thread is not None
    assert player.thread is not threading.current_thread()
    assert ask(Game(Position.parse("XXXX XXX- XXO- XO-- O", 4).play(PASS))) == [
        Position.parse("XXXX XXX- XXO- XO-- X", 4)
    ]
    with pytest.raises(PlayerError, match="the game is over"):
        ask(Game(Position.parse("XXXX XXXX XXXX XXX- O", 4)))
    thinker.close()
    player.thread.join(LIMIT)
    assert not player.thread.is_alive()


class Interrupted(Fixed):
    """Proves a value of its move and no more: a limit ended the search."""

    def choose(self, position: Position, limit: Limit) -> Result:
        return replace(super().choose(position, limit), bound="exact", source="exact", may_be_beaten=True)


def test_a_reply_that_may_be_beaten_proves_only_what_a_move_is_worth_at_most() -> None:
    results = Interrupted(3.0).analyze(native.start(), Limit())
    assert [(result.score, result.bound, result.is_move_exact) for result in results] == [(-3.0, "upper", False)] * 4
