"""What the engine is asked besides moves, with a book beside it."""

import random
from typing import cast

import pytest

from othellier.coach.judging import EFFORTS
from othellier.coach.review import Question
from othellier.engine.engine import Engine
from othellier.errors import RequestError
from othellier.games.results import Limit, Result
from othellier.openings.book import Book, Entry
from othellier.openings.keys import key_of
from othellier.page.play import engine_jobs
from othellier.players.pool import SearchJob
from othellier.rules import native
from othellier.rules.board import Position
from othellier.rules.geometry import PASS, parse_square

JOB = SearchJob(lambda job, engine: None)


@pytest.fixture
def perpendicular(monkeypatch: pytest.MonkeyPatch) -> Position:
    """After f5d6, with a book that likes c3 best and knows c5."""
    position = native.start()
    for name in ("f5", "d6"):
        position = position.play(parse_square(name))
    worth = {"c3": 1, "c5": -3}  # for the side that moves there; the book sees it from the other
    entries = {key_of(position.play(parse_square(name))): Entry(-score, 40, 0.5, 0.1) for name, score in worth.items()}
    book = Book.make({key_of(position): Entry(1, 40, 0.5, 0.1), **entries})
    monkeypatch.setattr("othellier.openings.book.shipped", lambda: book)
    return position


def test_what_the_book_knows_counts_and_nothing_beside_it_is_better(perpendicular: Position) -> None:
    with Engine(hash_mb=1) as engine:
        found = engine_jobs.move_values(JOB, engine, perpendicular, Limit(depth=4))
    values = {result.move: result for result in found}
    assert found[0].move == parse_square("c3")
    assert (found[0].score, found[0].source, found[0].depth) == (1.0, "book", 40)
    assert values[parse_square("c5")].score == -3.0
    assert values[parse_square("c4")].source == "search"
    assert max(result.score or 0.0 for result in found) == 1.0


def test_moves_of_the_book_are_judged_by_it(perpendicular: Position) -> None:
    with Engine(hash_mb=1) as engine:
        best = engine_jobs.judgement(JOB, engine, Question(perpendicular, parse_square("c3"), 2), EFFORTS["quick"])
        worse = engine_jobs.judgement(JOB, engine, Question(perpendicular, parse_square("c5"), 2), EFFORTS["quick"])
    assert (best.label, best.loss) == ("best", 0.0)
    assert (worse.best, worse.loss) == (parse_square("c3"), 4.0)


def test_a_hint_comes_from_the_book(perpendicular: Position) -> None:
    with Engine(hash_mb=1) as engine:
        found = engine_jobs.hint(JOB, engine, perpendicular)
    assert (found.move, found.source) == (parse_square("c3"), "book")


def test_without_the_engine_there_are_no_values(perpendicular: Position) -> None:
    with pytest.raises(RequestError, match="engine is missing"):
        engine_jobs.move_values(JOB, None, perpendicular, Limit(depth=4))


class Asked:
    """An engine that only remembers what it was asked."""

    def __init__(self) -> None:
        self.limits: list[Limit] = []

    def search(self, position: Position, limit: Limit, progress: object = None) -> Result:
        self.limits.append(limit)
        return Result(position.moves()[0], position.turn, 0.0)

    def analyze(self, position: Position, limit: Limit, progress: object = None) -> list[Result]:
        self.limits.append(limit)
        return [Result(move, position.turn, 0.0) for move in position.moves()]

    def stop(self) -> None:
        raise AssertionError("nobody stops it here")


def test_a_hint_looks_as_far_as_it_says(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("othellier.openings.book.shipped", lambda: None)
    engine = Asked()
    position, rng = native.start(), random.Random(3)
    while position.empties > 21:
        position = position.play(PASS if position.must_pass() else rng.choice(position.moves()))
    assert position.empties == 21
    engine_jobs.hint(JOB, cast("Engine", engine), native.start())
    engine_jobs.hint(JOB, cast("Engine", engine), position)
    position = position.play(PASS if position.must_pass() else position.moves()[0])
    assert position.empties == 20
    engine_jobs.hint(JOB, cast("Engine", engine), position)
    assert engine.limits == [Limit(depth=14, time=3.0), Limit(depth=14, time=3.0), Limit(depth=64, time=3.0)]
    assert all(limit.stop is JOB.stop for limit in engine.limits)


def test_values_and_likely_replies_look_as_far_as_they_say(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("othellier.openings.book.shipped", lambda: None)
    engine = Asked()
    engine_jobs.move_values(JOB, cast("Engine", engine), native.start(), Limit(depth=12, time=8.0))
    assert len(engine_jobs.likely(JOB, cast("Engine", engine), native.start())) == 3
    assert engine.limits == [Limit(depth=12, time=8.0), Limit(depth=6, time=1.0)]
