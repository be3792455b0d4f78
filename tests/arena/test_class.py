"""A class tournament: files as players, whatever they do; the rest goes on, and everybody gets a report."""

import json
import os
import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from othellier.arena.entrants import find_entrants
from othellier.arena.guard import Guard
from othellier.arena.nursery import FORKS
from othellier.arena.play import OpeningMoves, play_game
from othellier.cli import main
from othellier.errors import PlayerError
from othellier.games.results import Limit
from othellier.messages.language import choose_language
from othellier.players import create_player
from othellier.rules.board import Position
from othellier.rules.geometry import PASS
from waiting import LIMIT, until

START = Position.start(4)
GOOD = "def choose(position):\n    return position.moves()[0]\n"
FILES = {
    "ann": GOOD,
    "ben": "from othellier.players import Player\nfrom othellier import Result\n\nclass Ben(Player):\n"
    "    def choose(self, position, limit):\n        print('thinking' * 1000)\n"
    "        return Result(position.moves()[-1], position.turn)\n",
    "syntax": "def choose(position)\n    return 1\n",
    "imports": "import no_such_module_at_all\n" + GOOD,
    "empty": "X = 1\n",
    "two": "from othellier.players import Player\nclass A(Player):\n    pass\nclass B(Player):\n    pass\n",
    "quits": "import sys\nsys.exit(3)\n",
    "_helper": "raise RuntimeError('not a player')\n",
}


def folder(path: Path, files: dict[str, str]) -> Path:
    for name, text in files.items():
        file = path / f"{name}.py"
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text)
    return path


def test_every_file_is_a_player_or_says_why_not(tmp_path: Path) -> None:
    players = folder(tmp_path, {**FILES, "late/Ann": GOOD, "early/ben": GOOD})
    found = {str(one.path.relative_to(tmp_path)): one for one in find_entrants(players)}
    assert "_helper.py" not in found
    assert [name for name, one in found.items() if not one.problem] == ["ann.py", "ben.py"]
    assert found["late/Ann.py"].problem == "ann.py has the same name and plays"
    assert found["early/ben.py"].problem == "ben.py has the same name and plays"  # what lies highest comes first
    assert found["late/Ann.py"].file == "late/Ann.py"
    assert found["syntax.py"].problem.endswith("SyntaxError: expected ':' (syntax.py, line 1)")
    assert "no_such_module_at_all" in found["imports.py"].problem
    assert "has no player" in found["empty.py"].problem
    assert "several players (A, B)" in found["two.py"].problem
    assert "status 3" in found["quits.py"].problem
    for one in found.values():
        assert "\n" not in one.problem
        assert str(tmp_path) not in one.problem


LATE = "did not answer within"
MISDEEDS = {
    "fork": ("import os\n\ndef choose(position):\n    os.fork()\n    return position.moves()[0]\n", "other processes"),
    "shell": ("import os\n\ndef choose(position):\n    os.system('true')\n", "other processes"),
    "popen": ("import subprocess\n\ndef choose(position):\n    subprocess.run(['true'])\n", "other processes"),
    "kill": ("import os\n\ndef choose(position):\n    os.kill(os.getppid(), 9)\n", "other processes"),
    "vandal": (
        "from pathlib import Path\n\ndef choose(position):\n    Path(__file__).with_name('ann.py').write_text('')\n",
        "no files may be written",
    ),
    "mover": ("import os\n\ndef choose(position):\n    os.replace(__file__, 'ann.py')\n", "no files may be written"),
    "forger": (
        "import os\n\ndef choose(position):\n    for line in range(3, 64):\n        try:\n"
        "            os.write(line, bytes([0, 0, 0, 16]) + b'cos\\nsystem\\n(U\\x01 ')\n        except OSError:\n"
        "            pass\n    return position.moves()[0]\n",
        "sent something that is no answer",
    ),
    "tampers": (
        "import othellier.arena.guard as guard\nguard.answer = None\nguard.replace = None\n\n"
        "def choose(position):\n    return position.moves()[0]\n",
        "TypeError",
    ),
    "boasts": (
        "from othellier import Result\nfrom othellier.players import Player\n\nclass Boasts(Player):\n"
        "    def choose(self, position, limit):\n"
        "        return Result(position.moves()[0], position.turn, nodes='many')\n",
        "nodes='many': a number from 0",
    ),
    "memory": ("def choose(position):\n    return len(bytearray(4 << 30))\n", "MemoryError"),
    "sleep": ("import time\n\ndef choose(position):\n    time.sleep(1000)\n", LATE),
    "loop": ("def choose(position):\n    while True:\n        pass\n", LATE),
    "crash": ("import os\n\ndef choose(position):\n    os._exit(7)\n", "status 7"),
    "illegal": ("def choose(position):\n    return 0\n", "illegal"),
    "nonsense": ("def choose(position):\n    return 'banana'\n", "banana"),
    "nothing": ("def choose(position):\n    pass\n", "None"),
}


