"""Why a move is worse than another, in features of the two boards they lead to: codes and numbers.

The words are in `words`. Every reason is a difference that is there on the board; where none is found the
reason is the search itself.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace

from othellier.evaluation.features import frontier_mask, stable_mask
from othellier.rules import native
from othellier.rules.board import Color, Position, other
from othellier.rules.geometry import DIRECTIONS, PASS, Geometry, Size, geometry, square_name, squares_of

__all__ = ["RESULTS", "Reason", "beside_empty_corner", "corner_squares", "frontier", "reasons", "regions", "stable"]

MOST = 3  # reasons told of one move: more confuse
MOBILITY_STEP = 2  # moves by which a board must be worse before it is worth a word
FRONTIER_STEP = 3
STABLE_STEP = 2
GREEDY_STEP = 4
SAFE_STEP = 2
FEW_SAFE = 3  # safe moves left, below which each of them counts
LATE = 20  # empty squares from which parity matters
SMALL = 8  # squares of a region in which one can say who moves last
RESULTS = ("win_lost", "win_drawn", "draw_lost")
"""Reasons that tell what became of the game, not why."""


@dataclass(frozen=True, slots=True)
class Reason:
    """One reason: its code, the squares it is about, and its numbers or words by name."""

    code: str
    squares: tuple[tuple[str, int], ...] = ()
    numbers: tuple[tuple[str, int | str], ...] = ()
    region: tuple[int, ...] = ()
    """The group of empty squares, or the edge, it is about."""

    def turned(self, seen: Callable[[int], int]) -> Reason:
        """The same through a symmetry of the board."""
        squares = tuple((name, seen(square)) for name, square in self.squares)
        return replace(self, squares=squares, region=tuple(map(seen, self.region)))

    def data(self, size: Size) -> dict[str, int | str | list[str]]:
        """Its squares and numbers in plain values, for words to be put around them."""
        told: dict[str, int | str | list[str]] = dict(self.numbers)
        told |= {name: square_name(square, size) for name, square in self.squares}
        if self.code == "edge":
            board = geometry(size)
            sides = {"top": board.top, "bottom": board.bottom, "left": board.left, "right": board.right}
            told["edge"] = next(name for name, line in sides.items() if {*squares_of(line)} == {*self.region})
        elif self.region:
            told["region"] = [square_name(square, size) for square in self.region]
        return told


def reasons(
    position: Position,
    line: Sequence[int],
    better: Sequence[int],
    score: float,
    plies: int,
    proven: float | None = None,
) -> list[Reason]:
    """Why the first move of `line`, worth `score` to the side to move, is worse than that of `better`.

    Both are lines of best play as far as they are known; `plies` is how deep they were looked at. Where both scores are
    exact, `proven` is that of the best move. What became of the game comes first, then the weightiest reason: what is
    on the board at once, else what the lines lead to; then the answer that it allows.
    """
    result = [] if proven is None else [*_result(score, proven)]
    found = [*_at_once(position, line, better[0], score)] or [*_later(position, line, better)]
    given = [square for reason in found if reason.code == "corner_given" for _, square in reason.squares]
    found += (reason for reason in _answer(position, line, better[0]) if reason.squares[0][1] not in given)
    if result:
        found = [reason for reason in found if reason.code != "ending"]  # it says the same in discs
    return [*result, *(found or [Reason("search", numbers=(("plies", plies),))])][:MOST]


def _result(score: float, best: float) -> Iterator[Reason]:
    """What became of the game, where it could have ended better than by a smaller defeat or a greater win."""
    if best > 0 > score:
        yield Reason("win_lost", numbers=(("best", int(best)), ("discs", int(-score))))
    elif best > 0 == score:
        yield Reason("win_drawn", numbers=(("best", int(best)),))
    elif best == 0 > score:
        yield Reason("draw_lost", numbers=(("discs", int(-score)),))


def _at_once(position: Position, line: Sequence[int], best: int, score: float) -> Iterator[Reason]:
    """What differs between the boards after either move."""
    board, played = geometry(position.size), line[0]
    after, good = position.play(played), position.play(best)
    corners = corner_squares(board)
    if score <= -position.size.squares:
        yield Reason("wipeout")
    if 1 << best & corners and not 1 << played & corners:
        yield Reason("corner_missed", (("corner", best),))
    for corner in squares_of(after.moves_mask() & ~good.moves_mask() & corners):
        yield Reason("corner_given", (("corner", corner),))
    beside = beside_empty_corner(position, played, board)
    if beside is not None and beside_empty_corner(position, best, board) is None:
        code, corner = beside
        yield Reason(code, (("square", played), ("corner", corner)))
    for corner in squares_of(_own_moves(good) & ~_own_moves(after) & corners & after.empty_mask):
        if position.is_legal(corner):
            yield Reason("corner_lost_access", (("corner", corner),))
        else:
            yield Reason("corner_threat_missed", (("corner", corner),))
    if good.must_pass() and not after.must_pass():
        yield Reason("passed", numbers=(("color", good.turn),))
    if _is_wedge(position, best, board) and not _is_wedge(position, played, board):
        yield Reason("wedge_missed", (("square", best),))
    yield from _parity(position, line, best)
    yield from _safe_moves(after, good)
    yield from _counts(after, good)
    for edge in sorted(_weak_edges(after, board) - _weak_edges(good, board)):
        yield Reason("edge", region=tuple(squares_of(edge)))
    flips, fewer = position.flips_mask(played).bit_count(), position.flips_mask(best).bit_count()
    if position.empties > position.size.squares // 2 and flips - fewer >= GREEDY_STEP:
        yield Reason("greedy", numbers=(("flips", flips), ("best", fewer)))


def _answer(position: Position, line: Sequence[int], best: int) -> Iterator[Reason]:
    """The answer expected, where the best move would have forestalled it, or the best move if it is gone for now."""
    after = position.play(line[0])
    answer = line[1] if len(line) > 1 else PASS
    if answer != PASS and after.is_legal(answer):
        if answer == best:
            yield Reason("square_taken", (("square", best),))
            return
        if not position.play(best).moves_mask() >> answer & 1:
            yield Reason("answer_given", (("square", answer),))
    if not _own_moves(after) >> best & 1:
        yield Reason("move_lost", (("square", best),))


# -- what the lines lead to


def _later(position: Position, line: Sequence[int], better: Sequence[int]) -> Iterator[Reason]:
    """What the two lines lead to, as far as both are known."""
    mine = position.turn
    ours, theirs = [*_played(position, line)], [*_played(position, better)]
    corners = corner_squares(geometry(position.size))
    spared = {step.move for step in theirs if step.color != mine}
    falls = PASS
    for number, step in enumerate(ours):
        if step.color != mine and step.move not in spared and step.move != PASS and 1 << step.move & corners:
            falls = step.move
            yield Reason("corner_soon", (("corner", falls),), (("plies", number),))
            break
    had = {falls} | {step.move for step in ours if step.color == mine}  # a corner that falls is told of once
    for number, step in enumerate(theirs):
        if step.color == mine and step.move not in had and step.move != PASS and 1 << step.move & corners:
            yield Reason("corner_later", (("corner", step.move),), (("plies", number),))
            break
    forced = [number for number, step in enumerate(ours) if step.move == PASS and step.color == mine]
    if forced and not any(step.move == PASS and step.color == mine for step in theirs):
        yield Reason("pass_soon", numbers=(("plies", forced[0]),))
    plies = min(len(ours), len(theirs))
    if ours[-1].after.is_over() and theirs[-1].after.is_over():
        kept, more = ours[-1].after.discs(mine), theirs[-1].after.discs(mine)
        yield Reason("ending", numbers=(("discs", kept), ("best", more)))
    elif plies > 1:
        for code, counts in _counted(ours[plies - 1].after, theirs[plies - 1].after, mine).items():
            yield Reason(f"{code}_soon", numbers=(("plies", plies), *counts))


@dataclass(frozen=True, slots=True)
class _Step:
    move: int
    color: Color
    after: Position


def _played(position: Position, line: Sequence[int]) -> Iterator[_Step]:
    """The moves of a line as far as they are legal."""
    for move in line:
        if not position.is_legal(move):
            return
        color, position = position.turn, position.play(move)
        yield _Step(move, color, position)


# -- what can be counted


def _counts(after: Position, good: Position) -> Iterator[Reason]:
    """What can be counted on both boards."""
    for code, counts in _counted(after, good, other(after.turn)).items():
        yield Reason(code, numbers=counts)


def _counted(after: Position, good: Position, mine: Color) -> dict[str, tuple[tuple[str, int], ...]]:
    """Moves of both sides, open discs and stable discs, where the first board is worse for a side than the second."""
    found: dict[str, tuple[tuple[str, int], ...]] = {}
    theirs, theirs_best = (_moves_of(board, other(mine)).bit_count() for board in (after, good))
    if theirs - theirs_best >= MOBILITY_STEP:
        found["mobility"] = ("theirs", theirs), ("theirs_best", theirs_best)
    own, own_best = (_moves_of(board, mine).bit_count() for board in (after, good))
    if own_best - own >= MOBILITY_STEP:
        found["own_mobility"] = ("mine", own), ("mine_best", own_best)
    if not found and theirs - theirs_best + own_best - own >= MOBILITY_STEP:
        found["balance"] = ("mine", own), ("theirs", theirs), ("mine_best", own_best), ("theirs_best", theirs_best)
    discs, fewer = (frontier(board, mine).bit_count() for board in (after, good))
    if discs - fewer >= FRONTIER_STEP:
        found["frontier"] = ("discs", discs), ("best", fewer)
    safe, safer = (stable(board, mine).bit_count() for board in (after, good))
    if safer - safe >= STABLE_STEP:
        found["stable"] = ("discs", safe), ("best", safer)
    lost, fewer = (stable(board, other(mine)).bit_count() for board in (after, good))
    if lost - fewer >= STABLE_STEP:
        found["their_stable"] = ("discs", lost), ("best", fewer)
    return found


def _moves_of(position: Position, color: Color) -> int:
    """What a side could play if it were its turn."""
    if color == position.turn:
        return position.moves_mask()
    return native.position(position.opponent, position.player, color, position.size).moves_mask()


def _own_moves(after: Position) -> int:
    """What the side that has just moved could play if it moved again."""
    return _moves_of(after, other(after.turn))


def _safe_moves(after: Position, good: Position) -> Iterator[Reason]:
    """Moves that give no corner away: whoever runs out of them must give one."""
    theirs, theirs_best = (len(_safe(board, board.turn)) for board in (after, good))
    mine, mine_best = (len(_safe(board, other(board.turn))) for board in (after, good))
    if mine <= FEW_SAFE and mine_best - mine >= SAFE_STEP:
        yield Reason("own_safe_moves", numbers=(("mine", mine), ("mine_best", mine_best)))
    if theirs_best <= FEW_SAFE and theirs - theirs_best >= SAFE_STEP:
        yield Reason("safe_moves", numbers=(("theirs", theirs), ("theirs_best", theirs_best)))


def _safe(position: Position, color: Color) -> list[int]:
    if color != position.turn:
        position = native.position(position.opponent, position.player, color, position.size)
    corners = corner_squares(geometry(position.size))
    return [move for move in position.moves() if not position.play(move).moves_mask() & corners]


def _around(bits: int, board: Geometry) -> int:
    """The squares next to these, in all eight directions."""
    near = 0
    for direction in DIRECTIONS:
        near |= board.shift(bits, direction)
    return near


def frontier(position: Position, color: Color) -> int:
    """A side's discs that lie beside an empty square."""
    return frontier_mask(*_sides(position, color), geometry(position.size))


