"""Growing a book: whole positions are added, the most promising and least explored lines first.

To expand a position is to have all its moves analysed; the positions they lead to join the book. First every
line is covered whose moves all stay within some discs of the best, to some ply. Then lines are drawn out one
at a time as Monte-Carlo tree search does it: from the start, each step takes the move that gives away least, a
move counting as worse the more often it was taken (`Plan.spread`); now and then such a line is played on to its
end, both sides choosing best. Values are backed up by minimax as they come, and when they have moved far enough
for other lines to be good ones, those are covered too. Positions that often occur in games may be named (`along`):
they are expanded as soon as the book has come to them, and late ones, the endings, wherever they come from. The book
alone is the state: what was saved is taken up again.

Many positions are under way at once: the analyst is handed an endless list and takes from it as it has room.
Who analyses, how deep and on how many machines, is handed in; saving is the caller's.
"""

from __future__ import annotations

import heapq
import math
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass

from othellier.errors import ConfigError
from othellier.evaluation.chances import chances
from othellier.games.results import Result
from othellier.openings.book import Book, Entry
from othellier.openings.bookfile import EXACT, PLACES
from othellier.openings.keys import PositionKey, key_of
from othellier.rules import native
from othellier.rules.board import Position, after, past_pass

__all__ = ["AnalyseMany", "BookPlan", "Builder", "entry_of"]

AnalyseMany = Callable[[Iterable[Position]], Iterable[tuple[Position, Sequence[Result]]]]
"""Gives each position back, in any order, with a result for each of its moves, scores for the side to move."""

REVIEW = 2000
"""Positions expanded between two looks whether all good lines are still covered."""
COVERING = 0.05
"""Share of the time kept for covering what the deeper lines have made good."""


@dataclass(frozen=True)
class BookPlan:
    """What to grow."""

    positions: int = 50_000
    """Stop when the book has so many."""
    plies: int = 10
    """Cover all lines so far ..."""
    width: float = 4.0
    """... whose moves are all within so many discs of the best."""
    main: int = 0
    """Cover all lines so far whose moves are all the best."""
    spread: float = 0.5
    """Then, discs by which a move counts as worse each time the work spent on it doubles."""
    deepest: int = 50
    """Moves after which no line is drawn further."""
    through: int = 24
    """Of so many lines, one is played on to its end."""
    seconds: float = math.inf
    """Begin nothing after so long."""
    ending: int = 20
    """Empty squares from which on a position named to the builder is taken wherever it comes from."""

    def __post_init__(self) -> None:
        if not (
            self.positions > 0
            and min(self.plies, self.main, self.ending) >= 0
            and 0 < self.deepest < PLACES
            and self.through > 0
        ):
            raise ConfigError("a book needs positions, plies from 0 on, deepest from 1 to 59, and lines played through")
        if not (self.width >= 0 and self.spread > 0 and self.seconds >= 0):
            raise ConfigError("a book's width and time are 0 or more, its spread more than 0")

    @property
    def covers(self) -> tuple[tuple[int, float], ...]:
        """How far to cover all lines of what width."""
        return (self.plies, self.width), (self.main, 0.0)


@dataclass(slots=True)
class _Node:
    """A position of the growing book."""

    entry: Entry
    children: list[tuple[PositionKey, bool]] | None = None
    """The positions of its moves, and whether the same side is to move there; None until expanded."""
    parents: list[PositionKey] | None = None
    visits: float = 0
    closed: bool = False
    """Whether there is nothing to find below."""


def entry_of(result: Result, position: Position, turns: bool = True) -> Entry:
    """What a result says of the position its move leads to, for the side to move there (`turns`: the other)."""
    score = result.score or 0.0
    value = max(-64, min(64, round(-score if turns else score)))
    confidence = EXACT if result.is_move_exact else max(0, min(EXACT - 1, result.depth - 1))
    return Entry(value, confidence, *chances(value, position.empties, confidence == EXACT, confidence or None))


