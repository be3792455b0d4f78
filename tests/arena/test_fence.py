"""What a player of a class can do to others when it goes past Python, straight to the system: nothing.

Each attack is made by the C library, or by system calls: Python's own functions, which refuse these things in words,
are not asked. So these tests fail where the kernel's fence is not up.
"""

import os
import socket
import subprocess
import sys
import textwrap
from collections.abc import Callable
from pathlib import Path

import pytest

from othellier.arena.guard import Guard
from othellier.arena.nursery import FORKS
from othellier.base import fence
from othellier.base.seccomp import ALLOW, ARCHITECTURES, ENOSYS, EPERM, ERROR, KILL, Instruction, program
from othellier.errors import ConfigError, PlayerError
from othellier.games.results import Limit
from othellier.rules import native
from waiting import LIMIT

pytestmark = pytest.mark.skipif(bool(fence.missing()) or not FORKS, reason="this system has no fence")

START = native.start(4)

HEAD = """
import ctypes
import mmap
import os
import resource
import socket
import struct
from pathlib import Path

from othellier import Result
from othellier.players import Player

C = ctypes.CDLL(None, use_errno=True)
HERE = Path(__file__).parent


def path(name):
    return os.fsencode(HERE / name)


def found(value):
    '''The number of the error, or 0 where it worked.'''
    return ctypes.get_errno() if value < 0 else 0


class Attacker(Player):
    def choose(self, position, limit):
        return Result(position.moves()[0], position.turn, nodes=attack())
"""

DENIED = (1, 13)
"""EPERM of the filter, EACCES of Landlock."""

SETUP = {"ben.py": "SECRET = 1\n", "notes/diary.txt": "secret", "games.jsonl": '{"score": -4}\n'}

FILE_ATTACKS = {
    "write another student's file": "return found(C.open(path('ben.py'), os.O_WRONLY))",
    "append to the games": "return found(C.open(path('games.jsonl'), os.O_WRONLY | os.O_APPEND))",
    "cut the games off": "return found(C.truncate(path('games.jsonl'), 0))",
    "cut the games off while reading": "return found(C.open(path('games.jsonl'), os.O_RDONLY | os.O_TRUNC))",
    "put other games in their place": "return found(C.rename(path('ben.py'), path('games.jsonl')))",
    "delete a file": "return found(C.unlink(path('ben.py')))",
    "rename a folder": "return found(C.rename(path('notes'), path('mine')))",
    "rename a folder by another call": "return found(C.renameat2(-100, path('notes'), -100, path('mine'), 0))",
    "make a folder": "return found(C.mkdir(path('new'), 0o777))",
    "make a file": "return found(C.open(path('new'), os.O_WRONLY | os.O_CREAT, 0o666))",
    "make a link": "return found(C.symlink(b'/', path('new')))",
    "change rights": "return found(C.chmod(path('ben.py'), 0))",
    "change times": "return found(C.utimes(path('ben.py'), bytes(32)))",
    "set an attribute": "return found(C.setxattr(path('ben.py'), b'user.x', b'1', 1, 0))",
    "write its own file": "return found(C.open(path('attacker.py'), os.O_WRONLY))",
    "write to a shared folder": "return found(C.open(b'/tmp/othellier-fence', os.O_WRONLY | os.O_CREAT, 0o666))",
    "write to shared memory": "return found(C.open(b'/dev/shm/othellier-fence', os.O_WRONLY | os.O_CREAT, 0o666))",
    "memory that is a file": "return found(C.memfd_create(b'x', 0))",
}
# Signal 0 is none: it asks for the right to send one, and does no harm where there is no fence.
OTHER_ATTACKS = {
    "a shell": "return 1 if C.system(b'touch ' + path('ran')) else 0",
    "a program in its place": "return found(C.execv(b'/bin/sh', (ctypes.c_char_p * 2)(b'sh', None)))",
    "a child": "return found(C.fork())",
    "a child by another call": "return found(C.vfork())",
    "a child by a system call": "return found(C.syscall(NUMBERS['clone'], 17, 0, 0, 0, 0))",
    "a signal to the parent": "return found(C.kill(PARENT, 0))",
    "a signal to a thread of the parent": "return found(C.tgkill(PARENT, PARENT, 0))",
    "a signal to everybody": "return found(C.kill(-1, 0))",
    "a signal by way of a file": "return found(C.fcntl(LINE, 8, PARENT))",
    "look into the parent": "return found(C.ptrace(0x4206, PARENT, 0, 0))",
    "read the parent's memory": "return found(C.open(b'/proc/%d/mem' % PARENT, 0))",
    "read the parent's environment": "return found(C.open(b'/proc/%d/environ' % PARENT, 0))",
    "slow the parent down": "return found(C.sched_setaffinity(PARENT, 8, (ctypes.c_ulong * 1)(1)))",
    "read another student's file": "return found(C.open(path('ben.py'), 0))",
    "read private files": "return found(C.open(PRIVATE, 0))",
    "connect": "return found(C.socket(socket.AF_INET, socket.SOCK_STREAM, 0))",
    "send a packet": "return found(C.socket(socket.AF_INET, socket.SOCK_DGRAM, 0))",
    "a local socket": "return found(C.socket(socket.AF_UNIX, socket.SOCK_STREAM, 0))",
    "packets between local sockets": "return found(C.socketpair(1, 2, 0, (ctypes.c_int * 2)()))",
    "more memory by a new limit": (
        "return found(C.setrlimit(resource.RLIMIT_AS, struct.pack('qq', 1 << 40, 1 << 40)))"
    ),
    "outlive the arena": "return found(C.prctl(1, 0, 0, 0, 0))",
    "asynchronous calls": "return found(C.syscall(425, 8, bytes(120)))",
}


