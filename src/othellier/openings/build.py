"""Growing a book: whole positions are added, the most promising and least explored lines first.

To expand a position is to have all its moves analysed; the positions they lead to join the book. First every
line is covered whose moves all stay within some discs of the best, to some ply. Then lines are drawn out one
at a time as Monte-Carlo tree search does it: from the start, each step takes the move that gives away least, a
move counting as worse the more often it was taken (`Plan.spread`). Values are backed up by minimax after every
batch. The book alone is the state: what was saved is taken up again.

Who analyses, how deep and on how many machines, is handed in; saving is the caller's.
"""

from __future__ import annotations

import heapq
import math
import random
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass

from othellier import native
from othellier.board import Position
from othellier.errors import ConfigError
from othellier.geometry import PASS
from othellier.openings.book import Book, Entry, odds
from othellier.openings.bookfile import EXACT, PLACES
from othellier.openings.keys import Key, after, key_of
from othellier.results import Result

__all__ = ["Analyst", "Builder", "Plan", "Quality", "entry_of", "quality"]

Analyst = Callable[[Sequence[Position]], Iterable[Sequence[Result]]]
"""Gives for each position, in order, a result for each of its moves, scores for the side to move."""


@dataclass(frozen=True)
class Plan:
    """What to grow."""

    positions: int = 50_000
    """Stop when the book has so many."""
    plies: int = 10
    """Cover all lines so far ..."""
    width: float = 4.0
    """... whose moves are all within so many discs of the best."""
    spread: float = 0.5
    """Then, discs by which a move counts as worse each time the work spent on it doubles."""
    deepest: int = 40
    """Moves after which no line is drawn further."""
    batch: int = 32
    """Positions handed to the analyst at once."""

    def __post_init__(self) -> None:
        if not (self.positions > 0 and self.plies >= 0 and 0 < self.deepest < PLACES and self.batch > 0):
            raise ConfigError("a book needs positions, plies from 0 on, deepest from 1 to 59, and a batch")
        if not (self.width >= 0 and self.spread > 0):
            raise ConfigError("a book's width is 0 or more, its spread more than 0")


@dataclass(slots=True)
class _Node:
    """A position of the growing book."""

    entry: Entry
    children: list[tuple[Key, bool]] | None = None
    """The positions of its moves, and whether the same side is to move there; None until expanded."""
    parents: list[Key] | None = None
    visits: float = 0
    closed: bool = False
    """Whether there is nothing to find below."""


def entry_of(result: Result, position: Position, turns: bool = True) -> Entry:
    """What a result says of the position its move leads to, for the side to move there (`turns`: the other)."""
    score = result.score or 0.0
    value = max(-64, min(64, round(-score if turns else score)))
    confidence = EXACT if result.is_exact else max(0, min(EXACT - 1, result.depth - 1))
    return Entry(value, confidence, *odds(value, position.empties, confidence == EXACT))


