"""What differs from one operating system to another: locks on files, processes with all they have started, cores,
memory.

Everything else is written once for all systems and asks here. Linux is tested; macOS has the same calls, and Windows
is written by its documentation: `PROGRAMS` says what it cannot do.
"""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from concurrent.futures import Future, wait
from pathlib import Path
from typing import IO, Any, Protocol, TypeVar

__all__ = [
    "APART",
    "LOOK",
    "PROGRAMS",
    "Process",
    "Stopwatch",
    "available_megabytes",
    "await_result",
    "cores",
    "kill_all",
    "lock",
    "without_interrupts",
]

T = TypeVar("T")

LOOK = 0.2
"""Seconds after which a wait for another thread begins anew. Python's main thread hears Ctrl-C only between two of its
instructions: one that comes just before a wait begins is not heard before the wait ends."""

PROGRAMS = sys.platform != "win32"
"""Whether processes can be asked with a limit to the wait: Windows cannot wait for a pipe."""

APART: dict[str, Any] = {}
"""What `Popen` is given for a process that Ctrl-C in the terminal does not reach, and `kill_all` does."""
if sys.platform == "win32":
    APART["creationflags"] = subprocess.CREATE_NEW_PROCESS_GROUP | subprocess.CREATE_NO_WINDOW
else:
    APART["start_new_session"] = True

LOCK_BYTE = 1 << 20
"""Which byte of a file is locked where whole files cannot be: beyond the words, which others may read."""
PAUSE = 0.05


def cores() -> int:
    """How many processor cores this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def available_megabytes() -> int | None:
    """Memory that can be had without pushing others out, what files hold in passing included; None if unknown."""
    try:
        lines = Path("/proc/meminfo").read_text(encoding="ascii").splitlines()
        facts = dict(line.split(":", 1) for line in lines)
        return int(facts["MemAvailable"].removesuffix("kB")) >> 10
    except (OSError, KeyError, ValueError):
        return None


@contextlib.contextmanager
def without_interrupts() -> Iterator[None]:
    """Processes started meanwhile by this thread do not hear Ctrl-C; here it is heard afterwards."""
    if sys.platform == "win32":
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def await_result(future: Future[T]) -> T:
    """What comes of some work in another thread, heard by Ctrl-C at any time."""
    while not wait((future,), LOOK).done:
        pass
    return future.result()


def lock(file: IO[Any], seconds: float = 0.0) -> bool:
    """Take a file for this process alone, until it is closed; wait so long for whoever has it.

    Whether it was got. Where a file system knows no locks nobody is asked, and everybody gets it.
    """
    end = time.monotonic() + seconds
    while not _try_lock(file):
        if time.monotonic() >= end:
            return False
        time.sleep(PAUSE)
    return True


def _try_lock(file: IO[Any]) -> bool:
    try:
        if sys.platform == "win32":
            import msvcrt

            file.seek(LOCK_BYTE)
            msvcrt.locking(file.fileno(), msvcrt.LK_NBLCK, 1)
        else:
            import fcntl

            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except (BlockingIOError, PermissionError):
        return False
    except OSError:
        return True
    return True


class Stopwatch:
    """Seconds since it was made, told apart: work, and sleep. To stand in line for a core is neither."""

    def __init__(self) -> None:
        self._begin, self._worked, self._queued = time.perf_counter(), time.process_time(), _queued()

    def passed(self) -> float:
        """By the clock on the wall."""
        return time.perf_counter() - self._begin

    def worked(self) -> float:
        """Of processor time, in all threads."""
        return time.process_time() - self._worked

    def slept(self) -> float:
        """In which this thread waited for something else than a core; none where the system does not tell."""
        before, now = self._queued, _queued()
        if before is None or now is None or now[1] == before[1]:
            return 0.0
        return max(0.0, self.passed() - self.worked() - (now[0] - before[0]))


def _queued() -> tuple[float, int] | None:
    """Seconds this thread has stood in line for a core, and how often it gave one up of its own will."""
    try:
        import resource

        waited = int(Path("/proc/thread-self/schedstat").read_text("ascii").split()[1])
        # A kernel that does not count says 0; no thread has never waited.
        return (1e-9 * waited, resource.getrusage(resource.RUSAGE_THREAD).ru_nvcsw) if waited else None
    except (ImportError, AttributeError, OSError, ValueError, IndexError):  # no Linux
        return None


class Process(Protocol):
    """Whatever was started `APART`: here, or by another process for us."""

    pid: int

    def kill(self) -> None:
        """Kill it alone."""


def kill_all(process: Process) -> None:
    """Kill a process that was started `APART`, with all it has started; one that is gone already is no matter."""
    if sys.platform == "win32":
        with contextlib.suppress(OSError, subprocess.TimeoutExpired):
            command = ["taskkill", "/F", "/T", "/PID", str(process.pid)]
            subprocess.run(command, capture_output=True, check=False, timeout=10)
        process.kill()
    else:
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(process.pid, signal.SIGKILL)