def stable(position: Position, color: Color) -> int:
    """A side's discs that can never be turned, as far as is plain to see."""
    return stable_mask(*_sides(position, color), geometry(position.size))


def _sides(position: Position, color: Color) -> tuple[int, int]:
    return (position.black, position.white) if color == "black" else (position.white, position.black)


def corner_squares(board: Geometry) -> int:
    """The four corners."""
    return (board.top | board.bottom) & (board.left | board.right)


def beside_empty_corner(position: Position, move: int, board: Geometry) -> tuple[str, int] | None:
    """Whether a square lies beside an empty corner: the diagonal one (X) or one on the edge (C)."""
    for corner in squares_of(corner_squares(board) & position.empty_mask):
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


def _parity(position: Position, line: Sequence[int], best: int) -> Iterator[Reason]:
    """Who moves last in a region: it is good to play where an odd number of squares is left. A line that goes another
    way proves it wrong.
    """
    if position.empties > LATE:
        return
    groups = regions(position)
    mine = next(region for region in groups if region >> line[0] & 1)
    wanted = next(region for region in groups if region >> best & 1)
    inside = [step.color for step in _played(position, line) if step.move != PASS and mine >> step.move & 1]
    kept = len(inside) == mine.bit_count() and inside[-1] == position.turn
    if mine != wanted and mine.bit_count() in range(2, SMALL + 1, 2) and wanted.bit_count() % 2 == 1 and not kept:
        yield Reason("parity", numbers=(("size", mine.bit_count()),), region=tuple(squares_of(mine)))


