"""What it saves not to search the same state twice, nor a symmetric one: the option that failed in the INSA report."""

from __future__ import annotations

import math
import random
import time
from dataclasses import dataclass
from typing import Any

from othellier.engine.engine import Engine
from othellier.games.results import Limit
from othellier.lab.conclusions import Conclusions, Observed, compare, level
from othellier.lab.experiment import Findings, Lab, Measured, Table, Value, experiment, share
from othellier.lab.plots import Curve, draw_bars, draw_curves
from othellier.lab.studies import INSA, Citation
from othellier.lab.techniques import MeasuredSearch, measure_search
from othellier.lab.words import Words
from othellier.rules import native
from othellier.search import MctsOptions, MonteCarlo

__all__ = ["Endgame", "States", "conclude_merging", "count_states", "measure_endgame", "merging"]

PAIRS = {
    "minimax": ("none", "minimax, table", "minimax, symmetric states"),
    "alpha-beta": ("alpha-beta", "alpha-beta, table", "alpha-beta, symmetric states"),
    "PVS, disc difference": ("PVS, difference", "PVS, difference, table", "PVS, difference, symmetric states"),
}
KINDS = ("every state anew", "duplicates merged", "symmetric ones too")
EMPTIES = (60, 59, 56, 50, 40, 30, 20)
"""Of the first position, of which there is one, and of later ones."""


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


def conclude_merging(
    shares: dict[str, list[float]],
    same: bool,
    left: dict[int, Measured],
    right: dict[tuple[int, float], dict[str, Observed]],
    say: Words,
) -> list[str]:
    """Conclusions from the nodes left by kind, those left later in the game by empty squares, and the right moves.

    Args:
        shares: Per cent of the nodes of the plain search, for each family of searches, by kind of merging.
        same: All searches of a family found the same value.
        left: Per cent of the nodes with a table that symmetry leaves, by empty squares; intervals for the family.
        right: Endgames in which the right move was found, by iterations and C, then by kind.
    """
    conclude = Conclusions(say)
    conclude(
        "A state met again may be given its value: every search found the same value with and without."
        if same
        else "The values of the searches are NOT the same with states merged and without."
    )
    merged = shares[KINDS[1]]
    if max(merged) < 100:
        conclude(
            "That leaves {least:.0f} to {most:.0f} % of the nodes of a search from the start.",
            least=min(merged),
            most=max(merged),
        )
    else:
        conclude("It does not save nodes in every search from the start.")
    helps = [empties for empties, part in left.items() if part.high < 100]
    unsure = [empties for empties, part in left.items() if part.low <= 100 <= part.high]
    if helps:
        conclude(
            "Merging symmetric states as well saves nodes beyond chance with {empties} empty squares.",
            empties=say.join(map(str, helps)),
        )
    if unsure:
        conclude(
            "With {empties} empty squares it saves nothing that this run can show.",
            empties=say.join(map(str, unsure)),
        )
    family = 2 * len(right)
    told = [
        say("{kind} with {n:,} iterations and C = {c:g}", kind=say(kind), n=iterations, c=c)
        for (iterations, c), parts in right.items()
        for kind in KINDS[1:]
        if compare(parts[kind], parts[KINDS[0]], family)
    ]
    if told:
        conclude(
            "In Monte-Carlo the right move is found more or less often beyond chance: {where}.", where=say.join(told)
        )
    else:
        positions = round(min(parts[KINDS[0]].of for parts in right.values()))
        conclude(
            "For Monte-Carlo merging makes no difference that {positions} endgames can show, corrected for {family} "
            "comparisons.",
            positions=positions,
            family=family,
        )
    return conclude.sentences


