"""A player of one's own in a process of its own: whatever it does, the match goes on.

`Contestant` makes the player of a string ready for a game. Players from a user's file sit behind a `Guard`: they are
asked over a socket, and a process that never answers, or dies, is killed and counts as a failure of the player.
Players that come with the package are trusted and asked directly.
"""

from __future__ import annotations

import contextlib
import os
import random
import select
import socket
import struct
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from dataclasses import replace
from multiprocessing import Pipe
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any

from othellier.arena.messages import LONGEST, Begin, Choose, read_answer, read_question, write_answer, write_question
from othellier.arena.nursery import FORKS, Child, start_child
from othellier.base.fence import beside, confine
from othellier.base.system import APART, PROGRAMS, kill_all
from othellier.errors import OthellierError, PlayerError
from othellier.games.results import Limit, Result
from othellier.players import Player, answer, create_player, takes_seed
from othellier.players.build import resolve_build
from othellier.players.contract import failure
from othellier.players.registry import ONLY
from othellier.rules.board import Position

__all__ = ["FILE", "PATIENCE", "READY", "Contestant", "Guard", "resolve", "serve", "thinking_time"]

PATIENCE = 60.0
"""Seconds beyond its time, if it has one, that a guarded player may take for a move."""

START_UP = 180.0
"""Seconds until a process that does not start, or a player that is not ready for a game, is given up."""

FAREWELL = 5.0
"""Seconds a process that is at its end may take to be gone, and a message that has begun to be whole."""

READY = 10.0
"""Seconds a confined player may take to get ready for a game: there are many of them, and of their games."""

MESSAGE = 0.01
"""Seconds of a confined player's time that are kept for the question and the answer, a tenth of it at most: who uses
all the time it was told is in time by the clock of the tournament, on a busy machine too."""

HEADER = 4
"""Bytes in which the length of a message stands."""

FILE = ".py:"


class Contestant:
    """Whoever a player string describes, ready for one game after the other."""

    def __init__(
        self, spec: str, patience: float = PATIENCE, *, memory: int | None = None, guarded: bool | None = None
    ) -> None:
        """`memory` confines a player of a file; `guarded` is for the process behind the guard, which has none."""
        self.spec = spec
        wanted = FILE in spec if guarded is None else guarded
        self._guard = Guard(spec, patience, memory) if wanted and PROGRAMS else None
        self._player: Player | None = None
        self._draws_lots: bool | None = None

    def take(self, start: Position, seed: int) -> Player:
        """The player for a game from here; the same seed gives the same player."""
        if self._guard is not None:
            self._guard.begin(start, seed)
            return self._guard
        if self._draws_lots is None:
            self._draws_lots = takes_seed(self.spec)
        if self._draws_lots or self._player is None:
            self.close()
            self._player = create_player(self.spec, seed=seed)
        self._player.new_game(start)
        return self._player

    def close(self) -> None:
        """Give back what the player holds."""
        for player in (self._player, self._guard):
            if player is not None:
                player.close()
        self._player = None


def thinking_time(seconds: float) -> float:
    """What a confined player is told of the time it has for a move.

    >>> round(thinking_time(0.1), 3), round(thinking_time(1.0), 3)
    (0.09, 0.99)
    """
    return seconds - min(MESSAGE, seconds / 10)


def resolve(spec: str) -> str:
    """The player string with its file or build, if any, named so that another process finds it."""
    path, is_file, rest = spec.strip().partition(FILE)
    return f"{Path(path).resolve()}{FILE}{rest}" if is_file else resolve_build(spec.strip())


