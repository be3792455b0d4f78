"""Waits of tests: each has an end, and fails with what was awaited. Limits are far beyond what a busy machine needs."""

import select
import time
from collections.abc import Callable
from typing import IO, Any

import pytest

LIMIT = 120.0
"""Seconds: below the limit of a whole test, so that the failure can say more."""


def hear_line(stream: IO[bytes], what: str) -> bytes:
    """The next line of an unbuffered pipe."""
    deadline = time.monotonic() + LIMIT
    text = b""
    while not text.endswith(b"\n"):
        ready, _, _ = select.select([stream], [], [], max(0.0, deadline - time.monotonic()))
        if not ready:
            pytest.fail(f"waited {LIMIT:g} s for {what}; so far: {text!r}")
        sign = stream.read(1)
        if not sign:
            break
        text += sign
    return text


def until(condition: Callable[[], Any], what: str) -> None:
    """Look again and again until something has happened in another process."""
    deadline = time.monotonic() + LIMIT
    while not condition():
        if time.monotonic() > deadline:
            pytest.fail(f"waited {LIMIT:g} s for {what}")
        time.sleep(0.005)
