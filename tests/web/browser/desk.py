"""What the tests of the page share: a server in a process of its own, and a page with what one does on it."""

import json
import re
import signal
import socket
import subprocess
import sys
import threading
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Any, Self

from playwright.sync_api import Error, Locator, Page, Route, expect

PATIENCE = 120_000
"""Milliseconds until a thing that never comes is given up: many tests share few cores."""
expect.set_options(timeout=PATIENCE)

# Messages go after seconds, which a busy machine may take to look: what was said is noted where it stays.
NOTE = """new MutationObserver((changes) => {
  const { dataset } = document.documentElement;
  for (const added of changes.flatMap((change) => [...change.addedNodes])) {
    if (!(added instanceof Element && added.matches(".toast, .notice"))) continue;
    dataset.said = `${dataset.said ?? ""}${added.textContent}\\n`;
  }
}).observe(document, { childList: true, subtree: true });"""

SEEN = """() => {
    const tag = (element) => element?.outerHTML.match(/^<[^>]*>/)[0] ?? "";
    const text = (id) => document.getElementById(id)?.textContent ?? "";
    const open = [...document.querySelectorAll("dialog, :popover-open, .end-card")];
    return [tag(document.documentElement), tag(document.getElementById("board")),
        `Focus: ${tag(document.activeElement)}`,
        ...open.map((each) => `Open: ${tag(each)} ${each.innerText.slice(0, 300)}`),
        `Banner: ${text("banner")}`, `Read out: ${text("live")}`];
}"""


class Server:
    """`othellier play` in a process of its own."""

    def __init__(self, data: Path) -> None:
        self.data = data
        self.url = ""
        self.said: list[str] = []
        """What it has written so far."""
        self.start()

    def start(self, port: int = 0) -> None:
        """Start it and wait until it says where it is."""
        command = [
            sys.executable,
            "-m",
            "othellier",
            "play",
            "--no-browser",
            "--port",
            str(port),
            "--data",
            str(self.data),
        ]
        self.process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        assert self.process.stdout is not None
        watch = threading.Timer(2 * PATIENCE / 1000, self.process.kill)  # whoever says nothing is ended
        watch.start()
        for line in self.process.stdout:
            self.said.append(line)
            if found := re.search(r"http://[\w.:]+/", line):
                watch.cancel()
                self.url = found[0]
                # The rest is read as it comes: whoever writes into a full pipe waits for ever.
                self._reader = threading.Thread(target=self._listen, args=[self.process.stdout], daemon=True)
                self._reader.start()
                return
        raise AssertionError(f"the server did not start: {''.join(self.said)}")

    def _listen(self, output: IO[str]) -> None:
        for line in output:
            self.said.append(line)

    @property
    def port(self) -> int:
        """Where it listens."""
        return int(self.url.rstrip("/").rsplit(":", 1)[1])

    def kill(self) -> None:
        """End it as a power cut would."""
        self.process.send_signal(signal.SIGKILL)
        self.process.wait(PATIENCE / 1000)
        self._reader.join(PATIENCE / 1000)
        assert self.process.stdout is not None
        self.process.stdout.close()

    @contextmanager
    def gone(self) -> Iterator[None]:
        """Not there for a while, as after a power cut; nobody else gets its port meanwhile."""
        port = self.port
        self.kill()
        with socket.socket() as held:
            held.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            held.bind(("127.0.0.1", port))
            yield
            self.start(port)

    def ask(self, method: str, path: str, body: object = None) -> Any:
        """A request outside of the page."""
        request = urllib.request.Request(f"{self.url}api/v1/{path}", method=method)
        data = None
        if body is not None:
            data = json.dumps(body).encode()
            request.add_header("content-type", "application/json")
        with urllib.request.urlopen(request, data, timeout=PATIENCE / 1000) as answer:
            return json.load(answer)

    def new_game(self, **choices: object) -> str:
        """A game, and its id."""
        game = self.ask("POST", "games", choices)["game"]
        assert isinstance(game, str)
        return game

    def forget_options(self) -> None:
        """As if nobody had chosen anything."""
        self.ask("PATCH", "options", dict.fromkeys(self.ask("GET", "options")))


