"""`python -m benchmarks.exact`: positions with 14 to 23 empty squares and their scores, proven by the plain solver.

Half of them come from random games, half from games of the engine against itself after a random opening. What proves a
score is the classical PVS of `search/`: no probcut, no evaluation but for the order of moves, and none of the code of
the engine that these scores test. Positions it cannot solve within `MOST_NODES` are left out.
"""

from __future__ import annotations

import argparse
import random
from collections.abc import Iterator
from pathlib import Path

from othellier import Limit, Position, native
from othellier.engine import Engine
from othellier.evaluators import mobility
from othellier.files import write_file
from othellier.search import Options, search
from othellier.search.base import WIN

__all__: list[str] = []

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


def lines() -> Iterator[str]:
    for source, make in {"random": random_positions, "engine": engine_positions}.items():
        yield f"\n[{source}]"
        for empties, count in COUNTS[source].items():
            rng = random.Random(f"{SEED} {source} {empties}")
            found: list[str] = []
            for position in make(rng, empties):
                if len(found) == count:
                    break
                score = proven(position)
                print(source, empties, position.board_string(), score, flush=True)
                if score is not None:
                    found.append(f'    ["{position.board_string()}", {score}],')
            yield f"{empties} = ["
            yield from found
            yield "]"


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.exact", description="Prove scores for the tests.")
    parser.add_argument("--out", type=Path, default=Path("tests/data/exact.toml"), help="the file to write")
    text = HEADER + "\n".join(lines()) + "\n"
    write_file(parser.parse_args().out, [text.encode()])


if __name__ == "__main__":
    main()
