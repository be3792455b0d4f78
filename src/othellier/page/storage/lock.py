"""The folder of a server's data: used by one server at a time, and readable by its owner alone.

Two servers would overwrite each other's games; other accounts of the machine have no business with them.
"""

from __future__ import annotations

import contextlib
import os
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import IO

from othellier.base.system import lock
from othellier.errors import ConfigError

FILE = "server.lock"
OURS = (
    FILE,
    "games.sqlite3*",
    "drill*.json",
    "puzzles*.json",
    "traces",
    "books",
    "database",
    ".othellier-*",
)
"""Patterns of what the program keeps in its folder."""


@contextlib.contextmanager
def hold(folder: Path) -> Iterator[Callable[[str], None]]:
    """Hold a folder until the end; what comes out writes down where its server is, for others to read.

    The system lets go of it when the program ends, however it ends. Where nothing can be written there is nothing to
    guard: the store says so itself. Meanwhile, whatever this process makes is for its owner alone.
    """
    usual = os.umask(0o077)
    try:
        with _held(folder) as note:
            yield note
    finally:
        os.umask(usual)


@contextlib.contextmanager
def _held(folder: Path) -> Iterator[Callable[[str], None]]:
    try:
        folder.mkdir(parents=True, exist_ok=True)
        keep_private(folder)
        file = (folder / FILE).open("a+", encoding="utf-8")
    except OSError:
        yield lambda _: None
        return
    with file:
        if not lock(file):
            file.seek(0)
            holder = " ".join(file.read(300).split()) or "another program"
            raise ConfigError(
                f"the games in {folder} are in use by {holder}: go there, or end it; "
                "or choose another folder with --data, or none with --private"
            )
        _note(file, f"process {os.getpid()}")
        try:
            yield lambda address: _note(file, f"process {os.getpid()} at {address}")
        finally:
            _note(file, "")


def keep_private(folder: Path) -> None:
    """Take the right to read a folder from all other accounts; where other things lie in it, only that to ours."""
    entries = list(folder.iterdir())
    ours = [entry for entry in entries if any(map(entry.match, OURS))]
    for path in [*ours, folder] if len(ours) == len(entries) else ours:
        with contextlib.suppress(OSError):  # it is somebody else's, or the file system knows no such rights
            if not path.is_symlink() or path == folder:
                path.chmod(path.stat().st_mode & 0o700)


def _note(file: IO[str], words: str) -> None:
    with contextlib.suppress(OSError):  # a full disk: the lock holds all the same
        file.seek(0)
        file.truncate()
        file.write(words)
        file.flush()
