"""A game analysed: its moves judged, its players, phases and turning points, and what there is to learn from it."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from statistics import fmean
from typing import Any, get_args

from othellier.coach import drawing, words
from othellier.coach.judging import JudgedMove, black_score, line_name
from othellier.coach.scale import CHANCE_LIMITS, LABELS, PHASES, SAME, GamePhase, Label, winning_chance
from othellier.rules.board import Color, Position
from othellier.rules.geometry import square_name

__all__ = ["GameAnalysis", "MoveTotals", "PlayerTotals", "totals"]

NOTABLE = 3  # moves named as the best and as the worst of a game


@dataclass(frozen=True, slots=True)
class MoveTotals:
    """What some moves cost together."""

    moves: int
    loss: float
    """Discs."""
    accuracy: float | None
    """In per cent; None where nothing was to be chosen. Only 100 if nothing at all was given away."""

    def as_dict(self) -> dict[str, Any]:
        """In plain values."""
        told = None if self.accuracy is None else min(round(self.accuracy, 1), 99.9 if self.loss else 100.0)
        return {"moves": self.moves, "loss": self.loss, "accuracy": told}


@dataclass(frozen=True, slots=True)
class PlayerTotals(MoveTotals):
    """A player's moves together, by label and by phase.

    >>> import othellier
    >>> totals = othellier.analyze("f5f6e6", "2/2").players["black"]
    >>> totals.moves, sum(totals.labels.values()), list(totals.phases)
    (2, 2, ['opening', 'middle', 'end'])
    """

    labels: dict[Label, int]
    phases: dict[GamePhase, MoveTotals]

    @property
    def weakest(self) -> GamePhase | None:
        """The phase in which most was given away; None where nothing was."""
        known = {phase: part.accuracy for phase, part in self.phases.items() if part.accuracy is not None and part.loss}
        return min(known, key=known.__getitem__, default=None)

    def as_dict(self) -> dict[str, Any]:
        """In plain values."""
        phases = {phase: part.as_dict() for phase, part in self.phases.items()}
        return MoveTotals.as_dict(self) | {"labels": self.labels, "phases": phases, "weakest": self.weakest}


def _best(moves: Iterable[JudgedMove]) -> list[JudgedMove]:
    found = [move for move in moves if move.label == "best" and (move.margin or 0.0) >= SAME]
    return sorted(found, key=lambda move: -(move.margin or 0.0))[:NOTABLE]


def _worst(moves: Iterable[JudgedMove]) -> list[JudgedMove]:
    bad = [move for move in moves if move.label not in ("forced", "best", "good")]
    return sorted(bad, key=lambda move: (move.accuracy or 0.0, move.ply))[:NOTABLE]


def _parts(moves: Iterable[JudgedMove]) -> tuple[int, float, float | None]:
    kept = list(moves)
    chosen = [move.accuracy for move in kept if move.accuracy is not None]
    return len(kept), sum(move.loss for move in kept), fmean(chosen) if chosen else None


def totals(moves: Iterable[JudgedMove]) -> PlayerTotals:
    """Moves together; those without a choice count as moves, not as merit."""
    kept = list(moves)
    names = [move.label for move in kept]
    labels = {label: names.count(label) for label in LABELS if label in names}
    phases = {phase: MoveTotals(*_parts(move for move in kept if move.phase == phase)) for phase in PHASES}
    return PlayerTotals(*_parts(kept), labels, phases)


@dataclass(frozen=True, slots=True, repr=False)
class GameAnalysis:
    """A line of moves judged, or as far as that has come. In a notebook it shows itself.

    >>> import othellier
    >>> analysis = othellier.analyze("f5d6c3d3c4", level="quick")
    >>> [move.label for move in analysis.moves][:2]
    ['best', 'best']
    """

    start: Position
    line: tuple[int, ...]
    """All moves of the line, passes included."""
    level: str
    moves: tuple[JudgedMove, ...] = ()
    """The moves judged, in the order they were played; passes are not."""
    done: bool = False
    black: str = ""
    white: str = ""
    """The players' names, where they are known."""

    def __post_init__(self) -> None:
        object.__setattr__(self, "moves", tuple(sorted(self.moves, key=lambda move: move.ply)))

    # -- what it says

    @property
    def players(self) -> dict[Color, PlayerTotals]:
        """What each player's moves cost."""
        return {color: totals(move for move in self.moves if move.color == color) for color in get_args(Color)}

    @property
    def mistakes(self) -> list[JudgedMove]:
        """The moves to learn from."""
        return [move for move in self.moves if move.is_mistake]

    @property
    def turning_points(self) -> list[JudgedMove]:
        """The moves by which the player who was ahead, or level, fell behind, or let a proven win slip to a draw."""
        found = []
        for move in self.moves:
            before = move.win + move.lost_chance
            slipped = move.exact and before > 0.5 == move.win
            if move.lost_chance >= CHANCE_LIMITS["inaccuracy"] and (slipped or before >= 0.5 > move.win):
                found.append(move)
        return found

    @property
    def turning_point(self) -> JudgedMove | None:
        """The move that decided the game: the last by which a lead was lost, or the costliest one."""
        if points := self.turning_points:
            return points[-1]
        worst = max(self.moves, key=lambda move: move.lost_chance, default=None)
        return worst if worst is not None and worst.lost_chance >= CHANCE_LIMITS["mistake"] else None

    @property
    def best_moves(self) -> list[JudgedMove]:
        """The moves that mattered most: better than every other, and by how much. The greatest difference first."""
        return _best(self.moves)

    @property
    def worst_moves(self) -> list[JudgedMove]:
        """The moves that cost most, the worst first."""
        return _worst(self.moves)

    @property
    def points(self) -> list[tuple[str, float, float]]:
        """The graph: of every position its name, Black's score and Black's winning chance."""
        size = self.start.size
        told = []
        if self.moves:
            first = self.moves[0]  # the value of the position before it is that of its best move
            score = black_score(first.best_score, first.color)
            chance = winning_chance(score, self.start.empties, first.exact)
            told.append((line_name(self.line[: first.ply], size), score, chance))
        for move in self.moves:
            chance = move.win if move.color == "black" else 1 - move.win
            told.append((self.name_of(move), black_score(move.score, move.color), chance))
        return told

    def name_of(self, move: JudgedMove) -> str:
        """The position after a move, by the moves that lead there."""
        return line_name(self.line[: move.ply + 1], self.start.size)

    def position(self, move: JudgedMove) -> Position:
        """The position in which a move was played."""
        position = self.start
        for played in self.line[: move.ply]:
            position = position.play(played)
        return position

    def explain(self, move: JudgedMove, language: str = "en") -> list[str]:
        """Why a move was worse than the best one, in sentences."""
        size = self.start.size
        played, best = square_name(move.move, size), square_name(move.best, size)
        return [words.sentence(reason, size, played, best, language) for reason in move.reasons]

    def turned(self, seen: Callable[[int], int], start: Position) -> GameAnalysis:
        """The same through a symmetry of the board, from the start as it is seen there."""
        moves = tuple(move.turned(seen) for move in self.moves)
        return replace(self, start=start, line=tuple(map(seen, self.line)), moves=moves)

    # -- as others want it

    def as_dict(self) -> dict[str, Any]:
        """All of it in plain values: what the page is sent and `othellier analyze --save` writes."""
        size = self.start.size
        turning = self.turning_point
        return {
            "level": self.level,
            "done": self.done,
            "moves": [move.as_dict(self.line, size) for move in self.moves],
            "players": {color: player.as_dict() | self._notable(color) for color, player in self.players.items()},
            "graph": [{"node": node, "black": score, "win": round(chance, 4)} for node, score, chance in self.points],
            "mistakes": [self._mistake(move) for move in self.mistakes],
            "turning_points": [self.name_of(move) for move in self.turning_points],
            "turning_point": None if turning is None else self.name_of(turning),
            **self._notable(),
        }

    def _notable(self, color: Color | None = None) -> dict[str, list[str]]:
        """The best and the worst moves of a side, or of both."""
        moves = [move for move in self.moves if color in (None, move.color)]
        return {
            "best_moves": [self.name_of(move) for move in _best(moves)],
            "worst_moves": [self.name_of(move) for move in _worst(moves)],
        }

    def _mistake(self, move: JudgedMove) -> dict[str, Any]:
        size = self.start.size
        told = move.as_dict(self.line, size)
        kept = {name: told[name] for name in ("color", "best", "loss", "chance_loss", "label", "pv", "reasons")}
        before = line_name(self.line[: move.ply], size)
        return {"node": before, "played": told["move"], "squares": move.alternatives(size), **kept}

    def plot(self) -> drawing.Picture:
        """The score over the game as a drawing: shown by notebooks, saved by `.save("game.svg")`."""
        return drawing.graph(self)

    def _repr_html_(self) -> str:
        return drawing.page(self)

    def __str__(self) -> str:
        return "\n".join(words.report(self))

    def __repr__(self) -> str:
        known = {color: total.accuracy for color, total in self.players.items() if total.accuracy is not None}
        shares = "".join(f", {color} {share:.0f} %" for color, share in known.items())
        return f"<GameAnalysis of {len(self.moves)} moves, {self.level}{shares}>"
