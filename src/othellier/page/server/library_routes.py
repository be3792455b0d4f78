"""The REST routes of the library: its games, collections of them, and what is done to many at once."""

from __future__ import annotations

import time
from typing import Annotated

from fastapi import APIRouter, Depends, Query, Request
from pydantic import StringConstraints

from othellier.errors import RequestError
from othellier.page.server.game_manager import GameManager
from othellier.page.server.routes import ERRORS, GameId, asker, manager_of
from othellier.page.storage.store import GameFilter
from othellier.page.study.library import summary_view
from othellier.page.wire import library_models as m
from othellier.page.wire import replies
from othellier.page.wire.library_models import Ending, GameOrigin

library = APIRouter(prefix="/api/v1", responses=ERRORS)

QueryText = Annotated[str, StringConstraints(max_length=200)]
MaybeId = Annotated[str, StringConstraints(pattern=r"^[A-Za-z0-9_-]{0,40}$")]


def _asked(
    search: QueryText = "",
    tag: QueryText = "",
    result: Ending | None = None,
    source: GameOrigin | None = None,
    collection: MaybeId = "",
    deleted: bool = False,
) -> GameFilter:
    """Which games of the library a request is about."""
    return GameFilter(search, tag, result, source, collection, deleted=deleted)


Asked = Annotated[GameFilter, Depends(_asked)]


@library.get("/games")
async def get_games(
    request: Request,
    asked: Asked,
    limit: Annotated[int, Query(ge=1, le=200)] = 50,
    offset: Annotated[int, Query(ge=0, le=1_000_000)] = 0,
) -> replies.Library:
    """The library, last used first."""
    manager, owner = manager_of(request), asker(request)
    return await manager.ask_store(lambda: _page(manager, owner, asked, limit, offset))


def _page(manager: GameManager, owner: str, asked: GameFilter, limit: int, offset: int) -> replies.Library:
    """A page of the library. For a thread."""
    store = manager.store
    found = store.find(owner, asked, limit=limit, offset=offset)
    games = []
    for kept in found.games:
        try:
            games.append(summary_view(kept))
        except RequestError as error:
            store.set_aside(kept.id, error.message)
    return replies.Library(
        games=games,
        total=found.total - len(found.games) + len(games),
        tags=[replies.TagCount(tag=name, games=count) for name, count in store.tags(owner)],
        collections=_collections(manager, owner),
        damaged=store.damaged(owner),
    )


def _collections(manager: GameManager, owner: str) -> list[m.CollectionView]:
    found = manager.collections.all(owner)
    return [m.CollectionView(collection=each.id, name=each.name, games=each.games) for each in found]


@library.post("/games/selection")
async def change_many(request: Request, asked: m.Selection) -> m.Selected:
    """Do something to several games at once: those named, or all that a search finds."""
    manager, owner = manager_of(request), asker(request)
    store, collections = manager.store, manager.collections
    games = None if asked.games is None else tuple(asked.games)
    search = GameFilter(asked.search, asked.tag, asked.result, asked.source, asked.collection, games)
    if asked.do == "delete":
        moment = time.time()
        count = await manager.ask_store(lambda: store.mark_deleted(owner, search, moment))
        return m.Selected(games=count, moment=moment)
    if asked.do == "restore":
        gone = GameFilter(games=games, deleted=True, moment=asked.moment)
        return m.Selected(games=await manager.ask_store(lambda: store.mark_deleted(owner, gone, None)))
    if asked.do == "analyse":
        count, job = await manager.analyse(owner, search)
        return m.Selected(games=count, job=job)
    change = collections.put if asked.do == "collect" else collections.take_out
    return m.Selected(games=await manager.ask_store(lambda: change(owner, asked.into, search)))


# -- collections


@library.get("/collections")
async def get_collections(request: Request) -> m.CollectionList:
    """One's collections, by name."""
    manager, owner = manager_of(request), asker(request)
    return m.CollectionList(collections=await manager.ask_store(lambda: _collections(manager, owner)))


@library.post("/collections", status_code=201)
async def make_collection(request: Request, asked: m.CollectionName) -> m.CollectionView:
    """A new collection."""
    manager, owner = manager_of(request), asker(request)
    made = await manager.ask_store(lambda: manager.collections.make(owner, asked.name))
    return m.CollectionView(collection=made, name=asked.name, games=0)


@library.patch("/collections/{collection}")
async def rename_collection(request: Request, collection: GameId, asked: m.CollectionName) -> m.CollectionList:
    """Call a collection something else."""
    manager, owner = manager_of(request), asker(request)
    await manager.ask_store(lambda: manager.collections.rename(owner, collection, asked.name))
    return await get_collections(request)


@library.delete("/collections/{collection}")
async def delete_collection(request: Request, collection: GameId) -> m.CollectionList:
    """Delete a collection; its games stay."""
    manager, owner = manager_of(request), asker(request)
    await manager.ask_store(lambda: manager.collections.remove(owner, collection))
    return await get_collections(request)
