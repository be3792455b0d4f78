"""What docs/lab.md shows works: its player, its strategy and its experiment are run as they stand there."""

import json
import re
from pathlib import Path
from typing import Any

import pytest

from othellier.base.jobs import Crew
from othellier.cli import main
from othellier.lab.catalogue import EXPERIMENTS
from othellier.lab.experiment import Experiment, Lab, LabSettings
from othellier.search import SearchOutcome

TEXT = (Path(__file__).parents[2] / "docs" / "lab.md").read_text(encoding="utf-8")
PLAYER, STRATEGY, EXPERIMENT = re.findall(r"```python\n(.*?)```", TEXT, re.DOTALL)


def run(code: str) -> dict[str, Any]:
    names: dict[str, Any] = {"__name__": "document"}
    exec(code, names)
    return names


def test_the_player_of_twenty_lines(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert len(PLAYER.splitlines()) <= 21
    path = tmp_path / "mine.py"
    path.write_text(PLAYER)
    arguments = ["match", f"{path}:Cautious", f"{path}:Cautious:corners=no", "--games", "2", "--jobs", "1", "--json"]
    assert main(arguments) == 0
    facts = json.loads(capsys.readouterr().out)
    assert facts["games"] == 2
    assert facts["a"]["errors"] == facts["b"]["errors"] == 0


def test_the_strategy() -> None:
    outcome = run(STRATEGY)["outcome"]
    assert isinstance(outcome, SearchOutcome)
    assert outcome.depth == 4


def test_the_experiment(tmp_path: Path) -> None:
    found = run(EXPERIMENT)["corners"]
    assert isinstance(found, Experiment)
    with Crew("here") as crew, Lab(LabSettings("tiny"), crew, tmp_path) as lab:
        findings = found.run(lab)
    assert len(findings.tables[0].rows) == 4
    assert "scores" in findings.figures


def test_every_experiment_is_listed() -> None:
    assert re.findall(r"^\| `(\w+)` \|", TEXT, re.MULTILINE) == list(EXPERIMENTS)
