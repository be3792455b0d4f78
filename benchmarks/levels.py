"""How strong the levels are: every level against those next to it and against plain players, on one Elo scale.

    python -m benchmarks.levels --games 192 --out benchmarks/LEVELS.md
    python -m benchmarks.levels --games 192 --out benchmarks/LEVELS.md --go-on

Random moves have the rating 0. Balanced starts, each played twice with the colours swapped; the book is off, so that
games are played and not recited. The page is written after every pairing, quick ones first, so that a run can be ended
at any time and gone on with. Needs nothing but NumPy and the core. What it finds belongs into `levels.py`.
"""

import argparse
import re
from collections.abc import Iterator
from pathlib import Path

from othellier.arena.match import Match
from othellier.arena.stats import Estimate, ratings
from othellier.distribute import Crew
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
    *("alpha-beta, 6 plies", "hugo", "vera", "beginner", "beginner+", "emil", "rosa", "kaito", "amateur", "amateur+"),
    *("expert", "master"),
]
"""About how strong they are: each meets those near it."""
SLOW = {"master": 3}
"""How many times fewer games these play: a game of Master's takes 15 to 30 s of a processor, one of Expert's 1.5."""
NEAR = 4
ANCHORS = {
    "pip": "random moves",
    "nora": "most discs, 1 ply",
    "oscar": "positional, 2 plies",
    "amateur": "alpha-beta, 6 plies",
}
"""What the ladder is set up by: three plain players score about half against three steps, the fourth stays below."""

LIKENESS = "## How like people they play"
"""What `benchmarks.likeness` puts at the end of the page: it stays there."""

Scores = dict[tuple[str, str], tuple[float, int]]
"""The points of the first of two, and the games they played."""


def contestants() -> dict[str, str]:
    """Player strings by name, weakest first."""
    known = YARDSTICKS | {name: f"engine:level={name},book=no" for name, each in LEVELS.items() if not each.uses_clock}
    return {name: known[name] for name in sorted(known, key=ORDER.index)}


def pairings(games: int) -> list[tuple[str, str, int]]:
    """Who meets whom in how many games: everybody those next to it, quick ones first."""
    names = list(contestants())
    pairs = {(a, b) for first, a in enumerate(names) for b in names[first + 1 : first + 1 + NEAR]}
    pairs |= {(a, b) for a, b in (sorted(pair, key=names.index) for pair in ANCHORS.items())}
    slowness = {pair: max(SLOW.get(name, 1) for name in pair) for pair in pairs}
    return [
        (a, b, max(4, games // slowness[a, b] // 2 * 2))
        for a, b in sorted(pairs, key=lambda pair: (slowness[pair], *map(names.index, pair)))
    ]


def measure(games: int, jobs: int | None, known: Scores) -> Iterator[Scores]:
    """The points of every pairing, all of them so far after each; those known with as many games are not played."""
    players = contestants()
    scores = dict(known)
    with Crew(jobs=jobs) as crew:
        for a, b, count in pairings(games):
            if known.get((a, b), (0.0, 0))[1] >= count:
                continue
            match = Match.between(players[a], players[b], count)
            match.run(crew)
            scores[a, b] = (match.tally.wins + match.tally.draws / 2, count)
            print(f"{a} - {b}: {scores[a, b][0]:g} of {count}", flush=True)
            yield scores


def rate(scores: Scores) -> dict[str, Estimate]:
    """Ratings, random moves having 0."""
    met = {name for pair in scores for name in pair}
    found = ratings(scores, [name for name in contestants() if name in met])
    zero = found["random moves"].elo
    return {
        name: Estimate(one.score, one.elo - zero, one.elo_low - zero, one.elo_high - zero)
        for name, one in found.items()
    }


def read(page: str) -> Scores:
    """The pairings of a page that was written before."""
    rows = re.findall(r"^\| ([^|]+) \| ([^|]+) \| ([\d.]+) \| (\d+) \|$", page, re.MULTILINE)
    return {(a, b): (float(won), int(count)) for a, b, won, count in rows if {a, b} <= contestants().keys()}


def document(scores: Scores, games: int) -> str:
    """The page of results."""
    found = rate(scores)
    missing = [f"{a} – {b}" for a, b, count in pairings(games) if scores.get((a, b), (0.0, 0))[1] < count]
    anchored = [
        f"| {level} | {plain} | {won / count:.0%} | {count} |"
        for level, plain in ANCHORS.items()
        for (a, b), (points, count) in scores.items()
        for won in [points if a == plain else count - points]
        if {a, b} == {level, plain}
    ]
    lines = [
        "# How strong the levels are",
        "",
        "Elo with 95 % intervals, random moves having 0; `python -m benchmarks.levels` plays it: balanced starts, each",
        "twice with the colours swapped, no book, every player against the four next to it on either side.",
        *(["", f"Not yet played with as many games as the others: {', '.join(missing)}."] if missing else []),
        "",
        "| player | Elo | interval |",
        "|---|---|---|",
        *(
            f"| {name} | {each.elo:.0f} | {each.elo_low:.0f} to {each.elo_high:.0f} |"
            for name, each in sorted(found.items(), key=lambda item: item[1].elo)
        ),
        "",
        "What the ladder is set up by: three plain players score about half against three of its steps, and the fourth",
        "stays below Amateur.",
        "",
        "| level | plain player | its score | games |",
        "|---|---|---|---|",
        *anchored,
        "",
        "| first | second | points of the first | games |",
        "|---|---|---|---|",
        *(f"| {a} | {b} | {won:g} | {count} |" for (a, b), (won, count) in scores.items()),
        "",
    ]
    return "\n".join(lines)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--games", type=int, default=192, help="games of a pairing; slow players play fewer")
    parser.add_argument("--jobs", type=int, help="processes; all cores unless said")
    parser.add_argument("--out", type=Path, required=True, help="where to write the page")
    parser.add_argument("--go-on", action="store_true", help="keep the pairings that the page has already")
    options = parser.parse_args()
    old = options.out.read_text(encoding="utf-8") if options.out.exists() else ""
    _, heading, likeness = old.partition(LIKENESS)
    for scores in measure(options.games, options.jobs, read(old) if options.go_on else {}):
        if any("random moves" in pair for pair in scores):
            text = (
                f"{document(scores, options.games)}\n{heading}{likeness}"
                if heading
                else document(scores, options.games)
            )
            write_file(options.out, [text.encode()])


if __name__ == "__main__":
    main()
