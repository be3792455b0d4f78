"""Programs that know no more of GTP than moves from the usual start, wherever a program can play."""

import io
import logging
import random
import re
import shlex
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from board import HUMANS, Client, board, new_game, server

from othellier.arena.bout import Bout, play_bout
from othellier.arena.match import Match
from othellier.arena.openings import find_openings
from othellier.base.jobs import Crew
from othellier.cli import main
from othellier.config.models import PlayerConfig
from othellier.errors import PlayerError
from othellier.games.game import Game
from othellier.games.results import Limit
from othellier.page.play import players
from othellier.players import RandomPlayer, answer, create_player, lent
from othellier.players.external import find_moves
from othellier.players.follower import line_to
from othellier.players.pool import SearchJob
from othellier.rules import native
from othellier.rules.board import Position
from othellier.rules.geometry import PASS, STANDARD
from waiting import LIMIT, until

COMMAND = f"{shlex.quote(sys.executable)} -S {shlex.quote(str(Path(__file__).with_name('tiny_engine.py')))}"
KINDS = [COMMAND, f"{COMMAND} lists"]
"""An engine without `loadsgf`, and one whose `loadsgf` ignores the discs."""


def log_of(path: Path, *, genmove: str = "") -> str:
    """The command of an engine that appends what it reads to a file, and may do something else for a move."""
    program = Path(__file__).with_name("tiny_engine.py").read_text()
    noted = f"        open({str(path)!r}, 'a').write(line)\n        command, *words = line.split()\n"
    program = program.replace("        command, *words = line.split()\n", noted)
    if genmove:
        program = program.replace('    name = "abcdefgh"[place', f"    {genmove}\n" + '    name = "abcdefgh"[place', 1)
    script = path.with_suffix(".py")
    script.write_text(f"open({str(path)!r}, 'a').write('started\\n')\n{program}")
    return f"{shlex.quote(sys.executable)} -S {shlex.quote(str(script))}"


# -- matches


@pytest.mark.parametrize("command", KINDS)
def test_a_match_with_the_usual_openings_is_played_to_the_end(command: str) -> None:
    match = Match.between("alphabeta:depth=1", f"gtp:{command}", 10)
    match.run(Crew("here"))
    assert match.tally.games == 10
    assert [side.errors for side in match.sides] == [0, 0], str(match)
    assert match.tally.on_board == 10


class Heard(RandomPlayer):
    """A random player that notes what it receives of a game."""

    def __init__(self) -> None:
        super().__init__(seed=1)
        self.heard: list[object] = []

    def new_game(self, start: Position) -> None:
        self.heard.append(start)

    def observe(self, move: int) -> None:
        self.heard.append(move)


def test_players_receive_the_opening_as_moves() -> None:
    opening = find_openings("balanced", 1, STANDARD)[0]
    players = Heard(), Heard()
    with lent(players) as specs:
        (game,) = play_bout(Bout(0, (specs[0], specs[1]), opening, games=1))
    assert len(opening.moves) > 4
    for player in players:
        assert player.heard == [native.start(), *(ply.move for ply in game.plies)]


def test_openings_given_as_positions_are_reached_by_moves(tmp_path: Path) -> None:
    """A record of positions says nothing of how they came about."""
    (tmp_path / "positions.obf").write_text(
        "".join(f"{opening.position().board_string()};\n" for opening in find_openings("balanced", 2, STANDARD))
    )
    match = Match.between("alphabeta:depth=1", f"gtp:{COMMAND}", 4, openings=str(tmp_path / "positions.obf"))
    match.run(Crew("here"))
    assert [side.errors for side in match.sides] == [0, 0], str(match)


