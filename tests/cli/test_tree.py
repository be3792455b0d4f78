"""The command that shows a search."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from othellier.cli import main

PLAYER = "alphabeta:depth=2"


@pytest.mark.parametrize("ending", ["svg", "html", "json"])
def test_a_tree_is_written(ending: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = tmp_path / f"tree.{ending}"
    assert main(["tree", "f5d6c3d3", "--player", PLAYER, "--out", str(out)]) == 0
    text = out.read_text(encoding="utf-8")
    assert text.startswith({"svg": "<svg", "html": "<!doctype html>", "json": "{"}[ending])
    told = capsys.readouterr().out.splitlines()
    assert told[0] == "alphabeta, depth 2"
    assert told[-1] == str(out)
    assert len(told) == 3 + 6 + 1  # the heading, six moves, the file


def test_two_players_stand_side_by_side(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = tmp_path / "two.svg"
    players = ["--player", "minimax:depth=2", "--player", PLAYER]
    assert main(["tree", "f5d6c3d3", *players, "--out", str(out), "--language", "fr"]) == 0
    assert out.read_text(encoding="utf-8").count("positions vues") == 2
    assert "47 positions vues" in capsys.readouterr().out


def test_positions_come_in_every_form(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    assert main(["show", "f5d6c3d3", "--json"]) == 0
    shown = capsys.readouterr().out
    board = json.loads(shown)["board"]
    file = tmp_path / "game.txt"
    file.write_text("f5d6c3d3\n")
    told = set()
    for text in (shown, board, "f5d6c3d3", str(file)):
        assert main(["tree", text, "--player", PLAYER, "--json"]) == 0
        facts = json.loads(capsys.readouterr().out)
        told.add((facts["board"], facts["move"], facts["counts"]["nodes"]))
    assert told == {(board, facts["move"], 35)}
    assert main(["tree", "-XO- ---- -OX- ---- X", "--player", PLAYER]) == 0
    assert main(["tree", "------ --XO-- --OX-- ------ X", "--size", "4x6", "--player", PLAYER]) == 0


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["XXXX XXXX XXXX XXXX X"], "the game is over"),
        (["f5d6zz"], "zz"),
        (['{"moves": "f5"}'], "no board"),
        (["f5", "--out", "tree.pdf"], "tree.pdf: a tree is written as .svg, .html, .json"),
        (["f5", "--player", "random"], "only minimax and its relatives and mcts"),
        (
            ["f5", "--player", "mcts:iterations=5000000"],
            "5000000 iterations are too many to be recorded: 100000 at most",
        ),
        (["f5", "--player", "alphabeta:dept=3"], "did you mean 'depth'"),
        (["f5", "--language", "de"], "en or fr"),
    ],
)
def test_bad_input_is_one_line(arguments: list[str], words: str, complaint: Callable[..., str]) -> None:
    assert words in complaint("tree", *arguments)
