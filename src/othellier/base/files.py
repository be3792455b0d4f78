"""Reading and writing whole files: never more than asked for, never half of one.

Every failure of the file system comes out as a `RecordError` with the file's name. What the bytes mean is
the business of `records`.
"""

from __future__ import annotations

import contextlib
import errno
import gzip
import io
import mmap
import os
import secrets
import stat
import sys
import time
import zlib
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import IO

from othellier.base.system import lock
from othellier.errors import RecordError

try:
    import fcntl
except ImportError:  # not on Windows: what is left over stays
    fcntl = None  # type: ignore[assignment]

__all__ = ["LIMIT", "map_file", "read_file", "reserve", "write_file"]

TEMPORARY = ".othellier-"
"""How the name of a file begins that is not whole yet."""
ABANDONED = 60.0
"""Seconds after which such a file that nobody holds is left over; younger ones may not be held yet."""
LIMIT = 64 << 20
"""Bytes a file may have, unpacked, unless the caller allows more: half a million games as transcripts."""


def read_file(path: Path, limit: int = LIMIT) -> bytes:
    """The bytes of a plain file, unpacked if it is gzipped; larger ones are refused unread."""
    name = str(path)
    try:
        _check_plain(path)
        with path.open("rb") as file:
            data = file.read(limit + 1)
        if data[:2] == b"\x1f\x8b":
            with gzip.GzipFile(fileobj=io.BytesIO(data)) as packed:
                data = packed.read(limit + 1)
    except FileNotFoundError:
        raise RecordError(name, "", "no such file") from None
    except (EOFError, zlib.error, gzip.BadGzipFile) as error:
        raise RecordError(name, "", f"is damaged: {error}") from None
    except (OSError, ValueError) as error:  # ValueError: a name with a NUL in it
        raise RecordError(name, "", f"cannot be read: {getattr(error, 'strerror', None) or error}") from None
    if len(data) > limit:
        raise RecordError(name, f"byte {limit}", f"is larger than {limit >> 20} MB")
    return data


def map_file(path: Path, missing_ok: bool = False) -> bytes | mmap.mmap:
    """The bytes of a plain file, mapped into memory and not loaded; if wanted, none where there is no file."""
    try:
        _check_plain(path)
        with path.open("rb") as file:
            return mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) if file.seek(0, os.SEEK_END) else b""
    except (FileNotFoundError, NotADirectoryError):
        if missing_ok:
            return b""
        raise RecordError(str(path), "", "no such file") from None
    except (OSError, ValueError) as error:
        raise RecordError(str(path), "", f"cannot be read: {getattr(error, 'strerror', None) or error}") from None


def _check_plain(path: Path) -> None:
    mode = path.stat().st_mode
    if stat.S_ISDIR(mode):
        raise IsADirectoryError(0, "it is a directory, not a file")
    if not stat.S_ISREG(mode):  # opening a pipe or a device could wait for ever
        raise OSError(0, "it is not a plain file")


def write_file(path: Path, chunks: Iterable[bytes]) -> None:
    """Write a file whole or not at all: whatever goes wrong, what was there before stays.

    What is no plain file, such as a pipe or a device, is written straight into; so is our own standard output.
    """
    temporary: Path | None = None
    try:
        straight = _open_straight(path)
        if straight is not None:
            with straight as file:
                for chunk in chunks:
                    file.write(chunk)
            return
        target = path.resolve()  # through a link, the file it points to is replaced
        mode = stat.S_IMODE(target.stat().st_mode) if target.exists() else None
        # In the same directory, so that the last step is a rename within one file system.
        _sweep(target.parent)
        temporary = target.parent / f"{TEMPORARY}{secrets.token_hex(8)}"
        with temporary.open("xb") as file:
            _hold(file)
            for chunk in chunks:
                file.write(chunk)
            file.flush()
            os.fsync(file.fileno())
        if mode is not None:
            temporary.chmod(mode)
        temporary.replace(target)
    except (OSError, RuntimeError) as error:  # RuntimeError: links in a circle
        raise RecordError(str(path), "", f"cannot be written: {getattr(error, 'strerror', None) or error}") from None
    finally:
        if temporary is not None:
            with contextlib.suppress(OSError):  # where nothing can be written, nothing is there to be removed
                temporary.unlink()


