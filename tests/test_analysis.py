"""Moves in words: one rule for the command line, the terminal and the page."""

from __future__ import annotations

import pytest

from othellier.analysis import MoveReport, chance, label_for
from othellier.board import Position
from othellier.coach.analysis import judge
from othellier.engine import Analysis, Engine
from othellier.game import Game
from othellier.results import Limit, Result


def report(loss: float, others: int = 1) -> MoveReport:
    game = Game.from_moves([37])
    node = game.main_line()[0]
    best, played = Result(19, "black", 3.0, depth=10), Result(37, "black", 3.0 - loss, depth=10)
    return MoveReport(node, 1, "black", played, best, [best, played, *[played] * (others - 1)] if others else [played])


@pytest.mark.parametrize("loss", [0, 2, 4, 6, 10, 20])
def test_a_report_is_labelled_by_the_chance_that_was_lost(loss: int) -> None:
    found = report(loss)
    lost = chance(3.0, 60, exact=False, depth=10) - chance(3.0 - loss, 60, exact=False, depth=10)
    assert found.loss == loss
    assert found.lost_chance == pytest.approx(lost)
    assert found.label == label_for(loss, lost)


def test_the_only_move_is_forced_and_noise_is_no_merit() -> None:
    assert report(0, others=0).label == "forced"
    assert (report(-2).loss, report(-2).lost_chance, report(-2).label) == (0, 0, "best")


def test_the_coach_says_the_same_word() -> None:
    """`othellier analyze` and the terminal's `analyse` judged the same move differently once."""

    class Told:
        def __init__(self, options: Analysis) -> None:
            self.options = options

        def analyze(self, position: Position, limit: Limit) -> Analysis:
            return self.options

    game = Game.from_moves([37, 43, 18, 19, 34])
    with Engine(hash_mb=16) as engine:
        for ply, node in enumerate(game.main_line()):
            assert node.parent is not None
            assert node.move is not None
            position = node.parent.position
            for options in (engine.analyze(position, Limit(depth=3)), engine.analyze(position, Limit(depth=3))[::-1]):
                played = next(result for result in options if result.move == node.move)
                found = MoveReport(node, ply, position.turn, played, options[0], options)
                judged = judge(Told(options), position, node.move, ply, "normal")
                assert found.label == judged.label
                assert found.lost_chance == pytest.approx(judged.lost_chance)
