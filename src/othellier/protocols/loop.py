"""The conversation itself: lines in, lines out, until somebody has had enough."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from typing import Protocol, TextIO

__all__ = ["Server", "serve", "writer"]

LONGEST = (1 << 16) + 1
"""Signs read of a line; the servers say what is too long for them."""


class Server(Protocol):
    """What is talked to."""

    closed: bool
    """Whether it wants to hear no more."""

    def handle(self, line: str) -> str:
        """What it says to a line at once."""

    def finish(self) -> None:
        """Wait until all that was asked is answered."""

    def close(self) -> None:
        """Stop, and give back what it holds."""


def writer(sink: TextIO) -> Callable[[str], None]:
    """A way to write for several threads: whole texts, at once."""
    lock = threading.Lock()

    def write(text: str) -> None:
        with lock:
            sink.write(text)
            sink.flush()

    return write


def serve(server: Server, source: TextIO, write: Callable[[str], None]) -> None:
    """Talk until the server is told to quit, nobody listens, or the lines end; then it still answers what was asked."""
    try:
        for line in _lines(source):
            reply = server.handle(line)
            if reply:
                write(reply)
            if server.closed:
                return
        server.finish()
    except BrokenPipeError:
        pass
    finally:
        server.close()


def _lines(source: TextIO) -> Iterator[str]:
    """The lines; of one that is too long, only the beginning."""
    while line := source.readline(LONGEST):
        yield line
        while len(line) == LONGEST and not line.endswith("\n"):
            line = source.readline(LONGEST)
