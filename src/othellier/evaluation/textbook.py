"""Logistic regression on what textbooks count, as a search asks it: a weight for each count, phase by phase.

`othellier learn classify` learns them and writes `textbook.json`. A weight is what one disc, move or square more than
the opponent has adds to the logarithm of the odds of winning, in thousandths.
"""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path

from othellier.base.files import read_file, write_file
from othellier.errors import WeightsError

__all__ = ["COUNTS", "PhaseWeights", "load_weights", "save_weights", "shipped_weights"]

COUNTS = ("discs", "moves", "frontier", "corners", "edges", "stable", "beside_corner", "diagonal_to_corner")
"""What is counted, of one side less of the other."""

PhaseWeights = tuple[int, dict[str, int]]
"""Until so many of the sixty moves are played: the weight of each count."""

LARGEST = 10_000
MOST = 100_000


def save_weights(weights: list[PhaseWeights], path: Path) -> None:
    """Write them, a line a phase."""
    lines = [json.dumps({"until": until, **counted}) for until, counted in weights]
    write_file(path, [("[\n  " + ",\n  ".join(lines) + "\n]\n").encode()])


def load_weights(path: Path) -> list[PhaseWeights]:
    """Read them back; what is none is refused."""
    try:
        found = [(line["until"], {name: line[name] for name in COUNTS}) for line in json.loads(read_file(path, MOST))]
    except (ValueError, KeyError, TypeError):
        raise WeightsError(f"{path}: no weights of textbook features") from None
    numbers = [number for until, counted in found for number in (until, *counted.values())]
    if not all(type(number) is int and abs(number) <= LARGEST for number in numbers):
        raise WeightsError(f"{path}: weights that are not whole numbers up to {LARGEST:,}")
    if not found or [until for until, _ in found] != sorted({until for until, _ in found}):
        raise WeightsError(f"{path}: phases out of order")
    return found


@cache
def shipped_weights() -> list[PhaseWeights]:
    """Those that come with the package."""
    return load_weights(Path(__file__).parents[1] / "data" / "textbook.json")
