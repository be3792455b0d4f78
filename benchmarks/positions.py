"""`python -m benchmarks.positions FILE [--draw] [--jobs N] [--minutes M]`: the positions that accuracy is measured on.

`--draw` adds positions of fresh games to the file, with no scores yet: ten random moves, then the engine at a small
depth on both sides; one position of a game, with a choice of moves and not too one-sided. Of those drawn the ones that
look cheapest to solve are kept, one in three or in as many as `--of` says. Without it the positions are solved, the
cheap ones first, as long as the minutes last: run it again to go on. Solved means: the exact score of the best move.
What every other move is worth is known to be no more; `benchmarks.accuracy --complete` solves those that were chosen.
"""

import argparse
import random
import sys
import time
from dataclasses import dataclass
from functools import cache, partial
from pathlib import Path

from othellier.base.files import write_file
from othellier.base.jobs import Crew
from othellier.engine.engine import Engine
from othellier.games.results import Limit
from othellier.records import read
from othellier.rules import native
from othellier.rules.board import Position
from othellier.rules.geometry import PASS, square_name

SEED = 20_261_117
"""Of no training run: those draw their games from small numbers."""
QUOTAS = {24: 400, 25: 200, 26: 160, 27: 100, 28: 100, 29: 40, 30: 100}
"""How many positions with so many empty squares; with more than 30 a solution takes a core for minutes."""
DEARER = 2.2
"""Times as dear for every empty square more."""
DRAWN = 3
RANDOM_PLIES = 10
DEPTH = 6
LOOK = 14
"""Depth of the search whose nodes tell which positions are cheap; with more than 34 empty squares 20 tells more."""
ONE_SIDED = 16
FEWEST_MOVES = 4
HASH = 256
EXACT = Limit(depth=60, selectivity=100)
SAVE = 10.0
"""Seconds between two savings."""


@dataclass(slots=True)
class Known:
    """A position and the exact scores of its moves, as far as they are known; all others are worth no more."""

    position: Position
    scores: dict[int, int]

    @property
    def best(self) -> int:
        """The exact value."""
        return max(self.scores.values())

    def loss(self, move: int) -> tuple[int, bool]:
        """The discs that a move gives away, and whether that is exact: else it is at least so many."""
        if move in self.scores:
            return self.best - self.scores[move], True
        return self.best - min(self.scores.values()), False


def load(path: Path) -> list[Known]:
    """The positions of a file, with and without scores."""
    found = []
    for game in read(path):
        plain = game.position
        position = native.position(plain.player, plain.opponent, plain.turn, plain.size)
        found.append(Known(position, {move: round(score) for move, score in game.root.scores.items()}))
    return found


def save(path: Path, known: list[Known]) -> None:
    """Write positions, a line each, whole or not at all."""
    lines = ["% exact scores of the best moves; all others are worth no more than the last"]
    for one in known:
        scores = sorted(one.scores.items(), key=lambda item: (-item[1], item[0]))
        fields = [one.position.board_string(), *(f"{square_name(move).upper()}:{score:+d}" for move, score in scores)]
        lines.append("; ".join(fields) + ";")
    path.parent.mkdir(parents=True, exist_ok=True)
    write_file(path, ["".join(f"{line}\n" for line in lines).encode()])


# -- what the workers do


@cache
def _engine(hash_mb: int, threads: int) -> Engine:
    return Engine(hash_mb=hash_mb, threads=threads)


def draw(job: tuple[int, int, int], look: int = LOOK) -> tuple[float, Position] | None:
    """A position with so many empty squares, of the game with this number, and a guess at what solving it costs."""
    seed, empties, number = job
    rng = random.Random(f"accuracy {seed} {empties} {number}")
    engine = _engine(HASH, 1)
    engine.new_game()
    position = native.start()
    while not position.is_over() and position.empties > empties:
        if position.must_pass():
            move = PASS
        elif position.empties > 60 - RANDOM_PLIES:
            move = rng.choice(position.moves())
        else:
            move = engine.search(position, Limit(depth=DEPTH)).move
        position = position.play(move)
    if position.empties != empties or len(position.moves()) < FEWEST_MOVES:
        return None
    estimate = engine.search(position, Limit(depth=look))
    if estimate.score is None or abs(estimate.score) > ONE_SIDED:
        return None
    return estimate.nodes * DEARER**empties, position


def solve(position: Position, hash_mb: int = HASH, threads: int = 1) -> dict[int, int]:
    """The exact score of the best move."""
    result = _engine(hash_mb, threads).search(position, EXACT)
    if not result.is_exact:
        raise SystemExit(f"{position.board_string()}: not solved")
    return {result.move: round(result.score or 0)}


def complete(job: tuple[Position, int]) -> int:
    """The exact score of one move."""
    position, move = job
    after = position.play(move)
    if after.is_over():
        return -round(after.score())
    sign = -1
    if after.must_pass():
        after, sign = after.play(PASS), 1
    engine = _engine(HASH, 1)
    engine.new_game()
    return sign * round(engine.solve(after).score or 0)


