"""Books out of games and games out of books.

A book made of games counts: the value of a position is the mean result of the games that pass through it (the
theoretical one where the record has it), its odds are their shares, and its confidence is 0, since nobody has
searched. Games made of a book are its lines, each to its end, with the values written beside the moves.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import numpy.typing as npt

from othellier import batch
from othellier.batch import NO_MOVE, Bits
from othellier.errors import ConfigError
from othellier.games.game import Evaluation, Game, GameNode
from othellier.openings.book import Book, Entry
from othellier.openings.games import UNKNOWN, GameCollection
from othellier.openings.keys import PositionKey, key_of
from othellier.rules import native
from othellier.rules.board import after, past_pass
from othellier.rules.geometry import PASS
from othellier.rules.symmetry import canonical

__all__ = ["from_games", "to_games"]


def from_games(games: GameCollection, plies: int = 20, least: int = 2, date: int = 0, first: int = 0) -> Book:
    """The positions that at least so many games reach after `first` to `plies` moves; games without a result say
    nothing.
    """
    if plies < 0 or least < 1:
        raise ConfigError("a book of games needs plies from 0 on and at least 1 game a position")
    table = games.table[games.table["score"] != UNKNOWN]
    start = native.start()
    player = np.full(len(table), start.player, np.uint64)
    opponent = np.full(len(table), start.opponent, np.uint64)
    sign = np.ones(len(table), np.int64)  # 1 where Black is to move
    entries: dict[PositionKey, Entry] = {}
    for ply in range(min(plies, 59) + 1):
        if ply >= first:
            entries |= _counted(player, opponent, sign, table, least)
        going = table["moves"][:, ply] != NO_MOVE
        table, player, opponent, sign = table[going], player[going], opponent[going], -sign[going]
        player, opponent = batch.play(player, opponent, table["moves"][:, ply])
        passes = (batch.moves(player, opponent) == 0) & (batch.moves(opponent, player) != 0)
        player, opponent = np.where(passes, opponent, player), np.where(passes, player, opponent)
        sign[passes] *= -1
    return Book.make(entries, date)


def _counted(
    player: Bits, opponent: Bits, sign: npt.NDArray[np.int64], table: npt.NDArray[np.void], least: int
) -> dict[PositionKey, Entry]:
    """What the games say of the positions they have come to, one a game."""
    player, opponent = canonical(player, opponent)
    order = np.lexsort((opponent, player))
    player, opponent, sign, table = player[order], opponent[order], sign[order], table[order]
    new = (player[1:] != player[:-1]) | (opponent[1:] != opponent[:-1])
    firsts = np.flatnonzero(np.concatenate([np.ones(min(1, len(table)), bool), new]))
    score = sign * table["score"]
    theory = np.where(table["theory"] == UNKNOWN, score, sign * table["theory"])
    number = np.diff(firsts, append=len(table))
    sums = (np.add.reduceat(column, firsts) if len(firsts) else firsts for column in (theory, score > 0, score == 0))
    value, win, draw = (column / np.maximum(number, 1) for column in sums)
    columns = (player[firsts], opponent[firsts], np.clip(np.round(value), -64, 64).astype(np.int64), win, draw, number)
    rows = zip(*(column.tolist() for column in columns), strict=True)
    return {
        (mine, theirs): Entry(value, 0, win, draw) for mine, theirs, value, win, draw, count in rows if count >= least
    }


def to_games(book: Book, width: float = 0.0) -> Iterator[Game]:
    """The lines of a book from the start: at each step the moves within `width` discs of the best.

    Where lines meet, only the first goes on. The values stand beside the moves.
    """
    seen: set[PositionKey] = set()
    stack: list[tuple[int, ...]] = [()]
    while stack:
        moves = stack.pop()
        game = Game.from_moves(moves)
        position = past_pass(game.end.position)
        known = book.moves(position)
        following = []
        for move, entry in known:
            key = key_of(after(position, move))
            if known[0].entry.value - entry.value <= width and key not in seen:
                seen.add(key)
                following.append((*moves, move))
        if following:
            stack += reversed(following)
        elif moves:
            for node in game.main_line():
                node.evaluation = _evaluation(book, node)
            yield game


def _evaluation(book: Book, node: GameNode) -> Evaluation | None:
    entry = None if node.move == PASS else book.get(node.position)
    if entry is None:
        return None
    return Evaluation(float(-entry.value), entry.is_exact, None if entry.is_exact else entry.confidence, text="book")
