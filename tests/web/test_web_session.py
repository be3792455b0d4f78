"""The session without a server: whose turn it is, what commands do, clocks, the end, what is kept."""

import contextlib
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError

from othellier.errors import RequestError
from othellier.games.clock import Timer
from othellier.games.game import Game, GameNode
from othellier.games.node_names import find_node, node_id
from othellier.games.results import Result
from othellier.rules import native
from othellier.rules.geometry import PASS, parse_square
from othellier.session import commands as m
from othellier.session.session import PlayerChoices, Session
from othellier.session.session_events import Over, Passed
from othellier.session.snapshot import read_session, write_session

HUMAN, LEVEL = m.HumanChoice(name="Ann"), m.LevelChoice(level="amateur")
PASS_AHEAD = "OXXX XXXX X--- ---- O"  # on 4x4


def make(black: Any = HUMAN, white: Any = LEVEL, moves: str = "", start: Any = 8, **more: Any) -> Session:
    game = Game(start)
    for name in (moves[at : at + 2] for at in range(0, len(moves), 2)):
        game.push(name)
    players: PlayerChoices = {"black": black, "white": white}
    return Session(game, players, **more)


def move(square: str) -> m.Play:
    return m.Play(do="move", square=square)


def study(square: str) -> m.Study:
    return m.Study(do="study", square=square)


def goto(to: Any) -> m.Goto:
    return m.Goto(do="goto", to=to)


UNDO, REDO, SWAP, GO, STOP = (
    m.Undo(do="undo"),
    m.Redo(do="redo"),
    m.Swap(do="swap"),
    m.Go(do="go"),
    m.StopMachines(do="stop"),
)


def reply(session: Session, square: str, score: float | None = None) -> None:
    node = session.to_move()
    assert node is not None
    turn = node.position.turn
    result = Result(parse_square(square, node.position.size), turn, score, depth=7, source="search")
    assert session.answer(node, result, 0.0)


def code(session: Session, command: m.Command) -> str:
    before = node_id(session.current), node_id(session.live), session.playing
    with pytest.raises(RequestError) as caught:
        session.apply(command, 0.0)
    assert (node_id(session.current), node_id(session.live), session.playing) == before
    return caught.value.code


def test_a_machine_is_asked_after_a_move_and_its_answer_is_played() -> None:
    session = make()
    assert session.to_move() is None
    session.apply(move("f5"), 0.0)
    assert session.to_move() is session.live
    reply(session, "d6", score=-1.5)
    assert node_id(session.current) == "f5d6"
    assert session.current.evaluation is not None
    assert session.current.evaluation.score == -1.5
    assert session.to_move() is None


@pytest.mark.parametrize(
    ("square", "wanted"), [("a1", "illegal_move"), ("d4", "illegal_move"), ("pass", "illegal_move")]
)
def test_illegal_moves_are_refused(square: str, wanted: str) -> None:
    assert code(make(), move(square)) == wanted


def test_a_move_out_of_turn_is_refused() -> None:
    session = make(black=LEVEL, white=HUMAN)
    assert code(session, move("f5")) == "not_your_turn"
    moved_on = m.Play(do="move", square="d6", node="")
    session.apply(study("f5"), 0.0)
    assert code(session, moved_on) == "not_your_turn"


def test_an_answer_that_comes_too_late_is_dropped() -> None:
    session = make()
    session.apply(move("f5"), 0.0)
    asked = session.to_move()
    assert asked is not None
    session.apply(UNDO, 0.0)
    assert not session.answer(asked, Result(parse_square("d6"), "white"), 0.0)
    assert node_id(session.current) == ""


def test_a_study_move_is_not_answered_and_is_no_longer_the_game() -> None:
    session = make(moves="f5d6")
    session.apply(goto("start"), 0.0)
    session.apply(study("c4"), 0.0)
    assert session.to_move() is None
    assert session.game.transcript() == "F5D6"
    assert [node.move for node in session.game.root.children] == [parse_square("f5"), parse_square("c4")]
    session.apply(GO, 0.0)
    assert session.to_move() is session.live


