"""The REST routes of studying openings: the explorer, the database it looks through, the drill."""

from __future__ import annotations

import asyncio
import tempfile
from functools import partial
from pathlib import Path
from typing import Annotated

from fastapi import APIRouter, Depends, Query, Request
from pydantic import StringConstraints

from othellier.errors import OthellierError, RecordError, RequestError
from othellier.games.game import Game, GameNode
from othellier.games.node_names import find_node, node_id
from othellier.openings.explorer import Query as GameQuery
from othellier.page.play.opening_names import opening_at
from othellier.page.server.library_routes import QueryText
from othellier.page.server.routes import ERRORS, GameId, asker, manager_of
from othellier.page.server.transfer_routes import received
from othellier.page.storage.position_paths import key
from othellier.page.study.explorer import explore, values_beyond_book
from othellier.page.study.library import own_tallies
from othellier.page.study.model_games import as_seen, library_id, list_games
from othellier.page.wire import explorer_models, replies
from othellier.page.wire.events import refusal
from othellier.players.pool import Urgency
from othellier.records.transcript import played
from othellier.rules import native
from othellier.rules.board import Color
from othellier.rules.geometry import Size
from othellier.session import commands as m

study = APIRouter(prefix="/api/v1", responses=ERRORS)
A_FILE = {
    "requestBody": {
        "required": True,
        "content": {"application/octet-stream": {"schema": {"type": "string", "format": "binary"}}},
    }
}
"""The body of a request that hands in a file, as the documentation of the API tells it."""


async def _place(
    request: Request,
    game: GameId | None = None,
    node: Annotated[str, StringConstraints(max_length=1000)] = "",
    moves: m.MoveList = "",
    size: Annotated[str, StringConstraints(pattern=r"^(4|6|8)(x(4|6|8))?$")] = "8",
) -> GameNode:
    """The position that is asked about: a node of a game, or after moves from the start."""
    if game is None:
        return _played(moves, size)
    return find_node((await manager_of(request).find(game)).session.game, node)


_Place = Annotated[GameNode, Depends(_place)]


@study.get("/explorer")
async def get_explorer(request: Request, place: _Place) -> explorer_models.Explored:
    """What is known of a position."""
    manager, owner = manager_of(request), asker(request)
    position = place.position
    found = await manager.ask_store(lambda: manager.store.after(owner, key(position)))
    own = own_tallies(position, found)
    return await asyncio.to_thread(explore, position, node_id(place), opening_at(place), own, manager.database.explorer)


@study.get("/explorer/values")
async def get_values(request: Request, place: _Place) -> explorer_models.EngineValues:
    """What the engine thinks of the moves that are in no book."""
    manager = manager_of(request)
    work = partial(values_beyond_book, position=place.position, book=manager.database.explorer.book)
    return explorer_models.EngineValues(values=await manager.searchers.run(work, Urgency.ANALYSIS))


@study.get("/explorer/games")
async def get_model_games(
    request: Request,
    place: _Place,
    player: QueryText = "",
    first: Annotated[int | None, Query(ge=0, le=9999)] = None,
    last: Annotated[int | None, Query(ge=0, le=9999)] = None,
    sort: explorer_models.Sort = "newest",
    limit: Annotated[int, Query(ge=1, le=100)] = 20,
    offset: Annotated[int, Query(ge=0, le=1_000_000)] = 0,
) -> explorer_models.ModelGames:
    """Games of the database through a position, by player and year."""
    database, position = manager_of(request).database.explorer, place.position
    query = GameQuery(player=player, first_year=first, last_year=last, position=position)
    return await asyncio.to_thread(list_games, database, position, query, sort, limit, offset)


