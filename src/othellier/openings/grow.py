"""A book's file while the book grows: taken up where it was left, saved every minute and whatever ends the work."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path

from othellier.evaluation.chances import chances
from othellier.openings.book import Book, Entry
from othellier.openings.bookfile import EXACT
from othellier.openings.build import AnalyseMany, BookPlan, Builder
from othellier.openings.keys import key_of
from othellier.openings.quality import SearchValues
from othellier.rules import native
from othellier.rules.board import Position

__all__ = ["estimated_endings", "grow", "prove"]

SAVE_EVERY = 60.0
"""Seconds of work that an interruption may cost."""
AT_ONCE = 64
"""Endings handed to whoever solves them in one go."""


def grow(
    file: Path,
    plan: BookPlan,
    analyst: AnalyseMany,
    along: Iterable[Position] = (),
    told: Callable[[int, bool], None] = lambda _count, _saved: None,
) -> Book:
    """Grow the book of a file, made where there is none; `told` hears its size, and whether it was just saved.

    An interrupted growth keeps what it has found.
    """
    saved = time.monotonic()
    builder = Builder(plan, analyst, Book.open(file) if file.exists() else None, along)
    first = len(builder)
    told(first, False)
    try:
        for count in builder.run():
            due = time.monotonic() - saved > SAVE_EVERY
            if due:
                builder.book(int(time.time())).save(file)
                saved = time.monotonic()
            told(count, due)
    finally:
        grown = builder.book(int(time.time()))
        if len(grown) > first:
            grown.save(file)
    return grown


def estimated_endings(book: Book, exact: int) -> list[Position]:
    """Ends of lines with so many empty squares or fewer that are not solved.

    A book gets them from moves of a position that has one empty square too many to be solved itself.
    """
    few = (
        native.position(*key)
        for key, entry in book.items()
        if not entry.is_exact and 64 - (key[0] | key[1]).bit_count() <= exact
    )
    return [position for position in few if position.moves_mask() and not book.moves(position)]


def prove(
    file: Path,
    book: Book,
    endings: Sequence[Position],
    searcher: SearchValues,
    advance: Callable[[float], None] = lambda amount: None,
) -> Book:
    """Have endings of a book solved, the lines before them valued anew, and the book saved; `advance` is told of each.

    An interruption keeps what was solved.
    """
    entries = dict(book.items())
    try:
        for first in range(0, len(endings), AT_ONCE):
            asked = endings[first : first + AT_ONCE]
            for position, value in zip(asked, searcher([(one, one.empties) for one in asked]), strict=True):
                score = round(value)
                entries[key_of(position)] = Entry(score, EXACT, *chances(score, position.empties, True))
                advance(1)
    finally:
        # A builder that is to grow nothing backs all values up.
        proven = Builder(BookPlan(), lambda positions: (), Book.make(entries)).book(int(time.time()))
        proven.save(file)
    return proven
