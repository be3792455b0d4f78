"""A session as it is kept: what a reload of the page, or of the server, must not lose."""

from othellier.games.clock import Timer
from othellier.games.game import Game
from othellier.games.results import Result
from othellier.rules.geometry import parse_square
from othellier.session import commands as m
from othellier.session.session import Session
from othellier.session.snapshot import read_session, write_session

HUMAN, LEVEL = m.HumanChoice(name="Ann"), m.LevelChoice(level="amateur")
F5 = m.Play(do="move", square="f5")


def test_the_machines_speed_outlives_a_reload() -> None:
    session = Session(Game(), {"black": HUMAN, "white": LEVEL})
    session.apply(F5, 0.0)
    node = session.to_move()
    assert node is not None
    session.answer(node, Result(parse_square("d6"), "white", 1.23456, depth=7, nodes=9000, seconds=0.25), 0.0)
    assert session.searched == (9000, 0.25)
    again = read_session(*write_session(session))
    assert again.searched == (9000, 0.25)
    evaluation = again.live.evaluation
    assert evaluation is not None
    assert evaluation.score == 1.23


def test_clocks_outlive_a_reload() -> None:
    timer = Timer({"black": 60.0, "white": 45.0}, 2.0)
    session = Session(Game(), {"black": HUMAN, "white": HUMAN}, timer=timer)
    session.apply(F5, 0.0)
    again = read_session(*write_session(session)).timer
    assert again is not None
    assert (again.left, again.increment) == ({"black": 62.0, "white": 45.0}, 2.0)


def test_nobody_has_less_than_no_time() -> None:
    timer = Timer({"black": 5.0, "white": 5.0})
    timer.run("black", 0.0)
    assert [timer.seconds("black", now) for now in (4.0, 5.0, 9.0)] == [1.0, 0.0, 0.0]
