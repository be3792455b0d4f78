"""`python -m benchmarks.correctness [--positions N] [--seed S]`: the engine's scores against a plain solver.

Random positions with up to ten empty squares; every move's score by the engine is compared with the score of the
position after it by the classical alpha-beta search, which shares no code with the engine but the rules.
"""

import argparse
import random
from collections.abc import Iterator

from othellier.engine.engine import Engine
from othellier.games.results import Limit
from othellier.players import create_player
from othellier.rules import native
from othellier.rules.board import Position
from othellier.rules.geometry import PASS

MOST_EMPTIES = 10


def positions(count: int, seed: int) -> Iterator[Position]:
    """So many of them."""
    draw = random.Random(seed)
    while count:
        position = native.random_position(draw, empties=draw.randint(1, MOST_EMPTIES))
        if position.moves():
            count -= 1
            yield position


def main() -> None:
    """Compare, and say how much was compared; the first difference ends it."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--positions", type=int, default=20_000)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    plain = create_player("alphabeta:depth=60")
    moves = 0
    with Engine(hash_mb=16) as engine:
        for number, position in enumerate(positions(options.positions, options.seed), 1):
            for line in engine.analyze(position, Limit()):
                after = position.play(line.move)
                if after.is_over():
                    truth = -float(after.score())
                else:
                    sign = -1
                    if not after.moves():
                        after, sign = after.play(PASS), 1
                    score = plain.choose(after, Limit()).score
                    assert score is not None
                    truth = sign * score
                if not line.is_move_exact or line.score != truth:
                    raise SystemExit(f"{position.board_string()} {line.move}: {line.score} found, {truth} true")
                moves += 1
            if number % 1000 == 0:
                print(f"{number} positions, {moves} moves: every score right", flush=True)


if __name__ == "__main__":
    main()
