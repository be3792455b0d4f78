"""The book and its file: what is asked comes back, bytes stay bytes, and bad files are named in one line."""

import random
import struct
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from book_positions import random_book

from othellier.errors import InvalidPosition, OthellierError, RecordError
from othellier.evaluation.chances import chances
from othellier.openings import bookfile, names
from othellier.openings.balanced import Start
from othellier.openings.book import Book, Entry, shipped
from othellier.openings.keys import key_of
from othellier.records.transcript import parse_moves
from othellier.rules import native
from othellier.rules.board import after
from othellier.rules.geometry import SYMMETRIES, square_name
from othellier.rules.symmetry import canonical

HEADER, TABLES = 24, 4 * 4 * 60
FIRST = HEADER + TABLES


def test_canonical_arrays_agree_with_the_rules() -> None:
    rng = random.Random(3)
    positions = [native.random_position(rng) for _ in range(300)]
    player = np.array([position.player for position in positions], np.uint64)
    opponent = np.array([position.opponent for position in positions], np.uint64)
    keys = list(zip(*(bits.tolist() for bits in canonical(player, opponent)), strict=True))
    assert keys == [key_of(position) for position in positions]


@pytest.mark.parametrize("symmetry", SYMMETRIES)
def test_every_entry_is_found_any_way_up(symmetry: int) -> None:
    book = random_book()
    for key, entry in book.items():
        assert book.get(native.position(*key).transform(symmetry)) == entry


def test_what_is_not_there_is_not_found() -> None:
    book = random_book()
    rng = random.Random(99)
    there = dict(book.items())
    for _ in range(300):
        position = native.random_position(rng)
        assert (position in book) == (key_of(position) in there)
    assert Book.make({}).get(native.start()) is None
    with pytest.raises(InvalidPosition):
        book.get(native.start(6))


def test_the_file_has_the_layout_of_the_format(tmp_path: Path) -> None:
    path = tmp_path / "book.bib"
    book = random_book(50)
    book.save(path)
    data = path.read_bytes()
    crc, count, size, padding, date = struct.unpack_from("<IiiIq", data)
    assert (crc, count, size, padding, date) == (0, 50, len(data), 0, 1_700_000_000)
    assert len(data) == FIRST + 50 * (8 + 8 + 10)
    total, exact = struct.unpack_from("<60I", data, HEADER), struct.unpack_from("<60I", data, HEADER + 240)
    least, greatest = struct.unpack_from("<60f", data, HEADER + 480), struct.unpack_from("<60f", data, HEADER + 720)
    players = struct.unpack_from("<50Q", data, FIRST)
    opponents = struct.unpack_from("<50Q", data, FIRST + 400)
    order = []
    for number, (player, opponent) in enumerate(zip(players, opponents, strict=True)):
        win, draw, value, confidence = struct.unpack_from("<ffbB", data, FIRST + 800 + 10 * number)
        assert book.get(native.position(player, opponent)) == Entry(value, confidence, win, draw)
        moves = (player | opponent).bit_count() - 4
        order.append((moves, player, opponent))
        assert least[moves] <= value <= greatest[moves]
    assert order == sorted(order)
    for row in book.summary():
        assert (total[row.moves], exact[row.moves]) == (row.positions, row.exact)
        assert (least[row.moves], greatest[row.moves]) == (row.least, row.greatest)
    assert sum(total) == 50


def test_write_read_write_gives_the_same_bytes(tmp_path: Path) -> None:
    first, second = tmp_path / "a.bib", tmp_path / "b.bib"
    random_book(500).save(first)
    Book.open(first).save(second)
    assert first.read_bytes() == second.read_bytes()
    assert list(Book.open(first).items()) == list(random_book(500).items())
    Book.make({}).save(first)
    assert len(Book.open(first)) == 0


def test_the_size_may_leave_out_the_header(tmp_path: Path) -> None:
    path = tmp_path / "book.bib"
    random_book(10).save(path)
    data = bytearray(path.read_bytes())
    struct.pack_into("<i", data, 8, len(data) - HEADER)
    path.write_bytes(data)
    assert len(Book.open(path)) == 10