def guard_of(folder: Path, text: str, memory: int = 256) -> Guard:
    for name, content in SETUP.items():
        (folder / name).parent.mkdir(exist_ok=True)
        (folder / name).write_text(content)
    file = folder / "attacker.py"
    file.write_text(HEAD + text)
    return Guard(f"{file}:*", memory=memory)


def attacked(folder: Path, body: str, private: Path) -> int:
    """What an attack came to: the number of the error that it met."""
    parent = os.getpid()
    constants = f"PARENT, PRIVATE, LINE = {parent}, {os.fsencode(private)!r}, 3\nNUMBERS = {{'clone': {clone()}}}\n"
    guard = guard_of(folder, f"\n\n{constants}\n\ndef attack():\n    {body}\n")
    try:
        guard.begin(START, 0)
        return guard.choose(START, Limit()).nodes
    finally:
        guard.close()


def clone() -> int:
    return 56 if os.uname().machine == "x86_64" else 220


def contents(folder: Path) -> dict[str, tuple[int, bytes]]:
    files = (path for path in sorted(folder.rglob("*")) if path.name != "attacker.py")
    return {str(path): (path.stat().st_mode, path.read_bytes() if path.is_file() else b"") for path in files}


@pytest.mark.parametrize("attack", FILE_ATTACKS)
def test_no_file_is_changed(attack: str, tmp_path: Path) -> None:
    guard_of(tmp_path, "")
    before = contents(tmp_path)
    assert attacked(tmp_path, FILE_ATTACKS[attack], tmp_path) in DENIED
    assert contents(tmp_path) == before


@pytest.mark.parametrize("attack", OTHER_ATTACKS)
def test_nothing_is_done_to_others(attack: str, tmp_path: Path) -> None:
    private = tmp_path / "private.txt"
    private.write_text("secret")
    players = tmp_path / "players"
    players.mkdir()
    error = attacked(players, OTHER_ATTACKS[attack], private)
    assert error == (ENOSYS if attack == "asynchronous calls" else error)
    assert error in (*DENIED, ENOSYS)
    assert not (players / "ran").exists()


