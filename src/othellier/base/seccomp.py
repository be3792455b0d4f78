"""The filter of Linux on system calls, by which a process gives up what it does not need for good.

`program` lists every call that is allowed, on x86-64 and on aarch64: computing, threads, time, reading files and the
pipes and sockets that are open already. All others fail with EPERM, and calls that are newer than the table with
ENOSYS, as on an older kernel. Which files may be read is the business of `landlock`.
"""

from __future__ import annotations

import ctypes
import os
import platform
import struct
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from othellier.errors import OthellierError

__all__ = ["ARCHITECTURES", "Architecture", "Instruction", "available", "install", "program"]

CALLS = """
brk 12 214; mmap 9 222; munmap 11 215; mprotect 10 226; mremap 25 216; madvise 28 233; mincore 27 232; msync 26 227
mlock 149 228; mlock2 325 284; munlock 150 229; mlockall 151 230; munlockall 152 231; membarrier 324 283; mbind 237 235
set_mempolicy 238 237; get_mempolicy 239 236; pkey_mprotect 329 288; pkey_alloc 330 289; pkey_free 331 290
mseal 462 462

exit 60 93; exit_group 231 94; futex 202 98; futex_waitv 449 449; futex_wake 454 454; futex_wait 455 455
futex_requeue 456 456; set_robust_list 273 99; get_robust_list 274 100; set_tid_address 218 96; rseq 334 293
gettid 186 178; sched_yield 24 124; sched_getaffinity 204 123; sched_getattr 315 275; sched_getparam 143 121
sched_getscheduler 145 120; sched_get_priority_max 146 125; sched_get_priority_min 147 126
sched_rr_get_interval 148 127; getcpu 309 168; restart_syscall 219 128; arch_prctl 158 -

rt_sigaction 13 134; rt_sigprocmask 14 135; rt_sigreturn 15 139; rt_sigpending 127 136; rt_sigtimedwait 128 137
rt_sigsuspend 130 133; sigaltstack 131 132; signalfd 282 -; signalfd4 289 74; alarm 37 -; pause 34 -

clock_gettime 228 113; clock_getres 229 114; clock_nanosleep 230 115; nanosleep 35 101; gettimeofday 96 169; time 201 -
times 100 153; getitimer 36 102; setitimer 38 103; timer_create 222 107; timer_settime 223 110; timer_gettime 224 108
timer_getoverrun 225 109; timer_delete 226 111; timerfd_create 283 85; timerfd_settime 286 86; timerfd_gettime 287 87

read 0 63; pread64 17 67; readv 19 65; preadv 295 69; preadv2 327 286; lseek 8 62; readahead 187 213; fadvise64 221 223
close 3 57; close_range 436 436; dup 32 23; dup2 33 -; dup3 292 24; fstat 5 80; stat 4 -; lstat 6 -; newfstatat 262 79
statx 332 291; statfs 137 43; fstatfs 138 44; access 21 -; faccessat 269 48; faccessat2 439 439; readlink 89 -
readlinkat 267 78; getdents 78 -; getdents64 217 61; getcwd 79 17; chdir 80 49; fchdir 81 50; umask 95 166

write 1 64; pwrite64 18 68; writev 20 66; pwritev 296 70; pwritev2 328 287; pipe 22 -; pipe2 293 59; eventfd 284 -
eventfd2 290 19; poll 7 -; ppoll 271 73; select 23 -; pselect6 270 72; epoll_create 213 -; epoll_create1 291 20
epoll_ctl 233 21; epoll_wait 232 -; epoll_pwait 281 22; epoll_pwait2 441 441; sendto 44 206; recvfrom 45 207
sendmsg 46 211; recvmsg 47 212; sendmmsg 307 269; recvmmsg 299 243; shutdown 48 210; getsockname 51 204
getpeername 52 205; getsockopt 55 209; setsockopt 54 208; fsync 74 82; fdatasync 75 83

getpid 39 172; getppid 110 173; getuid 102 174; geteuid 107 175; getgid 104 176; getegid 108 177; getgroups 115 158
getresuid 118 148; getresgid 120 150; getpgid 121 155; getpgrp 111 -; getsid 124 156; getpriority 140 141
getrlimit 97 163; getrusage 98 165; getrandom 318 278; sysinfo 99 179; uname 63 160; capget 125 90; wait4 61 260
waitid 247 95
"""
"""Calls that are always allowed, with their numbers on x86-64 and aarch64: memory, threads, signals to itself, time,
reading, writing to what is open, and facts. They are those of asm/unistd_64.h and asm-generic/unistd.h of Linux."""

