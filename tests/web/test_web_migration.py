"""Databases of older versions: copied, then brought up to date; collections go through damage as games do."""

import json
import sqlite3
from pathlib import Path

import pytest
from board import kept

from othellier.page.storage.collections import Collections
from othellier.page.storage.position_paths import key
from othellier.page.storage.store import GameFilter, Kept, Store
from othellier.rules import native


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "folder" / "games.sqlite3"


FIRST = """
CREATE TABLE games (id TEXT PRIMARY KEY, owner TEXT NOT NULL, record TEXT NOT NULL, memo TEXT NOT NULL,
    summary TEXT NOT NULL, words TEXT NOT NULL, transcript TEXT NOT NULL, result TEXT NOT NULL, created REAL NOT NULL,
    used REAL NOT NULL, deleted REAL) STRICT;
CREATE INDEX games_by_use ON games (owner, used DESC);
CREATE TABLE tags (game TEXT NOT NULL REFERENCES games (id) ON DELETE CASCADE, tag TEXT NOT NULL,
    PRIMARY KEY (game, tag)) STRICT, WITHOUT ROWID;
CREATE TABLE visits (key BLOB NOT NULL, game TEXT NOT NULL REFERENCES games (id) ON DELETE CASCADE,
    next BLOB NOT NULL, PRIMARY KEY (key, game)) STRICT, WITHOUT ROWID;
CREATE TABLE options (owner TEXT NOT NULL, name TEXT NOT NULL, value TEXT NOT NULL, PRIMARY KEY (owner, name))
    STRICT, WITHOUT ROWID;
PRAGMA application_id = 0x4F74686C; PRAGMA user_version = 1;
"""


def written(path: Path, schema: str, game: Kept, *more: bytes) -> None:
    """A file of an older version with a game in it; `more` are the columns that came later."""
    path.parent.mkdir()
    row: list[object] = [game.id, game.owner, game.record, game.snapshot, json.dumps(game.summary), game.words]
    row += [game.transcript, game.result, game.created, game.used, None, *more]
    with sqlite3.connect(path) as connection:
        connection.executescript(schema)
        connection.execute(f"INSERT INTO games VALUES ({', '.join('?' * len(row))})", row)
    connection.close()


def test_an_older_database_is_copied_and_brought_up_to_date(path: Path) -> None:
    old = kept()
    written(path, FIRST, old)
    store = Store(path)
    assert store.message == ""
    found = store.load("one")
    assert found is not None
    assert (found.record, found.snapshot, found.summary) == (old.record, old.snapshot, old.summary)
    assert [count for _, _, count in store.after("local", key(native.start()))] == [1]
    store.close()
    (copy,) = path.parent.glob("*.version-1-*")
    with sqlite3.connect(copy) as connection:
        assert connection.execute("PRAGMA user_version").fetchone() == (1,)
        assert connection.execute("SELECT record FROM games").fetchall() == [(old.record,)]
    connection.close()


SECOND = FIRST.replace("deleted REAL)", "deleted REAL, path BLOB NOT NULL DEFAULT x'')")
SECOND = SECOND.replace("games (owner, used DESC)", "games (owner, deleted, used DESC, id)")
SECOND = SECOND[: SECOND.index("CREATE TABLE visits")] + SECOND[SECOND.index("CREATE TABLE options") :]
SECOND = SECOND.replace("user_version = 1;", "user_version = 2;") + (
    "CREATE TABLE damaged (id TEXT PRIMARY KEY, owner TEXT NOT NULL, reason TEXT NOT NULL, record TEXT NOT NULL,"
    " memo TEXT NOT NULL, summary TEXT NOT NULL) STRICT;"
)


def test_a_database_of_the_second_version_gets_collections(path: Path) -> None:
    old = kept()
    written(path, f"{SECOND} INSERT INTO tags VALUES ('one', 'club');", old, old.path)
    store = Store(path)
    assert store.message == ""
    found = store.load("one")
    assert found is not None
    assert (found.record, found.snapshot, found.tags) == (old.record, old.snapshot, ("club",))
    collections = Collections(store)
    best = collections.make("local", "Best")
    assert collections.put("local", best, GameFilter(tag="club")) == 1
    store.close()
    again = Store(path)
    assert again.message == ""
    assert Collections(again).all("local") == [(best, "Best", 1)]
    again.close()
    (copy,) = path.parent.glob("*.version-2-*")
    with sqlite3.connect(copy) as connection:
        assert connection.execute("PRAGMA user_version").fetchone() == (2,)
    connection.close()


def test_games_are_saved_from_a_damaged_database_of_an_older_version(path: Path) -> None:
    old = kept()
    written(path, f"{SECOND} PRAGMA user_version = 0;", old, old.path)
    store = Store(path)
    assert "1 games were saved" in store.message
    found = store.load("one")
    assert found is not None
    assert (found.record, found.snapshot) == (old.record, old.snapshot)
    store.close()


def test_collections_are_saved_from_a_damaged_database(path: Path) -> None:
    store = Store(path)
    store.save([kept("one"), kept("two")])
    collections = Collections(store)
    best = collections.make("local", "Best")
    collections.put("local", best, GameFilter(games=("two",)))
    store.close()
    with sqlite3.connect(path) as connection:
        connection.execute("DROP TABLE tags")
    connection.close()
    again = Store(path)
    assert "2 games were saved" in again.message
    assert Collections(again).all("local") == [(best, "Best", 1)]
    assert [game.id for game in again.find("local", GameFilter(collection=best)).games] == ["two"]
    again.close()


def test_where_no_copy_can_be_made_an_older_database_is_left_alone(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path.parent.mkdir()
    with sqlite3.connect(path) as connection:
        connection.executescript(FIRST)
    connection.close()
    monkeypatch.setattr("time.strftime", lambda *_: 300 * "x")
    before = path.read_bytes()
    store = Store(path)
    assert "it cannot be opened" in store.message
    store.close()
    assert path.read_bytes() == before
