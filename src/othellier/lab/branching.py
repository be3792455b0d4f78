"""Theory and measurement of the game tree: v to the d without pruning, v to the d/2 with the best move always first."""

from __future__ import annotations

import math

from othellier.lab.experiment import Findings, Lab, Table, Value, experiment
from othellier.lab.ladder import By, deepen
from othellier.lab.plots import Curve, draw_curves
from othellier.lab.studies import INSA, KNUTH, UTRECHT, Citation

__all__ = ["branching"]

ORDERS = {
    "none": "minimax: every line",
    "alpha-beta, random order": "alpha-beta, random order",
    "alpha-beta, disc difference": "alpha-beta, disc difference",
    "alpha-beta, evaluator": "alpha-beta, ordered by the evaluator",
    "PVS, evaluator, deepening, table": "PVS, evaluator, deepening, table",
}


def _least(v: float, depth: int) -> float:
    """Knuth and Moore: no order of moves visits fewer leaves."""
    return v ** math.ceil(depth / 2) + v ** math.floor(depth / 2) - 1


@experiment(
    "branching",
    (Citation(UTRECHT, "section 2.3"), Citation(INSA, "section 5.1"), Citation(KNUTH)),
    "Theory and measurement: v to the d against v to the d/2",
    "A tree of depth d with v moves a position costs minimax O(v^d); alpha-beta with the best move always first only "
    "O(v^(d/2)).",
)
def branching(lab: Lab) -> Findings:
    """Leaves at every depth on 8x8 and 6x6, and the exponent they stand for."""
    say = lab.say
    tables: list[Table] = []
    figures = {}
    shares: list[Curve] = []
    words = []
    for number, (size, evaluator) in enumerate((("8", "positional"), ("6", "positional/table=utrecht"))):
        board = f"{size}x{size}"
        seconds = lab.pick(20.0, 0.4, 0.002)
        found = deepen(lab, board, list(ORDERS), seconds, lab.pick(16, 12, 4), size=size, evaluator=evaluator)
        full = {depth: result["leaves"] for (name, depth), result in found.items() if name == "none"}
        rows: list[tuple[Value, ...]] = []
        exponents: dict[str, list[tuple[float, float]]] = {name: [] for name in ORDERS}
        least: list[tuple[float, float]] = []
        for depth, leaves in sorted(full.items()):
            v = leaves ** (1 / depth)
            least.append((depth, _least(v, depth)))
            measured = [found[name, depth]["leaves"] if (name, depth) in found else None for name in ORDERS]
            rows.append((depth, v, *measured, round(least[-1][1])))
            if depth >= 3:
                for name, count in zip(ORDERS, measured, strict=True):
                    if count:
                        exponents[name].append((depth, math.log(count) / (depth * math.log(v))))
        heading = (say("depth d"), say("moves v"), *map(say, ORDERS.values()), say("least: v^⌈d/2⌉ + v^⌊d/2⌋ − 1"))
        tables.append(Table(f"leaves-{size}", say("Leaves on {board}", board=board), heading, rows))
        curves = [
            Curve(say(ORDERS[name]), _leaves(found, name, set(full)), color=color) for color, name in enumerate(ORDERS)
        ]
        curves.append(Curve(say("theory: v^⌈d/2⌉ + v^⌊d/2⌋ − 1"), least, "published line"))
        figures[f"leaves-{size}"] = draw_curves(
            say("Leaves on {board} (counts)", board=board), curves, say("depth d"), say("leaves"), log=True
        )
        last = max(full)
        ends = {name: points[-1][1] for name, points in exponents.items() if points}
        if ends:
            best = min(ends, key=ends.__getitem__)
            words.append(
                say(
                    "On {board}, with v = {v:.1f} at depth {depth}, “{best}” comes to v^({low:.2f} d), alpha-beta in "
                    "random order to v^({random:.2f} d).",
                    board=board,
                    v=full[last] ** (1 / last),
                    depth=last,
                    best=say(ORDERS[best]),
                    low=ends[best],
                    random=ends["alpha-beta, random order"],
                )
            )
        shares += [
            Curve(f"{board}: {say(ORDERS[name])}", points, color=color, kind="line" if number == 0 else "fit")
            for color, (name, points) in enumerate(exponents.items())
            if name != "none"
        ]
    depths = [depth for curve in shares for depth, _ in curve.points]
    if depths:
        ends_of = (min(depths), max(depths))
        shares += [
            Curve(say("theory, best order: 1/2"), [(d, 0.5) for d in ends_of], "published line"),
            Curve(say("theory, no pruning: 1"), [(d, 1.0) for d in ends_of], "published line"),
        ]
    exponents_figure = draw_curves(
        say("What is left of the exponent: leaves = v^(e·d)"),
        shares,
        say("depth d"),
        say("exponent e"),
        limits=(0.4, 1.05),
    )
    return Findings(
        " ".join(words) or say("Too shallow to tell."),
        tables,
        {"exponents": exponents_figure, **figures},
        say(
            "Half the exponent is what a perfect order would give. Real orders come near it and random ones stay "
            "between: to order moves well is worth as much as to prune at all."
        ),
        [
            say(
                "v is the mean number of moves that makes v^d the leaves minimax visits at depth d. Where leaves = "
                "v^(e·d), theory gives e = 1 without pruning and e = 1/2 (a little more at odd depths) with the best "
                "move always first."
            ),
            say(
                "With deepening, the leaves of the shallower searches are counted too; a table merges positions, so "
                "that even fewer leaves than the least tree of theory, which knows no table, are possible."
            ),
        ],
    )


def _leaves(found: By, name: str, depths: set[int]) -> list[tuple[float, float]]:
    return [(depth, result["leaves"]) for (n, depth), result in sorted(found.items()) if n == name and depth in depths]
