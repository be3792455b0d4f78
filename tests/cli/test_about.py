"""`version`, `players`, `perft`, and what all commands share: JSON, exit statuses, errors in one line."""

import json
import os
import shlex
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from othellier.cli import app, main
from othellier.errors import MissingExtra, PlayerError, install_command
from othellier.terminal.output import board_style, console, progress
from waiting import LIMIT

COMMAND = [sys.executable, "-m", "othellier"]


def run(*arguments: str, status: int = 0) -> None:
    assert main(arguments) == status


def test_version(capsys: pytest.CaptureFixture[str]) -> None:
    run("version")
    assert capsys.readouterr().out.startswith("othellier ")
    run("version", "--json")
    facts = json.loads(capsys.readouterr().out)
    assert set(facts) == {"version", "revision", "core", "python"}
    assert facts["python"] == ".".join(map(str, sys.version_info[:3]))


def test_what_installs_an_extra_names_the_python_that_runs(monkeypatch: pytest.MonkeyPatch) -> None:
    """The pip on the PATH may belong to another environment, and the package may have no name on any index."""
    monkeypatch.setattr(sys, "executable", "/some where/.venv/bin/python")
    command = shlex.split(install_command("notebooks"))
    assert command[:4] == ["/some where/.venv/bin/python", "-m", "pip", "install"]
    assert [requirement.partition(">")[0] for requirement in command[4:]] == ["jupyterlab", "matplotlib"]
    assert str(MissingExtra("the laboratory", "lab")).startswith("the laboratory needs the extra lab: '/some where/")


def test_notebooks_say_how_to_work_in_them(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    run("notebooks", str(tmp_path))
    last = capsys.readouterr().out.splitlines()[-1]
    assert f"{shlex.quote(sys.executable)} -m pip install 'jupyterlab>=" in last
    assert last.endswith(f"{shlex.quote(sys.executable)} -m jupyterlab {tmp_path}")


def test_players(capsys: pytest.CaptureFixture[str], complaint: Callable[..., str]) -> None:
    run("players")
    names = [line.split()[0] for line in capsys.readouterr().out.splitlines()]
    assert names == sorted(names)
    assert {"human", "random", "pvs"} <= set(names)
    run("players", "random")
    assert "  seed=          a whole number; for random choices" in capsys.readouterr().out
    run("players", "pvs")
    assert "  killer=        yes or no (no unless given); try moves first that cut off" in capsys.readouterr().out
    run("players", "--json")
    players = {line["name"]: line for line in map(json.loads, capsys.readouterr().out.splitlines())}
    assert players["random"]["options"] == {"seed": None}
    assert complaint("players", "nobody") == "there is no player 'nobody', see othellier players"


@pytest.mark.parametrize(
    ("arguments", "size", "leaves"),
    [(["--depth", "6"], "8", 8200), (["--depth", "6", "--size", "6"], "6", 7604), (["--depth", "0"], "8", 1)],
)
@pytest.mark.parametrize("python", [[], ["--python"]])
def test_perft(
    capsys: pytest.CaptureFixture[str], arguments: list[str], size: str, leaves: int, python: list[str]
) -> None:
    run("perft", *arguments, *python, "--json")
    counted = json.loads(capsys.readouterr().out)
    assert (counted["size"], counted["depth"], counted["leaves"]) == (size, int(arguments[1]), leaves)
    assert counted["seconds"] >= 0
    run("perft", *arguments, *python)
    assert f"{leaves:,} leaves" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (
            ["perft", "--depth", "3", "--size", "5"],
            "Invalid value for '--size': size 5x5: sides are even, from 4 to 12",
        ),
        (["perft", "--depth", "-1"], "Invalid value for '--depth'"),
        (["perft"], "Missing option '--depth'"),
        (["prft"], "No such command 'prft'. Did you mean 'perft'?"),
        (["version", "--jsn"], "No such option: --jsn"),
    ],
)
def test_wrong_usage_is_one_line(complaint: Callable[..., str], arguments: list[str], words: str) -> None:
    assert complaint(*arguments).startswith(words)


@pytest.mark.parametrize(
    ("error", "words"),
    [
        (PlayerError("it said\nnothing"), "it said nothing"),
        (FileNotFoundError(2, "No such file", "games.ggf"), "games.ggf: no such file"),
        (OSError("strange"), "strange"),
        (MemoryError(), "out of memory"),
        (KeyError("lost"), "this is a bug, please report it: KeyError: 'lost'"),
    ],
)
def test_errors_are_one_line(
    complaint: Callable[..., str], monkeypatch: pytest.MonkeyPatch, error: Exception, words: str
) -> None:
    monkeypatch.setattr("othellier.players.registered", lambda: (_ for _ in ()).throw(error))
    assert complaint("players") == words


