"""Board sizes, squares, directions, shifts and symmetries: everything that does not need discs.

A bitboard is a Python integer: bit `columns * row + column` stands for the square in that row and
column, so bit 0 is a1 and, on 8x8, bit 63 is h8. Sizes are even, from 4 to 12, square or not.
"""

from __future__ import annotations

import operator
import re
from collections.abc import Iterator
from functools import cache, cached_property
from typing import NamedTuple, SupportsIndex

from othellier.errors import InvalidPosition, WrongType, expect

__all__ = [
    "DIRECTIONS",
    "PASS",
    "STANDARD",
    "SYMMETRIES",
    "Direction",
    "Geometry",
    "Move",
    "Size",
    "SizeLike",
    "geometry",
    "inverse_symmetry",
    "parse_square",
    "square_name",
    "square_names",
    "squares_of",
    "to_square",
]

MIN_SIDE, MAX_SIDE = 4, 12

PASS = -1
"""The move of a side that has none. Only ever forced, never chosen."""

SYMMETRIES = range(8)
"""A symmetry is three bits, applied in this order: 1 mirrors left and right, 2 mirrors top and
bottom, 4 transposes. A transposed rectangle changes its size (4x6 becomes 6x4)."""


class Direction(NamedTuple):
    """One of the eight directions, as steps of rows (down) and columns (right)."""

    name: str
    rows: int
    columns: int

    @property
    def opposite(self) -> Direction:
        """The way back."""
        return next(d for d in DIRECTIONS if (d.rows, d.columns) == (-self.rows, -self.columns))


DIRECTIONS = (
    Direction("north", -1, 0),
    Direction("south", 1, 0),
    Direction("east", 0, 1),
    Direction("west", 0, -1),
    Direction("north-west", -1, -1),
    Direction("north-east", -1, 1),
    Direction("south-west", 1, -1),
    Direction("south-east", 1, 1),
)


class Size(NamedTuple):
    """Rows and columns of a board; prints as `8` or `4x6`.

    >>> Size.parse("4x6"), Size.parse(8).squares
    (Size(rows=4, columns=6), 64)
    """

    rows: int
    columns: int

    @classmethod
    def parse(cls, size: SizeLike) -> Size:
        """Read `8`, `"8"`, `"4x6"` (rows x columns) or a pair; refuse what cannot be played on."""
        if size == STANDARD:  # nearly always, and asked for every square that is read or written
            return STANDARD
        if isinstance(size, int):
            rows = columns = size
        elif isinstance(size, str):
            match = re.fullmatch(r"(\d{1,3})(?:\s*[xX×]\s*(\d{1,3}))?", size.strip())
            if match is None:
                raise InvalidPosition(f"size {size[:40]!r} is not a number such as 8 or a pair such as 4x6")
            rows = int(match[1])
            columns = int(match[2] or rows)
        else:
            try:
                rows, columns = map(operator.index, size)
            except (TypeError, ValueError):
                raise WrongType.of("size", size, "a number such as 8, or a pair such as (4, 6) or '4x6',") from None
        for side in (rows, columns):
            if side % 2 or not MIN_SIDE <= side <= MAX_SIDE:
                raise InvalidPosition(f"size {rows}x{columns}: sides are even, from {MIN_SIDE} to {MAX_SIDE}")
        return cls(rows, columns)

    @property
    def squares(self) -> int:
        """How many squares the board has."""
        return self.rows * self.columns

    @property
    def transposed(self) -> Size:
        """The size after exchanging rows and columns."""
        return Size(self.columns, self.rows)

    def __str__(self) -> str:
        return str(self.rows) if self.rows == self.columns else f"{self.rows}x{self.columns}"


SizeLike = Size | int | str | tuple[int, int]

STANDARD = Size(8, 8)

Move = SupportsIndex | str
"""A move as one may give it: the number of a square or PASS, or a name such as `f5` or `pass`."""


