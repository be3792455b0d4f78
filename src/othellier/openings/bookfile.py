"""The bytes of a book: the FOREST.bib format (version 9.1 and later), read, checked and written.

Little-endian. A header of 24 bytes (CRC32, number of positions, size of the file, padding, date), four tables by
moves played (positions, exact positions, least and greatest value), all boards of the side to move, all boards of
the other side, then for each position: probability of a win and of a draw, value, confidence.

Four readings the format's document leaves open:

* Its tables have 60 places "for 0 to 60 moves": place n stands for n moves played, 0 to 59. After 60 moves the
  board is full and nothing is left to look up, so such a position is not kept. Tables of 61 places are read too:
  full boards at the end of such a file are left out.
* What is known of a position takes 10 bytes, and is so written. With the usual padding of C it takes 12, and is
  read too. The size of the file decides between these layouts.
* "Total size of the data" is taken for the size of the whole file, and so written; the size without the header is
  accepted too. Checksum and padding, "0 for now" and "reserved", are written as 0 and not looked at.
* A place of the tables without positions has 0 for its least and greatest value; others are accepted.

What the positions mean, and asking for them, is the business of `book.py`.
"""

from __future__ import annotations

import struct
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from othellier.base.files import map_file, write_file
from othellier.batch import Bits
from othellier.errors import RecordError
from othellier.rules.symmetry import canonical

__all__ = ["CENTRE", "EXACT", "PLACES", "STATS", "Columns", "moves_played", "read", "summarise", "write"]

HEADER = struct.Struct("<IiiIq")
PLACES = 60
TABLES = np.dtype([("total", "<u4", PLACES), ("exact", "<u4", PLACES), ("min", "<f4", PLACES), ("max", "<f4", PLACES)])
STATS = np.dtype([("win", "<f4"), ("draw", "<f4"), ("value", "i1"), ("confidence", "u1")])
EXACT = 100
"""The confidence of a proven value."""

PADDED = np.dtype(STATS.descr, align=True)
"""STATS with the padding that compilers of C add: 12 bytes."""

FIRST = HEADER.size + TABLES.itemsize
WIDTH = 16 + STATS.itemsize
CENTRE = np.uint64(0x0000001818000000)
TOLERANCE = 1e-6
"""By how much two probabilities of 32 bits may miss their sum."""


@dataclass(frozen=True)
class Columns:
    """The positions of a book, sorted as the file has them, and what is known of each."""

    player: Bits
    opponent: Bits
    stats: npt.NDArray[np.void]
    """An array of STATS."""
    date: int = 0
    """Seconds since 1970."""

    def __len__(self) -> int:
        return len(self.player)


@dataclass(frozen=True, slots=True)
class _Layout:
    """A reading of the format: places of each table, and the bytes of what is known of a position."""

    places: int
    stats: np.dtype[np.void]

    @property
    def tables(self) -> np.dtype[np.void]:
        """The four tables."""
        return np.dtype([(name, TABLES[name].base, self.places) for name in TABLES.names or ()])

    @property
    def first(self) -> int:
        """The byte at which the boards begin."""
        return HEADER.size + self.tables.itemsize

    def size(self, count: int) -> int:
        """The bytes of a file of so many positions."""
        return self.first + (16 + self.stats.itemsize) * count


LAYOUTS = [_Layout(places, stats) for places in (PLACES, PLACES + 1) for stats in (STATS, PADDED)]
"""The one that is written comes first."""


def moves_played(player: Bits, opponent: Bits) -> npt.NDArray[np.int64]:
    """How many moves led to each position: its discs less the first four."""
    discs: npt.NDArray[np.int64] = np.bitwise_count(player | opponent).astype(np.int64)
    return discs - 4


def summarise(columns: Columns) -> npt.NDArray[np.void]:
    """The tables of the header: positions, exact ones, least and greatest value by moves played."""
    tables = np.zeros((), TABLES)
    place = moves_played(columns.player, columns.opponent)
    values = columns.stats["value"].astype(np.float32)
    tables["total"] = np.bincount(place, minlength=PLACES)
    tables["exact"] = np.bincount(place[columns.stats["confidence"] == EXACT], minlength=PLACES)
    least, greatest = np.full(PLACES, np.inf, np.float32), np.full(PLACES, -np.inf, np.float32)
    np.minimum.at(least, place, values)
    np.maximum.at(greatest, place, values)
    there = tables["total"] > 0
    tables["min"], tables["max"] = np.where(there, least, 0), np.where(there, greatest, 0)
    return tables


# -- writing


def write(columns: Columns, path: Path) -> None:
    """Write a book, whole or not at all; one that could not be read back is refused."""
    _check_positions(columns, str(path))
    size = FIRST + WIDTH * len(columns)
    if size > 0x7FFFFFFF:
        raise RecordError(str(path), "", f"{len(columns)} positions are more than a FOREST book can count")
    header = HEADER.pack(0, len(columns), size, 0, columns.date)
    arrays = (columns.player.astype("<u8"), columns.opponent.astype("<u8"), columns.stats)
    write_file(path, [header, summarise(columns).tobytes(), *(array.tobytes() for array in arrays)])


# -- reading


