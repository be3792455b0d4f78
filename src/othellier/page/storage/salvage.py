"""A damaged database: everything that can still be read of it, brought into a new one.

What SQLite can read is asked of it; games beyond its reach are looked for in the bytes of the file. The damaged file
itself is kept under another name, byte for byte. What cannot be read is counted, not guessed.
"""

from __future__ import annotations

import contextlib
import sqlite3
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from othellier.page.storage.carving import COLUMNS, carve

OLD_NAMES = {"snapshot": "memo"}
"""Columns of older versions that were called something else."""

ORDERS = (
    "SELECT rowid FROM games NOT INDEXED ORDER BY rowid",
    "SELECT rowid FROM games NOT INDEXED ORDER BY rowid DESC",
    "SELECT rowid FROM games ORDER BY id",
    "SELECT rowid FROM games ORDER BY id DESC",
    "SELECT rowid FROM games INDEXED BY games_by_use",
)
"""Several ways to the same rows: where one meets a damaged page, another may go round it."""


def move_aside(path: Path) -> Path:
    """Rename a database and what belongs to it; its new name."""
    aside = path.with_name(f"{path.name}.damaged-{time.strftime('%Y%m%d-%H%M%S')}")
    for ending in ("", "-wal", "-shm"):
        with contextlib.suppress(FileNotFoundError):
            path.with_name(path.name + ending).rename(aside.with_name(aside.name + ending))
    return aside


def rescue(damaged: Path, connection: sqlite3.Connection) -> tuple[int, int]:
    """Copy what can be read into a new database of the same version: how many games, and how many are lost."""
    source = sqlite3.connect(f"{damaged.resolve().as_uri()}?mode=ro", uri=True, isolation_level=None)
    source.text_factory = lambda data: data.decode("utf-8", "replace")
    list(_rows(source, "PRAGMA writable_schema = ON"))  # what is wrong with one table then does not hide the others
    try:
        saved, lost = 0, 0
        connection.execute("BEGIN IMMEDIATE")
        columns = [row[1] for row in connection.execute("PRAGMA table_info(games)")]
        there = set(_rows(source, "SELECT name FROM pragma_table_info('games')"))
        found = {
            column: old for column in columns for old in (column, OLD_NAMES.get(column, column)) if (old,) in there
        }
        numbers = sorted({number for order in ORDERS for (number,) in _rows(source, order)})
        for number in numbers:
            rows = list(_rows(source, f"SELECT {', '.join(found.values())} FROM games WHERE rowid = {number}"))
            try:
                marks = ", ".join("?" * len(rows[0]))
                connection.execute(f"INSERT INTO games ({', '.join(found)}) VALUES ({marks})", rows[0])
                saved += 1
            except (sqlite3.Error, IndexError):
                lost += 1
        marks = ", ".join("?" * len(COLUMNS))
        for row in carve(damaged).values():
            with contextlib.suppress(sqlite3.Error):
                order = f"INSERT OR IGNORE INTO games ({', '.join(COLUMNS)}) VALUES ({marks})"
                more = connection.execute(order, row).rowcount
                saved, lost = saved + more, max(0, lost - more)
        for table in ("tags", "options", "collections", "collected"):
            for row in _rows(source, f"SELECT * FROM {table}"):
                with contextlib.suppress(sqlite3.Error):
                    connection.execute(f"INSERT OR IGNORE INTO {table} VALUES ({', '.join('?' * len(row))})", row)
        for table in ("tags", "collected"):
            connection.execute(f"DELETE FROM {table} WHERE game NOT IN (SELECT id FROM games)")
        connection.execute("COMMIT")
        return saved, lost
    finally:
        source.close()


def _rows(source: sqlite3.Connection, question: str) -> Iterator[tuple[Any, ...]]:
    """The rows of an answer, as far as they can be read."""
    with contextlib.suppress(sqlite3.Error, OverflowError, UnicodeDecodeError):
        yield from source.execute(question)
