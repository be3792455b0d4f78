"""The small boards solved: 4x4 by plain minimax with the thesis's own node count, 6x6 to its end."""

from __future__ import annotations

import time
from dataclasses import dataclass
from itertools import accumulate
from typing import Any

from othellier import pictures
from othellier.engine.engine import Engine
from othellier.games.game import replay
from othellier.lab.conclusions import Conclusions
from othellier.lab.experiment import Findings, Lab, Table, Value, experiment
from othellier.lab.plots import Curve, draw_bars, draw_curves
from othellier.lab.studies import FEINSTEIN, UTRECHT, Citation
from othellier.lab.techniques import LADDER, MeasuredSearch, measure_search
from othellier.lab.timing import fit_exponential
from othellier.lab.words import Words
from othellier.records.transcript import format_moves, parse_moves
from othellier.rules import native
from othellier.rules.board import Position
from othellier.rules.geometry import PASS, STANDARD, Size

__all__ = [
    "SIX_LINE",
    "Reachable",
    "Solve",
    "conclude_count",
    "conclude_four",
    "conclude_six",
    "count_reachable",
    "four",
    "measure_solve",
    "six",
    "thesis_number",
]

FOUR = Size(4, 4)
SIX = Size(6, 6)

THESIS_NODES = 237_781
THESIS_SECONDS = 1.059


THESIS_START = 69_206_592
THESIS_ENDS = 1 << 16


@dataclass(frozen=True, slots=True)
class Reachable:
    """All positions of a board that games from its start can reach."""

    size: str = "4"


def count_reachable(job: Reachable) -> dict[str, Any]:
    """Count positions (boards with the side to move), those up to symmetry, boards, and the boards of ends of games."""
    start = native.start(job.size)
    level, seen, ends = {start}, {start}, set[Position]()
    while level:
        after = set[Position]()
        for position in level:
            if position.is_over():
                ends.add(position)
            else:
                after.update(position.play(move) for move in position.moves() or [PASS])
        level = after - seen
        seen |= level
    boards, end_boards = ({_boards(position) for position in group} for group in (seen, ends))
    return {
        "positions": len(seen),
        "classes": len({position.canonical() for position in seen}),
        "boards": len(boards),
        "ends": len(end_boards),
    }


def _boards(position: Position) -> tuple[int, int]:
    """Return the discs of Black and of White."""
    pair = position.player, position.opponent
    return pair if position.turn == "black" else pair[::-1]


def thesis_number(position: Position) -> int:
    """Return a position of 4x4 as the thesis keeps it in one number of 32 bits: White's discs in the upper half.

    >>> thesis_number(native.start("4"))
    69206592
    """
    black, white = _boards(position)
    return black | white << 16


def _count_table(counted: dict[str, Any], say: Words) -> Table:
    published = say("published (Utrecht thesis)")
    centre = 4
    return Table(
        "count",
        say("Positions of 4x4"),
        ("", published, say("measured")),
        [
            (say("the start in one number of 32 bits"), THESIS_START, thesis_number(native.start(FOUR))),
            (say("possible ends: 2^16, and boards that games can end with"), THESIS_ENDS, counted["ends"]),
            (say("possible positions, and those that games can reach"), say("almost 10 million"), counted["positions"]),
            (say("of these up to symmetry"), None, counted["classes"]),
            (say("boards, whoever is to move"), None, counted["boards"]),
            (
                say("boards with discs on the four middle squares: 3^12 × 2^4"),
                None,
                3 ** (FOUR.squares - centre) * 2**centre,
            ),
        ],
        (published,),
        say(
            "The thesis says that programs look at almost 10 million possible positions; it does not say how they are "
            "counted. Boards with discs on the middle squares come nearest."
        ),
    )


def conclude_count(counted: dict[str, Any], say: Words) -> list[str]:
    """Conclusions from the positions that games can reach."""
    conclude = Conclusions(say)
    start = thesis_number(native.start(FOUR))
    conclude(
        "The start of the thesis in one number, {number}, is ours."
        if start == THESIS_START
        else "The start of the thesis in one number, {published}, is NOT ours, {number}.",
        number=start,
        published=THESIS_START,
    )
    conclude(
        "Games can end with {ends:,} boards, fewer than its estimate of {published:,}, and reach {positions:,} "
        "positions."
        if counted["ends"] < THESIS_ENDS
        else "Games can end with {ends:,} boards, no fewer than its estimate of {published:,}, and reach {positions:,} "
        "positions.",
        published=THESIS_ENDS,
        **counted,
    )
    return conclude.sentences


