"""Processor time of programs, and processes that keep to one core. Only Linux measures other processes."""

from __future__ import annotations

import os
import sys
import time
from pathlib import Path

__all__ = ["MEASURES_PROGRAMS", "keep_to_core", "processor_seconds", "usable_cores"]

MEASURES_PROGRAMS = sys.platform == "linux"
"""True where the processor time of other processes can be measured."""

CLOCK = 2
"""The clock of a process that counts its processor time, as clock_getcpuclockid(3) builds its number."""


def processor_seconds(process: int | None = None) -> float | None:
    """Return the processor seconds that a process and its children have used so far; of this process unless given.

    None where the process has ended, or where the system does not measure other processes.

    >>> processor_seconds() > 0
    True
    """
    if process is None:
        return time.process_time()
    if not MEASURES_PROGRAMS:
        return None
    total, found = 0.0, [process]
    for one in found:  # grows by the children
        try:
            total += time.clock_gettime((~one << 3) | CLOCK) + _of_ended_children(one)
            for task in Path(f"/proc/{one}/task").iterdir():
                found += map(int, (task / "children").read_text("ascii").split())
        except (OSError, ValueError):
            if one == process:
                return None
    return total


def _of_ended_children(process: int) -> float:
    """The processor seconds of children that have ended and were waited for."""
    fields = Path(f"/proc/{process}/stat").read_bytes().rpartition(b")")[2].split()
    return (int(fields[13]) + int(fields[14])) / os.sysconf("SC_CLK_TCK")


def usable_cores() -> list[int]:
    """Return the numbers of the cores that this process may use; none where a process cannot be kept to a core."""
    return sorted(os.sched_getaffinity(0)) if hasattr(os, "sched_setaffinity") else []


def keep_to_core(core: int) -> None:
    """Have this process, and all that it starts from now on, run on one core alone."""
    if hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, {core})
