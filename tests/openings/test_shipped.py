"""The book that comes with the package: as large and as wide as promised, right where it says it is sure."""

import random
from pathlib import Path

import pytest

from othellier.engine.engine import Engine
from othellier.games.results import Limit
from othellier.openings.book import Book, shipped
from othellier.openings.grow import estimated_endings
from othellier.openings.keys import key_of
from othellier.openings.play import choose
from othellier.players import create_player
from othellier.rules import native
from othellier.rules.board import after


@pytest.fixture(scope="module")
def book() -> Book:
    found = shipped()
    assert found is not None
    return found


def test_it_is_large_and_its_file_small(book: Book) -> None:
    assert len(book) >= 250_000
    assert Path(book.name).stat().st_size < 8_000_000
    assert book.covered(4) >= 10
    assert book.covered(0) >= 15
    rows = book.summary()
    assert rows[-1].moves >= 50
    assert sum(row.exact for row in rows) > 25_000
    assert estimated_endings(book, 20) == []


def test_its_main_line_goes_on_for_twenty_moves(book: Book) -> None:
    position = native.start()
    for _ in range(20):
        known = book.moves(position)
        assert known
        position = after(position, known[0].move)


def test_writing_it_gives_the_same_bytes(book: Book, tmp_path: Path) -> None:
    book.save(tmp_path / "once.bib")
    Book.open(tmp_path / "once.bib").save(tmp_path / "twice.bib")
    assert Path(book.name).read_bytes() == (tmp_path / "once.bib").read_bytes() == (tmp_path / "twice.bib").read_bytes()


def test_its_values_are_backed_up(book: Book) -> None:
    inner = 0
    for key, entry in random.Random(1).sample(list(book.items()), 4000):
        position = native.position(*key)
        known = book.moves(position)
        if known and len(known) == len(position.moves()):
            inner += 1
            assert entry.value == known[0].entry.value, position.board_string()
    assert inner > 200


def test_what_it_calls_exact_is(book: Book) -> None:
    proven = [(key, entry) for key, entry in book.items() if entry.is_exact]
    with Engine(hash_mb=16) as engine:
        for key, entry in random.Random(2).sample(proven, 12):
            assert engine.solve(native.position(*key)).score == entry.value


def test_every_position_but_solved_endings_is_reached_from_the_start(book: Book) -> None:
    start = native.start()
    seen, level = {key_of(start)}, [start]
    while level:
        position = level.pop()
        for move, _ in book.moves(position):
            reached = after(position, move)
            if key_of(reached) not in seen:
                seen.add(key_of(reached))
                level.append(reached)
    apart = [entry for key, entry in book.items() if key not in seen]
    assert len(seen) + len(apart) == len(book)
    assert len(apart) < 4000
    assert all(entry.is_exact for entry in apart)


def test_levels_play_from_it_any_way_up() -> None:
    with create_player("engine:level=master,width=0") as master, create_player("engine:level=amateur") as amateur:
        position = native.start()
        for ply in range(18):
            result = master.choose(position, Limit())
            assert result.source == "book"
            assert (amateur.choose(position.transform(3), Limit(depth=1)).source == "book") == (ply < 16)
            position = after(position, result.move)


def test_variety_keeps_to_good_moves(book: Book) -> None:
    firsts = {choose(book, native.start().play(37), width=2, rng=random.Random(seed)) for seed in range(30)}
    assert {result.move for result in firsts if result} == {43, 45}  # f4 gives eight discs away
