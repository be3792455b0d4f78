"""The whole classifier in one go: positions sampled and searched, the classifier and its rivals fitted and tested."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from othellier.base.sheets import TableRows
from othellier.engine.analysts import Stage, silent
from othellier.evaluation.evaluators import EVALUATORS, TABLES, create_evaluator
from othellier.learn.classifier import MANY_STEPS, Classifier, ClassifierOptions, Labels, Network, labels, train
from othellier.learn.classifier_board import board_inputs, textbook_inputs, train_board, train_textbook
from othellier.learn.classifier_data import Extraction, Split, sample
from othellier.learn.classifier_features import FEATURES, Floats
from othellier.learn.classifier_report import STAGES, Method, Results
from othellier.learn.games import Positions, positions

__all__ = ["HEURISTICS", "Trained", "classify"]

VARIANTS = ("criteria/stability=real", *(f"positional/table={table}" for table in TABLES if table != "heuristic2"))
HEURISTICS = (*(name for name in EVALUATORS if name not in ("patterns", "classifier")), *VARIANTS)
"""Every heuristic of evaluators.py, with other values of its options; `patterns` is the engine's own evaluation."""
ASSISTED, BOARD, TEXTBOOK = "classifier", "network on the bare board", "textbook features, logistic regression"
EVALUATION, SEARCHED = "engine: pattern evaluation", "engine: depth {depth} and exact from {solve}"
BOARD_PER_GAME = 3
"""Times the positions of a game for the bare board: it must find out for itself what the others are told."""
RIVAL_ROWS = 60_000
"""Training positions for a rival's few numbers; more change nothing."""
PHASE, PARITY, STATIC, SEARCH = (FEATURES.index(name) for name in ("phase", "parity", "static", "search"))
SOLVED = tuple(FEATURES.index(name) for name in ("solved", "solved win", "solved draw"))


@dataclass(frozen=True, slots=True)
class Trained:
    """The classifier, how its loss fell, and the test."""

    classifier: Classifier
    curves: dict[str, list[float]]
    """The mean log loss in training of each model, epoch by epoch."""
    board: Network
    """The network on the bare board."""
    textbook: Network
    """The regression on what textbooks count."""
    results: Results


def classify(
    extraction: Extraction,
    parts: Split,
    options: ClassifierOptions,
    weights: str | Path | None = None,
    stage: Stage = silent,
) -> Trained:
    """Train and test; `stage` shows what is being done."""
    learnt = sample(parts.training, options.per_game, options.least_discs, options.seed)
    tested = _from_discs(positions(parts.test), options.least_discs)
    classifier = Classifier(Network(len(FEATURES), options.hidden), options, weights)
    with stage("searching positions to learn from", len(learnt.score)) as advance:
        known = classifier.features(learnt, advance)
    with stage("searching positions to test by", len(tested.score)) as advance:
        asked = classifier.features(tested, advance)
    curves: dict[str, list[float]] = {name: [] for name in (ASSISTED, BOARD, TEXTBOOK)}
    with stage("training three models", options.epochs * len(curves)) as advance:

        def told(name: str) -> Callable[[float], None]:
            def epoch(loss: float) -> None:
                curves[name].append(loss)
                advance(1)

            return epoch

        classifier.network = train(known, labels(learnt), options, told(ASSISTED))
        more = sample(parts.training, BOARD_PER_GAME * options.per_game, options.least_discs, options.seed)
        board = train_board(more, options, told(BOARD))
        textbook = train_textbook(known, labels(learnt), options, told(TEXTBOOK))
    methods = [
        Method(ASSISTED, "classifier", classifier.network.chances(asked)),
        Method(BOARD, "model", board.chances(board_inputs(tested))),
        Method(TEXTBOOK, "model", textbook.chances(textbook_inputs(asked))),
    ]
    engines = ((EVALUATION, (STATIC,)), (SEARCHED, (SEARCH, *SOLVED)))
    some = np.random.default_rng(options.seed).permutation(len(known))[:RIVAL_ROWS]
    with stage("fitting engine and heuristics", len(engines) + len(HEURISTICS)) as advance:
        for name, columns in engines:
            numbers = {"depth": options.depth, "solve": options.solve} if name == SEARCHED else {}
            used = [PHASE, PARITY, *columns]
            network = train(known[:, used], labels(learnt), _small(options), least_steps=MANY_STEPS)
            sign = np.sign(asked[:, columns[0]]).astype(np.int64)
            methods.append(Method(name, "engine", network.chances(asked[:, used]), sign, numbers))
            advance(1)
        for name in HEURISTICS:
            methods.append(_heuristic(name, known[some], learnt.take(some), asked, tested, options))
            advance(1)
    facts = {
        "games_read": extraction.read,
        "left_out": extraction.left_out,
        "games_to_learn_from": len(parts.training),
        "positions_to_learn_from": len(learnt.score),
        "games_to_test_by": len(parts.test),
        "positions_to_test_by": len(tested.score),
        "test_games_unseen_by_the_weights": parts.unseen,
        "weights": "built-in" if weights is None else Path(weights).name,
    }
    leak = _leak((("learnt from", learnt, known), ("test", tested, asked)))
    results = Results(_discs(tested), labels(tested), tested.game, methods, facts, leak)
    return Trained(classifier, curves, board, textbook, results)


def _small(options: ClassifierOptions) -> ClassifierOptions:
    """For a rival: few numbers, so a small network, in steps small enough to learn where their meaning turns round."""
    return replace(options, hidden=(32,), batch=min(options.batch, 256))


def _heuristic(
    name: str, known: Floats, learnt: Positions, asked: Floats, tested: Positions, options: ClassifierOptions
) -> Method:
    evaluate = create_evaluator(name).compile(8)

    def values(found: Positions) -> Floats:
        pairs = zip(found.player.tolist(), found.opponent.tolist(), strict=True)
        return np.fromiter((evaluate(*pair) for pair in pairs), np.float32, len(found.score))

    ours, theirs = values(learnt), values(tested)
    network = train(_with(known, ours), labels(learnt), _small(options), least_steps=MANY_STEPS)
    return Method(name, "heuristic", network.chances(_with(asked, theirs)), np.sign(theirs).astype(np.int64))


def _with(numbers: Floats, values: Floats) -> Floats:
    """Phase, parity and a heuristic's value."""
    return np.column_stack([numbers[:, [PHASE, PARITY]], values])


def _leak(sides: Sequence[tuple[str, Positions, Floats]]) -> TableRows:
    """The evaluation's error on either side: were it better where it learnt, the test would have to fear a leak."""
    rows = [["discs", "games", "positions", "mean error in discs", "right sign, per cent", "±"]]
    for discs in STAGES:
        for words, found, numbers in sides:
            here = (_discs(found) == discs) & (found.score != 0)
            score, value = found.score[here].astype(np.float64), numbers[here, STATIC] * 16.0
            right = (np.sign(value) == np.sign(score)).mean()
            reach = 196 * np.sqrt(right * (1 - right) / max(len(score), 1))
            error = np.abs(value - score).mean()
            rows.append([str(discs), words, str(len(score)), f"{error:.2f}", f"{100 * right:.1f}", f"{reach:.1f}"])
    return rows


def _discs(found: Positions) -> Labels:
    return np.asarray(np.bitwise_count(found.player | found.opponent), np.int64)


def _from_discs(found: Positions, least: int) -> Positions:
    """Every second number of discs is enough to draw by."""
    discs = _discs(found)
    return found.take(np.flatnonzero((discs >= least) & (discs % 2 == 0)))
