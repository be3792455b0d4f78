"""The engine as the judge of many positions, one process a core: what growing books and lists of starts ask for.

Estimates of even and odd depths lean to opposite sides, so a value here is the mean of two depths in a row.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass, replace
from functools import cache

from othellier.base.jobs import Crew
from othellier.engine.engine import Engine
from othellier.errors import ConfigError
from othellier.games.results import Limit, Result
from othellier.openings.balanced import Judge
from othellier.openings.build import AnalyseMany
from othellier.openings.quality import SearchValues
from othellier.rules import native
from othellier.rules.board import Position
from othellier.rules.geometry import STANDARD

__all__ = ["SELECTIVITY", "AnalysisJob", "Stage", "analyse", "analyst", "searcher", "silent", "start_judge", "value"]

Stage = Callable[[str, float | None], AbstractContextManager[Callable[[float], None]]]
"""Shows that work goes on: given its name and how much it is, it hands out what to advance it by."""

HASH_MB = 8
ALL_THE_WAY = 60
SELECTIVITY = 73
"""How sure a search must be to leave a move out, in percent. In the same time this sees three plies more than the
engine's usual 95, and comes nearer to a deep search: 0.87 discs from depth 18 in the mean at 27.5 ms a
position, against 1.02 at 21 ms and 0.92 at 34 ms (90 ends of a book's lines)."""
SHALLOWER = 2
"""Plies less for a first look at all moves of a position ..."""
BAD = 5.0
"""... and discs behind the best at which a move is left at that: half the work is saved."""


@dataclass(frozen=True, slots=True)
class AnalysisJob:
    """One position to look at: to `depth` and one ply more, or to the end with `exact` empty squares or fewer."""

    number: int
    player: int
    opponent: int
    depth: int
    exact: int
    selectivity: int = SELECTIVITY

    @property
    def position(self) -> Position:
        """The position, Black to move: values are for the side to move."""
        return native.position(self.player, self.opponent, "black", STANDARD)


@cache
def _engine() -> Engine:
    return Engine(hash_mb=HASH_MB)


def analyse(job: AnalysisJob) -> list[Result]:
    """Every move of a position, best first; those that a shallow search finds bad are left at that."""
    engine, position = _engine(), job.position
    if position.empties <= job.exact:
        return engine.analyze(position, Limit(depth=ALL_THE_WAY))
    found = {result.move: result for result in _means(job, max(1, job.depth - SHALLOWER))}
    best = max(result.score or 0.0 for result in found.values())
    good = sum((result.score or 0.0) >= best - BAD for result in found.values())
    found |= {result.move: result for result in _means(job, job.depth, good)}
    return sorted(found.values(), key=lambda result: -(result.score or 0.0))


def _means(job: AnalysisJob, depth: int, best: int | None = None) -> list[Result]:
    steps: dict[int, list[Result]] = {}
    limit = Limit(depth=depth + 1, selectivity=job.selectivity)
    last = _engine().analyze(job.position, limit, lambda lines: steps.update({lines[0].depth: lines}), best=best)
    before = {result.move: result.score for result in steps.get(depth, last)}
    return [_mean(result, before.get(result.move, result.score), depth) for result in last]


def value(job: AnalysisJob) -> float:
    """What a position is worth to the side to move."""
    engine, position = _engine(), job.position
    engine.new_game()  # whoever does the job, and whatever it did before, the answer is the same
    if position.empties <= job.exact:
        return engine.search(position, Limit(depth=ALL_THE_WAY)).score or 0.0
    steps: dict[int, Result] = {}
    limit = Limit(depth=job.depth + 1, selectivity=job.selectivity)
    last = engine.search(position, limit, lambda line: steps.update({line.depth: line}))
    return _mean(last, steps.get(job.depth, last).score, job.depth).score or 0.0


def _mean(result: Result, before: float | None, depth: int) -> Result:
    if result.is_move_exact or before is None or result.score is None:
        return result
    return replace(result, score=(result.score + before) / 2, depth=depth)


def _check(depth: int, exact: int) -> None:
    if not 1 <= depth < ALL_THE_WAY or not 0 <= exact <= ALL_THE_WAY:
        raise ConfigError(f"depth {depth} and exact {exact}: 1 to 59, and 0 to 60 expected")


def analyst(crew: Crew, depth: int, exact: int) -> AnalyseMany:
    """Whoever analyses for a growing book, on all hands of a crew."""
    _check(depth, exact)

    def analyse_all(positions: Iterable[Position]) -> Iterator[tuple[Position, list[Result]]]:
        jobs = (AnalysisJob(number, p.player, p.opponent, depth, exact) for number, p in enumerate(positions))
        return ((job.position, results) for job, results in crew.map(analyse, jobs))

    return analyse_all


@contextmanager
def silent(name: str, total: float | None) -> Iterator[Callable[[float], None]]:
    """A stage that nobody looks at."""
    yield lambda amount: None


def start_judge(crew: Crew, depth: int, stage: Stage = silent) -> Judge:
    """Whoever values starts, on all hands of a crew."""
    _check(depth, 0)
    search = searcher(crew, 0, stage=stage)
    return lambda positions: search([(position, depth) for position in positions])


def searcher(crew: Crew, exact: int, selectivity: int = SELECTIVITY, stage: Stage = silent) -> SearchValues:
    """Whoever values positions, each to a depth of its own, on all hands of a crew."""
    _check(1, exact)

    def value_all(asked: Sequence[tuple[Position, int]]) -> list[float]:
        jobs = [AnalysisJob(n, p.player, p.opponent, depth, exact, selectivity) for n, (p, depth) in enumerate(asked)]
        found: dict[int, float] = {}
        with stage("searching", len(jobs)) as advance:
            for job, score in crew.map(value, jobs):
                found[job.number] = score
                advance(1)
        return [found[number] for number in range(len(jobs))]

    return value_all
