"""`python -m benchmarks.lab [--out FILE]`: the numbers of the laboratory, on one core, in seconds of processor time.

Processor time is not disturbed by what else the machine does; of short work the quickest of several runs counts.
"""

import random
import tempfile
import time
from collections.abc import Iterator
from functools import partial
from pathlib import Path

from benchmarks.measure import Row, arguments_of, publish_rows, seconds
from othellier.arena.tournament import Tournament
from othellier.base.jobs import Crew
from othellier.config.models import PlayerConfig, TournamentConfig
from othellier.evaluation.evaluators import absolute
from othellier.lab.timing import Trial, measure_trial
from othellier.rules import native
from othellier.search import Options, search


def a_move(spec: str, games: int) -> float:
    """Mean seconds a move over whole games against the rival of S5.5."""
    spent: float = measure_trial(Trial(spec, games))["seconds"]
    return spent


least = partial(seconds, clock=time.thread_time)


def table62() -> float:
    """Seconds for six matches of fifty games at depth 4."""
    players = [
        PlayerConfig(algorithm=f"nega-alphabeta:depth=4,eval={name},ties=random", name=name)
        for name in ("positional", "absolute", "mobility", "mixed")
    ]
    config = TournamentConfig(players=players, games=50)

    def play() -> None:
        with (
            tempfile.TemporaryDirectory() as folder,
            Tournament(config, Path(folder)) as running,
            Crew("here") as crew,
        ):
            running.run(crew)
            assert sum(one.match.tally.games for one in running.encounters) == 300

    return least(play, 2)


def node_rate() -> float:
    """Nodes a second of alpha-beta with the positional table, over positions of the middle game."""
    rng = random.Random(1)
    positions = [native.random_position(rng, 8, 40) for _ in range(8)]
    nodes = 0

    def look() -> None:
        nonlocal nodes
        nodes = sum(search(position, Options("alphabeta", depth=8)).counters.nodes for position in positions)

    return nodes / least(look, 5)


def rows() -> Iterator[Row]:
    """Every number of this file."""
    yield Row("negamax depth 6, a move", 1e3 * a_move("negamax:depth=6", 6), "ms", 20, "8,830 ms", True)
    spent = min(a_move("nega-alphabeta:depth=6", 10) for _ in range(3))
    yield Row("alpha-beta depth 6, a move", 1e3 * spent, "ms", 1, "600 ms", True)
    spent = a_move("nega-alphabeta:depth=6,backend=python", 2)
    yield Row("alpha-beta depth 6 in Python, a move", 1e3 * spent, "ms", 150, "600 ms", True)
    spent = min(a_move("mcts:iterations=900", 4) for _ in range(2))
    yield Row("Monte-Carlo, 900 iterations, a move", 1e3 * spent, "ms", 25, "729 ms", True)

    four = Options("minimax", depth=12, count="discs")
    counters = search(native.start(4), four).counters
    assert counters.thesis_nodes == 237_781
    spent = least(lambda: search(native.start(4), four), 20)
    yield Row("4x4 by minimax, 237,781 nodes", 1e3 * spent, "ms", 5, "1,059 ms", True)
    spent = least(lambda: search(native.start(4), four, backend="python"), 3)
    yield Row("4x4 by minimax in Python", spent, "s", 1, "1.059 s", True)
    six = Options("alphabeta", depth=14, order="discs", evaluator=absolute(), count="discs")
    spent = least(lambda: search(native.start(6), six), 5)
    yield Row("6x6, 14 plies, alpha-beta by disc difference", spent, "s", 0.2, "a few seconds", True)
    yield Row("table 6.2: six matches of 50 games at depth 4", table62(), "s", 2, "95 s a match", True)
    yield Row("alpha-beta with the positional table", node_rate() / 1e6, "M nodes/s", 15, "0.22 M nodes/s")


def main() -> None:
    parser = arguments_of("benchmarks.lab", "Measure the laboratory.")
    arguments = parser.parse_args()
    how = "Written by `python -m benchmarks.lab`: one core, seconds of processor time.\n"
    publish_rows("The laboratory", how, rows(), arguments.out, beside="the documents")


if __name__ == "__main__":
    main()
