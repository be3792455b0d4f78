"""How a clock for a whole game becomes time for one move. What a search does with that time is the core's business."""

from __future__ import annotations

import math

__all__ = ["longest_time", "time_for_move"]

HARD_MOVE = 2.5
"""How many times the usual seconds a hard move may take."""
LEAST = 0.005
"""Seconds a move may always take."""
OVERHEAD = 0.03
"""Seconds that asking and answering take besides, for each move."""
MOVES_AHEAD = 10
"""How many increments count as time that is there already."""


def time_for_move(clock: float, increment: float, empties: int) -> float:
    """Seconds an ordinary move may take: a share of the clock, all of which is spent before the rest can be solved."""
    # With 22 empty squares a game is solved in a small part of 4 s, with one more where there is twice the time.
    solved = 22 + math.log2(max(clock + MOVES_AHEAD * increment, 0.01) / 4)
    moves = max(empties - solved, 0) / 2
    usable = clock - min(OVERHEAD * empties / 2, 0.1 * clock)
    return max(min(usable / (moves + 2.5) + 0.8 * increment, _most(clock, increment)), LEAST)


def longest_time(clock: float, increment: float, empties: int) -> float:
    """Seconds a hard move may take at most: a few times the usual, but never most of the clock."""
    usual = time_for_move(clock, increment, empties)
    return max(usual, min(HARD_MOVE * usual, _most(clock, increment)))


def _most(clock: float, increment: float) -> float:
    """Seconds of a clock that any move may take."""
    return min(0.4 * clock + 0.5 * increment, 0.9 * clock) - min(OVERHEAD, 0.1 * clock)
