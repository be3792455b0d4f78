"""Many positions or games in one call, for NumPy users: moves, flips, play, random games and replay.

Positions are pairs of `uint64` arrays, discs of the side to move and of the other; squares are `uint8`.
The compiled core does the work on `threads` threads (0: all cores) with the GIL released; the answers
never depend on how many. Boards up to 8x8. Without the core nothing here works, and says so.
"""

from __future__ import annotations

from types import ModuleType
from typing import Any, Literal, NamedTuple

import numpy as np
import numpy.typing as npt

from othellier.errors import InvalidPosition, OthellierError
from othellier.rules import native
from othellier.rules.geometry import STANDARD, Size, SizeLike

__all__ = [
    "NO_MOVE",
    "Bits",
    "Bytes",
    "Encoding",
    "GameBatch",
    "Replays",
    "fingerprints",
    "flips",
    "moves",
    "play",
    "random_games",
    "replay",
]

NO_MOVE = 255
"""Fills a row of moves after the end of its game. Passes are not stored: they are forced."""

Encoding = Literal["squares", "wthor"]
Bits = npt.NDArray[np.uint64]
Bytes = npt.NDArray[np.uint8]


class GameBatch(NamedTuple):
    """Whole games, a row each, seen from the side that moved first (black from the usual start).

    >>> games = random_games(1000, seed=1)
    >>> games.moves.shape, int(games.lengths.max())
    ((1000, 60), 60)
    """

    player: Bits
    """Discs at the end of the side that moved first."""
    opponent: Bits
    moves: Bytes
    """Squares played, NO_MOVE after the last."""
    lengths: Bytes
    """Moves played, passes not counted."""
    scores: npt.NDArray[np.int8]
    """Disc difference, empty squares counted for the winner."""


class Replays(NamedTuple):
    """Recorded games played from the start, a row each.

    >>> replay([[37, 43, NO_MOVE], [37, 0, NO_MOVE]]).illegal  # f5 d6, and f5 a1
    array([-1,  1], dtype=int16)
    """

    black: Bits
    white: Bits
    lengths: Bytes
    """Legal moves played, passes not counted."""
    illegal: npt.NDArray[np.int16]
    """Place in its row (from 0) of the first move that cannot be played, or -1."""
    over: npt.NDArray[np.bool_]
    """Whether neither side can move at the end."""


def _core(size: SizeLike, threads: int) -> tuple[ModuleType, Size]:
    """The core and the size, or the reason why not."""
    size = Size.parse(size)
    if native.core is None:
        raise OthellierError("batch operations need the compiled core, which is missing here")
    if not native.fits(size):
        raise InvalidPosition(f"batch operations take boards up to 8x8, not {size}")
    if not 0 <= threads <= 1024:
        raise OthellierError(f"{threads} threads: 0 (all cores) to 1024 can be had")
    return native.core, size


def _array(values: npt.ArrayLike, dtype: type[np.uint8 | np.uint64], name: str, ndim: int = 1) -> npt.NDArray[Any]:
    """The values as a contiguous array of this type, if they are one without loss."""
    # As objects: of a list with numbers on both sides of 2^63, NumPy would make floats.
    array = values if isinstance(values, np.ndarray) else np.array(values, dtype=object)
    if array.ndim != ndim:
        raise InvalidPosition(f"{name}: an array of {ndim} dimension{'s'[: ndim > 1]} expected, not {array.ndim}")
    top = np.iinfo(dtype).max
    if array.dtype.kind == "O":
        fits = all(isinstance(value, int | np.integer) and 0 <= value <= top for value in array.flat)
    else:
        fits = array.dtype.kind in "iu" and (not array.size or (array.min() >= 0 and int(array.max()) <= top))
    if not fits:
        raise InvalidPosition(f"{name}: whole numbers from 0 to {top} expected")
    return np.ascontiguousarray(array, dtype=dtype)


def _positions(player: npt.ArrayLike, opponent: npt.ArrayLike, size: Size) -> tuple[Bits, Bits]:
    """Both sides' discs, as many of the one as of the other, none in the same place or off the board."""
    mine, theirs = _array(player, np.uint64, "player"), _array(opponent, np.uint64, "opponent")
    if len(mine) != len(theirs):
        raise InvalidPosition(f"{len(mine)} positions have a player and {len(theirs)} an opponent")
    bad = (mine & theirs) != 0
    if bad.any():
        raise InvalidPosition(f"position {int(bad.argmax())}: a square holds two discs")
    if size.squares < 64:
        bad = (mine | theirs) >> np.uint64(size.squares) != 0
        if bad.any():
            raise InvalidPosition(f"position {int(bad.argmax())}: a disc lies outside the board of size {size}")
    return mine, theirs


def _squares(squares: npt.ArrayLike, count: int) -> Bytes:
    array: Bytes = _array(squares, np.uint8, "squares")
    if len(array) != count:
        raise InvalidPosition(f"{len(array)} squares for {count} positions")
    return array


def moves(player: npt.ArrayLike, opponent: npt.ArrayLike, *, size: SizeLike = STANDARD, threads: int = 0) -> Bits:
    """The legal moves of each position, as bitboards.

    >>> start = native.start()
    >>> moves([start.player], [start.opponent]) == start.moves_mask()
    array([ True])
    """
    core, size = _core(size, threads)
    mine, theirs = _positions(player, opponent, size)
    masks = np.empty_like(mine)
    core.batch_moves(mine, theirs, masks, *size, threads)
    return masks


