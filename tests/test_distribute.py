"""Jobs over processes and over a real cluster on this machine: every result once, whoever dies."""

import logging
import os
import signal
import socket
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Iterator, Mapping
from concurrent.futures import Future, wait
from concurrent.futures._base import DoneAndNotDoneFutures
from contextlib import suppress
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from othellier.arena.match import Match, plan
from othellier.arena.openings import draw_openings
from othellier.base.jobs import LIVES, Crew, _Context
from othellier.base.system import cores
from othellier.errors import ConfigError, MissingExtra, OthellierError
from othellier.rules.geometry import STANDARD
from waiting import LIMIT, hear_line, until

ROOT = Path(__file__).parents[1]


def square(number: int) -> int:
    return number * number


def fail(number: int) -> int:
    raise ZeroDivisionError(number)


def process_id(_: int) -> int:
    return os.getpid()


def refuse_to_end(folder: str | None) -> int:
    if folder is None:
        return 0
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    (Path(folder) / "begun").touch()
    while True:
        time.sleep(1)


class Mark(NamedTuple):
    number: int
    folder: str
    deaths: int


def die_sometimes(mark: Mark) -> int:
    """The process dies, without a word, as often as the mark says; then the job is done."""
    for death in range(mark.deaths):
        try:
            (Path(mark.folder) / f"{mark.number}-{death}").touch(exist_ok=False)
        except FileExistsError:
            continue
        os.kill(os.getpid(), signal.SIGKILL)
    return mark.number


@pytest.fixture(scope="module")
def crew() -> Iterator[Crew]:
    with Crew("processes", jobs=2) as crew:
        yield crew


def test_every_job_is_done_once(crew: Crew) -> None:
    assert sorted(crew.map(square, range(40))) == [(number, number * number) for number in range(40)]
    assert list(crew.map(square, [])) == []


def test_jobs_may_come_from_an_endless_list(crew: Crew) -> None:
    def numbers() -> Iterator[int]:
        number = 0
        while True:
            yield number
            number += 1

    results = crew.map(square, numbers())
    assert len({job for job, _ in (next(results) for _ in range(10))}) == 10


def test_an_error_is_the_callers(crew: Crew) -> None:
    with pytest.raises(ZeroDivisionError, match="3"):
        list(crew.map(fail, [3]))
    assert list(crew.map(square, [3])) == [(3, 9)]


def test_jobs_of_dead_processes_are_done_again(tmp_path: Path) -> None:
    marks = [Mark(number, str(tmp_path), int(number == 4)) for number in range(12)]
    with Crew("processes", jobs=2) as crew:
        results = Counter(result for _, result in crew.map(die_sometimes, marks))
    assert results == Counter(range(12))
    assert len(list(tmp_path.iterdir())) == 1


def test_a_job_that_kills_every_process_is_given_up(tmp_path: Path) -> None:
    with Crew("processes", jobs=2) as crew, pytest.raises(OthellierError, match="died 3 times at the same work"):
        list(crew.map(die_sometimes, [Mark(0, str(tmp_path), 99)]))
    assert len(list(tmp_path.iterdir())) == LIVES, "every death that is counted was one"


