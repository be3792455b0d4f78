"""Scores, Elo, error bars and SPRT against values worked out by hand; test_coverage.py simulates them."""

import math

import pytest

from othellier.arena.stats import Sprt, Tally, elo, expected_score, points, wilson
from othellier.errors import ConfigError


def tally_of(*pairs: tuple[int, int]) -> Tally:
    tally = Tally()
    for first, second in pairs:
        tally.add_pair(first, second)
    return tally


def test_elo_is_the_inverse_of_the_expected_score() -> None:
    assert elo(0.75) == pytest.approx(400 * math.log10(3))  # 190.85
    assert elo(0.5) == 0
    for difference in (-500, -10, 0, 3, 250):
        assert elo(expected_score(difference)) == pytest.approx(difference)
    assert (elo(0), elo(1)) == (-math.inf, math.inf)


def test_wilson_by_hand() -> None:
    # z = 2, 12 games, score 3/4: z²/n = 1/3, the middle is (3/4 + 1/6) / (4/3) = 11/16.
    low, high = wilson(0.75, 12, z=2)
    reach = 0.75 * math.sqrt((3 / 16 + 1 / 12) / 3)
    assert low == pytest.approx(11 / 16 - reach)
    assert high == pytest.approx(11 / 16 + reach)
    assert wilson(1, 12, z=2) == pytest.approx((0.75, 1.0))
    assert wilson(0, 12, z=2) == pytest.approx((0.0, 0.25))


def test_a_tally_counts_games_pairs_and_discs() -> None:
    tally = tally_of((10, 2), (10, -4), (6, 0), (-2, -2))
    tally.add_single(-12)
    assert (tally.wins, tally.draws, tally.losses, tally.games) == (4, 1, 4, 9)
    assert tally.pairs == [1, 0, 1, 1, 1]
    assert tally.singles == [1, 0, 0]
    assert tally.score == 4.5 / 9
    assert tally.discs == pytest.approx(8 / 9)


def test_the_variance_is_that_of_the_pairs() -> None:
    # Pairs bring 2, 2, 1 and 1 points: mean 3/2, variance of one 1/3, of the sum 4/3, of the score 4/3 / 64.
    assert tally_of((1, 1), (1, 1), (1, -1), (-1, 1)).variance() == pytest.approx(4 / 3 / 64)
    # The same games, were they independent: 6 points of 8, variance of one 3/14, of the sum 12/7.
    single = Tally()
    for difference in (1, 1, 1, -1, 1, 1, -1, 1):
        single.add_single(difference)
    assert single.variance() == pytest.approx(12 / 7 / 64)


def test_error_bars_follow_the_variance() -> None:
    estimate = tally_of((1, 1), (1, 1), (1, -1), (-1, 1)).estimate()
    assert estimate.score == 0.75
    low, high = wilson(0.75, (3 / 16) / (4 / 3 / 64))  # nine independent games would vary as much
    assert (estimate.elo_low, estimate.elo, estimate.elo_high) == (elo(low), elo(0.75), elo(high))


def test_where_nothing_varies_a_pair_is_one_game() -> None:
    for pairs, score in (([(5, 5)] * 10, 1.0), ([(5, -5)] * 10, 0.5)):
        estimate = tally_of(*pairs).estimate()
        low, high = wilson(score, 10)
        assert (estimate.elo_low, estimate.elo_high) == (elo(low), elo(high))
    assert tally_of(*[(5, 5)] * 10).estimate().elo_high == math.inf


def test_no_games_say_nothing() -> None:
    estimate = Tally().estimate()
    assert (estimate.score, estimate.elo_low, estimate.elo_high) == (0.5, -math.inf, math.inf)


# -- SPRT


def test_bounds_by_hand() -> None:
    assert Sprt(0, 5).bounds == pytest.approx((-2.9444, 2.9444), abs=1e-4)


def test_bounds_of_unequal_errors_by_hand() -> None:
    """Wald: accept at ln((1 - beta) / alpha), reject at ln(beta / (1 - alpha))."""
    test = Sprt(0, 5, alpha=0.01, beta=0.2)
    assert test.bounds == pytest.approx((math.log(0.2 / 0.99), math.log(0.8 / 0.01)))
    lower, upper = test.bounds
    assert -lower < upper
    for won in range(0, 4000, 50):
        pairs = [2000, 0, 0, 0, won]
        ratio = test.llr(pairs)
        assert test.verdict(pairs) == ("accepted" if ratio >= upper else "rejected" if ratio <= lower else "")
    assert {test.verdict([won, 0, 0, 0, 2000]) for won in range(1000, 2100, 10)} == {"accepted", "", "rejected"}


def test_pairs_count_by_their_points() -> None:
    """With pairs of 1/2 and 3/2 points only, a game's mean m needs a share of 2 m - 1/2 of the better ones."""
    better, worse = 70, 30

    def likelihood(mean: float) -> float:
        share = 2 * mean - 0.5
        return better * math.log(share) + worse * math.log(1 - share)

    expected = likelihood(expected_score(40)) - likelihood(0.5)
    assert Sprt(0, 40).llr([0, worse, 0, better, 0]) == pytest.approx(expected, abs=1e-2)


def test_the_likelihood_ratio_by_hand() -> None:
    """With pairs lost or won outright only, the likeliest distribution with a mean is fixed by that mean."""
    won, lost = 60, 40
    better = expected_score(20)
    by_hand = won * math.log(better / 0.5) + lost * math.log((1 - better) / 0.5)
    assert Sprt(0, 20).llr([lost, 0, 0, 0, won]) == pytest.approx(by_hand, abs=1e-2)


def test_the_likelihood_ratio_is_the_difference_of_best_explanations() -> None:
    """Against a search among distributions with three outcomes, where one number is free."""
    counts = [20, 0, 50, 0, 30]

    def best(mean: float) -> float:
        # p(1) = s, p(1/2) = 2 (mean - s), p(0) the rest
        shares = (s / 100_000 for s in range(1, 100_000))
        return max(
            30 * math.log(s) + 50 * math.log(2 * (mean - s)) + 20 * math.log(1 + s - 2 * mean)
            for s in shares
            if 2 * mean - 1 < s < mean
        )

    expected = best(expected_score(30)) - best(expected_score(-10))
    assert Sprt(-10, 30).llr(counts) == pytest.approx(expected, abs=1e-2)


def test_verdicts() -> None:
    test = Sprt.parse("0,30")
    assert test.verdict([0, 0, 0, 0, 0]) == ""
    assert test.verdict([10, 20, 40, 20, 10]) == ""
    assert test.verdict([100, 200, 400, 300, 200]) == "accepted"
    assert test.verdict([200, 300, 400, 200, 100]) == "rejected"
    assert test.llr([1, 2, 4, 2, 1]) < 0 < test.llr([1, 2, 4, 3, 2])


@pytest.mark.parametrize("text", ["", "1", "a,b", "10,0", "5,5", "0,inf", "nan,1", "1,2,3"])
def test_wrong_hypotheses_are_refused(text: str) -> None:
    with pytest.raises(ConfigError, match="sprt"):
        Sprt.parse(text)


# -- points


def test_points_of_the_published_table() -> None:
    """Table 6.2: positional against absolute was won by 54 % to 38 %, against mobility lost by 46 % to 52 %."""
    assert points(27, 4, 19) == 16
    assert points(23, 1, 26) == 0
    assert points(26, 1, 23) == 6
    assert points(0, 0, 0) == 0
