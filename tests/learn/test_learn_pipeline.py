"""The whole pipeline, tiny: self-play, fit, parity, match, report; interrupted and gone on with."""

import json
import shutil
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch

from othellier.cli import main
from othellier.config.models import LearnConfig, parse
from othellier.engine.engine import shared_weights
from othellier.errors import ConfigError, RecordError, WeightsError
from othellier.evaluation.weights import PatternGeometry, read_payload
from othellier.lab.plots import COLORS
from othellier.learn.archive import Archive, shipped_archive
from othellier.learn.card import shipped_card
from othellier.learn.evaluation import LearntEvaluation
from othellier.learn.fit import FitOptions, _gather, fit
from othellier.learn.fitting import lent_phases
from othellier.learn.games import MOST_REPEATS, positions, selfplay
from othellier.learn.parity import check_parity, trainer_values
from othellier.learn.pattern_model import PatternModel
from othellier.learn.report import figures
from othellier.learn.run import Run
from othellier.learn.tables import checksum

CONFIG = {
    "title": "From nothing",
    "seed": 1,
    "jobs": 1,
    "weights": "nothing",
    "selfplay": {"games": 150, "depth": 1, "solve": 8, "shard": 50},
    "fit": {"epochs": 6, "phases": 2, "batch": 512, "held_out": 10, "device": "cpu"},
    "network": "keep",
    "probcut": "keep",
    "chances": "none",
    "match": {"player": "engine:depth=1", "games": 60, "sprt": "0,200"},
}


