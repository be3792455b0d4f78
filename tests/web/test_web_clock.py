"""Taking back with a clock: nobody gains time by it."""

from othellier.games.clock import Timer
from othellier.games.game import Game
from othellier.games.node_names import node_id
from othellier.games.results import Result
from othellier.rules.geometry import parse_square
from othellier.session import commands as m
from othellier.session.session import Session
from othellier.session.snapshot import read_session, write_session

HUMAN, LEVEL = m.HumanChoice(), m.LevelChoice(level="amateur")
UNDO, REDO = m.Undo(do="undo"), m.Redo(do="redo")


def make(white: m.HumanChoice | m.LevelChoice, increment: float) -> Session:
    """A game with a minute for each side."""
    timer = Timer({"black": 60.0, "white": 60.0}, increment)
    return Session(Game(), {"black": HUMAN, "white": white}, timer=timer)


def move(square: str) -> m.Play:
    return m.Play(do="move", square=square)


def test_taking_back_never_gains_time() -> None:
    session = make(HUMAN, 600.0)
    timer = session.timer
    assert timer is not None
    for _ in range(10):
        session.apply(move("f5"), 0.0)
        assert timer.left == {"black": 660.0, "white": 60.0}
        session.apply(UNDO, 0.0)
        assert timer.left == {"black": 60.0, "white": 60.0}
    for _ in range(10):
        session.apply(REDO, 0.0)
        session.apply(UNDO, 0.0)
    assert timer.left == {"black": 60.0, "white": 60.0}
    session.apply(REDO, 0.0)  # the same move again has its increment
    session.apply(move("d6"), 10.0)
    assert timer.left == {"black": 660.0, "white": 650.0}
    session.apply(m.Goto(do="goto", to="start"), 10.0)
    session.apply(m.Go(do="go"), 30.0)  # another way to take back: twenty seconds of Black's had passed
    assert timer.left == {"black": 60.0, "white": 50.0}


def test_time_used_after_a_move_is_not_returned_by_taking_it_back() -> None:
    session = make(LEVEL, 2.0)
    timer = session.timer
    assert timer is not None
    session.apply(move("f5"), 0.0)
    node = session.to_move()
    assert node is not None
    assert session.answer(node, Result(parse_square("d6", node.position.size), "white"), 0.0)
    assert timer.left == {"black": 62.0, "white": 62.0}
    session.apply(UNDO, 20.0)
    assert timer.left == {"black": 42.0, "white": 60.0}
    session.apply(REDO, 20.0)  # nothing was taken from Black, so nothing comes back
    assert timer.left == {"black": 42.0, "white": 62.0}


def test_taking_back_gains_no_time_after_changes_of_the_tree_either() -> None:
    session = make(HUMAN, 600.0)
    session.apply(move("f5"), 0.0)
    session.apply(m.Symmetry(do="symmetry", kind="rising"), 0.0)
    session = read_session(*write_session(session))
    timer = session.timer
    assert timer is not None
    assert timer.left == {"black": 660.0, "white": 60.0}
    session.apply(m.Delete(do="delete", node=node_id(session.live)), 0.0)
    assert timer.left == {"black": 60.0, "white": 60.0}
    read_session(*write_session(session))
