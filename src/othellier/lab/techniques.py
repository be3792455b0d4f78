"""The ladder of techniques of the Utrecht thesis, and one search by one of them, measured.

Which searches an experiment wants, and what it makes of the numbers, is its own business.
"""

from __future__ import annotations

import random
import time
from dataclasses import dataclass
from typing import Any

from othellier.evaluation.evaluators import create_evaluator
from othellier.rules import native
from othellier.search import Options, search
from othellier.search.base import Backend

__all__ = ["LADDER", "TECHNIQUES", "MeasuredSearch", "measure_search"]

LADDER: dict[str, dict[str, Any]] = {
    "none": {"algorithm": "minimax"},
    "alpha-beta": {"algorithm": "alphabeta"},
    "alpha-beta, random order": {"algorithm": "alphabeta", "order": "random"},
    "alpha-beta, square values": {"algorithm": "alphabeta", "order": "squares"},
    "alpha-beta, disc difference": {"algorithm": "alphabeta", "order": "discs"},
    "alpha-beta, squares and difference": {"algorithm": "alphabeta", "order": "both"},
    "alpha-beta, difference, killers": {"algorithm": "alphabeta", "order": "discs", "killer": True},
    "PVS, difference": {"algorithm": "pvs", "order": "discs"},
    "PVS, difference, first move fixed": {"algorithm": "pvs", "order": "discs", "fix_first": True},
    "the same with a table": {"algorithm": "pvs", "order": "discs", "fix_first": True, "table": True},
    "and symmetric states merged": {"algorithm": "pvs", "order": "discs", "fix_first": True, "symmetry": True},
}
"""In the order of the thesis, which kept what helped; it recommends the table, and the last is ours."""

TECHNIQUES: dict[str, dict[str, Any]] = {
    **LADDER,
    "alpha-beta, evaluator": {"algorithm": "alphabeta", "order": "evaluator"},
    "PVS, evaluator, deepening, table": {"algorithm": "pvs", "order": "evaluator", "deepening": True, "table": True},
    "minimax, table": {"algorithm": "minimax", "table": True, "table_depth": 1},
    "minimax, symmetric states": {"algorithm": "minimax", "symmetry": True, "table_depth": 1},
    "alpha-beta, table": {"algorithm": "alphabeta", "table": True},
    "alpha-beta, symmetric states": {"algorithm": "alphabeta", "symmetry": True},
    "PVS, difference, table": {"algorithm": "pvs", "order": "discs", "table": True},
    "PVS, difference, symmetric states": {"algorithm": "pvs", "order": "discs", "symmetry": True},
}

LONG = 0.05
"""Seconds of a search that is measured once; of shorter ones the quickest of a few counts."""


@dataclass(frozen=True, slots=True)
class MeasuredSearch:
    """One search from the start of a board, or from a drawn position."""

    technique: str
    depth: int
    size: str = "6"
    evaluator: str = "absolute"
    backend: Backend = "auto"
    drawn: tuple[int, int] | None = None
    """Empty squares and the seed of a position reached by random moves."""


def measure_search(job: MeasuredSearch) -> dict[str, Any]:
    """Do a search; its counters, its value and the seconds of processor time it took."""
    if job.drawn is None:
        position = native.start(job.size)
    else:
        position = native.random_position(random.Random(repr(job.drawn)), job.size, job.drawn[0])
    options = Options(
        depth=job.depth,
        evaluator=create_evaluator(job.evaluator),
        count="discs",
        table_size=1 << 22,
        **TECHNIQUES[job.technique],
    )
    seconds = []
    while True:
        begin = time.thread_time()
        found = search(position, options, backend=job.backend)
        seconds.append(time.thread_time() - begin)
        if seconds[-1] > LONG or len(seconds) == 5:
            break
    counters = found.counters
    return {
        "nodes": counters.nodes,
        "thesis_nodes": counters.thesis_nodes,
        "leaves": counters.leaves,
        "blocked": counters.blocked,
        "cutoffs": counters.cutoffs,
        "first_cutoffs": counters.first_cutoffs,
        "table_hits": counters.table_hits,
        "value": found.value,
        "score": found.score,
        "line": list(found.line),
        "seconds": min(seconds),
    }