@contextmanager
def silent(words: str, total: float | None) -> Iterator[Callable[[float], None]]:
    yield lambda steps: None


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of a run by the command: new weights from games of weights that knew nothing."""
    folder = tmp_path_factory.mktemp("run")
    config = folder / "learn.yaml"
    config.write_text(json.dumps(CONFIG))  # JSON is YAML
    assert main(["learn", "run", str(config), "--out", str(folder)]) == 0
    return folder


def test_weights_learnt_from_games_beat_those_that_know_nothing(run: Path) -> None:
    archive = Archive.read(run)
    (match,) = archive.events("match")
    assert match["sprt"]["verdict"] == "accepted"
    assert (match["old"], match["elo"] > 0, match["elo_low"] > 0) == ("start", True, True)
    (taken,) = archive.events("weights")
    assert taken["accepted"]
    assert taken["checksum"] == checksum(run / "best/evaluation.weights")
    assert taken["files"] == LearntEvaluation(run / "best").digests() != archive.facts["start"]
    assert not np.any(PatternGeometry.read(read_payload(run / "start/evaluation.weights"))[1])


def test_an_archive_tells_how_it_went(run: Path) -> None:
    archive = Archive.read(run)
    facts = archive.facts
    assert facts["seed"] == 1
    assert facts["config"]["selfplay"][0]["games"] == 150
    assert set(facts) >= {"revision", "versions", "machine", "date"}
    curve = archive.events("epoch")
    assert [line["epoch"] for line in curve] == [1, 2, 3, 4, 5, 6]
    assert curve[-1]["held_out"] < curve[0]["held_out"]
    (data,) = archive.events("data")
    assert data["games"] == 150
    (parity,) = archive.events("parity")
    assert parity["positions"] == data["positions"]
    errors = archive.events("error")
    assert [line["empties"] for line in errors] == sorted((line["empties"] for line in errors), reverse=True)
    assert sum(line["positions"] for line in errors) <= data["positions"] / 5
    heading, *rows = (run / "curves.csv").read_text().splitlines()
    assert heading == "round,model,part,epoch,training,held_out"
    assert len(rows) == 6


def test_a_run_that_is_done_is_not_done_again(run: Path) -> None:
    before = (run / "log.jsonl").read_bytes()
    assert main(["learn", "run", str(run / "learn.yaml"), "--out", str(run)]) == 0
    assert (run / "log.jsonl").read_bytes() == before


def test_a_report_is_a_page_with_figures(run: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["learn", "report", "--run", str(run), "--out", str(tmp_path), "--json"]) == 0
    card = json.loads(capsys.readouterr().out)
    assert card["games"] == 150
    assert card["weights"]["checksum"] == checksum(run / "best/evaluation.weights")
    assert card["held_out"]["mse"] == Archive.read(run).events("epoch")[-1]["held_out"]
    page = (tmp_path / "report.html").read_text()
    assert page.count("<svg") == 6
    assert "Learning curves" in page
    assert "a1 b2 c3 d4 e5 f6 g7 h8" in page
    assert (tmp_path / "calibration.png").read_bytes().startswith(b"\x89PNG")
    assert json.loads((tmp_path / "model_card.json").read_text()) == card
    assert main(["learn", "report", "--run", str(run)]) == 0
    assert "150, with" in capsys.readouterr().out


@pytest.mark.parametrize("step", ["data", "fit"])
def test_an_interrupted_run_goes_on_to_the_same_end(run: Path, tmp_path: Path, step: str) -> None:
    config = parse(CONFIG, LearnConfig, "test")

    def interrupt(line: dict[str, Any]) -> None:
        if line["event"] == step:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        Run(config, tmp_path, silent, interrupt).go()
    assert not Archive.read(tmp_path).events("match")
    with (tmp_path / "log.jsonl").open("a") as log:
        log.write('{"event": "epo')  # a kill in the middle of a line
    assert Run(config, tmp_path, silent).go() == tmp_path / "best"
    assert LearntEvaluation(tmp_path / "best").digests() == LearntEvaluation(run / "best").digests()
    assert [line["accepted"] for line in Archive.read(tmp_path).events("weights")] == [True]


def test_a_match_is_gone_on_with(run: Path, tmp_path: Path) -> None:
    """Games that were played count, and are not played again."""
    for name in ("start", "round-01/new"):
        shutil.copytree(run / name, tmp_path / name)
    for name in ("run.json", "round-01/match.jsonl"):
        (tmp_path / name).write_bytes((run / name).read_bytes())
    lines = (run / "log.jsonl").read_text().splitlines(keepends=True)
    (tmp_path / "log.jsonl").write_text("".join(line for line in lines if '"elo"' not in line and '"acc' not in line))
    games = (run / "round-01/match.jsonl").read_text().splitlines(keepends=True)
    (tmp_path / "round-01/match.jsonl").write_text("".join(games[:7]))  # the last bout is not whole
    Run(parse(CONFIG, LearnConfig, "test"), tmp_path, silent).go()
    (match,) = Archive.read(tmp_path).events("match")
    assert match["sprt"]["verdict"] == "accepted"
    written = (tmp_path / "round-01/match.jsonl").read_text()
    assert written.startswith("".join(games[:7]))
    keys = [(line["bout"], line["game"]) for line in map(json.loads, written.splitlines())]
    assert (
        len(set(keys)) == len(keys) - 1 == match["games"]
    )  # only the game of the bout that was not whole is there twice


def test_another_run_does_not_go_on_here(run: Path, tmp_path: Path, complaint: Callable[..., str]) -> None:
    config = tmp_path / "other.yaml"
    config.write_text(json.dumps({**CONFIG, "seed": 2}))
    before = (run / "log.jsonl").read_bytes()
    assert "holds another run: seed changed" in complaint("learn", "run", config, "--out", run)
    assert (run / "log.jsonl").read_bytes() == before


def test_settings_of_a_step_may_change_until_it_is_done(run: Path, tmp_path: Path) -> None:
    changed = parse(
        {**CONFIG, "match": {"player": "engine:depth=2", "games": 40, "sprt": "0,200"}}, LearnConfig, "test"
    )
    with pytest.raises(ConfigError, match="holds another run: match changed"):
        Run(changed, run, silent).go()
    few = {**CONFIG, "selfplay": {**CONFIG["selfplay"], "games": 20}}  # type: ignore[dict-item]
    Run(parse(few, LearnConfig, "test"), tmp_path, silent, until="games").go()
    Run(changed, tmp_path, silent, until="games").go()
    assert json.loads((tmp_path / "run.json").read_text())["config"]["match"]["player"] == "engine:depth=2"


def test_old_weights_stay_where_new_ones_do_not_win(tmp_path: Path) -> None:
    fitting = {**CONFIG["fit"], "epochs": 1}  # type: ignore[dict-item]
    config = {**CONFIG, "selfplay": {**CONFIG["selfplay"], "games": 20}, "fit": fitting}  # type: ignore[dict-item]
    config["weights"] = None  # those we ship
    assert Run(parse(config, LearnConfig, "test"), tmp_path, silent).go() == tmp_path / "best"
    archive = Archive.read(tmp_path)
    assert [line["accepted"] for line in archive.events("weights")] == [False]
    assert checksum(tmp_path / "best/evaluation.weights") == checksum(None)


@pytest.mark.parametrize(
    ("wrong", "words"),
    [
        ({"fit": {"epoch": 3}}, "unknown key 'fit.epoch', did you mean 'epochs'?"),
        ({"selfplay": {"random_min": 40}}, "random_min: 40 is more than random_max, 26"),
        ({"match": {"sprt": "5"}}, "two Elo differences such as 0,10 expected"),
        ({"match": {"player": "engine:depth=1,weights=x"}}, "its weights are those of the run"),
        ({"match": {"player": "enginee"}}, "enginee"),
        ({"match": {"player": "random"}}, "unknown option 'probcut'"),
        ({"fit": {"device": "tpu"}}, "fit.device: Input should be 'auto', 'cpu' or 'cuda'"),
        ({"weights": "missing.weights"}, "missing.weights: No such file"),
        ({"weights": "nothing", "network": {"policy": False}}, "there is no policy to keep"),
        ({"suites": ["missing.obf"]}, "missing.obf: No such file"),
        ({"selfplay": [{"games": 9}, {"dept": 2}]}, "unknown key 'selfplay.1.dept', did you mean 'depth'?"),
        ({"selfplay": []}, "selfplay: at least 1 expected, not 0"),
    ],
)
def test_wrong_configurations_are_one_line(
    wrong: dict[str, Any], words: str, tmp_path: Path, complaint: Callable[..., str]
) -> None:
    (tmp_path / "wrong.yaml").write_text(json.dumps(wrong))
    assert words in complaint("learn", "run", tmp_path / "wrong.yaml", "--out", tmp_path / "out")


# -- parity


def test_trainer_and_core_agree_and_are_told_apart() -> None:
    games = selfplay(shared_weights(), 12, seed=5, depth=1, solve_empties=6)
    model = fit([(games, 1.0)], FitOptions(phases=3, epochs=2, batch=64, held_out=4, device="cpu"))
    sample = positions(games)
    assert check_parity(model, sample) == len(sample.player)
    assert len(set(trainer_values(model, sample))) > len(sample.player) // 2
    wrong = sample._replace(moves=sample.moves + np.uint8(1))  # what the core counts for itself
    with pytest.raises(WeightsError, match="disagree on"):
        check_parity(model, wrong)


# -- how positions count in a fit


def test_positions_are_lent_to_the_phases_before_and_after_alike() -> None:
    draw = torch.arange(0.005, 1, 0.01)
    lent = lent_phases(torch.full((100,), 3), draw, 0.15, 6)
    assert torch.bincount(lent).tolist() == [0, 0, 15, 70, 15]
    assert lent_phases(torch.tensor([0, 5]), torch.tensor([0.99, 0.01]), 0.15, 6).tolist() == [0, 5]


def test_a_position_counts_for_its_repeats_up_to_a_limit() -> None:
    (game,) = selfplay(shared_weights(), 1, seed=5, depth=1, solve_empties=6)
    options = FitOptions(phases=3, scatter=0.0, held_out=2, device="cpu")
    model = PatternModel(PatternGeometry.default(), options.phases)
    for repeats, weight in ((1, 1.0), (2, 2.0), (MOST_REPEATS, MOST_REPEATS), (30, MOST_REPEATS)):
        data = _gather(model, [(np.repeat(game[None], repeats, axis=0), 1.0)], options)
        assert set(data.weights.tolist()) == {weight}


# -- what we ship


def test_the_card_speaks_of_the_weights_we_ship() -> None:
    card = shipped_card()
    assert card["weights"]["checksum"] == checksum(None)
    assert len(card["patterns"]) == len(PatternGeometry.default().patterns)
    assert card["games"] == sum(line["games"] for line in shipped_archive().events("data"))
    assert card["weights"]["bytes"] < 16 << 20


def test_parts_of_a_fit_have_curves_of_their_own_in_colours_everybody_tells_apart() -> None:
    """The errors of the tuning are of other positions: a line from 27.6 to 61.1 would show a fit that fails."""
    drawn = figures(shipped_archive())
    panels = drawn["curves_network"].panels
    curves = [[list(line.get_ydata()) for line in panel.lines] for panel in panels]
    epochs = shipped_archive().events("epoch", model="network")
    value, tuning = ([line["held_out"] for line in epochs if line["part"] == part] for part in ("value", "tuning"))
    assert curves == [[value], [tuning]]
    assert max(value) < min(tuning)
    assert [panel.get_title() for panel in panels] == ["value, all games", "value, tuned without games that explore"]
    colours = [line.get_color() for line in drawn["errors"].axes.lines]
    assert len(colours) > 2
    assert colours == list(COLORS[: len(colours)])


def test_the_built_in_weights_are_reported_with_or_without_figures(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["learn", "report"]) == 0
    assert checksum(None) in capsys.readouterr().out
    monkeypatch.setitem(sys.modules, "matplotlib.figure", None)
    assert main(["learn", "report", "--out", str(tmp_path), "--card", str(tmp_path / "card.json")]) == 0
    assert "no figures: drawing figures needs the extra lab" in capsys.readouterr().err
    assert "<svg" not in (tmp_path / "report.html").read_text()
    assert json.loads((tmp_path / "card.json").read_text()) == shipped_card()


def test_archives_that_are_none(tmp_path: Path) -> None:
    with pytest.raises(RecordError, match=r"run\.json: no such file"):
        Archive.read(tmp_path)
    (tmp_path / "run.json").write_text("[1]")
    with pytest.raises(RecordError, match="is not a JSON object"):
        Archive.read(tmp_path)
    (tmp_path / "run.json").write_text("{}")
    (tmp_path / "log.jsonl").write_text('{"event": "epoch", "epoch": 1}\n')
    with pytest.raises(RecordError, match="line 1: its epoch lacks training, held_out"):
        Archive.read(tmp_path)
    (tmp_path / "log.jsonl").write_text('{"event": "parity"}\n{"round": 1}\n')
    with pytest.raises(RecordError, match="line 2: names no event"):
        Archive.read(tmp_path)
    (tmp_path / "log.jsonl").write_text('{"event": "weights", "round": 1}\n{"eve')
    assert len(Archive.read(tmp_path).lines) == 1


def test_a_log_without_its_description_is_not_gone_on_with(tmp_path: Path) -> None:
    (tmp_path / "log.jsonl").write_text('{"event": "data", "round": 1}\n')
    with pytest.raises(ConfigError, match=r"a log but no run\.json"):
        Run(parse(CONFIG, LearnConfig, "test"), tmp_path, silent).go()