@pytest.mark.parametrize("name", MISDEEDS)
def test_whatever_a_player_does_it_only_loses_its_game(name: str, tmp_path: Path) -> None:
    text, words = MISDEEDS[name]
    players = folder(tmp_path, {name: text})
    patience = 0.5 if words == LATE else 60
    guard = Guard(f"{players / name}.py:*", patience, memory=256)
    try:
        guard.begin(START, 0)
        played = play_game(guard, create_player("random:seed=1"), OpeningMoves(START), Limit(time=0.1))
    finally:
        guard.close()
    assert played.failed == "black"
    assert words in played.error


BURNS = """
import threading
import time
from othellier import Result
from othellier.players import Player

TICKS = [0]


def burn():
    while True:
        TICKS[0] += 1
        time.sleep(0.001)


class Burns(Player):
    def choose(self, position, limit):
        if not TICKS[0]:
            threading.Thread(target=burn, daemon=True).start()
        while TICKS[0] < 5:
            time.sleep(0.001)
        return Result(position.moves()[0], position.turn, nodes=TICKS[0])
"""


@pytest.mark.skipif(not FORKS, reason="players are paused where they are forked")
def test_no_thread_of_a_player_goes_on_in_the_opponents_time(tmp_path: Path) -> None:
    guard = Guard(f"{folder(tmp_path, {'burns': BURNS}) / 'burns'}.py:*", memory=256)
    try:
        guard.begin(START, 0)
        assert guard.choose(START, Limit()).nodes >= 5
        assert guard._process is not None
        state = Path(f"/proc/{guard._process.pid}/stat")
        until(lambda: state.read_text().rpartition(")")[2].split()[0] == "T", "a player that is not asked stands still")
        assert guard.choose(START, Limit()).nodes >= 5  # and goes on when it is asked
    finally:
        guard.close()


