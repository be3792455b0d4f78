"""The rules of Othello in plain Python, for any even size: the definition all else is tested by.

The `Position` here is the slow, readable one; `othellier.Position` is what programs use (`board.py`).
It is a value without history: discs of the side to move, discs of the other side, who is to
move, and the size. The functions above it work on bare bitboards, for those who write searches.
What is fast lives in the compiled core (`native.py`), which answers every question the same way.
"""

from __future__ import annotations

import random
from dataclasses import dataclass
from math import isqrt
from typing import Literal, SupportsIndex

from othellier.errors import IllegalMove, InvalidPosition, expect
from othellier.pictures import svg, text
from othellier.rules.geometry import (
    MIN_SIDE,
    PASS,
    STANDARD,
    SYMMETRIES,
    Direction,
    Geometry,
    Move,
    Size,
    SizeLike,
    geometry,
    square_name,
    squares_of,
    to_square,
)

__all__ = [
    "Color",
    "Count",
    "MoveTable",
    "Position",
    "final_score",
    "flips_mask",
    "get_square",
    "move_table",
    "moves_mask",
    "other",
    "perft",
    "play_from_table",
    "set_square",
]

Color = Literal["black", "white"]
Count = Literal["winner", "discs"]
MoveTable = dict[int, list[tuple[Direction, int]]]

BLACK_SIGNS, WHITE_SIGNS, EMPTY_SIGNS = "Xx*Bb", "OoWw", "-."


def other(color: Color) -> Color:
    """The other colour.

    >>> other("black")
    'white'
    """
    return "white" if color == "black" else "black"


def get_square(bits: int, row: int, column: int, size: SizeLike = STANDARD) -> int:
    """1 where the bitboard has a disc in that row and column, else 0.

    >>> get_square(0b10, 0, 1), get_square(0b10, 1, 0)  # only b1 is set
    (1, 0)
    """
    return (bits >> (Size.parse(size).columns * row + column)) & 1


def set_square(bits: int, row: int, column: int, size: SizeLike = STANDARD) -> int:
    """The bitboard with a disc added in that row and column.

    >>> set_square(0, 1, 0)  # a2, the ninth square
    256
    """
    return bits | (1 << (Size.parse(size).columns * row + column))


def moves_mask(player: int, opponent: int, board: Geometry) -> int:
    """All squares where the player may move, found for all squares at once, axis by axis.

    >>> start = Position.start()
    >>> [square_name(square) for square in squares_of(moves_mask(start.player, start.opponent, geometry(STANDARD)))]
    ['d3', 'c4', 'f5', 'e6']
    """
    moves = 0
    for step, inner in board.axes:
        victims = opponent & inner
        up = victims & (player << step)
        down = victims & (player >> step)
        while True:
            further_up = up | (victims & (up << step))
            further_down = down | (victims & (down >> step))
            if further_up == up and further_down == down:
                break
            up, down = further_up, further_down
        moves |= (up << step) | (down >> step)
    return moves & board.full & ~(player | opponent)


def flips_mask(player: int, opponent: int, square: int, board: Geometry) -> int:
    """The opponent's discs that a move to this square turns over; 0 where the move is illegal.

    >>> start = Position.start()
    >>> flips = flips_mask(start.player, start.opponent, 37, geometry(STANDARD))
    >>> [square_name(square) for square in squares_of(flips)]  # 37 is f5
    ['e5']
    """
    if (player | opponent) >> square & 1:
        return 0
    flips = 0
    rising, falling = board.sight[square]
    # The nearest square of a ray that is not the opponent's ends the run; it must be the player's.
    for near, ray in rising:
        if near & opponent:
            stop = ray & ~opponent
            end = stop & -stop
            if end & player:
                flips |= ray & (end - 1)
    for near, ray in falling:
        if near & opponent:
            stop = ray & ~opponent
            end = 1 << stop.bit_length() >> 1
            if end & player:
                flips |= ray & -(end << 1)
    return flips


