"""The player that asks the classifier on the bare board about every position it can reach."""

from __future__ import annotations

import time

from othellier.board import Position
from othellier.classifier import shipped_model
from othellier.geometry import STANDARD
from othellier.players.contract import Player
from othellier.players.policy import by_rule
from othellier.players.registry import register
from othellier.results import Limit, Result

__all__ = ["ClassifierPlayer"]


@register("classifier")
class ClassifierPlayer(Player):
    """The move after which a network that learnt from games of people gives the opponent the least."""

    def choose(self, position: Position, limit: Limit) -> Result:
        """The move after which the opponent's chances are worst; a game it ends is known."""
        if position.size != STANDARD:  # which it has not learnt
            return by_rule(position)
        begin = time.perf_counter()
        model = shipped_model()

        def worth(move: int) -> float:
            after = position.play(move)
            if after.is_over():
                return -1e9 * after.score()
            return -model.value(after.player, after.opponent)

        moves = position.moves()
        move = max(moves, key=worth)
        seconds = time.perf_counter() - begin
        return Result(move, position.turn, nodes=len(moves), seconds=seconds, pv=(move,), source="policy")
