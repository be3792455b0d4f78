"""What the engine is asked besides moves: hints, the value of every square, the likeliest replies.

Each function is a job of a thinking thread; how often and for whom is the running game's business.
"""

from __future__ import annotations

from dataclasses import replace

from othellier.board import Position, after
from othellier.coach.analysis import AnalysisLevel, Judgement, judge
from othellier.engine import Engine
from othellier.errors import RequestError
from othellier.openings import book, play
from othellier.openings.book import Entry
from othellier.players import answer, create_player
from othellier.results import Limit, Result, Source
from othellier.web.play.search_threads import Job

__all__ = ["Reader", "depths", "hint", "judgement", "likely", "square_values", "with_book"]

HINT = Limit(depth=14, time=3.0)
SOLVED = 18
"""Empty squares from which a hint and the values of squares are exact: at most some seconds of work."""
VALUE_DEPTHS = (2, 4, 6, 8, 10, 12, 14, 16)
VALUE_SECONDS = 8.0
LIKELY = 3


def _needed(engine: Engine | None) -> Engine:
    if engine is None:
        raise RequestError("no_engine", "the compiled engine is missing: no values, no analysis")
    return engine


def depths(position: Position, most: int | None) -> list[int]:
    """The steps in which the values of squares deepen; the last one may solve the game."""
    end = position.size.squares
    steps = [depth for depth in VALUE_DEPTHS if depth < position.empties and (most is None or depth <= most)]
    solves = position.empties <= SOLVED and (most is None or most >= position.empties)
    return [*steps, end] if solves or not steps else steps


def hint(job: Job, engine: Engine | None, position: Position) -> Result:
    """The best move."""
    shipped = book.shipped()
    known = shipped and play.choose(shipped, position)
    if known:
        return known
    if engine is None:
        with create_player("alphabeta:depth=4,eval=mixed") as player:
            return answer(player, position, HINT)
    job.searching(engine)
    limit = replace(HINT, depth=position.size.squares) if position.empties <= SOLVED else HINT
    return engine.search(position, limit, lambda _: job.check())


def square_values(job: Job, engine: Engine | None, position: Position, depth: int) -> list[Result]:
    """Every legal move with its value, best first; the book's where it has looked further."""
    searcher = _needed(engine)
    job.searching(searcher)
    found = searcher.analyze(position, Limit(depth=depth, time=VALUE_SECONDS), lambda _: job.check())
    return with_book(found, position)


def with_book(found: list[Result], position: Position) -> list[Result]:
    """Values just searched, together with those the book knows.

    The book has the best moves of its positions: what it leaves out is worth no more than its best.
    """
    shipped = book.shipped()
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
    return merged


def _is_deeper(result: Result, entry: Entry) -> bool:
    """Whether a search is a proof, or looked further than the book."""
    return result.is_exact or (result.depth > entry.confidence and not entry.is_exact)


def _from_book(result: Result, entry: Entry) -> Result:
    """A value the book knows in place of one just searched, unless that is worth more."""
    if _is_deeper(result, entry):
        return result
    source: Source = "exact" if entry.is_exact else "book"
    return replace(result, score=float(entry.value), source=source, depth=entry.confidence, selectivity=100)


class Reader:
    """An analyst who knows the book."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine

    def analyze(self, position: Position, limit: Limit) -> list[Result]:
        """Every legal move with its value, best first."""
        return with_book(self._engine.analyze(position, limit), position)


def likely(job: Job, engine: Engine | None, position: Position) -> list[int]:
    """The replies a person will most likely choose, likeliest first."""
    searcher = _needed(engine)
    job.searching(searcher)
    return [result.move for result in searcher.analyze(position, Limit(depth=6, time=1.0))[:LIKELY]]


def judgement(
    job: Job, engine: Engine | None, position: Position, move: int, ply: int, level: AnalysisLevel
) -> Judgement:
    """One move of a game judged."""
    searcher = _needed(engine)
    job.searching(searcher)
    return judge(Reader(searcher), position, move, ply, level)
