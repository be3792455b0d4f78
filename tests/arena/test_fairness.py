"""Fair games: whoever plays, and however many, games are lost on the board; a failure is never a result like others."""

import csv
import json
import math
import random
import shlex
import sys
from collections.abc import Iterator
from itertools import combinations
from pathlib import Path
from typing import Any

import pytest

from othellier.arena import bout as bouts
from othellier.arena.bout import KEPT, Bout, close_players, play_bout
from othellier.arena.ledger import parse_line
from othellier.arena.play import OpeningMoves, Played
from othellier.arena.report import TournamentReport
from othellier.arena.tournament import Tournament
from othellier.base.jobs import Crew
from othellier.cli import main
from othellier.config.models import TournamentConfig
from othellier.players import create_player
from othellier.rules import native
from waiting import LIMIT

OWN = """
from othellier.players import Player
from othellier.games.results import Result


def first(position):
    return position.moves()[0]


class Last(Player):
    def choose(self, position, limit):
        return Result(position.moves()[-1], position.turn)


def bad(position):
    return 1 / 0
"""

PROGRAM = '''
"""A program of its own: the rules, GTP and NBoard; it plays the first legal move."""
import re, sys

STEPS = [(dx, dy) for dx in (-1, 0, 1) for dy in (-1, 0, 1) if dx or dy]


class Game:
    def __init__(self, size=8):
        half = size // 2
        self.size, self.color = size, "b"
        self.discs = {(half - 1, half - 1): "w", (half, half): "w", (half, half - 1): "b", (half - 1, half): "b"}

    def flips(self, square, color):
        found = []
        for dx, dy in STEPS if square not in self.discs else ():
            line, (x, y) = [], square
            while self.discs.get((x := x + dx, y := y + dy), color) != color:
                line.append((x, y))
            found += line if self.discs.get((x, y)) == color else []
        return found

    def moves(self, color):
        squares = [(x, y) for y in range(self.size) for x in range(self.size)]
        return [square for square in squares if self.flips(square, color)]

    def play(self, color, name):
        if name[:2].lower() != "pa":
            square = ord(name[0].lower()) - 97, int(name[1:]) - 1
            for disc in [square, *self.flips(square, color)]:
                self.discs[disc] = color

    def best(self, color):
        x, y = self.moves(color)[0]
        return f"{chr(97 + x)}{y + 1}"


def say(text):
    print(text, flush=True)


def gtp():
    game = Game()
    for line in sys.stdin:
        words = line.split()
        answer = ""
        if words[0] == "list_commands":
            answer = "boardsize\\nclear_board\\nplay\\ngenmove\\nquit"
        elif words[0] == "boardsize":
            game = Game(int(words[1]))
        elif words[0] == "clear_board":
            game = Game(game.size)
        elif words[0] == "play":
            game.play(words[1], words[2])
        elif words[0] == "genmove":
            answer = game.best(words[1])
            game.play(words[1], answer)
        say(f"= {answer}\\n")
        if words[0] == "quit":
            break


def nboard():
    for line in sys.stdin:
        words = line.split()
        if words[0] == "ping":
            say(f"pong {words[1]}")
        elif words[:2] == ["set", "game"]:
            game = Game(int(re.search(r"BO\\[(\\d+)", line)[1]))
            color = "b"
            for color, name in re.findall(r"\\]([BW])\\[([^\\]/]*)", line):
                game.play(color.lower(), name)
                color = "w" if color == "B" else "b"
        elif words[0] == "go":
            say(f"=== {game.best(color)}")
        elif words[0] == "quit":
            break


{"gtp": gtp, "nboard": nboard}[sys.argv[1]]()
'''

PYTHON = shlex.quote(sys.executable)


@pytest.fixture
def players(tmp_path: Path) -> Iterator[list[str]]:
    """One of every kind, then another of every kind."""
    (tmp_path / "own.py").write_text(OWN)
    (tmp_path / "program.py").write_text(PROGRAM)
    program = f"{PYTHON} -S {tmp_path}/program.py"
    yield [
        f"{tmp_path}/own.py:first",
        "engine:depth=2,hash=1",
        f"gtp:{program} gtp,timeout={LIMIT:g}",
        f"nboard:{program} nboard,timeout={LIMIT:g}",
        f"{tmp_path}/own.py:Last",
        "engine:level=beginner,hash=1",
        f"gtp:{PYTHON} -m othellier gtp --player alphabeta:depth=1,timeout={LIMIT:g}",
        f"nboard:{PYTHON} -m othellier nboard --player alphabeta:depth=2,timeout={LIMIT:g}",
    ]
    close_players()


def configuration(specs: list[str], **changes: Any) -> dict[str, Any]:
    named = [{"name": f"player {number}", "algorithm": spec} for number, spec in enumerate(specs)]
    return {"players": named, "size": 4, "games": 2, "openings": "start", **changes}


