"""What `--help` shows: in every language, in groups, in any width."""

import ast
import json
import re
import string
from pathlib import Path
from typing import Any

import pytest
import typer.main

from othellier.cli import app, main, welcome
from othellier.cli.help import GROUPS, words_of
from othellier.config.reference import parameter_reference
from othellier.messages import language
from othellier.messages.languages import languages
from othellier.players import registered

PACKAGE = Path(language.__file__).parents[1]
SPEAKING = [path for folder in ("cli", "terminal") for path in sorted((PACKAGE / folder).glob("*.py"))]
"""The code that puts texts into the language of this run."""


@pytest.fixture(autouse=True)
def english(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("LC_ALL", "LC_MESSAGES", "LANG"):
        monkeypatch.delenv(name, raising=False)


def catalogue() -> dict[str, str]:
    words: dict[str, str] = json.loads(Path(language.__file__).with_name("fr.json").read_text(encoding="utf-8"))
    return words


def shown(capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    assert main([*arguments, "--help"]) == 0
    return capsys.readouterr().out


def configuration_words() -> set[str]:
    """What the reference of configurations says, the names of choices left out."""
    said: set[str] = set()
    parameter_reference(lambda text: said.add(text) or text)  # type: ignore[func-returns-value]
    choices = {option.expected for player in registered() for option in player.options.values() if option.choices}
    return {text for text in said if re.search(r"[a-z]", re.sub(r"`[^`]*`", "", text))} - choices


def test_the_reference_of_configurations_is_in_french() -> None:
    assert configuration_words() - set(catalogue()) == set()


def test_what_is_translated_is_still_said() -> None:
    """A text that was changed in English loses its French: this notices."""
    root: Any = typer.main.get_command(app)
    said: set[Any] = words_of(root) | {welcome.HELLO, welcome.MORE, *(deed for _, deed in welcome.DEEDS)}
    for path in (
        *SPEAKING,
        *(
            PACKAGE / name
            for name in (
                "arena/match.py",
                "arena/effort.py",
                "arena/equal_time.py",
                "course/checking.py",
                "learn/card.py",
            )
        ),
    ):  # words that `say` is given
        tree = ast.parse(path.read_text(encoding="utf-8"))
        said |= {
            node.value for node in ast.walk(tree) if isinstance(node, ast.Constant) and isinstance(node.value, str)
        }
    left = set(catalogue()) - said - configuration_words()
    assert not left, f"nobody says any more: {sorted(left)}"


def said_at_once() -> set[str]:
    """The texts that the command line's code hands to `say` as they stand."""
    found: set[Any] = set()
    for path in SPEAKING:
        if "messages.language import" not in path.read_text(encoding="utf-8"):
            continue  # the laboratory has words of its own
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "say":
                told = node.args[0]
                texts = (told.body, told.orelse) if isinstance(told, ast.IfExp) else (told,)
                found |= {text.value for text in texts if isinstance(text, ast.Constant)}
    return {text for text in found if re.search(r"[a-z]", re.sub(r"\{[^}]*\}", "", text))}


def test_what_is_said_is_translated() -> None:
    texts = said_at_once()
    assert "{found:,} of {games:,} games" in texts
    assert texts - set(catalogue()) == set()


def test_results_are_in_french(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    starts, out = tmp_path / "starts.txt", tmp_path / "balanced.txt"
    starts.write_text("F5D6C3D3C4F4F6F3 0.5\n")
    assert main(["--language", "fr", "xot", "refine", str(starts), str(out), "--depth", "0"]) == 0
    assert capsys.readouterr().out == f"{out} : 1 départs sur 1 restent équilibrés\n"
    assert main(["--language", "fr", "openings", "name", "f5d6"]) == 0
    assert capsys.readouterr().out == "Perpendiculaire\n"
    assert main(["--language", "fr", "perft", "--depth", "6"]) == 0
    assert capsys.readouterr().out.startswith("8\N{NARROW NO-BREAK SPACE}200 feuilles à la profondeur 6 sur 8, 0,")
    config = tmp_path / "run.yaml"
    config.write_text("size: 4\nblack: random\nwhite: random\ndisplay: result\njobs: 1\n")
    assert main(["--language", "fr", "run", str(config)]) == 0
    played = capsys.readouterr().out
    assert re.search(r"^partie 1 : random - random : .*, \d+-\d+\n1 partie : gagnée par noir \d+ %, ", played)
    assert main(["--language", "fr", "lab", "--list"]) == 0
    assert "4x4 résolu par minimax simple" in capsys.readouterr().out
    assert main(["--language", "fr", "tree", "f5", "--player", "minimax:depth=1"]) == 0
    assert capsys.readouterr().out.startswith("minimax, profondeur 1\nmeilleur coup ")


def test_values_of_a_text_are_in_its_french_too() -> None:
    for english_text, french in catalogue().items():
        fields = [{name for _, name, _, _ in string.Formatter().parse(text) if name} for text in (english_text, french)]
        assert fields[0] == fields[1], english_text


def test_every_command_is_in_one_group() -> None:
    root: Any = typer.main.get_command(app)
    grouped = [name for names in GROUPS.values() for name in names]
    assert sorted(grouped) == sorted(root.commands)


def test_help_is_french_throughout(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "100")
    everything = shown(capsys, "--language", "fr")
    assert "Jouer et étudier" in everything
    one = shown(capsys, "--language", "fr", "solve")
    assert "Afficher cette aide et quitter." in one
    assert "FICHIER" in one
    assert "[sinon : 512]" in one


def test_help_speaks_of_values_only_where_there_are_some(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "100")
    text = shown(capsys, "match")
    assert "othellier match [OPTIONS] A B" in text
    assert "<bool>" not in text
    assert "<str>" not in text


def test_a_terminal_that_tells_no_width_is_one_of_usual_width(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("COLUMNS", "LINES"):
        monkeypatch.delenv(name, raising=False)
    usual = shown(capsys, "match")
    for name in ("COLUMNS", "LINES"):
        monkeypatch.setenv(name, "0")
    assert shown(capsys, "match") == usual
    assert "--openings" in usual


@pytest.mark.parametrize("code", languages())
def test_narrow_terminals_lose_nothing(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, code: str
) -> None:
    monkeypatch.setenv("COLUMNS", "40")
    root: Any = typer.main.get_command(app)
    for name in ("solve", "match"):
        text = shown(capsys, "--language", code, name)
        assert max(map(len, text.splitlines())) <= 40
        for parameter in root.commands[name].params:
            assert parameter.param_type_name == "argument" or parameter.opts[0] in text
