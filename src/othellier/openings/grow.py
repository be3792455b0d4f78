"""A book's file while the book grows: taken up where it was left, saved every minute and whatever ends the work."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable
from pathlib import Path

from othellier.board import Position
from othellier.openings.book import Book
from othellier.openings.build import AnalyseMany, BookPlan, Builder

__all__ = ["grow"]

SAVE_EVERY = 60.0
"""Seconds of work that an interruption may cost."""


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
