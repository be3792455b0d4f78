"""Conclusions of an experiment: sentences derived from the numbers of its run, and the tests they rest on.

A sentence stands only where the numbers carry it. Every experiment has a function that takes its measurements and
returns such sentences; where chance may explain a difference, the sentence says that the run cannot tell. Templates
hold no numbers: those of the run stand in their places. Where several comparisons answer one question, each is judged
at the level that keeps the error of the whole family at five per cent (Bonferroni).
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from statistics import NormalDist
from typing import Any, Self

from othellier.arena.stats import Tally, wilson
from othellier.lab.words import Words

__all__ = ["Conclusions", "Observed", "compare", "judge", "level"]

ERROR = 0.05
"""Chance of at least one false difference in a family of comparisons."""


def level(family: int) -> float:
    """Standard deviations on each side of an interval that is one of a family of comparisons.

    >>> round(level(1), 2), round(level(13), 2)
    (1.96, 2.89)
    """
    return NormalDist().inv_cdf(1 - ERROR / (2 * max(1, family)))


@dataclass(frozen=True, slots=True)
class Observed:
    """A count out of a number of independent observations: games won, points made, right moves."""

    count: float
    of: float

    @classmethod
    def points(cls, tally: Tally) -> Self:
        """Points of a match whose pairs of games vary as those of the tally did: no more than its games."""
        score, variance = tally.score, tally.variance()
        varied = variance > 0 and 0 < score < 1
        games = score * (1 - score) / variance if varied else tally.games - sum(tally.pairs)
        games = min(games, tally.games)
        return cls(score * games, games)

    @property
    def share(self) -> float:
        """The count as a share from 0 to 1."""
        return self.count / self.of if self.of else 0.5

    def interval(self, family: int = 1) -> tuple[float, float]:
        """Return Wilson's interval of the share, as one of a family of comparisons."""
        return wilson(self.share, self.of, level(family)) if self.of else (0.0, 1.0)


def compare(first: Observed, second: Observed | None = None, family: int = 1) -> int:
    """Return 1 if the first share is larger beyond chance, -1 if it is smaller, 0 if the numbers cannot tell.

    Without a second share the first one is compared with a half. The interval of the difference is Newcombe's (1998).

    >>> compare(Observed(60, 100)), compare(Observed(60, 100), family=13), compare(Observed(30, 50), Observed(10, 50))
    (1, 0, 1)
    """
    low, high = first.interval(family)
    if second is None:
        return (low > 0.5) - (high < 0.5)
    other_low, other_high = second.interval(family)
    difference = first.share - second.share
    least = difference - math.hypot(first.share - low, other_high - second.share)
    most = difference + math.hypot(high - first.share, second.share - other_low)
    return (least > 0) - (most < 0)


def judge(parts: Mapping[str, Observed]) -> dict[str, int]:
    """Compare each share with a half as `compare` does, as one family of comparisons.

    >>> judge({"first": Observed(60, 100)}), judge({"first": Observed(60, 100), "second": Observed(30, 50)})
    ({'first': 1}, {'first': 0, 'second': 0})
    """
    return {name: compare(part, family=len(parts)) for name, part in parts.items()}


class Conclusions:
    """Sentences in the language of the run, in the order in which they were added.

    >>> conclude = Conclusions(Words())
    >>> conclude("{name} wins.", name="Black")
    >>> conclude.sentences
    ['Black wins.']
    """

    def __init__(self, say: Words) -> None:
        self.say = say
        self.sentences: list[str] = []

    def __call__(self, text: str, /, **values: Any) -> None:
        """Add a sentence; its numbers come from the values."""
        self.sentences.append(self.say(text, **values))

    def part(self, part: Observed, family: int = 1) -> str:
        """Return a share in per cent with its interval: "60 % [50, 69]"."""
        ends = (100 * end for end in (part.share, *part.interval(family)))
        value, low, high = (f"{end:.0f}" for end in ends)
        return f"{value} % [{low}{self.say.between}{high}]"

    def listed(self, names: Iterable[str]) -> str:
        """Return names of the code in the language, one after the other."""
        return ", ".join(map(self.say, names))
