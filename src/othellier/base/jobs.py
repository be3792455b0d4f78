"""Many jobs over many processes, here or on a cluster: the one place that knows where work is done.

    with Crew("processes", jobs=4) as crew:
        for job, result in crew.map(function, jobs):
            ...

Work goes through a `concurrent.futures.Executor`: processes of this machine, or dask.distributed. Results come as
they are ready, each exactly once; jobs whose worker died are done again. What the jobs are is the caller's business:
a function at the top of a module, and values that can be pickled.
"""

from __future__ import annotations

import logging
import multiprocessing
import os
import signal
import sys
import threading
import time
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, CancelledError, Executor, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from contextlib import ExitStack, contextmanager
from importlib import import_module
from itertools import islice
from multiprocessing import resource_tracker
from multiprocessing.context import SpawnContext, SpawnProcess
from multiprocessing.process import BaseProcess
from multiprocessing.queues import SimpleQueue
from typing import Any, Self, TypeVar

from othellier.base.processor import keep_to_core, usable_cores
from othellier.base.system import LOOK, cores, without_interrupts
from othellier.errors import ConfigError, OthellierError, extra

__all__ = ["Crew"]

J = TypeVar("J")
R = TypeVar("R")

LIVES = 3
"""How often a job's worker may die before the job is taken for the cause."""

CONNECT = 10.0
"""Seconds to look for a scheduler."""

UNGUARDED = 78
"""Exit status of a worker process that, when it reads the main script again, comes upon the same work."""

FAREWELL = 5.0
"""Seconds a process has to end when told to."""

SAFE_PATH = "PYTHONSAFEPATH"
"""The environment's `python -P`: without the working folder, whose files may be named like modules of Python."""

_starting = threading.Lock()


class Crew:
    """Workers that do jobs: `here` (in this process), `processes`, `dask` (a local cluster) or `dask://HOST:PORT`.

    >>> with Crew("here") as crew:
    ...     dict(crew.map(abs, [-2, 3]))
    {-2: 2, 3: 3}
    """

    def __init__(self, where: str = "processes", jobs: int | None = None, *, pinned: bool = False) -> None:
        """`pinned` gives each process a core of its own, where the system has that."""
        if jobs is not None and jobs < 1:
            raise ConfigError(f"jobs={jobs}: a number from 1 on expected")
        if where not in ("here", "processes", "dask") and not where.startswith("dask://"):
            raise ConfigError(f"executor {where!r}: here, processes, dask or dask://HOST:PORT expected")
        self._cores = usable_cores() if pinned and where == "processes" else []
        if self._cores and jobs is not None and jobs > len(self._cores):
            raise ConfigError(f"jobs={jobs}: there are {len(self._cores)} cores, and each game needs one of its own")
        self.where = "here" if where == "processes" and jobs == 1 and not self._cores else where
        self.jobs = 1 if self.where == "here" else jobs or cores()
        self._executor: Executor | None = None
        self._context: _Context | None = None
        self._killed: tuple[type[Exception], ...] = ()
        self._workers: _Workers | None = None
        self._closing = ExitStack()

    def map(self, function: Callable[[J], R], jobs: Iterable[J]) -> Iterator[tuple[J, R]]:
        """Do the jobs; each comes back with its result when it is done, in any order.

        Whoever stops listening stops the work: jobs not yet begun are forgotten.
        """
        if self.where == "here":
            yield from ((job, function(job)) for job in jobs)
            return
        waiting = iter(jobs)
        running: dict[Future[R], tuple[J, int, Executor | None]] = {}
        again: list[tuple[J, int]] = []
        try:
            while True:
                # Enough to keep everybody busy, few enough to stop soon and to come from an endless list.
                free = 2 * self.jobs + 2 - len(running)
                batch = [again.pop() for _ in range(min(free, len(again)))]
                batch += ((job, 0) for job in islice(waiting, free - len(batch)))
                for job, deaths in batch:
                    future = self._submit(function, job)
                    running[future] = job, deaths, self._executor  # after the submission, which may start a new one
                if not running:
                    return
                done = wait(running, LOOK, FIRST_COMPLETED).done
                if not done and self._workers is not None:
                    self._workers.check(len(running))
                for future in done:
                    job, deaths, executor = running.pop(future)
                    try:
                        result = future.result()
                    except BrokenProcessPool:
                        self._refuse_unguarded()
                        if deaths + 1 == LIVES:
                            raise OthellierError(f"a worker died {LIVES} times at the same work") from None
                        again.append((job, deaths + 1))
                        if executor is self._executor:
                            self._end()  # all its jobs have failed with it: they are done again by new processes
                        continue
                    except self._killed:  # dask has tried again by itself
                        raise OthellierError("workers of the cluster died again and again at the same work") from None
                    except CancelledError:
                        raise OthellierError(f"executor {self.where}: the scheduler is gone") from None
                    yield job, result
        finally:
            if running and self.where == "processes":
                self._end()  # what they are doing can only be stopped with them
            elif running:
                for future in running:
                    future.cancel()

    def _submit(self, function: Callable[[J], R], job: J) -> Future[R]:
        if self._executor is None:
            self._executor = self._processes() if self.where == "processes" else self._dask()
        try:
            return self._executor.submit(function, job)
        except BrokenProcessPool:  # it broke since the last result: this job has not been tried by anybody
            self._refuse_unguarded()
            self._end()
            return self._submit(function, job)

    def _processes(self) -> Executor:
        if getattr(multiprocessing.current_process(), "_inheriting", False):
            os._exit(UNGUARDED)  # a worker that still reads the main script: the process that started it says why
        self._context = context = _Context()
        try:
            with _safe_path():  # its semaphores have a process of their own
                places = context.SimpleQueue()
                for core in self._cores:
                    places.put(core)
                executor = ProcessPoolExecutor(self.jobs, context, _begin_worker, (places,))
        except (ImportError, NotImplementedError, OSError) as error:
            # A system without semaphores, as some containers are.
            reason = getattr(error, "strerror", None) or str(error)
            raise OthellierError(f"no processes can be started here ({reason.lower()}): use --jobs 1") from None
        self._closing.callback(context.stop)
        self._closing.callback(executor.shutdown, wait=False)
        return executor

    def _refuse_unguarded(self) -> None:
        """Raise ConfigError where the workers ended because the main script has no guard."""
        if self._context is not None and UNGUARDED in self._context.statuses():
            words = "every worker process reads the main script, and would start this work again"
            raise ConfigError(f'{words}: put the call under `if __name__ == "__main__":`, or leave out jobs') from None

    def _dask(self) -> Executor:
        with extra("cluster", "work on a cluster"):
            dask: Any = import_module("distributed")  # the only place that knows it
        if self.where == "dask":
            # Without its page there is a port for it all the same: any will do, so that several of these get along.
            port = {"dashboard_address": "127.0.0.1:0"}
            with _safe_path():
                place: Any = dask.LocalCluster(
                    n_workers=self.jobs, threads_per_worker=1, dashboard_address=None, scheduler_kwargs=port
                )
            self._closing.callback(place.close)
        else:
            place = f"tcp://{self.where.removeprefix('dask://')}"
        try:
            client = dask.Client(place, timeout=CONNECT, set_as_default=False)
        except (OSError, ValueError) as error:
            raise ConfigError(f"executor {self.where}: there is no scheduler there ({error})") from None
        self._closing.callback(client.close)
        if self.where == "dask":
            client.run(_forget_safe_path)
        self._killed = (dask.KilledWorker,)
        cores = sum(client.ncores().values())
        if not cores:  # they may come later, from a queue; who forgot them must learn why nothing happens
            words = "othellier: the scheduler at %s has no workers yet: work begins when there is one (dask worker %s)"
            logging.getLogger("othellier").warning(words, place, place)
        self._workers = _Workers(client, self.where, cores > 0)
        self.jobs = max(self.jobs, cores)
        executor: Executor = client.get_executor(pure=False)
        return executor

    def _end(self) -> None:
        self._executor = self._workers = None
        self._closing.close()

    def close(self) -> None:
        """Stop all work, at once."""
        self._end()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


