"""Fits the pattern evaluation to labelled games by regression on the disc difference."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import torch

from othellier.errors import ConfigError
from othellier.evaluation.weights import PatternGeometry
from othellier.learn.fitting import lent_phases, share
from othellier.learn.games import MOST_REPEATS, GameArray, positions
from othellier.learn.pattern_model import PatternModel

__all__ = ["FitOptions", "FitProgress", "fit"]

FitProgress = Callable[[int, float, float], None]
"""Called after each epoch with its number and the mean squared errors, in training and held out."""

SLICE = 1 << 20


@dataclass(frozen=True, slots=True)
class FitOptions:
    """How to fit; the defaults made the shipped weights."""

    phases: int = 30
    epochs: int = 12
    batch: int = 1 << 16
    rate: float = 0.05
    decay: float = 1e-6
    jitter: float = 0.15
    """Share of positions lent to the phase before and to the one after, which smooths the tables."""
    blend: float = 0.5
    """Share of the search's value in a label, where there is one; the rest is the game's result."""
    scatter: float = 4.0
    """How much faster results scatter with every empty square: positions count 20 / (20 + scatter * empties)."""
    held_out: int = 50
    """One game in so many is kept from training, to measure by."""
    seed: int = 0
    device: str = "auto"
    """`cpu`, `cuda`, or a GPU where there is one."""

    def __post_init__(self) -> None:
        if min(self.phases, self.epochs, self.batch) < 1 or self.held_out < 2 or not 0 <= self.jitter <= 0.5:
            raise ConfigError("phases, epochs and batch must be positive, held_out at least 2, jitter up to 0.5")
        if self.scatter < 0:
            raise ConfigError("scatter must not be negative")
        if not 0 <= self.blend <= 1:
            raise ConfigError("blend must lie between 0 (results alone) and 1 (values alone)")


@dataclass(slots=True)
class _Data:
    features: torch.Tensor
    phases: torch.Tensor
    scores: torch.Tensor
    weights: torch.Tensor
    held_out: torch.Tensor


def fit(sets: list[tuple[GameArray, float]], options: FitOptions, progress: FitProgress | None = None) -> PatternModel:
    """A model fitted to sets of games, each with its weight; one that learns no numbers is an error."""
    if options.device == "cuda" and not torch.cuda.is_available():
        raise ConfigError("device cuda: PyTorch finds no GPU here")
    wanted = "cuda" if torch.cuda.is_available() else "cpu"
    device = torch.device(wanted if options.device == "auto" else options.device)
    torch.manual_seed(options.seed)
    model = PatternModel(PatternGeometry.default(), options.phases).to(device)
    data = _gather(model, sets, options)
    training = torch.nonzero(~data.held_out)[:, 0]
    held_out = torch.nonzero(data.held_out)[:, 0]
    batch = min(options.batch, len(training))
    if not batch or not len(held_out):
        raise ConfigError("too few games: nothing is left to train on, or nothing to measure by")
    steps = len(training) // batch
    optimizer = torch.optim.Adam(model.parameters(), lr=options.rate, betas=(0.9, 0.99))
    every = options.epochs * steps
    schedule = torch.optim.lr_scheduler.LambdaLR(optimizer, lambda step: share(step / every))
    for epoch in range(options.epochs):
        order = training[torch.randperm(len(training), device=device)]
        total = torch.zeros((), device=device)
        for step in range(steps):
            rows = order[step * batch : (step + 1) * batch]
            draw = torch.rand(len(rows), device=device)
            phases = lent_phases(data.phases[rows], draw, options.jitter, options.phases)
            error = model(data.features[rows], phases) - data.scores[rows]
            loss = (data.weights[rows] * error**2).sum() / data.weights[rows].sum()
            optimizer.zero_grad(set_to_none=True)
            loss.backward()
            with torch.no_grad():
                assert model.table.grad is not None
                model.table.grad.add_(model.table, alpha=options.decay)
            optimizer.step()
            schedule.step()
            total += (error.detach() ** 2).mean()
        training_error = total.item() / steps
        if not math.isfinite(training_error):
            raise ConfigError(f"the fit has lost its way in epoch {epoch + 1}: a smaller rate may help")
        if progress is not None:
            progress(epoch, training_error, _error(model, data, held_out, batch))
    return model


def _error(model: PatternModel, data: _Data, rows: torch.Tensor, batch: int) -> float:
    with torch.no_grad():
        errors = []
        for start in range(0, len(rows), batch):
            part = rows[start : start + batch]
            errors.append(model(data.features[part], data.phases[part].long()) - data.scores[part])
        return float((torch.cat(errors) ** 2).mean())


def _gather(model: PatternModel, sets: list[tuple[GameArray, float]], options: FitOptions) -> _Data:
    """The features of all positions, repeated ones merged into their mean."""
    device = model.table.device
    features, phases, scores, weights, held_out = [], [], [], [], []
    for games, weight in sets:
        found = positions(games, valued=True)
        first, inverse = found.distinct()
        repeats = np.bincount(inverse)
        mean = np.bincount(inverse, weights=found.labels(options.blend)) / repeats
        kept = found.take(first)
        empties = kept.empties
        for start in range(0, len(first), SLICE):
            part = slice(start, start + SLICE)
            player, opponent, moves, replies = (
                torch.from_numpy(array[part].astype(np.uint64).view(np.int64)).to(device) for array in kept[:4]
            )
            features.append(model.features(player, opponent, moves, replies))
            phases.append(model.phase_of(torch.from_numpy(empties[part]).to(device)).int())
        scores.append(torch.from_numpy(mean.astype(np.float32)).to(device))
        counted = weight * np.minimum(repeats, MOST_REPEATS) * 20 / (20 + options.scatter * empties)
        weights.append(torch.from_numpy(counted.astype(np.float32)).to(device))
        held_out.append(torch.from_numpy(kept.game % options.held_out == 0).to(device))
    return _Data(*(torch.cat(parts) for parts in (features, phases, scores, weights, held_out)))
