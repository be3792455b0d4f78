"""What it saves not to search the same state twice, nor a symmetric one (S5.4): the option that failed in the "
"document."""

from __future__ import annotations

import random
import time
from dataclasses import dataclass
from typing import Any

from othellier import native
from othellier.engine import Engine
from othellier.lab.experiment import Findings, Lab, Table, Value, experiment
from othellier.lab.plots import Curve, draw_bars, draw_curves
from othellier.lab.techniques import Search, measure_search
from othellier.results import Limit
from othellier.search import MctsOptions, MonteCarlo

__all__ = ["Endgame", "States", "count_states", "measure_endgame", "merging"]

PAIRS = {
    "minimax": ("none", "minimax, table", "minimax, symmetric states"),
    "alpha-beta": ("alpha-beta", "alpha-beta, table", "alpha-beta, symmetric states"),
    "PVS, disc difference": ("PVS, difference", "PVS, difference, table", "PVS, difference, symmetric states"),
}
KINDS = ("every state anew", "duplicates merged", "symmetric ones too")


@dataclass(frozen=True, slots=True)
class States:
    """All states of a board down to a ply."""

    plies: int
    size: str = "8"


def count_states(job: States) -> dict[str, Any]:
    """For every ply: the sequences of moves, the states they lead to, and those states up to symmetry."""
    level, paths = {native.start(job.size)}, [1]
    start = native.start(job.size)
    states, classes = [1], [1]
    for ply in range(1, job.plies + 1):
        level = {position.play(move) for position in level for move in position.moves()}
        paths.append(start.perft(ply))
        states.append(len(level))
        classes.append(len({position.canonical() for position in level}))
    return {"paths": paths, "states": states, "classes": classes}


@dataclass(frozen=True, slots=True)
class Endgame:
    """Endgames on 6x6, searched by Monte-Carlo with states merged in some way."""

    kind: str
    iterations: int
    c: float
    positions: int
    empties: int = 13
    seed: int = 0


def measure_endgame(job: Endgame) -> dict[str, Any]:
    """How often the move chosen keeps the result, where not every move does; and how large the trees were."""
    tried = right = nodes = hits = 0
    spent = 0.0
    with Engine(hash_mb=16) as engine:
        for number in range(job.positions):
            position = native.random_position(random.Random(f"{job.seed} {number}"), "6", job.empties)
            # Monte-Carlo counts games won, not discs: a move is right if it keeps the result.
            every = engine.analyze(position, Limit(depth=60))
            results = {line.move: (line.score > 0) - (line.score < 0) for line in every if line.score is not None}
            top = {move for move, result in results.items() if result == max(results.values())}
            if len(top) == len(results):
                continue
            table, symmetry = job.kind == KINDS[1], job.kind == KINDS[2]
            options = MctsOptions(job.iterations, c=job.c, seed=number, table=table, symmetry=symmetry)
            begin = time.thread_time()
            found = MonteCarlo(position.size, options).search(position)
            spent += time.thread_time() - begin
            tried += 1
            right += found.move in top
            nodes += found.counters.nodes
            hits += found.counters.table_hits
    return {"tried": tried, "right": right, "nodes": nodes, "hits": hits, "seconds": spent}


