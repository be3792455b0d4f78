"""What counts as evidence: no broken or repeated game, and no value of a player's; each player has its page."""

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

import othellier
from othellier import Result, tournament
from othellier.arena.match import FAILURES, REPEATS, Match, plan
from othellier.arena.openings import draw_openings
from othellier.arena.play import OpeningMoves, Played, Ply
from othellier.arena.player_report import PlayerReport, page_name, write_player_report
from othellier.arena.stats import Sprt
from othellier.base.jobs import Crew
from othellier.cli import main
from othellier.errors import ConfigError, PlayerError
from othellier.rules import native
from othellier.rules.board import Position
from othellier.rules.geometry import Size

START = native.start(4)
FIRST = START.moves()[0]


def game(score: int, moves: Sequence[int] = (FIRST,), error: str = "") -> Played:
    return Played(START, tuple(map(Ply, moves)), 0, score, "resigned" if error else "", error)


def match_of(*bouts: list[Played], sprt: Sprt | None = None, errors_count: bool = False) -> Match:
    match = Match([], sprt, errors_count=errors_count)
    for games in bouts:
        match.add(games)
    return match


# -- games that repeat


def test_games_that_repeat_are_counted_once() -> None:
    one, two, three = game(4), game(2, START.moves()[1:2]), game(6, START.moves()[2:3])
    match = match_of([one, two], [one, two], [one, three], [one])
    assert (match.tally.pairs, match.tally.singles) == ([0, 0, 1, 0, 0], [1, 0, 0]), "a new game beside a known one"
    assert (match.tally.games, match.everything.games, match.repeated) == (3, 7, 4)
    assert match.summary()["repeated"] == 4
    assert "4 of 7 games repeated earlier ones: games that repeat are counted once" in str(match)


def test_the_same_moves_with_the_colours_swapped_are_another_game() -> None:
    assert match_of([game(4), game(4)]).tally.pairs == [0, 0, 1, 0, 0]


def test_an_opening_by_other_moves_to_the_same_position_is_the_same_opening() -> None:
    """A game is known by the position in which the players take over and by their moves."""
    start = native.start(6)
    ways: dict[Position, tuple[int, ...]] = {}
    found = None
    for a in start.moves():
        for b in start.play(a).moves():
            for c in start.play(a).play(b).moves():
                position = start.play(a).play(b).play(c)
                known = ways.setdefault(position, (a, b, c))
                found = found or (None if known == (a, b, c) else (known, (a, b, c), position.moves()[0]))
    assert found is not None
    one, other, last = found
    games = [Played(start, tuple(map(Ply, (*way, last))), 3, 2) for way in (one, other)]
    assert match_of([games[0]], [games[1]]).repeated == 1


def test_a_sequential_test_of_games_that_repeat_ends_undecided(capsys: pytest.CaptureFixture[str]) -> None:
    command = ["match", "alphabeta:depth=1", "alphabeta:depth=2", "--size", "6", "--openings", "start", "--jobs", "1"]
    assert main([*command, "--sprt", "0,50", "--json"]) == 0
    facts = json.loads(capsys.readouterr().out)
    assert (facts["games"], facts["played"], facts["repeated"]) == (2, 2 * REPEATS + 2, 2 * REPEATS)
    assert facts["sprt"]["verdict"] == ""
    assert main([*command, "--games", "6"]) == 0
    assert "4 of 6 games repeated earlier ones" in capsys.readouterr().out


def test_a_tournament_says_that_games_repeat(tmp_path: Path) -> None:
    players = {"one": "alphabeta:depth=1", "two": "alphabeta:depth=2"}
    report = tournament(players, games=6, size=4, openings="start", folder=tmp_path)
    assert report.repeated == 4
    assert report.cells["one", "two"].games == 6, "points are for all games"
    assert "4 games repeat earlier ones" in str(report)
    report.write(tmp_path)
    assert "4 games repeat earlier ones" in (tmp_path / "report.html").read_text(encoding="utf-8")
    assert tournament(players, games=2, size=4, openings="start").remarks() == []


def test_a_tournament_says_that_games_were_lost_by_errors() -> None:
    report = tournament({"broken": lambda position: "z9", "dice": "random:seed=1"}, games=2, size=4)
    assert "2 games were lost by errors: they count as lost, in the Elo too." in str(report)


# -- games that errors have ended


def test_games_lost_by_errors_count_neither_in_elo_nor_in_the_test() -> None:
    good, failed = game(4), game(-16, (), "it crashed")
    match = match_of([good, failed], sprt=Sprt(0, 10))
    assert (match.tally.games, match.tally.pairs, match.tally.singles) == (1, [0] * 5, [0, 0, 1])
    assert (match.broken, match.everything.games, match.sides[1].errors) == (1, 2, 1)
    assert "1 of 2 games were ended by errors: they count neither in the score nor in the Elo" in str(match)
    only = match_of([failed, failed])
    assert only.summary()["elo"] is None
    assert only.score_line() == "no game that counts"
    lost = match_of([good, failed], errors_count=True)
    assert (lost.tally.pairs, lost.broken) == ([0, 0, 0, 0, 1], 0), "in a tournament who fails loses"


def test_a_loss_on_the_clock_counts() -> None:
    late = game(-16, (), "black took 1.00 s where its clock had 0.00 s left")
    match = match_of([late])
    assert (match.tally.losses, match.broken) == (1, 0)
    assert (match.sides[0].errors, match.sides[0].timeouts) == (1, 1)


class Prepared(Crew):
    """Hands back prepared games instead of playing them."""

    def __init__(self, results: list[list[Played]]) -> None:
        super().__init__("here")
        self.results = results

    def map(self, function: Any, jobs: Any) -> Any:
        bouts = (bout for job in jobs for bout in job)
        for bout, games in zip(bouts, self.results, strict=False):
            yield [bout], [games]


