"""Nodes of a game by name, and the marks drawn on their boards.

A node's name says how it is reached from the start: `f5d6c3`, with `--` for a pass.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass

from othellier.errors import InvalidPosition, RequestError
from othellier.game import Game, GameNode
from othellier.geometry import PASS, Size, parse_square, square_name

__all__ = ["Marks", "find_node", "line_id", "node_id"]


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
    return "".join("--" if move == PASS else square_name(move, size) for move in moves)


def node_id(node: GameNode) -> str:
    """The id of a node."""
    return line_id([step.move for step in node.path() if step.move is not None], node.position.size)


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