class Guard(Player):
    """A player in another process, which is killed when it takes too long.

    With `memory`, in megabytes, it is confined as well: it may take no more than that, is fenced in (`fence`), what it
    prints is thrown away, and none of its threads goes on while it is not asked: that is the opponent's time.
    """

    def __init__(self, spec: str, patience: float = PATIENCE, memory: int | None = None) -> None:
        self.memory = memory
        self.spec = resolve(spec)
        self.patience = patience
        self._process: subprocess.Popen[bytes] | Child | None = None
        self._connection: Connection[Any, Any] | None = None
        self._observed: list[int] = []
        self._seed = 0

    def begin(self, start: Position, seed: int) -> None:
        """Make the player, if need be, and tell it that a game begins."""
        self._seed = seed
        self._observed.clear()
        if self._connection is None:
            self._start()
        seconds = START_UP if self.memory is None else READY
        self._ask((self.spec, start, seed), max(seconds, self.patience), "was not ready within")

    def new_game(self, start: Position) -> None:
        """The same once more, as after a move was taken back."""
        self.begin(start, self._seed)

    def choose(self, position: Position, limit: Limit) -> Result:
        """The move of the player behind the guard; a confined one is not asked where there is no choice."""
        told = limit
        if self.memory is not None:
            moves = position.moves()
            if len(moves) == 1:  # it hears of it as of any other: in a class that is one move in twelve
                return Result(moves[0], position.turn, pv=(moves[0],), source="policy")
            if limit.time is not None:
                told = replace(limit, time=thinking_time(limit.time))
        observed = tuple(self._observed)
        self._observed.clear()
        seconds = (limit.clock if limit.time is None else limit.time) or 0
        result = self._ask((observed, position, told), seconds + self.patience, "did not answer within")
        if not isinstance(result, Result):
            raise PlayerError(f"{self._name} sent something that is no answer")
        return result

    def observe(self, move: int) -> None:
        """Kept until the player is asked: each message costs more than the news is worth."""
        self._observed.append(move)

    @property
    def process_id(self) -> int | None:
        """The process of the player."""
        return None if self._process is None else self._process.pid

    def close(self) -> None:
        """End the process, and any it has started."""
        if self._process is not None:
            kill_all(self._process)
            with contextlib.suppress(subprocess.TimeoutExpired):  # one that cannot be killed is not waited for
                self._process.wait(FAREWELL)
        if self._connection is not None:
            self._connection.close()
        self._process = self._connection = None

    def _start(self) -> None:
        ours, theirs = Pipe()
        with theirs:
            if self.memory is not None and FORKS:
                try:
                    self._process = start_child(theirs.fileno(), self.memory)
                except ChildProcessError as error:
                    ours.close()
                    raise PlayerError(f"{self._name}: {error}") from None
            else:
                self._process = self._load(theirs.fileno())
        self._connection = ours
        # A player that never reads a message does not keep us waiting.
        with socket.socket(fileno=os.dup(ours.fileno())) as line:
            line.setsockopt(socket.SOL_SOCKET, socket.SO_SNDTIMEO, struct.pack("ll", int(FAREWELL), 0))
        self._receive(START_UP, "did not start within")

    def _load(self, descriptor: int) -> subprocess.Popen[bytes]:
        """A process of its own from the beginning: it does not even share what was loaded."""
        code = f"from othellier.arena.guard import serve; serve({descriptor}, {self.memory})"
        # A session of its own: Ctrl-C is the match's business, and all of it can be killed at once. What
        # the player prints must not mix with results, so it goes to standard error.
        return subprocess.Popen(
            [sys.executable, "-P", "-c", code],
            stdin=subprocess.DEVNULL,
            stdout=2 if self.memory is None else subprocess.DEVNULL,
            stderr=None if self.memory is None else subprocess.DEVNULL,
            pass_fds=[descriptor],
            **APART,
        )

    def _ask(self, request: Begin | Choose, seconds: float, late: str) -> Result | None:
        if self._connection is None:
            raise PlayerError("the process of the player is gone")
        with self._awake():
            with contextlib.suppress(BrokenPipeError, ConnectionResetError, BlockingIOError):  # told when receiving
                self._connection.send_bytes(write_question(request))
            return self._receive(seconds, late)

    @contextlib.contextmanager
    def _awake(self) -> Iterator[None]:
        if not isinstance(self._process, Child):
            yield
            return
        self._process.resume()
        try:
            yield
        finally:
            if self._process is not None:  # it may be gone by now
                self._process.pause()

    def _receive(self, seconds: float, late: str) -> Result | None:
        assert self._connection is not None
        try:
            if not self._connection.poll(seconds):
                raise PlayerError(f"{self._name} {late} {seconds:g} s")
            message = self._message()
        except (EOFError, ConnectionResetError):
            assert self._process is not None
            try:
                end = f"ended with status {self._process.wait(FAREWELL)}"
            except subprocess.TimeoutExpired:
                end = "closed its line and goes on"
            self.close()
            raise PlayerError(f"the process of {self._name} {end}") from None
        except BlockingIOError:
            self.close()
            raise PlayerError(f"{self._name} did not finish its message within {FAREWELL:g} s") from None
        except OSError:  # the line is of no more use
            self.close()
            raise PlayerError(f"{self._name} sent something that is no answer") from None
        except BaseException:  # too late, or Ctrl-C: an answer that came now would be taken for the next one's
            self.close()
            raise
        try:
            reply = read_answer(message)
        except ValueError:
            self.close()
            raise PlayerError(f"{self._name} sent something that is no answer") from None
        if isinstance(reply, OthellierError):
            raise reply
        return reply

    def _message(self) -> bytes:
        """Return a message that has begun. It must be whole in time, however many pieces it comes in."""
        end = time.monotonic() + FAREWELL
        (length,) = struct.unpack("!i", self._bytes(HEADER, end))  # as a Connection sends it
        if not 0 < length <= LONGEST:
            raise OSError("no answer is so long")
        return self._bytes(length, end)

    def _bytes(self, count: int, end: float) -> bytes:
        assert self._connection is not None
        data = b""
        while len(data) < count:
            if not self._connection.poll(max(0.0, end - time.monotonic())):
                raise BlockingIOError
            piece = os.read(self._connection.fileno(), count - len(data))
            if not piece:
                raise EOFError
            data += piece
        return data

    @property
    def _name(self) -> str:
        path, _, name = self.spec.partition(FILE)
        return f"{Path(path).name}{FILE}{name}".removesuffix(f":{ONLY}")


