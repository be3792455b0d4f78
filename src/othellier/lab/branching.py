"""Theory and measurement of the game tree: v to the d without pruning, v to the d/2 with the best move always first."""

from __future__ import annotations

import math
from collections.abc import Container

from othellier.lab.conclusions import Conclusions
from othellier.lab.experiment import Findings, Lab, Table, Value, experiment
from othellier.lab.ladder import By, deepen
from othellier.lab.plots import Curve, Figure, draw_curves
from othellier.lab.studies import INSA, KNUTH, UTRECHT, Citation
from othellier.lab.words import Words

__all__ = ["branching", "conclude_branching"]

ORDERS = {
    "none": "minimax: every line",
    "alpha-beta, random order": "alpha-beta, random order",
    "alpha-beta, disc difference": "alpha-beta, disc difference",
    "alpha-beta, evaluator": "alpha-beta, ordered by the evaluator",
    "PVS, evaluator, deepening, table": "PVS, evaluator, deepening, table",
}

RANDOM = "alpha-beta, random order"

BOARDS = {"8": "positional", "6": "positional/table=utrecht"}
"""By their size, the evaluator that orders moves."""


def _least(v: float, depth: int) -> float:
    """Knuth and Moore: no order of moves visits fewer leaves."""
    return v ** math.ceil(depth / 2) + v ** math.floor(depth / 2) - 1


def conclude_branching(ends: dict[str, dict[str, float]], say: Words) -> list[str]:
    """Conclusions from the exponents at the deepest depth, by board and order of moves."""
    conclude = Conclusions(say)
    if not ends:
        return conclude.sentences
    conclude("A perfect order of moves would halve the exponent.")
    gains = []
    for board, exponents in ends.items():
        random, best = exponents[RANDOM], min(exponents, key=exponents.__getitem__)
        pruning, order = (200 * gain for gain in (1 - random, random - exponents[best]))
        gains.append((pruning, order))
        conclude(
            "On {board}, alpha-beta in random order goes {pruning:.0f} % of the way to it, and “{best}” {whole:.0f} %.",
            board=board,
            pruning=pruning,
            best=say(ORDERS[best]),
            whole=pruning + order,
        )
    if all(pruning > order for pruning, order in gains):
        conclude("Pruning itself brings more than the order of moves.")
    elif all(pruning < order for pruning, order in gains):
        conclude("The order of moves brings more than pruning in random order.")
    else:
        conclude("Which of pruning and ordering brings more differs from board to board.")
    return conclude.sentences


@experiment(
    "branching",
    (Citation(UTRECHT, "section 2.3"), Citation(INSA, "section 5.1"), Citation(KNUTH)),
    "Theory and measurement: v to the d against v to the d/2",
    "A tree of depth d with v moves a position costs minimax O(v^d); alpha-beta with the best move always first only "
    "O(v^(d/2)).",
    notes=(
        (
            "v is the mean number of moves that makes v^d the leaves minimax visits at depth d. Where leaves = "
            "v^(e·d), theory gives e = 1 without pruning and e = 1/2 (a little more at odd depths) with the best move "
            "always first."
        ),
        (
            "With deepening, the leaves of the shallower searches are counted too; a table merges positions, so that "
            "even fewer leaves than the least tree of theory, which knows no table, are possible."
        ),
    ),
)
def branching(lab: Lab) -> Findings:
    """Leaves at every depth on 8x8 and 6x6, and the exponent they stand for."""
    say = lab.say
    tables, figures, exponents, words = [], {}, {}, []
    last_ends: dict[str, dict[str, float]] = {}
    for size, evaluator in BOARDS.items():
        board = f"{size}x{size}"
        seconds = lab.pick(20.0, 0.4, 0.002)
        found = deepen(lab, board, list(ORDERS), seconds, lab.pick(16, 12, 4), size=size, evaluator=evaluator)
        full = {depth: result["leaves"] for (name, depth), result in sorted(found.items()) if name == "none"}
        tables.append(_table(size, found, full, say))
        figures[f"leaves-{size}"] = _figure(board, found, full, say)
        exponents[board] = {
            name: [
                (depth, math.log(leaves) / math.log(full[depth]))
                for depth, leaves in _leaves(found, name, full)
                if depth >= 3 and leaves
            ]
            for name in ORDERS
        }
        ends = {name: points[-1][1] for name, points in exponents[board].items() if points}
        if ends:
            last_ends[board] = {name: end for name, end in ends.items() if name != "none"}
            best, last = min(ends, key=ends.__getitem__), max(full)
            words.append(
                say(
                    "On {board}, with v = {v:.1f} at depth {depth}, “{best}” comes to v^({low:.2f} d), alpha-beta in "
                    "random order to v^({random:.2f} d).",
                    board=board,
                    v=full[last] ** (1 / last),
                    depth=last,
                    best=say(ORDERS[best]),
                    low=ends[best],
                    random=ends[RANDOM],
                )
            )
    return Findings(
        " ".join(words) or say("Too shallow to tell."),
        tables,
        {"exponents": _exponents(exponents, say), **figures},
        conclusions=conclude_branching(last_ends, say),
    )


def _table(size: str, found: By, full: dict[int, int], say: Words) -> Table:
    rows: list[tuple[Value, ...]] = []
    for depth, leaves in full.items():
        v = leaves ** (1 / depth)
        measured = (found[name, depth]["leaves"] if (name, depth) in found else None for name in ORDERS)
        rows.append((depth, v, *measured, round(_least(v, depth))))
    heading = (say("depth d"), say("moves v"), *map(say, ORDERS.values()), say("least: v^⌈d/2⌉ + v^⌊d/2⌋ − 1"))
    return Table(f"leaves-{size}", say("Leaves on {board}", board=f"{size}x{size}"), heading, rows)


def _figure(board: str, found: By, full: dict[int, int], say: Words) -> Figure:
    curves = [Curve(say(title), _leaves(found, name, full), color=n) for n, (name, title) in enumerate(ORDERS.items())]
    least = [(depth, _least(leaves ** (1 / depth), depth)) for depth, leaves in full.items()]
    curves.append(Curve(say("theory: v^⌈d/2⌉ + v^⌊d/2⌋ − 1"), least, "published line"))
    return draw_curves(say("Leaves on {board} (counts)", board=board), curves, say("depth d"), say("leaves"), log=True)


def _exponents(found: dict[str, dict[str, list[tuple[int, float]]]], say: Words) -> Figure:
    """What is left of the exponent, by board and order, between the two lines of theory."""
    curves = [
        Curve(
            say("{board}: {order}", board=board, order=say(ORDERS[name])),
            points,
            color=color,
            kind="line" if number == 0 else "fit",
        )
        for number, (board, orders) in enumerate(found.items())
        for color, (name, points) in enumerate(orders.items())
        if name != "none"
    ]
    depths = [depth for curve in curves for depth, _ in curve.points]
    if depths:
        ends = (min(depths), max(depths))
        curves += [
            Curve(say("theory, best order: 1/2"), [(d, 0.5) for d in ends], "published line"),
            Curve(say("theory, no pruning: 1"), [(d, 1.0) for d in ends], "published line"),
        ]
    title = say("What is left of the exponent: leaves = v^(e·d)")
    return draw_curves(title, curves, say("depth d"), say("exponent e"), limits=(0.4, 1.05))


def _leaves(found: By, name: str, depths: Container[int]) -> list[tuple[int, int]]:
    return [(depth, result["leaves"]) for (n, depth), result in sorted(found.items()) if n == name and depth in depths]
