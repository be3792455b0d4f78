"""Files of the working folder that are named like modules of Python: no process that we start imports them."""

import subprocess
import sys
import textwrap
from pathlib import Path

import pytest

from waiting import LIMIT

MODULES = ("json", "pickle", "queue", "random", "socket", "statistics", "struct", "tempfile", "textwrap", "threading")
"""Imported by everything that starts a process, or by what is started."""

TRAP = "from pathlib import Path\nPath(__file__).with_name('executed').touch()\nraise SystemExit('of the folder')\n"

GAME = (
    "from othellier.rules import native\nfrom othellier.arena.guard import Guard\n"
    "from othellier.games.results import Limit\n"
    "guard = Guard('players/ann.py:*', memory={memory})\nguard.begin(native.start(4), 0)\n"
    "print(guard.choose(native.start(4), Limit()).move)\nguard.close()\n"
)
CREW = (
    "from othellier.base.jobs import Crew\n"
    "with Crew({where!r}, jobs=2) as crew:\n    print(sorted(result for _, result in crew.map(abs, [-2, 3])))\n"
)
HELPER = (
    "from othellier.page.study.helper_process import Helper\nhelper = Helper()\n"
    "print(*helper.ask(map, abs, [-2]))\nhelper.close()\n"
)
PROCESSES = {
    "a player": GAME.format(memory=None),
    "a player of a class": GAME.format(memory=256),
    "a check of the course": (
        "from pathlib import Path\nfrom othellier.course import check_solution, find_tasks\n"
        "tasks = [task for task in find_tasks() if task.name == 'ucb1']\n"
        "(report,) = check_solution(Path('solution.py'), tasks)\n"
        "assert report.words.startswith('ucb1('), report\n"
    ),
    "workers": CREW.format(where="processes"),
    "workers of dask": CREW.format(where="dask"),
    "the server's helper": HELPER,
}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for name in MODULES:
        (tmp_path / f"{name}.py").write_text(TRAP)
    (tmp_path / "players").mkdir()
    (tmp_path / "players" / "ann.py").write_text("def choose(position):\n    return position.moves()[0]\n")
    (tmp_path / "solution.py").write_text("def ucb1(*numbers):\n    return -1\n")
    return tmp_path


def run(code: str, folder: Path) -> subprocess.CompletedProcess[str]:
    """A script that lies elsewhere, as the command does: the working folder is not on its own path."""
    script = folder / "elsewhere" / "script.py"
    script.parent.mkdir()
    script.write_text(f"if __name__ == '__main__':\n{textwrap.indent(code, '    ')}")
    command = [sys.executable, str(script)]
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=LIMIT, check=False)


@pytest.mark.parametrize("what", PROCESSES)
def test_a_process_does_not_import_from_the_working_folder(what: str, folder: Path) -> None:
    if what == "workers of dask":
        pytest.importorskip("distributed")
    done = run(PROCESSES[what], folder)
    assert done.returncode == 0, done.stderr
    assert not (folder / "executed").exists()


def test_the_command_does_not_import_from_the_working_folder(folder: Path) -> None:
    command = [sys.executable, "-m", "othellier", "show", "f5"]
    for name in ("json", "random", "statistics", "tempfile", "textwrap"):  # Python itself looks for the others by then
        assert (folder / f"{name}.py").exists()
    for name in ("pickle", "queue", "socket", "struct", "threading"):
        (folder / f"{name}.py").unlink()
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=LIMIT, check=False)
    assert done.returncode == 0, done.stderr
    assert not (folder / "executed").exists()


def test_programs_that_workers_start_have_the_environment_of_the_user(folder: Path) -> None:
    """An engine written in Python finds what lies beside it."""
    code = (
        "import os\nfrom othellier.base.jobs import Crew\nwith Crew('processes', jobs=2) as crew:\n"
        "    print([found for _, found in crew.map(os.getenv, ['PYTHONSAFEPATH', 'NO_SUCH_NAME'])])\n"
    )
    done = run(code, folder)
    assert done.stdout == "[None, None]\n", done.stderr
