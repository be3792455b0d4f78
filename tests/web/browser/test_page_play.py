"""Playing: whole games by mouse and by keyboard, on a phone, in French, in two tabs, over a killed server."""

import re
from collections.abc import Callable

from board import poll
from desk import Desk, OpenDesk, Server
from playwright.sync_api import BrowserContext, expect

from othellier.rules.board import Position
from othellier.rules.geometry import square_name

WEAK = {"kind": "level", "level": "beginner"}
HUMAN = {"kind": "human"}
PHONE = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True}


def test_a_newcomer_sees_a_game(desk: OpenDesk, fresh_server: Server) -> None:
    newcomer = desk(on=fresh_server).open()
    assert newcomer.legal() == ["d3", "c4", "f5", "e6"]
    expect(newcomer.square("e6")).to_have_accessible_name("e6, legal, flips 1")
    expect(newcomer.square("d4")).to_have_accessible_name("d4, white")
    assert newcomer.page.url.rstrip("/") != newcomer.server.url.rstrip("/")  # the game has an address of its own


def test_a_whole_game_by_mouse(desk: OpenDesk) -> None:
    player = desk().play_new(white=WEAK, size="6")
    while player.expect_turn() == "yours":
        player.play(player.legal()[0])
    expect(player.page.locator(".ending")).to_have_text(re.compile(r"wins \d+–\d+|Draw"))
    counts = [int(text) for text in player.page.locator(".count").all_inner_texts()]
    assert sum(counts) == player.board.locator(".disc").count() <= 36


def walk_to(player: Desk, name: str, size: int) -> None:
    """Move the focus in the board to a square with the arrows."""
    at = int(player.board.locator("button:focus").get_attribute("data-square") or 0)
    row, column = int(name[1]) - 1, ord(name[0]) - ord("a")
    down, right = row - at // size, column - at % size
    player.press(*["ArrowDown" if down > 0 else "ArrowUp"] * abs(down))
    player.press(*["ArrowRight" if right > 0 else "ArrowLeft"] * abs(right))
    expect(player.square(name)).to_be_focused()


def test_a_whole_game_by_keyboard_alone(desk: OpenDesk) -> None:
    player = desk().open()
    player.page.locator("body").press("Tab")  # the first thing Tab finds leads to the board
    expect(player.page.locator(".skip")).to_be_focused()
    player.press("Enter")
    expect(player.board.locator("button:focus")).to_have_count(1)
    player.press("n")
    dialog = player.dialog("new")
    expect(dialog.get_by_role("button", name="Play")).to_be_focused()
    player.press("Shift+Tab", "Shift+Tab", "ArrowRight", "ArrowRight")  # over the clock to the board's size
    expect(dialog.get_by_role("radio", name="4×4")).to_be_checked()
    player.press("Enter")
    expect(dialog).to_be_hidden()
    expect(player.board.locator(".square")).to_have_count(16)
    expect(player.board.locator("button:focus")).to_have_count(1)  # whoever begins by keys goes on there
    while player.expect_turn() == "yours":
        before = player.ply()
        walk_to(player, player.legal()[0], 4)
        player.press("Enter")
        expect(player.board).not_to_have_attribute("data-ply", str(before))
    expect(player.page.locator("#live")).to_contain_text(re.compile(r"wins \d+–\d+|Draw"))


def test_a_board_that_is_not_square(desk: OpenDesk) -> None:
    player = desk().play_new(white=HUMAN, size="6x4")
    position = Position.start("6x4")
    for _ in range(4):
        names = [square_name(move, position.size) for move in position.moves()]
        assert player.legal() == names
        player.square(names[0]).hover()
        flips = [square_name(square, position.size) for square in position.flips(names[0])]
        turned = player.board.locator(".would").evaluate_all("all => all.map(each => each.ariaLabel.slice(0, 2))")
        assert turned == sorted(flips, key=lambda name: (name[1], name[0]))
        player.play(names[0])
        position = position.play(names[0])
        discs = [player.board.locator(f".disc.{color}").count() for color in ("black", "white")]
        assert sorted(discs) == sorted((position.player.bit_count(), position.opponent.bit_count()))


def test_what_happens_is_announced(desk: OpenDesk) -> None:
    player = desk().play_new(white=HUMAN)
    live = player.page.locator("#live")
    player.play("f5")
    expect(live).to_contain_text("Black plays f5, flips 1")
    expect(live).to_contain_text("White to move, 3 moves: f4 d6 f6")
    player.play("d6")
    expect(live).to_contain_text("White plays d6, flips 1")


def test_on_a_phone(desk: OpenDesk) -> None:
    player = desk(**PHONE).play_new(white=HUMAN)
    player.square("f5").tap()
    player.expect_ply(1)
    box = player.board.bounding_box()
    assert box is not None
    assert box["x"] >= 0
    assert box["x"] + box["width"] <= 390
    assert box["width"] >= 380
    for selector in ("#controls", "#tabs"):
        expect(player.page.locator(selector)).to_be_in_viewport(ratio=1)
    player.page.get_by_role("button", name="Menu").tap()
    player.page.get_by_role("button", name="Library").tap()
    expect(player.page.locator("#panel-library")).to_be_in_viewport(ratio=0.5)  # it lies below the board
    player.page.mouse.wheel(0, -4000)
    expect(player.board).to_be_in_viewport(ratio=1)
    assert player.page.evaluate("document.documentElement.scrollWidth") == 390


