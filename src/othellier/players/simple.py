"""The players that do not think: a human, who does it for them, and chance."""

from __future__ import annotations

import random
import time

from othellier.errors import ConfigError
from othellier.games.results import Limit, Result
from othellier.players.contract import Player
from othellier.players.registry import Ask, Public, register
from othellier.rules.board import Position

__all__ = ["Human", "RandomPlayer"]


@register("human")
class Human(Player):
    """Somebody who is asked.

    >>> from othellier import answer, start
    >>> answer(Human(ask=lambda position: position.moves()[0]), start()).move  # d3, as a person answered
    19
    """

    def __init__(self, *, ask: Ask | None) -> None:
        if ask is None:
            raise ConfigError("there is nobody to ask here")
        self._ask = ask

    def choose(self, position: Position, limit: Limit) -> Result:
        """The move the human gives."""
        begin = time.perf_counter()
        move = self._ask(position)
        return Result(move, position.turn, seconds=time.perf_counter() - begin, pv=(move,))


@register("random", example="random:seed=1", public=Public({"seed": None}))
class RandomPlayer(Player):
    """Any legal move, each as likely; the same moves in the same order for the same seed.

    >>> from othellier import answer, start
    >>> one, another = RandomPlayer(seed=1), RandomPlayer(seed=1)
    >>> [answer(one, start()).move for _ in range(5)] == [answer(another, start()).move for _ in range(5)]
    True
    """

    def __init__(self, *, seed: int | None = None) -> None:
        self._rng = random.Random(seed)

    def choose(self, position: Position, limit: Limit) -> Result:
        """A legal move drawn at random."""
        move = self._rng.choice(position.moves())
        return Result(move, position.turn, pv=(move,))
