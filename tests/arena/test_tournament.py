"""Tournaments: who meets whom, every game once, resumed after any interruption, tables that agree with the games."""

import csv
import json
import os
import sys
from pathlib import Path
from typing import Any

import pytest

from othellier import records
from othellier.arena.ledger import Ledger
from othellier.arena.pairings import swiss_round, swiss_rounds
from othellier.arena.report import TournamentReport
from othellier.arena.tournament import Encounter, Tournament
from othellier.base.jobs import Crew
from othellier.cli import main
from othellier.config.models import TournamentConfig
from othellier.errors import ConfigError, RecordError

HERE = Crew("here")
PLAYERS = ["random", "alphabeta:depth=1", "alphabeta:depth=2", "mcts:iterations=5"]


def config(**changes: Any) -> TournamentConfig:
    return TournamentConfig.model_validate({"players": PLAYERS, "size": 4, "games": 4, **changes})


def play(folder: Path, **changes: Any) -> Tournament:
    with Tournament(config(**changes), folder) as tournament:
        tournament.run(HERE)
    return tournament


def lines(folder: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (folder / "games.jsonl").read_text().splitlines()]


def keys(folder: Path) -> list[tuple[Any, ...]]:
    return sorted((line["round"], line["a"], line["b"], line["bout"], line["game"]) for line in lines(folder))


def counts(tournament: Tournament) -> dict[tuple[str, str], tuple[int, ...]]:
    return {pair: (cell.wins, cell.draws, cell.losses) for pair, cell in TournamentReport(tournament).cells.items()}


# -- pairings


def test_a_round_robin_plays_all_pairings(tmp_path: Path) -> None:
    tournament = play(tmp_path)
    assert len(keys(tmp_path)) == len(set(keys(tmp_path))) == 6 * 4 == tournament.planned()
    assert {frozenset(one.names) for one in tournament.encounters} == {
        frozenset((a, b)) for a in PLAYERS for b in PLAYERS if a != b
    }
    for line in lines(tmp_path):
        assert (line["black"], line["white"]) == (
            (line["a"], line["b"]) if line["game"] == 0 else (line["b"], line["a"])
        )


def test_a_gauntlet_is_one_against_all(tmp_path: Path) -> None:
    tournament = play(tmp_path, system="gauntlet", hero="alphabeta:depth=1", games=2)
    assert [one.names for one in tournament.encounters] == [
        ("alphabeta:depth=1", name) for name in PLAYERS if name != "alphabeta:depth=1"
    ]
    assert len(keys(tmp_path)) == tournament.planned() == 6


def test_a_swiss_tournament(tmp_path: Path) -> None:
    players = [*PLAYERS, "negamax:depth=1"]
    tournament = play(tmp_path, system="swiss", rounds=3, players=players, games=2)
    assert len(tournament.encounters) == 6
    met = [frozenset(one.names) for one in tournament.encounters]
    assert len(set(met)) == 6
    assert len(set(tournament.byes)) == 3
    for number in range(3):
        names = [name for one in tournament.encounters if one.round == number for name in one.names]
        assert sorted([*names, tournament.byes[number]]) == sorted(players)
    assert sum(tournament.match_points().values()) == 6 * 2 + 3 * 2
    assert len(keys(tmp_path)) == tournament.planned() == 12


def test_swiss_pairings() -> None:
    names = list("abcdef")
    scores = dict(zip(names, (3, 2, 2, 1, 1, 0), strict=True))
    assert swiss_round(names, scores, [], [])[0] == [("a", "b"), ("c", "d"), ("e", "f")]
    met = [frozenset("ab"), frozenset("cd"), frozenset("ef")]
    assert swiss_round(names, scores, met, [])[0] == [("a", "c"), ("b", "e"), ("d", "f")]
    everybody = [frozenset((a, b)) for a in names for b in names if a != b]
    assert swiss_round(names, scores, everybody, [])[0] == [("a", "b"), ("c", "d"), ("e", "f")]
    assert swiss_round(names[:3], scores, [], ["c", "b"])[1] == "a"
    assert [swiss_rounds(players) for players in (2, 3, 4, 8, 9)] == [1, 2, 2, 3, 4]


