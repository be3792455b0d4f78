"""`python -m benchmarks.learn [--suite hard-20.obf] [--weights FILE] [--out FILE]`: self-play, evaluation, quality.

The suite is not part of the project; without it the rows about it are left out.
"""

import tempfile
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from benchmarks.engine import suite
from benchmarks.measure import Row, arguments_of, publish_rows, rate, seconds
from othellier.config.models import SelfplayConfig
from othellier.engine.engine import Engine, shared_weights
from othellier.evaluation.network import shipped_networks
from othellier.games.results import Limit
from othellier.learn import shards
from othellier.learn.games import Positions, positions
from othellier.records import read
from othellier.rules import native

HASH = 64
PIECE, REPEAT = 2000, 20
"""Positions of a run, a few milliseconds, and how many runs; the shortest counts, for others disturb the longer."""


def rows(path: Path | None, weights: Path | None) -> Iterator[Row]:
    """Every number of this file."""
    assert native.core is not None
    with tempfile.TemporaryDirectory() as folder:
        # From the start and from balanced starts, so that nearly the whole game is searched.
        for kind, games, plies in (("balanced", 400, 0), ("random", 1000, 6)):
            config = SelfplayConfig.model_validate(
                {"games": games, "depth": 4, "solve": 12, "openings": kind, "random_min": plies, "random_max": plies}
            )
            played = shards.play(Path(folder) / kind, config, weights=weights, threads=2)
            what = f"self-play, depth 4, exact from 12 empties, 2 threads, {kind} openings"
            yield Row(what, played.rate, "games/s", 20)
        found = positions(shards.load(played.paths))
    yield from speeds(found, shared_weights(weights))
    if path is not None:
        yield from quality(path, weights)


def speeds(found: Positions, weights: Any) -> Iterator[Row]:
    """Evaluations a second of one core, of positions in the middle of the game."""
    assert native.core is not None
    empties = 64 - np.bitwise_count(found.player | found.opponent)
    middle = np.nonzero((empties > 12) & (empties < 50))[0]
    together = middle[np.argsort(empties[middle], kind="stable")]  # the leaves of a search are of one phase
    networks = shipped_networks()
    for what, order, how in (
        ("tables, by phase, as in a search", together, None),
        ("network, by phase, as in a search", together, networks),
        ("network, game by game", middle, networks),
    ):
        count, spent = 0, 0.0
        for start in range(0, len(order), PIECE):
            boards = _boards(found, order[start : start + PIECE])
            count += native.core.evaluate_leaves(weights, how, *boards)[0]
            spent += seconds(partial(native.core.evaluate_leaves, weights, how, *boards), REPEAT)
        reach = 10 if order is together else None
        yield Row(f"leaves valued (move, features, mobility, {what})", count / spent / 1e6, "M/s a core", reach)
    boards = _boards(found, middle[:PIECE])
    values = np.zeros(PIECE, np.int32)
    for what, value in (("tables", weights.raw), ("the value network", networks.values)):
        speed = rate(PIECE, partial(value, *boards, values), REPEAT) / 1e6
        yield Row(f"boards valued by {what}, no features at hand", speed, "M/s a core")


def _boards(found: Positions, rows: npt.NDArray[np.intp]) -> tuple[npt.NDArray[np.uint64], npt.NDArray[np.uint64]]:
    return np.ascontiguousarray(found.player[rows]), np.ascontiguousarray(found.opponent[rows])


def quality(path: Path, weights: Path | None) -> Iterator[Row]:
    """How good moves and values at depth 8 are, by the suite's exact scores."""
    best, error, loss = 0, 0.0, 0.0
    known = [game.root.scores for game in read(path)]
    with Engine(hash_mb=HASH, weights=weights) as engine:
        for (position, score), scores in zip(suite(path), known, strict=True):
            engine.new_game()
            result = engine.search(position, Limit(depth=8, selectivity=100))
            assert result.score is not None
            lost = score - scores.get(result.move, min(scores.values()))
            best += lost == 0
            loss += lost
            error += abs(result.score - score)
    total = len(known)
    yield Row(f"{path.stem} at depth 8, nothing pruned, {total} positions: best move", 100 * best / total, "%", 65)
    yield Row("the same: mean absolute error of the value", error / total, "discs", 2.7, less_is_better=True)
    yield Row("the same: mean loss of the move", loss / total, "discs", less_is_better=True)


def main() -> None:
    parser = arguments_of("benchmarks.learn", "Measure what was learnt.")
    parser.add_argument("--suite", type=Path, help="an OBF file with the exact scores of moves, such as hard-20.obf")
    parser.add_argument("--weights", type=Path, help="weights other than the built-in ones")
    arguments = parser.parse_args()
    publish_rows("Learning", "", rows(arguments.suite, arguments.weights), arguments.out)


if __name__ == "__main__":
    main()