def flips(
    player: npt.ArrayLike,
    opponent: npt.ArrayLike,
    squares: npt.ArrayLike,
    *,
    size: SizeLike = STANDARD,
    threads: int = 0,
) -> Bits:
    """The discs one move in each position would turn over, as bitboards; 0 where it is illegal.

    >>> start = native.start()
    >>> flips([start.player] * 2, [start.opponent] * 2, [37, 0]).tolist()  # f5 turns e5, a1 nothing
    [68719476736, 0]
    """
    core, size = _core(size, threads)
    mine, theirs = _positions(player, opponent, size)
    masks = np.empty_like(mine)
    core.batch_flips(mine, theirs, _squares(squares, len(mine)), masks, *size, threads)
    return masks


def play(
    player: npt.ArrayLike,
    opponent: npt.ArrayLike,
    squares: npt.ArrayLike,
    *,
    size: SizeLike = STANDARD,
    threads: int = 0,
) -> tuple[Bits, Bits]:
    """The positions after one move in each, the other side to move; NO_MOVE passes where that is forced.

    >>> start = native.start()
    >>> player, opponent = play([start.player], [start.opponent], [37])
    >>> native.position(int(player[0]), int(opponent[0]), "white") == start.play("f5")
    True
    """
    core, size = _core(size, threads)
    mine, theirs = _positions(player, opponent, size)
    array = _squares(squares, len(mine))
    next_mine, next_theirs, legal = np.empty_like(mine), np.empty_like(mine), np.empty_like(array)
    core.batch_play(mine, theirs, array, next_mine, next_theirs, legal, *size, threads)
    if not legal.all():
        first = int(legal.argmin())
        # The plain rules know best what is wrong, and say it in their own words.
        move = int(array[first])
        native.position(int(mine[first]), int(theirs[first]), "black", size).play(-1 if move == NO_MOVE else move)
    return next_mine, next_theirs


def random_games(
    games: int | tuple[npt.ArrayLike, npt.ArrayLike],
    seed: int,
    *,
    size: SizeLike = STANDARD,
    threads: int = 0,
) -> GameBatch:
    """Whole games of uniformly random moves: so many from the start, or one from each position of a pair of arrays.

    Game `i` depends on the seed and on `i` alone.

    >>> some, all_of_them = random_games(10, seed=7), random_games(1000, seed=7)
    >>> bool((all_of_them.scores[:10] == some.scores).all())
    True
    """
    core, size = _core(size, threads)
    if isinstance(games, int | np.integer):
        if games < 0:
            raise OthellierError(f"{games} games cannot be played")
        count, width = int(games), size.squares - 4
        mine = theirs = np.empty(0, np.uint64)
    else:
        mine, theirs = _positions(*games, size)
        count = len(mine)
        width = size.squares - (int(np.bitwise_count(mine | theirs).min()) if count else 4)
    if not 0 <= seed < 1 << 64:
        raise OthellierError(f"seed {seed} is not in 0 … 2^64-1")
    result = GameBatch(
        np.empty(count, np.uint64),
        np.empty(count, np.uint64),
        np.empty((count, width), np.uint8),
        np.empty(count, np.uint8),
        np.empty(count, np.int8),
    )
    last_mine, last_theirs, rows, lengths, scores = result
    core.random_games(mine, theirs, seed, last_mine, last_theirs, rows, width, lengths, scores, *size, threads)
    return result


def replay(
    moves: npt.ArrayLike, *, encoding: Encoding = "squares", size: SizeLike = STANDARD, threads: int = 0
) -> Replays:
    """Play recorded games from the start, a row of moves each; passes are inferred.

    `squares` ends a short row with NO_MOVE; `wthor` means the bytes of that format: 10 * row + column, 0 at the end.
    A game stops at its first illegal move, which is reported, not raised.

    >>> found = replay([[37, 43, 18, NO_MOVE]])  # f5 d6 c3
    >>> found.lengths, found.over
    (array([3], dtype=uint8), array([False]))
    """
    core, size = _core(size, threads)
    if encoding not in ("squares", "wthor"):
        raise OthellierError(f"encoding {encoding!r}: squares or wthor expected")
    rows = _array(moves, np.uint8, "moves", ndim=2)
    count, width = rows.shape
    black, white = np.empty(count, np.uint64), np.empty(count, np.uint64)
    lengths, illegal, over = np.empty(count, np.uint8), np.empty(count, np.int16), np.empty(count, np.bool_)
    core.replay(rows, width, encoding == "wthor", black, white, lengths, illegal, over.view(np.uint8), *size, threads)
    return Replays(black, white, lengths, illegal, over)


def fingerprints(
    moves: npt.ArrayLike, *, encoding: Encoding = "squares", size: SizeLike = STANDARD, threads: int = 0
) -> Bits:
    """One number for every position of recorded games, up to symmetry, with the colour to move.

    Row `p` has the positions of all games after `p` moves, the forced passes that follow included; 0 where a
    game has ended before, or its next move is illegal. The first row is that of the start.

    >>> prints = fingerprints([[37, 43], [44, 29]])  # f5 d6 and e6 f4: the same opening, mirrored
    >>> prints.shape, bool((prints[:, 0] == prints[:, 1]).all())
    ((3, 2), True)
    """
    core, size = _core(size, threads)
    if encoding not in ("squares", "wthor"):
        raise OthellierError(f"encoding {encoding!r}: squares or wthor expected")
    rows = _array(moves, np.uint8, "moves", ndim=2)
    count, width = rows.shape
    prints = np.empty((width + 1, count), np.uint64)
    core.fingerprints(rows, width, encoding == "wthor", prints, *size, threads)
    return prints