@pytest.mark.skipif(not FORKS, reason="players are paused where they are forked")
@pytest.mark.parametrize(
    "end",
    [
        "os.kill(os.getpid(), 9)",
        "guard._process.kill = guard.close = lambda: None",
        "os.kill(guard._process._nursery._process.pid, 9)",
    ],
)
def test_players_that_stand_still_end_with_the_tournament(end: str, tmp_path: Path) -> None:
    """What asks is killed, or ends without a word to them: nobody lets them go on, and the nursery ends them, even if
    it is killed itself."""
    path = folder(tmp_path, {"ann": GOOD}) / "ann.py"
    code = (
        "import os\n"
        "from othellier.rules import native\n"
        "from othellier.arena.guard import Guard\n"
        f"guard = Guard({f'{path}:*'!r}, memory=256)\n"
        "guard.begin(native.start(4), 0)\n"
        "print(guard._process.pid, flush=True)\n"
        f"{end}\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, check=False, timeout=LIMIT)
    until(lambda: not Path(f"/proc/{int(done.stdout)}").exists(), "a player that is gone")


def test_a_confined_player_may_still_use_what_it_needs(tmp_path: Path) -> None:
    players = folder(tmp_path, {"ann": "import threading\nKEPT = bytearray(20 << 20)\n" + GOOD})
    guard = Guard(f"{players / 'ann'}.py:*", memory=64)
    try:
        guard.begin(START, 0)
        assert guard.choose(START, Limit()).move == START.moves()[0]
    finally:
        guard.close()
    with pytest.raises(PlayerError, match="gone"):
        guard.choose(START, Limit())


TELLS = """
from othellier import Result
from othellier.players import Player


class Tells(Player):
    def __init__(self):
        self.heard = []

    def observe(self, move):
        self.heard.append(move)

    def choose(self, position, limit):
        return Result(position.moves()[-1], position.turn, nodes=round(1000 * limit.time), pv=tuple(self.heard))
"""


def test_who_has_no_choice_is_not_asked_and_all_time_is_the_tournaments(tmp_path: Path) -> None:
    """It hears of the move as of any other, and is told less time than there is, so that its answer comes in time."""
    players = folder(tmp_path, {"tells": TELLS})
    guard = Guard(f"{players / 'tells'}.py:*", memory=256)
    try:
        guard.begin(START, 0)
        position, forced = START, 0
        line: list[int] = []
        while not position.is_over():
            moves = position.moves() or [PASS]
            if moves != [PASS]:
                result = guard.choose(position, Limit(time=0.1))
                asked = (moves[-1], 90, tuple(line))
                assert (result.move, result.nodes, result.pv) == (
                    asked if len(moves) > 1 else (moves[0], 0, (moves[0],))
                )
                forced += len(moves) == 1
            line.append(moves[-1])
            guard.observe(moves[-1])
            position = position.play(moves[-1])
        assert forced
    finally:
        guard.close()


def test_a_class_plays_and_everybody_gets_a_page(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    players = folder(tmp_path / "class", {**FILES, "sleepy": MISDEEDS["sleep"][0]})
    out = tmp_path / "out"
    receive = Guard._receive

    def hear(self: Guard, seconds: float, late: str) -> object:
        """Nobody waits long for the one that sleeps; a busy machine may be slow with the others."""
        return receive(self, 0.3 if late == LATE and "sleepy" in self.spec else seconds, late)

    monkeypatch.setattr(Guard, "_receive", hear)
    command = ["tournament", "--players", str(players), "--out", str(out), "--patience", "60", "--json"]
    assert main([*command, "--seed", "3", "--jobs", "1"]) == 0
    told = capsys.readouterr()
    facts = json.loads(told.out)
    assert set(facts["not_playing"]) == {"syntax.py", "imports.py", "empty.py", "two.py", "quits.py"}
    assert sum("does not play:" in line for line in told.err.splitlines()) == 5
    assert "3 players, 6 games, 1 at a time, 0.1 s a move: about 1 min if everybody" in told.err
    standings = {line["name"]: line for line in facts["standings"]}
    assert set(standings) == {"ann", "ben", "sleepy"}
    assert standings["sleepy"]["losses"] == standings["sleepy"]["games"] == 4
    page = (out / "report.html").read_text()
    assert "http-equiv" not in page  # it is over
    assert "does not answer" not in page
    for name in standings:
        assert f'href="players/{name}.html"' in page
    sleepy = (out / "players" / "sleepy.html").read_text()
    assert "did not answer within" in sleepy
    assert "Where it failed" in sleepy
    assert "<svg" in sleepy  # the position it was asked about, which its words need not spell out
    assert not re.search(r"-{8}", sleepy)
    ann = (out / "players" / "ann.html").read_text()
    assert "Worst mistakes" in ann
    assert "<svg" in ann
    lines = (out / "games.jsonl").read_text()
    starts = {(line["a"], line["b"]): line["moves"][:16] for line in map(json.loads, lines.splitlines())}
    assert len(set(starts.values())) == 3  # of each pairing its own, with both colours
    assert all(line["moves"].startswith(starts[line["a"], line["b"]]) for line in map(json.loads, lines.splitlines()))
    # The same again by its seed, in another folder, told in French; and nothing is played twice in the same one.
    again = tmp_path / "again"
    command[4] = str(again)
    try:
        assert main(["--language", "fr", *command, "--seed", "3", "--jobs", "1", "--no-review"]) == 0
    finally:
        choose_language(["--language", "en"])
    assert "Ne jouent pas :" in (again / "report.html").read_text()
    assert "pas répondu en 0.3 s" in (again / "players" / "sleepy.html").read_text()
    moves = [
        [json.loads(line)["moves"] for line in sorted(text.splitlines())]
        for text in (lines, (again / "games.jsonl").read_text())
    ]
    assert sorted(moves[0]) == sorted(moves[1])
    assert main([*command, "--seed", "3", "--jobs", "1", "--no-review"]) == 0
    assert (again / "games.jsonl").read_text().count("\n") == lines.count("\n")
    capsys.readouterr()
    # A player that was changed would have played otherwise.
    (players / "ann.py").write_text(GOOD.replace("[0]", "[-1]"))
    assert main([*command, "--seed", "3"]) == 2
    assert "the file of ann changed" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["--out", "x"], "name a configuration, or a folder"),
        (["--players", "nowhere", "--out", "x"], "there is no such folder"),
        (["--players", "."], "--out DIR is missing"),
        (["some.yaml", "--out", "x", "--games", "3"], "not with a configuration"),
    ],
)
def test_wrong_commands_are_one_line(
    arguments: list[str],
    words: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    complaint: Callable[..., str],
) -> None:
    monkeypatch.chdir(tmp_path)
    assert words in complaint("tournament", *arguments)


