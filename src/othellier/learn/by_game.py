"""Intervals of shares measured on many positions of the same games: the game is the unit, not the position.

Positions of one game have one result, so a hundred of them say little more than one. The bootstrap (Efron, 1979)
draws whole games, again and again, and takes the interval from the shares of what it drew.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from othellier.arena.stats import wilson

__all__ = ["share_by_game"]


def share_by_game(
    hits: npt.NDArray[Any], games: npt.NDArray[Any], *, resamples: int = 1000, seed: int = 0
) -> tuple[float, float, float]:
    """Return the share of hits and the ends of its 95 % interval, by a bootstrap over games.

    Where all positions are hits, or none is, nothing can be drawn that differs: then the interval is Wilson's for as
    many observations as there are games.

    Args:
        hits: for each position 1 or 0, or True or False
        games: for each position the game that it comes from, as any number
        resamples: how often games are drawn
        seed: of the random numbers

    >>> hits, games = np.array([1, 1, 1, 0, 0, 0, 1, 1]), np.array([1, 1, 1, 2, 2, 2, 3, 3])
    >>> share, low, high = share_by_game(hits, games)
    >>> share, low, high
    (0.625, 0.0, 1.0)
    """
    _, places = np.unique(games, return_inverse=True)
    hit, count = np.bincount(places, hits), np.bincount(places).astype(np.float64)
    share = float(hit.sum() / count.sum())
    if share in (0, 1):
        return share, *wilson(share, len(count))
    rng = np.random.default_rng(seed)
    drawn = (rng.integers(len(count), size=len(count)) for _ in range(resamples))
    low, high = np.quantile([hit[chosen].sum() / count[chosen].sum() for chosen in drawn], (0.025, 0.975)).tolist()
    return share, low, high
