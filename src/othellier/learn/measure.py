"""What an evaluation is worth on games it has not learnt from: its errors by empty squares, its calibration.

Measured with the core and the rounded weights, so with what will play. Positions are held out by game, never by
position: one that also occurs in a game learnt from is left out.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from othellier.engine.engine import shared_networks, shared_weights
from othellier.errors import ConfigError, OthellierError
from othellier.learn.games import GameArray, Positions, positions
from othellier.rules import native

__all__ = ["NOT_SEARCHED", "STAGES", "depth_values", "held_out", "measure", "search_errors", "values"]

STAGES = (("opening", 45, 60), ("early middle", 30, 44), ("late middle", 15, 29), ("end", 0, 14))
"""Name and empty squares, from and to, of the parts of a game that are calibrated apart."""

STEP = 4
"""Discs a bin of predicted values is wide."""

FEWEST = 20
"""Positions a bin must have to be told."""

PART = 100
"""Positions searched between two looks at the keyboard."""

NOT_SEARCHED = 127
"""The value of a search that was not made."""


def held_out(games: GameArray, one_in: int) -> Positions:
    """The positions of one game in so many that are in none of the other games before it, each once."""
    found = positions(games)
    first, _ = found.distinct()
    return found.take(first[found.game[first] % one_in == 0])


def values(weights: Path | None, found: Positions) -> npt.NDArray[np.float64]:
    """What the core makes of positions, in discs for the side to move."""
    loaded = shared_weights(weights)
    raw = np.zeros(len(found.player), np.int32)
    loaded.raw(np.ascontiguousarray(found.player), np.ascontiguousarray(found.opponent), raw)
    discs: npt.NDArray[np.float64] = np.clip(raw / float(loaded.unit), -64.0, 64.0)
    return discs


def measure(weights: Path | None, sets: Sequence[GameArray], one_in: int) -> list[dict[str, Any]]:
    """The events `error` and `calibration` of an archive, for the held-out games of all sets."""
    parts = [held_out(games, one_in) for games in sets]
    found = Positions(*(np.concatenate(arrays) for arrays in zip(*parts, strict=True)))
    if not len(found.player):
        raise ConfigError("no position is held out: nothing to measure by")
    predicted = values(weights, found)
    empties = found.empties
    return [*_errors(predicted, found.score, empties), *_calibration(predicted, found.score, empties)]


def search_errors(
    games: GameArray,
    *,
    weights: Path | None = None,
    networks: Path | None = None,
    sample: int = 1000,
    deepest: int = 8,
    solve: int = 18,
    threads: int = 1,
    progress: Callable[[int], None] | None = None,
) -> list[dict[str, Any]]:
    """The events `search`: how far searches of each depth are from exact scores, by parity of the empty squares.

    An evaluation that errs differently on leaves of either parity shows here: its bias jumps from depth to depth.
    """
    found = positions(games)
    rows = np.nonzero((found.empties > deepest) & (found.empties <= solve))[0]
    rows = np.random.default_rng(0).permutation(rows)[:sample]
    if not len(rows):
        raise ConfigError(f"no position with {deepest + 1} to {solve} empty squares: nothing to measure by")
    found = found.take(rows)
    results = depth_values(found, deepest, solve, weights, networks, threads, progress)
    errors = results[:, :-1].astype(np.float64) - results[:, -1:]
    odd = found.empties % 2 == 1
    return [
        {
            "event": "search",
            "depth": depth,
            "parity": "odd" if parity else "even",
            "positions": int((odd == parity).sum()),
            "mae": round(float(np.mean(np.abs(errors[odd == parity, depth]))), 3),
            "bias": round(float(np.mean(errors[odd == parity, depth])), 3),
        }
        for parity in (False, True)
        for depth in range(deepest + 1)
        if (odd == parity).any()
    ]


def depth_values(
    found: Positions,
    deepest: int,
    solve: int,
    weights: Path | None = None,
    networks: Path | None = None,
    threads: int = 1,
    progress: Callable[[int], None] | None = None,
) -> npt.NDArray[np.int8]:
    """What searches without forward pruning find, a row a position: to depths 0, 1 … `deepest`, then the exact score.

    Exact scores are only worked out from `solve` empty squares on; `NOT_SEARCHED` stands for what was not.
    """
    if native.core is None:
        raise OthellierError("measuring needs the compiled core, which is missing here: see othellier version")
    evaluation = shared_weights(weights), shared_networks(weights, networks)
    results = np.zeros((len(found.player), deepest + 2), np.int8)
    for start in range(0, len(results), PART):
        part = slice(start, start + PART)
        boards = (np.ascontiguousarray(side[part]) for side in (found.player, found.opponent))
        native.core.depth_values(*evaluation, *boards, deepest, solve, threads, results[part])
        if progress is not None:
            progress(len(results[part]))
    return results


def _errors(
    predicted: npt.NDArray[np.float64], score: npt.NDArray[np.int8], empties: npt.NDArray[np.int64]
) -> Iterator[dict[str, Any]]:
    for count in np.unique(empties)[::-1]:
        error = (predicted - score)[empties == count]
        yield {
            "event": "error",
            "empties": int(count),
            "positions": len(error),
            "mse": round(float(np.mean(error**2)), 3),
            "mae": round(float(np.mean(np.abs(error))), 3),
            "bias": round(float(np.mean(error)), 3),
        }


def _calibration(
    predicted: npt.NDArray[np.float64], score: npt.NDArray[np.int8], empties: npt.NDArray[np.int64]
) -> Iterator[dict[str, Any]]:
    bins = np.round(predicted / STEP).astype(np.int64)
    for stage, low, high in STAGES:
        for number in range(-64 // STEP, 64 // STEP + 1):
            rows = (bins == number) & (empties >= low) & (empties <= high)
            if rows.sum() >= FEWEST:
                results = score[rows].astype(np.float64)
                yield {
                    "event": "calibration",
                    "stage": stage,
                    "predicted": round(float(np.mean(predicted[rows])), 2),
                    "observed": round(float(np.mean(results)), 2),
                    "won": round(float(np.mean((np.sign(results) + 1) / 2)), 4),
                    "positions": int(rows.sum()),
                }
