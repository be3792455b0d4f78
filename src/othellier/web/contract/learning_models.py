"""What the page is told when one learns: puzzles, what became of a move in one, and the profile of a player."""

from __future__ import annotations

from typing import Literal

from pydantic import BaseModel

from othellier.board import Color
from othellier.web.contract.game_models import Legal, ReasonView

__all__ = ["PuzzleAnswer", "PuzzleStep", "PuzzleTheme", "PuzzleThemeName", "PuzzleView", "PuzzlesView"]

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
