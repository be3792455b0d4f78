"""The levels of play: how deep, from where on to win and from where on to play perfectly.

A level is the same wherever one meets it: on the page, in matches, over GTP and NBoard. What it answers depends on the
position and on its random choices, not on what was searched before; only the last takes what time there is.

Eleven opponents that play as people do (`PEOPLE`, each with a `HumanStyle`) make a ladder from a first game on. Six
levels are those of FOREST; the last takes what time and cores there are. What a level does with them is the engine's
business, and `players/strong.py` puts engine and book together.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from othellier.errors import ConfigError, closest

__all__ = ["DEFAULT_LEVEL", "FIRST_LEVEL", "LEVELS", "PEOPLE", "HumanStyle", "Level", "find_level"]


@dataclass(frozen=True, slots=True)
class HumanStyle:
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
    """How strongly to play; the options of a level of your own are these.

    >>> from othellier import Engine, start
    >>> with Engine(hash_mb=1) as engine:
    ...     engine.play(start(), Level("mine", book_moves=0, depth=3, win_empties=0, exact_empties=0)).depth
    3
    """

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
    style: HumanStyle | None = None
    """On the usual board, plays as a person does."""
    book_width: float = 2.0
    """Discs below the book's best within which it varies its opening: the likelier the better a move is."""
    rating: int | None = None
    """Elo on a scale where random moves have 0, measured by `python -m benchmarks.levels`."""

    def solves(self, empties: int) -> bool:
        """Whether it looks to the end of the game with so many empty squares: who wins, or by how much."""
        return empties <= max(self.win_empties, self.exact_empties)


LEVELS = {
    level.name: level
    for level in (
        Level("pip", 0, 0, 0, 0, style=HumanStyle(200.0, 0), rating=-1),
        Level("nora", 0, 0, 0, 0, style=HumanStyle(50.0, 1, blindness=0.7, greed=1.0), rating=82),
        Level("tom", 0, 0, 0, 0, style=HumanStyle(16.5, 1, blindness=0.7, greed=1.0), rating=254),
        Level("lila", 0, 0, 0, 0, style=HumanStyle(9.2, 1, blindness=0.6, greed=0.8), rating=391),
        Level("oscar", 0, 0, 0, 0, style=HumanStyle(6.5, 1, blindness=0.5, greed=0.6, nature=0.5), rating=595),
        Level("iris", 0, 0, 0, 0, style=HumanStyle(4.6, 1, blindness=0.4, greed=0.4, nature=0.8), rating=788),
        Level("hugo", 0, 0, 0, 0, style=HumanStyle(3.1, 1, blindness=0.3, greed=0.2, nature=1.0), rating=970),
        Level("beginner", 0, 0, 0, 0, network="policy", rating=1123),
        Level("vera", 0, 0, 0, 0, style=HumanStyle(2.8, 2, blindness=0.2, nature=1.0), rating=1154),
        Level("beginner+", 0, 1, 0, 0, network="value", rating=1284),
        Level("emil", 0, 0, 0, 0, style=HumanStyle(2.2, 3, blindness=0.12, nature=0.7), rating=1372),
        Level("rosa", 0, 0, 0, 0, style=HumanStyle(1.8, 5, blindness=0.05, nature=0.5), rating=1610),
        Level("kaito", 0, 0, 0, 0, style=HumanStyle(1.1, 7, blindness=0.02, nature=0.4), rating=1948),
        Level("amateur", 16, 7, 18, 16, rating=2231),
        Level("amateur+", 18, 9, 22, 20, rating=2446),
        Level("expert", 20, 12, 24, 22, rating=2653),
        Level("master", 60, 14, 28, 26, rating=2798),
        Level("grandmaster", 60, 60, 60, 60, uses_clock=True),
    )
}
"""Weakest first; ratings are those of benchmarks/LEVELS.md, by an earlier method: they will be measured again."""

PEOPLE = tuple(level for level in LEVELS.values() if level.style is not None)
"""Who plays as people do: a ladder from a first game on. On boards of another size they play by a rule."""

FIRST_LEVEL = "nora"
"""Whom a person meets who has chosen nobody: on the page, over its API, in the terminal."""

DEFAULT_LEVEL = "amateur"
"""How strong `engine` is where nothing more is said: in matches, over GTP and NBoard."""


def find_level(name: str) -> Level:
    """A level by its name; capitals do not matter.

    >>> find_level("Expert").depth, find_level("nora").style is not None
    (12, True)
    """
    level = LEVELS.get(name.lower())
    if level is None:
        near = closest(name.lower(), LEVELS)
        hint = f", did you mean {near}?" if near else f": {', '.join(LEVELS)}"
        raise ConfigError(f"there is no level {name!r}{hint}")
    return level
