"""Chances of a win and of a draw beside the moves of a game, from the book and from the calibrated curves."""

import pytest

from othellier import Game
from othellier.evaluation.chances import chances
from othellier.games.game import Evaluation
from othellier.openings.book import Book, Entry
from othellier.openings.keys import key_of
from othellier.openings.move_chances import add_chances


def words(win: float, draw: float) -> str:
    return f"win {100 * win:.0f} %, draw {100 * draw:.0f} %"


@pytest.fixture
def game() -> Game:
    """Two moves from a book, one of the engine, one proven, one of a person."""
    game = Game.from_moves("f5d6c3d3c4")
    book, known, searched, proven, _ = game.main_line()
    book.evaluation = Evaluation(1.0, depth=42, text="book")
    known.evaluation = Evaluation(-2.0, depth=30, text="book")
    searched.evaluation = Evaluation(4.0, depth=9)
    proven.evaluation = Evaluation(2.0, exact=True, depth=20)
    return game


def test_a_book_move_has_the_chances_of_the_book_for_the_side_that_moved(game: Game) -> None:
    first = game.main_line()[0]
    book = Book.make({key_of(first.position): Entry(-1, 42, 0.1, 0.5)})
    add_chances(game, book)
    assert [node.evaluation and node.evaluation.text for node in game.main_line()] == [
        "book, win 40 %, draw 50 %",  # the entry is for the side to move then, which wins 10 of 100
        f"book, {words(*chances(-2.0, 59, depth=30))}",  # the book given does not have it
        words(*chances(4.0, 58, depth=9)),
        "",
        None,
    ]
    second = game.main_line()[2].evaluation
    assert second is not None
    assert second.depth == 9


def test_chances_are_written_once(game: Game) -> None:
    add_chances(game)
    once = [node.evaluation for node in game.main_line()]
    add_chances(game)
    assert [node.evaluation for node in game.main_line()] == once
