"""Positions up to symmetry, as books and tables of openings keep them.

The key of a position is the smallest of its eight (player, opponent) pairs; it says nothing about the colour to
move. Boards are 8x8 here.
"""

from __future__ import annotations

from othellier.errors import InvalidPosition
from othellier.rules.board import Position
from othellier.rules.geometry import STANDARD

__all__ = ["PositionKey", "key_of"]

PositionKey = tuple[int, int]
"""Discs of the side to move and of the other, in the smallest symmetric form."""


def key_of(position: Position) -> PositionKey:
    """The key of a position."""
    if position.size != STANDARD:
        raise InvalidPosition(f"openings are known on 8x8 alone, not on {position.size}")
    form = position.canonical()
    return form.player, form.opponent
