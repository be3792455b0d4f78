"""A player that is no more than a function from a position to a move."""

from __future__ import annotations

from collections.abc import Callable

from othellier.games.results import Limit, Result
from othellier.players.contract import Answer, Player, checked_result
from othellier.rules.board import Position

__all__ = ["FunctionPlayer", "MoveFunction"]

MoveFunction = Callable[[Position], Answer]
"""Returns a move for a position, as `Player.choose` does."""


class FunctionPlayer(Player):
    """Plays whatever a function says.

    >>> from othellier.rules import native
    >>> FunctionPlayer(lambda position: "f5").choose(native.start(), Limit()).move
    37
    """

    def __init__(self, function: MoveFunction) -> None:
        self._function = function
        name = getattr(function, "__name__", "") if type(self) is FunctionPlayer else type(self).__name__
        self._name = name if name.isidentifier() else "player"  # a lambda has none

    def choose(self, position: Position, limit: Limit) -> Result:
        """The function's move."""
        return checked_result(self._name, self._function(position), position)