@study.post("/explorer/games")
async def open_model_game(request: Request, asked: explorer_models.ModelAsked) -> explorer_models.ModelOpened:
    """Put a game of the database into one's library, once, and say where it comes by the moves given."""
    manager, owner = manager_of(request), asker(request)
    place = _played(asked.moves.replace("--", ""), "8")
    games = manager.database.explorer.games
    if games is None or asked.number >= len(games) or asked.number not in games.find(place.position):
        raise RequestError("not_found", "there is no such game here")
    game = games.game(asked.number)
    moves, at = as_seen(game, place.position)
    turned = Game.from_moves(moves, game.start, game.headers, game.result)
    name, node = library_id(owner, turned), node_id(turned.goto(at))
    await manager.keep_imported(turned, name, owner)
    return explorer_models.ModelOpened(game=name, node=node)


def _played(moves: str, size: str) -> GameNode:
    try:
        board = Size.parse(size)
        return played(moves, native.start(board)).goto(-1)
    except RecordError as error:
        raise refusal(error) from None
    except OthellierError as error:
        raise RequestError("bad_record", " ".join(str(error).split()), where="moves") from None


# -- other people's games


@study.get("/database")
async def get_database(request: Request) -> replies.DatabaseView:
    """What the explorer looks through."""
    return manager_of(request).database.view()


@study.post("/database", openapi_extra=A_FILE)
async def add_games(request: Request, name: QueryText = "") -> replies.DatabaseView:
    """Hand in a file of games, of WTHOR's names, or an archive of them; all is read anew soon after."""
    database, data = manager_of(request).database, await request.body()
    await asyncio.to_thread(database.add, data, name)
    database.start()
    return database.view()


@study.delete("/database")
async def clear_games(request: Request) -> replies.DatabaseView:
    """Forget the files handed in."""
    database = manager_of(request).database
    await asyncio.to_thread(database.clear)
    database.start()
    return database.view()


# -- books


@study.get("/books")
async def get_books(request: Request) -> explorer_models.BooksView:
    """The books one can choose from."""
    return await asyncio.to_thread(manager_of(request).shelf.view)


@study.patch("/books")
async def choose_book(request: Request, asked: explorer_models.BookChosen) -> explorer_models.BooksView:
    """Use another book; one that cannot be read leaves the old one in use."""
    manager = manager_of(request)
    await asyncio.to_thread(manager.shelf.choose, asked.name)
    manager.database.use_book(manager.shelf.current)
    return await get_books(request)


@study.post("/books", openapi_extra=A_FILE)
async def add_book(request: Request, name: QueryText = "") -> explorer_models.BooksView:
    """Hand in a book, and use it."""
    manager = manager_of(request)
    data, path = await received(request.stream())
    try:
        with tempfile.TemporaryDirectory(prefix="othellier-") as folder:
            file = path or Path(folder) / "book.bib"
            if path is None:
                await asyncio.to_thread(file.write_bytes, data)
            await asyncio.to_thread(manager.shelf.add, file, name)
    finally:
        if path is not None:
            path.unlink(missing_ok=True)
    manager.database.use_book(manager.shelf.current)
    return await get_books(request)


# -- learning by heart


@study.get("/drill")
async def get_card(
    request: Request,
    color: Color = "black",
    opening: Annotated[str, StringConstraints(max_length=80)] = "",
    plies: Annotated[int, Query(ge=1, le=30)] = 12,
    ahead: bool = False,
    last: Annotated[str, StringConstraints(max_length=40)] = "",
) -> replies.DrillView:
    """The next card of a repertoire, not the last one again if there are others; `ahead` asks what is not yet due."""
    manager, owner = manager_of(request), asker(request)
    asked = m.Repertoire(color=color, opening=opening, plies=plies)
    return await asyncio.to_thread(manager.learning.drill.ask, owner, asked, ahead, last)


@study.post("/drill")
async def answer_card(request: Request, given: m.DrillGiven) -> replies.DrillAnswer:
    """An answer to a card."""
    manager, owner = manager_of(request), asker(request)
    return await asyncio.to_thread(manager.learning.drill.answer, owner, given)
