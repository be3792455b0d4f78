"""What the moves of a game cost, judged by winning chances: losses, labels, accuracy, mistakes to learn from.

Searching is the engine's, words are the page's; here one position after another is judged and summed up.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from statistics import fmean
from typing import Literal, Protocol

from othellier.analysis import DEPTH, EXACT, Label, chance, label_for
from othellier.board import Color, Position
from othellier.coach.reasons import Reason, reasons
from othellier.engine import Analysis as Options
from othellier.results import Limit, Result

__all__ = [
    "DEPTHS",
    "Analysis",
    "AnalysisLevel",
    "Analyst",
    "Judgement",
    "Mistake",
    "Phase",
    "Summary",
    "accuracy",
    "judge",
    "limit_for",
    "phase_of",
    "summarise",
]

AnalysisLevel = Literal["quick", "normal", "deep"]
Phase = Literal["opening", "middle", "end"]

DEPTHS: dict[AnalysisLevel, tuple[int, int]] = {"quick": (6, 12), "normal": (DEPTH, EXACT), "deep": (14, 20)}
"""Plies searched, and empty squares from which everything is solved."""

SECONDS = 20.0  # for one position, whatever its level asks: one game must not hold up the others for ever
LEARNT = ("mistake", "blunder")
DECAY = math.log(2) / 0.15
"""Accuracy halves with every 15 % of winning chance given away."""


class Analyst(Protocol):
    """Whoever values all moves of a position: the engine."""

    def analyze(self, position: Position, limit: Limit) -> Options:
        """Every legal move with its value, best first."""


@dataclass(frozen=True, slots=True)
class Mistake:
    """A move to learn from: all that could be played there, and what was wrong with it."""

    squares: tuple[tuple[int, float], ...]
    reasons: tuple[Reason, ...]


@dataclass(frozen=True, slots=True)
class Judgement:
    """One move judged; scores and chances are those of the side that made it."""

    ply: int
    """How many moves were played before it, passes included."""
    color: Color
    move: int
    best: int
    score: float
    """What the move is worth."""
    loss: float
    exact: bool
    win: float
    lost_chance: float
    label: Label
    phase: Phase
    pv: tuple[int, ...]
    """The line of best play, the best move first."""
    mistake: Mistake | None = None


@dataclass(frozen=True, slots=True)
class Analysis:
    """The judgements of one line of moves, as far as they have come."""

    level: AnalysisLevel
    line: tuple[int, ...]
    """All moves of the line, passes included."""
    judgements: tuple[Judgement, ...] = ()
    done: bool = False

    def turned(self, seen: Callable[[int], int]) -> Analysis:
        """The same through a symmetry of the board."""
        return replace(
            self,
            line=tuple(map(seen, self.line)),
            judgements=tuple(_turned(judgement, seen) for judgement in self.judgements),
        )


def _turned(judgement: Judgement, seen: Callable[[int], int]) -> Judgement:
    mistake = judgement.mistake
    if mistake is not None:
        told = (
            replace(
                reason,
                squares=tuple((name, seen(square)) for name, square in reason.squares),
                region=tuple(map(seen, reason.region)),
            )
            for reason in mistake.reasons
        )
        mistake = Mistake(tuple((seen(square), score) for square, score in mistake.squares), tuple(told))
    pv = tuple(map(seen, judgement.pv))
    return replace(judgement, move=seen(judgement.move), best=seen(judgement.best), pv=pv, mistake=mistake)


# -- one move


def limit_for(level: AnalysisLevel, position: Position) -> Limit:
    """How far to look at a position."""
    depth, exact = DEPTHS[level]
    return Limit(depth=position.size.squares if position.empties <= exact else depth, time=SECONDS)


def phase_of(position: Position) -> Phase:
    """The third of the game a position is in, by its empty squares."""
    moves = position.size.squares - 4
    if position.empties > moves * 2 / 3:
        return "opening"
    return "middle" if position.empties > moves / 3 else "end"


def judge(analyst: Analyst, position: Position, move: int, ply: int, level: AnalysisLevel) -> Judgement:
    """Judge a move played in a position."""
    options = analyst.analyze(position, limit_for(level, position))
    played = next(option for option in options if option.move == move)
    return _judgement(position, options, played, ply)


def _judgement(position: Position, options: Options, played: Result, ply: int) -> Judgement:
    best = options[0]
    score, most = played.score or 0.0, best.score or 0.0
    loss = max(0.0, most - score)
    exact = played.is_exact
    best_chance = chance(most, position.empties, best.is_exact, best.depth)
    win = chance(score, position.empties, exact, played.depth)
    lost = max(0.0, best_chance - win) if loss else 0.0
    label: Label = "forced" if len(options) == 1 else label_for(loss, lost)
    mistake = None
    if label in LEARNT:
        told = reasons(position, played.pv or (played.move,), best.pv or (best.move,), score, best.depth)
        mistake = Mistake(tuple((option.move, option.score or 0.0) for option in options), tuple(told))
    pv = best.pv or (best.move,)
    phase = phase_of(position)
    return Judgement(
        ply, position.turn, played.move, best.move, score, loss, exact, win, lost, label, phase, pv, mistake
    )


# -- a player's moves together


@dataclass(frozen=True, slots=True)
class Summary:
    """What some moves cost together; the accuracy is None where nothing was to be chosen."""

    moves: int
    loss: float
    accuracy: float | None
    labels: dict[Label, int]


def accuracy(lost_chance: float) -> float:
    """How well a move was chosen, in per cent."""
    return 100 * math.exp(-DECAY * lost_chance)


def summarise(judgements: Iterable[Judgement]) -> Summary:
    """Sum up moves; those without a choice count as moves, not as merit."""
    kept = list(judgements)
    labels: dict[Label, int] = {}
    for judgement in kept:
        labels[judgement.label] = labels.get(judgement.label, 0) + 1
    chosen = [accuracy(judgement.lost_chance) for judgement in kept if judgement.label != "forced"]
    return Summary(len(kept), sum(judgement.loss for judgement in kept), fmean(chosen) if chosen else None, labels)
