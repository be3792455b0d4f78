"""Functions of the page's modules that need no game: words, dates, searches of openings."""

from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any
from urllib.parse import urlparse

import pytest
from playwright.sync_api import BrowserContext, Route

WEB = Path(__file__).parents[3] / "src" / "othellier" / "page"
KINDS = {".js": "text/javascript", ".json": "application/json"}

Call = Callable[..., Any]
"""Imports a module of the page and calls one of its functions: `call("shell/words.js", "sideName", "black")`."""


def serve(route: Route) -> None:
    """Answer a request with a module, with the texts of a language, or else with an empty page."""
    path = urlparse(route.request.url).path
    language = path.removeprefix("/api/v1/languages/")
    file = WEB / "static" / path.lstrip("/") if language == path else WEB / "i18n" / f"{language}.json"
    if file.is_file():
        route.fulfill(body=file.read_bytes(), content_type=KINDS[file.suffix])
    else:
        route.fulfill(body="<!doctype html><body></body>", content_type="text/html")


@pytest.fixture
def call(context: Callable[..., BrowserContext]) -> Iterator[Call]:
    page = context().new_page()
    page.route("http://page.test/**", serve)
    page.goto("http://page.test/")

    def run(module: str, function: str, *arguments: object) -> Any:
        script = f"(given) => import('/{module}').then((module) => module.{function}(...given))"
        return page.evaluate(script, list(arguments))

    run("shell/i18n.js", "speak", "en")
    yield run
    page.close()


def test_only_a_game_without_loss_has_an_accuracy_of_100(call: Call) -> None:
    shown = [call("shell/words.js", "accuracyWords", value) for value in (100, 99.9, 99.4, 0.5, None)]
    assert shown == ["100", "99", "99", "0", "–"]


@pytest.mark.parametrize(
    ("past", "words"),
    [
        (timedelta(days=3, hours=1), "3 days ago"),
        (timedelta(hours=25), "yesterday"),
        (timedelta(minutes=90), "1 hour ago"),
    ],
)
def test_the_past_is_named_as_past(call: Call, past: timedelta, words: str) -> None:
    assert call("shell/words.js", "agoWords", (datetime.now(UTC) - past).isoformat()) == words


@pytest.mark.parametrize(
    ("black", "words"), [(12, "You win 38–26"), (-64, "You lose 0–64"), (0, "Draw 32–32"), (4, "You win 34–30")]
)
def test_a_final_score_names_the_winner_first(call: Call, black: int, words: str) -> None:
    winner = "black" if black > 0 else "white" if black < 0 else None
    game = {"result": {"black": black, "winner": winner, "reason": ""}, "size": {"rows": 8, "columns": 8}}
    assert call("shell/words.js", "finalWords", game, "black") == words


@pytest.mark.parametrize("wanted", ["f5d6c3", "d3c5f6", "c4e3f6", "e6f4c3", "Perpend", "F5 D6, c3"])
def test_openings_are_found_in_every_orientation(call: Call, wanted: str) -> None:
    openings = [
        {"id": "a", "en": "Parallel", "fr": "Parallèle", "moves": "f5f4"},
        {"id": "b", "en": "Perpendicular Chimney", "fr": "Cheminée perpendiculaire", "moves": "f5d6c3"},
    ]
    assert [opening["id"] for opening in call("study/opening-search.js", "find", openings, wanted)] == ["b"]


def test_openings_whose_name_begins_as_asked_come_first(call: Call) -> None:
    openings = [
        {"id": "inside", "en": "Anti-Stiger", "fr": "", "moves": "f5"},
        {"id": "long", "en": "Tiger extension", "fr": "", "moves": "f5d6c3d3c4"},
        {"id": "short", "en": "Tiger", "fr": "Tigre", "moves": "f5d6c3d3"},
    ]
    found = call("study/opening-search.js", "find", openings, "tiger")
    assert [opening["id"] for opening in found] == ["short", "long", "inside"]
