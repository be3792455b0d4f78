"""Questions to a database of games: which games, and what was played from a position with what success.

    explorer = Explorer(games.load(["wthor"]), book)
    explorer.search(player="tamenori", opening="tiger")
    explorer.explore(position)           moves, results and scores, with the book's values beside them

The games themselves, and their index, are the business of `games.py`.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, fields
from typing import Any, Literal

import numpy as np
import numpy.typing as npt

from othellier.errors import ConfigError, RecordError, nearest
from othellier.openings import names
from othellier.openings.book import Book, Entry
from othellier.openings.games import UNKNOWN, GameCollection, fingerprint
from othellier.rules.board import Position, after
from othellier.rules.geometry import square_name

__all__ = ["Exploration", "Explorer", "MoveStatistics", "Query", "Statistics"]

_Numbers = npt.NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class Query:
    """What the games asked for have in common; what is not said does not matter.

    >>> query = Query(player="Tastet", first_year=1990, result="black")
    >>> query.last_year is None
    True
    """

    player: str = ""
    """Part of a player's name, of either colour; capitals and accents do not matter."""
    black: str = ""
    white: str = ""
    tournament: str = ""
    first_year: int | None = None
    last_year: int | None = None
    result: Literal["", "black", "white", "draw"] = ""
    position: Position | None = None
    opening: str = ""
    """The name of an opening in any language."""


@dataclass(frozen=True, slots=True)
class Statistics:
    """How games ended.

    >>> Statistics(games=4, black=2, draws=1, white=1, score=0.625, theory=None, error=None).draws
    1
    """

    games: int
    black: int
    """Won by Black."""
    draws: int
    white: int
    score: float | None
    """Mean disc difference for Black; None where no result is known."""
    theory: float | None
    """The same under perfect play from where the games were solved."""
    error: float | None
    """Mean distance of the result from that: what both sides gave away to the end, where it was worked out."""


@dataclass(frozen=True, slots=True)
class MoveStatistics:
    """A move from a position, how often it was played and with what success.

    >>> from othellier import openings, square_name, start
    >>> found = Explorer(None, openings.book.shipped()).explore(start().play("f5"))
    >>> sorted(square_name(square) for move in found.moves for square in move.moves)
    ['d6', 'f4', 'f6']
    """

    moves: tuple[int, ...]
    """The move, then those that are the same up to symmetry."""
    statistics: Statistics
    entry: Entry | None
    """What the book says of it, for the side that makes it."""
    opening: names.Opening | None
    """The opening that it makes, if that has a name."""


@dataclass(frozen=True, slots=True)
class Exploration:
    """What is known of a position.

    >>> from othellier import openings, start
    >>> found = Explorer(None, openings.book.shipped()).explore(start().play("f5"))
    >>> found.statistics.games, len(found.moves)
    (0, 3)
    """

    statistics: Statistics
    moves: tuple[MoveStatistics, ...]
    entry: Entry | None
    opening: names.Opening | None


def _query(query: Query | None, facts: dict[str, Any]) -> Query:
    if query is not None and facts:
        raise ConfigError("give a Query, or what is in one, not both")
    known = [one.name for one in fields(Query)]
    for name in facts:
        if name not in known:
            raise ConfigError(f"unknown key {name!r}{nearest(name, known)}")
    return query or Query(**facts)


