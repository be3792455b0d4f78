"""Boards as pictures: text for terminals, SVG for pages and notebooks.

Whatever shows two sets of discs, a side to move and a size can be drawn (`Board`), so this module needs
neither of the position classes and both of them draw themselves with it. Whether a terminal knows
colours or Unicode is for the caller to find out; nothing is printed here.
"""

from __future__ import annotations

import math
import zlib
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from html import escape
from typing import Any, Literal, Protocol

from othellier.errors import InvalidPosition, WrongType, expect
from othellier.rules.geometry import PASS, Move, Size, square_name, squares_of, to_square

__all__ = ["Board", "Style", "svg", "text"]

Style = Literal["ascii", "unicode", "color", "truecolor"]
"""How a terminal's board is written: plain letters, disc signs, or discs on green felt in 256 or all colours."""


class Board(Protocol):
    """What can be drawn: every kind of position.

    >>> import othellier
    >>> board: Board = othellier.start(6)
    >>> board.turn, str(board.size), board.black.bit_count()
    ('black', '6', 2)
    """

    @property
    def black(self) -> int:
        """Black's discs."""

    @property
    def white(self) -> int:
        """White's discs."""

    @property
    def turn(self) -> str:
        """The side to move, `black` or `white`."""

    @property
    def size(self) -> Size:
        """Rows and columns."""

    def moves_mask(self) -> int:
        """The legal moves as a bitboard."""

    def is_over(self) -> bool:
        """Whether neither side can move."""


# -- text

SIGNS = {"ascii": "XO+.", "unicode": "●○+·", "color": "●●• ", "truecolor": "●●• "}
FELTS = {  # ANSI backgrounds: squares of either parity, and the last move's
    "color": ("48;5;29", "48;5;29", "48;5;65"),
    "truecolor": ("48;2;44;122;75", "48;2;40;113;69", "48;2;112;150;72"),
}
BLACK_INK, WHITE_INK, RESET = "38;5;16", "38;5;231", "\x1b[0m"


