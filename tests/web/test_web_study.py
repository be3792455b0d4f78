"""Studying openings: games handed in for the explorer, and the drill."""

import io
import json
import random
import zipfile
from pathlib import Path
from typing import Any

import pytest
from board import Client, poll, server

from one_day import Calendar
from othellier import records
from othellier.base.files import LIMIT
from othellier.errors import RequestError
from othellier.games.game import Game
from othellier.openings import games
from othellier.page.server.security import Access
from othellier.page.study.game_database import GameDatabase
from othellier.records.transcript import parse_moves

LINES = ("f5d6c3d3c4", "f5d6c3g5", "f5f6e6f4")


@pytest.fixture
def wthor(tmp_path: Path) -> Path:
    """A file of games, with the names beside it."""
    folder = tmp_path / "wthor"
    folder.mkdir()
    played = [Game.from_moves(parse_moves(line)) for line in LINES]
    for game in played:
        game.headers.black, game.headers.white = "Ann", "Bob"
    records.write(played, folder / "WTH_2001.wtb")
    return folder


def hand_in(client: Client, name: str, data: bytes) -> Any:
    return client.post("/api/v1/database", params={"name": name}, content=data)


def loaded(client: Client) -> Any:
    return poll(lambda: client.get("/api/v1/database").json(), "loading", False)


def counts(client: Client) -> dict[str, int]:
    squares = client.get("/api/v1/explorer", params={"moves": "f5"}).json()["squares"]
    return {square["square"]: square["database"]["games"] for square in squares if square["database"]}


def code(answer: Any, status: int) -> str:
    assert answer.status_code == status
    return str(answer.json()["error"]["code"])


def test_games_handed_in_are_explored_and_kept(wthor: Path, tmp_path: Path) -> None:
    with server(tmp_path / "data") as client:
        assert loaded(client) == {"games": 0, "added": 0, "loading": False, "message": "", "may_change": True}
        for file in sorted(wthor.iterdir()):
            assert hand_in(client, f"../../{file.name}", file.read_bytes()).status_code == 200
        assert (loaded(client)["games"], loaded(client)["added"]) == (3, 1)
        assert counts(client) == {"d6": 2, "f6": 1}
        hand_in(client, "WTH_2001.wtb", (wthor / "WTH_2001.wtb").read_bytes())
        assert loaded(client)["games"] == 3  # the same file again is the same games
        hand_in(client, "club.txt", b"F5F6E6F4E3\n")
        assert loaded(client)["games"] == 4
    assert {path.name for path in tmp_path.iterdir()} == {"wthor", "data"}
    with server(tmp_path / "data") as client:
        assert loaded(client)["games"] == 4
        assert client.delete("/api/v1/database").json()["games"] == 0
        assert counts(client) == {}
    with server(tmp_path / "data") as client:
        assert loaded(client)["games"] == 0


def test_an_archive_holds_several_files(wthor: Path, tmp_path: Path) -> None:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        for file in wthor.iterdir():
            archive.write(file, f"../{file.name}")
        archive.writestr("readme.txt", "nothing to read")
    with server(tmp_path / "data") as client:
        assert hand_in(client, "wthor.zip", packed.getvalue()).status_code == 200
        assert (loaded(client)["games"], loaded(client)["added"]) == (3, 1)


@pytest.mark.parametrize(
    ("name", "data"),
    [
        ("x.wtb", b"nonsense"),
        ("x.txt", b"F5A1"),
        ("", b""),
        ("x.jou", b"12"),
        ("x.zip", b"PK\x05\x06" + bytes(18)),
        ("x.zip", b"PK\x03\x04 and no more"),
    ],
)
def test_what_cannot_be_read_is_not_kept(tmp_path: Path, name: str, data: bytes) -> None:
    with server(tmp_path) as client:
        assert code(hand_in(client, name, data), 422) == "bad_record"
        assert loaded(client)["added"] == 0


