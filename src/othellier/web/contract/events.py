"""Events and errors as they are sent to a page."""

from __future__ import annotations

import json
from typing import Any

from pydantic import BaseModel

from othellier.errors import OthellierError, PlayerError, RequestError
from othellier.web.contract.game_models import ErrorView

__all__ = ["error_view", "event_text"]


def error_view(error: Exception) -> ErrorView:
    """An error as the page is told it."""
    if isinstance(error, RequestError):
        return ErrorView(code=error.code, message=error.message, data=error.data)
    if not isinstance(error, OthellierError):
        words = f"this is a bug, please report it: {type(error).__name__}: {error}"
        return ErrorView(code="internal", message=" ".join(words.split())[:300], data={})
    code = "player_failed" if isinstance(error, PlayerError) else "bad_request"
    return ErrorView(code=code, message=" ".join(str(error).split())[:500], data={})


def event_text(name: str, **fields: Any) -> str:
    """An event as it is sent; only fields that were set are."""
    told = "".join(f',"{key}":{_json(value)}' for key, value in fields.items())
    return f'{{"event":"{name}"{told}}}'


def _json(value: Any) -> str:
    if isinstance(value, BaseModel):
        return value.model_dump_json(exclude_unset=True)
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))
