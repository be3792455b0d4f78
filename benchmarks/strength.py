"""`python -m benchmarks.strength A B --time S`: the engines of two revisions against each other, as a line of a table.

A and B are revisions, source trees (`.` is this one as it stands) or folders of earlier builds. Both have the same
time, nodes or depth for a move, or the same clock for a game, one thread, a table of the same size and no book;
openings are balanced starts, each played twice with the colours swapped. With `--sprt` the match ends when it is clear
whether A is better. It needs NumPy, a compiler, CMake and nanobind, no other package: `othellier match build:A,time=S
build:B,time=S` plays the same games where the command line is installed.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

from benchmarks.compiled import need_core

if TYPE_CHECKING:
    from othellier.arena.bout import Bout
    from othellier.arena.match import Match
    from othellier.arena.play import Played

GAMES = 400
GAMES_AT_MOST = 40_000  # of a sequential test that cannot make up its mind
TELL = 15.0
"""Seconds between two lines on how it stands."""


class _Enough(Exception):
    """The time is up."""


def play(arguments: argparse.Namespace) -> dict[str, Any]:
    """Play the match, and say all that is known of it."""
    from othellier.arena.match import Match, check_players, plan
    from othellier.arena.openings import find_openings
    from othellier.arena.stats import Sprt
    from othellier.base.builds import find_build
    from othellier.base.jobs import Crew
    from othellier.errors import OthellierError
    from othellier.games.results import clocked
    from othellier.rules.geometry import STANDARD

    kind, value = next((name, getattr(arguments, name)) for name in LIMITS if getattr(arguments, name) is not None)
    limit = clocked(arguments.clock, arguments.time)
    test = None if arguments.sprt is None else Sprt.parse(arguments.sprt)
    games = arguments.games or (GAMES if test is None else GAMES_AT_MOST)
    builds = [find_build(text) for text in (arguments.a, arguments.b)]
    networks = [arguments.networks_a, arguments.networks_b]
    own = "" if kind == "clock" else f"{kind}={value},"
    specs = [
        f"build:{build.folder or build.name},{own}hash={arguments.hash},threads={arguments.threads}"
        + (f",networks={file.resolve()}" if file else "")
        for build, file in zip(builds, networks, strict=True)
    ]
    check_players(specs, STANDARD)
    openings = find_openings(arguments.openings, (games + 1) // 2, STANDARD, arguments.seed)
    match = Match(plan((specs[0], specs[1]), openings, games, seed=arguments.seed, limit=limit), test)
    begin = told_at = time.monotonic()

    def told(bout: Bout, played: list[Played]) -> None:
        nonlocal told_at
        for game in played:
            if game.error:
                print(game.error, file=sys.stderr)
        now = time.monotonic()
        if now - told_at > TELL:
            told_at = now
            print(f"{now - begin:.0f} s: {standing(match)}", file=sys.stderr, flush=True)
        if now - begin > 60 * arguments.minutes:
            raise _Enough

    with Crew("processes", arguments.jobs) as crew:
        try:
            match.run(crew, told)
        except (_Enough, KeyboardInterrupt):
            pass
        except OthellierError as error:
            raise SystemExit(f"strength: {error}") from None
    facts = {"a": builds[0].name, "b": builds[1].name, "limit": kind, "value": value, "seed": arguments.seed}
    facts |= {"hash": arguments.hash, "threads": arguments.threads, "networks": [str(file or "") for file in networks]}
    facts |= {"openings": arguments.openings, "change": arguments.change, "minutes": arguments.minutes}
    played = {"seconds": round(time.monotonic() - begin, 1), "date": datetime.now(UTC).date().isoformat()}
    return {**facts, **played, "result": match.summary(), "words": standing(match)}


def standing(match: Match) -> str:
    """How a match stands, in one line."""
    tally = match.tally
    words = f"+{tally.wins} ={tally.draws} -{tally.losses}, {100 * tally.score:.1f} %, {tally.estimate()}"
    if match.sprt is not None:
        low, high = match.sprt.bounds
        words += f", LLR {match.sprt.llr(tally.pairs):.2f} [{low:.2f}, {high:.2f}] {match.verdict}".rstrip()
    return "; ".join([words, *match.remarks()])


def row(facts: dict[str, Any]) -> str:
    """A match as a line of the table in STRENGTH.md."""
    result = facts["result"]
    unit = {"time": "s", "clock": "s a game", "nodes": "nodes", "depth": "plies"}[facts["limit"]]
    value = facts["value"] if facts["limit"] == "clock" else f"{facts['value']:,}"
    elo = [f"{result[key]:+.0f}" if result[key] is not None else "∞" for key in ("elo", "elo_low", "elo_high")]
    sprt = result.get("sprt")
    test = "" if sprt is None else f"{sprt['elo0']:g},{sprt['elo1']:g} {sprt['verdict'] or 'undecided'}"
    cells = [
        facts["change"] or "–",
        f"{value} {unit}",
        f"{result['games']:,}",
        facts["openings"],
        f"{result['score']:.3f}",
        f"{elo[0]} [{elo[1]}, {elo[2]}]",
        test,
        f"{1000 * result['a']['seconds']:.0f} / {1000 * result['b']['seconds']:.0f} ms",
        f"{facts['a']} / {facts['b']}",
        facts["date"],
    ]
    return f"| {' | '.join(cells)} |\n"


LIMITS = ("time", "clock", "nodes", "depth")


def main() -> None:
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.strength", description="Play the engines of two revisions against each other."
    )
    parser.add_argument("a", help="a revision, a source tree or a build: the change to be proven")
    parser.add_argument("b", nargs="?", help="what it is compared with")
    limits = parser.add_mutually_exclusive_group()
    limits.add_argument("--time", type=float, metavar="S", help="seconds for a move")
    limits.add_argument("--clock", metavar="S+S", help="seconds for a game, and what each move adds: 60 or 60+0.5")
    limits.add_argument("--nodes", type=int, metavar="N", help="positions to visit for a move")
    limits.add_argument("--depth", type=int, metavar="N", help="plies to look ahead")
    parser.add_argument("--games", type=int, metavar="N", help=f"{GAMES} unless given or --sprt decides")
    parser.add_argument("--sprt", metavar="E0,E1", help="stop when A is better by E1 Elo rather than by E0, or is not")
    parser.add_argument(
        "--minutes", type=float, default=1e9, metavar="N", help="stop after so long, and say how it stands"
    )
    parser.add_argument("--openings", default="balanced", help="balanced, start or a file of games or positions")
    parser.add_argument("--seed", type=int, default=0, help="the order of the openings")
    parser.add_argument("--jobs", type=int, metavar="N", help="games at a time; all cores unless given")
    parser.add_argument("--hash", type=int, default=64, metavar="MB", help="of either table")
    parser.add_argument("--threads", type=int, default=1, metavar="N", help="of either side")
    parser.add_argument("--networks-a", type=Path, metavar="FILE", help="networks for A instead of its own")
    parser.add_argument("--networks-b", type=Path, metavar="FILE", help="networks for B instead of its own")
    parser.add_argument("--change", default="", metavar="TEXT", help="what A changes, for the table")
    parser.add_argument("--table", type=Path, metavar="FILE", help="add the line to this file (benchmarks/STRENGTH.md)")
    parser.add_argument("--json", type=Path, metavar="FILE", help="write all figures to this file")
    parser.add_argument("--export", action="store_true", help="only put the trees where builds are kept, for elsewhere")
    arguments = parser.parse_args()
    need_core("benchmarks.strength", sys.argv[1:])
    from othellier.base.builds import export_tree
    from othellier.errors import OthellierError

    try:
        if arguments.export:
            for text in filter(None, (arguments.a, arguments.b)):
                print(export_tree(text))
            return
        if arguments.b is None or all(getattr(arguments, name) is None for name in LIMITS):
            parser.error("B and one of --time, --clock, --nodes and --depth are needed")
        facts = play(arguments)
    except OthellierError as error:
        raise SystemExit(f"strength: {error}") from None
    if arguments.json is not None:
        arguments.json.write_text(f"{json.dumps(facts, indent=1)}\n")
    if arguments.table is not None:
        with arguments.table.open("a", encoding="utf-8") as table:
            table.write(row(facts))
    print(f"{facts['a']} - {facts['b']}: {facts['words']}")
    print(row(facts), end="")


if __name__ == "__main__":
    main()
