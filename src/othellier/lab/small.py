"""The small boards solved: 4x4 by plain minimax with the thesis's own node count (S3.1), 6x6 to its end (S3.2)."""

from __future__ import annotations

import time
from dataclasses import dataclass
from itertools import accumulate
from typing import Any

from othellier import native, pictures
from othellier.engine import Engine
from othellier.game import replay
from othellier.geometry import Size
from othellier.lab.experiment import Findings, Lab, Table, Value, experiment
from othellier.lab.plots import Curve, draw_bars, draw_curves
from othellier.lab.techniques import LADDER, Search, measure_search
from othellier.records.transcript import format_moves, parse_moves

__all__ = ["SIX_LINE", "Solve", "four", "measure_solve", "six"]

FOUR = Size(4, 4)
SIX = Size(6, 6)

THESIS_NODES = 237_781
THESIS_SECONDS = 1.059


@experiment(
    "four",
    "S3.1 · Utrecht thesis, section 3.1",
    "4x4 solved by plain minimax",
    "White wins 11–3 with best play. The tree has 237,781 nodes, searched in 1,059 ms (220,000 nodes/s) in C# on an "
    "Intel Core i5-6300U.",
)
def four(lab: Lab) -> Findings:
    """Minimax in Python and compiled, then every technique of the ladder."""
    jobs = [Search("none", 12, "4", backend="python"), *(Search(name, 12, "4") for name in LADDER)]
    found = {(job.technique, job.backend): result for job, result in lab.measure("4x4", measure_search, jobs)}
    python, compiled = found["none", "python"], found["none", "auto"]
    line = compiled["line"]
    end = replay(native.start(FOUR), line)[1]
    black, white = end.discs("black"), end.discs("white")

    def row(what: str, published: Value, of: str, digits: float = 1) -> tuple[Value, ...]:
        return (what, published, *(result[of] * digits for result in (python, compiled)))

    table = Table(
        "minimax",
        "Plain minimax",
        ("", "published (C#)", "Python", "compiled"),
        [
            ("result", "White 11–3", *(f"White {white}–{black}" for _ in range(2))),
            ("difference for Black, discs alone", -8, python["score"], compiled["score"]),
            row("nodes, as the thesis counts them", THESIS_NODES, "thesis_nodes"),
            row("positions visited, passes included", None, "nodes"),
            row("ends where neither side can move, board not full", None, "blocked"),
            row("milliseconds", 1000 * THESIS_SECONDS, "seconds", 1000),
            (
                "nodes a second",
                220_000,
                *(round(result["thesis_nodes"] / result["seconds"]) for result in (python, compiled)),
            ),
        ],
        ("published (C#)",),
        "The thesis finds such an end by passing twice more: two nodes for each of them beyond the positions visited.",
    )
    ladder = Table(
        "techniques",
        "The same board by every technique, compiled",
        ("technique", "nodes", "share of all, %", "milliseconds", "cuts on the first move, %"),
        [
            (
                name,
                result["nodes"],
                100 * result["nodes"] / compiled["nodes"],
                1000 * result["seconds"],
                100 * result["first_cutoffs"] / result["cutoffs"] if result["cutoffs"] else None,
            )
            for name in LADDER
            for result in (found[name, "auto"],)
        ],
    )
    same = compiled["thesis_nodes"] == python["thesis_nodes"] == THESIS_NODES
    figure = draw_bars(
        "4x4: positions visited until it is solved",
        list(LADDER),
        {"nodes": [found[name, "auto"]["nodes"] for name in LADDER]},
        "nodes",
        log=True,
    )
    return Findings(
        f"White wins {white}–{black}; {compiled['thesis_nodes']:,} nodes, {'exactly' if same else 'NOT'} those "
        f"published, in {1000 * compiled['seconds']:.1f} ms compiled and {python['seconds']:.2f} s in Python.",
        [table, ladder],
        {"nodes": figure},
        [f"The line of best play: {format_moves(line, FOUR)}. Times are of one processor core."],
        {"The end of the line of best play": pictures.svg(end, last_move=line[-1], legal=False, size_px=220)},
    )


