"""The REST routes under /api/v1: each hands its request on and gives the answer its shape."""

from __future__ import annotations

import asyncio
import re
from functools import cache, partial
from typing import Annotated, Any, Literal

from fastapi import APIRouter, Query, Request, Response
from pydantic import StringConstraints, ValidationError

from othellier import native
from othellier.errors import InvalidPosition, OthellierError, RecordError, RequestError
from othellier.game import Game
from othellier.geometry import PASS, parse_square
from othellier.openings import balanced
from othellier.pictures import svg
from othellier.web import answers, facts, shapes
from othellier.web import messages as m
from othellier.web.explorer import opening_list
from othellier.web.hall import Hall
from othellier.web.library import (
    GAME_LIMIT,
    export_games,
    read_kept,
    summary_view,
    transcript_asked,
)
from othellier.web.nodes import find_node
from othellier.web.pages import File, Pages
from othellier.web.security import owner_of
from othellier.web.store import Found
from othellier.web.views import legal_squares

__all__ = [
    "ERRORS",
    "Ending",
    "FormatName",
    "GameId",
    "Words",
    "api",
    "asker",
    "check_position",
    "delete_game",
    "export_game",
    "export_many",
    "get_game",
    "get_games",
    "get_info",
    "get_languages",
    "get_openings",
    "get_options",
    "get_picture",
    "get_players",
    "get_words",
    "hall_of",
    "import_games",
    "new_game",
    "patch_options",
    "rename_game",
    "restore_game",
    "send_file",
]

GameId = Annotated[str, StringConstraints(pattern=r"^[A-Za-z0-9_-]{1,40}$")]
Words = Annotated[str, StringConstraints(max_length=200)]
Ending = Literal["black", "white", "draw", "unfinished"]
SQUARES = re.compile(r"[a-l](?:1[0-2]|[1-9])")
FormatName = Annotated[str, Query(alias="format", max_length=20)]
OPTION_LIMIT = 100
ERRORS: dict[int | str, dict[str, Any]] = {
    status: {"model": shapes.ErrorBody, "description": "The error, by its code"}
    for status in (403, 404, 409, 413, 422, 429, 500, 503, 507)
}

api = APIRouter(prefix="/api/v1", responses=ERRORS)


def hall_of(request: Request) -> Hall:
    """The games of this server."""
    hall: Hall = request.app.state.hall
    return hall


def asker(request: Request) -> str:
    """Whose games and options a request is about."""
    return owner_of(request.scope, request.app.state.shared)


def send_file(request: Request, file: File) -> Response:
    """The answer that holds a file, or says that the browser has it."""
    headers = {"etag": file.tag, "cache-control": "no-cache", "vary": "accept-encoding"}
    if request.headers.get("if-none-match") == file.tag:
        return Response(status_code=304, headers=headers)
    if file.packed and "gzip" in request.headers.get("accept-encoding", ""):
        return Response(file.packed, media_type=file.kind, headers={**headers, "content-encoding": "gzip"})
    return Response(file.data, media_type=file.kind, headers=headers)


# -- the program


@api.get("/info")
async def get_info(request: Request) -> answers.Info:
    """About the program, its engine, evaluation and book."""
    return await facts.info(hall_of(request), request.app.state.shared, request.app.state.language)


@api.get("/players")
async def get_players() -> answers.PlayersView:
    """Whom one may play against."""
    return facts.players()


@api.get("/languages")
async def get_languages(request: Request) -> answers.Languages:
    """The languages of the page."""
    pages: Pages = request.app.state.pages
    found = [answers.LanguageView(code=code, name=name) for code, name in pages.languages()]
    return answers.Languages(languages=found, default=request.app.state.language)


@api.get("/languages/{code}")
async def get_words(request: Request, code: Annotated[str, StringConstraints(max_length=20)]) -> Response:
    """All words of a language, as one JSON object."""
    pages: Pages = request.app.state.pages
    return send_file(request, pages.words(code))


