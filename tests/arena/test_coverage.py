"""Intervals simulated: 95 % of them must hold the truth, whatever was played and however few games.

The truth of many players is the scale that the laboratory published (docs/lab.md, "One scale for all").
"""

from collections.abc import Callable
from itertools import combinations

import numpy as np
import pytest

from othellier.arena.rating_scale import RatingScale, Score
from othellier.arena.stats import Tally, elo, expected_score

TRUTH = [1303, 1223, 1037, 1017, 853, 811, 784, 739, 683, 623, 521, 506, 488, 462, 441, 376, 370, 317, 179, 0]
NAMES = [str(rating) for rating in TRUTH]
PAIRINGS = list(combinations(NAMES, 2))
ANCHOR = NAMES[-1]

Openings = Callable[[float], list[tuple[float, float]]]
"""Pairs of chances to win the two games of an opening, each as likely, given the expected score."""


def independent(score: float) -> list[tuple[float, float]]:
    return [(score, score)]


def alike(score: float) -> list[tuple[float, float]]:
    """Return chances for openings that suit one player or the other, with either colour."""
    shift = 0.9 * min(score, 1 - score)
    return [(score - shift, score - shift), (score + shift, score + shift)]


def opposite(score: float) -> list[tuple[float, float]]:
    """Return chances for openings that suit a colour."""
    shift = 0.9 * min(score, 1 - score)
    return [(score - shift, score + shift)]


def draw_pairs(openings: Openings, score: float, pairs: int, rng: np.random.Generator) -> list[int]:
    """Return how many pairs brought 0, 1 and 2 points."""
    chances = openings(score)
    none = sum((1 - first) * (1 - second) for first, second in chances) / len(chances)
    both = sum(first * second for first, second in chances) / len(chances)
    return [int(count) for count in rng.multinomial(pairs, [none, 1 - none - both, both])]


def simulate_match(openings: Openings, score: float, pairs: int, rng: np.random.Generator) -> Tally:
    tally = Tally()
    for outcome, count in zip([(-1, -1), (1, -1), (1, 1)], draw_pairs(openings, score, pairs, rng), strict=True):
        for _ in range(count):
            tally.add_pair(*outcome)
    return tally


def simulate_pairing(openings: Openings, score: float, pairs: int, rng: np.random.Generator) -> Score:
    none, one, both = draw_pairs(openings, score, pairs, rng)
    return Score(one + 2 * both, 2 * pairs, (none, 0, one, 0, both))


def coverage(simulate: Callable[[float], Score], runs: int) -> tuple[float, float]:
    """Return the share of intervals over the anchor that hold the truth, and the mean rating of the best player."""
    held, best = 0, 0.0
    for _ in range(runs):
        scores = {(a, b): simulate(expected_score(int(a) - int(b))) for a, b in PAIRINGS}
        rated = RatingScale(scores, NAMES).estimates(ANCHOR)
        held += sum(one.elo_low <= int(name) <= one.elo_high for name, one in rated.items() if name != ANCHOR)
        best += rated[NAMES[0]].elo
    return held / runs / (len(NAMES) - 1), best / runs


@pytest.mark.parametrize(("games", "tolerance"), [(2, 60), (10, 15), (100, 5)])
def test_ratings_over_the_anchor_hold_the_truth(games: int, tolerance: float) -> None:
    rng = np.random.default_rng(games)
    covered, best = coverage(lambda score: Score(float(rng.binomial(games, score)), games), 300)
    assert 0.93 <= covered <= 0.98
    assert best == pytest.approx(TRUTH[0], abs=tolerance)


@pytest.mark.parametrize("openings", [independent, alike, opposite])
@pytest.mark.parametrize("pairs", [1, 5])
def test_ratings_from_pairs_of_games_hold_the_truth(openings: Openings, pairs: int) -> None:
    rng = np.random.default_rng(pairs)
    covered, best = coverage(lambda score: simulate_pairing(openings, score, pairs, rng), 250)
    assert 0.93 <= covered <= 0.98
    assert best == pytest.approx(TRUTH[0], abs=60 / pairs)


@pytest.mark.parametrize("openings", [independent, alike, opposite])
@pytest.mark.parametrize("score", [0.5, 0.75, 0.95])
@pytest.mark.parametrize("pairs", [25, 100])
def test_the_interval_of_a_match_holds_the_truth(openings: Openings, score: float, pairs: int) -> None:
    """Pairs of games that end alike widen it, those that cancel narrow it."""
    rng = np.random.default_rng(pairs)
    matches = (simulate_match(openings, score, pairs, rng).estimate() for _ in range(1000))
    assert 0.93 <= np.mean([one.elo_low <= elo(score) <= one.elo_high for one in matches]) <= 0.99


def test_the_interval_of_a_match_would_not_hold_the_truth_without_pairs() -> None:
    rng = np.random.default_rng(11)
    held = []
    for _ in range(1000):
        pairs = simulate_match(alike, 0.5, 50, rng)
        single = Tally()
        for outcome, count in ((1, pairs.wins), (-1, pairs.losses)):
            for _ in range(count):
                single.add_single(outcome)
        one = single.estimate()
        held.append(one.elo_low <= 0 <= one.elo_high)
    assert np.mean(held) < 0.93
