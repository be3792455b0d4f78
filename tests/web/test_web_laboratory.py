"""Searches recorded for the page: what is answered, and what is refused."""

from collections.abc import Iterator

import pytest
from board import Client, server

from othellier.errors import RequestError
from othellier.page.server.static_files import Pages
from othellier.page.study import laboratory
from othellier.page.study.laboratory import recorded_trees
from othellier.rules.board import Position
from othellier.search.base import StopSign

START = Position.start()


def test_trees_are_what_the_page_shows() -> None:
    minimax, mcts = recorded_trees(START, ["minimax:depth=2", "mcts:iterations=50,seed=1"], "fr")
    assert minimax["title"][0] == "minimax, profondeur 2"
    assert minimax["steps"][-1][6] == "début : terminé, " + minimax["steps"][-1][1].rpartition(" ")[2]
    assert len(mcts["iterations"]) == 50
    assert mcts["svg"].startswith("<svg")


@pytest.mark.parametrize(
    ("spec", "code"),
    [
        ("engine:level=beginner", "bad_player"),
        ("random", "bad_player"),
        ("alphabeta:dept=3", "bad_player"),
        ("gtp:rm -rf /", "bad_player"),
        ("mine.py:Mine", "bad_player"),
        ("mcts:iterations=100000", "too_large"),
    ],
)
def test_players_that_cannot_be_shown_are_refused(spec: str, code: str) -> None:
    with pytest.raises(RequestError) as refused:
        recorded_trees(START, [spec], "en")
    assert refused.value.code == code


def test_a_finished_game_has_no_tree() -> None:
    with pytest.raises(RequestError) as refused:
        recorded_trees(Position.parse("XXXX XXXX XXXX XXXX X"), ["minimax:depth=2"], "en")
    assert refused.value.code == "game_over"


def test_a_search_that_takes_too_long_is_told_to_be_too_large(monkeypatch: pytest.MonkeyPatch) -> None:
    class Over:
        def __init__(self, seconds: float) -> None: ...

        def is_set(self) -> bool:
            return True

    over: StopSign = Over(0)
    assert over.is_set()
    monkeypatch.setattr(laboratory, "_Deadline", Over)
    with pytest.raises(RequestError) as refused:
        recorded_trees(START, ["minimax:depth=6"], "en")
    assert (refused.value.code, refused.value.data["limit"]) == ("too_large", "4 s")


def test_the_page_is_sent_what_shows_the_steps() -> None:
    pages = Pages()
    assert b"export function stepper" in pages.file("laboratory/stepper.js").data
    assert b".stepper" in pages.file("laboratory/stepper.css").data


@pytest.fixture
def client() -> Iterator[Client]:
    with server() as client:
        yield client


def test_a_request_names_a_game_and_one_player_or_two(client: Client) -> None:
    game = client.post("/api/v1/games", json={}).json()["game"]
    asked = {"game": game, "node": "", "players": ["alphabeta:depth=2", "pvs:depth=2"], "language": "en"}
    answer = client.post("/api/v1/trees", json=asked)
    assert answer.status_code == 200
    assert len(answer.json()["trees"]) == 2
    assert client.post("/api/v1/trees", json=asked | {"players": []}).status_code == 422
    assert client.post("/api/v1/trees", json=asked | {"node": "a1"}).status_code == 404
    assert client.post("/api/v1/trees", json=asked | {"game": "nobody"}).status_code == 404
