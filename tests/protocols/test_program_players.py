"""Other programs as players: whole games through pipes, and every way in which a program can fail."""

import fcntl
import re
import shlex
import sys
import threading
from collections.abc import Callable
from pathlib import Path

import pytest

from othellier.arena.play import OpeningMoves, play_game
from othellier.errors import ConfigError, PlayerError, Resigned
from othellier.games.results import Limit
from othellier.players import Player, answer, create_player
from othellier.players.external import ExternalPlayer
from othellier.players.program import Program
from othellier.rules import native
from othellier.rules.board import Position
from othellier.rules.geometry import PASS
from waiting import LIMIT, until

PYTHON = shlex.quote(sys.executable)
SHORT = 0.5
"""Seconds for programs that will not answer however long one waits; all others have the limit of every wait."""

Write = Callable[[str], str]


@pytest.fixture
def write(tmp_path: Path) -> Write:
    """Make a program of some lines of Python; gives the command that starts it."""

    def written(text: str) -> str:
        path = tmp_path / f"program {len(list(tmp_path.iterdir()))}.py"
        path.write_text(f"import os, sys, time\n{text}")
        return f"{PYTHON} -S {shlex.quote(str(path))}"

    return written


# Programs that do as they should until the line comes for which a test has something else in mind.
GTP = """
def say(text):
    print(text, flush=True)
for line in sys.stdin:
    command = line.split()[0]
    if command == "genmove":
        {genmove}
    elif command == "list_commands":
        say("= play\\ngenmove\\ntime_settings\\ntime_left\\n")
    else:
        say("=\\n")
"""
NBOARD = """
def say(text):
    print(text, flush=True)
for line in sys.stdin:
    words = line.split()
    if words[0] == "ping":
        say("pong " + words[1])
    elif words[0] == "go":
        {genmove}
"""
FORMS = {"gtp": GTP, "nboard": NBOARD}
ANSWERS = {"gtp": "= {}\\n", "nboard": "=== {}"}


def play(black: Player, white: Player, start: Position, limit: Limit | None = None) -> list[int]:
    """A game between two players, from a start to its end."""
    position, moves = start, list[int]()
    for player in (black, white):
        player.new_game(start)
    while not position.is_over():
        player = black if position.turn == "black" else white
        move = PASS if position.must_pass() else answer(player, position, limit).move
        position = position.play(move)
        moves.append(move)
        for player in (black, white):
            player.observe(move)
    return moves


# -- games


@pytest.mark.parametrize("protocol", ["gtp", "nboard"])
@pytest.mark.parametrize(
    ("spec", "size"), [("random:seed=5", "8"), ("alphabeta:eval=mobility,depth=2", "6"), ("random:seed=1", "4x6")]
)
def test_a_player_in_another_process_plays_as_it_does_in_this_one(protocol: str, spec: str, size: str) -> None:
    command = f"{protocol}:{PYTHON} -m othellier {protocol} --player '{spec}'"
    start = native.start(size)

    def games(player: Player) -> list[list[int]]:
        with player, create_player("random:seed=2") as opponent:  # two games, without a new program for the second
            return [play(player, opponent, start), play(opponent, player, start)]

    assert games(create_player(command)) == games(create_player(spec))


@pytest.mark.parametrize("protocol", ["gtp", "nboard"])
def test_both_sides_of_the_protocol_against_each_other(protocol: str) -> None:
    command = f"{protocol}:{PYTHON} -m othellier {protocol} --player 'alphabeta:depth=2'"
    with create_player(command) as black, create_player(command) as white:
        moves = play(black, white, native.start("6"), Limit(depth=1, time=5))
    assert len(moves) >= 24