class Explorer:
    """A database and, where there is one, a book to go with it.

    >>> from othellier import openings, start
    >>> found = Explorer(None, openings.book.shipped()).explore(start().play("f5").play("d6"))
    >>> found.opening.names["en"]
    'Perpendicular'
    """

    def __init__(self, games: GameCollection | None, book: Book | None = None) -> None:
        self.games = games
        self.book = book

    def search(self, query: Query | None = None, **facts: Any) -> _Numbers:
        """The numbers of the games that answer a query, in their order; `search(player="tastet")` is short for
        `search(Query(player="tastet"))`.

        >>> import tempfile
        >>> from pathlib import Path
        >>> from othellier import Game, databases, write
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     path = Path(folder) / "games.ggf"
        ...     write([Game.from_moves("f5d6c3"), Game.from_moves("f5f6e6")], path)
        ...     games = databases.load(path, Path(folder) / "index")
        >>> [games[number].transcript() for number in Explorer(games).search(opening="diagonal")]
        ['F5F6E6']
        """
        query = _query(query, facts)
        games = self._games()
        table = games.table
        numbers = self._through(query)
        wanted = np.ones(len(numbers), bool)
        for field in ("player", "black", "white"):
            text = getattr(query, field)
            if text:
                ids = self._named(text, games.players, "player")
                sides = ("black", "white") if field == "player" else (field,)
                wanted &= np.any([np.isin(table[side][numbers], ids) for side in sides], axis=0)
        if query.tournament:
            ids = self._named(query.tournament, games.tournaments, "tournament")
            wanted &= np.isin(table["tournament"][numbers], ids)
        year, score = table["year"][numbers], table["score"][numbers]
        if query.first_year is not None:
            wanted &= year >= query.first_year
        if query.last_year is not None:
            wanted &= (year <= query.last_year) & (year > 0)
        if query.result:
            signs = {"black": 1, "draw": 0, "white": -1}
            if query.result not in signs:
                raise ConfigError(f"result {query.result!r}: black, white or draw expected")
            wanted &= (np.sign(score) == signs[query.result]) & (score != UNKNOWN)
        return numbers[wanted]

    def _games(self) -> GameCollection:
        if self.games is None:
            raise ConfigError("there is no database of games to search")
        return self.games

    def _through(self, query: Query) -> _Numbers:
        """The games that pass through the position and the opening asked for."""
        games = self._games()
        numbers = np.arange(len(games)) if query.position is None else games.find(query.position)
        if query.opening:
            found = names.search(query.opening)
            if not found:
                raise ConfigError(f"no opening is called {query.opening!r}")
            # Only those with that very name, if there are any; else all whose name has it in it.
            wanted = names.comparable(query.opening)
            same = [one for one in found if wanted in map(names.comparable, one.names.values())]
            through = np.unique(np.concatenate([games.find(opening.position) for opening in same or found]))
            numbers = np.intersect1d(numbers, through, assume_unique=True)
        return numbers

    def _named(self, text: str, listed: Sequence[str], what: str) -> list[int]:
        games = self._games()
        if games.nameless and len(games.nameless) == sum(name.lower().endswith(".wtb") for name, _, _ in games.sources):
            where = games.nameless[0]
            raise RecordError(where, "", f"has no name files (.jou, .trn) beside it, so no {what} can be looked up")
        wanted = names.comparable(text)
        return [number for number, name in enumerate(listed) if wanted in names.comparable(name)]

    # -- positions

    def openings(self, plies: int = 12) -> list[tuple[names.Opening, int]]:
        """What the games are called after so many moves, each by the deepest name it has got, and how many games are
        called so; the most frequent first, and games without a name in none.
        """
        games = self._games()
        known = sorted((one for one in names.openings() if len(one.moves) <= plies), key=lambda one: len(one.moves))
        called = np.full(len(games), -1)
        for number, opening in enumerate(known):  # the deeper ones overwrite the others
            called[games.find(opening.position)] = number
        counts = np.bincount(called[called >= 0], minlength=len(known)).tolist()
        found = [(opening, count) for opening, count in zip(known, counts, strict=True) if count]
        return sorted(found, key=lambda one: -one[1])

    def explore(self, position: Position, among: Iterable[int] | None = None) -> Exploration:
        """What was played from a position, in any of its symmetries; `among` keeps to some games.

        Moves come by the number of games, then by the book's value; moves that are the same up to symmetry are one.
        """
        numbers = np.empty(0, np.int64) if self.games is None else self.games.find(position)
        if among is not None:
            numbers = np.intersect1d(numbers, np.fromiter(among, np.int64))
        entry = None if self.book is None else self.book.get(position)
        return Exploration(
            self._statistics(numbers), tuple(self._moves(position, numbers)), entry, names.find(position)
        )

    def _moves(self, position: Position, numbers: _Numbers) -> list[MoveStatistics]:
        groups: dict[int, list[int]] = {}
        # The rightmost of equal moves stands for all, so that a game begins with f5.
        for move in sorted(position.moves(), key=square_name, reverse=True):
            groups.setdefault(fingerprint(after(position, move)), []).append(move)
        if not groups:  # the game is over
            return []
        values = {} if self.book is None else dict(self.book.moves(position))
        row = 61 - position.empties
        known = self.games.prints[row][numbers] if self.games is not None and len(numbers) else np.empty(0, np.uint64)
        found = []
        for print_, moves in groups.items():
            statistics = self._statistics(numbers[known == np.uint64(print_)])
            opening = names.find(position.play(moves[0]))
            found.append(MoveStatistics(tuple(moves), statistics, values.get(moves[0]), opening))

        def rank(move: MoveStatistics) -> tuple[int, int]:
            return -move.statistics.games, -move.entry.value if move.entry is not None else 64

        return sorted(found, key=rank)

    def _statistics(self, numbers: _Numbers) -> Statistics:
        if self.games is None or not len(numbers):
            return Statistics(0, 0, 0, 0, None, None, None)
        table = self.games.table
        score = table["score"][numbers].astype(np.int64)
        theory = table["theory"][numbers].astype(np.int64)
        ended, solved = score != UNKNOWN, theory != UNKNOWN
        return Statistics(
            len(numbers),
            int((score[ended] > 0).sum()),
            int((score[ended] == 0).sum()),
            int((score[ended] < 0).sum()),
            float(score[ended].mean()) if ended.any() else None,
            float(theory[solved].mean()) if solved.any() else None,
            float(np.abs(score - theory)[ended & solved].mean()) if (ended & solved).any() else None,
        )
