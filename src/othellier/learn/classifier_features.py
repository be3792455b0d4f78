"""What the classifier sees of a position: some thirty numbers for the side to move.

The engine's opinion (its evaluation and a shallow search), and what the textbooks count: discs, moves, frontiers,
corners and the squares beside them, edges, stable discs, parity. Whole arrays at a time; nothing is learnt here.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import numpy.typing as npt

from othellier import native
from othellier.batch import Bits
from othellier.engine import Engine
from othellier.geometry import STANDARD, geometry
from othellier.learn.games import Positions
from othellier.results import Limit

__all__ = ["FEATURES", "SIDES", "Floats", "features", "search_values", "static_values"]

Floats = npt.NDArray[np.float32]

LEFT, RIGHT = np.uint64(0x0101010101010101), np.uint64(0x8080808080808080)
CORNERS = np.uint64(0x8100000000000081)
EDGES = np.uint64(0x3C0081818181003C)
"""The edges without corners and the squares beside them."""
QUARTERS = tuple(np.uint64(0x0F0F0F0F << shift) for shift in (0, 4, 32, 36))
BESIDE_CORNERS = ((0, 1, 8, 9), (7, 6, 15, 14), (56, 57, 48, 49), (63, 62, 55, 54))
"""Each corner, the two edge squares beside it and the diagonal one."""

SIDES = {
    "discs": 16,
    "moves": 10,
    "frontier": 10,
    "corners": 1,
    "edges": 4,
    "stable": 16,
    "beside corner": 2,
    "diagonal to corner": 1,
}
"""What is counted of each side, and by what it is divided, so that all are of the order of 1."""

FEATURES = (
    "phase",
    "parity",
    "odd quarters",
    "static",
    "search",
    "search - static",
    "solved",
    "solved win",
    "solved draw",
    *(f"{side} {what}" for side in ("own", "other") for what in SIDES),
)


def static_values(weights: Any, found: Positions) -> Floats:
    """The evaluation alone, in discs."""
    raw = np.zeros(len(found.score), np.int32)
    weights.raw(np.ascontiguousarray(found.player), np.ascontiguousarray(found.opponent), raw)
    return np.asarray(raw / weights.unit, np.float32)


def search_values(
    engine: Engine, found: Positions, depth: int, solve: int, progress: Callable[[int], None] | None = None
) -> Floats:
    """What a search to a small depth finds, in discs; the exact score from `solve` empty squares on."""
    short, whole = Limit(depth=depth), Limit(depth=64)
    values = np.empty(len(found.score), np.float32)
    engine.new_game()
    for row, (player, opponent) in enumerate(zip(found.player.tolist(), found.opponent.tolist(), strict=True)):
        position = native.position(player, opponent)
        values[row] = engine.search(position, whole if position.empties <= solve else short).score
        if progress is not None and row % 1000 == 999:
            progress(1000)
    return values


def features(found: Positions, static: Floats, search: Floats, solve: int) -> Floats:
    """The numbers of FEATURES, a row a position, each of the order of 1; searches from `solve` empties on are exact."""
    empty = ~(found.player | found.opponent)
    empties = np.bitwise_count(empty).astype(np.float32)
    solved = (empties <= solve).astype(np.float32)
    odd = sum(np.bitwise_count(empty & quarter) & 1 for quarter in QUARTERS)
    columns: list[npt.NDArray[Any]] = [
        (60 - empties) / 30 - 1,
        empties % 2 * 2 - 1,
        np.asarray(odd) / 2 - 1,
        static / 16,
        search / 16,
        (search - static) / 8,
        solved,
        solved * np.sign(search),
        solved * (search == 0),
    ]
    around = _around(empty)
    for own, other, moves in (
        (found.player, found.opponent, found.moves),
        (found.opponent, found.player, found.opponent_moves),
    ):
        near, diagonal = _beside_corners(own, empty)
        counted = (
            np.bitwise_count(own),
            moves,
            np.bitwise_count(own & around),
            np.bitwise_count(own & CORNERS),
            np.bitwise_count(own & EDGES),
            np.bitwise_count(_stable(own, other)),
            near,
            diagonal,
        )
        columns += [count / unit for count, unit in zip(counted, SIDES.values(), strict=True)]
    return np.stack(columns, axis=1).astype(np.float32)


def _around(squares: Bits) -> Bits:
    """The neighbours of some squares in all eight directions."""
    one, eight = np.uint64(1), np.uint64(8)
    row = squares | (squares & ~RIGHT) << one | (squares & ~LEFT) >> one
    return np.asarray(row | row << eight | row >> eight)


def _beside_corners(own: Bits, empty: Bits) -> tuple[npt.NDArray[Any], npt.NDArray[Any]]:
    """Discs beside and diagonal to corners that are still empty, where they are weak."""
    near, diagonal = np.zeros(len(own), np.uint8), np.zeros(len(own), np.uint8)
    for corner, *edge, inner in BESIDE_CORNERS:
        open_corner = (empty >> np.uint64(corner) & np.uint64(1)).astype(np.uint8)
        near += open_corner * np.bitwise_count(own & np.uint64(1 << edge[0] | 1 << edge[1]))
        diagonal += open_corner * np.bitwise_count(own & np.uint64(1 << inner))
    return near, diagonal


def _stable(own: Bits, other: Bits) -> Bits:
    """`features.stable_mask` for whole arrays."""
    filled = own | other
    safe = []
    for step, ends, lines in geometry(STANDARD).lines:
        sure = np.full_like(own, ends)
        for line in map(np.uint64, lines):
            sure |= np.where(filled & line == line, line, np.uint64(0))
        safe.append((np.uint64(step), sure))
    stable = np.zeros_like(own)
    while True:
        more = own.copy()
        for shift, sure in safe:
            more &= sure | stable << shift | stable >> shift
        if (more == stable).all():
            return stable
        stable = more
