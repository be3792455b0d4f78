"""A class tournament: files as players, whatever they do; the rest goes on, and everybody gets a report."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from othellier.arena.entrants import find_entrants
from othellier.arena.guard import Guard
from othellier.arena.play import OpeningMoves, play_game
from othellier.board import Position
from othellier.cli import main
from othellier.errors import PlayerError
from othellier.geometry import PASS
from othellier.players import create_player
from othellier.results import Limit
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
    players = folder(tmp_path, {**FILES, "late/Ann": GOOD})
    found = {str(one.path.relative_to(tmp_path)): one for one in find_entrants(players)}
    assert "_helper.py" not in found
    assert [name for name, one in found.items() if not one.problem] == ["ann.py", "ben.py"]
    assert found["late/Ann.py"].problem == "ann.py has the same name and plays"
    assert found["late/Ann.py"].file == "late/Ann.py"
    assert found["syntax.py"].problem.endswith("SyntaxError: expected ':' (syntax.py, line 1)")
    assert "no_such_module_at_all" in found["imports.py"].problem
    assert "has no player" in found["empty.py"].problem
    assert "several players (A, B)" in found["two.py"].problem
    assert "status 3" in found["quits.py"].problem
    for one in found.values():
        assert "\n" not in one.problem
        assert str(tmp_path) not in one.problem


MISDEEDS = {
    "fork": ("import os\n\ndef choose(position):\n    os.fork()\n    return position.moves()[0]\n", "other processes"),
    "shell": ("import os\n\ndef choose(position):\n    os.system('true')\n", "other processes"),
    "popen": ("import subprocess\n\ndef choose(position):\n    subprocess.run(['true'])\n", "other processes"),
    "memory": ("def choose(position):\n    return len(bytearray(4 << 30))\n", "MemoryError"),
    "sleep": ("import time\n\ndef choose(position):\n    time.sleep(1000)\n", "did not answer within"),
    "loop": ("def choose(position):\n    while True:\n        pass\n", "did not answer within"),
    "crash": ("import os\n\ndef choose(position):\n    os._exit(7)\n", "status 7"),
    "illegal": ("def choose(position):\n    return 0\n", "illegal"),
    "nonsense": ("def choose(position):\n    return 'banana'\n", "banana"),
    "nothing": ("def choose(position):\n    pass\n", "None"),
}


@pytest.mark.parametrize("name", MISDEEDS)
def test_whatever_a_player_does_it_only_loses_its_game(name: str, tmp_path: Path) -> None:
    text, words = MISDEEDS[name]
    players = folder(tmp_path, {name: text})
    guard = Guard(f"{players / name}.py:*", patience=0.5, memory=256)
    try:
        guard.begin(START, 0)
        played = play_game(guard, create_player("random:seed=1"), OpeningMoves(START), Limit(time=0.1))
    finally:
        guard.close()
    assert played.failed == "black"
    assert words in played.error


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


def test_a_class_plays_and_everybody_gets_a_page(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    players = folder(tmp_path / "class", {**FILES, "sleepy": MISDEEDS["sleep"][0]})
    out = tmp_path / "out"
    command = ["tournament", "--players", str(players), "--out", str(out), "--patience", "0.2", "--json"]
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
    ann = (out / "players" / "ann.html").read_text()
    assert "Worst mistakes" in ann
    assert "<svg" in ann
    # The same again by its seed, in another folder; and nothing is played twice in the same one.
    lines = (out / "games.jsonl").read_text()
    again = tmp_path / "again"
    command[4] = str(again)
    assert main([*command, "--seed", "3", "--jobs", "1", "--no-review"]) == 0
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
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    assert main(["tournament", *arguments]) == 2
    error = capsys.readouterr().err
    assert words in error
    assert error.count("\n") == 1


def test_a_folder_with_too_few_players_says_so(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    players = folder(tmp_path, {"ann": GOOD})
    assert main(["tournament", "--players", str(players), "--out", str(tmp_path / "out")]) == 2
    assert "1 of its 1 files can play" in capsys.readouterr().err


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
