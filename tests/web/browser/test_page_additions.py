"""A button and a page, added to a copy by the files that "Where do I add …" of ARCHITECTURE.md names."""

from __future__ import annotations

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

NAV = '    <button type="button" data-do="learn" data-t="nav.learn">'


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
        copy.edit(f"web/i18n/{language}.json", (' "nav.learn":', f' "{name}": "{text}",\n "nav.learn":'))


def test_a_button(tmp_path: Path, context: Callable[..., BrowserContext]) -> None:
    copy = Addition("a button", tmp_path)
    copy.edit(
        "web/static/shell/actions.js",
        (
            "  theme: { run: changeTheme },",
            '  wave: { run: () => toast(t("nav.wave")) },\n  theme: { run: changeTheme },',
        ),
    )
    copy.edit("web/static/shell/keys.js", ('  theme: ["T"],', '  wave: ["Alt+W"],\n  theme: ["T"],'))
    button = '    <button type="button" data-do="wave" data-t="nav.wave">Wave</button>\n'
    copy.edit("web/static/index.html", (NAV, f"{button}{NAV}"))
    words(copy, "nav.wave", "Wave", "Saluer")
    words(copy, "do.wave", "Wave", "Saluer")
    with served(copy) as address:
        page = context().new_page()
        page.goto(address)
        page.get_by_role("button", name="Wave").click()
        expect(page.locator("#toasts")).to_contain_text("Wave")
        page.locator('[data-do="language"]').click()
        expect(page.locator('[data-do="wave"]')).to_have_text("Saluer")


def test_a_page(tmp_path: Path, context: Callable[..., BrowserContext]) -> None:
    copy = Addition("a page", tmp_path)
    copy.write(
        "web/static/museum/museum.js",
        """// A page with one exhibit, which the server knows.
import { h } from "../shell/dom.js";
export async function openMuseum() {
  const { exhibit } = await (await fetch("/api/v1/museum")).json();
  document.body.append(h("p", { id: "museum" }, exhibit));
}
""",
    )
    copy.edit(
        "web/static/shell/actions.js",
        (
            "  theme: { run: changeTheme },",
            '  museum: { run: () => import("../museum/museum.js").then((module) => module.openMuseum()) },\n'
            "  theme: { run: changeTheme },",
        ),
    )
    button = '    <button type="button" data-do="museum" data-t="nav.museum">Museum</button>\n'
    copy.edit("web/static/index.html", (NAV, f"{button}{NAV}"))
    words(copy, "nav.museum", "Museum", "Musée")
    copy.write(
        "web/server/museum_routes.py",
        '''"""The route of the museum."""
from __future__ import annotations
from fastapi import APIRouter
__all__ = ["museum"]
museum = APIRouter(prefix="/api/v1")
@museum.get("/museum")
async def get_museum() -> dict[str, str]:
    """What is shown."""
    return {"exhibit": "a board of 1883"}
''',
    )
    copy.edit(
        "web/server/app.py",
        ("    app.include_router(study)\n", "    app.include_router(study)\n    app.include_router(museum)\n"),
        (
            "from othellier.web.server.routes import",
            "from othellier.web.server.museum_routes import museum\nfrom othellier.web.server.routes import",
        ),
    )
    with served(copy) as address:
        page = context().new_page()
        page.goto(address)
        page.get_by_role("button", name="Museum").click()
        expect(page.locator("#museum")).to_have_text("a board of 1883")
