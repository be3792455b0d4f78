"""`python -m benchmarks.engine --suites FOLDER [--full] [--out FILE]`: the strong engine's table.

The suites (fforum-40-59.obf, hard-20.obf) are not part of the project. Without `--full` FFO 40-49, the small
boards and the midgame are measured; with it also FFO 50-59 and hard-20, which takes a quarter of an hour.
"""

import random
import resource
import threading
import time
from collections.abc import Iterator
from pathlib import Path

from benchmarks.measure import Row, arguments_of, publish_rows
from othellier.engine.engine import Engine, default_threads
from othellier.games.results import Limit, Result
from othellier.records import read
from othellier.rules import native
from othellier.rules.board import Position

HASH = 512


def suite(path: Path, first: int = 0, last: int | None = None) -> list[tuple[Position, float]]:
    """Positions with their known scores."""
    found = []
    for game in read(path)[first:last]:
        position = game.position
        found.append(
            (
                native.position(position.player, position.opponent, position.turn, position.size),
                max(game.root.scores.values()),
            )
        )
    return found


def solved(positions: list[tuple[Position, float]], threads: int = 1, hash_mb: int = HASH) -> Iterator[Result]:
    """Every position solved, one after the other; a wrong score ends the benchmark."""
    with Engine(threads=threads, hash_mb=hash_mb) as engine:
        for position, score in positions:
            result = engine.solve(position)
            if not result.is_exact or result.score != score:
                raise SystemExit(f"{position.board_string()}: {result.score} found, {score} known")
            yield result


def solve_all(positions: list[tuple[Position, float]], threads: int = 1) -> list[Result]:
    """Every position solved."""
    return list(solved(positions, threads))


def stop_delay(seed: int) -> float:
    """Seconds from a stop to the answer, in a search without limits on all cores."""
    rng = random.Random(seed)
    position = native.random_position(rng, 8, rng.randint(16, 56))
    with Engine(threads=default_threads(), hash_mb=16) as engine:
        found: list[float] = []
        search = threading.Thread(
            target=lambda: found.append((engine.search(position, Limit(infinite=True)), time.perf_counter())[1])
        )
        search.start()
        time.sleep(rng.uniform(0.02, 0.3))
        said = time.perf_counter()
        engine.stop()
        search.join()
        return max(found[0] - said, 0.0)


def rows(suites: Path, full: bool) -> Iterator[Row]:
    """Every number of this file."""
    ffo = suite(suites / "fforum-40-59.obf", 0, 10)
    alone = solve_all(ffo)
    nodes, seconds = sum(r.nodes for r in alone), sum(r.seconds for r in alone)
    yield Row("FFO 40-49 exact, one thread", nodes / 1e9, "G nodes", 0.50, less_is_better=True)
    yield Row("FFO 40-49 exact, one thread", seconds, "s", 12.5, less_is_better=True)
    yield Row("endgame speed, FFO 40-49", nodes / seconds / 1e6, "M nodes/s", 35)
    together = solve_all(ffo, threads=2)
    yield Row("speed-up on 2 threads", seconds / sum(r.seconds for r in together), "times", 1.9)

    with Engine(hash_mb=HASH) as engine:
        four = engine.solve(native.start(4))
        yield Row(f"4x4 from the start: {four.score:+.0f}", four.seconds * 1000, "ms", 10, less_is_better=True)
        rng = random.Random(1)
        middle = [native.random_position(rng, 8, 40) for _ in range(6)]
        found = [engine.search(position, Limit(depth=21, selectivity=73)) for position in middle]
        nodes, seconds = sum(r.nodes for r in found), sum(r.seconds for r in found)
        yield Row("depth 21 from 40 empties, six positions", seconds, "s")
        yield Row("midgame speed there", nodes / seconds / 1e6, "M nodes/s")
    with Engine(threads=2, hash_mb=HASH) as engine:
        six = engine.solve(native.start(6))
        yield Row(f"6x6 from the start: {six.score:+.0f}, 2 threads", six.seconds, "s", 60, less_is_better=True)
    if full:
        rest = solve_all(suite(suites / "fforum-40-59.obf", 10))
        yield Row("FFO 40-59 exact", (nodes + sum(r.nodes for r in rest)) / 1e9, "G nodes", 13, less_is_better=True)
        hard = solve_all(suite(suites / "hard-20.obf"))
        yield Row("hard-20, all 276 exact", sum(r.nodes for r in hard) / 1e9, "G nodes", 2.5, less_is_better=True)
        yield Row(
            "endgame speed, hard-20", sum(r.nodes for r in hard) / sum(r.seconds for r in hard) / 1e6, "M nodes/s", 35
        )
    yield Row(
        "stop, slowest of 20", 1000 * max(stop_delay(number) for number in range(20)), "ms", 50, less_is_better=True
    )
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024 - HASH
    yield Row("memory beyond the table", memory, "MB", 100, less_is_better=True)


def main() -> None:
    parser = arguments_of("benchmarks.engine", "Measure the strong engine.")
    parser.add_argument("--suites", type=Path, required=True, help="folder with fforum-40-59.obf and hard-20.obf")
    parser.add_argument("--full", action="store_true", help="FFO 50-59 and hard-20 too")
    arguments = parser.parse_args()
    publish_rows("The engine", "", rows(arguments.suites, arguments.full), arguments.out)


if __name__ == "__main__":
    main()
