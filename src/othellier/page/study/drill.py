"""The drill of openings for browsers: which card is asked, and whether it was known.

Cards and what is remembered of them are the business of `openings.drill`; here everybody has a deck of their own.
"""

from __future__ import annotations

import threading
from functools import lru_cache
from pathlib import Path

from othellier.errors import InvalidPosition, OthellierError, RecordError, RequestError
from othellier.games.game import Game
from othellier.games.symmetry import START_KEEPING, mapping
from othellier.openings.book import Book
from othellier.openings.drill import Card, Deck, repertoire, today
from othellier.page.play.opening_names import named_moves, opening_at
from othellier.page.play.state_view import legal_squares
from othellier.page.study.book_shelf import BookShelf
from othellier.page.wire.replies import CardView, DrillAnswer, DrillView
from othellier.records.transcript import format_moves
from othellier.rules.board import Color
from othellier.rules.geometry import STANDARD, parse_square, square_name
from othellier.session import commands as m
from othellier.session.rights import own_file

FIRST = parse_square("f5")


class Drill:
    """Everybody's decks, each a file; to be asked in threads."""

    def __init__(self, folder: Path, shelf: BookShelf) -> None:
        self._folder = folder
        self._shelf = shelf
        self._lock = threading.Lock()

    def ask(self, owner: str, asked: m.Repertoire, ahead: bool = False, last: str = "") -> DrillView:
        """What is to be learnt of a repertoire, and the next card: the last one only if there is no other."""
        cards = _cards(asked.color, asked.opening, asked.plies, self._shelf.current)
        with self._lock:
            deck, now = self._deck(owner), today()
            due = len(deck.due(cards, now))
            card = deck.next(cards, now, last, ahead)
            learnt = sum(deck.memory(card).box > 0 for card in cards)
        return DrillView(cards=len(cards), due=due, learnt=learnt, card=None if card is None else _view(card))

    def answer(self, owner: str, given: m.DrillGiven) -> DrillAnswer:
        """Take down an answer."""
        cards = _cards(given.color, given.opening, given.plies, self._shelf.current)
        card = next((card for card in cards if card.name == given.card), None)
        if card is None:
            raise RequestError("not_found", "there is no such card in this repertoire")
        try:
            move = parse_square(given.square, STANDARD)
        except InvalidPosition as error:
            raise RequestError("illegal_move", str(error), square=given.square) from None
        if not card.position.is_legal(move):
            raise RequestError("illegal_move", f"{given.square} cannot be played here", square=given.square)
        with self._lock:
            deck = self._deck(owner)
            try:
                right = deck.answer(card, move, today())
            except (OSError, OthellierError) as error:
                raise RequestError("not_saved", f"what was learnt is not kept: {error}", reason=str(error)) from None
            memory = deck.memory(card)
        answers = [square_name(answer, STANDARD) for answer in card.answers]
        return DrillAnswer(right=right, answers=answers, box=memory.box, due=memory.due)

    def _deck(self, owner: str) -> Deck:
        """Somebody's deck, read anew: the command line may have written to it."""
        try:
            return Deck(self._folder / own_file("drill", owner))
        except RecordError as error:
            raise RequestError("bad_record", str(error), where=error.where) from None


@lru_cache(64)
def _cards(color: Color, opening: str, plies: int, book: Book | None) -> tuple[Card, ...]:
    return tuple(map(_upright, repertoire(color, named_moves(opening) if opening else (), book, plies)))


def _upright(card: Card) -> Card:
    """The same card with f5 as the first move, as everybody is used to."""
    for symmetry in START_KEEPING:
        seen = mapping(symmetry, STANDARD)
        if card.moves and seen(card.moves[0]) == FIRST:
            return Card(tuple(map(seen, card.moves)), tuple(map(seen, card.answers)))
    return card


def _view(card: Card) -> CardView:
    position = card.position
    last = card.moves[-1] if card.moves else None
    return CardView(
        card=card.name,
        moves=format_moves(card.moves).lower(),
        board=position.board_string(),
        turn=position.turn,
        last=None if last is None else square_name(last, STANDARD),
        legal=legal_squares(position),
        opening=opening_at(Game.from_moves(card.moves).end),
    )
