"""A whole run of tables and networks, tiny: in shares of time and of steps, and all that comes out of it."""

import json
import shutil
import textwrap
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import asdict
from pathlib import Path

import numpy as np
import pytest

from othellier.cli import main
from othellier.config.models import FitConfig, LearnConfig, NetworkConfig, load, parse
from othellier.engine.probcut import load_probcut
from othellier.errors import ConfigError
from othellier.evaluation.chances import Curves
from othellier.evaluation.network import Networks
from othellier.games.game import Game
from othellier.learn import run as learning
from othellier.learn.archive import Archive
from othellier.learn.card import make_card
from othellier.learn.evaluation import LearntEvaluation, digest
from othellier.learn.fit import FitOptions
from othellier.learn.manifest import check, read_manifest
from othellier.learn.network_fit import NetworkOptions
from othellier.learn.ship import BEGIN, END, ship, with_numbers
from othellier.learn.steps import STEPS
from othellier.records import write
from othellier.rules.geometry import parse_square

CONFIG = {
    "title": "Everything",
    "recipe": "Little of all.",
    "seed": 3,
    "jobs": 1,
    "selfplay": [
        {"games": 40, "depth": 1, "alternate": True, "solve": 8, "shard": 20},
        {"games": 20, "depth": 1, "solve": 8, "shard": 20, "exploration": 30},
    ],
    "suites": ["suite.obf"],
    "database": {"records": ["games.txt"], "solve": 8},
    "fit": "keep",
    "network": {"epochs": 1, "tune_epochs": 1, "batch": 4096, "held_out": 10, "policy": False, "book_weight": 0},
    "probcut": {"sample": 1200, "deepest": 4, "solve": 12, "endgame": [10.36, -0.1629, 0.095]},
    "match": "none",
    "chances": {"each": 6, "deepest": 3},
}
GAMES = "f5d6c3d3c4f4c5b3c2e3d2c6b4b5f2e6\nf5f6e6f4e3c5c4e7c6e2f3d3\n"
TESTED = "e6f4d3c4c3d6e3"  # a position of the first of these games, mirrored and by other moves


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of a run that was done step by step, each in a process's worth of its own."""
    folder = tmp_path_factory.mktemp("run")
    (folder / "config.yaml").write_text(json.dumps(CONFIG))
    (folder / "games.txt").write_text(GAMES)
    write([Game.from_moves(map(parse_square, textwrap.wrap(TESTED, 2)))], folder / "suite.obf")
    arguments = ["learn", "run", str(folder / "config.yaml"), "--out", str(folder / "out"), "--data", str(folder)]
    assert main([*arguments, "--minutes", "0"]) == 75
    done = []
    for step in STEPS:
        assert main([*arguments, "--until", step]) == 0
        done.append(len((folder / "out/log.jsonl").read_bytes()))
    assert done == sorted(set(done))
    assert main(arguments) == 0
    assert len((folder / "out/log.jsonl").read_bytes()) == done[-1]
    return folder / "out"


def test_all_that_ships_comes_out(run: Path) -> None:
    best = LearntEvaluation(run / "best")
    archive = Archive.read(run)
    (chances,) = archive.events("chances")
    assert chances["files"] == best.digests("evaluation.weights", "networks.weights")
    Curves.parse(json.loads((run / "best/chances.json").read_text()))
    assert json.loads((run / "best/model_card.json").read_text()) == make_card(archive, run / "best")
    load_probcut(best.probcut)


def test_games_are_of_several_kinds_and_none_is_tested(run: Path) -> None:
    steady, exploring, database = Archive.read(run).events("data")
    assert (steady["games"], exploring["games"], database["games"]) == (40, 20, 1)
    assert "depth 1 and 2" in steady["source"]
    assert "then 30 % of all" in exploring["source"]
    assert (run / "database.bin").stat().st_size == 2 * 122


