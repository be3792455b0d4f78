"""Waits of tests: each has an end, and fails with what was awaited. Limits are far beyond what a busy machine needs."""

import asyncio
import select
import time
from collections.abc import Callable, Coroutine
from concurrent.futures import ThreadPoolExecutor
from typing import IO, Any, TypeVar

import pytest

T = TypeVar("T")

LIMIT = 120.0
"""Seconds: below the limit of a whole test, so that the failure can say more."""


def in_loop(work: Callable[[], Coroutine[Any, Any, T]]) -> T:
    """Run it in a loop and a thread of its own: a browser's tests may have a loop in this one."""
    with ThreadPoolExecutor(1) as thread:
        return thread.submit(lambda: asyncio.run(asyncio.wait_for(work(), LIMIT))).result(2 * LIMIT)


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
