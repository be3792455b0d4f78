"""Legal moves with bitboards."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

from othellier.board import Position
from othellier.course import Failed, Task
from othellier.geometry import square_name, squares_of

__all__ = ["TASK", "check"]

POSITIONS = 300


def check(legal_moves: Callable[..., Any]) -> str:
    """Compare with the rules on the first position, on some with empty masks, and on many random ones."""
    rng = random.Random(15)
    positions = [Position.start(), *(Position.random(rng) for _ in range(POSITIONS))]
    for position in positions:
        found = legal_moves(position.player, position.opponent)
        expected = position.moves_mask()
        if isinstance(found, bool) or not isinstance(found, int):
            raise Failed(f"a whole number, the bitboard of the moves, expected: {found!r} came", position)
        if found != expected:
            words = [
                f"{what} {', '.join(square_name(square) for square in squares_of(squares & (1 << 64) - 1))}"
                for what, squares in (("missing:", expected & ~found), ("not legal:", found & ~expected))
                if squares & (1 << 64) - 1
            ]
            words += ["bits beyond h8 are set"] if found >> 64 else []
            raise Failed(f"{len(position.moves())} moves expected; {'; '.join(words)}", position)
    return f"right on {len(positions)} positions"


TASK = Task(
    "legal-moves",
    "Legal moves with bitboards",
    "legal_moves(player, opponent)",
    """The board is two whole numbers of 64 bits: the discs of the side to move, and those of the other.
Bit 0 is a1, bit 1 b1, bit 8 a2, bit 63 h8. Return the bitboard of the squares the side to move may
play on: the empty squares from which a row of the other side's discs, in one of the eight
directions, leads to a disc of its own.""",
    check,
    seconds=30,
    order=1,
)
