"""`python -m benchmarks.web [--games N] [--library N] [--out FILE]`: the page and its server under load.

A server in a process of its own, N people who each play a whole game against Amateur at the same time, and, where
Chromium and Playwright are there, one browser that opens the page and plays moves on an idle server. Then, each on a
fresh server: a large library imported and exported while somebody else plays, idle sockets, slow connections.
All of it goes to this machine alone.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import re
import shutil
import socket
import subprocess
import sys
import tempfile
import threading
import time
import urllib.request
from collections.abc import Iterator
from contextlib import AsyncExitStack, ExitStack, contextmanager
from dataclasses import dataclass, field
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any

from websockets.asyncio.client import connect

from benchmarks.measure import Row, markdown, publish
from othellier import batch, records
from othellier.base.machine import machine
from othellier.games.game import Game, Headers
from othellier.rules import native

if TYPE_CHECKING:
    from playwright.sync_api import Browser, BrowserContext, Page

VISITS = 3
MOVES = 10
WAIT = 120.0  # seconds until a thing that never comes is given up
SOCKETS = 2000
SLOW = 1024
BROWSERS = ("chromium", "chromium-browser", "google-chrome", "chrome")
BROWSER_OPTIONS = (
    "--no-sandbox",
    "--disable-gpu",
    # Lists of suggestions below an address that nobody sees: each window loads two pages for them, which takes more
    # work than the page that is measured.
    "--disable-features=WebUIOmniboxPopup,WebUIOmniboxAimPopup,HttpsUpgrades",
)

EXPORTED = tuple(one.name for one in records.FORMATS if one.writes)
HUMANS = {"black": {"kind": "human"}, "white": {"kind": "human"}}
AMATEUR = json.dumps({"white": {"kind": "level", "level": "amateur"}}).encode()


@contextmanager
def server() -> Iterator[tuple[str, int]]:
    """A server without games: its address and its process."""
    with tempfile.TemporaryDirectory() as folder:
        command = [sys.executable, "-m", "othellier", "play", "--no-browser", "--port", "0", "--data", folder]
        with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
            assert process.stdout is not None
            watch = threading.Timer(WAIT, process.kill)
            watch.start()
            found = re.search(r"http://[\w.:]+", process.stdout.readline())
            watch.cancel()
            if found is None:
                raise SystemExit(f"the server did not start within {WAIT} s")
            try:
                yield found[0], process.pid
            finally:
                process.terminate()
                try:
                    process.wait(WAIT)
                except subprocess.TimeoutExpired:
                    process.kill()
                    raise SystemExit(f"the server did not end within {WAIT} s") from None


@dataclass
class Load:
    """What many players together have met."""

    waits: list[float] = field(default_factory=list)
    """Seconds from a move to the answer on the board."""
    errors: list[str] = field(default_factory=list)


async def play(base: str, number: int, load: Load) -> None:
    """One whole game against Amateur, any legal move each time, by the socket a browser would use."""
    request = urllib.request.Request(f"{base}/api/v1/games", AMATEUR, {"content-type": "application/json"})
    answer = await asyncio.to_thread(lambda: json.load(urllib.request.urlopen(request, timeout=WAIT)))
    asked, moves = 0.0, 0
    address = f"{base.replace('http', 'ws', 1)}/api/v1/games/{answer['game']}/socket"
    async with connect(address, max_queue=None) as line:
        while True:
            event = json.loads(await asyncio.wait_for(line.recv(), WAIT))
            if event["event"] == "error":
                load.errors.append(event["error"]["message"])
            if event["event"] != "state":
                continue
            state = event["state"]
            if asked and (state["over"] or state["your_turn"]):
                load.waits.append(time.perf_counter() - asked)
                asked = 0.0
            if state["over"]:
                return
            if state["your_turn"] and not asked:
                asked, moves = time.perf_counter(), moves + 1
                square = state["legal"][(number + moves) % len(state["legal"])]["square"]
                await line.send(json.dumps({"do": "move", "id": moves, "square": square, "node": state["node"]}))


async def crowd(base: str, games: int) -> Load:
    """So many games at once."""
    load = Load()
    ends = await asyncio.gather(*(play(base, number, load) for number in range(games)), return_exceptions=True)
    load.errors += [repr(end) for end in ends if end is not None]
    return load


def memory(process: int) -> float:
    """The most memory a process has held, in MB; 0 where the system does not tell."""
    status = Path(f"/proc/{process}/status")
    found = re.search(r"VmHWM:\s+(\d+) kB", status.read_text()) if status.exists() else None
    return int(found[1]) / 1024 if found else 0.0


def processor(process: int) -> float:
    """Seconds of a processor that a process and those it has waited for have used; 0 where the system does not tell."""
    stat = Path(f"/proc/{process}/stat")
    if not stat.exists():
        return 0.0
    fields = stat.read_text().rpartition(")")[2].split()
    return sum(map(int, fields[11:15])) / os.sysconf("SC_CLK_TCK")


def page_rows(base: str) -> Iterator[Row]:
    """Visits as a browser sees them: requests, bytes, the first disc; a click, its disc and the frames of the flips."""
    path = next(filter(None, map(shutil.which, BROWSERS)), None)
    if path is None or find_spec("playwright") is None:
        return
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=list(BROWSER_OPTIONS))
        first: list[tuple[float, int, float]] = []
        for _ in range(VISITS):  # of strangers, who have nothing in store
            context = browser.new_context(viewport={"width": 1280, "height": 800}, locale="en-US")
            context.add_init_script(FIRST_DISC)
            first.append(visit(context, base))
        again = visit(context, base)
        discs, requests, sizes = zip(*first, strict=True)
        yield Row(f"the first disc, the quickest of {VISITS} first visits", min(discs), "s", 0.6, less_is_better=True)
        yield Row("requests of a first visit", max(requests), "", 9, less_is_better=True)
        yield Row("all that is sent", max(sizes) / 1000, "kB", 150, less_is_better=True)
        yield Row("requests of the next visit that reach the server", again[1], "", 2, less_is_better=True)
        for other in browser.contexts[:-1]:  # each visitor has a machine of their own
            other.close()
        context.pages[0].close()
        yield from flip_rows(context.pages[-1])
        context.close()
        yield early_row(browser, base)
        browser.close()


def visit(context: BrowserContext, base: str) -> tuple[float, int, float]:
    """Seconds until the first disc was painted, requests to the server, bytes it sent."""
    page = context.new_page()
    sent: dict[str, float] = {}

    def answered(event: dict[str, Any]) -> None:
        response = event["response"]
        if not (response.get("fromDiskCache") or response.get("fromServiceWorker")):
            sent[event["requestId"]] = 0.0

    def finished(event: dict[str, Any]) -> None:
        if event["requestId"] in sent:
            sent[event["requestId"]] = event["encodedDataLength"]

    def connected(_: object) -> None:
        sent["socket"] = 0.0

    wire = context.new_cdp_session(page)
    wire.send("Network.enable")
    wire.on("Network.responseReceived", answered)
    wire.on("Network.loadingFinished", finished)
    page.on("websocket", connected)
    page.goto(base)
    page.wait_for_selector("#board[data-state=yours]")
    page.evaluate("navigator.serviceWorker.ready.then(() => true)")
    return page.evaluate("window.firstDisc") / 1000, len(sent), sum(sent.values())


def flip_rows(page: Page) -> Iterator[Row]:
    """Moves with the mouse: how soon the disc is there, and the longest frame until all discs lie still."""
    shown, frames = [], []
    page.wait_for_load_state("networkidle")  # nobody moves before having seen the board
    for _ in range(MOVES):
        seen = move(page)
        shown.append(seen["disc"])
        frames += seen["frames"]
    yield Row(f"from a click to its disc, the slowest of {MOVES}", max(shown), "ms", 50, less_is_better=True)
    yield Row(f"the longest of {len(frames)} frames while discs turn", max(frames), "ms", 32, less_is_better=True)


def early_row(browser: Browser, base: str) -> Row:
    """The first moves of strangers who click as soon as there is a board."""
    frames = []
    for _ in range(VISITS):
        context = browser.new_context(viewport={"width": 1280, "height": 800}, locale="en-US")
        page = context.new_page()
        page.goto(base, wait_until="commit")
        frames += move(page)["frames"]
        context.close()
    return Row(f"the same, {len(frames)} frames of the very first moves", max(frames), "ms", 32, less_is_better=True)


def move(page: Page) -> Any:
    """Make a move, and what was seen of it."""
    page.wait_for_selector("#board[data-state=yours]")
    page.evaluate(WATCH_FRAMES)
    page.locator("#board button.legal").first.click()
    return page.evaluate("window.flipped")


FIRST_DISC = """
  window.firstDisc = new Promise((resolve) => {
    const watch = new MutationObserver(() => {
      if (!document.querySelector("#board .disc")) return;
      watch.disconnect();
      requestAnimationFrame(() => requestAnimationFrame(() => resolve(performance.now())));
    });
    watch.observe(document, { subtree: true, childList: true });
  });
