"""Takes the pictures of the documentation anew, from the page as it is: docs/screenshots.

`python scripts/screenshots.py [NAME …]`; needs Chromium. Each picture is a function below; it does on a page what a
person would, by the same words as the page's tests (tests/web/browser/desk.py).
"""

import random
import re
import shutil
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, expect, sync_playwright

import othellier

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT / "tests" / "web" / "browser"))

from desk import Desk, Server  # noqa: E402

OUT = ROOT / "docs" / "screenshots"
HUMAN = {"kind": "human"}
OPENING = {"kind": "moves", "moves": "f5d6c3d3c4f4c5b3c2e3d2c6"}
GAME = (
    "f5f6e6f4e3c5c4e7f7d7e8d6c7c8g6d8b8g5f3g8g4h6h5h4b5h3g7a5g3h8c6f8h7a8a4a3h2h1b6a6g2b7f2f1a7d2e2d3"
    "b4b3a2c3b2g1d1a1c2e1c1b1"
)
"""A whole game of two middling levels."""


def play(desk: Desk) -> None:
    """A game with the value of every move on the board."""
    desk.play_new(white={"kind": "level", "level": "oscar"}, opening=OPENING)
    desk.expect_turn()
    desk.press("v")
    desk.toast(re.compile(".")).get_by_role("button").first.click()
    expect(desk.board.locator(".value").first).to_have_text(re.compile(r"\d"))
    desk.page.wait_for_timeout(4_000)  # values deepen


def phone(desk: Desk) -> None:
    """The same game on a phone."""
    desk.play_new(white={"kind": "level", "level": "oscar"}, opening=OPENING)
    desk.expect_turn()


def opponents(desk: Desk) -> None:
    """The opponents as cards."""
    desk.open()
    desk.press("n")
    desk.dialog("new")


def analysis(desk: Desk) -> None:
    """A game analysed, at its first mistake."""
    desk.play_new(white=HUMAN, opening={"kind": "moves", "moves": GAME})
    desk.press("a")
    expect(desk.page.locator(".mistakes")).to_be_visible()
    desk.page.locator("#tab-moves").click()
    desk.page.locator("#panel-moves .sign").nth(1).click()
    expect(desk.page.locator("#reading .line-score")).to_have_count(3)


def finished(moves: str, seed: int) -> str:
    """A game that begins so and is played out at random."""
    rng = random.Random(seed)
    position = othellier.read(moves)[0].last
    while not position.is_over():
        move = rng.choice(position.moves() or [othellier.PASS])
        moves += othellier.square_name(move) if move != othellier.PASS else ""
        position = position.play(move)
    return moves


def library(desk: Desk) -> None:
    """Games that are kept: one's own, and some that were imported."""
    games = []
    for seed, names in enumerate((("Anna", "Ben"), ("Chloe", "Anna"), ("Ben", "David"), ("David", "Chloe"))):
        game = othellier.Game.from_moves(finished("f5d6c3d3c4", seed))
        game.headers.black, game.headers.white, game.headers.event = *names, "Club evening"
        games.append(game)
    desk.play_new(white=HUMAN, opening={"kind": "moves", "moves": GAME})
    desk.press("i")
    desk.dialog("import").get_by_label("Paste games").fill(othellier.records.dumps(games, "ggf"))
    desk.dialog("import").get_by_role("button", name="Import", exact=True).click()
    expect(desk.page.locator("#panel-library li.game").filter(has_text="Anna")).to_have_count(2)


def explorer(desk: Desk) -> None:
    """What the book and a database know of every move."""
    games = "\n".join(finished("f5d6c3", seed) for seed in range(40))
    desk.page.request.post(f"{desk.server.url}api/v1/database?name=games.txt", data=games.encode())
    for _ in range(600):
        if not desk.server.ask("GET", "database")["loading"]:
            break
        desk.page.wait_for_timeout(100)
    desk.play_new(white=HUMAN, opening={"kind": "moves", "moves": "f5d6c3"})
    desk.page.locator("#tab-explorer").click()
    expect(desk.page.locator("#panel-explorer tbody tr").first).to_be_visible()
    expect(desk.page.locator("#reading .line-score")).to_have_count(3)


def drill(desk: Desk) -> None:
    """An opening learnt by heart."""
    desk.play_new(white=HUMAN)
    desk.press("m")
    dialog = desk.dialog("drill")
    dialog.locator("select").first.select_option("Tiger")
    expect(dialog.locator(".legal").first).to_be_visible()


def learn(desk: Desk) -> None:
    """A lesson with a diagram to play on."""
    desk.play_new(white=HUMAN)
    desk.page.get_by_role("button", name="Learn", exact=True).click()
    desk.page.get_by_role("button", name="Mobility", exact=True).click()
    expect(desk.page.get_by_role("heading", name="Mobility")).to_be_visible()


def laboratory(desk: Desk) -> None:
    """A search stepped through."""
    desk.play_new(white=HUMAN, opening=OPENING)
    desk.press("y")
    dialog = desk.dialog("laboratory")
    expect(dialog.locator(".card").first).to_be_visible()
    dialog.get_by_role("slider").fill("92")  # some moves have been cut


PICTURES: dict[str, tuple[Callable[[Desk], None], dict[str, Any]]] = {
    "play": (play, {}),
    "phone": (phone, {"viewport": {"width": 390, "height": 844}, "device_scale_factor": 2, "has_touch": True}),
    "opponents": (opponents, {}),
    "analysis": (analysis, {"locale": "fr-FR", "color_scheme": "dark"}),
    "library": (library, {}),
    "explorer": (explorer, {}),
    "drill": (drill, {}),
    "learn": (learn, {}),
    "laboratory": (laboratory, {}),
}
"""Each with the browser it is taken in; a desktop's in English and light, where nothing is said."""


def take(browser: Browser, name: str) -> None:
    """One picture, on a server that has never seen a game."""
    draw, options = PICTURES[name]
    defaults = {"viewport": {"width": 1280, "height": 800}, "locale": "en-US", "reduced_motion": "reduce"}
    with tempfile.TemporaryDirectory() as folder:
        server = Server(Path(folder))
        try:
            context = browser.new_context(**{**defaults, **options})
            context.set_default_timeout(60_000)
            desk = Desk(context.new_page(), server)
            draw(desk)
            desk.page.mouse.move(0, 0)
            desk.page.wait_for_timeout(1_000)  # messages go, fades end
            desk.page.screenshot(path=str(OUT / f"{name}.png"))
            context.close()
        finally:
            server.kill()
    print(OUT / f"{name}.png")


def main() -> None:
    """Those that are named, or all."""
    path = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
    if path is None:
        raise SystemExit("no Chromium: install it (Debian: apt install chromium)")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=["--no-sandbox", "--disable-gpu"])
        for name in sys.argv[1:] or PICTURES:
            take(browser, name)
        browser.close()


if __name__ == "__main__":
    main()
