"""The command lab as a user types it: the list, an experiment, what is kept, interruptions, refusals."""

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from othellier.cli import main
from othellier.lab import catalogue, plots
from othellier.lab.experiment import Findings, Lab, LabSettings, Table, experiment
from othellier.rules import native

needs_core = pytest.mark.skipif(not native.available, reason="the experiment compares the compiled search")


@pytest.fixture
def small(monkeypatch: pytest.MonkeyPatch) -> list[LabSettings]:
    """A registry of one quick experiment, that tells with which settings it was run."""
    runs: list[LabSettings] = []

    @experiment("small", "nowhere", "A small one", "Nothing.")
    def one(lab: Lab) -> Findings:
        runs.append(lab.settings)
        if lab.settings.seed == 13:
            raise KeyboardInterrupt
        return Findings("42", [Table("t", "T", ("a",), [(1,)])], {"f": plots.draw_bars("F", ["a"], {"b": [1.0]}, "x")})

    monkeypatch.setattr(catalogue, "EXPERIMENTS", {"small": one})
    return runs


def test_the_list(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["lab", "--list"]) == 0
    plain = capsys.readouterr().out.splitlines()
    assert main(["lab", "--list", "--json"]) == 0
    listed = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [line.split()[0] for line in plain] == [one["name"] for one in listed] == list(catalogue.EXPERIMENTS)
    words = " ".join([*plain, *(str(one) for one in listed)])
    assert not re.search(r"\bS[1-5]\.\d", words), "an internal number is shown to a user"
    for study in ("Utrecht thesis", "INSA report", "Neuchâtel project", "FOREST manual", "our own study"):
        assert study in words
    assert main(["lab", "--list", "--language", "fr"]) == 0
    french = capsys.readouterr().out
    assert "mémoire d'Utrecht, section 3.1" in french
    assert "Les algorithmes à temps égal" in french


@needs_core
def test_an_experiment_is_run_once_and_kept(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], complaint: Callable[..., str]
) -> None:
    def run(*more: str) -> dict[str, Any]:
        assert main(["lab", "four", "--quick", "--out", str(tmp_path), "--jobs", "1", "--json", *more]) == 0
        (line,) = capsys.readouterr().out.splitlines()
        found: dict[str, Any] = json.loads(line)
        return found

    first = run()
    page = tmp_path / "four" / "index.html"
    before = page.stat().st_mtime_ns
    again = run()
    assert (first["kept"], again["kept"]) == (False, True)
    assert "237,781 nodes, exactly" in first["summary"]
    assert first["summary"] == again["summary"]
    assert page.stat().st_mtime_ns == before
    assert 'href="four/index.html"' in (tmp_path / "index.html").read_text(encoding="utf-8")
    # In another language it is told anew, not measured anew.
    measured = (tmp_path / "four" / "measured.jsonl").read_bytes()
    assert "237\u202f781 nœuds" in run("--language", "fr")["summary"]
    assert (tmp_path / "four" / "measured.jsonl").read_bytes() == measured
    assert '<html lang="fr">' in page.read_text(encoding="utf-8")
    assert "Ce qui était affirmé." in (tmp_path / "index.html").read_text(encoding="utf-8")
    assert "other settings (scale quick)" in complaint("lab", "four", "--out", tmp_path)


def test_settings_reach_the_experiment(small: list[LabSettings], tmp_path: Path) -> None:
    options = ["--quick", "--budget", "2", "--seconds", "3", "--games", "4", "--seed", "5", "--language", "fr"]
    assert main(["lab", "all", "--out", str(tmp_path), *options]) == 0
    assert small == [LabSettings("quick", 2, 3, 4, 5, "fr")]


def test_an_interruption_is_told_and_can_be_gone_on_from(
    small: list[LabSettings], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    arguments = ["lab", "small", "--out", str(tmp_path), "--seed", "13"]
    assert main(arguments) == 130
    assert "run it again to go on" in capsys.readouterr().err
    assert not (tmp_path / "index.html").exists()
    assert main(arguments) == 130
    assert len(small) == 2


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ([], "name an experiment"),
        (["fou"], "no experiment 'fou', did you mean 'four'"),
        (["four", "--budget", "-1"], "budget=-1"),
        (["four", "--seconds", "0"], "seconds=0"),
        (["four", "--games", "1"], "games=1"),
        (["four", "--jobs", "0"], "'--jobs'"),
        (["four", "--language", "nl"], "no language 'nl'"),
        (["four", "--executor", "cloud"], "executor 'cloud'"),
    ],
)
def test_refusals(arguments: list[str], words: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["lab", *arguments, "--out", str(tmp_path / "out")]) == 2
    captured = capsys.readouterr()
    assert words in captured.err
    assert captured.err.count("\n") == 1
    assert not (tmp_path / "out").exists()


def test_a_folder_that_cannot_be_written(
    small: list[LabSettings], tmp_path: Path, complaint: Callable[..., str]
) -> None:
    (tmp_path / "file").write_text("")
    assert "cannot be opened" in complaint("lab", "small", "--out", tmp_path / "file")
    assert small == []
