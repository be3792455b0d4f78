"""Books for tests: small, made of nothing but the rules and a seed."""

import random
from collections.abc import Iterable, Iterator

from othellier.games.results import MoveSource, Result
from othellier.openings.book import Book, Entry
from othellier.openings.keys import PositionKey, key_of
from othellier.rules import native
from othellier.rules.board import Position


def random_book(count: int = 200, seed: int = 1) -> Book:
    """A book of positions from random games with values out of a hat."""
    rng = random.Random(seed)
    entries: dict[PositionKey, Entry] = {}
    while len(entries) < count:
        position = native.random_position(rng, empties=rng.randrange(1, 61))
        win = rng.randrange(9) / 16
        entries[key_of(position)] = Entry(rng.randrange(-64, 65), rng.randrange(101), win, 1 / 4)
    return Book.make(entries, 1_700_000_000)


def analyse(positions: Iterable[Position]) -> Iterator[tuple[Position, list[Result]]]:
    """A quick analyst that counts moves: those one leaves the other side, against those one has."""
    for position in positions:
        results = []
        for move in position.moves():
            reached = position.play(move)
            over = reached.is_over()
            score = -reached.score() if over else len(position.moves()) - len(reached.moves())
            source: MoveSource = "exact" if over else "search"
            results.append(Result(move, position.turn, float(score), depth=2, source=source))
        yield position, sorted(results, key=lambda result: -(result.score or 0))
