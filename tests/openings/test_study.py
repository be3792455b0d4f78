"""Learning: trees of what matters, cards that come back, and a file that keeps what was learnt."""

from datetime import date, timedelta
from pathlib import Path

import pytest
from book_positions import analyse

from othellier.errors import ConfigError, RecordError
from othellier.games.game import Game
from othellier.openings.book import Book
from othellier.openings.build import BookPlan, Builder
from othellier.openings.drill import Card, Deck, Memory, repertoire
from othellier.openings.explorer import Explorer
from othellier.openings.play import candidates
from othellier.openings.tree import grow_tree
from othellier.records.transcript import parse_moves
from othellier.rules import native
from othellier.rules.geometry import parse_square

TODAY = date(2024, 5, 1)


@pytest.fixture(scope="module")
def book() -> Book:
    builder = Builder(BookPlan(positions=300, plies=4, width=3), analyse)
    assert list(builder.run())
    return builder.book()


# -- trees


def test_a_tree_has_the_named_openings() -> None:
    tree = grow_tree(parse_moves("f5d6c3"), 2)
    lines = {
        "".join(map(str, branch.moves[3:])): branch.opening.name()
        for branch in tree.walk()
        if branch.opening is not None and len(branch.moves) > 3
    }
    assert set(lines.values()) >= {"Tiger", "Bent Ganglion", "Parker"}
    assert max(len(branch.moves) for branch in tree.walk()) == 5
    assert tree.opening is not None
    assert tree.opening.name() == "Inhuman"


def test_a_tree_tells_the_books_values_for_the_side_that_moved(book: Book) -> None:
    tree = grow_tree(parse_moves("f5"), 1, Explorer(None, book))
    known = {move.move: move.entry for move in book.moves(native.start().play(37))}
    assert {branch.moves[-1] for branch in tree.branches} <= known.keys()
    for branch in tree.branches:
        assert branch.entry == known[branch.moves[-1]]
    entry = book.get(native.start().play(37))
    assert entry is not None
    assert tree.entry is not None
    assert tree.entry.value == -entry.value


def test_no_position_is_drawn_twice(book: Book) -> None:
    tree = grow_tree((), 4, Explorer(None, book))
    lines = [branch.moves for branch in tree.walk()]
    assert len(lines) == len(set(lines)) > 10
    with pytest.raises(ConfigError):
        grow_tree((), 61)


# -- cards


def test_a_repertoire_from_the_book_asks_the_best_moves(book: Book) -> None:
    for color in ("black", "white"):
        cards = repertoire(color, book=book, plies=4)
        assert cards
        for card in cards:
            assert card.position.turn == color
            assert set(card.answers) == {known.move for known in candidates(book, card.position)}


def test_a_repertoire_goes_through_its_opening() -> None:
    tiger = tuple(parse_moves("f5d6c3d3c4"))
    cards = repertoire("white", tiger, plies=8)
    assert cards[0] == Card((37,), (43,))
    assert all(card.moves[:5] == tiger[: len(card.moves)] for card in cards)
    assert any(len(card.moves) > 5 for card in cards)
    with pytest.raises(ConfigError):
        repertoire("black", plies=0)


def test_a_repertoire_from_the_book_has_the_moves_of_the_opening(book: Book) -> None:
    cards = repertoire("black", parse_moves("f5d6c3"), book)
    assert cards[:2] == [Card((), (37,)), Card((37, 43), (18,))]


def test_equal_moves_are_equally_right() -> None:
    card = Card((), (37,))
    assert all(card.is_right(move) for move in native.start().moves())
    assert not card.is_right(0)
    tiger = Card((37, 43, 18), (19,))
    assert tiger.is_right(19)
    assert not tiger.is_right(parse_square("f4"))
    assert tiger.label() == "F5D6C3 Inhuman"
    # Reached another way up, it is the same card.
    assert Card((26, 20, 45), (44,)).name == tiger.name


def test_right_answers_come_back_later_and_later() -> None:
    memory, day = Memory(), TODAY
    waits = []
    for _ in range(10):
        memory = memory.after(True, day)
        due = date.fromisoformat(memory.due)
        waits.append((due - day).days)
        assert memory.is_due(due)
        assert not memory.is_due(due - timedelta(days=1))
        day = due
    assert waits == [1, 2, 4, 8, 16, 32, 64, 128, 128, 128]
    assert memory.after(False, day) == Memory(0, day.isoformat(), 10, 1)


def test_stars_once_earned_stay() -> None:
    earned = Memory().after(True, TODAY, stars=3)
    assert earned.after(True, TODAY, stars=1).stars == earned.after(False, TODAY).stars == 3


def test_a_deck_asks_what_is_due_worst_first_and_remembers(tmp_path: Path) -> None:
    path = tmp_path / "sub" / "deck.json"
    cards = repertoire("white", tuple(parse_moves("f5d6c3d3c4")), plies=6)
    deck = Deck(path)
    assert deck.due(cards, TODAY) == cards
    assert deck.answer(cards[0], cards[0].answers[0], TODAY)
    assert not deck.answer(cards[1], 0, TODAY)
    again = Deck(path)
    assert again.memory(cards[0]) == Memory(1, "2024-05-02", 1, 0)
    due = again.due(cards, TODAY)
    assert due[0] == cards[1]
    assert cards[0] not in due
    assert again.due(cards, TODAY + timedelta(days=1))[:2] == [cards[1], cards[0]]


@pytest.mark.parametrize(
    "text",
    ["", "[]", "{", '{"a": 1}', '{"a": {"box": 99, "due": "2024-01-01"}}', '{"a": {"due": "soon"}}', '{"a": {"x": 1}}'],
)
def test_a_spoilt_deck_is_named_and_left_alone(tmp_path: Path, text: str) -> None:
    path = tmp_path / "deck.json"
    path.write_text(text)
    with pytest.raises(RecordError, match="what was learnt"):
        Deck(path)
    assert path.read_text() == text


def test_a_deck_that_cannot_be_kept_says_so(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    deck = Deck(tmp_path / "file" / "deck.json")
    with pytest.raises(RecordError, match="cannot be written"):
        deck.answer(Card((), (37,)), 37, TODAY)


def test_cards_lead_to_their_positions(book: Book) -> None:
    for card in repertoire("black", book=book, plies=4):
        assert Game.from_moves(card.moves).end.position == card.position
