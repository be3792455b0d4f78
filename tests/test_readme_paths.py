"""The README's first screen, followed line by line by somebody who has nothing yet: a fresh copy of the repository, an
empty home, and no `othellier` on the PATH until a line of the README puts it there.

Lines that set up an environment are not run here: it is put where they would make it, from packages that are there
already. With OTHELLIER_README=install they are run too, which needs a compiler, a package index and some minutes:

    OTHELLIER_README=install python -m pytest -o faulthandler_timeout=0 --noconftest tests/test_readme_paths.py
"""

import os
import re
import shutil
import signal
import subprocess
import sys
import sysconfig
from collections.abc import Iterator
from pathlib import Path
from typing import IO
from urllib.request import urlopen

import pytest

import waiting

ROOT = Path(__file__).parents[1]
INSTALLS = os.environ.get("OTHELLIER_README") == "install"
MAKE, PIP, PLAYER, TEACHER, AUTHOR = range(5)
"""The blocks of the first screen."""
SETUPS = ("python3 -m venv .venv", "python -m pip install .")
"""Lines that make an environment."""
SERVERS = ("make play", "othellier play")
"""Lines that serve the page until Ctrl-C."""
COMMAND = """
import sys
from othellier.__main__ import run

if __name__ == "__main__":
    sys.exit(run())
"""
"""The program `othellier`, as pip writes it."""
LIMIT = 2400 if INSTALLS else 300

pytestmark = [
    pytest.mark.skipif(os.name != "posix", reason="the lines are for a Unix shell"),
    pytest.mark.timeout(LIMIT),
]


def blocks(page: str, language: str = "sh") -> list[list[str]]:
    """Return the lines of a page's shell blocks, without their comments."""
    text = (ROOT / page).read_text(encoding="utf-8")
    found = re.findall(rf"^```{language}\n(.*?)^```", text, re.MULTILINE | re.DOTALL)
    return [[re.sub(r"\s+# .*", "", line) for line in block.splitlines()] for block in found]


def system_path() -> str:
    """Return the PATH of a machine without this project: the system's folders, and that of a Python to install with."""
    folders = ["/usr/local/bin", "/usr/bin", "/bin"]
    return os.pathsep.join(
        [sysconfig.get_path("scripts", vars={"base": sys.base_prefix}), *folders] if INSTALLS else folders
    )


