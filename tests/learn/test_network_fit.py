"""The networks in training: trainer and core agree to the unit, symmetries hold, learning helps."""

import json
import random
from collections.abc import Callable, Iterator
from dataclasses import replace
from importlib import resources
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch

from othellier.cli import main
from othellier.engine.engine import shared_weights
from othellier.errors import ConfigError
from othellier.evaluation.network import NetworkGeometry, Networks, from_numbers, load_networks, policy, value
from othellier.learn import games as made
from othellier.learn.fitting import one_thread
from othellier.learn.network_fit import NetworkOptions, fit_networks
from othellier.learn.network_model import PolicyNetwork, ValueNetwork
from othellier.openings import book
from othellier.rules import native
from othellier.rules.geometry import STANDARD, parse_square

ALONE: dict[str, Any] = {"book_weight": 0.0}
"""Without the book's many positions a fit is quick."""


@pytest.fixture(autouse=True)
def alone() -> Iterator[None]:
    """On one thread: beside other tests, two would mostly wait for each other."""
    with one_thread():
        yield


@pytest.fixture(scope="module")
def games() -> made.GameArray:
    return made.selfplay(shared_weights(), 60, seed=7, depth=1, solve_empties=6, random_moves=(4, 20))


@pytest.fixture(scope="module")
def models() -> tuple[ValueNetwork, PolicyNetwork]:
    """Models of random numbers, some too large for the file."""
    torch.manual_seed(3)
    shape = NetworkGeometry.default()
    both = ValueNetwork(shape), PolicyNetwork(shape)
    with torch.no_grad():
        for parameter in (*both[0].parameters(), *both[1].parameters()):
            parameter.copy_(0.4 * torch.randn(parameter.shape))
    return both


def test_trainer_and_core_agree_to_the_unit(models: tuple[ValueNetwork, PolicyNetwork]) -> None:
    value, moves_model = models
    rng = random.Random(2)
    drawn = [native.random_position(rng, STANDARD, empties) for empties in range(1, 60)]
    positions = [position for position in drawn if position.moves()]
    core = from_numbers(Networks(value.shape, *value.arrays(), moves_model.file_rows, moves_model.file_weights()))
    player = np.array([position.player for position in positions], np.uint64)
    opponent = np.array([position.opponent for position in positions], np.uint64)
    found = np.zeros(len(positions), np.int32)
    core.values(player, opponent, found)
    replies = [len(native.position(int(o), int(p)).moves()) for p, o in zip(player, opponent, strict=True)]
    counts = torch.tensor(
        [(len(position.moves()), reply, position.empties) for position, reply in zip(positions, replies, strict=True)]
    )
    indices = value.indices(torch.from_numpy(player.view(np.int64)), torch.from_numpy(opponent.view(np.int64)))
    features = value.features(indices, counts)
    assert (value.exact(features, counts[:, 2]) == found).all()
    with torch.no_grad():  # what learns differs from the integers by the rounding of the neurons alone
        assert np.abs(value(features, counts[:, 2]).numpy() - found / core.VALUE_UNIT).max() < 1

    scores = np.zeros((len(positions), 64), np.int32)
    core.scores(player, opponent, scores)
    row, square = (
        torch.tensor(numbers)
        for numbers in zip(*((i, move) for i, p in enumerate(positions) for move in p.moves()), strict=True)
    )
    moves = moves_model.features(indices, counts[:, 2], row, square)
    assert (moves_model.exact(moves, counts[row, 2], square) == scores[row, square]).all()
    with torch.no_grad():
        learning = moves_model(moves, counts[row, 2], square).numpy()
    assert learning == pytest.approx(scores[row, square] / core.SCORE_UNIT, abs=1e-3)


def test_learning_helps_and_repeats_itself(games: made.GameArray) -> None:
    curve: list[tuple[str, int, float]] = []
    options = NetworkOptions(epochs=3, policy_epochs=2, batch=512, rate=0.02, policy_rate=0.05, held_out=5, **ALONE)
    networks, measures = fit_networks([(games, 1.0)], options, lambda *point: curve.append(point))
    assert [(name, epoch) for name, epoch, _ in curve] == [
        *(("value", epoch) for epoch in range(3)),
        *(("policy", epoch) for epoch in range(2)),
    ]
    assert curve[2][2] < curve[0][2]
    assert curve[4][2] < curve[3][2]
    late, early = measures.policy_accuracy[1:5], measures.policy_accuracy[40:50]
    assert np.mean(late) > np.mean(early) > 0
    assert sum(measures.counts) == measures.compared > 300
    again, _ = fit_networks([(games, 1.0)], options)
    assert again.payload() == networks.payload()


