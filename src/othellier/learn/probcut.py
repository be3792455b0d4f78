"""Measures how far shallow searches are from deep ones, and fits the model the core's probcut uses.

Positions of our own games are searched to every depth without forward pruning; the spread of (deep minus
shallow) is then fitted by a small formula, once for estimates and once for exact scores. Sums, products and
quotients only: the core must round alike on every machine.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

__all__ = ["Spread", "cpp_constants", "fit", "measure", "spreads"]

NOT_SEARCHED = 127
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
    core: Any,
    weights: Any,
    networks: Any,
    player: npt.NDArray[np.uint64],
    opponent: npt.NDArray[np.uint64],
    *,
    deepest: int = 10,
    solve_empties: int = 20,
    threads: int = 1,
) -> npt.NDArray[np.int8]:
    """Values of each position at depths 0 to `deepest`, then its exact score where it is solved."""
    values = np.zeros((len(player), deepest + 2), np.int8)
    core.depth_values(weights, networks, player, opponent, deepest, solve_empties, threads, values)
    return values


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


def fit(found: list[Spread]) -> tuple[list[float], list[float]]:
    """The model's numbers for estimates (a, b, k, c) and for exact scores (a, b, c), as in core/probcut.h.

    Estimates: (a + b·g / (g + k)) / (1 + c·d) with g = D - d, which grows with the gap but not for ever;
    exact scores: (a + b·n) / (1 + c·d). Linear but for k and c, which are tried one by one.
    """
    estimates = [s for s in found if s.deep]
    exact = [s for s in found if not s.deep]
    grid = np.linspace(0.0, 0.5, 101)
    best: tuple[float, list[float]] | None = None
    for k in np.linspace(0.5, 12.0, 47):
        for c in grid:
            rows = [[1.0, (s.deep - s.shallow) / (s.deep - s.shallow + k)] for s in estimates]
            error, (a, b) = _least_squares(rows, estimates, c)
            if best is None or error < best[0]:
                best = error, [a, b, float(k), float(c)]
    end: tuple[float, list[float]] | None = None
    for c in grid:
        error, (a, b) = _least_squares([[1.0, s.empties] for s in exact], exact, c)
        if end is None or error < end[0]:
            end = error, [a, b, float(c)]
    assert best is not None
    assert end is not None
    return best[1], end[1]


def _least_squares(rows: list[list[float]], found: list[Spread], c: float) -> tuple[float, tuple[float, float]]:
    """The weighted squared error and the two linear numbers for one damping c."""
    weights = np.sqrt([float(s.samples) for s in found])
    damping = np.array([1.0 / (1.0 + c * s.shallow) for s in found])
    matrix = np.array(rows) * (damping * weights)[:, None]
    target = np.array([s.sigma for s in found]) * weights
    solution = np.linalg.lstsq(matrix, target)[0]
    return float(np.sum((matrix @ solution - target) ** 2)), (float(solution[0]), float(solution[1]))


def cpp_constants(midgame: list[float], endgame: list[float]) -> str:
    """The lines to put into core/probcut.h."""
    lines = []
    for name, values in (("midgame", midgame), ("endgame", endgame)):
        numbers = ", ".join(f"{value:.4g}" for value in values)
        lines.append(f"    std::array<double, {len(values)}> {name} = {{{numbers}}};")
    return "\n".join(lines)
