"""Matches: fair, the same on any number of processes, counted rightly, and interrupted without loss."""

import json
import random
from collections.abc import Callable, Iterable, Iterator
from itertools import islice
from pathlib import Path
from typing import Any

import pytest

from othellier.arena.bout import Batches, Bout, close_players, play_bout
from othellier.arena.effort import Side
from othellier.arena.guard import Contestant
from othellier.arena.ledger import parse_line
from othellier.arena.match import Match, plan
from othellier.arena.openings import draw_openings, find_openings, read_openings
from othellier.arena.play import Played, Ply
from othellier.arena.stats import Sprt
from othellier.base.jobs import Crew
from othellier.cli import main
from othellier.errors import ConfigError, RecordError
from othellier.players import Player
from othellier.rules import native
from othellier.rules.board import Color, Position
from othellier.rules.geometry import STANDARD, Size

HERE = Crew("here")


def play(a: str, b: str, games: int, size: str = "8", sprt: Sprt | None = None, crew: Crew = HERE) -> Match:
    match = Match(plan((a, b), draw_openings((games + 1) // 2, Size.parse(size)), games), sprt)
    match.run(crew)
    return match


# -- openings


def test_drawn_openings_differ_up_to_symmetry() -> None:
    openings = draw_openings(200, STANDARD, seed=3)
    assert len({opening.position().canonical() for opening in openings}) == 200
    assert all(opening.position().moves() for opening in openings)
    assert openings == draw_openings(200, STANDARD, seed=3) != draw_openings(200, STANDARD, seed=4)
    assert 1 < len(draw_openings(500, Size(4, 4))) < 500  # there are no more


def test_openings_by_name(tmp_path: Path) -> None:
    assert [opening.moves for opening in find_openings("start", 5, STANDARD)] == [()]
    balanced = find_openings("balanced", 5, STANDARD, seed=1)
    assert len({opening.position().canonical() for opening in balanced}) == 5
    assert len(find_openings("balanced", 5, Size(6, 6))) == 5
    (tmp_path / "lines.txt").write_text("F5D6C3\nf5f6\n")
    assert [len(opening.moves) for opening in find_openings(str(tmp_path / "lines.txt"), 9, STANDARD)] == [3, 2]
    position = native.random_position(random.Random(1), empties=40)
    (tmp_path / "positions.obf").write_text(f"{position.board_string()};\n")
    assert [opening.position() for opening in read_openings(str(tmp_path / "positions.obf"), STANDARD)] == [position]


def test_openings_that_cannot_be_played_are_refused(tmp_path: Path) -> None:
    game = (
        "F5D6C3D3C4F4F6F3E6E7D7C5B6D8C6C7D2B5A5A6A7G5E3B4C8G6G4C2E8D1"
        "F7E2G3H4F1E1F2G1B1F8G8B3H3B2H5B7A3A4A1A2C1H2H1G2B8A8G7H8H7H6"
    )
    (tmp_path / "whole.txt").write_text(f"{game}\n")
    with pytest.raises(RecordError, match="game 1: is over: an opening leaves something to play"):
        read_openings(str(tmp_path / "whole.txt"), STANDARD)
    assert len(read_openings(str(tmp_path / "whole.txt"), STANDARD, plies=10)[0].moves) == 10
    with pytest.raises(RecordError, match="is on a board of size 8, not 6"):
        read_openings(str(tmp_path / "whole.txt"), Size(6, 6), plies=10)
    with pytest.raises(RecordError, match="no such file"):
        find_openings(str(tmp_path / "missing.txt"), 1, STANDARD)


# -- matches


def test_every_bout_has_an_opening_and_a_seed_of_its_own() -> None:
    openings = draw_openings(3, Size(6, 6))
    bouts = plan(("random", "random"), openings, 9, seed=2)
    assert [bout.number for bout in bouts] == [0, 1, 2, 3, 4]
    assert [bout.opening for bout in bouts] == [openings[index] for index in (0, 1, 2, 0, 1)]
    assert [bout.games for bout in bouts] == [2, 2, 2, 2, 1]
    seeds = [bout.seed for seed in (1, 2, 3) for bout in plan(("random", "random"), openings, 9, seed=seed)]
    assert len(set(seeds)) == 15, "no two bouts draw the same lots, whatever the seeds of their matches"


def test_moves_that_took_too_long_are_told_of_those_who_made_them() -> None:
    """Plies are numbered from 1, and whoever begins makes the odd ones."""
    start = native.start(6)
    for position, first, second in ((start, "black", "white"), (start.play(start.moves()[0]), "white", "black")):
        game = Played(position, (), 0, 2, overruns=(1, 4, 6))
        counted: dict[Color, int] = {}
        colors: tuple[Color, Color] = ("black", "white")
        for color in colors:
            side = Side()
            side.add(game, color)
            counted[color] = side.overruns
        assert counted == {first: 1, second: 2}


def test_what_a_side_did_in_two_matches_adds_up() -> None:
    one = Side(moves=4, seconds=2.0, nodes=10, overruns=1, slowest=1.5, errors=1, first_error="late")
    two = Side(moves=6, seconds=1.0, nodes=5, overruns=2, slowest=0.5, errors=2, first_error="lost")
    for first, second, error in ((one, two, "late"), (two, one, "lost")):
        both = Side()
        both.merge(first)
        both.merge(second)
        assert both == Side(10, 3.0, 15, 3, 1.5, 3, error)


def test_both_games_of_a_bout_draw_different_lots(monkeypatch: pytest.MonkeyPatch) -> None:
    """Four seeds a bout: two players in two games."""
    taken: list[int] = []
    take = Contestant.take

    def noted(self: Contestant, start: Position, seed: int) -> Player:
        taken.append(seed)
        return take(self, start, seed)

    monkeypatch.setattr(Contestant, "take", noted)
    for bout in plan(("random", "random"), draw_openings(2, Size(4, 4)), 4, seed=1):
        play_bout(bout)
    close_players()
    assert len(set(taken)) == len(taken) == 8


def test_a_player_against_itself_is_even() -> None:
    match = play("alphabeta:depth=1", "alphabeta:depth=1", 20)
    assert match.tally.score == 0.5
    assert match.tally.discs == 0
    assert match.tally.pairs == [0, 0, 10, 0, 0]


def test_results_are_seen_from_the_first_player() -> None:
    forth = play("alphabeta:depth=3", "random:seed=1", 20).summary()
    back = play("random:seed=1", "alphabeta:depth=3", 20).summary()
    assert forth["wins"] > forth["losses"]
    assert back["wins"] < back["losses"]
    assert forth["elo"] is None or forth["elo"] > 100
    assert forth["a"]["nodes"] > forth["b"]["nodes"] == 0
    assert forth["games"] == 20


def test_every_number_of_processes_gives_the_same_games() -> None:
    def games(crew: Crew) -> dict[int, Any]:
        found: dict[int, Any] = {}
        bouts = plan(("random", "mcts:iterations=5"), draw_openings(12, Size(6, 6)), 23)
        Match(bouts).run(
            crew, lambda bout, games: found.update({bout.number: [[p.move for p in g.plies] for g in games]})
        )
        return found

    with Crew("processes", jobs=2) as crew:
        many = games(crew)
    assert many == games(HERE)
    assert sorted(many) == list(range(12))
    assert [len(many[number]) for number in (0, 10, 11)] == [2, 2, 1]


def test_a_sequential_test_stops_when_it_can_tell() -> None:
    match = play("alphabeta:depth=2", "random", 2000, "6", Sprt(0, 100))
    assert match.verdict == "accepted"
    assert match.tally.games < 200
    assert match.summary()["sprt"]["llr"] > match.summary()["sprt"]["high"]


class Shuffled(Crew):
    """A crew whose jobs are done in an order of its own, several bouts a job, as the clock may have it."""

    def __init__(self, seed: int) -> None:
        super().__init__("here")
        self.rng = random.Random(seed)
        self.done = 0

    def map(self, function: Callable[[Any], Any], jobs: Iterable[Any]) -> Iterator[tuple[Any, Any]]:
        waiting = iter([bout for job in jobs for bout in job])
        running: list[list[Bout]] = []
        while True:
            while len(running) < 4 and (job := list(islice(waiting, self.rng.randint(1, 4)))):
                running.append(job)
            if not running:
                return
            job = running.pop(self.rng.randrange(len(running)))
            self.done += len(job)
            yield job, function(job)


def sequential(crew: Crew, sprt: Sprt | None, games: int = 300) -> tuple[Match, list[int]]:
    match = Match(plan(("alphabeta:depth=2", "random"), draw_openings(games // 2, Size(6, 6)), games, seed=5), sprt)
    told: list[int] = []
    match.run(crew, lambda bout, games: told.append(bout.number))
    return match, told


def outcome(match: Match) -> tuple[object, ...]:
    return match.tally.pairs, match.tally.discs, match.verdict, match.summary()["sprt"]


def test_a_sequential_test_depends_on_the_seed_alone() -> None:
    sprt = Sprt(0, 100)
    one, told = sequential(HERE, sprt)
    assert one.verdict == "accepted"
    assert told == list(range(one.tally.games // 2))
    # It ends with the first bout that decides: the one before did not.
    everything, _ = sequential(HERE, None)
    prefix = Match([], sprt)
    found: list[list[Played]] = []
    Match(one.bouts).run(HERE, lambda _, games: found.append(games))
    for number, games in enumerate(found):
        prefix.add(games)
        assert bool(prefix.verdict) == (number == len(told) - 1)
        if prefix.verdict:
            break
    assert outcome(prefix) == outcome(one)
    assert everything.tally.games == 300 > one.tally.games
    beyond = 0
    for seed in range(6):
        crew = Shuffled(seed)
        other, heard = sequential(crew, sprt)
        assert outcome(other) == outcome(one)
        assert heard == told
        beyond += crew.done - len(heard)
    assert beyond > 0, "no crew had played more than was needed, so nothing was tested"
    with Crew("processes", jobs=2) as processes:
        other, heard = sequential(processes, sprt)
    assert (outcome(other), heard) == (outcome(one), told)


def test_without_a_sequential_test_bouts_are_counted_as_they_come() -> None:
    match, told = sequential(Shuffled(1), None, 40)
    assert told != sorted(told) == list(range(20))
    assert match.tally.games == 40


def test_the_command_of_a_sequential_test_gives_the_same_with_any_number_of_jobs(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    arguments = ["match", "alphabeta:depth=2", "random", "--size", "4", "--sprt", "0,200", "--seed", "3", "--json"]
    results = []
    for jobs in ("1", "2", "3"):
        saved = tmp_path / f"{jobs}.jsonl"
        assert main([*arguments, "--jobs", jobs, "--save", str(saved)]) == 0
        facts = json.loads(capsys.readouterr().out)
        lines = [json.loads(line) for line in saved.read_text().splitlines()]
        assert len(lines) == facts["games"]
        moves = [(line["bout"], line["game"], line["moves"]) for line in lines]
        results.append(([facts[key] for key in ("wins", "draws", "losses", "pairs", "discs", "sprt")], moves))
    assert results[0] == results[1] == results[2]
    assert results[0][0][-1]["verdict"]


def test_bouts_are_handed_out_in_batches() -> None:
    bouts = plan(("random", "random"), draw_openings(3, Size(4, 4)), 2000)
    assert [len(job) for job in Batches(bouts[:5], 2)] == [1] * 5
    for seconds, longest in ((0.001, 32), (0.02, 10), (5.0, 1)):
        batches, jobs = Batches(bouts, 2), []
        for job in batches:
            jobs.append(job)
            batches.measure([Played(native.start(4), (Ply(0, seconds),), 0, 2)])
        assert [bout for job in jobs for bout in job] == bouts
        assert (len(jobs[0]), max(map(len, jobs)), len(jobs[-1])) == (1, longest, 1)


@pytest.mark.parametrize("games", [0, -1])
def test_no_games_are_no_match(games: int) -> None:
    with pytest.raises(ConfigError, match="games="):
        plan(("random", "random"), draw_openings(1, STANDARD), games)
    with pytest.raises(ConfigError, match="no opening"):
        plan(("random", "random"), [], 2)


# -- the command


def test_a_match_with_clocks_is_lost_by_who_has_no_time_left(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    (tmp_path / "own.py").write_text(
        "import time\ndef sleepy(position):\n    time.sleep(1.6)\n    return position.moves()[0]\n"
    )
    options = ["random:seed=1", "--games", "2", "--size", "6", "--jobs", "1", "--json"]
    main(["match", f"{tmp_path}/own.py:sleepy", *options, "--clock", "3"])
    out, err = capsys.readouterr()
    lost = json.loads(out)
    assert (lost["losses"], lost["broken"]) == (2, 0), "a loss on the clock is a loss"
    assert (lost["a"]["errors"], lost["a"]["timeouts"], lost["b"]["errors"]) == (2, 2, 0)
    assert "where its clock had" in err
    main(["match", "random:seed=2", *options, "--clock", "60+0.5"])
    assert json.loads(capsys.readouterr().out)["a"]["errors"] == 0


def test_the_command_prints_json(capsys: pytest.CaptureFixture[str]) -> None:
    arguments = ["match", "alphabeta:depth=2", "random:seed=1", "--games", "6", "--size", "6", "--jobs", "1", "--json"]
    assert main(arguments) == 0
    out, err = capsys.readouterr()
    result = json.loads(out)
    assert list(result)[:8] == ["wins", "draws", "losses", "score", "elo", "elo_low", "elo_high", "discs"]
    assert result["wins"] + result["draws"] + result["losses"] == 6
    assert err == ""
    assert main(arguments[:-1]) == 0
    assert "of 6 games, score" in capsys.readouterr().out


def test_the_command_saves_every_game(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "games.jsonl"
    arguments = ["match", "alphabeta:depth=1", "random", "--games", "4", "--size", "4", "--jobs", "1", "--json"]
    assert main([*arguments, "--save", str(path), "--sprt", "0,10"]) == 0
    result = json.loads(capsys.readouterr().out)
    lines = [json.loads(line) for line in path.read_text().splitlines()]
    assert len(lines) == 4
    scores = [parse_line(line).score * (1 if line["black"] == "alphabeta:depth=1" else -1) for line in lines]
    assert sum(score > 0 for score in scores) == result["wins"]
    assert result["discs"] == sum(scores) / 4
    assert result["sprt"]["verdict"] == ""


def test_ctrl_c_keeps_what_was_played(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    add = Match.add

    def interrupted(self: Match, games: list[Played]) -> None:
        if self.tally.games == 4:
            raise KeyboardInterrupt
        add(self, games)

    monkeypatch.setattr(Match, "add", interrupted)
    assert main(["match", "random", "random", "--games", "100", "--size", "4", "--jobs", "1"]) == 130
    out, _ = capsys.readouterr()
    assert out.startswith("random - random, interrupted\n")
    assert "of 4 games" in out


def test_a_full_disk_is_told(capsys: pytest.CaptureFixture[str]) -> None:
    arguments = ["match", "random", "random", "--games", "2", "--size", "4", "--jobs", "1", "--save", "/dev/full"]
    assert main(arguments) == 2
    out, err = capsys.readouterr()
    assert err == "othellier: /dev/full: cannot be written: no space left on device; lines kept: 0\n"
    assert "of 2 games" in out


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["alphabta:depth=4", "random"], "player 'alphabta:depth=4': unknown player, did you mean 'alphabeta'?"),
        (["random", "alphabeta:depth=0"], "depth=0"),
        (["random", "mcts:iterations=0"], "iterations=0"),
        (["random", "mcts:c=-1"], "c=-1"),
        (["random", "human"], "player 'human': there is nobody to ask here"),
        (["random", "random", "--size", "5"], "Invalid value for '--size'"),
        (["random", "random", "--games", "0"], "Invalid value for '--games'"),
        (["random", "random", "--sprt", "5"], "sprt '5'"),
        (["random", "random", "--clock", "1m"], "clock '1m': seconds for a game and for each move expected"),
        (["random", "random", "--openings", "missing.txt"], "missing.txt: no such file"),
        (["random", "random", "--executor", "moon"], "executor 'moon'"),
        (["nowhere.py:Mine", "random"], "there is no file"),
    ],
)
def test_wrong_usage_is_one_line(complaint: Callable[..., str], arguments: list[str], words: str) -> None:
    assert words in complaint("match", *arguments)


def test_errors_of_a_player_are_told_with_the_position(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "mine.py").write_text("def bad(position):\n    return 1 / 0\n")
    monkeypatch.chdir(tmp_path)
    assert main(["match", "mine.py:bad", "random", "--games", "2", "--jobs", "1", "--json"]) == 2
    out, err = capsys.readouterr()
    result = json.loads(out)
    assert (result["losses"], result["a"]["errors"], result["b"]["errors"], result["discs"]) == (0, 2, 0, None)
    assert (
        err.count("mine.py:bad lost a game: bad failed: ZeroDivisionError: division by zero (mine.py, line 2) (") == 2
    )


def test_a_bout_is_a_value() -> None:
    (bout,) = plan(("random", "random"), draw_openings(1, STANDARD), 2)
    assert isinstance(bout, Bout)
    assert bout == plan(("random", "random"), draw_openings(1, STANDARD), 2)[0]
