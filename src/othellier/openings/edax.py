"""Books of the program Edax (`.dat`): read and written byte for byte, and turned into ours and back.

Little-endian: the words EDAX and BOOK, version, release, a date of eight bytes, five options, the number of nodes;
a node: both boards (the smallest symmetric form, as ours), wins, draws, losses, lines, value, lower and upper
bound, number of links, level, the links (score and move), and one leaf: the best move that is not a link.

What is kept on the way to our format: the value, the share of games won and drawn where games were counted, and
the level as confidence; a level of 60 means a proven value, and is written for one. The leaf's move becomes a
position of its own. On the way back the links are the moves the book knows.
"""

from __future__ import annotations

import struct
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import NamedTuple

from othellier.base.files import read_file, write_file
from othellier.errors import OthellierError
from othellier.evaluation.chances import chances
from othellier.openings.book import Book, Entry
from othellier.openings.bookfile import CENTRE, EXACT
from othellier.openings.keys import PositionKey, key_of
from othellier.records.format import RecordSource
from othellier.rules import native
from othellier.rules.board import Position
from othellier.rules.geometry import PASS

__all__ = ["EdaxBook", "EdaxPosition", "Link", "from_book", "read", "to_book", "write"]

MAGIC = 0x45444158, 0x424F4F4B
HEADER = struct.Struct("<IIBB8s5ii")
NODE = struct.Struct("<QQ4I3hBB")
LINK = struct.Struct("<bB")
DATE = struct.Struct("<h5bx")
PASS_MOVE, NO_MOVE = 64, 65
NO_SCORE = -127
PROVEN = 60
LIMIT = 1 << 30
"""Bytes such a book may have; the largest ones known have some hundred million."""


class Link(NamedTuple):
    """A move of a node and its score for the side to move."""

    score: int
    move: int


class EdaxPosition(NamedTuple):
    """A position of an Edax book, as its file has it."""

    player: int
    opponent: int
    wins: int
    draws: int
    losses: int
    lines: int
    value: int
    lower: int
    upper: int
    level: int
    links: tuple[Link, ...]
    leaf: Link


@dataclass(frozen=True)
class EdaxBook:
    """A whole book: what its header says, and its nodes in their order."""

    version: int
    release: int
    date: bytes
    options: tuple[int, ...]
    """Level, empties, midgame error, endcut error, verbosity."""
    nodes: tuple[EdaxPosition, ...]


# -- bytes


def read(path: Path, advance: Callable[[float], None] = lambda amount: None) -> EdaxBook:
    """The book of a file, every node checked. `advance` is told of the bytes as they are read."""
    source = RecordSource(str(path), read_file(path, LIMIT), path)
    data = source.data
    if len(data) < HEADER.size:
        raise source.error(f"byte {len(data)}", f"is too short for an Edax book, whose header has {HEADER.size} bytes")
    edax, book, version, release, date, *numbers = HEADER.unpack_from(data)
    if (edax, book) != MAGIC:
        swapped = struct.unpack_from(">II", data) == MAGIC
        raise source.error("byte 0", "its numbers are big-endian" if swapped else "is not an Edax book")
    *options, count = numbers
    nodes = tuple(_read_nodes(source, count, advance))
    return EdaxBook(version, release, date, tuple(options), nodes)


def _read_nodes(source: RecordSource, count: int, advance: Callable[[float], None]) -> Iterator[EdaxPosition]:
    data, at = source.data, HEADER.size
    if not 0 <= count <= len(data) // (NODE.size + LINK.size):
        raise source.error(f"byte {HEADER.size - 4}", f"cannot hold {count} nodes")
    for number in range(1, count + 1):
        where = f"node {number} at byte {at}"
        if at + NODE.size > len(data):
            raise source.error(where, "the file ends before its nodes do")
        *start, links, level = NODE.unpack_from(data, at)
        end = at + NODE.size + LINK.size * (links + 1)
        if end > len(data):
            raise source.error(where, "the file ends before its nodes do")
        pairs = [Link(*pair) for pair in LINK.iter_unpack(data[at + NODE.size : end])]
        node = EdaxPosition._make([*start, level, tuple(pairs[:-1]), pairs[-1]])
        try:
            _check(node)
        except OthellierError as error:
            raise source.error(where, error) from None
        yield node
        advance(end - at)
        at = end
    if at != len(data):
        raise source.error(f"byte {at}", f"goes on after its {count} nodes")