def conclude_four(found: dict[str, dict[str, Any]], say: Words) -> list[str]:
    """Conclusions from the searches of 4x4 by every technique."""
    conclude = Conclusions(say)
    whole = found["none"]
    if whole["thesis_nodes"] == THESIS_NODES:
        conclude("Counted as the thesis counts, the tree has exactly the nodes it published.")
    else:
        conclude(
            "Counted as the thesis counts, the tree has {nodes:,} nodes instead of {published:,}: its count is not "
            "confirmed.",
            nodes=whole["thesis_nodes"],
            published=THESIS_NODES,
        )
    best = min(found, key=lambda name: found[name]["nodes"])
    if found[best]["nodes"] < whole["nodes"]:
        conclude(
            "The smallest search, “{name}”, visits {part:.2g} % of the positions.",
            name=say(best),
            part=100 * found[best]["nodes"] / whole["nodes"],
        )
    other = [name for name in found if found[name]["score"] != whole["score"]]
    if other:
        conclude("The value is NOT the same by: {names}.", names=conclude.listed(other))
    else:
        conclude("The value is the same by every technique.")
    return conclude.sentences


@experiment(
    "four",
    Citation(UTRECHT, "section 3.1"),
    "4x4 solved by plain minimax",
    "White wins 11–3 with best play. The tree has 237,781 nodes, searched in 1,059 ms (220,000 nodes a second) in C# "
    "on an Intel Core i5-6300U.",
    notes=(
        "The line of best play: {line}. Times are of one processor core.",
        "Random order is one draw; another seed gives another count.",
    ),
    compiled=True,
)
def four(lab: Lab) -> Findings:
    """Minimax in Python and compiled, then every technique of the ladder."""
    say = lab.say
    jobs = [MeasuredSearch("none", 12, "4", backend="python"), *(MeasuredSearch(name, 12, "4") for name in LADDER)]
    found = {(job.technique, job.backend): result for job, result in lab.measure("4x4", measure_search, jobs)}
    ((_, counted),) = lab.measure("states", count_reachable, [Reachable()])
    python, compiled = found["none", "python"], found["none", "auto"]
    line = compiled["line"]
    end = replay(native.start(FOUR), line)[1]
    black, white = end.discs("black"), end.discs("white")
    result = (
        say("White {w}–{b}", w=white, b=black)
        if white > black
        else say("Black {b}–{w}", w=white, b=black)
        if black > white
        else say("draw")
    )
    same = compiled["thesis_nodes"] == python["thesis_nodes"] == THESIS_NODES
    nodes = "{nodes:,} nodes, exactly those published" if same else "{nodes:,} nodes, NOT those published"
    figure = draw_bars(
        say("4x4: positions visited until it is solved (counts, logarithmic)"),
        [say(name) for name in LADDER],
        {say("nodes"): [found[name, "auto"]["nodes"] for name in LADDER]},
        say("nodes"),
        log=True,
    )
    return Findings(
        say(
            "{result}; {nodes}, in {fast:.1f} ms compiled and {slow:.2f} s in Python.",
            result=result,
            nodes=say(nodes, nodes=compiled["thesis_nodes"]),
            fast=1000 * compiled["seconds"],
            slow=python["seconds"],
        ),
        [
            _minimax_table(result, python, compiled, say),
            _techniques_table({name: found[name, "auto"] for name in LADDER}, say),
            _count_table(counted, say),
        ],
        {"nodes": figure},
        {"line": format_moves(line, FOUR)},
        conclusions=[
            *conclude_four({name: found[name, "auto"] for name in LADDER}, say),
            *conclude_count(counted, say),
        ],
        boards={
            say("The end of the line of best play"): pictures.svg(end, last_move=line[-1], legal=False, size_px=220)
        },
    )


def _minimax_table(won: str, python: dict[str, Any], compiled: dict[str, Any], say: Words) -> Table:
    def row(what: str, published: Value, of: str, digits: float = 1) -> tuple[Value, ...]:
        return (say(what), published, *(result[of] * digits for result in (python, compiled)))

    return Table(
        "minimax",
        say("Plain minimax"),
        ("", say("published (C#)"), "Python", say("compiled")),
        [
            (say("result"), say("White 11–3"), won, won),
            (say("difference for Black, discs alone"), -8, python["score"], compiled["score"]),
            row("nodes, as the thesis counts them", THESIS_NODES, "thesis_nodes"),
            row("positions visited, passes included", None, "nodes"),
            row("ends where neither side can move, board not full", None, "blocked"),
            row("milliseconds", 1000 * THESIS_SECONDS, "seconds", 1000),
            (
                say("nodes a second"),
                220_000,
                *(round(result["thesis_nodes"] / result["seconds"]) for result in (python, compiled)),
            ),
        ],
        (say("published (C#)"),),
        say(
            "The thesis finds such an end by passing twice more: two nodes for each of them beyond the positions "
            "visited."
        ),
    )


def _techniques_table(found: dict[str, dict[str, Any]], say: Words) -> Table:
    return Table(
        "techniques",
        say("The same board by every technique, compiled"),
        tuple(map(say, ("technique", "nodes", "share of all, %", "milliseconds", "cuts on the first move, %"))),
        [
            (
                say(name),
                result["nodes"],
                100 * result["nodes"] / found["none"]["nodes"],
                1000 * result["seconds"],
                100 * result["first_cutoffs"] / result["cutoffs"] if result["cutoffs"] else None,
            )
            for name, result in found.items()
        ],
    )