def test_strangers_do_not_choose_the_database(wthor: Path) -> None:
    with server(access=Access(token="secret")) as client:
        client.cookies.set(client.token_cookie, "secret")
        assert client.get("/api/v1/database").json()["may_change"] is False
        assert code(hand_in(client, "x.wtb", (wthor / "WTH_2001.wtb").read_bytes()), 403) == "forbidden"
        assert code(client.delete("/api/v1/database"), 403) == "forbidden"


def test_a_database_that_cannot_be_read_is_told(tmp_path: Path) -> None:
    with server(games=(tmp_path / "nowhere",)) as client:
        assert "nowhere" in loaded(client)["message"]
        assert client.get("/api/v1/explorer").json()["database"] is False


TIGER: dict[str, str | int] = {"color": "black", "opening": "tiger", "plies": 5}


def test_the_drill_asks_until_all_is_known(tmp_path: Path, calendar: Calendar) -> None:
    with server(tmp_path) as client:
        asked = client.get("/api/v1/drill", params=TIGER).json()
        assert (asked["cards"], asked["due"], asked["learnt"]) == (3, 3, 0)
        card = asked["card"]
        assert (card["moves"], card["turn"], card["last"]) == ("", "black", None)
        assert {square["square"] for square in card["legal"]} == {"f5", "e6", "d3", "c4"}
        right = client.post("/api/v1/drill", json={**TIGER, "card": card["card"], "square": "e6"}).json()
        assert right["right"] is True  # the same up to symmetry
        assert "f5" in right["answers"]
        asked = client.get("/api/v1/drill", params=TIGER).json()
        assert (asked["due"], asked["learnt"], asked["card"]["moves"]) == (2, 1, "f5d6")
        wrong = client.post("/api/v1/drill", json={**TIGER, "card": asked["card"]["card"], "square": "c7"}).json()
        assert (wrong["right"], wrong["box"]) == (False, 0)
        following = client.get("/api/v1/drill", params={**TIGER, "last": asked["card"]["card"]}).json()["card"]
        assert following["moves"] == "f5d6c3d3"
        assert following["opening"]["en"]
    with server(tmp_path) as client:  # it is remembered
        for _ in range(2):
            card = client.get("/api/v1/drill", params=TIGER).json()["card"]
            for move in [square["square"] for square in card["legal"]]:
                answer = client.post("/api/v1/drill", json={**TIGER, "card": card["card"], "square": move}).json()
                if answer["right"]:
                    break
        asked = client.get("/api/v1/drill", params=TIGER).json()
        assert (asked["due"], asked["learnt"], asked["card"]) == (0, 3, None)
        assert client.get("/api/v1/drill", params={**TIGER, "ahead": True}).json()["card"]
        calendar.next_day()
        assert client.get("/api/v1/drill", params=TIGER).json()["due"] == 3


def test_every_card_begins_with_f5(tmp_path: Path) -> None:
    white: dict[str, str | int] = {"color": "white", "plies": 2}
    with server(tmp_path) as client:
        card = client.get("/api/v1/drill", params=white).json()["card"]
        assert (card["moves"], card["last"]) == ("f5", "f5")
        answer = client.post("/api/v1/drill", json={**white, "card": card["card"], "square": "d6"}).json()
        assert answer["right"]
        assert answer["answers"][0] == "d6"


def test_nonsense_in_the_drill_is_refused(tmp_path: Path) -> None:
    with server(tmp_path) as client:
        card = client.get("/api/v1/drill", params=TIGER).json()["card"]["card"]
        given = {**TIGER, "card": card}
        assert code(client.get("/api/v1/drill", params={"opening": "nowhere"}), 404) == "unknown_opening"
        assert code(client.get("/api/v1/drill", params={"plies": 99}), 422) == "bad_request"
        assert code(client.post("/api/v1/drill", json={**given, "card": "0" * 32, "square": "f5"}), 404) == "not_found"
        assert code(client.post("/api/v1/drill", json={**given, "square": "a1"}), 409) == "illegal_move"
        assert code(client.post("/api/v1/drill", json={**given, "square": "pass"}), 409) == "illegal_move"
        assert not (tmp_path / "drill.json").exists()
        (tmp_path / "drill.json").write_text(json.dumps({"x": 1}))
        assert code(client.get("/api/v1/drill", params=TIGER), 422) == "bad_record"
        assert (tmp_path / "drill.json").read_text() == json.dumps({"x": 1})


