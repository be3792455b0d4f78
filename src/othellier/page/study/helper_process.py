"""Heavy work in processes of their own: reading and writing many games, so that no answer waits for it.

A helper is asked by a frame on its standard input and answers piece by piece on its standard output. It ends with
the server, however that ends: its input is closed then. What takes too long is killed.
"""

from __future__ import annotations

import contextlib
import os
import pickle
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from typing import IO, Any

from othellier.base.system import APART
from othellier.errors import OthellierError, RequestError

PIECE_SECONDS = 300.0
"""Until the next piece must be there."""
NICE = 5
"""How far it stands back. On two cores under a load of 16 to 20, the slowest other answer during an import of 15,000
games took 88 to 150 ms in three runs (with 10: 111 to 216 ms). By the kernel's weights it gets three times what 10
would leave it beside busy programs."""
MEMORY = 4 << 30
_END = None


class Helper:
    """One process that does what it is asked, a piece at a time; for one thread at a time."""

    def __init__(self) -> None:
        command = [sys.executable, "-P", "-m", "othellier.page.study.helper_process"]
        self._process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, **APART)

    def ask(self, work: Callable[..., Iterator[Any]], *given: Any) -> Iterator[Any]:
        """The pieces of what a function yields there; an error raised there is raised here."""
        send, hear = self._process.stdin, self._process.stdout
        assert send is not None
        assert hear is not None
        try:
            pickle.dump((work, given), send)
            send.flush()
            while True:
                watch = threading.Timer(PIECE_SECONDS, self._process.kill)
                watch.start()
                try:
                    piece = _received(hear)
                finally:
                    watch.cancel()
                if piece is _END:
                    return
                if isinstance(piece, Exception):
                    raise piece
                yield piece
        except OSError:
            raise _given_up() from None

    def close(self) -> None:
        """End it."""
        self._process.kill()
        for pipe in (self._process.stdin, self._process.stdout):
            with contextlib.suppress(OSError):
                if pipe is not None:
                    pipe.close()
        self._process.wait()


def _received(hear: IO[bytes]) -> Any:
    """The next piece. Of one that is cut off or damaged, anything may go wrong."""
    try:
        return pickle.load(hear)
    except Exception:
        raise _given_up() from None


def _given_up() -> RequestError:
    return RequestError("bad_record", "this took too long, and was given up", where="")


def main() -> None:
    """Serve until the input ends."""
    if sys.platform != "win32":
        import resource

        os.nice(NICE)  # whoever waits for a move goes first
        resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    # With PYTHONUNBUFFERED the standard output is bare: what it writes may end in the middle when a signal comes, and
    # nobody would write the rest.
    hear, answer = sys.stdin.buffer, open(sys.stdout.fileno(), "wb", closefd=False)  # noqa: SIM115
    sys.stdout = sys.stderr
    with contextlib.suppress(EOFError, BrokenPipeError, KeyboardInterrupt):
        while True:
            work, given = pickle.load(hear)
            _do(work, given, answer)


def _do(work: Callable[..., Iterator[Any]], given: tuple[Any, ...], answer: IO[bytes]) -> None:
    def say(piece: object) -> None:
        pickle.dump(piece, answer, pickle.HIGHEST_PROTOCOL)
        answer.flush()

    try:
        for piece in work(*given):
            say(piece)
    except OthellierError as error:
        say(error)
        return
    except MemoryError:
        say(RequestError("bad_record", "there is not enough memory for this", where=""))
        return
    say(_END)


if __name__ == "__main__":
    main()
