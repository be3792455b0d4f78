"""Calibrates the chances of `chances.py` on games of the engine against itself, whose ends are played perfectly.

Positions of such games are searched to the depths the page shows; the widths and margins that make the results
likeliest are fitted, smooth over empty squares and depths. One game in five is kept to measure by.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, dataclass
from pathlib import Path
from queue import Queue
from typing import NamedTuple

import numpy as np
import numpy.typing as npt
import torch

from othellier.base.files import write_file
from othellier.engine.engine import Engine
from othellier.errors import ConfigError
from othellier.evaluation.chances import Curves
from othellier.games.results import Limit, Result
from othellier.learn.fitting import one_thread
from othellier.learn.games import GameArray, positions
from othellier.rules import native

__all__ = ["Estimates", "Fitness", "fit", "measure", "save", "search"]

EMPTIES = (2, 6, 10, 14, 18, 22, 26, 30, 36, 42, 48, 54)
DEPTHS = (1, 2, 4, 6, 8, 10, 12)
HELD_OUT = 5
FEWEST = 200
"""Estimates below which no curve can be fitted."""
BINS = 10
CALM = 10.0
"""How much less curves may bend from one number of empty squares to the next than from depth to depth."""


class Estimates(NamedTuple):
    """Searched positions, one a row: what was thought at which depth, and how the game ended, for the side to move."""

    empties: npt.NDArray[np.float32]
    depth: npt.NDArray[np.float32]
    score: npt.NDArray[np.float32]
    result: npt.NDArray[np.int8]
    """1 for a win, 0 for a draw, -1 for a loss."""
    game: npt.NDArray[np.int32]

    def take(self, rows: npt.NDArray[np.bool_]) -> Estimates:
        """Some of them."""
        empties, depth, score = self.empties[rows], self.depth[rows], self.score[rows]
        return Estimates(empties, depth, score, self.result[rows], self.game[rows])


@dataclass(frozen=True, slots=True)
class Fitness:
    """How good chances are: mean log loss and Brier score over win, draw and loss, and the calibration error."""

    estimates: int
    log_loss: float
    brier: float
    error: float
    """Mean distance between the points told (a draw counting half) and those made, by tenths."""


def search(
    games: GameArray,
    *,
    weights: str | Path | None = None,
    networks: Path | None = None,
    probcut: Path | None = None,
    deepest: int = 10,
    each: int = 200,
    seed: int = 0,
    threads: int = 1,
    progress: Callable[[int], None] | None = None,
) -> Estimates:
    """Search `each` positions for every number of empty squares; the depths on the way there count as well."""
    found = positions(games)
    empties = found.empties
    rng = np.random.default_rng(seed)
    chosen = [rng.permutation(np.flatnonzero(empties == count))[:each] for count in range(2, int(EMPTIES[-1]) + 3)]
    places = np.concatenate(chosen).tolist()
    spare: Queue[Engine] = Queue()
    for _ in range(threads):
        spare.put(Engine(hash_mb=16, weights=weights, networks=networks, probcut=probcut))

    def one(place: int) -> list[tuple[float, float, float, int, int]]:
        left, result, game = int(empties[place]), int(np.sign(found.score[place])), int(found.game[place])
        kept: list[tuple[float, float, float, int, int]] = []

        def keep(answer: Result) -> None:
            if answer.depth < left and answer.score is not None:
                kept.append((left, answer.depth, answer.score, result, game))

        engine = spare.get()
        engine.new_game()  # a deeper estimate left over from the game would lend its knowledge
        position = native.position(int(found.player[place]), int(found.opponent[place]))
        engine.search(position, Limit(depth=min(deepest, left - 1)), keep)
        spare.put(engine)
        return kept

    rows: list[tuple[float, float, float, int, int]] = []
    with ThreadPoolExecutor(threads) as pool:  # searches let go of Python
        for kept in pool.map(one, places):
            rows += kept
            if progress is not None:
                progress(1)
    left_over, depths, scores, results, numbers = np.array(rows, np.float32).reshape(-1, 5).T
    return Estimates(left_over, depths, scores, results.astype(np.int8), numbers.astype(np.int32))


@one_thread()
def fit(known: Estimates, *, steps: int = 400, smooth: float = 0.0003) -> tuple[Curves, Fitness]:
    """The likeliest curves, and how good they are for the games held out."""
    if len(known.score) < FEWEST:
        raise ConfigError(f"{len(known.score)} estimates are too few to calibrate chances: {FEWEST} are the least")
    if not np.isfinite(known.score).all():
        raise ConfigError("some estimates are not numbers")
    if len(np.unique(known.result)) < 2:
        raise ConfigError("every game has the same result: there are no chances to calibrate")
    held_out = known.game % HELD_OUT == 0
    if held_out.all() or not held_out.any():
        raise ConfigError("too few games: some must be fitted to and some kept to measure by")
    part = known.take(~held_out)
    rows, columns = (torch.from_numpy(_hats(axis, at)) for axis, at in ((EMPTIES, part.empties), (DEPTHS, part.depth)))
    score, result = torch.from_numpy(part.score), torch.from_numpy(part.result)
    numbers = torch.zeros(2, len(EMPTIES), len(DEPTHS))
    numbers[0] -= 4.0
    numbers[0, 0] = np.log(3.0)
    numbers.requires_grad_()
    optimizer = torch.optim.Adam([numbers], lr=0.05)
    for _ in range(steps):
        grid = _logarithms(numbers)
        width, margin = (((rows @ table.exp()) * columns).sum(dim=1) for table in grid)
        win = torch.sigmoid((score - margin) / width)
        loss = torch.sigmoid((-score - margin) / width)
        told = torch.where(result > 0, win, torch.where(result < 0, loss, 1 - win - loss))
        bends = CALM * grid.diff(n=2, dim=1).square().sum() + grid.diff(n=2, dim=2).square().sum()
        roughness = bends + grid.diff(dim=2).square().sum()
        objective = -told.clamp_min(1e-6).log().mean() + smooth * roughness
        optimizer.zero_grad()
        objective.backward()  # type: ignore[no-untyped-call]
        optimizer.step()
    widths, margins = _logarithms(numbers.detach()).exp().tolist()
    curves = Curves.parse({"empties": EMPTIES, "depths": DEPTHS, "width": widths, "margin": margins})
    return curves, measure(known.take(held_out), curves.chances)


def _logarithms(numbers: torch.Tensor) -> torch.Tensor:
    """Of widths and margins, which so stay positive; widths never fall with the empty squares: leads are safer late."""
    rises = torch.nn.functional.softplus(numbers[0, 1:])
    return torch.stack([torch.cat([numbers[0, :1], rises]).cumsum(0), numbers[1]])


def _hats(axis: tuple[int, ...], at: npt.NDArray[np.float32]) -> npt.NDArray[np.float32]:
    """How much each place on an axis counts for each value: straight lines between, ends held beyond."""
    unit = np.eye(len(axis))
    return np.stack([np.interp(at, axis, row) for row in unit], axis=1).astype(np.float32)


def measure(known: Estimates, chances: Callable[[float, int, int], tuple[float, float]]) -> Fitness:
    """How good some chances are for these estimates."""
    asked = zip(known.score.tolist(), known.empties.tolist(), known.depth.tolist(), strict=True)
    told = np.array([chances(score, int(empties), int(depth)) for score, empties, depth in asked]).reshape(-1, 2)
    three = np.column_stack([1 - told.sum(axis=1), told[:, 1], told[:, 0]])
    truth = known.result.astype(np.int64) + 1
    log_loss = -np.log(np.maximum(three[np.arange(len(truth)), truth], 1e-6)).mean()
    brier = ((three - np.eye(3)[truth]) ** 2).sum(axis=1).mean()
    points, made = three[:, 2] + three[:, 1] / 2, truth / 2
    places = np.minimum((points * BINS).astype(np.int64), BINS - 1)
    gaps = [abs((points - made)[places == place].sum()) for place in range(BINS)]
    return Fitness(len(truth), float(log_loss), float(brier), float(sum(gaps) / max(len(truth), 1)))


def save(curves: Curves, path: Path) -> None:
    """Write the numbers that `chances.py` reads, rounded to what they are worth."""
    data = {
        name: [[round(v, 2) for v in row] for row in value] if name in ("width", "margin") else value
        for name, value in asdict(curves).items()
    }
    lines = ",\n".join(f" {json.dumps(name)}: {json.dumps(value)}" for name, value in data.items())
    write_file(path, [f"{{\n{lines}\n}}\n".encode()])
