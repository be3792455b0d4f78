"""Minimax and negamax: every position down to the horizon is visited.

Each returns the value of a position and leaves its best line in the tree. `player` is the side to move,
`depth` the number of discs still to be played; a pass costs no depth.
"""

from __future__ import annotations

from othellier.reference import moves_mask
from othellier.rules.geometry import PASS
from othellier.search.base import INFINITE
from othellier.search.tree import Tree

__all__ = ["minimax", "negamax"]


def minimax(tree: Tree, player: int, opponent: int, depth: int, maximizing: bool = True) -> int:
    """The value for the side that moves first in the tree: it maximizes, the other minimizes."""
    tree.enter(player, opponent, depth)
    sign = 1 if maximizing else -1
    if not depth or player | opponent == tree.full:
        return sign * tree.leaf(player, opponent)

    moves = moves_mask(player, opponent, tree.board)
    if not moves:
        if not moves_mask(opponent, player, tree.board):
            return sign * tree.end(player, opponent)
        value = minimax(tree, opponent, player, depth, not maximizing)
        tree.passed(depth)
        return value

    known, hint = tree.recall(player, opponent, depth, -INFINITE, INFINITE)
    if known is not None:
        return sign * known

    best, best_move = -sign * INFINITE, PASS
    for move, mine, theirs in tree.children(player, opponent, moves, depth, hint):
        value = minimax(tree, mine, theirs, depth - 1, not maximizing)
        if depth == tree.first_depth:
            tree.judge(move, value)
        if value > best if maximizing else value < best:
            best, best_move = value, move
            tree.improve(move, depth)
    tree.remember(player, opponent, depth, -INFINITE, INFINITE, sign * best, best_move)
    return best


def negamax(tree: Tree, player: int, opponent: int, depth: int) -> int:
    """The value for the side to move: what is good for one is bad for the other, so both maximize."""
    tree.enter(player, opponent, depth)
    if not depth or player | opponent == tree.full:
        return tree.leaf(player, opponent)

    moves = moves_mask(player, opponent, tree.board)
    if not moves:
        if not moves_mask(opponent, player, tree.board):
            return tree.end(player, opponent)
        value = -negamax(tree, opponent, player, depth)
        tree.passed(depth)
        return value

    known, hint = tree.recall(player, opponent, depth, -INFINITE, INFINITE)
    if known is not None:
        return known

    best, best_move = -INFINITE, PASS
    for move, mine, theirs in tree.children(player, opponent, moves, depth, hint):
        value = -negamax(tree, mine, theirs, depth - 1)
        if depth == tree.first_depth:
            tree.judge(move, value)
        if value > best:
            best, best_move = value, move
            tree.improve(move, depth)
    tree.remember(player, opponent, depth, -INFINITE, INFINITE, best, best_move)
    return best
