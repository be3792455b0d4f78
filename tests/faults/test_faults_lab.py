"""The laboratory killed, without workers, without room: what was measured is kept, and measured once."""

import json
from pathlib import Path
from typing import Any

import pytest
from faulty import MOMENTS, die, full_disk, kill_a_worker, lines, read_only

from othellier.base.jobs import Crew
from othellier.cli import main
from othellier.errors import RecordError
from othellier.lab.catalogue import EXPERIMENTS
from othellier.lab.experiment import Findings, Lab, LabSettings
from othellier.rules import native

pytestmark = pytest.mark.skipif(not native.available, reason="experiments compare the compiled searches")

MEASURED, PLAYED = "branching", "strategies"
FOLDER = "start"
"""Where the games of the experiment that plays are kept: those from the usual start come first."""

RUN = """
from pathlib import Path
from othellier.base.jobs import Crew
from othellier.lab.catalogue import EXPERIMENTS
from othellier.lab.experiment import Lab, LabSettings
with Crew("here") as crew, Lab(LabSettings("tiny"), crew, Path(sys.argv[2])) as lab:
    EXPERIMENTS[sys.argv[1]].run(lab)
"""


def run(name: str, folder: Path, crew: Crew | None = None, told: Any = None) -> Findings:
    with Lab(LabSettings("tiny"), crew or Crew("here"), folder, told) as lab:
        return EXPERIMENTS[name].run(lab)


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """Both experiments, undisturbed."""
    folder = tmp_path_factory.mktemp("whole")
    for name in (MEASURED, PLAYED):
        run(name, folder / name)
    return {MEASURED: folder / MEASURED / "measured.jsonl", PLAYED: folder / PLAYED / FOLDER / "games.jsonl"}


def ledger(name: str, folder: Path) -> Path:
    return folder / "measured.jsonl" if name == MEASURED else folder / FOLDER / "games.jsonl"


@pytest.mark.parametrize(("name", "writes"), [(MEASURED, 7), (PLAYED, 3)])
def test_an_experiment_killed_as_it_writes(name: str, writes: int, tmp_path: Path, whole: dict[str, Path]) -> None:
    before = 0
    for moment in MOMENTS:
        die(writes, moment, name, str(tmp_path), code=RUN)
        count = ledger(name, tmp_path).read_bytes().count(b"\n")
        assert before < count < len(lines(whole[name]))
        before = count
    run(name, tmp_path)
    assert lines(ledger(name, tmp_path)) == lines(whole[name])


@pytest.mark.parametrize("name", [MEASURED, PLAYED])
def test_an_experiment_that_loses_workers(name: str, tmp_path: Path, whole: dict[str, Path]) -> None:
    killed: list[int] = []

    def told(words: str, done: int, total: int) -> None:
        if done and not killed:
            kill_a_worker()
            killed.append(done)

    with Crew("processes", jobs=2) as crew:
        run(name, tmp_path, crew, told)
    assert killed
    assert lines(ledger(name, tmp_path)) == lines(whole[name])


def test_an_experiment_on_a_full_disk(tmp_path: Path, whole: dict[str, Path]) -> None:
    with full_disk(2000), pytest.raises(RecordError, match=r"measured.jsonl: cannot be written: file too large"):
        run(MEASURED, tmp_path)
    kept = (tmp_path / "measured.jsonl").read_bytes()
    assert kept.endswith(b"\n")
    run(MEASURED, tmp_path)
    assert (tmp_path / "measured.jsonl").read_bytes().startswith(kept)
    assert lines(tmp_path / "measured.jsonl") == lines(whole[MEASURED])


def test_an_experiment_in_a_folder_that_is_read_only(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with read_only(tmp_path):
        assert main(["lab", MEASURED, "--quick", "--out", str(tmp_path), "--jobs", "1"]) == 2
    err = capsys.readouterr().err
    assert "cannot be opened: Read-only file system" in err
    assert err.count("\n") == 1
    assert list(tmp_path.iterdir()) == []


def test_games_lost_by_errors_are_not_taken_for_measured(tmp_path: Path, whole: dict[str, Path]) -> None:
    """An experiment stops at the first; run again, it does not go on as if the game had been played."""
    run(PLAYED, tmp_path)
    path = tmp_path / FOLDER / "games.jsonl"
    text, *rest = path.read_text().splitlines(keepends=True)
    first = json.loads(text)
    short = {key: first[key][:-1] for key in ("seconds", "nodes", "scores")} | {"moves": first["moves"][:-2]}
    loss = {"score": -64, "reason": "resigned", "error": "it fell over", "failed": "black"}
    path.write_text(json.dumps(first | short | loss) + "\n" + "".join(rest))
    with pytest.raises(Exception, match="holds games that were lost by errors of"):
        run(PLAYED, tmp_path)
