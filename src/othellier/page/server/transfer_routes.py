"""The REST routes of games in and out: imports, of which large ones go on beside everything else, and exports."""

from __future__ import annotations

import asyncio
import itertools
import os
import tempfile
from collections.abc import AsyncIterator, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Annotated

from fastapi import APIRouter, Query, Request, Response
from fastapi.responses import StreamingResponse
from pydantic import ValidationError
from starlette.requests import ClientDisconnect

from othellier.errors import ConfigError, RecordError, RequestError
from othellier.games.game import Game
from othellier.page.server.library_routes import Asked, MaybeId, QueryText
from othellier.page.server.routes import ERRORS, GameId, answers_with, asker, manager_of
from othellier.page.study.transfer import export_games
from othellier.page.wire import replies
from othellier.page.wire.events import refusal
from othellier.records.forest import trace_name
from othellier.session import commands as m

exchange = APIRouter(prefix="/api/v1", responses=ERRORS)

FormatName = Annotated[str, Query(alias="format", max_length=20)]
TEXT_KIND, ARCHIVE_KIND, BYTES_KIND = FILE_KINDS = "text/plain", "application/zip", "application/octet-stream"
SMALL = 64 << 10
"""Bytes that are imported at once: a hundred games."""


@exchange.post(
    "/import",
    responses={202: {"model": replies.JobView, "description": "It goes on in the background"}},
    openapi_extra={
        "requestBody": {
            "required": True,
            "content": {
                "application/json": {"schema": m.Text.model_json_schema()},
                "application/octet-stream": {"schema": {"type": "string", "format": "binary"}},
            },
        }
    },
    response_model=replies.Imported,
)
async def import_games(
    request: Request, name: QueryText = "", background: bool = False, collection: MaybeId = ""
) -> Response | replies.Imported:
    """Import every game of a record: a text in JSON, or the bytes of a file; into a collection, if wanted."""
    manager, owner = manager_of(request), asker(request)
    if collection:
        await manager.ask_store(lambda: manager.collections.check(owner, collection))
    if request.headers.get("content-type", "").startswith("application/json"):
        try:
            text = m.Text.model_validate_json(await request.body()).text.encode("utf-8", "replace")
        except ValidationError:
            raise RequestError("bad_request", "an object with a text is expected", field="text") from None
        pieces = _once(text)
    else:
        pieces = request.stream()
    data, path = await received(pieces)
    try:
        if path is None:
            return await asyncio.to_thread(manager.jobs.small, owner, data, name, collection)
        job, end = manager.jobs.begin(owner, path, name, collection)
        if background:
            return Response(job.view().model_dump_json(), 202, media_type="application/json")
        await asyncio.shield(end)
        if job.stopped:
            words = f"the server is about to end: of the file {job.games} games were imported, the others not"
            raise RequestError("not_saved", words, reason="closed")
        return await asyncio.to_thread(job.result)
    except RecordError as error:
        raise refusal(error) from None


async def _once(data: bytes) -> AsyncIterator[bytes]:
    yield data


async def received(pieces: AsyncIterator[bytes]) -> tuple[bytes, Path | None]:
    """What is sent: as bytes, or in a file of its own where that is much."""
    data, number, path = bytearray(), -1, None
    try:
        async for piece in pieces:
            data += piece
            if len(data) > SMALL:
                if path is None:
                    number, name = await asyncio.to_thread(tempfile.mkstemp, prefix="othellier-")
                    path = Path(name)
                await asyncio.to_thread(os.write, number, bytes(data))
                data.clear()
        if path is not None:
            await asyncio.to_thread(os.write, number, bytes(data))
    except BaseException as error:
        if path is not None:
            path.unlink(missing_ok=True)
        if isinstance(error, OSError):
            reason = (error.strerror or str(error)).lower()
            raise RequestError("not_saved", f"the file could not be taken in: {reason}", reason=reason) from None
        if isinstance(error, ClientDisconnect):  # nobody hears it, and there is nothing for the log in it
            raise RequestError("bad_request", "the request did not come to its end", field="body") from None
        raise
    finally:
        if path is not None:
            os.close(number)
    return bytes(data), path


