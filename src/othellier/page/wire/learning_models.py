"""What the page is told when one learns: puzzles, what became of a move in one, and the profile of a player."""

from __future__ import annotations

from typing import Literal

from pydantic import BaseModel

from othellier.coach.scale import GamePhase
from othellier.page.wire.game_models import Legal, OpeningView, ReasonView
from othellier.rules.board import Color

PuzzleThemeName = Literal["corners", "x_squares", "quiet", "parity", "swindles", "win8", "own"]
"""The themes of the shipped puzzles, and one's own mistakes."""


class PuzzleTheme(BaseModel):
    """How far one has come with the puzzles of a theme."""

    theme: PuzzleThemeName
    puzzles: int
    solved: int
    due: int
    stars: int
    """Of three a puzzle."""


class PuzzleView(BaseModel):
    """A puzzle that is asked."""

    puzzle: str
    theme: PuzzleThemeName
    grade: int
    """From 1, easy, to 3."""
    turns: int
    """Moves to be found, at most."""
    board: str
    turn: Color
    legal: list[Legal]
    stars: int
    """Earned with it before."""
    played: str = ""
    """What was played there, in a game of one's own."""
    game: str = ""


class PuzzlesView(BaseModel):
    """All themes, and the next puzzle of the one asked for; `message` says why nothing can be remembered."""

    themes: list[PuzzleTheme]
    puzzle: PuzzleView | None
    message: str


class PuzzleStep(BaseModel):
    """A move of the other side, or a pass of either."""

    square: str
    color: Color
    board: str


class PuzzleAnswer(BaseModel):
    """What became of a move; board, turn and legal squares are those where it goes on."""

    right: bool
    done: bool
    steps: list[PuzzleStep]
    board: str
    turn: Color
    legal: list[Legal]
    over: bool
    best: str
    answers: list[str]
    score: float
    best_score: float
    exact: bool
    line: list[str]
    """What is expected after the move, that move first."""
    reasons: list[ReasonView]
    stars: int
    due: str
    """When it is asked again, as a date; empty while it is being solved."""
    message: str


# -- the profile


class ResultCount(BaseModel):
    """How games ended for a person."""

    games: int = 0
    wins: int = 0
    draws: int = 0
    losses: int = 0


class LevelRecord(ResultCount):
    """The games against a level."""

    level: str
    rating: int | None
    """Of the level."""


class OpeningRecord(ResultCount):
    """The games with an opening."""

    opening: OpeningView


class RatedGame(BaseModel):
    """A game, the rating after it, and how well it was played, where it was analysed."""

    game: str
    date: str
    level: str
    points: float
    rating: int | None
    accuracy: float | None


class PhaseRecord(BaseModel):
    """How well a phase of the game is played."""

    phase: GamePhase
    moves: int
    loss: float
    """Discs given away."""
    accuracy: float | None


class ReasonCount(BaseModel):
    """How often a reason stood first among those of a mistake."""

    code: str
    count: int


class ProfileView(BaseModel):
    """What a person's games against machines say; `message` tells what is wrong with the store."""

    results: ResultCount
    rating: int | None
    accuracy: float | None
    analysed: int
    """Games that were analysed."""
    levels: list[LevelRecord]
    history: list[RatedGame]
    phases: list[PhaseRecord]
    weakest: GamePhase | None
    openings: list[OpeningRecord]
    reasons: list[ReasonCount]
    solved: int
    """Puzzles."""
    stars: int
    message: str
