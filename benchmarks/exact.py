"""`python -m benchmarks.exact`: positions with 14 to 24 empty squares and their scores, proven by the plain solver.

Some are drawn from random games, some from games that the plain search plays against itself after a random opening;
those that cannot be proven within `MOST_NODES` are left out. Some are from games of the engine: another engine plays
others, so these stay as they stand in the file and are proven anew. What plays and what proves a score is the classical
PVS of `search/`: no probcut, no evaluation but for the order of moves, and none of the code of the engine that these
scores test. So whenever it is run, it writes the same `tests/data/exact.toml`, byte for byte; that takes some minutes.
"""

import argparse
import random
import tomllib
from collections.abc import Iterable, Iterator
from itertools import islice
from pathlib import Path

from othellier import Position
from othellier.base.files import write_file
from othellier.evaluation.evaluators import mobility
from othellier.rules import native
from othellier.rules.geometry import PASS
from othellier.search import Options, search
from othellier.search.base import WIN

EXACT = Path(__file__).parents[1] / "tests" / "data" / "exact.toml"
SEED = 20
COUNTS = {
    "random": {14: 5, 15: 5, 16: 5, 17: 4, 18: 4, 19: 3, 20: 3, 21: 2, 22: 2, 23: 1},
    "played": {14: 4, 15: 4, 16: 3, 17: 3, 18: 3, 19: 2, 20: 2, 21: 2, 22: 1, 24: 1},
}
"""How many by source and by empty squares."""
PICKED = {("played", 22): 13, ("played", 24): 39}
"""By source and by empty squares: the draw that is taken where few can be proven, however long that takes."""
MOST_NODES = 150_000_000
OPENING = 10
"""Random moves before the search plays."""
DEPTH = 6

HEADER = """# Positions and what best play brings the side to move, empty squares counted for the winner: proven by
# the plain solver, none of whose code is the engine's. Written by `python -m benchmarks.exact`.
"""


def random_positions(rng: random.Random, empties: int) -> Iterator[Position]:
    while True:
        position = native.random_position(rng, 8, empties)
        if not position.is_over():
            yield position


def played_positions(rng: random.Random, empties: int) -> Iterator[Position]:
    options = Options("pvs", DEPTH, evaluator=mobility(), order="evaluator")
    while True:
        position = native.random_position(rng, 8, 60 - OPENING)
        while position.empties > empties and not position.is_over():
            position = position.play(PASS if position.must_pass() else search(position, options).move)
        if not position.is_over():
            yield position


def proven(position: Position, nodes: int | None) -> int | None:
    """The score, or None where that takes more nodes."""
    options = Options(
        "pvs",
        position.empties,
        evaluator=mobility(),
        order="evaluator",
        table=True,
        table_depth=5,
        table_size=1 << 23,
        nodes=nodes,
    )
    if position.must_pass():
        score = proven(position.play(PASS), nodes)
        return None if score is None else -score
    found = search(position, options)
    if found.depth < position.empties:
        return None
    value = int(found.value)
    return value - WIN if value > 0 else value + WIN if value < 0 else 0


def drawn(source: str, empties: int) -> Iterator[tuple[Position, int]]:
    """The positions of a source that can be proven, with their scores."""
    draw = {"random": random_positions, "played": played_positions}[source]
    picked = PICKED.get((source, empties))
    for number, position in enumerate(draw(random.Random(f"{SEED} {source} {empties}"), empties)):
        if picked is None or number == picked:
            score = proven(position, MOST_NODES if picked is None else None)
            print(source, empties, position.board_string(), score, flush=True)
            if score is not None:
                yield position, score


def kept() -> Iterator[tuple[int, list[tuple[Position, int | None]]]]:
    """Those from games of the engine, by their empty squares."""
    for empties, rows in tomllib.loads(EXACT.read_text(encoding="utf-8"))["engine"].items():
        yield int(empties), [(position := native.parse(board), proven(position, None)) for board, _ in rows]


def lines() -> Iterator[str]:
    for source, counts in COUNTS.items():
        yield f"\n[{source}]"
        for empties, count in counts.items():
            yield from _group(empties, islice(drawn(source, empties), count))
    yield "\n[engine]"
    for empties, rows in kept():
        yield from _group(empties, rows)


def _group(empties: int, rows: Iterable[tuple[Position, int | None]]) -> Iterator[str]:
    yield f"{empties} = ["
    yield from (f'    ["{position.board_string()}", {score}],' for position, score in rows)
    yield "]"


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.exact", description="Prove scores for the tests.")
    parser.add_argument("--out", type=Path, default=EXACT, help="the file to write")
    arguments = parser.parse_args()
    write_file(arguments.out, [(HEADER + "\n".join(lines()) + "\n").encode()])


if __name__ == "__main__":
    main()
