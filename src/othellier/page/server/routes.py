"""The REST routes under /api/v1: each hands its request on and gives the answer its shape."""

from __future__ import annotations

import re
from functools import cache
from typing import Annotated, Any

from fastapi import APIRouter, Query, Request, Response
from pydantic import StringConstraints

from othellier.errors import InvalidPosition, RequestError
from othellier.games.node_names import find_node
from othellier.openings import balanced
from othellier.page.play.opening_names import opening_list
from othellier.page.play.state_view import legal_squares
from othellier.page.server import program_info
from othellier.page.server.game_manager import GameManager
from othellier.page.server.security import owner_of
from othellier.page.server.static_files import File, Pages
from othellier.page.wire import game_models, replies
from othellier.page.wire.explorer_models import OpeningList
from othellier.pictures import svg
from othellier.rules import native
from othellier.rules.geometry import PASS, parse_square
from othellier.session import commands as m

GameId = Annotated[str, StringConstraints(pattern=r"^[A-Za-z0-9_-]{1,40}$")]
SQUARES = re.compile(r"[a-l](?:1[0-2]|[1-9])")
OPTION_LIMIT = 100
ERRORS: dict[int | str, dict[str, Any]] = {
    status: {"model": game_models.ErrorBody, "description": "The error, by its code"}
    for status in (400, 403, 404, 409, 413, 422, 429, 500, 503, 507)
}


def answers_with(*kinds: str) -> dict[str, Any]:
    """Return what FastAPI is told of a route whose answers are files of these kinds, for the OpenAPI document."""
    content = {kind: {"schema": {"type": "string"}} for kind in kinds}
    return {"response_class": Response, "responses": {200: {"content": content, "description": "A file"}}}


api = APIRouter(prefix="/api/v1", responses=ERRORS)


def manager_of(request: Request) -> GameManager:
    """The games of this server."""
    manager: GameManager = request.app.state.manager
    return manager


def asker(request: Request) -> str:
    """Whose games and options a request is about."""
    return owner_of(request.scope, request.app.state.shared)


def send_file(request: Request, file: File, lasting: bool = False) -> Response:
    """The answer that holds a file, or says that the browser has it; a lasting one never changes."""
    caching = "public, max-age=31536000, immutable" if lasting else "no-cache"
    headers = {"etag": file.tag, "cache-control": caching, "vary": "accept-encoding"}
    if request.headers.get("if-none-match") == file.tag:
        return Response(status_code=304, headers=headers)
    if file.packed and "gzip" in request.headers.get("accept-encoding", ""):
        return Response(file.packed, media_type=file.kind, headers={**headers, "content-encoding": "gzip"})
    return Response(file.data, media_type=file.kind, headers=headers)


# -- the program


@api.get("/info")
async def get_info(request: Request) -> replies.Info:
    """About the program, its engine, evaluation and book."""
    return await program_info.info(manager_of(request), request.app.state.shared, request.app.state.language)


@api.get("/players")
async def get_players() -> replies.PlayersView:
    """Whom one may play against."""
    return program_info.players()


@api.get("/languages")
async def get_languages(request: Request) -> replies.Languages:
    """The languages of the page."""
    pages: Pages = request.app.state.pages
    found = [replies.LanguageView(code=code, name=name) for code, name in pages.languages()]
    return replies.Languages(languages=found, default=request.app.state.language)


@api.get("/languages/{code}")
async def get_words(request: Request, code: Annotated[str, StringConstraints(max_length=20)]) -> Response:
    """All words of a language, as one JSON object."""
    pages: Pages = request.app.state.pages
    return send_file(request, pages.words(code))


@api.get("/options")
async def get_options(request: Request) -> dict[str, Any]:
    """The options that were remembered."""
    manager, owner = manager_of(request), asker(request)
    return await manager.ask_store(lambda: manager.store.options(owner))


