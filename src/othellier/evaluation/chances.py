"""The chances of a win and of a draw that a score stands for, calibrated on games of the engine against itself.

    chances(score, empties, exact, depth)      (win, draw) for the side the score belongs to

An estimate s counts as a result around s: the chance of a win is that of ending above, the chance of a loss that of
ending below a small margin around 0, both by a logistic curve whose width depends on how many squares are empty and
how deep the search saw. Widths and margins are measured by `othellier learn chances`, which writes data/chances.json.
"""

from __future__ import annotations

import json
import math
from bisect import bisect_right
from dataclasses import dataclass
from functools import cache
from importlib import resources
from itertools import pairwise
from typing import Any

from othellier.errors import ConfigError

__all__ = ["Curves", "chances", "shipped"]

USUAL_DEPTH = 8
"""Plies an estimate is taken to have seen where nobody says: between the page's quick and normal analysis."""


@dataclass(frozen=True, slots=True)
class Curves:
    """Widths and margins in discs on a grid of empty squares (rows) and depths, with straight lines between."""

    empties: tuple[float, ...]
    depths: tuple[float, ...]
    width: tuple[tuple[float, ...], ...]
    margin: tuple[tuple[float, ...], ...]

    def __post_init__(self) -> None:
        for axis in (self.empties, self.depths):
            if len(axis) < 2 or any(not a < b for a, b in pairwise(axis)):
                raise ConfigError("the chances need two or more empties and depths that rise")
        for name, grid, least in (("width", self.width, 1e-3), ("margin", self.margin, 0.0)):
            if [len(row) for row in grid] != [len(self.depths)] * len(self.empties):
                raise ConfigError(f"the chances' {name} does not fit its empties and depths")
            if not all(math.isfinite(value) and value >= least for row in grid for value in row):
                raise ConfigError(f"the chances' {name} holds what is no {name}")

    @classmethod
    def parse(cls, data: dict[str, Any]) -> Curves:
        """From what was read of a JSON file."""
        try:
            width, margin = (tuple(tuple(map(float, row)) for row in data[name]) for name in ("width", "margin"))
            return cls(tuple(map(float, data["empties"])), tuple(map(float, data["depths"])), width, margin)
        except (KeyError, TypeError, ValueError) as error:
            if isinstance(error, ConfigError):
                raise
            raise ConfigError(f"not the chances' numbers: {error!r}") from None

    def chances(self, score: float, empties: int, depth: int) -> tuple[float, float]:
        """The chances of a win and of a draw of an estimate."""
        row, down = _between(self.empties, empties)
        column, right = _between(self.depths, depth)

        def at(grid: tuple[tuple[float, ...], ...]) -> float:
            above, below = (_mix(line[column], line[column + 1], right) for line in grid[row : row + 2])
            return _mix(above, below, down)

        width, margin = at(self.width), at(self.margin)
        win, loss = _logistic((score - margin) / width), _logistic((-score - margin) / width)
        return win, max(0.0, 1 - win - loss)


def chances(score: float, empties: int, exact: bool = False, depth: int | None = None) -> tuple[float, float]:
    """The chances of a win and of a draw for the side the score belongs to.

    >>> chances(2, 10, exact=True), chances(0, 0)
    ((1.0, 0.0), (0.0, 1.0))
    >>> win, draw = chances(4, 20, depth=10)
    >>> loss = chances(-4, 20, depth=10)[0]
    >>> win > 0.5 > loss, round(win + draw + loss, 9)
    (True, 1.0)
    """
    if exact or not empties:
        return float(score > 0), float(score == 0)
    return shipped().chances(score, empties, USUAL_DEPTH if depth is None else depth)


@cache
def shipped() -> Curves:
    """The numbers that come with the package."""
    file = resources.files("othellier") / "data" / "chances.json"
    return Curves.parse(json.loads(file.read_text(encoding="utf-8")))


def _between(axis: tuple[float, ...], value: float) -> tuple[int, float]:
    """The place on an axis below a value, and how far it is to the next; ends hold beyond."""
    place = min(max(bisect_right(axis, value) - 1, 0), len(axis) - 2)
    return place, min(max((value - axis[place]) / (axis[place + 1] - axis[place]), 0.0), 1.0)


def _mix(a: float, b: float, share: float) -> float:
    return a + (b - a) * share


def _logistic(x: float) -> float:
    # By tanh, which does not overflow.
    return 0.5 * (1 + math.tanh(x / 2))
