"""One search under way: the rules, the policies and the counters that all algorithms share.

The algorithms decide which positions to visit; everything else they ask of the tree.
"""

from __future__ import annotations

import time
from collections.abc import Iterable

from othellier.evaluation.evaluators import Evaluator
from othellier.games.results import MoveValue
from othellier.rules.geometry import PASS, Geometry
from othellier.search.base import INFINITE, Counters, Options, StopSign, finished_value
from othellier.search.ordering import ChildBoard, Ordering
from othellier.search.table import TranspositionTable

__all__ = ["CHECK_EVERY", "Interrupted", "Tree"]

CHECK_EVERY = 256
"""Nodes between two looks at the clock; the compiled twin keeps to it too, for limits in nodes."""


class Interrupted(Exception):
    """The time, the nodes or the patience for this search is used up."""


class Tree:
    """What the algorithms ask about positions, and what they tell."""

    def __init__(
        self,
        board: Geometry,
        options: Options,
        depth: int,
        first_moves: int,
        stop: StopSign | None,
        table: TranspositionTable | None = None,
    ) -> None:
        """`table` is one that an earlier search has filled; without it this search begins with an empty one."""
        evaluator = options.evaluator
        self.board = board
        self.full = board.full
        self.options = options
        self.counters = Counters()
        self.evaluate = evaluator.compile(board.size) if isinstance(evaluator, Evaluator) else evaluator
        self.ordering = Ordering(options, depth, board, self.evaluate)
        if table is None and options.uses_table:
            table = TranspositionTable(board, options.table_size, options.symmetry)
        self.table = table
        self.counters.kept = len(table.entries) if table is not None else 0
        self.lines: list[tuple[int, ...]] = [()] * (depth + 1)
        """For each depth left, the best line from the position last visited with it."""
        self.first_moves = first_moves
        self.first_depth = 0
        """The depth of the search going on, which only its first position has left."""
        self.judged: list[MoveValue] = []
        """What its first moves are worth, as far as they were looked at."""
        self.best = PASS
        """The best move of the last search, tried first by the next, deeper one."""
        self.stop = stop
        self.deadline = None if options.time is None else time.perf_counter() + options.time
        self.limited = options.limited or stop is not None

    def begin(self, depth: int) -> None:
        """A search to this depth begins."""
        self.first_depth = depth
        self.judged = []

    def enter(self, player: int, opponent: int, depth: int, alpha: int = -INFINITE, beta: int = INFINITE) -> None:
        """A position is visited with so much depth left; only values between alpha and beta matter."""
        counters = self.counters
        counters.nodes += 1
        self.lines[depth] = ()
        if self.limited and not counters.nodes % CHECK_EVERY:
            self._check()

    def _check(self) -> None:
        nodes = self.options.nodes
        if (
            (nodes is not None and self.counters.nodes >= nodes)
            or (self.deadline is not None and time.perf_counter() >= self.deadline)
            or (self.stop is not None and self.stop.is_set())
        ):
            raise Interrupted

    def leaf(self, player: int, opponent: int) -> int:
        """The value at the horizon, for the side to move.

        A game is known to be over there if that is seen at a glance: the board is full, or the side to
        move has no disc left. Else the evaluator speaks.
        """
        if player | opponent == self.full or not player:
            return self.end(player, opponent)
        self.counters.leaves += 1
        return self.evaluate(player, opponent)

    def end(self, player: int, opponent: int) -> int:
        """The value of a finished game, for the side to move."""
        self.counters.leaves += 1
        if player | opponent != self.full:
            self.counters.blocked += 1
        return finished_value(player, opponent, self.board.size.squares, self.options.count)

    def recall(self, player: int, opponent: int, depth: int, alpha: int, beta: int) -> tuple[int | None, int]:
        """A value known from the table, or None, and the move to try first, or PASS."""
        if self.table is None or depth < self.options.table_depth:
            return None, PASS
        value, move = self.table.recall(player, opponent, depth, alpha, beta)
        if value is not None:
            self.counters.table_hits += 1
            self.lines[depth] = (move,)
        return value, move

    def remember(self, player: int, opponent: int, depth: int, alpha: int, beta: int, value: int, move: int) -> None:
        """What a search within (alpha, beta) has found."""
        if self.table is not None and depth >= self.options.table_depth:
            self.table.remember(player, opponent, depth, alpha, beta, value, move)

    def children(self, player: int, opponent: int, moves: int, depth: int, hint: int) -> Iterable[ChildBoard]:
        """The moves in the order to look at them."""
        if depth < self.first_depth:
            return self.ordering.children(player, opponent, moves, depth, hint)
        shuffled = self.options.ties == "random"
        return self.ordering.children(player, opponent, self.first_moves, depth, self.best, shuffled=shuffled)

    def improve(self, move: int, depth: int) -> None:
        """This move is the best so far: its line is the best line."""
        self.lines[depth] = (move, *self.lines[depth - 1])

    def judge(self, move: int, value: int, alpha: int = -INFINITE) -> None:
        """What one of the first moves is worth; no more than that where it is not better than those before."""
        self.judged.append(MoveValue(move, value, "exact" if value > alpha else "upper"))

    def passed(self, depth: int) -> None:
        """The line found began after a pass, which costs no depth."""
        self.lines[depth] = (PASS, *self.lines[depth])

    def cut(self, move: int, depth: int, index: int) -> None:
        """This move, the index-th tried, is so good that the others do not matter."""
        self.counters.cutoffs += 1
        if index == 0:
            self.counters.first_cutoffs += 1
        self.ordering.learn(move, depth)