def test_in_french(desk: OpenDesk) -> None:
    player = desk(locale="fr-FR").play_new(white=HUMAN)
    page = player.page
    expect(page.locator("html")).to_have_attribute("lang", "fr")
    expect(page.get_by_role("button", name="Nouvelle", exact=True)).to_be_visible()
    expect(player.square("e6")).to_have_accessible_name("e6, jouable, retourne 1 pion")
    page.get_by_role("button", name="English").click()
    expect(page.get_by_role("button", name="New", exact=True)).to_be_visible()
    expect(player.square("e6")).to_have_accessible_name("e6, legal, flips 1")
    page.reload()
    expect(player.square("e6")).to_have_accessible_name("e6, legal, flips 1")


def test_two_tabs_show_one_game(desk: OpenDesk, context: Callable[..., BrowserContext]) -> None:
    browser = context()
    first = desk(within=browser).play_new(white=HUMAN)
    second = desk(within=browser).open(first.page.url.rsplit("#", 1)[1])
    first.play("f5")
    second.expect_ply(1)
    second.play("d6")
    first.expect_ply(2)
    assert first.moves() == second.moves() == ["f5", "d6"]


def test_a_killed_server_loses_nothing(desk: OpenDesk, fresh_server: Server) -> None:
    player = desk(on=fresh_server).play_new(white=WEAK)
    player.play("f5")
    player.play(player.legal()[0])
    moves = player.moves()[:3]  # one's own, which are saved when they are answered, and what came before
    with fresh_server.gone():
        expect(player.page.locator("#banner")).to_contain_text("Connection lost")
    expect(player.page.locator("#banner")).to_be_empty()
    # Where the machine's last move was not on the disk yet, it moves again; the page still shows the one before.
    game = player.page.url.rsplit("#", 1)[1]
    line = re.findall("..", poll(lambda: fresh_server.ask("GET", f"games/{game}"), "ply", 4)["node"])
    assert line[:3] == moves
    expect(player.page.locator("#panel-moves button.move")).to_have_text(line)
    player.expect_ply(4)
    player.play(player.legal()[0])
    again = desk(on=fresh_server).open()  # a new browser goes on with it too
    again.expect_ply(6)
    assert again.moves()[:3] == moves
    player.forget_silence()


def test_a_clock_runs_and_a_game_is_resigned(desk: OpenDesk) -> None:
    player = desk().play_new(white=HUMAN, clock={"minutes": 1, "increment": 2})
    player.play("f5")
    expect(player.page.locator('[data-clock="white"]')).not_to_have_text("1:00")
    player.page.locator("#controls").get_by_role("button", name="Resign").click()
    player.page.get_by_role("dialog").get_by_role("button", name="Resign").click()
    expect(player.page.locator(".ending")).to_have_text("Black wins by resignation")


def test_the_clock_of_whoever_is_to_move_runs(desk: OpenDesk) -> None:
    player = desk()
    player.page.clock.install()
    player.play_new(white=HUMAN, clock={"minutes": 9, "increment": 0})
    player.play("f5")

    def left(color: str) -> int:
        minutes, seconds = player.page.locator(f'[data-clock="{color}"]').inner_text().split(":")
        return 60 * int(minutes) + int(seconds)

    black, white = left("black"), left("white")
    player.page.clock.fast_forward(60_000)
    assert left("black") == black
    assert left("white") <= white - 60


def test_sides_are_swapped_and_levels_changed(desk: OpenDesk) -> None:
    player = desk().play_new(white=WEAK)
    player.press("w")
    player.expect_ply(1)
    expect(player.page.locator("#bar-white .name")).to_have_text("You")
    player.page.locator("#bar-black .name").click()
    dialog = player.dialog("player")
    dialog.get_by_role("radio", name="Beginner +").check()
    dialog.get_by_role("button", name="OK").click()
    expect(player.page.locator("#bar-black .name")).to_have_text("Beginner +")


def test_machines_play_each_other(desk: OpenDesk) -> None:
    player = desk().open()
    player.press("n")
    dialog = player.dialog("new")
    dialog.get_by_role("radio", name="Machines").check()
    dialog.get_by_role("radio", name="4×4").check()
    for side in ("Black", "White"):
        dialog.get_by_role("group", name="Choose for").get_by_role("radio", name=re.compile(side)).check()
        dialog.get_by_role("group", name=side, exact=True).get_by_role("radio", name="Random").check()
    dialog.get_by_role("button", name="Play").click()
    expect(player.board).to_have_attribute("data-state", "over")


def test_an_opening_that_cannot_be_played_is_refused_in_the_dialog(desk: OpenDesk) -> None:
    player = desk().open()
    player.press("n")
    dialog = player.dialog("new")
    dialog.get_by_role("combobox", name="Opening", exact=True).select_option(label="These moves")
    dialog.get_by_role("textbox", name="Moves", exact=True).fill("f5a1")
    dialog.get_by_role("button", name="Play").click()
    expect(dialog.get_by_role("alert")).to_contain_text("a1")
    player.troubles = [trouble for trouble in player.troubles if "422" not in trouble]