def lines(folder: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (folder / "games.jsonl").read_text().splitlines()]


@pytest.mark.parametrize("kind", ["gtp", "nboard"])
def test_the_program_of_these_tests_knows_the_rules(players: list[str], kind: str) -> None:
    with create_player(players[2 if kind == "gtp" else 3]) as player:
        rng = random.Random(kind)
        for size in (4, 6, 8):
            position = native.start(size)
            player.new_game(position)
            while not position.is_over():
                move = -1
                if position.moves_mask():
                    assert player.choose(position, bouts.UNLIMITED).move in position.moves()
                    move = rng.choice(position.moves())
                player.observe(move)
                position = position.play(move)


@pytest.mark.parametrize("count", [2, 3, 4, 5, 8])
def test_every_lost_game_was_lost_on_the_board(players: list[str], tmp_path: Path, count: int) -> None:
    config = TournamentConfig.model_validate(configuration(players[:count]))
    with Tournament(config, tmp_path / "out") as tournament:
        tournament.run(Crew("here"))
    played = lines(tmp_path / "out")
    assert len(played) == count * (count - 1)
    for line in played:
        assert "error" not in line, line
        game = parse_line(line)
        assert (game.reason, game.failed) == ("", None)
        assert game.end().is_over()
        assert game.score == game.end().score() * (1 if game.end().turn == "black" else -1)
    report = TournamentReport(tournament)
    assert [line.side.errors for line in report.standings] == [0] * count
    assert all(cell.on_board == cell.games == 2 for cell in report.cells.values())


