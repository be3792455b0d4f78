"""Points of matches, and how sure they are."""

import pytest

from othellier.lab.conditions import Conditions
from othellier.lab.experiment import Measured


def test_points_of_conditions_have_intervals() -> None:
    pair = ("a", "b")
    found = Conditions({pair: (54, 8, 38)}, {"balanced": {pair: (60, 0, 40)}})
    told = found.total("a", "published")
    assert told is not None
    assert told.value == 16
    # Of the fifty games it was counted in and two more won and lost each: (29 - 21) / 54 and 1.96 times its spread.
    assert told.high == pytest.approx(14.8 + 25.4, abs=0.1)
    ours = found.total("a", "balanced")
    assert ours is not None
    assert ours.value == 20
    assert ours.low == pytest.approx(19.2 - 18.9, abs=0.1)  # of 104 games
    assert found.total("b", "balanced") == Measured(0, 0, 0)  # lost beyond doubt
    close = Conditions({}, {"balanced": {pair: (48, 0, 52)}}).total("a", "balanced")
    assert close is not None
    assert (close.value, close.low) == (0, 0)
    assert close.high == pytest.approx(15.4, abs=0.1)  # it might have made some
    sweep = Conditions({}, {"balanced": {pair: (16, 0, 0)}}).total("a", "balanced")
    assert sweep is not None
    assert (sweep.value, sweep.high) == (100, 100)
    assert 50 < sweep.low < 80  # sixteen games won tell less than that every game would be
