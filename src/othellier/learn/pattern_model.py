"""The pattern evaluation as a PyTorch model: the same tables as the core's, tied by symmetry.

Indices come from bitboards by one matrix product (digits times powers of three), so the model needs
nothing but the positions; training runs on the CPU or on a GPU alike.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
import torch

from othellier.evaluation.weights import MOBILITY_TERMS, PatternGeometry

__all__ = ["PatternModel"]


class PatternModel(torch.nn.Module):
    """Sum of tied table entries by phase, in discs for the side to move."""

    powers: torch.Tensor
    bases: torch.Tensor
    tied: torch.Tensor

    def __init__(self, geometry: PatternGeometry, phases: int) -> None:
        super().__init__()
        self.geometry = geometry
        self.phases = phases
        kept, tied = np.unique(geometry.representatives, return_inverse=True)
        self.weights_per_phase = len(kept)
        powers = np.zeros((64, len(geometry.instances)), dtype=np.float32)
        bases = []
        for column, (pattern, squares) in enumerate(geometry.instances):
            powers[list(squares), column] = 3.0 ** np.arange(len(squares))
            bases.append(geometry.offsets[pattern] + geometry.patterns[pattern].entries // 2)
        self.register_buffer("powers", torch.from_numpy(powers), persistent=False)
        self.register_buffer("bases", torch.tensor(bases), persistent=False)
        self.register_buffer("tied", torch.from_numpy(tied.reshape(-1)), persistent=False)
        self.table = torch.nn.Parameter(torch.zeros(phases * self.weights_per_phase, 1))

    def features(
        self, player: torch.Tensor, opponent: torch.Tensor, moves: torch.Tensor, opponent_moves: torch.Tensor
    ) -> torch.Tensor:
        """The tied weight numbers within a phase, one row a position."""
        shifts = torch.arange(64, device=player.device)
        digits = (player[:, None] >> shifts & 1) - (opponent[:, None] >> shifts & 1)
        index = (digits.float() @ self.powers).round().long() + self.bases
        mobility = self.geometry.offsets[-1]
        scalars = torch.stack([moves.long() + mobility, opponent_moves.long() + mobility + MOBILITY_TERMS], 1)
        return self.tied[torch.cat([index, scalars], 1)].int()

    def phase_of(self, empties: torch.Tensor) -> torch.Tensor:
        """The phase of a position, as the core counts it."""
        return ((60 - empties) * self.phases // 60).clamp(0, self.phases - 1)

    def forward(self, features: torch.Tensor, phase: torch.Tensor) -> torch.Tensor:
        """Values in discs."""
        rows = features + (phase * self.weights_per_phase)[:, None]
        return torch.nn.functional.embedding_bag(rows, self.table, mode="sum")[:, 0]

    def quantised(self, unit: int) -> npt.NDArray[np.int16]:
        """Full tables of shape (phases, phase_size), rounded to 1/unit disc."""
        tied = self.table.detach().view(self.phases, -1)[:, self.tied]
        return (tied * unit).round().clamp(-32767, 32767).cpu().numpy().astype(np.int16)
