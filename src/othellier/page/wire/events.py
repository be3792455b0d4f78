"""Events and errors as they are sent to a page."""

from __future__ import annotations

from typing import Any

from pydantic import BaseModel

from othellier.errors import BadMove, OthellierError, PlayerError, RecordError, RequestError
from othellier.page.wire.game_models import (
    AnalysisView,
    Discs,
    ErrorView,
    GameState,
    HintView,
    ResultView,
    Thinking,
    ValuesView,
)
from othellier.page.wire.replies import StoreFacts
from othellier.rules.board import Color


class StateTold(BaseModel):
    """The game has changed."""

    state: GameState


class DoneTold(BaseModel):
    """A command has been obeyed."""

    id: int | str | None


class ErrorTold(BaseModel):
    """A command was refused, or a search failed."""

    id: int | str | None = None
    error: ErrorView


class PassTold(BaseModel):
    """A side had to pass."""

    color: Color


class OverTold(BaseModel):
    """The game has ended."""

    result: ResultView | None
    discs: Discs


class AnalysisTold(BaseModel):
    """How far an analysis has come."""

    progress: float
    done: bool
    refining: float | None = None
    analysis: AnalysisView


class SavedTold(BaseModel):
    """Whether the game is on the disk, where that has changed."""

    saved: bool
    error: ErrorView | None = None


EVENTS: dict[str, type[BaseModel]] = {
    "state": StateTold,
    "done": DoneTold,
    "error": ErrorTold,
    "passed": PassTold,
    "over": OverTold,
    "thinking": Thinking,
    "hint": HintView,
    "values": ValuesView,
    "analysis": AnalysisTold,
    "saved": SavedTold,
    "store": StoreFacts,
}
"""What the server tells of itself, by name."""


def error_view(error: Exception) -> ErrorView:
    """An error as the page is told it."""
    if isinstance(error, RequestError):
        return ErrorView(code=error.code, message=error.message, data=error.data)
    if not isinstance(error, OthellierError):
        words = f"this is a bug, please report it: {type(error).__name__}: {error}"
        return ErrorView(code="internal", message=" ".join(words.split())[:300], data={})
    code = "player_failed" if isinstance(error, PlayerError) else "bad_request"
    return ErrorView(code=code, message=" ".join(str(error).split())[:500], data={})


def refusal(error: RecordError, before: str = "") -> RequestError:
    """A record that cannot be read, as an answer: a bad move of a transcript comes with the good ones before it."""
    if not isinstance(error, BadMove):
        return RequestError("bad_record", before + error.reason, where=error.where)
    words = f"move {error.number}, {error.move}: {error.reason}"
    return RequestError(
        "bad_move", words, number=error.number, move=error.move, why=error.why, good=error.good, where=error.where
    )


def event_text(name: str, **fields: Any) -> str:
    """An event as it is sent; only fields that were set are."""
    told = EVENTS[name](**fields).model_dump_json(exclude_unset=True)
    return f'{{"event":"{name}"{"," if fields else ""}{told[1:]}'
