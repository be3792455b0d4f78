"""The searches of the INSA report as its pseudo-code prints them, to see what the printed form does to a result.

They differ from the textbook, and from our searches, in a few lines that matter:

* alpha-beta (algorithm 4) takes a side without a move for the end: it values the position by its strategy, knows no
  pass, and never sees that a game is won or lost. A positional player so plays for squares to the last move.
* Monte-Carlo (algorithms 5 to 8) spends an iteration on adding the moves of a position, or on one game played out; it
  counts a result for one side all the way up, so that the opponent is taken to help; and in the end it plays the move
  of the largest UCB1, bonus for the unexplored included, instead of the most visited one.

One line is read kindly: algorithm 4 hands -alpha and -beta down in this order. If its cut belongs to "best > alpha",
that finds the same moves as the textbook's order; if not, only the opponent's first move would be looked at, and the
report's times, thirty times longer for two plies more, are not those of such a search.
"""

from __future__ import annotations

import math
import random
from dataclasses import dataclass
from typing import Any

from othellier.evaluation.evaluators import create_evaluator
from othellier.rules import native
from othellier.rules.board import Position, other
from othellier.rules.geometry import PASS, STANDARD

__all__ = ["AlphaBeta", "Chooser", "PrintedMatch", "PrintedMonteCarlo", "RandomMoves", "measure_printed"]

INFINITE = 10**9


@dataclass(frozen=True, slots=True)
class AlphaBeta:
    """Algorithm 4 with a strategy."""

    depth: int
    strategy: str = "positional"


@dataclass(frozen=True, slots=True)
class PrintedMonteCarlo:
    """Algorithms 5 to 8."""

    iterations: int
    c: float = 1.5


@dataclass(frozen=True, slots=True)
class RandomMoves:
    """Any move."""


Chooser = AlphaBeta | PrintedMonteCarlo | RandomMoves


@dataclass(frozen=True, slots=True)
class PrintedMatch:
    """Games from the first position, colours as given."""

    black: Chooser
    white: Chooser
    games: int
    seed: int = 0


def measure_printed(job: PrintedMatch) -> dict[str, Any]:
    """Play them; games won by Black, drawn, and won by White."""
    rng = random.Random(repr(job))
    sides = {"black": _chooser(job.black, rng), "white": _chooser(job.white, rng)}
    results = [0, 0, 0]
    for _ in range(job.games):
        position = native.start()
        while not position.is_over():
            moves = position.moves()
            position = position.play(sides[position.turn](position) if moves else PASS)
        difference = position.discs("black") - position.discs("white")
        results[0 if difference > 0 else 1 if difference == 0 else 2] += 1
    return {"results": results}


def _chooser(kind: Chooser, rng: random.Random) -> Any:
    if isinstance(kind, RandomMoves):
        return lambda position: rng.choice(position.moves())
    return _alpha_beta(kind, rng) if isinstance(kind, AlphaBeta) else _monte_carlo(kind, rng)


def _count_moves(player: int, opponent: int) -> int:
    return native.position(player, opponent).moves_mask().bit_count()


def _alpha_beta(kind: AlphaBeta, rng: random.Random) -> Any:
    evaluate = create_evaluator(kind.strategy).compile(STANDARD, _count_moves)

    def search(position: Position, depth: int, alpha: int, beta: int) -> tuple[int, list[int]]:
        moves = position.moves() if depth < kind.depth else []
        if not moves:
            return evaluate(position.player, position.opponent), []
        best, best_moves = -INFINITE, list[int]()
        for move in moves:
            score = -search(position.play(move), depth + 1, -beta, -alpha)[0]
            if score == best:
                best_moves.append(move)
            if score > best:
                best, best_moves = score, [move]
                alpha = max(alpha, best)
                if alpha > beta:
                    break
        return best, best_moves

    return lambda position: rng.choice(search(position, 0, -INFINITE, INFINITE)[1])


class _Node:
    __slots__ = ("children", "move", "parent", "position", "visits", "wins")

    def __init__(self, position: Position, parent: _Node | None = None, move: int = PASS) -> None:
        self.position = position
        self.parent = parent
        self.move = move
        self.children: list[_Node] = []
        self.visits = 0
        self.wins = 0

    def extend(self) -> list[_Node]:
        moves = self.position.moves() or [PASS]
        self.children = [_Node(self.position.play(move), self, move) for move in moves]
        return self.children


def _monte_carlo(kind: PrintedMonteCarlo, rng: random.Random) -> Any:
    def choose(position: Position) -> int:
        side = position.turn
        root = _Node(position)
        waiting = list(root.extend())

        def ucb1(node: _Node) -> float:
            bonus = kind.c * math.sqrt(math.log(max(1, root.visits)) / node.visits) if node.visits else math.inf
            return node.wins / max(1, node.visits) + bonus

        def count(node: _Node | None, won: bool) -> None:
            while node is not None:
                node.visits += 1
                node.wins += won
                node = node.parent

        for _ in range(kind.iterations):
            if waiting:
                node = waiting.pop(0)
                end = node.position
                while not end.is_over():
                    end = end.play(rng.choice(end.moves() or [PASS]))
                count(node, end.discs(side) > end.discs(other(side)))
                continue
            node = root
            while node.children:
                node = max(node.children, key=ucb1)
            if node.position.is_over():
                count(node, node.position.discs(side) > node.position.discs(other(side)))
            else:
                waiting += node.extend()
        return max(root.children, key=ucb1).move

    return choose