def test_a_folder_with_too_few_players_says_so(tmp_path: Path, complaint: Callable[..., str]) -> None:
    players = folder(tmp_path, {"ann": GOOD})
    assert "1 of its 1 files can play" in complaint("tournament", "--players", players, "--out", tmp_path / "out")


@pytest.mark.parametrize("parts", [["Landlock"], ["Landlock", "seccomp"]])
def test_what_a_system_lacks_of_the_fence_is_said_once_at_the_start(
    parts: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("othellier.base.fence.missing", lambda: parts)
    players = folder(tmp_path, {"ann": GOOD})
    main(["tournament", "--players", str(players), "--out", str(tmp_path / "out")])
    mine = folder(tmp_path / "mine", {"mine": "X = 1\n"}) / "mine.py"
    main(["course", "check", str(mine), "--task", "ucb1"])
    words = f"this system has no {', '.join(parts)}: players and solutions are not wholly fenced in"
    assert capsys.readouterr().err.count(words) == 2
    monkeypatch.setattr("othellier.base.fence.missing", list)
    main(["course", "check", str(mine), "--task", "ucb1"])
    assert "fenced in" not in capsys.readouterr().err


def test_the_example_class_can_play() -> None:
    found = find_entrants(Path(__file__).parents[2] / "examples" / "class")
    assert len(found) >= 4
    assert not [one.problem for one in found if one.problem]


def test_standings_are_shown_while_games_are_played(tmp_path: Path) -> None:
    """A run that is interrupted leaves a page that says how far it came, and loads itself again."""
    players = folder(tmp_path / "class", {"ann": GOOD, "ben": FILES["ben"], "cat": MISDEEDS["sleep"][0]})
    out = tmp_path / "out"
    code = (
        "from othellier.cli import main\n"
        f"main(['tournament', '--players', {str(players)!r}, '--out', {str(out)!r}, '--patience', '99', '--jobs', '1'])"
    )
    process = subprocess.Popen(
        [sys.executable, "-c", code], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, env=os.environ
    )
    try:
        until(lambda: (out / "report.html").is_file(), "a page while games are played")
        page = (out / "report.html").read_text()
    finally:
        process.kill()
        process.wait(LIMIT)
    assert 'http-equiv="refresh"' in page
    assert "2 of 6 games played" in page