def test_a_fit_may_begin_with_networks_and_keep_their_policy(games: made.GameArray) -> None:
    options = NetworkOptions(epochs=1, policy_epochs=1, batch=512, rate=1e-9, held_out=5, **ALONE)
    first, _ = fit_networks([(games, 1.0)], NetworkOptions(epochs=1, policy_epochs=1, batch=512, held_out=5, **ALONE))
    curve: list[tuple[str, int, float]] = []
    begun, _ = fit_networks([(games, 1.0)], options, lambda *at: curve.append(at), start=first, policy_of=first)
    assert [name for name, _, _ in curve] == ["value"]
    assert (begun.value_rows == first.value_rows).all()
    assert begun.payload() == first.payload()


def test_the_book_teaches_the_first_moves(games: made.GameArray, monkeypatch: pytest.MonkeyPatch) -> None:
    whole = book.shipped()
    assert whole is not None
    first = whole.pruned(plies=10, width=4.0)  # all of it would take most of a minute
    monkeypatch.setattr(book, "shipped", lambda: first)
    known = Networks.read(Path(str(resources.files("othellier") / "data" / "networks.weights")))
    options = NetworkOptions(epochs=2, batch=512, rate=0.005, held_out=5)
    without = replace(options, book_weight=0)
    taught, untaught = (
        from_numbers(fit_networks([(games, 1.0)], one, start=known, policy_of=known)[0]) for one in (options, without)
    )
    after = native.start().play(parse_square("f5")).play(parse_square("d6"))
    assert abs(value(after, taught)) < abs(value(after, untaught)) - 1


def test_the_bias_of_searches_is_told(
    games: made.GameArray, tmp_path: Path, capsys: pytest.CaptureFixture[str], complaint: Callable[..., str]
) -> None:
    made.save(games, tmp_path / "games.bin")
    command = ["learn", "bias", str(tmp_path / "games.bin"), "--sample", "40", "--deepest", "3", "--solve", "7"]
    assert main([*command, "--json"]) == 0
    lines = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [(line["parity"], line["depth"]) for line in lines] == [(p, d) for p in ("even", "odd") for d in range(4)]
    assert lines[0]["positions"] + lines[4]["positions"] == 40
    assert all(abs(line["bias"]) <= line["mae"] for line in lines)
    assert lines[3]["mae"] < lines[0]["mae"]
    assert main(command) == 0
    assert "depth  3, odd number of empty squares:" in capsys.readouterr().out
    assert "no position with 4 to 3 empty squares" in complaint(*command[:-1], "3")


def test_exploring_games_teach_first(games: made.GameArray) -> None:
    explored = made.selfplay(
        shared_weights(), 40, seed=3, depth=1, solve_empties=6, random_moves=(4, 8), exploration=30
    )
    curve: list[tuple[str, int, float]] = []
    options = NetworkOptions(
        epochs=2, tune_epochs=3, policy_epochs=1, batch=512, rate=0.02, tune_rate=0.01, held_out=5, **ALONE
    )
    _, measures = fit_networks([(games, 1.0)], options, lambda *point: curve.append(point), explored)
    names = [name for name, _, _ in curve]
    assert names == ["value", "value", "tuning", "tuning", "tuning", "policy"]
    assert curve[4][2] < curve[2][2]
    # What is measured is what games without random moves show.
    assert measures.counts == fit_networks([(games, 1.0)], options)[1].counts


@pytest.mark.parametrize(
    ("options", "reason"),
    [({"epochs": 0}, "positive"), ({"held_out": 1}, "held_out"), ({"blend": 2}, "blend"), ({"rate": 0}, "rates")],
)
def test_options_that_make_no_sense_are_refused(options: dict[str, Any], reason: str) -> None:
    with pytest.raises(ConfigError, match=reason):
        NetworkOptions(**options)


def test_too_few_games_are_refused(games: made.GameArray) -> None:
    with pytest.raises(ConfigError, match="too few games"):
        fit_networks([(games[:1], 1.0)], NetworkOptions())


def test_the_command_fits_and_tells(games: made.GameArray, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    made.save(games[:30], tmp_path / "own.bin")
    made.save(games[30:], tmp_path / "database.bin")
    out = tmp_path / "networks.weights"
    command = ["learn", "network", str(tmp_path / "own.bin"), "--out", str(out), "--held-out", "5"]
    quick = ["--epochs", "1", "--policy-epochs", "1", "--batch", "4096", "--book-weight", "0"]
    both = ["--database", str(tmp_path / "database.bin"), "--exploring", str(tmp_path / "database.bin")]
    assert main([*command, *quick, "--tune-epochs", "1", *both, "--json"]) == 0
    *epochs, told = map(json.loads, capsys.readouterr().out.splitlines())
    assert [line["network"] for line in epochs] == ["value", "tuning", "policy"]
    assert told["compared"] == sum(told["counts"])
    assert set(policy(native.start(), load_networks(out))) == set(native.start().moves())
    assert main([*command, *quick]) == 0
    assert "trainer and core agree on" in capsys.readouterr().out
    assert main([*command, "--rate", "0"]) == 2
    assert capsys.readouterr().err.count("\n") == 1
