"""Manners of the command line: greeting, version, standard input, progress beside results, languages, width."""

import io
import json
import os
import re
import subprocess
import sys
import tomllib
from collections.abc import Callable
from pathlib import Path
from types import ModuleType

import pytest

from othellier import __main__ as start
from othellier.cli import main, welcome
from othellier.engine import levels
from othellier.messages import language
from othellier.messages.languages import languages
from othellier.terminal.output import INTERRUPTED, console
from waiting import LIMIT

COMMAND = [sys.executable, "-m", "othellier"]
ENDGAMES = [
    "XXXXXX---XOXOOO-XOXXXOOO-OXXOOO-OOOOOXX-OOOOOXXOOXXXXXX-X----XXX X",
    "XXXXXXXOXOXOOOOOXOXXXOOOOOXXOOOOOOOOOXX-OOOOOXXOOXXXXXX-X----XXX X",
]


def run(*arguments: str) -> None:
    assert main(arguments) == 0


@pytest.fixture(autouse=True)
def english(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("LC_ALL", "LC_MESSAGES", "LANG"):
        monkeypatch.delenv(name, raising=False)
    console.cache_clear()


# -- newcomers


def test_without_a_command_one_is_greeted(capsys: pytest.CaptureFixture[str]) -> None:
    run()
    out = capsys.readouterr().out
    assert out.startswith(f"{welcome.HELLO}\n")
    assert len(re.findall(r"^  othellier ", out, re.MULTILINE)) == 5
    assert "Traceback" not in out


@pytest.mark.parametrize("columns", ["40", "80"])
def test_the_greeting_fits_the_terminal(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, columns: str
) -> None:
    monkeypatch.setenv("COLUMNS", columns)
    monkeypatch.setattr(sys.stdout, "isatty", lambda: True)
    for code in languages():
        run("--language", code)
        assert max(map(len, capsys.readouterr().out.splitlines())) <= int(columns)


@pytest.mark.parametrize(
    "words",
    [
        "players",
        "lab --list",
        "course",
        "puzzles",
        "openings names heath",
        "book query f5d6",
        "evaluate --size 8 --depth 2",
        "analyze f5f6e6f4g6 --level 2/2",
        "match random:seed=1 random:seed=2 --games 2 --size 4 --openings start --jobs 1",
    ],
)
def test_results_fit_a_narrow_terminal(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, words: str
) -> None:
    """Broken between words; in a pipe no line is broken."""
    run(*words.split())
    piped = capsys.readouterr().out
    assert max(map(len, piped.splitlines())) > 40
    monkeypatch.setenv("COLUMNS", "40")
    monkeypatch.setattr(sys.stdout, "isatty", lambda: True)
    run(*words.split())
    shown = capsys.readouterr().out
    assert max(map(len, shown.splitlines())) <= 40
    if not words.startswith("match"):  # which tells times
        assert re.sub(r"[\d.]+ s ", "", " ".join(piped.split())) == re.sub(r"[\d.]+ s ", "", " ".join(shown.split()))


def test_the_deeds_of_the_greeting_are_commands(capsys: pytest.CaptureFixture[str]) -> None:
    for command, _ in welcome.DEEDS:
        run(command.split()[1], "--help")
    assert capsys.readouterr().out


def test_version_with_its_revision(capsys: pytest.CaptureFixture[str]) -> None:
    run("--version")
    line = capsys.readouterr().out
    assert re.fullmatch(r"othellier \d+\.\d+\.\d+( \([0-9a-f]{10}\))?\n", line)
    run("version")
    assert capsys.readouterr().out.startswith(line)


def test_levels(capsys: pytest.CaptureFixture[str]) -> None:
    run("levels", "--json")
    found = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [line["name"] for line in found] == list(levels.LEVELS)
    assert all(set(line) == {"name", "player", "rating"} for line in found)
    run("levels")
    lines = capsys.readouterr().out.splitlines()
    assert [line.split()[0] for line in lines] == list(levels.LEVELS)


@pytest.mark.parametrize(("shell", "words"), [("bash", "othellier an"), ("zsh", "othellier an"), ("fish", "an")])
def test_shells_complete_commands(shell: str, words: str) -> None:
    environment = {
        **os.environ,
        "_OTHELLIER_COMPLETE": f"complete_{shell}",
        "COMP_WORDS": words,
        "COMP_CWORD": "1",
        "_TYPER_COMPLETE_ARGS": words,
        "_TYPER_COMPLETE_FISH_ACTION": "get-args",
    }
    program = Path(sys.executable).with_name("othellier")
    done = subprocess.run([program], env=environment, capture_output=True, text=True, timeout=LIMIT, check=False)
    assert "analyze" in done.stdout, done.stderr


# -- languages


def test_french_by_option(capsys: pytest.CaptureFixture[str]) -> None:
    run("--language", "fr")
    french = capsys.readouterr().out
    run("--language=fr", "--help")
    help_text = capsys.readouterr().out
    assert "Othellier : " in french
    assert "Jouer" in help_text
    run("--language", "en")
    assert capsys.readouterr().out.startswith(welcome.HELLO)


@pytest.mark.parametrize(
    ("variable", "value", "code"),
    [("LANG", "fr_FR.UTF-8", "fr"), ("LC_ALL", "fr", "fr"), ("LANG", "C", "en"), ("LANG", "de_DE.UTF-8", "en")],
)
def test_french_by_locale(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], variable: str, value: str, code: str
) -> None:
    monkeypatch.setenv(variable, value)
    run()
    assert language.language() == code
    assert capsys.readouterr().out.startswith("Othellier : " if code == "fr" else "Othellier: ")


