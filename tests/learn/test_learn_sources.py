"""Games to learn from, out of records: every format, listed ones left out, doubles merged, bad ones counted."""

import json
import random
from collections.abc import Callable
from pathlib import Path

import pytest

from othellier.batch import NO_MOVE, replay
from othellier.cli import main
from othellier.errors import ConfigError
from othellier.games.game import Game, Headers
from othellier.learn import shards
from othellier.learn.sources import collect, files
from othellier.records import write
from othellier.rules import native


def games(*seeds: int) -> list[Game]:
    """Finished games drawn by seed, all of them of one player against himself."""
    found = []
    for seed in seeds:
        rng = random.Random(seed)
        game = Game(headers=Headers(black="Anna", white="Anna"))
        while game.position.moves():
            game.push(rng.choice(game.position.moves()))
        found.append(game)
    return found


@pytest.mark.parametrize("name", ["games.ggf", "games.sgf", "games.txt", "games.wtb", "games.json"])
def test_every_format_gives_the_same_games(name: str, tmp_path: Path) -> None:
    played = games(1, 2, 3)
    write(played, tmp_path / name)
    found = collect([tmp_path / name], [])
    assert (found.listed, found.unusable, found.doubles) == (0, 0, 0)
    expected = sorted([move for move in game.moves() if move >= 0] for game in played)
    assert [row[row != NO_MOVE].tolist() for row in found.moves] == expected


def test_listed_games_are_left_out_and_doubles_merged(tmp_path: Path) -> None:
    write(games(1, 2, 3, 1), tmp_path / "a.wtb")
    write(games(3, 4, 5, 6), tmp_path / "b.ggf")
    found = collect(files([tmp_path]), ["# why", "a.wtb 1", "b.ggf 3"])
    assert found.listed == 3  # of a text the neighbour too: who wrote the list may have counted from 1
    assert found.doubles == 2
    assert len(found.moves) == 3
    assert (replay(found.moves).illegal == -1).all()


def test_what_cannot_be_used_is_counted(tmp_path: Path) -> None:
    small = Game.from_moves([], start=native.start(6))
    write([*games(1), small], tmp_path / "mixed.ggf")
    found = collect([tmp_path / "mixed.ggf"], [])
    assert (len(found.moves), found.unusable) == (1, 1)


def test_databases_are_completed_by_the_command(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    write(games(1, 2, 2), tmp_path / "two.ggf")
    out = tmp_path / "out.bin"
    assert main(["learn", "complete", str(tmp_path / "two.ggf"), "--out", str(out), "--solve", "6", "--json"]) == 0
    assert json.loads(capsys.readouterr().out) == {"games": 2, "left_out": 0, "unusable": 0, "doubles": 1}
    assert shards.load([out]).shape == (2, 122)


def test_databases_without_games_are_one_line(tmp_path: Path, complaint: Callable[..., str]) -> None:
    with pytest.raises(ConfigError, match="no records of games in"):
        files([tmp_path])
    with pytest.raises(ConfigError, match="no game in these records"):
        collect([], [])
    (tmp_path / "empty.ggf").touch()
    assert "empty.ggf, byte 0: is empty" in complaint(
        "learn", "complete", tmp_path / "empty.ggf", "--out", tmp_path / "out.bin"
    )
    write(games(1), tmp_path / "one.wtb")
    (tmp_path / "list.txt").write_text("one.wtb first\n")
    arguments = ["learn", "complete", str(tmp_path / "one.wtb"), "--out", str(tmp_path / "out.bin"), "--exclude"]
    assert "line 1: FILE RECORD expected" in complaint(*arguments, tmp_path / "list.txt")
    assert "no such file" in complaint(*arguments, tmp_path / "nowhere.txt")
    assert not (tmp_path / "out.bin").exists()
