"""In which order moves are looked at. A good order does not change what is found, only how soon.

| order     | first come                                                              |
|-----------|-------------------------------------------------------------------------|
| none      | the moves as they lie, from a1 on                                       |
| random    | any; another order at each position                                     |
| squares   | the moves to good squares, by the values of the Utrecht thesis          |
| discs     | the moves that leave the largest difference of discs                    |
| both      | by the sum of square value and disc difference, as the thesis tried     |
| history   | the moves that ended the search of other positions most often           |
| evaluator | the moves to positions the evaluator likes                              |
| killers   | as none: killers come before any order, as does the move from the table |
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

from othellier.evaluation.evaluators import Evaluate, square_values
from othellier.reference import flips_mask
from othellier.rules.geometry import PASS, Geometry, squares_of
from othellier.search.base import Options
from othellier.search.rng import Rng

__all__ = ["ChildBoard", "Ordering", "expand"]

ChildBoard = tuple[int, int, int]
"""A move and the discs it leads to: the next side to move first."""


def expand(player: int, opponent: int, squares: Iterable[int], board: Geometry) -> Iterator[ChildBoard]:
    """The moves to these squares, each played only when it is asked for."""
    for square in squares:
        flips = flips_mask(player, opponent, square, board)
        yield square, opponent ^ flips, player | flips | 1 << square


class Ordering:
    """The order chosen, with what it learns while the search goes on."""

    def __init__(self, options: Options, depth: int, board: Geometry, evaluate: Evaluate) -> None:
        self.board = board
        self.rng = Rng(options.seed)
        self.shuffled = options.order == "random"
        self.killers = [(PASS, PASS)] * (depth + 1) if options.uses_killers else None
        """For each depth left, the last two different moves that ended a search there."""
        self.history = [0] * board.size.squares
        """For each square, the squared depths of the searches a move there has ended, of either side."""
        values = square_values("utrecht", board.size)
        by_square: dict[str, Callable[[int], int]] = {
            "squares": values.__getitem__,
            "history": self.history.__getitem__,
        }
        by_child: dict[str, Callable[[ChildBoard], int]] = {
            "discs": lambda child: child[2].bit_count(),
            "both": lambda child: values[child[0]] + child[2].bit_count() - child[1].bit_count(),
            "evaluator": lambda child: -evaluate(child[1], child[2]),
        }
        self.by_square = by_square.get(options.order)
        self.by_child = by_child.get(options.order)

    def children(
        self, player: int, opponent: int, moves: int, depth: int, hint: int, *, shuffled: bool = False
    ) -> Iterable[ChildBoard]:
        """The moves, best first as far as one can tell; equal ones as they lie. `hint` is the table's move."""
        squares = list(squares_of(moves))
        if shuffled or self.shuffled:
            self.rng.shuffle(squares)
        elif self.by_square is not None:
            squares.sort(key=self.by_square, reverse=True)
        children: Iterable[ChildBoard] = expand(player, opponent, squares, self.board)
        if self.by_child is not None and not shuffled:
            children = sorted(children, key=self.by_child, reverse=True)
            squares = [child[0] for child in children]

        front = (hint, *self.killers[depth]) if self.killers else (hint,)
        first = [square for square in dict.fromkeys(front) if square in squares]
        if not first:
            return children
        rest = [square for square in squares if square not in first]
        return expand(player, opponent, first + rest, self.board)

    def learn(self, move: int, depth: int) -> None:
        """A move has ended the search of a position with so much depth left."""
        self.history[move] += depth * depth
        if self.killers and self.killers[depth][0] != move:
            self.killers[depth] = (move, self.killers[depth][0])
