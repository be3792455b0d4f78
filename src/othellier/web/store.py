"""Games and options in one SQLite file, so that nothing is lost when a tab, the server or the power goes.

Every save is one transaction in write-ahead mode, on disk before it is answered. A file that is damaged, locked
or from a newer version is left as it is: the store then keeps games in memory, and says so in `message`.
What a session is, the store does not know: it keeps texts.
"""

from __future__ import annotations

import json
import sqlite3
import threading
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal

from othellier.errors import RequestError

__all__ = ["Found", "Kept", "Outcome", "Store", "Visit"]

VERSION = 1
APPLICATION = 0x4F74686C  # "Othl": whose file it is, for tools and for us
BUSY_SECONDS = 3.0
DELETED_DAYS = 30

SCHEMA = """
CREATE TABLE games (
    id TEXT PRIMARY KEY,
    owner TEXT NOT NULL,
    record TEXT NOT NULL,
    memo TEXT NOT NULL,
    summary TEXT NOT NULL,
    words TEXT NOT NULL,
    transcript TEXT NOT NULL,
    result TEXT NOT NULL,
    created REAL NOT NULL,
    used REAL NOT NULL,
    deleted REAL
) STRICT;
CREATE INDEX games_by_use ON games (owner, used DESC);
CREATE TABLE tags (
    game TEXT NOT NULL REFERENCES games (id) ON DELETE CASCADE,
    tag TEXT NOT NULL,
    PRIMARY KEY (game, tag)
) STRICT, WITHOUT ROWID;
CREATE TABLE visits (
    key BLOB NOT NULL,
    game TEXT NOT NULL REFERENCES games (id) ON DELETE CASCADE,
    next BLOB NOT NULL,
    PRIMARY KEY (key, game)
) STRICT, WITHOUT ROWID;
CREATE INDEX visits_by_game ON visits (game);
CREATE TABLE options (
    owner TEXT NOT NULL,
    name TEXT NOT NULL,
    value TEXT NOT NULL,
    PRIMARY KEY (owner, name)
) STRICT, WITHOUT ROWID;
"""

Outcome = Literal["black", "white", "draw", "unfinished"]


@dataclass(frozen=True, slots=True)
class Visit:
    """A position a game went through and the one after it, both up to symmetry."""

    key: bytes
    next: bytes


@dataclass(frozen=True, slots=True)
class Kept:
    """One game as it is kept."""

    id: str
    owner: str
    record: str
    memo: str
    summary: dict[str, Any]
    """What the library shows of it, without what is kept beside it: id, dates, tags."""
    words: str
    """What a search finds it by."""
    transcript: str
    result: Outcome
    created: float
    used: float
    tags: tuple[str, ...] = ()
    deleted: bool = False
    visits: tuple[Visit, ...] = field(default=(), repr=False)


@dataclass(frozen=True, slots=True)
class Found:
    """Games of the library: some of them, and how many there are."""

    games: list[Kept]
    total: int