SIX_LINE = "D5E3D2C5B3B4C6D6E6C2C1A3E4E5A4A5B5E1F3D1F1F5E2F2B1B2F4F6A2A1--B6A6"
"""A line of best play from the start, every position of which `six` solves anew: found by our own solver."""

FEINSTEIN_NODES = 40e9
SQUARES = 32
"""Empty ones at the start of 6x6."""


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


WEEKS = 14 * 86_400.0
"""Seconds that Feinstein's program took."""

LARGER = STANDARD.squares - SIX.squares
"""Squares that 8x8 has more."""


def conclude_six(found: list[dict[str, Any]], say: Words) -> list[str]:
    """Conclusions from the positions of the line, solved one by one, the fewest empty squares first."""
    conclude = Conclusions(say)
    last = found[-1]
    if last["empties"] == SQUARES:
        conclude(
            "The whole board takes {seconds:,.0f} s of one core; its first solution took {times:,.0f} times as long.",
            seconds=last["seconds"],
            times=WEEKS / max(last["seconds"], 1e-6),
        )
    # Few nodes tell little of growth: positions of the last moves are solved by counting.
    points = [(float(r["empties"]), float(r["nodes"])) for r in found if r["nodes"] >= 100]
    if len(points) < 5:
        conclude("From so few positions this run cannot tell how the nodes grow.")
        return conclude.sentences
    start, factor = fit_exponential(points)
    spread = max(max(nodes / (start * factor**x), start * factor**x / nodes) for x, nodes in points)
    if factor > 1:
        conclude(
            "The nodes grow {factor:.2f} times for each empty square, from {least} to {most} of them; no position is "
            "further than {spread:.1f} times from that line. At this rate the {squares} squares more of the usual "
            "board would take {times:.0e} times as long.",
            factor=factor,
            least=round(points[0][0]),
            most=round(points[-1][0]),
            spread=spread,
            squares=LARGER,
            times=factor**LARGER,
        )
    else:
        conclude("The nodes do not grow with the empty squares of this run.")
    return conclude.sentences


@experiment(
    "six",
    (Citation(FEINSTEIN), Citation(UTRECHT, "section 3.2")),
    "6x6 solved",
    "White wins by 4 (Feinstein, 1993: two weeks for some 40 billion positions). The thesis itself looks 14 plies "
    "deep; others are said to need less than 100 hours.",
    notes=(
        (
            "A line of best play, found by our own solver: {line}. If each of its positions is worth 4 discs to "
            "White, no move of it is a mistake. Each position is solved anew, with an empty table."
        ),
    ),
)
def six(lab: Lab) -> Findings:
    """Solve every position of a line of best play, from its end to its beginning; quickly, only the later ones."""
    say = lab.say
    moves = parse_moves(SIX_LINE, SIX)
    deepest = lab.pick(32, 22, 12)
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
        say("Every position of a line of best play"),
        tuple(map(say, ("empty squares", "score for Black", "nodes", "seconds", "nodes a second"))),
        [
            (r["empties"], r["score"], r["nodes"], r["seconds"], round(r["nodes"] / max(r["seconds"], 1e-6)))
            for r in found
        ],
    )
    whole = last["empties"] == SQUARES
    curves = [
        Curve(say("the engine, one thread"), [(r["empties"], r["nodes"]) for r in found]),
        Curve("Feinstein, 1993", [(SQUARES, FEINSTEIN_NODES)], "published"),
    ]
    return Findings(
        _six_summary(last, whole, right, say),
        [_whole_table(last, whole, right, say), table],
        {
            "nodes": draw_curves(
                say("6x6: positions until it is solved (counts)"), curves, say("empty squares"), say("nodes"), log=True
            )
        },
        {"line": SIX_LINE},
        conclusions=conclude_six(found, say),
        boards={say("The end of the line"): pictures.svg(replay(start, moves)[1], legal=False, size_px=260)},
    )


def _six_summary(last: dict[str, Any], whole: bool, right: bool, say: Words) -> str:
    if not right:
        return say("Not every position of the line is worth 4 discs to White: the published result is NOT confirmed.")
    if whole:
        return say(
            "White wins by 4: all 32 empty squares are solved, in {seconds:.0f} s on one thread, and so is every "
            "position of the line.",
            seconds=last["seconds"],
        )
    return say(
        "Every position of the line with {empties} empty squares or fewer is worth 4 discs to White. This run "
        "did not solve the board from its first position: the full experiment does.",
        empties=last["empties"],
    )


def _whole_table(last: dict[str, Any], whole: bool, right: bool, say: Words) -> Table:
    result = (say("White by 4") if right else say("another result")) if whole else say("not solved in this run")
    published = say("published (Feinstein, 1993)")
    rows: list[tuple[Value, ...]] = [
        (say("result"), say("White by 4"), result),
        (say("positions"), 40_000_000_000, last["nodes"] if whole else None),
        (say("seconds"), round(WEEKS), last["seconds"] if whole else None),
    ]
    return Table("whole", say("The whole board"), ("", published, say("measured")), rows, (published,))
