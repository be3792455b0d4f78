"""What the engine is asked besides moves: hints, the value of every square, the likeliest replies, judgements.

Each function is a job of a search thread; how often and for whom is the running game's business, what is asked and
how far the search looks is the coach's.
"""

from __future__ import annotations

from dataclasses import replace

from othellier.coach.advice import BookReader, advise
from othellier.coach.judging import Effort, JudgedMove, judge, judged
from othellier.coach.review import Question
from othellier.engine.engine import Engine
from othellier.errors import RequestError
from othellier.games.results import Limit, Result
from othellier.players import answer, create_player
from othellier.players.pool import SearchJob
from othellier.rules.board import Position

JudgedResult = tuple[Result, JudgedMove]
"""What a move is worth, and what would be said of whoever played it."""
LIKELY = 3
STAND_IN = "alphabeta:depth=4,eval=mixed"
"""Who gives hints where the compiled engine is missing."""


def _needed(engine: Engine | None) -> Engine:
    if engine is None:
        raise RequestError("no_engine", "the compiled engine is missing: no values, no analysis")
    return engine


def hint(job: SearchJob, engine: Engine | None, position: Position) -> Result:
    """The best move."""
    if engine is None:
        with create_player(STAND_IN) as player:
            return answer(player, position, Limit(stop=job.stop))
    return advise(engine, position, job.stop)


def move_values(job: SearchJob, engine: Engine | None, position: Position, limit: Limit) -> list[Result]:
    """Every legal move with its value, best first; the book's where it has looked further."""
    return BookReader(_needed(engine)).analyze(position, replace(limit, stop=job.stop))


def judged_values(job: SearchJob, engine: Engine | None, position: Position, limit: Limit) -> list[JudgedResult]:
    """The same, each with what is to be said of it."""
    found = move_values(job, engine, position, limit)
    return [(result, judged(position, found, result.move, 0)) for result in found]


def likely(job: SearchJob, engine: Engine | None, position: Position) -> list[int]:
    """The replies a person will most likely choose, likeliest first."""
    limit = Limit(depth=6, time=1.0, stop=job.stop)
    return [result.move for result in _needed(engine).analyze(position, limit)[:LIKELY]]


def judgement(job: SearchJob, engine: Engine | None, question: Question, effort: Effort) -> JudgedMove:
    """One move of a game judged, by one thread: the answer is the same wherever it is asked."""
    searcher = _needed(engine)
    searcher.threads = 1
    return judge(BookReader(searcher), question.position, question.move, question.ply, effort, job.stop)