def test_a_move_while_looking_back_is_a_try_and_the_game_stays() -> None:
    session = make(moves="f5d6c3d3")
    session.apply(goto("start"), 0.0)
    session.apply(REDO, 0.0)  # away from the game both only walk
    assert (node_id(session.current), node_id(session.live)) == ("f5", "f5d6c3d3")
    session.apply(UNDO, 0.0)
    assert not session.can_undo(session.current)
    session.apply(move("c4"), 0.0)
    assert (node_id(session.current), node_id(session.live)) == ("c4", "f5d6c3d3")
    assert session.game.transcript() == "F5D6C3D3"
    session.apply(study("e3"), 0.0)
    session.apply(UNDO, 0.0)  # steps back in what is tried
    assert (node_id(session.current), node_id(session.live)) == ("c4", "f5d6c3d3")
    session.apply(REDO, 0.0)
    assert (node_id(session.current), node_id(session.live)) == ("c4e3", "f5d6c3d3")
    session.apply(goto("live"), 0.0)
    session.apply(move("c4"), 0.0)
    assert session.to_move() is session.live
    assert session.game.transcript() == "F5D6C3D3C4"


def test_a_line_tried_becomes_the_game_only_when_asked_to() -> None:
    session = make(HUMAN, HUMAN, "f5d6c3")
    session.apply(m.Line(do="line", node="f5", moves=["f6", "e6"], at=1), 0.0)
    assert (node_id(session.current), node_id(session.live)) == ("f5f6", "f5d6c3")
    session.apply(GO, 0.0)
    assert node_id(session.live) == "f5f6"
    session.apply(m.Promote(do="promote", node="f5d6"), 0.0)
    assert node_id(session.live) == "f5d6c3"


def test_undo_takes_back_a_turn_and_redo_replays_it() -> None:
    session = make(moves="f5d6c3d3")
    session.apply(UNDO, 0.0)
    assert node_id(session.current) == "f5d6"
    session.apply(UNDO, 0.0)
    assert node_id(session.current) == ""
    assert code(session, UNDO) == "nothing_to_do"
    session.apply(REDO, 0.0)
    assert node_id(session.current) == "f5d6"
    session.apply(REDO, 0.0)
    assert node_id(session.current) == "f5d6c3d3"
    assert code(session, REDO) == "nothing_to_do"


def test_what_is_played_after_undo_is_the_game_and_nothing_is_lost() -> None:
    session = make(moves="f5d6c3d3")
    session.apply(UNDO, 0.0)
    session.apply(move("c5"), 0.0)
    assert session.game.transcript() == "F5D6C5"
    assert code(session, REDO) == "nothing_to_do", "what was taken back is no longer what comes next"
    assert node_id(find_node(session.game, "f5d6c3d3")) == "f5d6c3d3"


def test_undo_between_people_and_between_machines_is_one_move() -> None:
    people = make(HUMAN, HUMAN, "f5d6")
    people.apply(UNDO, 0.0)
    assert node_id(people.current) == "f5"
    machines = make(LEVEL, LEVEL, "f5d6")
    machines.apply(UNDO, 0.0)
    assert node_id(machines.current) == "f5"


def test_looking_elsewhere_does_not_stop_the_game() -> None:
    session = make()
    session.apply(move("f5"), 0.0)
    session.apply(goto("start"), 0.0)
    reply(session, "d6")
    assert node_id(session.current) == ""
    assert node_id(session.live) == "f5d6"
    session.apply(goto("live"), 0.0)
    assert node_id(session.current) == "f5d6"


def test_walking_through_a_game() -> None:
    session = make(moves="f5d6c3d3c4")
    for to, place in [
        ("start", ""),
        ("forward", "f5"),
        ("forward_turn", "f5d6"),
        ("end", "f5d6c3d3c4"),
        ("back", "f5d6c3d3"),
        ("back_turn", "f5d6"),
    ]:
        session.apply(goto(to), 0.0)
        assert node_id(session.current) == place, to
    session.apply(m.Goto(do="goto", ply=1), 0.0)
    assert node_id(session.current) == "f5"
    assert code(session, m.Goto(do="goto", ply=9)) == "unknown_node"
    assert code(session, m.Goto(do="goto", node="a1")) == "unknown_node"
    assert code(session, m.Goto(do="goto")) == "bad_request"


