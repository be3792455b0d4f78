"""The threads that think: a fixed number of them, each with an engine of its own, and one queue before them.

However many games are open, there are only so many engines, so memory is bounded; the most urgent job goes
first, a job that nobody wants any more is dropped or stopped. What a job does is its owner's business.
"""

from __future__ import annotations

import asyncio
import heapq
import itertools
import threading
from collections.abc import Callable
from concurrent.futures import CancelledError, Future
from enum import IntEnum
from typing import TypeVar

from othellier.engine.engine import Engine, default_threads
from othellier.errors import OthellierError, PlayerError, RequestError
from othellier.games.results import Stop

__all__ = ["QUEUE_LIMIT", "SearchJob", "Searchers", "Urgency", "Work"]

T = TypeVar("T")
QUEUE_LIMIT = 500


class Urgency(IntEnum):
    """Which jobs go first: a person waits for a move, nobody waits for thinking ahead."""

    MOVE = 0
    HINT = 1
    VALUES = 2
    ANALYSIS = 3
    PONDER = 4


Work = Callable[["SearchJob", Engine | None], T]
"""What a job does: it is handed itself, so that it can be stopped, and its thread's engine, if there is one."""


class SearchJob:
    """One piece of thinking: queued, then running, then done, or dropped."""

    def __init__(self, work: Work[object]) -> None:
        self.work = work
        self.future: Future[object] = Future()
        self.dropped = False
        self.stop = Stop()
        """Goes down with every search of the job."""

    def hurry(self) -> None:
        """Take what was found so far."""
        self.stop.set()

    def drop(self) -> None:
        """Nobody wants it any more."""
        self.dropped = True
        self.future.cancel()
        self.stop.set()


class Searchers:
    """The threads, their engines and their queue."""

    def __init__(self, count: int, make: Callable[[], Engine] | None, limit: int = QUEUE_LIMIT) -> None:
        self.count = count
        self.limit = limit
        self.has_engine = make is not None
        self._queue: list[tuple[int, int, SearchJob]] = []
        self._order = itertools.count()
        self._waiting = threading.Condition()
        self._closed = False
        self._running: set[SearchJob] = set()
        self._make = make
        self._threads = [threading.Thread(target=self._serve, name=f"searcher-{n}", daemon=True) for n in range(count)]
        for thread in self._threads:
            thread.start()

    async def run(self, work: Work[T], urgency: Urgency, started: Callable[[SearchJob], None] | None = None) -> T:
        """Have a job done; whoever stops waiting for it drops it. `started` is handed the job at once."""
        job = SearchJob(work)
        self._submit(job, urgency)
        if started is not None:
            started(job)
        try:
            return await asyncio.wrap_future(job.future)  # type: ignore[arg-type]
        except (asyncio.CancelledError, CancelledError):
            job.drop()
            raise asyncio.CancelledError from None

    def _submit(self, job: SearchJob, urgency: Urgency) -> None:
        with self._waiting:
            if len(self._queue) >= self.limit:  # those dropped stay until their turn comes, or room is needed
                self._queue = [entry for entry in self._queue if not entry[2].dropped]
                heapq.heapify(self._queue)
            if len(self._queue) >= self.limit or self._closed:
                raise RequestError("busy", "everybody is thinking already, try again soon", retry=5)
            heapq.heappush(self._queue, (urgency, next(self._order), job))
            self._waiting.notify()

    @property
    def is_free(self) -> bool:
        """Whether a job would be begun at once."""
        with self._waiting:
            return len(self._running) + len(self._queue) < self.count

    def close(self) -> None:
        """Drop everything, and end the threads."""
        with self._waiting:
            self._closed = True
            jobs = [entry[2] for entry in self._queue] + list(self._running)
            self._queue.clear()
            self._waiting.notify_all()
        for job in jobs:
            job.drop()
        for thread in self._threads:
            thread.join()

    # -- in the threads

    def _next(self) -> SearchJob | None:
        with self._waiting:
            while not self._queue and not self._closed:
                self._waiting.wait()
            if self._closed:
                return None
            job = heapq.heappop(self._queue)[2]
            self._running.add(job)
            return job

    def _is_alone(self) -> bool:
        with self._waiting:
            return len(self._running) == 1 and not self._queue

    def _serve(self) -> None:
        engine: Engine | None = None
        while (job := self._next()) is not None:
            try:
                if job.future.set_running_or_notify_cancel():
                    if engine is None and self._make is not None:
                        engine = self._make()  # made late: a game between people needs none
                    if engine is not None:
                        # Whoever thinks alone may have all cores; where several do, each has one.
                        engine.threads = default_threads() if self._is_alone() else 1
                    job.future.set_result(job.work(job, engine))
            except OthellierError as error:
                job.future.set_exception(error)
            except MemoryError:
                job.future.set_exception(RequestError("busy", "there is no memory left to think with", retry=30))
            except Exception as error:  # one job's failure must not end its thread
                failed = PlayerError(f"the search failed: {type(error).__name__}: {error}")
                failed.__cause__ = error
                job.future.set_exception(failed)
            finally:
                with self._waiting:
                    self._running.discard(job)
        if engine is not None:
            engine.close()
