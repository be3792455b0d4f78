"""The thinking threads: who goes first, who is dropped, what failures do."""

import asyncio
import json
import threading
from collections.abc import Iterator
from functools import partial
from typing import Any, cast

import pytest
from board import PATIENCE

from othellier.coach.judging import judged
from othellier.engine.engine import Engine
from othellier.errors import PlayerError, RequestError
from othellier.games.game import Game
from othellier.games.results import Result
from othellier.page.play.browser_tab import Tab
from othellier.page.play.engine_jobs import JudgedResult
from othellier.page.play.running_game import RunningGame
from othellier.page.play.search_slot import Slot
from othellier.page.play.watched_values import WatchedValues
from othellier.players.pool import Searchers, SearchJob, Urgency
from waiting import in_loop


@pytest.fixture
def one() -> Iterator[Searchers]:
    searchers = Searchers(1, None, limit=4)
    yield searchers
    searchers.close()


async def hold(searchers: Searchers, open_: threading.Event) -> asyncio.Task[None]:
    """Keep the only thread busy."""
    begun = asyncio.Event()
    loop = asyncio.get_running_loop()

    def work(job: SearchJob, engine: Engine | None) -> None:
        loop.call_soon_threadsafe(begun.set)
        assert open_.wait(PATIENCE), "nobody opened"

    task = asyncio.create_task(searchers.run(work, Urgency.MOVE))
    await begun.wait()
    return task


def test_values_are_done_when_every_move_is_solved(monkeypatch: pytest.MonkeyPatch) -> None:
    """One solved move ends nothing: the others are searched on."""
    node = Game(4).root
    moves, texts = node.position.moves(), list[dict[str, Any]]()

    def found(solved: int) -> list[JudgedResult]:
        results = [
            Result(move, "black", 0.0, depth=12, source="exact" if number < solved else "search")
            for number, move in enumerate(moves)
        ]
        return [(result, judged(node.position, results, result.move, 0)) for result in results]

    steps = [found(1), found(len(moves)), found(0)]

    async def step(self: Searchers, *_: object) -> list[JudgedResult]:
        return steps.pop(0)

    monkeypatch.setattr(Searchers, "run", step)

    async def main() -> None:
        tab = Tab()
        tab.place, tab.values_on = node, True
        WatchedValues(Searchers(0, None)).serve([tab])
        while not texts or not texts[-1]["done"]:
            text = await tab.next()
            assert text is not None
            texts.append(json.loads(text))

    in_loop(main)
    assert [text["done"] for text in texts] == [False, True]
    assert len(steps) == 1  # nothing was searched after all were solved


def test_the_urgent_goes_first_and_equals_in_order(one: Searchers) -> None:
    done: list[str] = []

    def note(name: str, job: SearchJob, engine: Engine | None) -> None:
        done.append(name)

    async def main() -> None:
        open_ = threading.Event()
        held = await hold(one, open_)
        jobs = [
            ("analysis", Urgency.ANALYSIS),
            ("values", Urgency.VALUES),
            ("first", Urgency.MOVE),
            ("then", Urgency.MOVE),
        ]
        tasks = [asyncio.create_task(one.run(partial(note, name), urgency)) for name, urgency in jobs]
        await asyncio.sleep(0)
        open_.set()
        await asyncio.gather(held, *tasks)

    in_loop(main)
    assert done == ["first", "then", "values", "analysis"]


def test_a_full_queue_says_busy_and_dropped_jobs_leave_it(one: Searchers) -> None:
    async def main() -> None:
        open_ = threading.Event()
        held = await hold(one, open_)
        waiting = [asyncio.create_task(one.run(lambda job, engine: None, Urgency.VALUES)) for _ in range(4)]
        await asyncio.sleep(0)
        with pytest.raises(RequestError) as caught:
            await one.run(lambda job, engine: None, Urgency.MOVE)
        assert caught.value.code == "busy"
        for task in waiting:
            task.cancel()
        await asyncio.gather(*waiting, return_exceptions=True)
        moved = asyncio.create_task(one.run(lambda job, engine: "moved", Urgency.MOVE))
        await asyncio.sleep(0)
        open_.set()
        assert await moved == "moved"
        await held

    in_loop(main)


def test_a_search_nobody_waits_for_is_stopped(one: Searchers) -> None:
    stopped = threading.Event()

    async def main() -> None:
        loop = asyncio.get_running_loop()
        begun = asyncio.Event()

        def work(job: SearchJob, engine: Engine | None) -> None:
            with job.stop.calling(stopped.set):
                loop.call_soon_threadsafe(begun.set)
                assert stopped.wait(PATIENCE), "nobody stopped it"

        task = asyncio.create_task(one.run(work, Urgency.MOVE))
        await begun.wait()
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        assert await one.run(lambda job, engine: "free again", Urgency.MOVE) == "free again"

    in_loop(main)
    assert stopped.is_set()


def test_a_job_that_is_hurried_early_knows_it_later(one: Searchers) -> None:
    job = SearchJob(lambda job, engine: None)
    job.hurry()
    assert (job.stop.is_set(), job.dropped) == (True, False)
    job.drop()
    assert job.dropped


def test_a_failing_job_is_told_and_the_thread_lives_on(one: Searchers) -> None:
    async def main() -> None:
        def fails(job: SearchJob, engine: Engine | None) -> None:
            raise ZeroDivisionError("oh")

        with pytest.raises(PlayerError, match="ZeroDivisionError: oh"):
            await one.run(fails, Urgency.MOVE)
        assert await one.run(lambda job, engine: 7, Urgency.MOVE) == 7

    in_loop(main)


def test_closing_drops_what_waits() -> None:
    searchers = Searchers(1, None)

    async def main() -> None:
        open_ = threading.Event()
        held = await hold(searchers, open_)
        waiting = asyncio.create_task(searchers.run(lambda job, engine: None, Urgency.MOVE))
        await asyncio.sleep(0)
        closing = asyncio.create_task(asyncio.to_thread(searchers.close))
        with pytest.raises(asyncio.CancelledError):
            await waiting
        open_.set()
        await closing
        await asyncio.gather(held, return_exceptions=True)
        with pytest.raises(RequestError):
            await searchers.run(lambda job, engine: None, Urgency.MOVE)

    in_loop(main)


def test_a_search_that_is_no_longer_wanted_before_its_first_step_is_not_begun() -> None:
    begun: list[bool] = []

    async def think() -> None:
        begun.append(True)

    async def wanted_and_not() -> None:
        slot = Slot()
        slot.want("a move", lambda: RunningGame._guard(cast("Any", None), think))
        task = slot.task
        slot.want(None)
        assert task is not None
        with pytest.raises(asyncio.CancelledError):
            await task

    in_loop(wanted_and_not)
    assert not begun
