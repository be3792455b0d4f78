"""Moves in words: the limits at which one word becomes another, to the last bit."""

from __future__ import annotations

import math

import pytest

from othellier import native
from othellier.analysis import MoveReport, label_for
from othellier.game import Game
from othellier.results import Result

LIMITS = [
    (0.5, "best", "good"),
    (2.5, "good", "inaccuracy"),
    (5.5, "inaccuracy", "mistake"),
    (9.5, "mistake", "blunder"),
]


@pytest.mark.parametrize(("limit", "below", "above"), LIMITS)
def test_labels_change_at_their_limits(limit: float, below: str, above: str) -> None:
    assert label_for(math.nextafter(limit, 0)) == below
    assert label_for(limit) == above
    assert label_for(limit + 1) == above


def test_nothing_lost_is_best_and_everything_a_blunder() -> None:
    assert (label_for(0), label_for(128)) == ("best", "blunder")


@pytest.mark.parametrize(
    ("loss", "label"), [(0, "best"), (2, "good"), (4, "inaccuracy"), (6, "mistake"), (10, "blunder")]
)
def test_a_report_is_labelled_by_what_was_lost(loss: int, label: str) -> None:
    """Whole scores go in steps of two: each step has a word of its own."""
    game = Game.from_moves([37])
    node = game.main_line()[0]
    best, played = Result(19, "black", 3.0), Result(37, "black", 3.0 - loss)
    report = MoveReport(node, 1, "black", played, best, [best, played])
    assert (report.loss, report.label) == (loss, label)
    worse = MoveReport(node, 1, "black", best, played, [played, best])
    assert (worse.loss, worse.label) == (0, "best"), "noise of estimates is no merit"
    assert node.parent is not None
    assert node.parent.position == native.start()