def _weak_edges(after: Position, board: Geometry) -> set[int]:
    """The edges on which the side that has just moved stands unsafely: a run three short of the edge with both
    corners open (five of eight), or a hole between its discs that the opponent can play into.
    """
    own, weak = after.opponent, set()
    steps = {board.top: 1, board.bottom: 1, board.left: board.size.columns, board.right: board.size.columns}
    for line, step in steps.items():
        held = own & line
        alone = not after.player & line and not held & corner_squares(board)
        if alone and held.bit_count() == line.bit_count() - 3 and _is_run(held, step):
            weak.add(line)
        if after.moves_mask() & line & held << step & held >> step:
            weak.add(line)
    return weak


def _is_wedge(position: Position, move: int, board: Geometry) -> bool:
    """Whether a move goes between two of the opponent's discs on an edge, where it cannot be turned along it."""
    steps = {board.top: 1, board.bottom: 1, board.left: board.size.columns, board.right: board.size.columns}
    bit = 1 << move
    return any(
        bit & line and bit << step & line & position.opponent and bit >> step & line & position.opponent
        for line, step in steps.items()
    )


def _is_run(bits: int, step: int) -> bool:
    """Whether discs on a line follow one another without a gap."""
    return (bits & ~(bits << step)).bit_count() == 1
