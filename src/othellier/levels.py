"""The levels of play: how deep, from where on to win and from where on to play perfectly.

The first six are those of FOREST; the seventh takes what time and cores there are. What a level does
with them is the engine's business.
"""

from __future__ import annotations

import difflib
from dataclasses import dataclass
from typing import Literal

from othellier.errors import ConfigError

__all__ = ["DEFAULT_LEVEL", "LEVELS", "Level", "find_level"]


@dataclass(frozen=True, slots=True)
class Level:
    """How strongly to play."""

    name: str
    book_moves: int
    """Moves that may come from the opening book."""
    depth: int
    """Plies to search in the middle of the game; 0 asks no search, only a rule."""
    win_empties: int
    """With so many empty squares or fewer, win, draw or loss is settled."""
    exact_empties: int
    """With so many or fewer, the best score is found."""
    uses_clock: bool = False
    """Thinks as long as its clock allows, on all cores, instead of to a depth."""
    network: Literal["policy", "value"] | None = None
    """On the usual board, plays the likeliest move, or the one after which the opponent's view is worst."""


LEVELS = {
    level.name: level
    for level in (
        Level("beginner", 0, 0, 0, 0, network="policy"),
        Level("beginner+", 0, 1, 0, 0, network="value"),
        Level("amateur", 16, 7, 18, 16),
        Level("amateur+", 18, 9, 22, 20),
        Level("expert", 20, 12, 24, 22),
        Level("master", 60, 14, 28, 26),
        Level("grandmaster", 60, 60, 60, 60, uses_clock=True),
    )
}

DEFAULT_LEVEL = "amateur"


def find_level(name: str) -> Level:
    """A level by its name; capitals do not matter."""
    level = LEVELS.get(name.lower())
    if level is None:
        near = difflib.get_close_matches(name.lower(), LEVELS, 1)
        hint = f", did you mean {near[0]}?" if near else f": {', '.join(LEVELS)}"
        raise ConfigError(f"there is no level {name!r}{hint}")
    return level
