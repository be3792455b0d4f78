"""`play`, through a pipe: what is typed, what is shown, how it ends."""

import contextlib
import io
import os
import pty
import re
import select
import shlex
import signal
import subprocess
import sys
import threading
from collections.abc import Callable
from pathlib import Path

import pytest

from othellier import records
from othellier.cli import main
from othellier.engine.levels import LEVELS
from othellier.games.game import Game, Headers, Outcome
from othellier.games.results import Stop
from othellier.pictures import Style
from othellier.players import create_player
from othellier.terminal.advice import patiently
from othellier.terminal.screen import COMMANDS
from othellier.terminal.terminal import TerminalGame
from othellier.terminal.trace import Tracer
from waiting import LIMIT

Play = Callable[..., str]


@pytest.fixture
def play(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Play:
    """Play a game with these lines typed; gives what was printed."""

    def typed(lines: str, *options: str, status: int = 0, language: str = "en") -> str:
        monkeypatch.setattr(sys, "stdin", io.StringIO(lines))
        assert main(["--language", language, "play", "--terminal", *options]) == status
        out, err = capsys.readouterr()
        assert err == ""
        assert "\x1b" not in out
        return out

    return typed


TWO = ("--white", "human")


def test_two_people(play: Play) -> None:
    out = play("f5\nD6\nmoves\n", *TWO)
    assert "Black: human. White: human." in out
    assert "(○)" in out
    assert "  1. f5   d6\n" in out
    assert out.endswith("To go on with this game: othellier play --terminal --white human --load F5D6\n")


def test_against_a_player(play: Play) -> None:
    out = play("f5\nquit\n", "--white", "random:seed=1")
    assert re.search(r"\nwhite plays \w\d\n", out)
    assert len(re.findall("black to move", out)) == 2


def test_two_players_play_to_the_end(play: Play) -> None:
    out = play("", "--black", "random:seed=1", "--white", "random:seed=2", "--size", "4")
    assert "game over" in out
    assert re.search(r"Game over: (\w+ wins \d+ to \d+|a draw, 8 each)\.\n$", out)
    assert out.count("plays") + out.count("passes") > 5


def test_passes_are_played_by_themselves_and_announced(play: Play) -> None:
    out = play("c1\nquit\n", *TWO, "--load", "OX-- ---- ---- X--- O")
    assert "black plays" not in out
    assert "game over" in out
    out = play("", *TWO, "--load", "OX-- ---- ---- ---- X")
    assert "black has no move and passes\n" in out
    assert "white to move" in out


def test_the_page_asks_for_players_itself(complaint: Callable[..., str]) -> None:
    assert "go with --terminal" in complaint("play", "--white", "random", "--no-browser")


@pytest.mark.parametrize(
    ("typed", "words"),
    [
        ("a1", "illegal move a1: it flips nothing"),
        ("d4", "illegal move d4: the square is taken"),
        ("z9", "'z9' is not a square of a board of size 8"),
        ("pass", "illegal move pass: a pass is only legal when it is forced"),
        ("undoo", "'undoo' is neither a move nor a command, help lists them (did you mean undo?)"),
        ("f5 d6", "'f5 d6' is neither a move nor a command, help lists them"),
        ("undo now", "'undo now' is neither a move nor a command, help lists them"),
        ("undo", "there is nothing to take back"),
        ("redo", "there is nothing to play again"),
        ("moves", "no moves yet"),
        ("save", "save to which file?"),
        ("save nowhere/x.ggf", "nowhere"),
        ("\x00\ud83d", "is neither a move nor a command"),
    ],
)
def test_mistakes_are_told_and_the_game_goes_on(play: Play, typed: str, words: str) -> None:
    out = play(f"{typed}\n\nf5\n", *TWO)
    assert words in out
    assert "5 · · · ● ●(●)· ·" in out


def test_help_names_every_command(play: Play) -> None:
    out = play("help\n")
    assert all(f"  {command}" in out for command in COMMANDS)
    assert play("?\n") == out


def test_legal_lists_moves_with_the_discs_they_turn(play: Play) -> None:
    assert "  d3   turns  1: d4\n  c4   turns  1: d4\n  f5   turns  1: e5\n  e6   turns  1: e5\n" in play("legal\n")


def test_hint_tells_the_best_move_its_value_and_the_line(play: Play) -> None:
    # 4x4 is lost for Black by 10, whatever it plays; the first line may be any of the four symmetric ones.
    out = play("hint\n", *TWO, "--size", "4")
    assert re.search(r"^Advice: \w\d \(-10 discs, exact\), then( \w\d)+$", out, re.MULTILINE)


def test_values_stand_on_the_board_until_they_are_taken_off(play: Play) -> None:
    out = play("values\nb1\nvalues\n", *TWO, "--size", "4")
    boards = re.split(r"\n   ? ?a ", out)
    assert [bool(re.search(r"[+-]\d+\. ", board)) for board in boards[1:]] == [False, True, True, False]
    assert "1   ·  -10.   ·" in boards[2]
    assert out.index("values of the squares are shown") < out.index("no longer shown")


def test_the_game_is_walked_through_and_goes_on(play: Play) -> None:
    out = play("f5\nd6\nc3\nback 2\nmoves\n>\nmoves\n<<\nmoves\n>>\nmoves\ngoto 1\nmoves\n", *TWO)
    walked = re.findall(r"^(?:  1\. f5.*|no moves yet)$", out, re.MULTILINE)
    assert walked == ["  1. f5", "  1. f5   d6", "no moves yet", "  1. f5   d6      2. c3", "  1. f5"]
    assert out.count("Looking at move 1 of 3") == 2
    assert out.endswith("--load F5D6C3\n")  # looking back loses nothing
    for typed in ("back", "goto 0", "end"):
        assert "there is nothing there to look at" in play(f"{typed}\n", *TWO)
    assert "goto takes a number of moves, not 'x'" in play("goto x\n", *TWO)
    assert "back takes a number of moves, not '-1'" in play("back -1\n", *TWO)


def test_machines_rest_while_one_looks_back(play: Play) -> None:
    machine = ("--white", "random:seed=1")
    out = play("f5\nback\nmoves\n", *machine)
    assert out.count("white plays") == 1
    assert "  1. f5\n" in out
    assert play("f5\nback\ngo\n", *machine).count("white plays") == 2
    out = play("f5\nback\nf6\nmoves\n", *machine)  # a move for the machine, after which it is one's own turn
    assert "  1. f5   f6\n" in out


def test_players_and_levels_change_during_the_game(play: Play) -> None:
    out = play("level\nlevel beginner\nlevel\nlevel mastr\n", "--white", "engine:level=amateur")
    assert re.findall(r"^  \* (\S+)", out, re.MULTILINE) == ["amateur", "beginner"]
    assert "white is played by beginner." in out
    assert "there is no level 'mastr', did you mean master?" in out
    out = play("level expert\nf5\nwhite random:seed=1\nc5\nwhite human\nblack nobody\n", *TWO)
    assert "nobody but people plays: white expert lets a computer play" in out
    assert out.count("white plays") == 1
    assert "unknown player" in out
    out = play("f5\nswap\n", "--white", "random:seed=1")
    assert "Black: random:seed=1. White: human." in out
    assert "black plays" in out
    assert f"black is played by whom? human, {next(iter(LEVELS))}" in play("black\n", *TWO)


def test_a_game_is_judged_with_reasons(play: Play) -> None:
    out = play("analyse\nb1\nanalyse deeply\nanalyse quick\n", *TWO, "--size", "4")
    assert "there is no move to judge yet" in out
    assert "analyse quick, normal or deep, not 'deeply'" in out
    assert "  1 X b1   -10.0" in out


def test_mistakes_come_with_what_was_better(play: Play) -> None:
    # On 4x4 all is exact: White takes no corner, and loses by 14 what it could have won by 10.
    out = play("b1\nc1\nanalyse quick\n", *TWO, "--size", "4")
    told = r"^  2 white c1 \?\? -24\.0: (\w\d) was better\n {6}\1 wins by 10; c1 loses by 14\.\n {6}The corner \1"
    assert re.search(told, out, re.MULTILINE)
    assert "white: accuracy 1%, 24 discs lost; blunder 1\n" in out
    assert "black: accuracy 100%, 0 discs lost\n" in out


def test_ctrl_c_hurries_the_one_who_thinks() -> None:
    stopped = threading.Event()

    def think(stop: Stop) -> str:
        main_thread = threading.main_thread().ident
        assert main_thread is not None
        signal.pthread_kill(main_thread, signal.SIGINT)
        with stop.calling(stopped.set):
            assert stopped.wait(LIMIT), "nobody stopped the one who thinks"
        return "what was found"

    assert patiently(think) == "what was found"


def test_undo_and_redo_go_to_ones_own_move(play: Play) -> None:
    opponent = ("--white", "random:seed=1")
    once = play("f5\nmoves\n", *opponent)
    again = play("f5\nundo\nmoves\nredo\nmoves\n", *opponent)
    assert "no moves yet" in again
    assert once.splitlines()[-2] == again.splitlines()[-2]
    assert "there is nothing to play again" in play("f5\nredo\n", *opponent)
    assert "  1. f5   d6" in play("f5\nd6\nundo\nundo\nredo\nredo\nmoves\n", *TWO)


def test_another_move_after_undo_is_the_game(play: Play) -> None:
    out = play("f5\nd6\nundo\nf4\nmoves\n", *TWO)
    assert "  1. f5   f4\n" in out
    assert out.endswith("--load F5F4\n")


def test_a_machine_that_begins_cannot_be_undone(play: Play) -> None:
    assert "there is nothing to take back" in play("undo\n", "--black", "random:seed=1", *TWO)


def test_resign_ends_the_game_and_undo_takes_it_back(play: Play, tmp_path: Path) -> None:
    path = tmp_path / "game.ggf"
    out = play(f"f5\nresign\nd6\nresign\nsave {path}\n", *TWO)
    assert out.count("white resigns, black wins.") == 1
    assert out.count("The game is over: analyse, undo, save FILE or quit.") == 2
    assert "To go on" not in out
    saved = records.read(path)[0]
    assert saved.result == Outcome(64, "resigned")
    assert "d6\n" in play("f5\nresign\nundo\nf5\nd6\nmoves\n", *TWO)


def test_save_keeps_the_game_and_never_loses_another(play: Play, tmp_path: Path) -> None:
    path = tmp_path / "my game.ggf"
    out = play(f"f5\nsave {path}\nd6\nsave {path}\n", "--white", "human")
    assert f"saved to {path}" in out
    assert f"{path} exists: save! {path} writes over it" in out
    game = records.read(path)[0]
    assert game.transcript() == "F5"
    assert (game.headers.black, game.headers.white) == ("human", "human")
    assert re.match(r"\d{4}-\d\d-\d\d", game.headers.date)
    assert "saved to" in play(f"f5\nd6\nsave! {path}\n", *TWO)
    assert records.read(path)[0].transcript() == "F5D6"


def test_load_goes_on_with_a_game(play: Play, tmp_path: Path) -> None:
    assert "  1. f5   d6      2. c3\n" in play("c3\nmoves\n", *TWO, "--load", "F5D6")
    path = tmp_path / "game.sgf"
    records.write([Game.from_moves([37, 43])], path)
    assert "  1. f5   d6      2. c3\n" in play("c3\nmoves\n", *TWO, "--load", str(path))
    assert "game over" not in play("", *TWO, "--load", str(path))


def test_what_is_kept_can_be_loaded(play: Play) -> None:
    for options in ([], ["--size", "6"], ["--load", "---- -OX- -XO- ---X O"]):
        out = play("legal\n", *TWO, *options)
        move = re.findall(r"^  (\w\d) +turns", out, re.MULTILINE)[0]
        kept = play(f"{move}\n", *TWO, *options).splitlines()[-1]
        arguments = shlex.split(kept.split("--terminal ")[1])
        assert f"  1. {move}" in play("moves\n", *TWO, *arguments).replace("-    ", "")


def test_wrong_players_and_records_are_one_line(capsys: pytest.CaptureFixture[str]) -> None:
    for arguments, words in {
        ("--white", "randm"): "othellier: player 'randm': unknown player, did you mean 'random'?\n",
        ("--load", "F5A1"): "illegal move a1",
        ("--load", "nowhere.ggf"): "nowhere.ggf",
        ("--load", "F5D6", "--size", "6"): "--size 6: the game of --load is on a board of size 8\n",
        ("--load", "---- -OX- -XO- ---- X", "--size", "8"): "--size 8: the game of --load is on a board of size 4\n",
    }.items():
        assert main(["play", "--terminal", *arguments]) == 2
        assert words in capsys.readouterr().err


class Interrupted:
    """A screen where Ctrl-C is pressed at the second prompt."""

    style: Style = "ascii"

    def __init__(self) -> None:
        self.said: list[str] = []
        self.lines = iter(["f5"])

    def say(self, words: str, *, whole: bool = False) -> None:
        self.said.append(words)

    def read(self, prompt: str) -> str | None:
        try:
            return next(self.lines)
        except StopIteration:
            raise KeyboardInterrupt from None


def test_ctrl_c_keeps_the_game() -> None:
    screen = Interrupted()
    game = TerminalGame(Game(), {"black": None, "white": None}, screen)
    with pytest.raises(KeyboardInterrupt):
        game.run()
    assert screen.said[-1].endswith("--load F5")


def test_a_person_at_a_terminal_has_prompts_and_colours() -> None:
    keyboard, terminal = pty.openpty()
    command = [sys.executable, "-m", "othellier", "play", "--terminal", "--white", "human"]
    environment = {name: value for name, value in os.environ.items() if "COLOR" not in name}
    environment["TERM"] = "xterm-256color"
    with subprocess.Popen(command, stdin=terminal, stdout=terminal, stderr=terminal, env=environment) as process:
        os.close(terminal)
        shown, typed = b"", 0
        lines = [b"f5\n", b"undoo\n", b"d6\n", b"\x04"]  # Ctrl-D ends the input
        with contextlib.suppress(OSError):  # the terminal is gone with the program
            while True:
                if not select.select([keyboard], [], [], LIMIT)[0]:
                    process.kill()
                    pytest.fail(f"waited {LIMIT:g} s for the terminal's next words; so far: {shown!r}")
                piece = os.read(keyboard, 65536)
                if not piece:
                    break
                shown += piece
                if typed < min(len(lines), shown.count(b"black> ") + shown.count(b"white> ")):
                    os.write(keyboard, lines[typed])
                    typed += 1
        process.wait(LIMIT)
    os.close(keyboard)
    assert process.returncode == 0
    for words in (b"black> ", b"white> ", b"\x1b[48;5;29;", b"did you mean undo?", b"--load F5D6"):
        assert words in shown


def test_no_escape_sequence_of_others_reaches_the_terminal(play: Play, tmp_path: Path) -> None:
    path = tmp_path / "game.sgf"
    path.write_text(
        "(;GM[2]PB[\x1b[31mred\\]]PW[\x9b2J\x00(;GM[Othello\\]]C[\x1b\\]0;title\x07];B[f5])", encoding="utf-8"
    )
    out = play(f"d6\nsave {tmp_path}/none/\x1b[31m.sgf\n\x1b]0;x\x07\n", *TWO, "--load", str(path))
    assert "Black: [31mred]. White: 2J(;GM[Othello]." in out
    assert not re.search(r"[\x00-\x08\x0b-\x1f\x7f-\x9f]", out)


class Typed:
    style: Style = "ascii"

    def __init__(self, *lines: str) -> None:
        self.said: list[str] = []
        self.lines = iter(lines)

    def say(self, words: str, *, whole: bool = False) -> None:
        self.said.append(words)

    def read(self, prompt: str) -> str | None:
        return next(self.lines, None)


def test_a_game_against_the_computer_leaves_its_trace(tmp_path: Path) -> None:
    game = Game(4, Headers(black="human", white="engine:level=amateur"))
    screen = Typed("b1", "resign", "back", "end", "quit")
    with contextlib.closing(create_player("engine:level=amateur")) as machine:
        TerminalGame(game, {"black": None, "white": machine}, screen, tracer=Tracer(tmp_path / "traces")).run()
    (path,) = (tmp_path / "traces").iterdir()  # once, though the end was looked at twice
    assert re.fullmatch(r"othellier \d{4}-\d\d-\d\d \d\d-\d\d-\d\d\.log", path.name)
    assert f"saved to {path}" in screen.said
    assert not any("Game over" in words for words in screen.said), "whoever resigns has not drawn"
    written = path.read_text(encoding="utf-8")
    for field in ("Version", "Cores", "Table", "Level", "Computer", "End"):
        assert re.search(rf"^{field}: \S", written, re.MULTILINE), field
    assert re.search(r"^Book: \d+ positions", written, re.MULTILINE)
    assert re.search(r"^Result: -16 resigned$", written, re.MULTILINE)
    (read,) = records.read(path)
    assert read.transcript() == game.transcript()


def test_a_trace_is_written_when_asked_for(play: Play, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    play("f5\ntrace\nsave game.log\nquit\n", "--white", "random:seed=1")
    traces = [path.read_text(encoding="utf-8") for path in sorted(tmp_path.iterdir())]
    assert len(traces) == 2
    assert all("Computer: white" in text and "Game: F5" in text and "End:" not in text for text in traces)


def test_a_level_is_called_by_its_name_and_told_in_french(play: Play) -> None:
    out = play("f5\nlevel\nhint\nanalyse quick\nresign\n", "--white", "Pip", language="fr")
    assert "Noir : humain. Blanc : pip." in out
    assert "noir au trait" in out
    assert re.search(r"^  \* pip +\S+  Pip joue", out, re.MULTILINE)
    assert "Conseil : " in out
    assert "noir : précision " in out
    english = re.search(r"to move|discs|then|accuracy|was better|Game over", out)
    assert english is None, english


def test_commands_are_french_too_with_accents_or_without(play: Play) -> None:
    out = play(
        "aide\nf5\na1\ndebut\nfin\nreculer x\nannuler\nnoir humain\nniveua\nmoves\nquitter\nf5\n", *TWO, language="fr"
    )
    assert "  niveau NOM" in out
    assert "coup illégal a1 : il ne retourne rien" in out
    assert "Coup 0 sur 1" in out
    assert "reculer attend un nombre de coups" in out
    assert "humain joue noir." in out
    assert "(vouliez-vous dire niveau ?)" in out
    assert out.endswith("aucun coup encore\n")  # the English word, and nothing after the end


def test_a_narrow_terminal_wraps_lists(play: Play, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "40")
    piped = play("help\nlevel\n", *TWO)
    assert max(map(len, piped.splitlines())) > 80  # nothing is wrapped in a pipe
    monkeypatch.setattr(sys.stdout, "isatty", lambda: True)
    out = play("help\nlevel\n", *TWO)
    assert max(map(len, out.partition("move there, or help.")[2].partition("To go on")[0].splitlines())) <= 40


def test_only_the_line_to_be_copied_may_be_wider_than_the_terminal(play: Play, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "40")
    monkeypatch.setattr(sys.stdout, "isatty", lambda: True)
    out = play("f5\nwhite\nlevel\n", *TWO)
    said = out[out.index("played by whom?") :].splitlines()
    assert any("`othellier" in line for line in said[:-1])  # of `othellier players`
    assert max(map(len, said[:-1])) <= 40
    assert said[-1] == "To go on with this game: othellier play --terminal --white human --load F5"