SIX_LINE = "D5E3D2C5B3B4C6D6E6C2C1A3E4E5A4A5B5E1F3D1F1F5E2F2B1B2F4F6A2A1--B6A6"
"""A line of best play from the start, every position of which `six` solves anew: found by our own solver."""

FEINSTEIN = 40e9


@dataclass(frozen=True, slots=True)
class Solve:
    """A position of the line to solve."""

    played: int
    megabytes: int = 256


def measure_solve(job: Solve) -> dict[str, Any]:
    """Solve it with one thread of the engine and an empty table."""
    moves = parse_moves(SIX_LINE, SIX)[: job.played]
    position = replay(native.start(SIX), moves)[1]
    with Engine(hash_mb=job.megabytes) as engine:
        begin = time.thread_time()
        result = engine.solve(position)
        seconds = time.thread_time() - begin
    score = result.score if position.turn == "black" else -(result.score or 0)
    return {"empties": position.empties, "score": score, "nodes": result.nodes, "seconds": seconds}


@experiment(
    "six",
    "S3.2 · Utrecht thesis, section 3.2",
    "6x6 solved",
    "White wins by 4 (Feinstein, 1993: two weeks for some 40 billion positions). The thesis itself looks 14 plies "
    "deep; others are said to need less than 100 hours.",
)
def six(lab: Lab) -> Findings:
    """Solve every position of a line of best play, from its end to its beginning; quickly, only the later ones."""
    moves = parse_moves(SIX_LINE, SIX)
    deepest = lab.pick(32, 24, 12)
    start = native.start(SIX)
    # Positions before a move: what a pass leads to is the same position for the other side.
    places = [
        index
        for index, position in enumerate(accumulate(moves, lambda at, move: at.play(move), initial=start))
        if 4 <= position.empties <= deepest and position.moves_mask()
    ]
    jobs = [Solve(place, 16 if len(moves) - place < 22 else 256) for place in reversed(places)]
    found = sorted((r for _, r in lab.measure("6x6", measure_solve, jobs)), key=lambda result: result["empties"])
    last = found[-1]
    right = all(result["score"] == -4 for result in found)
    table = Table(
        "line",
        "Every position of a line of best play",
        ("empty squares", "score for Black", "nodes", "seconds", "nodes a second"),
        [
            (r["empties"], r["score"], r["nodes"], r["seconds"], round(r["nodes"] / max(r["seconds"], 1e-6)))
            for r in found
        ],
    )
    whole = last["empties"] == 32
    beside = Table(
        "whole",
        "The whole board",
        ("", "published (Feinstein 1993)", "measured"),
        [
            ("result", "White by 4", "White by 4" if right else "another result"),
            ("positions", 40_000_000_000, last["nodes"] if whole else None),
            ("seconds", 14 * 86_400, last["seconds"] if whole else None),
        ],
        ("published (Feinstein 1993)",),
    )
    curves = [
        Curve("the engine, one thread", [(r["empties"], r["nodes"]) for r in found]),
        Curve("Feinstein, 1993", [(32, FEINSTEIN)], "published"),
    ]
    scope = (
        f"All 32 empty squares are solved, in {last['seconds']:.0f} s on one thread."
        if whole
        else f"In this quick form the line is solved from {last['empties']} empty squares on, not from all 32."
    )
    return Findings(
        f"White wins by 4 {'everywhere on the line' if right else 'NOT everywhere'}. {scope}",
        [beside, table],
        {"nodes": draw_curves("6x6: positions until it is solved", curves, "empty squares", "nodes", log=True)},
        [
            f"The line of best play, found by our own solver: {SIX_LINE}. That each of its positions is worth 4 discs "
            "to White shows that no move of it is a mistake.",
            scope + " Each position is solved anew, with an empty table.",
        ],
        {"The end of the line": pictures.svg(replay(start, moves)[1], legal=False, size_px=260)},
    )
