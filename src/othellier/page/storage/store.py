"""Games and options in one SQLite file, so that nothing is lost when a tab, the server or the power goes.

Every save is one transaction in write-ahead mode, on disk before it is answered. Reading has a connection of its own,
so that a long search holds up nobody's move. A damaged file is kept under another name and what can be read of it goes
on; a damaged row is set aside, and the rest is served. A file that is locked, foreign or from a newer version is left
as it is: the store then keeps games in memory. All of that is said in `message`. Before a file of an older version is
changed, a copy of it is made. What a session is, the store does not know: it keeps texts.
"""

from __future__ import annotations

import json
import math
import re
import sqlite3
import threading
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, get_args

from othellier.errors import RequestError
from othellier.page.storage.database_file import connect, failure_words, open_file
from othellier.page.storage.position_paths import WIDTH
from othellier.page.wire.library_models import Ending, GameOrigin

DELETED_DAYS = 30
TRANSCRIPT = re.compile(r"([a-l]([1-9]|1[0-2]))+")
TAGS_AS_WORDS = "(SELECT coalesce(lower(group_concat(tag, ' ')), '') FROM tags WHERE tags.game = games.id)"
SOURCE = "CASE WHEN json_valid(summary) THEN json_extract(summary, '$.source') END"  # a summary may be damaged
BY_PERSON = """instr(snapshot, '"kind":"human"') > 0"""  # not one of two machines


@dataclass(frozen=True, slots=True)
class Kept:
    """One game as it is kept."""

    id: str
    owner: str
    record: str
    snapshot: str
    summary: dict[str, Any]
    """What the library shows of it, without what is kept beside it: id, dates, tags."""
    words: str
    """What a search finds it by."""
    transcript: str
    result: Ending
    created: float
    used: float
    tags: tuple[str, ...] = ()
    deleted: bool = False
    path: bytes = field(default=b"", repr=False)
    """Its way through positions, see `position_paths`."""


@dataclass(frozen=True, slots=True)
class FoundGames:
    """Games of the library: some of them, how many there are, and those that turned out to be damaged."""

    games: list[Kept]
    total: int
    damaged: list[str] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class GameFilter:
    """Which games of the library are asked for: those for which all of it holds."""

    text: str = ""
    """Words that all occur, or the beginning of a transcript."""
    tag: str = ""
    result: Ending | None = None
    source: GameOrigin | None = None
    collection: str = ""
    """The id of one."""
    games: tuple[str, ...] | None = None
    """Only these, by their ids."""
    deleted: bool = False
    moment: float | None = None
    """When they were deleted."""

    def condition(self, owner: str) -> tuple[str, list[Any]]:
        """What SQL asks of an owner's games, and the values for it."""
        where = ["owner = ?", "deleted IS NOT NULL" if self.deleted else "deleted IS NULL"]
        values: list[Any] = [owner]
        begins = self.text.strip().lower()
        if TRANSCRIPT.fullmatch(begins):
            where.append("substr(transcript, 1, ?) = ?")
            values += [len(begins), begins]
        else:
            for word in self.text.casefold().split():
                where.append(f"instr(words || ' ' || {TAGS_AS_WORDS}, ?) > 0")
                values.append(word)
        if self.tag:
            where.append("EXISTS (SELECT 1 FROM tags WHERE tags.game = games.id AND tags.tag = ?)")
            values.append(self.tag)
        if self.result is not None:
            where.append("result = ?")
            values.append(self.result)
        if self.source is not None:
            where.append(f"{SOURCE} = ?")
            values.append(self.source)
        if self.collection:
            where.append("id IN (SELECT game FROM collected WHERE collection = ?)")
            values.append(self.collection)
        if self.games is not None:
            where.append("id IN (SELECT value FROM json_each(?))")
            values.append(json.dumps(self.games))
        if self.moment is not None:
            where.append("deleted = ?")
            values.append(self.moment)
        return " AND ".join(where), values


