"""What fits have in common: the rate of learning over a fit, and one thread for small models."""

from __future__ import annotations

import math
from collections.abc import Iterator
from contextlib import contextmanager

import torch

__all__ = ["lent_phases", "one_thread", "share"]


def share(done: float) -> float:
    """The share of the full rate: it rises in the first tenth of the way and falls like a cosine."""
    return min((done + 0.01) / 0.1, 0.5 + 0.5 * math.cos(math.pi * done))


def lent_phases(phases: torch.Tensor, draw: torch.Tensor, jitter: float, count: int) -> torch.Tensor:
    """Move a share `jitter` of positions to the phase after theirs and as many to the one before, among `count` phases.

    `draw` holds a random number from 0 to 1 for each position.
    """
    shift = (draw < jitter).long() - (draw > 1 - jitter).long()
    return (phases.long() + shift).clamp(0, count - 1)


@contextmanager
def one_thread() -> Iterator[None]:
    """Within it, PyTorch computes on one thread: several would only wait for each other over models so small."""
    before = torch.get_num_threads()
    torch.set_num_threads(1)
    try:
        yield
    finally:
        torch.set_num_threads(before)