class Builder:
    """A book while it grows."""

    def __init__(
        self, plan: BookPlan, analyst: AnalyseMany, book: Book | None = None, along: Iterable[Position] = ()
    ) -> None:
        self.plan = plan
        self._analyst = analyst
        self._nodes: dict[PositionKey, _Node] = (
            {} if book is None else {key: _Node(entry) for key, entry in book.items()}
        )
        self._root = key_of(native.start())
        if self._root not in self._nodes:
            self._nodes[self._root] = _Node(Entry(0, 0, *chances(0, 60)))
        self._settle()
        self._wanted = {key_of(position) for position in along}
        self._named = [key for key in self._wanted if key in self._nodes or 64 - _discs(key) <= plan.ending]
        self._named.sort(key=lambda key: (-_discs(key), key))  # taken from the end: the nearest to the start first
        self._last_line = self._end = math.inf
        self._expanded = self._drawn = 0
        self._busy: set[PositionKey] = set()
        self._lacking: list[PositionKey] = []  # to be expanded for good lines to be covered
        self._review = 0  # when to look again what is lacking, in positions expanded
        self._covered = False  # whether nothing was lacking once
        self._through: set[PositionKey] = set()  # under way, and to be played on
        self._onward: list[PositionKey] = []  # where such lines go on

    def __len__(self) -> int:
        return len(self._nodes)

    def book(self, date: int = 0) -> Book:
        """The book as it is now, values backed up."""
        return Book.make({key: node.entry for key, node in self._nodes.items()}, date)

    def uncovered(self) -> list[PositionKey]:
        """The positions still to be expanded for all good lines to be covered."""
        return list(dict.fromkeys(key for plies, width in self.plan.covers for key in self._uncovered(plies, width)))

    def _uncovered(self, plies: int, width: float) -> list[PositionKey]:
        level, found = {self._root}, []
        for _ in range(plies):
            following: set[PositionKey] = set()
            for key in sorted(level):
                node = self._nodes[key]
                if node.children is None:
                    if not node.closed:
                        found.append(key)
                    continue
                moves = self._moves(key)
                best = max(value for value, _ in moves)
                following.update(child for value, child in moves if value >= best - width)
            level = following
        return found

    def run(self) -> Iterator[int]:
        """Grow to the plan's size; gives the number of positions after each one expanded. May be left at any time."""
        begin = time.monotonic()
        self._last_line, self._end = begin + (1 - COVERING) * self.plan.seconds, begin + self.plan.seconds
        while True:
            before = self._expanded
            # The list of work may run dry only for what is under way: then it is asked for anew.
            for position, results in self._analyst(self._work()):
                self._expand(key_of(position), position, results)
                yield len(self)
            if self._expanded == before:
                break
        self._settle()

    # -- what to expand

    def _work(self) -> Iterator[Position]:
        while time.monotonic() < self._end and (key := self._next()) is not None:
            self._busy.add(key)
            if key in self._nodes:
                self._nodes[key].closed = True  # while it is under way, so that the next line goes elsewhere
                self._back_up([key])
            yield native.position(*key)

    def _next(self) -> PositionKey | None:
        """What to expand now; None if there is nothing, or nothing until what is under way comes back."""
        full = len(self) >= self.plan.positions
        if full and not self._covered:
            return None
        last = full or time.monotonic() > self._last_line
        if not self._lacking and (self._expanded >= self._review or (last and not self._busy)):
            self._lacking = self.uncovered()[::-1]
            waiting = len(self._lacking) + len(self._busy)
            self._covered = self._covered or not waiting
            self._review = self._expanded + (REVIEW if self._covered else waiting)
        while self._lacking:
            key = self._lacking.pop()
            if self._is_open_leaf(key):
                return key
        if last:
            return None
        while self._named:
            key = self._named.pop()
            if self._can_be_played_on(key):
                return key
        while self._onward:
            key = self._onward.pop()
            if self._can_be_played_on(key):
                self._through.add(key)
                return key
        return self._promising()

    def _promising(self) -> PositionKey | None:
        """The end of a line drawn from the start."""
        if self._nodes[self._root].closed:
            return None
        path = [self._root]
        while self._nodes[path[-1]].children is not None:
            moves = [move for move in self._moves(path[-1]) if not self._nodes[move[1]].closed]
            path.append(max(moves, key=lambda move: (self._promise(*move), move[1]))[1])
        for key in path:
            self._nodes[key].visits += 1
        self._drawn += 1
        if self._drawn % self.plan.through == 0:
            self._through.add(path[-1])
        return path[-1]

    def _promise(self, value: int, child: PositionKey) -> float:
        return value - self.plan.spread * math.log2(1 + self._nodes[child].visits)

    def _moves(self, key: PositionKey) -> list[tuple[int, PositionKey]]:
        """The moves of an expanded position: what each is worth, and where it leads."""
        moves = []
        for child, same_side in self._nodes[key].children or ():
            value = self._nodes[child].entry.value
            moves.append((value if same_side else -value, child))
        return moves

    def _is_open_leaf(self, key: PositionKey) -> bool:
        node = self._nodes[key]
        return node.children is None and not node.closed

    def _can_be_played_on(self, key: PositionKey) -> bool:
        """Whether its moves may be looked at, be its own value proven or not."""
        node = self._nodes.get(key)
        fresh = (node is None or node.children is None) and key not in self._busy
        return fresh and _discs(key) - 4 < self.plan.deepest and bool(native.position(*key).moves_mask())

    # -- expanding

    def _expand(self, key: PositionKey, position: Position, results: Sequence[Result]) -> None:
        if {result.move for result in results} != set(position.moves()):
            raise ConfigError("the analyst has not looked at all moves of a position")
        if key not in self._nodes:  # an ending that no line of the book has come to
            self._nodes[key] = _Node(Entry(0, 0, *chances(0, position.empties)))
        for result in results:
            reached = after(position, result.move)
            child = key_of(reached)
            if child not in self._nodes:
                self._nodes[child] = _Node(entry_of(result, reached, reached.turn != position.turn))
                self._close_if_done(child)
                if child in self._wanted:
                    self._named.append(child)
        self._busy.discard(key)
        self._take_up(key)
        self._back_up([key])
        self._expanded += 1
        if key in self._through:
            self._through.remove(key)
            while self._nodes[key].children is not None:
                key = max(self._moves(key))[1]
            self._onward.append(key)

    def _settle(self) -> None:
        """Back all values up, from the end on; lines that met elsewhere are tied together."""
        for key in sorted(self._nodes, key=_discs, reverse=True):
            if self._nodes[key].children is None:
                self._take_up(key)
            else:
                self._renew(key)

    def _take_up(self, key: PositionKey) -> None:
        """Tie a position to those after it, if all are known, and take over what they say."""
        self._close_if_done(key)
        node = self._nodes[key]
        position = native.position(*key)
        if node.children is not None or position.is_over():
            return
        position = past_pass(position)
        reached = [after(position, move) for move in position.moves()]
        children = [(key_of(child), child.turn == "black") for child in reached]
        if not all(child in self._nodes for child, _ in children):
            return
        node.children = list(dict.fromkeys(children))
        for child, _ in node.children:
            below = self._nodes[child]
            below.parents = [*(below.parents or ()), key]
            node.visits += below.visits
        node.visits += 1
        self._renew(key)

    def _close_if_done(self, key: PositionKey) -> None:
        node = self._nodes[key]
        position = native.position(*key)
        deep = 60 - position.empties >= self.plan.deepest
        node.closed = node.entry.is_exact or deep or not position.moves_mask()

    def _back_up(self, keys: Iterable[PositionKey]) -> None:
        """Carry what is new at some positions up to the start, each position after all below it."""
        fresh = set(keys)
        heap = [(-_discs(key), key) for key in fresh]
        heapq.heapify(heap)
        seen = set(fresh)
        while heap:
            _, key = heapq.heappop(heap)
            if not self._renew(key) and key not in fresh:
                continue
            for parent in self._nodes[key].parents or ():
                if parent not in seen:
                    seen.add(parent)
                    heapq.heappush(heap, (-_discs(parent), parent))

    def _renew(self, key: PositionKey) -> bool:
        """Work a position out from those below it; whether anything has changed."""
        node = self._nodes[key]
        if node.children is None:
            return False
        known = []
        for child, same_side in node.children:
            entry = self._nodes[child].entry
            known.append(entry if same_side else entry.flipped())
        best = max(known, key=lambda entry: (entry.value, entry.confidence))
        exact = all(entry.is_exact for entry in known)
        confidence = EXACT if exact else min(EXACT - 1, best.confidence + 1)
        renewed = Entry(best.value, confidence, *chances(best.value, 64 - _discs(key), exact, confidence or None))
        closed = exact or all(self._nodes[child].closed for child, _ in node.children)
        changed = (renewed, closed) != (node.entry, node.closed)
        node.entry, node.closed = renewed, closed
        return changed


def _discs(key: PositionKey) -> int:
    return (key[0] | key[1]).bit_count()
