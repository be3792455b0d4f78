"""Faults made on purpose: programs that are killed, disks that are full or may not be written to."""

import builtins
import errno
import io
import json
import multiprocessing
import os
import resource
import signal
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from waiting import LIMIT, until

MOMENTS = ("before", "torn", "after")
"""When a program dies: before anything reached the disk, in the middle of it, or when it was just there."""

# Whatever is kept goes through fsync, so the n-th of them is where to die.
DYING = """
import os, signal, sys
left, moment, size, fsync = int(sys.argv[1]), sys.argv[2], {}, os.fsync
def dying(file):
    global left
    left -= 1
    now = os.fstat(file).st_size
    if left == 0:
        if moment == "before":
            os.truncate(file, size.get(file, 0))
        elif moment == "torn":
            os.truncate(file, now - 7)  # in the middle of the last line
        else:
            fsync(file)
        os.kill(os.getpid(), signal.SIGKILL)
    size[file] = now
    fsync(file)
os.fsync = dying
sys.argv[1:] = sys.argv[3:]
"""

COMMAND = """
import sys
from othellier.cli import main
sys.exit(main(sys.argv[1:]))
"""


def start(code: str, arguments: Sequence[str]) -> subprocess.Popen[bytes]:
    """A program whose output ends when it and all it has started are gone."""
    command = [sys.executable, "-c", code, *arguments]
    return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)


def die(number: int, moment: str, *arguments: str, code: str = COMMAND) -> None:
    """Run a command, or other code, that is killed when it writes something down for the n-th time."""
    process = start(DYING + code, [str(number), moment, *arguments])
    out, _ = process.communicate(timeout=LIMIT)
    assert process.returncode == -signal.SIGKILL, f"it was to die at write {number}: {out.decode()}"


def run_and_kill(folder: Path, count: int, *arguments: str) -> None:
    """Run a command until a folder's games are so many, and kill it; its workers end with it."""
    process = start(COMMAND, arguments)
    try:
        ledger = folder / "games.jsonl"
        until(
            lambda: process.poll() is not None or (ledger.exists() and ledger.read_bytes().count(b"\n") >= count),
            f"{count} games in {ledger}",
        )
        process.kill()
        process.communicate(timeout=LIMIT)  # which waits for the last of its workers
    finally:
        process.kill()


def kill_a_worker() -> None:
    """Kill one of the processes that this one has at work; there is none where they all go after an earlier kill."""
    for worker in multiprocessing.active_children()[:1]:
        worker.kill()  # not by its number: it may be gone since


@contextmanager
def full_disk(size: int) -> Iterator[None]:
    """No file can become larger than so many bytes: what is too much is written in part, then refused."""
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))


@contextmanager
def read_only(folder: Path) -> Iterator[None]:
    """Nothing can be written below a folder. Permissions would not do: those who may do anything pass them."""

    def refuse(path: Any) -> None:
        if not isinstance(path, int) and folder in (Path(path).resolve(), *Path(path).resolve().parents):
            raise OSError(errno.EROFS, os.strerror(errno.EROFS), str(path))

    def opened(file: Any, mode: str = "r", *arguments: Any, **options: Any) -> Any:
        if set(mode) & set("wax+"):
            refuse(file)
        return original_open(file, mode, *arguments, **options)

    def guarded(function: Any) -> Any:
        def call(path: Any, *arguments: Any, **options: Any) -> Any:
            refuse(path)
            return function(path, *arguments, **options)

        return call

    original_open = io.open
    folder = folder.resolve()
    with pytest.MonkeyPatch.context() as patch:
        for module in (io, builtins):
            patch.setattr(module, "open", opened)
        for name in ("mkdir", "replace", "unlink", "truncate"):
            patch.setattr(os, name, guarded(getattr(os, name)))
        yield


def lines(path: Path) -> list[dict[str, Any]]:
    """The lines of a ledger in an order of their own, without times, which are never the same."""
    found = [json.loads(line) for line in path.read_text().splitlines()]
    for line in found:
        line.pop("seconds", None)
        if isinstance(line.get("result"), dict):
            line["result"].pop("seconds", None)
    return sorted(found, key=lambda line: json.dumps(line, sort_keys=True))
