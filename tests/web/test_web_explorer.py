"""The explorer: symmetric moves folded, values of the engine beyond the book, model games by player and year."""

from pathlib import Path
from typing import Any

import pytest
from board import Client, board, poll, server

from othellier import records
from othellier.games.game import Game
from othellier.games.results import Limit
from othellier.games.symmetry import mapping
from othellier.openings import book
from othellier.page.server.security import Access
from othellier.records.transcript import format_moves, parse_moves, played
from othellier.rules import native

PLAYED = (
    ("f5d6c3d3c4f4", "Tamenori", "Seeley", "1983"),
    ("f5d6c3d3c4b3", "Émile", "Tamenori", "1999"),
    ("f5f6e6f4", "Seeley", "Ivanov", "1990"),
    ("f5d6c3g5", "Ivanov", "Seeley", ""),
)


@pytest.fixture
def games(tmp_path: Path) -> Path:
    made = [Game.from_moves(parse_moves(line)) for line, *_ in PLAYED]
    for game, (_, black, white, year) in zip(made, PLAYED, strict=True):
        game.headers.black, game.headers.white, game.headers.date = black, white, year
    records.write(made, tmp_path / "games.ggf")
    return tmp_path / "games.ggf"


def ask(client: Client, path: str, status: int = 200, **query: Any) -> Any:
    answer = client.get(f"/api/v1/explorer{path}", params=query)
    assert answer.status_code == status, answer.text
    return answer.json()


def names(found: Any) -> list[str]:
    return [game["black"] for game in found["games"]]


def loaded(client: Client) -> None:
    poll(lambda: client.get("/api/v1/database").json(), "games", len(PLAYED))


def test_moves_alike_by_symmetry_are_one() -> None:
    with server() as client:
        (first,) = ask(client, "")["squares"]
        assert (first["square"], sorted(first["same"])) == ("f5", ["c4", "d3", "e6"])
        after = ask(client, "", moves="f5")["squares"]
        assert [square["same"] for square in after] == [[], [], []]
        scores = [square["book"]["score"] for square in after]
        assert scores[0] > scores[-1]
        assert scores == sorted(scores, reverse=True), "the best comes first"
        (small,) = ask(client, "", size="6")["squares"]
        assert (small["square"], len(small["same"])) == ("e4", 3)


def test_the_engine_values_what_the_book_has_not(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("othellier.page.study.explorer.BEYOND", Limit(depth=8))  # in whatever time
    with server() as client:
        assert ask(client, "/values", moves="f5")["values"] == [], "the book has all of it"
        found = ask(client, "/values", size="6")["values"]
        assert [(value["square"], value["depth"] > 4, abs(value["score"]) <= 36) for value in found] == [
            ("e4", True, True)
        ]
    monkeypatch.setattr(book, "shipped", lambda: None)
    with server() as client:
        found = ask(client, "/values", moves="f5")["values"]
        assert {value["square"] for value in found} == {"d6", "f4", "f6"}
        assert max(found, key=lambda value: value["score"])["square"] != "f4", "parallel is known to be bad"


def test_model_games_by_player_and_year(games: Path) -> None:
    with server(games=(games,)) as client:
        loaded(client)
        assert names(ask(client, "/games")) == ["Émile", "Seeley", "Tamenori", "Ivanov"]
        assert names(ask(client, "/games", sort="oldest")) == ["Tamenori", "Seeley", "Émile", "Ivanov"]
        assert names(ask(client, "/games", sort="black")) == ["Émile", "Ivanov", "Seeley", "Tamenori"]
        assert names(ask(client, "/games", player="TAMEN")) == ["Émile", "Tamenori"]
        assert names(ask(client, "/games", player="emile")) == ["Émile"], "accents do not matter"
        assert names(ask(client, "/games", first=1984, last=1995)) == ["Seeley"]
        found = ask(client, "/games", moves="f5d6c3", limit=2, offset=1)
        assert (found["total"], names(found)) == (3, ["Tamenori", "Ivanov"])
        assert [game["following"] for game in found["games"]] == ["d3", "g5"]
        turned = format_moves(map(mapping(3, native.start().size), parse_moves("f5d6c3")))
        assert [game["following"] for game in ask(client, "/games", moves=turned)["games"]] == ["e6", "e6", "b4"]
        assert ask(client, "/games", size="6")["total"] == 0
        assert ask(client, "/games", player="nobody")["total"] == 0
        for bad in ({"sort": "best"}, {"first": "x"}, {"limit": 0}, {"moves": "f5f5"}):
            ask(client, "/games", 422, **bad)
    with server() as client:
        assert ask(client, "/games") == {"games": [], "total": 0}


def opened(client: Client, number: int, moves: str, status: int = 200) -> Any:
    answer = client.post("/api/v1/explorer/games", json={"number": number, "moves": moves})
    assert answer.status_code == status, answer.text
    return answer.json()


def test_a_model_game_is_opened_once_and_where_one_looks(games: Path) -> None:
    with server(games=(games,)) as client:
        loaded(client)
        (found,) = ask(client, "/games", moves="f5d6c3", player="Émile")["games"]
        turned = "".join(format_moves(map(mapping(3, native.start().size), parse_moves("f5d6c3")))).lower()
        there = opened(client, found["number"], turned)
        assert there["node"] == turned
        with board(client, there["game"], there["node"]) as tab:
            wanted = played(turned, native.start()).end.position
            assert tab.state["board"] == wanted.board_string()
            assert tab.state["players"]["black"]["name"] == "Émile"
        assert opened(client, found["number"], turned) == there
        library = client.get("/api/v1/games").json()
        assert [(game["source"], game["date"]) for game in library["games"]] == [("imported", "1999")]
        client.delete(f"/api/v1/games/{there['game']}")
        assert opened(client, found["number"], turned) == there, "one that was deleted is brought back"
        assert client.get("/api/v1/games").json()["total"] == 1
        opened(client, found["number"], "f5f6", 404)
        opened(client, 99, "", 404)
        opened(client, -1, "", 422)


def test_everybody_opens_model_games_in_a_library_of_their_own(games: Path) -> None:
    access = Access(token="secret")
    with server(games=(games,), access=access) as ann, Client(base_url=ann.base_url, timeout=ann.timeout) as bob:
        for client, name in ((ann, "ann-ann-ann-ann-ann"), (bob, "bob-bob-bob-bob-bob")):
            client.cookies.set(client.token_cookie, "secret")
            client.cookies.set("othellier_profile", name)
        loaded(ann)
        hers, his = opened(ann, 0, "f5"), opened(bob, 0, "f5")
        assert hers["game"] != his["game"]
        assert [client.get("/api/v1/games").json()["total"] for client in (ann, bob)] == [1, 1]
        assert bob.delete(f"/api/v1/games/{hers['game']}").status_code == 403


def test_openings_come_with_their_boards() -> None:
    with server() as client:
        found = client.get("/api/v1/openings").json()["openings"]
        tiger = next(opening for opening in found if opening["id"] == "tiger")
        assert tiger["board"] == played(tiger["moves"], native.start()).end.position.board_string()
