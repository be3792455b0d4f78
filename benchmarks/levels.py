"""How strong the levels are: every level against those next to it and against plain players, on one Elo scale.

    python -m benchmarks.levels --games 60 --out benchmarks/LEVELS.md

Random moves have the rating 0. Balanced starts, each played twice with the colours swapped; the book is off, so that
games are played and not recited. What it finds belongs into `levels.py`.
"""

from __future__ import annotations

import argparse
from pathlib import Path

import othellier
from benchmarks.likeness import HEADING
from othellier.arena.stats import Estimate, ratings
from othellier.files import write_file
from othellier.levels import LEVELS

YARDSTICKS = {
    "random moves": "random",
    "most discs, 1 ply": "alphabeta:depth=1,eval=absolute",
    "positional, 2 plies": "alphabeta:depth=2,eval=positional",
    "alpha-beta, 6 plies": "alphabeta:depth=6",
}
ORDER = [
    *("random moves", "pip", "most discs, 1 ply", "nora", "tom", "lila", "oscar", "positional, 2 plies", "iris"),
    *("hugo", "vera", "beginner", "beginner+", "alpha-beta, 6 plies", "emil", "rosa", "amateur", "amateur+"),
    *("expert", "master"),
]
"""About how strong they are: each meets those near it."""
SLOW = {"amateur+": 5, "expert": 10, "master": 30}
"""How many times fewer games these play."""
NEAR = 4


def contestants() -> dict[str, str]:
    """Player strings by name, weakest first."""
    known = YARDSTICKS | {name: f"engine:level={name},book=no" for name, each in LEVELS.items() if not each.uses_clock}
    return {name: known[name] for name in sorted(known, key=ORDER.index)}


def measure(games: int, jobs: int) -> tuple[dict[str, Estimate], dict[tuple[str, str], tuple[float, int]]]:
    """Ratings, random moves having 0, and the points of every pairing."""
    players = contestants()
    names = list(players)
    scores: dict[tuple[str, str], tuple[float, int]] = {}
    for first, a in enumerate(names):
        for b in names[first + 1 : first + 1 + NEAR]:
            count = max(4, games // max(SLOW.get(a, 1), SLOW.get(b, 1)) // 2 * 2)
            tally = othellier.match(players[a], players[b], games=count, jobs=jobs).tally
            scores[a, b] = (tally.wins + tally.draws / 2, count)
            print(f"{a} - {b}: {scores[a, b][0]} of {count}", flush=True)
    found = ratings(scores, names)
    zero = found[names[0]].elo
    shifted = {
        name: Estimate(one.score, one.elo - zero, one.elo_low - zero, one.elo_high - zero)
        for name, one in found.items()
    }
    return shifted, scores


def document(found: dict[str, Estimate], scores: dict[tuple[str, str], tuple[float, int]]) -> str:
    """The page of results."""
    lines = [
        "# How strong the levels are",
        "",
        "Elo with 95 % intervals, random moves having 0; `python -m benchmarks.levels` plays it: balanced starts, each",
        "twice with the colours swapped, no book, every player against the four next to it on either side.",
        "",
        "| player | Elo | interval |",
        "|---|---|---|",
        *(
            f"| {name} | {each.elo:.0f} | {each.elo_low:.0f} to {each.elo_high:.0f} |"
            for name, each in sorted(found.items(), key=lambda item: item[1].elo)
        ),
        "",
        "| first | second | points of the first | games |",
        "|---|---|---|---|",
        *(f"| {a} | {b} | {won:g} | {count} |" for (a, b), (won, count) in scores.items()),
        "",
    ]
    return "\n".join(lines)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--games", type=int, default=60, help="games of a pairing")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--out", type=Path, help="where to write the page")
    options = parser.parse_args()
    found, scores = measure(options.games, options.jobs)
    text = document(found, scores)
    print(text)
    if options.out:
        old = options.out.read_text(encoding="utf-8") if options.out.exists() else ""
        _, heading, rest = old.partition(HEADING)
        write_file(options.out, [f"{text}\n{heading}{rest}".encode() if heading else text.encode()])


if __name__ == "__main__":
    main()
