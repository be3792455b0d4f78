"""Settings of all tests and doctests: tests of learning need PyTorch, which is not to be had everywhere
(scripts/pytorch.sh), and examples may run an event loop of their own."""

import asyncio
import os
from collections.abc import Generator
from importlib.util import find_spec

import pytest

if find_spec("torch") is None and not os.environ.get("CI"):
    collect_ignore_glob = ["src/othellier/learn/*", "tests/learn/*"]


@pytest.hookimpl(wrapper=True)
def pytest_runtest_call(item: pytest.Item) -> Generator[None, None, None]:
    """Run a doctest as in a program of its own.

    Playwright leaves its event loop running in a process that tests the page, where `asyncio.run` would fail.
    """
    loop = asyncio._get_running_loop()
    if isinstance(item, pytest.DoctestItem):
        asyncio._set_running_loop(None)
    try:
        yield
    finally:
        asyncio._set_running_loop(loop)
