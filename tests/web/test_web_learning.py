"""Learning over the wire: puzzles asked and answered, one's own mistakes as puzzles, and what cannot be remembered."""

import json
from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from board import Client, server
from kept_games import blundered, kept_game, store_games

from one_day import Calendar
from othellier.coach import puzzle_set
from othellier.coach.puzzle_set import shipped_puzzles
from othellier.engine.levels import LEVELS
from othellier.page.study.played_games import PlayedGame
from othellier.page.study.profile import profile, rated
from othellier.page.wire.learning_models import PuzzlesView
from othellier.rules.geometry import square_name


def ask(client: Client, **query: Any) -> Any:
    return client.get("/api/v1/puzzles", params=query).json()


def give(client: Client, puzzle: str, *moves: str, mistakes: int = 0) -> Any:
    given = {"puzzle": puzzle, "moves": list(moves), "mistakes": mistakes}
    return client.post("/api/v1/puzzles", json=given).json()


def of_theme(found: Any, theme: str) -> Any:
    return next(each for each in found["themes"] if each["theme"] == theme)


def answers(name: str) -> list[str]:
    puzzle = shipped_puzzles().find(name)
    assert puzzle is not None
    return [square_name(move) for move in puzzle.answers]


@pytest.mark.usefixtures("calendar")
def test_a_puzzle_is_solved_failed_and_remembered(tmp_path: Path) -> None:
    with server(tmp_path) as client:
        found = ask(client)
        assert found["puzzle"] is None
        assert (of_theme(found, "corners")["puzzles"], of_theme(found, "own")["puzzles"]) == (24, 0)
        first = ask(client, theme="win8")["puzzle"]
        right = answers(first["puzzle"])
        wrong = next(each["square"] for each in first["legal"] if each["square"] not in right)

        refused = give(client, first["puzzle"], wrong)
        assert (refused["right"], refused["done"], refused["board"]) == (False, False, first["board"])
        assert refused["answers"] == right
        assert refused["reasons"]
        assert refused["line"][0] == wrong

        told = give(client, first["puzzle"], right[0], mistakes=1)
        assert told["right"]
        assert told["steps"], "the other side answers"
        assert told["board"] == told["steps"][-1]["board"]
        moves = [right[0]]
        while not told["done"]:
            options = [give(client, first["puzzle"], *moves, each["square"], mistakes=1) for each in told["legal"]]
            told = next(option for option in options if option["right"])
            moves.append(told["line"][0])
        assert told["over"]
        assert told["stars"] == 2

        found = ask(client, theme="win8", last=first["puzzle"])
        assert found["puzzle"]["puzzle"] != first["puzzle"]
        counted = of_theme(found, "win8")
        assert (counted["solved"], counted["stars"], counted["due"]) == (1, 2, 24)  # a mistake comes back today
    with server(tmp_path) as client:
        assert of_theme(ask(client), "win8")["stars"] == 2
        kept = json.loads((tmp_path / "puzzles.json").read_text())
        assert kept[first["puzzle"]]["wrong"] == 1


def test_what_was_solved_at_once_is_not_due_again_today(tmp_path: Path, calendar: Calendar) -> None:
    single = next(puzzle for puzzle in shipped_puzzles() if puzzle.theme == "corners" and puzzle.turns == 1)
    with server(tmp_path) as client:
        told = give(client, single.name, answers(single.name)[0])
        assert (told["done"], told["stars"], told["legal"]) == (True, 3, [])
        counted = of_theme(ask(client), "corners")
        assert (counted["due"], counted["stars"]) == (23, 3)
        calendar.next_day()
        assert of_theme(ask(client), "corners")["due"] == 24


@pytest.mark.parametrize("text", ['{"version": 2, "cards": {}}', "{", '{"x": {"box": 99}}'])
def test_a_memory_that_cannot_be_read_is_told_and_left_as_it_is(text: str, tmp_path: Path) -> None:
    (tmp_path / "puzzles.json").write_text(text)
    single = next(puzzle for puzzle in shipped_puzzles() if puzzle.turns == 1)
    with server(tmp_path) as client:
        found = ask(client, theme="corners")
        assert "puzzles.json" in found["message"]
        assert "\n" not in found["message"]
        assert found["puzzle"] is not None
        told = give(client, single.name, answers(single.name)[0])
        assert told["done"]
        assert "puzzles.json" in told["message"]
    assert (tmp_path / "puzzles.json").read_text() == text


