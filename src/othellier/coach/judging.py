"""One move judged: what it was worth, what it gave away, what was better and why."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal, Protocol

from othellier.coach.reasons import Reason, reasons
from othellier.coach.scale import LEARNT, SAME, GamePhase, Label, accuracy, label_for, phase_of, winning_chance
from othellier.engine.engine import Analysis as Options
from othellier.errors import ConfigError
from othellier.games.results import Limit, Result, Stop
from othellier.records.transcript import format_moves
from othellier.rules.board import Color, Position
from othellier.rules.geometry import Size, square_name

__all__ = [
    "EFFORTS",
    "AnalysisLevel",
    "Analyst",
    "Effort",
    "JudgedMove",
    "black_score",
    "effort_of",
    "judge",
    "judged",
    "line_name",
]

AnalysisLevel = Literal["quick", "normal", "deep"]


@dataclass(frozen=True, slots=True)
class Effort:
    """How far to look at every position of a game."""

    depth: int
    """Plies."""
    exact: int
    """Empty squares from which everything is solved."""

    def __post_init__(self) -> None:
        if self.depth < 1 or self.exact < 0:
            raise ConfigError(
                f"analysis to depth {self.depth}, exact from {self.exact} empty squares: 1 and 0 are the least"
            )

    def limit(self, position: Position, stop: Stop | None = None) -> Limit:
        """The limit of a search of this position. It has no time in it: the answer is the same on every machine."""
        return Limit(depth=position.size.squares if position.empties <= self.exact else self.depth, stop=stop)


EFFORTS: dict[AnalysisLevel, Effort] = {"quick": Effort(6, 16), "normal": Effort(10, 20), "deep": Effort(14, 22)}


def effort_of(level: str) -> Effort:
    """The effort of a level, or of `DEPTH/EXACT`.

    >>> effort_of("normal"), effort_of("12/18")
    (Effort(depth=10, exact=20), Effort(depth=12, exact=18))
    """
    for name, effort in EFFORTS.items():
        if name == level:
            return effort
    depth, _, exact = level.partition("/")
    if depth.isdecimal() and exact.isdecimal():
        return Effort(int(depth), int(exact))
    raise ConfigError(f"analysis level {level!r}: there are {', '.join(EFFORTS)}, or DEPTH/EXACT such as 12/18")


class Analyst(Protocol):
    """Whoever values all moves of a position: the engine."""

    def analyze(self, position: Position, limit: Limit) -> Options:
        """Every legal move with its value, best first."""


@dataclass(frozen=True, slots=True)
class JudgedMove:
    """One move judged; scores and chances are those of the side that made it.

    >>> import othellier
    >>> first, second = othellier.analyze("f5f6", "2/2").moves
    >>> first.color, first.label, second.color, second.loss >= 0
    ('black', 'best', 'white', True)
    """

    ply: int
    """How many moves were played before it, passes included."""
    color: Color
    move: int
    best: int
    score: float
    """What the move is worth."""
    loss: float
    """Discs given away."""
    exact: bool
    depth: int
    win: float
    """The winning chance after it, a draw counting half."""
    lost_chance: float
    label: Label
    phase: GamePhase
    pv: tuple[int, ...]
    """The line of best play, the best move first."""
    line: tuple[int, ...]
    """The line expected after the move that was played, that move first."""
    margin: float | None
    """How many discs the best move is better than the next; None where there is no other."""
    options: tuple[tuple[int, float], ...]
    """Every legal move with its score, best first."""
    reasons: tuple[Reason, ...] = ()
    """Why it is worse than the best move, the weightiest first; none where it is not."""

    @property
    def best_score(self) -> float:
        """What the best move is worth."""
        return self.score + self.loss

    @property
    def accuracy(self) -> float | None:
        """How well it was chosen, in per cent; None where there was no choice."""
        return None if self.label == "forced" else accuracy(self.loss, self.lost_chance)

    @property
    def is_mistake(self) -> bool:
        """Whether there is something to learn from it."""
        return self.label in LEARNT

    def turned(self, seen: Callable[[int], int]) -> JudgedMove:
        """The same through a symmetry of the board."""
        return replace(
            self,
            move=seen(self.move),
            best=seen(self.best),
            pv=tuple(map(seen, self.pv)),
            line=tuple(map(seen, self.line)),
            options=tuple((seen(square), score) for square, score in self.options),
            reasons=tuple(reason.turned(seen) for reason in self.reasons),
        )

    def as_dict(self, line: Sequence[int], size: Size) -> dict[str, Any]:
        """The move in plain values, as the page and the command line tell it; `line` are all moves of the game.

        Its `score` and `best_score` are its own side's, `black` and `win` are Black's.
        """
        mine = self.color == "black"
        return {
            "node": line_name(line[: self.ply + 1], size),
            "ply": self.ply + 1,
            "color": self.color,
            "move": square_name(self.move, size),
            "score": self.score,
            "black": black_score(self.score, self.color),
            "exact": self.exact,
            "depth": self.depth,
            "win": round(self.win if mine else 1 - self.win, 4),
            "loss": self.loss,
            "chance_loss": round(self.lost_chance, 4),
            "label": self.label,
            "phase": self.phase,
            "best": square_name(self.best, size),
            "best_score": self.best_score,
            "margin": self.margin,
            "pv": [square_name(move, size) for move in self.pv],
            "line": [square_name(move, size) for move in self.line],
            "reasons": [{"code": reason.code, "data": reason.data(size)} for reason in self.reasons],
        }

    def alternatives(self, size: Size) -> list[dict[str, Any]]:
        """Every legal move in plain values: what it is worth, and whether it would have been right."""
        top = self.best_score
        return [
            {"square": square_name(move, size), "score": score, "loss": top - score, "good": top - score < SAME}
            for move, score in self.options
        ]


def line_name(moves: Sequence[int], size: Size) -> str:
    """How a position is reached from the start: `f5d6--c3`, with `--` for a pass."""
    return format_moves(moves, size).lower()


def black_score(score: float, color: Color) -> float:
    """A side's score as Black sees it, without a negative zero."""
    return (score if color == "black" else -score) + 0.0


