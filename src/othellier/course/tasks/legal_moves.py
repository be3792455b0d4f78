"""Legal moves with bitboards."""

from __future__ import annotations

import random
from collections.abc import Callable
from numbers import Integral
from typing import Any

from othellier.course import Failed, Task, Told
from othellier.rules.board import Position
from othellier.rules.geometry import square_name, squares_of

__all__ = ["TASK", "check"]

POSITIONS = 300


def check(legal_moves: Callable[..., Any]) -> str:
    """Compare with the rules on the first position, on some with empty masks, and on many random ones."""
    rng = random.Random(15)
    positions = [Position.start(), *(Position.random(rng) for _ in range(POSITIONS))]
    for position in positions:
        found = legal_moves(position.player, position.opponent)
        expected = position.moves_mask()
        if isinstance(found, bool) or not isinstance(found, Integral):
            raise Failed(NO_NUMBER, position, found=repr(found))
        found = int(found)
        if not 0 <= found < 1 << 64:
            raise Failed(BEYOND, position)
        if found != expected:
            missing, extra = _names(expected & ~found), _names(found & ~expected)
            raise Failed(OTHER, position, count=len(position.moves()), missing=missing, extra=extra)
    return Told(RIGHT, count=len(positions))


def _names(squares: int) -> str:
    return ", ".join(map(square_name, squares_of(squares))) or "–"


NO_NUMBER = "a whole number, the bitboard of the moves, expected: {found} came"
BEYOND = "a number of 64 bits expected: bits beyond h8 are set"
OTHER = "{count} moves expected; missing: {missing}; not legal: {extra}"
RIGHT = "right on {count} positions"
TEXT = """The board is two whole numbers of 64 bits: the discs of the side to move, and those of the other.
Bit 0 is a1, bit 1 b1, bit 8 a2, bit 63 h8. Return the bitboard of the squares the side to move may
play on: the empty squares from which a row of the other side's discs, in one of the eight
directions, leads to a disc of its own."""

TASK = Task(
    "legal-moves",
    "Legal moves with bitboards",
    "legal_moves(player, opponent)",
    TEXT,
    check,
    seconds=30,
    order=1,
    position=Position,
    french={
        "Legal moves with bitboards": "Les coups possibles avec des bitboards",
        TEXT: """Le plateau est fait de deux entiers de 64 bits : les pions du camp au trait, et ceux de
l'autre. Le bit 0 est a1, le bit 1 b1, le bit 8 a2, le bit 63 h8. Rendez le bitboard des cases où le
camp au trait peut jouer : les cases vides d'où une rangée de pions de l'autre camp, dans l'une des
huit directions, mène à un pion à lui.""",
        NO_NUMBER: "un entier, le bitboard des coups, était attendu : {found} est venu",
        BEYOND: "un nombre de 64 bits était attendu : des bits au-delà de h8 sont mis",
        OTHER: "{count} coups attendus ; manquants : {missing} ; impossibles : {extra}",
        RIGHT: "juste dans {count} positions",
    },
)
