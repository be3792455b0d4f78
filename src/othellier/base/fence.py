"""The fence around code of others: a process that computes, and answers over the line it has.

`confine` is called in the process itself, before any of that code runs. On Linux the kernel holds the fence, whatever
the code does (`landlock`, `seccomp`): no other process is started, signalled or read, no file is written, only files
that it needs are read, nothing is sent over a network, and memory is limited. Elsewhere only Python's own functions
refuse these things, which keeps mistakes from doing harm but not hostile code: `missing` says so.
"""

from __future__ import annotations

import contextlib
import ctypes
import os
import site
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from othellier.base import landlock, seccomp
from othellier.errors import OthellierError

__all__ = ["beside", "confine", "environment", "missing"]

NO_NEW_PRIVILEGES = 38
"""PR_SET_NO_NEW_PRIVS of Linux, without which nobody but root may raise a fence."""

TRUNCATION = 3
"""The version of Landlock from which it also decides about cutting files off."""

SYSTEM = (
    *("/usr", "/lib", "/lib64", "/lib32", "/nix/store", "/gnu/store"),
    *("/etc/ld.so.cache", "/etc/localtime", "/etc/passwd", "/etc/group", "/etc/nsswitch.conf"),
    *("/etc/ssl/openssl.cnf", "/etc/pki/tls/openssl.cnf", "/etc/crypto-policies"),
    *("/dev/zero", "/dev/full", "/dev/random", "/dev/urandom", "/sys/devices/system"),
    *("/proc/self", "/proc/sys", "/proc/cpuinfo", "/proc/meminfo", "/proc/stat", "/proc/loadavg", "/proc/filesystems"),
)
"""Paths of libraries: themselves, the clock, the names of users, cores and memory. Of processes only their own."""

FILES = 256
"""Files, pipes and sockets open at a time: what is in pipes takes memory of the kernel, which no other limit counts."""

VARIABLES = (
    *("HOME", "LANG", "LANGUAGE", "LD_LIBRARY_PATH", "LOGNAME", "PATH", "TZ", "USER", "VIRTUAL_ENV"),
    "OTHELLIER_CORE",
)
FAMILIES = ("LC_", "PYTHON", "OMP_", "OPENBLAS_", "MKL_", "KMP_", "NUMEXPR_", "TORCH_")
"""Variables of the environment that Python and libraries of numbers read: others may hold passwords."""

PROCESSES = (
    *("os.fork", "os.forkpty", "os.posix_spawn", "os.system", "os.exec", "os.spawn"),
    *("os.kill", "os.killpg", "subprocess.Popen", "pty.spawn"),
)
CHANGES = (
    *("os.chmod", "os.chown", "os.link", "os.mkdir", "os.remove", "os.removexattr", "os.rename", "os.rmdir"),
    *("os.setxattr", "os.symlink", "os.truncate", "os.utime"),
)
NETWORK = ("socket.connect", "socket.bind", "socket.getaddrinfo", "socket.gethostbyname")
"""Events of Python, as its audit hooks are told of them."""

WRITING = os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_TRUNC


def missing() -> list[str]:
    """Return the parts of the fence that this system lacks; none if the fence is whole.

    >>> set(missing()) <= {"Landlock", "seccomp"}
    True
    """
    parts = {"Landlock": landlock.version() > 0, "seccomp": seccomp.available()}
    return [name for name, there in parts.items() if not there]


def beside(file: Path) -> Iterator[Path]:
    """Return what a player of a class may read: its file and what lies beside it, except the players of others.

    Left out are other Python files and folders that have any, unless their names begin with `_`, as those of shared
    helpers do, and all links.
    """
    yield file
    with os.scandir(file.parent) as entries:
        for entry in entries:
            path = Path(entry.path)
            if entry.is_symlink() or entry.name.startswith(".") or entry.name == "__pycache__":
                continue
            others = (path.suffix == ".py" or path.suffix == ".pyc") if entry.is_file() else any(path.rglob("*.py"))
            if entry.name.startswith("_") or not others:
                yield path