def test_a_turn_is_two_moves_where_one_person_does_not_wait_for_a_machine() -> None:
    for players in [(HUMAN, HUMAN), (LEVEL, LEVEL)]:
        session = make(*players, moves="f5d6c3d3c4", playing=False)
        walk = [("back_turn", "f5d6c3"), ("start", ""), ("forward_turn", "f5d6"), ("back", "f5"), ("back_turn", "")]
        for to, place in walk:
            session.apply(goto(to), 0.0)
            assert node_id(session.current) == place, to
    session = make(HUMAN, HUMAN, moves="f5d6c3d3c4")
    session.apply(UNDO, 0.0)
    assert node_id(session.current) == "f5d6c3d3"
    session.apply(REDO, 0.0)
    assert node_id(session.current) == "f5d6c3d3c4"


def test_passes_are_played_and_told() -> None:
    session = make(HUMAN, HUMAN, start=native.parse(PASS_AHEAD))
    session.apply(move(native_move(session)), 0.0)
    assert Passed("black") in session.take_events()
    assert session.current.move == PASS
    assert session.current.position.turn == "white"
    session.apply(goto("back"), 0.0)
    assert session.current is session.game.root
    session.apply(goto("forward"), 0.0)
    assert session.current.move == PASS


def native_move(session: Session) -> str:
    """The first legal move after which the other side must pass."""
    position = session.current.position
    for square in position.moves():
        if position.play(square).must_pass():
            return node_id(GameNode(session.current, square, position.play(square)))[-2:]
    raise AssertionError("no such move")


def test_swap_lets_the_computer_move_at_once() -> None:
    session = make()
    session.apply(SWAP, 0.0)
    assert session.to_move() is session.game.root
    assert session.game.headers.black == "amateur"
    assert session.game.headers.white == "Ann"


def test_stop_and_go() -> None:
    session = make(LEVEL, LEVEL)
    assert session.to_move() is not None
    session.apply(STOP, 0.0)
    assert session.to_move() is None
    assert code(session, STOP) == "nothing_to_do"
    session.apply(GO, 0.0)
    assert session.to_move() is not None


def test_the_level_can_be_changed_in_the_game() -> None:
    session = make(moves="f5")
    session.apply(m.Players(do="players", white=m.LevelChoice(level="master"), ponder=True), 0.0)
    assert session.players["white"] == m.LevelChoice(level="master")
    assert session.ponder
    assert session.game.headers.white == "master"


def test_resigning_ends_the_game_and_what_follows_is_a_variation() -> None:
    session = make(moves="f5d6")
    session.apply(m.Resign(do="resign"), 0.0)
    outcome = session.game.outcome()
    assert outcome is not None
    assert (outcome.score, outcome.reason) == (-64, "resigned")
    assert session.take_events() == [Over()]
    assert code(session, move("c3")) == "game_over"
    assert code(session, m.Resign(do="resign")) == "game_over"
    session.apply(goto("start"), 0.0)
    session.apply(move("c4"), 0.0)
    assert session.game.transcript() == "F5D6"
    assert session.game.outcome() == outcome


def test_only_a_person_resigns() -> None:
    assert code(make(moves="f5d6"), m.Resign(do="resign", color="white")) == "not_your_turn"
    assert code(make(LEVEL, LEVEL), m.Resign(do="resign")) == "not_your_turn"


def test_a_turn_taken_back_from_a_finished_game_plays_on() -> None:
    session = make(moves="f5d6")
    session.apply(m.Resign(do="resign"), 0.0)
    session.apply(UNDO, 0.0)
    session.apply(move("c4"), 0.0)
    assert session.game.transcript() == "C4"
    assert session.game.outcome() is None


def test_agreement_counts_the_board() -> None:
    session = make(HUMAN, HUMAN, "f5")
    session.apply(m.Agree(do="agree"), 0.0)
    outcome = session.game.outcome()
    assert outcome is not None
    assert (outcome.score, outcome.reason) == (62, "agreed")


def test_clocks_run_for_the_side_to_move_from_the_first_move_on() -> None:
    session = make(HUMAN, HUMAN, timer=Timer({"black": 60.0, "white": 60.0}, 2.0))
    timer = session.timer
    assert timer is not None
    session.apply(goto("start"), 40.0)  # to look round before the first move costs nothing
    session.apply(move("f5"), 100.0)
    assert timer.left == {"black": 62.0, "white": 60.0}
    session.apply(move("d6"), 110.0)
    assert timer.left["white"] == 52.0
    assert timer.running == "black"
    assert (timer.seconds("black", 115.0), timer.seconds("white", 115.0)) == (57.0, 52.0)
    session.run_clock(115.0, hold=True)
    assert timer.seconds("black", 500.0) == 57.0
    session.run_clock(1000.0)
    assert not session.tick(1056.0)
    assert session.tick(1057.0)
    outcome = session.game.outcome()
    assert outcome is not None
    assert (outcome.winner, outcome.reason) == ("white", "time")
    assert timer.running is None