@pytest.mark.parametrize("protocol", ["gtp", "nboard"])
def test_can_be_asked_about_any_position(protocol: str) -> None:
    """Out of the blue, then within a game that began there, after a pass, and after moves were taken back."""
    command = f"{protocol}:{PYTHON} -m othellier {protocol} --player random:seed=1"
    black_passed = Position.parse("XXXX XXX- XXO- XO-- X", 4)
    with create_player(command) as player:
        assert answer(player, black_passed).move in black_passed.moves()
        start = Position.parse("XXXX XXX- XXO- XO-- O", 4)
        assert start.must_pass()
        player.new_game(start)
        player.observe(PASS)
        move = answer(player, start.play(PASS)).move
        player.observe(move)
        player.new_game(native.start())
        for square in (37, 43, 18):
            player.observe(square)
        position = native.start().play(37).play(43).play(18)
        assert answer(player, position).move in position.moves()
        player.new_game(native.start())
        player.observe(19)
        assert answer(player, native.start().play(19)).move in native.start().play(19).moves()


def test_a_program_that_passes_by_itself(write: Write) -> None:
    """It refuses to be told of passes, and is not told of them again."""
    command = write(
        "sys.path[:0] = " + repr([path for path in sys.path if path]) + "\n"
        "import site; site.main()\n"
        "from othellier.protocols import GtpServer\n"
        "from othellier.players import create_player\n"
        "server = GtpServer(create_player('random:seed=1'))\n"
        "for line in sys.stdin:\n"
        "    refused = line.startswith('play') and 'pass' in line\n"
        "    print('? no\\n' if refused else server.handle(line), end='\\n' if refused else '', flush=True)\n"
        "    if server.closed: break\n"
    )
    start = Position.parse("XXXX XXX- XXO- XO-- O", 4)
    with create_player(f"gtp:{command}") as player:
        player.new_game(start)
        player.observe(PASS)
        assert answer(player, start.play(PASS)).move in start.play(PASS).moves()


def test_time_is_told_to_those_who_know_of_it(write: Write, tmp_path: Path) -> None:
    log = tmp_path / "log"
    program = GTP.replace("    command =", f"    open({str(log)!r}, 'a').write(line)\n    command =")
    with create_player(f"gtp:{write(program.format(genmove=answers('gtp', 'd3')))}") as player:
        for limit in (Limit(), Limit(time=2.5), Limit(clock=60), Limit(clock=7.999, increment=0.5), Limit(depth=3)):
            player.new_game(native.start())
            answer(player, native.start(), limit)
        answer(player, native.start(), Limit(time=0.7))
        answer(player, native.start(), Limit(time=1.7))
    sent = [line for line in log.read_text().splitlines() if line.startswith(("time", "genmove"))]
    assert sent == [
        "genmove b",
        *("time_settings 0 2 1", "time_left b 2 1", "genmove b"),
        *("time_settings 60 0 0", "time_left b 60 0", "genmove b"),
        *("time_settings 7 1 1", "time_left b 7 0", "genmove b"),
        *("time_settings 0 1 0", "genmove b"),
        *("time_settings 0 1 1", "time_left b 1 1", "genmove b"),
        *("time_settings 0 1 1", "time_left b 1 1", "genmove b"),
    ]


def test_depth_is_told(write: Write, tmp_path: Path) -> None:
    log = tmp_path / "log"
    program = NBOARD.replace("    words =", f"    open({str(log)!r}, 'a').write(line)\n    words =")
    with create_player(f"nboard:{write(program.format(genmove=answers('nboard', 'D3')))},depth=18") as player:
        for limit in (Limit(), Limit(depth=9), Limit(depth=99)):
            answer(player, native.start(), limit)
    lines = log.read_text().splitlines()
    assert lines[0] == "nboard 2"
    assert [line for line in lines if line.startswith("set depth")] == ["set depth 18", "set depth 9", "set depth 18"]
    assert lines[-1] == "quit"


@pytest.mark.parametrize(
    ("line", "score", "nodes"),
    [
        ("=== D3/1.50/0.2", 1.5, 0),
        ("=== d3 -1.00 0.0", -1.0, 0),  # as Edax writes it
        ("=== D3", None, 0),
        ("=== D3//2", None, 0),
        ("=== D3/nan/", None, 0),
        ("nodestats 12345 0.5\\nstatus x\\n===  D3/2", 2.0, 12345),
        ("nodestats -5 x\\nnodestats\\nnodestats x\\n=== D3", None, 0),
        ("search F5 1 0 4\\nhello\\n\\n=== D3/0", 0.0, 0),
    ],
)
def test_what_a_program_says_about_its_move(write: Write, line: str, score: float | None, nodes: int) -> None:
    command = write(NBOARD.format(genmove=f'say("{line}")'))
    with create_player(f"nboard:{command}") as player:
        result = answer(player, native.start())
    assert (result.move, result.score, result.nodes, result.turn) == (19, score, nodes, "black")


