"""Elo ratings of many players on one scale, with the errors of their differences. Pure functions, no games.

Ratings are only differences: a player has one relative to another, its anchor (in the laboratory and among the
levels the random player), or relative to the mean of all. The error of a difference is not that of either player.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from othellier.arena.stats import PAIR_SCORES, Estimate, Tally, Z

__all__ = ["RatingScale", "Score", "holm"]

_Floats: TypeAlias = npt.NDArray[np.floating]
_Mask: TypeAlias = npt.NDArray[np.bool_]

PRIOR_PAIRS = 2
"""Pairs, spread as independent games are, that are added before a variance is estimated: a few may all be alike."""


@dataclass(frozen=True, slots=True)
class Score:
    """Points of one player against another, and how they came in pairs of games.

    >>> Score(3.0, 4, (0, 0, 1, 0, 1)) + Score(0.5, 1)
    Score(points=3.5, games=5, pairs=(0, 0, 1, 0, 1))
    """

    points: float = 0.0
    games: int = 0
    pairs: tuple[int, ...] = (0, 0, 0, 0, 0)
    """Number of pairs that brought 0, 1/2, 1, 3/2 and 2 points, as far as the games are known in pairs."""

    @classmethod
    def of(cls, tally: Tally) -> Score:
        """Return what a tally counted, from the side of its player."""
        return cls(tally.wins + tally.draws / 2, tally.games, tuple(tally.pairs))

    def turned(self) -> Score:
        """Return the same games from the side of the opponent."""
        return Score(self.games - self.points, self.games, self.pairs[::-1])

    def __add__(self, other: Score) -> Score:
        pairs = tuple(mine + theirs for mine, theirs in zip(self.pairs, other.pairs, strict=True))
        return Score(self.points + other.points, self.games + other.games, pairs)


class RatingScale:
    """The likeliest ratings by Bradley and Terry's model, with the covariance of their errors.

    Each player is taken to have drawn one game more, shared among its opponents: that keeps a player that won
    everything within reach, and moves the others little. The errors follow the spread of the pairs of games where
    it is known, and else that of independent games (Huber's "sandwich"). tests/arena/test_coverage.py simulates how
    often the intervals hold the truth.

    >>> scale = RatingScale({("a", "b"): Score(74.5, 99)}, ["a", "b"])
    >>> round(scale.estimates("b")["a"].elo)
    191
    """

    def __init__(self, scores: Mapping[tuple[str, str], Score], names: Iterable[str]) -> None:
        """Fit the ratings.

        Args:
            scores: the points of the first of two players against the second, for each pairing that was played
            names: all players
        """
        self._places = {name: place for place, name in enumerate(names)}
        met = {pair: score for pair, score in scores.items() if score.games}
        first, second = (np.array([self._places[pair[side]] for pair in met], np.intp) for side in (0, 1))
        games = np.array([score.games for score in met.values()], np.float64)
        won = np.array([score.points for score in met.values()], np.float64)
        count = len(self._places)
        self._points = np.bincount(first, won, count) + np.bincount(second, games - won, count)
        self._games = np.bincount(first, games, count) + np.bincount(second, games, count)
        prior = (games / self._games[first] + games / self._games[second]) / 2

        def matrix(weights: _Floats) -> _Floats:
            """Return the sum over all pairings of their weights times the square of the difference of the ratings."""
            made = np.zeros((count, count))
            np.add.at(made, (first, second), -weights)
            made += made.T
            return made - np.diag(made.sum(axis=1))

        slope = math.log(10) / 400
        self._values = np.zeros(count)
        for _ in range(100):
            chance = 1 / (1 + 10 ** ((self._values[second] - self._values[first]) / 400))
            spread = chance * (1 - chance)
            # Ratings are only known up to a constant: the pseudo-inverse keeps their mean.
            inverse = np.linalg.pinv(matrix(slope**2 * (games + prior) * spread), hermitian=True)
            surplus = slope * (won + prior / 2 - (games + prior) * chance)
            step = inverse @ (np.bincount(first, surplus, count) - np.bincount(second, surplus, count))
            if not met or float(np.abs(step).max()) < 1e-6:
                break
            self._values += np.clip(step, -400, 400)
        reach = inverse[first, first] + inverse[second, second] - 2 * inverse[first, second]
        pairs = np.array([score.pairs for score in met.values()], np.float64).reshape(-1, len(PAIR_SCORES))
        squares = (pairs * (2 * (np.array(PAIR_SCORES) - chance[:, None])) ** 2).sum(axis=1)
        squares /= 1 - slope**2 * 2 * spread * reach  # the fit lies nearer to each pair than the truth does
        played = pairs.sum(axis=1)
        of_pair = (squares + PRIOR_PAIRS * 2 * spread) / (played + PRIOR_PAIRS)
        variance = played * of_pair + (games - 2 * played + prior) * spread
        self._covariance = inverse @ matrix(slope**2 * variance) @ inverse
        self._groups = np.arange(count)
        for _ in range(count):  # the least place of all players that games connect with a player
            np.minimum.at(self._groups, first, self._groups[second])
            np.minimum.at(self._groups, second, self._groups[first])

    def estimates(self, anchor: str | None = None) -> dict[str, Estimate]:
        """Return each player's rating as the difference to the anchor's, with the 95 % interval of that difference.

        Without an anchor it is the difference to the mean of all players that games connect with the player.
        A difference to a player that no games lead to has no bounds. `score` is the points a game really made.
        """
        found = {}
        for name, place in self._places.items():
            others = self._groups == self._groups[place] if anchor is None else self._only(anchor)
            value, error = self._difference(place, others)
            games = float(self._games[place])
            reach = Z * error if games else math.inf
            score = float(self._points[place]) / games if games else 0.5
            found[name] = Estimate(score, value, value - reach, value + reach)
        return found

    def p_value(self, first: str, second: str) -> float:
        """Return the chance of a difference as large as the one between two players, were they equally strong."""
        value, error = self._difference(self._places[first], self._only(second))
        return math.erfc(abs(value) / error / math.sqrt(2)) if error else 1.0

    def _only(self, name: str) -> _Mask:
        places: _Mask = np.arange(len(self._values)) == self._places[name]
        return places

    def _difference(self, place: int, others: _Mask) -> tuple[float, float]:
        """Return a player's rating less the mean of the others', and the standard error of that."""
        contrast = others / -others.sum()
        contrast[place] += 1
        connected = bool((self._groups[others] == self._groups[place]).all())
        error = math.sqrt(max(0.0, float(contrast @ self._covariance @ contrast)))
        return float(contrast @ self._values), error if connected else math.inf


def holm(p_values: Sequence[float]) -> list[float]:
    """Return p-values corrected for how many there are (Holm, 1979): below 0.05 none is a mere accident, with 95 %.

    >>> holm([0.01, 0.04, 0.03])
    [0.03, 0.06, 0.06]
    """
    corrected, least = [0.0] * len(p_values), 0.0
    for rank, place in enumerate(sorted(range(len(p_values)), key=p_values.__getitem__)):
        least = max(least, min(1.0, (len(p_values) - rank) * p_values[place]))
        corrected[place] = least
    return corrected
