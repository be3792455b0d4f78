"""How the rate of learning rises and falls over a fit."""

from __future__ import annotations

import math

__all__ = ["share"]


def share(done: float) -> float:
    """The share of the full rate: it rises in the first tenth of the way and falls like a cosine."""
    return min((done + 0.01) / 0.1, 0.5 + 0.5 * math.cos(math.pi * done))
