"""How far a shallow search may be trusted for a deep one: the numbers of the core's forward pruning, from a file.

The standard deviation, in discs, of a deep search's value from that of a shallow one d of the same parity is

    (a + b·g / (g + k)) / (1 + c·d)      for a search g plies deeper: `midgame` holds a, b, k and c
    (a + b·n) / (1 + c·d)                for the exact score with n empty squares: `endgame` holds a, b and c

`othellier learn probcut` measures them; those we ship are data/probcut.json. Pruning is the core's business.
"""

from __future__ import annotations

import json
import math
from dataclasses import dataclass
from functools import cache
from importlib import resources
from pathlib import Path
from typing import Any

from othellier.base.files import read_file, write_file
from othellier.errors import ConfigError

__all__ = ["Probcut", "load_probcut", "shipped_probcut"]

DEPTHS = range(1, 30)
"""Depths of shallow searches for which the numbers must make sense."""


@dataclass(frozen=True, slots=True)
class Probcut:
    """The numbers of the two formulas above."""

    midgame: tuple[float, float, float, float]
    endgame: tuple[float, float, float]

    def __post_init__(self) -> None:
        spreads = [self.sigma(60, shallow + 2, shallow) for shallow in DEPTHS]
        spreads += [self.sigma(empties, empties, shallow) for empties in range(3, 31) for shallow in DEPTHS]
        if not all(math.isfinite(spread) and spread > 0 for spread in spreads):
            raise ConfigError("the numbers of probcut make a spread that is none: all must be above zero")

    @classmethod
    def parse(cls, data: Any) -> Probcut:
        """From what was read of a JSON file."""
        try:
            a, b, k, c = map(float, data["midgame"])
            d, e, f = map(float, data["endgame"])
            return cls((a, b, k, c), (d, e, f))
        except (KeyError, TypeError, ValueError, ZeroDivisionError) as error:
            if isinstance(error, ConfigError):
                raise
            raise ConfigError(f"not the numbers of probcut: {error!r}") from None

    def sigma(self, empties: int, deep: int, shallow: int) -> float:
        """The spread between two depths, as the core has it; `deep` may be the end of the game.

        >>> known = shipped_probcut()
        >>> known.sigma(40, 12, 6) < known.sigma(40, 16, 6), known.sigma(40, 16, 6) > known.sigma(40, 16, 8)
        (True, True)
        """
        if deep >= empties:
            a, b, c = self.endgame
            return (a + b * empties) / (1 + c * shallow)
        a, b, k, c = self.midgame
        gap = deep - shallow
        return (a + b * gap / (gap + k)) / (1 + c * shallow)

    def write(self, path: Path) -> None:
        """Write the file that `load_probcut` reads, with the digits they are worth."""
        rows = (("midgame", self.midgame), ("endgame", self.endgame))
        lines = ",\n".join(f' "{name}": {[float(f"{value:.4g}") for value in values]}' for name, values in rows)
        write_file(path, [f"{{\n{lines}\n}}\n".encode()])


def load_probcut(path: str | Path) -> Probcut:
    """The numbers of a file."""
    text = read_file(Path(path))
    try:
        data = json.loads(text)
    except ValueError:
        raise ConfigError(f"{path}: is not JSON") from None
    try:
        return Probcut.parse(data)
    except ConfigError as error:
        raise ConfigError(f"{path}: {error}") from None


@cache
def shipped_probcut() -> Probcut:
    """The numbers that come with the package."""
    return Probcut.parse(json.loads((resources.files("othellier") / "data" / "probcut.json").read_text("utf-8")))