"""

WATCH_FRAMES = """() => {
  const board = document.querySelector("#board");
  const discs = board.querySelectorAll(".disc").length;
  const frames = [];
  window.flipped = new Promise((resolve) => addEventListener("click", () => {
    const begin = performance.now();
    let last = 0, disc = 0;
    const tick = (now) => {
      if (last) frames.push(now - last);
      last = now;
      if (!disc && board.querySelectorAll(".disc").length > discs) disc = performance.now() - begin;
      const turning = document.getAnimations().some((each) => each.animationName === "turn-over");
      if (disc && frames.length > 3 && !turning) resolve({ disc, frames });
      else requestAnimationFrame(tick);
    };
    requestAnimationFrame(tick);
  }, { once: true, capture: true }));
}"""


def visit_rows() -> Iterator[Row]:
    """One browser and a server of its own."""
    with server() as (base, _):
        yield from page_rows(base)


def rows(games: int) -> Iterator[Row]:
    """Many games at once."""
    with server() as (base, process):
        begin = time.perf_counter()
        load = asyncio.run(crowd(base, games))
        seconds = time.perf_counter() - begin
        for words in sorted(set(load.errors))[:5]:
            print(f"error: {words}", file=sys.stderr)
        waits = sorted(load.waits)
        yield Row(f"errors, {games} games at once, {len(waits)} answers", len(load.errors), "", 0, less_is_better=True)
        yield Row("95 % of the answers within", waits[int(0.95 * len(waits))], "s", 1, less_is_better=True)
        yield Row("half of the answers within", waits[len(waits) // 2], "s")
        yield Row("the slowest answer", waits[-1], "s")
        yield Row("all games together", seconds, "s")
        yield Row("processor time an answer, server", 1000 * processor(process) / len(waits), "ms")
        yield Row("memory of the server", memory(process), "MB", 400, less_is_better=True)


# -- a large library


def library_text(count: int) -> bytes:
    """So many random games as GGF."""
    played = batch.random_games(count, seed=1)
    rows = played.moves
    games = (
        Game.from_moves(
            [move for move in row.tolist() if move < 64], native.start(), Headers(f"Player {number % 500}", "Bob")
        )
        for number, row in enumerate(rows)
    )
    return records.dumps(games, "ggf").encode()


class Bystander(threading.Thread):
    """Somebody who plays and looks around meanwhile, and notes how long each answer took."""

    def __init__(self, base: str) -> None:
        super().__init__(daemon=True)
        self.base, self.waits, self.stopped = base, list[tuple[float, str]](), threading.Event()

    def run(self) -> None:
        asyncio.run(self._look())

    async def _look(self) -> None:
        game = (await asyncio.to_thread(ask, self.base, "POST", "games", HUMANS))["game"]
        async with connect(f"{self.base.replace('http', 'ws', 1)}/api/v1/games/{game}/socket", max_queue=None) as line:
            number = 0
            while not self.stopped.is_set():
                for name, fields in (("study", {"square": "f5"}), ("undo", {}), ("ping", {})):
                    number += 1
                    begin = time.perf_counter()
                    await line.send(json.dumps({"do": name, "id": number, **fields}))
                    while json.loads(await asyncio.wait_for(line.recv(), WAIT)).get("id") != number:
                        pass
                    self.waits.append((time.perf_counter() - begin, name))
                begin = time.perf_counter()
                await asyncio.to_thread(ask, self.base, "GET", "games?limit=20")
                self.waits.append((time.perf_counter() - begin, "library"))
                await asyncio.sleep(0.05)

    def end(self) -> list[float]:
        self.stopped.set()
        self.join(WAIT)
        print("slowest:", [(round(seconds, 3), name) for seconds, name in sorted(self.waits)[-5:]], file=sys.stderr)
        return sorted(seconds for seconds, _ in self.waits)


def ask(base: str, method: str, path: str, body: object = None) -> Any:
    data = body if isinstance(body, bytes) or body is None else json.dumps(body).encode()
    kind = "application/octet-stream" if isinstance(body, bytes) else "application/json"
    request = urllib.request.Request(f"{base}/api/v1/{path}", data, {"content-type": kind}, method=method)
    with urllib.request.urlopen(request, timeout=600) as answer:
        text = answer.read()
    return json.loads(text) if text.startswith(b"{") else text


def library_rows(count: int) -> Iterator[Row]:
    """A library of so many games in and out, and whether anybody has to wait for that."""
    data = library_text(count)
    with server() as (base, process):
        other = Bystander(base)
        other.start()
        begin = time.perf_counter()
        job = ask(base, "POST", "import?name=games.ggf&background=true", data)
        while not job["done"]:
            time.sleep(0.2)
            job = ask(base, "GET", f"jobs/{job['job']}")
        seconds = time.perf_counter() - begin
        waits = other.end()
        print(job["games"], job["failed"], job["error"], file=sys.stderr)
        yield Row(
            f"{job['games']:,} games of {len(data) >> 20} MB of GGF imported", seconds, "s", 30, less_is_better=True
        )
        yield Row(
            f"the slowest of {len(waits)} other answers meanwhile", waits[-1] * 1000, "ms", 200, less_is_better=True
        )
        yield Row("95 % of them within", waits[int(0.95 * len(waits))] * 1000, "ms")
        yield Row("processor time of that, helpers included", processor(process), "s")
        for form in EXPORTED:
            other = Bystander(base)
            other.start()
            begin, used = time.perf_counter(), processor(process)
            with urllib.request.urlopen(f"{base}/api/v1/export?format={form}", timeout=WAIT) as answer:
                text = answer.read()
            seconds, used = time.perf_counter() - begin, processor(process) - used
            waits = other.end()
            yield Row(f"the same as {len(text) / 1e6:.1f} MB of {form} exported", seconds, "s", 10, less_is_better=True)
            yield Row("processor time of that, helpers included", used, "s")
            yield Row(
                f"the slowest of {len(waits)} other answers meanwhile", waits[-1] * 1000, "ms", 200, less_is_better=True
            )
        yield Row("memory of the server with that library", memory(process), "MB", 400, less_is_better=True)


# -- those who only sit there


async def _idle(base: str) -> tuple[int, float]:
    game = ask(base, "POST", "games", HUMANS)["game"]
    address = f"{base.replace('http', 'ws', 1)}/api/v1/games/{game}/socket"
    async with AsyncExitStack() as stack:
        sockets = []
        for _ in range(SOCKETS // 50):
            opened = await asyncio.gather(
                *(stack.enter_async_context(connect(address, open_timeout=WAIT)) for _ in range(50))
            )
            sockets += opened
            for each in opened:
                await asyncio.wait_for(each.recv(), WAIT)
            await asyncio.sleep(1.3)  # 40 requests a second are let in
        begin = time.perf_counter()
        await asyncio.to_thread(ask, base, "GET", "games")
        seconds = time.perf_counter() - begin
        alive = 0
        for each in sockets:
            await each.send(json.dumps({"do": "ping", "id": 1}))
            alive += json.loads(await asyncio.wait_for(each.recv(), WAIT)).get("event") == "done"
        return alive, seconds


def crowd_rows() -> Iterator[Row]:
    """Idle sockets held, and slow connections that ask for nothing."""
    with server() as (base, process):
        alive, seconds = asyncio.run(_idle(base))
        yield Row("idle sockets held and answering", alive, "", SOCKETS)
        yield Row("a new visitor among them waits", seconds, "s", 1, less_is_better=True)
        yield Row("memory of the server with them", memory(process), "MB", 400, less_is_better=True)
    with server() as (base, _):
        port = int(base.rpartition(":")[2])
        with ExitStack() as stack:
            for _ in range(SLOW):
                line = stack.enter_context(socket.create_connection(("127.0.0.1", port), timeout=WAIT))
                line.sendall(b"GET / HTTP/1.1\r\nhost: lo")
            waits = []
            for _ in range(10):
                begin = time.perf_counter()
                with urllib.request.urlopen(base, timeout=WAIT) as answer:
                    answer.read()
                waits.append(time.perf_counter() - begin)
        yield Row(
            f"with {SLOW:,} slow connections a new visitor waits at most", max(waits), "s", 1, less_is_better=True
        )


def load() -> str:
    """How busy the machine is, as far as the system tells."""
    return f"Load average before: {os.getloadavg()[0]:.1f}." if hasattr(os, "getloadavg") else ""


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.web", description="Measure the page under load.")
    parser.add_argument("--games", type=int, default=200, help="people who play at the same time")
    parser.add_argument("--library", type=int, default=50_000, help="games imported and exported")
    parser.add_argument("--only", choices=["page", "games", "library", "crowd"], help="only this part")
    parser.add_argument("--out", type=Path, help="write the table to this file too")
    parser.add_argument("--note", default="", help="a word on the circumstances, for the file")
    arguments = parser.parse_args()
    text = f"# The page\n\nMachine: {machine()}. Core: {native.variant}. {load()} {arguments.note}".rstrip() + "\n\n"
    parts = {
        "page": visit_rows,
        "games": lambda: rows(arguments.games),
        "library": lambda: library_rows(arguments.library),
        "crowd": crowd_rows,
    }
    found = [row for name, part in parts.items() if arguments.only in (None, name) for row in part()]
    text += markdown(found)
    publish(text, arguments.out)


if __name__ == "__main__":
    main()
