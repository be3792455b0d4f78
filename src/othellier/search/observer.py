"""Searches that tell what they do: whoever wants to see a search derives from `Observer`.

A search that nobody watches does not come through here: it runs on the plain `Tree`, at its full speed.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from othellier.rules.geometry import PASS, Geometry, Size
from othellier.search.base import INFINITE, Options, StopSign
from othellier.search.mcts import Mcts, MctsNode, MctsOptions
from othellier.search.ordering import ChildBoard
from othellier.search.table import TranspositionTable
from othellier.search.tree import Tree

__all__ = ["Observer", "WatchedMcts", "WatchedTree"]

ROOTED = ("minimax", "alphabeta")
"""The algorithms whose values and windows are those of the side that moves first in the tree."""


class Observer:
    """Hears of a search. All values are for the side to move of the position in question; write what is wanted."""

    def begin(self, depth: int) -> None:
        """A search to this depth begins; with deepening there are several, one after the other."""

    def enter(self, move: int, player: int, opponent: int, depth: int, alpha: int, beta: int) -> None:
        """A move (PASS at the first position) leads to a position, looked at within (alpha, beta)."""

    def leaf(self, value: int, over: bool) -> None:
        """The position entered last is at the horizon, or its game is over: this is its value, and we leave it."""

    def recall(self, value: int) -> None:
        """The table knows the position entered last: this is its value, and we leave it."""

    def improve(self, move: int, value: int) -> None:
        """A move is the best so far, and raises alpha to this value."""

    def cut(self, move: int, rest: Sequence[int]) -> None:
        """A move is so good that the others are not looked at."""

    def leave(self, value: int) -> None:
        """All that was to be looked at is: this is the position's value."""

    def iterate(self, path: Sequence[MctsNode], points: int) -> None:
        """An iteration of a Monte-Carlo search went down this path; half points of the side that moved first."""


class _Frame:
    """A position being looked at: the move tried now, and those left; None before there are any."""

    __slots__ = ("move", "rest")

    def __init__(self) -> None:
        self.move = PASS
        self.rest: Sequence[int] = ()


class WatchedTree(Tree):
    """A tree that tells an observer whatever the algorithm tells it."""

    def __init__(
        self,
        observer: Observer,
        board: Geometry,
        options: Options,
        depth: int,
        first_moves: int,
        stop: StopSign | None,
        table: TranspositionTable | None = None,
    ) -> None:
        super().__init__(board, options, depth, first_moves, stop, table)
        self._observer = observer
        self._rooted = options.algorithm in ROOTED
        self._path: list[_Frame] = []
        self._last = 0
        """The value of the position left last, for its side to move."""

    def begin(self, depth: int) -> None:
        """Told, and what an interrupted search has left is forgotten."""
        super().begin(depth)
        self._path.clear()  # an interrupted search leaves some behind
        self._observer.begin(depth)

    def enter(self, player: int, opponent: int, depth: int, alpha: int = -INFINITE, beta: int = INFINITE) -> None:
        """Told with the window of the side to move."""
        super().enter(player, opponent, depth, alpha, beta)
        if self._rooted and len(self._path) % 2:
            alpha, beta = -beta, -alpha
        move = self._path[-1].move if self._path else PASS
        self._path.append(_Frame())
        self._observer.enter(move, player, opponent, depth, alpha, beta)

    def leaf(self, player: int, opponent: int) -> int:
        """Told with its value."""
        height = len(self._path)
        value = super().leaf(player, opponent)
        if len(self._path) == height:  # else the game was over, and that is told already
            self._leave(value)
            self._observer.leaf(value, False)
        return value

    def end(self, player: int, opponent: int) -> int:
        """Told with its value."""
        value = super().end(player, opponent)
        self._leave(value)
        self._observer.leaf(value, True)
        return value

    def recall(self, player: int, opponent: int, depth: int, alpha: int, beta: int) -> tuple[int | None, int]:
        """Told where the table knew the value."""
        value, move = super().recall(player, opponent, depth, alpha, beta)
        if value is not None:
            self._leave(value)
            self._observer.recall(value)
        return value, move

    def children(self, player: int, opponent: int, moves: int, depth: int, hint: int) -> Iterable[ChildBoard]:
        """The same moves in the same order; we remember which is tried."""
        found = list(super().children(player, opponent, moves, depth, hint))
        frame = self._path[-1]
        frame.rest = [child[0] for child in found]
        for child in found:
            frame.move, frame.rest = child[0], frame.rest[1:]
            yield child

    def improve(self, move: int, depth: int) -> None:
        """Told with the value that the child was left with."""
        super().improve(move, depth)
        self._observer.improve(move, -self._last)

    def cut(self, move: int, depth: int, index: int) -> None:
        """Told with the moves that are left."""
        super().cut(move, depth, index)
        self._observer.cut(move, self._path[-1].rest)

    def passed(self, depth: int) -> None:
        """Told with the value found after the pass."""
        super().passed(depth)
        self._leave(-self._last)
        self._observer.leave(self._last)

    def remember(self, player: int, opponent: int, depth: int, alpha: int, beta: int, value: int, move: int) -> None:
        """Told: every position with moves ends here."""
        super().remember(player, opponent, depth, alpha, beta, value, move)
        self._leave(value)
        self._observer.leave(value)

    def _leave(self, value: int) -> None:
        self._path.pop()
        self._last = value


class WatchedMcts(Mcts):
    """A Monte-Carlo search that tells an observer of each iteration."""

    def __init__(self, observer: Observer, size: Size, options: MctsOptions) -> None:
        super().__init__(size, options)
        self._observer = observer

    def _count(self, path: list[MctsNode], points: int) -> None:
        super()._count(path, points)
        # `points` are of the side to move at the end of the path, which moved first if the path is odd.
        self._observer.iterate(path, points if len(path) % 2 else 2 - points)
