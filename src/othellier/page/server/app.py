"""The server's application: routes, sockets, the page's files, and errors as the contract has them.

Thin on purpose: games are run by `game_manager`, guarded by `security`, described by `contract`.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import logging
import re
import tempfile
import time
from collections.abc import AsyncIterator, Callable
from dataclasses import dataclass, field
from importlib import metadata
from pathlib import Path

from fastapi import FastAPI, Request, Response, WebSocket, WebSocketDisconnect
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse
from pydantic import ValidationError
from starlette.exceptions import HTTPException

from othellier.errors import OthellierError, RequestError
from othellier.games.game import Game
from othellier.page.play.browser_tab import Tab
from othellier.page.play.running_game import RunningGame
from othellier.page.server.game_manager import GameManager, make_searchers
from othellier.page.server.laboratory_routes import laboratory
from othellier.page.server.learning_routes import learn
from othellier.page.server.library_routes import library
from othellier.page.server.routes import api, send_file
from othellier.page.server.security import STATUS, Access, Bucket, SecurityMiddleware, owner_of
from othellier.page.server.static_files import Pages
from othellier.page.server.study_routes import study
from othellier.page.server.transfer_routes import exchange
from othellier.page.storage.store import Store
from othellier.page.study.book_shelf import BookShelf
from othellier.page.study.game_database import GameDatabase
from othellier.page.study.learning import Learning
from othellier.page.wire.events import error_view, event_text
from othellier.players.pool import Searchers
from othellier.session.commands import NewGame, parse_command
from othellier.session.rights import LOCAL

DATABASE = "games.sqlite3"
COMMAND_RATE, COMMAND_BURST = 60.0, 240.0
ID = re.compile(r'"id"\s{0,9}:\s{0,9}(?:(-?\d{1,18})\b|"([^"\\]{1,80})")')  # in a text that is no JSON


@dataclass(frozen=True, slots=True)
class ServerSettings:
    """How to serve: where games are kept (None: in memory), for whom, in which language."""

    data: Path | None = None
    access: Access = field(default_factory=Access)
    language: str | None = None
    games: tuple[Path, ...] = ()
    """Files and folders of other people's games, for the explorer."""
    books: tuple[Path, ...] = ()
    """Books to choose from; the first one is used."""
    searchers: Callable[[], Searchers] = make_searchers
    first: NewGame | None = None
    """A game to begin with; its id is `app.state.first` then."""
    ended: Callable[[Game], None] | None = None
    """Handed that game when the server stops."""


def create_app(settings: ServerSettings) -> FastAPI:
    """The application; its games begin and end with it."""

    @contextlib.asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncIterator[None]:
        data, shared = settings.data, settings.access.shared
        store = await asyncio.to_thread(Store, None if data is None else data / DATABASE)
        traces = None if data is None or shared else data / "traces"
        passing = tempfile.TemporaryDirectory(prefix="othellier-") if data is None else None
        folder = data if passing is None else Path(passing.name)
        assert folder is not None
        shelf = BookShelf(folder / "books", settings.books, may_change=not shared)
        database = GameDatabase(folder / "database", settings.games, book=shelf.current, may_change=not shared)
        learning = Learning(store, folder, shelf)
        app.state.manager = manager = GameManager(store, settings.searchers(), database, learning, shelf, traces=traces)
        for message in filter(None, (store.message, shelf.message)):
            logging.getLogger("othellier").warning("othellier: %s", message)
        database.start()
        first = None if settings.first is None else await manager.create(settings.first, LOCAL)
        app.state.first = "" if first is None else first.name
        try:
            yield
        finally:
            if first is not None and settings.ended is not None:
                settings.ended((await manager.find(first.name)).session.game)
            await manager.close()
            if passing is not None:
                passing.cleanup()

    app = FastAPI(
        title="Othellier",
        version=metadata.version("othellier"),
        lifespan=lifespan,
        openapi_url="/api/v1/openapi.json",
        docs_url=None,  # the viewers FastAPI offers are loaded from elsewhere
        redoc_url=None,
        redirect_slashes=False,  # a path with a slash too many is no other address of the same thing
    )
    app.state.pages = Pages(language=settings.language)
    app.state.shared = settings.access.shared
    app.state.language = settings.language
    app.include_router(api)
    app.include_router(library)
    app.include_router(exchange)
    app.include_router(study)
    app.include_router(learn)
    app.include_router(laboratory)
    app.add_api_websocket_route("/api/v1/games/{game}/socket", _socket)
    app.add_route("/", _index, include_in_schema=False)
    app.add_route("/sw.js", _worker, include_in_schema=False)
    app.add_route("/manifest.webmanifest", _manifest, include_in_schema=False)
    app.add_route("/assets/{name}", _asset, include_in_schema=False)
    app.add_route("/static/{name:path}", _static, include_in_schema=False)
    app.add_exception_handler(OthellierError, _any_error)
    app.add_exception_handler(RequestValidationError, _validation_error)
    app.add_exception_handler(HTTPException, _http_error)
    app.add_exception_handler(Exception, _any_error)
    app.add_middleware(SecurityMiddleware, access=settings.access)
    return app