def put(form: str, offset: int, *values: float) -> Callable[[bytearray], bytearray]:
    def change(data: bytearray) -> bytearray:
        struct.pack_into(form, data, offset, *values)
        return data

    return change


def swap_positions(data: bytearray) -> bytearray:
    for at in (FIRST, FIRST + 8 * 40):
        data[at : at + 8], data[at + 8 : at + 16] = data[at + 8 : at + 16], data[at : at + 8]
    return data


def big_endian(data: bytearray) -> bytearray:
    struct.pack_into(">Iii", data, 0, *struct.unpack_from("<Iii", data))
    return data


def mirror_last(data: bytearray) -> bytearray:
    for at in (FIRST + 8 * 39, FIRST + 8 * 79):
        data[at : at + 8] = data[at : at + 8][::-1]
    return data


STATS = FIRST + 16 * 40
DAMAGE: list[tuple[str, Callable[[bytearray], bytearray]]] = [
    ("too short", lambda data: data[:500]),
    ("too short", lambda data: bytearray()),
    ("bytes, but its 40 positions make", lambda data: data[:-1]),
    ("bytes, but its 40 positions make", lambda data: data + b"x"),
    ("bytes, but its -3 positions", put("<i", 4, -3)),
    ("says it has 7 bytes", put("<i", 8, 7)),
    ("big-endian", big_endian),
    ("its table counts", put("<I", HEADER, 4_000_000_000)),
    ("table of 0 moves: it says", put("<I", HEADER + 240, 7)),
    ("least value", put("<60f", HEADER + 480, *[99.0] * 60)),
    ("greatest value", put("<60f", HEADER + 720, *[float("nan")] * 60)),
    ("position 2: is not in order", swap_positions),
    ("is not the smallest", mirror_last),
    ("has two discs", put("<Q", FIRST, (1 << 64) - 1)),
    ("centre", put("<Q", FIRST, 1)),
    ("probabilities", put("<f", STATS, float("nan"))),
    ("probabilities", put("<f", STATS + 4, 1.5)),
    ("probabilities", put("<f", STATS, -0.5)),
    ("value beyond", put("<b", STATS + 8, -128)),
    ("confidence", put("<B", STATS + 9, 101)),
]


@pytest.mark.parametrize(("words", "change"), DAMAGE)
def test_a_damaged_file_is_named_in_one_line_and_left_alone(
    tmp_path: Path, words: str, change: Callable[[bytearray], bytearray]
) -> None:
    path = tmp_path / "book.bib"
    random_book(40, seed=4).save(path)
    damaged = bytes(change(bytearray(path.read_bytes())))
    path.write_bytes(damaged)
    with pytest.raises(RecordError, match=words) as caught:
        Book.open(path)
    assert "\n" not in str(caught.value)
    assert str(path) in str(caught.value)
    assert path.read_bytes() == damaged


def test_random_damage_never_crashes(tmp_path: Path) -> None:
    path = tmp_path / "book.bib"
    random_book(30).save(path)
    good = path.read_bytes()
    rng = random.Random(5)
    refused = 0
    for _ in range(200):
        data = bytearray(good)
        for _ in range(rng.randrange(1, 4)):
            data[rng.randrange(len(data))] = rng.randrange(256)
        path.write_bytes(data[: rng.choice([len(data), rng.randrange(len(data))])])
        try:
            Book.open(path)
        except OthellierError:
            refused += 1
    assert refused > 100


def test_a_missing_file_and_a_directory_are_said_as_such(tmp_path: Path) -> None:
    with pytest.raises(RecordError, match="no such file"):
        Book.open(tmp_path / "none.bib")
    with pytest.raises(RecordError, match="cannot be read"):
        Book.open(tmp_path)