def test_a_listening_program_is_not_reached(tmp_path: Path) -> None:
    """By the library of Python too, whose words say what is refused."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        server.settimeout(0)
        port = server.getsockname()[1]
        guard = guard_of(tmp_path, f"\n\ndef attack():\n    socket.create_connection(('127.0.0.1', {port}))\n")
        try:
            guard.begin(START, 0)
            with pytest.raises(PlayerError, match="no network may be used here"):
                guard.choose(START, Limit())
        finally:
            guard.close()
        with pytest.raises(BlockingIOError):
            server.accept()


def test_memory_is_bounded(tmp_path: Path) -> None:
    body = "C.mmap.restype = ctypes.c_long\n    return found(C.mmap(0, ctypes.c_long(1 << 31), 3, 0x22, -1, 0))"
    assert attacked(tmp_path, body, tmp_path) == 12  # ENOMEM


def test_pipes_are_bounded(tmp_path: Path) -> None:
    """What is in them is memory, too: 64 KiB each."""
    body = "return sum(C.pipe((ctypes.c_int * 2)()) == 0 for _ in range(600))"
    assert 32 < attacked(tmp_path, body, tmp_path) < 128


def test_a_player_may_still_compute(tmp_path: Path) -> None:
    """Threads, an event loop, NumPy, the engine, its own data and helpers, and what throws all away."""
    (tmp_path / "_helper.py").write_text("def first(moves):\n    return moves[0]\n")
    (tmp_path / "weights").mkdir()
    (tmp_path / "weights" / "attacker.txt").write_text("7")
    text = """
    import asyncio, sys, threading
    from concurrent.futures import ThreadPoolExecutor
    import numpy
    from othellier import Engine
    from othellier.rules import native
    from _helper import first

    def attack():
        sys.stdout = open(os.devnull, "w")
        print("nobody reads this")
        with ThreadPoolExecutor(2) as pool:
            assert list(pool.map(abs, [-1, -2])) == [1, 2]
        assert asyncio.run(asyncio.sleep(0, 3)) == 3
        assert numpy.linalg.det(numpy.eye(3)) == 1
        with Engine(threads=2, hash_mb=1) as engine:
            assert engine.search(native.start(), depth=4).depth == 4
        assert first([5, 6]) == 5
        assert {"attacker.py", "ben.py"} <= set(os.listdir(HERE))
        return int((HERE / "weights" / "attacker.txt").read_text())
    """
    guard = guard_of(tmp_path, textwrap.dedent(text), memory=2048)
    try:
        guard.begin(START, 0)
        assert guard.choose(START, Limit()).nodes == 7
    finally:
        guard.close()


def test_pytorch_plays(tmp_path: Path) -> None:
    pytest.importorskip("torch")
    text = """
    import torch

    def attack():
        torch.set_num_threads(2)
        weights = torch.ones(200, 200, requires_grad=True)
        (weights @ weights).sum().backward()
        return int(weights.grad[0, 0])
    """
    guard = guard_of(tmp_path, textwrap.dedent(text), memory=8192)
    try:
        guard.begin(START, 0)
        assert guard.choose(START, Limit()).nodes == 400
    finally:
        guard.close()


def test_passwords_of_the_environment_are_not_handed_on(tmp_path: Path) -> None:
    """Neither by Python's copy of it nor by that of the system, which a process keeps from its start."""
    (tmp_path / "players").mkdir()
    text = """
    def attack():
        start = Path("/proc/self/environ").read_bytes()
        return ("OTHELLIER_PASSWORD" in os.environ) + (b"OTHELLIER_PASSWORD" in start) + 4 * ("PATH" in os.environ)
    """
    guard = guard_of(tmp_path / "players", textwrap.dedent(text))
    code = (
        "from othellier.rules import native\nfrom othellier.arena.guard import Guard\n"
        "from othellier.games.results import Limit\n"
        f"guard = Guard({guard.spec!r}, memory=256)\nguard.begin(native.start(4), 0)\n"
        "print(guard.choose(native.start(4), Limit()).nodes)\nguard.close()\n"
    )
    variables = {**os.environ, "OTHELLIER_PASSWORD": "secret"}
    command = [sys.executable, "-P", "-c", code]
    done = subprocess.run(command, env=variables, capture_output=True, text=True, timeout=LIMIT, check=False)
    assert done.stdout == "4\n", done.stderr


def test_what_a_player_may_read_of_its_folder(tmp_path: Path) -> None:
    for name in (
        "ann.py",
        "ben.py",
        "_help.py",
        "ann.npz",
        "_kit/tool.py",
        "data/x.txt",
        "carl/carl.py",
        ".git/config",
    ):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).touch()
    (tmp_path / "__pycache__").mkdir()
    (tmp_path / "away.txt").symlink_to("/etc/hostname")
    found = {str(path.relative_to(tmp_path)) for path in fence.beside(tmp_path / "ann.py")}
    assert found == {"ann.py", "_help.py", "ann.npz", "_kit", "data"}


def test_a_player_that_imports_another_one_is_told_which_file_it_may_not_read(tmp_path: Path) -> None:
    guard = guard_of(tmp_path, "import ben\n")
    try:
        with pytest.raises(ConfigError, match=r"Permission denied: '.*/ben.py' \(attacker.py, line \d+\)$"):
            guard.begin(START, 0)
    finally:
        guard.close()


WITHOUT = """
import ctypes, os, sys
from pathlib import Path
from othellier.base import fence, landlock, seccomp
PART
victim = Path(sys.argv[1])
fence.confine(64, [victim.parent])
C = ctypes.CDLL(None, use_errno=True)
for value in (C.open(os.fsencode(victim), os.O_WRONLY), C.open(os.fsencode(victim), os.O_RDONLY | os.O_TRUNC),
              C.openat(-100, os.fsencode(victim), os.O_RDWR), C.rename(os.fsencode(victim), b"/tmp/othellier-away"),
              C.fork() or os._exit(0)):
    print(value if value < 0 else "done")
"""


@pytest.mark.parametrize(
    ("part", "found"),
    [
        ("landlock.version = lambda: 0", "-1 -1 -1 -1 -1"),
        ("landlock.version = lambda: 1", "-1 -1 -1 -1 -1"),  # which does not decide about files that are cut off
        ("seccomp.available = lambda: False", "-1 -1 -1 -1 done"),
    ],
)
def test_one_part_alone_keeps_files(part: str, found: str, tmp_path: Path) -> None:
    victim = tmp_path / "victim"
    victim.write_text("kept")
    command = [sys.executable, "-P", "-c", WITHOUT.replace("PART", part), str(victim)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=LIMIT, check=False)
    assert done.stdout.split()[:5] == found.split(), done.stderr
    assert victim.read_text() == "kept"