def test_of_several_languages_the_first_variable_counts(monkeypatch: pytest.MonkeyPatch) -> None:
    for values, code in (
        ({"LC_ALL": "fr_FR", "LC_MESSAGES": "en_GB", "LANG": "en_GB"}, "fr"),
        ({"LC_ALL": "", "LC_MESSAGES": "fr_FR", "LANG": "en_GB"}, "fr"),
        ({"LC_ALL": "C", "LC_MESSAGES": "fr_FR", "LANG": "fr_FR"}, "en"),
    ):
        for name, value in values.items():
            monkeypatch.setenv(name, value)
        run("version")
        assert language.language() == code


def test_no_such_language(complaint: Callable[..., str]) -> None:
    assert complaint("--language", "xx", "levels") == "there is no language 'xx': there are en, fr"


# -- standard input


def feed(monkeypatch: pytest.MonkeyPatch, data: bytes) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(data)))


def test_a_record_from_standard_input(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    feed(monkeypatch, b"F5D6C3\n")
    run("show", "-", "--json")
    assert json.loads(capsys.readouterr().out)["moves"] == "F5D6C3"
    feed(monkeypatch, b"F5D6C3\n")
    run("analyze", "-", "--depth", "1", "--json")
    assert len(capsys.readouterr().out.splitlines()) == 3
    feed(monkeypatch, f"{ENDGAMES[1]}\n".encode())
    run("solve", "--obf", "-", "--json")
    assert json.loads(capsys.readouterr().out)["exact"]
    feed(monkeypatch, b"F5D6C3\n")
    run("convert", "-", str(tmp_path / "game.sgf"))
    assert "F5" in (tmp_path / "game.sgf").read_text(encoding="utf-8").upper()


def test_nothing_on_standard_input_is_told(monkeypatch: pytest.MonkeyPatch, complaint: Callable[..., str]) -> None:
    feed(monkeypatch, b"")
    assert complaint("show", "-") == "standard input: is empty"


# -- results and progress


def screen(data: str) -> list[str]:
    """What a terminal shows in the end, as far as rich needs it: returns, erased lines, the cursor up and down."""
    lines, row, column = [""], 0, 0
    for token in re.findall(r"\x1b\[[0-9;?]*[A-Za-z]|\r|\n|[^\x1b\r\n]+", data):
        if token == "\n":
            row += 1
            lines += [""] * (row + 1 - len(lines))
            column = 0
        elif token == "\r":
            column = 0
        elif token.startswith("\x1b["):
            count = int(re.sub(r"\D", "", token[2:-1]) or 1)
            if token.endswith("K"):
                lines[row] = ""
            elif token.endswith("A"):
                row = max(0, row - count)
        else:
            lines[row] = lines[row][:column].ljust(column) + token + lines[row][column + len(token) :]
            column += len(token)
    return [line.rstrip() for line in lines]


@pytest.mark.skipif(os.name != "posix", reason="terminals of Unix")
@pytest.mark.parametrize("to_file", [False, True])
def test_rows_and_progress_do_not_mix(tmp_path: Path, to_file: bool) -> None:
    """Rows stood on the line of the progress bar once, and with standard output in a file went to the terminal."""
    import pty

    suite, out = tmp_path / "suite.obf", tmp_path / "out"
    suite.write_text("".join(f"{board};\n" for board in ENDGAMES), encoding="utf-8")
    ours, theirs = pty.openpty()
    environment = {**os.environ, "TERM": "xterm", "COLUMNS": "120", "LANG": "C.UTF-8"}
    with out.open("wb") as file:
        process = subprocess.Popen(
            [*COMMAND, "solve", "--obf", str(suite)], stdout=file if to_file else theirs, stderr=theirs, env=environment
        )
        os.close(theirs)
        shown = b""
        while True:
            try:
                piece = os.read(ours, 65536)
            except OSError:
                break
            if not piece:
                break
            shown += piece
        assert process.wait(LIMIT) == 0
    os.close(ours)
    lines = screen(shown.decode("utf-8"))
    rows = out.read_text(encoding="utf-8").splitlines() if to_file else lines
    assert [line[:13] for line in rows if " empty " in line] == ["  0  12 empty", "  1   6 empty"]
    if to_file:
        assert not any(" empty " in line for line in lines)


def test_ctrl_c_ends_a_command_that_is_still_being_loaded(monkeypatch: pytest.MonkeyPatch) -> None:
    class Loading(ModuleType):
        def __getattr__(self, name: str) -> object:
            raise KeyboardInterrupt

    monkeypatch.setitem(sys.modules, "othellier.cli", Loading("othellier.cli"))
    assert start.run() == INTERRUPTED
    scripts = tomllib.loads((Path(__file__).parents[2] / "pyproject.toml").read_text("utf-8"))["project"]["scripts"]
    assert scripts == {"othellier": f"{start.__name__}:run"}


@pytest.mark.skipif(os.name != "posix", reason="pipes of Unix")
def test_a_reader_that_has_seen_enough_is_no_error() -> None:
    ours, theirs = os.pipe()
    os.close(ours)
    done = subprocess.run([*COMMAND, "players"], stdout=theirs, stderr=subprocess.PIPE, timeout=LIMIT, check=False)
    os.close(theirs)
    assert (done.returncode, done.stderr) == (0, b"")


def test_evaluate_prints_every_move(capsys: pytest.CaptureFixture[str]) -> None:
    run("evaluate", "--size", "8", "--depth", "2")
    out = capsys.readouterr().out
    assert set(re.findall(r"([a-h][1-8]) [+-]\d", out.split("\n", 1)[1])) == {"d3", "c4", "f5", "e6"}


def test_games_are_not_saved_twice(
    capsys: pytest.CaptureFixture[str], complaint: Callable[..., str], tmp_path: Path
) -> None:
    path = tmp_path / "games.jsonl"
    arguments = ["match", "random", "random", "--games", "2", "--size", "4", "--jobs", "1", "--save", str(path)]
    run(*arguments)
    saved = path.read_text(encoding="utf-8")
    capsys.readouterr()
    assert "holds 2 games already: choose another file" in complaint(*arguments)
    assert path.read_text(encoding="utf-8") == saved


@pytest.mark.parametrize("player", ["engine:depth=2", "engine:level=expert"])
def test_a_board_too_large_for_the_engine_is_told_before_the_match(complaint: Callable[..., str], player: str) -> None:
    words = complaint("match", player, "random", "--size", "10", "--games", "2", "--jobs", "1")
    assert words.startswith("the engine plays on boards up to 8x8, not 10")


def test_the_weakest_level_plays_on_large_boards(capsys: pytest.CaptureFixture[str]) -> None:
    run("match", "engine:level=beginner", "random", "--size", "10", "--games", "2", "--jobs", "1", "--json")
    facts = json.loads(capsys.readouterr().out)
    assert facts["a"]["errors"] == 0
