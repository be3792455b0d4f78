"""Installed and offline: few requests, files that last, a page that opens without its server and goes on with it."""

import re
from collections.abc import Callable

from desk import Desk, OpenDesk, Server
from playwright.sync_api import BrowserContext, expect

FIRST, AGAIN, BYTES = 10, 3, 150_000
HUMAN = {"kind": "human"}


def count(player: Desk) -> tuple[list[str], list[float]]:
    """What goes over the line from now on: requests and sockets, and the bytes of the answers."""
    asked: list[str] = []
    sizes: list[float] = []
    session = player.page.context.new_cdp_session(player.page)
    session.send("Network.enable")
    kept: set[str] = set()
    urls: dict[str, str] = {}

    def answered(event: dict[str, object]) -> None:
        response = event["response"]
        assert isinstance(response, dict)
        if response.get("fromDiskCache") or (response.get("fromServiceWorker") and "/assets/" in str(response["url"])):
            kept.add(str(event["requestId"]))
            asked.remove(urls[str(event["requestId"])])

    def begun(event: dict[str, object]) -> None:
        request = event["request"]
        assert isinstance(request, dict)
        if str(request["url"]).startswith("http"):
            urls[str(event["requestId"])] = str(request["url"])
            asked.append(str(request["url"]))

    session.on("Network.requestWillBeSent", begun)
    session.on("Network.responseReceived", answered)
    session.on("Network.requestServedFromCache", lambda event: asked.remove(urls[event["requestId"]]))
    session.on("Network.webSocketCreated", lambda event: asked.append(event["url"]))
    session.on("Network.loadingFinished", lambda event: sizes.append(event["encodedDataLength"]))
    return asked, sizes


def wait_for_worker(player: Desk) -> None:
    player.page.evaluate("navigator.serviceWorker.ready.then(() => true)")


def test_a_first_visit_is_light_and_the_next_one_lighter(
    desk: OpenDesk, fresh_server: Server, context: Callable[..., BrowserContext]
) -> None:
    player = desk(within=context(), on=fresh_server)
    asked, sizes = count(player)
    player.open()
    wait_for_worker(player)
    assert len(asked) < FIRST, asked
    assert sum(sizes) < BYTES
    player.page.goto("about:blank")
    asked.clear()
    player.open()
    assert len(asked) < AGAIN, asked


def test_the_page_opens_without_its_server_and_goes_on_when_it_is_back(desk: OpenDesk, fresh_server: Server) -> None:
    player = desk(on=fresh_server).play_new(white=HUMAN)
    player.play("f5")
    wait_for_worker(player)
    with fresh_server.gone():
        player.page.reload()
        expect(player.page.locator("#banner")).to_contain_text("Connection lost")
        player.expect_ply(1)  # what was on the board last
        expect(player.square("f5")).to_have_accessible_name("f5, black, last move")
        player.press("o")  # dialogs are there too
        player.dialog("options")
        player.press("Escape")
    expect(player.page.locator("#banner")).to_be_empty()
    player.play("d6")
    player.forget_silence()


def test_what_was_asked_for_in_vain_comes_when_the_server_is_back(desk: OpenDesk, fresh_server: Server) -> None:
    player = desk(on=fresh_server).play_new(white=HUMAN)
    page = player.page
    silent = re.compile("does not answer")
    with fresh_server.gone():
        expect(page.locator("#banner")).to_contain_text("Connection lost")
        for tab in ("library", "explorer"):
            page.locator(f"#tab-{tab}").click()
            expect(page.locator(f"#panel-{tab}")).to_contain_text(silent)
        page.get_by_role("button", name="Puzzles", exact=True).click()
        puzzles = player.dialog("puzzles")
        expect(puzzles).to_contain_text(silent)
    expect(page.locator("#panel-explorer tbody tr").first).to_be_attached()
    expect(page.locator("#panel-library .games li").first).to_be_attached()
    expect(puzzles).not_to_contain_text(silent)
    expect(puzzles.locator(".theme-cards button").first).to_be_visible()
    player.forget_silence()


def test_the_kept_page_waits_for_the_server_to_be_gone(desk: OpenDesk) -> None:
    player = desk().play_new(white=HUMAN)
    wait_for_worker(player)
    player.page.evaluate(
        """async () => {
          const names = (await caches.keys()).filter((name) => name.startsWith("othellier-"));
          for (const name of names) await (await caches.open(name)).put("./", new Response("of yesterday"));
        }"""
    )
    answer = player.page.reload()
    assert answer is not None
    assert answer.from_service_worker  # which has asked the server all the same
    assert "of yesterday" not in answer.text()
    expect(player.board).to_have_attribute("data-state", "yours")


def test_an_older_service_worker_makes_room(desk: OpenDesk) -> None:
    player = desk().play_new(white=HUMAN)
    wait_for_worker(player)
    page = player.page
    page.evaluate("caches.open('othellier-of-yesterday').then((cache) => cache.put('./', new Response('old')))")
    page.evaluate("navigator.serviceWorker.getRegistration().then((each) => each.unregister())")
    page.reload()
    wait_for_worker(player)
    expect(player.board).to_have_attribute("data-state", "yours")
    page.evaluate(
        """async () => {
          for (let tries = 0; (await caches.has("othellier-of-yesterday")) && tries < 2400; tries++) {
            await new Promise((resolve) => setTimeout(resolve, 50));
          }
        }"""
    )
    names = page.evaluate("caches.keys()")
    assert len([name for name in names if name.startswith("othellier-")]) == 1, names
    assert "othellier-of-yesterday" not in names


def test_storage_that_is_forbidden_loses_nothing(desk: OpenDesk) -> None:
    player = desk()
    player.page.add_init_script(
        "Storage.prototype.setItem = () => { throw new DOMException('full', 'QuotaExceededError'); };"
        "Storage.prototype.getItem = () => { throw new DOMException('no', 'SecurityError'); };"
        "Storage.prototype.removeItem = () => { throw new DOMException('no', 'SecurityError'); };"
    )
    player.open("a-game-nobody-knows")  # which leads to another one
    player.told("That game is not there any more.")
    player.told("This browser keeps nothing")
    player.play_new(white=HUMAN)
    player.play("f5")
    player.expect_ply(1)


def test_it_can_be_installed(desk: OpenDesk) -> None:
    player = desk()
    player.play_new()
    answer = player.page.request.get(f"{player.server.url}manifest.webmanifest")
    assert answer.headers["content-type"] == "application/manifest+json"
    manifest = answer.json()
    assert manifest["display"] == "standalone"
    assert {"192x192", "512x512"} <= {icon["sizes"] for icon in manifest["icons"]}
    assert any(icon.get("purpose") == "maskable" for icon in manifest["icons"])
    for icon in manifest["icons"]:
        picture = player.page.request.get(player.server.url + icon["src"])
        assert picture.ok
        assert picture.headers["content-type"] == icon["type"]


def test_files_with_a_hash_last_and_the_page_is_asked_for_anew(desk: OpenDesk) -> None:
    player = desk()
    page = player.page.request.get(player.server.url)
    assert page.headers["cache-control"] == "no-cache"
    names = re.findall(r'(?:src|href)="(assets/page-[0-9a-f]+\.(?:js|css))"', page.text())
    assert len(names) == 2
    for name in names:
        assert "immutable" in player.page.request.get(player.server.url + name).headers["cache-control"]
    assert player.page.request.get(f"{player.server.url}assets/page-0123.js").status == 404
