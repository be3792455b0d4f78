"""The learnt evaluation in plain Python: what `core/evaluation/patterns.h` computes, to be read and to be tested by.

The estimate of a position is a sum of weights of its phase: one for each pattern instance, found by the discs
on its squares, one for the number of one's moves and one for that of the other side's. Making the weights is the
business of `learn/`, their file that of `weights`.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any

from othellier.errors import WeightsError
from othellier.evaluation.weights import MOBILITY_TERMS, PatternGeometry, read_payload, shipped_weights
from othellier.reference import moves_mask
from othellier.rules import native
from othellier.rules.geometry import STANDARD, geometry

__all__ = ["MAX_ESTIMATE", "PatternValues", "compiled_weights", "load_weights", "shipped_values"]

MAX_ESTIMATE = 62
"""Discs: estimates stay inside, as in the core."""


class PatternValues:
    """The weights of a file, and what they say of positions."""

    def __init__(self, payload: bytes) -> None:
        self.patterns, tables, self.unit = PatternGeometry.read(payload)
        self._tables = [memoryview(table) for table in tables]
        # Where the entry of an instance without discs lies: a table begins with the smallest index.
        self._instances = [
            (squares, self.patterns.offsets[number] + self.patterns.patterns[number].entries // 2)
            for number, squares in self.patterns.instances
        ]

    def estimate(self, player: int, opponent: int) -> int:
        """The final disc difference expected by the side to move, in 1 / unit discs."""
        empties = 64 - (player | opponent).bit_count()
        table = self._tables[min(max((60 - empties) * len(self._tables) // 60, 0), len(self._tables) - 1)]
        digits = [(player >> square & 1) - (opponent >> square & 1) for square in range(64)]
        board, mobility = geometry(STANDARD), self.patterns.offsets[-1]
        total = table[mobility + moves_mask(player, opponent, board).bit_count()]
        total += table[mobility + MOBILITY_TERMS + moves_mask(opponent, player, board).bit_count()]
        for squares, middle in self._instances:
            index = 0
            for square in reversed(squares):
                index = 3 * index + digits[square]
            total += table[middle + index]
        most = MAX_ESTIMATE * self.unit
        return min(max(total, -most), most)


@cache
def shipped_values() -> PatternValues:
    """Those of the weights that come with the package."""
    with shipped_weights() as path:
        return PatternValues(read_payload(path))


@cache
def compiled_weights() -> Any:
    """The same weights as the core holds them."""
    with shipped_weights() as path:
        return load_weights(path)


def load_weights(path: str | Path) -> Any:
    """Weights of a file for the core, checked."""
    assert native.core is not None
    payload = read_payload(path)
    try:
        return native.core.Weights(payload)
    except RuntimeError as error:
        raise WeightsError(f"{path}: {error}") from None
