"""For everyone: no violation axe-core knows of, a light page, a strict policy, motion only where wanted."""

import os
from pathlib import Path
from typing import Any

import pytest
from desk import Desk, OpenDesk
from playwright.sync_api import CDPSession, expect

AXE = Path(__file__).parents[3] / "node_modules" / "axe-core" / "axe.min.js"
TIGER = {"kind": "moves", "moves": "f5d6c3d3c4"}
DESKTOP = {"width": 1280, "height": 800}
PHONE = {"width": 390, "height": 844}
DIALOGS = [
    ("n", "new"),
    ("e", "setup"),
    ("?", "keys"),
    ("o", "options"),
    ("k", "learn"),
    ("i", "import"),
    ("m", "drill"),
    ("p", "puzzles"),
    ("z", "profile"),
    ("y", "laboratory"),
]
VISIT = 150_000  # bytes of all that is sent for a first visit, its words and its answers included
BUDGET = 170_000  # and after all its dialogs were opened


def violations(player: Desk, where: str, within: str = "html") -> list[str]:
    # The rest of what axe has to tell, all that is well, takes longer to be put into words than to be found.
    result: list[dict[str, Any]] = player.page.evaluate(
        "within => axe.run(within, { resultTypes: ['violations'], selectors: false }).then((all) => all.violations)",
        within,
    )
    return [
        f"{where}: {found['id']}: {node['html'][:200]} {node['any'][0]['message'] if node['any'] else ''}"
        for found in result
        for node in found["nodes"]
    ]


@pytest.mark.skipif(not AXE.is_file() and not os.environ.get("CI"), reason="needs axe-core: npm ci")
@pytest.mark.parametrize(("scheme", "size"), [("light", DESKTOP), ("dark", PHONE), ("dark", DESKTOP)])
def test_axe_finds_nothing(desk: OpenDesk, scheme: str, size: dict[str, int]) -> None:
    # The page's policy would keep axe out; that the policy holds is tested below.
    player = desk(bypass_csp=True, color_scheme=scheme, viewport=size).play_new(
        white={"kind": "human"}, opening=TIGER, clock={"minutes": 5}
    )
    page = player.page
    page.evaluate(AXE.read_text(encoding="utf-8"))
    found = []
    player.press("v")
    expect(player.board.locator(".value").first).to_be_visible()
    for tab in ("moves", "explorer", "analysis", "library"):
        page.locator(f"#tab-{tab}").click()
        expect(page.locator(f"#panel-{tab} > *").first).to_be_visible()
        found += violations(player, tab)
    for key, name in DIALOGS:  # behind them is the page that was looked at already
        player.press(key)
        dialog = player.dialog(name)
        found += violations(player, name, "dialog")
        if name == "learn":
            dialog.get_by_role("button", name="The network").click()
            expect(dialog.locator(".miniature").first).to_be_visible()
            found += violations(player, "network", "dialog")
        if name == "drill":
            dialog.locator(".legal").first.click()
            expect(dialog.get_by_role("button", name="Next")).to_be_focused()
            found += violations(player, "drill answered", "dialog")
        player.press("Escape")
        expect(dialog).to_have_count(0)
    page.get_by_role("button", name="More", exact=True).click()
    found += violations(player, "menu")
    assert not found, "\n".join(found)


