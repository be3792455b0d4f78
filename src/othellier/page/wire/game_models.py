"""What the server says, typed: the shapes of its answers and events, as docs/api.md shows them.

Only fields that were set are sent. How a session becomes one of these is the business of `play.state_view`.
"""

from __future__ import annotations

from typing import Any, Literal

from pydantic import BaseModel, ConfigDict

from othellier.coach.scale import GamePhase, Label
from othellier.rules.board import Color


class _Shape(BaseModel):
    model_config = ConfigDict(extra="forbid")


class ErrorView(_Shape):
    """What went wrong."""

    code: str
    message: str
    data: dict[str, str | int | float] = {}


class ErrorBody(_Shape):
    """The body of every answer that is an error."""

    error: ErrorView


class SizeView(_Shape):
    """Rows and columns."""

    rows: int
    columns: int


class Discs(_Shape):
    """How many discs each side has."""

    black: int
    white: int


class PlayerView(_Shape):
    """Who plays one side."""

    kind: Literal["human", "level", "player"]
    label: str
    name: str = ""
    level: str = ""
    spec: str = ""


class Legal(_Shape):
    """A move that may be played, and what it turns over."""

    square: str
    flips: list[str]


class Last(_Shape):
    """The move that led here, and who had to pass after it."""

    square: str
    color: Color
    flips: list[str]
    passed: Color | None = None


class ResultView(_Shape):
    """How a game ended, in discs for Black."""

    black: float
    winner: Color | None
    reason: str


class ClockView(_Shape):
    """Seconds left."""

    black: float
    white: float
    increment: float
    running: Color | None


class OpeningView(_Shape):
    """An opening's names and moves."""

    id: str
    en: str
    fr: str
    moves: str = ""
    left: bool = False


class Can(_Shape):
    """Which buttons make sense."""

    undo: bool
    redo: bool
    back: bool
    forward: bool
    resign: bool
    swap: bool


class Eval(_Shape):
    """What a move is worth."""

    black: float
    exact: bool
    depth: int | None = None
    pv: list[str] = []
    text: str = ""
    win: float
    draw: float


class NodeView(_Shape):
    """A move of the tree; the first child continues the main line."""

    id: str
    move: str = ""
    color: Color | None = None
    ply: int = 0
    comment: str = ""
    eval: Eval | None = None
    seconds: float | None = None
    nodes: int | None = None
    label: Label | None = None
    loss: float | None = None
    children: list[NodeView] = []


class Thinking(_Shape):
    """How far a machine has come with its move; without a colour, that none thinks."""

    color: Color | None = None
    node: str = ""
    depth: int = 0
    of: int = 0
    black: float | None = None
    exact: bool = False
    pv: list[str] = []
    nodes: int = 0
    seconds: float = 0.0
    queued: bool = False


class MarksView(_Shape):
    """Circles and arrows."""

    circles: list[str]
    arrows: list[tuple[str, str]]


class ReasonView(_Shape):
    """Why a move was bad."""

    code: str
    data: dict[str, Any]


class SquareValue(_Shape):
    """What a square is worth to the side to move."""

    square: str
    score: float
    exact: bool
    depth: int
    pv: list[str]
    source: str
    win: float
    draw: float
    loss: float
    label: Label | None = None
    reasons: list[ReasonView] = []


class HintView(_Shape):
    """The best move here; a move of the book may come without a score."""

    node: str
    turn: Color
    square: str
    score: float | None
    exact: bool
    depth: int
    pv: list[str]
    source: str
    win: float | None
    draw: float | None


class ValuesView(_Shape):
    """What every legal square is worth, as far as is known."""

    node: str
    turn: Color
    depth: int
    done: bool
    best: str
    squares: list[SquareValue]


class TriedSquare(_Shape):
    """A move that could have been played instead of a mistake."""

    square: str
    score: float
    loss: float
    good: bool


class MoveView(_Shape):
    """One move judged; `score` and `best_score` are its own side's, `black` and `win` are Black's after it."""

    node: str
    ply: int
    color: Color
    move: str
    score: float
    black: float
    exact: bool
    depth: int
    win: float
    loss: float
    chance_loss: float
    label: Label
    phase: GamePhase
    best: str
    best_score: float
    margin: float | None
    pv: list[str]
    line: list[str]
    reasons: list[ReasonView]


class MistakeView(_Shape):
    """A move to learn from, at the node where it was played."""

    node: str
    played: str
    color: Color
    best: str
    loss: float
    chance_loss: float
    label: Label
    pv: list[str]
    squares: list[TriedSquare]
    reasons: list[ReasonView]


class PhaseView(_Shape):
    """A player's moves in one third of the game."""

    moves: int
    loss: float
    accuracy: float | None


class PlayerMoves(_Shape):
    """A player's moves in the whole game."""

    moves: int
    loss: float
    accuracy: float | None
    labels: dict[Label, int]
    phases: dict[GamePhase, PhaseView]
    weakest: GamePhase | None
    best_moves: list[str]
    worst_moves: list[str]


class Point(_Shape):
    """A point of the graph: Black's score and chance after a move."""

    node: str
    black: float
    win: float


class AnalysisView(_Shape):
    """A game analysed, or as far as it has come."""

    level: str
    done: bool
    moves: list[MoveView]
    players: dict[Color, PlayerMoves]
    graph: list[Point]
    mistakes: list[MistakeView]
    turning_points: list[str]
    turning_point: str | None
    best_moves: list[str]
    worst_moves: list[str]


class Failure(_Shape):
    """A machine that gave no legal move; the game waits until another player takes its side or it is asked again."""

    color: Color
    reason: str


class GameState(_Shape):
    """A running game as a tab shows it."""

    game: str
    revision: int
    title: str
    tags: list[str]
    created: str
    size: SizeView
    players: dict[Color, PlayerView]
    ponder: bool
    book: bool
    node: str
    live: str
    main: bool
    board: str
    turn: Color
    discs: Discs
    ply: int
    legal: list[Legal]
    last: Last | None
    playing: bool
    your_turn: bool
    over: bool
    result: ResultView | None
    clock: ClockView | None
    opening: OpeningView | None
    forced: list[str]
    can: Can
    values_on: bool
    follows: bool
    thinking: Thinking | None
    failed: Failure | None
    marks: MarksView
    saved: bool
    analysis: AnalysisView | None = None
    tree: NodeView | None = None


class Summary(_Shape):
    """A game in the library."""

    game: str
    title: str
    black: str
    white: str
    size: str
    moves: int
    result: ResultView | None
    created: str
    used: str
    tags: list[str]
    opening: OpeningView | None
    transcript: str
    board: str
    """Where it ended, or has come to; empty where that cannot be read."""
    date: str
    """When it was played, as its record has it."""
    source: Literal["played", "imported"]
    accuracy: dict[Color, float | None] | None = None
    """Of both players, where the game has been analysed."""
    deleted: bool
