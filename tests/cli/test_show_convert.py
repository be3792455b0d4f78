"""`show` and `convert`: what is in a record, and one record made of another."""

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from othellier import records
from othellier.cli import main
from othellier.games.game import Game, Headers, Outcome
from othellier.pictures import svg
from othellier.rules.board import Position
from othellier.rules.geometry import parse_square


@pytest.fixture
def two(tmp_path: Path) -> str:
    """A file with two games."""
    path = tmp_path / "two.ggf"
    headers = Headers(black="Ann", white="Bob", event="Cup", date="2024")
    records.write([Game.from_moves([37, 43], headers=headers, result=Outcome(64, "resigned")), Game()], path)
    return str(path)


def shown(capsys: pytest.CaptureFixture[str], *arguments: str, status: int = 0) -> str:
    assert main(["show", *arguments]) == status
    return capsys.readouterr().out


def test_show_a_game(capsys: pytest.CaptureFixture[str], complaint: Callable[..., str]) -> None:
    out = shown(capsys, "F5D6C3")
    assert out.startswith("  a b c d e f g h\n")
    assert "3 · ·(●)" in out
    assert "\n  1. f5   d6      2. c3\n" in out
    assert out.endswith("Result: unfinished\n")
    assert "5 · · · ● ●(●)" in shown(capsys, "F5D6C3", "--ply", "1")
    assert "there is no ply 4: this line has 3" in complaint("show", "F5D6C3", "--ply", "4")


def test_show_many_games_a_line_each(
    capsys: pytest.CaptureFixture[str], complaint: Callable[..., str], two: str
) -> None:
    first, second = shown(capsys, two).splitlines()
    assert first.split() == ["1", "Ann", "-", "Bob", "black", "+64", "(resigned)", "F5D6"]
    assert "unfinished" in second
    page = shown(capsys, two, "--game", "1")
    assert page.startswith("Black: Ann. White: Bob.\nCup, 2024\n\n  a b")
    assert page.endswith("Result: black +64 (resigned)\n")
    assert "there is no game 3: the record has 2" in complaint("show", two, "--game", "3")


def test_show_as_json(capsys: pytest.CaptureFixture[str], two: str) -> None:
    lines: list[dict[str, Any]] = [json.loads(line) for line in shown(capsys, two, "--json").splitlines()]
    assert [line["index"] for line in lines] == [1, 2]
    assert lines[0]["moves"] == "F5D6"
    assert (lines[0]["black"], lines[0]["score"], lines[0]["reason"]) == ("Ann", 64, "resigned")
    assert lines[1]["board"] == Position.start().board_string()
    assert lines[1]["legal"] == ["d3", "c4", "f5", "e6"]
    one = json.loads(shown(capsys, two, "--json", "--game", "1", "--ply", "1"))
    assert (one["index"], one["ply"]) == (1, 1)


