"""The REST routes of learning: puzzles, what became of a move in one, the profile."""

from __future__ import annotations

import asyncio
from typing import Annotated

from fastapi import APIRouter, Request
from pydantic import StringConstraints

from othellier.page.server.routes import ERRORS, asker, manager_of
from othellier.page.wire import learning_models
from othellier.session import commands as m

learn = APIRouter(prefix="/api/v1", responses=ERRORS)


@learn.get("/puzzles")
async def get_puzzles(
    request: Request,
    theme: learning_models.PuzzleThemeName | None = None,
    last: Annotated[str, StringConstraints(max_length=40)] = "",
    ahead: bool = False,
) -> learning_models.PuzzlesView:
    """The themes, and the next puzzle of one of them, not the last one again; `ahead` asks what is not yet due."""
    manager, owner = manager_of(request), asker(request)
    return await asyncio.to_thread(manager.learning.puzzles.ask, owner, theme, last, ahead)


@learn.get("/profile")
async def get_profile(request: Request) -> learning_models.ProfileView:
    """What one's games against machines say: results, rating, accuracy, openings, weak phases, frequent reasons."""
    manager, owner = manager_of(request), asker(request)
    return await asyncio.to_thread(manager.learning.profile, owner)


@learn.post("/puzzles")
async def answer_puzzle(request: Request, given: m.PuzzleGiven) -> learning_models.PuzzleAnswer:
    """A move in a puzzle, with those before it."""
    manager, owner = manager_of(request), asker(request)
    return await asyncio.to_thread(manager.learning.puzzles.answer, owner, given)