@experiment(
    "merging",
    Citation(INSA, "sections 4.4 and 8.2"),
    "What merging duplicates and symmetries saves",
    "The report stores the states already seen and stops the search at them: “no interesting results”. It expects the "
    "list of states to shrink by 4 where symmetric ones are taken for the same.",
    notes=(
        (
            "A state met again is not searched again but its value is used, so the result is the same: the report "
            "stopped there without a value. The board has eight symmetries, but only four of them keep the first "
            "position, so four is the most that symmetry can save, as the report expected."
        ),
        (
            "Later positions are reached by random moves; the same ones are searched with a table and with symmetric "
            "states merged. Intervals are of the mean over positions."
        ),
        (
            "In a Monte-Carlo search a state reached in two ways is one node, whose visits serve both. A move is "
            "right if it keeps the result (won, drawn, lost) that the engine proves; positions where every move does "
            "are left out."
        ),
    ),
)
def merging(lab: Lab) -> Findings:
    """States of the game, searches to a depth from the start and later, and Monte-Carlo, with and without merging."""
    say = lab.say
    counts, states = _states(lab)
    searches, shares, depths, same = _searches(lab)
    later, curves, left = _later(lab)
    endgames, right = _endgames(lab)
    deepest = "PVS, disc difference"
    last = counts[-1]
    rest = [row[-1] for row in later.rows if isinstance(row[-1], Measured)]
    state_curves = [
        Curve(say(name), [(ply, row[index]) for ply, row in enumerate(counts) if ply], color=index)
        for index, name in enumerate(("sequences of moves", "states", "states up to symmetry"))
    ]
    titles = [say("{family}, depth {depth}", family=say(family), depth=depth) for family, depth in depths.items()]
    return Findings(
        say(
            "At ply {ply}, {paths:,} sequences of moves lead to {states:,} states, {classes:,} up to symmetry: "
            "{times:.1f} times fewer, 4 at most. From the start, PVS at depth {depth} keeps {table:.0f} % of its "
            "nodes with a table and {symmetry:.0f} % with symmetric states merged. With {empties} empty squares "
            "symmetry leaves {late:.1f} % of the nodes of a table.",
            ply=len(counts) - 1,
            paths=last[0],
            states=last[1],
            classes=last[2],
            times=last[1] / last[2],
            depth=depths[deepest],
            table=shares[KINDS[1]][-1],
            symmetry=shares[KINDS[2]][-1],
            empties=EMPTIES[-1],
            late=rest[-1].value,
        ),
        [states, searches, later, endgames],
        {
            "later": draw_curves(
                say("Nodes that merging symmetric states leaves, beside a plain table, with 95 % intervals"),
                curves,
                say("empty squares"),
                say("per cent of the nodes with a table"),
                limits=(0, 110),
            ),
            "states": draw_curves(
                say("States of 8x8 from the start (counts)"), state_curves, say("ply"), say("number"), log=True
            ),
            "searches": draw_bars(
                say("Nodes that are left of a search from the start (counts)"),
                titles,
                {say(kind): list(values) for kind, values in shares.items()},
                say("per cent"),
            ),
        },
        conclusions=conclude_merging(shares, same, left, right, say),
    )


def _states(lab: Lab) -> tuple[list[tuple[int, int, int]], Table]:
    """How many states there are to merge."""
    say = lab.say
    ((_, states),) = lab.measure("states", count_states, [States(lab.pick(9, 8, 4))])
    counts = list(zip(states["paths"], states["states"], states["classes"], strict=True))
    rows: list[tuple[Value, ...]] = [
        (ply, *row, row[0] / row[1], row[1] / row[2]) for ply, row in enumerate(counts) if ply
    ]
    names = ("ply", "sequences of moves", "states", "states up to symmetry", "sequences a state", "saved by symmetry")
    return counts, Table("states", say("States of 8x8 from the start"), tuple(map(say, names)), rows)


def _searches(lab: Lab) -> tuple[Table, dict[str, list[float]], dict[str, int], bool]:
    """Searches to a depth, from the start: table, nodes left of each family by kind, depths, and equal values."""
    say = lab.say
    depths = {
        "minimax": lab.pick(9, 7, 3),
        "alpha-beta": lab.pick(12, 10, 4),
        "PVS, disc difference": lab.pick(14, 11, 4),
    }
    jobs = [
        MeasuredSearch(name, depths[family], "8", evaluator="positional")
        for family, names in PAIRS.items()
        for name in names
    ]
    found = {job.technique: result for job, result in lab.measure("searches", measure_search, jobs)}
    rows: list[tuple[Value, ...]] = []
    shares: dict[str, list[float]] = {kind: [] for kind in KINDS}
    for family, names in PAIRS.items():
        plain = found[names[0]]
        for kind, name in zip(KINDS, names, strict=True):
            result = found[name]
            part = 100 * result["nodes"] / plain["nodes"]
            shares[kind].append(part)
            same = result["value"] == plain["value"]
            effort = (result["nodes"], part, result["table_hits"], 1000 * result["seconds"])
            title = say("{family}, depth {depth}", family=say(family), depth=depths[family])
            rows.append((title, say(kind), *effort, say("yes") if same else say("NO")))
    columns = ("search", "merged", "nodes", "share, %", "table hits", "milliseconds", "same value")
    heading = tuple(map(say, columns))
    same = all(found[name]["value"] == found[names[0]]["value"] for names in PAIRS.values() for name in names)
    return Table("searches", say("Searches to a depth from the start of 8x8"), heading, rows), shares, depths, same


