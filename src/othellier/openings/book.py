"""A book: positions worked out beforehand, up to symmetry, and what is known of each.

    book = Book.open("FOREST.bib")       mapped into memory; a query takes a few microseconds
    book.get(position)                   Entry(value, confidence, win, draw) or None
    book.moves(position)                 the moves whose position the book has, best first

A book does not change: `make` sets one up from entries, `merged` and `pruned` give new ones. The bytes of its file are
the business of `bookfile.py`; playing from it, growing it and other formats have files of their own.
"""

from __future__ import annotations

import math
import struct
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterator, Mapping
from datetime import UTC, datetime
from functools import cache
from importlib import resources
from pathlib import Path
from typing import NamedTuple

import numpy as np

from othellier.errors import RecordError
from othellier.openings import bookfile
from othellier.openings.bookfile import EXACT, PLACES, STATS, Columns
from othellier.openings.keys import PositionKey, key_of
from othellier.rules import native
from othellier.rules.board import Position, after
from othellier.rules.geometry import squares_of

__all__ = ["Book", "BookMove", "Entry", "Row", "shipped"]

STAT = struct.Struct("<ffbB")


class Entry(NamedTuple):
    """What a book knows of a position, for the side to move.

    >>> from othellier import openings, start
    >>> entry = openings.book.shipped().get(start())
    >>> entry.value, entry.confidence < 100
    (0, True)
    """

    value: int
    """Final disc difference, estimated or proven."""
    confidence: int
    """100 for a proven value; below, the plies seen along the best line, or 0 where nobody has said."""
    win: float
    """Probability of a win."""
    draw: float

    @property
    def is_exact(self) -> bool:
        """Whether the value is proven."""
        return self.confidence == EXACT

    def flipped(self) -> Entry:
        """The same as the other side sees it."""
        return Entry(-self.value, self.confidence, max(0.0, 1 - self.win - self.draw), self.draw)


class BookMove(NamedTuple):
    """A move and what the book knows of it, for the side that makes it.

    >>> from othellier import openings, square_name, start
    >>> best = openings.book.shipped().moves(start().play("f5"))[0]
    >>> square_name(best.move), best.entry.value
    ('d6', 0)
    """

    move: int
    entry: Entry


class Row(NamedTuple):
    """One line of a book's summary: its positions after so many moves."""

    moves: int
    positions: int
    exact: int
    least: int
    greatest: int


