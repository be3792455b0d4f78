"""What is known of an opening: its name, the book's values, other people's games and one's own.

The openings room knows all but the last, which the store has counted. Here it is put together for one position.
"""

from __future__ import annotations

import random
import re
import unicodedata
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache

import numpy as np
from pydantic import BaseModel

from othellier.batch import Bits
from othellier.board import Color, Position
from othellier.errors import RequestError
from othellier.game import GameNode
from othellier.geometry import STANDARD, square_name
from othellier.openings import balanced, names
from othellier.openings.explorer import Explorer, MoveStatistics
from othellier.openings.games import fingerprint
from othellier.web.shapes import OpeningView

__all__ = [
    "BookView",
    "Explored",
    "ExploredSquare",
    "Tally",
    "balanced_moves",
    "explore",
    "named_moves",
    "opening_at",
    "opening_list",
    "openings_in",
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


@dataclass(frozen=True, slots=True)
class _Index:
    by_id: dict[str, names.Opening]
    ids: dict[tuple[int, ...], str]


@cache
def _index() -> _Index:
    """Readable names for links, made of the English ones; openings that share one get their moves besides."""
    by_id: dict[str, names.Opening] = {}
    for opening in names.openings():
        letters = unicodedata.normalize("NFKD", opening.name("en")).encode("ascii", "ignore").decode()
        word = re.sub(r"[^a-z0-9]+", "-", letters.lower()).strip("-")
        key = word if word and word not in by_id else f"{word}-{opening.transcript.lower()}".strip("-")
        by_id[key] = opening
    return _Index(by_id, {opening.moves: key for key, opening in by_id.items()})


def _view(opening: names.Opening, left: bool = False) -> OpeningView:
    return OpeningView(
        id=_index().ids[opening.moves],
        en=opening.name("en"),
        fr=opening.name("fr"),
        moves=opening.transcript.lower(),
        left=left,
    )


def opening_list() -> list[OpeningView]:
    """All named openings, by their moves."""
    return [_view(opening) for opening in names.openings()]


def opening_at(node: GameNode) -> OpeningView | None:
    """The last named opening on the way to a node."""
    if node.position.size != STANDARD:
        return None
    longest = _longest()
    last: names.Opening | None = None
    place = 0
    path = node.path()
    for number, step in enumerate(path[: longest + 1], 1):
        found = names.find(step.position)
        if found is not None:
            last, place = found, number
    return None if last is None else _view(last, left=place < len(path))


@cache
def _longest() -> int:
    """Moves of the longest named opening."""
    return max(len(opening.moves) for opening in names.openings())


@cache
def _by_print() -> dict[int, OpeningView]:
    return {fingerprint(opening.position): _view(opening) for opening in names.openings()}


def openings_in(prints: Bits) -> list[OpeningView | None]:
    """The last named opening of each of many games, a column of `paths.line_prints` each."""
    known = _by_print()
    longest = _longest()
    last: list[OpeningView | None] = [None] * prints.shape[1]
    rows = prints[1 : longest + 2]
    for row, column in zip(*np.nonzero(np.isin(rows, np.fromiter(known, np.uint64))), strict=True):  # row by row
        last[column] = known[int(rows[row, column])]
    return last


def named_moves(key: str) -> tuple[int, ...]:
    """The moves of a named opening."""
    opening = _index().by_id.get(key)
    if opening is None:
        raise RequestError("unknown_opening", f"there is no opening {key!r}")
    return opening.moves


def balanced_moves(rng: random.Random) -> tuple[int, ...]:
    """The moves of a balanced start drawn at random."""
    return balanced.sample(rng.getrandbits(32)).moves


# -- a position


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
        square.opening = _view(known.opening)
    if entry is not None:
        win, draw = round(entry.win, 4), round(entry.draw, 4)
        square.book = BookView(score=entry.value, exact=entry.is_exact, win=win, draw=draw)
    if played is not None and played.games:
        square.database = Tally(games=played.games, black=played.black, draws=played.draws, white=played.white)
    return square