# -- the other side


def serve(descriptor: int, memory: int | None = None) -> None:
    """Be the process behind a guard: make players, ask them, send back what they answer.

    With `memory` the fence is raised as soon as the file of the player is known, before any of its code runs and
    before there are other threads, which it would not surround.
    """
    connection: Connection[Any, Any] = Connection(descriptor)
    connection.send_bytes(write_answer(None))
    contestant: Contestant | None = None
    player: Player | None = None
    while True:
        try:
            request = read_question(connection.recv_bytes())
        except EOFError:
            return
        reply: Result | OthellierError | None = None
        try:
            first, position, last = request
            if isinstance(first, str):
                assert isinstance(last, int)
                if contestant is None:
                    _prepare(first, memory)
                    threading.Thread(target=_leave_with, args=(connection,), daemon=True).start()
                    contestant = Contestant(first, guarded=False)
                random.seed(last)  # for functions that draw lots without saying so
                player = contestant.take(position, last)
                if (drawing := sys.modules.get("numpy.random")) is not None:  # loaded by the player itself
                    drawing.seed(last & 0xFFFFFFFF)
            else:
                assert player is not None
                assert isinstance(last, Limit)
                for move in first:
                    player.observe(move)
                reply = answer(player, position, last)
        except OthellierError as error:
            reply = error
        except Exception as error:
            reply = PlayerError(f"the player failed: {failure(error)}")
        try:
            message = write_answer(reply)
        except Exception as error:  # numbers that are none, or too large
            message = write_answer(PlayerError(f"the player failed: {failure(error)}"))
        connection.send_bytes(message)


def _prepare(spec: str, memory: int | None) -> None:
    """Let a file import others beside it, behind all that is installed: a file named like a module does not stand in
    for it."""
    path, is_file, _ = spec.partition(FILE)
    file = Path(f"{path}.py")
    if memory is not None:
        place = [file.parent] if is_file and file.exists() else []
        confine(memory, [*beside(file)] if place else [], place)
    if is_file:
        sys.path.append(str(file.parent))


def _leave_with(connection: Connection[Any, Any]) -> None:
    """End when the process at the other end does, even if the player is caught in a loop.

    The thread keeps the line open, so that a player that ends Python does not seem to be left by the other end.
    """
    poll = select.poll()
    poll.register(connection.fileno(), 0)  # nothing to wait for but the end
    poll.poll()
    os._exit(0)