# -- commands


@pytest.mark.parametrize(
    ("spec", "error", "words"),
    [
        ("gtp:", ConfigError, "player 'gtp:': gtp:COMMAND expected"),
        ("nboard:depth=3", ConfigError, "nboard:COMMAND expected"),
        ("gtp:''", PlayerError, "cannot be started"),
        ("gtp:'abc", ConfigError, "no closing quotation"),
        (
            "gtp:no-such-program --x",
            PlayerError,
            "^'no-such-program --x' cannot be started: no such file or directory$",
        ),
        ("gtp:/", PlayerError, "cannot be started: permission denied"),
        ("gtp:a\0b", PlayerError, r"^'a\?b' cannot be started: embedded null byte"),
        ("gtp:x,timeout=0", ConfigError, "option timeout=0: from just above 0"),
        ("gtp:x,move_timeout=-1", ConfigError, "option move_timeout=-1"),
        ("nboard:x,depth=0", ConfigError, "option depth=0: a depth from 1 on expected"),
    ],
)
def test_commands_that_cannot_be_started(spec: str, error: type[Exception], words: str) -> None:
    with pytest.raises(error, match=words) as caught:
        create_player(spec)
    assert "\n" not in str(caught.value)


def test_commands_are_split_as_a_shell_would(write: Write, tmp_path: Path) -> None:
    """Quotes keep blanks together, and what would be an option in the command's own hands."""
    program = write(
        f"open({str(tmp_path / 'arguments')!r}, 'w').write(repr(sys.argv[1:]))" + NBOARD.format(genmove="pass")
    )
    spec = f"nboard:{program} one 'two, three' -x=1,2 \"it's,depth=3\" a.py:b,depth=4, timeout=5"
    with create_player(spec) as player:
        assert isinstance(player, ExternalPlayer)
        assert player.command == spec.removeprefix("nboard:").removesuffix(",depth=4, timeout=5")
    assert (tmp_path / "arguments").read_text() == repr(["one", "two, three", "-x=1,2", "it's,depth=3", "a.py:b"])


# -- programs that fail


def answers(protocol: str, reply: str) -> str:
    return f'say("{ANSWERS[protocol].format(reply)}")'


def failure(protocol: str, command: str, patience: float = LIMIT) -> str:
    """What is said when creating the player or asking it fails: one line that names the command."""
    spec = f"{protocol}:{command},timeout={LIMIT},move_timeout={patience}"
    with pytest.raises(PlayerError) as caught, create_player(spec) as player:
        answer(player, native.start(), Limit())
    said = str(caught.value)
    assert "\n" not in said
    assert f"-S {command.split('-S ')[1][:20]}" in said.replace("\\'", "'")
    return said


def expect_failure(words: str, attempt: Callable[[float], str]) -> None:
    """What a program is complained of, given some seconds. "within … s" stands for those: one that is to say something
    before they are over gets more and more of them, since a busy machine may not let it."""
    late = "within … s" in words
    seconds = SHORT if late else LIMIT
    while not re.search(words.replace("…", f"{seconds:g}"), said := attempt(seconds)):
        assert late, said
        assert seconds < LIMIT, said
        seconds *= 4


@pytest.mark.parametrize("protocol", ["gtp", "nboard"])
def test_dies_at_start(protocol: str, write: Write, capfd: pytest.CaptureFixture[str]) -> None:
    program = write("print('no\\nweights here', file=sys.stderr)\nsys.exit(3)")
    assert failure(protocol, program).endswith("it ended with status 3; its standard error ends 'weights here'")
    assert failure(protocol, write("")).endswith("it ended with status 0")
    assert capfd.readouterr() == ("", ""), "its standard error is not for the terminal"


