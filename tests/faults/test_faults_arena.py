"""Matches and tournaments that are killed, lose workers or find no room: resumed, they end the same."""

import json
import random
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from faulty import MOMENTS, die, full_disk, kill_a_worker, lines, read_only, run_and_kill

from othellier.arena.bout import Bout
from othellier.arena.ledger import parse_line
from othellier.arena.match import Match, plan
from othellier.arena.openings import draw_openings
from othellier.arena.play import Played
from othellier.arena.report import TournamentReport
from othellier.arena.tournament import Encounter, Tournament
from othellier.base.jobs import Crew
from othellier.cli import main
from othellier.config.models import TournamentConfig
from othellier.records import read
from othellier.rules.geometry import Size

CONFIG = "players: [random, 'alphabeta:depth=2', 'mcts:iterations=20']\nsize: 6\ngames: 10\n"
GAMES = 30

TIMES = ("seconds", "slowest", "overruns")


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A tournament that nothing disturbed."""
    folder = tmp_path_factory.mktemp("whole")
    (folder / "t.yaml").write_text(CONFIG)
    assert main(["tournament", str(folder / "t.yaml"), "--out", str(folder), "--jobs", "1"]) == 0
    assert len(lines(folder / "games.jsonl")) == GAMES
    return folder


@pytest.fixture
def command(tmp_path: Path) -> list[str]:
    (tmp_path / "t.yaml").write_text(CONFIG)
    return ["tournament", str(tmp_path / "t.yaml"), "--out", str(tmp_path), "--jobs"]


def results(folder: Path) -> dict[str, Any]:
    """What a tournament says in the end, without times."""
    facts: dict[str, Any] = json.loads((folder / "results.json").read_text())
    for line in facts["standings"]:
        for key in TIMES:
            del line[key]
    return facts


def test_a_tournament_killed_as_it_writes(command: list[str], tmp_path: Path, whole: Path) -> None:
    rng = random.Random(12)
    before = 0
    for moment in MOMENTS:
        # The first writing of a run is that of its description; then each job is written at once.
        die(rng.randint(2, 3), moment, *command, "1")
        text = (tmp_path / "games.jsonl").read_bytes()
        assert text.endswith(b"\n") or moment == "torn"
        found = text.count(b"\n")
        assert before <= found < GAMES
        before = found
    assert main([*command, "1"]) == 0
    assert lines(tmp_path / "games.jsonl") == lines(whole / "games.jsonl")
    assert results(tmp_path) == results(whole)


def test_a_tournament_killed_at_any_moment_takes_its_workers_along(
    command: list[str], tmp_path: Path, whole: Path
) -> None:
    run_and_kill(tmp_path, 1, *command, "2")
    assert main([*command, "1"]) == 0
    assert lines(tmp_path / "games.jsonl") == lines(whole / "games.jsonl")
    assert results(tmp_path) == results(whole)


def test_a_tournament_that_loses_workers(tmp_path: Path, whole: Path) -> None:
    told: list[int] = []
    config = TournamentConfig.model_validate(
        {"players": ["random", "alphabeta:depth=2", "mcts:iterations=20"], "size": 6, "games": 10}
    )

    def hear(encounter: Encounter, games: list[Played]) -> None:
        told.append(len(games))
        if len(told) in (1, 7):
            kill_a_worker()

    with Crew("processes", jobs=2) as crew, Tournament(config, tmp_path) as tournament:
        tournament.run(crew, hear)
    TournamentReport(tournament).write(tmp_path)
    assert sum(told) == GAMES
    assert lines(tmp_path / "games.jsonl") == lines(whole / "games.jsonl")
    assert results(tmp_path)["standings"] == results(whole)["standings"]


def test_a_tournament_on_a_full_disk(
    command: list[str], tmp_path: Path, whole: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with full_disk(4000):
        assert main([*command, "1"]) == 2
    out, err = capsys.readouterr()
    kept = (tmp_path / "games.jsonl").read_bytes().splitlines(keepends=True)
    assert all(line.endswith(b"\n") for line in kept)
    assert f"games.jsonl: cannot be written: file too large; lines kept: {len(kept)}\n" in err
    assert err.count("\n") == 1
    assert "points" in out, "what was played is told"
    assert main([*command, "1"]) == 0
    assert lines(tmp_path / "games.jsonl") == lines(whole / "games.jsonl")
    assert results(tmp_path) == results(whole)


def test_a_tournament_in_a_folder_that_is_read_only(
    command: list[str], tmp_path: Path, whole: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with read_only(tmp_path):
        assert main([*command, "1"]) == 2
    assert capsys.readouterr().err.endswith("games.jsonl: cannot be opened: Read-only file system\n")
    assert [path.name for path in tmp_path.iterdir()] == ["t.yaml"]
    assert main([*command, "1"]) == 0
    kept = (tmp_path / "games.jsonl").read_bytes()
    with read_only(tmp_path):
        assert main([*command, "1"]) == 2
    assert (tmp_path / "games.jsonl").read_bytes() == kept
    assert results(tmp_path) == results(whole)


# -- matches


def play(crew: Crew, kills: Sequence[int] = ()) -> tuple[Match, dict[int, list[tuple[int, ...]]]]:
    bouts = plan(("random", "alphabeta:depth=2"), draw_openings(12, Size(6, 6)), 24, seed=3)
    match = Match(bouts)
    found: dict[int, list[tuple[int, ...]]] = {}

    def told(bout: Bout, games: list[Played]) -> None:
        assert bout.number not in found
        found[bout.number] = [tuple(ply.move for ply in game.plies) for game in games]
        if len(found) in kills:
            kill_a_worker()

    match.run(crew, told)
    return match, found


def test_a_match_that_loses_workers() -> None:
    alone, games = play(Crew("here"))
    with Crew("processes", jobs=2) as crew:
        match, found = play(crew, kills=(1, 5))
    assert found == games
    assert (match.tally.pairs, match.tally.discs) == (alone.tally.pairs, alone.tally.discs)


def test_a_match_killed_as_it_writes(tmp_path: Path) -> None:
    """A match is not resumed; what it had saved is whole, and the same match has the same games."""
    match = ["match", "random", "alphabeta:depth=2", "--size", "6", "--games", "20", "--seed", "4", "--jobs", "1"]
    assert main([*match, "--save", str(tmp_path / "whole.jsonl")]) == 0
    everything = lines(tmp_path / "whole.jsonl")
    for number, moment in enumerate(MOMENTS, 3):
        saved = tmp_path / f"{moment}.jsonl"
        die(number, moment, *match, "--save", str(saved))
        *complete, rest = saved.read_bytes().split(b"\n")
        assert (rest != b"") == (moment == "torn")
        for line in complete:
            game = json.loads(line)
            parse_line(game)
            del game["seconds"]
            assert game in everything
        assert len(complete) == 2 * (number - 1) + {"before": 0, "torn": 1, "after": 2}[moment]


def test_a_match_on_a_full_disk(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    match = ["match", "random", "alphabeta:depth=2", "--size", "6", "--games", "20", "--jobs", "1", "--json"]
    with full_disk(3000):
        assert main([*match, "--save", str(tmp_path / "games.jsonl")]) == 2
    out, err = capsys.readouterr()
    kept = len(read(tmp_path / "games.jsonl"))
    assert f"cannot be written: file too large; lines kept: {kept}\n" in err
    assert 0 < kept < json.loads(out)["games"] == kept + 2 < 20