class Store:
    """The one way to the file; every call is safe from any thread and takes as long as the disk does."""

    def __init__(self, path: Path | None) -> None:
        self.message = ""
        """What is wrong with the file; empty where nothing is."""
        self.kept = path is not None
        """Whether games are kept beyond this run."""
        self._lock = self._read_lock = threading.Lock()
        try:
            self._connection, self.message = open_file(path)
            self._reader = self._connection
            if path is not None:
                self._reader = connect(path)
                self._read_lock = threading.Lock()
        except (sqlite3.Error, OSError, RequestError, UnicodeDecodeError) as error:
            self.kept = False
            self.message = f"{path}: {failure_words(error)}; games are kept in memory only, until this program ends"
            self._connection, _ = open_file(None)
            self._reader = self._connection

    def close(self) -> None:
        """Close the file."""
        with self._read_lock:
            self._reader.close()
        with self._lock:
            self._connection.close()

    @contextmanager
    def transaction(self, write: bool = True) -> Iterator[sqlite3.Connection]:
        """All of it, or nothing of it; every failure is a RequestError and leaves what was there."""
        lock, connection = (self._lock, self._connection) if write else (self._read_lock, self._reader)
        with lock:
            try:
                connection.execute("BEGIN IMMEDIATE" if write else "BEGIN")
                try:
                    yield connection
                    connection.execute("COMMIT")
                except BaseException:
                    if connection.in_transaction:
                        connection.execute("ROLLBACK")
                    raise
            except (sqlite3.Error, UnicodeDecodeError) as error:  # the latter from damaged names in the schema
                words = failure_words(error)
                what = "saved" if write else "read"
                raise RequestError("not_saved", f"the games could not be {what}: {words}", reason=words) from None

    # -- games

    def save(self, games: Iterable[Kept]) -> None:
        """Keep games, new or changed; tags and deletion stay as they are."""
        rows = [
            (
                game.id,
                game.owner,
                game.record,
                game.snapshot,
                json.dumps(game.summary),
                game.words,
                game.transcript,
                game.result,
                game.created,
                game.used,
                game.path,
            )
            for game in games
        ]
        with self.transaction() as connection:
            connection.executemany(
                "INSERT INTO games VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, NULL, ?) ON CONFLICT (id) DO UPDATE SET "
                "record = excluded.record, snapshot = excluded.snapshot, summary = excluded.summary, "
                "words = excluded.words, transcript = excluded.transcript, result = excluded.result, "
                "used = excluded.used, path = excluded.path",
                rows,
            )

    def load(self, game: str) -> Kept | None:
        """A game, deleted ones included."""
        with self.transaction(write=False) as connection:
            row = connection.execute(f"SELECT {COLUMNS} FROM games WHERE id = ?", (game,)).fetchone()
        if row is None:
            return None
        try:
            return _kept(row)
        except DAMAGE as error:
            self.set_aside(game, str(error))
            raise RequestError("bad_record", f"the saved game {game} is damaged, and was set aside", where="") from None

    def set_aside(self, game: str, reason: str) -> None:
        """Take a damaged game out of the library, and keep it as it is."""
        with self.transaction() as connection:
            connection.execute(
                "INSERT OR REPLACE INTO damaged SELECT id, owner, ?, record, snapshot, summary FROM games WHERE id = ?",
                (reason[:200], game),
            )
            connection.execute("DELETE FROM games WHERE id = ?", (game,))

    def damaged(self, owner: str) -> list[str]:
        """The owner's games that were set aside."""
        with self.transaction(write=False) as connection:
            rows = connection.execute("SELECT id FROM damaged WHERE owner = ? ORDER BY id", (owner,)).fetchall()
        return [game for (game,) in rows]

    def find(self, owner: str, search: GameFilter | None = None, *, limit: int = 50, offset: int = 0) -> FoundGames:
        """The owner's games that a search finds, last used first."""
        condition, values = (search or GameFilter()).condition(owner)
        with self.transaction(write=False) as connection:
            total = connection.execute(f"SELECT count(*) FROM games WHERE {condition}", values).fetchone()[0]
            rows = connection.execute(
                f"SELECT {COLUMNS} FROM games WHERE {condition} ORDER BY used DESC, id LIMIT ? OFFSET ?",
                [*values, limit, offset],
            ).fetchall()
        found = FoundGames([], total)
        for row in rows:
            try:
                found.games.append(_kept(row))
            except DAMAGE as error:
                self.set_aside(row[0], str(error))
                found.damaged.append(row[0])
        return FoundGames(found.games, total - len(found.damaged), found.damaged)

    def records(self, owner: str, search: GameFilter | None = None, *, at_once: int = 500) -> Iterator[list[str]]:
        """The records of all games that a search finds, last used first, some at a time.

        Each piece is read by itself, so nobody waits for all of them; a game that is used meanwhile may be left out.
        """
        condition, values = (search or GameFilter()).condition(owner)
        last: tuple[float, str] = (math.inf, "")
        while True:
            with self.transaction(write=False) as connection:
                rows = connection.execute(
                    f"SELECT used, id, record FROM games WHERE {condition} AND used <= ? AND (used < ? OR id > ?) "
                    "ORDER BY used DESC, id LIMIT ?",
                    [*values, last[0], *last, at_once],
                ).fetchall()
            if not rows:
                return
            yield [record for _, _, record in rows]
            last = rows[-1][:2]

    def mark_deleted(self, owner: str, search: GameFilter, now: float | None) -> int:
        """Delete the owner's games that a search finds, or with None undo that, and say how many they were.

        What was deleted long ago goes for good.
        """
        condition, values = search.condition(owner)
        with self.transaction() as connection:
            changed = connection.execute(f"UPDATE games SET deleted = ? WHERE {condition}", [now, *values]).rowcount
            if now is not None:
                connection.execute("DELETE FROM games WHERE deleted < ?", (now - DELETED_DAYS * 86400,))
        return changed

    def set_tags(self, game: str, tags: Iterable[str]) -> None:
        """Give a game these tags and no others."""
        with self.transaction() as connection:
            connection.execute("DELETE FROM tags WHERE game = ?", (game,))
            connection.executemany("INSERT OR IGNORE INTO tags VALUES (?, ?)", ((game, tag) for tag in tags))

    def tags(self, owner: str) -> list[tuple[str, int]]:
        """The owner's tags and how many games have each."""
        with self.transaction(write=False) as connection:
            found = connection.execute(
                "SELECT tag, count(*) FROM tags JOIN games ON games.id = tags.game "
                "WHERE owner = ? AND deleted IS NULL GROUP BY tag ORDER BY tag",
                (owner,),
            ).fetchall()
        return [(tag, count) for tag, count in found]

    def after(self, owner: str, key: bytes) -> list[tuple[bytes, Ending, int]]:
        """From a position: where the games went that the owner played here, how they ended, and how many did so."""
        with self.transaction(write=False) as connection:
            found: list[tuple[bytes, Ending, int]] = connection.execute(
                "SELECT substr(path, at + :width, :width) AS next, result, count(*) FROM "
                "(SELECT path, result, instr(path, :key) AS at FROM games "
                f"WHERE owner = :owner AND deleted IS NULL AND {SOURCE} = 'played' AND {BY_PERSON}) "
                "WHERE at % :width = 1 AND length(next) = :width GROUP BY next, result",
                {"key": key, "owner": owner, "width": WIDTH},
            ).fetchall()
        return [row for row in found if row[1] in get_args(Ending)]

    # -- options

    def options(self, owner: str) -> dict[str, Any]:
        """The owner's options."""
        with self.transaction(write=False) as connection:
            rows = connection.execute("SELECT name, value FROM options WHERE owner = ?", (owner,)).fetchall()
        options = {}
        for name, value in rows:
            with suppress(ValueError):  # a damaged one is as if it had not been chosen
                options[name] = json.loads(value)
        return options

    def set_options(self, owner: str, options: Mapping[str, Any], limit: int) -> None:
        """Change options; None removes one."""
        with self.transaction() as connection:
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


COLUMNS = (
    "id, owner, record, snapshot, summary, words, transcript, result, created, used, "
    "(SELECT json_group_array(tag) FROM tags WHERE tags.game = games.id), deleted IS NOT NULL"
)
SUMMARY = {"title", "black", "white", "size", "moves", "result", "opening", "source"}
"""What the library shows of a game beside what has a column of its own."""


DAMAGE = (ValueError, TypeError, OverflowError, OSError)
"""What a damaged row can make of its parts."""


def _kept(row: tuple[Any, ...]) -> Kept:
    game, owner, record, snapshot, summary, words, transcript, result, created, used, tags, deleted = row
    facts = json.loads(summary)
    if not isinstance(facts, dict) or facts.keys() != SUMMARY or result not in get_args(Ending):
        raise ValueError("its summary is damaged")
    for moment in (created, used):
        datetime.fromtimestamp(moment, UTC)  # a time that is none
    return Kept(
        game,
        owner,
        record,
        snapshot,
        facts,
        words,
        transcript,
        result,
        created,
        used,
        tuple(json.loads(tags)),
        bool(deleted),
    )
