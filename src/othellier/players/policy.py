"""The policy network as a player: no search, only a look at the board."""

from __future__ import annotations

from othellier.engine.engine import network_move
from othellier.evaluation import network
from othellier.evaluation.evaluators import create_evaluator
from othellier.games.results import Limit, Result
from othellier.players.contract import Player
from othellier.players.registry import Public, register
from othellier.rules.board import Position
from othellier.search import Options, search

__all__ = ["PolicyPlayer", "by_rule"]


def by_rule(position: Position) -> Result:
    """The move the square values like best, without looking at any answer: for boards the networks do not know."""
    outcome = search(position, Options("negamax", depth=1, evaluator=create_evaluator("positional")))
    return Result(outcome.move, position.turn, depth=0, nodes=outcome.counters.nodes, source="policy")


@register("policy", public=Public({}))
class PolicyPlayer(Player):
    """The move a strong player would most likely choose, by a network on patterns.

    >>> from othellier import answer, start
    >>> answer(PolicyPlayer(), start()).source
    'policy'
    """

    def choose(self, position: Position, limit: Limit) -> Result:
        """The likeliest move, at once."""
        return network_move(position, "policy") if network.fits(position) else by_rule(position)
