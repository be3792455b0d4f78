"""The player that asks a classifier about every position it can reach."""

from __future__ import annotations

from typing import Literal

from othellier.evaluation.evaluators import classifier
from othellier.games.results import Limit, Result
from othellier.players.contract import Player
from othellier.players.policy import by_rule
from othellier.players.registry import register
from othellier.rules.board import Position
from othellier.rules.geometry import STANDARD
from othellier.search import Options, search

__all__ = ["ClassifierPlayer"]


@register("classifier")
class ClassifierPlayer(Player):
    """The move after which a model that learnt from games of people gives the opponent the least.

    >>> from othellier import answer, start
    >>> answer(ClassifierPlayer(model="textbook"), start()).source
    'policy'
    """

    def __init__(self, *, model: Literal["board", "textbook"] = "board") -> None:
        """`board` has seen nothing but discs, `textbook` is told what textbooks count."""
        evaluator = classifier(model=model)
        self._options = Options("negamax", depth=1, evaluator=evaluator)
        self._any_board = not evaluator.learnt

    def choose(self, position: Position, limit: Limit) -> Result:
        """The move after which the opponent's chances are worst; a game it ends is known."""
        if not self._any_board and position.size != STANDARD:  # which it has not learnt
            return by_rule(position)
        outcome = search(position, self._options)
        return Result(
            outcome.move,
            position.turn,
            nodes=outcome.counters.nodes,
            seconds=outcome.seconds,
            pv=(outcome.move,),
            source="policy",
        )
