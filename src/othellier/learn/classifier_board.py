"""Two models without the engine's help: a network on the bare board, logistic regression on what textbooks count."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np
import torch

from othellier.evaluation.classifier import LOSS, UNIT, WIN, BoardModel
from othellier.evaluation.textbook import COUNTS, PhaseWeights
from othellier.learn.classifier import MANY_STEPS, ClassifierOptions, Labels, Network, labels, train
from othellier.learn.classifier_features import FEATURES, SIDES, Floats
from othellier.learn.games import Positions
from othellier.rules.geometry import STANDARD, SYMMETRIES, geometry

__all__ = ["board_inputs", "export_board", "export_textbook", "textbook_inputs", "train_board", "train_textbook"]

ENGINE = ("static", "search", "search - static", "solved", "solved win", "solved draw")
TEXTBOOK = [index for index, name in enumerate(FEATURES) if name not in ENGINE]
PHASE = FEATURES.index("phase")
HIDDEN = (64, 32)
"""Of the network on the bare board: some ten thousand weights."""

PHASE_MOVES = 5
"""Moves of a phase, of the sixty of a game, in the regression as a search asks it."""

_Told = Callable[[float], None]


def board_inputs(found: Positions, seed: int | None = None) -> Floats:
    """A number for each square and side, 1 where it has a disc; with a seed every position is turned at random."""
    sides = [
        np.unpackbits(discs[:, None].view(np.uint8), axis=1, bitorder="little")
        for discs in (found.player, found.opponent)
    ]
    if seed is not None:
        tables = np.array([geometry(STANDARD).symmetry_tables[symmetry] for symmetry in SYMMETRIES])
        turned = tables[np.random.default_rng(seed).integers(0, len(SYMMETRIES), len(found.score))]
        sides = [np.take_along_axis(side, turned, axis=1) for side in sides]
    return np.concatenate(sides, axis=1).astype(np.float32)


def train_board(found: Positions, options: ClassifierOptions, told: _Told | None = None) -> Network:
    """The network on the bare board."""
    chosen = replace(options, hidden=HIDDEN, rate=min(options.rate, 2e-3))
    return train(board_inputs(found, options.seed), labels(found), chosen, told)


def export_board(network: Network) -> BoardModel:
    """The network as it is asked without PyTorch, its first layer taking the discs as they are."""
    first, second, third = (layer for layer in network.layers if hasattr(layer, "weight"))
    arrays = {
        name: getattr(layer, kind).detach().numpy().astype(np.float32)
        for number, layer in enumerate((first, second, third), 1)
        for name, kind in ((f"w{number}", "weight"), (f"b{number}", "bias"))
    }
    mean, spread = network.mean.numpy(), network.spread.numpy()
    arrays["b1"] = arrays["b1"] - arrays["w1"] @ (mean / spread)
    arrays["w1"] = arrays["w1"] / spread
    return BoardModel(arrays)


def textbook_inputs(numbers: Floats) -> Floats:
    """What textbooks count, and each of it times how far the game has gone: its meaning changes."""
    counted = numbers[:, TEXTBOOK]
    return np.hstack([counted, counted * numbers[:, [PHASE]]])


def train_textbook(numbers: Floats, truth: Labels, options: ClassifierOptions, told: _Told | None = None) -> Network:
    """Return a logistic regression: one layer, which has one best fit and may be led there by large steps."""
    chosen = replace(options, hidden=(), rate=max(options.rate, 1e-2))
    return train(textbook_inputs(numbers), truth, chosen, told, least_steps=MANY_STEPS)


def export_textbook(network: Network) -> list[PhaseWeights]:
    """The regression as a search asks it: what one more than the opponent of each count is worth in every phase.

    A search takes the difference of what both sides expect. In it what both share (parity, phase) falls away, and of
    each count the weight of one's own less that of the other's is left.
    """
    (layer,) = (layer for layer in network.layers if isinstance(layer, torch.nn.Linear))
    odds = (layer.weight[WIN] - layer.weight[LOSS]).detach().numpy() / network.spread.numpy()
    names = [FEATURES[index] for index in TEXTBOOK]
    plain, by_phase = (dict(zip(names, part.tolist(), strict=True)) for part in np.split(odds, 2))
    phases: list[PhaseWeights] = []
    for until in range(PHASE_MOVES, 61, PHASE_MOVES):
        played = until - (PHASE_MOVES + 1) // 2  # in the middle of the phase
        here = {name: plain[name] + by_phase[name] * (played / 30 - 1) for name in names}
        weights = {
            count: round(UNIT * (here[f"own {feature}"] - here[f"other {feature}"]) / unit)
            for count, (feature, unit) in zip(COUNTS, SIDES.items(), strict=True)
        }
        phases.append((until, weights))
    return phases
