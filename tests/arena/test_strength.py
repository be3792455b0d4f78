"""Two builds against each other: one line of a table, and all figures beside it."""

import json
from pathlib import Path

import pytest
from benchmarks import strength


def test_a_match_of_builds_becomes_a_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    table, figures = tmp_path / "table.md", tmp_path / "figures.json"
    command = "strength installed installed --depth 2 --games 2 --jobs 1 --hash 1 --sprt 0,10 --change nothing"
    monkeypatch.setattr("sys.argv", [*command.split(), "--table", str(table), "--json", str(figures)])
    strength.main()
    facts = json.loads(figures.read_text())
    assert (facts["limit"], facts["value"], facts["a"], facts["b"]) == ("depth", 2, "installed", "installed")
    assert facts["result"]["games"] == 2
    assert facts["result"]["pairs"] == [0, 0, 1, 0, 0]  # the same player on both sides
    cells = [cell.strip() for cell in table.read_text().split("|")]
    assert cells[1:8] == ["nothing", "2 plies", "2", "balanced", "0.500", cells[6], "0,10 undecided"]
    assert cells[6].startswith("+0 [")
    assert table.read_text() in capsys.readouterr().out


def test_builds_play_with_clocks_for_whole_games(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    command = "strength installed installed --clock 0.4+0.01 --games 2 --jobs 1 --hash 1"
    monkeypatch.setattr("sys.argv", command.split())
    strength.main()
    assert "| 0.4+0.01 s a game | 2 | balanced |" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ("nowhere installed --depth 2", "there is no revision and no folder 'nowhere'"),
        ("installed installed --depth 2 --sprt 5", "two Elo differences"),
        ("installed installed --clock 5m", "clock '5m': seconds for a game and for each move expected"),
    ],
)
def test_what_makes_no_sense_is_told_in_a_line(
    options: str, words: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("sys.argv", ["strength", *options.split()])
    with pytest.raises(SystemExit, match=words):
        strength.main()
