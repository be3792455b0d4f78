"""`python -m benchmarks.web [--games N] [--out FILE]`: the page and its server under load.

A server in a process of its own, N people who each play a whole game against Amateur at the same time, and, where
Chromium and Playwright are there, one browser that opens the page and plays a move on the idle server.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import re
import shutil
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from importlib.util import find_spec
from pathlib import Path

from websockets.asyncio.client import connect

from benchmarks.measure import Row, markdown, publish
from othellier import native
from othellier.lab.machine import machine

__all__: list[str] = []

VISITS = 3
BROWSERS = ("chromium", "chromium-browser", "google-chrome", "chrome")


@contextmanager
def server() -> Iterator[tuple[str, int]]:
    """A server without games: its address and its process."""
    with tempfile.TemporaryDirectory() as folder:
        command = [sys.executable, "-m", "othellier", "play", "--no-browser", "--port", "0", "--data", folder]
        with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
            assert process.stdout is not None
            found = re.search(r"http://[\w.:]+", process.stdout.readline())
            if found is None:
                raise SystemExit("the server did not start")
            try:
                yield found[0], process.pid
            finally:
                process.terminate()


@dataclass
class Load:
    """What many players together have met."""

    waits: list[float] = field(default_factory=list)
    """Seconds from a move to the answer on the board."""
    errors: list[str] = field(default_factory=list)


async def play(base: str, number: int, load: Load) -> None:
    """One whole game against Amateur, any legal move each time, by the socket a browser would use."""
    request = urllib.request.Request(f"{base}/api/v1/games", b"{}", {"content-type": "application/json"})
    answer = await asyncio.to_thread(lambda: json.load(urllib.request.urlopen(request)))
    asked, moves = 0.0, 0
    address = f"{base.replace('http', 'ws', 1)}/api/v1/games/{answer['game']}/socket"
    async with connect(address, max_queue=None) as socket:
        async for text in socket:
            event = json.loads(text)
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
                await socket.send(json.dumps({"do": "move", "id": moves, "square": square, "node": state["node"]}))


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


def page_rows(base: str) -> Iterator[Row]:
    """The first visit as a browser sees it: paint, bytes, flips after a click, the answer."""
    path = next(filter(None, map(shutil.which, BROWSERS)), None)
    if path is None or find_spec("playwright") is None:
        return
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=["--no-sandbox", "--disable-gpu"])
        paints, sizes = [], []
        for _ in range(VISITS):  # of strangers, who have nothing in store
            page = browser.new_page(viewport={"width": 1280, "height": 800})
            sent: list[float] = []
            wire = page.context.new_cdp_session(page)
            wire.send("Network.enable")
            wire.on("Network.loadingFinished", lambda event, sent=sent: sent.append(event["encodedDataLength"]))
            page.goto(base)
            page.wait_for_selector("#board[data-state=yours]")
            paints.append(page.evaluate("performance.getEntriesByName('first-contentful-paint')[0].startTime"))
            sizes.append(sum(sent))
        yield Row(f"first paint, the quickest of {VISITS} visits", min(paints) / 1000, "s", 1.0, less_is_better=True)
        yield Row("a visit, everything sent", max(sizes) / 1000, "kB", 150, less_is_better=True)
        flips, answer = page.evaluate(FLIPS)
        yield Row("from a click to its flips", flips, "ms", 50, less_is_better=True)
        yield Row("from a click to Amateur's answer", answer / 1000, "s", 1.0, less_is_better=True)
        browser.close()


FLIPS = """() => new Promise((resolve) => {
  const board = document.querySelector("#board");
  const square = [...board.querySelectorAll("button.legal")].find((each) => each.ariaLabel.startsWith("f5"));
  const begin = performance.now();
  let flips = 0;
  const watch = new MutationObserver(() => {
    const turned = board.querySelectorAll(".disc.black").length === 4;
    if (turned && !flips) flips = performance.now() - begin;
    if (flips && board.dataset.ply === "2") {
      watch.disconnect();
      resolve([flips, performance.now() - begin]);
    }
  });
  watch.observe(board, { subtree: true, childList: true, attributes: true });
  square.click();
})"""


def rows(games: int) -> Iterator[Row]:
    """Every number of this file."""
    with server() as (base, process):
        yield from page_rows(base)
        begin = time.perf_counter()
        load = asyncio.run(crowd(base, games))
        seconds = time.perf_counter() - begin
        for words in sorted(set(load.errors))[:5]:
            print(f"error: {words}", file=sys.stderr)
        waits = sorted(load.waits)
        yield Row(f"errors, {games} games at once, {len(waits)} answers", len(load.errors), "", 0, less_is_better=True)
        yield Row("95 % of the answers within", waits[int(0.95 * len(waits))], "s", 10, less_is_better=True)
        yield Row("half of the answers within", waits[len(waits) // 2], "s")
        yield Row("the slowest answer", waits[-1], "s")
        yield Row("all games together", seconds, "s")
        yield Row("memory of the server", memory(process), "MB", 1000, less_is_better=True)


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.web", description="Measure the page under load.")
    parser.add_argument("--games", type=int, default=50, help="people who play at the same time")
    parser.add_argument("--out", type=Path, help="write the table to this file too")
    parser.add_argument("--note", default="", help="a word on the circumstances, for the file")
    arguments = parser.parse_args()
    text = f"# The page\n\nMachine: {machine()}. Core: {native.variant}. {arguments.note}".rstrip() + "\n\n"
    text += markdown(list(rows(arguments.games)))
    publish(text, arguments.out)


if __name__ == "__main__":
    main()