def test_a_full_disk_is_told_and_the_puzzle_goes_on(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    single = next(puzzle for puzzle in shipped_puzzles() if puzzle.turns == 1)
    with server(tmp_path) as client:
        monkeypatch.setattr("othellier.openings.drill.write_file", full)
        told = give(client, single.name, answers(single.name)[0])
        assert told["done"]
        assert "No space left" in told["message"]


def test_bad_requests_are_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    name = next(iter(shipped_puzzles())).name
    with server(tmp_path) as client:
        assert client.get("/api/v1/puzzles", params={"theme": "nothing"}).status_code == 422
        assert give(client, "0" * 32, "a1")["error"]["code"] == "not_found"
        assert give(client, name, "d4")["error"]["code"] == "illegal_move"
        assert give(client, name, "k12")["error"]["code"] == "illegal_move"
        assert give(client, name)["error"]["code"] == "bad_request"
        damaged = tmp_path / "damaged.json"
        damaged.write_text("{")
        monkeypatch.setattr("othellier.page.study.puzzles.shipped_puzzles", lambda: puzzle_set.PuzzleSet.read(damaged))
        refused = client.get("/api/v1/puzzles").json()["error"]
        assert refused["code"] == "bad_record"
        assert "damaged.json" in refused["message"]


# -- the profile


def test_a_profile_counts_games_and_rates_them(tmp_path: Path) -> None:
    with server(tmp_path) as client:
        empty = client.get("/api/v1/profile").json()
        assert (empty["results"]["games"], empty["rating"], empty["history"]) == (0, None, [])
    store_games(tmp_path, kept_game("a", "nora", 8), kept_game("b", "nora", 20), kept_game("c", "iris", -4))
    with server(tmp_path) as client:
        client.post("/api/v1/import", json={"text": "f5d6c3d3c4"})  # somebody else's
        told = client.get("/api/v1/profile").json()
        assert told["results"] == {"games": 3, "wins": 2, "draws": 0, "losses": 1}
        assert [(each["level"], each["wins"], each["losses"]) for each in told["levels"]] == [
            ("nora", 2, 0),
            ("iris", 0, 1),
        ]
        first, second, third = (each["rating"] for each in told["history"])
        nora = LEVELS["nora"].rating
        assert nora is not None
        assert first == nora + 32  # half of 64: an even game was expected
        assert first < second < first + 32
        assert second - 4 <= third <= second  # little was expected against so much stronger a player
        assert told["rating"] == third


def played(level: str, points: float, size: str = "8") -> PlayedGame:
    return PlayedGame("a", 0.0, "black", level, level, size, 60, points, 0.0, None, None, ())


def test_ratings_settle_and_come_from_the_usual_board_alone() -> None:
    told = rated([played("nora", number % 2) for number in range(24)])
    steps = [abs((two.rating or 0) - (one.rating or 0)) for one, two in pairwise(told)]
    assert min(steps[:9]) > max(steps[10:]) > 0
    others = [played("nora", 1.0, "6"), played("", 1.0)] * 10
    assert {game.rating for game in rated(others)} == {None}
    assert rated([*others, *([played("nora", 1.0)] * 3)])[20:] == rated([played("nora", 1.0)] * 3), (
        "the first that count"
    )


def test_the_openings_played_most_come_first() -> None:
    counts = {"a": 1, "b": 3, "c": 2}
    games = [
        replace(played("nora", 1.0), opening={"id": name, "en": name, "fr": name})
        for name, count in counts.items()
        for _ in range(count)
    ]
    told = profile(games, PuzzlesView(themes=[], puzzle=None, message=""), "")
    assert [(each.opening.id, each.games) for each in told.openings] == [("b", 3), ("c", 2), ("a", 1)]


def test_a_mistake_made_in_two_games_is_one_puzzle(tmp_path: Path) -> None:
    analysis, _ = blundered()
    store_games(tmp_path, kept_game("a", "tom", -2, analysis), kept_game("b", "tom", -2, analysis))
    with server(tmp_path) as client:
        found = ask(client, theme="own")
        assert (of_theme(found, "own")["puzzles"], found["puzzle"]["game"]) == (1, "b")


def test_mistakes_become_puzzles_and_parts_of_the_profile(tmp_path: Path) -> None:
    analysis, bad = blundered()
    store_games(tmp_path, kept_game("a", "tom", -2, analysis))
    with server(tmp_path) as client:
        asked = ask(client, theme="own")["puzzle"]
        assert (asked["game"], asked["turn"]) == ("a", "black")
        assert asked["board"] == analysis.position(bad).board_string()
        told = client.get("/api/v1/profile").json()
        assert told["analysed"] == 1
        assert told["accuracy"] is not None
        assert {phase["phase"]: phase["moves"] for phase in told["phases"]}["opening"] == 5
        right = give(client, asked["puzzle"], square_name(bad.best))
        assert (right["right"], right["done"], right["stars"]) == (True, True, 3)