# -- the two steps


def draw_all(path: Path, crew: Crew, quotas: dict[int, int], seed: int, drawn_for_one: int, look: int = LOOK) -> None:
    """Draw positions, and add those that look cheap to the file, the cheapest first."""
    before = load(path) if path.exists() else []
    there = {one.position.canonical() for one in before}
    found: dict[int, dict[Position, tuple[float, Position]]] = {empties: {} for empties in quotas}
    wanted = {empties: drawn_for_one * count for empties, count in quotas.items()}
    number = 0
    while any(len(found[empties]) < wanted[empties] for empties in quotas):
        missing = {empties: wanted[empties] - len(found[empties]) for empties in quotas}
        jobs = [(seed, empties, number + i) for empties, count in missing.items() for i in range(2 * max(0, count))]
        number += 2 * max(missing.values())
        drawn = {job: result for job, result in crew.map(partial(draw, look=look), jobs) if result is not None}
        for job in jobs:  # in their order, whoever was done first
            if job not in drawn or len(found[job[1]]) == wanted[job[1]]:
                continue
            if (position := drawn[job][1].canonical()) not in there:
                found[job[1]].setdefault(position, drawn[job])
    kept = [one for empties, count in quotas.items() for one in sorted(found[empties].values(), key=_cost)[:count]]
    save(path, [*before, *(Known(position, {}) for _, position in sorted(kept, key=_cost))])


def _cost(one: tuple[float, Position]) -> tuple[float, int, int]:
    return one[0], one[1].player, one[1].opponent


def solve_all(
    path: Path, crew: Crew, minutes: float, empties: int | None, hash_mb: int = HASH, threads: int = 1
) -> None:
    """Solve what is not solved yet, in the order of the file; only those with so many empty squares, if told."""
    known = load(path)
    places = {one.position: one for one in known}
    begin = saved = time.monotonic()
    left = [one.position for one in known if not one.scores and empties in (None, one.position.empties)]
    try:
        work = partial(solve, hash_mb=hash_mb, threads=threads)
        for done, (position, scores) in enumerate(crew.map(work, left), 1):
            places[position].scores = scores
            now = time.monotonic()
            if now - saved > SAVE:
                save(path, known)
                saved = now
                print(f"{now - begin:.0f} s: {done} of {len(left)} solved", file=sys.stderr, flush=True)
            if now - begin > 60 * minutes:
                break
    except KeyboardInterrupt:
        pass  # run again it goes on with what is left
    save(path, known)
    print(f"{sum(bool(one.scores) for one in known)} of {len(known)} positions are solved")


def _quotas(texts: list[str]) -> dict[int, int]:
    try:
        return {int(empties): int(count) for empties, count in (text.split("=") for text in texts)}
    except ValueError:
        raise SystemExit("positions: --quota 30=100 expected, empty squares and how many") from None


def main() -> None:
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.positions", description="Make the positions that accuracy is measured on."
    )
    parser.add_argument("file", type=Path, help="benchmarks/data/accuracy.obf, or another")
    parser.add_argument("--draw", action="store_true", help="add positions of fresh games")
    parser.add_argument("--seed", type=int, default=SEED, help="for drawing")
    parser.add_argument(
        "--quota", action="append", default=[], metavar="E=N", help="draw or keep N with E empty squares; again"
    )
    parser.add_argument(
        "--of", type=int, default=DRAWN, metavar="N", help=f"keep the cheapest one in N of those drawn; {DRAWN}"
    )
    parser.add_argument("--look", type=int, default=LOOK, metavar="D", help=f"guess by a search of this depth; {LOOK}")
    parser.add_argument("--jobs", type=int, metavar="N", help="processes; all cores unless given")
    parser.add_argument("--threads", type=int, default=1, metavar="N", help="of each process, for solving; 1")
    parser.add_argument("--hash", type=int, default=HASH, metavar="MB", help=f"each one's table, for solving; {HASH}")
    parser.add_argument("--minutes", type=float, default=1e9, metavar="M", help="stop after so long")
    parser.add_argument("--empties", type=int, metavar="E", help="solve only those with so many empty squares")
    parser.add_argument("--tidy", action="store_true", help="drop what is not solved, and sort by empty squares")
    arguments = parser.parse_args()
    with Crew("processes", arguments.jobs) as crew:
        if arguments.draw:
            quotas = _quotas(arguments.quota) or QUOTAS
            draw_all(arguments.file, crew, quotas, arguments.seed, arguments.of, arguments.look)
        elif arguments.tidy:
            solved = [one for one in load(arguments.file) if one.scores]
            solved.sort(key=lambda one: (one.position.empties, one.position.player, one.position.opponent))
            save(arguments.file, solved)
        else:
            solve_all(arguments.file, crew, arguments.minutes, arguments.empties, arguments.hash, arguments.threads)


if __name__ == "__main__":
    main()
