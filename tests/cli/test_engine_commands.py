"""bench, solve, evaluate and analyze as a user types them."""

import json
from pathlib import Path
from typing import Any

import pytest

from othellier import Game, square_name, write
from othellier.cli import main

END = "XXXOXXXXOXXXXXXXOOXXXXXXOOOXXXXXOOOXXOO-OOOOO---OOOOOOO-OOOOOOO- X"


def lines(capsys: pytest.CaptureFixture[str], *arguments: str) -> list[dict[str, Any]]:
    assert main([*arguments, "--json"]) == 0
    captured = capsys.readouterr()
    return [json.loads(line) for line in captured.out.splitlines()]


def test_solve_prints_a_line_a_position(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "two.obf"
    path.write_text(f"% a comment\n{END}; h5:+6;\n{END[:-1]}O;\n")
    found = lines(capsys, "solve", "--obf", str(path), "--hash", "4")
    assert [line["index"] for line in found] == [0, 1]
    assert all(list(line) == ["index", "empties", "score", "move", "pv", "nodes", "seconds", "exact"] for line in found)
    assert found[0]["exact"]
    assert found[0]["empties"] == END.count("-")


def test_of_a_game_the_end_is_judged(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "game.sgf"
    game = Game.from_moves("f5d6c3")
    write(game, path)
    (judged,) = lines(capsys, "evaluate", "--obf", str(path), "--depth", "2", "--hash", "4")
    assert judged["empties"] == 57
    assert set(judged["moves"]) == {square_name(move) for move in game.last.moves()}


def test_solve_finds_the_small_boards_values(capsys: pytest.CaptureFixture[str]) -> None:
    (winner,) = lines(capsys, "solve", "--size", "4", "--hash", "4")
    (discs,) = lines(capsys, "solve", "--size", "4", "--count", "discs", "--hash", "4")
    (bound,) = lines(capsys, "solve", "--size", "4", "--wld", "--hash", "4")
    assert (winner["score"], discs["score"], bound["score"]) == (-10, -8, -2)
    assert winner["exact"]
    assert not bound["exact"]


def test_evaluate_values_every_move(capsys: pytest.CaptureFixture[str]) -> None:
    (line,) = lines(capsys, "evaluate", "--size", "8", "--depth", "4")
    assert set(line["moves"]) == {"d3", "c4", "f5", "e6"}
    assert line["depth"] == 4
    assert line["moves"][line["move"]] == line["score"] == max(line["moves"].values())


def test_a_finished_game_has_its_score(capsys: pytest.CaptureFixture[str]) -> None:
    (line,) = lines(capsys, "solve", "--position", "X" * 40 + "-" * 24 + " O", "--hash", "4")
    assert (line["score"], line["move"], line["exact"]) == (-64, None, True)


def test_analyze_judges_each_move(capsys: pytest.CaptureFixture[str]) -> None:
    found = lines(capsys, "analyze", "f5d6c3d3c4", "--depth", "3")
    assert [line["move"] for line in found] == ["f5", "d6", "c3", "d3", "c4"]
    assert all(line["loss"] >= 0 and line["label"] for line in found)
    assert main(["analyze", "f5d6c3d3c4", "--depth", "2"]) == 0
    assert "discs lost" in capsys.readouterr().out


@pytest.mark.parametrize("options", [[], ["--json"], ["--plot", "drawn.svg"], ["--save", "kept.json"]])
def test_a_game_without_moves_cannot_be_judged(
    options: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    write(Game(), "empty.sgf")
    assert main(["analyze", "empty.sgf", *options]) == 2
    assert capsys.readouterr() == ("", "othellier: empty.sgf, game 1: has no move to judge\n")
    assert [path.name for path in tmp_path.iterdir()] == ["empty.sgf"]


def test_bench_has_a_signature(capsys: pytest.CaptureFixture[str]) -> None:
    (line,) = lines(capsys, "bench")
    assert list(line) == ["nodes", "signature", "seconds", "nps"]
    assert line["nodes"] > 0


@pytest.mark.parametrize(
    "arguments",
    [
        ["solve"],
        ["solve", "--obf", "no such file.obf"],
        ["solve", "--position", "nonsense"],
        ["solve", "--size", "5"],
        ["solve", "--size", "10"],
        ["solve", "--size", "4", "--threads", "0"],
        ["solve", "--size", "4", "--hash", "0"],
        ["solve", "--size", "4", "--weights", "no such file"],
        ["evaluate", "--size", "8"],
        ["evaluate", "--size", "8", "--depth", "0"],
        ["evaluate", "--size", "8", "--time", "-1"],
        ["analyze", "f5f5"],
        ["analyze", "f5", "--number", "3"],
    ],
)
def test_bad_input_is_one_line(arguments: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert main(arguments) == 2
    captured = capsys.readouterr()
    assert len(captured.err.strip().splitlines()) == 1
    assert captured.out == ""
