"""Edax books: byte for byte, to ours and back, and broken ones named by node and byte."""

import random
import struct
from collections.abc import Callable
from pathlib import Path

import pytest
from book_positions import analyse

from othellier.errors import RecordError
from othellier.openings import edax
from othellier.openings.book import Book
from othellier.openings.build import BookPlan, Builder
from othellier.openings.keys import key_of
from othellier.rules import native
from othellier.rules.board import after


def grown(positions: int = 60) -> Book:
    builder = Builder(BookPlan(positions=positions, plies=2), analyse)
    assert list(builder.run())
    return builder.book(1_700_000_000)


def test_a_book_goes_to_edax_and_back(tmp_path: Path) -> None:
    book, path = grown(), tmp_path / "book.dat"
    edax.write(edax.from_book(book), path)
    data = path.read_bytes()
    assert struct.unpack_from("<II", data) == (0x45444158, 0x424F4F4B)
    read = edax.read(path)
    assert len(read.nodes) == len(book)
    back = edax.to_book(read)
    assert back.columns.date == book.columns.date
    for (key, entry), (other, original) in zip(back.items(), book.items(), strict=True):
        assert key == other
        assert (entry.value, entry.confidence) == (original.value, min(original.confidence, 59))
    edax.write(read, tmp_path / "again.dat")
    assert (tmp_path / "again.dat").read_bytes() == data


def test_links_are_the_moves_the_book_knows() -> None:
    book = grown()
    first = edax.from_book(book).nodes[0]
    assert (first.player, first.opponent) == key_of(native.start())
    assert sorted(link.move for link in first.links) == native.start().moves()
    assert {link.score for link in first.links} == {first.value}


def node(position_moves: tuple[int, ...] = (), **changes: object) -> edax.EdaxPosition:
    position = native.start()
    for move in position_moves:
        position = position.play(move)
    player, opponent = key_of(position)
    plain = edax.EdaxPosition(player, opponent, 6, 2, 2, 10, 4, 0, 8, 12, (), edax.Link(-127, 65))
    return plain._replace(**changes)  # type: ignore[arg-type]


def edax_book(*nodes: edax.EdaxPosition) -> edax.EdaxBook:
    return edax.EdaxBook(4, 4, bytes(8), (21, 24, 2, 1, 0), nodes)


def test_games_become_odds_and_leaves_positions() -> None:
    move = native.start().moves()[0]
    book = edax.to_book(edax_book(node(leaf=edax.Link(4, move))))
    assert book.columns.date == 0
    assert book.get(native.start()) == pytest.approx((4, 12, 0.6, 0.2))
    leaf = book.get(after(native.start(), move))
    assert leaf is not None
    assert (leaf.value, leaf.confidence) == (-4, 11)
    proven = edax.to_book(edax_book(node(level=60))).get(native.start())
    assert proven is not None
    assert proven.is_exact


def test_a_leaf_that_forces_a_pass_is_for_the_same_side() -> None:
    rng = random.Random(1)
    found = (
        (position, move)
        for position in (native.random_position(rng, empties=8) for _ in range(1000))
        for move in position.moves()
        if position.play(move).must_pass()
    )
    position, move = next(found)
    form = position.canonical()
    move = next(m for m in form.moves() if key_of(after(form, m)) == key_of(after(position, move)))
    leaf = node(player=form.player, opponent=form.opponent, leaf=edax.Link(4, move))
    entry = edax.to_book(edax_book(leaf)).get(after(form, move))
    assert entry is not None
    assert entry.value == 4


def cut(data: bytes) -> bytes:
    return data[:-1]


def big(data: bytes) -> bytes:
    return struct.pack(">II", *struct.unpack_from("<II", data)) + data[8:]


BROKEN: list[tuple[str, edax.EdaxBook, Callable[[bytes], bytes]]] = [
    ("node 1 at byte 42.*ends before", edax_book(node()), cut),
    ("too short", edax_book(node()), lambda data: data[:20]),
    ("goes on after its 1 nodes", edax_book(node()), lambda data: data + bytes(4)),
    ("not an Edax book", edax_book(node()), lambda data: b"x" + data[1:]),
    ("big-endian", edax_book(node()), big),
    ("cannot hold -1 nodes", edax_book(node()), lambda data: data[:38] + b"\xff" * 4 + data[42:]),
    ("node 2.*holds two discs", edax_book(node(), node(player=255, opponent=1)), bytes),
    ("node 1.*not the smallest", edax_book(node(player=1 << 62, opponent=1 << 61)), bytes),
    ("node 1.*has the value 65", edax_book(node(value=65)), bytes),
    ("node 1.*move 0, which is illegal", edax_book(node(links=(edax.Link(0, 0),))), bytes),
    ("node 1.*move 77, which is illegal", edax_book(node(leaf=edax.Link(0, 77))), bytes),
]


@pytest.mark.parametrize(("words", "book", "change"), BROKEN)
def test_a_broken_book_is_named_in_one_line(
    tmp_path: Path, words: str, book: edax.EdaxBook, change: Callable[[bytes], bytes]
) -> None:
    path = tmp_path / "book.dat"
    edax.write(book, path)
    path.write_bytes(change(path.read_bytes()))
    before = path.read_bytes()
    with pytest.raises(RecordError, match=words) as caught:
        edax.read(path)
    assert "\n" not in str(caught.value)
    assert path.read_bytes() == before
