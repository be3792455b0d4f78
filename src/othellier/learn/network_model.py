"""The value and the policy network as PyTorch models, rounded while they learn as the core rounds them.

The shapes and what is shared by symmetry come from network.py. `exact` computes with the integers of the file
what the core must compute, to the unit: the parity check is their equality.
"""

from __future__ import annotations

from typing import cast

import numpy as np
import numpy.typing as npt
import torch

from othellier.network import COUNTS, HIDDEN, KINDS, PHASES, POLICY_WIDTH, WIDTH, NetworkGeometry

__all__ = ["PolicyNetwork", "ValueNetwork", "phase_of"]

ROW_UNIT = 64
"""Rows count in 1/64, so that a number between -2 and 2 takes a byte."""
WEIGHT_UNIT = 256
CLIP = 255
"""Sums are clipped here, at almost 4."""
DISCS = 16
"""Discs an output of 1 means: the value is found in 1/1024 disc."""


def phase_of(empties: torch.Tensor) -> torch.Tensor:
    """Which head sees a position."""
    return ((60 - empties) * PHASES // 60).clamp(0, PHASES - 1)


def _rounded(numbers: torch.Tensor, unit: int, most: int) -> torch.Tensor:
    """Numbers as they will be in the file; gradients pass as if nothing had happened."""
    file = (numbers * unit).round().clamp(-most, most) / unit
    return numbers + (file - numbers).detach()


def _parts(sums: torch.Tensor, most: float) -> torch.Tensor:
    """Positive and negative parts, clipped."""
    return torch.cat([sums, -sums], -1).clamp(0, most)


def _integers(numbers: torch.Tensor, unit: int, most: int) -> npt.NDArray[np.int64]:
    file = (numbers.detach() * unit).round().clamp(-most, most)
    return cast("npt.NDArray[np.int64]", file.long().cpu().numpy())


class _Network(torch.nn.Module):
    powers: torch.Tensor
    tied: torch.Tensor

    def __init__(self, shape: NetworkGeometry, tied: npt.NDArray[np.int32], width: int) -> None:
        super().__init__()
        self.shape = shape
        powers = np.zeros((64, len(shape.patterns.instances)), dtype=np.float32)
        for column, (_, squares) in enumerate(shape.patterns.instances):
            powers[list(squares), column] = 3.0 ** np.arange(len(squares))
        self.register_buffer("powers", torch.from_numpy(powers), persistent=False)
        kept = int(tied.max()) + 1
        self.register_buffer("tied", torch.from_numpy(np.where(tied < 0, kept, tied)).int(), persistent=False)
        # Zero, so that what is never met in training says nothing.
        self.rows = torch.nn.Parameter(torch.zeros(kept, width))

    def indices(self, player: torch.Tensor, opponent: torch.Tensor) -> torch.Tensor:
        """The balanced ternary index of every pattern instance, one row a position."""
        shifts = torch.arange(64, device=player.device)
        digits = (player[:, None] >> shifts & 1) - (opponent[:, None] >> shifts & 1)
        return (digits.float() @ self.powers).round().int()

    @property
    def file_rows(self) -> npt.NDArray[np.int8]:
        """The rows as the file holds them."""
        return _integers(self.rows, ROW_UNIT, 127).astype(np.int8)


class ValueNetwork(_Network):
    """The final disc difference for the side to move."""

    bases: torch.Tensor

    def __init__(self, shape: NetworkGeometry) -> None:
        super().__init__(shape, shape.value_rows, WIDTH)
        middles = [
            shape.patterns.offsets[pattern] + shape.patterns.patterns[pattern].entries // 2
            for pattern, _ in shape.patterns.instances
        ]
        self.register_buffer("bases", torch.tensor(middles, dtype=torch.int32), persistent=False)
        with torch.no_grad():
            self.rows[-COUNTS:] = 0.5 * torch.randn(WIDTH)  # the same for every number of empty squares
        self.weights = torch.nn.Parameter((0.2 * torch.randn(2 * WIDTH, HIDDEN)).repeat(PHASES, 1, 1))
        self.out = torch.nn.Parameter((0.2 * torch.randn(HIDDEN)).repeat(PHASES, 1))
        self.biases = torch.nn.Parameter(torch.zeros(PHASES, HIDDEN))

    def features(self, indices: torch.Tensor, counts: torch.Tensor) -> torch.Tensor:
        """Rows of the table; `counts` are the moves of both sides and the empty squares."""
        starts = self.shape.patterns.offsets[-1] + COUNTS * torch.arange(3, device=counts.device)
        return self.tied[torch.cat([indices + self.bases, counts + starts], 1)]

    def forward(self, features: torch.Tensor, empties: torch.Tensor) -> torch.Tensor:
        """Values in discs."""
        sums = torch.nn.functional.embedding_bag(features, _rounded(self.rows, ROW_UNIT, 127), mode="sum")
        parts = _parts(sums, CLIP / ROW_UNIT)
        phase = phase_of(empties).long()
        # All heads for all positions: on a GPU that costs less than choosing the weights of each.
        weights = _rounded(self.weights, WEIGHT_UNIT, 32767).permute(1, 0, 2).reshape(2 * WIDTH, PHASES * HIDDEN)
        every = (parts @ weights).view(-1, PHASES, HIDDEN)
        chosen = every.gather(1, phase[:, None, None].expand(-1, 1, HIDDEN))[:, 0]
        # `embedding` picks rows as an index does, and adds up the gradients of many picks much faster.
        neurons = chosen + torch.nn.functional.embedding(phase, self.biases)
        clipped = neurons[:, :-1].clamp(0, CLIP / ROW_UNIT)
        out = torch.nn.functional.embedding(phase, _rounded(self.out, WEIGHT_UNIT, 32767))
        return DISCS * (neurons[:, -1] + (clipped * out[:, :-1]).sum(1))

    def heads(self) -> tuple[npt.NDArray[np.int16], npt.NDArray[np.int16], npt.NDArray[np.int32]]:
        """Weights, output and biases as the file holds them."""
        return (
            _integers(self.weights, WEIGHT_UNIT, 32767).astype(np.int16),
            _integers(self.out, WEIGHT_UNIT, 32767).astype(np.int16),
            _integers(self.biases, ROW_UNIT * WEIGHT_UNIT, 1 << 24).astype(np.int32),
        )

    def exact(self, features: torch.Tensor, empties: torch.Tensor) -> npt.NDArray[np.int64]:
        """Values in 1/1024 disc by the integers of the file."""
        weights, out, biases = (array.astype(np.int64) for array in self.heads())
        sums = self.file_rows[features.cpu().numpy()].sum(1, dtype=np.int64)
        parts = np.concatenate([sums, -sums], 1).clip(0, CLIP)
        phase = phase_of(empties).cpu().numpy()
        neurons = (parts[:, :, None] * weights[phase]).sum(1) + biases[phase]
        clipped = ((neurons[:, :-1] + WEIGHT_UNIT // 2) // WEIGHT_UNIT).clip(0, CLIP)
        values: npt.NDArray[np.int64] = neurons[:, -1] + (clipped * out[phase, :-1]).sum(1)
        return values


class PolicyNetwork(_Network):
    """A score for each empty square: the higher, the likelier a strong player moves there."""

    places: torch.Tensor
    kinds: torch.Tensor

    def __init__(self, shape: NetworkGeometry) -> None:
        super().__init__(shape, shape.policy_rows, POLICY_WIDTH)
        longest = max(len(places) for places in shape.places)
        # By square: which instances contain it, and where their rows for it lie; then the row of zeros.
        instance = np.zeros((64, longest), np.int64)
        start = np.full((64, longest), -1, np.int64)
        for square, places in enumerate(shape.places):
            for column, (number, role) in enumerate(places):
                pattern = shape.patterns.instances[number][0]
                entries = shape.patterns.patterns[pattern].entries
                instance[square, column] = number
                start[square, column] = shape.policy_offsets[pattern] + role * entries + entries // 2
        self.register_buffer("places", torch.from_numpy(np.stack([instance, start])), persistent=False)
        self.register_buffer("kinds", torch.from_numpy(shape.kinds.astype(np.int64)), persistent=False)
        with torch.no_grad():
            self.rows[-KINDS * COUNTS :] = 0.5 * torch.randn(POLICY_WIDTH)
        self.weights = torch.nn.Parameter((0.5 * torch.randn(2 * POLICY_WIDTH)).repeat(PHASES, KINDS, 1))

    def features(
        self, indices: torch.Tensor, empties: torch.Tensor, position: torch.Tensor, square: torch.Tensor
    ) -> torch.Tensor:
        """Rows of the table, for squares of positions given by number."""
        instance, start = self.places[:, square]
        rows = indices[position[:, None], instance] + start
        kept = len(self.rows)
        patterns = torch.where(start < 0, kept, self.tied[rows.clamp(0)])
        kind = self.shape.policy_offsets[-1] + COUNTS * self.kinds[square] + empties[position]
        return torch.cat([patterns, self.tied[kind][:, None]], 1)

    def forward(self, features: torch.Tensor, empties: torch.Tensor, square: torch.Tensor) -> torch.Tensor:
        """Scores, of which softmax makes probabilities; `empties` is that of each square's position."""
        table = torch.nn.functional.pad(_rounded(self.rows, ROW_UNIT, 127), (0, 0, 0, 1))
        sums = torch.nn.functional.embedding_bag(features.long(), table, mode="sum")
        heads = _rounded(self.weights, WEIGHT_UNIT, 32767).view(PHASES * KINDS, -1)
        weights = torch.nn.functional.embedding(KINDS * phase_of(empties).long() + self.kinds[square], heads)
        return (_parts(sums, CLIP / ROW_UNIT) * weights).sum(1)

    def file_weights(self) -> npt.NDArray[np.int16]:
        """The output weights as the file holds them."""
        return _integers(self.weights, WEIGHT_UNIT, 32767).astype(np.int16)

    def exact(self, features: torch.Tensor, empties: torch.Tensor, square: torch.Tensor) -> npt.NDArray[np.int64]:
        """Scores in 1/16384 by the integers of the file."""
        table = np.concatenate([self.file_rows, np.zeros((1, POLICY_WIDTH), np.int8)])
        sums = table[features.cpu().numpy()].sum(1, dtype=np.int64)
        parts = np.concatenate([sums, -sums], 1).clip(0, CLIP)
        weights = self.file_weights()[phase_of(empties).cpu().numpy(), self.kinds[square].cpu().numpy()]
        scores: npt.NDArray[np.int64] = (parts * weights).sum(1)
        return scores
