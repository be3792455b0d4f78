"""What differs from one operating system to another."""

import os
import pkgutil
import subprocess
import sys
import time
from pathlib import Path

import pytest

import othellier
from othellier.base.system import APART, cores, kill_all, lock

SECONDS = 120
posix = pytest.mark.skipif(os.name != "posix", reason="asks about processes as Unix does")


def test_there_is_a_core() -> None:
    assert 1 <= cores() <= 4096


def test_a_file_is_locked_once(tmp_path: Path) -> None:
    path = tmp_path / "file"
    with path.open("w") as first, path.open("w") as second:
        assert lock(first)
        assert not lock(second)
        assert not lock(second, 0.1)
        first.close()
        assert lock(second)


def test_whoever_waits_for_a_lock_gets_it(tmp_path: Path) -> None:
    path = tmp_path / "file"
    code = (
        "import sys; from othellier.base.system import lock; f = open(sys.argv[1], 'a'); print(lock(f, 60), flush=True)"
    )
    with path.open("a") as ours:
        assert lock(ours)
        with subprocess.Popen([sys.executable, "-c", code, str(path)], stdout=subprocess.PIPE) as other:
            ours.close()
            assert other.communicate(timeout=SECONDS)[0].strip() == b"True"


@posix
def test_a_process_is_killed_with_all_it_started() -> None:
    code = (
        "import subprocess, sys, time\n"
        "child = subprocess.Popen([sys.executable, '-c', 'import time; time.sleep(600)'])\n"
        "print(child.pid, flush=True); time.sleep(600)"
    )
    with subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, **APART) as process:
        assert process.stdout is not None
        child = int(process.stdout.readline())
        kill_all(process)
        process.wait(SECONDS)
    end = time.monotonic() + SECONDS
    while is_running(child):
        assert time.monotonic() < end, f"process {child} goes on"
        time.sleep(0.01)
    kill_all(process)  # once more does no harm


def is_running(pid: int) -> bool:
    """Not so if it waits for nothing but its parent to notice its end."""
    try:
        state = subprocess.run(["ps", "-o", "stat=", "-p", str(pid)], capture_output=True, text=True, check=False)
    except OSError:
        pytest.skip("there is no ps")
    return state.stdout.strip()[:1] not in ("", "Z")


def test_every_module_is_imported_without_what_only_unix_has() -> None:
    """Not Windows itself, but what it lacks: modules and functions of POSIX."""
    modules = [
        module.name
        for module in pkgutil.walk_packages(othellier.__path__, "othellier.")
        if module.name.rpartition(".")[2] not in ("__main__", "_core")
        and not module.name.startswith("othellier.learn.")
    ]
    code = (
        "import importlib, os, select, signal, sys\n"
        "import asyncio, concurrent.futures.process, multiprocessing.connection, subprocess, uvicorn, uvicorn.server\n"
        "for name in ('fcntl', 'grp', 'pwd', 'resource', 'termios', 'tty', 'pty'):\n"
        "    sys.modules[name] = None\n"
        "for place, name in ((os, 'killpg'), (os, 'setsid'), (os, 'sched_getaffinity'), (os, 'nice'),\n"
        "                    (select, 'poll'), (signal, 'SIGKILL'), (signal, 'SIGHUP')):\n"
        "    delattr(place, name) if hasattr(place, name) else None\n"
        "for name in sys.argv[1:]:\n"
        "    importlib.import_module(name)\n"
        "print(len(sys.argv) - 1)"
    )
    done = subprocess.run(
        [sys.executable, "-c", code, *modules], capture_output=True, text=True, timeout=SECONDS, check=False
    )
    assert done.returncode == 0, done.stderr
    assert int(done.stdout) > 100
