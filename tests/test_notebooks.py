"""The notebooks run from top to bottom, teach alike in both languages, hold no output, and reach a student's folder."""

import ast
import json
import math
import re
from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

from othellier.cli import main
from othellier.rules import native

ROOT = Path(__file__).parents[1] / "notebooks"
LANGUAGES = ("en", "fr")
NAMES = [path.stem for path in sorted((ROOT / "en").glob("*.ipynb"))]
EACH = [f"{language}/{name}" for language in LANGUAGES for name in NAMES]


def cells(name: str, kind: str = "") -> list[dict[str, Any]]:
    book = json.loads((ROOT / f"{name}.ipynb").read_text(encoding="utf-8"))
    return [cell for cell in book["cells"] if kind in ("", cell["cell_type"])]


def source(cell: dict[str, Any]) -> str:
    return "".join(cell["source"])


def wordless(code: str) -> str:
    """The code without comments and without what its texts say."""
    tree = ast.parse(code)
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            node.value = ""
    return ast.dump(tree)


def test_there_are_five_in_each_language() -> None:
    assert len(NAMES) == 5
    assert [path.stem for path in sorted((ROOT / "fr").glob("*.ipynb"))] == NAMES


@pytest.mark.skipif(not native.available, reason="the notebooks use the compiled searches")
@pytest.mark.filterwarnings("default")  # what Jupyter warns of is not ours to mend
@pytest.mark.parametrize("name", EACH)
def test_a_notebook_runs_from_top_to_bottom(name: str, tmp_path: Path) -> None:
    book = import_module("nbformat").read(ROOT / f"{name}.ipynb", as_version=4)
    folder = {"metadata": {"path": str(tmp_path)}}
    client = import_module("nbclient").NotebookClient(book, timeout=240, kernel_name="python3", resources=folder)
    client.execute()
    outputs = [output for cell in book.cells if cell.cell_type == "code" for output in cell.outputs]
    kinds = {kind for output in outputs for kind in output.get("data", {})}
    assert kinds & {"image/svg+xml", "text/html"}, "no picture was drawn"
    complaints = [output.text for output in outputs if output.get("name") == "stderr"]
    assert not complaints


@pytest.mark.parametrize("name", NAMES)
def test_both_languages_run_the_same_code(name: str) -> None:
    english, french = (cells(f"{language}/{name}") for language in LANGUAGES)
    assert [cell["cell_type"] for cell in english] == [cell["cell_type"] for cell in french]
    for one, other in zip(english, french, strict=True):
        assert one["metadata"] == other["metadata"]
        if one["cell_type"] == "code":
            assert wordless(source(one)) == wordless(source(other))
        else:
            assert source(one) != source(other), "a text was not translated"


@pytest.mark.parametrize("name", EACH)
def test_a_notebook_teaches_and_holds_no_output(name: str) -> None:
    code = cells(name, "code")
    assert all(cell["outputs"] == [] and cell["execution_count"] is None for cell in code)
    text = "\n".join(source(cell) for cell in cells(name, "markdown"))
    for word in ("**Question.**", "## Exercise" if name.startswith("en") else "## Exercice"):
        assert word in text
    solutions = [cell for cell in code if "solution" in cell["metadata"].get("tags", [])]
    assert solutions
    assert all(cell["metadata"]["jupyter"]["source_hidden"] for cell in solutions)


def test_a_match_is_judged_by_its_pairs_of_games_and_calibration_by_games() -> None:
    """Wilson's interval is for observations that do not hang together, as random games do not."""
    for name in EACH:
        for code in map(source, cells(name, "code")):
            assert not ("tally" in code and "wilson(" in code), f"{name}: pairs of games taken as single ones"
            assert not ('"Calibration"' in code and "wilson(" in code), (
                f"{name}: positions of a game taken as independent"
            )


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_planned_match_answers_its_question(language: str) -> None:
    """Asked is an interval of less than 10 per cent to either side: that of n games is 98 / sqrt(n)."""
    (exercise,) = (
        text for text in map(source, cells(f"{language}/5_your_experiment", "markdown")) if "± 98/√n" in text
    )
    assert "± 10" in exercise
    *_, solution = map(source, cells(f"{language}/5_your_experiment", "code"))
    games = int(re.search(r"corners=no\", (\d+)\)", solution)[1])  # type: ignore[index]
    assert 98 / math.sqrt(games) < 10


# -- the command


def test_notebooks_are_put_into_a_folder(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = tmp_path / "course"
    assert main(["notebooks", str(folder), "--language", "fr", "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert [Path(name).stem for name in told["written"]] == NAMES
    for name in NAMES:
        assert (folder / f"{name}.ipynb").read_bytes() == (ROOT / "fr" / f"{name}.ipynb").read_bytes()


def test_the_language_of_the_notebooks_is_not_that_of_what_is_said(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("LC_ALL", "C.UTF-8")
    (tmp_path / f"{NAMES[0]}.ipynb").write_text("{}")
    assert main(["notebooks", str(tmp_path), "--language", "fr"]) == 0
    assert ": kept, it was changed" in capsys.readouterr().out
    assert main(["--language", "fr", "notebooks", str(tmp_path), "--language", "en"]) == 0
    assert " : gardé, il a été modifié" in capsys.readouterr().out


def test_what_a_student_changed_is_kept(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    mine = tmp_path / f"{NAMES[0]}.ipynb"
    mine.write_text("{}")
    assert main(["notebooks", str(tmp_path), "--language", "en"]) == 0
    assert f"{mine}: kept" in capsys.readouterr().out
    assert mine.read_text() == "{}"
    assert main(["notebooks", str(tmp_path), "--language", "en", "--force"]) == 0
    assert mine.read_bytes() == (ROOT / "en" / mine.name).read_bytes()


def test_the_language_is_that_of_the_environment(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("LC_ALL", "LC_MESSAGES"):
        monkeypatch.delenv(name, raising=False)
    for language, named in (("fr", "fr_CH.UTF-8"), ("en", "de_DE.UTF-8"), ("en", "")):
        monkeypatch.setenv("LANG", named)
        folder = tmp_path / f"{language}{named}"
        assert main(["notebooks", str(folder)]) == 0
        assert (folder / f"{NAMES[0]}.ipynb").read_bytes() == (ROOT / language / f"{NAMES[0]}.ipynb").read_bytes()


def test_a_file_is_no_folder(tmp_path: Path, complaint: Callable[..., str]) -> None:
    (tmp_path / "file").write_text("")
    assert "name a folder" in complaint("notebooks", tmp_path / "file")
