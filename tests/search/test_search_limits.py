"""Ending a search early, and options that make no sense."""

import _thread
import random
import threading
from dataclasses import replace
from typing import Any

import pytest

from othellier.errors import ConfigError, InvalidPosition
from othellier.rules import native
from othellier.rules.board import Position
from othellier.rules.geometry import Size
from othellier.search import MctsOptions, MonteCarlo, Options, SearchOutcome, search
from othellier.search.base import Backend
from waiting import LIMIT

POSITION = Position.random(random.Random(9), 8, 40)
BACKENDS: tuple[Backend, ...] = ("python", "auto")


class Told:
    """Says stop from the given question on."""

    def __init__(self, after: int = 0) -> None:
        self.asked = -after

    def is_set(self) -> bool:
        self.asked += 1
        return self.asked > 0


@pytest.mark.parametrize("backend", BACKENDS)
def test_deepening_stops_at_the_last_depth_completed(backend: Backend) -> None:
    deep = Options("pvs", 5, deepening=True)
    whole = search(POSITION, deep, backend=backend)
    assert whole.depth == 5
    for nodes in (1, 200, 2000):
        part = search(POSITION, replace(deep, nodes=nodes), backend=backend)
        assert 1 <= part.depth < 5
        same = search(POSITION, replace(deep, depth=part.depth), backend=backend)
        assert (part.move, part.value, part.line) == (same.move, same.value, same.line)


@pytest.mark.parametrize("backend", BACKENDS)
def test_no_time_still_gives_a_move(backend: Backend) -> None:
    outcome = search(POSITION, Options(time=0), backend=backend)
    assert POSITION.is_legal(outcome.move)
    rollouts = MonteCarlo(POSITION.size, MctsOptions(time=0), backend=backend).search(POSITION).counters.rollouts
    assert 0 < rollouts < 1000


def test_time_ends_a_search_without_a_depth() -> None:
    assert search(POSITION, Options(time=0.02)).depth < 40


@pytest.mark.parametrize("backend", BACKENDS)
def test_told_to_stop(backend: Backend) -> None:
    """A depth of 30 would take years."""
    first = search(POSITION, Options("alphabeta", 1), backend=backend)
    stop = Told()
    outcome = search(POSITION, Options("alphabeta", 30), backend=backend, stop=stop)
    assert (outcome.depth, outcome.move) == (1, first.move)
    assert stop.asked == 1
    deeper = search(POSITION, Options("alphabeta", 30, deepening=True), backend=backend, stop=Told(after=2))
    assert 1 < deeper.depth < 30
    endless = MonteCarlo(POSITION.size, MctsOptions(10**9), backend=backend)
    assert POSITION.is_legal(endless.search(POSITION, stop=Told()).move)


def test_other_threads_run_meanwhile() -> None:
    """The compiled search lets go of the interpreter: else nobody could tell it to stop."""
    stop = threading.Event()
    found: list[SearchOutcome] = []
    thread = threading.Thread(target=lambda: found.append(search(POSITION, Options("alphabeta", 30), stop=stop)))
    thread.start()
    stop.set()
    thread.join(LIMIT)
    assert [outcome.depth for outcome in found] == [1]


@pytest.mark.parametrize("backend", BACKENDS)
def test_an_interrupt_gets_through(backend: Backend) -> None:
    class Interrupting:
        def is_set(self) -> bool:
            _thread.interrupt_main()
            return False

    with pytest.raises(KeyboardInterrupt):
        search(POSITION, Options("alphabeta", 30), backend=backend, stop=Interrupting())
    with pytest.raises(KeyboardInterrupt):
        MonteCarlo(POSITION.size, MctsOptions(10**9), backend=backend).search(POSITION, stop=Interrupting())


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"depth": 0}, "depth=0: a number from 1 to 60 expected"),
        ({"depth": 100}, "depth=100: a number from 1 to 60 expected"),
        ({"depth": -1}, "depth=-1"),
        ({"time": -1}, "time=-1"),
        ({"time": float("nan")}, "time=nan"),
        ({"nodes": 0}, "nodes=0"),
        ({"table_size": 0}, "table_size=0"),
        ({"table_depth": 0}, "table_depth=0"),
        ({"algorithm": "alphabet"}, "unknown algorithm 'alphabet', did you mean 'alphabeta'"),
        ({"order": "disks"}, "unknown order 'disks', did you mean 'discs'"),
        ({"ties": "last"}, "unknown ties 'last'"),
        ({"count": "disc"}, "did you mean 'discs'"),
    ],
)
def test_options_are_checked(options: dict[str, Any], message: str) -> None:
    with pytest.raises(ConfigError, match=message):
        Options(**options)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"iterations": 0}, "iterations=0: a number from 1"),
        ({"c": -1}, "c=-1: a number from 0"),
        ({"c": float("nan")}, "c=nan"),
        ({"time": -0.5}, "time=-0.5"),
        ({"rollout": "gready"}, "did you mean 'greedy'"),
        ({"heuristic": "heuristic"}, "unknown table 'heuristic', did you mean"),
        ({"max_nodes": 0}, "max_nodes=0"),
    ],
)
def test_monte_carlo_options_are_checked(options: dict[str, Any], message: str) -> None:
    with pytest.raises(ConfigError, match=message):
        MctsOptions(**options)


def test_backends() -> None:
    large = Position.start(10)
    assert search(large, Options(depth=2)).depth == 2
    assert MonteCarlo(large.size, MctsOptions(3)).search(large).counters.rollouts == 3
    with pytest.raises(ConfigError, match="up to 8x8" if native.available else "not installed"):
        search(large, Options(depth=2), backend="native")
    with pytest.raises(ConfigError, match="did you mean 'python'"):
        search(large, backend="pyton")  # type: ignore[arg-type]
    by_hand = Options(depth=2, evaluator=lambda player, opponent: player.bit_count() - opponent.bit_count())
    assert search(POSITION, by_hand).depth == 2
    with pytest.raises(ConfigError, match=r"needs backend=python|not installed"):
        search(POSITION, by_hand, backend="native")


@pytest.mark.parametrize("size", [3, 5, 7, 14])
def test_odd_sizes_are_refused(size: int) -> None:
    with pytest.raises(InvalidPosition, match="sides are even"):
        search(Position.start(size))


def test_a_tree_stays_on_its_board() -> None:
    with pytest.raises(InvalidPosition, match="cannot look at a board of size 4"):
        MonteCarlo(Size(6, 6)).search(Position.start(4))
    with pytest.raises(InvalidPosition, match="no move"):
        MonteCarlo(Size(4, 4)).search(Position.parse("XXXX XXXX XXXX XXX- O", 4))
