"""Players of one's own: a function, and a class with an option.

othellier match examples/mine.py:greedy examples/mine.py:Corners:patient=yes --games 100
"""

from othellier import Limit, Position, Result
from othellier.players import Player


def greedy(position: Position) -> int:
    """The move that turns most discs."""
    return max(position.moves(), key=lambda move: len(position.flips(move)))


class Corners(Player):
    """A corner if there is one, else the move that leaves the opponent the fewest."""

    def __init__(self, *, patient: bool = False) -> None:
        """`patient` would rather leave many."""
        self.sign = -1 if patient else 1

    def choose(self, position: Position, limit: Limit) -> Result:
        """The move, and that it is no more than a rule."""
        rows, columns = position.size
        corners = {0, columns - 1, columns * (rows - 1), columns * rows - 1}

        def cost(move: int) -> tuple[bool, int]:
            return move not in corners, self.sign * len(position.play(move).moves())

        return Result(min(position.moves(), key=cost), position.turn, source="policy")
