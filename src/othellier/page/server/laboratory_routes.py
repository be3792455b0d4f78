"""The REST route of the laboratory: searches recorded to be looked at."""

from __future__ import annotations

import asyncio
import gzip

from fastapi import APIRouter, Request, Response

from othellier.errors import RequestError
from othellier.games.node_names import find_node
from othellier.page.server.routes import ERRORS, manager_of
from othellier.page.study.laboratory import recorded_trees
from othellier.page.wire import replies
from othellier.session import commands as m

laboratory = APIRouter(prefix="/api/v1", responses=ERRORS)
_one_at_a_time = asyncio.Lock()


@laboratory.post("/trees", response_model=replies.TreesView)
async def post_trees(request: Request, asked: m.TreesAsked) -> Response:
    """Record one search or two of a position, to be stepped through."""
    game = (await manager_of(request).find(asked.game)).session.game
    position = find_node(game, asked.node).position
    if _one_at_a_time.locked():  # a search in Python takes a whole core
        raise RequestError("busy", "another search is being recorded", retry=2)
    async with _one_at_a_time:
        found = await asyncio.to_thread(recorded_trees, position, asked.players, asked.language)
        body = replies.TreesView(trees=found).model_dump_json().encode()
        if "gzip" not in request.headers.get("accept-encoding", ""):
            return Response(body, media_type="application/json")
        packed = await asyncio.to_thread(gzip.compress, body, 6)  # to a tenth
        return Response(packed, media_type="application/json", headers={"content-encoding": "gzip"})
