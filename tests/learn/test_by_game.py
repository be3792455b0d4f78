"""Intervals over games, simulated: 95 % of them hold the truth, where those over positions do not."""

import numpy as np
import pytest

from othellier.arena.stats import wilson
from othellier.lab.conclusions import level
from othellier.learn.by_game import share_by_game
from othellier.learn.classifier_report import STAGES, Method, Results

TRUTH, GAMES, POSITIONS = 0.7, 80, 25


def simulate(rng: np.random.Generator) -> tuple[np.ndarray, np.ndarray]:
    """Return positions of games that have one result each, and the games they come from."""
    positions = rng.integers(1, POSITIONS, GAMES)
    return np.repeat(rng.random(GAMES) < TRUTH, positions), np.repeat(np.arange(GAMES), positions)


def test_intervals_over_games_hold_the_truth_and_those_over_positions_do_not() -> None:
    rng = np.random.default_rng(1)
    by_game, by_position = [], []
    for _ in range(400):
        hits, games = simulate(rng)
        share, low, high = share_by_game(hits, games, resamples=300)
        assert share == pytest.approx(hits.mean())
        by_game.append(low <= TRUTH <= high)
        low, high = wilson(share, len(hits))
        by_position.append(low <= TRUTH <= high)
    assert 0.92 <= np.mean(by_game) <= 0.98
    assert np.mean(by_position) < 0.6


def test_positions_of_games_apart_are_as_many_observations() -> None:
    hits = np.random.default_rng(2).random(400) < TRUTH
    share, low, high = share_by_game(hits, np.arange(400))
    assert (low, high) == pytest.approx(wilson(share, 400), abs=0.01)


def test_leads_over_many_rivals_hold_together() -> None:
    """Of twenty rivals that are as good as the classifier one often seems better or worse, taken by itself."""
    rng = np.random.default_rng(4)
    seemed, corrected = 0, 0
    for _ in range(40):
        truth = rng.integers(0, 3, 900)
        methods = [
            Method(str(place), "heuristic", rng.dirichlet((1, 1, 1), 900).astype(np.float32)) for place in range(21)
        ]
        results = Results(np.repeat(STAGES, 300), truth, np.arange(900, dtype=np.int32), methods)
        heading, _, *rivals = results.stages()
        at = heading.index("classifier ahead by")
        leads = [[float(cell) for cell in row[at : at + 3]] for row in rivals]
        corrected += any(low > 0 or high < 0 for _, low, high in leads)
        narrow = 1.96 / level(len(STAGES) * 20)
        seemed += any(abs(lead) > narrow * (high - low) / 2 for lead, low, high in leads)
    assert seemed > 10
    assert corrected < 5


@pytest.mark.parametrize("hit", [True, False])
def test_where_all_fared_alike_games_are_counted(hit: bool) -> None:
    assert share_by_game(np.full(60, hit), np.repeat(np.arange(6), 10)) == (hit, *wilson(float(hit), 6))


def test_the_calibration_of_a_report_is_over_games() -> None:
    """Positions of a game share its result: the interval is several times wider than one over positions."""
    rng = np.random.default_rng(3)
    won, games = simulate(rng)
    chances = np.tile(np.array([0.15, 0.1, 0.75], np.float32), (len(won), 1))
    method = Method("classifier", "classifier", chances)
    results = Results(np.full(len(won), 40), 2 * won.astype(np.int64), games.astype(np.int32), [method])
    heading, (chance, share, low, high, positions, count) = results.reliability()
    assert heading[-2:] == ["positions", "games"]
    assert (float(chance), int(positions), int(count)) == (0.75, len(won), GAMES)
    assert float(share) == pytest.approx(won.mean(), abs=1e-4)
    narrow = wilson(float(share), len(won))
    assert float(high) - float(low) > 2 * (narrow[1] - narrow[0])
