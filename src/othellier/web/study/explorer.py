"""What is known of an opening: its name, the book's values, other people's games and one's own.

`openings` knows all but the last, which the store has counted. Here it is put together for one position.
"""

from __future__ import annotations

from collections.abc import Mapping

from pydantic import BaseModel

from othellier.board import Color, Position
from othellier.geometry import STANDARD, square_name
from othellier.openings.explorer import Explorer, MoveStatistics
from othellier.web.contract.game_models import OpeningView
from othellier.web.play.opening_names import opening_view

__all__ = [
    "BookView",
    "Explored",
    "ExploredSquare",
    "Tally",
    "explore",
]


class Tally(BaseModel):
    """How games went after a move."""

    games: int = 0
    black: int = 0
    draws: int = 0
    white: int = 0


class BookView(BaseModel):
    """What the book says of a move, for the side to move."""

    score: float
    exact: bool
    win: float
    draw: float


class ExploredSquare(BaseModel):
    """What is known of one legal move."""

    square: str
    opening: OpeningView | None
    book: BookView | None
    database: Tally | None
    own: Tally | None


class Explored(BaseModel):
    """What is known of a position."""

    moves: str
    turn: Color
    opening: OpeningView | None
    squares: list[ExploredSquare]
    book: bool
    database: bool


# -- names


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