def move_table(player: int, opponent: int, board: Geometry) -> MoveTable:
    """Every legal move with the directions its discs were found in and how many lie in each.

    A direction leads from the player's own disc to the move; the discs are turned on the way back.

    >>> start = Position.start()
    >>> table = move_table(start.player, start.opponent, geometry(STANDARD))
    >>> [(square_name(square), len(found)) for square, found in table.items()]
    [('d3', 1), ('c4', 1), ('f5', 1), ('e6', 1)]
    """
    empty = board.full & ~(player | opponent)
    table: MoveTable = {}
    for direction, (step, keep) in board.rays:
        run, front = 0, player
        while front:
            front &= keep
            front = front << step if step > 0 else front >> -step
            if run:
                for square in squares_of(front & empty):
                    table.setdefault(square, []).append((direction, run))
            front &= opponent
            run += 1
    return dict(sorted(table.items()))


def play_from_table(player: int, opponent: int, square: int, table: MoveTable, board: Geometry) -> tuple[int, int]:
    """Both sides' discs after a move of the table, not yet exchanged.

    >>> start, board = Position.start(), geometry(STANDARD)
    >>> table = move_table(start.player, start.opponent, board)
    >>> mine, theirs = play_from_table(start.player, start.opponent, 37, table, board)
    >>> mine.bit_count(), theirs.bit_count()
    (4, 1)
    """
    flips = 0
    for direction, run in table[square]:
        disc = 1 << square
        for _ in range(run):
            disc = board.shift(disc, direction.opposite)
            flips |= disc
    return player | flips | 1 << square, opponent & ~flips


def final_score(player: int, opponent: int, squares: int, count: Count = "winner") -> int:
    """Disc difference of a finished game; empty squares go to the winner unless `count="discs"`.

    >>> final_score(0b111, 0b1000, 64), final_score(0b111, 0b1000, 64, "discs")
    (62, 2)
    """
    mine, theirs = player.bit_count(), opponent.bit_count()
    difference = mine - theirs
    if count == "discs":
        return difference
    empties = squares - mine - theirs
    return difference + (empties if difference > 0 else -empties if difference < 0 else 0)


def perft(player: int, opponent: int, depth: int, board: Geometry) -> int:
    """Leaves of the game tree at a depth; a pass costs one ply, a finished game is one leaf.

    >>> start = Position.start()
    >>> [perft(start.player, start.opponent, depth, geometry(STANDARD)) for depth in range(5)]
    [1, 4, 12, 56, 244]
    """
    if depth == 0:
        return 1
    moves = moves_mask(player, opponent, board)
    if not moves:
        if not moves_mask(opponent, player, board):
            return 1
        return perft(opponent, player, depth - 1, board)
    if depth == 1:
        return moves.bit_count()
    leaves = 0
    for square in squares_of(moves):
        flips = flips_mask(player, opponent, square, board)
        leaves += perft(opponent & ~flips, player | flips | 1 << square, depth - 1, board)
    return leaves


