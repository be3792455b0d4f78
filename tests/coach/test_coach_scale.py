"""The one scale: the limits at which one word becomes another, to the last bit, and what accuracy tells."""

import itertools
import math

import pytest

from othellier.coach.scale import CHANCE_LIMITS, DISC_LIMITS, SAME, accuracy, label_for

DISCS = [(3.0, "good", "inaccuracy"), (6.0, "inaccuracy", "mistake"), (12.0, "mistake", "blunder")]
CHANCES = [(0.05, "good", "inaccuracy"), (0.10, "inaccuracy", "mistake"), (0.20, "mistake", "blunder")]


@pytest.mark.parametrize(("limit", "below", "above"), DISCS)
def test_words_for_discs_change_at_their_limits(limit: float, below: str, above: str) -> None:
    assert label_for(math.nextafter(limit, 0), 0.0) == below
    assert label_for(limit, 0.0) == above


@pytest.mark.parametrize(("limit", "below", "above"), CHANCES)
def test_words_for_chances_change_at_their_limits(limit: float, below: str, above: str) -> None:
    assert label_for(2.0, math.nextafter(limit, 0)) == below
    assert label_for(2.0, limit) == above


def test_two_moves_as_good_as_equal_are_equal() -> None:
    assert [label_for(loss, 0.0) for loss in (0.0, math.nextafter(SAME, 0), SAME)] == ["best", "best", "good"]
    assert label_for(math.nextafter(SAME, 0), 0.9) == "best"


def test_the_worse_word_counts() -> None:
    names = ["best", "good", "inaccuracy", "mistake", "blunder"]
    for loss in (0.5, 2.0, 3.0, 7.0, 13.0):
        for lost in (0.0, 0.06, 0.15, 0.5):
            both = names.index(label_for(loss, lost))
            assert both == max(names.index(label_for(loss, 0.0)), names.index(label_for(SAME, lost)))


@pytest.mark.parametrize("lost", [0.0, 0.01, 0.5, 1.0])
def test_ten_discs_are_never_good(lost: float) -> None:
    assert label_for(10.0, lost) in ("mistake", "blunder")


def test_accuracy_falls_with_every_disc_and_every_chance() -> None:
    assert accuracy(0, 0) == 100
    assert accuracy(DISC_LIMITS["blunder"], 0) == accuracy(0, CHANCE_LIMITS["blunder"]) == 50
    for lost in (0.0, 0.3, 1.0):
        falling = [accuracy(discs / 4, lost) for discs in range(129)]
        assert all(a > b for a, b in itertools.pairwise(falling))
    for loss in (0.0, 10.0, 64.0):
        falling = [accuracy(loss, lost / 50) for lost in range(51)]
        assert all(a > b for a, b in itertools.pairwise(falling))