@experiment(
    "merging",
    "S5.4 · INSA study, sections 4.4 and 8.2",
    "What merging duplicates and symmetries saves",
    "The document stores the states already seen and stops the search at them: “no interesting results”. It expects "
    "the list of states to shrink by 4 where symmetric ones are taken for the same.",
)
def merging(lab: Lab) -> Findings:
    """States of the game, searches to a depth, and Monte-Carlo, each with and without merging."""
    # 1. How many states there are to merge.
    job = States(lab.pick(9, 8, 4))
    ((_, states),) = lab.measure("states", count_states, [job])
    counts = list(zip(states["paths"], states["states"], states["classes"], strict=True))
    rows: list[tuple[Value, ...]] = [
        (ply, *row, row[0] / row[1], row[1] / row[2]) for ply, row in enumerate(counts) if ply
    ]
    heading: tuple[str, ...] = (
        "ply",
        "sequences of moves",
        "states",
        "states up to symmetry",
        "sequences a state",
        "saved by symmetry",
    )
    tables = [Table("states", "States of 8x8 from the start", heading, rows)]
    curves = [
        Curve(name, [(ply, row[index]) for ply, row in enumerate(counts) if ply], color=index)
        for index, name in enumerate(("sequences of moves", "states", "states up to symmetry"))
    ]
    figures = {"states": draw_curves("States of 8x8 from the start", curves, "ply", "number", log=True)}

    # 2. Searches to a depth, from the start.
    depths = {
        "minimax": lab.pick(9, 7, 3),
        "alpha-beta": lab.pick(12, 10, 4),
        "PVS, disc difference": lab.pick(14, 11, 4),
    }
    jobs = [
        Search(name, depths[family], "8", evaluator="positional") for family, names in PAIRS.items() for name in names
    ]
    found = {job.technique: result for job, result in lab.measure("searches", measure_search, jobs)}
    rows = []
    ratios: dict[str, list[float | None]] = {kind: [] for kind in KINDS}
    for family, names in PAIRS.items():
        plain = found[names[0]]
        for kind, name in zip(KINDS, names, strict=True):
            result = found[name]
            ratios[kind].append(100 * result["nodes"] / plain["nodes"])
            share = 100 * result["nodes"] / plain["nodes"]
            same = result["value"] == plain["value"]
            effort = (result["nodes"], share, result["table_hits"], 1000 * result["seconds"])
            rows.append((f"{family}, depth {depths[family]}", kind, *effort, "yes" if same else "NO"))
    heading = ("search", "merged", "nodes", "share, %", "table hits", "milliseconds", "same value")
    tables.append(Table("searches", "Searches to a depth from the start of 8x8", heading, rows))
    titles = [f"{family}, depth {depth}" for family, depth in depths.items()]
    figures["searches"] = draw_bars("Nodes that are left of a search", titles, dict(ratios), "per cent")

    # 3. Monte-Carlo: the right move in endgames.
    number = lab.pick(400, 60, 3)
    efforts = lab.pick((1000, 10_000), (1000, 5000), (20,))
    trials = [
        Endgame(kind, iterations, c, number, seed=lab.settings.seed)
        for iterations in efforts
        for c in lab.pick((0.3, 0.7, 1.5), (0.7,), (0.7,))
        for kind in KINDS
    ]
    rows = []
    for trial, result in sorted(lab.measure("endgames", measure_endgame, trials), key=lambda p: trials.index(p[0])):
        share = 100 * result["hits"] / max(1, result["hits"] + result["nodes"])
        right = 100 * result["right"] / max(1, result["tried"])
        rows.append((trial.iterations, trial.c, trial.kind, result["tried"], right, share, result["seconds"]))
    heading = ("iterations", "C", "merged", "positions", "right move found, %", "states met again, %", "seconds")
    tables.append(Table("endgames", "Monte-Carlo on endgames of 6x6 with 13 empty squares", heading, rows))
    last = counts[-1]
    deepest = "PVS, disc difference"
    return Findings(
        f"At ply {job.plies}, {last[0]:,} sequences of moves lead to {last[1]:,} states, {last[2]:,} up to symmetry: "
        f"{last[1] / last[2]:.1f} times fewer, 4 at most. {deepest} at depth {depths[deepest]} keeps "
        f"{ratios[KINDS[1]][-1]:.0f} % of its nodes with a table and {ratios[KINDS[2]][-1]:.0f} % with symmetric "
        f"states merged.",
        tables,
        figures,
        [
            "A state met again is not searched again but its value is used, so the result is the same: the document "
            "stopped there without a value. The board has eight symmetries, but only four of them keep the first "
            "position, so four is the most that symmetry can save, as the document expected.",
            "In a Monte-Carlo search a state reached in two ways is one node, whose visits serve both. A move is "
            "right if it keeps the result (won, drawn, lost) that the engine proves; positions where every move does "
            "are left out.",
        ],
    )
