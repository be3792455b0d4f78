"""Several threads in one search: how much sooner it is done, beside what the manual of FOREST tells of its own."""

from __future__ import annotations

import math
import random
import time
from dataclasses import dataclass
from typing import Any

from othellier.base.system import cores
from othellier.engine.engine import Engine
from othellier.games.results import Limit
from othellier.lab.conclusions import Conclusions
from othellier.lab.experiment import Findings, Lab, Measured, Table, Value, experiment
from othellier.lab.plots import Curve, draw_curves
from othellier.lab.studies import FOREST, Citation
from othellier.lab.words import Words
from othellier.rules import native

__all__ = ["Threads", "conclude_parallel", "measure_threads", "parallel"]

FOREST_SPEED, FOREST_CORES = 800_000, 8
QUIET = 0.8
"""The share of its cores that a search must have had for its times to tell something. Threads that wait for one another
hardly ever sleep while a search goes on, so that most of the rest was taken by others."""


@dataclass(frozen=True, slots=True)
class Threads:
    """Positions to be searched to a depth by so many threads, the others by one before."""

    counts: tuple[int, ...]
    positions: int
    depth: int
    empties: int = 40
    seed: int = 0


def measure_threads(job: Threads) -> dict[str, Any]:
    """Seconds by the clock, nodes and seconds of all cores, by threads and position.

    It is one job, so that it has the machine to itself.
    """
    rng = random.Random(f"threads {job.seed}")
    positions = [native.random_position(rng, 8, job.empties) for _ in range(job.positions)]
    found: dict[str, list[list[float]]] = {}
    for count in job.counts:
        with Engine(hash_mb=64, threads=count) as engine:
            found[str(count)] = []
            for position in positions:
                engine.new_game()
                begin, worked = time.perf_counter(), time.process_time()
                result = engine.search(position, Limit(depth=job.depth))
                seconds, worked = time.perf_counter() - begin, time.process_time() - worked
                found[str(count)].append([seconds, result.nodes, worked])
    return found


def _mean(ratios: list[float]) -> Measured:
    """The geometric mean of ratios with its 95 % interval."""
    logs = [math.log(ratio) for ratio in ratios]
    mean = sum(logs) / len(logs)
    spread = math.sqrt(sum((log - mean) ** 2 for log in logs) / max(1, len(logs) - 1))
    reach = 1.96 * spread / math.sqrt(len(logs))
    return Measured(math.exp(mean), math.exp(mean - reach), math.exp(mean + reach))


def conclude_parallel(threads: int, quiet: bool, sooner: Measured, extra: Measured, say: Words) -> list[str]:
    """Conclusions from the search with all threads beside the one with a single thread.

    Args:
        threads: The most threads that were tried.
        quiet: The search had the machine to itself.
        sooner: How many times as fast it was.
        extra: How many times as many nodes it visited.
    """
    conclude = Conclusions(say)
    if threads == 1:
        conclude("This machine has one core: there is nothing to compare.")
        return conclude.sentences
    values = {"threads": threads, "times": extra.value, "low": extra.low, "high": extra.high}
    if extra.low > 1:
        conclude(
            "With {threads} threads the search visits {times:.2f} [{low:.2f}, {high:.2f}] times the nodes: positions "
            "that one thread would have pruned. So the nodes a second grow more than the time shrinks.",
            **values,
        )
    elif extra.high < 1:
        conclude("With {threads} threads the search visits fewer nodes: {times:.2f} [{low:.2f}, {high:.2f}].", **values)
    else:
        conclude(
            "This run cannot tell whether {threads} threads visit more nodes than one: {times:.2f} [{low:.2f}, "
            "{high:.2f}] times as many.",
            **values,
        )
    if not quiet:
        conclude("Other work ran on the machine: of the time that threads save, this run says little.")
    elif sooner.low > 1:
        conclude("The time shrinks beyond chance.")
    else:
        conclude("This run cannot show that threads save time.")
    return conclude.sentences


