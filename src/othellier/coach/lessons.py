"""What there is to learn from analysed games: positions to be asked again, weak phases, frequent reasons."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from othellier.coach.analysis import GameAnalysis, PlayerTotals, totals
from othellier.coach.judging import JudgedMove
from othellier.coach.reasons import RESULTS
from othellier.coach.scale import SAME, GamePhase, Label
from othellier.rules.board import Color, Position

__all__ = ["Lessons", "Puzzle", "learn_from", "puzzles"]

CLEAR = 4.0
"""Discs by which the right answers must be better than every other: else the question is a matter of taste."""
STARS = (6.0, 12.0)
"""Discs between right and wrong from which a puzzle is of middling difficulty, and from which it is easy."""


@dataclass(frozen=True, slots=True)
class Puzzle:
    """A position with a right answer, from somebody's game."""

    position: Position
    answers: tuple[int, ...]
    """The moves that are right, the best first."""
    played: int
    """What was played there."""
    label: Label
    gap: float
    """Discs by which the right moves are better than the best of the others."""
    exact: bool
    """Whether the answer is proven."""
    phase: GamePhase
    themes: tuple[str, ...]
    """The codes of the reasons, the weightiest first: what it is about."""
    line: tuple[int, ...]
    """How best play goes on, the answer first."""

    @property
    def stars(self) -> int:
        """How hard it is, from 1 to 3: a small difference is harder to see than a large one."""
        return 3 - sum(self.gap >= limit for limit in STARS)


def puzzles(analysis: GameAnalysis, color: Color | None = None) -> Iterator[Puzzle]:
    """The mistakes of a game, of one side or of both, that have a clear answer.

    >>> import othellier
    >>> [puzzle.played for puzzle in puzzles(othellier.analyze("f5f6e6", "2/2"))]
    []
    """
    for move in analysis.mistakes:
        if color in (None, move.color):
            found = _puzzle(analysis, move)
            if found is not None:
                yield found


def _puzzle(analysis: GameAnalysis, move: JudgedMove) -> Puzzle | None:
    top = move.best_score
    right = tuple(square for square, score in move.options if top - score < SAME)
    wrong = [score for square, score in move.options if square not in right]
    if not wrong or top - max(wrong) < CLEAR:
        return None
    return Puzzle(
        position=analysis.position(move),
        answers=right,
        played=move.move,
        label=move.label,
        gap=top - max(wrong),
        exact=move.exact,
        phase=move.phase,
        themes=tuple(_causes(move)),
        line=move.pv,
    )


@dataclass(frozen=True, slots=True)
class Lessons:
    """What a player can learn from some games."""

    totals: PlayerTotals
    reasons: dict[str, int]
    """How often each reason stood first among those of a mistake, the most frequent first."""
    puzzles: tuple[Puzzle, ...]

    @property
    def weakest(self) -> GamePhase | None:
        """The phase in which most was given away."""
        return self.totals.weakest


def learn_from(games: Iterable[tuple[GameAnalysis, Color]]) -> Lessons:
    """Put together what a player did in some games, each with the colour the player had.

    >>> import othellier
    >>> learn_from([(othellier.analyze("f5f6e6", "2/2"), "black")]).totals.moves
    2
    """
    moves: list[JudgedMove] = []
    asked: list[Puzzle] = []
    for analysis, color in games:
        moves += [move for move in analysis.moves if move.color == color]
        asked += puzzles(analysis, color)
    first = Counter(next(_causes(move)) for move in moves if move.is_mistake and move.reasons)
    return Lessons(totals(moves), dict(first.most_common()), tuple(asked))


def _causes(move: JudgedMove) -> Iterator[str]:
    """The codes of a move's reasons, without what became of the game: there is always one that tells why."""
    return (reason.code for reason in move.reasons if reason.code not in RESULTS)
