"""`python -m benchmarks.exact`: positions with 14 to 23 empty squares and their scores, proven by the plain solver.

The positions are those of `tests/data/exact.toml`: to run it again proves the same ones again and must change nothing.
With `--draw` they are drawn anew: half from random games, half from games of the engine against itself after a random
opening, so that another engine draws others; those it cannot solve within `MOST_NODES` are left out. What proves a
score is the classical PVS of `search/`: no probcut, no evaluation but for the order of moves, and none of the code of
the engine that these scores test.
"""

from __future__ import annotations

import argparse
import random
import tomllib
from collections.abc import Iterable, Iterator
from pathlib import Path

from othellier import Limit, Position, native
from othellier.engine import Engine
from othellier.evaluators import mobility
from othellier.files import write_file
from othellier.search import Options, search
from othellier.search.base import WIN

__all__: list[str] = []

EXACT = Path(__file__).parents[1] / "tests" / "data" / "exact.toml"
SEED = 20
COUNTS = {
    "random": {14: 5, 15: 5, 16: 5, 17: 4, 18: 4, 19: 3, 20: 3, 21: 2, 22: 2, 23: 1},
    "engine": {14: 4, 15: 4, 16: 3, 17: 3, 18: 3, 19: 2, 20: 2, 21: 1},
}
"""How many by source and by empty squares."""
MOST_NODES = 150_000_000
OPENING = 10
"""Random moves before the engine plays."""
DEPTH = 4

HEADER = """# Positions and what best play brings the side to move, empty squares counted for the winner: proven by
# the plain solver, none of whose code is the engine's. Written by `python -m benchmarks.exact`.
"""


def random_positions(rng: random.Random, empties: int) -> Iterator[Position]:
    while True:
        position = native.random_position(rng, 8, empties)
        if not position.is_over():
            yield position


def engine_positions(rng: random.Random, empties: int) -> Iterator[Position]:
    with Engine(hash_mb=4) as engine:
        while True:
            position = native.random_position(rng, 8, 60 - OPENING)
            engine.new_game()
            while position.empties > empties and not position.is_over():
                position = position.play(engine.search(position, Limit(depth=DEPTH)).move)
            if not position.is_over():
                yield position


def proven(position: Position) -> int | None:
    """The score, or None where that takes too long."""
    options = Options(
        "pvs",
        position.empties,
        evaluator=mobility(),
        order="evaluator",
        table=True,
        table_depth=5,
        table_size=1 << 23,
        nodes=MOST_NODES,
    )
    if position.must_pass():
        score = proven(position.play(-1))
        return None if score is None else -score
    found = search(position, options)
    if found.depth < position.empties:
        return None
    value = int(found.value)
    return value - WIN if value > 0 else value + WIN if value < 0 else 0


Sets = dict[str, dict[int, Iterable[Position]]]
"""Positions by source and by empty squares."""


def kept(path: Path) -> Sets:
    """Those of a file."""
    data = tomllib.loads(path.read_text(encoding="utf-8"))
    return {
        source: {int(empties): [native.parse(board) for board, _ in rows] for empties, rows in table.items()}
        for source, table in data.items()
    }


def drawn() -> Sets:
    """New ones, without end: as many as `COUNTS` says are taken of those that can be proven."""
    makers = {"random": random_positions, "engine": engine_positions}
    return {
        source: {empties: make(random.Random(f"{SEED} {source} {empties}"), empties) for empties in COUNTS[source]}
        for source, make in makers.items()
    }


def lines(sets: Sets) -> Iterator[str]:
    for source, table in sets.items():
        yield f"\n[{source}]"
        for empties, positions in table.items():
            found: list[str] = []
            for position in positions:
                score = proven(position)
                print(source, empties, position.board_string(), score, flush=True)
                if score is not None:
                    found.append(f'    ["{position.board_string()}", {score}],')
                if len(found) == COUNTS[source][empties]:
                    break
            yield f"{empties} = ["
            yield from found
            yield "]"


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.exact", description="Prove scores for the tests.")
    parser.add_argument("--out", type=Path, default=EXACT, help="the file to write")
    parser.add_argument("--draw", action="store_true", help="draw other positions than those of the file")
    arguments = parser.parse_args()
    sets = drawn() if arguments.draw else kept(EXACT)
    write_file(arguments.out, [(HEADER + "\n".join(lines(sets)) + "\n").encode()])


if __name__ == "__main__":
    main()
