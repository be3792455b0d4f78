"""Whether trainer and core agree: the value of every position of a sample, worked out by both, to the unit."""

from __future__ import annotations

import numpy as np
import torch

from othellier.errors import WeightsError
from othellier.learn.games import Positions
from othellier.learn.pattern_model import PatternModel
from othellier.rules import native

__all__ = ["UNIT", "check_parity", "trainer_values"]

UNIT = 128
"""Weights are whole numbers of 1/128 disc: rounding forty of them errs by a fiftieth of a disc."""


def trainer_values(model: PatternModel, sample: Positions, unit: int = UNIT) -> list[int]:
    """The trainer's own sums of its rounded weights."""
    device = model.table.device
    columns = (sample.player, sample.opponent, sample.moves, sample.opponent_moves)
    boards = [torch.from_numpy(array.astype(np.uint64).view(np.int64)).to(device) for array in columns]
    empties = sample.empties
    with torch.no_grad():
        rounded = (model.table * unit).round().clamp(-32767, 32767).long()
        phase = model.phase_of(torch.from_numpy(empties).to(device))
        rows = model.features(*boards).long() + (phase * model.weights_per_phase)[:, None]
        found: list[int] = rounded[rows, 0].sum(1).tolist()
    return found


def check_parity(model: PatternModel, sample: Positions, unit: int = UNIT) -> int:
    """How many positions were compared; one on which the two disagree is an error."""
    assert native.core is not None
    weights = native.core.Weights(model.geometry.payload(model.quantised(unit), unit))
    core = np.zeros(len(sample.player), np.int32)
    weights.raw(np.ascontiguousarray(sample.player), np.ascontiguousarray(sample.opponent), core)
    differ = core != np.array(trainer_values(model, sample, unit), np.int64)
    if differ.any():
        row = int(np.argmax(differ))
        board = native.position(int(sample.player[row]), int(sample.opponent[row])).board_string()
        raise WeightsError(f"trainer and core disagree on {int(differ.sum())} of {len(core)} positions: {board}")
    return len(core)
