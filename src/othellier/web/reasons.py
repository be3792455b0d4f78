"""Why a move is worse than another, in features of the two boards they lead to: codes and numbers.

The words are the page's. Every reason is a difference that is there on the board; where none is found the
reason is the search itself.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from othellier import native
from othellier.board import Color, Position, other
from othellier.geometry import DIRECTIONS, PASS, Direction, Geometry, geometry, squares_of

__all__ = ["Reason", "frontier", "reasons", "regions", "stable"]

MOST = 3  # reasons told of one move: more confuse
MOBILITY_STEP = 2  # moves by which a board must be worse before it is worth a word
FRONTIER_STEP = 3
STABLE_STEP = 2
GREEDY_STEP = 4
LATE = 20  # empty squares from which parity matters


@dataclass(frozen=True, slots=True)
class Reason:
    """One reason: its code, the squares it is about, and its numbers or words by name."""

    code: str
    squares: tuple[tuple[str, int], ...] = ()
    numbers: tuple[tuple[str, int | str], ...] = ()
    region: tuple[int, ...] = ()
    """The group of empty squares, or the edge, it is about."""


def reasons(position: Position, line: Sequence[int], better: Sequence[int], score: float, plies: int) -> list[Reason]:
    """Why the first move of `line`, worth `score` to the side to move, is worse than that of `better`.

    Both are lines of best play as far as they are known; `plies` is how deep they were looked at. The weightiest
    reason comes first.
    """
    found = [*_reasons(position, line[0], better[0], score)]
    if not found:
        found = [*_soon(position, line, better)]
    return found[:MOST] or [Reason("search", numbers=(("plies", plies),))]


def _soon(position: Position, line: Sequence[int], better: Sequence[int]) -> Iterator[Reason]:
    """A corner that the opponent will take in the line, and not in the better one."""
    corners = _corners(geometry(position.size))
    spared = {move for move, color in _played(position, better) if color != position.turn}
    for number, (move, color) in enumerate(_played(position, line), 1):
        if color != position.turn and move not in spared and move != PASS and 1 << move & corners:
            yield Reason("corner_soon", (("corner", move),), (("plies", number - 1),))
            return


def _played(position: Position, line: Sequence[int]) -> Iterator[tuple[int, Color]]:
    """The moves of a line as far as they are legal, and who makes each."""
    for move in line:
        if not position.is_legal(move):
            return
        yield move, position.turn
        position = position.play(move)


def _reasons(position: Position, played: int, best: int, score: float) -> Iterator[Reason]:
    board = geometry(position.size)
    after, better = position.play(played), position.play(best)
    corners = _corners(board)
    if score <= -position.size.squares:
        yield Reason("wipeout")
    if 1 << best & corners and not 1 << played & corners:
        yield Reason("corner_missed", (("corner", best),))
    for corner in squares_of(after.moves_mask() & ~better.moves_mask() & corners):
        yield Reason("corner_given", (("corner", corner),))
    beside = _beside_empty_corner(position, played, board)
    if beside is not None and _beside_empty_corner(position, best, board) is None:
        code, corner = beside
        yield Reason(code, (("square", played), ("corner", corner)))
    for corner in squares_of(_own_moves(better) & ~_own_moves(after) & corners & after.empty_mask):
        yield Reason("corner_lost_access", (("corner", corner),))
    if better.must_pass() and not after.must_pass():
        yield Reason("passed", numbers=(("color", better.turn),))
    yield from _parity(position, played, best)
    yield from _counts(after, better)
    for line in sorted(_weak_edges(after, board) - _weak_edges(better, board)):
        yield Reason("edge", region=tuple(squares_of(line)))
    flips, fewer = position.flips_mask(played).bit_count(), position.flips_mask(best).bit_count()
    if position.empties > position.size.squares // 2 and flips - fewer >= GREEDY_STEP:
        yield Reason("greedy", numbers=(("flips", flips), ("best", fewer)))


def _counts(after: Position, better: Position) -> Iterator[Reason]:
    """What can be counted on both boards: moves, open discs, stable discs."""
    mine, mine_best = _own_moves(after).bit_count(), _own_moves(better).bit_count()
    theirs, theirs_best = after.moves_mask().bit_count(), better.moves_mask().bit_count()
    if theirs - theirs_best >= MOBILITY_STEP:
        yield Reason("mobility", numbers=(("theirs", theirs), ("theirs_best", theirs_best)))
    if mine_best - mine >= MOBILITY_STEP:
        yield Reason("own_mobility", numbers=(("mine", mine), ("mine_best", mine_best)))
    discs, fewer = (frontier(board).bit_count() for board in (after, better))
    if discs - fewer >= FRONTIER_STEP:
        yield Reason("frontier", numbers=(("discs", discs), ("best", fewer)))
    safe, safer = (stable(board).bit_count() for board in (after, better))
    if safer - safe >= STABLE_STEP:
        yield Reason("stable", numbers=(("discs", safe), ("best", safer)))


def _own_moves(after: Position) -> int:
    """What the side that has just moved could play if it moved again."""
    return native.position(after.opponent, after.player, other(after.turn), after.size).moves_mask()


def _around(bits: int, board: Geometry) -> int:
    """The squares next to these, in all eight directions."""
    near = 0
    for direction in DIRECTIONS:
        near |= board.shift(bits, direction)
    return near


def frontier(after: Position) -> int:
    """The discs of the side that has just moved that lie beside an empty square."""
    return after.opponent & _around(after.empty_mask, geometry(after.size))


def stable(after: Position) -> int:
    """The discs of the side that has just moved that can never be turned, as far as is plain to see.

    A disc is safe along a line if a neighbour on it is safe, the board ends there, or the line is full.
    """
    board = geometry(after.size)
    ends_of = {direction: board.full & ~board.shift(board.full, direction) for direction in DIRECTIONS}
    axes = []
    for direction in DIRECTIONS:
        if (direction.rows, direction.columns) > (0, 0):
            back = direction.opposite
            full = board.full & ~(_beyond(after.empty_mask, direction, board) | _beyond(after.empty_mask, back, board))
            axes.append((direction, back, ends_of[direction] | ends_of[back] | full))
    safe = 0
    while True:
        grown = after.opponent
        for direction, back, anyway in axes:
            grown &= anyway | board.shift(safe, direction) | board.shift(safe, back)
        if grown == safe:
            return safe
        safe = grown


def _beyond(bits: int, direction: Direction, board: Geometry) -> int:
    """These squares and all that lie beyond them in a direction."""
    while (grown := bits | board.shift(bits, direction)) != bits:
        bits = grown
    return bits


def _corners(board: Geometry) -> int:
    return (board.top | board.bottom) & (board.left | board.right)


def _beside_empty_corner(position: Position, move: int, board: Geometry) -> tuple[str, int] | None:
    """Whether a square lies beside an empty corner: the diagonal one (X) or one on the edge (C)."""
    for corner in squares_of(_corners(board) & position.empty_mask):
        if 1 << move & _around(1 << corner, board):
            edge = board.top | board.bottom | board.left | board.right
            return ("c_square" if 1 << move & edge else "x_square"), corner
    return None


def regions(position: Position) -> list[int]:
    """The empty squares in groups that hang together, diagonals included."""
    board = geometry(position.size)
    left, found = position.empty_mask, []
    while left:
        region = left & -left
        while (grown := (region | _around(region, board)) & left) != region:
            region = grown
        found.append(region)
        left &= ~region
    return found


def _parity(position: Position, played: int, best: int) -> Iterator[Reason]:
    """Who moves last in a region: it is good to play where an odd number of squares is left."""
    if position.empties > LATE:
        return
    groups = regions(position)
    mine = next(region for region in groups if region >> played & 1)
    wanted = next(region for region in groups if region >> best & 1)
    if mine != wanted and mine.bit_count() % 2 == 0 and wanted.bit_count() % 2 == 1:
        yield Reason("parity", numbers=(("size", mine.bit_count()),), region=tuple(squares_of(mine)))


def _weak_edges(after: Position, board: Geometry) -> set[int]:
    """The edges on which the side that has just moved stands unsafely: a run three short of the edge with both
    corners open (five of eight), or a hole between its discs that the opponent can play into.
    """
    own, weak = after.opponent, set()
    steps = {board.top: 1, board.bottom: 1, board.left: board.size.columns, board.right: board.size.columns}
    for line, step in steps.items():
        held = own & line
        alone = not after.player & line and not held & _corners(board)
        if alone and held.bit_count() == line.bit_count() - 3 and _is_run(held, step):
            weak.add(line)
        if after.moves_mask() & line & held << step & held >> step:
            weak.add(line)
    return weak


def _is_run(bits: int, step: int) -> bool:
    """Whether discs on a line follow one another without a gap."""
    return (bits & ~(bits << step)).bit_count() == 1
