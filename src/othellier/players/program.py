"""Another program at the end of three pipes: started, spoken to line by line, and always ended.

Nothing it does may hang or break us: every wait has an end, every failure is a PlayerError of one line that
names the command, what was asked, what was heard last and how its standard error ends. What the lines mean
is the business of `gtp.py` and `nboard.py`. It needs pipes one can wait for, as all systems but Windows have.
"""

from __future__ import annotations

import contextlib
import os
import selectors
import shlex
import signal
import subprocess
import time
import weakref
from collections import deque

from othellier.base.system import APART, PROGRAMS, kill_all
from othellier.errors import ConfigError, PlayerError

__all__ = ["Program"]

CHUNK = 1 << 16
LONGEST = 1 << 16
"""Bytes of a line after which it is no answer to anything."""
MOST = 200_000
"""Lines kept of a program that writes without being asked; reading once may bring in 65,536 of them."""
QUOTED = 120
"""Signs quoted of a line in an error, and kept of standard error."""
FAREWELL = 1.0
"""Seconds a program has to end by itself when told to, and to say its last words when it died."""


class Program:
    """A running program. It has a process group of its own, so that its own children end with it."""

    def __init__(self, command: str) -> None:
        try:
            arguments = shlex.split(command)
        except ValueError as error:
            raise ConfigError(f"command {command!r}: {str(error).lower()}") from None
        if not arguments:
            raise ConfigError(f"command {command!r} is empty")
        self.command = command
        if not PROGRAMS:
            raise PlayerError("other programs cannot be played against on Windows: use Othellier in WSL for that")
        try:
            self._process = subprocess.Popen(
                arguments,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                bufsize=0,
                **APART,
            )
        except (OSError, ValueError) as error:  # ValueError: a NUL in an argument
            reason = getattr(error, "strerror", None) or str(error)
            raise PlayerError(f"{_quote(command)} cannot be started: {reason.lower()}") from None
        # Also where nobody closes it: when it is forgotten, and when Python ends.
        self._end = weakref.finalize(self, _end, self._process)
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        assert self._process.stderr is not None
        self._stdin, self._stdout, self._stderr = self._process.stdin, self._process.stdout, self._process.stderr
        self._selector = selectors.DefaultSelector()
        for stream in (self._stdin, self._stdout, self._stderr):
            os.set_blocking(stream.fileno(), False)
        for stream in (self._stdout, self._stderr):
            self._selector.register(stream, selectors.EVENT_READ)
        self._lines: deque[str] = deque()
        self._rest = b""  # the beginning of a line whose end is still to come
        self._errors = b""
        self._asked = self._heard = ""
        self._seconds = self._deadline = 0.0

    @property
    def process_id(self) -> int:
        """The process that thinks for the player."""
        return self._process.pid

    @property
    def alive(self) -> bool:
        """Whether it can be spoken to."""
        return self._end.alive and self._process.poll() is None

    def send(self, line: str, seconds: float) -> None:
        """Write a line to it; it must read it, and write what `receive` then waits for, within these seconds."""
        self._asked, self._seconds, self._deadline = line, seconds, time.monotonic() + seconds
        data = f"{line}\n".encode()
        while data:
            try:
                data = data[os.write(self._stdin.fileno(), data) :]
            except BlockingIOError:
                self._make_room()
            except BrokenPipeError:
                raise self._death() from None

    def _make_room(self) -> None:
        self._selector.register(self._stdin, selectors.EVENT_WRITE)
        in_time = self._wait(self._deadline)
        self._selector.unregister(self._stdin)
        if not in_time:
            raise self.failure(f"it did not read that within {self._seconds:g} s")
        if len(self._lines) > MOST:
            raise self.failure("it writes without end and does not listen")

    def receive(self) -> str:
        """The next line it writes, without blanks around it."""
        while not self._lines:
            if self._stdout not in self._selector.get_map():
                raise self._death()
            if len(self._rest) > LONGEST:
                raise self.failure(f"it wrote a line of more than {LONGEST} bytes")
            if not self._wait(self._deadline):
                raise self.failure(f"there was no answer within {self._seconds:g} s")
        if time.monotonic() > self._deadline:  # lines enough, but never the one that is waited for
            raise self.failure(f"there was no answer within {self._seconds:g} s")
        line = self._lines.popleft()
        self._heard = line or self._heard
        return line

    def close(self, farewell: str) -> None:
        """Tell it to end; it does not matter whether it listens."""
        if self.alive:
            with contextlib.suppress(PlayerError, OSError):
                self.send(farewell, FAREWELL)
                self._stdin.close()
                with contextlib.suppress(subprocess.TimeoutExpired):
                    self._process.wait(FAREWELL)
        self._kill()

    def abort(self) -> None:
        """Kill it from another thread than the one that reads: that one then finds it dead."""
        kill_all(self._process)

    def failure(self, what: str) -> PlayerError:
        """End it, and say what it did wrong, in one line."""
        words = f"{_quote(self.command)}: asked {_quote(self._asked)}, {what}"
        if self._heard:
            words += f"; its last line was {_quote(self._heard)}"
        errors = self._errors.decode("utf-8", "replace").strip().rpartition("\n")[2]
        if errors:
            words += f"; its standard error ends {_quote(errors)}"
        self._kill()
        return PlayerError(words)

    def _death(self) -> PlayerError:
        """What there is to say when nothing more will come from it."""
        deadline = time.monotonic() + FAREWELL
        while self._selector.get_map() and self._wait(deadline):
            pass  # its last words
        self._heard = next(filter(None, reversed(self._lines)), self._heard)
        try:
            status = self._process.wait(max(0.0, deadline - time.monotonic()))
        except subprocess.TimeoutExpired:
            return self.failure("it closed its output")
        if status >= 0:
            return self.failure(f"it ended with status {status}")
        try:
            name = signal.Signals(-status).name
        except ValueError:
            name = f"signal {-status}"
        return self.failure(f"it was killed by {name}")

    def _wait(self, deadline: float) -> bool:
        """Wait for anything to happen, and take in what can be read; False where it is too late."""
        left = deadline - time.monotonic()
        events = self._selector.select(left) if left > 0 else []
        for key, _ in events:
            if key.fileobj is self._stdout:
                self._take(os.read(key.fd, CHUNK))
            elif key.fileobj is self._stderr:
                data = os.read(key.fd, CHUNK)
                self._errors = (self._errors + data)[-4 * QUOTED :]
                if not data:
                    self._selector.unregister(self._stderr)
        return bool(events)

    def _take(self, data: bytes) -> None:
        if not data:
            self._selector.unregister(self._stdout)
        *lines, rest = (self._rest + data).split(b"\n")
        self._rest = b"" if not data else rest
        if not data and rest:
            lines.append(rest)
        self._lines.extend(line.decode("utf-8", "replace").strip() for line in lines)

    def _kill(self) -> None:
        self._end()
        self._selector.close()


def _end(process: subprocess.Popen[bytes]) -> None:
    """Kill a program with all it has started, and wait for it: no zombies."""
    kill_all(process)
    for stream in (process.stdin, process.stdout, process.stderr):
        assert stream is not None
        stream.close()
    with contextlib.suppress(subprocess.TimeoutExpired):  # one that may not be killed is not waited for
        process.wait(5 * FAREWELL)


def _quote(text: str) -> str:
    """A text as part of a message: one line, not too long, in quotes."""
    line = "".join(sign if sign.isprintable() else "?" for sign in text)
    return repr(line if len(line) <= QUOTED else line[: QUOTED - 1] + "…")
