"""What the classifier sees of a position: some thirty numbers for the side to move.

The engine's opinion (its evaluation and a shallow search), and what the textbooks count: discs, moves, frontiers,
corners and the squares beside them, edges, stable discs, parity. Whole arrays at a time; nothing is learnt here.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import numpy.typing as npt

from othellier.engine.engine import Engine
from othellier.evaluation.evaluators import textbook_term
from othellier.evaluation.textbook import COUNTS
from othellier.games.results import Limit
from othellier.learn.games import Positions
from othellier.rules import native
from othellier.rules.geometry import STANDARD

__all__ = ["FEATURES", "SIDES", "Floats", "features", "search_values", "static_values"]

Floats = npt.NDArray[np.float32]

QUARTERS = tuple(np.uint64(0x0F0F0F0F << shift) for shift in (0, 4, 32, 36))

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
"""`textbook.COUNTS` in words, and by what each is divided, so that all are of the order of 1."""

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
        if progress is not None:
            progress(1)
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
    counters = [textbook_term(name).counter(STANDARD) for name in COUNTS]
    units = np.array(list(SIDES.values()))
    for own, other in ((found.player, found.opponent), (found.opponent, found.player)):
        boards = zip(own.tolist(), other.tolist(), strict=True)
        counted = np.array([[count(*board) for count in counters] for board in boards])
        columns.extend((counted.reshape(-1, len(units)) / units).T)
    return np.stack(columns, axis=1).astype(np.float32)
