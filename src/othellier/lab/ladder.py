"""What every technique saves, depth by depth: figure 4 of the Utrecht thesis."""

from __future__ import annotations

import math
from typing import Any

from othellier.lab.conclusions import Conclusions
from othellier.lab.experiment import Findings, Lab, Table, Value, experiment
from othellier.lab.plots import Curve, draw_curves
from othellier.lab.studies import UTRECHT, Citation
from othellier.lab.techniques import LADDER, MeasuredSearch, measure_search
from othellier.lab.words import Words

__all__ = ["By", "conclude_ladder", "deepen", "ladder"]

By = dict[tuple[str, int], dict[str, Any]]
"""What was measured, by technique and depth."""

SQUARES = 32
"""Empty squares of 6x6: there is nothing deeper."""

SQUARE_VALUES, DIFFERENCE = "alpha-beta, square values", "alpha-beta, disc difference"
BOTH, KILLERS = "alpha-beta, squares and difference", "alpha-beta, difference, killers"


def deepen(
    lab: Lab,
    words: str,
    techniques: list[str],
    seconds: float,
    deepest: int,
    size: str = "6",
    evaluator: str = "absolute",
) -> By:
    """Every technique to depth 1, 2, 3 …, as long as the next search can be expected to take no longer than this."""
    found: By = {}
    going = list(techniques)
    for depth in range(1, deepest + 1):
        jobs = [MeasuredSearch(name, depth, size, evaluator=evaluator) for name in going]
        for job, result in lab.measure(f"{words}, {depth}", measure_search, jobs):
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


def _by_depth(found: By, techniques: list[str], name: str, title: str, value: Any, say: Words) -> Table:
    depths = range(1, max(depth for _, depth in found) + 1)
    rows: list[tuple[Value, ...]] = [
        (depth, *(value(found[key]) if (key := (technique, depth)) in found else None for technique in techniques))
        for depth in depths
    ]
    return Table(name, title, (say("depth"), *map(say, techniques)), rows)


