"""What evaluators count on a board beside discs and moves: shares, stable discs, weak ones."""

from __future__ import annotations

from functools import cache

from othellier.rules.geometry import Geometry

__all__ = ["frontier_mask", "ratio", "stable_mask", "weak_squares"]


def ratio(mine: int, theirs: int) -> int:
    """The larger share in per cent, with the sign of who has more; 0 where both are equal.

    The document divides by the sum, which is right for counts. Sums of a table may be negative: their
    magnitudes are taken, which is the same for counts and keeps every ratio from -100 to 100.

    >>> ratio(30, 10), ratio(10, 30), ratio(7, 7), ratio(-2, -8)
    (75, -75, 0, 80)
    """
    if mine == theirs:
        return 0
    share = 100 * max(abs(mine), abs(theirs)) // (abs(mine) + abs(theirs))
    return share if mine > theirs else -share


def stable_mask(player: int, opponent: int, board: Geometry) -> int:
    """The player's discs that no sequence of moves can turn, as far as it is seen without search.

    A disc is safe along an axis whose line is full, or at whose end it stands, or next to a stable disc
    of its own; it is stable when it is safe along all four. Steps that wrap around the board do no harm:
    they lead from one end of a line to another.

    >>> from othellier.rules.geometry import STANDARD, geometry
    >>> stable_mask(0b11, 0, geometry(STANDARD)), stable_mask(0b10, 0, geometry(STANDARD))  # a1 and b1; b1 alone
    (3, 0)
    """
    filled = player | opponent
    safe = [(step, sum(line for line in lines if filled & line == line) | ends) for step, ends, lines in board.lines]
    stable = 0
    while True:
        more = player
        for step, sure in safe:
            more &= sure | stable << step | stable >> step
        if more == stable:
            return stable
        stable = more


def frontier_mask(player: int, opponent: int, board: Geometry) -> int:
    """The player's discs beside an empty square: where the opponent may find moves.

    >>> from othellier import start
    >>> from othellier.rules.geometry import STANDARD, geometry
    >>> frontier_mask(start().player, start().opponent, geometry(STANDARD)) == start().player
    True
    """
    empty = board.full & ~(player | opponent)
    row = empty | (empty & ~board.right) << 1 | (empty & ~board.left) >> 1
    return player & (row | row << board.size.columns | row >> board.size.columns)


@cache
def weak_squares(board: Geometry, *, diagonal: bool) -> tuple[tuple[int, int], ...]:
    """Each corner with the squares beside it, or the one diagonal to it: while it is empty, they may lose it."""
    rows, columns = board.size
    found = []
    for row, down in ((0, 1), (rows - 1, -1)):
        for column, right in ((0, 1), (columns - 1, -1)):
            steps = ((down, right),) if diagonal else ((down, 0), (0, right))
            squares = sum(1 << (row + y) * columns + column + x for y, x in steps)
            found.append((1 << row * columns + column, squares))
    return tuple(found)
