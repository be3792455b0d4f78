"""The value and the policy network as PyTorch models, rounded while they learn as the core rounds them.

The shapes and what is shared by symmetry come from network.py. `exact` computes with the integers of the file
what the core must compute, to the unit: the parity check is their equality.
"""

from __future__ import annotations

from typing import cast

import numpy as np
import numpy.typing as npt
import torch

from othellier.evaluation.network import (
    COUNTS,
    HEADS,
    HIDDEN,
    KINDS,
    PHASES,
    POLICY_WIDTH,
    SECOND,
    WIDTH,
    NetworkGeometry,
    Networks,
)

__all__ = ["PolicyNetwork", "ValueNetwork"]

ROW_UNIT = 64
"""Rows count in 1/64, so that a number between -2 and 2 takes a byte."""
WEIGHT_UNIT = 256
CLIP = 255
"""Sums are clipped here, at almost 4."""
DISCS = 16
"""Discs an output of 1 means: the value is found in 1/1024 disc."""


def _phase_of(empties: torch.Tensor) -> torch.Tensor:
    """Which weights of the policy see a position."""
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


_Arrays = tuple[npt.NDArray[np.int16], npt.NDArray[np.int16], npt.NDArray[np.int32]]
"""Weights, output and biases of a layer as the file holds them."""


