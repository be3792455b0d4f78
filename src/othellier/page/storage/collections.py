"""Collections: games that somebody put together under a name. A game may be in several; to delete one deletes no game.

All of it is asked for an owner, and says nothing of what others have.
"""

from __future__ import annotations

import secrets
from typing import NamedTuple

from othellier.errors import RequestError
from othellier.page.storage.store import GameFilter, Store

LIMIT = 500
"""Collections of one owner."""


class Collection(NamedTuple):
    """A collection and how many games are in it."""

    id: str
    name: str
    games: int


class Collections:
    """The collections of a store; every call is safe from any thread."""

    def __init__(self, store: Store) -> None:
        self._store = store

    def all(self, owner: str) -> list[Collection]:
        """The owner's collections by name; deleted games are not counted."""
        with self._store.transaction(write=False) as connection:
            rows = connection.execute(
                "SELECT collections.id, name, count(games.id) FROM collections "
                "LEFT JOIN collected ON collected.collection = collections.id "
                "LEFT JOIN games ON games.id = collected.game AND games.deleted IS NULL "
                "WHERE collections.owner = ? GROUP BY collections.id",
                (owner,),
            ).fetchall()
        return sorted((Collection(*row) for row in rows), key=lambda found: found.name.casefold())

    def make(self, owner: str, name: str) -> str:
        """A new collection; its id."""
        made = secrets.token_urlsafe(12)
        with self._store.transaction() as connection:
            (count,) = connection.execute("SELECT count(*) FROM collections WHERE owner = ?", (owner,)).fetchone()
            if count >= LIMIT:
                raise RequestError("too_large", f"no more than {LIMIT} collections are kept", limit=LIMIT)
            order = "INSERT OR IGNORE INTO collections VALUES (?, ?, ?)"
            if not connection.execute(order, (made, owner, name)).rowcount:
                raise _taken(name)
        return made

    def rename(self, owner: str, collection: str, name: str) -> None:
        """Call a collection something else."""
        self.check(owner, collection)
        with self._store.transaction() as connection:
            order = "UPDATE OR IGNORE collections SET name = ? WHERE id = ? AND owner = ?"
            if not connection.execute(order, (name, collection, owner)).rowcount:
                raise _taken(name)

    def remove(self, owner: str, collection: str) -> None:
        """Delete a collection; its games stay."""
        self.check(owner, collection)
        with self._store.transaction() as connection:
            connection.execute("DELETE FROM collections WHERE id = ? AND owner = ?", (collection, owner))

    def put(self, owner: str, collection: str, search: GameFilter) -> int:
        """Put the owner's games that a search finds into a collection: how many were not in it."""
        self.check(owner, collection)
        condition, values = search.condition(owner)
        with self._store.transaction() as connection:
            order = f"INSERT OR IGNORE INTO collected SELECT ?, id FROM games WHERE {condition}"
            return connection.execute(order, [collection, *values]).rowcount

    def take_out(self, owner: str, collection: str, search: GameFilter) -> int:
        """Take the games that a search finds out of a collection: how many were in it."""
        self.check(owner, collection)
        condition, values = search.condition(owner)
        with self._store.transaction() as connection:
            order = f"DELETE FROM collected WHERE collection = ? AND game IN (SELECT id FROM games WHERE {condition})"
            return connection.execute(order, [collection, *values]).rowcount

    def check(self, owner: str, collection: str) -> None:
        """Refuse a collection that is not the owner's, as one that is not there."""
        with self._store.transaction(write=False) as connection:
            found = connection.execute("SELECT owner FROM collections WHERE id = ?", (collection,)).fetchone()
        if found != (owner,):
            raise RequestError("not_found", "there is no such collection")


def _taken(name: str) -> RequestError:
    return RequestError("name_taken", f"there is a collection {name} already", name=name)
