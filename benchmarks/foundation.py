"""The rules: perft, random games in one call and in a Python loop, the WTHOR database, and the import."""

from __future__ import annotations

import random
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import numpy as np

from benchmarks.measure import Row, rate, seconds
from othellier import batch, native
from othellier.board import Position
from othellier.geometry import PASS

__all__ = ["rows"]


def play_games(count: int, start: Position) -> None:
    """Random games over the public API: legal moves, choose, play."""
    draw = random.Random(1).random
    for _ in range(count):
        position = start
        while not position.is_over():
            moves = position.moves()
            position = position.play(moves[int(draw() * len(moves))] if moves else PASS)


def check_wthor(files: list[Path]) -> int:
    """Read, replay and check every game; the number of games."""
    games = 0
    for file in files:
        records = np.frombuffer(file.read_bytes(), np.uint8, offset=16).reshape(-1, 68)
        replays = batch.replay(records[:, 8:], encoding="wthor", threads=1)
        if (replays.illegal >= 0).any():
            raise SystemExit(f"{file.name}: an illegal move")
        black = np.bitwise_count(replays.black).astype(int)
        white = np.bitwise_count(replays.white).astype(int)
        empties = 64 - black - white
        score = black + np.where(black > white, empties, np.where(black == white, empties // 2, 0))
        if (score != records[:, 6])[replays.over].any():
            raise SystemExit(f"{file.name}: a stored score is not the final one")
        games += len(records)
    return games


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

    files = sorted(wthor.glob("*.wtb")) if wthor is not None else []
    if files:
        games = check_wthor(files)
        yield Row(
            f"read, replay and check {games:,} WTHOR games",
            seconds(lambda: check_wthor(files)),
            "s",
            1.5,
            less_is_better=True,
        )
    else:
        print(f"no WTHOR files in {wthor}: their row is left out", file=sys.stderr)

    yield Row("`import othellier`", import_seconds("import othellier"), "s", 0.15, less_is_better=True)
    first = import_seconds("import othellier; othellier.start()")
    yield Row("`import othellier` and a first position", first, "s", 0.15, less_is_better=True)