@api.get("/options")
async def get_options(request: Request) -> dict[str, Any]:
    """The options that were remembered."""
    hall, owner = hall_of(request), asker(request)
    return await hall.ask_store(lambda: hall.store.options(owner))


@api.patch("/options")
async def patch_options(request: Request, changes: m.Options) -> dict[str, Any]:
    """Remember options; null forgets one."""
    hall, owner = hall_of(request), asker(request)
    await hall.ask_store(lambda: hall.store.set_options(owner, changes, OPTION_LIMIT))
    return await hall.ask_store(lambda: hall.store.options(owner))


# -- openings and positions


@api.get("/openings", response_model=answers.OpeningList)
async def get_openings(request: Request) -> Response:
    """The named openings one can choose."""
    return send_file(request, _openings())


@cache
def _openings() -> File:
    found = answers.OpeningList(openings=opening_list(), balanced=bool(balanced.shipped()))
    return File.of(found.model_dump_json().encode(), ".json")


@api.post("/positions")
async def check_position(asked: m.BoardAsked) -> answers.PositionView:
    """Whether a board can be played, and how."""
    try:
        position = native.parse(asked.board, asked.size)
    except InvalidPosition as error:
        raise RequestError("bad_position", str(error)) from None
    return answers.PositionView(
        ok=True,
        board=position.board_string(),
        turn=position.turn,
        discs=shapes.Discs(black=position.discs("black"), white=position.discs("white")),
        legal=legal_squares(position),
        over=position.is_over(),
        must_pass=position.must_pass(),
    )


# -- games


@api.post("/games", status_code=201, response_model_exclude_unset=True)
async def new_game(request: Request, asked: m.NewGame) -> shapes.State:
    """Begin a game."""
    return (await hall_of(request).create(asked, asker(request))).state()


async def _find(
    hall: Hall, owner: str, search: str, tag: str, result: Ending | None, deleted: bool, limit: int, offset: int
) -> Found:
    begins = transcript_asked(search)
    words = "" if begins else search
    return await hall.ask_store(
        lambda: hall.store.find(
            owner,
            search=words,
            begins=begins,
            tag=tag,
            result=result,
            deleted=deleted,
            limit=limit,
            offset=offset,
        )
    )


@api.get("/games")
async def get_games(
    request: Request,
    search: Words = "",
    tag: Words = "",
    result: Ending | None = None,
    deleted: bool = False,
    limit: Annotated[int, Query(ge=1, le=200)] = 50,
    offset: Annotated[int, Query(ge=0, le=1_000_000)] = 0,
) -> answers.Library:
    """The library, last used first."""
    hall, owner = hall_of(request), asker(request)
    found = await _find(hall, owner, search, tag, result, deleted, limit, offset)
    games = []
    for kept in found.games:
        try:
            games.append(summary_view(kept))
        except RequestError as error:
            await hall.ask_store(partial(hall.store.set_aside, kept.id, error.message))
    tags = await hall.ask_store(lambda: hall.store.tags(owner))
    return answers.Library(
        games=games,
        total=found.total - len(found.games) + len(games),
        tags=[answers.TagCount(tag=name, games=count) for name, count in tags],
        damaged=await hall.ask_store(lambda: hall.store.damaged(owner)),
    )


@api.get("/games/{game}", response_model_exclude_unset=True)
async def get_game(request: Request, game: GameId) -> shapes.State:
    """A game's state."""
    return (await hall_of(request).find(game)).state()


@api.patch("/games/{game}")
async def rename_game(request: Request, game: GameId, asked: m.Rename) -> shapes.Summary:
    """Change a game's title and tags."""
    return await hall_of(request).rename(game, asked, asker(request))


@api.delete("/games/{game}")
async def delete_game(request: Request, game: GameId) -> shapes.Summary:
    """Delete a game; it can be restored for some weeks."""
    return await hall_of(request).delete(game, asker(request))


