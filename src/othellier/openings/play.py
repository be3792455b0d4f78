"""Playing from a book: how far, with how much variety, and when rather not.

A move is only taken from the book where the book has looked at what matters: it knows every move, or it knows the
position and a move as good as that. Variety is no reason to lose what was not lost: neither by a move proven to
lose, nor by a novelty, one beyond which the book has not looked, that seems to.
"""

from __future__ import annotations

import math
import random
from typing import Self

from othellier.errors import ConfigError
from othellier.games.results import Result
from othellier.openings import book as books
from othellier.openings.book import Book, BookMove
from othellier.rules.board import Position, after
from othellier.rules.geometry import STANDARD

__all__ = ["Opener", "candidates", "choose"]

EXPECTED = 8
"""Moves expected after one from the book: to look for more takes longer than to choose."""


def candidates(book: Book, position: Position, width: float = 0.0) -> list[BookMove]:
    """The moves one may play from the book, best first: within `width` discs of the best, no losing novelty and no
    proven loss among them unless the best loses too.
    """
    if not width >= 0:
        raise ConfigError(f"book width {width} is not a number from 0 on")
    if position.size != STANDARD:
        return []
    known = book.moves(position)
    if not known:
        return []
    best = known[0].entry.value
    if len(known) < len(position.moves()):
        own = book.get(position)
        if own is None or own.value > best:
            return []  # what the book has not looked at may be better
    good = [move for move in known if move.entry.value >= best - width]
    return [move for move in good if not move.entry.value < 0 <= best or _was_looked_at(book, position, move)]


def _was_looked_at(book: Book, position: Position, known: BookMove) -> bool:
    """Whether the book has gone on after a move, and not to its end: then its value is one to play with."""
    return not known.entry.is_exact and bool(book.moves(after(position, known.move)))


def choose(
    book: Book,
    position: Position,
    *,
    moves: int | None = None,
    width: float = 0.0,
    rng: random.Random | None = None,
) -> Result | None:
    """A move from the book, or None; with `moves`, only while fewer were played.

    Without `rng` the best one; with it, one of the candidates, the likelier the better it is.
    """
    if moves is not None and 60 - position.empties >= moves:
        return None
    found = candidates(book, position, width)
    if not found:
        return None
    best = found[0].entry.value
    weights = [width + 1 - (best - move.entry.value) for move in found]
    move, entry = rng.choices(found, weights)[0] if rng is not None else found[0]
    return Result(
        move,
        position.turn,
        float(entry.value),
        depth=entry.confidence,
        pv=(move, *book.line(after(position, move), EXPECTED)),
        source="book",
    )


class Opener:
    """A player's way with a book: how much variety, drawn from where."""

    def __init__(self, book: Book, width: float = 0.0, seed: int | None = None) -> None:
        if not 0 <= width < math.inf:
            raise ConfigError(f"book width {width} is not a number from 0 on")
        self._book = book
        self._width = width
        # Without variety the best move is played always; with it, differently each time unless a seed is given.
        self._rng = random.Random(seed) if width or seed is not None else None

    @classmethod
    def shipped(cls, width: float = 0.0, seed: int | None = None) -> Self | None:
        """With the book that comes with the package; None where it was left out."""
        book = books.shipped()
        return None if book is None else cls(book, width, seed)

    def choose(self, position: Position, moves: int | None = None) -> Result | None:
        """A move from the book, or None; with `moves`, only while fewer were played."""
        return choose(self._book, position, moves=moves, width=self._width, rng=self._rng)
