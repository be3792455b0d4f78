"""The engine as the judge of many positions, one process a core: what growing books and lists of starts ask for.

Estimates of even and odd depths lean to opposite sides, so a value here is the mean of two depths in a row.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cache
from typing import TYPE_CHECKING

from othellier import native
from othellier.errors import ConfigError
from othellier.geometry import STANDARD
from othellier.results import Limit, Result

if TYPE_CHECKING:
    from othellier.board import Position
    from othellier.distribute import Crew
    from othellier.engine import Engine
    from othellier.openings.balanced import Judge
    from othellier.openings.build import Analyst

__all__ = ["Job", "analyse", "analyst", "judge", "value"]

HASH_MB = 32
ALL_THE_WAY = 60


@dataclass(frozen=True, slots=True)
class Job:
    """One position to look at: to `depth` and one ply more, or to the end with `exact` empty squares or fewer."""

    number: int
    player: int
    opponent: int
    depth: int
    exact: int

    @property
    def position(self) -> Position:
        """The position, Black to move: values are for the side to move."""
        return native.position(self.player, self.opponent, "black", STANDARD)


@cache
def _engine() -> Engine:
    from othellier.engine import Engine

    return Engine(hash_mb=HASH_MB)


def analyse(job: Job) -> list[Result]:
    """Every move of a position, best first."""
    engine, position = _engine(), job.position
    if position.empties <= job.exact:
        return engine.analyze(position, Limit(depth=ALL_THE_WAY))
    steps: dict[int, list[Result]] = {}
    last = engine.analyze(position, Limit(depth=job.depth + 1), lambda lines: steps.update({lines[0].depth: lines}))
    before = {result.move: result.score for result in steps.get(job.depth, last)}
    return sorted((_mean(result, before[result.move], job.depth) for result in last), key=lambda r: -(r.score or 0))


def value(job: Job) -> float:
    """What a position is worth to the side to move."""
    engine, position = _engine(), job.position
    if position.empties <= job.exact:
        return engine.search(position, Limit(depth=ALL_THE_WAY)).score or 0.0
    steps: dict[int, Result] = {}
    last = engine.search(position, Limit(depth=job.depth + 1), lambda line: steps.update({line.depth: line}))
    return _mean(last, steps.get(job.depth, last).score, job.depth).score or 0.0


def _mean(result: Result, before: float | None, depth: int) -> Result:
    if result.is_exact or before is None or result.score is None:
        return result
    return replace(result, score=(result.score + before) / 2, depth=depth)


def _jobs(positions: Sequence[Position], depth: int, exact: int) -> list[Job]:
    return [Job(number, p.player, p.opponent, depth, exact) for number, p in enumerate(positions)]


def _check(depth: int, exact: int) -> None:
    if not 1 <= depth < ALL_THE_WAY or not 0 <= exact <= ALL_THE_WAY:
        raise ConfigError(f"depth {depth} and exact {exact}: 1 to 59, and 0 to 60 expected")


def analyst(crew: Crew, depth: int, exact: int) -> Analyst:
    """Whoever analyses for a growing book, on all hands of a crew."""
    _check(depth, exact)

    def analyse_all(positions: Sequence[Position]) -> list[list[Result]]:
        found = {job.number: results for job, results in crew.map(analyse, _jobs(positions, depth, exact))}
        return [found[number] for number in range(len(positions))]

    return analyse_all


def judge(crew: Crew, depth: int) -> Judge:
    """Whoever values starts, on all hands of a crew."""
    _check(depth, 0)

    def value_all(positions: Sequence[Position]) -> list[float]:
        found = {job.number: score for job, score in crew.map(value, _jobs(positions, depth, 0))}
        return [found[number] for number in range(len(positions))]

    return value_all