CHECKED = """
open 2 -; openat 257 56; clone 56 220; kill 62 129; tgkill 234 131; socketpair 53 199; prctl 157 167; ioctl 16 29
fcntl 72 25; prlimit64 302 261; sched_setaffinity 203 122
"""
"""Calls whose arguments decide: see `_rules`."""

NEWER = 424
"""Calls from here on, the same everywhere, came with Linux 5.1: programs do without them where they are missing. One of
them is `clone3`, whose arguments a filter cannot read: the C library takes `clone` then."""

WRITES = os.O_ACCMODE | os.O_CREAT | os.O_TRUNC if sys.platform != "win32" else 0
CLONE_THREAD = 0x10000
AF_UNIX, SOCK_STREAM, SOCK_NONBLOCK, SOCK_CLOEXEC = 1, 1, 0o4000, 0o2000000
SOCKETS = tuple(SOCK_STREAM | more for more in (0, SOCK_NONBLOCK, SOCK_CLOEXEC, SOCK_NONBLOCK | SOCK_CLOEXEC))
PRCTL = (3, 15, 16, 21, 39, 0x53564D41)
"""PR_GET_DUMPABLE, PR_SET_NAME, PR_GET_NAME, PR_GET_SECCOMP, PR_GET_NO_NEW_PRIVS, PR_SET_VMA, which names memory."""
IOCTL = (0x5401, 0x5413, 0x541B, 0x5421, 0x5450, 0x5451)
"""TCGETS, by which a terminal is recognised, TIOCGWINSZ, FIONREAD, FIONBIO, FIONCLEX, FIOCLEX."""
FCNTL = (0, 1, 2, 3, 4, 1030, 1032)
"""F_DUPFD, F_GETFD, F_SETFD, F_GETFL, F_SETFL, F_DUPFD_CLOEXEC, F_GETPIPE_SZ: none of those that send signals."""

LOAD, EQUAL, ABOVE, FROM, BITS, RETURN = 0x20, 0x15, 0x25, 0x35, 0x45, 0x06
"""Instructions of the filter: load a word, jump if it is equal, greater, no less, has one of the bits, and end."""
ALLOW, ERROR, KILL = 0x7FFF0000, 0x00050000, 0x80000000
EPERM, ENOSYS = 1, 38
NUMBER, ARCHITECTURE, ARGUMENTS = 0, 4, 16
"""Where the words of a call stand."""

SET_FILTER, ACTION_KNOWN = 1, 2
ALL_THREADS, KEEP_SPEED = 1, 4
"""SECCOMP_FILTER_FLAG_TSYNC and SECCOMP_FILTER_FLAG_SPEC_ALLOW."""

Instruction = tuple[int, int, int, int]
"""Code, instructions to jump over if so, and if not, and a number."""


@dataclass(frozen=True, slots=True)
class Architecture:
    """A processor that there is a filter for."""

    audit: int
    """The number of the processor in the kernel."""
    column: int
    """The column of the processor in the tables."""
    seccomp: int
    """The number of the call that installs a filter."""

    def numbers(self, table: str) -> dict[str, int]:
        """The calls of a table that there are here, by name."""
        rows = (entry.split() for entry in table.replace("\n", ";").split(";") if entry.strip())
        return {row[0]: int(row[self.column]) for row in rows if row[self.column] != "-"}


ARCHITECTURES = {"x86_64": Architecture(0xC000003E, 1, 317), "aarch64": Architecture(0xC00000B7, 2, 277)}
"""By the name that `uname -m` gives them. A program of 32 bits on them has no filter."""


@dataclass(frozen=True, slots=True)
class _Check:
    """A condition on an argument: `word` is the number of the argument, `high` its upper half."""

    word: int
    kind: Literal["one of", "with", "without"]
    values: tuple[int, ...]
    high: bool = False

    def code(self) -> list[Instruction]:
        """Instructions that go on behind their end where the condition holds, and refuse the call elsewhere."""
        load = (LOAD, 0, 0, ARGUMENTS + 8 * self.word + 4 * self.high)
        refuse = (RETURN, 0, 0, ERROR | EPERM)
        if self.kind == "one of":
            count = len(self.values)
            return [load, *((EQUAL, count - index, 0, value) for index, value in enumerate(self.values)), refuse]
        (mask,) = self.values
        return [load, (BITS, 1, 0, mask) if self.kind == "with" else (BITS, 0, 1, mask), refuse]