def test_points_of_a_match_add_up_for_both() -> None:
    """Two wins, a draw and a loss are two and a half points, and one and a half for the other."""
    tournament = object.__new__(Tournament)
    tournament.names, tournament.byes = ["a", "b", "c"], ["c"]
    tournament.config = config(games=4)
    one = Encounter(0, ("a", "b"), [])
    one.match.everything.add_pair(4, -2)
    one.match.everything.add_pair(0, 6)
    tournament.encounters = [one]
    assert tournament.match_points() == {"a": 2.5, "b": 1.5, "c": 4}


def test_a_seed_changes_the_games(tmp_path: Path) -> None:
    def moves(folder: str, seed: int) -> list[str]:
        play(tmp_path / folder, seed=seed, openings="start", players=["random", "mcts:iterations=5"])
        return [line["moves"] for line in lines(tmp_path / folder)]

    assert moves("one", 1) == moves("again", 1) != moves("two", 2)


def test_every_pairing_draws_lots_of_its_own(tmp_path: Path) -> None:
    players = [{"name": name, "algorithm": "random"} for name in "abc"]
    play(tmp_path, openings="start", size=6, games=2, players=players)
    assert len({line["moves"] for line in lines(tmp_path)}) == 6


def test_those_who_meet_twice_have_one_cell(tmp_path: Path) -> None:
    tournament = play(tmp_path, system="swiss", rounds=3, players=PLAYERS[:2], games=2)
    assert len(tournament.encounters) == 3
    report = TournamentReport(tournament)
    assert {cell.games for cell in report.cells.values()} == {6}
    assert [line.total.games for line in report.standings] == [6, 6]
    scores = [line["score"] * (1 if line["black"] == PLAYERS[0] else -1) for line in lines(tmp_path)]
    assert report.cells[PLAYERS[0], PLAYERS[1]].difference == sum(scores)


# -- going on


class Stopped(Exception):
    """What ends a tournament in these tests."""


def interrupt(folder: Path, after: int, **changes: Any) -> None:
    left = after

    def told(*_: object) -> None:
        nonlocal left
        left -= 1
        if not left:
            raise Stopped

    with Tournament(config(**changes), folder) as tournament, pytest.raises(Stopped):
        tournament.run(HERE, told)


@pytest.mark.parametrize("system", ["round robin", "swiss"])
def test_an_interrupted_tournament_goes_on(tmp_path: Path, system: str) -> None:
    whole = play(tmp_path / "whole", system=system)
    folder = tmp_path / "parts"
    written = [0]
    for after in (1, 2, 3):
        interrupt(folder, after, system=system)
        written.append(len(lines(folder)))
        assert written[-1] >= written[-2] + 2 * after  # bouts that were told of are on the disk
    assert written[-1] < len(keys(tmp_path / "whole"))
    resumed = play(folder, system=system)
    assert keys(folder) == keys(tmp_path / "whole")
    assert counts(resumed) == counts(whole)
    again = play(folder, system=system)
    assert keys(folder) == keys(tmp_path / "whole")
    assert counts(again) == counts(whole)


@pytest.mark.parametrize("cut", [1, 30, 500])
def test_a_line_cut_off_is_played_again(tmp_path: Path, cut: int) -> None:
    whole = play(tmp_path)
    before = keys(tmp_path)
    path = tmp_path / "games.jsonl"
    path.write_bytes(path.read_bytes()[:-cut])
    assert counts(play(tmp_path)) == counts(whole)
    assert keys(tmp_path) == before


def test_a_tournament_may_grow(tmp_path: Path) -> None:
    small = play(tmp_path, games=2, players=PLAYERS[:2])
    first = lines(tmp_path)
    large = play(tmp_path, games=4, players=PLAYERS[:3])
    assert lines(tmp_path)[:2] == first
    assert len(keys(tmp_path)) == len(set(keys(tmp_path))) == 12
    assert large.encounters[0].match.tally.games == 4
    assert small.encounters[0].match.tally.games == 2


