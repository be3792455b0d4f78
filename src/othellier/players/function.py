"""A player that is no more than a function from a position to a move."""

from __future__ import annotations

from collections.abc import Callable
from operator import index
from typing import SupportsIndex

from othellier.board import Position
from othellier.errors import PlayerError
from othellier.geometry import parse_square
from othellier.players.contract import Player
from othellier.results import Limit, Result
from othellier.text import clean_line

__all__ = ["FunctionPlayer", "MoveFunction"]

MoveFunction = Callable[[Position], SupportsIndex | str]
"""Handed a position, gives a square by its number or by its name."""


class FunctionPlayer(Player):
    """Plays whatever a function says.

    >>> from othellier import native
    >>> FunctionPlayer(lambda position: "f5").choose(native.start(), Limit()).move
    37
    """

    def __init__(self, function: MoveFunction) -> None:
        self._function = function

    def choose(self, position: Position, limit: Limit) -> Result:
        """The function's move."""
        move = self._function(position)
        if isinstance(move, str):
            move = parse_square(move, position.size)
        if not isinstance(move, SupportsIndex):
            shown = clean_line(repr(move))
            raise PlayerError(f"the function answered {shown}, which is no move ({position.board_string()})")
        square = index(move)  # a number of NumPy's is a move, too
        return Result(square, position.turn, pv=(square,))