def _curves(found: By, techniques: list[str], value: Any, say: Words) -> list[Curve]:
    colors = list(LADDER)
    return [
        Curve(
            say(name),
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


def _text(found: By, say: Words) -> Table:
    """What the thesis says in words, beside what was measured."""

    def at(name: str, depth: int, what: str) -> Value:
        return found[name, depth][what] if (name, depth) in found else None

    def against(one: str, other: str, what: str) -> Value:
        """How many times as much one is as the other, at the greatest depth both have reached."""
        depth = max(d for n, d in found if n == one and (other, d) in found)
        return say(
            "{times:.2f} (depth {depth})",
            times=found[one, depth][what] / max(found[other, depth][what], 1e-9),
            depth=depth,
        )

    rows: list[tuple[str, str | int, Value]] = [
        ("none, 10 plies: seconds", "just under three minutes", at("none", 10, "seconds")),
        ("none, 12 plies: seconds", 9120, at("none", 12, "seconds")),
        ("alpha-beta, 14 plies: seconds", "a few", at("alpha-beta", 14, "seconds")),
        ("random order against none: times the nodes", "–", against("alpha-beta, random order", "alpha-beta", "nodes")),
        ("square values against disc difference: times the nodes", "more", against(SQUARE_VALUES, DIFFERENCE, "nodes")),
        (
            "both together against difference: times the nodes",
            "more than either",
            against(BOTH, DIFFERENCE, "nodes"),
        ),
        (
            "both together against square values: times the nodes",
            "more than either",
            against(BOTH, SQUARE_VALUES, "nodes"),
        ),
        (
            "without killers against with: times the nodes",
            "not much better",
            against(DIFFERENCE, KILLERS, "nodes"),
        ),
        ("alpha-beta against PVS: times the nodes", "a small gain", against(DIFFERENCE, "PVS, difference", "nodes")),
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
    ]
    told: list[tuple[Value, ...]] = [
        (say(what), say(claim) if isinstance(claim, str) and claim not in ("–", "4") else claim, value)
        for what, claim, value in rows
    ]
    heading = ("", say("published"), say("measured"))
    return Table("text", say("What the text of the thesis says of them"), heading, told, heading[1:2])


CLAIMS = (
    # By the thesis, the first of the two visits fewer nodes (-1), more (1), or about as many (0).
    ("alpha-beta", "none", -1),
    (DIFFERENCE, SQUARE_VALUES, -1),
    (BOTH, DIFFERENCE, 1),
    (BOTH, SQUARE_VALUES, 1),
    (KILLERS, DIFFERENCE, 0),
    ("PVS, difference", DIFFERENCE, -1),
)

ALIKE = 0.1
"""Nodes within this share of one another are called about as many."""


def _versus(found: By, one: str, other: str) -> list[tuple[int, float]]:
    """Nodes of a technique as a multiple of another's, at every depth from 3 on that both have reached."""
    depths = sorted(depth for name, depth in found if name == one and depth >= 3 and (other, depth) in found)
    return [(depth, found[one, depth]["nodes"] / found[other, depth]["nodes"]) for depth in depths]


def _sign(times: float) -> int:
    return (times > 1 + ALIKE) - (times < 1 - ALIKE)


def conclude_ladder(found: By, say: Words) -> list[str]:
    """Conclusions from the nodes of every technique: the claims of the thesis at the greatest common depth."""
    conclude = Conclusions(say)
    held: dict[bool, list[str]] = {True: [], False: []}
    for one, other, claim in CLAIMS:
        course = _versus(found, one, other)
        if not course:
            continue
        depth, times = course[-1]
        before = [d for d, t in course if _sign(t) != _sign(times)]
        words = say(
            "“{one}” visits {times:.2g} times the nodes of “{other}” at depth {depth} (otherwise at depth {before})"
            if before
            else "“{one}” visits {times:.2g} times the nodes of “{other}” at depth {depth}",
            one=say(one),
            other=say(other),
            times=times,
            depth=depth,
            before=before[-1] if before else 0,
        )
        held[_sign(times) == claim].append(words)
    if held[True]:
        conclude("As the thesis says: {claims}.", claims=say.join(held[True]))
    if held[False]:
        conclude("Unlike the thesis, at the greatest depth of this run: {claims}.", claims=say.join(held[False]))
    table = _versus(found, "the same with a table", "PVS, difference, first move fixed")
    if table:
        depth, times = table[-1]
        conclude(
            "The table that the thesis recommends saves {part:.0f} % of the nodes at depth {depth}."
            if times < 1
            else "The table that the thesis recommends saves no nodes at depth {depth}.",
            part=100 * (1 - times),
            depth=depth,
        )
    if not conclude.sentences:
        conclude("The searches of this run are too shallow to compare.")
    return conclude.sentences


@experiment(
    "ladder",
    Citation(UTRECHT, "figure 4"),
    "Every technique on 6x6, depth by depth",
    "Without pruning, 10 plies take just under three minutes and 12 plies 2 h 32 min; with alpha-beta, 14 plies take "
    "a few seconds. Ordering by disc difference helps more than square values, both together less than either; "
    "killers add little, PVS a little, and fixing the first move made the program four times as fast. (The curves "
    "were published as a picture only.)",
    notes=(
        (
            "Leaves are valued by the difference of discs, as in the thesis; a pass costs no depth. All searches are "
            "the compiled ones, each on one core; seconds are of processor time, the quickest of a few runs where it "
            "is short. A technique goes one ply deeper as long as that can be expected to take no more than "
            "{seconds:g} s (the full experiment: a minute)."
        ),
        (
            "The program in the appendix of the thesis drops passes: it makes a list with a pass where there is no "
            "move, but goes through the list it had ordered before, which is empty. On 6x6 that touches few lines "
            "before the end."
        ),
        (
            "“Squares and difference” orders by the sum of the square's value and the difference of discs after the "
            "move, as the appendix would if both were switched on. Random order is one draw; another seed gives other "
            "counts."
        ),
        (
            "The thesis explains a swing between odd and even depths: at odd depths the side to move has one move "
            "more of its own to look at. No number is given here for “just under three minutes”, and no point drawn."
        ),
    ),
    compiled=True,
)
def ladder(lab: Lab) -> Findings:
    """Iterations, time and the share of cuts on the first move, for every technique of the thesis."""
    say = lab.say
    seconds = lab.settings.seconds or lab.pick(60.0, 1.0, 0.002)
    names = list(LADDER)
    found = deepen(lab, "6x6", names, seconds, lab.pick(SQUARES, SQUARES, 5))
    deepest = {name: max(depth for n, depth in found if n == name) for name in names}
    best = max(names, key=lambda name: deepest[name])
    nodes = _curves(found, names, lambda result: result["nodes"], say)
    times = _curves(found, names, lambda result: result["seconds"], say)
    hours = Curve(say("none, published (12 plies)"), [(12, 9120)], "published")
    return Findings(
        say(
            "Within {seconds:g} s a search, plain minimax looks {none} plies deep, alpha-beta {alphabeta}, and the "
            "best of the ladder {best}.",
            seconds=seconds,
            none=deepest["none"],
            alphabeta=deepest["alpha-beta"],
            best=deepest[best],
        ),
        [
            _text(found, say),
            _by_depth(found, names, "nodes", say("Positions visited"), lambda result: result["nodes"], say),
            _by_depth(found, names, "seconds", say("Seconds of processor time"), lambda result: result["seconds"], say),
            _by_depth(found, names, "first", say("Cuts on the first move tried, per cent"), _first, say),
        ],
        {
            "nodes": draw_curves(
                say("Positions visited on 6x6 by every technique (counts; figure 4a)"),
                nodes,
                say("depth"),
                say("nodes"),
                log=True,
            ),
            "seconds": draw_curves(
                say("Time on 6x6 by every technique (figure 4b)"),
                [*times, hours],
                say("depth"),
                say("seconds"),
                log=True,
            ),
            "first": draw_curves(
                say("Beta cuts on the first move tried"),
                _curves(found, names[1:], _first, say),
                say("depth"),
                say("per cent"),
                limits=(0, 102),
            ),
        },
        {"seconds": seconds},
        conclusions=conclude_ladder(found, say),
    )