def other_layout(data: bytes, count: int, padded: bool, longer: bool, full: int = 0) -> bytes:
    """The file of a book as another program may write it: records of 12 bytes, tables of 61 places, full boards."""
    tables = data[HEADER:FIRST]
    if longer:
        pieces = [tables[240 * n : 240 * (n + 1)] for n in range(4)]
        ends = (struct.pack("<I", full), struct.pack("<I", full), bytes(4), bytes(4))
        tables = b"".join(piece + end for piece, end in zip(pieces, ends, strict=True))
    boards = data[FIRST : FIRST + 8 * count], data[FIRST + 8 * count : FIRST + 16 * count]
    records = [data[FIRST + 16 * count + 10 * n :][:10] for n in range(count)] + full * [
        struct.pack("<ffbB", 0, 1, 0, 100)
    ]
    rest = b"".join(
        (
            boards[0] + full * b"\xff\xff\xff\xff\0\0\0\0",
            boards[1] + full * b"\0\0\0\0\xff\xff\xff\xff",
            *(record + bytes(2 * padded) for record in records),
        )
    )
    size = HEADER + len(tables) + len(rest)
    return struct.pack("<IiiIq", 0, count + full, size, 0, 1_700_000_000) + tables + rest


@pytest.mark.parametrize("count", [1, 8, 50])  # eight positions have the same size in two of the layouts
@pytest.mark.parametrize(("padded", "longer"), [(True, False), (False, True), (True, True)])
def test_other_layouts_are_told_by_their_size(tmp_path: Path, padded: bool, longer: bool, count: int) -> None:
    path = tmp_path / "book.bib"
    book = random_book(count)
    book.save(path)
    written = path.read_bytes()
    path.write_bytes(other_layout(written, count, padded, longer))
    read = Book.open(path)
    assert list(read.items()) == list(book.items())
    read.save(path)
    assert path.read_bytes() == written


def test_full_boards_of_a_longer_table_are_left_out(tmp_path: Path) -> None:
    path = tmp_path / "book.bib"
    book = random_book(20)
    book.save(path)
    data = other_layout(path.read_bytes(), 20, padded=True, longer=True, full=1)
    path.write_bytes(data)
    assert list(Book.open(path).items()) == list(book.items())
    place = HEADER + 4 * 4 * 61 + 8 * 20
    path.write_bytes(data[:place] + bytes(8) + data[place + 8 :])
    with pytest.raises(RecordError, match="position 21: is counted as a full board, and is none"):
        Book.open(path)


def test_a_full_board_cannot_be_kept(tmp_path: Path) -> None:
    rng = random.Random(1)
    full = native.random_position(rng, empties=0)
    with pytest.raises(RecordError, match="full board"):
        Book.make({key_of(full): Entry(0, 100, 0.0, 1.0)}).save(tmp_path / "full.bib")
    assert not (tmp_path / "full.bib").exists()


def line_book(values: dict[str, int], confidence: int = 10) -> Book:
    """A book of lines from the start, each with its value for the side to move."""
    positions = {key_of(Start(tuple(parse_moves(moves))).position): value for moves, value in values.items()}
    return Book.make({key: Entry(value, confidence, *chances(value, 50)) for key, value in positions.items()})


def test_moves_are_for_the_side_that_makes_them_best_first() -> None:
    book = line_book({"": 1, "f5": -1, "f5d6": 1, "f5f6": 2, "f5f4": 8})
    after_f5 = native.start().play(37)
    assert [(known.move, known.entry.value) for known in book.moves(after_f5)] == [(43, -1), (45, -2), (29, -8)]
    assert len(book.moves(native.start())) == 4  # the same move four times over
    assert names.name_of(book.line(native.start())) == "Perpendicular"
    flipped = Entry(3, 10, 0.5, 0.25).flipped()
    assert flipped == Entry(-3, 10, 0.25, 0.25)


def test_of_equal_moves_the_surer_comes_first() -> None:
    after_f5 = native.start().play(37)
    for surer, first in (("f5f6", 45), ("f5d6", 43)):
        book = line_book({"f5d6": 1, "f5f6": 1}, 10).merged(line_book({surer: 1}, 20))
        assert book.moves(after_f5)[0].move == first


def test_a_move_that_makes_the_other_pass_keeps_its_sign() -> None:
    rng = random.Random(8)
    while True:
        position = native.random_position(rng, empties=16)
        move = next((move for move in position.moves() if position.play(move).must_pass()), None)
        if move is not None:
            break
    reached = after(position, move)
    assert reached.turn == position.turn
    book = Book.make({key_of(reached): Entry(7, 10, *chances(7, 15))})
    assert [(known.move, known.entry.value) for known in book.moves(position)] == [(move, 7)]


