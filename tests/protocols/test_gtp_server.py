"""The GTP server: every command, every mistake, and never an exception."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from othellier import records
from othellier.games.game import Game
from othellier.games.results import Limit, Result
from othellier.players import Player, create_player
from othellier.protocols import GtpServer
from othellier.protocols.clock import Clock, TimeSettings
from othellier.rules.board import Position
from othellier.rules.geometry import PASS

# Black has just played and White has no move; then Black has two.
WHITE_PASSES = "(;GM[2]FF[4]SZ[4]AB[a1][a2][a3][a4][b1][b2][b3][c1][c2][d1]AW[b4][c3]PL[W])"
LISTED = """protocol_version name version known_command list_commands quit boardsize clear_board komi play genmove undo
showboard time_settings time_left final_score reg_genmove loadsgf set_game list_games gogui-rules_game_id
gogui-rules_board gogui-rules_board_size gogui-rules_legal_moves gogui-rules_side_to_move gogui-rules_final_result
rectangular_boardsize gogui-analyze_commands"""


class Recorder(Player):
    """Takes the first legal move and keeps what it was asked and told."""

    def __init__(self) -> None:
        self.limits: list[Limit] = []
        self.told: list[int | Position] = []
        self.closed = False

    def choose(self, position: Position, limit: Limit) -> Result:
        self.limits.append(limit)
        return Result(position.moves()[0], position.turn)

    def new_game(self, start: Position) -> None:
        self.told = [start]

    def observe(self, move: int) -> None:
        self.told.append(move)

    def close(self) -> None:
        self.closed = True


class Talk:
    """A server, and what it says to lines that succeed or fail."""

    def __init__(self, player: Player) -> None:
        self.server = GtpServer(player)

    def __call__(self, line: str) -> str:
        reply = self.server.handle(line)
        assert reply.startswith("="), reply
        assert reply.endswith("\n\n")
        return reply[1:].strip("\n ")

    def fails(self, line: str) -> str:
        reply = self.server.handle(line)
        assert reply.startswith("? "), reply
        assert reply.endswith("\n\n")
        assert reply.count("\n") == 2
        return reply[2:-2]


@pytest.fixture
def recorder() -> Recorder:
    return Recorder()


@pytest.fixture
def talk(recorder: Recorder) -> Iterator[Talk]:
    talk = Talk(recorder)
    yield talk
    talk.server.close()
    assert recorder.closed


def test_form_of_lines_and_replies(talk: Talk) -> None:
    handle = talk.server.handle
    assert handle("protocol_version\n") == "= 2\n\n"
    assert handle("7 protocol_version\r\n") == "=7 2\n\n"
    assert handle("007\tprotocol_version # why\n") == "=007 2\n\n"
    assert handle("12 clear_board") == "=12\n\n"
    assert handle("\n") == handle("# 1 name\n") == handle("  \t\r\n") == ""
    assert handle("\x00na\x07me\x7f\n") == "= Othellier\n\n"
    assert handle("3 nonsense\n") == "?3 unknown command\n\n"
    assert handle("3\n") == "?3 unknown command\n\n"
    assert handle("Name\n") == "? unknown command\n\n"
    assert handle("x" * 100_000) == "? the line is too long\n\n"
    assert handle("5 name" + " " * 100_000) == "?5 the line is too long\n\n"


def test_lists_exactly_what_it_knows(talk: Talk) -> None:
    commands = talk("list_commands").split("\n")
    assert sorted(commands) == sorted(LISTED.split())
    for command in commands:
        assert talk(f"known_command {command}") == "true"
        assert talk.server.handle(command) != "? unknown command\n\n"
    assert talk("known_command tell_a_joke") == talk("known_command") == "false"


def test_says_who_it_is(talk: Talk) -> None:
    assert talk("name") == "Othellier"
    assert re.fullmatch(r"\d+\.\d+\.\d+", talk("version"))
    assert talk("list_games") == "Othello"
    talk("set_game othello")
    assert talk.fails("set_game Go") == "unsupported game, there is only Othello"
    assert not talk.server.closed
    assert talk("quit") == ""
    assert talk.server.closed


def test_plays_and_takes_back(talk: Talk, recorder: Recorder) -> None:
    talk("play b f5")
    talk("play WHITE D6")
    assert talk("genmove b") == "C3"
    assert recorder.told[1:] == [37, 43]
    assert talk("gogui-rules_side_to_move") == "white"
    assert talk("reg_genmove w") == talk("reg_genmove w") == "D3"
    talk("undo")
    talk("undo")
    assert talk("gogui-rules_side_to_move") == "white"
    assert talk("genmove white") == "F4"
    assert recorder.told[1:] == [37], "the player is told the game as it is now"
    talk("undo")
    talk("undo")
    assert talk.fails("undo") == "cannot undo"
    assert talk("showboard").count("O") == 3  # two discs and their count


def test_refuses_illegal_moves_and_wrong_colours(talk: Talk) -> None:
    for line in ("play b a1", "play b d4", "play b pass", "play w f5", "play w pass", "genmove w", "reg_genmove w"):
        assert talk.fails(line).startswith("illegal move"), line
    for line in ("play", "play b", "play f5 b", "play b f5 now", "genmove", "genmove red", "genmove b b"):
        assert talk.fails(line).startswith("syntax error"), line
    assert talk.fails("play b i9") == "'i9' is not a square of a board of size 8"
    assert talk("gogui-rules_side_to_move") == "black"
    assert talk("gogui-rules_legal_moves") == "D3 C4 F5 E6"


@pytest.fixture
def passing(talk: Talk, tmp_path: Path) -> Talk:
    path = tmp_path / "white passes.sgf"
    path.write_text(WHITE_PASSES)
    talk(f'loadsgf "{path}"')
    assert talk("gogui-rules_legal_moves") == "pass"
    return talk


def test_the_side_that_must_pass_may_say_so(passing: Talk) -> None:
    passing("play w pass")
    assert passing("gogui-rules_side_to_move") == "black"
    passing("undo")
    assert passing("genmove w") == "pass"
    passing("undo")
    assert passing("reg_genmove w") == "pass"
    assert passing("gogui-rules_side_to_move") == "white"
    assert passing.fails("play b pass").startswith("illegal move")


def test_the_other_side_is_on_turn_where_one_must_pass(passing: Talk, recorder: Recorder) -> None:
    assert passing("reg_genmove b") == "D3"
    assert passing("gogui-rules_side_to_move") == "white"
    passing("play b d3")
    passing("undo")
    assert passing("gogui-rules_side_to_move") == "white", "the pass is taken back with the move it came with"
    assert passing("genmove b") == "D3"
    assert recorder.told[1:] == [PASS]
    passing("undo")
    assert passing("gogui-rules_legal_moves") == "pass"


def test_after_the_end_there_are_only_passes(talk: Talk) -> None:
    talk("boardsize 4")
    color, moves = "b", 0
    while talk("gogui-rules_legal_moves"):
        talk(f"genmove {color}")
        color, moves = ("w" if color == "b" else "b"), moves + 1
    result = talk("final_score")
    assert re.fullmatch(r"[BW]\+\d+|0", result)
    names = {"B": "Black", "W": "White"}
    assert talk("gogui-rules_final_result") == (
        f"{names[result[0]]} wins by {result[2:]}" if result != "0" else "A draw"
    )
    for color in "bwb":
        assert talk(f"genmove {color}") == "pass"
        talk(f"play {color} pass")
        assert talk.fails(f"play {color} a1").startswith("illegal move")
    for _ in range(6 + moves):
        talk("undo")
    assert talk.fails("undo") == "cannot undo"
    assert talk.fails("final_score") == talk.fails("gogui-rules_final_result") == "cannot score: the game is not over"


def test_sizes(talk: Talk) -> None:
    for size in (4, 6, 8):
        talk(f"boardsize {size}")
        assert talk("gogui-rules_board_size") == str(size)
        assert talk("gogui-rules_board").count(".") == size * size - 4
    talk("rectangular_boardsize 6 4")
    assert talk("gogui-rules_board_size") == "4x6"
    assert len(talk("gogui-rules_board").split("\n")) == 4
    assert talk("genmove b") == "C1"
    talk("clear_board")
    assert talk("gogui-rules_board_size") == "4x6"
    for wrong in ("", "5", "10", "19", "-8", "8 8", "x", "4x6", "8.0", "٨"):
        assert talk.fails(f"boardsize {wrong}").startswith("unacceptable size"), wrong
    for wrong in ("4", "4 5", "4 6 8"):
        assert talk.fails(f"rectangular_boardsize {wrong}"), wrong
    assert talk("gogui-rules_board_size") == "4x6"


def test_the_board_as_gogui_reads_it(talk: Talk) -> None:
    """From the row with the highest number down to row 1."""
    talk("play b d3")
    rows = talk("gogui-rules_board").split("\n")
    assert rows[8 - 3] == ". . . X . . . ."
    assert rows[8 - 4] == ". . . X X . . ."
    assert rows[8 - 5] == ". . . X O . . ."
    assert set(rows[0]) == {".", " "}
    assert talk("gogui-rules_game_id") == "othello"
    assert all(line.split("/")[2] in talk("list_commands") for line in talk("gogui-analyze_commands").split("\n"))


def test_loads_games(talk: Talk, tmp_path: Path) -> None:
    path = tmp_path / "game.sgf"
    records.write([Game.from_moves([37, 43, 18])], path)
    for number, side, moves in ((1, "black", 0), (3, "black", 2), (4, "white", 3), (99, "white", 3)):
        talk(f"loadsgf {path} {number}")
        assert talk("gogui-rules_side_to_move") == side
        for _ in range(moves):
            talk("undo")
        assert talk.fails("undo") == "cannot undo"
    talk(f"loadsgf {path}")
    assert talk("gogui-rules_side_to_move") == "white"
    assert talk.fails("loadsgf").startswith("syntax error")
    assert talk.fails(f"loadsgf {tmp_path / 'none.sgf'}").startswith("cannot load file")
    assert talk.fails(f"loadsgf {tmp_path}").startswith("cannot load file")
    path.write_text("(;GM[1]SZ[19];B[aa])")
    assert talk.fails(f"loadsgf {path}").startswith("cannot load file")
    path.write_text("(;GM[2]SZ[10])")
    assert talk.fails(f"loadsgf {path}") == "cannot load file: a board of 10 is an unacceptable size"
    assert talk("gogui-rules_side_to_move") == "white", "a failure changes nothing"


def test_time_goes_to_the_player(talk: Talk, recorder: Recorder) -> None:
    talk("genmove b")
    talk("time_settings 60 0 0")
    talk("time_left w 12.5 0")
    talk("genmove w")
    talk("time_left b 30 3")
    talk("genmove b")
    talk("time_settings 0 10 5")
    talk("genmove w")
    talk("time_settings 100 1 0")
    talk("genmove b")
    assert recorder.limits == [Limit(), Limit(clock=12.5), Limit(time=10), Limit(time=2), Limit()]
    for line in ("time_settings", "time_settings 1 2", "time_settings a 0 0", "time_settings -1 0 0", "time_left b 1"):
        assert talk.fails(line).startswith("syntax error"), line
    assert talk.fails("time_left x 1 0").startswith("syntax error")
    assert talk.fails("komi nan").startswith("syntax error")
    assert talk("komi 6.5") == ""


def test_clocks() -> None:
    clock = Clock(TimeSettings(60, 10, 5))
    assert clock.limit() == Limit(clock=60, increment=2)
    clock.spend(20)
    assert clock.limit() == Limit(clock=40, increment=2)
    clock.spend(50)
    assert clock.limit() == Limit(time=2), "a period has begun"
    for _ in range(4):
        clock.spend(1)
    assert clock.limit() == Limit(time=6), "one move, and the time the others have left"
    clock.spend(1)
    assert clock.limit() == Limit(time=2), "the next period"
    clock = Clock(TimeSettings(10, 0, 0))
    clock.spend(11)
    assert clock.limit() == Limit(clock=0)
    clock = Clock(TimeSettings())
    clock.spend(1000)
    assert clock.limit() == Limit()
    clock.set(3, 0)
    assert clock.limit() == Limit(clock=3)
    assert Clock(TimeSettings(0, 0, 0)).limit() == Limit()


class Broken(Recorder):
    def choose(self, position: Position, limit: Limit) -> Result:
        raise ZeroDivisionError("no\nway")

    def observe(self, move: int) -> None:
        raise KeyError(move)


def test_a_player_that_fails_is_an_error_of_one_line() -> None:
    talk = Talk(Broken())
    assert talk.fails("genmove b").startswith("Broken failed: ZeroDivisionError: no way (test_gtp_server.py, line")
    talk("play b f5")
    assert talk.fails("genmove w").startswith("Broken failed: KeyError: 37")
    assert talk("gogui-rules_side_to_move") == "white"
    talk.server.close()


# -- anything at all

WORDS = st.sampled_from([*LISTED.split(), "b", "w", "pass", "f5", "d6", "8", "4", "0", "-1", "1e99", "nan", "#", '"'])
JUNK = st.one_of(
    st.text(max_size=40),
    st.lists(st.one_of(WORDS, st.text(max_size=8), st.integers().map(str)), max_size=5).map(" ".join),
)


@settings(max_examples=150, deadline=None)
@given(st.lists(JUNK, max_size=30))
def test_survives_anything(lines: list[str]) -> None:
    server = GtpServer(create_player("random:seed=1"))
    for line in lines:
        reply = server.handle(line)
        assert reply == "" or re.fullmatch(r"[=?]\d*( [^\n]*)?\n([^\n]+\n)*\n", reply), (line, reply)
    assert server.handle("1 name") == "=1 Othellier\n\n"
    server.close()
