"""The coach of the terminal: how deep it looks before it gives advice, and where it knows everything."""

import random
from typing import Any

import pytest

from othellier.engine.engine import Engine
from othellier.games.results import Limit
from othellier.rules import native
from othellier.terminal.advice import Coach

pytestmark = pytest.mark.skipif(not native.available, reason="the engine needs the compiled core")

MIDDLE = native.random_position(random.Random(8), 8, 34)
"""Nothing that a book knows."""


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch) -> list[tuple[str, Limit]]:
    """What the engine is asked; it answers after a ply."""
    found: list[tuple[str, Limit]] = []
    for name in ("search", "analyze"):
        original = getattr(Engine, name)

        def spy(self: Engine, position: Any, limit: Limit, _name: str = name, _original: Any = original) -> Any:
            found.append((_name, limit))
            return _original(self, position, Limit(depth=1))

        monkeypatch.setattr(Engine, name, spy)
    return found


def test_advice_and_values_look_far(asked: list[tuple[str, Limit]]) -> None:
    coach = Coach()
    coach.advice(MIDDLE)
    coach.values(MIDDLE)
    coach.close()
    assert asked == [("search", Limit(depth=14, time=3.0)), ("analyze", Limit(depth=10, time=8.0))]


@pytest.mark.parametrize(("empties", "solved"), [(20, True), (21, False)])
def test_the_end_is_solved(asked: list[tuple[str, Limit]], empties: int, solved: bool) -> None:
    coach = Coach()
    position = native.random_position(random.Random(3), 8, empties)
    coach.advice(position)
    coach.values(position)
    coach.close()
    assert [limit.depth for _, limit in asked] == ([64, 64] if solved else [14, 10])
    assert [limit.time for _, limit in asked] == [3.0, 8.0]