def test_two_books_become_one_and_the_surer_value_counts() -> None:
    first = line_book({"": 1, "f5": -1}, confidence=10)
    second = line_book({"f5": -3, "f5d6": 3}, confidence=20)
    both = first.merged(second)
    assert len(both) == 3
    assert [entry.value for _, entry in both.items()] == [1, -3, 3]
    assert list(second.merged(first).items()) == list(both.items())


def test_of_two_equally_sure_values_that_of_the_first_book_counts() -> None:
    for confidence in (0, 10, 99):
        first = line_book({"": 1, "f5": -1}, confidence)
        second = line_book({"": 5, "f5": 7, "f5d6": 3}, confidence)
        assert [entry.value for _, entry in first.merged(second).items()] == [1, -1, 3]
        assert [entry.value for _, entry in second.merged(first).items()] == [5, 7, 3]
        surer = line_book({"": 9}, confidence + 1)
        assert [entry.value for _, entry in first.merged(surer).items()] == [9, -1]
        assert [entry.value for _, entry in surer.merged(first).items()] == [9, -1]


def test_a_book_merged_with_its_equal_is_the_same(tmp_path: Path) -> None:
    book, twin = line_book({"": 1, "f5": -1, "f5d6": 3}, 100), line_book({"": 1, "f5": -1, "f5d6": 3}, 100)
    assert list(book.merged(twin).items()) == list(book.items())
    book.save(tmp_path / "book.bib")
    book.merged(twin).save(tmp_path / "merged.bib")
    assert (tmp_path / "merged.bib").read_bytes() == (tmp_path / "book.bib").read_bytes()
    newer = Book.make(dict(book.items()), 1_700_000_000)
    assert book.merged(newer).columns.date == newer.merged(book).columns.date == 1_700_000_000


def test_two_books_that_prove_different_values_disagree() -> None:
    first, second = line_book({"f5": -1}, 100), line_book({"f5": -3}, 100)
    with pytest.raises(RecordError, match="disagrees with book: -3 and -1, both exact"):
        first.merged(second)
    assert [entry.value for _, entry in first.merged(line_book({"f5": 5}, 99)).items()] == [-1]


def test_pruning_keeps_good_lines_to_a_depth() -> None:
    book = line_book({"": 0, "f5": 0, "f5d6": 0, "f5f6": 2, "f5f4": 8, "f5f4e3": 1, "f5d6c3": 0})
    assert len(book.pruned()) == 7
    assert len(book.pruned(plies=2)) == 5
    assert len(book.pruned(width=4)) == 5
    assert len(book.pruned(plies=2, width=0)) == 3
    assert len(Book.make({}).pruned()) == 0


def test_lines_at_the_very_width_belong_to_what_is_covered() -> None:
    replies = native.start().play(37).play(43).moves()
    known = {"": 0, "f5": 0, "f5d6": 0, "f5f6": 2, "f5f4": 8} | {f"f5d6{square_name(move)}": 0 for move in replies}
    book = line_book(known)
    assert [book.covered(width) for width in (0, 1.9, 2, 7.9)] == [3, 3, 2, 2]


def test_a_position_there_twice_is_refused(tmp_path: Path) -> None:
    columns = random_book(10).columns
    twice = np.repeat(np.arange(10), [1, 1, 1, 2, 1, 1, 1, 1, 1, 1])
    doubled = bookfile.Columns(columns.player[twice], columns.opponent[twice], columns.stats[twice])
    with pytest.raises(RecordError, match="position 5: is not in order, or there twice"):
        bookfile.write(doubled, tmp_path / "book.bib")
    assert not (tmp_path / "book.bib").exists()


def test_the_tables_count_moves_from_0_to_59() -> None:
    assert bookfile.PLACES == 60
    assert [row.moves for row in line_book({"": 0}).summary()] == [0]


def test_the_shipped_book_is_sound_though_it_is_opened_unchecked() -> None:
    book = shipped()
    assert book is not None
    assert len(Book.open(book.name)) == len(book)