class Geometry:
    """The masks and tables of one board size; `geometry(size)` hands out the only one."""

    def __init__(self, size: Size) -> None:
        self.size = size
        rows, columns = size
        self.full = (1 << size.squares) - 1
        row = (1 << columns) - 1
        self.left = sum(1 << (columns * r) for r in range(rows))
        self.right = self.left << (columns - 1)
        self.top = row
        self.bottom = row << (columns * (rows - 1))
        # An opponent's disc on the left or right edge can never be enclosed along a line that
        # changes column; leaving those out also stops runs from wrapping around the board.
        inner = self.full & ~(self.left | self.right)
        self.axes = ((1, inner), (columns, self.full), (columns - 1, inner), (columns + 1, inner))
        self.rays = tuple(zip(DIRECTIONS, map(self._shifter, DIRECTIONS), strict=True))

    def _shifter(self, direction: Direction) -> tuple[int, int]:
        """The signed bit distance of a step, and the squares from which the step stays on the board."""
        keep = self.full
        if direction.columns:
            keep &= ~(self.right if direction.columns > 0 else self.left)
        if direction.rows:
            keep &= ~(self.bottom if direction.rows > 0 else self.top)
        return self.size.columns * direction.rows + direction.columns, keep

    @cached_property
    def sight(self) -> tuple[tuple[tuple[tuple[int, int], ...], tuple[tuple[int, int], ...]], ...]:
        """From each square, what can be turned along: (nearest square, whole ray) of the directions in which
        squares count up, then of those in which they count down; rays of one square turn nothing.
        """
        table = []
        for square in range(self.size.squares):
            rising: list[tuple[int, int]] = []
            falling: list[tuple[int, int]] = []
            for _, (step, keep) in self.rays:
                near = ray = 0
                disc = 1 << square
                while disc & keep:
                    disc = disc << step if step > 0 else disc >> -step
                    near = near or disc
                    ray |= disc
                if ray != near:
                    (rising if step > 0 else falling).append((near, ray))
            table.append((tuple(rising), tuple(falling)))
        return tuple(table)

    @cached_property
    def lines(self) -> tuple[tuple[int, int, tuple[int, ...]], ...]:
        """Along each of the four axes: the step in bits, the squares where lines end, and all the lines."""
        axes = []
        for step_row, step_column in ((0, 1), (1, 0), (1, -1), (1, 1)):
            ends = (self.left | self.right if step_column else 0) | (self.top | self.bottom if step_row else 0)
            lines: dict[int, int] = {}
            for square in range(self.size.squares):
                row, column = divmod(square, self.size.columns)
                # What stays the same along a line tells it from the others of its axis.
                name = row * step_column - column * step_row
                lines[name] = lines.get(name, 0) | 1 << square
            axes.append((self.size.columns * step_row + step_column, ends, tuple(lines.values())))
        return tuple(axes)

    def shift(self, bits: int, direction: Direction) -> int:
        """All discs of `bits` moved one step; those that would leave the board are dropped."""
        step, keep = self._shifter(direction)
        bits &= keep
        return bits << step if step > 0 else bits >> -step

    @cached_property
    def symmetry_tables(self) -> tuple[tuple[int, ...], ...]:
        """For each symmetry, where each square goes."""
        rows, columns = self.size
        tables = []
        for symmetry in SYMMETRIES:
            table = []
            for square in range(self.size.squares):
                r, c = divmod(square, columns)
                if symmetry & 1:
                    c = columns - 1 - c
                if symmetry & 2:
                    r = rows - 1 - r
                table.append(rows * c + r if symmetry & 4 else columns * r + c)
            tables.append(tuple(table))
        return tuple(tables)

    @property
    def own_symmetries(self) -> range:
        """The symmetries that keep the size: all eight on a square, four on a rectangle."""
        return SYMMETRIES if self.size.rows == self.size.columns else range(4)

    def transform(self, bits: int, symmetry: int) -> int:
        """The bitboard seen through a symmetry."""
        table = self.symmetry_tables[symmetry]
        return sum(1 << table[square] for square in squares_of(bits))


@cache
def geometry(size: Size) -> Geometry:
    """The shared geometry of a size.

    >>> geometry(STANDARD).left & 0xFF, geometry(STANDARD) is geometry(STANDARD)
    (1, True)
    """
    return Geometry(size)


def inverse_symmetry(symmetry: int) -> int:
    """The symmetry that undoes this one.

    >>> [inverse_symmetry(number) for number in range(8)]
    [0, 1, 2, 3, 4, 6, 5, 7]
    """
    # Undoing the transposition first exchanges what "left-right" and "top-bottom" mean.
    return {5: 6, 6: 5}.get(symmetry, symmetry)


def squares_of(bits: int) -> Iterator[int]:
    """The squares of a bitboard, from a1 on.

    >>> list(squares_of(0b1011))
    [0, 1, 3]
    """
    while bits:
        least = bits & -bits
        yield least.bit_length() - 1
        bits ^= least


def square_name(square: int, size: SizeLike = STANDARD) -> str:
    """`square_name(0) == "a1"`; the inverse of `parse_square`.

    >>> square_name(0), square_name(63)
    ('a1', 'h8')
    """
    size = Size.parse(size)
    if type(square) is not int:  # the check is slow, and names are asked for by the million
        expect("square", square, SupportsIndex, "the number of a square")
    if 0 <= square < size.squares:
        return square_names(size)[square]
    if square == PASS:
        return "pass"
    raise InvalidPosition(f"no square {square} on a board of {size.squares} squares")


@cache
def square_names(size: Size) -> tuple[str, ...]:
    """The names of all squares, from a1 on."""
    return tuple(f"{chr(ord('a') + column)}{row + 1}" for row in range(size.rows) for column in range(size.columns))


@cache
def _squares_by_name(size: Size) -> dict[str, int]:
    names = {name: square for square, name in enumerate(square_names(size))}
    return names | {name.upper(): square for name, square in names.items()}


def parse_square(name: str, size: SizeLike = STANDARD) -> int:
    """`parse_square("h8") == 63`; letters may be capitals, `pass` gives PASS.

    >>> parse_square("h8"), parse_square("A1")
    (63, 0)
    """
    size = Size.parse(size)
    square = _squares_by_name(size).get(name)
    if square is not None:
        return square
    expect("square", name, str, "a name such as 'f5'")
    if name.lower() == "pass":
        return PASS
    raise InvalidPosition(f"{name!r} is not a square of a board of size {size}")


def to_square(move: Move, size: Size) -> int:
    """A move as a number; a name that is no square of the board gives a number that is none either.

    >>> to_square("f5", STANDARD), to_square(37, STANDARD), to_square("pass", STANDARD) == PASS
    (37, 37, True)
    """
    if isinstance(move, str):
        try:
            return parse_square(move, size)
        except InvalidPosition:
            return size.squares
    try:
        return operator.index(move)
    except TypeError:
        raise WrongType.of("move", move, "a name such as 'f5', or the number of a square,") from None
