"""The file of the store: its tables, its versions, and what is done when it is old or damaged.

Before a file of an older version is changed, a copy of it is made. Of a damaged one all that can be read is brought
into a new one, and it is kept as it is under another name. What is in the tables is the business of `store`.
"""

from __future__ import annotations

import contextlib
import re
import sqlite3
import time
from functools import cache
from itertools import product
from pathlib import Path
from typing import Literal

from othellier.errors import RequestError
from othellier.page.storage.carving import carve
from othellier.page.storage.position_paths import transcript_path
from othellier.page.storage.salvage import OLD_NAMES, move_aside, rescue

VERSION = 4
NEVER = 1000  # no version will be that high: the number is damaged
_State = Literal["empty", "good", "older", "newer", "foreign", "damaged"]
APPLICATION = 0x4F74686C  # "Othl": whose file it is, for tools and for us
BUSY_SECONDS = 3.0
ELSEWHERE = "move it elsewhere, or choose another folder with --data"

SCHEMA = """
CREATE TABLE games (
    id TEXT PRIMARY KEY,
    owner TEXT NOT NULL,
    record TEXT NOT NULL,
    snapshot TEXT NOT NULL,
    summary TEXT NOT NULL,
    words TEXT NOT NULL,
    transcript TEXT NOT NULL,
    result TEXT NOT NULL,
    created REAL NOT NULL,
    used REAL NOT NULL,
    deleted REAL,
    path BLOB NOT NULL DEFAULT x''
) STRICT;
CREATE INDEX games_by_use ON games (owner, deleted, used DESC, id);
CREATE TABLE tags (
    game TEXT NOT NULL REFERENCES games (id) ON DELETE CASCADE,
    tag TEXT NOT NULL,
    PRIMARY KEY (game, tag)
) STRICT, WITHOUT ROWID;
CREATE TABLE options (
    owner TEXT NOT NULL,
    name TEXT NOT NULL,
    value TEXT NOT NULL,
    PRIMARY KEY (owner, name)
) STRICT, WITHOUT ROWID;
CREATE TABLE damaged (
    id TEXT PRIMARY KEY,
    owner TEXT NOT NULL,
    reason TEXT NOT NULL,
    record TEXT NOT NULL,
    snapshot TEXT NOT NULL,
    summary TEXT NOT NULL
) STRICT;
CREATE TABLE collections (
    id TEXT PRIMARY KEY,
    owner TEXT NOT NULL,
    name TEXT NOT NULL,
    UNIQUE (owner, name)
) STRICT;
CREATE TABLE collected (
    collection TEXT NOT NULL REFERENCES collections (id) ON DELETE CASCADE,
    game TEXT NOT NULL REFERENCES games (id) ON DELETE CASCADE,
    PRIMARY KEY (collection, game)
) STRICT, WITHOUT ROWID;
"""


def _table(name: str) -> str:
    """How a table of the schema is made."""
    return f"CREATE TABLE {name} (" + SCHEMA.split(f"CREATE TABLE {name} (")[1].split(";")[0]


def _to_2(connection: sqlite3.Connection) -> None:
    """Paths instead of a row for every position; a place for damaged games."""
    for order in (
        "ALTER TABLE games ADD COLUMN path BLOB NOT NULL DEFAULT x''",
        "DROP TABLE IF EXISTS visits",
        "DROP INDEX games_by_use",
        "CREATE INDEX games_by_use ON games (owner, deleted, used DESC, id)",
        _table("damaged"),
    ):
        connection.execute(order)
    # Those of other boards and starts are found again once they are saved again.
    for game, transcript, summary in connection.execute("SELECT id, transcript, summary FROM games").fetchall():
        if '"size": "8"' in summary:
            connection.execute("UPDATE games SET path = ? WHERE id = ?", (transcript_path(transcript), game))


def _to_3(connection: sqlite3.Connection) -> None:
    """Collections of games."""
    connection.execute(_table("collections"))
    connection.execute(_table("collected"))


def _to_4(connection: sqlite3.Connection) -> None:
    """What a game stands at is called its snapshot."""
    there = _tables(connection)
    for (table, column), (new, old) in product(sorted(there), OLD_NAMES.items()):
        if column == old:
            connection.execute(f"ALTER TABLE {table} RENAME COLUMN {old} TO {new}")


MIGRATIONS = {1: _to_2, 2: _to_3, 3: _to_4}
"""By the version a file has: how it becomes one of the next."""


def connect(path: Path | None) -> sqlite3.Connection:
    """A connection, whatever the file may be."""
    connection = sqlite3.connect(
        ":memory:" if path is None else path, timeout=BUSY_SECONDS, isolation_level=None, check_same_thread=False
    )
    connection.text_factory = lambda data: data.decode("utf-8", "replace")  # one damaged letter is no reason to fail
    return connection


