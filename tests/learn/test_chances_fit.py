"""Calibration of chances: curves found again from drawn results, and what is refused."""

import json
from pathlib import Path

import numpy as np
import pytest

from othellier.cli import main
from othellier.engine.engine import shared_weights
from othellier.errors import ConfigError
from othellier.evaluation.chances import Curves
from othellier.learn import games as made
from othellier.learn.chances_fit import Estimates, fit, measure, save, search


def drawn(count: int, width: float, margin: float) -> Estimates:
    """Results drawn by chances of a known width and margin."""
    rng = np.random.default_rng(1)
    score = rng.normal(0, 8, count).astype(np.float32)
    win, loss = (1 / (1 + np.exp(-(sign * score - margin) / width)) for sign in (1, -1))
    luck = rng.random(count)
    result = np.where(luck < win, 1, np.where(luck > 1 - loss, -1, 0)).astype(np.int8)
    empties, depth = (rng.choice(axis, count).astype(np.float32) for axis in ([10, 20, 30], [2, 4, 8]))
    return Estimates(empties, depth, score, result, np.arange(count, dtype=np.int32))


def test_known_curves_are_found_again() -> None:
    known = drawn(20_000, 4.0, 1.0)
    curves, fitness = fit(known, steps=100)
    for empties in (10, 20, 30):
        win, draw = curves.chances(5, empties, 4)
        assert win == pytest.approx(1 / (1 + np.exp(-1)), abs=0.03)
        assert draw == pytest.approx(1 - win - 1 / (1 + np.exp(1.5)), abs=0.03)
    assert fitness.estimates == 4000
    assert fitness.error < 0.02
    assert fitness.log_loss < measure(known, lambda score, empties, depth: (0.49, 0.02)).log_loss


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (lambda known: known.take(np.arange(len(known.score)) < 9), "9 estimates are too few"),
        (lambda known: known._replace(score=np.full_like(known.score, np.nan)), "not numbers"),
        (lambda known: known._replace(result=np.ones_like(known.result)), "the same result"),
        (lambda known: known._replace(game=np.zeros_like(known.game)), "too few games"),
    ],
)
def test_estimates_without_sense_are_refused(change: object, words: str) -> None:
    assert callable(change)
    with pytest.raises(ConfigError, match=words):
        fit(change(drawn(500, 4.0, 1.0)))


def test_games_are_searched_and_numbers_written(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    games = made.selfplay(shared_weights(), 30, seed=3, depth=1, solve_empties=6, random_moves=(8, 30))
    known = search(games, deepest=3, each=2)
    assert set(np.unique(known.depth)) == {1, 2, 3}
    assert (known.depth < known.empties).all()
    made.save(games, tmp_path / "games.bin")
    out = tmp_path / "chances.json"
    arguments = ["learn", "chances", str(tmp_path / "games.bin"), "--out", str(out), "--each", "3", "--depth", "2"]
    assert main([*arguments, "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["estimates"] > 0
    curves = Curves.parse(json.loads(out.read_text()))
    save(curves, tmp_path / "again.json")
    assert (tmp_path / "again.json").read_bytes() == out.read_bytes()
