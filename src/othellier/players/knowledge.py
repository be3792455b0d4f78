"""A player that owns its tree of positions and keeps it from turn to turn, written to be read.

This is the game loop of Elias Boulanger's report (INSA Hauts-de-France, 2024): each player has a tree of its own,
expands it when it thinks, is told of every move that is played, and goes on with the subtree that is left. What was
explored before saves finding moves again, and tells in which order to look at them. What it is worth is measured by
`othellier lab knowledge`.
"""

from __future__ import annotations

import math
import threading
import time as clock
from dataclasses import dataclass

from othellier.evaluation.evaluators import Evaluate, create_evaluator
from othellier.games.results import Limit, MoveValue, Result
from othellier.players.classical import move_seconds
from othellier.players.contract import Player
from othellier.players.registry import register
from othellier.rules.board import Position
from othellier.rules.geometry import PASS, geometry
from othellier.rules.node import KeptTree, Node
from othellier.search.base import DEFAULT_DEPTH, INFINITE, MAX_DEPTH, WIN, check_range, finished_value

__all__ = ["KnowledgePlayer", "SearchEffort"]

MOST_NODES = 400_000
"""Nodes the tree may have, about half a kilobyte each; then the search goes no deeper."""

CHECK_EVERY = 64
"""Nodes between two looks at the clock."""


class _Interrupted(Exception):
    """The time, the nodes or the patience for this move is used up."""


@dataclass(slots=True)
class SearchEffort:
    """What went into a move."""

    inherited: int = 0
    """Positions below the one to move in that were known from the turns before."""
    made: int = 0
    """Positions added to the tree."""
    visited: int = 0
    """Positions looked at, as often as they were."""
    known: int = 0
    """Those of them whose value was known from the turn before, to the depth wanted."""


