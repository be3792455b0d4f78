"""The engine's time: a clock is spent while it matters, and what was decided reaches the core unchanged."""

import random
from typing import Any

import pytest

from othellier.engine.engine import CLOCKLESS_SECONDS, Engine
from othellier.engine.levels import LEVELS
from othellier.games.results import Limit
from othellier.games.timing import longest_time, time_for_move
from othellier.rules import native

pytestmark = pytest.mark.skipif(not native.available, reason="the engine needs the compiled core")

NO = 1e9
"""No limit, in seconds."""
DECIDED = 18
"""Empty squares from which the rest costs nothing."""


@pytest.mark.parametrize("increment", [0.0, 2.0])
@pytest.mark.parametrize("clock", [60.0, 300.0, 1800.0])
def test_a_clock_is_spent_before_the_game_is_decided(clock: float, increment: float) -> None:
    left, spent = clock, {}
    for empties in range(60, 0, -2):
        seconds = time_for_move(left, increment, empties)
        assert 0 < seconds < left
        spent[empties] = seconds
        left += increment - seconds
    early = sum(seconds for empties, seconds in spent.items() if empties >= DECIDED)
    given = clock + increment * sum(empties >= DECIDED for empties in spent)
    assert early > 0.7 * given, "time that is left when all is decided was saved for nothing"
    assert min(spent[empties] for empties in spent if empties >= 30) > 0.5 * clock / 60
    assert max(spent.values()) < 0.4 * clock, "no single move is worth the game"


@pytest.mark.parametrize("increment", [1.0, 5.0])
def test_an_increment_is_spent_too(increment: float) -> None:
    """With little on the clock a move takes most of what the move before has added."""
    left, spent = 10.0, 0.0
    for empties in range(60, 30, -2):
        seconds = time_for_move(left, increment, empties)
        spent += seconds
        left += increment - seconds
    assert spent > 0.8 * 15 * increment


@pytest.mark.parametrize("increment", [0.0, 2.0])
@pytest.mark.parametrize("clock", [10.0, 60.0, 1800.0])
def test_a_hard_move_takes_more_but_never_most_of_the_clock(clock: float, increment: float) -> None:
    for empties in range(60, 0, -2):
        usual, longest = time_for_move(clock, increment, empties), longest_time(clock, increment, empties)
        assert usual <= longest <= 0.5 * clock + 0.5 * increment
    assert longest_time(clock, increment, 50) > 1.5 * time_for_move(clock, increment, 50)


class Core:
    """Stands for the core and takes note of what it is asked: seconds at most, and seconds usually."""

    def __init__(self, core: Any) -> None:
        self.core = core
        self.seconds: list[tuple[float, ...]] = []

    def __getattr__(self, name: str) -> Any:
        return getattr(self.core, name)

    def search(self, *arguments: Any) -> Any:
        self.seconds.append(tuple(value for value in arguments if isinstance(value, float)))
        return self.core.search(*(5e-3 if isinstance(value, float) else value for value in arguments))


@pytest.fixture
def engine() -> Engine:
    engine = Engine(hash_mb=1)
    engine._core = Core(engine._core)
    return engine


POSITION = native.random_position(random.Random(5), 8, 44)


def clocked(clock: float, increment: float = 0.0) -> tuple[float, float]:
    return longest_time(clock, increment, 44), time_for_move(clock, increment, 44)


@pytest.mark.parametrize(
    ("limit", "seconds"),
    [
        (Limit(time=7.25), (7.25, NO)),
        (Limit(clock=120.0), clocked(120.0)),
        (Limit(clock=120.0, increment=3.0), clocked(120.0, 3.0)),
        (Limit(time=0.75, clock=120.0), (0.75, clocked(120.0)[1])),
        (Limit(time=75.0, clock=120.0), clocked(120.0)),
        (Limit(depth=3), (NO, NO)),
        (Limit(nodes=1000), (NO, NO)),
    ],
)
def test_the_core_is_given_all_of_the_time(engine: Engine, limit: Limit, seconds: tuple[float, float]) -> None:
    engine.search(POSITION, limit)
    engine.analyze(POSITION, limit, best=1)
    assert engine._core.seconds == [seconds, seconds]


@pytest.mark.parametrize(
    ("level", "limit", "seconds"),
    [
        ("grandmaster", Limit(), (CLOCKLESS_SECONDS, NO)),
        ("grandmaster", Limit(time=2.5), (2.5, NO)),
        ("grandmaster", Limit(clock=90.0, increment=1.0), clocked(90.0, 1.0)),
        ("expert", Limit(time=2.5), (2.5, NO)),
        ("expert", Limit(clock=90.0), clocked(90.0)),
        ("amateur", Limit(), (NO, NO)),
    ],
)
def test_levels_think_as_long_as_they_may(
    engine: Engine, level: str, limit: Limit, seconds: tuple[float, float]
) -> None:
    engine.play(POSITION, LEVELS[level], limit)
    assert engine._core.seconds == [seconds]
