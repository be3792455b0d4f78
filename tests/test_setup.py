"""`make` from a fresh clone: which Python it takes, what it says is missing, what it repairs."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
SCRIPT = ROOT / "scripts" / "environment.sh"
TOOLS = ("basename", "cat", "chmod", "mkdir", "rm", "sh")
SECONDS = 120

pytestmark = pytest.mark.skipif(os.name != "posix", reason="Make and sh are for Unix")


@pytest.fixture
def machine(tmp_path: Path) -> Path:
    """A machine with a shell and no Python at all: its folder of programs."""
    programs = tmp_path / "bin"
    programs.mkdir()
    for tool in TOOLS:
        (programs / tool).symlink_to(shutil.which(tool) or tool)
    return programs


def add_python(programs: Path, name: str, version: tuple[int, int], *, complete: bool = True) -> None:
    """A program that answers as a Python of this version would; to `-m venv` it makes a folder that runs."""
    program = programs / name
    program.write_text(
        "#!/bin/sh\n"
        'case "$*" in\n'
        f'*"(3, 11)"*) exit {int(version < (3, 11))} ;;\n'
        f"*ensurepip*) exit {int(not complete)} ;;\n"
        f"*version_info*) echo {version[0]}.{version[1]} ;;\n"
        f'"-m venv .venv") mkdir -p .venv/bin; echo {name} > .venv/made-by; cat "$0" > .venv/bin/python;\n'
        "  chmod +x .venv/bin/python ;;\n"
        "esac\n",
        encoding="utf-8",
    )
    program.chmod(0o755)


def set_up(programs: Path, **variables: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        ["sh", str(SCRIPT)],
        cwd=programs.parent,
        env={"PATH": str(programs), **variables},
        capture_output=True,
        text=True,
        timeout=SECONDS,
        check=False,
    )


def maker(programs: Path) -> str:
    return (programs.parent / ".venv" / "made-by").read_text(encoding="utf-8").strip()


def test_the_newest_python_is_taken(machine: Path) -> None:
    for minor in (10, 11, 13, 12):
        add_python(machine, f"python3.{minor}", (3, minor))
    add_python(machine, "python3", (3, 11))
    done = set_up(machine)
    assert (done.returncode, done.stdout + done.stderr) == (0, "")
    assert maker(machine) == "python3.13"


def test_a_python_without_a_number_will_do(machine: Path) -> None:
    add_python(machine, "python3", (3, 15))
    assert set_up(machine).returncode == 0
    assert maker(machine) == "python3"


def test_one_can_choose(machine: Path) -> None:
    for minor in (11, 13):
        add_python(machine, f"python3.{minor}", (3, minor))
    assert set_up(machine, PYTHON="python3.11").returncode == 0
    assert maker(machine) == "python3.11"


def test_a_name_that_does_not_run_is_passed_over(machine: Path) -> None:
    """As the names that pyenv puts on the path for versions that are not chosen."""
    (machine / "python3.14").write_text("#!/bin/sh\necho 'pyenv: python3.14: command not found' >&2\nexit 127\n")
    (machine / "python3.14").chmod(0o755)
    add_python(machine, "python3.12", (3, 12))
    done = set_up(machine)
    assert (done.returncode, done.stderr) == (0, "")
    assert maker(machine) == "python3.12"


def test_a_python_with_venv_goes_before_a_newer_one_without(machine: Path) -> None:
    add_python(machine, "python3.13", (3, 13), complete=False)
    add_python(machine, "python3.11", (3, 11))
    assert set_up(machine).returncode == 0
    assert maker(machine) == "python3.11"


@pytest.mark.parametrize(
    ("pythons", "words"),
    [
        ({}, "Python 3.11 or newer is needed and not here"),
        ({"python3": ((3, 10), True)}, "Python 3.11 or newer is needed and here is 3.10"),
        ({"python3.12": ((3, 12), False)}, "apt install python3.12-venv"),
    ],
)
def test_what_is_missing_is_said_in_one_line(
    machine: Path, pythons: dict[str, tuple[tuple[int, int], bool]], words: str
) -> None:
    for name, (version, complete) in pythons.items():
        add_python(machine, name, version, complete=complete)
    done = set_up(machine)
    assert done.returncode == 1
    assert done.stdout == ""
    assert len(done.stderr.splitlines()) == 1
    assert words in done.stderr
    assert "get it with" in done.stderr
    assert not (machine.parent / ".venv").exists()


def test_a_half_made_environment_is_made_anew(machine: Path) -> None:
    add_python(machine, "python3.12", (3, 12))
    half = machine.parent / ".venv"
    (half / "bin").mkdir(parents=True)
    (half / "bin" / "python").symlink_to(machine / "python-that-was-removed")
    (half / "left-over").touch()
    assert set_up(machine).returncode == 0
    assert maker(machine) == "python3.12"
    assert not (half / "left-over").exists()


def test_a_whole_environment_is_left_alone(machine: Path) -> None:
    (machine.parent / ".venv" / "bin").mkdir(parents=True)
    (machine.parent / ".venv" / "bin" / "python").symlink_to(sys.executable)
    done = set_up(machine)  # there is no other Python that it could be made of
    assert (done.returncode, done.stderr) == (0, "")


def make(*arguments: str) -> str:
    done = subprocess.run(["make", *arguments], cwd=ROOT, capture_output=True, text=True, timeout=SECONDS, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_make_alone_lists_the_targets() -> None:
    lines = make("--no-print-directory").splitlines()
    named = {line.split()[1] for line in lines}
    text = (ROOT / "Makefile").read_text(encoding="utf-8")
    phony = next(line for line in text.splitlines() if line.startswith(".PHONY:"))
    assert named == set(phony.split()[1:]) - {"help", "FORCE"}
    assert all(len(line) <= 120 and len(line.split()) > 3 for line in lines)


@pytest.mark.parametrize("compiler", ["g++", ""])
@pytest.mark.parametrize("target", [".venv/game", ".venv/core"])
def test_what_make_would_run_is_whole(target: str, compiler: str) -> None:
    told = subprocess.run(
        ["make", "-n", "-B", target, f"COMPILER={compiler}"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=SECONDS,
        check=True,
    )
    read = subprocess.run(["sh", "-n"], input=told.stdout, capture_output=True, text=True, timeout=SECONDS, check=False)
    assert read.stderr == ""
    assert "pip" in told.stdout