def _later(lab: Lab) -> tuple[Table, list[Curve], dict[int, Measured]]:
    """Searches of later positions: the nodes that symmetry leaves of those with a table, in per cent."""
    say = lab.say
    number, depth = lab.pick(60, 16, 2), lab.pick(9, 8, 3)
    table, symmetry = PAIRS["PVS, disc difference"][1:]
    jobs = [
        MeasuredSearch(name, depth, "8", evaluator="positional", drawn=(empties, lab.settings.seed + seed))
        for empties in EMPTIES
        for seed in range(1 if empties == EMPTIES[0] else number)
        for name in (table, symmetry)
    ]
    found = {(job.drawn, job.technique): result for job, result in lab.measure("later", measure_search, jobs)}
    rows: list[tuple[Value, ...]] = []
    left: dict[float, Measured] = {}
    judged: dict[int, Measured] = {}
    for empties in EMPTIES:
        count = 1 if empties == EMPTIES[0] else number
        places = [(empties, lab.settings.seed + seed) for seed in range(count)]
        parts = [100 * found[place, symmetry]["nodes"] / found[place, table]["nodes"] for place in places]
        mean = sum(parts) / count
        spread = math.sqrt(sum((part - mean) ** 2 for part in parts) / max(1, count - 1))
        error = spread / math.sqrt(count)
        left[empties] = Measured(mean, mean - level(1) * error, mean + level(1) * error)
        reach = level(len(EMPTIES)) * error
        judged[empties] = Measured(mean, mean - reach, mean + reach)
        nodes = [sum(found[place, name]["nodes"] for place in places) for name in (table, symmetry)]
        rows.append((empties, count, *nodes, left[empties]))
    names = ("empty squares", "positions", "nodes with a table", "nodes with symmetry", "nodes left by symmetry, %")
    title = say("PVS at depth {depth}, from the start and later in the game", depth=depth)
    return Table("later", title, tuple(map(say, names)), rows), [Curve.measured(say("PVS"), left)], judged


def _endgames(lab: Lab) -> tuple[Table, dict[tuple[int, float], dict[str, Observed]]]:
    """Monte-Carlo: the right move in endgames, as a table and by iterations and C."""
    say = lab.say
    number = lab.pick(400, 60, 3)
    trials = [
        Endgame(kind, iterations, c, number, seed=lab.settings.seed)
        for iterations in lab.pick((1000, 10_000), (1000, 5000), (20,))
        for c in lab.pick((0.3, 0.7, 1.5), (0.7,), (0.7,))
        for kind in KINDS
    ]
    rows: list[tuple[Value, ...]] = []
    parts: dict[tuple[int, float], dict[str, Observed]] = {}
    for trial, result in sorted(lab.measure("endgames", measure_endgame, trials), key=lambda p: trials.index(p[0])):
        met = 100 * result["hits"] / max(1, result["hits"] + result["nodes"])
        right = share(result["right"], result["tried"])
        parts.setdefault((trial.iterations, trial.c), {})[trial.kind] = Observed(result["right"], result["tried"])
        rows.append((trial.iterations, trial.c, say(trial.kind), result["tried"], right, met, result["seconds"]))
    names = ("iterations", "C", "merged", "positions", "right move found, %", "states met again, %", "seconds")
    title = say("Monte-Carlo on endgames of 6x6 with 13 empty squares")
    return Table("endgames", title, tuple(map(say, names)), rows), parts
