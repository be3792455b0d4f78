"""From games to a weights file, told in the events of an archive: the fit, the parity check, held-out errors."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import torch

from othellier.config import FitConfig
from othellier.errors import ConfigError
from othellier.learn.fit import FitOptions, fit
from othellier.learn.games import OPENING, Games, positions
from othellier.learn.measure import measure
from othellier.learn.parity import UNIT, check_parity
from othellier.weights import write_payload

__all__ = ["labelled", "train"]

SAMPLE = 20_000
"""Positions on which trainer and core are compared."""


def labelled(games: Games) -> int:
    """How many positions of games carry a label."""
    return int((games[:, :60] < 64).sum()) - int(games[:, OPENING].sum())


def train(
    sets: list[tuple[Games, float]],
    config: FitConfig,
    seed: int,
    out: Path,
    advance: Callable[[float], None] | None = None,
) -> list[dict[str, Any]]:
    """Fit weights to sets of games, each with its weight, and write them once trainer and core agree on them."""
    if not sum(labelled(games) for games, _ in sets):
        raise ConfigError("too few games: none has a position to learn from")
    options = FitOptions(seed=seed, **config.model_dump(exclude={"database", "database_weight", "window"}))
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
