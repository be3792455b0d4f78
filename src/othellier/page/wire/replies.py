"""What the library, the explorer and the program itself answer, typed; answers about a game are in `game_models`."""

from __future__ import annotations

from typing import Annotated, Any

from pydantic import BaseModel, Field

from othellier.page.wire.game_models import Discs, ErrorView, Legal, OpeningView, Summary
from othellier.page.wire.library_models import CollectionView
from othellier.rules.board import Color


class TagCount(BaseModel):
    """A tag and how many games have it."""

    tag: str
    games: int


class Library(BaseModel):
    """Games found."""

    games: list[Summary]
    total: int
    tags: list[TagCount]
    collections: list[CollectionView]
    damaged: list[str]
    """Games that could not be read any more, and were set aside."""


class BadMoveView(BaseModel):
    """A move of a transcript that cannot be played, and those before it."""

    number: int
    move: str
    why: str
    good: str


class RecordProblem(BaseModel):
    """A game that could not be read."""

    where: str
    reason: str
    move: BadMoveView | None = None
    """Where it is a transcript: the move that cannot be played."""


class Imported(BaseModel):
    """What an import brought."""

    games: list[Summary]
    imported: int
    errors: list[RecordProblem]
    failed: int


class JobView(BaseModel):
    """How far an import has come, or the analysis of many games; at its end, what it brought or what went wrong."""

    job: str
    done: bool
    progress: float
    games: int
    failed: int
    left_out: list[Summary] = []
    """Of many games to analyse, those that were gone or damaged when their turn came."""
    result: Imported | None = None
    error: ErrorView | None = None


class PositionView(BaseModel):
    """A position that can be played."""

    ok: bool
    board: str
    turn: Color
    discs: Discs
    legal: list[Legal]
    over: bool
    must_pass: Annotated[bool, Field(serialization_alias="pass")]


class DatabaseView(BaseModel):
    """Other people's games: how many there are, files handed in, what went wrong, whether one may change it."""

    games: int
    added: int
    loading: bool
    message: str
    may_change: bool


class CardView(BaseModel):
    """A question of the drill: what does one play here?"""

    card: str
    moves: str
    board: str
    turn: Color
    last: str | None
    legal: list[Legal]
    opening: OpeningView | None


class DrillView(BaseModel):
    """How well a repertoire is known, and what to ask next; nothing where nothing is due."""

    cards: int
    due: int
    learnt: int
    card: CardView | None


class DrillAnswer(BaseModel):
    """Whether an answer was right, what would have been, and when the card comes back."""

    right: bool
    answers: list[str]
    box: int
    due: str


class LanguageView(BaseModel):
    """A language and what it calls itself."""

    code: str
    name: str


class Languages(BaseModel):
    """The languages there are, and the one asked for at the start."""

    languages: list[LanguageView]
    default: str | None


class LevelView(BaseModel):
    """A level of play."""

    level: str
    book_moves: int
    depth: int
    win_empties: int
    exact_empties: int
    human: bool
    """Whether it plays as people do."""
    rating: int | None
    """Elo, where it was measured: random moves have 0."""


class OptionView(BaseModel):
    """An option of a player string."""

    name: str
    expected: str
    default: str


class PlayerKind(BaseModel):
    """A player of the laboratory."""

    name: str
    summary: str
    example: str
    options: list[OptionView]


class PlayersView(BaseModel):
    """Whom one may play against."""

    levels: list[LevelView]
    default: str
    players: list[PlayerKind]


class ProgramFacts(BaseModel):
    """Which program this is."""

    version: str
    core: str | None
    python: str
    license: str


class EngineFacts(BaseModel):
    """What thinks."""

    present: bool
    searchers: int
    threads: int
    hash_mb: int
    speed: int | None


class SourceRow(BaseModel):
    """Games that were learnt from."""

    source: str
    games: int


class ErrorRow(BaseModel):
    """Mean errors in discs with so many empty squares, of the patterns and of the value network, and how often the
    policy network finds the move.
    """

    empties: int
    mae: float
    network: float | None = None
    policy: float | None = None


class MatchRow(BaseModel):
    """A match that the evaluation has played."""

    new: str
    old: str
    games: int
    wins: int
    draws: int
    losses: int
    elo: float | None


class NetworkFacts(BaseModel):
    """What values positions: its numbers, its patterns as squares, what it learnt from, how well it does."""

    name: str
    facts: dict[str, str]
    recipe: str = ""
    patterns: list[str] = []
    data: list[SourceRow] = []
    errors: list[ErrorRow] = []
    matches: list[MatchRow] = []


class BookRow(BaseModel):
    """The book's positions after so many moves."""

    moves: int
    positions: int
    exact: int
    least: int
    greatest: int


class BookFacts(BaseModel):
    """What the book holds."""

    present: bool
    facts: dict[str, str]
    by_moves: list[BookRow]


class FormatView(BaseModel):
    """A record format."""

    name: str
    endings: list[str]
    writes: bool


class TreesView(BaseModel):
    """Recorded searches, as `stepper.js` shows them."""

    trees: list[dict[str, Any]]


class Limits(BaseModel):
    """How much is allowed."""

    body: int
    file: int
    games: int
    nodes: int
    comment: int
    rate: float


class StoreFacts(BaseModel):
    """Whether games are kept."""

    ok: bool
    message: str


class Info(BaseModel):
    """About the program."""

    program: ProgramFacts
    engine: EngineFacts
    network: NetworkFacts
    book: BookFacts
    formats: list[FormatView]
    limits: Limits
    store: StoreFacts
    shared: bool
    language: str | None