@pytest.mark.parametrize("protocol", ["gtp", "nboard"])
def test_hangs_at_start(protocol: str, write: Write) -> None:
    def attempt(seconds: float) -> str:
        with pytest.raises(PlayerError) as caught:
            create_player(f"{protocol}:{program},timeout={seconds}")
        return str(caught.value)

    asked = {"gtp": "protocol_version", "nboard": "ping 1"}[protocol]
    for body, last in (("", ""), ("print('hi', flush=True)\n", "; its last line was 'hi'")):
        program = write(f"{body}time.sleep(600)")
        expect_failure(f"asked '{asked}', there was no answer within … s{last}$", attempt)


@pytest.mark.parametrize("protocol", ["gtp", "nboard"])
@pytest.mark.parametrize(
    ("genmove", "words"),
    [
        ("print('ouch', file=sys.stderr); sys.exit(1)", "it ended with status 1; .*its standard error ends 'ouch'"),
        ("say('half an ans'); os.kill(os.getpid(), 9)", "it was killed by SIGKILL; its last line was 'half an ans'"),
        ("sys.stdout.write('half'); sys.stdout.flush(); os._exit(0)", "status 0; its last line was 'half'"),
        ("os.close(1); time.sleep(600)", "it closed its output"),
        ("time.sleep(600)", "there was no answer within … s"),
        ("say('hello'); time.sleep(600)", "no answer within … s; its last line was 'hello'"),
        ("os.write(1, bytes(range(128, 256)) + b'\\n'); time.sleep(600)", "no answer within … s; its last line was"),
        ("while True: say('la la')", "no answer within … s; its last line was 'la la'"),
        ("while True: say('')", "no answer within … s"),
        ("while True: sys.stdout.write('la ' * 9999)", "it wrote a line of more than 65536 bytes"),
        ("while True: sys.stderr.write('x' * 9999)", "no answer within … s.* its standard error ends 'xxx"),
    ],
)
def test_fails_in_the_middle(protocol: str, genmove: str, words: str, write: Write) -> None:
    asked = {"gtp": "genmove b", "nboard": "go"}[protocol]
    program = write(FORMS[protocol].format(genmove=genmove))
    expect_failure(f": asked '{asked}', .*{words}", lambda seconds: failure(protocol, program, seconds))


@pytest.mark.parametrize("protocol", ["gtp", "nboard"])
@pytest.mark.parametrize(
    ("reply", "words"),
    [
        ("a1", r"the answer a1 is illegal \(---"),
        ("pass", r"the answer pass is illegal"),
        ("z9", "is not a move"),
        ("", "is not a move"),
        ("x" * 500, "is not a move"),
    ],
)
def test_answers_wrongly(protocol: str, reply: str, words: str, write: Write) -> None:
    assert re.search(words, failure(protocol, write(FORMS[protocol].format(genmove=answers(protocol, reply)))))


@pytest.mark.parametrize(
    ("genmove", "words"),
    [
        (r'say("? I will not\n")', "asked 'genmove b', it refused: 'I will not'"),
        (r'say("= resign\n")', "resigned"),
        (r'say("= d3"); [say("and so on") for _ in range(20000)]', "its answer has no end"),
        (r'say("= d3"); time.sleep(600)', "no answer within … s; its last line was '= d3'"),
    ],
)
def test_answers_wrongly_in_gtp(genmove: str, words: str, write: Write) -> None:
    program = write(GTP.format(genmove=genmove))
    expect_failure(words, lambda seconds: failure("gtp", program, seconds))


def test_refuses_what_it_cannot_do(write: Write) -> None:
    program = GTP.format(genmove=answers("gtp", "d3")).replace(
        "    else:", '    elif command == "{}": say("? no\\n")\n    else:'
    )
    with create_player(f"gtp:{write(program.format('boardsize'))}") as player:
        assert answer(player, native.start()).move == 19, "the usual size needs no permission"
        with pytest.raises(PlayerError, match="does not play on boards of size 6: no"):
            answer(player, native.start("6"))
        with pytest.raises(PlayerError, match="does not play on boards of size 4x6: GTP has no rectangles"):
            answer(player, native.start("4x6"))
        with pytest.raises(
            PlayerError, match=r"does not know loadsgf, and no moves are known that lead to the position -OX-+ X: "
        ):
            answer(player, Position.parse("-OX-----" + "-" * 56 + " X"))
    with create_player(f"gtp:{write(program.format('play'))}") as player:
        player.new_game(native.start())
        player.observe(19)
        with pytest.raises(PlayerError, match="asked 'play b d3', it refused: 'no'"):
            answer(player, native.start().play(19))
    assert "asked 'clear_board', it refused: 'no'" in failure("gtp", write(program.format("clear_board")))


