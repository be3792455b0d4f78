"""The library: thumbnails and times, collections, many games at once; and nobody touches what is somebody else's."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from board import HUMANS, Client, board, new_game, poll, server
from pydantic import ValidationError

from othellier.coach.analysis import GameAnalysis
from othellier.errors import RequestError
from othellier.page.server.game_manager import GameManager
from othellier.page.server.security import Access
from othellier.page.storage.collections import Collections
from othellier.page.storage.store import Store
from othellier.page.wire.library_models import CollectionName

ANN, BOB = "ann-ann-ann-ann-ann", "bob-bob-bob-bob-bob"
GAMES = "(;GM[Othello]PC[Club]DT[2001-05-06]PB[Ann]PW[Bob]TY[8]BO[8 {} *]B[f5]W[d6];)"
START = "-" * 27 + "O*" + "-" * 6 + "*O" + "-" * 27


def ask(client: Client, method: str, path: str, body: Any = None, status: int = 200) -> Any:
    answer = client.request(method, f"/api/v1/{path}", json=body)
    assert answer.status_code == status, answer.text
    return answer.json()


def library(client: Client, **asked: Any) -> Any:
    answer = client.get("/api/v1/games", params=asked)
    assert answer.status_code == 200, answer.text
    return answer.json()


def make(client: Client, *titles: str) -> list[str]:
    return [new_game(client, **HUMANS, title=title)["game"] for title in titles]


@contextmanager
def shared() -> Iterator[tuple[Client, Client]]:
    """A server for several, and two of them."""
    with server(access=Access(token="secret")) as ann, Client(base_url=ann.base_url, timeout=ann.timeout) as bob:
        for client, name in ((ann, ANN), (bob, BOB)):
            client.cookies.set(client.token_cookie, "secret")
            client.cookies.set("othellier_profile", name)
        yield ann, bob


def test_a_game_shows_where_it_ended_and_when_it_was_played() -> None:
    with server() as client:
        new_game(client, **HUMANS, opening={"kind": "moves", "moves": "f5d6"})
        (played,) = library(client)["games"]
        assert played["board"].count("-") == 58
        assert played["date"][:2] == "20"
        ask(client, "POST", "import", {"text": GAMES.format(START)})
        (imported,) = library(client, source="imported")["games"]
        assert (imported["board"], imported["date"], imported["source"]) == (played["board"], "2001-05-06", "imported")
        assert [game["source"] for game in library(client, source="played")["games"]] == ["played"]
        own = ask(client, "GET", "explorer?moves=f5")["squares"]
        assert sum(square["own"]["games"] for square in own if square["own"]) == 1, "imported games are not one's own"


def test_a_collection_is_made_filled_renamed_and_deleted() -> None:
    with server() as client:
        one, two, three = make(client, "one", "two", "three")
        best = ask(client, "POST", "collections", {"name": " Best "}, 201)
        assert (best["name"], best["games"]) == ("Best", 0)
        into = best["collection"]
        assert ask(client, "POST", "collections", {"name": "Best"}, 409)["error"]["code"] == "name_taken"
        put = {"do": "collect", "into": into, "games": [one, two, "nobody"]}
        assert ask(client, "POST", "games/selection", put)["games"] == 2
        assert ask(client, "POST", "games/selection", put)["games"] == 0, "they are in it already"
        assert {game["game"] for game in library(client, collection=into)["games"]} == {one, two}
        assert library(client, collection=into, search="one")["total"] == 1
        assert [(each["name"], each["games"]) for each in library(client)["collections"]] == [("Best", 2)]
        everything = {"do": "collect", "into": into, "search": "three"}
        assert ask(client, "POST", "games/selection", everything)["games"] == 1
        out = {"do": "take_out", "into": into, "games": [three]}
        assert ask(client, "POST", "games/selection", out)["games"] == 1
        ask(client, "DELETE", f"games/{one}")
        renamed = ask(client, "PATCH", f"collections/{into}", {"name": "Very best"})["collections"]
        assert [(each["name"], each["games"]) for each in renamed] == [("Very best", 1)]
        other = ask(client, "POST", "collections", {"name": "Worst"}, 201)["collection"]
        assert ask(client, "PATCH", f"collections/{other}", {"name": "Very best"}, 409)["error"]["code"] == "name_taken"
        assert len(ask(client, "DELETE", f"collections/{into}")["collections"]) == 1
        assert library(client)["total"] == 2, "its games stay"
        assert ask(client, "DELETE", f"collections/{into}", status=404)["error"]["code"] == "not_found"
        assert ask(client, "POST", "games/selection", put, 404)["error"]["code"] == "not_found"


def test_there_are_so_many_collections_and_no_more(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("othellier.page.storage.collections.LIMIT", 2)
    collections = Collections(Store(None))
    for name in ("one", "two"):
        collections.make("ann", name)
    with pytest.raises(RequestError, match="no more than 2"):
        collections.make("ann", "three")
    collections.make("bob", "one")


def test_games_are_imported_into_a_collection() -> None:
    with server() as client:
        into = ask(client, "POST", "collections", {"name": "Club"}, 201)["collection"]
        ask(client, "POST", f"import?collection={into}", {"text": "F5D6C3\nF5F6E6\nF5A1\n"})
        assert library(client, collection=into)["total"] == 2
        many = ("F5D6C3D3C4F4\n" * 6000).encode()
        answer = client.post("/api/v1/import", content=many, params={"collection": into})
        assert answer.json()["imported"] == 6000
        assert library(client, collection=into)["total"] == 6002
        bad = client.post("/api/v1/import", content=b"F5", params={"collection": "nowhere"})
        assert bad.json()["error"]["code"] == "not_found"
        assert library(client)["total"] == 6002
        exported = client.get("/api/v1/export", params={"format": "transcript", "collection": into, "search": "f5f6"})
        assert exported.text.split() == ["F5F6E6"]


def test_many_games_are_deleted_and_brought_back() -> None:
    with server() as client:
        games = make(client, "red one", "red two", "blue")
        gone = ask(client, "POST", "games/selection", {"do": "delete", "games": games[2:]})
        gone = ask(client, "POST", "games/selection", {"do": "delete", "search": "red"})
        assert (gone["games"], library(client)["total"]) == (2, 0)
        back = {"do": "restore", "moment": gone["moment"]}
        assert ask(client, "POST", "games/selection", back)["games"] == 2, "not what was deleted before"
        assert {game["game"] for game in library(client)["games"]} == set(games[:2])
        assert ask(client, "POST", "games/selection", {"do": "restore", "games": games})["games"] == 1


def test_games_and_collections_of_others_are_out_of_reach() -> None:
    with shared() as (ann, bob):
        (game,) = make(ann, "hers")
        make(bob, "his")
        hers = ask(ann, "POST", "collections", {"name": "Hers"}, 201)["collection"]
        his = ask(bob, "POST", "collections", {"name": "Hers"}, 201)["collection"]  # names are one's own
        ask(ann, "POST", "games/selection", {"do": "collect", "into": hers, "games": [game]})
        assert ask(bob, "POST", "games/selection", {"do": "delete", "games": [game]})["games"] == 0
        assert ask(bob, "POST", "games/selection", {"do": "delete"})["games"] == 1, "all, but of his own"
        assert ask(bob, "POST", "games/selection", {"do": "collect", "into": his, "games": [game]})["games"] == 0
        for do in ("collect", "take_out"):
            asked = {"do": do, "into": hers, "games": [game]}
            assert ask(bob, "POST", "games/selection", asked, 404)["error"]["code"] == "not_found"
        ask(bob, "PATCH", f"collections/{hers}", {"name": "Mine"}, 404)
        ask(bob, "DELETE", f"collections/{hers}", status=404)
        assert bob.post("/api/v1/import", content=b"F5D6", params={"collection": hers}).status_code == 404
        assert library(bob, collection=hers)["games"] == []
        moment = ask(ann, "POST", "games/selection", {"do": "delete", "games": [game]})["moment"]
        assert ask(bob, "POST", "games/selection", {"do": "restore", "moment": moment})["games"] == 0
        assert ask(ann, "POST", "games/selection", {"do": "restore", "moment": moment})["games"] == 1
        assert [(each["name"], each["games"]) for each in library(ann)["collections"]] == [("Hers", 1)]


def test_many_games_are_analysed_one_after_another() -> None:
    with server() as client:
        lines = ("f5d6c3", "f5f6e6f4", "c4c3")
        games = [
            new_game(client, **HUMANS, opening={"kind": "moves", "moves": moves}, title="club")["game"]
            for moves in lines
        ]
        empty = make(client, "club")[0]
        other = make(client, "alone")[0]
        with board(client, games[1]) as tab:  # open meanwhile: its tab is told
            begun = ask(client, "POST", "games/selection", {"do": "analyse", "search": "club"})
            assert begun["games"] == 4
            while not (tab.state["analysis"] or {}).get("done"):
                tab.next("the analysis of the open game")
            assert [move["move"] for move in tab.state["analysis"]["moves"]] == ["f5", "f6", "e6", "f4"]
            view = poll(lambda: ask(client, "GET", f"jobs/{begun['job']}"), "done", True)
        assert (view["games"], view["failed"], view["progress"], view["error"]) == (4, 0, 1.0, None)
        found = {game["game"]: game["accuracy"] for game in library(client)["games"]}
        assert found[empty] is None
        assert found[other] is None
        assert all(0 <= found[game]["black"] <= 100 for game in games)
        order = [game["game"] for game in library(client)["games"]]
        again = ask(client, "POST", "games/selection", {"do": "analyse", "games": games})
        poll(lambda: ask(client, "GET", f"jobs/{again['job']}"), "done", True)
        assert [game["game"] for game in library(client)["games"]] == order, "nothing was left to do"
        nothing = ask(client, "POST", "games/selection", {"do": "analyse", "search": "?"}, 409)
        assert nothing["error"]["code"] == "nothing_to_do"


def test_a_game_deleted_for_good_while_it_is_analysed_is_named_and_the_others_go_on(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    with server() as client:
        for title in ("last", "gone", "first"):  # the one used last comes last
            new_game(client, **HUMANS, opening={"kind": "moves", "moves": "f5d6"}, title=title)
        kept = GameManager.keep_analysis

        async def keep(self: GameManager, game: str, analysis: GameAnalysis) -> None:
            if (await self.kept(game)).summary["title"] == "gone":
                with self.store.transaction() as connection:
                    connection.execute("DELETE FROM games WHERE id = ?", (game,))
            await kept(self, game, analysis)

        monkeypatch.setattr(GameManager, "keep_analysis", keep)
        job = ask(client, "POST", "games/selection", {"do": "analyse"})["job"]
        view = poll(lambda: ask(client, "GET", f"jobs/{job}"), "done", True)
        assert (view["games"], view["failed"], view["progress"], view["error"]) == (2, 1, 1.0, None)
        assert [game["title"] for game in view["left_out"]] == ["gone"]
        assert all(game["accuracy"] for game in library(client)["games"])


def test_the_analysis_of_many_games_is_the_owners_and_can_be_stopped() -> None:
    with shared() as (ann, bob):
        for _ in range(3):
            new_game(ann, **HUMANS, opening={"kind": "moves", "moves": "f5d6c3d3c4f4f6g5e3f3"})
        assert ask(bob, "POST", "games/selection", {"do": "analyse"}, 409)["error"]["code"] == "nothing_to_do"
        job = ask(ann, "POST", "games/selection", {"do": "analyse"})["job"]
        ask(bob, "GET", f"jobs/{job}", status=403)
        ask(bob, "DELETE", f"jobs/{job}", status=403)
        ask(ann, "DELETE", f"jobs/{job}")
        view = poll(lambda: ask(ann, "GET", f"jobs/{job}"), "done", True)
        assert view["games"] <= 3
        assert view["error"] is None


@pytest.mark.parametrize("asked", [{}, {"do": "burn"}, {"do": "delete", "games": ["a b"]}, {"do": "delete", "who": 1}])
def test_bad_selections_are_refused(asked: dict[str, Any]) -> None:
    with server() as client:
        make(client, "one")
        assert ask(client, "POST", "games/selection", asked, 422)["error"]["code"] == "bad_request"
        assert library(client)["total"] == 1


def test_names_of_collections_come_in_clean() -> None:
    assert CollectionName(name=" \x1b[31mred\nblue ").name == "[31mred blue"
    for name in ("", "  ", "\x07", "x" * 81):
        with pytest.raises(ValidationError):
            CollectionName(name=name)
