"""`python -m benchmarks.threads FILE.obf [--threads 1,2,4,8,16]`: how much sooner several threads solve positions.

The positions of the file (usually those of the FFO suite from 40 to 59, which are not part of the project) are solved
with each number of threads, one engine and one table for all of them; a wrong score ends it. What counts is the time
of the searches, without that of making the table. Before anything is measured the first ten positions are solved by
all threads: memory that a virtual machine touches for the first time must be found first. Where nothing is installed,
`python -m benchmarks.compiled benchmarks.threads …` does the same.
"""

import sys
from collections.abc import Iterable, Iterator
from pathlib import Path

from benchmarks.engine import solved, suite
from benchmarks.measure import arguments_of, publish
from othellier.base.machine import machine
from othellier.errors import RecordError
from othellier.rules import native
from othellier.rules.board import Position

WARM = 10
"""Positions that are solved before anything is measured."""


def solve(positions: list[tuple[Position, float]], threads: int, hash_mb: int) -> tuple[int, float]:
    """Nodes and seconds of solving all positions."""
    nodes, seconds = 0, 0.0
    for number, result in enumerate(solved(positions, threads, hash_mb), 1):
        nodes += result.nodes
        seconds += result.seconds
        print(f"{threads} threads, {number} of {len(positions)}: {seconds:.1f} s", file=sys.stderr, flush=True)
    return nodes, seconds


def rows(positions: list[tuple[Position, float]], counts: Iterable[int], hash_mb: int) -> Iterator[str]:
    """The table, line by line: the first number of threads is what the others are compared with."""
    yield "| threads | nodes | time | times as fast |"
    yield "|---|---|---|---|"
    base: float | None = None
    for threads in counts:
        nodes, seconds = solve(positions, threads, hash_mb)
        base = seconds if base is None else base
        yield f"| {threads} | {nodes / 1e9:.3g} G | {seconds:.2f} s | {base / seconds:.2f} |"


def thread_counts(text: str) -> list[int]:
    """The numbers of threads that somebody has typed."""
    return [int(count) for count in text.split(",")]


def main() -> None:
    parser = arguments_of("benchmarks.threads", "Measure what more threads are worth.")
    parser.add_argument("suite", type=Path, metavar="FILE", help="positions with the scores of their moves, in OBF")
    parser.add_argument(
        "--threads", type=thread_counts, default=[1, 2, 4, 8, 16], metavar="N,N,…", help="how many, in this order"
    )
    parser.add_argument("--first", type=int, default=0, metavar="N", help="the first position, counted from 0")
    parser.add_argument("--last", type=int, metavar="N", help="the one after the last position")
    parser.add_argument("--hash", type=int, default=1024, metavar="MB", help="size of the table")
    arguments = parser.parse_args()
    try:
        positions = suite(arguments.suite, arguments.first, arguments.last)
    except RecordError as error:
        parser.exit(2, f"threads: {error}\n")
    solve(positions[:WARM], max(arguments.threads), arguments.hash)
    lines = []
    for line in rows(positions, arguments.threads, arguments.hash):
        print(line, file=sys.stderr, flush=True)
        lines.append(line)
    about = f"Machine: {machine()}. Core: {native.variant}. {len(positions)} positions of {arguments.suite.name}, "
    publish(f"# Threads\n\n{about}{arguments.hash} MB of table.\n\n" + "\n".join(lines) + "\n", arguments.out)


if __name__ == "__main__":
    main()
