"""Damaged and foreign files of openings: one clear error or an answer, never anything else."""

import json
import os
import random
import struct
from collections.abc import Callable
from datetime import date
from pathlib import Path

import pytest
from book_positions import random_book

from damage import mutate
from othellier import records
from othellier.errors import OthellierError, RecordError
from othellier.games.game import Game, Headers, Outcome
from othellier.openings import balanced, edax
from othellier.openings import games as store
from othellier.openings.book import Book
from othellier.openings.drill import Card, Deck
from othellier.openings.explorer import Explorer, Query
from othellier.openings.keys import key_of
from othellier.openings.lines import from_games
from othellier.records.transcript import parse_moves
from othellier.rules import native

ROUNDS = 300
TODAY = date(2024, 5, 1)
WORDS = (b"Infinity", b"NaN", b"-1", b"1e999", b"null", b"[", b"{}", b'"', b"\0", b"\xff", b"99999999999999999999")


def refused(data: bytes, path: Path, use: Callable[[Path], object], seed: int, rounds: int = ROUNDS) -> int:
    """How many of the mutated files are refused in one line; the others must be of use."""
    rng = random.Random(seed)
    errors = []
    for _ in range(rounds):
        path.write_bytes(mutate(data, rng, WORDS, (1, 1, 2, 8, 40)))
        try:
            use(path)
        except OthellierError as error:
            errors.append(str(error))
    assert not any("\n" in error for error in errors)
    return len(errors)


def ask(book: Book) -> None:
    """All one can do with a book."""
    book.moves(native.start())
    book.line(native.start())
    book.summary()
    book.pruned(4)
    book.merged(book)
    assert len(list(book.items())) == len(book)


# -- books


def test_mutated_books_are_read_or_refused(tmp_path: Path) -> None:
    path = tmp_path / "book.bib"
    random_book(12).save(path)
    assert refused(path.read_bytes(), path, lambda file: ask(Book.open(file)), 1) > ROUNDS // 2


def test_mutated_edax_books_are_read_or_refused(tmp_path: Path) -> None:
    path, ours = tmp_path / "book.dat", tmp_path / "book.bib"
    edax.write(edax.from_book(random_book(12)), path)

    def use(file: Path) -> None:
        book = edax.to_book(edax.read(file))
        ask(book)
        book.save(ours)
        edax.from_book(Book.open(ours))

    assert refused(path.read_bytes(), path, use, 2) > ROUNDS // 2


@pytest.mark.parametrize(("player", "opponent"), [(0, 0), (1, 0), (1, 2), (1 << 27, 1 << 28), (7, 0x38)])
def test_an_edax_node_without_its_centre_is_refused(tmp_path: Path, player: int, opponent: int) -> None:
    path = tmp_path / "book.dat"
    form = native.position(player, opponent).canonical()
    node = edax.EdaxPosition(form.player, form.opponent, 0, 0, 0, 0, 0, 0, 0, 10, (), edax.Link(-127, 65))
    edax.write(edax.EdaxBook(4, 4, bytes(8), (21, 24, 2, 1, 0), (node,)), path)
    with pytest.raises(RecordError, match="node 1 at byte 42: has no disc on one of the four centre squares"):
        edax.read(path)


# -- databases


def some_games() -> list[Game]:
    lines = ["f5d6c3d3c4", "f5f6e6f4e3", "e6f4e3f6g5d6e7f5c5"]
    headers = [Headers(f"Black {n}", f"White {n}", event=f"Open {n}", date="2001", theory=(30, 24)) for n in range(3)]
    return [
        Game.from_moves(parse_moves(line), headers=names, result=Outcome(4 * number - 4))
        for number, (line, names) in enumerate(zip(lines, headers, strict=True))
    ]


def search(games: store.GameCollection) -> None:
    """All one can do with a database."""
    explorer = Explorer(games)
    explorer.search(Query(player="black", tournament="open"))
    explorer.explore(native.start())
    from_games(games, plies=4, least=1)
    for number in range(len(games)):
        games.game(number)


@pytest.fixture
def indexed(tmp_path: Path) -> tuple[Path, Path]:
    """A file of games and its index."""
    source, index = tmp_path / "games.ggf", tmp_path / "games.index"
    records.write(some_games(), source)
    store.load([source], index)
    return source, index


def test_mutated_indexes_are_read_made_anew_or_refused(indexed: tuple[Path, Path]) -> None:
    source, index = indexed
    whole = index.read_bytes()
    head = whole.index(b'"nameless"') + 20

    def use(file: Path) -> None:
        games = store.load([source], file)
        assert len(games) == 3
        search(games)

    refused(whole, index, use, 3, 40)
    rng = random.Random(6)
    for _ in range(100):  # most of the bytes are prints: the head has rounds of its own
        at = rng.randrange(26, head)
        index.write_bytes(whole[:at] + rng.choice(WORDS) + whole[at + rng.choice((0, 1, 2)) :])
        use(index)


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("games", "Infinity"),
        ("games", "-1"),
        ("games", "1e3"),
        ("games", "2.0"),
        ("games", "null"),
        ("rows", "Infinity"),
        ("rows", "-1"),
        ("rows", "60"),
        ("left_out", "Infinity"),
        ("left_out", '"many"'),
        ("players", "5"),
        ("players", '"Ann"'),
        ("players", "[1, 2, 3, 4, 5, 6]"),
        ("players", '["\\u001b[31m", "", "", "", "", ""]'),
        ("players", "[]"),
        ("tournaments", "[]"),
        ("tournaments", "{}"),
        ("sources", "[[1, Infinity, 2]]"),
        ("sources", "[[1, 2]]"),
        ("sources", "{}"),
        ("nameless", "7"),
        ("games", "[" * 100_000),
    ],
)
def test_an_index_with_a_head_that_cannot_be_is_made_anew(indexed: tuple[Path, Path], key: str, value: str) -> None:
    source, index = indexed
    whole = index.read_bytes()
    start = len(store.MAGIC) + 8
    end = start + int.from_bytes(whole[start - 8 : start], "little")
    facts = json.loads(whole[start:end])
    parts = (f'"{name}": {value if name == key else json.dumps(kept)}' for name, kept in facts.items())
    text = ("{" + ", ".join(parts) + "}").encode()
    head = store.MAGIC + len(text).to_bytes(8, "little") + text
    index.write_bytes(head + bytes(-len(head) % 64) + whole[end + -end % 64 :])
    games = store.load([source], index)
    assert (len(games), games.left_out, len(games.players)) == (3, 0, 6)
    assert index.read_bytes() == whole


