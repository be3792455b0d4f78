"""The chances a score stands for: symmetric, rising, certain where the score is proven."""

import math

import pytest

from othellier.errors import ConfigError
from othellier.evaluation.chances import Curves, chances, shipped

SCORES = [score / 2 for score in range(-128, 129)]


@pytest.mark.parametrize("empties", [1, 2, 9, 20, 33, 60])
@pytest.mark.parametrize("depth", [None, 0, 1, 5, 10, 40])
def test_chances_are_probabilities_that_rise_and_mirror(empties: int, depth: int | None) -> None:
    found = [chances(score, empties, depth=depth) for score in SCORES]
    wins = [win for win, _ in found]
    assert wins == sorted(wins)
    for score, (win, draw) in zip(SCORES, found, strict=True):
        other, same_draw = chances(-score, empties, depth=depth)
        assert 0 <= win <= 1
        assert 0 <= draw <= 1
        assert draw == pytest.approx(same_draw)
        assert win + draw + other == pytest.approx(1)
    assert wins[0] < 0.01
    assert wins[-1] > 0.99
    assert max(draw for _, draw in found) == chances(0, empties, depth=depth)[1]


@pytest.mark.parametrize(("score", "expected"), [(2, (1.0, 0.0)), (0, (0.0, 1.0)), (-2, (0.0, 0.0))])
def test_proven_scores_are_certain(score: int, expected: tuple[float, float]) -> None:
    assert chances(score, 30, exact=True) == expected
    assert chances(score, 0) == expected


def test_a_lead_is_safer_late_and_when_seen_deeply() -> None:
    by_empties = [chances(6, empties)[0] for empties in range(50, 4, -1)]
    assert by_empties == sorted(by_empties)
    assert chances(6, 20, depth=12)[0] > chances(6, 20, depth=1)[0]


def test_between_its_places_the_grid_has_straight_lines() -> None:
    curves = Curves((10.0, 20.0), (2.0, 6.0), ((2.0, 1.0), (6.0, 3.0)), ((1.0, 1.0), (1.0, 1.0)))
    width = 3.0  # halfway between the means of both rows
    expected = 1 / (1 + math.exp(-(4 - 1) / width))
    assert curves.chances(4, 15, 4)[0] == pytest.approx(expected)
    assert curves.chances(4, 60, 1) == curves.chances(4, 20, 2)


@pytest.mark.parametrize(
    "data",
    [
        {},
        {"empties": [1], "depths": [1, 2], "width": [[1, 1]], "margin": [[1, 1]]},
        {"empties": [2, 1], "depths": [1, 2], "width": [[1, 1], [1, 1]], "margin": [[1, 1], [1, 1]]},
        {"empties": [1, 2], "depths": [1, 2], "width": [[1, 1]], "margin": [[1, 1], [1, 1]]},
        {"empties": [1, 2], "depths": [1, 2], "width": [[1, 1], [1, 0]], "margin": [[1, 1], [1, 1]]},
        {"empties": [1, 2], "depths": [1, 2], "width": [[1, 1], [1, math.nan]], "margin": [[1, 1], [1, 1]]},
        {"empties": [1, 2], "depths": [1, 2], "width": [[1, 1], [1, 1]], "margin": [[1, 1], [1, -1]]},
        {"empties": [1, "b"], "depths": [1, 2], "width": [[1, 1], [1, 1]], "margin": [[1, 1], [1, 1]]},
    ],
)
def test_senseless_numbers_are_refused(data: dict[str, object]) -> None:
    with pytest.raises(ConfigError, match="chances"):
        Curves.parse(data)


def test_shipped_numbers_are_read_once() -> None:
    assert shipped() is shipped()
