"""The rules: perft, random games in one call and in a Python loop, the WTHOR database, and the import."""

import random
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

from benchmarks.measure import Row, rate, seconds
from othellier import batch
from othellier.records import database
from othellier.reference import Position
from othellier.rules import native
from othellier.rules.geometry import PASS


def play_games(count: int, start: Position) -> None:
    """Random games over the public API: legal moves, choose, play."""
    draw = random.Random(1).random
    for _ in range(count):
        position = start
        while not position.is_over():
            moves = position.moves()
            position = position.play(moves[int(draw() * len(moves))] if moves else PASS)


def check_wthor(folder: Path) -> int:
    """Read, replay and check every game; the number of games."""
    games = database.load(folder)
    for error in games.check():
        raise error
    return len(games)


def import_seconds(statement: str) -> float:
    """How long an import takes in a Python that has just started."""
    code = f"import time; begin = time.perf_counter(); {statement}; print(time.perf_counter() - begin)"
    runs = (subprocess.run([sys.executable, "-c", code], capture_output=True, check=True) for _ in range(7))
    return min(float(run.stdout) for run in runs)


def rows(wthor: Path | None) -> Iterator[Row]:
    """Every number of this file; one core."""
    leaves = native.perft(11)
    native_perft = rate(leaves, lambda: native.perft(11))
    plain_perft = rate(Position.start().perft(6), lambda: Position.start().perft(6))
    yield Row(
        "perft 11 on 8x8, no table",
        native_perft / 1e6,
        "M leaves/s",
        400,
        f"{native_perft / plain_perft:,.0f} times the plain Python rules",
    )

    in_batch = rate(400_000, lambda: batch.random_games(400_000, 1, threads=1))
    in_loop = rate(10_000, lambda: play_games(10_000, native.start()))
    in_python = rate(100, lambda: play_games(100, Position.start()))
    yield Row(
        "random games in one native call",
        in_batch,
        "games/s",
        400_000,
        f"{in_batch / in_loop:.0f} times the loop below",
    )
    yield Row(
        "random games in a Python loop over the public API",
        in_loop,
        "games/s",
        25_000,
        f"{in_loop / in_python:.0f} times the plain Python rules",
    )

    if wthor is not None and wthor.is_dir():
        yield Row(
            f"read, replay and check {check_wthor(wthor):,} WTHOR games",
            seconds(lambda: check_wthor(wthor)),
            "s",
            1.5,
            less_is_better=True,
        )
    else:
        print(f"no folder {wthor}: the row of WTHOR games is left out", file=sys.stderr)

    yield Row("`import othellier`", import_seconds("import othellier"), "s", 0.15, less_is_better=True)
    first = import_seconds("import othellier; othellier.start()")
    yield Row("`import othellier` and a first position", first, "s", 0.15, less_is_better=True)