def copy_repository(target: Path) -> None:
    """Copy what git would clone: the tracked files, with the changes that are not committed."""
    listed = subprocess.run(
        ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
        timeout=60,
    )
    for name in filter(None, listed.stdout.split("\0")):
        if (ROOT / name).is_file():
            (target / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(ROOT / name, target / name)


def furnish(clone: Path) -> None:
    """Make the environment that `make play` or pip would make, from the packages of the one that runs the tests."""
    environment = clone / ".venv"
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", environment], check=True, timeout=60)
    packages = next(environment.glob("lib/python*/site-packages"))
    own = sysconfig.get_path("purelib")
    (packages / "borrowed.pth").write_text(f"import site; site.addsitedir({own!r})\n", encoding="utf-8")
    command = environment / "bin" / "othellier"
    command.write_text(f"#!{environment}/bin/python\n{COMMAND}", encoding="utf-8")
    command.chmod(0o755)
    (environment / "game").touch()  # what `make play` takes for a finished set-up


class Shell:
    """A user's shell: each line is run as it stands, and must succeed."""

    def __init__(self, home: Path, folder: Path) -> None:
        lines, self._feed = os.pipe()
        loop = f'trap : INT; while IFS= read -r line <&{lines}; do eval "$line"; echo "<status $?>"; done'
        self._process = subprocess.Popen(
            ["bash", "--noprofile", "--norc", "-c", loop],
            cwd=folder,
            env={
                "HOME": str(home),
                "PATH": system_path(),
                "LANG": "C.UTF-8",
                "BROWSER": "true",
                "PYTHONUNBUFFERED": "1",
                **{name: value for name, value in os.environ.items() if name.startswith("PIP_")},
            },
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            bufsize=0,
            pass_fds=[lines],
            start_new_session=True,
        )
        os.close(lines)

    @property
    def _out(self) -> IO[bytes]:
        assert self._process.stdout is not None
        return self._process.stdout

    def status(self, line: str) -> tuple[int, str]:
        """Run a line and return its status and what it printed."""
        self._type(line)
        return self._end(line, "")

    def run(self, line: str) -> str:
        """Run a line that must succeed."""
        status, text = self.status(line)
        assert status == 0, f"{line}: status {status}\n{text}"
        return text

    def serve(self, line: str) -> str:
        """Run a line that serves the page, fetch the page, and end the server as Ctrl-C does."""
        self._type(line)
        text = ""
        while not (found := re.search(r"http://\S+", text)):
            text += (heard := waiting.hear_line(self._out, f"the address of {line}").decode())
            assert heard, f"{line}: {text}"
            assert "<status" not in heard, f"{line}: {text}"
        with urlopen(found[0], timeout=waiting.LIMIT) as answer:
            page: str = answer.read().decode()
        os.killpg(self._process.pid, signal.SIGINT)
        status, text = self._end(line, text)
        assert status in (0, 130), f"{line}: status {status}\n{text}"
        assert "Traceback" not in text
        return page

    def _type(self, line: str) -> None:
        os.write(self._feed, f"{line}\n".encode())

    def _end(self, line: str, text: str) -> tuple[int, str]:
        while not (found := re.search(r"^<status (\d+)>\n", text, re.MULTILINE)):
            text += (heard := waiting.hear_line(self._out, f"the end of {line}").decode())
            assert heard, f"the shell ended at {line}: {text}"
        return int(found[1]), text[: found.start()]

    def close(self) -> None:
        """End the shell and whatever it still runs."""
        os.close(self._feed)
        try:
            self._process.wait(5)
        except subprocess.TimeoutExpired:
            os.killpg(self._process.pid, signal.SIGKILL)
            self._process.wait(waiting.LIMIT)
        self._out.close()


@pytest.fixture
def shell(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Shell]:
    """A shell in a fresh copy of the repository."""
    if INSTALLS:
        monkeypatch.setattr(waiting, "LIMIT", float(LIMIT))
    (tmp_path / "home").mkdir()
    copy_repository(tmp_path / "othellier")
    if not INSTALLS:
        furnish(tmp_path / "othellier")
    shell = Shell(tmp_path / "home", tmp_path / "othellier")
    assert shell.status("command -v othellier")[0] == 1, "it is on the PATH already"
    yield shell
    shell.close()


def follow(shell: Shell, *parts: int) -> dict[str, str]:
    """Type all lines of some blocks of the README and return what each printed."""
    printed = {}
    for line in (line for part in parts for line in blocks("README.md")[part]):
        if line in SERVERS:
            printed[line] = shell.serve(line)
        elif INSTALLS or line not in SETUPS:
            printed[line] = shell.run(line)
    assert shell.run("command -v othellier").endswith("othellier/.venv/bin/othellier\n")
    return printed


def test_the_lines_for_players(shell: Shell) -> None:
    printed = follow(shell, MAKE, PLAYER)
    assert "<title>Othellier" in printed["make play"]
    assert "<title>Othellier" in printed["othellier play"]
    assert "black to move" in printed["othellier play --terminal"]
    assert "accuracy" in next(text for line, text in printed.items() if line.startswith("othellier analyze"))


def test_the_lines_for_students_and_teachers(shell: Shell, tmp_path: Path) -> None:
    follow(shell, PIP, TEACHER)
    clone = tmp_path / "othellier"
    assert "<!doctype html>" in (clone / "tree.html").read_text(encoding="utf-8")
    assert "def minimax(" in (clone / "solution.py").read_text(encoding="utf-8")
    assert "patience" in (clone / "out" / "report.html").read_text(encoding="utf-8")


def test_the_lines_for_engine_authors(shell: Shell) -> None:
    played, leaves, found = list(follow(shell, PIP, AUTHOR).values())[-3:]
    assert "of 10 games" in played
    assert "discs a game" in played
    assert "error" not in played
    assert leaves.startswith("24,571,284 leaves at depth 10")
    assert "depth=12" in found


def test_paths_have_three_lines_and_readmes_one_screen() -> None:
    for page in ("README.md", "README.fr.md"):
        assert [len(block) for block in blocks(page)[PLAYER : AUTHOR + 1]] == [3, 3, 3]
        assert len((ROOT / page).read_text(encoding="utf-8").split()) < 900


def test_both_languages_have_the_same_lines() -> None:
    own = {"arbre.html": "tree.html", "resultats": "out", " --language fr": ""}
    for french, english in zip(blocks("README.fr.md"), blocks("README.md"), strict=True):
        text = "\n".join(french)
        for word, other in own.items():
            text = text.replace(word, other)
        assert text.splitlines() == english


@pytest.mark.parametrize("page", ["docs/install.md", "docs/install.fr.md"])
def test_the_install_page_has_the_lines_of_the_readme(page: str) -> None:
    make, pip = blocks("README.md")[MAKE : PIP + 1]
    assert blocks(page)[:2] == [make, [*pip, "othellier play"]]


@pytest.mark.parametrize("page", ["install", "shell", "teaching"])
def test_pages_say_where_the_command_lies(page: str) -> None:
    for ending in (".md", ".fr.md"):
        text = (ROOT / "docs" / (page + ending)).read_text(encoding="utf-8")
        assert "source .venv/bin/activate" in text
        assert ".venv/bin" in text.replace("source .venv/bin/activate", "")