class _Workers:
    """Watches whether a cluster has workers, while no result comes, and logs when the last one is gone."""

    def __init__(self, client: Any, where: str, there: bool) -> None:
        self._client, self._where, self._there = client, where, there
        self._next = 0.0

    def check(self, waiting: int) -> None:
        """Ask the scheduler, once a second at most, and log a change."""
        if time.monotonic() < self._next:
            return
        self._next = time.monotonic() + 1
        try:
            there = bool(self._client.ncores())
        except (OSError, TimeoutError, CancelledError):
            return  # the scheduler is gone: all jobs end with that error
        if self._there and not there:
            words = "othellier: executor %s: all workers are gone; %d jobs wait until there is one again"
            logging.getLogger("othellier").warning(words, self._where, waiting)
        elif there and not self._there:
            logging.getLogger("othellier").warning(
                "othellier: executor %s: there are workers: work goes on", self._where
            )
        self._there = there


class _Context(SpawnContext):
    """Starts processes afresh, which is safe whatever threads there are, and remembers them."""

    def __init__(self) -> None:
        super().__init__()
        self._started: list[BaseProcess] = []

    def Process(self, *arguments: Any, **options: Any) -> BaseProcess:  # type: ignore[override]  # noqa: N802
        process = _Worker(*arguments, **options)
        self._started.append(process)
        return process

    def statuses(self) -> list[int | None]:
        """Return the exit statuses of the processes; None for one that runs."""
        return [process.exitcode for process in self._started]

    def stop(self) -> None:
        """End those still at work: nobody waits for their results any more."""
        for process in self._started:
            process.terminate()
        for process in self._started:
            process.join(FAREWELL)
            if process.is_alive():  # it does not listen
                process.kill()
                process.join(FAREWELL)


class _Worker(SpawnProcess):
    """A process to which Ctrl-C means nothing from its first moment: it would die of it with a traceback."""

    def start(self) -> None:
        with _safe_path():
            if sys.platform != "win32":
                resource_tracker.ensure_running()  # which lets Ctrl-C in again when it starts with the first process
            with without_interrupts():
                super().start()


@contextmanager
def _safe_path() -> Iterator[None]:
    """Have Python processes that start meanwhile begin without the working folder on their path."""
    with _starting:
        before = os.environ.get(SAFE_PATH)
        os.environ[SAFE_PATH] = "1"
        try:
            yield
        finally:
            _forget_safe_path()
            if before is not None:
                os.environ[SAFE_PATH] = before


def _forget_safe_path() -> None:
    """Let programs started from here, such as an engine in Python, find what lies beside them."""
    os.environ.pop(SAFE_PATH, None)


def _begin_worker(places: SimpleQueue[int]) -> None:
    """Take a core if there is one to take, leave Ctrl-C to the process that started this one, and end when it does."""
    _forget_safe_path()
    if not places.empty():
        keep_to_core(places.get())
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    parent = multiprocessing.parent_process()
    if parent is not None:
        threading.Thread(target=_end_with, args=(parent,), daemon=True).start()


def _end_with(parent: BaseProcess) -> None:
    parent.join()
    os._exit(0)
