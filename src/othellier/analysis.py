"""A whole game under the engine's eyes: what each move was worth and what it gave away.

Judging by winning chances, accuracy and words belongs to those who show it; here are scores and losses.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Literal

from othellier.board import Color
from othellier.engine import Analysis, Engine
from othellier.errors import ConfigError
from othellier.game import Game, GameNode
from othellier.geometry import PASS
from othellier.results import Limit, Result

__all__ = ["Label", "MoveReport", "analyze_game", "label_for"]

Label = Literal["best", "good", "inaccuracy", "mistake", "blunder"]

# In discs lost. Two discs is the noise of estimates and the step of exact scores.
BOUNDS: tuple[tuple[float, Label], ...] = ((0.5, "best"), (2.5, "good"), (5.5, "inaccuracy"), (9.5, "mistake"))

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
        """The loss in a word."""
        return label_for(self.loss)


def label_for(loss: float) -> Label:
    """A word for discs lost."""
    return next((label for bound, label in BOUNDS if loss < bound), "blunder")


def analyze_game(
    engine: Engine,
    game: Game,
    depth: int = 12,
    exact_empties: int = 16,
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