def archive_of(folder: Path) -> bytes:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        for file in sorted(folder.iterdir()):
            archive.write(file, file.name)
    return packed.getvalue()


def test_a_damaged_archive_is_one_clear_error(wthor: Path, tmp_path: Path) -> None:
    whole, rng = archive_of(wthor), random.Random(1)
    database = GameDatabase(tmp_path / "database")
    errors = []
    for _ in range(800):
        data = bytearray(whole)
        for _ in range(rng.randint(1, 3)):
            data[rng.randrange(len(data))] = rng.randrange(256)
        try:
            database.add(bytes(data[: rng.randint(1, len(data))] if rng.random() < 0.2 else data), "wthor.zip")
        except RequestError as error:
            errors.append(error)
    assert len(errors) > 200
    assert {error.code for error in errors} <= {"bad_record", "too_large"}
    assert not any("\n" in error.message for error in errors)


def test_an_archive_that_unpacks_to_too_much_is_not_kept(wthor: Path, tmp_path: Path) -> None:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("WTH_1.wtb", bytes(LIMIT + 1))
    assert len(packed.getvalue()) < 1 << 20
    with server(tmp_path / "data") as client:
        assert code(hand_in(client, "bomb.zip", packed.getvalue()), 413) == "too_large"
        liar = bytearray(packed.getvalue())  # says that it is small
        size = (LIMIT + 1).to_bytes(4, "little")
        for _ in range(2):
            at = liar.index(size)
            liar[at : at + 4] = (68).to_bytes(4, "little")
        assert hand_in(client, "bomb.zip", bytes(liar)).status_code in (413, 422)
        assert hand_in(client, "wthor.zip", archive_of(wthor)).status_code == 200
        assert (loaded(client)["games"], loaded(client)["added"]) == (3, 1)
    with server(tmp_path / "data") as client:
        assert loaded(client)["games"] == 3


def test_one_bad_file_does_not_empty_the_database(wthor: Path, tmp_path: Path) -> None:
    with server(tmp_path / "data") as client:
        hand_in(client, "WTH_2001.wtb", (wthor / "WTH_2001.wtb").read_bytes())
        assert loaded(client)["games"] == 3
    (tmp_path / "data" / "database" / "bad.wtb").write_bytes(b"nonsense")
    with server(tmp_path / "data") as client:
        found = loaded(client)
        assert (found["games"], found["added"]) == (3, 2)
        assert "bad.wtb" in found["message"]


@pytest.mark.parametrize("wrong", ["Infinity", "-1", "1e999", "NaN", "true", '"3"', "[" * 100_000])
@pytest.mark.parametrize("name", ["games", "rows", "left_out", "sources"])
def test_a_damaged_index_is_made_anew(wthor: Path, tmp_path: Path, name: str, wrong: str) -> None:
    index = tmp_path / "games.index"
    assert len(games.load([wthor], index)) == 3
    data = index.read_bytes()
    start = data.index(b"{")
    facts = json.loads(data[start : data.index(b"}") + 1])
    text = json.dumps({**facts, name: "@@"}).replace('"@@"', wrong).encode()
    head = data[: start - 8] + len(text).to_bytes(8, "little") + text
    index.write_bytes(head + bytes(-len(head) % 64) + data[-(3 * 76 + 61 * 24) :])
    assert len(games.load([wthor], index)) == 3
