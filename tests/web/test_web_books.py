"""Books: listed, chosen, handed in; one that cannot be read leaves the other in use, and strangers choose none."""

from pathlib import Path
from typing import Any

import pytest
from board import Client, board, new_game, server

from othellier.openings.book import Book, Entry
from othellier.openings.keys import key_of
from othellier.page.server.security import Access
from othellier.rules import native
from othellier.rules.board import after
from othellier.rules.geometry import parse_square


@pytest.fixture
def small(tmp_path: Path) -> Path:
    """A book that knows the start and two moves, and thinks f4 the best reply by far."""
    start = native.start()
    first = after(start, parse_square("f5"))
    entries = {key_of(start): Entry(4, 10, 0.6, 0.1), key_of(first): Entry(-4, 10, 0.3, 0.1)}
    for move in first.moves():
        entries[key_of(after(first, move))] = Entry(4 if move == parse_square("f4") else 40, 10, 0.6, 0.1)
    path = tmp_path / "small.bib"
    Book.make(entries).save(path)
    return path


def ask(client: Client, method: str, body: Any = None, status: int = 200) -> Any:
    answer = client.request(method, "/api/v1/books", json=body)
    assert answer.status_code == status, answer.text
    return answer.json()


def chosen(view: Any) -> str:
    (name,) = [each["name"] for each in view["books"] if each["chosen"]]
    return str(name)


def scores(client: Client) -> dict[str, float]:
    squares = client.get("/api/v1/explorer", params={"moves": "f5"}).json()["squares"]
    return {square["square"]: square["book"]["score"] for square in squares if square["book"]}


def test_a_book_of_the_folder_is_chosen_and_remembered(small: Path, tmp_path: Path) -> None:
    data = tmp_path / "data"
    (data / "books").mkdir(parents=True)
    (data / "books" / "club.bib").write_bytes(small.read_bytes())
    with server(data) as client:
        view = ask(client, "GET")
        assert ([each["name"] for each in view["books"]], chosen(view)) == (["", "club.bib"], "")
        usual = scores(client)
        view = ask(client, "PATCH", {"name": "club.bib"})
        assert (chosen(view), view["positions"], view["message"]) == ("club.bib", 5, "")
        assert sorted(scores(client).values()) == [-40, -40, -4]
        assert client.get("/api/v1/info").json()["book"]["facts"]["positions"] == "5"
        ask(client, "PATCH", {"name": "nothing.bib"}, 404)
        ask(client, "PATCH", {"name": "../club.bib"}, 404)
    with server(data) as client:
        assert chosen(ask(client, "GET")) == "club.bib"
        ask(client, "PATCH", {"name": ""})
        assert scores(client) == usual
    (data / "books" / "chosen.txt").write_text("gone.bib")
    with server(data) as client:
        view = ask(client, "GET")
        assert (chosen(view), "gone.bib" in view["message"]) == ("", True)


def test_levels_play_from_the_book_in_use(small: Path) -> None:
    with server(books=(small,)) as client:
        assert chosen(ask(client, "GET")) == "small.bib"
        game = new_game(client, white={"kind": "level", "level": "grandmaster"})["game"]
        with board(client, game) as tab:
            tab.do("move", square="f5")
            tab.until(ply=2)
            assert tab.state["last"]["square"] == "f4", "which the built-in book would never play"


@pytest.mark.parametrize("damage", [b"", b"no book at all", None])
def test_a_damaged_book_leaves_the_other_in_use(small: Path, tmp_path: Path, damage: bytes | None) -> None:
    data = tmp_path / "data"
    (data / "books").mkdir(parents=True)
    broken = small.read_bytes()[:-3] if damage is None else damage
    (data / "books" / "bad.bib").write_bytes(broken)
    with server(data, books=(small,)) as client:
        answer = ask(client, "PATCH", {"name": "bad.bib"}, 422)
        assert answer["error"]["code"] == "bad_record"
        assert "bad.bib" in answer["error"]["message"]
        assert "\n" not in answer["error"]["message"]
        assert (chosen(ask(client, "GET")), len(scores(client))) == ("small.bib", 3)
        handed = client.post("/api/v1/books", params={"name": "worse.bib"}, content=broken)
        assert (handed.status_code, handed.json()["error"]["code"]) == (422, "bad_record")
        assert chosen(ask(client, "GET")) == "small.bib"
        assert {path.name for path in (data / "books").iterdir()} == {"bad.bib"}
    with server(data, books=(data / "books" / "bad.bib",)) as client:
        view = ask(client, "GET")
        assert (chosen(view), "bad.bib" in view["message"]) == ("", True)
        assert len(scores(client)) == 3


def test_a_book_is_handed_in_and_used(small: Path, tmp_path: Path) -> None:
    with server(tmp_path / "data") as client:
        answer = client.post("/api/v1/books", params={"name": "../../My club.bib"}, content=small.read_bytes())
        assert (answer.status_code, chosen(answer.json())) == (200, "My_club.bib")
        assert sorted(scores(client).values()) == [-40, -40, -4]
    assert sorted(path.name for path in (tmp_path / "data" / "books").iterdir()) == ["My_club.bib", "chosen.txt"]


def test_strangers_choose_no_book(small: Path) -> None:
    with server(access=Access(token="secret"), books=(small,)) as client:
        client.cookies.set(client.token_cookie, "secret")
        view = ask(client, "GET")
        assert (view["may_change"], chosen(view)) == (False, "small.bib")
        assert ask(client, "PATCH", {"name": ""}, 403)["error"]["code"] == "forbidden"
        assert client.post("/api/v1/books", content=small.read_bytes()).status_code == 403
        assert chosen(ask(client, "GET")) == "small.bib"