def test_another_tournament_is_not_mixed_in(tmp_path: Path) -> None:
    play(tmp_path, games=2)
    named = [{"name": "random", "algorithm": "random", "seed": 3}, *PLAYERS[1:]]
    for changes, words in (
        ({"seed": 1}, "holds another tournament: seed changed"),
        ({"size": 6, "time": 1}, "size, time changed"),
        ({"players": named}, "holds another tournament: random changed"),
    ):
        with pytest.raises(ConfigError, match=words):
            play(tmp_path, **changes)
    (tmp_path / "tournament.json").write_text("[]")
    with pytest.raises(RecordError, match="is no description of a tournament"):
        play(tmp_path)
    (tmp_path / "tournament.json").unlink()
    with pytest.raises(ConfigError, match="holds games but no tournament"):
        play(tmp_path)


def test_an_openings_file_must_stay_the_same(tmp_path: Path) -> None:
    openings = tmp_path / "openings.txt"
    openings.write_text("F5D6\nF5F6\n")
    changes = {"openings": str(openings), "size": 8, "games": 2, "players": ["random", "alphabeta:depth=1"]}
    play(tmp_path / "out", **changes)
    assert {line["moves"][:4] for line in lines(tmp_path / "out")} == {"F5D6"}
    openings.write_text("F5F6\n")
    with pytest.raises(ConfigError, match="digest changed"):
        play(tmp_path / "out", **changes)


@pytest.mark.parametrize("line", ["[]", "{}", "word", '{"round": 0, "a": "x", "b": "y", "bout": 0, "game": 0}'])
def test_foreign_lines_are_refused(tmp_path: Path, line: str) -> None:
    play(tmp_path, games=2)
    path = tmp_path / "games.jsonl"
    kept = path.read_text()
    path.write_text(kept + line + "\n")
    with pytest.raises(RecordError, match=r"games.jsonl, line 13: is not a game"):
        play(tmp_path)
    assert path.read_text() == kept + line + "\n"


@pytest.mark.parametrize("change", ["score", "colours", "again"])
def test_games_that_were_changed_are_refused(change: str, tmp_path: Path) -> None:
    """By file and line: what stands there is not what was played."""
    play(tmp_path)
    path = tmp_path / "games.jsonl"
    written = lines(tmp_path)
    if change == "score":
        written[1]["score"] = -written[1]["score"] or 2
    elif change == "colours":
        written[1] |= {"black": written[1]["white"], "white": written[1]["black"]}
    else:
        written[1] = written[0]
    path.write_text("".join(f"{json.dumps(line)}\n" for line in written))
    reason = {"score": "its moves come to", "colours": "the colours are not those", "again": "it stands there twice"}
    with pytest.raises(RecordError, match=f"games.jsonl, line 2: is not a game: {reason[change]}"):
        play(tmp_path)


def test_one_run_at_a_time(tmp_path: Path) -> None:
    with Tournament(config(), tmp_path), pytest.raises(RecordError, match="is being written by another run"):
        Tournament(config(), tmp_path)