# -- the page


async def _index(request: Request) -> Response:
    return send_file(request, request.app.state.pages.index())


async def _worker(request: Request) -> Response:
    return send_file(request, request.app.state.pages.worker())


async def _manifest(request: Request) -> Response:
    return send_file(request, request.app.state.pages.manifest())


async def _asset(request: Request) -> Response:
    return send_file(request, request.app.state.pages.asset(request.path_params["name"]), lasting=True)


async def _static(request: Request) -> Response:
    return send_file(request, request.app.state.pages.file(request.path_params["name"]))


# -- errors


def _error(error: RequestError, status: int | None = None) -> JSONResponse:
    headers = {"retry-after": str(max(1, round(float(error.data["retry"]))))} if "retry" in error.data else None
    body = {"error": error_view(error).model_dump()}
    return JSONResponse(body, status or STATUS.get(error.code, 500), headers=headers)


async def _any_error(_: Request, error: Exception) -> Response:
    view = error_view(error)
    return _error(error if isinstance(error, RequestError) else RequestError(view.code, view.message))


async def _validation_error(_: Request, error: Exception) -> Response:
    assert isinstance(error, RequestValidationError)
    return _error(_bad_request(error))


def _bad_request(error: RequestValidationError | ValidationError) -> RequestError:
    """What is wrong with a request, by its first field that is."""
    first = error.errors()[0]
    place = ".".join(str(part) for part in first.get("loc", ()) if part not in ("body", "query", "path"))
    words = " ".join(str(first.get("msg", "it is not as described")).split())
    return RequestError("bad_request", f"{place}: {words}"[:300] if place else words[:300], field=place[:80])


async def _http_error(_: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException)
    if error.status_code == 404:
        return _error(RequestError("not_found", "there is nothing here"))
    return _error(RequestError("bad_request", str(error.detail), field=""), error.status_code)


# -- sockets


async def _socket(socket: WebSocket, game: str, node: str | None = None) -> None:
    """One tab: a task tells it what happens, this one hears what it asks."""
    manager: GameManager = socket.app.state.manager
    await socket.accept()
    tab = Tab(None if node is None else node[:1000])
    try:
        running = await manager.join(game[:80], tab)
    except RequestError as error:
        await socket.send_text(event_text("error", error=error_view(error)))
        await socket.close({"unknown_game": 4404, "too_many": 4429}.get(error.code, 1011), error.code)
        return
    store = manager.store
    if store.message:  # games that cannot be kept are worth a word before they are played
        tab.tell(event_text("store", ok=store.kept, message=store.message))
    teller = asyncio.create_task(_tell(socket, tab))
    listener = asyncio.create_task(_listen(socket, running, tab, owner_of(socket.scope, socket.app.state.shared)))
    try:
        await asyncio.wait({teller, listener}, return_when=asyncio.FIRST_COMPLETED)
    finally:
        for task in (teller, listener):
            task.cancel()
        await asyncio.shield(manager.leave(running, tab))  # whatever ends this, the game is put away in order
        await asyncio.gather(teller, listener, return_exceptions=True)


async def _tell(socket: WebSocket, tab: Tab) -> None:
    with contextlib.suppress(WebSocketDisconnect, RuntimeError):  # it has gone meanwhile
        while (text := await tab.next()) is not None:
            await socket.send_text(text)
        await socket.close(tab.close_code or 1000)


async def _listen(socket: WebSocket, running: RunningGame, tab: Tab, asker: str) -> None:
    """Hear and obey; every answer names the command it is for, as far as that can be read."""
    bucket = Bucket(COMMAND_RATE, COMMAND_BURST)
    while True:
        message = await socket.receive()
        if message["type"] == "websocket.disconnect":
            return
        text = message.get("text") or message.get("bytes") or ""
        name: int | str | None = None
        try:
            wait = bucket.take(time.monotonic())
            if wait:
                name = _id_of(text)
                raise RequestError("too_many", "too many commands at once, try again soon", retry=round(wait + 0.05, 2))
            try:
                command = parse_command(text)
            except ValidationError as error:
                name = _id_of(text)
                raise _bad_request(error) from None
            name = command.id
            await running.obey(command, tab, asker)
            tab.tell(event_text("done", id=name))
        except Exception as error:  # a bug is told as well: the game goes on
            fields = {} if name is None else {"id": name}
            tab.tell(event_text("error", **fields, error=error_view(error)))


def _id_of(text: str | bytes) -> int | str | None:
    """The id of a command that is not obeyed, so that whoever sent it learns of it, though the rest be unreadable."""
    try:
        name = json.loads(text)["id"]
    except (ValueError, TypeError, KeyError, RecursionError):
        words = text.decode("utf-8", "replace") if isinstance(text, bytes) else text
        found = ID.search(words)
        return None if found is None else int(found[1]) if found[1] else found[2]
    if isinstance(name, str):
        name = name.encode("utf-8", "replace").decode()  # half a character cannot be sent back
    return name if isinstance(name, int | str) and len(str(name)) <= 80 else None