def read(path: Path, checked: bool = True) -> Columns:
    """The positions of a file; they are mapped into memory, not loaded. Checking all of them takes most of the time: it
    may be left out for a file that is known."""
    name = str(path)
    data = map_file(path)
    layout, count, date = _check_header(data, len(data), name)
    tables = _tables(data, layout)
    first = layout.first
    total = int(tables["total"].sum(dtype=np.int64))
    if total != count:
        raise RecordError(name, f"byte {HEADER.size}", f"its table counts {total} positions, its header {count}")
    kept = int(tables["total"][:PLACES].sum(dtype=np.int64))  # full boards come last
    stats = np.frombuffer(data, layout.stats, kept, first + 16 * count)
    columns = Columns(
        _bits(data, kept, first),
        _bits(data, kept, first + 8 * count),
        stats if layout.stats == STATS else stats.astype(STATS),
        date,
    )
    if checked:
        full = _bits(data, count, first)[kept:] | _bits(data, count, first + 8 * count)[kept:]
        if (full != np.uint64(0xFFFF_FFFF_FFFF_FFFF)).any():
            raise RecordError(name, f"position {kept + 1}", "is counted as a full board, and is none")
        _check_positions(columns, name)
        _check_tables(tables, summarise(columns), name)
    return columns


def _tables(data: Any, layout: _Layout) -> np.void:
    tables: np.void = np.frombuffer(data, layout.tables, 1, HEADER.size)[0]
    return tables


def _bits(data: Any, count: int, offset: int) -> Bits:
    # No copy is made where the machine is little-endian too.
    return np.frombuffer(data, "<u8", count, offset).astype(np.uint64, copy=False)


def _check_header(data: Any, size: int, name: str) -> tuple[_Layout, int, int]:
    """Return the layout of the file, the number of its positions, and its date."""
    if size < FIRST:
        raise RecordError(name, f"byte {size}", f"is too short for a FOREST book, whose header has {FIRST} bytes")
    _, count, stated, _, date = HEADER.unpack_from(data)
    expected = LAYOUTS[0].size(count)
    fitting = [layout for layout in LAYOUTS if count >= 0 and size == layout.size(count)]
    if not fitting:
        swapped = int.from_bytes(struct.pack("<i", count), "big")
        if size in [layout.size(swapped) for layout in LAYOUTS]:
            raise RecordError(name, "byte 4", "its numbers are big-endian; those of a FOREST book are little-endian")
        place = f"byte {min(size, expected)}" if count >= 0 else "byte 4"
        raise RecordError(name, place, f"has {size} bytes, but its {count} positions make {expected}")
    if stated not in (size, size - HEADER.size):
        raise RecordError(name, "byte 8", f"says it has {stated} bytes, but it has {size}")
    return next((one for one in fitting[1:] if _has_centres(data, count, one.first)), fitting[0]), count, date


def _has_centres(data: Any, count: int, first: int) -> bool:
    """Return True if boards begin at this byte: eight positions are as long in two layouts."""
    discs = _bits(data, count, first) | _bits(data, count, first + 8 * count)
    return bool(((discs & CENTRE) == CENTRE).all())


def _check_positions(columns: Columns, name: str) -> None:
    """Raise what is wrong with the first bad position, if one is."""
    player, opponent, stats = columns.player, columns.opponent, columns.stats
    place = moves_played(player, opponent)
    least = canonical(player, opponent)
    before = (
        (place[1:] < place[:-1])
        | ((place[1:] == place[:-1]) & (player[1:] < player[:-1]))
        | ((place[1:] == place[:-1]) & (player[1:] == player[:-1]) & (opponent[1:] <= opponent[:-1]))
    )
    win, draw, value = stats["win"], stats["draw"], stats["value"]
    with np.errstate(invalid="ignore"):  # written so that NaN of any kind fails each of them
        odds = (win >= 0) & (draw >= 0) & (win.astype(np.float64) + draw <= 1 + TOLERANCE)
    tests = (
        ((player & opponent) != 0, "has two discs on a square"),
        (((player | opponent) & CENTRE) != CENTRE, "has no disc on one of the four centre squares"),
        (place >= PLACES, f"is a full board; {PLACES - 1} moves are the most that can be kept"),
        ((player != least[0]) | (opponent != least[1]), "is not the smallest of its symmetric forms"),
        (np.concatenate([np.zeros(min(1, len(place)), bool), before]), "is not in order, or there twice"),
        (~odds, "has probabilities that are none"),
        (np.abs(value.astype(np.int16)) > 64, "has a value beyond 64 discs"),
        (stats["confidence"] > EXACT, "has a confidence above 100"),
    )
    for bad, reason in tests:
        if bad.any():
            raise RecordError(name, f"position {int(bad.argmax()) + 1}", reason)


def _check_tables(given: np.void, real: npt.NDArray[np.void], name: str) -> None:
    """Raise where the tables of the header say other than the positions."""
    there = real["total"] > 0
    for field, words in (("total", "positions"), ("exact", "exact positions"), ("min", "least"), ("max", "greatest")):
        wrong = given[field][:PLACES] != real[field]
        if field in ("min", "max"):
            wrong = np.where(there, wrong, np.isnan(given[field][:PLACES]))
        if wrong.any():
            moves = int(wrong.argmax())
            said, found = given[field][moves], real[field][moves]
            what = words if field in ("total", "exact") else f"as {words} value"
            raise RecordError(name, f"table of {moves} moves", f"it says {said:g} {what}, but it is {found:g}")