def test_with_a_clock_one_plays_where_it_runs() -> None:
    session = make(HUMAN, HUMAN, timer=Timer({"black": 60.0, "white": 60.0}))
    session.apply(move("f5"), 0.0)
    session.apply(goto("start"), 0.0)
    assert code(session, move("c4")) == "not_your_turn"


def test_names_and_comments_come_in_clean() -> None:
    hostile = "\x1b[31mred\x00\u202e"
    assert m.HumanChoice(name=hostile).label == "[31mred"
    assert m.StringChoice(spec=f" {hostile} ").label == "[31mred"
    assert m.Title(do="title", title="one\ntwo").title == "one two"
    assert m.Rename(tags=[hostile]).tags == ["[31mred"]
    assert m.Comment(do="comment", node="", text=f"one\r\n{hostile}").text == "one\n[31mred"
    for asked in ('{"tags": ["\\u0007"]}', '{"tags": [""]}', '{"tags": ["%s"]}' % ("x" * 41)):
        with pytest.raises(ValidationError):
            m.Rename.model_validate_json(asked)
    with pytest.raises(ValidationError):
        m.parse_command('{"do": "comment", "node": "", "text": "%s"}' % ("x" * 10_001))


def test_promote_delete_and_comment() -> None:
    session = make(HUMAN, HUMAN, "f5d6c3")
    session.apply(goto("start"), 0.0)
    session.apply(study("c4"), 0.0)
    revision = session.revision
    session.apply(m.Promote(do="promote", node="c4"), 0.0)
    assert session.game.transcript() == "C4"
    session.apply(m.Comment(do="comment", node="f5d6", text=" good\x07 move "), 0.0)
    assert find_node(session.game, "f5d6").comment == "good move"
    session.apply(m.Delete(do="delete", node="c4"), 0.0)
    assert session.game.transcript() == "F5D6C3"
    assert session.current is session.game.root
    assert session.live is session.game.root
    assert session.revision == revision + 3
    assert code(session, m.Delete(do="delete", node="")) == "nothing_to_do"


def test_what_was_taken_back_and_deleted_cannot_be_replayed() -> None:
    session = make(white=HUMAN, moves="f5d6")
    session.apply(UNDO, 0.0)
    assert node_id(session.current) == "f5"
    session.apply(m.Delete(do="delete", node="f5d6"), 0.0)
    assert code(session, REDO) == "nothing_to_do"
    assert session.game.transcript() == "F5"
    session = make(white=HUMAN, moves="f5d6c3")
    session.apply(UNDO, 0.0)
    session.apply(study("c4"), 0.0)
    session.apply(UNDO, 0.0)
    session.apply(m.Delete(do="delete", node="f5d6c4"), 0.0)
    session.apply(REDO, 0.0)
    assert node_id(session.current) == "f5d6c3"


