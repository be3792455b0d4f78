"""Imports and exports of many games: done beside everything else, by helpers, with a word on how far they have come."""

from __future__ import annotations

import asyncio
import secrets
import tempfile
import threading
import time
from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path
from queue import SimpleQueue
from typing import IO, Protocol

from othellier.errors import BadMove, OthellierError, RecordError, RequestError
from othellier.page.storage.collections import Collections
from othellier.page.storage.store import GameFilter, Kept, Store
from othellier.page.study.helper_process import Helper
from othellier.page.study.library import summary_view
from othellier.page.study.transfer import PIECE, Part, Written, export_texts, plan_reading, read_data, read_part
from othellier.page.wire.events import error_view, refusal
from othellier.page.wire.replies import BadMoveView, Imported, JobView, RecordProblem
from othellier.records import find_format
from othellier.session.rights import check_owner

FIRST_SHOWN = 100  # of many imported games
ERRORS_SHOWN = 100
AT_ONCE = 2  # imports
WAITING = 8  # imports; so many exports as well, of which one is made at a time
REMEMBERED = 3600.0  # seconds a finished one can be asked about
HELPERS = 2
REST = 0.002  # seconds after each piece saved, in which others come to the database


class Job(Protocol):
    """Something that takes a while and goes on beside everything else."""

    id: str
    owner: str
    ended: float | None

    def stop(self) -> None:
        """End it; what is done stays."""

    def view(self) -> JobView:
        """How far it has come."""


@dataclass
class ImportJob:
    """One import: what has become of it so far."""

    id: str
    owner: str
    begun: float
    collection: str = ""
    """Where its games are put."""
    kept: list[Kept] = field(default_factory=list)
    """The first games."""
    games: int = 0
    errors: list[RecordError] = field(default_factory=list)
    failed: int = 0
    progress: float = 0.0
    stopped: bool = False
    error: Exception | None = None
    ended: float | None = None

    def add(self, kept: list[Kept], errors: list[RecordError]) -> None:
        """Some more games are there."""
        self.kept += [game for game in kept if game.used > self.begun - FIRST_SHOWN / 1000]
        self.games += len(kept)
        self.errors += errors[: ERRORS_SHOWN - len(self.errors)]
        self.failed += len(errors)

    def result(self) -> Imported:
        """What it brought; the error where it brought nothing."""
        if self.error is not None:
            raise self.error
        if not self.games and self.errors:
            raise refusal(self.errors[0], "no game could be read: ")
        shown = sorted(self.kept, key=lambda game: -game.used)[:FIRST_SHOWN]
        return Imported(
            games=[summary_view(game) for game in shown],
            imported=self.games,
            errors=list(map(_problem, self.errors)),
            failed=self.failed,
        )

    def stop(self) -> None:
        """End it soon; the games that are there stay."""
        self.stopped = True

    def view(self) -> JobView:
        """How far it has come."""
        view = JobView(
            job=self.id,
            done=self.ended is not None,
            progress=round(self.progress, 3),
            games=self.games,
            failed=self.failed,
        )
        if self.ended is not None:
            try:
                view.result = self.result()
            except OthellierError as error:
                view.error = error_view(error)
        return view


def _problem(error: RecordError) -> RecordProblem:
    problem = RecordProblem(where=error.where, reason=error.reason)
    if isinstance(error, BadMove):
        problem.move = BadMoveView(number=error.number, move=error.move, why=error.why, good=error.good)
    return problem


