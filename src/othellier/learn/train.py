"""From games to files of tables and of networks, told in the events of an archive: fit, parity, held-out errors."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import torch

from othellier.config.models import FitConfig, NetworkConfig
from othellier.errors import ConfigError
from othellier.evaluation.network import HEADS, HIDDEN, SECOND, WIDTH, Networks
from othellier.evaluation.weights import write_payload
from othellier.learn.archive import NETWORK, POLICY
from othellier.learn.fit import FitOptions, fit
from othellier.learn.games import NO_VALUE, OPENING, GameArray, positions
from othellier.learn.measure import measure
from othellier.learn.network_fit import Measures, NetworkOptions, fit_networks
from othellier.learn.parity import UNIT, check_parity

__all__ = ["labelled", "train", "train_networks"]

SAMPLE = 20_000
"""Positions on which trainer and core are compared."""


def labelled(games: GameArray, *, valued: bool = False) -> int:
    """How many positions of games carry a result, or on demand a result or the value of a search."""
    told = np.arange(60) >= games[:, OPENING, None]
    if valued:
        told |= games[:, 60:120].view(np.int8) != NO_VALUE
    return int(((games[:, :60] < 64) & told).sum())


def train(
    sets: list[tuple[GameArray, float]],
    config: FitConfig,
    seed: int,
    out: Path,
    advance: Callable[[float], None] | None = None,
) -> list[dict[str, Any]]:
    """Fit weights to sets of games, each with its weight, and write them once trainer and core agree on them."""
    if not sum(labelled(games) for games, _ in sets):
        raise ConfigError("too few games: none has a position to learn from")
    options = FitOptions(seed=seed, **config.model_dump(exclude={"window"}))
    curve: list[dict[str, Any]] = []

    def after(epoch: int, training: float, held_out: float) -> None:
        errors = {"training": round(training, 4), "held_out": round(held_out, 4)}
        curve.append({"event": "epoch", "epoch": epoch + 1, **errors})
        if advance is not None:
            advance(1)

    begin = time.perf_counter()
    model = fit(sets, options, after)
    fitted = {
        "event": "fit",
        "device": model.table.device.type,
        "threads": torch.get_num_threads(),
        "seconds": round(time.perf_counter() - begin, 1),
        "positions": sum(labelled(games) for games, _ in sets),
        "training": curve[-1]["training"],
        "held_out": curve[-1]["held_out"],
    }
    sample = positions(sets[0][0][: 1 + SAMPLE // 30]).take(slice(SAMPLE))
    parity = {"event": "parity", "positions": check_parity(model, sample)}
    write_payload(out, model.geometry.payload(model.quantised(UNIT), UNIT))
    return [*curve, fitted, parity, *measure(out, [games for games, _ in sets], options.held_out)]


def train_networks(
    sets: list[tuple[GameArray, float]],
    exploring: GameArray | None,
    config: NetworkConfig,
    seed: int,
    out: Path,
    before: Path | None = None,
    advance: Callable[[float], None] | None = None,
) -> list[dict[str, Any]]:
    """Fit networks and write them; the policy of those before is kept, or their values begun with, if asked for."""
    options = NetworkOptions(seed=seed, **config.model_dump(exclude={"window", "policy", "warm"}))
    known = Networks.read(before) if before is not None and (config.warm or not config.policy) else None
    curve: list[dict[str, Any]] = []

    def after(name: str, epoch: int, held_out: float) -> None:
        model = POLICY if name == "policy" else NETWORK
        place = 1 + sum(line["model"] == model for line in curve)
        line = {"event": "epoch", "model": model, "part": name, "epoch": place, "training": None}
        curve.append(line | {"held_out": round(held_out, 4)})
        if advance is not None:
            advance(1)

    begin = time.perf_counter()
    networks, measures = fit_networks(
        sets,
        options,
        after,
        exploring,
        start=known if config.warm else None,
        policy_of=None if config.policy else known,
    )
    networks.write(out)
    games = [one for one, _ in sets] + ([] if exploring is None else [exploring])
    fitted = {
        "event": "fit",
        "model": NETWORK,
        "device": "cuda" if torch.cuda.is_available() else "cpu",
        "seconds": round(time.perf_counter() - begin, 1),
        "positions": sum(labelled(one, valued=True) for one in games),
        "training": None,
        "held_out": next((line["held_out"] for line in reversed(curve) if line["model"] == NETWORK), None),
        "shape": (
            f"value: {WIDTH} numbers a pattern, {HIDDEN} and {SECOND} neurons, {HEADS} heads; "
            "policy: a number a pattern and square"
        ),
        "bytes": out.stat().st_size,
    }
    parity = {"event": "parity", "model": NETWORK, "positions": measures.compared}
    return [*curve, fitted, parity, *_measured(measures)]


def _measured(measures: Measures) -> list[dict[str, Any]]:
    """By empty squares, from the start on."""
    errors, policy = [], []
    for empties in range(60, 0, -1):
        count = measures.counts[empties]
        if count:
            facts = {"empties": empties, "positions": count}
            mae, bias = (round(told[empties], 3) for told in (measures.value_error, measures.value_bias))
            errors.append({"event": "error", "model": NETWORK, **facts, "mae": mae, "bias": bias})
            accuracy, loss = (round(told[empties], 4) for told in (measures.policy_accuracy, measures.policy_loss))
            policy.append({"event": "policy", **facts, "accuracy": accuracy, "loss": loss})
    return errors + policy