def test_a_game_holds_so_many_moves_and_no_more(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("othellier.session.session.NODE_LIMIT", 4)
    session = make(HUMAN, HUMAN, "f5d6")
    assert code(session, m.Line(do="line", node="f5d6", moves=["c3", "d3"], at=1)) == "too_large"
    assert session.game.transcript() == "F5D6"
    session.apply(move("c3"), 0.0)
    assert code(session, move("d3")) == "too_large"


def test_marks_go_with_their_move() -> None:
    session = make(HUMAN, HUMAN, "f5d6c3")
    for node in ("f5", "f5d6", "f5d6c3"):
        session.apply(m.DrawMarks(do="marks", node=node, circles=["a1"], arrows=[]), 0.0)
    session.apply(m.Delete(do="delete", node="f5d6"), 0.0)
    assert [node_id(node) for node in session.marks] == ["f5"]


def test_a_result_belongs_to_its_line() -> None:
    session = make(HUMAN, HUMAN, "f5d6")
    session.apply(m.Resign(do="resign"), 0.0)
    session.apply(goto("start"), 0.0)
    session.apply(study("c4"), 0.0)
    session.apply(m.Promote(do="promote", node="c4"), 0.0)
    assert session.game.outcome() is None
    session.apply(m.Promote(do="promote", node="f5d6"), 0.0)
    assert session.game.outcome() is not None


@pytest.mark.parametrize(("kind", "transcript"), [("central", "C4E3"), ("falling", "E6F4"), ("rising", "D3C5")])
def test_symmetries_turn_everything(kind: Any, transcript: str) -> None:
    session = make(HUMAN, HUMAN, "f5d6")
    session.apply(m.DrawMarks(do="marks", node="f5", circles=["a1"], arrows=[("a1", "b2")]), 0.0)
    session.apply(m.Symmetry(do="symmetry", kind=kind), 0.0)
    assert session.game.transcript() == transcript
    assert node_id(session.current) == transcript.lower()
    assert session.live is session.current
    assert [node_id(node) for node in session.marks] == [transcript.lower()[:2]]
    session.apply(m.Symmetry(do="symmetry", kind=kind), 0.0)
    assert session.game.transcript() == "F5D6"


def test_machines_keep_to_the_chosen_opening_in_every_symmetry() -> None:
    tiger = tuple(parse_square(name) for name in ("f5", "d6", "c3", "d3", "c4"))
    session = make(line=tiger)
    assert len(session.forced(session.current)) == 4
    session.apply(move("c4"), 0.0)
    assert session.forced(session.live) == [parse_square("e3")]
    reply(session, "c5")
    assert session.forced(session.live) == []


COMMANDS = st.one_of(
    st.integers(0, 30).map(lambda n: ("move", n)),
    st.integers(0, 30).map(lambda n: ("study", n)),
    st.integers(0, 30).map(lambda n: ("answer", n)),
    st.sampled_from(["start", "back", "back_turn", "forward", "forward_turn", "end", "live"]).map(
        lambda to: ("goto", to)
    ),
    st.sampled_from(["undo", "redo", "go", "stop", "swap", "resign", "agree"]).map(lambda name: (name, 0)),
    st.sampled_from(["central", "falling", "rising"]).map(lambda kind: ("symmetry", kind)),
    st.integers(0, 30).map(lambda n: ("promote", n)),
    st.integers(0, 30).map(lambda n: ("delete", n)),
)


def step(session: Session, name: str, value: Any) -> None:
    position, size = session.current.position, session.game.start.size
    moves = position.moves()
    nodes = [node_id(node) for node in session.game.root.walk()]
    if name in ("move", "study"):
        square = native_name(moves[value % len(moves)], size) if moves else "a1"
        session.apply(m.parse_command(f'{{"do": "{name}", "square": "{square}"}}'), 0.0)
    elif name == "answer":
        node = session.to_move()
        if node is not None:
            legal = node.position.moves()
            session.answer(node, Result(legal[value % len(legal)], node.position.turn, 1.0), 0.0)
    elif name in ("promote", "delete"):
        session.apply(m.parse_command(f'{{"do": "{name}", "node": "{nodes[value % len(nodes)]}"}}'), 0.0)
    elif name == "goto":
        session.apply(goto(value), 0.0)
    elif name == "symmetry":
        session.apply(m.Symmetry(do="symmetry", kind=value), 0.0)
    else:
        session.apply(m.parse_command(f'{{"do": "{name}"}}'), 0.0)


def native_name(square: int, size: Any) -> str:
    return f"{'abcdefgh'[square % size.columns]}{square // size.columns + 1}"


@given(st.lists(COMMANDS, max_size=60), st.sampled_from([4, 6, 8]), st.booleans())
def test_whatever_is_asked_the_session_stays_sound_and_is_kept_whole(
    commands: list[tuple[str, Any]], size: int, people: bool
) -> None:
    session = make(HUMAN, HUMAN if people else LEVEL, start=size)
    for name, value in commands:
        with contextlib.suppress(RequestError):
            step(session, name, value)
        for node in (session.current, session.live):
            assert find_node(session.game, node_id(node)) is node
            assert not node.position.must_pass()
        asked = session.to_move()
        assert asked is None or asked.position.moves()
    kept = read_session(*write_session(session))
    assert kept.game == session.game
    assert node_id(kept.current) == node_id(session.current)
    assert node_id(kept.live) == node_id(session.live)
    assert (kept.playing, kept.closed, kept.players) == (session.playing, session.closed, session.players)
