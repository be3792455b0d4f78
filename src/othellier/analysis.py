"""A whole game under the engine's eyes: what each move was worth, what it gave away, and one word for that.

The word goes by the winning chance that was given away, for every command and for the page alike. Accuracy and reasons
are the business of `coach`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Literal

from othellier.board import Color
from othellier.chances import chances
from othellier.engine import Analysis, Engine
from othellier.errors import ConfigError
from othellier.game import Game, GameNode
from othellier.geometry import PASS
from othellier.results import Limit, Result

__all__ = ["DEPTH", "EXACT", "SAME", "Label", "MoveReport", "analyze_game", "chance", "label_for"]

Label = Literal["forced", "best", "good", "inaccuracy", "mistake", "blunder"]

LOST_CHANCE: tuple[tuple[float, Label], ...] = ((0.05, "good"), (0.10, "inaccuracy"), (0.20, "mistake"))
"""Below how much winning chance given away a move is called what; above all of them it is a blunder."""
SAME = 0.5
"""Discs within which two moves are equally good."""
WASTE = 12.0
"""Discs from which a move is not good, though the game be won or lost anyway."""
DEPTH = 10
"""Plies an ordinary analysis looks ahead ..."""
EXACT = 16
"""... and empty squares from which it solves everything."""

ALL_THE_WAY = 60


@dataclass(frozen=True, slots=True)
class MoveReport:
    """One move of a game, judged; scores are for the side that made it."""

    node: GameNode
    ply: int
    color: Color
    played: Result
    best: Result
    options: Analysis
    """Every legal move with its value, best first."""

    @property
    def loss(self) -> float:
        """Discs given away."""
        return max((self.best.score or 0.0) - (self.played.score or 0.0), 0.0)

    @property
    def label(self) -> Label:
        """What the move gave away, in a word."""
        return "forced" if len(self.options) == 1 else label_for(self.loss, self.lost_chance)

    @property
    def lost_chance(self) -> float:
        """The winning chance given away, from 0 to 1."""
        if not self.loss:
            return 0.0
        assert self.node.parent is not None
        empties = self.node.parent.position.empties
        best, played = (
            chance(result.score or 0.0, empties, result.is_exact, result.depth) for result in (self.best, self.played)
        )
        return max(0.0, best - played)


def chance(score: float, empties: int, exact: bool, depth: int | None = None) -> float:
    """The winning chance a score stands for, a draw counting half."""
    win, draw = chances(score, empties, exact, depth)
    return win + draw / 2


def label_for(loss: float, lost_chance: float) -> Label:
    """A word for what a move gave away, in discs and in winning chance.

    >>> label_for(4.0, 0.12), label_for(4.0, 0.01)
    ('mistake', 'good')
    """
    if loss < SAME:
        return "best"
    label: Label = next((label for bound, label in LOST_CHANCE if lost_chance < bound), "blunder")
    return "inaccuracy" if label == "good" and loss >= WASTE else label


def analyze_game(
    engine: Engine,
    game: Game,
    depth: int = DEPTH,
    exact_empties: int = EXACT,
    progress: Callable[[int, int], None] | None = None,
) -> Iterator[MoveReport]:
    """Judge the moves of the main line one by one, passes left out; `progress(done, total)` after each."""
    if depth < 1 or exact_empties < 0:
        raise ConfigError(f"analysis to depth {depth}, exact from {exact_empties} empty squares: both must be positive")
    nodes = [node for node in game.main_line() if node.move is not None and node.move != PASS]
    for done, node in enumerate(nodes):
        assert node.parent is not None
        position = node.parent.position
        limit = Limit(depth=ALL_THE_WAY if position.empties <= exact_empties else depth)
        options = engine.analyze(position, limit)
        played = next(result for result in options if result.move == node.move)
        yield MoveReport(node, node.ply, position.turn, played, options[0], options)
        if progress is not None:
            progress(done + 1, len(nodes))