def test_ctrl_c_is_130(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("othellier.players.registered", lambda: (_ for _ in ()).throw(KeyboardInterrupt))
    run("players", status=130)
    assert capsys.readouterr() == ("", "othellier: interrupted\n")


def test_a_reader_that_leaves_is_no_error() -> None:
    """The pipe is closed before anything is written to it."""
    reader, writer = os.pipe()
    os.close(reader)
    done = subprocess.run(
        [*COMMAND, "version", "--json"], stdout=writer, stderr=subprocess.PIPE, check=False, timeout=LIMIT
    )
    os.close(writer)
    assert done.stderr == b""
    assert done.returncode in (0, 1)


def test_a_full_disk_is_one_line() -> None:
    with Path("/dev/full").open("w") as full:
        done = subprocess.run([*COMMAND, "version"], stdout=full, stderr=subprocess.PIPE, check=False, timeout=LIMIT)
    assert done.stderr == b"othellier: no space left on device\n"
    assert done.returncode == 2


def test_closed_streams_are_no_error() -> None:
    command = f"{shlex.join([*COMMAND, 'play', '--terminal', '--white', 'human'])} <&- >&-"
    done = subprocess.run(["sh", "-c", command], stderr=subprocess.PIPE, check=False, timeout=LIMIT)
    assert (done.returncode, done.stderr) == (0, b"")


def test_old_terminals_get_letters() -> None:
    environment = {**os.environ, "PYTHONIOENCODING": "ascii", "PYTHONUTF8": "0"}
    done = subprocess.run([*COMMAND, "show", "F5"], env=environment, capture_output=True, check=True, timeout=LIMIT)
    assert b"5 . . . X X(X). ." in done.stdout
    french = [*COMMAND, "--language", "fr", "solve", "--size", "7"]
    failed = subprocess.run(french, env=environment, capture_output=True, check=False, timeout=LIMIT)
    assert b"les cotes sont pairs, de 4 a 12" in failed.stderr  # without accents rather than as numbers


HEAVY = ["numpy", "torch", "rich.console", "othellier.games.game", "othellier.players"]


def heavy_after(code: str) -> str:
    """What a program prints, and then what it has imported that takes long."""
    code = f"import sys, othellier.cli; {code}; print([name for name in {HEAVY} if name in sys.modules])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, timeout=LIMIT)
    return done.stdout.strip()


def test_starting_up_imports_nothing_heavy() -> None:
    assert heavy_after("othellier.cli") == "[]"
    version, heavy = heavy_after("othellier.cli.main(['--version'])").splitlines()
    assert version.startswith("othellier ")
    assert heavy == "[]"


@pytest.mark.parametrize(
    ("environment", "style"),
    [
        ({"TERM": "xterm", "COLORTERM": "truecolor", "FORCE_COLOR": "1"}, "truecolor"),
        ({"TERM": "xterm-256color", "FORCE_COLOR": "1"}, "color"),
        ({"TERM": "xterm-256color", "FORCE_COLOR": "1", "NO_COLOR": "1"}, "unicode"),
        ({"TERM": "dumb"}, "unicode"),
    ],
)
def test_boards_are_drawn_as_the_terminal_can(
    monkeypatch: pytest.MonkeyPatch, environment: dict[str, str], style: str
) -> None:
    for name in ("TERM", "COLORTERM", "FORCE_COLOR", "NO_COLOR"):
        monkeypatch.delenv(name, raising=False)
    for name, value in environment.items():
        monkeypatch.setenv(name, value)
    console.cache_clear()
    assert board_style() == style
    console.cache_clear()


def test_progress_is_silent_where_nobody_looks(capsys: pytest.CaptureFixture[str]) -> None:
    with progress("working", total=2) as advance:
        advance(1)
    assert capsys.readouterr() == ("", "")


def test_progress_shows_on_a_terminal(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True)
    with progress("working", total=2) as advance:
        advance(2)
    out, err = capsys.readouterr()
    assert out == ""
    assert "working" in err


def test_every_command_is_explained() -> None:
    groups = [group.typer_instance for group in app.registered_groups]
    commands = [command for group in groups if group is not None for command in group.registered_commands]
    assert commands
    assert all(command.callback is not None and command.callback.__doc__ for command in commands)
