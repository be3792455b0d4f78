"""Landlock, the part of Linux by which a process gives up the files it does not need for good.

Nothing may be written, renamed, deleted or run afterwards, and only what is named may be read. Newer kernels also
refuse signals to processes outside, connections by TCP and abstract sockets of others.
"""

from __future__ import annotations

import ctypes
import os
import stat
import struct
import sys
from collections.abc import Iterable
from pathlib import Path

from othellier.errors import OthellierError

__all__ = ["restrict", "version"]

CREATE, ADD, RESTRICT = 444, 445, 446
"""System calls: the same numbers on all processors."""
ASK_VERSION = 1
BENEATH = 1

WRITE_FILE, READ_FILE, READ_DIR, TRUNCATE = 1 << 1, 1 << 2, 1 << 3, 1 << 14
OF_FILES = 1 << 0 | WRITE_FILE | READ_FILE | TRUNCATE | 1 << 15
"""The rights that a single file can have."""
KNOWN = {1: (1 << 13) - 1, 2: 1 << 13, 3: TRUNCATE, 5: 1 << 15}
"""Rights on files, by the version that brought them: all that change anything are given up."""
TCP = 0b11
"""Binding and connecting, from version 4 on."""
OUTSIDE = 0b11
"""Abstract sockets and signals, from version 6 on."""


def version() -> int:
    """The version of Landlock here; 0 where there is none.

    >>> version() >= 0
    True
    """
    if sys.platform != "linux" or sys.maxsize < 1 << 32:
        return 0
    return max(0, int(_call(CREATE, 0, 0, ASK_VERSION)))


def restrict(readable: Iterable[Path], listed: Iterable[Path] = (), devices: Iterable[Path] = ()) -> list[int]:
    """Give up all files but these, for the thread that asks and those it starts.

    Args:
        readable: files, and folders with all that is in them.
        listed: folders whose names of files may be read.
        devices: files that may be read and written.

    Return descriptors that must stay open: the kernel forgets a place in `/proc` that nobody holds. Paths that do not
    exist are left out. Raise OthellierError where the kernel refuses.
    """
    here = version()
    rights = sum(bits for since, bits in KNOWN.items() if since <= here)
    attributes = struct.pack("=QQQ", rights, TCP if here >= 4 else 0, OUTSIDE if here >= 6 else 0)
    known = attributes[: 8 if here < 4 else 16 if here < 6 else 24]
    ruleset = _checked(_call(CREATE, known, len(known), 0))
    kept = []
    allowed = [(path, READ_FILE | READ_DIR) for path in readable]
    allowed += [(path, READ_DIR) for path in listed]
    allowed += [(path, READ_FILE | WRITE_FILE | TRUNCATE) for path in devices]
    for path, wanted in allowed:
        try:
            place = os.open(path, os.O_PATH | os.O_CLOEXEC)
        except OSError:
            continue
        if not stat.S_ISDIR(os.fstat(place).st_mode):
            wanted &= OF_FILES
        if wanted & rights:
            _checked(_call(ADD, ruleset, BENEATH, struct.pack("=Qi", wanted & rights, place), 0))
        if path.is_relative_to("/proc"):
            kept.append(place)
        else:
            os.close(place)
    _checked(_call(RESTRICT, ruleset, 0))
    os.close(ruleset)
    return kept


def _call(number: int, *values: int | bytes) -> int:
    library = ctypes.CDLL(None, use_errno=True)
    library.syscall.restype = ctypes.c_long
    arguments = (ctypes.c_char_p(value) if isinstance(value, bytes) else ctypes.c_long(value) for value in values)
    return int(library.syscall(ctypes.c_long(number), *arguments))


def _checked(found: int) -> int:
    if found < 0:
        raise OthellierError(f"the kernel refuses the limits on files: {os.strerror(ctypes.get_errno())}")
    return found
