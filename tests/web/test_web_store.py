"""The database: what is kept survives, what is wrong with its file is said and the file left alone."""

from __future__ import annotations

import sqlite3
import threading
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import cast

import pytest
from board import HUMANS, PATIENCE, board, new_game, server

from othellier.errors import RequestError
from othellier.game import Game
from othellier.web.library import keep
from othellier.web.messages import HumanSeat
from othellier.web.session import Session
from othellier.web.store import VERSION, Kept, Store

FILE = "games.sqlite3"


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "folder" / FILE


@pytest.fixture
def store(path: Path) -> Iterator[Store]:
    store = Store(path)
    assert store.message == ""
    yield store
    store.close()


def kept(name: str = "one", owner: str = "local", moves: str = "f5d6") -> Kept:
    game = Game()
    for at in range(0, len(moves), 2):
        game.push_name(moves[at : at + 2])
    session = Session(game, {"black": HumanSeat(name="Ann"), "white": HumanSeat()}, title="A title")
    return keep(session, name, owner, 1000.0, 2000.0, imported=False)


def test_what_is_saved_is_there_after_opening_again(store: Store, path: Path) -> None:
    store.save([kept()])
    again = Store(path)
    found = again.load("one")
    again.close()
    assert found is not None
    assert (found.record, found.memo, found.transcript) == (kept().record, kept().memo, "f5d6")
    assert store.load("two") is None


def test_saving_again_keeps_the_day_it_began_and_its_tags(store: Store) -> None:
    store.save([kept()])
    store.set_tags("one", ["club"])
    store.save([kept(moves="f5d6c3")])
    found = store.load("one")
    assert found is not None
    assert (found.transcript, found.tags, found.created) == ("f5d6c3", ("club",), 1000.0)


def test_owners_see_their_own_games(store: Store) -> None:
    store.save([kept("one", "ann"), kept("two", "bob")])
    assert [game.id for game in store.find("ann").games] == ["one"]
    store.set_options("ann", {"theme": "dark"}, 10)
    assert store.options("bob") == {}


def test_what_was_deleted_long_ago_goes_for_good(store: Store) -> None:
    store.save([kept("one"), kept("two")])
    store.mark_deleted("one", 0.0)
    assert store.load("one") is not None
    store.mark_deleted("two", 31 * 86400.0)
    assert store.load("one") is None
    assert store.load("two") is not None


def test_all_or_nothing(store: Store) -> None:
    good = kept("one")
    bad = replace(kept("two"), owner=cast("str", None))
    with pytest.raises(RequestError):
        store.save([good, bad])
    assert store.find("local").total == 0


def test_words_of_a_search_are_only_words(store: Store) -> None:
    store.save([kept()])
    for text in ("%", "_", "' OR 1=1 --", '"', "\\", "title%"):
        assert store.find("local", search=text).total == 0
    assert store.find("local", search="TITLE ann").total == 1


def test_many_threads_at_once(store: Store) -> None:
    def work(number: int) -> None:
        for _ in range(10):
            store.save([kept(f"game{number}")])
            store.find("local")

    threads = [threading.Thread(target=work, args=(number,)) for number in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(PATIENCE)
        assert not thread.is_alive()
    assert store.find("local").total == 6


def refused(path: Path, words: str) -> None:
    """The file is left as it is, the reason is said, and games are kept in memory."""
    before = path.read_bytes()
    store = Store(path)
    assert words in store.message
    assert str(path) in store.message
    assert "\n" not in store.message
    store.save([kept()])
    assert store.find("local").total == 1
    store.close()
    assert path.read_bytes() == before


def test_a_newer_database(store: Store, path: Path) -> None:
    store.close()
    with sqlite3.connect(path) as connection:
        connection.execute(f"PRAGMA user_version = {VERSION + 1}")
    connection.close()
    refused(path, "newer version")


def test_another_programs_database(tmp_path: Path) -> None:
    path = tmp_path / FILE
    connection = sqlite3.connect(path)
    connection.execute("CREATE TABLE theirs (a)")
    connection.commit()
    connection.close()
    refused(path, "another program")


@pytest.mark.parametrize(
    "damage", [b"this is no database at all, just text\n" * 100, b"SQLite format 3\x00" + b"\x00" * 5000]
)
def test_a_damaged_database(tmp_path: Path, damage: bytes) -> None:
    path = tmp_path / FILE
    path.write_bytes(damage)
    refused(path, "it is damaged")


def test_a_torn_page(store: Store, path: Path) -> None:
    store.save([kept(f"game{number}", moves="f5d6c3d3c4") for number in range(50)])
    store.close()
    data = bytearray(path.read_bytes())
    data[4096 * 2 : 4096 * 3] = b"\xa5" * 4096
    path.write_bytes(data)
    refused(path, "it is damaged")


def test_a_place_that_cannot_be_written(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    store = Store(tmp_path / "file" / FILE)
    assert store.message
    store.close()


def test_a_locked_database_is_said_and_the_game_kept(store: Store, path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    store.close()
    monkeypatch.setattr("othellier.web.store.BUSY_SECONDS", 0.0)
    store = Store(path)
    other = sqlite3.connect(path, isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    with pytest.raises(RequestError) as caught:
        store.save([kept()])
    assert (caught.value.code, caught.value.data["reason"]) == ("not_saved", "another program has locked it")
    other.execute("ROLLBACK")
    other.close()
    store.save([kept()])
    assert store.find("local").total == 1
    store.close()


def test_a_full_disk_does_not_stop_the_game(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("othellier.web.tables.RETRY_SECONDS", 0.01)
    full = threading.Event()
    save = Store.save

    def saving(self: Store, games: list[Kept]) -> None:
        if full.is_set():
            with self._transaction():
                raise sqlite3.OperationalError("database or disk is full")
        save(self, games)

    monkeypatch.setattr(Store, "save", saving)
    with server(tmp_path) as client:
        game = new_game(client, **HUMANS)["game"]
        with board(client, game) as tab:
            full.set()
            tab.do("move", square="f5")
            said = tab.hear("saved")
            assert (said["saved"], said["error"]["data"]["reason"]) == (False, "the disk is full")
            assert not tab.do("move", square="d6")["saved"]
            full.clear()
            assert tab.hear("saved")["saved"]
        assert client.get("/api/v1/games").json()["games"][0]["transcript"] == "F5D6"


def test_a_server_with_a_bad_database_says_so_and_plays(tmp_path: Path) -> None:
    (tmp_path / FILE).write_bytes(b"nonsense" * 1000)
    with server(tmp_path) as client:
        store = client.get("/api/v1/info").json()["store"]
        assert not store["ok"]
        assert "damaged" in store["message"]
        with board(client, new_game(client, **HUMANS)["game"]) as tab:
            assert tab.do("move", square="f5")["node"] == "f5"
    assert (tmp_path / FILE).read_bytes() == b"nonsense" * 1000


def test_a_server_started_again_goes_on(tmp_path: Path) -> None:
    with server(tmp_path) as client:
        state = new_game(client, **HUMANS, clock={"minutes": 5}, opening={"kind": "moves", "moves": "f5d6"})
        with board(client, state["game"]) as tab:
            tab.do("move", square="c3")
            tab.do("goto", to="start")
            tab.do("study", square="c4")
            before = tab.state
    with server(tmp_path) as client, board(client, state["game"]) as tab:
        for key in ("node", "live", "tree", "players", "board", "title", "created"):
            assert tab.state[key] == before[key], key
        assert 0 < tab.state["clock"]["white"] <= 300
