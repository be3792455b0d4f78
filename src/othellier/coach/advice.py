"""Advice on a position: the best move, and the value of every move, by the engine and the book together."""

from __future__ import annotations

from dataclasses import replace

from othellier.engine.engine import Engine
from othellier.games.results import Limit, MoveSource, Result, Stop, compared
from othellier.openings import book, play
from othellier.openings.book import Entry
from othellier.rules.board import Position, after
from othellier.rules.geometry import STANDARD

__all__ = ["SOLVED", "BookReader", "advise", "book_move", "value_limits", "with_book"]

HINT = Limit(depth=14, time=3.0)
SOLVED = 20
"""Empty squares from which advice and values are exact: about a second of work."""
VALUE_DEPTHS = (2, 4, 6, 8, 10, 12, 14, 16)
VALUE_SECONDS = 8.0


def advise(engine: Engine, position: Position, stop: Stop | None = None) -> Result:
    """The best move: the book's, a proof near the end, else a search of a few seconds at most."""
    known = book_move(position)
    if known is not None:
        return known
    depth = position.size.squares if position.empties <= SOLVED else HINT.depth
    return engine.search(position, replace(HINT, depth=depth, stop=stop))


def book_move(position: Position) -> Result | None:
    """The best move of the book, if it has one."""
    shipped = book.shipped() if position.size == STANDARD else None
    return None if shipped is None else play.choose(shipped, position)


def value_limits(position: Position, most: int | None = None, stop: Stop | None = None) -> list[Limit]:
    """The steps in which the values of all moves deepen, to `most` plies; the last one may solve the game."""
    end = position.size.squares
    steps = [depth for depth in VALUE_DEPTHS if depth < position.empties and (most is None or depth <= most)]
    if not steps or (position.empties <= SOLVED and (most is None or most >= position.empties)):
        steps.append(end)
    return [Limit(depth=depth, time=VALUE_SECONDS, stop=stop) for depth in steps]


class BookReader:
    """An analyst who knows the book."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine

    def analyze(self, position: Position, limit: Limit) -> list[Result]:
        """Every legal move with its value, best first."""
        return with_book(self._engine.analyze(position, limit), position)


def with_book(found: list[Result], position: Position) -> list[Result]:
    """Values just searched, together with those the book knows.

    The book has the best moves of its positions: what it leaves out is worth no more than its best.
    """
    shipped = book.shipped() if position.size == STANDARD else None
    if shipped is None or not play.candidates(shipped, position):
        return found
    known = {move.move: move.entry for move in shipped.moves(position)}
    top = max(known.values(), key=lambda entry: entry.value)
    merged = []
    for result in found:
        if result.move in known:
            merged.append(_from_book(result, known[result.move]))
        elif _is_deeper(result, top):
            merged.append(result)
        else:
            merged.append(replace(result, score=min(result.score or 0.0, float(top.value))))
    merged.sort(key=lambda result: (-(result.score or 0.0), result.move not in known))
    best = merged[0]
    if best.source == "book":  # its line is the book's too
        merged[0] = replace(best, pv=(best.move, *shipped.line(after(position, best.move))))
    return compared(merged)


def _is_deeper(result: Result, entry: Entry) -> bool:
    """Whether a search is a proof, or looked further than the book."""
    return result.is_move_exact or (result.depth > entry.confidence and not entry.is_exact)


def _from_book(result: Result, entry: Entry) -> Result:
    """A value the book knows in place of one just searched, unless that is worth more."""
    if _is_deeper(result, entry):
        return result
    source: MoveSource = "exact" if entry.is_exact else "book"
    return replace(
        result, score=float(entry.value), bound="exact", source=source, depth=entry.confidence, selectivity=100
    )
