"""The positions a search remembers (the transposition table), plain or up to symmetry.

A position is met again when its moves were played in another order. What is kept is not a value but an
interval the value lies in, since a search that was cut off knows only one end of it.
"""

from __future__ import annotations

from functools import cache

from othellier.rules.geometry import PASS, Geometry, Size, geometry, inverse_symmetry
from othellier.search.base import INFINITE

__all__ = ["TranspositionTable", "canonical"]


@cache
def _row_images(size: Size) -> tuple[tuple[tuple[int, ...], ...], ...]:
    """For each symmetry and row of the board, where the discs of every possible row go."""
    board = geometry(size)
    return tuple(
        tuple(
            tuple(board.transform(discs << (size.columns * row), symmetry) for discs in range(1 << size.columns))
            for row in range(size.rows)
        )
        for symmetry in board.own_symmetries
    )


def canonical(player: int, opponent: int, board: Geometry) -> tuple[int, int, int]:
    """The smallest symmetric form of both sides' discs, and the first symmetry that leads to it."""
    columns, row = board.size.columns, board.top
    best = (player, opponent, 0)
    for symmetry, images in enumerate(_row_images(board.size)):
        mine = theirs = shift = 0
        for image in images:
            mine |= image[player >> shift & row]
            theirs |= image[opponent >> shift & row]
            shift += columns
        if (mine, theirs) < best[:2]:
            best = (mine, theirs, symmetry)
    return best


class TranspositionTable:
    """What is known of positions. It holds `size` of them; a full table is emptied."""

    def __init__(self, board: Geometry, size: int, symmetry: bool) -> None:
        self.board = board
        self.size = size
        self.symmetry = symmetry
        self.entries: dict[tuple[int, int], tuple[int, int, int, int]] = {}

    def recall(self, player: int, opponent: int, depth: int, alpha: int, beta: int) -> tuple[int | None, int]:
        """The value, if a search to this depth within (alpha, beta) could find no other, and a good move.

        A deeper search is not taken for this one, so that a search finds the same with and without a
        table. It could not be met either: positions with as many discs have the same depth left.
        """
        symmetry = 0
        if self.symmetry:
            player, opponent, symmetry = canonical(player, opponent, self.board)
        entry = self.entries.get((player, opponent))
        if entry is None:
            return None, PASS
        known_depth, low, high, move = entry
        if symmetry:
            move = self.board.symmetry_tables[inverse_symmetry(symmetry)][move]
        if known_depth == depth:
            if low == high or low >= beta:
                return low, move
            if high <= alpha:
                return high, move
        return None, move

    def remember(self, player: int, opponent: int, depth: int, alpha: int, beta: int, value: int, move: int) -> None:
        """Keep what a search within (alpha, beta) has found."""
        if self.symmetry:
            player, opponent, symmetry = canonical(player, opponent, self.board)
            move = self.board.symmetry_tables[symmetry][move]
        if len(self.entries) >= self.size and (player, opponent) not in self.entries:
            self.entries.clear()
        low = value if value > alpha else -INFINITE
        high = value if value < beta else INFINITE
        self.entries[player, opponent] = (depth, low, high, move)
