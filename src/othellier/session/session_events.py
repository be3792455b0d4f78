"""What happens in a game besides its moves, for those who sit around it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from othellier.games.game import GameNode
from othellier.rules.board import Color


@dataclass(frozen=True, slots=True)
class Passed:
    """A side had no move and passed."""

    color: Color


@dataclass(frozen=True, slots=True)
class Over:
    """The game has ended."""


@dataclass(frozen=True, slots=True)
class Relocated:
    """Nodes have gone or are others now: whoever looks at one is led to the place that stands for it."""

    place: Callable[[GameNode], GameNode]


SessionEvent = Passed | Over | Relocated