class Jobs:
    """What goes on beside the games of one server, imports before all."""

    def __init__(self, store: Store, collections: Collections) -> None:
        self._store = store
        self._collections = collections
        self._jobs: dict[str, Job] = {}
        self._threads = ThreadPoolExecutor(AT_ONCE, "import")
        self._export_thread = ThreadPoolExecutor(1, "export")
        self._exports = 0

    def begin(self, owner: str, path: Path, name: str, collection: str = "") -> tuple[ImportJob, asyncio.Future[None]]:
        """Import a file, which is deleted afterwards."""
        job = ImportJob(secrets.token_urlsafe(12), owner, time.time(), collection)
        try:
            self.add(job)
        except RequestError:
            path.unlink(missing_ok=True)
            raise
        return job, asyncio.get_running_loop().run_in_executor(self._threads, self._run, job, path, name)

    def add(self, job: Job) -> None:
        """Remember a job, for whoever asks about it; refuse it where too many of its kind are under way."""
        now = time.monotonic()  # the clock on the wall may be set meanwhile
        self._jobs = {key: old for key, old in self._jobs.items() if old.ended is None or now - old.ended < REMEMBERED}
        if sum(old.ended is None and type(old) is type(job) for old in self._jobs.values()) >= WAITING:
            raise _busy()
        self._jobs[job.id] = job

    async def export(self, texts: Iterable[list[str]], format_name: str) -> Exported:
        """Write a file of many games when all exports asked for before are done; refuse it where too many wait."""
        if self._exports >= WAITING:
            raise _busy()
        self._exports += 1
        try:
            return await asyncio.get_running_loop().run_in_executor(self._export_thread, export, texts, format_name)
        finally:
            self._exports -= 1

    def small(self, owner: str, data: bytes, name: str, collection: str = "") -> Imported:
        """Import a text of a few games at once. For a thread."""
        job = ImportJob("", owner, time.time(), collection)
        for kept, errors in read_data(data, name, None, owner, job.begun):
            self._save(job, kept)
            job.add(kept, errors)
        return job.result()

    def _save(self, job: ImportJob, kept: list[Kept]) -> None:
        self._store.save(kept)
        if job.collection:
            try:
                self._collections.put(job.owner, job.collection, GameFilter(games=tuple(game.id for game in kept)))
            except RequestError as error:
                if error.code != "not_found":
                    raise
                job.collection = ""  # it was deleted meanwhile: the games are wanted all the same

    def find(self, name: str, asker: str) -> Job:
        """A job of this owner."""
        job = self._jobs.get(name)
        if job is None:
            raise RequestError("not_found", "there is no such job")
        check_owner(job.owner, asker)
        return job

    def stop(self) -> None:
        """Stop all of them; what was saved stays."""
        for job in self._jobs.values():
            job.stop()

    def close(self) -> None:
        """Wait for the end of those that were stopped. For a thread."""
        self._threads.shutdown(cancel_futures=True)
        self._export_thread.shutdown(cancel_futures=True)

    # -- in a thread

    def _run(self, job: ImportJob, path: Path, name: str) -> None:
        helpers = [Helper()]
        try:
            (planned,) = helpers[0].ask(plan_reading, str(path), name)
            parts: list[Part | None] = [*planned.parts] or [None]
            helpers += [Helper() for _ in range(min(HELPERS, len(parts)) - 1)]
            waiting, guard, done = iter(enumerate(parts, 1)), threading.Lock(), 0

            def read(helper: Helper) -> None:
                nonlocal done
                while not job.stopped:
                    with guard:
                        number, part = next(waiting, (0, None))
                    if not number:
                        return
                    for kept, errors in helper.ask(
                        read_part, str(path), name, planned.format, part, job.owner, job.begun
                    ):
                        self._save(job, kept)
                        with guard:
                            job.add(kept, errors)
                        if job.stopped:
                            return
                        time.sleep(REST)
                    with guard:
                        done += 1
                        job.progress = done / len(parts)

            if len(helpers) == 1:
                read(helpers[0])
            else:
                with ThreadPoolExecutor(len(helpers)) as threads:
                    list(threads.map(read, helpers))
        except RecordError as error:
            job.error = RequestError("bad_record", error.reason, where=error.where)
        except Exception as error:  # told to whoever asks; a bug too
            job.error = error
        finally:
            for helper in helpers:
                helper.close()
            path.unlink(missing_ok=True)
            job.ended = time.monotonic()


def _busy() -> RequestError:
    return RequestError("busy", "many such jobs are under way already, try again soon", retry=30)


# -- out


@dataclass(frozen=True)
class Exported:
    """A file that was written, and how many games it could not hold."""

    file: IO[bytes]
    ending: str
    left_out: int


def export(texts: Iterable[list[str]], format_name: str) -> Exported:
    """A file of all games of the store's pieces, except those its format cannot hold. For a thread.

    It has no name and goes when it is closed.
    """
    file = tempfile.TemporaryFile(prefix="othellier-")  # noqa: SIM115  # whoever sends it closes it
    try:
        with ExitStack() as stack:
            games, ending, left_out = 0, "", list[RecordError]()
            for count, written in _written(texts, format_name, stack):
                file.write(written.data)
                games, ending = games + count, written.ending
                left_out += written.left_out
        if len(left_out) == games:
            raise left_out[0]
        file.seek(0)
        return Exported(file, ending, len(left_out))
    except BaseException:
        file.close()
        raise


def _written(texts: Iterable[list[str]], format_name: str, stack: ExitStack) -> Iterator[tuple[int, Written]]:
    """The pieces of the file in their order, and how many games there were for each."""
    format_ = find_format(format_name)
    whole = format_.text is None or not format_.joins  # such a file is made at once
    helpers: SimpleQueue[Helper] = SimpleQueue()
    for _ in range(1 if whole else HELPERS):
        helper = Helper()
        stack.callback(helper.close)
        helpers.put(helper)

    def write(piece: Sequence[str]) -> tuple[int, Written]:
        helper = helpers.get()
        try:
            (written,) = helper.ask(export_texts, piece, format_name)
            return len(piece), written
        finally:
            helpers.put(helper)

    if whole:
        yield write([text for piece in texts for text in piece])
        return
    threads = stack.enter_context(ThreadPoolExecutor(HELPERS, "export"))
    under_way: deque[Future[tuple[int, Written]]] = deque()
    for piece in texts:
        under_way += (threads.submit(write, piece[at : at + PIECE]) for at in range(0, len(piece), PIECE))
        while len(under_way) > 2 * HELPERS:  # some wait for a helper, so that none waits for us
            yield under_way.popleft().result()
    while under_way:
        yield under_way.popleft().result()
