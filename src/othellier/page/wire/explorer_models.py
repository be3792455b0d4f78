"""What the explorer answers: a position's moves, the engine's values, model games, openings by name."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field, StringConstraints

from othellier.page.wire.game_models import OpeningView
from othellier.rules.board import Color

Sort = Literal["newest", "oldest", "black", "white"]


class NamedOpening(OpeningView):
    """A named opening with the board it leads to."""

    board: str


class OpeningList(BaseModel):
    """The named openings."""

    openings: list[NamedOpening]
    balanced: bool


class ResultCounts(BaseModel):
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


class BookChoice(BaseModel):
    """A book by its name, which is empty for the one that comes with the program."""

    name: str
    chosen: bool


class BooksView(BaseModel):
    """The books there are, how many positions the one in use has, and what is wrong with the one asked for."""

    books: list[BookChoice]
    positions: int | None
    message: str
    may_change: bool


class BookChosen(BaseModel):
    """The book to use from now on."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    name: Annotated[str, StringConstraints(max_length=200)]


class ExploredSquare(BaseModel):
    """What is known of one legal move, and of those that are the same up to symmetry."""

    square: str
    same: list[str]
    opening: OpeningView | None
    book: BookView | None
    database: ResultCounts | None
    own: ResultCounts | None


class Explored(BaseModel):
    """What is known of a position."""

    moves: str
    turn: Color
    opening: OpeningView | None
    squares: list[ExploredSquare]
    book: bool
    database: bool


class EngineValue(BaseModel):
    """What the engine thinks of a move that is in no book, for the side to move."""

    square: str
    score: float
    depth: int
    exact: bool


class EngineValues(BaseModel):
    """Its values for all such moves."""

    values: list[EngineValue]


class ModelGame(BaseModel):
    """A game of the database through a position."""

    number: int
    black: str
    white: str
    year: int
    """0 where nobody has written it down."""
    tournament: str
    score: int | None
    """Disc difference for Black."""
    following: str
    """What was played from the position, as it stands on the board; empty where the game ended there."""


class ModelGames(BaseModel):
    """Some games through a position, and how many there are."""

    games: list[ModelGame]
    total: int


class ModelAsked(BaseModel):
    """A game of the database to be opened, at a node of a game or after moves from the start."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    number: Annotated[int, Field(ge=0)]
    moves: Annotated[str, StringConstraints(max_length=1000, pattern=r"^[A-Za-z0-9-]*$")] = ""


class ModelOpened(BaseModel):
    """Where it is now: its id in the library, and the node."""

    game: str
    node: str