def open_file(path: Path | None) -> tuple[sqlite3.Connection, str]:
    """The connection, with all tables made and checked, and what had to be done for that."""
    if path is not None:
        path.parent.mkdir(parents=True, exist_ok=True)
    connection, said = connect(path), ""
    try:
        state = _state(connection) if path is not None else "empty"
        if path is not None and state == "damaged":
            if not _holds_games(connection, path):
                raise RequestError("not_saved", f"it is damaged, and no game was found in it; {ELSEWHERE}")
            connection.close()
            connection, said = _rescued(path)
        elif state == "foreign":
            raise RequestError("not_saved", f"this is the database of another program; {ELSEWHERE}")
        elif state == "newer":
            raise RequestError("not_saved", "it was written by a newer version of this program, please update")
        else:
            version = _mark(connection, "user_version")
            if path is not None and state == "older":
                _copy(connection, path, version)
            _prepare(connection)
            if state == "empty":
                _create(connection)
            elif state == "older":
                _migrate(connection, version)
    except BaseException:
        connection.close()
        raise
    return connection, said


def _state(connection: sqlite3.Connection) -> _State:
    """What a file is, as far as SQLite can tell."""
    try:
        ours = _mark(connection, "application_id") == APPLICATION
        version = _mark(connection, "user_version")
        if not ours and connection.execute("SELECT count(*) FROM sqlite_schema").fetchone()[0] == 0:
            return "empty" if _mark(connection, "application_id") == 0 else "foreign"
        whole = connection.execute("PRAGMA integrity_check(1)").fetchone()[0] == "ok"
        alike = _tables(connection) == _expected()
    except UnicodeDecodeError:  # a damaged name in the schema
        return "damaged"
    except sqlite3.DatabaseError as error:
        if isinstance(error, sqlite3.OperationalError) and not re.search(
            "malformed|unsupported", str(error)
        ):  # locked …
            raise
        return "damaged"
    if not ours and not alike:  # nobody else has tables such as ours: a mark that says otherwise is damaged
        return "foreign" if whole else "damaged"
    if ours and VERSION < version < NEVER:
        return "newer"
    if ours and whole and alike and version == VERSION:
        return "good"
    return "older" if ours and whole and not alike and 0 < version < VERSION else "damaged"


def _mark(connection: sqlite3.Connection, name: str) -> int:
    found: int = connection.execute(f"PRAGMA {name}").fetchone()[0]
    return found


def _holds_games(connection: sqlite3.Connection, path: Path) -> bool:
    """Whether a damaged file is ours beyond doubt: it says so, or has games."""
    with contextlib.suppress(sqlite3.Error):
        if _mark(connection, "application_id") == APPLICATION:
            return True
    return bool(carve(path))


def _prepare(connection: sqlite3.Connection) -> None:
    connection.execute("PRAGMA journal_mode = WAL")
    connection.execute("PRAGMA synchronous = FULL")  # a finished save survives even a loss of power
    connection.execute("PRAGMA foreign_keys = ON")


def _create(connection: sqlite3.Connection) -> None:
    marks = f"PRAGMA application_id = {APPLICATION}; PRAGMA user_version = {VERSION};"
    connection.executescript(f"BEGIN IMMEDIATE; {SCHEMA} {marks} COMMIT;")


def _tables(connection: sqlite3.Connection) -> set[tuple[str, str]]:
    """All tables with their columns."""
    return set(
        connection.execute(
            "SELECT m.name, c.name FROM sqlite_schema AS m, pragma_table_info(m.name) AS c WHERE m.type = 'table'"
        )
    )


@cache
def _expected() -> frozenset[tuple[str, str]]:
    connection = connect(None)
    try:
        _create(connection)
        return frozenset(_tables(connection))
    finally:
        connection.close()


def _rescued(path: Path) -> tuple[sqlite3.Connection, str]:
    """A new database with what can be read of a damaged one."""
    aside = move_aside(path)
    connection = connect(path)
    try:
        _prepare(connection)
        _create(connection)
        saved, lost = rescue(aside, connection)
    except BaseException:
        connection.close()
        for ending in ("", "-wal", "-shm"):
            path.with_name(path.name + ending).unlink(missing_ok=True)
            if aside.with_name(aside.name + ending).exists():
                aside.with_name(aside.name + ending).rename(path.with_name(path.name + ending))
        raise
    return connection, f"{path}: it was damaged; {saved} games were saved, {lost} lost, and it is kept as {aside.name}"


def _copy(connection: sqlite3.Connection, path: Path, version: int) -> None:
    stamp = time.strftime("%Y%m%d-%H%M%S")
    connection.execute("VACUUM INTO ?", (str(path.with_name(f"{path.name}.version-{version}-{stamp}")),))


def _migrate(connection: sqlite3.Connection, version: int) -> None:
    """Bring a file of an older version up to date."""
    connection.execute("BEGIN IMMEDIATE")
    for number in range(version, VERSION):
        MIGRATIONS[number](connection)
    connection.execute(f"PRAGMA user_version = {VERSION}")
    connection.execute("COMMIT")


def failure_words(error: Exception) -> str:
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