def test_a_tournament_of_every_kind_over_processes(
    players: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "t.yaml"
    path.write_text(json.dumps(configuration(players[:5], games=4, size=6)))  # JSON is YAML
    assert main(["tournament", str(path), "--out", str(tmp_path / "out"), "--jobs", "2", "--json"]) == 0
    out, err = capsys.readouterr()
    assert [(line["games"], line["errors"]) for line in json.loads(out)["standings"]] == [(16, 0)] * 5
    assert err == ""


# -- players


class Spy:
    """A player that only knows whether it is open."""

    made = 0

    def __init__(self, spec: str, patience: float, *, memory: int | None = None) -> None:
        self.spec, self.open = spec, True
        Spy.made += 1

    def close(self) -> None:
        self.open = False


def test_players_of_a_bout_are_never_closed_by_it(monkeypatch: pytest.MonkeyPatch) -> None:
    close_players()
    monkeypatch.setattr(bouts, "Contestant", Spy)
    monkeypatch.setattr(Spy, "made", 0)
    rng = random.Random(1)
    everybody: list[Spy] = []
    pairs = [*combinations("abcdefgh", 2), *combinations("abc", 2), *(("a", "a"), ("a", "b"))]
    for pair in [*pairs, *rng.sample(pairs, len(pairs))]:
        bout = Bout(0, pair, OpeningMoves(native.start(4)))
        players: Any = bouts._contestants(bout)
        everybody += [player for player in players if player not in everybody]
        assert [player.spec for player in players] == list(pair)
        assert [player.open for player in players] == [True, True]
        assert players[0] is not players[1]
        assert bouts._contestants(bout) == players, "the next game of the bout is played by the same"
        assert 2 <= sum(player.open for player in everybody) <= KEPT
    assert sum(player.open for player in everybody) == KEPT
    close_players()
    assert not any(player.open for player in everybody)
    assert Spy.made == len(everybody)


def test_players_are_kept_for_the_next_bout(monkeypatch: pytest.MonkeyPatch) -> None:
    close_players()
    monkeypatch.setattr(bouts, "Contestant", Spy)
    monkeypatch.setattr(Spy, "made", 0)
    for pair in (("a", "b"), ("a", "c"), ("a", "d"), ("a", "b"), ("a", "c"), ("a", "d")):
        bouts._contestants(Bout(0, pair, OpeningMoves(native.start(4))))
    assert Spy.made == KEPT == 4
    close_players()


# -- failures


def failed_games(tmp_path: Path) -> list[Played]:
    (tmp_path / "own.py").write_text(OWN)
    bout = Bout(0, (f"{tmp_path}/own.py:bad", "alphabeta:depth=1"), OpeningMoves(native.start(4)))
    try:
        return play_bout(bout)
    finally:
        close_players()


def test_a_failure_has_a_side_and_no_discs(tmp_path: Path) -> None:
    first, second = failed_games(tmp_path)
    assert (first.failed, second.failed) == ("black", "white")
    assert (first.difference, second.difference) == (-math.inf, math.inf)
    good = Played(native.start(4), (), 0, -6)
    assert (good.failed, good.difference) == (None, -6)


def test_failures_are_marked_in_table_json_and_page(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "own.py").write_text(OWN)
    players = [
        {"name": "bad", "algorithm": f"{tmp_path}/own.py:bad"},
        {"name": "one", "algorithm": "alphabeta", "depth": 1},
        {"name": "two", "algorithm": "alphabeta", "depth": 3},
    ]
    path, out = tmp_path / "t.yaml", tmp_path / "out"
    path.write_text(json.dumps({"players": players, "size": 6, "games": 4, "jobs": 1}))
    for run in ("played", "read back"):
        assert main(["tournament", str(path), "--out", str(out), "--json"]) == 0, run
        standings = {line["name"]: line for line in json.loads(capsys.readouterr().out)["standings"]}
        assert {name: (line["losses"], line["errors"]) for name, line in standings.items() if line["errors"]} == {
            "bad": (8, 8)
        }
        assert standings["bad"]["discs"] is None
        on_board = [line for line in lines(out) if "error" not in line]
        assert len(on_board) == 4
        assert {line["black"] + line["white"] for line in on_board} == {"onetwo", "twoone"}
        mean = sum(line["score"] * (1 if line["black"] == "one" else -1) for line in on_board) / 4
        assert (standings["one"]["discs"], standings["two"]["discs"]) == (round(mean, 2), round(-mean, 2))
    assert {line["failed"] for line in lines(out) if line["black"] == "bad"} == {"black"}
    assert {line["failed"] for line in lines(out) if line["white"] == "bad"} == {"white"}
    cross = {
        (line["player"], line["opponent"]): line
        for line in json.loads((out / "results.json").read_text())["crosstable"]
    }
    assert (cross["bad", "one"]["errors"], cross["one", "bad"]["errors"], cross["one", "two"]["errors"]) == (4, 0, 0)
    assert (cross["bad", "one"]["discs"], cross["one", "bad"]["discs"]) == (None, None)
    assert cross["one", "two"]["discs"] == round(mean, 2)
    with (out / "standings.csv").open(newline="") as file:
        assert {row["name"]: (row["errors"], row["discs"] == "") for row in csv.DictReader(file)} == {
            "bad": ("8", True),
            "one": ("0", False),
            "two": ("0", False),
        }
    page = (out / "report.html").read_text()
    assert "+0 =0 -4 (4 by error)" in page
    assert "<td>-36.0</td>" not in page
    assert "games lost by errors" in page
    assert main(["tournament", str(path), "--out", str(out)]) == 0
    head, *rows = capsys.readouterr().out.splitlines()
    column = head.split().index("errors") + 1  # ranks have no heading
    found = {row.split()[1]: row.split()[column] for row in rows[:3]}
    assert found == {"bad": "8", "one": "0", "two": "0"}
    assert rows[3] == "8 games were lost by errors: they count as lost, in the Elo too."


def test_failures_are_marked_in_a_match(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The player fails with the white discs alone, so half of its games are decided on the board."""
    (tmp_path / "own.py").write_text(
        "def half(position):\n    return position.moves()[0] if position.turn == 'black' else None\n"
    )
    saved = tmp_path / "games.jsonl"
    arguments = ["match", f"{tmp_path}/own.py:half", "alphabeta:depth=1", "--games", "6", "--size", "6", "--jobs", "1"]
    assert main([*arguments, "--json", "--save", str(saved)]) == 0
    result = json.loads(capsys.readouterr().out)
    played = [json.loads(line) for line in saved.read_text().splitlines()]
    assert [line.get("failed") for line in played] == [None, "white"] * 3
    assert (result["a"]["errors"], result["b"]["errors"]) == (3, 0)
    assert (result["played"], result["broken"], result["games"]) == (6, 3, 3)
    assert result["discs"] == round(sum(line["score"] for line in played[::2]) / 3, 4)
    assert main(arguments) == 0
    out, err = capsys.readouterr()
    assert "3 games lost by errors" in out
    assert f"{result['discs']:+.1f} discs a game" in out
    assert err.count("lost a game") == 3


def test_a_match_of_failures_alone_has_no_discs(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "own.py").write_text(OWN)
    assert main(["match", f"{tmp_path}/own.py:bad", "random", "--games", "2", "--size", "4", "--jobs", "1"]) == 2
    out, _ = capsys.readouterr()
    assert "discs a game" not in out
    assert "2 games lost by errors" in out


def test_failures_are_marked_in_a_series(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "own.py").write_text(OWN)
    (tmp_path / "c.yaml").write_text(f"black: '{tmp_path}/own.py:bad'\nwhite: random\njobs: 1\ngames: 2\nsize: 4\n")
    assert main(["run", str(tmp_path / "c.yaml"), "--json"]) == 0
    facts = json.loads(capsys.readouterr().out)
    assert facts["discs"] is None
    assert [game["failed"] for game in facts["all"]] == ["black", "black"]
    assert (facts["black"]["errors"], facts["white"]["errors"]) == (2, 0)