@dataclass(frozen=True, slots=True)
class Position:
    """A board and whose turn it is. Immutable, hashable, without history.

    >>> position = Position.start()
    >>> [square_name(move) for move in position.moves()]
    ['d3', 'c4', 'f5', 'e6']
    >>> position.play("f5").score()
    -62
    """

    player: int
    opponent: int
    turn: Color = "black"
    size: Size = STANDARD

    def __post_init__(self) -> None:
        if type(self.size) is not Size:
            object.__setattr__(self, "size", Size.parse(self.size))
        for side in (self.player, self.opponent):
            if type(side) is not int:  # the check is slow
                expect("discs", side, SupportsIndex, "a bitboard, which is a whole number,")
        if self.player & self.opponent:
            square = next(squares_of(self.player & self.opponent))
            raise InvalidPosition(f"{square_name(square, self.size)} holds two discs")
        if (self.player | self.opponent) >> self.size.squares:
            raise InvalidPosition(f"a disc lies outside the board of size {self.size}")
        if self.turn not in ("black", "white"):
            raise InvalidPosition(f"turn {self.turn!r}: black or white expected")

    # -- making positions

    @classmethod
    def start(cls, size: SizeLike = STANDARD) -> Position:
        """The first position: four discs in the middle, white on the falling diagonal, black to move."""
        size = Size.parse(size)
        row, column = size.rows // 2, size.columns // 2
        white = 1 << (size.columns * (row - 1) + column - 1) | 1 << (size.columns * row + column)
        black = 1 << (size.columns * (row - 1) + column) | 1 << (size.columns * row + column - 1)
        return cls(black, white, "black", size)

    @classmethod
    def parse(cls, text: str, size: SizeLike | None = None) -> Position:
        """Read a board string: the squares from a1 on by rows, then the side to move.

        `X x * B b` is black, `O o W w` white, `- .` empty; blanks are skipped. `0` means black to some
        programs and white to others, so it is refused. Without `size` the board must be square.
        """
        expect("board", text, str, "a string of the squares and the side to move")
        cells = "".join(text.split())
        if not cells:
            raise InvalidPosition("the board string is empty")
        cells, side = cells[:-1], cells[-1]
        if size is None:
            size = _side_of(cells, side)
        size = Size.parse(size)
        if len(cells) != size.squares:
            raise InvalidPosition(f"{len(cells)} squares given, a board of size {size} has {size.squares}")
        black = white = 0
        for square, sign in enumerate(cells):
            if sign in BLACK_SIGNS:
                black |= 1 << square
            elif sign in WHITE_SIGNS:
                white |= 1 << square
            elif sign not in EMPTY_SIGNS:
                raise InvalidPosition(f"unknown sign {sign!r} on {square_name(square, size)}")
        if side in BLACK_SIGNS:
            return cls(black, white, "black", size)
        if side in WHITE_SIGNS:
            return cls(white, black, "white", size)
        raise InvalidPosition(f"unknown side to move {side!r}: X or O expected")

    @classmethod
    def random(cls, rng: random.Random, size: SizeLike = STANDARD, empties: int | None = None) -> Position:
        """A position reached by random legal moves, with that many empty squares if given.

        The side to move always has a move, except where the game is over.
        """
        size = Size.parse(size)
        expect("rng", rng, random.Random, "a random.Random, such as random.Random(1),")
        if empties is not None and not 0 <= empties <= size.squares - 4:
            raise InvalidPosition(f"{empties} empty squares: a board of size {size} has 0 to {size.squares - 4}")
        wanted = rng.randrange(size.squares - 3) if empties is None else empties
        while True:  # a game may end before its board is that full: try another
            position = cls.start(size)
            while position.empties > wanted and not position.is_over():
                position = position.play(rng.choice(position.moves() or [PASS]))
            if position.must_pass():
                position = position.play(PASS)
            if position.empties == wanted or empties is None:
                return position

    # -- looking at them

    @property
    def black(self) -> int:
        """Black's discs."""
        return self.player if self.turn == "black" else self.opponent

    @property
    def white(self) -> int:
        """White's discs."""
        return self.opponent if self.turn == "black" else self.player

    @property
    def empty_mask(self) -> int:
        """The empty squares."""
        return geometry(self.size).full & ~(self.player | self.opponent)

    @property
    def empties(self) -> int:
        """How many squares are empty."""
        return self.size.squares - (self.player | self.opponent).bit_count()

    def discs(self, color: Color) -> int:
        """How many discs a colour has."""
        return (self.black if color == "black" else self.white).bit_count()

    def color_at(self, square: Move) -> Color | None:
        """The colour of the disc on a square, given by name or number; None where it is empty.

        >>> Position.start().color_at("e4"), Position.start().color_at("a1")
        ('black', None)
        """
        disc = to_square(square, self.size)
        if not 0 <= disc < self.size.squares:
            raise InvalidPosition(f"{square!r} is not a square of a board of size {self.size}")
        return "black" if self.black >> disc & 1 else "white" if self.white >> disc & 1 else None

    def moves_mask(self) -> int:
        """The legal moves as a bitboard."""
        return moves_mask(self.player, self.opponent, geometry(self.size))

    def moves(self) -> list[int]:
        """The legal moves as squares, from a1 on; empty where the side to move must pass."""
        return list(squares_of(self.moves_mask()))

    def move_table(self) -> MoveTable:
        """The legal moves with directions and run lengths."""
        return move_table(self.player, self.opponent, geometry(self.size))

    def flips_mask(self, square: Move) -> int:
        """The discs a move would turn over, as a bitboard; 0 where it is illegal."""
        square = to_square(square, self.size)
        if not 0 <= square < self.size.squares:
            return 0
        return flips_mask(self.player, self.opponent, square, geometry(self.size))

    def flips(self, square: Move) -> list[int]:
        """The discs a move would turn over, as squares."""
        return list(squares_of(self.flips_mask(square)))

    def is_legal(self, move: Move) -> bool:
        """Whether a square, or PASS, may be played."""
        square = to_square(move, self.size)
        return self.must_pass() if square == PASS else self.flips_mask(square) != 0

    def must_pass(self) -> bool:
        """Whether the side to move has no move while the other side has one."""
        board = geometry(self.size)
        return not moves_mask(self.player, self.opponent, board) and bool(moves_mask(self.opponent, self.player, board))

    def is_over(self) -> bool:
        """Whether neither side can move."""
        board = geometry(self.size)
        return not moves_mask(self.player, self.opponent, board) and not moves_mask(self.opponent, self.player, board)

    def score(self, count: Count = "winner") -> int:
        """Disc difference for the side to move, as if the game ended here.

        Empty squares count for the winner, the tournament rule; `count="discs"` leaves them out.
        """
        return final_score(self.player, self.opponent, self.size.squares, count)

    # -- moving on

    def play(self, move: Move) -> Position:
        """The position after a move, given by name (`f5`) or number; PASS only where it is forced."""
        square = to_square(move, self.size)
        if square == PASS:
            if not self.must_pass():
                raise IllegalMove("pass", self.board_string(), "a pass is only legal when it is forced")
            return Position(self.opponent, self.player, other(self.turn), self.size)
        flips = self.flips_mask(square)
        if not flips:
            if not 0 <= square < self.size.squares:
                raise IllegalMove(str(move), self.board_string(), "no such square")
            taken = self.empty_mask >> square & 1 == 0
            reason = "the square is taken" if taken else "it flips nothing"
            raise IllegalMove(square_name(square, self.size), self.board_string(), reason)
        return Position(self.opponent & ~flips, self.player | flips | 1 << square, other(self.turn), self.size)

    def perft(self, depth: int) -> int:
        """Leaves of the game tree at a depth; a pass costs one ply, a finished game is one leaf."""
        expect("depth", depth, SupportsIndex, "a whole number")
        if depth < 0:
            raise InvalidPosition(f"depth {depth} is negative")
        return perft(self.player, self.opponent, depth, geometry(self.size))

    # -- symmetries

    def transform(self, symmetry: int) -> Position:
        """The position seen through one of the eight symmetries."""
        expect("symmetry", symmetry, SupportsIndex, "a number from 0 to 7")
        if symmetry not in SYMMETRIES:
            raise InvalidPosition(f"no symmetry {symmetry}: they are 0 to 7")
        board = geometry(self.size)
        size = self.size.transposed if symmetry & 4 else self.size
        return Position(
            board.transform(self.player, symmetry), board.transform(self.opponent, symmetry), self.turn, size
        )

    def symmetries(self) -> list[Position]:
        """All symmetric forms of the same size, in the order of their numbers: eight, or four of a rectangle."""
        return [self.transform(symmetry) for symmetry in geometry(self.size).own_symmetries]

    def canonical(self) -> Position:
        """The symmetric form with the smallest (player, opponent) pair."""
        return min(self.symmetries(), key=lambda position: (position.player, position.opponent))

    # -- writing them down

    def board_string(self) -> str:
        """One sign a square from a1 on, then the side to move: the inverse of `parse`."""
        black, white = self.black, self.white
        cells = (
            "X" if black >> square & 1 else "O" if white >> square & 1 else "-" for square in range(self.size.squares)
        )
        return f"{''.join(cells)} {'X' if self.turn == 'black' else 'O'}"

    def __repr__(self) -> str:
        size = "" if self.size.rows == self.size.columns else f", '{self.size}'"
        return f"Position.parse('{self.board_string()}'{size})"

    def __str__(self) -> str:
        return text(self)

    def _repr_svg_(self) -> str:
        return svg(self)


def _side_of(cells: str, side: str) -> int:
    """How long the side of a square board is; what else it may be is told where it is none."""
    length = isqrt(len(cells))
    if length * length == len(cells) and length >= MIN_SIDE:
        return length
    if unknown := [sign for sign in cells + side if sign not in BLACK_SIGNS + WHITE_SIGNS + EMPTY_SIGNS]:
        raise InvalidPosition(
            f"unknown sign {unknown[0]!r}: a board is X, O or - for each square, then the side to move"
        )
    if length * length == len(cells):
        return length
    words = f"{len(cells)} squares and a side to move are not a square board"
    whole = isqrt(len(cells) + 1) ** 2 == len(cells) + 1
    raise InvalidPosition(f"{words}: the side to move, X or O, is missing" if whole else words)