@pytest.mark.skipif(not AXE.is_file() and not os.environ.get("CI"), reason="needs axe-core: npm ci")
@pytest.mark.parametrize(("forced", "size"), [("active", DESKTOP), ("none", PHONE)])
def test_axe_finds_nothing_in_any_state_of_a_game(desk: OpenDesk, forced: str, size: dict[str, int]) -> None:
    player = desk(bypass_csp=True, forced_colors=forced, color_scheme="dark", viewport=size).play_new(
        white={"kind": "level", "level": "beginner"}, size="6"
    )
    page = player.page
    page.evaluate(AXE.read_text(encoding="utf-8"))
    player.press("c")
    player.play(player.legal()[0])
    expect(page.locator(".coach-said")).to_be_visible()
    player.press("v")
    expect(player.board.locator(".value").first).to_be_visible()
    found = violations(player, "coach")
    player.press("v", "ArrowLeft")
    expect(page.locator(".away")).to_be_visible()
    found += violations(player, "looking back")
    player.square(player.legal()[-1]).click(button="right")
    expect(page.locator(".variation")).to_be_visible()
    found += violations(player, "trying")
    page.locator(".away").get_by_role("button", name="Back to the game").click()
    expect(page.locator(".away")).to_be_hidden()  # the squares asked for below are those of the game again
    player.press("c")
    while player.expect_turn() == "yours":
        player.play(player.legal()[0])
    expect(page.locator(".end-card .highlights").first).to_be_visible()
    found += violations(player, "end")
    page.locator(".end-card").get_by_role("button", name="Analyse").click()
    page.locator("#tab-moves").click()
    player.press("ArrowLeft", "ArrowLeft")
    expect(page.locator(".reading .verdict-line strong")).to_be_visible()
    found += violations(player, "walking")
    player.press("p")
    puzzles = player.dialog("puzzles")
    puzzles.get_by_role("button", name="Corners").click()
    puzzles.locator(".legal").first.click()
    expect(puzzles.locator(".verdict")).to_be_visible()
    found += violations(player, "puzzle answered", "dialog")
    assert not found, "\n".join(found)


def test_the_page_is_light_and_loads_nothing_from_elsewhere(desk: OpenDesk) -> None:
    player = desk()
    session: CDPSession = player.page.context.new_cdp_session(player.page)
    session.send("Network.enable")
    urls: dict[str, str] = {}
    sizes: dict[str, float] = {}
    session.on("Network.requestWillBeSent", lambda event: urls.update({event["requestId"]: event["request"]["url"]}))
    session.on("Network.loadingFinished", lambda event: sizes.update({event["requestId"]: event["encodedDataLength"]}))
    player.open()
    player.page.wait_for_load_state("networkidle")
    assert len(sizes) > 3
    assert sum(sizes.values()) < VISIT
    for key, name in DIALOGS:
        player.press(key)
        player.dialog(name)
        player.press("Escape")
        expect(player.page.locator("dialog")).to_have_count(0)  # gone, not only closed: it would still hold the keys
    assert len(sizes) > 5
    assert sum(sizes.values()) < BUDGET
    assert all(url.startswith(player.server.url) for url in urls.values())


def test_discs_turn_over_only_where_motion_is_wanted(desk: OpenDesk) -> None:
    for motion, wanted in [("no-preference", "turn-over"), ("reduce", "none")]:
        player = desk(reduced_motion=motion).play_new(white={"kind": "human"})
        player.play("f5")
        expect(player.square("e5").locator(".disc")).to_have_css("animation-name", wanted)


def test_the_server_remembers_the_player_and_the_device_its_looks(desk: OpenDesk) -> None:
    player = desk().play_new()
    player.press("t")
    expect(player.page.locator("html")).to_have_attribute("data-theme", "dark")
    with player.page.expect_response("**/options"):
        player.page.get_by_role("button", name="fr", exact=False).first.click()
    expect(player.page.locator("html")).to_have_attribute("lang", "fr")
    player.page.reload()
    expect(player.page.locator("html")).to_have_attribute("data-theme", "dark")
    stranger = desk().play_new()  # another device of the same person
    expect(stranger.page.locator("html")).to_have_attribute("lang", "fr")
    expect(stranger.page.locator("html")).to_have_attribute("data-theme", "light")


def test_a_policy_keeps_strangers_out(desk: OpenDesk) -> None:
    player = desk()
    answer = player.page.goto(player.server.url)
    assert answer is not None
    policy = answer.headers["content-security-policy"]
    assert "script-src 'self'" in policy
    assert "unsafe" not in policy