class Builder:
    """A book while it grows."""

    def __init__(self, plan: Plan, analyst: Analyst, book: Book | None = None) -> None:
        self.plan = plan
        self._analyst = analyst
        self._nodes: dict[Key, _Node] = {} if book is None else {key: _Node(entry) for key, entry in book.items()}
        self._root = key_of(native.start())
        if self._root not in self._nodes:
            self._nodes[self._root] = _Node(Entry(0, 0, *odds(0, 60)))
        self._settle()

    def __len__(self) -> int:
        return len(self._nodes)

    def book(self, date: int = 0) -> Book:
        """The book as it is now, all values backed up."""
        self._settle()
        return Book.make({key: node.entry for key, node in self._nodes.items()}, date)

    def run(self) -> Iterator[int]:
        """Grow to the plan's size; gives the number of positions after each batch. May be left at any time."""
        while keys := self._uncovered() or self._promising():
            for first in range(0, len(keys), self.plan.batch):
                if len(self) >= self.plan.positions:
                    return
                self._expand(keys[first : first + self.plan.batch])
                yield len(self)

    # -- what to expand

    def _uncovered(self) -> list[Key]:
        """The positions of the first ply where some are still to be expanded for all good lines to be covered."""
        level = {self._root}
        for _ in range(self.plan.plies):
            found = [key for key in sorted(level) if self._is_open_leaf(key)]
            if found:
                return found
            following: set[Key] = set()
            for key in level:
                moves = self._moves(key)
                best = max((value for value, _ in moves), default=0)
                following.update(child for value, child in moves if value >= best - self.plan.width)
            level = following
        return []

    def _promising(self) -> list[Key]:
        """The ends of lines drawn from the start, all different."""
        found: list[Key] = []
        while len(found) < self.plan.batch and not self._nodes[self._root].closed:
            path = [self._root]
            while self._nodes[path[-1]].children is not None:
                moves = [move for move in self._moves(path[-1]) if not self._nodes[move[1]].closed]
                path.append(max(moves, key=lambda move: (self._promise(*move), move[1]))[1])
            for key in path:
                self._nodes[key].visits += 1
            # Closed while it is being worked on, so that the next line goes elsewhere.
            found.append(path[-1])
            self._nodes[path[-1]].closed = True
            self._back_up(path[-1:])
        for key in found:
            self._nodes[key].closed = False
        self._back_up(found)
        return found

    def _promise(self, value: int, child: Key) -> float:
        return value - self.plan.spread * math.log2(1 + self._nodes[child].visits)

    def _moves(self, key: Key) -> list[tuple[int, Key]]:
        """The moves of an expanded position: what each is worth, and where it leads."""
        moves = []
        for child, same_side in self._nodes[key].children or ():
            value = self._nodes[child].entry.value
            moves.append((value if same_side else -value, child))
        return moves

    def _is_open_leaf(self, key: Key) -> bool:
        node = self._nodes[key]
        return node.children is None and not node.closed

    # -- expanding

    def _expand(self, keys: Sequence[Key]) -> None:
        positions = [native.position(*key) for key in keys]
        for key, position, results in zip(keys, positions, self._analyst(positions), strict=True):
            if {result.move for result in results} != set(position.moves()):
                raise ConfigError("the analyst has not looked at all moves of a position")
            for result in results:
                reached = after(position, result.move)
                turns = reached.turn != position.turn
                child = key_of(reached)
                if child not in self._nodes:
                    self._nodes[child] = _Node(entry_of(result, reached, turns))
                    self._close_if_done(child)
            self._take_up(key)
        self._back_up(keys)

    def _settle(self) -> None:
        """Back all values up, from the end on; lines that met elsewhere are tied together."""
        for key in sorted(self._nodes, key=_discs, reverse=True):
            if self._nodes[key].children is None:
                self._take_up(key)
            else:
                self._renew(key)

    def _take_up(self, key: Key) -> None:
        """Tie a position to those after it, if all are known, and take over what they say."""
        self._close_if_done(key)
        node = self._nodes[key]
        position = native.position(*key)
        if node.children is not None or position.is_over():
            return
        position = position.play(PASS) if position.must_pass() else position
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

    def _close_if_done(self, key: Key) -> None:
        node = self._nodes[key]
        position = native.position(*key)
        deep = 60 - position.empties >= self.plan.deepest
        node.closed = node.entry.is_exact or deep or not position.moves_mask()

    def _back_up(self, keys: Iterable[Key]) -> None:
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

    def _renew(self, key: Key) -> bool:
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
        renewed = Entry(best.value, confidence, *odds(best.value, 64 - _discs(key), exact))
        closed = exact or all(self._nodes[child].closed for child, _ in node.children)
        changed = (renewed, closed) != (node.entry, node.closed)
        node.entry, node.closed = renewed, closed
        return changed


def _discs(key: Key) -> int:
    return (key[0] | key[1]).bit_count()


@dataclass(frozen=True, slots=True)
class Quality:
    """What a deeper search corrects at the ends of a book's lines, in discs."""

    positions: int
    mean: float
    """Mean size of the correction."""
    bias: float
    """Mean correction with its sign, for the side to move."""
    worst: int


def quality(book: Book, deeper: Analyst, positions: int = 100, seed: int = 0) -> Quality:
    """Have unproven positions at the ends of lines, drawn by the seed, searched again, deeper."""
    ends = [
        position
        for key, entry in book.items()
        if not entry.is_exact and (position := native.position(*key)).moves_mask() and not book.moves(position)
    ]
    drawn = random.Random(seed).sample(ends, min(positions, len(ends)))
    corrections = []
    for position, results in zip(drawn, deeper(drawn), strict=True):
        entry = book.get(position)
        assert entry is not None
        corrections.append(round(max(result.score or 0.0 for result in results)) - entry.value)
    count = len(corrections)
    return Quality(
        count,
        sum(map(abs, corrections)) / count if count else 0.0,
        sum(corrections) / count if count else 0.0,
        max(map(abs, corrections), default=0),
    )
