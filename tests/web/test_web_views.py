"""Views of a session as they are sent to the page."""

from typing import Any

import pytest

from othellier.games.game import Game
from othellier.games.results import Result
from othellier.page.play.state_view import GameFacts, state_view, thinking_view, value_view
from othellier.rules.geometry import parse_square
from othellier.session import commands as m
from othellier.session.session import Session

HUMAN, LEVEL = m.HumanChoice(name="Ann"), m.LevelChoice(level="amateur")


@pytest.mark.parametrize(
    ("black", "white", "resign"),
    [(HUMAN, HUMAN, True), (HUMAN, LEVEL, True), (LEVEL, HUMAN, True), (LEVEL, LEVEL, False)],
)
def test_a_person_can_resign_against_whatever_opponent(black: Any, white: Any, resign: bool) -> None:
    session = Session(Game(), {"black": black, "white": white})
    can = state_view(session, GameFacts("x"), 0.0).can
    assert can is not None
    assert can.resign is resign


def test_the_one_person_resigns_on_the_machines_turn_too() -> None:
    session = Session(Game(), {"black": HUMAN, "white": LEVEL})
    session.apply(m.Play(do="move", square="f5"), 0.0)
    assert session.to_move() is session.live
    session.apply(m.Resign(do="resign"), 0.0)
    outcome = session.game.outcome()
    assert outcome is not None
    assert (outcome.score, outcome.reason) == (-64, "resigned")  # Black, the person, has lost


def test_a_search_that_looks_further_than_planned_shows_its_depth() -> None:
    node = Game().root
    for depth, of in ((5, 12), (14, 14)):
        view = thinking_view(node, Result(parse_square("f5"), "black", 1.0, depth=depth), 12)
        assert (view.depth, view.of) == (depth, of)


def test_no_move_loses_less_than_nothing() -> None:
    """Moves searched one after another may come out a little better than the best one did before."""
    position = Game().start
    values = [
        value_view(position, Result(move, "black", score), 2.0)
        for move, score in zip(position.moves(), (2.5, 2.0, -1.0, 0.0), strict=True)
    ]
    assert [value.loss for value in values] == [0.0, 0.0, 3.0, 2.0]
