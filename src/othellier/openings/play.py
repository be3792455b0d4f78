"""Playing from a book: how far, with how much variety, and when rather not.

A move is only taken from the book where the book has looked at what matters: it knows every move, or it knows the
position and a move as good as that. Variety never makes a loss of what was none.
"""

from __future__ import annotations

import random

from othellier.board import Position
from othellier.errors import ConfigError
from othellier.geometry import STANDARD
from othellier.openings.book import Book, BookMove
from othellier.openings.keys import after
from othellier.results import Result

__all__ = ["candidates", "choose"]


def candidates(book: Book, position: Position, width: float = 0.0) -> list[BookMove]:
    """The moves one may play from the book, best first: within `width` discs of the best, none of them losing
    unless all are.
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
    return [move for move in known if move.entry.value >= best - width and not move.entry.value < 0 <= best]


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
        pv=(move, *book.line(after(position, move))),
        source="book",
    )
