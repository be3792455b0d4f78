"""Nodes of a game by name, and the marks drawn on their boards.

A node's name says how it is reached from the start: `f5d6c3`, with `--` for a pass.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import cache

from othellier.errors import InvalidPosition, RequestError
from othellier.games.game import Game, GameNode
from othellier.rules.geometry import PASS, Size, parse_square, square_name

__all__ = ["Marks", "find_node", "line_id", "named_nodes", "node_id", "square_names"]


@dataclass(frozen=True, slots=True)
class Marks:
    """Circles and arrows on a board."""

    circles: tuple[int, ...] = ()
    arrows: tuple[tuple[int, int], ...] = ()

    def turned(self, seen: Callable[[int], int]) -> Marks:
        """The same through a symmetry of the board."""
        return Marks(tuple(map(seen, self.circles)), tuple((seen(a), seen(b)) for a, b in self.arrows))


def line_id(moves: tuple[int, ...] | list[int], size: Size) -> str:
    """The id of the node these moves lead to, passes included."""
    steps = _steps(size)
    return "".join([steps[move] for move in moves])


@cache
def _steps(size: Size) -> dict[int, str]:
    """What stands for each move."""
    return {square: square_name(square, size) for square in range(size.squares)} | {PASS: "--"}


def square_names(moves: Iterable[int], size: Size) -> list[str]:
    """Squares by name."""
    return [square_name(move, size) for move in moves]


def node_id(node: GameNode) -> str:
    """The id of a node."""
    moves = []
    size = node.position.size
    while node.parent is not None:
        assert node.move is not None  # only the root has none
        moves.append(node.move)
        node = node.parent
    return line_id(moves[::-1], size)


def named_nodes(game: Game) -> Iterator[tuple[str, GameNode]]:
    """All nodes with their ids: quicker than to ask each for its own."""
    steps = _steps(game.start.size)
    rest = [("", game.root)]
    while rest:
        name, node = rest.pop()
        yield name, node
        rest += [(name + steps[child.move], child) for child in node.children if child.move is not None]


def find_node(game: Game, name: str) -> GameNode:
    """The node with an id."""
    node = game.root
    for step in re.findall(r"--|[a-l]\d{1,2}|.", name):
        try:
            move = PASS if step == "--" else parse_square(step, game.start.size)
        except InvalidPosition:
            move = None
        child = next((child for child in node.children if child.move == move), None)
        if move is None or child is None:
            raise RequestError("unknown_node", "there is no such move in this game", node=name[:200])
        node = child
    return node