class Store:
    """The one connection to the file; every call is safe from any thread and takes as long as the disk does."""

    def __init__(self, path: Path | None) -> None:
        self.message = ""
        """Why games are not kept beyond this run; empty where they are."""
        self._lock = threading.Lock()
        try:
            self._connection = _open(path)
        except (sqlite3.Error, OSError, RequestError) as error:
            self.message = f"{path}: {_words(error)}; games are kept in memory only, until this program ends"
            self._connection = _open(None)

    def close(self) -> None:
        """Close the file."""
        with self._lock:
            self._connection.close()

    @contextmanager
    def _transaction(self, write: bool = True) -> Iterator[sqlite3.Connection]:
        """All of it, or nothing of it; every failure is a RequestError and leaves what was there."""
        with self._lock:
            try:
                self._connection.execute("BEGIN IMMEDIATE" if write else "BEGIN")
                try:
                    yield self._connection
                    self._connection.execute("COMMIT")
                except BaseException:
                    if self._connection.in_transaction:
                        self._connection.execute("ROLLBACK")
                    raise
            except sqlite3.Error as error:
                words = _words(error)
                what = "saved" if write else "read"
                raise RequestError("not_saved", f"the games could not be {what}: {words}", reason=words) from None

    # -- games

    def save(self, games: Iterable[Kept]) -> None:
        """Keep games, new or changed; tags and deletion stay as they are."""
        with self._transaction() as connection:
            for game in games:
                connection.execute(
                    "INSERT INTO games VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, NULL) ON CONFLICT (id) DO UPDATE SET "
                    "record = excluded.record, memo = excluded.memo, summary = excluded.summary, "
                    "words = excluded.words, transcript = excluded.transcript, result = excluded.result, "
                    "used = excluded.used",
                    (
                        game.id,
                        game.owner,
                        game.record,
                        game.memo,
                        json.dumps(game.summary),
                        game.words,
                        game.transcript,
                        game.result,
                        game.created,
                        game.used,
                    ),
                )
                connection.execute("DELETE FROM visits WHERE game = ?", (game.id,))
                connection.executemany(
                    "INSERT OR IGNORE INTO visits VALUES (?, ?, ?)",
                    ((visit.key, game.id, visit.next) for visit in game.visits),
                )

    def load(self, game: str) -> Kept | None:
        """A game, deleted ones included."""
        with self._transaction(write=False) as connection:
            row = connection.execute(f"SELECT {COLUMNS} FROM games WHERE id = ?", (game,)).fetchone()
            return None if row is None else _kept(row)

    def find(
        self,
        owner: str,
        *,
        search: str = "",
        begins: str = "",
        tag: str = "",
        result: Outcome | None = None,
        deleted: bool = False,
        ids: Iterable[str] = (),
        limit: int = 50,
        offset: int = 0,
    ) -> Found:
        """The owner's games that hold all words of a search, last used first."""
        where = ["owner = ?", "deleted IS NOT NULL" if deleted else "deleted IS NULL"]
        values: list[Any] = [owner]
        for word in search.casefold().split():
            where.append(f"instr(words || ' ' || {TAGS_AS_WORDS}, ?) > 0")
            values.append(word)
        if begins:
            where.append("substr(transcript, 1, ?) = ?")
            values += [len(begins), begins]
        if tag:
            where.append("EXISTS (SELECT 1 FROM tags WHERE tags.game = games.id AND tags.tag = ?)")
            values.append(tag)
        if result is not None:
            where.append("result = ?")
            values.append(result)
        chosen = list(ids)
        if chosen:
            where.append(f"id IN ({', '.join('?' * len(chosen))})")
            values += chosen
        condition = " AND ".join(where)
        with self._transaction(write=False) as connection:
            total = connection.execute(f"SELECT count(*) FROM games WHERE {condition}", values).fetchone()[0]
            rows = connection.execute(
                f"SELECT {COLUMNS} FROM games WHERE {condition} ORDER BY used DESC, id LIMIT ? OFFSET ?",
                [*values, limit, offset],
            ).fetchall()
        return Found([_kept(row) for row in rows], total)

    def mark_deleted(self, game: str, now: float | None) -> bool:
        """Delete a game, or with None undo that, and say whether there is such a game.

        What was deleted long ago goes for good.
        """
        with self._transaction() as connection:
            changed = connection.execute("UPDATE games SET deleted = ? WHERE id = ?", (now, game)).rowcount
            if now is not None:
                connection.execute("DELETE FROM games WHERE deleted < ?", (now - DELETED_DAYS * 86400,))
        return changed > 0

    def set_tags(self, game: str, tags: Iterable[str]) -> None:
        """Give a game these tags and no others."""
        with self._transaction() as connection:
            connection.execute("DELETE FROM tags WHERE game = ?", (game,))
            connection.executemany("INSERT OR IGNORE INTO tags VALUES (?, ?)", ((game, tag) for tag in tags))

    def tags(self, owner: str) -> list[tuple[str, int]]:
        """The owner's tags and how many games have each."""
        with self._transaction(write=False) as connection:
            found = connection.execute(
                "SELECT tag, count(*) FROM tags JOIN games ON games.id = tags.game "
                "WHERE owner = ? AND deleted IS NULL GROUP BY tag ORDER BY tag",
                (owner,),
            ).fetchall()
        return [(tag, count) for tag, count in found]

    def after(self, owner: str, key: bytes) -> list[tuple[bytes, Outcome, int]]:
        """From a position: where the owner's games went, how they ended, and how many did so."""
        with self._transaction(write=False) as connection:
            found: list[tuple[bytes, Outcome, int]] = connection.execute(
                "SELECT next, result, count(*) FROM visits JOIN games ON games.id = visits.game "
                "WHERE key = ? AND owner = ? AND deleted IS NULL GROUP BY next, result",
                (key, owner),
            ).fetchall()
        return found

    # -- options

    def options(self, owner: str) -> dict[str, Any]:
        """The owner's options."""
        with self._transaction(write=False) as connection:
            rows = connection.execute("SELECT name, value FROM options WHERE owner = ?", (owner,)).fetchall()
        return {name: json.loads(value) for name, value in rows}

    def set_options(self, owner: str, options: Mapping[str, Any], limit: int) -> None:
        """Change options; None removes one."""
        with self._transaction() as connection:
            for name, value in options.items():
                if value is None:
                    connection.execute("DELETE FROM options WHERE owner = ? AND name = ?", (owner, name))
                else:
                    connection.execute(
                        "INSERT INTO options VALUES (?, ?, ?) ON CONFLICT DO UPDATE SET value = excluded.value",
                        (owner, name, json.dumps(value)),
                    )
            count = connection.execute("SELECT count(*) FROM options WHERE owner = ?", (owner,)).fetchone()[0]
            if count > limit:
                raise RequestError("too_large", f"no more than {limit} options are kept", limit=limit)


