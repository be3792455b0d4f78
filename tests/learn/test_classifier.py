"""The classifier of games in progress, on a few random games: from the database to the page, and what is refused."""

import json
import random
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch

from othellier.cli import main
from othellier.errors import ConfigError, InvalidPosition, WeightsError
from othellier.evaluation.classifier import BoardModel, shipped_model
from othellier.evaluation.evaluators import create_evaluator
from othellier.evaluation.features import stable_mask
from othellier.games.game import Game, Headers
from othellier.learn import games as made
from othellier.learn.classifier import CLASSES, Classifier, ClassifierOptions, Network, labels, train
from othellier.learn.classifier_board import board_inputs, export_board, textbook_inputs, train_board, train_textbook
from othellier.learn.classifier_data import Extraction, extract, sample, split
from othellier.learn.classifier_features import FEATURES, features
from othellier.learn.classifier_report import Method, Results
from othellier.learn.classifier_run import HEURISTICS, classify
from othellier.learn.fitting import one_thread
from othellier.players import answer, create_player
from othellier.records import write
from othellier.rules import native
from othellier.rules.board import Position
from othellier.rules.geometry import PASS, STANDARD, geometry
from othellier.search import Options, search

QUICK = ClassifierOptions(depth=1, solve=6, per_game=4, hidden=(8,), epochs=3, batch=64)


def play(seed: int, moves: int = 100) -> Game:
    rng = random.Random(seed)
    game = Game(headers=Headers(black=f"Black {seed}", white=f"White {seed}"))
    while not game.position.is_over() and len(game.moves()) < moves:
        game.push(rng.choice(game.position.moves() or [PASS]))
    return game


