"""The NBoard server: every line both ways, thinking that can be stopped, and never an exception."""

import re
import threading
from collections.abc import Iterator

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from othellier import records
from othellier.games.game import Game
from othellier.games.results import Limit, Result
from othellier.players import Player, create_player
from othellier.protocols import NBoardServer
from othellier.rules.board import Position
from waiting import LIMIT

START = "(;GM[Othello]TY[8]BO[8 ---------------------------O*------*O--------------------------- *]{};)"
THINKING, WAITING = "status Othellier is thinking", "status Othellier is waiting"


class Talk:
    """A server, what it says at once and what it has said later."""

    def __init__(self, player: Player) -> None:
        self.later: list[str] = []
        self.server = NBoardServer(player, self.later.append)

    def __call__(self, *lines: str) -> str:
        return "".join(self.server.handle(f"{line}\n") for line in lines)

    def heard(self) -> list[str]:
        """What the player has found, without the times and the words at both ends."""
        self.server.finish()
        assert all(line.endswith("\n") for line in self.later)
        lines = [re.sub(r"((?:===|nodestats) .*)\b\d+\.\d\d$", r"\1T", line.strip()) for line in self.later]
        self.later.clear()
        if lines:
            assert lines[0] == THINKING
            assert lines[-1].startswith("status ")
        return [line for line in lines if line not in (THINKING, WAITING)]


@pytest.fixture
def talk() -> Iterator[Talk]:
    talk = Talk(create_player("alphabeta:depth=20"))
    yield talk
    talk.server.close()


def test_says_who_it_is_and_what_it_does_not_know(talk: Talk) -> None:
    assert talk("nboard 2") == "set myname Othellier\n"
    assert talk("set depth 7") == "set myname Othellier-7\n"
    assert talk("set contempt -3") == talk("set sail") == talk("set") == ""
    assert talk("learn") == "learned\n"
    assert talk("", "dance", "F5", "GO", "ping2", "\x00\x01") == ""
    assert not talk.server.closed
    assert talk("quit") == ""
    assert talk.server.closed


@pytest.mark.parametrize("depth", ["0", "-1", "61", "deep", "", "1.5", "99999999999"])
def test_depths_that_make_no_sense(talk: Talk, depth: str) -> None:
    assert talk(f"set depth {depth}").startswith("status ")
    assert talk("set depth 60") == "set myname Othellier-60\n"


def test_go_does_not_play(talk: Talk) -> None:
    assert talk("set depth 2", f"set game {START.format('B[F5]')}", "go", "go") == "set myname Othellier-2\n"
    heard = talk.heard()
    assert len(heard) == 4
    assert heard[0::2] == heard[0:1] * 2
    assert re.fullmatch(r"nodestats \d+ T", heard[0])
    assert heard[1] == heard[3]
    assert re.fullmatch(r"=== (D6|F4|F6)//T", heard[1])


def test_moves(talk: Talk) -> None:
    assert talk("move F5/1.5/2.25", "move d6", "move C3//3", "set depth 1", "go") == "set myname Othellier-1\n"
    (_, answer) = talk.heard()
    legal = Game.from_moves([37, 43, 18]).end.position.moves()
    assert answer[4:6].lower() in {"d3", "c4", "f4"} | {f"{'abcdefgh'[m % 8]}{m // 8 + 1}" for m in legal}
    assert talk("move A1/0/0").startswith("status illegal move a1 at ply 4: it flips nothing")
    assert talk("move PA").startswith("status illegal move pass")
    assert talk("move").startswith("status '' is not a square")
    assert talk("move Z9").startswith("status 'Z9' is not a square")


def test_games_that_cannot_be_read(talk: Talk) -> None:
    talk("move F5")
    assert talk("set game").startswith("status ")
    assert talk("set game (;GM[Chess];)").startswith("status ")
    assert talk(f"set game {START.format('B[A1]')}").startswith("status ")
    assert talk("set game " + "(" * 70_000) == "status a line was too long\n"
    assert talk("move D6") == "", "the game from before goes on"


def test_solves(talk: Talk) -> None:
    """The score is in discs for the side to move, and 100 % says that it is proven."""
    game = Game(Position.parse("-XXO XOOX XXOX OO-X X", 4))
    talk("set depth 10", f"set game {records.dumps([game], 'ggf')}", "go", "hint 2", "analyze")
    heard = talk.heard()
    assert heard[0] == "search A1C4 4.00 0 100%"
    assert heard[2] == "=== A1/4.00/T"
    assert sorted(heard[3:5]) == ["search A1C4 4.00 0 100%", "search C4A1 -2.00 0 100%"]
    assert heard[6:] == ["analysis 0 4.00"]


def test_a_side_that_must_pass(talk: Talk) -> None:
    game = Game(Position.parse("XXXX XXX- XXO- XO-- O", 4))
    talk("set depth 3", f"set game {records.dumps([game], 'ggf')}", "go", "hint 1")
    assert talk.heard() == ["=== PA", "search PA 0.00 0 0"]
    assert talk("move PA", "go") == ""
    assert re.match(r"=== (D3|C4|D4)/", talk.heard()[-1])