TAGS_AS_WORDS = "(SELECT coalesce(lower(group_concat(tag, ' ')), '') FROM tags WHERE tags.game = games.id)"
COLUMNS = (
    "id, owner, record, memo, summary, words, transcript, result, created, used, deleted, "
    "(SELECT json_group_array(tag) FROM tags WHERE tags.game = games.id)"
)


def _kept(row: tuple[Any, ...]) -> Kept:
    game, owner, record, memo, summary, words, transcript, result, created, used, deleted, tags = row
    return Kept(
        game,
        owner,
        record,
        memo,
        json.loads(summary),
        words,
        transcript,
        result,
        created,
        used,
        tuple(json.loads(tags)),
        deleted is not None,
    )


def _open(path: Path | None) -> sqlite3.Connection:
    """The connection, with all tables made and checked."""
    if path is not None:
        path.parent.mkdir(parents=True, exist_ok=True)
    connection = sqlite3.connect(
        ":memory:" if path is None else path, timeout=BUSY_SECONDS, isolation_level=None, check_same_thread=False
    )
    try:
        version: int = connection.execute("PRAGMA user_version").fetchone()[0]
        application: int = connection.execute("PRAGMA application_id").fetchone()[0]
        empty = connection.execute("SELECT count(*) FROM sqlite_schema").fetchone()[0] == 0
        if application != APPLICATION and not (application == 0 and empty):
            raise RequestError("not_saved", "this is the database of another program")
        if version > VERSION:
            raise RequestError("not_saved", "it was written by a newer version of this program, please update")
        if path is not None and connection.execute("PRAGMA quick_check").fetchone()[0] != "ok":
            raise RequestError("not_saved", "it is damaged")
        connection.execute("PRAGMA journal_mode = WAL")
        connection.execute("PRAGMA synchronous = FULL")  # a finished save survives even a loss of power
        connection.execute("PRAGMA foreign_keys = ON")
        if empty:
            marks = f"PRAGMA application_id = {APPLICATION}; PRAGMA user_version = {VERSION};"
            connection.executescript(f"BEGIN IMMEDIATE; {SCHEMA} {marks} COMMIT;")
    except BaseException:
        connection.close()
        raise
    return connection


def _words(error: Exception) -> str:
    """What went wrong, for people."""
    text = str(getattr(error, "strerror", None) or error).lower()
    known = {
        "database or disk is full": "the disk is full",
        "database is locked": "another program has locked it",
        "file is not a database": "it is damaged, or no database at all",
        "malformed": "it is damaged",
        "readonly": "it may not be written to",
        "unable to open": "it cannot be opened",
    }
    return next((words for part, words in known.items() if part in text), text)
