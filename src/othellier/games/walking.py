"""Steps through the tree of a game: a move or a whole turn, back and forward. Nobody looks at a side that must pass."""

from __future__ import annotations

from collections.abc import Callable

from othellier.games.game import GameNode
from othellier.rules.geometry import PASS

__all__ = ["back", "forward", "is_main", "rest", "turns"]

_Step = Callable[[GameNode], GameNode]


def rest(node: GameNode) -> GameNode:
    """The node itself, or the one after the pass that must follow it."""
    return node.add(PASS) if node.position.must_pass() else node


def back(node: GameNode) -> GameNode:
    """The place before a move, and before the pass that followed it; the start stays where it is."""
    target = node.parent
    while target is not None and target.position.must_pass():
        target = target.parent
    return target or node


def forward(node: GameNode, ahead: list[GameNode]) -> GameNode:
    """The place after the next move: the one on the way `ahead`, else the main one; the last place stays."""
    after = next((step for step in ahead if step.parent is node), node.main)
    return node if after is None else rest(after)


def turns(node: GameNode, step: _Step, is_asked: Callable[[GameNode], bool] | None) -> GameNode:
    """A whole turn on: to the next place where the one person is asked; without one person two moves."""
    if is_asked is None:
        return step(step(node))
    target, before = step(node), node
    while target is not before and not is_asked(target):
        target, before = step(target), target
    return target


def is_main(node: GameNode) -> bool:
    """Whether a node is on the main line."""
    return all(step.parent is not None and step.parent.main is step for step in node.path())
