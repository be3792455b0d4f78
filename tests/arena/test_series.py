"""`othellier run`: games from a configuration, their statistics, their records, and replay."""

import io
import json
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from othellier import records
from othellier.arena.series import Series
from othellier.base.jobs import Crew
from othellier.cli import main
from othellier.config.models import RunConfig, parse

BASE = {"size": 4, "black": "alphabeta:depth=2", "white": "random"}


def write(tmp_path: Path, text: str) -> str:
    path = tmp_path / "config.yaml"
    path.write_text(text)
    return str(path)


def series(**changes: object) -> Series:
    made = Series(parse({**BASE, **changes}, RunConfig, "test"))
    list(made.run(Crew("here")))
    return made


def test_statistics_agree_with_the_games() -> None:
    made = series(games=5)
    facts = made.statistics()
    assert facts["games"] == len(facts["all"]) == 5
    assert facts["black_wins"] + facts["white_wins"] + facts["draws"] == 5
    for number, game in enumerate(facts["all"]):
        last = made.games[number].end()
        assert (game["black_discs"], game["white_discs"]) == (last.discs("black"), last.discs("white"))
        assert game["black_moves"] + game["white_moves"] + 4 == game["black_discs"] + game["white_discs"]
        assert game["black_nodes"] > game["white_nodes"] == 0
    assert facts["players"][0]["wins"] == facts["black_wins"]
    assert facts["black"]["moves"] == sum(game["black_moves"] for game in facts["all"])


def test_colours_are_exchanged_if_asked() -> None:
    made = series(games=3, swap=True, openings="balanced")
    assert [bout.players[0] for bout in made.bouts] == ["alphabeta:depth=2", "random", "alphabeta:depth=2"]
    assert made.bouts[0].opening == made.bouts[1].opening != made.bouts[2].opening
    assert made.players(1) == ("random", "alphabeta:depth=2")
    facts = made.statistics()
    assert facts["players"][0]["nodes"] > 0
    assert facts["players"][1]["nodes"] == 0
    assert sum(player["wins"] for player in facts["players"]) + facts["draws"] == 3


def test_neighbouring_seeds_give_other_games() -> None:
    seeds = [{bout.seed for bout in series(games=6, seed=seed).bouts} for seed in (3, 4)]
    assert [len(some) for some in seeds] == [6, 6]
    assert seeds[0].isdisjoint(seeds[1])


def test_games_that_draw_lots_differ_and_can_be_had_again() -> None:
    first, second = series(games=6).lines(), series(games=6).lines()
    assert [line["moves"] for line in first] == [line["moves"] for line in second]
    assert len({line["moves"] for line in first}) > 1
    assert [line["moves"] for line in series(games=6, seed=1).lines()] != [line["moves"] for line in first]


@pytest.mark.parametrize("ending", ["jsonl", "ggf", "sgf"])
def test_games_and_statistics_are_saved_and_replayed(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], ending: str
) -> None:
    record, statistics = tmp_path / f"games.{ending}", tmp_path / "statistics.json"
    text = f"black: random\nwhite: 'alphabeta:depth=1'\ngames: 2\njobs: 1\ndisplay: result\nrecord: {record}\n"
    config = write(tmp_path, text + f"statistics: {statistics}\n")
    assert main(["run", config]) == 0
    out, _ = capsys.readouterr()
    assert "game 1: random - alphabeta:depth=1: " in out
    assert "2 games: black won" in out
    facts = json.loads(statistics.read_text())
    games = records.read(record)
    scores = [outcome.score for game in games if (outcome := game.outcome()) is not None]
    assert scores == [game["score"] for game in facts["all"]]
    assert games[0].headers.white == "alphabeta:depth=1"
    assert main(["run", "--replay", str(record)]) == 0
    shown, _ = capsys.readouterr()
    assert shown.count("plays") == sum(len(game.moves()) for game in games)
    assert shown.count("\n  white wins by ") == sum(score < 0 for score in scores)
    assert main(["run", write(tmp_path, f"replay: {record}\ndisplay: moves\n")]) == 0
    assert "  1. " in capsys.readouterr().out


def test_displays(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    text = "size: 4\nblack: 'alphabeta:depth=1'\nwhite: 'alphabeta:depth=1'\njobs: 1\n"
    shown = {}
    for display in ("board", "moves", "result", "none"):
        assert main(["run", write(tmp_path, f"{text}display: {display}\n")]) == 0
        shown[display] = capsys.readouterr().out
    assert shown["board"].count(" plays ") >= 8
    assert "  1. " in shown["moves"]
    assert len(shown["result"].splitlines()) == 4
    assert shown["none"] == ""
    assert main(["run", write(tmp_path, text), "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["games"] == 1


def test_a_human_plays_in_the_terminal(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """White is asked; every square is tried until the game is over."""
    squares = [f"{column}{row}" for column in "abcd" for row in "1234"]
    monkeypatch.setattr(sys, "stdin", io.StringIO("\n".join(squares * 8)))
    statistics = tmp_path / "s.json"
    config = write(tmp_path, f"size: 4\nblack: 'alphabeta:depth=2'\nwhite: human\nstatistics: {statistics}\n")
    assert main(["run", config]) == 0
    assert "Game over" in capsys.readouterr().out
    (game,) = json.loads(statistics.read_text())["all"]
    assert (game["black"], game["white"]) == ("alphabeta:depth=2", "human")
    assert game["black_nodes"] > 0 == game["white_nodes"]
    assert game["black_discs"] + game["white_discs"] >= 9


def test_a_human_who_leaves(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "stdin", io.StringIO("quit\n"))
    assert main(["run", write(tmp_path, "games: 3\n")]) == 0
    assert "won" not in capsys.readouterr().out


def test_an_error_of_a_player_is_part_of_the_result(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "mine.py").write_text("def bad(position):\n    return 0\n")
    text = f"black: '{tmp_path / 'mine.py'}:bad'\nwhite: random\njobs: 1\ndisplay: result\n"
    assert main(["run", write(tmp_path, text)]) == 0
    assert "white wins, 2-2 (bad played a1, which is illegal" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ([], "which configuration?"),
        (["missing.yaml"], "missing.yaml: no such file"),
        (["--replay", "missing.ggf"], "missing.ggf: no such file"),
    ],
)
def test_wrong_usage_is_one_line(complaint: Callable[..., str], arguments: list[str], words: str) -> None:
    assert words in complaint("run", *arguments)


def test_results_that_cannot_be_saved_are_told(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    text = f"size: 4\nblack: random\nwhite: random\njobs: 1\nstatistics: {tmp_path / 'no' / 'such' / 'folder.json'}\n"
    assert main(["run", write(tmp_path, text)]) == 2
    assert "cannot be written" in capsys.readouterr().err


def test_games_that_a_format_has_no_room_for_are_kept_in_another(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A transcript tells games of 8x8 alone: this is heard of after the game, which must not be lost for it."""
    record, spare = tmp_path / "games.txt", tmp_path / "games.jsonl"
    assert main(["run", write(tmp_path, f"size: 4\nblack: random\nwhite: random\njobs: 1\nrecord: {record}\n")]) == 2
    error = capsys.readouterr().err
    assert "only 8x8 can be kept" in error
    assert error.endswith(f"the games are in {spare}\n")
    assert not record.exists()
    assert json.loads(spare.read_text())["size"] == "4"


def test_the_reference_is_printed(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["run", "--reference"]) == 0
    assert capsys.readouterr().out.startswith("# Configuration\n")
