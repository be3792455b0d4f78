"""One server a folder: two would overwrite each other's games."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import IO

from othellier.errors import ConfigError
from othellier.system import lock

FILE = "server.lock"


@contextlib.contextmanager
def hold(folder: Path) -> Iterator[Callable[[str], None]]:
    """Hold a folder until the end; what comes out writes down where its server is, for others to read.

    The system lets go of it when the program ends, however it ends. Where nothing can be written there is nothing to
    guard: the store says so itself.
    """
    try:
        folder.mkdir(parents=True, exist_ok=True)
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


def _note(file: IO[str], words: str) -> None:
    with contextlib.suppress(OSError):  # a full disk: the lock holds all the same
        file.seek(0)
        file.truncate()
        file.write(words)
        file.flush()
