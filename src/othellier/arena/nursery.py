"""Processes for players that start at once: one process loads this package and forks one for each player.

To load the package takes a third of a second, and a class tournament starts hundreds of players. Forks also share
the memory of what was loaded. Only for Linux: elsewhere libraries may not bear a fork (see `FORKS`).

A child is no child of ours. It is killed by its number, which stays its own until the nursery is asked to reap it.
"""

from __future__ import annotations

import atexit
import contextlib
import ctypes
import json
import os
import select
import signal
import socket
import subprocess
import sys
import threading
import traceback
from importlib import import_module
from pathlib import Path

from othellier.base.fence import environment
from othellier.base.system import APART

__all__ = ["FORKS", "Child", "nurse", "start_child"]

FORKS = sys.platform == "linux"
"""Whether children are forked here."""

START_UP = 180.0
"""Seconds for the nursery to load the package."""

FAREWELL = 10.0
"""Seconds for it to end with all that live."""

DEATH_SIGNAL = 1
"""PR_SET_PDEATHSIG of Linux: which signal a process gets when the one that forked it ends."""

LONGEST = 1 << 20
"""Bytes of a request: the environment is the longest part of it."""


class Child:
    """A process that the nursery has forked; as much of `Popen` as a guard needs."""

    def __init__(self, pid: int, nursery: _Nursery) -> None:
        self.pid = pid
        self._nursery = nursery
        self._status: int | None = None
        self._watched = os.pidfd_open(pid)

    def kill(self) -> None:
        """Kill it alone."""
        os.kill(self.pid, signal.SIGKILL)

    def pause(self) -> None:
        """Let none of its threads go on until `resume`."""
        self._signal(signal.SIGSTOP)

    def resume(self) -> None:
        """Let it go on."""
        self._signal(signal.SIGCONT)

    def _signal(self, number: signal.Signals) -> None:
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(self.pid, number)

    def wait(self, timeout: float) -> int:
        """Its status when it has ended; TimeoutExpired if it goes on."""
        if self._status is None:
            if not select.select([self._watched], [], [], timeout)[0]:
                raise subprocess.TimeoutExpired("player", timeout)
            os.close(self._watched)
            self._status = self._nursery.reap(self.pid)
        return self._status


class _Nursery:
    """The process that forks, and the line to it."""

    def __init__(self) -> None:
        ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        with theirs:
            code = f"from othellier.arena.nursery import nurse; nurse({theirs.fileno()})"
            self._process = subprocess.Popen(
                [sys.executable, "-P", "-c", code],
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
                pass_fds=[theirs.fileno()],
                env=environment(),
                **APART,
            )
        ours.settimeout(START_UP)
        self._line = ours
        self._lock = threading.Lock()
        self.owner = os.getpid()
        atexit.register(self.close)

    def close(self) -> None:
        """End the process; a fork of ours leaves it alone."""
        if self.owner == os.getpid():
            self._line.close()
            with contextlib.suppress(subprocess.TimeoutExpired):  # it kills its children first: paused ones cannot end
                self._process.wait(FAREWELL)
            self._process.kill()
            self._process.wait(START_UP)

    def fork(self, descriptor: int, memory: int) -> Child:
        """A process that serves at the other end of a descriptor, in our working folder."""
        request = {"memory": memory, "folder": str(Path.cwd()), "environment": environment()}
        with self._lock:
            socket.send_fds(self._line, [json.dumps(request).encode()], [descriptor])
            return Child(int(self._line.recv(64)), self)

    def reap(self, pid: int) -> int:
        """The status of a process that has ended."""
        try:
            with self._lock:
                self._line.send(json.dumps({"reap": pid}).encode())
                return int(self._line.recv(64))
        except (OSError, ValueError):  # the nursery is gone, and nobody knows
            return -1

    @property
    def alive(self) -> bool:
        return self.owner == os.getpid() and self._process.poll() is None


_nursery: _Nursery | None = None
_making = threading.Lock()


def start_child(descriptor: int, memory: int) -> Child:
    """A process behind a guard that is ready at once; the first one takes as long as any."""
    global _nursery
    with _making:
        if _nursery is None or not _nursery.alive:
            _nursery = _Nursery()
        nursery = _nursery
    try:
        return nursery.fork(descriptor, memory)
    except TimeoutError:  # its late answer would be taken for that to another request
        nursery.close()
        raise ChildProcessError("no process could be started for a player in time") from None
    except (OSError, ValueError):
        raise ChildProcessError("no process could be started for a player") from None


# -- the other side


def nurse(descriptor: int) -> None:
    """Be the nursery: fork and reap as asked, and end when the line does, with all that live: a process that is paused
    would not see that nobody asks any more."""
    living: set[int] = set()
    for name in ("othellier.arena.guard", "othellier.search"):  # what players need most
        import_module(name)
    library = ctypes.CDLL(None)
    with socket.socket(fileno=descriptor) as line:
        while True:
            data, descriptors, _, _ = socket.recv_fds(line, LONGEST, 1)
            if not data:
                break
            request = json.loads(data)
            if "reap" in request:
                living.discard(request["reap"])
                status = os.waitstatus_to_exitcode(os.waitpid(request["reap"], 0)[1])
                line.send(str(status).encode())
                continue
            pid = os.fork()
            if not pid:
                # Killed with the nursery, even if that is killed itself and the child is paused.
                library.prctl(DEATH_SIGNAL, signal.SIGKILL)
                _live(line, descriptors[0], request)
            os.close(descriptors[0])
            living.add(pid)
            with contextlib.suppress(BrokenPipeError):  # nobody is there to hear of it: the next look ends it
                line.send(str(pid).encode())
    for pid in living:
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(pid, signal.SIGKILL)


def _live(line: socket.socket, descriptor: int, request: dict[str, object]) -> None:
    """Be a child, never to return."""
    status = 1
    try:
        os.setsid()
        line.close()
        os.environ.clear()
        os.environ.update(request["environment"])  # type: ignore[call-overload]
        with contextlib.suppress(OSError):  # a folder that is gone
            os.chdir(str(request["folder"]))
        serve = import_module("othellier.arena.guard").serve  # which imports this module
        serve(descriptor, request["memory"])
        status = 0
    except SystemExit as error:
        status = error.code if isinstance(error.code, int) else 1
    except BaseException:
        traceback.print_exc()
    finally:
        os._exit(status & 0xFF)