@contextlib.contextmanager
def reserve(path: Path) -> Iterator[None]:
    """Reserve a file for this process: raise RecordError where another process has reserved it.

    For work that reads a file, changes what was in it and writes it again: of two such processes the second one to
    write would undo what the first one did. `write_file` replaces the file, so an empty one beside it is locked. What
    is no plain file needs no such care.
    """
    try:
        target = path.resolve()
        plain = target.is_file() or not target.exists()
        beside = target.with_name(f"{TEMPORARY}{target.name}.lock")
        file = _locked(beside) if plain else None
    except (OSError, RuntimeError) as error:  # RuntimeError: links in a circle
        raise RecordError(str(path), "", f"cannot be written: {getattr(error, 'strerror', None) or error}") from None
    if file is None:
        if plain:
            raise RecordError(str(path), "", "is being written by another run")
        yield
        return
    with file:
        try:
            yield
        finally:
            with contextlib.suppress(OSError):  # Windows removes no open file: the next one removes it
                beside.unlink()


def _locked(path: Path) -> IO[bytes] | None:
    """Open and lock a file, made where there is none; None where another process has it."""
    while True:
        file = path.open("ab")
        if not lock(file):
            file.close()
            return None
        with contextlib.suppress(FileNotFoundError):
            if os.path.samestat(path.stat(), os.fstat(file.fileno())):
                return file
        file.close()  # its owner removed it just before it was locked


def _hold(file: IO[bytes]) -> bool:
    """Mark a file as being written, for as long as its process lives; False where another marks it."""
    if fcntl is None:
        return False
    try:
        fcntl.flock(file.fileno(), fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        return False
    return True


def _sweep(folder: Path) -> None:
    """Remove what was being written here by processes that were killed: old files of ours that nobody holds."""
    for path in folder.glob(f"{TEMPORARY}*"):
        with contextlib.suppress(OSError):
            if time.time() - path.stat().st_mtime > ABANDONED:
                with path.open("rb") as file:
                    if _hold(file):
                        path.unlink()


def _open_straight(path: Path) -> IO[bytes] | None:
    """A file to write into that must not be replaced by another; nothing for plain files and new ones."""
    try:
        facts = path.stat()
    except (FileNotFoundError, NotADirectoryError):
        return None
    if stat.S_ISDIR(facts.st_mode):
        raise IsADirectoryError(0, "it is a directory, not a file")
    for stream in (sys.stdout, sys.stderr):  # as /dev/stdout: what follows goes after what was printed
        with contextlib.suppress(OSError, ValueError, AttributeError):  # closed, or no file at all
            stream.flush()
            if os.path.samestat(facts, os.fstat(stream.fileno())):
                return os.fdopen(os.dup(stream.fileno()), "wb")
    if stat.S_ISREG(facts.st_mode):
        return None
    if stat.S_ISSOCK(facts.st_mode):
        raise OSError(0, "it is a socket, not a file")
    if stat.S_ISFIFO(facts.st_mode):
        # Whoever opens a pipe that nobody reads waits for ever: ask first whether somebody does.
        try:
            return os.fdopen(_blocking(os.open(path, os.O_WRONLY | os.O_NONBLOCK)), "wb")
        except OSError as error:
            if error.errno == errno.ENXIO:
                raise OSError(0, "it is a pipe that nobody reads") from None
            raise
    return path.open("wb")


def _blocking(descriptor: int) -> int:
    os.set_blocking(descriptor, True)
    return descriptor