def environment() -> dict[str, str]:
    """Return the variables with which a process is started that will be fenced in.

    >>> set(environment()) <= set(os.environ)
    True
    """
    if sys.platform != "linux":  # others need more to start a process at all
        return dict(os.environ)
    return {name: value for name, value in os.environ.items() if name in VARIABLES or name.startswith(FAMILIES)}


def confine(megabytes: int, readable: Iterable[Path], listed: Iterable[Path] = ()) -> None:
    """Raise the fence around this process, for good.

    Args:
        megabytes: memory that it may take beyond what it has.
        readable: files and folders that it may read, beside Python and the packages installed.
        listed: folders of which it may read the names of the files.

    Raise OthellierError where this system has the parts of a fence and refuses them.
    """
    if sys.platform != "win32":
        _limit(megabytes)
    if sys.platform == "linux":
        _enclose([*readable], [*listed])
    sys.dont_write_bytecode = True
    sys.addaudithook(_refuse)


def _limit(megabytes: int) -> None:
    import resource

    most = resource.getrlimit(resource.RLIMIT_AS)[1]
    try:
        used = int(Path("/proc/self/statm").read_text("ascii").split()[0]) * resource.getpagesize()
    except (OSError, ValueError):
        used = 1 << 30  # where it is not known: a generous guess
    wanted = used + (megabytes << 20)
    wanted = wanted if most == resource.RLIM_INFINITY else min(wanted, most)
    with contextlib.suppress(ValueError, OSError):
        resource.setrlimit(resource.RLIMIT_AS, (wanted, wanted))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    resource.setrlimit(resource.RLIMIT_FSIZE, (0, 0))
    files = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    files = FILES if files == resource.RLIM_INFINITY else min(FILES, files)
    resource.setrlimit(resource.RLIMIT_NOFILE, (files, files))


_kept: list[int] = []


def _enclose(readable: list[Path], listed: list[Path]) -> None:
    """Have the kernel hold the fence, as far as there is one."""
    ours, files = seccomp.available(), landlock.version()
    if (ours or files) and ctypes.CDLL(None).prctl(NO_NEW_PRIVILEGES, 1, 0, 0, 0):
        raise OthellierError("the kernel refuses the fence around a player")
    # Threads that are there already do not come under Landlock: then nothing is opened for writing at all.
    writing = files >= TRUNCATION and _has_one_thread()
    if files:
        _kept[:] = landlock.restrict([*_installed(), *readable], listed, [Path(os.devnull)])
    if ours:
        seccomp.install(writing=writing)


def _has_one_thread() -> bool:
    try:
        return len(list(Path("/proc/self/task").iterdir())) == 1
    except OSError:
        return False


def _installed() -> Iterator[Path]:
    """Return the places of Python, of the packages installed and of this one."""
    places = {*SYSTEM, sys.prefix, sys.exec_prefix, sys.base_prefix, sys.base_exec_prefix, *site.getsitepackages()}
    places |= {path for path in sys.path if path and Path(path) != Path.cwd()}
    places |= {path for path in os.environ.get("LD_LIBRARY_PATH", "").split(os.pathsep) if path}
    yield from (Path(place) for place in sorted(places))
    yield Path(__file__).parent


def _refuse(event: str, facts: tuple[Any, ...]) -> None:
    """Refuse in plain words what Python's own functions are asked; the kernel's errors are numbers."""
    if event in PROCESSES:
        raise PermissionError("no other processes may be started or killed here")
    if event in NETWORK:
        raise PermissionError("no network may be used here")
    if event in CHANGES or (event == "open" and facts[2] & WRITING and _is_file(facts[0])):
        raise PermissionError("no files may be written or changed here")


def _is_file(path: object) -> bool:
    """Return False for descriptors, which are open already, and for the file that throws all away."""
    return isinstance(path, str | bytes | os.PathLike) and os.fsdecode(path) != os.devnull
