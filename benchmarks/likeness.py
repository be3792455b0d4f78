"""How like people the levels play: how often each chooses the move that somebody chose, early, in the middle, late.

    python -m benchmarks.likeness --games "tournament players=wthor" --games "players online=PLAYOK_2023.wtb"

Every source is a name and a file or folder of games; positions with a single move are left out. A level is asked once
at every position, and what chance would find is told beside it. `--out benchmarks/LEVELS.md` puts the table at the end
of that page.
"""

import argparse
import random
from collections.abc import Iterator, Sequence
from pathlib import Path

from benchmarks.levels import LIKENESS
from othellier.base.files import write_file
from othellier.coach.scale import PHASES, GamePhase, phase_of
from othellier.engine.engine import Engine
from othellier.engine.levels import LEVELS
from othellier.games.results import Limit
from othellier.openings.games import build
from othellier.rules.board import Position
from othellier.rules.geometry import PASS

SLOW = ("amateur+", "expert", "master", "grandmaster")
"""Levels that think too long to be asked thousands of times."""
Choice = tuple[Position, int]


def choices(path: Path, count: int, rng: random.Random) -> dict[GamePhase, list[Choice]]:
    """Positions of a database and what was played there, so many of every phase; one of a game in each."""
    games = build([path])
    numbers = list(range(len(games)))
    rng.shuffle(numbers)
    found: dict[GamePhase, list[Choice]] = {phase: [] for phase in PHASES}
    for number in numbers:
        if all(len(each) >= count for each in found.values()):
            break
        decisions = list(_decisions(games.game(number).start, games.game(number).moves()))
        for phase in PHASES:
            here = [choice for choice in decisions if phase_of(choice[0]) == phase]
            if here and len(found[phase]) < count:
                found[phase].append(rng.choice(here))
    return found


def _decisions(start: Position, moves: Sequence[int]) -> Iterator[Choice]:
    """Where there was something to choose, and what was chosen."""
    position = start
    for move in moves:
        if move != PASS and len(position.moves()) > 1:
            yield position, move
        position = position.play(move)


def agreement(name: str, asked: Sequence[Choice], engine: Engine, rng: random.Random) -> float:
    """The share of positions at which a level plays what was played."""
    level = LEVELS[name]
    same = sum(engine.play(position, level, Limit(), rng=rng).move == move for position, move in asked)
    return same / len(asked)


def table(name: str, found: dict[GamePhase, list[Choice]], levels: Sequence[str], rng: random.Random) -> list[str]:
    """The rows of one source, levels in their order, the most alike in bold."""
    everything = [choice for phase in PHASES for choice in found[phase]]
    columns = [everything, *(found[phase] for phase in PHASES)]
    shares = {"chance": [sum(1 / len(position.moves()) for position, _ in each) / len(each) for each in columns]}
    engine = Engine(threads=1)
    for level in levels:
        by_phase = [agreement(level, found[phase], engine, rng) for phase in PHASES]
        sizes = [len(found[phase]) for phase in PHASES]
        whole = sum(share * size for share, size in zip(by_phase, sizes, strict=True)) / len(everything)
        shares[level] = [whole, *by_phase]
        print(name, level, *(f"{share:.1%}" for share in shares[level]), flush=True)
    best = [max(row[column] for row in shares.values()) for column in range(len(columns))]
    rows = []
    for level, row in shares.items():
        cells = (f"**{share:.0%}**" if share == most else f"{share:.0%}" for share, most in zip(row, best, strict=True))
        rows.append(f"| {level} | {' | '.join(cells)} |")
    counts = ", ".join(f"{len(found[phase])} {phase}" for phase in PHASES)
    return [f"{name} ({counts}):", "", "| level | all | opening | middle | end |", "|---|---|---|---|---|", *rows, ""]


def main() -> None:
    """Ask, print, and put the tables into a page."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--games", action="append", required=True, metavar="NAME=PATH", help="a name, and its games")
    parser.add_argument("--positions", type=int, default=700, help="of each source and phase")
    parser.add_argument("--levels", default=",".join(name for name in LEVELS if name not in SLOW))
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--out", type=Path, help="the page that ends with the tables")
    options = parser.parse_args()
    lines = [
        LIKENESS,
        "",
        "How often a level plays the move that was played, by `python -m benchmarks.likeness`: games taken at random,",
        "one position of each of its phases where there was more than one move. A level is asked once, without book.",
        "",
    ]
    for source in options.games:
        name, _, path = source.partition("=")
        rng = random.Random(options.seed)
        found = choices(Path(path), options.positions, rng)
        lines += table(name, found, options.levels.split(","), rng)
    text = "\n".join(lines)
    print(text)
    if options.out:
        page = options.out.read_text(encoding="utf-8").partition(LIKENESS)[0].rstrip()
        write_file(options.out, [f"{page}\n\n{text}".encode()])


if __name__ == "__main__":
    main()