def test_an_error_that_takes_long_is_no_slow_move(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    command = log_of(tmp_path / "log", genmove="import time; time.sleep(0.6); sys.exit(3)")
    main(["match", "random:seed=1", f"gtp:{command}", "--games", "2", "--time", "0.1", "--executor", "here"])
    out, err = capsys.readouterr()
    assert "took too long" not in out
    assert "it ended with status 3" in err


# -- any position, in Python


@pytest.mark.parametrize("command", KINDS)
def test_a_position_is_reached_by_moves(command: str) -> None:
    with create_player(f"gtp:{command}") as player:
        for text in ("f5", "f5d6c3d3c4", "f5f6e6f4e3c5c4"):  # each asked out of the blue
            position = Game.from_moves(text).last
            assert answer(player, position).move in position.moves()


def test_a_game_without_new_game_and_observe(tmp_path: Path) -> None:
    """Asked for every move of a game and told nothing else, the engine receives each move once."""
    game, opponent = Game(), random.Random(1)
    with create_player(f"gtp:{log_of(tmp_path / 'log')}") as player:
        while not game.position.is_over():
            position = game.position
            mine = position.turn == "white"
            if position.must_pass():
                game.push(PASS)
                continue
            game.push(answer(player, position).move if mine else opponent.choice(position.moves()))
        commands = [line.split()[0] for line in (tmp_path / "log").read_text().splitlines()]
    assert commands.count("clear_board") == 1
    assert commands.count("genmove") + commands.count("play") <= len(game.main_line())


def test_taking_back_in_python(tmp_path: Path) -> None:
    game = Game()
    with create_player(f"gtp:{COMMAND}") as player, create_player("random:seed=3") as other:
        for _ in range(30):
            game.push(answer(other, game.position).move)
        player.new_game(game.start)
        for node in game.main_line():
            player.observe(node.move or 0)
        for node in game.main_line()[20:]:  # earlier places of the game, and others beside it
            if node.position.moves():
                assert answer(player, node.position).move in node.position.moves()
            beside = node.parent.position.play(node.parent.position.moves()[0]) if node.parent is not None else None
            if beside is not None and beside.moves():
                assert answer(player, beside).move in beside.moves()


@pytest.mark.parametrize(
    ("command", "words"),
    [(COMMAND, "asked 'loadsgf .*, it refused"), (KINDS[1], "which it may not have read from loadsgf")],
)
def test_a_position_no_moves_lead_to_is_refused_with_the_reason(command: str, words: str) -> None:
    position = Position.parse("-OX-----" + "-" * 56 + " X")
    assert find_moves(native.start(), position) is None
    with create_player(f"gtp:{command}") as player, pytest.raises(PlayerError, match=words):
        answer(player, position)


def test_moves_to_a_position_hold_its_passes() -> None:
    start = Position.parse("XXXX XXX- XXO- XO-- O", 4)
    assert start.must_pass()
    for target in (start, start.play(PASS), start.play(PASS).play(start.play(PASS).moves()[0])):
        moves = find_moves(start, target)
        assert moves is not None
        position = start
        for move in moves:
            position = position.play(move)
        assert position == target
    assert find_moves(start.play(PASS), start) is None
    assert find_moves(native.start(6), native.start()) is None
    assert line_to(Game.from_moves("f5d6").end) == (native.start(), (37, 43))


def test_nboard_receives_moves_too(tmp_path: Path) -> None:
    log, script = tmp_path / "log", tmp_path / "nboard.py"
    script.write_text(
        "import sys\n"
        "for line in sys.stdin:\n"
        f"    open({str(log)!r}, 'a').write(line)\n"
        "    words = line.split()\n"
        "    reply = {'ping': f'pong {words[-1]}', 'go': '=== C4'}.get(words[0])\n"
        "    print(reply, flush=True) if reply else None\n"
    )
    with create_player(f"nboard:{shlex.quote(sys.executable)} -S {shlex.quote(str(script))}") as player:
        answer(player, Game.from_moves("f5d6c3d3").last)
    (sent,) = [line for line in log.read_text().splitlines() if line.startswith("set game")]
    assert re.findall(r"[BW]\[(\w\d)", sent) == ["F5", "D6", "C3", "D3"]
    assert "BO[8 ---------------------------O*------*O--------------------------- *]" in sent


# -- time


def test_time_is_sent_in_whole_seconds_and_once_a_game(tmp_path: Path) -> None:
    log = tmp_path / "log"
    with create_player(f"gtp:{log_of(log)}") as player:
        for _ in range(2):
            game = Game()
            player.new_game(game.start)
            for clock in (20.0, 19.4, 7.999, 0.3):
                move = answer(player, game.position, Limit(clock=clock, increment=0.5)).move
                for each in (move, game.position.play(move).moves()[0]):
                    game.push(each)
                    player.observe(each)
    sent = [line for line in log.read_text().splitlines() if line.startswith("time_")]
    assert sent == 2 * ["time_settings 20 1 1", *(f"time_left b {seconds} 0" for seconds in (20, 19, 7, 0))]


def test_what_the_engine_does_not_take_of_time_is_said_once(caplog: pytest.LogCaptureFixture, tmp_path: Path) -> None:
    program = Path(log_of(tmp_path / "log").split()[-1])
    program.write_text(program.read_text().replace('"time_left": time_left', '"time_left": play'))
    with create_player(f"gtp:{shlex.quote(sys.executable)} -S {program}") as player:
        for limit in (Limit(), Limit(clock=9), Limit(clock=8)):
            answer(player, native.start(), limit)
    (said,) = [record.getMessage() for record in caplog.records if record.levelno == logging.WARNING]
    assert "refused 'time_left b 9 0'" in said
    with create_player(f"gtp:{COMMAND}") as player:
        caplog.clear()
        answer(player, native.start(), Limit(time=0.1))
    assert "instead of 0.1 s: GTP has whole seconds" in caplog.text


# -- the terminal


def test_a_loaded_game_and_undo_in_the_terminal(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    spec = f"gtp:{COMMAND}"
    monkeypatch.setattr(sys, "stdin", io.StringIO("d3\nundo\nd3\n"))
    assert main(["play", "--terminal", "--white", spec, "--load", "F5D6C5F4"]) == 0
    out, err = capsys.readouterr()
    assert err == ""
    assert out.count("white plays") == 2, "after --load and after undo"
    hint = out.splitlines()[-1]
    assert f"--white {shlex.quote(spec)} --load F5D6C5F4D3" in hint


# -- the page


@pytest.fixture
def page(tmp_path: Path) -> Iterator[Client]:
    with server(tmp_path / "games") as client:
        yield client


def test_one_process_plays_a_game_on_the_page(page: Client, tmp_path: Path) -> None:
    log = tmp_path / "log"
    spec = f"gtp:{log_of(log)}"
    players.permit(spec)
    state = new_game(
        page, black=HUMANS["black"], white={"kind": "player", "spec": spec}, opening={"kind": "moves", "moves": "f5d6"}
    )
    with board(page, state["game"]) as tab:
        for _ in range(3):
            tab.do("move", square=tab.state["legal"][0]["square"])
            tab.until(your_turn=True)
        tab.do("undo")
        tab.do("move", square=tab.state["legal"][-1]["square"])
        tab.until(your_turn=True)
    lines = log.read_text().splitlines()
    assert lines.count("started") == 1
    assert lines.count("genmove w") == 4
    assert lines.count("clear_board") == 2, "once for the game, once for the move that was taken back"
    assert sum(line.startswith("play") for line in lines) < 20, "moves are not sent again for each move"


def test_a_machine_that_fails_is_named_and_replaced_on_the_page(page: Client, tmp_path: Path) -> None:
    spec = f"gtp:{log_of(tmp_path / 'log', genmove='sys.exit(3)')}"
    players.permit(spec)
    white = {"kind": "player", "spec": spec, "name": "Broken"}
    state = new_game(page, black=HUMANS["black"], white=white)
    with board(page, state["game"]) as tab:
        tab.do("move", square="f5")
        error = tab.hear("error")["error"]
        assert (error["data"]["player"], error["data"]["color"]) == ("Broken", "white")
        assert tab.until(playing=False)["failed"]["color"] == "white"
        assert "it ended with status 3" in tab.state["failed"]["reason"]
        tab.do("players", white={"kind": "level", "level": "nora"})
        tab.until(your_turn=True, failed=None)


def test_a_machine_that_resigns_has_lost_on_the_page(page: Client, tmp_path: Path) -> None:
    command = log_of(tmp_path / "log", genmove='return "= resign"')
    spec = f"gtp:{command}"
    players.permit(spec)
    state = new_game(page, black=HUMANS["black"], white={"kind": "player", "spec": spec})
    with board(page, state["game"]) as tab:
        tab.do("move", square="f5")
        over = tab.until(over=True)
    assert (over["result"]["winner"], over["result"]["reason"]) == ("black", "resigned")
    assert all(event["event"] != "error" for event in tab.heard)


def test_a_move_that_is_not_wanted_any_more_ends_its_program(tmp_path: Path) -> None:
    """Taking back does not wait for the answer: the program is killed, and started again for the next move."""
    log = tmp_path / "log"
    think = f"import time; open({str(log)!r}).read().count('started') > 1 or time.sleep(600)"
    spec = f"gtp:{log_of(log, genmove=think)},move_timeout=30"
    players.permit(spec)
    kept, line = players.KeptPlayers(), line_to(Game.from_moves("f5").end)
    first, second = (SearchJob(lambda *_: None) for _ in range(2))
    with ThreadPoolExecutor(1) as pool:
        asked = pool.submit(kept.choose, first, "white", spec, line, Limit())
        until(lambda: log.exists() and "genmove" in log.read_text(), "the program to be asked")
        first.drop()
        with pytest.raises(PlayerError, match="it was killed by SIGKILL"):
            asked.result(LIMIT)
    assert kept.choose(second, "white", spec, line, Limit()).turn == "white"
    assert kept.others({}) == {("white", spec)}
    kept.release({})
    assert not kept.others({})


# -- configurations


def test_a_command_is_a_key_of_its_own() -> None:
    config = PlayerConfig.model_validate({"algorithm": "gtp", "command": COMMAND, "timeout": 9, "name": "Tiny"})
    assert config.spec == f"gtp:{COMMAND},timeout=9"
    with create_player(config.spec) as player:
        assert answer(player, native.start()).move in native.start().moves()
