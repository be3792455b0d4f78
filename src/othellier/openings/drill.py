"""Learning openings by heart: cards that come back, sooner the worse they are known (spaced repetition).

A card is a position in which one's own side is to move, and the moves that count as right there. A right answer
doubles the days until it comes back and then more, a wrong one brings it back today (boxes after Leitner). What was
learnt is kept in one file of the user's; whoever asks the questions, a terminal or a page, is not here.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import asdict, dataclass, replace
from datetime import UTC, date, datetime, timedelta
from pathlib import Path
from typing import Protocol, TypeVar

from platformdirs import user_data_path

from othellier.base.files import read_file, write_file
from othellier.errors import ConfigError, RecordError
from othellier.openings import names
from othellier.openings.book import Book
from othellier.openings.keys import PositionKey, key_of
from othellier.openings.play import candidates
from othellier.records.transcript import format_moves
from othellier.rules import native
from othellier.rules.board import Color, Position, after
from othellier.rules.geometry import PASS

__all__ = ["Card", "Deck", "Memory", "Remembered", "deck_path", "repertoire", "today"]

AHEAD = timedelta(days=400)
"""So far ahead every card is due."""

DAYS = (0, 1, 2, 4, 8, 16, 32, 64, 128)
"""Days until a card of each box comes back."""

OTHERS_WIDTH = 3
"""Discs that the other side may give away with a move one learns to answer."""


@dataclass(frozen=True, slots=True)
class Card:
    """A question: what does one play here?"""

    moves: tuple[int, ...]
    """The moves that lead to the position."""
    answers: tuple[int, ...]
    """The right moves, the best first."""

    @property
    def position(self) -> Position:
        """The position asked about."""
        position = native.start()
        for move in self.moves:
            position = after(position, move)
        return position

    @property
    def name(self) -> str:
        """What the card is kept under: its position up to symmetry."""
        player, opponent = key_of(self.position)
        return f"{player:016x}{opponent:016x}"

    def label(self, lang: names.NameLanguage = "en") -> str:
        """The line that leads here, with the name of its opening."""
        return f"{format_moves(self.moves)} {names.name_of(self.moves, lang)}".strip()

    def is_right(self, move: int) -> bool:
        """Whether a move, or one that is the same up to symmetry, is among the answers."""
        position = self.position
        wanted = {key_of(position.play(answer)) for answer in self.answers}
        return position.is_legal(move) and move != PASS and key_of(position.play(move)) in wanted


def repertoire(color: Color, opening: Iterable[int] = (), book: Book | None = None, plies: int = 12) -> list[Card]:
    """The cards of one side, from an opening on: in the book, all its good answers; without one, named openings.

    The other side plays whatever the book, or the table of names, has; nearest positions come first.
    """
    if not 1 <= plies <= 59:
        raise ConfigError(f"{plies} plies: 1 to 59 can be learnt")
    return _from_names(color, tuple(opening), plies) if book is None else _from_book(color, opening, book, plies)


def _from_book(color: Color, opening: Iterable[int], book: Book, plies: int) -> list[Card]:
    first = tuple(opening)
    cards: list[Card] = []
    # The moves of the opening itself are part of what is learnt.
    position = native.start()
    for count, move in enumerate(first):
        if position.turn == color:
            cards.append(Card(first[:count], (move,)))
        position = after(position, move)
    seen: set[PositionKey] = {key_of(position)}
    level = [(first, position)]
    while level:
        following = []
        for moves, position in level:
            if len(moves) >= plies:
                continue
            if position.turn == color:
                chosen = [known.move for known in candidates(book, position)]
                if chosen:
                    cards.append(Card(moves, tuple(chosen)))
            else:
                best = book.moves(position)
                chosen = [known.move for known in best if known.entry.value >= best[0].entry.value - OTHERS_WIDTH]
            for move in chosen:
                reached = after(position, move)
                if key_of(reached) not in seen:
                    seen.add(key_of(reached))
                    following.append(((*moves, move), reached))
        level = following
    return cards


def _from_names(color: Color, opening: tuple[int, ...], plies: int) -> list[Card]:
    found: dict[tuple[int, ...], list[int]] = {}
    for named in names.openings():
        moves = named.moves
        if moves[: len(opening)] != opening and opening[: len(moves)] != moves:
            continue
        for count in range(min(len(moves), plies)):
            answers = found.setdefault(moves[:count], [])
            if moves[count] not in answers:
                answers.append(moves[count])
    cards = [Card(moves, tuple(answers)) for moves, answers in sorted(found.items(), key=lambda item: len(item[0]))]
    return [card for card in cards if card.position.turn == color]


# -- what was learnt


class Remembered(Protocol):
    """Whatever is asked again: it has a name that what is known of it is kept under."""

    @property
    def name(self) -> str:
        """The name."""


R = TypeVar("R", bound=Remembered)


@dataclass(frozen=True, slots=True)
class Memory:
    """How well a card is known: its box, when it is due, how often it was right and wrong, stars earned with it."""

    box: int = 0
    due: str = ""
    right: int = 0
    wrong: int = 0
    stars: int = 0

    def after(self, right: bool, today: date, stars: int = 0) -> Memory:
        """The memory after an answer."""
        box = min(self.box + 1, len(DAYS) - 1) if right else 0
        due = (today + timedelta(days=DAYS[box])).isoformat()
        return Memory(box, due, self.right + right, self.wrong + (not right), max(self.stars, stars))

    def is_due(self, today: date) -> bool:
        """Whether the card is to be asked today."""
        return self.due <= today.isoformat()


def today() -> date:
    """The day it is here."""
    return datetime.now(UTC).astimezone().date()


def deck_path() -> Path:
    """Where what was learnt is kept."""
    return user_data_path("othellier") / "drill.json"


class Deck:
    """What is known of all cards ever asked, in a file."""

    def __init__(self, path: Path | None = None) -> None:
        self.path = deck_path() if path is None else path
        self._memories = _read(self.path) if self.path.exists() else {}

    def memory(self, card: Remembered) -> Memory:
        """How well a card is known."""
        return self._memories.get(card.name, Memory())

    def due(self, cards: Iterable[R], today: date) -> list[R]:
        """The cards to ask today: those known before, worst first, then new ones in their order."""
        asked = [card for card in cards if self.memory(card).is_due(today)]
        return sorted(asked, key=lambda card: (not self.memory(card).due, self.memory(card).box))

    def next(self, cards: Iterable[R], today: date, last: str = "", ahead: bool = False) -> R | None:
        """The card to ask: the last one only if there is no other; `ahead`, also one that is not yet due."""
        line = self.due(cards, today + AHEAD if ahead else today)
        return next((card for card in line if card.name != last), line[0] if line else None)

    def answer(self, card: Card, move: int, today: date) -> bool:
        """Take down an answer at once; whether it was right."""
        right = card.is_right(move)
        self.take_down(card, right, today)
        return right

    def take_down(self, card: Remembered, right: bool, today: date, stars: int = 0) -> None:
        """Take down at once whether an answer was right, and the stars it earned."""
        self._memories[card.name] = self.memory(card).after(right, today, stars)
        self._write()

    def award(self, card: Remembered, stars: int) -> None:
        """Take down stars that were earned after a wrong answer: the card comes back as that one has it."""
        known = self.memory(card)
        self._memories[card.name] = replace(known, stars=max(known.stars, stars))
        self._write()

    def _write(self) -> None:
        try:
            self.path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        except OSError as error:
            raise RecordError(str(self.path), "", f"cannot be written: {error.strerror}") from None
        facts = {name: asdict(known) for name, known in self._memories.items()}
        for fields in facts.values():
            if not fields["stars"]:
                del fields["stars"]  # openings have none
        write_file(self.path, [json.dumps(facts, indent=0).encode()])


def _read(path: Path) -> dict[str, Memory]:
    """What a file remembers; one that makes no sense is an error, for it is somebody's work."""
    try:
        facts = json.loads(read_file(path))
        if "version" in facts:  # those of this version have none
            raise RecordError(str(path), "", "was written by a newer version of this program, please update")
        known = {str(name): Memory(**fields) for name, fields in facts.items()}
        for memory in known.values():
            counts = (memory.box, memory.right, memory.wrong, memory.stars)
            if not (all(isinstance(number, int) and number >= 0 for number in counts) and memory.box < len(DAYS)):
                raise ValueError("a box or a count is none")
            date.fromisoformat(memory.due)
    except (ValueError, TypeError, AttributeError, RecursionError) as error:
        if isinstance(error, RecordError):
            raise
        raise RecordError(str(path), "", f"is not a file of what was learnt: {error}") from None
    return known
