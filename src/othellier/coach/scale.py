"""The one scale by which moves are called good or bad: its words, its limits, accuracy and phases.

A move gives away discs and winning chances. Each has limits of its own, and the worse of both words counts: a move
that costs ten discs is a mistake though the game be won anyway, and one that costs two discs is a blunder if they
were the game. docs/analysis.md tells where the numbers come from.
"""

from __future__ import annotations

import math
from typing import Literal, get_args

from othellier.evaluation.chances import chances
from othellier.rules.board import Position

__all__ = [
    "CHANCE_LIMITS",
    "DISC_LIMITS",
    "LABELS",
    "LEARNT",
    "PHASES",
    "SAME",
    "GamePhase",
    "Label",
    "accuracy",
    "label_for",
    "phase_of",
    "winning_chance",
]

Label = Literal["forced", "best", "good", "inaccuracy", "mistake", "blunder"]
GamePhase = Literal["opening", "middle", "end"]
LABELS: tuple[Label, ...] = get_args(Label)
"""From the only move to the worst."""
PHASES: tuple[GamePhase, ...] = get_args(GamePhase)

SAME = 0.5
"""Discs within which two moves are equally good: estimates are no finer, exact scores differ by two."""
DISC_LIMITS: dict[Label, float] = {"inaccuracy": 3.0, "mistake": 6.0, "blunder": 12.0}
"""Discs given away from which a move is called this at least."""
CHANCE_LIMITS: dict[Label, float] = {"inaccuracy": 0.05, "mistake": 0.10, "blunder": 0.20}
"""Winning chance given away from which a move is called this at least."""
LEARNT: tuple[Label, ...] = ("mistake", "blunder")
"""What is worth being asked again."""

HALF_DISCS, HALF_CHANCE = DISC_LIMITS["blunder"], CHANCE_LIMITS["blunder"]
"""What halves the accuracy of a move: so many discs, or so much winning chance."""


def label_for(loss: float, lost_chance: float) -> Label:
    """A word for what a move gave away, in discs and in winning chance.

    >>> label_for(2.0, 0.01), label_for(10.0, 0.0), label_for(2.0, 0.5)
    ('good', 'mistake', 'blunder')
    """
    if loss < SAME:
        return "best"
    for label in ("blunder", "mistake", "inaccuracy"):
        if loss >= DISC_LIMITS[label] or lost_chance >= CHANCE_LIMITS[label]:
            return label
    return "good"


def accuracy(loss: float, lost_chance: float) -> float:
    """How well a move was chosen, in per cent: 100 for nothing given away, less for every disc and every chance.

    >>> accuracy(0.0, 0.0), accuracy(12.0, 0.0), accuracy(0.0, 0.2)
    (100.0, 50.0, 50.0)
    """
    return 100 * math.exp2(-loss / HALF_DISCS - lost_chance / HALF_CHANCE)


def phase_of(position: Position) -> GamePhase:
    """The third of the game a position is in, by its empty squares.

    >>> from othellier import start
    >>> phase_of(start())
    'opening'
    """
    moves = position.size.squares - 4
    if position.empties > moves * 2 / 3:
        return "opening"
    return "middle" if position.empties > moves / 3 else "end"


def winning_chance(score: float, empties: int, exact: bool, depth: int | None = None) -> float:
    """The winning chance a score stands for, a draw counting half.

    >>> winning_chance(2, 10, exact=True), winning_chance(0, 10, exact=True)
    (1.0, 0.5)
    """
    win, draw = chances(score, empties, exact, depth)
    return win + draw / 2
