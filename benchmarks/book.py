"""`python -m benchmarks.book FILE …` and `python -m benchmarks.book --starts OUT …`: the book and the balanced starts,
made on a machine where nothing is installed.

It does what `othellier book build` and `othellier xot build` do where the command line is installed, with the same
functions, and says in plain lines how it gets on. It needs NumPy, a compiler, CMake and nanobind, no other package.
"""

import argparse
import json
import sys
import time
from pathlib import Path
from typing import Any

from benchmarks.compiled import need_core

TELL = 15.0
"""Seconds between two lines on how it stands."""


def grow_book(arguments: argparse.Namespace) -> dict[str, Any]:
    """Grow a book, and have the ends of its lines searched deeper."""
    from othellier.base.jobs import Crew
    from othellier.engine.analysts import analyst, searcher
    from othellier.openings.book import Book
    from othellier.openings.build import BookPlan
    from othellier.openings.grow import estimated_endings, grow, prove
    from othellier.openings.quality import inconsistent, quality
    from othellier.rules import native

    plan = BookPlan(
        arguments.positions,
        arguments.plies,
        arguments.width,
        arguments.main,
        arguments.spread,
        arguments.deepest,
        arguments.through,
        60 * arguments.minutes,
        arguments.exact,
    )
    named = []
    if arguments.along is not None:
        named = [native.position(*key) for key, _ in Book.open(arguments.along).items()]
    begin = told_at = time.monotonic()

    def told(count: int, saved: bool) -> None:
        nonlocal told_at
        now = time.monotonic()
        if saved or now - told_at > TELL:
            told_at = now
            print(f"{now - begin:.0f} s: {count:,} positions{', saved' * saved}", flush=True)

    with Crew("processes", arguments.jobs) as crew:
        book = grow(arguments.file, plan, analyst(crew, arguments.depth, arguments.exact), named, told)
        endings = estimated_endings(book, arguments.exact)
        if endings:
            print(f"solving {len(endings):,} endings", flush=True)
            book = prove(arguments.file, book, endings, searcher(crew, arguments.exact))
        rows = book.summary()
        facts: dict[str, Any] = {
            "positions": len(book),
            "exact": sum(row.exact for row in rows),
            "rows": [row[:3] for row in rows],
            "seconds": round(time.monotonic() - begin, 1),
            "covered": {width: book.covered(width) for width in (0, 1, 2, 4)},
            "inconsistent": inconsistent(book),
        }
        print(json.dumps(facts), flush=True)
        for selectivity in (73, 95) if arguments.quality else ():
            found = quality(book, searcher(crew, arguments.exact, selectivity), arguments.quality)
            facts[f"quality_{selectivity}"] = [found.positions, found.mean, found.bias, found.worst]
            print(f"searched again, {selectivity} % sure: {found}", flush=True)
    return facts


def value_starts(arguments: argparse.Namespace) -> dict[str, Any]:
    """Value all openings of eight moves, and keep the balanced ones."""
    from othellier.base.jobs import Crew
    from othellier.engine.analysts import start_judge
    from othellier.openings import balanced

    begin = time.monotonic()
    with Crew("processes", arguments.jobs) as crew:
        found, centre = balanced.build(balanced.stages(lambda depth: start_judge(crew, depth), arguments.depth))
    balanced.write(found, arguments.starts, balanced.comment(arguments.depth, centre))
    return {"starts": len(found), "centre": centre, "seconds": round(time.monotonic() - begin, 1)}


def main() -> None:
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.book", description="Grow a book, or value the balanced starts, on a bare machine."
    )
    parser.add_argument("file", nargs="?", type=Path, help="the book to grow; made where there is none")
    parser.add_argument("--starts", type=Path, metavar="OUT", help="value all starts instead, and write the list here")
    parser.add_argument("--depth", type=int, default=14, help="plies to search")
    parser.add_argument("--positions", type=int, default=50_000)
    parser.add_argument("--plies", type=int, default=10)
    parser.add_argument("--width", type=float, default=4.0)
    parser.add_argument("--main", type=int, default=20)
    parser.add_argument("--spread", type=float, default=0.5)
    parser.add_argument("--deepest", type=int, default=50)
    parser.add_argument("--through", type=int, default=24)
    parser.add_argument("--exact", type=int, default=20)
    parser.add_argument("--along", type=Path, metavar="FILE", help="a book of positions to look at too")
    parser.add_argument("--minutes", type=float, default=1e9)
    parser.add_argument("--quality", type=int, default=0, metavar="N", help="then search N ends two plies deeper")
    parser.add_argument("--jobs", type=int, metavar="N")
    arguments = parser.parse_args()
    if (arguments.file is None) == (arguments.starts is None):
        parser.error("name the book to grow, or --starts and the list to write")
    need_core("benchmarks.book", sys.argv[1:])
    from othellier.errors import OthellierError

    try:
        facts = grow_book(arguments) if arguments.starts is None else value_starts(arguments)
    except OthellierError as error:
        raise SystemExit(f"book: {error}") from None
    print(json.dumps(facts))


if __name__ == "__main__":
    main()