def _rules(pid: int, *, writing: bool) -> dict[str, tuple[_Check, ...]]:
    """Conditions on arguments of the checked calls: threads but no processes, signals to itself alone, and so on."""
    opening = () if writing else (WRITES,)
    return {
        "open": tuple(_Check(1, "without", (mask,)) for mask in opening),
        "openat": tuple(_Check(2, "without", (mask,)) for mask in opening),
        "clone": (_Check(0, "with", (CLONE_THREAD,)),),
        "kill": (_Check(0, "one of", (pid,)),),
        "tgkill": (_Check(0, "one of", (pid,)),),
        "socketpair": (_Check(0, "one of", (AF_UNIX,)), _Check(1, "one of", SOCKETS)),
        "prctl": (_Check(0, "one of", PRCTL),),
        "ioctl": (_Check(1, "one of", IOCTL),),
        "fcntl": (_Check(1, "one of", FCNTL),),
        # Limits may be read, not set: there is no address of a new one.
        "prlimit64": (
            _Check(0, "one of", (0, pid)),
            _Check(2, "one of", (0,)),
            _Check(2, "one of", (0,), high=True),
        ),
        "sched_setaffinity": (_Check(0, "one of", (0, pid)),),
    }


def program(machine: Architecture, pid: int, *, writing: bool) -> list[Instruction]:
    """Return the filter for a process. `writing` lets files be opened for writing, where Landlock decides about that.

    >>> len(program(ARCHITECTURES["aarch64"], 1, writing=False)) < 4096  # the most that the kernel takes
    True
    """
    code: list[Instruction] = [
        (LOAD, 0, 0, ARCHITECTURE),
        (EQUAL, 1, 0, machine.audit),
        (RETURN, 0, 0, KILL),  # such as a call of 32 bits, whose numbers mean something else
        (LOAD, 0, 0, NUMBER),
    ]
    for first, last in _ranges(sorted(machine.numbers(CALLS).values())):
        code += [(FROM, 0, 2, first), (ABOVE, 1, 0, last), (RETURN, 0, 0, ALLOW)]
    rules = _rules(pid, writing=writing)
    for name, number in machine.numbers(CHECKED).items():
        block = [step for check in rules[name] for step in check.code()]
        block.append((RETURN, 0, 0, ALLOW))
        code += [(EQUAL, 0, len(block), number), *block]
    return [*code, (FROM, 0, 1, NEWER), (RETURN, 0, 0, ERROR | ENOSYS), (RETURN, 0, 0, ERROR | EPERM)]


def _ranges(numbers: list[int]) -> Iterator[tuple[int, int]]:
    first = last = numbers[0]
    for number in numbers[1:]:
        if number > last + 1:
            yield first, last
            first = number
        last = number
    yield first, last


# -- the kernel


class _Program(ctypes.Structure):
    _fields_ = (("length", ctypes.c_ushort), ("code", ctypes.c_void_p))


def _here() -> Architecture | None:
    return ARCHITECTURES.get(platform.machine()) if sys.platform == "linux" and sys.maxsize > 1 << 32 else None


def available() -> bool:
    """Return True if this system takes such a filter."""
    machine = _here()
    if machine is None:
        return False
    action = ctypes.c_uint32(KILL)
    return not ctypes.CDLL(None).syscall(*_longs(machine.seccomp, ACTION_KNOWN, 0), ctypes.byref(action))


def install(*, writing: bool) -> None:
    """Install the filter for all threads of this process; raise OthellierError where the kernel refuses it.

    The process must have given up gaining rights (PR_SET_NO_NEW_PRIVS).
    """
    machine = _here()
    assert machine is not None
    code = program(machine, os.getpid(), writing=writing)
    packed = ctypes.create_string_buffer(b"".join(struct.pack("=HBBI", *step) for step in code))
    wanted = _Program(len(code), ctypes.addressof(packed))
    library = ctypes.CDLL(None, use_errno=True)
    numbers = _longs(machine.seccomp, SET_FILTER, ALL_THREADS | KEEP_SPEED)
    if library.syscall(*numbers, ctypes.byref(wanted)):
        raise OthellierError(f"the kernel refuses the filter of system calls: {os.strerror(ctypes.get_errno())}")


def _longs(*numbers: int) -> tuple[ctypes.c_long, ...]:
    return tuple(map(ctypes.c_long, numbers))