class _Layer(torch.nn.Module):
    """A layer of each head: numbers that all have in common, and what each adds to them.

    So what holds for the whole game is learnt once, and heads that see few positions stay near the others.
    """

    def __init__(self, inputs: int, outputs: int) -> None:
        super().__init__()
        self.common = torch.nn.ParameterList(
            [0.2 * torch.randn(inputs, outputs), 0.2 * torch.randn(outputs), torch.zeros(outputs)]
        )
        self.own = torch.nn.ParameterList([torch.zeros(HEADS, *part.shape) for part in self.common])

    def take(self, arrays: _Arrays) -> None:
        """Begin with the numbers of a file. Inputs it does not use keep their weights, to be learnt with."""
        units = (WEIGHT_UNIT, WEIGHT_UNIT, ROW_UNIT * WEIGHT_UNIT)
        for common, own, array, unit in zip(self.common, self.own, arrays, units, strict=True):
            numbers = torch.from_numpy(np.asarray(array, np.float32) / unit)
            mean = numbers.mean(0)
            if common.dim() == 2:
                unused = (numbers == 0).all(2).all(0)
                mean[unused] = common[unused].detach()
            common.copy_(mean)
            own.copy_(numbers - mean)
            if common.dim() == 2:
                own[:, unused] = 0

    def _sums(self) -> list[torch.Tensor]:
        return [common + own for common, own in zip(self.common, self.own, strict=True)]

    def forward(self, inputs: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
        """For inputs by head: the neurons, the same clipped, and what those add to the output."""
        weights, out, biases = self._sums()
        neurons = torch.baddbmm(biases[:, None], inputs, _rounded(weights, WEIGHT_UNIT, 32767))
        clipped = neurons.clamp(0, CLIP / ROW_UNIT)
        return neurons, clipped, (clipped @ _rounded(out, WEIGHT_UNIT, 32767)[:, :, None])[:, :, 0]

    def arrays(self) -> _Arrays:
        """The numbers as the file holds them."""
        weights, out, biases = self._sums()
        return (
            _integers(weights, WEIGHT_UNIT, 32767).astype(np.int16),
            _integers(out, WEIGHT_UNIT, 32767).astype(np.int16),
            _integers(biases, ROW_UNIT * WEIGHT_UNIT, 1 << 24).astype(np.int32),
        )


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
        self.first = _Layer(2 * WIDTH, HIDDEN)
        self.second = _Layer(HIDDEN, SECOND)

    def begin_with(self, networks: Networks) -> None:
        """Take the numbers of networks as a start."""
        with torch.no_grad():
            self.rows.copy_(torch.from_numpy(networks.value_rows.astype(np.float32) / ROW_UNIT))
            self.first.take((networks.value_weights, networks.value_out, networks.value_biases))
            self.second.take((networks.second_weights, networks.second_out, networks.second_biases))

    def features(self, indices: torch.Tensor, counts: torch.Tensor) -> torch.Tensor:
        """Rows of the table; `counts` are the moves of both sides and the empty squares."""
        starts = self.shape.patterns.offsets[-1] + COUNTS * torch.arange(3, device=counts.device)
        return self.tied[torch.cat([indices + self.bases, counts + starts], 1)]

    def forward(self, features: torch.Tensor, empties: torch.Tensor) -> torch.Tensor:
        """Values in discs."""
        sums = torch.nn.functional.embedding_bag(features, _rounded(self.rows, ROW_UNIT, 127), mode="sum")
        parts = _parts(sums, CLIP / ROW_UNIT)
        # The positions of each head together, as many places for each: then a product of matrices does it.
        head = empties.long().clamp(max=HEADS - 1)
        counts = torch.bincount(head, minlength=HEADS)
        order = torch.argsort(head, stable=True)
        most = int(counts.max())
        within = torch.arange(len(head), device=head.device) - (counts.cumsum(0) - counts)[head[order]]
        place = torch.empty_like(order).scatter_(0, order, head[order] * most + within)
        spread = parts.new_zeros(HEADS * most, 2 * WIDTH).index_copy(0, place, parts).view(HEADS, most, -1)
        neurons, clipped, added = self.first(spread)
        values = neurons[:, :, -1] + added + self.second(clipped)[2]
        found: torch.Tensor = DISCS * values.reshape(-1).index_select(0, place)
        return found

    def arrays(self) -> tuple[npt.NDArray[np.int8], *_Arrays, *_Arrays]:
        """The rows and both layers as the file holds them."""
        return self.file_rows, *self.first.arrays(), *self.second.arrays()

    def exact(self, features: torch.Tensor, empties: torch.Tensor) -> npt.NDArray[np.int64]:
        """Values in 1/1024 disc by the integers of the file."""
        head = empties.clamp(max=HEADS - 1).cpu().numpy()
        sums = self.file_rows[features.cpu().numpy()].sum(1, dtype=np.int64)
        inputs = np.concatenate([sums, -sums], 1).clip(0, CLIP)
        values = np.zeros(len(head), np.int64)
        for layer in (self.first, self.second):
            weights, out, biases = (array.astype(np.int64) for array in layer.arrays())
            neurons = (inputs[:, :, None] * weights[head]).sum(1) + biases[head]
            inputs = ((neurons + WEIGHT_UNIT // 2) // WEIGHT_UNIT).clip(0, CLIP)
            values += (inputs * out[head]).sum(1)
            if layer is self.first:
                values += neurons[:, -1]
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

    def begin_with(self, networks: Networks) -> None:
        """Take the numbers of networks."""
        with torch.no_grad():
            self.rows.copy_(torch.from_numpy(networks.policy_rows.astype(np.float32) / ROW_UNIT))
            self.weights.copy_(torch.from_numpy(networks.policy_weights.astype(np.float32) / WEIGHT_UNIT))

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
        weights = torch.nn.functional.embedding(KINDS * _phase_of(empties).long() + self.kinds[square], heads)
        return (_parts(sums, CLIP / ROW_UNIT) * weights).sum(1)

    def file_weights(self) -> npt.NDArray[np.int16]:
        """The output weights as the file holds them."""
        return _integers(self.weights, WEIGHT_UNIT, 32767).astype(np.int16)

    def exact(self, features: torch.Tensor, empties: torch.Tensor, square: torch.Tensor) -> npt.NDArray[np.int64]:
        """Scores in 1/16384 by the integers of the file."""
        table = np.concatenate([self.file_rows, np.zeros((1, POLICY_WIDTH), np.int8)])
        sums = table[features.cpu().numpy()].sum(1, dtype=np.int64)
        parts = np.concatenate([sums, -sums], 1).clip(0, CLIP)
        weights = self.file_weights()[_phase_of(empties).cpu().numpy(), self.kinds[square].cpu().numpy()]
        scores: npt.NDArray[np.int64] = (parts * weights).sum(1)
        return scores
