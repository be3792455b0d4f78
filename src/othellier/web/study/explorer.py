"""What is known of an opening: its name, the book's values, other people's games and one's own.

`openings` knows all but the last, which the store has counted. Here it is put together for one position.
"""

from __future__ import annotations

from collections.abc import Mapping

from othellier.board import Position
from othellier.geometry import STANDARD, square_name
from othellier.openings.explorer import Explorer, MoveStatistics
from othellier.web.contract.game_models import OpeningView
from othellier.web.contract.replies import BookView, Explored, ExploredSquare, Tally
from othellier.web.play.opening_names import opening_view

__all__ = ["explore"]


def explore(
    position: Position, moves: str, opening: OpeningView | None, own: Mapping[int, Tally], database: Explorer
) -> Explored:
    """All that is known of a position and its moves: those the book likes come first."""
    found: dict[int, MoveStatistics] = {}
    if position.size == STANDARD:
        found = {move: known for known in database.explore(position).moves for move in known.moves}
    squares = [_square(move, position, found.get(move), own.get(move)) for move in position.moves()]
    squares.sort(key=lambda square: (square.book is None, -(square.book.score if square.book else 0)))
    return Explored(
        moves=moves,
        turn=position.turn,
        opening=opening,
        squares=squares,
        book=database.book is not None,
        database=database.games is not None,
    )


def _square(move: int, position: Position, known: MoveStatistics | None, own: Tally | None) -> ExploredSquare:
    entry = None if known is None else known.entry
    played = None if known is None else known.statistics
    square = ExploredSquare(square=square_name(move, position.size), opening=None, book=None, database=None, own=own)
    if known is not None and known.opening is not None:
        square.opening = opening_view(known.opening)
    if entry is not None:
        win, draw = round(entry.win, 4), round(entry.draw, 4)
        square.book = BookView(score=entry.value, exact=entry.is_exact, win=win, draw=draw)
    if played is not None and played.games:
        square.database = Tally(games=played.games, black=played.black, draws=played.draws, white=played.white)
    return square