class Desk:
    """A page and what one does with it."""

    def __init__(self, page: Page, server: Server) -> None:
        self.page = page
        self.server = server
        self.troubles: list[str] = []
        page.add_init_script(NOTE)
        page.on("pageerror", lambda error: self.troubles.append(str(error)))
        page.on("console", lambda message: self.troubles.append(message.text) if message.type == "error" else None)

    def forget_silence(self) -> None:
        """Take back what the browser itself noted of requests that no server answered, its own for the worker too."""
        own = "net::ERR_", "error occurred when fetching the script"
        self.troubles = [trouble for trouble in self.troubles if not any(words in trouble for words in own)]

    @property
    def board(self) -> Locator:
        """The board of the game."""
        return self.page.locator("#board")

    def open(self, game: str = "") -> Self:
        """Look at a game; without one, as a newcomer comes."""
        self.page.goto("about:blank")  # what is seen then is not what was there before
        self.page.goto(f"{self.server.url}#{game}" if game else self.server.url)
        expect(self.board).to_have_attribute("data-state", re.compile("."))
        return self

    def play_new(self, **choices: object) -> Self:
        """Look at a new game."""
        return self.open(self.server.new_game(**choices))

    def square(self, name: str) -> Locator:
        """The button of a square."""
        return self.board.get_by_role("button", name=re.compile(rf"^{name}\b"))

    def legal(self) -> list[str]:
        """The squares that may be played."""
        return [str(label)[:2] for label in self.board.locator(".legal").evaluate_all("a => a.map(b => b.ariaLabel)")]

    def ply(self) -> int:
        """The moves played up to what is shown."""
        return int(self.board.get_attribute("data-ply") or 0)

    def expect_ply(self, ply: int) -> None:
        """Wait until so many moves have been played."""
        expect(self.board).to_have_attribute("data-ply", str(ply))

    def expect_turn(self) -> str:
        """Wait until it is the player's turn or the game is over, and say which."""
        expect(self.board).to_have_attribute("data-state", re.compile("^(yours|over)$"))
        return str(self.board.get_attribute("data-state"))

    def play(self, name: str) -> None:
        """Click on a square, and wait until it is one's turn again."""
        before = self.ply()
        self.square(name).click()
        expect(self.board).not_to_have_attribute("data-ply", str(before))
        self.expect_turn()

    def press(self, *keys: str) -> None:
        """Press keys, one after another."""
        for key in keys:
            self.page.keyboard.press(key)

    def analyse(self) -> None:
        """Have the game analysed, quickly: such an analysis stays as it is, the usual one is refined afterwards."""
        self.page.get_by_role("tab", name="Analysis").click()
        self.page.get_by_label("How deeply").select_option("quick")
        self.page.get_by_role("button", name="Analyse this game").click()
        expect(self.page.locator(".mistakes")).to_be_visible()

    def dialog(self, name: str) -> Locator:
        """An open dialog."""
        found = self.page.locator(f'dialog[data-dialog="{name}"]')
        expect(found).to_be_visible()
        return found

    def told(self, words: str | re.Pattern[str]) -> None:
        """Wait until something is said, in a message or on the board, for however short a time."""
        pattern = words if isinstance(words, re.Pattern) else re.compile(re.escape(words))
        said = re.compile(pattern.pattern, pattern.flags | re.MULTILINE)
        expect(self.page.locator("html")).to_have_attribute("data-said", said)

    def toast(self, words: str | re.Pattern[str]) -> Locator:
        """Wait for a message, which offers something."""
        self.told(words)
        return self.page.locator(".toast").filter(has_text=words)

    def take_time(self) -> None:
        """From now on nothing but the test ends what it holds: the page would, after seconds, which may be too few."""
        self.page.evaluate("""() => {
            const { setTimeout } = window;
            window.setTimeout = (run, wait = 0, ...given) => setTimeout(run, wait < 2000 ? wait : 100 * wait, ...given);
        }""")

    def let_go(self, route: Route) -> None:
        """Have a request that was held answered, and wait until the page has drawn what it makes of that."""
        with self.page.expect_response(route.request.url) as answer:
            route.continue_()
        answer.value.finished()
        self.page.evaluate("new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)))")

    def expect_following(self) -> None:
        """Wait until the page knows that it goes along with the other tabs."""
        self.page.get_by_role("button", name="More", exact=True).click()
        entry = self.page.get_by_role("menuitemcheckbox", name="Follow the other tabs")
        expect(entry).to_have_attribute("aria-checked", "true")
        self.press("Escape")
        expect(entry).to_have_count(0)

    def seen(self) -> str:
        """What the page shows and has said, for whoever reads of a test that failed."""
        try:
            shown = self.page.evaluate(SEEN)
        except Error as error:
            shown = [f"the page does not tell: {error}"]
        server = map(str.rstrip, self.server.said[-20:])
        return "\n".join([self.page.url, *shown, *self.troubles, "The server:", *server])

    def moves(self) -> list[str]:
        """The moves shown in the list."""
        return self.page.locator("#panel-moves button.move").all_inner_texts()


OpenDesk = Callable[..., Desk]
"""Opens pages: `within` a browser, else in one of its own with such options; `on` a server, else the one all share."""