def test_a_head_that_says_it_is_endless_is_made_anew(indexed: tuple[Path, Path]) -> None:
    source, index = indexed
    whole = index.read_bytes()
    start = len(store.MAGIC)
    empty = b'{"games": 0, "rows": 61, "left_out": 0, "players": [], "tournaments": [], "sources": [], "nameless": []}'
    for length in (2**63 - 1, 2**64 - 1, 0):
        index.write_bytes(whole[:start] + length.to_bytes(8, "little") + empty)
        assert len(store.load([source], index)) == 3


def test_a_theory_beyond_the_board_is_no_theory(tmp_path: Path) -> None:
    path = tmp_path / "games.ggf"
    for theory, kept in (((64, 60), (64, 60)), ((65, 24), None), ((30, 61), None), ((999, 999), None)):
        path.write_text(f"(;GM[Othello]TH[{theory[0]}/{theory[1]}]B[F5];)")
        assert store.build([path]).game(0).headers.theory == kept


def test_every_game_is_read_or_counted_as_left_out(tmp_path: Path) -> None:
    """Illegal moves, another board, another start: each is left out and counted, and no other."""
    start = "--------------------------XXX------XO--------------------------- O"
    (tmp_path / "a.ggf").write_text(
        "(;GM[Othello]B[F5];)(;GM[Othello]B[A1];)(;GM[Othello]TY[6]B[E4];)"
        f"(;GM[Othello]BO[8 {start.replace('X', '*')}];)(;GM[Othello]B[F5]W[D6];)"
    )
    (tmp_path / "b.txt").write_text("f5d6\nf5a1\nf5f6\nz9\n")
    games = store.build([tmp_path / "a.ggf", tmp_path / "b.txt"])
    assert (len(games), games.left_out) == (4, 5)
    assert [game.transcript() for game in map(games.game, range(4))] == ["F5", "F5D6", "F5D6", "F5F6"]
    assert Explorer(games).explore(native.start()).statistics.games == 4
    index = tmp_path / "x.index"
    assert store.load([tmp_path / "a.ggf", tmp_path / "b.txt"], index).left_out == 5
    assert store.load([tmp_path / "a.ggf", tmp_path / "b.txt"], index).left_out == 5


def test_mutated_databases_of_wthor_are_read_or_refused(tmp_path: Path) -> None:
    folder = tmp_path / "wthor"
    folder.mkdir()
    records.write(some_games(), folder / "WTH_2001.wtb")
    for name in ("WTH_2001.wtb", "WTHOR.JOU", "WTHOR.TRN"):
        path = folder / name
        whole = path.read_bytes()
        refused(whole, path, lambda _: search(store.build([folder])), 7, 40)
        path.write_bytes(whole)
    assert len(store.build([folder])) == 3


# -- lists


def test_mutated_lists_of_starts_are_read_or_refused(tmp_path: Path) -> None:
    path = tmp_path / "starts.tsv"
    balanced.write(
        [balanced.Start(tuple(parse_moves(line)), 1.25) for line in ("f5d6c3d3", "f5f6e6f4")], path, "a list"
    )
    assert refused(path.read_bytes(), path, balanced.read, 8) > 0


def test_mutated_decks_are_read_or_refused(tmp_path: Path) -> None:
    path = tmp_path / "deck.json"
    cards = [Card((), (37,)), Card((37,), (43,))]
    for card in cards:
        Deck(path).answer(card, card.answers[0], TODAY)

    def use(file: Path) -> None:
        deck = Deck(file)
        for card in deck.due(cards, TODAY):
            deck.answer(card, 43, TODAY)

    assert refused(path.read_bytes(), path, use, 9) > 0
    path.write_text("[" * 100_000)
    with pytest.raises(RecordError, match="is not a file of what was learnt"):
        Deck(path)


# -- files that are none


def test_pipes_are_not_waited_for(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    for use in (Book.open, edax.read, balanced.read, lambda path: store.load([tmp_path / "games.ggf"], path)):
        with pytest.raises(RecordError, match="is not a plain file"):
            use(pipe)


def test_the_header_of_a_book_may_not_count_more_than_there_is(tmp_path: Path) -> None:
    path = tmp_path / "book.bib"
    random_book(12).save(path)
    data = bytearray(path.read_bytes())
    for count in (13, 2**31 - 1, -1, -(2**31)):
        struct.pack_into("<i", data, 4, count)
        path.write_bytes(data)
        with pytest.raises(RecordError, match=f"but its {count} positions"):
            Book.open(path)


def test_keys_are_the_same_for_all_forms() -> None:
    position = native.start().play(37)
    assert {key_of(form) for form in position.symmetries()} == {key_of(position)}