def test_a_full_disk_keeps_what_was_played(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    append = Ledger.append

    def full(self: Ledger, new: Any) -> None:
        if len(lines(tmp_path)) >= 6:
            full_disk = os.open("/dev/full", os.O_WRONLY)
            os.dup2(full_disk, self._file.fileno())
            os.close(full_disk)
        append(self, new)

    monkeypatch.setattr(Ledger, "append", full)
    with pytest.raises(RecordError, match=r"games.jsonl: cannot be written: no space left on device"):
        play(tmp_path)
    monkeypatch.undo()
    assert 6 <= len(lines(tmp_path)) < 24
    play(tmp_path)
    assert len(set(keys(tmp_path))) == len(keys(tmp_path)) == 24


# -- what came of it


def test_tables_agree_with_the_games(tmp_path: Path) -> None:
    tournament = play(tmp_path)
    report = TournamentReport(tournament)
    for (a, b), cell in report.cells.items():
        scores = [
            line["score"] * (1 if line["black"] == a else -1)
            for line in lines(tmp_path)
            if {line["black"], line["white"]} == {a, b}
        ]
        assert (cell.wins, cell.losses) == (sum(s > 0 for s in scores), sum(s < 0 for s in scores))
        assert cell.discs == pytest.approx(sum(scores) / len(scores))
        other = report.cells[b, a]
        assert (cell.wins, cell.draws, cell.losses) == (other.losses, other.draws, other.wins)
    for line in report.standings:
        assert line.total.games == 12
        points = [max(0, 100 * (c.wins - c.losses) / c.games) for (a, _), c in report.cells.items() if a == line.name]
        assert line.points == pytest.approx(sum(points))
    assert [line.rating.elo for line in report.standings] == sorted(
        (line.rating.elo for line in report.standings), reverse=True
    )
    table = report.points_table()
    for (a, b), cell in report.cells.items():  # what the column made against the row
        made = table[1 + report.names.index(b)][1 + report.names.index(a)]
        assert made == f"{max(0, 100 * (cell.wins - cell.losses) / cell.games):.0f}"
    assert [float(total) for total in table[-1][1:]] == [
        round(next(line.points for line in report.standings if line.name == name)) for name in PLAYERS
    ]


def test_the_command_writes_tables_figures_and_a_page(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "t.yaml"
    path.write_text(
        "title: A <b> & C\nplayers: [random, 'alphabeta:depth=1', 'mcts:iterations=5']\nsize: 4\ngames: 2\n"
    )
    arguments = ["tournament", str(path), "--out", str(tmp_path / "out"), "--jobs", "1"]
    assert main([*arguments, "--json"]) == 0
    result = json.loads(capsys.readouterr().out)
    assert [line["games"] for line in result["standings"]] == [4, 4, 4]
    assert main(arguments) == 0
    assert "report.html" in capsys.readouterr().out
    out = tmp_path / "out"
    with (out / "standings.csv").open(newline="") as file:
        rows = list(csv.DictReader(file))
    assert [row["name"] for row in rows] == [line["name"] for line in result["standings"]]
    assert json.loads((out / "results.json").read_text())["standings"] == result["standings"]
    page = (out / "report.html").read_text()
    assert "<h1>A &lt;b&gt; &amp; C</h1>" in page
    assert page.count("<svg") == 2
    assert page.count("<table>") == 4
    assert (out / "ratings.png").read_bytes().startswith(b"\x89PNG")
    games = records.read(out / "games.jsonl")
    assert len(games) == 6
    assert all(game.end.position.is_over() for game in games)


def test_without_matplotlib_there_are_tables(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "matplotlib.figure", None)
    path = tmp_path / "t.yaml"
    path.write_text("players: [random, 'alphabeta:depth=1']\nsize: 4\ngames: 2\n")
    assert main(["tournament", str(path), "--out", str(tmp_path), "--jobs", "1"]) == 0
    assert "no figures: drawing figures needs the extra lab: " in capsys.readouterr().err
    assert (tmp_path / "report.html").exists()


def test_ctrl_c_keeps_the_folder(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "t.yaml"
    path.write_text("players: [random, 'alphabeta:depth=1']\nsize: 4\ngames: 6\n")
    append = Ledger.append

    def interrupted(self: Ledger, new: Any) -> None:
        append(self, new)
        if len(lines(tmp_path)) >= 2:
            raise KeyboardInterrupt

    monkeypatch.setattr(Ledger, "append", interrupted)
    arguments = ["tournament", str(path), "--out", str(tmp_path), "--jobs", "1"]
    assert main(arguments) == 130
    assert "interrupted; run it again to go on" in capsys.readouterr().out
    monkeypatch.undo()
    assert main(arguments) == 0
    assert len(set(keys(tmp_path))) == len(keys(tmp_path)) == 6


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("players: [random]", "players: at least 2 expected, not 1"),
        ("players: [random, random]", "two players are called 'random'"),
        ("players: [random, 'alphabeta:depth=100']", "depth=100"),
        ("players: [random, 'alphabeta:depth=2']\nsize: 5", "size 5x5"),
    ],
)
def test_wrong_tournaments_are_one_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], text: str, words: str
) -> None:
    (tmp_path / "t.yaml").write_text(text)
    assert main(["tournament", str(tmp_path / "t.yaml"), "--out", str(tmp_path / "out")]) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert err.count("\n") == 1
    assert words in err
    assert not (tmp_path / "out").exists()
