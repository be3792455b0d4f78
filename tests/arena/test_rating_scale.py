"""Ratings of many players against values worked out by hand; test_coverage.py simulates their intervals."""

import math
from itertools import pairwise

import pytest
from benchmarks import levels

from othellier.arena.rating_scale import RatingScale, Score, holm
from othellier.arena.stats import Tally, elo, expected_score


def test_two_players_are_rated_as_their_score_says() -> None:
    scale = RatingScale({("a", "b"): Score(74.5, 99)}, ["a", "b"])  # and one more that is taken for drawn: 75 of 100
    rated = scale.estimates("b")
    assert rated["a"].elo == pytest.approx(elo(0.75), abs=1e-3)
    # Information of the difference: 100 * 3/16 in units of (400 / ln 10)^2.
    reach = 1.96 * 400 / math.log(10) / math.sqrt(100 * 3 / 16)
    assert rated["a"].elo_high - rated["a"].elo == pytest.approx(reach, rel=1e-3)
    assert rated["a"].score == 74.5 / 99
    assert (rated["b"].elo, rated["b"].elo_low, rated["b"].elo_high) == (0, 0, 0)  # the anchor itself
    middle = scale.estimates()
    assert middle["a"].elo == pytest.approx(-middle["b"].elo) == pytest.approx(elo(0.75) / 2, abs=1e-3)
    assert middle["a"].elo_high - middle["a"].elo == pytest.approx(reach / 2, rel=1e-3)


def test_ratings_find_the_strengths_that_made_the_results() -> None:
    true = {"a": 150.0, "b": 20.0, "c": -30.0, "d": -140.0}
    scores = {
        (x, y): Score(expected_score(true[x] - true[y]) * 1000, 1000)
        for x, y in [("a", "b"), ("c", "b"), ("c", "d"), ("a", "d")]
    }
    rated = RatingScale(scores, true).estimates()
    assert {name: round(rated[name].elo) for name in true} == pytest.approx(true, abs=1)
    assert all(rated[x].elo > rated[y].elo for x, y in pairwise("abcd"))


def test_a_player_that_won_all_or_played_none_has_a_rating() -> None:
    scale = RatingScale({("a", "b"): Score(10, 10), ("a", "c"): Score(10, 10)}, ["a", "b", "c", "nobody"])
    rated = scale.estimates()
    assert math.isfinite(rated["a"].elo)
    assert rated["a"].elo > rated["b"].elo == pytest.approx(rated["c"].elo)
    assert rated["nobody"].elo_high == math.inf
    alone = RatingScale({}, ["a"]).estimates()["a"]
    assert (alone.elo, alone.elo_low, alone.elo_high) == (0, -math.inf, math.inf)


def test_players_that_no_games_connect_have_no_bounds_between_them() -> None:
    scale = RatingScale({("a", "b"): Score(6, 10), ("c", "d"): Score(6, 10)}, ["a", "b", "c", "d"])
    over = scale.estimates("a")
    assert math.isfinite(over["b"].elo_low)
    assert (over["c"].elo_low, over["c"].elo_high) == (-math.inf, math.inf)
    assert math.isfinite(scale.estimates()["c"].elo_low)  # over the mean of itself and its opponent
    assert scale.p_value("a", "c") == 1


def test_the_interval_of_a_difference_is_not_that_of_a_player() -> None:
    """A chain a-b-c: the error from a to c is made of both steps, that to the mean is smaller."""
    scale = RatingScale({("a", "b"): Score(50, 100), ("b", "c"): Score(50, 100)}, ["a", "b", "c"])
    over = scale.estimates("a")
    assert over["c"].elo_high == pytest.approx(over["b"].elo_high * math.sqrt(2), rel=0.01)
    assert scale.estimates()["c"].elo_high < over["b"].elo_high


def test_pairs_of_games_are_one_observation() -> None:
    """Games that follow their opening say less than independent ones, games that swap with it more."""
    alike, apart = Tally(), Tally()
    for number in range(40):
        alike.add_pair(*((2, 2) if number % 2 else (-2, -2)))
        apart.add_pair(2, -2)
    reach = {
        name: RatingScale({("a", "b"): score}, ["a", "b"]).estimates("b")["a"].elo_high
        for name, score in (("alike", Score.of(alike)), ("apart", Score.of(apart)), ("unknown", Score(40, 80)))
    }
    # The variance of a pair of points: 1 where both games end alike, 0 where they cancel, 1/2 if independent.
    assert reach["alike"] == pytest.approx(reach["unknown"] * math.sqrt(2), rel=0.05)
    assert reach["apart"] < reach["unknown"] / 3


def test_scores_are_turned_and_added() -> None:
    score = Score(1.5, 4, (0, 1, 1, 0, 0))
    assert score.turned() == Score(2.5, 4, (0, 0, 1, 1, 0))
    assert score + score.turned() == Score(4, 8, (0, 1, 2, 1, 0))


def test_holm_by_hand() -> None:
    assert holm([]) == []
    assert holm([0.04]) == [0.04]
    # Sorted 0.001, 0.02, 0.03, 0.5: times 4, 3, 2 and 1, never less than the one before.
    assert holm([0.5, 0.02, 0.001, 0.03]) == pytest.approx([0.5, 0.06, 0.004, 0.06])
    assert holm([0.9, 0.8]) == [1, 1]


def test_two_of_many_equal_players_rarely_differ_after_holm() -> None:
    """With the scores of equals one pair of 45 may look beyond chance by itself, and does not for the family."""
    names = [str(number) for number in range(10)]
    scores = {(a, b): Score(50, 100) for a in names for b in names if a < b}
    scores["0", "1"] = Score(62, 100)
    scale = RatingScale(scores, names)
    values = [scale.p_value(a, b) for a in names for b in names if a < b]
    assert min(values) == scale.p_value("0", "1")
    assert min(holm(values)) > 0.05


def test_the_page_of_levels_is_read_back() -> None:
    scores = {
        ("random moves", "pip"): Score(3.5, 8, (0, 1, 3, 0, 0)),
        ("random moves", "nora"): Score(2, 8),  # of an older page, without pairs
    }
    page = levels.document(scores, 8)
    assert levels.read(page) == scores
    assert levels.read("| random moves | pip | 101.5 | 200 |") == {("random moves", "pip"): Score(101.5, 200)}
    rated = levels.rate(scores)
    assert rated["random moves"].elo == 0 < rated["pip"].elo < rated["nora"].elo
    assert f"| nora | {rated['nora'].elo:.0f} |" in page
