"""A real server and a real Chromium for the page's tests. Nothing waits for a time: only for what is to be seen."""

import os
import shutil
from collections.abc import Callable, Generator, Iterator
from pathlib import Path
from typing import Any

import pytest
from desk import PATIENCE, Desk, OpenDesk, Server
from playwright.sync_api import Browser, BrowserContext, sync_playwright

BROWSERS = ("chromium", "chromium-browser", "google-chrome", "chrome")
FEATURES_OFF = (
    # Lists of suggestions below an address that nobody sees: each window loads two pages for them, which takes as much
    # work as the page under test.
    "WebUIOmniboxPopup",
    "WebUIOmniboxAimPopup",
    # What Playwright switches off itself: of two lists on a command line the last one counts.
    "AimEnabled",
    "AvoidUnnecessaryBeforeUnloadCheckSync",
    "DestroyProfileOnBrowserClose",
    "HttpsFirstBalancedModeAutoEnable",
    "HttpsUpgrades",
    "LensOverlay",
    "MediaRouter",
    "NetworkTimeServiceQuerying",
    "OptimizationHints",
    "PaintHolding",
    "PreconnectToSearch",
    "ThirdPartyStoragePartitioning",
)


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """One server for all tests of a process; each test makes its own games."""
    server = Server(tmp_path_factory.mktemp("games"))
    yield server
    server.kill()


@pytest.fixture
def fresh_server(tmp_path: Path) -> Iterator[Server]:
    """A server that has never seen a game."""
    server = Server(tmp_path)
    yield server
    server.kill()


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    """Chromium as the system has it."""
    path = next(filter(None, map(shutil.which, BROWSERS)), None)
    if path is None:
        missing = "no Chromium: install it (Debian: apt-get install chromium) to test the page"
        pytest.fail(missing) if os.environ.get("CI") else pytest.skip(missing)
    with sync_playwright() as playwright:
        arguments = ["--no-sandbox", "--disable-gpu", f"--disable-features={','.join(FEATURES_OFF)}"]
        browser = playwright.chromium.launch(executable_path=path, args=arguments, timeout=2 * PATIENCE)
        yield browser
        browser.close()


@pytest.fixture
def context(browser: Browser) -> Iterator[Callable[..., BrowserContext]]:
    """Makes browsers of strangers: no cookies, no memory."""
    made = []

    def make(**options: Any) -> BrowserContext:
        defaults = {"viewport": {"width": 1280, "height": 800}, "locale": "en-US", "reduced_motion": "reduce"}
        context = browser.new_context(**{**defaults, **options})
        context.set_default_timeout(PATIENCE)
        made.append(context)
        return context

    yield make
    for context in made:
        context.close()


DESKS = pytest.StashKey[list[Desk]]()


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(
    item: pytest.Item, call: pytest.CallInfo[None]
) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """A test that fails tells what its pages showed: it may never fail again where somebody looks."""
    report = yield
    if report.when == "call" and report.failed and call.excinfo is not None and call.excinfo.errisinstance(Exception):
        report.sections += [("A page then", desk.seen()) for desk in item.stash.get(DESKS, [])]
    return report


@pytest.fixture
def desk(request: pytest.FixtureRequest, server: Server, context: Callable[..., BrowserContext]) -> Iterator[OpenDesk]:
    """Opens pages. At the end none of them may have complained."""
    server.forget_options()
    desks = request.node.stash[DESKS] = list[Desk]()

    def make(within: BrowserContext | None = None, on: Server = server, **options: Any) -> Desk:
        desks.append(Desk((within or context(**options)).new_page(), on))
        return desks[-1]

    yield make
    troubles = [trouble for each in desks for trouble in each.troubles]
    assert not troubles, "".join(line for each in desks for line in each.server.said[-50:])