def test_does_not_read(write: Write) -> None:
    for body in ("time.sleep(600)", "while True: os.write(1, b'la\\n' * 9999)"):
        program = Program(write(body))
        with pytest.raises(PlayerError, match=r"it did not read that within|it writes without end"):
            program.send("x" * 1_000_000, SHORT)
        assert not program.alive


@pytest.mark.parametrize("protocol", ["gtp", "nboard"])
def test_is_started_again_after_a_failure(protocol: str, write: Write, tmp_path: Path) -> None:
    """The first of them dies when asked; what the second is told is the whole game."""
    log = tmp_path / "starts"
    genmove = f"open({str(log)!r}, 'a').write('x'); len(open({str(log)!r}).read()) > 1 or sys.exit(1); "
    command = write(FORMS[protocol].format(genmove=genmove + answers(protocol, "d6")))
    position = native.start().play(37)
    with create_player(f"{protocol}:{command}") as player:
        player.new_game(native.start())
        player.observe(37)
        with pytest.raises(PlayerError, match="it ended with status 1"):
            answer(player, position)
        assert answer(player, position).move == 43
    assert log.read_text() == "xx"


def is_free(descriptor: int) -> bool:
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True


@pytest.mark.parametrize("ending", ["close", "failure", "forgotten"])
def test_ends_with_all_it_has_started(ending: str, write: Write, tmp_path: Path) -> None:
    """A child of the program holds a lock and writes into the file if it lives to its end."""
    lock = tmp_path / "lock"
    child = f"import fcntl, time; f = open({str(lock)!r}, 'w'); fcntl.flock(f, fcntl.LOCK_EX); "
    child += "print('locked', flush=True); time.sleep(600); f.write('finished')"
    program = Program(write(f"import subprocess\nsubprocess.Popen([sys.executable, '-c', {child!r}]).wait()"))
    process = program._process
    program.send("hello", LIMIT)
    assert program.receive() == "locked"
    if ending == "close":
        program.close("quit")
    elif ending == "failure":
        assert str(program.failure("it is a test")).endswith("it is a test; its last line was 'locked'")
    else:
        del program
    assert process.returncode is not None, "no zombie is left"
    with lock.open() as file:
        until(lambda: is_free(file.fileno()), "the child of the program to let go of its lock")
        assert file.read() == ""


def test_a_polite_program_ends_by_itself(write: Write, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("othellier.players.program.FAREWELL", LIMIT)
    program = Program(write("for line in sys.stdin: sys.exit(7 if line == 'bye\\n' else 8)"))
    program.close("bye")
    assert program._process.returncode == 7
    assert not program.alive
    program.close("bye")


def test_threads_are_not_needed(write: Write) -> None:
    before = threading.active_count()
    with create_player(f"gtp:{write(GTP.format(genmove=answers('gtp', 'd3')))}") as player:
        answer(player, native.start())
        assert threading.active_count() == before


def test_a_program_that_resigns_has_lost_and_made_no_mistake(write: Write) -> None:
    command = write(GTP.format(genmove=answers("gtp", "resign")))
    with create_player(f"gtp:{command}") as player, create_player("random:seed=1") as other:
        with pytest.raises(Resigned):
            answer(player, native.start(), Limit(time=LIMIT))
        for black, white, score in ((player, other, -64), (other, player, 64)):
            for each in (black, white):
                each.new_game(native.start())
            played = play_game(black, white, OpeningMoves(native.start(), ()))
            assert (played.score, played.reason, played.error, played.failed) == (score, "resigned", "", None)
