"""The levels of play: how deep, from where on to win and from where on to play perfectly.

Ten opponents that play as people do (`PEOPLE`, each with a `Style`) make a ladder from a first game on. Six levels are
those of FOREST; the last takes what time and cores there are. What a level does with them is the engine's business.
"""

from __future__ import annotations

import difflib
from dataclasses import dataclass
from typing import Literal

from othellier.errors import ConfigError

__all__ = ["DEFAULT_LEVEL", "LEVELS", "PEOPLE", "Level", "Style", "find_level"]


@dataclass(frozen=True, slots=True)
class Style:
    """How a person chooses a move."""

    temperature: float
    """In discs: moves that seem worse by so much are chosen e times less often."""
    depth: int
    """Plies looked ahead: 0 looks at nothing but the board as it is."""
    blindness: float = 0.0
    """How likely a move that turns next to nothing is overlooked."""
    greed: float = 0.0
    """What each disc turned seems worth in the first half of the game, in discs."""
    nature: float = 0.0
    """What it is worth, in discs, that a move looks e times more natural to good players."""


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
    style: Style | None = None
    """On the usual board, plays as a person does."""
    rating: int | None = None
    """Elo on a scale where random moves have 0, measured by `python -m benchmarks.levels`."""


def _person(name: str, style: Style, rating: int | None = None) -> Level:
    """A person on a board of another size, or without the compiled core, plays by a rule."""
    return Level(name, 0, 0, 0, 0, style=style, rating=rating)


PEOPLE = (
    _person("pip", Style(200.0, 0)),
    _person("nora", Style(30.0, 1, blindness=0.7, greed=1.0)),
    _person("tom", Style(12.0, 1, blindness=0.7, greed=1.0)),
    _person("lila", Style(9.0, 1, blindness=0.6, greed=0.8)),
    _person("oscar", Style(7.0, 1, blindness=0.5, greed=0.6, nature=0.5)),
    _person("iris", Style(5.0, 1, blindness=0.4, greed=0.4, nature=0.8)),
    _person("hugo", Style(3.5, 1, blindness=0.3, greed=0.2, nature=1.0)),
    _person("vera", Style(2.0, 2, blindness=0.2, nature=1.0)),
    _person("emil", Style(1.5, 3, blindness=0.1, nature=0.7)),
    _person("rosa", Style(1.0, 5, blindness=0.03, nature=0.5)),
)
"""From a first game on."""

LEVELS = {
    level.name: level
    for level in (
        *PEOPLE,
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