@register("knowledge", example="knowledge:depth=2")
class KnowledgePlayer(Player):
    """Alpha-beta on a tree of its own, which it keeps from turn to turn.

    >>> from othellier import answer, start
    >>> player = KnowledgePlayer(depth=3)
    >>> answer(player, start()).depth, player.thinking.visited > 0
    (3, True)
    """

    def __init__(
        self, *, depth: int | None = None, time: float | None = None, eval: str = "positional", keep: bool = True
    ) -> None:
        check_range("depth", depth, 1, MAX_DEPTH)
        check_range("time", time, 0, None)
        self.depth = depth
        self.time = time
        self.keep = keep
        self.tree = KeptTree()
        self.thinking = SearchEffort()
        self._evaluator = create_evaluator(eval)
        self._evaluate: Evaluate = lambda player, opponent: 0
        self._judged: list[MoveValue] = []
        self._stop = threading.Event()
        self._deadline = self._most_visits = math.inf

    # -- the game

    def new_game(self, start: Position) -> None:
        """Forget the tree of the last game; refuse a board that the evaluator does not know."""
        self._evaluator.check_size(start.size)
        self.tree = KeptTree()

    def observe(self, move: int) -> None:
        """A move was played, by either side: only what was explored below it can still happen."""
        self.tree.play(move)

    def stop(self) -> None:
        """Answer with the best found by the depths that are finished."""
        self._stop.set()

    def choose(self, position: Position, limit: Limit) -> Result:
        """The best move, by looking deeper and deeper into the tree."""
        begin = clock.perf_counter()
        self._stop.clear()
        self._evaluate = self._evaluator.compile(position.size)
        if not self.keep:
            self.tree = KeptTree()
        root = self.tree.turn(position)
        self.thinking = SearchEffort(inherited=root.count_all_children())
        depth = self._set_limits(position, limit, begin)
        reached, value = 0, 0
        try:
            while reached < depth:
                value = self._search(root, reached + 1)
                reached += 1
        except _Interrupted:
            if not reached:  # some answer is owed
                self._deadline = self._most_visits = math.inf
                self._stop.clear()
                reached, value = 1, self._search(root, 1)
        exact = reached >= position.empties
        score = None if not exact and abs(value) <= WIN else value - WIN if value > WIN else min(value + WIN, 0)
        return Result(
            self._judged[0].move,
            position.turn,
            score,
            "exact" if exact or score is None else "lower" if score > 0 else "upper",
            reached,
            self.thinking.visited,
            clock.perf_counter() - begin,
            _line(root),
            source="exact" if exact else "search",
            moves=tuple(self._judged),
        )

    def _set_limits(self, position: Position, limit: Limit, begin: float) -> int:
        """The depth to look to; the clock and the count of nodes end it sooner."""
        seconds = move_seconds(limit, self.time, position)
        self._deadline = math.inf if seconds is None else begin + seconds
        self._most_visits = math.inf if limit.nodes is None else max(1, limit.nodes)
        limited = seconds is not None or limit.nodes is not None or limit.infinite
        own = self.depth or (MAX_DEPTH if limited or limit.depth is not None else DEFAULT_DEPTH)
        return max(1, min(own, limit.depth or own, position.empties))

    # -- the search

    def _search(self, root: Node, depth: int) -> int:
        """Look at every move of the first position, the best of the last search first."""
        judged: list[MoveValue] = []
        alpha = -INFINITE
        best: Node | None = None
        for move in _in_order(root):
            child = self._child(root, move)
            value = -self._look(child, depth - 1, -INFINITE, -alpha)
            judged.append(MoveValue(move, value, "exact" if value > alpha else "upper"))
            if value > alpha:
                alpha, best = value, child
        assert best is not None
        root.value, root.best, root.searched, root.exact = alpha, best, depth, True
        judged.sort(key=lambda one: one.move != root.move_of(best))  # the best move first, the others as they came
        self._judged = judged
        return alpha

    def _look(self, node: Node, depth: int, alpha: int, beta: int) -> int:
        """Negamax with alpha-beta: the value of a node for its side to move, and kept in it."""
        thinking = self.thinking
        thinking.visited += 1
        if not thinking.visited % CHECK_EVERY:
            self._check()
        if node.exact and node.searched == depth and node.value is not None:
            thinking.known += 1
            return int(node.value)
        node.visited = True
        full = node.player | node.opponent == geometry(node.size).full
        if not full and not depth and node.player:
            return _keep(node, self._evaluate(node.player, node.opponent), depth, None, exact=True)
        node.expand()
        if full or not node.moves:
            final = finished_value(node.player, node.opponent, node.size.squares, "winner")
            return _keep(node, final, depth, None, exact=True)
        best, low = -INFINITE, alpha
        best_child: Node | None = None
        for move in _in_order(node):
            child = self._child(node, move)
            cost = 0 if move == PASS else 1
            value = -self._look(child, depth - cost, -beta, -alpha)
            if value > best:
                best, best_child = value, child
                alpha = max(alpha, value)
                if alpha >= beta:
                    break
        return _keep(node, best, depth, best_child, exact=low < best < beta)

    def _child(self, node: Node, move: int) -> Node:
        self.thinking.made += move not in node.move_to_child
        return node.set_child(move)

    def _check(self) -> None:
        thinking = self.thinking
        if (
            thinking.visited >= self._most_visits
            or thinking.inherited + thinking.made > MOST_NODES
            or clock.perf_counter() >= self._deadline
            or self._stop.is_set()
        ):
            raise _Interrupted


def _keep(node: Node, value: int, depth: int, best: Node | None, *, exact: bool) -> int:
    """Remember a value, unless a deeper search has been here, of this turn or of the last."""
    if depth >= node.searched:
        node.value, node.searched, node.exact, node.best = value, depth, exact, best
    return value


def _in_order(node: Node) -> list[int]:
    """The moves, those that looked best when last looked at first: what is bad for the other side is good for us."""
    node.expand()
    known = node.move_to_child
    best = node.best

    def worth(move: int) -> float:
        child = known.get(move)
        if child is None or child.value is None:
            return math.inf
        return -math.inf if child is best else child.value

    return sorted(node.moves, key=worth)


def _line(root: Node) -> tuple[int, ...]:
    line: list[int] = []
    node = root
    while node.best is not None:
        line.append(node.move_of(node.best))
        node = node.best
    return tuple(line)