class Book:
    """Positions up to symmetry with their values, in the order of their file.

    >>> from othellier import openings, start
    >>> book = openings.book.shipped()
    >>> book.get(start()) is not None
    True
    """

    def __init__(self, columns: Columns, name: str = "book") -> None:
        self.columns = columns
        self.name = name
        # Plain memory views are bisected several times faster than arrays.
        self._player, self._opponent = columns.player.data, columns.opponent.data
        self._stats = np.ascontiguousarray(columns.stats).data.cast("B")
        counts = np.bincount(bookfile.moves_played(columns.player, columns.opponent), minlength=PLACES)
        self._first = [0, *np.cumsum(counts).tolist()]

    @classmethod
    def open(cls, path: str | Path, checked: bool = True) -> Book:
        """The book of a FOREST.bib file, checked unless it is known to be sound."""
        return cls(bookfile.read(Path(path), checked), str(path))

    @classmethod
    def make(cls, entries: Mapping[PositionKey, Entry], date: int = 0) -> Book:
        """The book of these entries; the date is in seconds since 1970."""
        player = np.fromiter((key[0] for key in entries), np.uint64, len(entries))
        opponent = np.fromiter((key[1] for key in entries), np.uint64, len(entries))
        stats = np.empty(len(entries), STATS)
        for field, column in zip(Entry._fields, zip(*entries.values(), strict=True), strict=False):
            stats[field] = column
        order = np.lexsort((opponent, player, bookfile.moves_played(player, opponent)))
        return cls(Columns(player[order], opponent[order], stats[order], date))

    def save(self, path: str | Path) -> None:
        """Write the book, whole or not at all."""
        bookfile.write(self.columns, Path(path))

    @property
    def facts(self) -> str:
        """How many positions it has and when it was made, in words for a trace."""
        try:
            made = f", made {datetime.fromtimestamp(self.columns.date, UTC):%Y-%m-%d}" if self.columns.date else ""
        except (OverflowError, ValueError, OSError):  # a date that is none
            made = ""
        return f"{len(self)} positions{made}"

    # -- asking

    def __len__(self) -> int:
        return len(self.columns)

    def __repr__(self) -> str:
        return f"<Book {self.name} of {self.facts}>"

    def __contains__(self, position: Position) -> bool:
        return self.get(position) is not None

    def get(self, position: Position) -> Entry | None:
        """What the book knows of a position."""
        return self.find(key_of(position))

    def find(self, key: PositionKey) -> Entry | None:
        """What the book knows of the position with a key."""
        player, opponent = key
        place = (player | opponent).bit_count() - 4
        if not 0 <= place < PLACES:
            return None
        first, last = self._first[place], self._first[place + 1]
        first = bisect_left(self._player, player, first, last)
        last = bisect_right(self._player, player, first, last)
        at = bisect_left(self._opponent, opponent, first, last)
        return self._entry(at) if at < last and self._opponent[at] == opponent else None

    def _entry(self, at: int) -> Entry:
        win, draw, value, confidence = STAT.unpack_from(self._stats, at * STAT.size)
        return Entry(value, confidence, win, draw)

    def moves(self, position: Position) -> list[BookMove]:
        """The moves whose position the book has, best first; among equals the surer, then from a1 on."""
        found = []
        for move in squares_of(position.moves_mask()):
            entry = self._after(position, move)
            if entry is not None:
                found.append(BookMove(move, entry))
        return sorted(found, key=lambda known: (-known.entry.value, -known.entry.confidence))

    def _after(self, position: Position, move: int) -> Entry | None:
        """The entry of a move for the side that makes it."""
        following = after(position, move)
        entry = self.get(following)
        return entry if entry is None or following.turn == position.turn else entry.flipped()

    def line(self, position: Position, most: int = 60) -> tuple[int, ...]:
        """Best play as far as the book goes, or for so many moves, passes left out."""
        moves: list[int] = []
        while len(moves) < most and (known := self.moves(position)):
            moves.append(known[0].move)
            position = after(position, known[0].move)
        return tuple(moves)

    def items(self) -> Iterator[tuple[PositionKey, Entry]]:
        """All positions in the order of the file."""
        for at, (player, opponent) in enumerate(zip(self._player, self._opponent, strict=True)):
            yield (player, opponent), self._entry(at)

    def summary(self) -> list[Row]:
        """Positions, exact positions and the range of values, by moves played; empty rows are left out."""
        tables = bookfile.summarise(self.columns)
        rows = zip(*(tables[field].tolist() for field in ("total", "exact", "min", "max")), strict=True)
        return [Row(moves, row[0], row[1], int(row[2]), int(row[3])) for moves, row in enumerate(rows) if row[0]]

    def covered(self, width: float) -> int:
        """For how many moves from the start the book has every line, each move within `width` discs of the best.

        Nothing need be known beyond a proven value.
        """
        start = native.start()
        level = {key_of(start): start}
        for plies in range(PLACES):
            following: dict[PositionKey, Position] = {}
            for key, position in level.items():
                known = self.moves(position)
                if len(known) < len(position.moves()):
                    entry = self.find(key)
                    if entry is None or not entry.is_exact:
                        return plies
                for move, entry in known:
                    if entry.value >= known[0].entry.value - width:
                        reached = after(position, move)
                        following[key_of(reached)] = reached
            level = following
        return PLACES

    # -- changing

    def merged(self, other: Book) -> Book:
        """The positions of both; where they differ the more confident one counts, and of equals this one.

        Two books that prove different values of one position disagree: that is an error.
        """
        ours, theirs = self.columns, other.columns
        player = np.concatenate([ours.player, theirs.player])
        opponent = np.concatenate([ours.opponent, theirs.opponent])
        stats = np.concatenate([ours.stats, theirs.stats])
        # Twins come to lie side by side, the surer one first; the sort is stable, so of equals ours comes first.
        doubt = EXACT - stats["confidence"].astype(np.int64)
        order = np.lexsort((doubt, opponent, player, bookfile.moves_played(player, opponent)))
        player, opponent, stats, doubt = player[order], opponent[order], stats[order], doubt[order]
        twin = (player[1:] == player[:-1]) & (opponent[1:] == opponent[:-1])
        wrong = np.flatnonzero(twin & (doubt[1:] == 0) & (stats["value"][1:] != stats["value"][:-1]))
        if len(wrong):
            at = int(wrong[0])
            board = native.position(int(player[at]), int(opponent[at])).board_string()
            values = f"{stats['value'][at + 1]:+d} and {stats['value'][at]:+d}"
            raise RecordError(other.name, "", f"disagrees with {self.name}: {values}, both exact, for {board}")
        kept = np.concatenate([np.ones(min(1, len(player)), bool), ~twin])
        return Book(Columns(player[kept], opponent[kept], stats[kept], max(ours.date, theirs.date)))

    def pruned(
        self, plies: int = PLACES, width: float = math.inf, advance: Callable[[float], None] = lambda amount: None
    ) -> Book:
        """Only what is reached from the start in that many moves, neither side giving away more than `width` discs
        in one of them. `advance` is told of each position.
        """
        start = native.start()
        level: dict[PositionKey, Position] = {key_of(start): start}
        kept: dict[PositionKey, Entry] = {}
        for _ in range(plies + 1):
            following: dict[PositionKey, Position] = {}
            for key, position in level.items():
                entry = self.find(key)
                if entry is None:
                    continue
                kept[key] = entry
                advance(1)
                known = self.moves(position)
                for move, found in known:
                    if known[0].entry.value - found.value <= width:
                        reached = after(position, move)
                        following[key_of(reached)] = reached
            level = following
        return Book.make(kept, self.columns.date)


@cache
def shipped() -> Book | None:
    """The book that comes with the package, opened once; None where it was left out."""
    file = resources.files("othellier.openings").joinpath("data/othellier.bib")
    with resources.as_file(file) as path:
        # Every process that plays opens it. A test checks it, and `othellier book info`.
        return Book.open(path, checked=False) if path.exists() else None
