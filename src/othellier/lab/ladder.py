"""What every technique saves, depth by depth: figure 4 of the Utrecht thesis (S3.4), and what theory says (S3.5)."""

from __future__ import annotations

import math
from typing import Any

from othellier.lab.experiment import Findings, Lab, Table, Value, experiment
from othellier.lab.plots import Curve, draw_curves
from othellier.lab.techniques import LADDER, Search, measure_search

__all__ = ["branching", "ladder"]

_Measured = dict[tuple[str, int], dict[str, Any]]

SQUARES = 32
"""Empty squares of 6x6: there is nothing deeper."""


def _deepen(
    lab: Lab,
    words: str,
    techniques: list[str],
    seconds: float,
    deepest: int,
    size: str = "6",
    evaluator: str = "absolute",
) -> _Measured:
    """Every technique to depth 1, 2, 3 …, as long as the next search can be expected to take no longer than this."""
    found: _Measured = {}
    going = list(techniques)
    for depth in range(1, deepest + 1):
        jobs = [Search(name, depth, size, evaluator=evaluator) for name in going]
        for job, result in lab.measure(f"{words}, depth {depth}", measure_search, jobs):
            found[job.technique, depth] = result
        for name in list(going):
            now = found[name, depth]
            growth = 8.0
            if depth > 2:
                # Odd and even depths grow by turns: as the last two steps did on average, or as the one before last.
                last, before = found[name, depth - 1]["nodes"], found[name, depth - 2]["nodes"]
                growth = max(math.sqrt(now["nodes"] / before), last / before)
            if now["seconds"] * growth > seconds:
                going.remove(name)
        if not going:
            break
    return found


def _by_depth(found: _Measured, techniques: list[str], name: str, title: str, value: Any) -> Table:
    depths = range(1, max(depth for _, depth in found) + 1)
    rows: list[tuple[Value, ...]] = [
        (depth, *(value(found[key]) if (key := (technique, depth)) in found else None for technique in techniques))
        for depth in depths
    ]
    return Table(name, title, ("depth", *techniques), rows)


def _curves(found: _Measured, techniques: list[str], value: Any) -> list[Curve]:
    colors = list(LADDER)
    return [
        Curve(
            name,
            [
                (depth, number)
                for (n, depth), result in sorted(found.items())
                if n == name and (number := value(result))
            ],
            color=colors.index(name),
        )
        for name in techniques
    ]


def _first(result: dict[str, Any]) -> float | None:
    return 100 * result["first_cutoffs"] / result["cutoffs"] if result["cutoffs"] else None


@experiment(
    "ladder",
    "S3.4 · Utrecht thesis, figure 4",
    "Every technique on 6x6, depth by depth",
    "Without pruning, 10 plies take just under three minutes and 12 plies 2 h 32 min; with alpha-beta, 14 plies take a "
    "few seconds. Ordering by disc difference helps more than square values, killers add little, PVS a little, and "
    "fixing the first move made the program four times as fast. (The curves were published as a picture only.)",
)
def ladder(lab: Lab) -> Findings:
    """Iterations, time and the share of cuts on the first move, for every technique of S3.3."""
    seconds = lab.settings.seconds or lab.pick(60.0, 1.5, 0.002)
    names = list(LADDER)
    found = _deepen(lab, "figure 4", names, seconds, lab.pick(SQUARES, SQUARES, 5))

    def at(name: str, depth: int, what: str) -> Value:
        return found[name, depth][what] if (name, depth) in found else None

    def against(one: str, other: str, what: str) -> Value:
        """How many times as much one is as the other, at the greatest depth both have reached."""
        depth = max(d for n, d in found if n == one and (other, d) in found)
        return f"{found[one, depth][what] / max(found[other, depth][what], 1e-9):.2f} (depth {depth})"

    text = Table(
        "text",
        "What the text of the thesis says of them",
        ("", "published", "measured"),
        [
            ("none, 10 plies: seconds", "just under 180", at("none", 10, "seconds")),
            ("none, 12 plies: seconds", 9120, at("none", 12, "seconds")),
            ("alpha-beta, 14 plies: seconds", "a few", at("alpha-beta", 14, "seconds")),
            (
                "square values against disc difference: times the nodes",
                "more",
                against("alpha-beta, square values", "alpha-beta, disc difference", "nodes"),
            ),
            (
                "without killers against with: times the nodes",
                "not much better",
                against("alpha-beta, disc difference", "alpha-beta, difference, killers", "nodes"),
            ),
            (
                "alpha-beta against PVS: times the nodes",
                "a small gain",
                against("alpha-beta, disc difference", "PVS, difference", "nodes"),
            ),
            (
                "four first moves against one: times the seconds",
                "4",
                against("PVS, difference", "PVS, difference, first move fixed", "seconds"),
            ),
            (
                "without a table against with: times the nodes",
                "recommended, not tried",
                against("PVS, difference, first move fixed", "the same with a table", "nodes"),
            ),
        ],
        ("published",),
    )
    deepest = {name: max(depth for n, depth in found if n == name) for name in names}
    best = max(names, key=lambda name: deepest[name])
    return Findings(
        f"Within {seconds:g} s a search, plain minimax looks {deepest['none']} plies deep, alpha-beta "
        f"{deepest['alpha-beta']}, and the best of the ladder {deepest[best]}.",
        [
            text,
            _by_depth(found, names, "nodes", "Positions visited", lambda result: result["nodes"]),
            _by_depth(found, names, "seconds", "Seconds of processor time", lambda result: result["seconds"]),
            _by_depth(found, names, "first", "Cuts on the first move tried, per cent", _first),
        ],
        {
            "nodes": draw_curves(
                "Figure 4a: positions visited on 6x6",
                _curves(found, names, lambda result: result["nodes"]),
                "depth",
                "nodes",
                log=True,
            ),
            "seconds": draw_curves(
                "Figure 4b: time on 6x6",
                [
                    *_curves(found, names, lambda result: result["seconds"]),
                    Curve("none, published", [(10, 178), (12, 9120)], "published"),
                ],
                "depth",
                "seconds",
                log=True,
            ),
            "first": draw_curves(
                "Beta cuts on the first move tried",
                _curves(found, names[1:], _first),
                "depth",
                "per cent",
                limits=(0, 102),
            ),
        },
        [
            "Leaves are valued by the difference of discs, as in the thesis; a pass costs no depth. All searches are "
            "the compiled ones, each on one core; seconds are of processor time, the quickest of a few runs where it "
            "is short.",
            f"A technique goes one ply deeper as long as that can be expected to take no more than {seconds:g} s"
            + (" (the full experiment: a minute)." if lab.settings.scale != "full" else "."),
            "The swing between odd and even depths is the one the thesis explains: at odd depths the side to move has "
            "one move more of its own to look at.",
        ],
    )