def text(
    board: Board,
    *,
    last_move: Move | None = None,
    legal: bool = True,
    style: Style = "unicode",
    values: Mapping[Any, float] | None = None,
    exact: Iterable[Move] = (),
    narrow: bool = False,
    say: Callable[[str], str] = str,
) -> str:
    """The board by rows with its letters and figures, then the count and whose turn it is.

    Squares are given by name or number. The last move stands in parentheses, or on a lighter square; legal moves are
    marked `+`, or with a dot. `values` are written on their squares as the side to move sees them; those of the squares
    in `exact` end with a full stop; `narrow` leaves them less room, for small terminals. `say` puts the words below the
    board into another language.

    >>> import othellier
    >>> print(text(othellier.start(4), style="ascii", values={"b1": 2.0, "a2": -6.0}, exact={"a2"}))
        a    b    c    d
    1   .   +2    .    .
    2  -6.   O    X    .
    3   .    X    O    +
    4   .    .    +    .
      X 2  O 2  black to move
    """
    _check(board)
    last_move, values, exact = _numbered(board.size, last_move, values, exact)
    rows, columns = board.size
    marked = board.moves_mask() if legal else 0
    kinds = [
        0 if board.black >> square & 1 else 1 if board.white >> square & 1 else 2 if marked >> square & 1 else 3
        for square in range(board.size.squares)
    ]
    signs, felts = SIGNS[style], FELTS.get(style)
    words = [signs[kind] for kind in kinds]
    for square, value in values.items():
        words[square] = f"{round(value) + 0:+d}{'.' if square in exact else ''}"
    width = (4 if narrow else 5) if values else 3 if felts else 2
    edge = len(str(rows))
    indent = " " * (edge + (width // 2 if felts or values else 0) + 1)
    lines = [indent + (" " * (width - 1)).join(chr(ord("a") + column) for column in range(columns))]
    for row in range(rows):
        first = columns * row
        row_kinds, row_words = kinds[first : first + columns], words[first : first + columns]
        last_column = last_move % columns if last_move is not None and last_move // columns == row else -1
        if felts:
            turn_ink = BLACK_INK if board.turn == "black" else WHITE_INK
            inks = (BLACK_INK, WHITE_INK, turn_ink, turn_ink)
            cells = [
                f"\x1b[{felts[2 if column == last_column else (row + column) % 2]};{inks[kind]}m{word:^{width}}"
                for column, (kind, word) in enumerate(zip(row_kinds, row_words, strict=True))
            ]
            lines.append(f"{row + 1:>{edge}} {''.join(cells)}{RESET}")
        elif values:
            cells = [f"({word})" if column == last_column else word for column, word in enumerate(row_words)]
            lines.append(f"{row + 1:>{edge}} {''.join(f'{cell:^{width}}' for cell in cells)}".rstrip())
        else:
            line = " " + " ".join(row_words) + " "
            if last_column >= 0:
                at = 2 * last_column
                line = f"{line[:at]}({line[at + 1]}){line[at + 3 :]}"
            lines.append(f"{row + 1:>{edge}}{line}".rstrip())
    # Discs of either colour vanish on some terminals.
    names = (say("black"), say("white")) if felts else (signs[0], signs[1])
    count = f"{names[0]} {board.black.bit_count()}  {names[1]} {board.white.bit_count()}"
    return "\n".join([*lines, f"{' ' * (edge + 1)}{count}  {say(_status(board))}"])


def _check(board: Board) -> None:
    if not hasattr(board, "size"):
        raise WrongType.of("board", board, "a Position, or a Game's `position`,")


def _numbered(
    size: Size, last_move: Move | None, values: Mapping[Any, float] | None, exact: Iterable[Move]
) -> tuple[int | None, dict[int, float], set[int]]:
    """The same with squares as numbers, whether they were given so or by name; all of them are on the board."""
    last = None if last_move is None else to_square(last_move, size)
    numbered = {_square(square, size): value for square, value in (values or {}).items()}
    return last if last in (None, PASS) else _square(last, size), numbered, {to_square(one, size) for one in exact}


def _square(square: Move, size: Size) -> int:
    number = to_square(square, size)
    if not 0 <= number < size.squares:
        raise InvalidPosition(f"square {square} cannot be drawn on a board of size {size}")
    return number


def _pair(arrow: tuple[Move, Move], size: Size) -> tuple[int, int]:
    try:
        start, end = arrow
    except (TypeError, ValueError):
        raise WrongType.of("arrow", arrow, "the squares it goes from and to") from None
    return _square(start, size), _square(end, size)


def _status(board: Board) -> str:
    return "game over" if board.is_over() else f"{board.turn} to move"


# -- SVG

CELL = 60  # all other lengths are given in these units and scale with the picture
FRAME = 30
FRAME_COLOR, LETTER_COLOR = "#2d2824", "#cdc3b4"
FELT_COLOR, LINE_COLOR = "#2c7a4b", "#16402a"
MARK_COLOR, RING_COLOR, ARROW_COLOR = "#e0523f", "#ffd65a", "#ffb454"
LOSS_COLORS = ((0.5, "#ffffff"), (2.5, "#e6f4c8"), (6.5, "#ffdf94"), (math.inf, "#ffc2b0"))
"""Ink of a value by the discs it loses against the best one; all readable on the felt (contrast over 4.5)."""
FONT = 'font-family="system-ui, sans-serif" text-anchor="middle"'


def svg(
    board: Board,
    *,
    last_move: Move | None = None,
    legal: bool = True,
    values: Mapping[Any, float] | None = None,
    exact: Iterable[Move] = (),
    circles: Iterable[Move] = (),
    arrows: Iterable[tuple[Move, Move]] = (),
    coordinates: bool = True,
    size_px: int = 400,
    title: str | None = None,
) -> str:
    """The board as one self-contained SVG picture, `size_px` wide or high, whichever is longer.

    Squares are given by name or number. `values` are written on their squares as the side to move sees them, the best
    one ringed; those of the squares in `exact` are bold and end with a full stop. `circles` and `arrows` point at
    squares.

    >>> import othellier
    >>> picture = svg(othellier.start(), values={"f5": 0.0}, arrows=[("f5", "d6")], circles=[44], size_px=320)
    >>> picture.startswith("<svg"), "Values: f5 0" in picture
    (True, True)
    """
    _check(board)
    if size_px <= 0:
        raise InvalidPosition(f"a picture of {size_px} pixels cannot be drawn")
    last_move, values, exact = _numbered(board.size, last_move, values, exact)
    rings = [_square(square, board.size) for square in circles]
    expect("arrows", arrows, Iterable, "pairs of squares")
    pointed = [_pair(arrow, board.size) for arrow in arrows]
    if not all(map(math.isfinite, values.values())):
        raise InvalidPosition("a value to draw is not a finite number")
    frame = FRAME if coordinates else CELL // 6
    width, height = board.size.columns * CELL + 2 * frame, board.size.rows * CELL + 2 * frame
    scale = size_px / max(width, height)
    name = title if title is not None else f"Othello board, {_status(board)}"
    description = _description(board, last_move, values)
    body = "".join(
        [
            *_felt(board.size, frame, coordinates),
            *_discs(board),
            *_legal_dots(board, values if legal else None),
            *_values(board.size, values, exact),
            *(_circle(square, board.size, 0.42, RING_COLOR) for square in rings),
            *(_arrow(start, end, board.size) for start, end in pointed),
            *(_disc(square, board.size, 0.1, f'fill="{MARK_COLOR}"') for square in _played(last_move)),
        ]
    )
    # Several pictures share one page's names: each needs its own, and the same picture the same ones.
    key = f"o{zlib.crc32(f'{name}{description}{body}'.encode()):08x}"
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="{-frame} {-frame} {width} {height}" '
        f'width="{width * scale:g}" height="{height * scale:g}" role="img" aria-labelledby="{key}t {key}d">'
        f'<title id="{key}t">{_safe(name)}</title><desc id="{key}d">{_safe(description)}</desc>'
        f"<defs>{_gradient(f'{key}b', '#45423f', '#171615')}{_gradient(f'{key}w', '#ffffff', '#ddd8ce')}</defs>"
        f"{body.replace('url(#', f'url(#{key}')}</svg>"
    )


def _played(last_move: int | None) -> list[int]:
    return [] if last_move is None or last_move == PASS else [last_move]


def _safe(words: str) -> str:
    """Text that XML 1.0 can hold: escaped, and without the control characters it forbids."""
    return escape("".join(sign for sign in words if sign.isprintable() or sign in "\n\t"))


def _description(board: Board, last_move: int | None, values: Mapping[int, float]) -> str:
    def names(bits: int) -> str:
        return " ".join(square_name(square, board.size) for square in squares_of(bits)) or "none"

    parts = [f"Black discs: {names(board.black)}", f"White discs: {names(board.white)}"]
    if not board.is_over():
        parts.append(f"Legal moves: {names(board.moves_mask())}")
    if last_move is not None:
        parts.append(f"Last move: {square_name(last_move, board.size)}")
    if values:
        told = (f"{square_name(square, board.size)} {_number(value)}" for square, value in sorted(values.items()))
        parts.append(f"Values: {', '.join(told)}")
    return ". ".join(parts) + "."


def _gradient(key: str, light: str, dark: str) -> str:
    return (
        f'<radialGradient id="{key}" cx=".42" cy=".36" r=".7">'
        f'<stop offset="0" stop-color="{light}"/><stop offset="1" stop-color="{dark}"/></radialGradient>'
    )


def _center(square: int, size: Size) -> tuple[float, float]:
    row, column = divmod(square, size.columns)
    return (column + 0.5) * CELL, (row + 0.5) * CELL


def _felt(size: Size, frame: int, coordinates: bool) -> Iterator[str]:
    """Frame, felt, lines, the four dots, letters and figures."""
    width, height = size.columns * CELL, size.rows * CELL
    yield (
        f'<rect x="{-frame}" y="{-frame}" width="{width + 2 * frame}" height="{height + 2 * frame}" '
        f'rx="8" fill="{FRAME_COLOR}"/><rect width="{width}" height="{height}" fill="{FELT_COLOR}"/>'
    )
    lines = [f"M{CELL * column} 0V{height}" for column in range(size.columns + 1)]
    lines += [f"M0 {CELL * row}H{width}" for row in range(size.rows + 1)]
    yield f'<path d="{"".join(lines)}" fill="none" stroke="{LINE_COLOR}" stroke-width="1.5" stroke-linecap="square"/>'
    inset_x, inset_y = (min(2, side // 2 - 1) * CELL for side in (size.columns, size.rows))
    for x in (inset_x, width - inset_x):
        for y in (inset_y, height - inset_y):
            yield f'<circle cx="{x}" cy="{y}" r="4.5" fill="{LINE_COLOR}"/>'
    if coordinates:
        labels = [((c + 0.5) * CELL, -frame / 2, chr(ord("a") + c)) for c in range(size.columns)]
        labels += [(-frame / 2, (r + 0.5) * CELL, str(r + 1)) for r in range(size.rows)]
        yield f'<g {FONT} font-size="16" fill="{LETTER_COLOR}" aria-hidden="true">'
        yield from (f'<text x="{x:g}" y="{y:g}" dy=".35em">{label}</text>' for x, y, label in labels)
        yield "</g>"


def _disc(square: int, size: Size, radius: float, paint: str) -> str:
    x, y = _center(square, size)
    return f'<circle cx="{x:g}" cy="{y:g}" r="{radius * CELL:g}" {paint}/>'


def _circle(square: int, size: Size, radius: float, color: str) -> str:
    return _disc(square, size, radius, f'fill="none" stroke="{color}" stroke-width="4"')


def _discs(board: Board) -> Iterator[str]:
    """Each disc over a shadow a little lower; the gradients' names are completed once all is drawn."""
    for square in squares_of(board.black | board.white):
        x, y = _center(square, board.size)
        yield f'<circle cx="{x + 1:g}" cy="{y + 2.5:g}" r="{0.425 * CELL:g}" fill="#000" fill-opacity=".28"/>'
        side = "b" if board.black >> square & 1 else "w"
        yield _disc(square, board.size, 0.42, f'fill="url(#{side})"')


def _legal_dots(board: Board, values: Mapping[int, float] | None) -> Iterator[str]:
    """A faint dot in the colour to move on each legal square that shows no value; none if `values` is None."""
    paint = 'fill="#000" fill-opacity=".4"' if board.turn == "black" else 'fill="#fff" fill-opacity=".6"'
    for square in squares_of(board.moves_mask()) if values is not None else ():
        if square not in (values or ()):
            yield _disc(square, board.size, 0.1, paint)


def _number(value: float) -> str:
    """A signed number with a true minus sign and at most one decimal: +3, −2.5, 0."""
    rounded = round(value, 1) + 0.0  # no negative zero
    return "0" if rounded == 0 else f"{rounded:+g}".replace("-", "−")


def _values(size: Size, values: Mapping[int, float], exact: Collection[int]) -> Iterator[str]:
    best = max(values.values(), default=0.0)
    for square, value in values.items():
        x, y = _center(square, size)
        color = next(color for limit, color in LOSS_COLORS if not best - value > limit)
        label = _number(value)
        if len(label) > 4:  # +12.5: no room for the decimal
            label = _number(round(value))
        weight = ' font-weight="700"' if square in exact else ""
        label += "." if square in exact else ""
        if value == best:
            yield _circle(square, size, 0.42, color)
        yield f'<text x="{x:g}" y="{y:g}" dy=".35em" {FONT} font-size="21"{weight} fill="{color}">{label}</text>'


def _arrow(start: int, end: int, size: Size) -> str:
    """An arrow from the rim of one square's disc to the middle of another; a ring where both are the same."""
    if start == end:
        return _circle(start, size, 0.42, ARROW_COLOR)
    (x1, y1), (x2, y2) = _center(start, size), _center(end, size)
    length = math.hypot(x2 - x1, y2 - y1)
    ux, uy = (x2 - x1) / length, (y2 - y1) / length
    x1, y1 = x1 + 0.3 * CELL * ux, y1 + 0.3 * CELL * uy
    neck_x, neck_y = x2 - 0.38 * CELL * ux, y2 - 0.38 * CELL * uy
    wing_x, wing_y = -0.24 * CELL * uy, 0.24 * CELL * ux
    return (
        f'<g fill="{ARROW_COLOR}" stroke="{ARROW_COLOR}" opacity=".9">'
        f'<path d="M{x1:.1f} {y1:.1f}L{neck_x:.1f} {neck_y:.1f}" stroke-width="8" stroke-linecap="round"/>'
        f'<path d="M{x2:.1f} {y2:.1f}L{neck_x + wing_x:.1f} {neck_y + wing_y:.1f}'
        f'L{neck_x - wing_x:.1f} {neck_y - wing_y:.1f}Z" stroke="none"/></g>'
    )
