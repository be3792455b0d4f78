"""A button and a page, added to a copy by the files that "Where do I add …" of ARCHITECTURE.md names."""

import re
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from desk import PATIENCE
from playwright.sync_api import BrowserContext, expect

from additions import Addition

LEARN = "  learn: {"  # an entry of the table of actions


@contextmanager
def served(copy: Addition) -> Iterator[str]:
    """The address of a server of the copy."""
    play = ["play", "--no-browser", "--port", "0", "--data", str(copy.folder / "games")]
    process = subprocess.Popen(
        [sys.executable, "-S", "-c", f"from othellier.cli import main; main({play!r})"],
        env=copy.environment,
        cwd=copy.folder,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )
    watch = threading.Timer(PATIENCE / 1000, process.kill)  # whoever says nothing is ended
    watch.start()
    said = ""
    try:
        assert process.stdout is not None
        for line in process.stdout:
            said += line
            if found := re.search(r"http://[\w.:]+/", line):
                watch.cancel()
                yield found[0]
                return
        raise AssertionError(f"the server did not start: {said}")
    finally:
        watch.cancel()
        process.kill()
        process.wait(PATIENCE / 1000)
        assert process.stdout is not None
        process.stdout.close()


def words(copy: Addition, name: str, english: str, french: str) -> None:
    for language, text in (("en", english), ("fr", french)):
        copy.edit(f"page/i18n/{language}.json", (' "do.learn":', f' "{name}": "{text}",\n "do.learn":'))


def test_a_button(tmp_path: Path, context: Callable[..., BrowserContext]) -> None:
    """A switch: one entry, its words and a style; it is on the bar, in the options and on the sheet of keys."""
    copy = Addition("a button", tmp_path)
    places = 'places: ["play", "study", "menu board", "options look"]'
    entry = f'  large: {{ option: "large", icon: "up", keys: ["Shift+L"], {places} }},\n'
    copy.edit("page/static/shell/actions.js", (LEARN, f"{entry}{LEARN}"))
    words(copy, "do.large", "Large words", "Grands mots")
    copy.edit(
        "page/static/shell/layout.css",
        (".top {\n  grid", 'html[data-on~="large"] {\n  zoom: 1.1;\n}\n\n.top {\n  grid'),
    )
    with served(copy) as address:
        page = context().new_page()
        page.goto(address)
        button = page.locator("#controls").get_by_role("button", name="Large words")
        expect(button).to_have_attribute("aria-pressed", "false")
        button.click()
        expect(button).to_have_attribute("aria-pressed", "true")
        expect(page.locator("html")).to_have_css("zoom", "1.1")
        page.reload()
        expect(button).to_have_attribute("aria-pressed", "true")
        page.keyboard.press("Shift+L")
        expect(page.locator("html")).to_have_css("zoom", "1")
        page.keyboard.press("o")
        page.get_by_role("checkbox", name="Large words").check()
        expect(button).to_have_attribute("aria-pressed", "true")
        page.keyboard.press("Escape")
        page.keyboard.press("?")
        expect(page.get_by_role("dialog")).to_contain_text("Large words")
        page.keyboard.press("Escape")
        page.locator('[data-do="language"]').click()
        expect(button).to_have_count(0)
        expect(page.locator('[data-key="large"]')).to_have_text("Grands mots")


def test_a_page(tmp_path: Path, context: Callable[..., BrowserContext]) -> None:
    copy = Addition("a page", tmp_path)
    copy.write(
        "page/static/museum/museum.js",
        """// A page with one exhibit, which the server knows.
import { api } from "../shell/api.js";
import { h } from "../shell/dom.js";
export async function openMuseum() {
  const { exhibit } = await api.museum();
  document.body.append(h("p", { id: "museum" }, exhibit));
}
""",
    )
    run = '() => import("../museum/museum.js").then((module) => module.openMuseum())'
    copy.edit("page/static/shell/actions.js", (LEARN, f'  museum: {{ places: ["nav"], run: {run} }},\n{LEARN}'))
    words(copy, "do.museum", "Museum", "Musée")
    copy.edit("page/static/shell/api.js", ("  puzzles: (", '  museum: () => request("GET", "museum"),\n  puzzles: ('))
    shape = "class PositionView(BaseModel):"
    copy.edit("page/wire/replies.py", (shape, f"class MuseumView(BaseModel):\n    exhibit: str\n\n\n{shape}"))
    copy.write(
        "page/server/museum_routes.py",
        '''"""The route of the museum."""
from __future__ import annotations
from fastapi import APIRouter
from othellier.page.wire.replies import MuseumView
museum = APIRouter(prefix="/api/v1")
@museum.get("/museum")
async def get_museum() -> MuseumView:
    """What is shown."""
    return MuseumView(exhibit="a board of 1883")
''',
    )
    copy.edit(
        "page/server/app.py",
        ("    app.include_router(study)\n", "    app.include_router(study)\n    app.include_router(museum)\n"),
        (
            "from othellier.page.server.routes import",
            "from othellier.page.server.museum_routes import museum\nfrom othellier.page.server.routes import",
        ),
    )
    with served(copy) as address:
        page = context().new_page()
        page.goto(address)
        page.get_by_role("button", name="Museum").click()
        expect(page.locator("#museum")).to_have_text("a board of 1883")
