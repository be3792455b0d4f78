"""Strength of two players from their results: scores, Elo with error bars, SPRT. Pure functions, no games.

Games from the same opening with the colours swapped are not independent, so a pair of them is one
observation: there are five outcomes of a pair (0, 1/2, 1, 3/2 and 2 points), whence "pentanomial".
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from othellier.errors import ConfigError

__all__ = ["Estimate", "Sprt", "Tally", "Verdict", "elo", "expected_score", "points", "wilson"]

Z = 1.959964
"""Standard deviations on each side of a 95 % interval."""

PAIR_SCORES = (0.0, 0.25, 0.5, 0.75, 1.0)
"""The outcomes of a pair, as points a game."""


def elo(score: float) -> float:
    """The rating difference that makes this score (0 to 1) the expected one; infinite at both ends.

    >>> round(elo(0.64), 2), elo(0.5), elo(1)
    (99.95, 0.0, inf)
    """
    if not 0 < score < 1:
        return math.inf if score >= 1 else -math.inf
    return 400 * math.log10(score / (1 - score)) + 0.0


def expected_score(difference: float) -> float:
    """The score expected of a player rated higher by this: the inverse of `elo`.

    >>> round(expected_score(400), 4)
    0.9091
    """
    return 1 / (1 + 10 ** (-difference / 400))


def wilson(score: float, games: float, z: float = Z) -> tuple[float, float]:
    """The interval of true scores a measured one is compatible with (Wilson, 1927); never empty, never outside 0 to 1.

    >>> low, high = wilson(1.0, 10)
    >>> round(low, 4), high
    (0.7225, 1.0)
    """
    square = z * z / games
    middle = score + square / 2
    reach = math.sqrt(square * (score * (1 - score) + square / 4))
    low, high = (middle - reach) / (1 + square), (middle + reach) / (1 + square)
    return (low if score > 0 else 0.0), (high if score < 1 else 1.0)  # at the ends, without rounding


@dataclass(frozen=True, slots=True)
class Estimate:
    """A score from 0 to 1 and the Elo difference it stands for, with the ends of a 95 % interval.

    >>> Estimate(score=0.75, elo=191.0, elo_low=100.0, elo_high=300.0).elo
    191.0
    """

    score: float
    elo: float
    elo_low: float
    elo_high: float

    def __str__(self) -> str:
        return f"{self.elo:+.0f} Elo [{self.elo_low:+.0f}, {self.elo_high:+.0f}]"


class Tally:
    """Results counted from one player's side: games, pairs of games, discs.

    A game that was won or lost by somebody's failure has an infinite disc difference: it counts as a game, but
    says nothing about discs.

    >>> tally = Tally()
    >>> tally.add_pair(12, -2); tally.add_pair(4, 0); tally.add_single(64)
    >>> (tally.wins, tally.draws, tally.losses), tally.pairs, round(tally.discs, 2)
    ((3, 1, 1), [0, 0, 1, 1, 0], 15.6)
    """

    def __init__(self) -> None:
        self.pairs = [0, 0, 0, 0, 0]
        """How many pairs brought 0, 1/2, 1, 3/2 and 2 points."""
        self.singles = [0, 0, 0]
        """How many games in no pair were lost, drawn and won."""
        self.wins = self.draws = self.losses = 0
        self.on_board = 0
        """How many games were decided on the board."""
        self.difference = 0.0
        """The sum of their disc differences."""

    def add_pair(self, first: float, second: float) -> None:
        """Count the two games of an opening by their disc differences."""
        self.pairs[self._count(first) + self._count(second)] += 1

    def add_single(self, difference: float) -> None:
        """Count a game that has no other with the colours swapped."""
        self.singles[self._count(difference)] += 1

    def _count(self, difference: float) -> int:
        """Half points of one game."""
        if math.isfinite(difference):
            self.on_board += 1
            self.difference += difference
        if difference > 0:
            self.wins += 1
            return 2
        if difference < 0:
            self.losses += 1
            return 0
        self.draws += 1
        return 1

    @property
    def games(self) -> int:
        """How many games were counted."""
        return self.wins + self.draws + self.losses

    @property
    def score(self) -> float:
        """Points a game, from 0 to 1; a half where there are no games."""
        return (self.wins + self.draws / 2) / self.games if self.games else 0.5

    @property
    def discs(self) -> float:
        """Mean disc difference of the games decided on the board; not a number where there are none."""
        return self.difference / self.on_board if self.on_board else math.nan

    def variance(self) -> float:
        """The variance of the score, from the spread of the pairs and that of the single games.

        Zero where all fared alike: then nothing was learnt about the spread.
        """
        spread = _spread(self.pairs, (0.0, 0.5, 1.0, 1.5, 2.0)) + _spread(self.singles, (0.0, 0.5, 1.0))
        return spread / self.games**2 if self.games else 0.0

    def estimate(self) -> Estimate:
        """The score and the Elo difference with its 95 % interval.

        The interval is Wilson's for as many independent games as would vary like these did; where nothing
        varied, a pair counts as one game.
        """
        score, variance = self.score, self.variance()
        if not self.games:
            return Estimate(score, 0.0, -math.inf, math.inf)
        varied = variance > 0 and 0 < score < 1
        independent = score * (1 - score) / variance if varied else self.games - sum(self.pairs)
        low, high = wilson(score, independent)
        return Estimate(score, elo(score), elo(low), elo(high))


def _spread(counts: Sequence[int], values: Sequence[float]) -> float:
    """The variance of the sum of so many independent observations of these values."""
    total = sum(counts)
    if total < 2:
        return 0.0
    mean = sum(n * value for n, value in zip(counts, values, strict=True)) / total
    squares = sum(n * (value - mean) ** 2 for n, value in zip(counts, values, strict=True))
    return total * squares / (total - 1)


# -- the sequential test

Verdict = Literal["", "accepted", "rejected"]


@dataclass(frozen=True, slots=True)
class Sprt:
    """Is a player better by `elo1` rather than by `elo0`? Games are played until one can tell.

    The generalised likelihood ratio: of all distributions of pair results with a given mean, the one
    that explains the results best stands for it. The errors of either kind are `alpha` and `beta`.
    """

    elo0: float
    elo1: float
    alpha: float = 0.05
    beta: float = 0.05

    def __post_init__(self) -> None:
        if not (self.alpha > 0 and self.beta > 0 and self.alpha + self.beta < 1):
            expected = "two chances of an error expected, above 0 and together below 1"
            raise ConfigError(f"sprt alpha={self.alpha:g}, beta={self.beta:g}: {expected}")
        if not (math.isfinite(self.elo0) and math.isfinite(self.elo1) and self.elo0 < self.elo1):
            raise ConfigError(f"sprt {self.elo0:g},{self.elo1:g}: two Elo differences expected, the smaller one first")

    @classmethod
    def parse(cls, text: str, alpha: float = 0.05, beta: float = 0.05) -> Sprt:
        """Read `e0,e1`.

        >>> Sprt.parse("0,10")
        Sprt(elo0=0.0, elo1=10.0, alpha=0.05, beta=0.05)
        """
        try:
            low, high = (float(part) for part in text.split(","))
        except ValueError:
            raise ConfigError(f"sprt {text!r}: two Elo differences such as 0,10 expected") from None
        return cls(low, high, alpha, beta)

    @property
    def bounds(self) -> tuple[float, float]:
        """The log-likelihood ratios at which the better hypothesis is rejected or accepted (Wald, 1945)."""
        return math.log(self.beta / (1 - self.alpha)), math.log((1 - self.beta) / self.alpha)

    def llr(self, pairs: Sequence[int]) -> float:
        """The log-likelihood ratio of `elo1` to `elo0` given how often pairs brought 0, 1/2, 1, 3/2, 2 points."""
        if not any(pairs):
            return 0.0
        # A little of everything, so that some distribution has any mean asked for.
        counts = [max(n, 1e-3) for n in pairs]
        return _likelihood(counts, expected_score(self.elo1)) - _likelihood(counts, expected_score(self.elo0))

    def verdict(self, pairs: Sequence[int]) -> Verdict:
        """Whether `elo1` is accepted or rejected; empty while more games are needed."""
        lower, upper = self.bounds
        ratio = self.llr(pairs)
        return "accepted" if ratio >= upper else "rejected" if ratio <= lower else ""


def _likelihood(counts: Sequence[float], mean: float) -> float:
    """The log-likelihood of the pair results under the likeliest distribution with this mean, up to a constant.

    That distribution gives outcome i the share n_i / (1 + t (x_i - mean)) of all (Owen, 2001); the t that
    makes its mean right is found by halving.
    """
    offsets = [value - mean for value in PAIR_SCORES]
    low, high = -1 / offsets[-1], -1 / offsets[0]
    for _ in range(100):
        middle = (low + high) / 2
        if sum(n * x / (1 + middle * x) for n, x in zip(counts, offsets, strict=True)) > 0:
            low = middle
        else:
            high = middle
    tilt = (low + high) / 2
    return -sum(n * math.log1p(tilt * x) for n, x in zip(counts, offsets, strict=True))


# -- points


def points(wins: int, draws: int, losses: int) -> float:
    """Points for a match as the INSA report gives them: per cent of games won less per cent lost, or 0.

    >>> points(27, 4, 19)
    16.0
    """
    games = wins + draws + losses
    return max(0.0, 100 * (wins - losses) / games) if games else 0.0