@pytest.fixture(scope="module")
def database(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("database")
    write([play(seed) for seed in range(120)], folder / "WTH_2026.wtb")
    return folder


@pytest.fixture(scope="module")
def games(database: Path) -> made.GameArray:
    return extract([database]).games


# -- games


def test_doubtful_games_are_left_out_and_counted(tmp_path: Path) -> None:
    alone = play(3)
    alone.headers = Headers(black="Anna", white="Anna")
    path = tmp_path / "WTH_2025.wtb"
    write([play(0), play(1), play(2, moves=20), alone, play(1)], path)
    data = bytearray(path.read_bytes())
    data[16 + 6] ^= 1  # the score of the first game is no longer that of its moves
    path.write_bytes(data)
    found = extract([path], ["WTH_2025.wtb 4", "other.wtb 1"])
    assert found.read == 5
    assert found.left_out == {
        "listed": 1,
        "illegal": 0,
        "unfinished": 1,
        "contradictory": 1,
        "one_player": 1,
        "repeated": 0,
    }
    assert len(found.games) == 1


def test_results_are_those_of_the_games(games: made.GameArray) -> None:
    expected = sorted(play(seed).position.score() for seed in range(120))
    black = games[:, -1].view(np.int8).astype(int)
    assert sorted(map(abs, black.tolist())) == sorted(map(abs, expected))
    found = sample(games, 3, 30)
    assert len(found.score) == 3 * len(games)
    assert np.bitwise_count(found.player | found.opponent).min() >= 30
    assert [CLASSES[label] for label in labels(found)] == [
        "win" if score > 0 else "draw" if score == 0 else "loss" for score in found.score
    ]


def test_seen_games_teach_and_never_test(games: made.GameArray) -> None:
    seen = games[:80]
    parts = split(games, seen=seen, held_out=4)
    fitted = {row.tobytes() for row in seen[np.arange(80) % 4 != 0]}
    assert parts.unseen
    assert {row.tobytes() for row in parts.training} == fitted
    assert not {row.tobytes() for row in parts.test} & fitted
    assert len(split(games, seen=seen, held_out=4, most=30).training) == 30


@pytest.mark.parametrize("count", [0, 1, 60])
def test_too_few_games_are_refused(games: made.GameArray, count: int) -> None:
    with pytest.raises(ConfigError, match="too few games"):
        split(games[:count])


# -- features


def test_features_mirror_and_count(games: made.GameArray) -> None:
    found = sample(games, 2, 20)
    zeros = np.zeros(len(found.score), np.float32)
    numbers = features(found, zeros, zeros, 10)
    assert numbers.shape == (len(found.score), len(FEATURES))
    columns = dict(zip(FEATURES, numbers.T, strict=True))
    board = geometry(STANDARD)
    pairs = list(zip(found.player.tolist(), found.opponent.tolist(), strict=True))
    stable = [stable_mask(player, opponent, board).bit_count() for player, opponent in pairs]
    assert (columns["own stable"] * 16).tolist() == stable
    assert (columns["other discs"] * 16).tolist() == [opponent.bit_count() for _, opponent in pairs]
    # A mirrored board has the same numbers.
    mirrored = [native.position(*pair).transform(1) for pair in pairs]
    player, opponent = (np.array([getattr(p, side) for p in mirrored], np.uint64) for side in ("player", "opponent"))
    assert (features(found._replace(player=player, opponent=opponent), zeros, zeros, 10) == numbers).all()


# -- training


def test_what_can_be_told_apart_is_told_apart() -> None:
    rng = np.random.default_rng(1)
    numbers = rng.normal(size=(3000, 4)).astype(np.float32)
    truth = np.digitize(numbers[:, 2], [-0.3, 0.3])
    network = train(numbers, truth, ClassifierOptions(hidden=(16,), epochs=12, batch=64))
    told = network.chances(numbers)
    assert told.sum(axis=1) == pytest.approx(1, abs=1e-5)
    assert (told.argmax(axis=1) == truth).mean() > 0.93


@one_thread()
def test_a_regression_on_few_positions_comes_to_its_end(games: made.GameArray) -> None:
    """As many positions as 600 games give: the loss is next to the least there is, which L-BFGS finds."""
    found = sample(games, 20, 10)
    zeros = np.zeros(len(found.score), np.float32)
    numbers, truth = features(found, zeros, zeros, 0), labels(found)
    assert 2000 < len(truth) < 2600
    network = train_textbook(numbers, truth, ClassifierOptions())
    inputs, results = torch.from_numpy(textbook_inputs(numbers)), torch.from_numpy(truth)
    best = Network(inputs.shape[1], ())
    best.mean, best.spread = network.mean, network.spread
    optimizer = torch.optim.LBFGS(best.parameters(), max_iter=500, line_search_fn="strong_wolfe")

    def loss(model: Network) -> torch.Tensor:
        return torch.nn.functional.cross_entropy(model(inputs), results)

    def closure() -> torch.Tensor:
        optimizer.zero_grad()
        now = loss(best)
        now.backward()  # type: ignore[no-untyped-call]
        return now

    optimizer.step(closure)  # type: ignore[no-untyped-call]
    assert loss(best) < loss(network) < loss(best) + 0.02
    counted = np.bitwise_count(found.player).astype(int) - np.bitwise_count(found.opponent)
    right = (network.chances(inputs.numpy()).argmax(axis=1) == truth).mean()
    assert right > (np.sign(counted) + 1 == truth).mean()


@pytest.mark.parametrize(
    ("numbers", "truth", "words"),
    [
        (np.zeros((0, 2)), np.zeros(0), "nothing to learn from"),
        (np.zeros((4, 2)), np.zeros(3), "nothing to learn from"),
        (
            np.array([[0.0, np.nan], [1.0, 1.0]]),
            np.array([0, 2]),
            "1 of 2 positions have features that are not numbers",
        ),
        (np.zeros((4, 2)), np.full(4, 2), "every position ends in a win"),
    ],
)
def test_data_without_sense_are_refused(numbers: np.ndarray, truth: np.ndarray, words: str) -> None:
    with pytest.raises(ConfigError, match=words):
        train(numbers.astype(np.float32), truth.astype(np.int64), QUICK)


def test_contradictory_results_become_chances() -> None:
    numbers = np.zeros((900, 2), np.float32)
    truth = np.repeat([0, 2, 2], 300)
    told = train(numbers, truth, ClassifierOptions(hidden=(4,), epochs=20, batch=90, rate=0.05)).chances(numbers[:1])[0]
    assert told == pytest.approx([1 / 3, 0, 2 / 3], abs=0.06)


# -- the whole


def test_a_whole_run(games: made.GameArray, tmp_path: Path) -> None:
    extraction = Extraction(games, len(games), {"listed": 0})
    stages: list[list[float]] = []

    @contextmanager
    def stage(_: str, total: float | None) -> Iterator[Callable[[float], None]]:
        stages.append([total or 0])
        yield stages[-1].append

    trained = classify(extraction, split(games, seen=games[:80], held_out=4), QUICK, stage=stage)
    results = trained.results
    assert [method.kind for method in results.methods[:3]] == ["classifier", "model", "model"]
    assert [method.name for method in results.methods[5:]] == list(HEURISTICS)
    assert [len(curve) for curve in trained.curves.values()] == [QUICK.epochs] * 3
    assert len(stages) == 4
    assert all(0 < total == sum(steps) for total, *steps in stages)
    by_search = np.equal(np.asarray(results.methods[4].sign), results.truth - 1)
    assert by_search[results.discs >= 58].mean() > by_search[results.discs <= 20].mean()
    confused = np.array([row[1:] for row in results.confusion(40)[1:]], int)
    assert confused.sum() == (results.discs == 40).sum()
    trained.classifier.save(tmp_path / "classifier.pt")
    again = Classifier.load(tmp_path / "classifier.pt")
    position = native.start()
    assert sum(again.rate(position)) == pytest.approx(1, abs=1e-5)
    assert again.rate(position) == trained.classifier.rate(position)


def test_measures_are_right_for_known_chances() -> None:
    truth = np.array([2, 2, 0, 1])
    discs = np.array([20, 40, 50, 40])
    sure = Method("sure", "classifier", np.eye(3, dtype=np.float32)[truth])
    vague = Method("vague", "heuristic", np.full((4, 3), 1 / 3, np.float32), np.array([1, -1, 0, 0]))
    results = Results(discs, truth, np.arange(4, dtype=np.int32), [sure, vague])
    heading, first, second = results.scores()
    assert first[heading.index("log loss")] == "0.0000"
    assert second[heading.index("log loss")] == f"{np.log(3):.4f}"
    assert second[heading.index("Brier")] == f"{4 / 9 + 2 / 9:.4f}"
    stages = dict(zip(results.stages()[0][:6], results.stages()[1][:6], strict=True))
    assert stages["20 discs"] == "100.0"
    assert results.stages()[2][results.stages()[0].index("by sign")] == "100.0"


def test_only_classifiers_are_read_and_only_open_games_rated(tmp_path: Path) -> None:
    path = tmp_path / "classifier.pt"
    path.write_bytes(b"no such thing")
    with pytest.raises(WeightsError, match="no classifier"):
        Classifier.load(path)
    untrained = Classifier(Network(len(FEATURES), (4,)), QUICK)
    with pytest.raises(InvalidPosition, match="8x8"):
        untrained.rate(native.start(6))
    with pytest.raises(ConfigError, match="positive"):
        ClassifierOptions(depth=0)


def test_the_command_says_in_one_line_what_is_wrong(tmp_path: Path, complaint: Callable[..., str]) -> None:
    write([play(1), play(2)], tmp_path / "WTH_2026.wtb")
    assert "too few games" in complaint("learn", "classify", tmp_path, "--out", tmp_path / "out")


def test_the_command_writes_and_rates(
    database: Path, games: made.GameArray, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    made.save(games[:90], tmp_path / "seen.bin")
    listed = tmp_path / "listed.txt"
    listed.write_text("WTH_2026.wtb 5\n")
    out = tmp_path / "out"
    arguments = ["--exclude", str(listed), "--seen", str(tmp_path / "seen.bin"), "--depth", "1", "--solve", "4"]
    assert main(["learn", "classify", str(database), *arguments, "--games", "40", "--out", str(out), "--json"]) == 0
    report = json.loads(capsys.readouterr().out)
    assert report["left_out"]["listed"] == 1
    assert report["test_games_unseen_by_the_weights"] is True
    assert report["stages"][0]["method"] == "classifier"
    kept = json.loads((out / "results.json").read_text())
    assert len(kept["stages"]) == 6 + len(HEURISTICS)
    assert "Confusion at 40 discs" in (out / "report.html").read_text()
    for name in ("stages.csv", "scores.csv", "phases.csv", "accuracy.svg", "reliability.png", "comparison.svg"):
        assert (out / name).stat().st_size > 100
    board = native.start().board_string()
    assert main(["learn", "rate", str(out / "classifier.pt"), "--position", board, "--json"]) == 0
    rated = json.loads(capsys.readouterr().out)
    assert sum(rated.values()) == pytest.approx(1, abs=1e-3)


# -- the network on the bare board


@pytest.fixture(scope="module")
def board(games: made.GameArray) -> tuple[Network, BoardModel]:
    network = train_board(sample(games, 4, 10), QUICK)
    return network, export_board(network)


def asked(position: Position) -> made.Positions:
    discs = np.array([position.player], np.uint64), np.array([position.opponent], np.uint64)
    none = np.zeros(1, np.uint8)
    return made.Positions(*discs, none, none, np.zeros(1, np.int8), np.zeros(1, np.int8), np.zeros(1, np.int32))


def test_numpy_says_what_pytorch_learnt(board: tuple[Network, BoardModel]) -> None:
    """The mean of the logits of all eight forms, as PyTorch gives them one by one."""
    network, model = board
    for seed in range(20):
        position = native.random_position(random.Random(seed))
        forms = np.concatenate([board_inputs(asked(form)) for form in position.symmetries()])
        with torch.no_grad():
            logits = network(torch.from_numpy(forms)).mean(0)
        loss, draw, win = torch.softmax(logits, 0).tolist()
        assert model.chances(position.player, position.opponent) == pytest.approx((win, draw, loss), abs=1e-4)


def test_symmetric_positions_are_equal(board: tuple[Network, BoardModel]) -> None:
    position = native.random_position(random.Random(1), empties=30)
    values = {board[1].value(form.player, form.opponent) for form in position.symmetries()}
    assert max(values) - min(values) <= 1  # of a thousand, by rounding


def test_turned_boards_are_the_same_boards(games: made.GameArray) -> None:
    found = sample(games, 1, 20)
    plain, turned = board_inputs(found), board_inputs(found, 3)
    assert (plain != turned).any()
    assert (plain.sum(1) == turned.sum(1)).all()
    corners = [0, 7, 56, 63]
    assert (plain[:, corners].sum(1) == turned[:, corners].sum(1)).all()


def test_a_board_model_is_kept_and_bad_ones_are_refused(board: tuple[Network, BoardModel], tmp_path: Path) -> None:
    path = tmp_path / "classifier.npz"
    board[1].save(path)
    start = native.start()
    before = board[1].chances(start.player, start.opponent)
    assert BoardModel.load(path).chances(start.player, start.opponent) == pytest.approx(before, abs=0.01)
    path.write_bytes(path.read_bytes()[:-40])
    with pytest.raises(WeightsError, match="no classifier of the bare board"):
        BoardModel.load(path)
    layers: dict[str, Any] = dict(board[1].layers)
    layers["b3"] = np.array([0, np.nan, 0], np.float32)
    np.savez(path, **layers)
    with pytest.raises(WeightsError, match="not numbers"):
        BoardModel.load(path)
    layers["b3"] = np.zeros(4, np.float32)
    np.savez(path, **layers)
    with pytest.raises(WeightsError, match="another shape"):
        BoardModel.load(path)


def test_the_shipped_model_tells_a_won_game_from_a_lost_one() -> None:
    ahead = native.parse("XXXXXXXX" * 4 + "XXXXXXOO" * 2 + "XXXOOO--" * 2 + " X")
    win, draw, loss = shipped_model().chances(ahead.player, ahead.opponent)
    assert win > 0.8
    assert win + draw + loss == pytest.approx(1)
    assert shipped_model().value(ahead.opponent, ahead.player) < 0


def test_the_classifier_serves_every_search_and_plays() -> None:
    position = native.random_position(random.Random(4), empties=30)
    for algorithm in ("minimax", "alphabeta", "pvs"):
        player = create_player(f"{algorithm}:depth=2,eval=classifier")
        assert answer(player, position).move in position.moves()
    values = {
        search(position, Options(algorithm, 2, create_evaluator("classifier"))).value
        for algorithm in ("minimax", "pvs")
    }
    assert len(values) == 1
    assert answer(create_player("classifier"), position).move in position.moves()