def test_a_game_that_is_over(talk: Talk) -> None:
    over = Game(Position.parse("XXXX XXXX XXXX XXX- O", 4))
    talk(f"set game {records.dumps([over], 'ggf')}", "go", "hint 1", "analyze")
    heard = talk.heard()
    assert heard[0].startswith("status ClassicalPlayer cannot be asked for a move: the game is over")
    assert heard[1] == heard[0]
    assert heard[2:] == ["analysis 0 -16.00"]


def test_looks_back_over_the_whole_game() -> None:
    talk = Talk(create_player("engine:depth=4"))
    talk("set depth 4", f"set game {START.format('B[F5]W[D6]B[C3]')}", "analyze")
    heard = talk.heard()
    assert [line.split()[:2] for line in heard] == [["analysis", str(ply)] for ply in (3, 2, 1, 0)]
    talk.server.close()


def test_hints_of_the_engine() -> None:
    talk = Talk(create_player("engine:depth=60"))
    talk("set depth 8", f"set game {START.format('B[F5]')}", "hint 2")
    *lines, stats = talk.heard()
    assert stats.startswith("nodestats ")
    best, second = (line.split() for line in lines[-2:])
    assert float(best[2]) >= float(second[2])
    assert best[1][:2] != second[1][:2]
    assert best[4] == second[4] == "8"
    talk.server.close()


class Sleeper(Player):
    """Thinks until it is stopped, or not even then."""

    def __init__(self, deaf: bool = False) -> None:
        self.deaf = deaf
        self.thinking, self.stopped = threading.Event(), threading.Event()

    def choose(self, position: Position, limit: Limit) -> Result:
        self.thinking.set()
        assert limit.stop is not None
        with limit.stop.calling((lambda: None) if self.deaf else self.stopped.set):
            assert self.stopped.wait(LIMIT), "nobody stopped the player"
        self.stopped.clear()
        return Result(position.moves()[0], position.turn, score=1.0)


@pytest.mark.parametrize("question", ["go", "hint 1", "hint 4", "analyze"])
def test_ping_stops_thinking_first(question: str) -> None:
    player = Sleeper()
    talk = Talk(player)
    talk(question, "go")
    assert player.thinking.wait(LIMIT)
    assert talk("ping 7") == "pong 7\n"
    talk.server.finish()
    assert talk.later == [f"{THINKING}\n"], "nothing is said about what was asked before the ping"
    player.stopped.set()
    talk.later.clear()
    talk("go")
    assert talk.heard()[-1] == "=== D3/1.00/T"
    talk.server.close()


def test_ping_does_not_wait_for_a_player_that_does_not_listen() -> None:
    player = Sleeper(deaf=True)
    talk = Talk(player)
    talk("go")
    assert player.thinking.wait(LIMIT)
    assert talk("ping 8") == "pong 8\n"
    talk("go")
    player.thinking.clear()
    player.stopped.set()  # the first answer, which nobody wants any more
    assert player.thinking.wait(LIMIT)
    player.stopped.set()
    talk.server.finish()
    assert [line[:6] for line in talk.later] == ["status", "status", "search", "nodest", "=== D3", "status"]
    talk.server.close()


def test_nobody_listens_any_more() -> None:
    def send(_: str) -> None:
        raise BrokenPipeError

    server = NBoardServer(create_player("random:seed=1"), send)
    server.handle("go")
    server.finish()
    assert server.closed
    server.close()


class Broken(Player):
    def choose(self, position: Position, limit: Limit) -> Result:
        raise ZeroDivisionError("no\nway")


@pytest.mark.parametrize("question", ["go", "hint 1", "hint 4", "analyze"])
def test_a_player_that_fails_is_a_status_of_one_line(question: str) -> None:
    talk = Talk(Broken())
    talk(question)
    (line,) = talk.heard()
    assert line.startswith("status Broken failed: ZeroDivisionError: no way (test_nboard_server.py, line")
    talk.server.close()


# -- anything at all

KNOWN = "nboard set depth game contempt move hint go ping learn analyze 2 -1 F5 F5/1/2 PA / (; ;)"
WORDS = st.sampled_from([*KNOWN.split(), START.format("B[F5]"), START.format("B[")])
JUNK = st.one_of(
    st.text(max_size=40),
    st.lists(st.one_of(WORDS, st.text(max_size=8), st.integers().map(str)), max_size=4).map(" ".join),
)


@settings(max_examples=100, deadline=None)
@given(st.lists(JUNK, max_size=20))
def test_survives_anything(lines: list[str]) -> None:
    talk = Talk(create_player("random:seed=1"))
    for line in lines:
        assert re.fullmatch(r"([^\n]+\n)*", talk.server.handle(line))
    talk.server.finish()
    assert all(re.fullmatch(r"[^\n]+\n", line) for line in talk.later)
    assert talk.server.handle("ping 3") == "pong 3\n"
    talk.server.close()