def test_what_is_kept_is_measured_all_the_same(run: Path) -> None:
    archive = Archive.read(run)
    assert {line.get("model") for line in archive.events("error", 1)} == {None, "network"}
    assert not archive.events("fit", model="patterns")
    start, new = LearntEvaluation(run / "start"), LearntEvaluation(run / "round-01/new")
    assert start.weights.read_bytes() == new.weights.read_bytes()
    assert start.networks is not None
    assert new.networks is not None
    old, fitted = Networks.read(start.networks), Networks.read(new.networks)
    assert np.array_equal(old.policy_rows, fitted.policy_rows)
    assert not np.array_equal(old.value_rows, fitted.value_rows)


def test_given_numbers_of_probcut_are_taken_and_the_others_measured(run: Path) -> None:
    (line,) = Archive.read(run).events("probcut")
    taken = load_probcut(run / "round-01/new/probcut.json")
    assert taken.endgame == (10.36, -0.1629, 0.095) == tuple(line["taken"]["endgame"])
    assert taken.midgame == pytest.approx(line["midgame"], rel=1e-3)
    assert line["endgame"] != line["taken"]["endgame"]


def test_the_time_may_end_among_the_games(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whole shards stay, and the next call goes on with the others."""

    @contextmanager
    def silent(words: str, total: float | None) -> Iterator[Callable[[float], None]]:
        yield lambda steps: None

    clock = iter(range(1, 1000))
    monkeypatch.setattr(time, "monotonic", lambda: float(next(clock)))
    settings = {"seed": 1, "jobs": 1, "weights": "nothing", "network": "keep", "match": "none", "chances": "none"}
    selfplay = {"games": 60, "depth": 1, "solve": 4, "shard": 10, "random_max": 6}
    config = parse({**settings, "selfplay": selfplay, "fit": {"held_out": 5}}, LearnConfig, "test")
    assert learning.Run(config, tmp_path, silent, minutes=6 / 60).go() is None
    played = {path.name: path.read_bytes() for path in (tmp_path / "round-01/games-1").glob("*.bin")}
    assert 0 < len(played) < 6
    assert not Archive.read(tmp_path).lines
    assert learning.Run(config, tmp_path, silent, until="games").go() is None
    (line,) = Archive.read(tmp_path).events("data")
    assert (line["games"], line["played"]) == (60, 60 - 10 * len(played))
    for name, data in played.items():
        assert (tmp_path / "round-01/games-1" / name).read_bytes() == data


def test_configurations_have_the_defaults_of_the_fits() -> None:
    for config, options in ((FitConfig(), FitOptions()), (NetworkConfig(), NetworkOptions())):
        known = asdict(options)
        shared = {key: value for key, value in config.model_dump().items() if key in known}
        assert shared == {key: known[key] for key in shared}
        assert set(known) - set(shared) == {"seed"}


def test_an_unknown_step_is_refused(tmp_path: Path, complaint: Callable[..., str]) -> None:
    (tmp_path / "config.yaml").write_text("{}")
    assert "games, tables, networks, probcut, match, chances are the steps" in complaint(
        "learn", "run", tmp_path / "config.yaml", "--out", tmp_path, "--until", "tea"
    )


# -- what ships


@pytest.fixture
def shipped(run: Path, tmp_path: Path) -> Path:
    """A package with nothing but what the run has made, in a repository with one document."""
    root = tmp_path / "src/package"
    root.mkdir(parents=True)
    (tmp_path / "docs").mkdir()
    (tmp_path / "docs/learning.md").write_text(f"Before.\n{BEGIN}old numbers\n{END}After.\n")
    assert main(["learn", "ship", str(run), "--into", str(root)]) == 0
    return root


def test_the_outcome_of_a_run_is_shipped_with_its_manifest(run: Path, shipped: Path) -> None:
    assert check(shipped) == []
    assert (shipped / "data/training/log.jsonl").read_bytes() == (run / "log.jsonl").read_bytes()
    assert load(shipped / "data/training/config.yaml", LearnConfig) == parse(CONFIG, LearnConfig, "test")
    entries = read_manifest(shipped)
    digests = LearntEvaluation(run / "best").digests()
    assert {name: entries[f"data/{name}"]["sha256"] for name in digests} == digests
    assert entries["data/networks.weights"]["made_from"].keys() >= {"suite.obf", "games.txt", "start/networks.weights"}
    assert set(entries["data/chances.json"]["belongs_to"]) == {"data/evaluation.weights", "data/networks.weights"}


def test_a_mixed_set_is_refused(shipped: Path, capsys: pytest.CaptureFixture[str]) -> None:
    networks = shipped / "data/networks.weights"
    networks.write_bytes(networks.read_bytes() + b"x")
    assert main(["learn", "manifest", "--into", str(shipped)]) == 1
    told = capsys.readouterr().out.splitlines()
    assert "data/networks.weights is not the file of the manifest" in told
    for name in ("chances.json", "probcut.json", "model_card.json"):
        assert f"data/{name} was made for another data/networks.weights" in told
    assert len(told) == 4
    (shipped / "data/chances.json").unlink()
    (shipped / "data/stray.json").write_text("{}")
    assert {"data/chances.json is missing", "data/stray.json is not in the manifest"} < set(check(shipped))


def test_other_files_say_how_they_were_made(shipped: Path, tmp_path: Path, complaint: Callable[..., str]) -> None:
    (shipped / "openings/data").mkdir(parents=True)
    (shipped / "openings/data/book.bib").write_text("a book")
    (tmp_path / "games").write_text("games")
    assert check(shipped) == ["openings/data/book.bib is not in the manifest"]
    arguments = ["learn", "manifest", "openings/data/book.bib", "--into", str(shipped)]
    assert "the --command that made it" in complaint(*arguments)
    assert main([*arguments, "--command", "othellier book build", "--from", str(tmp_path / "games")]) == 0
    assert read_manifest(shipped)["openings/data/book.bib"]["made_from"] == {"games": digest(tmp_path / "games")}


def test_the_document_has_the_numbers_of_the_card(run: Path, shipped: Path) -> None:
    text = (shipped.parents[1] / "docs/learning.md").read_text()
    card = json.loads((run / "best/model_card.json").read_text())
    assert text == with_numbers(text, card)
    assert "old numbers" not in text
    assert text.startswith("Before.")
    assert text.endswith("After.\n")
    row = next(line for line in text.splitlines() if line.startswith("| value network: mean absolute"))
    band = [one for one in card["networks"]["by_empties"] if 11 <= one["empties"] <= 20]
    mean = sum(one["mae"] * one["positions"] for one in band) / sum(one["positions"] for one in band)
    assert row.split("|")[3].strip() == f"{mean:.2f}"
    with pytest.raises(ConfigError, match="has no place for the numbers"):
        with_numbers("no marks", card)


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("chances.json", "lacks chances.json"),
        ("model_card.json", "is not the card of this run"),
        ("probcut.json", "does not hold what the log calls the best"),
    ],
)
def test_what_does_not_belong_to_a_run_is_not_shipped(run: Path, tmp_path: Path, name: str, words: str) -> None:
    shutil.copytree(run / "best", tmp_path / "best")
    for other in ("run.json", "log.jsonl"):
        shutil.copy(run / other, tmp_path / other)
    changed = tmp_path / "best" / name
    if name == "chances.json":
        changed.unlink()
    else:
        changed.write_text("{}")
    with pytest.raises(ConfigError, match=words):
        ship(tmp_path, tmp_path / "package")
    assert not (tmp_path / "package").exists()


def test_a_run_that_found_nothing_better_has_nothing_to_ship(run: Path, tmp_path: Path) -> None:
    shutil.copytree(run / "best", tmp_path / "best")
    shutil.copy(run / "run.json", tmp_path)
    log = (run / "log.jsonl").read_text()
    assert '"accepted": true' in log
    (tmp_path / "log.jsonl").write_text(log.replace('"accepted": true', '"accepted": false'))
    with pytest.raises(ConfigError, match="no round won its match: there is nothing to ship"):
        ship(tmp_path, tmp_path / "package")
    assert not (tmp_path / "package").exists()