@api.patch("/options")
async def patch_options(request: Request, changes: m.OptionValues) -> dict[str, Any]:
    """Remember options; null forgets one."""
    manager, owner = manager_of(request), asker(request)
    await manager.ask_store(lambda: manager.store.set_options(owner, changes, OPTION_LIMIT))
    return await manager.ask_store(lambda: manager.store.options(owner))


# -- openings and positions


@api.get("/openings", response_model=OpeningList)
async def get_openings(request: Request) -> Response:
    """The named openings one can choose."""
    return send_file(request, _openings())


@cache
def _openings() -> File:
    found = OpeningList(openings=opening_list(), balanced=bool(balanced.shipped()))
    return File.of(found.model_dump_json().encode(), ".json")


@api.post("/positions")
async def check_position(asked: m.BoardAsked) -> replies.PositionView:
    """Whether a board can be played, and how."""
    try:
        position = native.parse(asked.board, asked.size)
    except InvalidPosition as error:
        raise RequestError("bad_position", str(error)) from None
    return replies.PositionView(
        ok=True,
        board=position.board_string(),
        turn=position.turn,
        discs=game_models.Discs(black=position.discs("black"), white=position.discs("white")),
        legal=legal_squares(position),
        over=position.is_over(),
        must_pass=position.must_pass(),
    )


# -- games


@api.post("/games", status_code=201, response_model_exclude_unset=True)
async def new_game(request: Request, asked: m.NewGame) -> game_models.GameState:
    """Begin a game."""
    return (await manager_of(request).create(asked, asker(request))).state()


@api.get("/games/{game}", response_model_exclude_unset=True)
async def get_game(request: Request, game: GameId) -> game_models.GameState:
    """A game's state."""
    return (await manager_of(request).find(game)).state()


@api.patch("/games/{game}")
async def rename_game(request: Request, game: GameId, asked: m.Rename) -> game_models.Summary:
    """Change a game's title and tags."""
    return await manager_of(request).rename(game, asked, asker(request))


@api.delete("/games/{game}")
async def delete_game(request: Request, game: GameId) -> game_models.Summary:
    """Delete a game; it can be restored for some weeks."""
    return await manager_of(request).delete(game, asker(request))


@api.post("/games/{game}/restore")
async def restore_game(request: Request, game: GameId) -> game_models.Summary:
    """Undo a deletion."""
    return await manager_of(request).delete(game, asker(request), restore=True)


@api.get("/games/{game}/board.svg", **answers_with("image/svg+xml"))
async def get_picture(
    request: Request,
    game: GameId,
    node: Annotated[str, StringConstraints(max_length=1000)] = "",
    values: bool = False,
    circles: Annotated[str, StringConstraints(max_length=200)] = "",
    arrows: Annotated[str, StringConstraints(max_length=400)] = "",
    size: Annotated[int, Query(ge=50, le=4000)] = 600,
) -> Response:
    """The picture of a node's board; squares follow one another in `circles`, pairs of them in `arrows`."""
    running = await manager_of(request).find(game)
    place = find_node(running.session.game, node)
    position = place.position
    try:
        ringed = [parse_square(name, position.size) for name in SQUARES.findall(circles.lower())]
        ends = [parse_square(name, position.size) for name in SQUARES.findall(arrows.lower())]
    except InvalidPosition as error:
        raise RequestError("bad_request", str(error), field="circles") from None
    last = place.parent.move if place.move == PASS and place.parent is not None else place.move
    scores, exact = place.scores if values else {}, list[int]()
    if values and running.values.last is not None and running.values.last[0] is place:
        scores = {result.move: result.score or 0.0 for result in running.values.last[1]}
        exact = [result.move for result in running.values.last[1] if result.is_move_exact]
    scores = {move: score for move, score in scores.items() if move != PASS}
    pairs = list(zip(ends[::2], ends[1::2], strict=False))
    picture = svg(position, last_move=last, values=scores, exact=exact, circles=ringed, arrows=pairs, size_px=size)
    return Response(picture, media_type="image/svg+xml", headers={"cache-control": "no-store"})