def run(results: list[list[Played]]) -> Match:
    match = Match(plan(("random", "random"), [OpeningMoves(START)], 2 * len(results)), names=("one", "two"))
    match.run(Prepared(results))
    return match


def test_a_player_that_fails_in_every_game_ends_the_match_at_once(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    good, failed, won = game(4), game(-16, (), "it is gone"), game(16, (), "it is gone")
    with pytest.raises(PlayerError, match="one lost 2 games in a row by errors, which ends the match: it is gone"):
        run([[failed, won], [good, good]])
    with pytest.raises(PlayerError, match=f"two lost {FAILURES} games in a row by errors"):
        run([[good, good], *([[won, failed]] * FAILURES)])
    assert run([[good, failed], *([[won, failed], [good, good]] * FAILURES)]).everything.games == 4 * FAILURES + 2
    (tmp_path / "mine.py").write_text("def bad(position):\n    return 1 / 0\n")
    arguments = [f"{tmp_path}/mine.py:bad", "random", "--sprt", "0,10", "--jobs", "1", "--save", f"{tmp_path}/g.jsonl"]
    assert main(["match", *arguments]) == 2
    out, err = capsys.readouterr()
    assert "no game that counts" in out
    assert "Elo" not in out.splitlines()[1]
    assert "2 games in a row by errors" in err.splitlines()[-1]
    assert len((tmp_path / "g.jsonl").read_text().splitlines()) == 2
    with pytest.raises(PlayerError, match="2 games in a row"):
        othellier.match(lambda position: "a1", "random", games=10, size=4)


def test_a_match_shows_who_lost_games_by_errors() -> None:
    asked = 0

    def once(position: Position) -> str | int:
        nonlocal asked
        asked += 1
        return "a1" if asked == 1 else position.moves()[0]

    played = othellier.match(once, "random:seed=1", games=2, size=4)
    assert str(played).splitlines()[2].startswith("games that once lost by errors: 1, first: once played a1, which is")
    assert str(played) in repr(played)


# -- the estimate after a sequential test


def test_elo_after_a_sequential_test_says_that_it_is_biased() -> None:
    openings = draw_openings(40, Size(6, 6))
    for players, words in ((("alphabeta:depth=3", "random"), "high"), (("random", "alphabeta:depth=3"), "low")):
        match = Match(plan(players, openings, 80), Sprt(-100, 100))
        match.run(Crew("here"))
        assert f"biased, on average too {words}" in str(match)
        assert match.summary()["sprt"]["biased"] is True
    undecided = match_of([game(4)], sprt=Sprt(0, 1))
    assert "biased" not in str(undecided)
    assert undecided.summary()["sprt"]["biased"] is False


def test_the_chances_of_an_error_can_be_chosen(capsys: pytest.CaptureFixture[str]) -> None:
    strict, loose = Sprt(0, 10, alpha=0.01, beta=0.02), Sprt.parse("0,10", 0.2, 0.3)
    assert strict.bounds == pytest.approx((-3.902, 4.585), abs=1e-3)
    assert loose.bounds == pytest.approx((-0.981, 1.253), abs=1e-3)
    command = ["match", "alphabeta:depth=2", "random", "--size", "6", "--seed", "1", "--jobs", "1", "--json"]
    played = []
    for alpha in ("0.001", "0.4"):
        assert main([*command, "--sprt", "0,100", "--alpha", alpha, "--beta", "0.3"]) == 0
        facts = json.loads(capsys.readouterr().out)
        assert (facts["sprt"]["alpha"], facts["sprt"]["beta"]) == (float(alpha), 0.3)
        played.append(facts["games"])
    assert played[0] > played[1]
    one = othellier.match("alphabeta:depth=2", "random", 40, size=6, sprt=(0, 100), alpha=0.4, beta=0.3)
    assert one.sprt == Sprt(0, 100, 0.4, 0.3)
    for low, high in ((0, 0.05), (0.5, 0.5), (float("nan"), 0.1)):
        with pytest.raises(ConfigError, match="two chances of an error expected"):
            Sprt(0, 10, low, high)
    assert main([*command, "--alpha", "0.1"]) == 2
    assert "--alpha and --beta go with --sprt" in capsys.readouterr().err


# -- players


@pytest.mark.parametrize("values", [{"nodes": 10**5000}, {"score": 10**400}, {"score": float("nan")}, {"nodes": -5}])
def test_a_value_that_no_file_can_hold_loses_its_player_the_game(values: dict[str, float], tmp_path: Path) -> None:
    def boasts(position: Position) -> Result:
        return Result(position.moves()[0], position.turn, **values)  # type: ignore[arg-type]

    for _ in range(2):  # a tournament that goes on from its folder reads what was written
        report = tournament({"boasts": boasts, "dice": "random:seed=1"}, games=2, size=4, folder=tmp_path)
        cell = report.cells["boasts", "dice"]
        assert (cell.losses, cell.errors) == (2, 2)


def test_every_player_has_a_page_of_its_own(tmp_path: Path) -> None:
    names = ["李雷", "王芳", "__", "Ann B", "Ann_B", "Ann.B", Path(page_name("Ann B")).stem, "x" * 300, "x" * 301]
    for rank, name in enumerate(names, 1):
        write_player_report(tmp_path, PlayerReport(name, rank, (), (), None))
    pages = list((tmp_path / "players").iterdir())
    assert len(pages) == len(names)
    for name in names:
        assert f"<h1>{name}</h1>" in (tmp_path / page_name(name)).read_text(encoding="utf-8")
    assert page_name("王芳") == "players/王芳.html"