@exchange.get("/jobs/{job}")
async def get_job(request: Request, job: GameId) -> replies.JobView:
    """How far an import has come, or the analysis of many games."""
    return manager_of(request).jobs.find(job, asker(request)).view()


@exchange.delete("/jobs/{job}")
async def stop_job(request: Request, job: GameId) -> replies.JobView:
    """Stop it; the games that are there, or analysed, stay."""
    found = manager_of(request).jobs.find(job, asker(request))
    found.stop()
    return found.view()


@exchange.get("/games/{game}/export", **answers_with(*FILE_KINDS))
async def export_game(request: Request, game: GameId, format_name: FormatName = "sgf") -> Response:
    """A game as a file."""
    manager = manager_of(request)
    session = (await manager.find(game)).session
    if format_name != "trace":
        return await _file([session.game.copy()], format_name)
    owner = asker(request)
    options = await manager.ask_store(lambda: manager.store.options(owner))
    named = options.get("traceHost") is True and not request.app.state.shared  # to no guest
    return await _file([manager.traced(session, named)], format_name, trace_name())


@exchange.get("/export", **answers_with(*FILE_KINDS))
async def export_many(
    request: Request,
    asked: Asked,
    format_name: FormatName = "sgf",
    chosen: Annotated[tuple[GameId, ...], Query(alias="id", max_length=500)] = (),
) -> Response:
    """Several games in one file: those named, or all that a search finds."""
    manager, owner = manager_of(request), asker(request)
    if chosen:
        return await _file([(await manager.find(name)).session.game.copy() for name in chosen], format_name)
    texts = manager.store.records(owner, asked)
    first = await asyncio.to_thread(next, texts, None)
    if first is None:
        raise RequestError("nothing_to_do", "there is no game to export")
    pieces = itertools.chain([first], texts)
    if format_name == "sgf":  # as games are kept: it needs no work, and holds all of them
        return StreamingResponse(_joined(pieces), media_type=TEXT_KIND, headers=_headers(".sgf"))
    with _errors():
        made = await manager.jobs.export(pieces, format_name)
    headers = _headers(made.ending, made.left_out)
    return StreamingResponse(_read(made.file), media_type=_media_type(made.ending), headers=headers)


async def _joined(pieces: Iterator[list[str]]) -> AsyncIterator[bytes]:
    while (piece := await asyncio.to_thread(next, pieces, None)) is not None:
        yield "".join(piece).encode()


async def _read(file: IO[bytes]) -> AsyncIterator[bytes]:
    with file:
        while piece := await asyncio.to_thread(file.read, SMALL):
            yield piece


def _headers(ending: str, left_out: int = 0, name: str = "othellier") -> dict[str, str]:
    headers = {"content-disposition": f'attachment; filename="{name}{ending}"', "cache-control": "no-store"}
    return headers | ({"x-left-out": str(left_out)} if left_out else {})


def _media_type(ending: str) -> str:
    return {".zip": ARCHIVE_KIND, ".wtb": BYTES_KIND}.get(ending, TEXT_KIND)


@contextmanager
def _errors() -> Iterator[None]:
    """What is wrong with a file to be written, in the words of the API."""
    try:
        yield
    except RecordError as error:
        raise RequestError("bad_record", error.reason, where=error.where) from None
    except ConfigError as error:
        raise RequestError("bad_request", str(error), field="format") from None


async def _file(games: list[Game], format_name: str, name: str = "othellier") -> Response:
    with _errors():
        data, ending, left_out = await asyncio.to_thread(export_games, games, format_name)
        if len(left_out) == len(games):
            raise left_out[0]
    return Response(data, media_type=_media_type(ending), headers=_headers(ending, len(left_out), name))