@experiment(
    "parallel",
    Citation(FOREST, "section on the search"),
    "Several cores in one search",
    "FOREST looks at 800,000 positions a second on eight cores of a Core i9, with a parallel search of the kind "
    "ABDADA. What the cores save is not told.",
    notes=(
        (
            "{positions} positions with {empties} empty squares reached by random moves, each searched to depth "
            "{depth} with an empty table of 64 MB, by the clock of the wall; geometric means of the ratios for each "
            "position. This experiment uses all cores: let nothing else run."
        ),
    ),
)
def parallel(lab: Lab) -> Findings:
    """The engine to a depth with 1, 2, 4 … threads, up to the cores there are."""
    say = lab.say
    most = min(cores(), 64)
    counts = tuple(sorted({*(2**i for i in range(7) if 2**i <= most), most}))
    job = Threads(counts, lab.pick(24, 8, 2), lab.pick(16, 13, 3), seed=lab.settings.seed)
    ((_, found),) = lab.measure("threads", measure_threads, [job])
    sooner: dict[float, Measured] = {}
    faster: dict[float, Measured] = {}
    rows: list[tuple[Value, ...]] = []
    for count in counts:
        both = list(zip(found["1"], found[str(count)], strict=True))
        sooner[count] = _mean([one[0] / max(many[0], 1e-6) for one, many in both])
        faster[count] = _mean([(many[1] / max(many[0], 1e-6)) / (one[1] / max(one[0], 1e-6)) for one, many in both])
        extra = _mean([many[1] / one[1] for one, many in both])
        nodes, passed, worked = (sum(many[i] for _, many in both) for i in (1, 0, 2))
        at_work = worked / max(passed, 1e-6)
        rows.append((count, sooner[count], faster[count], extra, at_work, round(nodes / max(passed, 1e-6))))
    names = ("threads", "times as fast", "times the nodes a second", "times the nodes", "cores at work")
    heading = tuple(map(say, (*names, "nodes a second")))
    published = Table(
        "forest",
        say("Positions a second"),
        ("", say("published (FOREST)"), say("measured")),
        [(say("cores"), FOREST_CORES, counts[-1]), (say("positions a second"), FOREST_SPEED, rows[-1][-1])],
        (say("published (FOREST)"),),
        say("Its positions cost more: FOREST values each by a neural network, our engine by tables of patterns."),
    )
    last = sooner[counts[-1]]
    quiet = at_work > QUIET * counts[-1]
    summary = (
        "A search to depth {depth} is {times:.2f} times as fast with {count} threads as with one ([{low:.2f}, "
        "{high:.2f}]); {speed:,} positions a second."
    )
    if not quiet:
        summary = (
            "Other work ran on this machine: {count} threads had {at_work:.1f} cores. As it was, a search to depth "
            "{depth} was {times:.2f} times as fast with {count} threads as with one ([{low:.2f}, {high:.2f}]); that "
            "tells little."
        )
    return Findings(
        say(
            summary,
            at_work=at_work,
            count=counts[-1],
            depth=job.depth,
            times=last.value,
            low=last.low,
            high=last.high,
            speed=rows[-1][-1],
        ),
        [Table("speedup", say("Speed-up by threads"), heading, rows), published],
        {
            "speedup": draw_curves(
                say("Speed-up of a search to depth {depth} by threads, with 95 % intervals", depth=job.depth),
                [
                    Curve.measured(say("times as fast"), sooner),
                    Curve.measured(say("times the nodes a second"), faster, color=1),
                    Curve(say("ideal"), [(1, 1), (counts[-1], counts[-1])], "published line"),
                ],
                say("threads"),
                say("times one thread"),
                limits=(0, 1.15 * max(counts[-1], 1)),
            )
        },
        {"positions": job.positions, "empties": job.empties, "depth": job.depth},
        conclusions=conclude_parallel(counts[-1], quiet, last, extra, say),
    )
