"""Openings as a tree to study: from a line on, the moves that matter, with names, book values and results.

A move matters where a named opening goes on with it, where the book has it within some discs of the best, or where
enough of the games that came so far went on with it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cache

from othellier.errors import ConfigError
from othellier.openings import names
from othellier.openings.book import Entry
from othellier.openings.explorer import Exploration, Explorer, MoveStatistics, Statistics
from othellier.openings.keys import PositionKey, key_of
from othellier.rules import native
from othellier.rules.board import Position, after

__all__ = ["Branch", "grow_tree"]

WIDTH = 2
"""Discs from the best within which a book move matters."""
SHARE = 0.05
"""The share of games from which on a move matters."""


@dataclass(frozen=True, slots=True)
class Branch:
    """A move with what is known of it, and the moves that follow."""

    moves: tuple[int, ...]
    """The whole line, this move last."""
    opening: names.Opening | None
    entry: Entry | None
    """What the book says, for the side that made the move."""
    statistics: Statistics
    branches: tuple[Branch, ...]

    def walk(self) -> Iterator[Branch]:
        """This branch and all that grow from it, each before its own."""
        yield self
        for branch in self.branches:
            yield from branch.walk()


def grow_tree(moves: Iterable[int], depth: int, explorer: Explorer | None = None) -> Branch:
    """The tree of a line, `depth` plies deep. Lines that lead to the same position are drawn once."""
    if not 0 <= depth <= 60:
        raise ConfigError(f"a tree of depth {depth} cannot be drawn: 0 to 60 can")
    explorer = explorer or Explorer(None)
    line, position = tuple(moves), native.start()
    for move in line:
        position = after(position, move)
    found = explorer.explore(position)
    # A book's entry is for the side to move; here it is for the side that has moved.
    entry = found.entry.flipped() if found.entry is not None else None
    branches = _branches(line, position, found, depth, explorer, {key_of(position)})
    return Branch(line, found.opening, entry, found.statistics, branches)


def _branches(
    line: tuple[int, ...],
    position: Position,
    found: Exploration,
    depth: int,
    explorer: Explorer,
    seen: set[PositionKey],
) -> tuple[Branch, ...]:
    if depth == 0:
        return ()
    branches = []
    for move in found.moves:
        reached = after(position, move.moves[0])
        key = key_of(reached)
        if key in seen or not _matters(move, found, key):
            continue
        seen.add(key)
        longer = (*line, move.moves[0])
        below = _branches(longer, reached, explorer.explore(reached), depth - 1, explorer, seen)
        branches.append(Branch(longer, move.opening, move.entry, move.statistics, below))
    return tuple(branches)


def _matters(move: MoveStatistics, found: Exploration, key: PositionKey) -> bool:
    if key in _named():
        return True
    if move.entry is not None:
        best = max(other.entry.value for other in found.moves if other.entry is not None)
        if move.entry.value >= best - WIDTH:
            return True
    return move.statistics.games > SHARE * found.statistics.games


@cache
def _named() -> frozenset[PositionKey]:
    """Every position on the way of a named opening."""
    keys = set()
    for opening in names.openings():
        position = native.start()
        for move in opening.moves:
            position = position.play(move)
            keys.add(key_of(position))
    return frozenset(keys)