def _check(node: EdaxPosition) -> None:
    position = _position(node)
    if (position.player, position.opponent) != key_of(position):
        raise OthellierError("is not the smallest of its symmetric forms")
    if position.empty_mask & int(CENTRE):
        raise OthellierError("has no disc on one of the four centre squares")
    if not -64 <= node.value <= 64:
        raise OthellierError(f"has the value {node.value}")
    for link in (*node.links, node.leaf):
        if link is node.leaf and link.move == NO_MOVE:
            continue
        if not position.is_legal(_move(link.move)):
            raise OthellierError(f"has the move {link.move}, which is illegal there")


def write(book: EdaxBook, path: Path) -> None:
    """Write a book, whole or not at all."""
    header = HEADER.pack(*MAGIC, book.version, book.release, book.date, *book.options, len(book.nodes))
    write_file(path, [header, *map(_node_bytes, book.nodes)])


def _node_bytes(node: EdaxPosition) -> bytes:
    links = b"".join(LINK.pack(*link) for link in (*node.links, node.leaf))
    return NODE.pack(*node[:9], len(node.links), node.level) + links


def _position(node: EdaxPosition) -> Position:
    return native.position(node.player, node.opponent)


def _move(move: int) -> int:
    return PASS if move == PASS_MOVE else move


# -- ours and theirs


def to_book(book: EdaxBook, advance: Callable[[float], None] = lambda amount: None) -> Book:
    """Our book of the nodes of an Edax book, and of the leaves that hang on them. `advance` is told of each node."""
    nodes = {}
    for node in book.nodes:
        nodes[node.player, node.opponent] = _entry(node)
        advance(1)
    leaves = dict(_leaf(node) for node in book.nodes if node.leaf.move != NO_MOVE)
    kept = {key: entry for key, entry in {**leaves, **nodes}.items() if (key[0] | key[1]).bit_count() < 64}
    year, month, day, hour, minute, second = DATE.unpack(book.date)
    try:
        date = int(datetime(year, month, day, hour, minute, second, tzinfo=UTC).timestamp())
    except ValueError:  # an unset date is no reason to refuse a book
        date = 0
    return Book.make(kept, date)


def _entry(node: EdaxPosition) -> Entry:
    confidence = EXACT if node.level >= PROVEN else node.level
    games = node.wins + node.draws + node.losses
    if games:
        return Entry(node.value, confidence, node.wins / games, node.draws / games)
    empties = _position(node).empties
    return Entry(node.value, confidence, *chances(node.value, empties, confidence == EXACT, confidence or None))


def _leaf(node: EdaxPosition) -> tuple[PositionKey, Entry]:
    position = _position(node)
    reached = position.play(_move(node.leaf.move))
    score = max(-64, min(64, node.leaf.score))
    confidence = EXACT if node.level >= PROVEN else max(0, node.level - 1)
    if reached.must_pass():
        reached = reached.play(PASS)
        score = -score
    return key_of(reached), Entry(
        -score, confidence, *chances(-score, reached.empties, confidence == EXACT, confidence or None)
    )


def from_book(book: Book, advance: Callable[[float], None] = lambda amount: None) -> EdaxBook:
    """An Edax book of all positions of ours; bounds lie as far from a value as its doubt. `advance` is told of each."""
    try:
        date = datetime.fromtimestamp(book.columns.date, UTC)
    except (OverflowError, OSError, ValueError):  # a date beyond all calendars
        date = datetime.fromtimestamp(0, UTC)
    stamp = DATE.pack(date.year, date.month, date.day, date.hour, date.minute, date.second)
    nodes = []
    for key, entry in book.items():
        nodes.append(_node(book, key, entry))
        advance(1)
    return EdaxBook(3, 5, stamp, (0, 60, 0, 0, 0), tuple(nodes))


def _node(book: Book, key: PositionKey, entry: Entry) -> EdaxPosition:
    position = native.position(*key)
    links = tuple(Link(known.entry.value, known.move) for known in book.moves(position))
    lower, upper = (entry.value, entry.value) if entry.is_exact else (-64, 64)
    level = PROVEN if entry.is_exact else min(entry.confidence, PROVEN - 1)
    leaf = Link(NO_SCORE, NO_MOVE)
    if position.must_pass():
        passed = book.get(position.play(PASS))
        links = () if passed is None else (Link(-passed.value, PASS_MOVE),)
    return EdaxPosition(*key, 0, 0, 0, 0, entry.value, lower, upper, level, links, leaf)
