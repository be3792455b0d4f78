"""The classifiers as searches ask them: in whole numbers, both twins alike, and the models they were learnt as."""

import json
import random
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch

from othellier import batch
from othellier.errors import WeightsError
from othellier.evaluation.classifier import LOSS, WIN, BoardModel, compiled_model, shipped_model
from othellier.evaluation.evaluators import Evaluator, create_evaluator, regression_phases
from othellier.evaluation.textbook import COUNTS, load_weights, save_weights, shipped_weights
from othellier.lab.words import Words
from othellier.learn.classifier import Network
from othellier.learn.classifier_board import TEXTBOOK, export_textbook, textbook_inputs
from othellier.learn.classifier_features import features
from othellier.learn.classifier_report import STAGES, Method, Results, figures, write_report
from othellier.learn.games import Positions
from othellier.players import answer, create_player
from othellier.rules import native
from othellier.rules.board import Position
from othellier.search import Options, search

MODELS = ("classifier", "classifier/model=textbook")

needs_core = pytest.mark.skipif(not native.available, reason="there is no compiled core to compare with")


def some_positions(number: int) -> list[Position]:
    rng = random.Random(number)
    return [position for _ in range(number) if (position := native.random_position(rng)).moves()]


@needs_core
def test_the_compiled_network_says_what_the_readable_one_says() -> None:
    for position in some_positions(200):
        discs = position.player, position.opponent
        assert compiled_model().value(*discs) == shipped_model().value(*discs)
        assert compiled_model().value(*discs[::-1]) == shipped_model().value(*discs[::-1])


def test_whole_numbers_are_near_what_was_learnt() -> None:
    """The value is the logarithm of the odds, to a few hundredths."""
    for position in some_positions(60):
        win, _, loss = shipped_model().chances(position.player, position.opponent)
        value = shipped_model().value(position.player, position.opponent)
        assert value / 1000 == pytest.approx(np.log(win / loss), abs=0.05)


def test_weights_too_large_for_whole_numbers_are_refused() -> None:
    layers: dict[str, Any] = {name: layer.copy() for name, layer in shipped_model().layers.items()}
    layers["w2"] = layers["w2"] * 100
    with pytest.raises(WeightsError, match="too large"):
        BoardModel(layers).value(1, 2)


@needs_core
@pytest.mark.parametrize("model", MODELS)
@pytest.mark.parametrize("algorithm", ["minimax", "negamax", "alphabeta", "nega-alphabeta", "pvs"])
def test_every_search_takes_them_and_both_twins_agree(algorithm: Any, model: str) -> None:
    options = Options(algorithm, 3, create_evaluator(model), "evaluator", table=True, table_depth=1)
    for position in some_positions(3):
        python, compiled = (search(position, options, backend=backend) for backend in ("python", "native"))
        assert replace(python, seconds=0) == replace(compiled, seconds=0)


@pytest.mark.parametrize("model", ["board", "textbook"])
def test_they_play_on_every_board(model: str) -> None:
    player = create_player(f"classifier:model={model}")
    for size in (8, 6, 10):
        position = Position.start(size)
        assert answer(player, position).move in position.moves()


def test_textbook_terms_are_the_regression_they_were_learnt_as() -> None:
    """What the evaluator says is what PyTorch expects for one side less what it expects for the other."""
    torch.manual_seed(1)
    network = Network(2 * len(TEXTBOOK), ())
    network.spread.copy_(torch.rand(2 * len(TEXTBOOK)) + 0.5)
    learnt = export_textbook(network)
    assert all(set(weights) == set(COUNTS) for _, weights in learnt)
    evaluate = Evaluator("learnt", regression_phases(learnt)).compile(8)
    middles = {until - 3 for until, _ in learnt}  # where the weights are exact
    compared = [position for position in some_positions(200) if 60 - position.empties in middles]
    assert len(compared) > 20
    for position in compared:
        expected = odds(network, position) - odds(network, position, swap=True)
        assert evaluate(position.player, position.opponent) == pytest.approx(1000 * expected, abs=60)  # by rounding


def odds(network: Network, position: Position, swap: bool = False) -> float:
    own, other = (np.array([discs], np.uint64) for discs in (position.player, position.opponent)[:: -1 if swap else 1])
    moves = [np.bitwise_count(batch.moves(*pair)) for pair in ((own, other), (other, own))]
    found = Positions(own, other, moves[0], moves[1], np.zeros(1, np.int8), np.zeros(1, np.int8), np.zeros(1, np.int32))
    nothing = np.zeros(1, np.float32)
    with torch.no_grad():
        logits = network(torch.from_numpy(textbook_inputs(features(found, nothing, nothing, 0))))[0]
    return float(logits[WIN] - logits[LOSS])


def test_textbook_weights_are_kept_and_bad_ones_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "textbook.json"
    save_weights(shipped_weights(), path)
    assert load_weights(path) == shipped_weights()
    good = json.loads(path.read_text())
    for bad, words in (
        ("no JSON", "no weights of textbook features"),
        (json.dumps([{"until": 5}]), "no weights of textbook features"),
        (json.dumps([{**good[0], "moves": 0.5}]), "not whole numbers"),
        (json.dumps(good[::-1]), "out of order"),
        ("[]", "out of order"),
    ):
        path.write_text(bad)
        with pytest.raises(WeightsError, match=words):
            load_weights(path)


def test_the_report_speaks_french(tmp_path: Path) -> None:
    rng = np.random.default_rng(1)
    discs = np.repeat(STAGES, 40)
    chances = rng.dirichlet((1, 1, 1), len(discs)).astype(np.float32)
    truth = rng.integers(0, 3, len(discs))
    say = Words("fr")
    methods = [
        Method("classifier", "classifier", chances),
        Method("network on the bare board", "model", chances[::-1]),
        Method("textbook features, logistic regression", "model", chances),
        Method("engine: pattern evaluation", "engine", chances),
        Method("engine: depth {depth} and exact from {solve}", "engine", chances, None, {"depth": 6, "solve": 14}),
        Method("mobility", "heuristic", chances, np.sign(rng.normal(size=len(discs))).astype(np.int64)),
    ]
    facts = {"games_read": 1234, "left_out": {"one_player": 3}, "test_games_unseen_by_the_weights": True}
    results = Results(discs, truth, np.arange(len(discs), dtype=np.int32) // 3, methods, facts, say=say)
    page = write_report(results, tmp_path, figures(results, {"classifier": [1.0, 0.9]})).read_text()
    assert '<html lang="fr">' in page
    assert "Qui gagne une partie en cours" in page
    assert "parties lues : 1\N{NARROW NO-BREAK SPACE}234" in page
    assert "moteur : profondeur 6, exact à partir de 14" in page
    assert say.missing == set()
