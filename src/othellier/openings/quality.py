"""How far a book may be trusted: what a search two plies deeper says of the ends of its lines, and whether its values
are those of best play over what follows. Who searches is handed in.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from itertools import islice

from othellier.openings.book import Book
from othellier.rules import native
from othellier.rules.board import Position

__all__ = ["DEEPER", "Quality", "SearchValues", "inconsistent", "quality"]

DEEPER = 2
"""Plies beyond those that the book has seen."""

SearchValues = Callable[[Sequence[tuple[Position, int]]], Iterable[float]]
"""Values positions, each to a depth of its own, for the side to move, in their order."""


@dataclass(frozen=True, slots=True)
class Quality:
    """What a deeper search corrects at the ends of a book's lines, in discs."""

    positions: int
    mean: float
    """Mean size of the correction."""
    bias: float
    """Mean correction with its sign, for the side to move."""
    worst: int


def quality(book: Book, searcher: SearchValues, positions: int = 100, seed: int = 0, deeper: int = DEEPER) -> Quality:
    """Have unproven positions at the ends of lines, drawn by the seed, searched again, each deeper than it was."""
    shuffled = [(key, entry) for key, entry in book.items() if not entry.is_exact]
    random.Random(seed).shuffle(shuffled)
    ends = (
        (position, entry)
        for key, entry in shuffled
        if (position := native.position(*key)).moves_mask() and not book.moves(position)
    )
    drawn = list(islice(ends, positions))
    values = searcher([(position, entry.confidence + deeper) for position, entry in drawn])
    corrections = [round(value) - entry.value for value, (_, entry) in zip(values, drawn, strict=True)]
    count = max(1, len(corrections))
    return Quality(
        len(corrections),
        sum(map(abs, corrections)) / count,
        sum(corrections) / count,
        max(map(abs, corrections), default=0),
    )


def inconsistent(book: Book, advance: Callable[[float], None] = lambda amount: None) -> int:
    """How many positions are worth other than the best of their moves, where the book has all of these.

    `advance` is told of each position.
    """
    wrong = 0
    for key, entry in book.items():
        advance(1)
        position = native.position(*key)
        known = book.moves(position)
        if known and len(known) == len(position.moves()):
            wrong += entry.value != known[0].entry.value
    return wrong