@api.post("/games/{game}/restore")
async def restore_game(request: Request, game: GameId) -> shapes.Summary:
    """Undo a deletion."""
    return await hall_of(request).delete(game, asker(request), restore=True)


# -- in and out


@api.post(
    "/import",
    openapi_extra={
        "requestBody": {
            "required": True,
            "content": {
                "application/json": {"schema": m.Text.model_json_schema()},
                "application/octet-stream": {"schema": {"type": "string", "format": "binary"}},
            },
        }
    },
)
async def import_games(request: Request, name: Words = "") -> answers.Imported:
    """Import every game of a record: a text in JSON, or the bytes of a file."""
    data = await request.body()
    if request.headers.get("content-type", "").startswith("application/json"):
        try:
            data = m.Text.model_validate_json(data).text.encode("utf-8", "replace")
        except ValidationError:
            raise RequestError("bad_request", "an object with a text is expected", field="text") from None
    kept, count, errors = await hall_of(request).import_text(data, name, asker(request))
    return answers.Imported(
        games=[summary_view(game) for game in kept],
        imported=count,
        errors=[answers.RecordProblem(where=error.where, reason=error.reason) for error in errors[:100]],
        failed=len(errors),
    )


@api.get("/games/{game}/export")
async def export_game(request: Request, game: GameId, format_name: FormatName = "sgf") -> Response:
    """A game as a file."""
    hall = hall_of(request)
    session = (await hall.find(game)).session
    played = hall.traced(session) if format_name == "trace" else session.game.copy()
    return await _file([played], format_name)


@api.get("/export")
async def export_many(
    request: Request,
    format_name: FormatName = "sgf",
    chosen: Annotated[tuple[GameId, ...], Query(alias="id", max_length=500)] = (),
    search: Words = "",
    tag: Words = "",
    result: Ending | None = None,
) -> Response:
    """Several games in one file: those named, or all that a search finds."""
    hall, owner = hall_of(request), asker(request)
    if chosen:
        games = [(await hall.find(name)).session.game.copy() for name in chosen]
    else:
        found = await _find(hall, owner, search, tag, result, False, GAME_LIMIT, 0)
        games = await asyncio.to_thread(lambda: [read_kept(kept).game for kept in found.games])
    if not games:
        raise RequestError("nothing_to_do", "there is no game to export")
    return await _file(games, format_name)


async def _file(games: list[Game], format_name: str) -> Response:
    try:
        data, ending = await asyncio.to_thread(export_games, games, format_name)
    except RecordError as error:
        raise RequestError("bad_record", error.reason, where=error.where) from None
    except OthellierError as error:
        raise RequestError("bad_request", str(error), field="format") from None
    kind = "application/zip" if ending == ".zip" else "application/octet-stream" if ending == ".wtb" else "text/plain"
    headers = {"content-disposition": f'attachment; filename="othellier{ending}"', "cache-control": "no-store"}
    return Response(data, media_type=kind, headers=headers)


@api.get("/games/{game}/board.svg")
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
    table = await hall_of(request).find(game)
    place = find_node(table.session.game, node)
    position = place.position
    try:
        ringed = [parse_square(name, position.size) for name in SQUARES.findall(circles.lower())]
        ends = [parse_square(name, position.size) for name in SQUARES.findall(arrows.lower())]
    except InvalidPosition as error:
        raise RequestError("bad_request", str(error), field="circles") from None
    last = place.parent.move if place.move == PASS and place.parent is not None else place.move
    scores, exact = place.scores if values else {}, list[int]()
    if values and table.values is not None and table.values[0] is place:
        scores = {result.move: result.score or 0.0 for result in table.values[1]}
        exact = [result.move for result in table.values[1] if result.is_exact]
    scores = {move: score for move, score in scores.items() if move != PASS}
    pairs = list(zip(ends[::2], ends[1::2], strict=False))
    picture = svg(position, last_move=last, values=scores, exact=exact, circles=ringed, arrows=pairs, size_px=size)
    return Response(picture, media_type="image/svg+xml", headers={"cache-control": "no-store"})
