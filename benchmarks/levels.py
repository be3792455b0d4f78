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
from othellier.arena.rating_scale import RatingScale, Score
from othellier.arena.stats import Estimate
from othellier.base.files import write_file
from othellier.base.jobs import Crew
from othellier.engine.levels import LEVELS

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

Scores = dict[tuple[str, str], Score]
"""The points of the first of two players against the second."""


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
            if known.get((a, b), Score()).games >= count:
                continue
            match = Match.between(players[a], players[b], count)
            match.run(crew)
            scores[a, b] = Score.of(match.tally)
            print(f"{a} - {b}: {scores[a, b].points:g} of {count}", flush=True)
            yield scores


def rate(scores: Scores) -> dict[str, Estimate]:
    """Ratings, random moves having 0."""
    met = {name for pair in scores for name in pair}
    return RatingScale(scores, [name for name in contestants() if name in met]).estimates("random moves")


def read(page: str) -> Scores:
    """Return the pairings of a page that was written before; those of older pages have no pairs of games."""
    rows = re.findall(r"^\| ([^|]+) \| ([^|]+) \| ([\d.]+) \| (\d+) \|(?: ([\d/]*) ?\|)?$", page, re.MULTILINE)
    return {
        (a, b): Score(float(won), int(games), *([tuple(map(int, pairs.split("/")))] if pairs else []))
        for a, b, won, games, pairs in rows
        if {a, b} <= contestants().keys()
    }


def told(score: Score) -> str:
    """Return the pairs of games as the page shows them; nothing where only the points are known."""
    return "/".join(map(str, score.pairs)) if any(score.pairs) else ""


def document(scores: Scores, games: int) -> str:
    """The page of results."""
    found = rate(scores)
    missing = [f"{a} – {b}" for a, b, count in pairings(games) if scores.get((a, b), Score()).games < count]
    anchored = [
        f"| {level} | {plain} | {one.points / one.games:.0%} | {one.games} |"
        for level, plain in ANCHORS.items()
        for (a, b), score in scores.items()
        for one in [score if a == plain else score.turned()]
        if {a, b} == {level, plain}
    ]
    lines = [
        "# How strong the levels are",
        "",
        "Elo over random moves with the 95 % interval of that difference; `python -m benchmarks.levels` plays it:",
        "balanced starts, each twice with the colours swapped, no book, every player against the four next to it on",
        "either side.",
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
        "| first | second | points of the first | games | pairs of games with 0/½/1/1½/2 points |",
        "|---|---|---|---|---|",
        *(f"| {a} | {b} | {one.points:g} | {one.games} | {told(one)} |" for (a, b), one in scores.items()),
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
