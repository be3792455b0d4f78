"""Alpha-beta in three forms: moves that cannot change the result are not looked at.

`alpha` is what one side is already sure of, `beta` what the other is. A position whose value does not lie
between them will not be reached, so a bound on it will do: the value returned is exact within
(alpha, beta) and a bound outside. As in `minimax`, the best line is left in the tree.
"""

from __future__ import annotations

from othellier.reference import moves_mask
from othellier.rules.geometry import PASS
from othellier.search.base import INFINITE
from othellier.search.tree import Tree

__all__ = ["alphabeta", "nega_alphabeta", "pvs"]


def alphabeta(
    tree: Tree,
    player: int,
    opponent: int,
    depth: int,
    alpha: int = -INFINITE,
    beta: int = INFINITE,
    maximizing: bool = True,
) -> int:
    """Minimax with alpha-beta: the value for the side that moves first in the tree."""
    tree.enter(player, opponent, depth, alpha, beta)
    sign = 1 if maximizing else -1
    if not depth or player | opponent == tree.full:
        return sign * tree.leaf(player, opponent)

    moves = moves_mask(player, opponent, tree.board)
    if not moves:
        if not moves_mask(opponent, player, tree.board):
            return sign * tree.end(player, opponent)
        value = alphabeta(tree, opponent, player, depth, alpha, beta, not maximizing)
        tree.passed(depth)
        return value

    # The table speaks for the side to move: what alpha is to one side, -beta is to the other.
    low, high = (alpha, beta) if maximizing else (-beta, -alpha)
    known, hint = tree.recall(player, opponent, depth, low, high)
    if known is not None:
        return sign * known

    best, best_move = -sign * INFINITE, PASS
    for index, (move, mine, theirs) in enumerate(tree.children(player, opponent, moves, depth, hint)):
        value = alphabeta(tree, mine, theirs, depth - 1, alpha, beta, not maximizing)
        if depth == tree.first_depth:
            tree.judge(move, value, alpha)
        if value > best if maximizing else value < best:
            best, best_move = value, move
            if maximizing and value > alpha:
                alpha = value
                tree.improve(move, depth)
            elif not maximizing and value < beta:
                beta = value
                tree.improve(move, depth)
            if alpha >= beta:
                tree.cut(move, depth, index)
                break
    tree.remember(player, opponent, depth, low, high, sign * best, best_move)
    return best


def nega_alphabeta(
    tree: Tree, player: int, opponent: int, depth: int, alpha: int = -INFINITE, beta: int = INFINITE
) -> int:
    """Negamax with alpha-beta: the value for the side to move."""
    tree.enter(player, opponent, depth, alpha, beta)
    if not depth or player | opponent == tree.full:
        return tree.leaf(player, opponent)

    moves = moves_mask(player, opponent, tree.board)
    if not moves:
        if not moves_mask(opponent, player, tree.board):
            return tree.end(player, opponent)
        value = -nega_alphabeta(tree, opponent, player, depth, -beta, -alpha)
        tree.passed(depth)
        return value

    known, hint = tree.recall(player, opponent, depth, alpha, beta)
    if known is not None:
        return known

    best, best_move, low = -INFINITE, PASS, alpha
    for index, (move, mine, theirs) in enumerate(tree.children(player, opponent, moves, depth, hint)):
        value = -nega_alphabeta(tree, mine, theirs, depth - 1, -beta, -alpha)
        if depth == tree.first_depth:
            tree.judge(move, value, alpha)
        if value > best:
            best, best_move = value, move
            if value > alpha:
                alpha = value
                tree.improve(move, depth)
                if alpha >= beta:
                    tree.cut(move, depth, index)
                    break
    tree.remember(player, opponent, depth, low, beta, best, best_move)
    return best


def pvs(tree: Tree, player: int, opponent: int, depth: int, alpha: int = -INFINITE, beta: int = INFINITE) -> int:
    """Principal variation search: the first move is taken for the best, of the others that is only to be proved."""
    tree.enter(player, opponent, depth, alpha, beta)
    if not depth or player | opponent == tree.full:
        return tree.leaf(player, opponent)

    moves = moves_mask(player, opponent, tree.board)
    if not moves:
        if not moves_mask(opponent, player, tree.board):
            return tree.end(player, opponent)
        value = -pvs(tree, opponent, player, depth, -beta, -alpha)
        tree.passed(depth)
        return value

    known, hint = tree.recall(player, opponent, depth, alpha, beta)
    if known is not None:
        return known

    best, best_move, low = -INFINITE, PASS, alpha
    for index, (move, mine, theirs) in enumerate(tree.children(player, opponent, moves, depth, hint)):
        if index == 0:
            value = -pvs(tree, mine, theirs, depth - 1, -beta, -alpha)
        else:
            # No value fits between alpha and alpha + 1: this asks only whether the move is better.
            value = -pvs(tree, mine, theirs, depth - 1, -alpha - 1, -alpha)
            if alpha < value < beta:
                value = -pvs(tree, mine, theirs, depth - 1, -beta, -alpha)
        if depth == tree.first_depth:
            tree.judge(move, value, alpha)
        if value > best:
            best, best_move = value, move
            if value > alpha:
                alpha = value
                tree.improve(move, depth)
                if alpha >= beta:
                    tree.cut(move, depth, index)
                    break
    tree.remember(player, opponent, depth, low, beta, best, best_move)
    return best