def test_a_death_is_counted_once_however_slowly_the_results_come(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The first job of a new pool may be heard of alone, while the others of the dead one still wait."""

    def hear_one(futures: Mapping[Future[int], object], timeout: float, return_when: str) -> DoneAndNotDoneFutures[int]:
        done, waiting = wait(futures, timeout, return_when)
        heard = {next(future for future in futures if future in done)} if done else set()
        return DoneAndNotDoneFutures(heard, waiting | done - heard)

    monkeypatch.setattr("othellier.base.jobs.wait", hear_one)
    marks = [Mark(number, str(tmp_path), LIVES - 1 if number == 0 else 0) for number in range(6)]
    with Crew("processes", jobs=2) as crew:
        assert sorted(result for _, result in crew.map(die_sometimes, marks)) == list(range(6))


def test_a_worker_that_does_not_listen_is_ended(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("othellier.base.jobs.FAREWELL", 0.2)
    with Crew("processes", jobs=2) as crew:
        answers = crew.map(refuse_to_end, [str(tmp_path), None])
        assert next(answers) == (None, 0)
        until((tmp_path / "begun").exists, "the worker to begin")
        context: Any = crew._executor._mp_context  # type: ignore[union-attr]
    assert context._started
    until(lambda: not any(process.is_alive() for process in context._started), "the worker to end")


def test_one_job_at_a_time_needs_no_other_process() -> None:
    with Crew("processes", jobs=1) as crew:
        assert list(crew.map(process_id, [0])) == [(0, os.getpid())]
    assert cores() >= 1


@pytest.mark.parametrize("where", ["", "threads", "dask:/x", "dask:tcp"])
def test_unknown_places_are_refused(where: str) -> None:
    with pytest.raises(ConfigError, match="dask://HOST:PORT expected"):
        Crew(where)
    with pytest.raises(ConfigError, match="jobs=0"):
        Crew(jobs=0)


# -- a cluster


class Cluster:
    """A scheduler and workers as one starts them on a cluster, on this machine."""

    def __init__(self) -> None:
        self.processes: list[subprocess.Popen[bytes]] = []
        self.address = self._start("scheduler", "--port", "0", until="Scheduler at:")

    def add_worker(self) -> None:
        self._start("worker", self.address, "--nthreads", "1", "--no-nanny", until="Registered to:")

    def _start(self, kind: str, *arguments: str, until: str) -> str:
        command = [sys.executable, "-m", f"distributed.cli.dask_{kind}", *arguments]
        environment = {**os.environ, "PYTHONPATH": str(ROOT / "tests")}
        options = ("--host", "127.0.0.1", "--no-dashboard")
        process = subprocess.Popen([*command, *options], env=environment, stderr=subprocess.PIPE, bufsize=0)
        self.processes.append(process)
        assert process.stderr is not None
        said = ""
        while until not in said:
            said = hear_line(process.stderr, f"{until!r} of the {kind}").decode()
            assert said, f"the {kind} ended before {until!r}"
        return said.rpartition(" ")[2].strip()

    def stop(self) -> None:
        for process in reversed(self.processes):
            process.kill()
            process.communicate(timeout=LIMIT)


@pytest.fixture
def cluster() -> Iterator[Cluster]:
    cluster = Cluster()
    try:
        cluster.add_worker()
        cluster.add_worker()
        yield cluster
    finally:
        cluster.stop()


def test_a_killed_worker_of_a_cluster_costs_nothing(cluster: Cluster, tmp_path: Path) -> None:
    """One worker dies of a job, in the middle of it; the other does all that is left, and that job again."""
    marks = [Mark(number, str(tmp_path), int(number == 3)) for number in range(10)]
    bouts = plan(("random", "alphabeta:depth=2"), draw_openings(10, STANDARD), 20)
    with Crew(cluster.address.replace("tcp://", "dask://")) as crew:
        results = Counter(result for _, result in crew.map(die_sometimes, marks))
        match = Match(bouts)
        match.run(crew)
    assert results == Counter(range(10))
    assert len(list(tmp_path.iterdir())) == 1
    alone = Match(bouts)
    alone.run(Crew("here"))
    assert match.tally.games == 20
    assert (match.tally.pairs, match.tally.discs) == (alone.tally.pairs, alone.tally.discs)


def test_a_cluster_without_workers_is_told_and_waited_for() -> None:
    cluster = Cluster()
    told = logging.Handler()
    told.emit = lambda record: cluster.add_worker() if "no workers yet" in record.getMessage() else None  # type: ignore[method-assign]
    logger = logging.getLogger("othellier")
    logger.addHandler(told)
    try:
        with Crew(cluster.address.replace("tcp://", "dask://")) as crew:
            assert list(crew.map(square, [3])) == [(3, 9)]
    finally:
        logger.removeHandler(told)
        cluster.stop()
    assert len(cluster.processes) == 2


def test_a_cluster_that_loses_all_its_workers_is_told_at_once_and_goes_on(cluster: Cluster) -> None:
    messages: list[str] = []
    told = logging.Handler()

    def hear(record: logging.LogRecord) -> None:
        messages.append(record.getMessage())
        if "all workers are gone" in messages[-1]:
            cluster.add_worker()

    told.emit = hear  # type: ignore[method-assign]
    logger = logging.getLogger("othellier")
    logger.addHandler(told)
    results = []
    try:
        with Crew(cluster.address.replace("tcp://", "dask://")) as crew:
            for _, result in crew.map(square, range(40)):
                results.append(result)
                if len(results) == 1:
                    for worker in cluster.processes[1:]:
                        worker.kill()
                        worker.wait(LIMIT)
    finally:
        logger.removeHandler(told)
    assert sorted(results) == [number * number for number in range(40)]
    place = cluster.address.replace("tcp://", "dask://")
    assert messages[0].startswith(f"othellier: executor {place}: all workers are gone; ")
    assert messages[0].endswith(" jobs wait until there is one again")
    assert messages[1:] in ([], [f"othellier: executor {place}: there are workers: work goes on"])


def test_a_local_cluster_beside_another_one() -> None:
    with socket.socket() as taken, Crew("dask", jobs=1) as crew:
        with suppress(OSError):  # then somebody has it already
            taken.bind(("", 8787))
            taken.listen()
        assert sorted(crew.map(square, range(5))) == [(number, number * number) for number in range(5)]


def test_a_cluster_that_is_not_there(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("othellier.base.jobs.CONNECT", 0.1)
    with Crew("dask://127.0.0.1:1") as crew, pytest.raises(ConfigError, match="no scheduler there"):
        list(crew.map(square, [1]))


def test_a_missing_library_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "distributed", None)
    with (
        Crew("dask") as crew,
        pytest.raises(MissingExtra, match=r"needs the extra cluster: .* -m pip install 'distributed>="),
    ):
        list(crew.map(square, [1]))


def _hears_interrupts(told: Connection) -> None:
    told.send(signal.SIGINT not in signal.pthread_sigmask(signal.SIG_BLOCK, ()))


def test_a_worker_does_not_hear_ctrl_c_from_its_first_moment() -> None:
    """While it was still importing, it died of it with a traceback on the terminal."""
    context = _Context()
    ours, theirs = context.Pipe()
    worker = context.Process(target=_hears_interrupts, args=(theirs,))
    worker.start()
    assert ours.poll(LIMIT), "the worker's answer was awaited"
    assert ours.recv() is False
    worker.join(LIMIT)
    assert signal.SIGINT not in signal.pthread_sigmask(signal.SIG_BLOCK, ())


def test_a_system_without_semaphores_is_told_what_to_do(monkeypatch: pytest.MonkeyPatch) -> None:
    """As in a container whose /dev/shm may not be written to."""

    def denied(*_: object) -> None:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr("othellier.base.jobs.ProcessPoolExecutor", denied)
    with (
        Crew("processes", 2) as crew,
        pytest.raises(OthellierError, match=r"no processes can be started here \(permission denied\): use --jobs 1"),
    ):
        list(crew.map(square, [1]))


def test_a_script_without_a_guard_gets_one_line_that_names_it(tmp_path: Path) -> None:
    script = tmp_path / "contest.py"
    script.write_text("import othellier\nothellier.match('random:seed=1', 'random:seed=2', games=4, size=4, jobs=2)\n")
    done = subprocess.run(
        [sys.executable, str(script)], capture_output=True, text=True, check=False, timeout=LIMIT, cwd=tmp_path
    )
    assert done.returncode == 1
    assert done.stderr.count("Traceback") == 1, "only that of the script's own call"
    assert 'put the call under `if __name__ == "__main__":`' in done.stderr.splitlines()[-1]