def judge(
    analyst: Analyst, position: Position, move: int, ply: int, effort: Effort, stop: Stop | None = None
) -> JudgedMove:
    """Judge a move played in a position."""
    return judged(position, analyst.analyze(position, effort.limit(position, stop)), move, ply)


def judged(position: Position, options: Options, move: int, ply: int) -> JudgedMove:
    """The judgement of a move, by the values of all moves there, best first."""
    played = next(option for option in options if option.move == move)
    score, most = played.score or 0.0, options[0].score or 0.0
    best = played if score == most else options[0]  # of equals, the one that was chosen
    loss = max(0.0, most - score)
    win = _chance(played, position)
    lost = max(0.0, _chance(best, position) - win) if loss else 0.0
    label: Label = "forced" if len(options) == 1 else label_for(loss, lost)
    pv, line = best.pv or (best.move,), played.pv or (move,)
    exact = played.is_move_exact and best.is_exact
    told: list[Reason] = []
    if label not in ("forced", "best"):
        told = reasons(position, line, pv, score, best.depth, most if exact else None)
    return JudgedMove(
        ply=ply,
        color=position.turn,
        move=move,
        best=best.move,
        score=score,
        loss=loss,
        exact=exact,
        depth=played.depth,
        win=win,
        lost_chance=lost,
        label=label,
        phase=phase_of(position),
        pv=pv,
        line=line,
        margin=most - (options[1].score or 0.0) if len(options) > 1 else None,
        options=tuple((option.move, option.score or 0.0) for option in options),
        reasons=tuple(told),
    )


def _chance(result: Result, position: Position) -> float:
    return winning_chance(result.score or 0.0, position.empties, result.is_move_exact, result.depth)