ORDERS = {
    "none": "minimax: every line",
    "alpha-beta, random order": "alpha-beta, random order",
    "alpha-beta, disc difference": "alpha-beta, disc difference",
    "alpha-beta, evaluator": "alpha-beta, ordered by the evaluator",
    "PVS, evaluator, deepening, table": "PVS, evaluator, deepening, table",
}


@experiment(
    "branching",
    "S3.5 · Utrecht thesis, section 2.3",
    "Theory and measurement: v to the d against v to the d/2",
    "A tree of depth d with v moves a position costs minimax O(v^d); alpha-beta with the best move always first only "
    "O(v^(d/2)). The same is stated for negamax in S5 (section 5.1).",
)
def branching(lab: Lab) -> Findings:
    """Leaves at every depth on 8x8 and 6x6, and the exponent they stand for."""
    tables: list[Table] = []
    figures = {}
    shares: list[Curve] = []
    words = []
    for number, (size, evaluator) in enumerate((("8", "positional"), ("6", "positional/table=utrecht"))):
        seconds = lab.pick(20.0, 0.6, 0.002)
        board = f"{size}x{size}"
        found = _deepen(lab, board, list(ORDERS), seconds, lab.pick(16, 12, 4), size=size, evaluator=evaluator)
        full = {depth: result["leaves"] for (name, depth), result in found.items() if name == "none"}
        rows: list[tuple[Value, ...]] = []
        exponents: dict[str, list[tuple[float, float]]] = {name: [] for name in ORDERS}
        least: list[tuple[float, float]] = []
        for depth, leaves in sorted(full.items()):
            v = leaves ** (1 / depth)
            # Knuth and Moore, 1975: no order of moves visits fewer leaves.
            least.append((depth, v ** math.ceil(depth / 2) + v ** math.floor(depth / 2) - 1))
            measured = [found[name, depth]["leaves"] if (name, depth) in found else None for name in ORDERS]
            rows.append((depth, v, *measured, round(least[-1][1])))
            if depth >= 3:
                for name, count in zip(ORDERS, measured, strict=True):
                    if count:
                        exponents[name].append((depth, math.log(count) / (depth * math.log(v))))
        tables.append(
            Table(
                f"leaves-{size}",
                f"Leaves on {board}",
                ("depth d", "moves v", *ORDERS.values(), "least: v^⌈d/2⌉ + v^⌊d/2⌋ − 1"),
                rows,
            )
        )
        curves = [
            Curve(
                ORDERS[name],
                [(d, result["leaves"]) for (n, d), result in sorted(found.items()) if n == name and d in full],
                color=color,
            )
            for color, name in enumerate(ORDERS)
        ]
        curves.append(Curve("theory: v^⌈d/2⌉ + v^⌊d/2⌋ − 1", least, "published line"))
        figures[f"leaves-{size}"] = draw_curves(f"Leaves on {board}", curves, "depth d", "leaves", log=True)
        last = max(full)
        v = full[last] ** (1 / last)
        ends = {name: points[-1][1] for name, points in exponents.items() if points}
        if ends:
            best = min(ends, key=ends.__getitem__)
            words.append(
                f"On {board}, with v = {v:.1f} at depth {last}, {ORDERS[best]} comes to v^({ends[best]:.2f} d), "
                f"alpha-beta in random order to v^({ends['alpha-beta, random order']:.2f} d)."
            )
        shares += [
            Curve(f"{board}: {ORDERS[name]}", points, color=color, kind="line" if number == 0 else "fit")
            for color, (name, points) in enumerate(exponents.items())
            if name != "none"
        ]
    depths = [depth for curve in shares for depth, _ in curve.points]
    if depths:
        ends_of = (min(depths), max(depths))
        shares += [Curve("theory, best order: 1/2", [(d, 0.5) for d in ends_of], "published line")]
    figures["exponents"] = draw_curves(
        "What is left of the exponent: leaves = v^(e·d)", shares, "depth d", "exponent e", limits=(0.4, 1.0)
    )
    return Findings(
        " ".join(words) or "Too shallow to tell.",
        tables,
        {"exponents": figures.pop("exponents"), **figures},
        [
            "v is the mean number of moves that makes v^d the leaves minimax visits at depth d. Where leaves = "
            "v^(e·d), theory gives e = 1 without pruning and e = 1/2 (a little more at odd depths) with the best move "
            "always first.",
            "With deepening, the leaves of the shallower searches are counted too; a table merges positions, so that "
            "even fewer leaves than the least tree of theory, which knows no table, are possible.",
        ],
    )