def test_show_a_position_with_scores(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    path = tmp_path / "suite.obf"
    path.write_text(f"{Position.start().board_string()}; f5:+3; d3:-1; % a comment\n")
    out = shown(capsys, str(path))
    assert "f5 +3  d3 -1" in out
    assert "a comment" in out
    assert "Result" not in out
    assert json.loads(shown(capsys, str(path), "--json"))["scores"] == {"f5": 3, "d3": -1}


def test_show_draws(
    capsys: pytest.CaptureFixture[str], complaint: Callable[..., str], tmp_path: Path, two: str
) -> None:
    path = tmp_path / "board.svg"
    shown(capsys, "F5D6", "--ply", "1", "--svg", str(path))
    after = Position.start().play(parse_square("f5"))
    assert path.read_text(encoding="utf-8") == svg(after, last_move=parse_square("f5"))
    assert "choose the one to draw with --game" in complaint("show", two, "--svg", str(path))
    shown(capsys, two, "--game", "1", "--svg", str(path))
    shown(capsys, "F5", "--svg", str(tmp_path / "no" / "board.svg"), status=2)


def test_the_readme_s_picture_is_what_show_draws(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    """Made by: othellier show F5D6C3D3C4F4F6G5 --svg docs/board.svg."""
    path = tmp_path / "board.svg"
    shown(capsys, "F5D6C3D3C4F4F6G5", "--svg", str(path))
    kept = Path(__file__).parents[2] / "docs" / "board.svg"
    assert path.read_text(encoding="utf-8") == kept.read_text(encoding="utf-8")


def test_show_what_is_good_and_tell_what_is_bad(
    capsys: pytest.CaptureFixture[str], complaint: Callable[..., str]
) -> None:
    assert main(["show", "F5D6\nF5A1\n"]) == 2
    out, err = capsys.readouterr()
    assert "1. f5   d6" in out
    assert err == "othellier: text, line 2, ply 2: illegal move a1: it flips nothing\n"
    for record in ("", "nowhere.ggf", ".", "hello"):
        assert complaint("show", record)


def test_convert(capsys: pytest.CaptureFixture[str], tmp_path: Path, two: str) -> None:
    target = tmp_path / "two.sgf"
    assert main(["convert", two, str(target)]) == 0
    assert capsys.readouterr() == (f"2 games written to {target}\n", "")
    assert [game.transcript() for game in records.read(target)] == ["F5D6", ""]
    assert main(["convert", two, str(target), "--json"]) == 0
    facts = json.loads(capsys.readouterr().out)
    assert (facts["games"], facts["out"]) == (2, str(target))


def test_what_cannot_be_converted_is_left_out_and_named(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    source = tmp_path / "four.ggf"
    small = records.dumps([records.read("F5D6")[0], Game(6), Game.from_moves(["f5", "f6"])], "ggf")
    source.write_text(small.replace("W[F6]", "W[F6]B[A1]") + small.splitlines()[0])
    target = tmp_path / "out.txt"
    words = (
        f"{target}, game 2: cannot be written as transcript: is on a board of size 6, and only 8x8 can be kept\n"
        f"{source}, game 3, line 3, ply 3: illegal move a1: it flips nothing\n"
        "othellier: {}: 2 of 4 games were left out\n"
    )
    assert main(["convert", str(source), str(target)]) == 2
    assert capsys.readouterr() == (f"2 games written to {target}\n", words.format(target))
    assert target.read_text() == "F5D6\nF5D6\n"
    assert main(["convert", str(source), "-", "--to", "transcript"]) == 2
    out, err = capsys.readouterr()
    assert (out, err.splitlines()[-1]) == (
        "F5D6\nF5D6\n",
        "othellier: standard output: 2 of 4 games were left out",
    )
    assert main(["convert", str(source), str(target), "--json"]) == 2
    assert json.loads(capsys.readouterr().out)["left_out"] == 2


def test_where_nothing_can_be_converted_nothing_is_written(complaint: Callable[..., str], tmp_path: Path) -> None:
    source, target = tmp_path / "small.ggf", tmp_path / "out.txt"
    source.write_text(records.dumps([Game(6), Game(4)], "ggf"))
    target.write_text("as it was")
    for out in (str(target), "-"):
        assert "game 1: cannot be written as transcript" in complaint("convert", source, out, "--to", "transcript")
    assert target.read_text() == "as it was"


def test_convert_with_named_formats(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    target = tmp_path / "game"
    assert main(["convert", "F5D6", str(target), "--from", "transcript", "--to", "ggf"]) == 0
    assert capsys.readouterr().out == f"1 game written to {target}\n"
    assert records.read(target, "ggf")[0].transcript() == "F5D6"
    assert main(["convert", str(target), "-", "--to", "transcript"]) == 0
    assert capsys.readouterr().out.lower() == "f5d6\n"


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["F5D6", "-"], "name the format with --to"),
        (["F5D6", "-", "--to", "ggf", "--json"], "leave out --json"),
        (["F5D6", "x.ggf", "--to", "pgn"], "'pgn' is no record format"),
        (["F5D6", "x.pgn"], "no format has the ending '.pgn'"),
        (["nowhere.ggf", "x.sgf"], "nowhere.ggf: no such file"),
        (["F5A1", "x.sgf"], "illegal move a1"),
    ],
)
def test_convert_says_what_is_wrong_and_writes_nothing(
    capsys: pytest.CaptureFixture[str],
    complaint: Callable[..., str],
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
    arguments: list[str],
    words: str,
) -> None:
    monkeypatch.chdir(tmp_path)
    assert words in complaint("convert", *arguments)
    assert not list(tmp_path.iterdir())


def test_no_escape_sequence_of_others_reaches_the_terminal(
    capsys: pytest.CaptureFixture[str], complaint: Callable[..., str], tmp_path: Path
) -> None:
    game = "(;GM[2]PB[\x1b[31mred]PW[\x9b2J\x00]EV[\u202eevent]C[\x1b\\]0;title\x07];B[f5]C[\x1b[2J])"
    path = tmp_path / "games.sgf"
    for count in (1, 2):
        path.write_text(game * count, encoding="utf-8")
        for arguments in (
            ["show", str(path)],
            ["show", str(path), "--json"],
            ["convert", str(path), "-", "--to", "sgf"],
        ):
            assert main(arguments) == 0
            out = capsys.readouterr().out
            assert "[31mred" in out
            assert not re.search(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u202e]", out)
    err = complaint("show", str(tmp_path / "\x1b[31mnone.sgf"))
    assert "\x1b" not in err
    assert "[31mnone.sgf: no such file" in err