def decide(code: list[Instruction], audit: int, number: int, *arguments: int) -> int:
    """What the kernel decides by a filter: a small interpreter of its instructions."""
    words = {0: number, 4: audit}
    for index in range(6):
        value = arguments[index] if index < len(arguments) else 0
        words[16 + 8 * index], words[20 + 8 * index] = value & 0xFFFFFFFF, value >> 32 & 0xFFFFFFFF
    here = register = 0
    tests: dict[int, Callable[[int, int], bool]] = {
        0x15: lambda a, b: a == b,
        0x25: lambda a, b: a > b,
        0x35: lambda a, b: a >= b,
        0x45: lambda a, b: bool(a & b),
    }
    while True:
        step, yes, no, value = code[here]
        if step == 0x06:
            return value
        if step == 0x20:
            register = words[value]
            here += 1
        else:
            here += 1 + (yes if tests[step](register, value) else no)


REFUSE, UNKNOWN = ERROR | EPERM, ERROR | ENOSYS
CASES = {
    # read, mmap, execve, ptrace, socket, unlinkat, renameat2, fchmodat, setrlimit by prlimit64, x32 or the like
    "x86_64": (0, 9, 59, 101, 41, 263, 316, 268, 302, 257, 56, 62),
    "aarch64": (63, 222, 221, 117, 198, 35, 276, 53, 261, 56, 220, 129),
}


@pytest.mark.parametrize("name", CASES)
def test_the_filter_of_each_processor(name: str) -> None:
    machine = ARCHITECTURES[name]
    read, mmap, execve, ptrace, plug, unlinkat, renameat2, fchmodat, prlimit64, openat, clone, kill = CASES[name]
    strict, files = (program(machine, 77, writing=writing) for writing in (False, True))
    assert len(strict) < 4096
    for code in (strict, files):
        for number in (read, mmap):
            assert decide(code, machine.audit, number) == ALLOW
        for number in (execve, ptrace, plug, unlinkat, renameat2, fchmodat):
            assert decide(code, machine.audit, number) == REFUSE
        for number in (435, 425, 424, 1000, 0x40000000 + read):  # clone3, io_uring_setup, pidfd_send_signal, x32
            assert decide(code, machine.audit, number) == UNKNOWN
        assert decide(code, 0x40000003, read) == KILL  # 32 bits
        assert decide(code, machine.audit, clone, 0x3D0F00) == ALLOW  # as threads are made
        assert decide(code, machine.audit, clone, 17) == REFUSE
        assert decide(code, machine.audit, kill, 77, 9) == ALLOW
        assert decide(code, machine.audit, kill, 76, 9) == REFUSE
        assert decide(code, machine.audit, prlimit64, 0, 9, 0, 4096) == ALLOW
        assert decide(code, machine.audit, prlimit64, 0, 9, 4096, 0) == REFUSE
        assert decide(code, machine.audit, prlimit64, 0, 9, 1 << 32, 0) == REFUSE
        assert decide(code, machine.audit, prlimit64, 76, 9, 0, 4096) == REFUSE
        assert decide(code, machine.audit, openat, 0, 1, os.O_RDONLY | os.O_CLOEXEC) == ALLOW
    for flags in (os.O_WRONLY, os.O_RDWR, os.O_TRUNC, os.O_CREAT):
        assert decide(strict, machine.audit, openat, 0, 1, flags) == REFUSE
        assert decide(files, machine.audit, openat, 0, 1, flags) == ALLOW


def test_the_answer_is_no_pickle_and_costs_nothing(tmp_path: Path) -> None:
    """Ten bytes once took 2.1 GB: an answer is JSON, and no more of it is read than an answer has."""
    bombs = [b"\x80\x04\x8b\xff\xff\xff\x7f.", b"[" * 60_000, b'{"move": ' + b"9" * 60_000 + b"}", b"x" * 100_000]
    for bomb in bombs:
        text = f"\n\nBOMB = {bomb!r}\n\ndef attack():\n    send(struct.pack('!i', len(BOMB)) + BOMB)\n    return 0\n\n"
        text += (
            "def send(data):\n    for line in range(3, 64):\n        try:\n            os.write(line, data)\n"
            "        except OSError:\n            pass\n"
        )
        guard = guard_of(tmp_path, text)
        try:
            guard.begin(START, 0)
            with pytest.raises(PlayerError, match="sent something that is no answer"):
                guard.choose(START, Limit())
        finally:
            guard.close()
