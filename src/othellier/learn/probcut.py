"""Measures how far shallow searches are from deep ones, and fits the numbers of the core's forward pruning.

Positions of our own games are searched to every depth without forward pruning; the spread of (deep minus
shallow) is then fitted by a small formula, once for estimates and once for exact scores. Sums, products and
quotients only: the core must round alike on every machine. `othellier.engine.probcut` tells the formulas and the file.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import numpy.typing as npt

from othellier.engine.probcut import Probcut
from othellier.errors import ConfigError
from othellier.learn.games import GameArray, positions
from othellier.learn.measure import NOT_SEARCHED, depth_values

__all__ = ["Spread", "fit", "measure", "spreads"]

MIN_SAMPLES = 100


@dataclass(frozen=True, slots=True)
class Spread:
    """The standard deviation found for one pair of depths; `deep` is 0 where it is the end of the game."""

    empties: float
    deep: int
    shallow: int
    sigma: float
    samples: int


def measure(
    games: GameArray,
    *,
    weights: Path | None = None,
    networks: Path | None = None,
    sample: int = 8000,
    deepest: int = 10,
    solve: int = 20,
    seed: int = 0,
    threads: int = 1,
    progress: Callable[[int], None] | None = None,
) -> tuple[Probcut, int]:
    """The numbers for an evaluation, measured on positions drawn from games, and how many positions those were."""
    found = positions(games)
    rows = np.nonzero(found.empties > deepest)[0]
    rows = np.sort(np.random.default_rng(seed).permutation(rows)[:sample])
    found = found.take(rows)
    values = depth_values(found, deepest, solve, weights, networks, threads, progress)
    apart = spreads(found.empties, values) if len(rows) else []
    if not (any(one.deep for one in apart) and any(not one.deep for one in apart)):
        raise ConfigError(f"{len(rows)} positions are too few to tell how far searches are apart")
    return fit(apart), len(rows)


def spreads(empties: npt.NDArray[np.int64], values: npt.NDArray[np.int8], band: int = 4) -> list[Spread]:
    """The spread for every pair of depths of equal parity, by bands of empty squares."""
    found = []
    deepest = values.shape[1] - 2
    real = values.astype(np.float64)
    for low in range(int(empties.min()), int(empties.max()) + 1, band):
        rows = (empties >= low) & (empties < low + band)
        middle = float(empties[rows].mean()) if rows.any() else 0.0
        for shallow in range(deepest + 1):
            # Depths of unequal parity differ by who made the last move: a bias that probcut avoids.
            pairs = [(deep, deep) for deep in range(shallow + 2, deepest + 1, 2)] + [(0, deepest + 1)]
            for deep, column in pairs:
                known = rows & (values[:, column] != NOT_SEARCHED) & (values[:, shallow] != NOT_SEARCHED)
                if known.sum() >= MIN_SAMPLES:
                    sigma = float(np.std(real[known, column] - real[known, shallow]))
                    found.append(Spread(middle, deep, shallow, sigma, int(known.sum())))
    return found


def fit(found: list[Spread]) -> Probcut:
    """The numbers that fit the spreads best. The formulas are linear but for k and c, which are tried one by one."""
    estimates = [s for s in found if s.deep]
    exact = [s for s in found if not s.deep]
    grid = np.linspace(0.0, 0.5, 101)
    best: tuple[float, tuple[float, float, float, float]] | None = None
    for k in np.linspace(0.5, 12.0, 47):
        for c in grid:
            rows = [[1.0, (s.deep - s.shallow) / (s.deep - s.shallow + k)] for s in estimates]
            error, (a, b) = _least_squares(rows, estimates, c)
            if best is None or error < best[0]:
                best = error, (a, b, float(k), float(c))
    end: tuple[float, tuple[float, float, float]] | None = None
    for c in grid:
        error, (a, b) = _least_squares([[1.0, s.empties] for s in exact], exact, c)
        if end is None or error < end[0]:
            end = error, (a, b, float(c))
    assert best is not None
    assert end is not None
    return Probcut(best[1], end[1])


def _least_squares(rows: list[list[float]], found: list[Spread], c: float) -> tuple[float, tuple[float, float]]:
    """The weighted squared error and the two linear numbers for one damping c."""
    weights = np.sqrt([float(s.samples) for s in found])
    damping = np.array([1.0 / (1.0 + c * s.shallow) for s in found])
    matrix = np.array(rows) * (damping * weights)[:, None]
    target = np.array([s.sigma for s in found]) * weights
    solution = np.linalg.lstsq(matrix, target)[0]
    return float(np.sum((matrix @ solution - target) ** 2)), (float(solution[0]), float(solution[1]))
