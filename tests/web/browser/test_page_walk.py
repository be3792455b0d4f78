"""Walking through an analysed game, trying moves and coming back, two tabs, and the coach."""

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from desk import Desk, OpenDesk, Server
from playwright.sync_api import BrowserContext, expect

HUMAN = {"kind": "human"}
WEAK = {"kind": "level", "level": "beginner"}
GAME = "f5f6e6f4e3c5c4e7f7d7"
"""White's f6 is not the best answer, and Black's f7 is a blunder."""
LATE = "OOOOOOOOXXXOXOOOXXOXOXX-OOXXXOX-OOOXXOOXXOOXOOOOXXXOXX-OXXXXXXXX X"
"""Three squares are empty: g7 wins by 6, h4 loses by 16."""
AXE = Path(__file__).parents[3] / "node_modules" / "axe-core" / "axe.min.js"


def analysed(desk: OpenDesk, **options: Any) -> Desk:
    """A game with its analysis, at its first mistake."""
    player = desk(**options).play_new(white=HUMAN, opening={"kind": "moves", "moves": GAME})
    player.analyse()
    player.page.locator("#tab-moves").click()
    player.page.locator("#panel-moves .sign").first.click()
    expect(player.page.locator("#reading .verdict-line strong")).to_be_visible()
    return player


def complaints(player: Desk) -> list[str]:
    """What axe finds, in words."""
    found = "(await axe.run(document, {resultTypes: ['violations']})).violations"
    run = f"async () => {found}.map((each) => each.id + ': ' + each.nodes[0].html)"
    return list(player.page.evaluate(run))


def test_walking_through_an_analysed_game(desk: OpenDesk) -> None:
    player = analysed(desk, bypass_csp=True)
    page, reading = player.page, player.page.locator("#reading")
    page.evaluate(AXE.read_text(encoding="utf-8"))
    # Its value, its label in words, the better move with what the played one lost, an arrow, the reason.
    expect(reading.locator(".score strong")).to_have_text(re.compile(r"Black|White|even"))
    verdict = reading.locator(".verdict-line")
    expect(verdict).to_have_text(re.compile(r"(inaccuracy|mistake|blunder).*Better:.*−\d.* discs"))
    better = str(verdict.locator("button").text_content())
    expect(player.board.locator(".shapes .arrow.better")).to_have_count(1)
    expect(player.square(better)).to_have_accessible_name(re.compile("better move"))
    expect(page.locator(".comment.slip").first).to_have_text(re.compile(r"Better: \w\d\. \w"))
    # The best three lines come by themselves, and the bar says who is ahead.
    expect(reading.locator(".line-score")).to_have_count(3)
    bar = page.get_by_role("meter", name="Who is ahead")
    expect(bar).to_have_attribute("aria-valuetext", re.compile("Black|White|even"))
    assert complaints(player) == []
    # The better line is in the list; each of its moves can be walked to, and then it is in the tree.
    line = page.locator(".variation.better").first
    ply, third = player.ply(), line.locator("button").nth(2)
    name = third.inner_text()
    third.click()
    player.expect_ply(ply + 2)
    expect(page.locator('.move[aria-current="true"]')).to_have_text(name)
    player.press("ArrowLeft", "ArrowLeft")
    player.expect_ply(ply)
    expect(page.locator('.move[aria-current="true"]')).to_have_text(better)
    assert complaints(player) == []
    page.get_by_role("button", name="Back to the game").click()
    expect(reading.locator(".away .plain")).to_have_count(0)


def test_what_a_move_lost_stays_in_its_line(desk: OpenDesk) -> None:
    player = analysed(desk, locale="en-US", viewport={"width": 1024, "height": 768})  # the narrowest column
    line = player.page.locator("#reading .verdict-line")
    expect(line.locator(".muted")).to_have_text(re.compile("discs"))
    assert line.evaluate("each => each.scrollHeight <= each.clientHeight")
    assert line.get_attribute("title")


def test_a_slip_is_explained_below_its_move(desk: OpenDesk) -> None:
    player = analysed(desk)
    slips = player.page.locator(".comment.slip").evaluate_all(
        "all => all.map(each => [each.previousElementSibling.lastElementChild.innerText, each.innerText])"
    )
    assert slips
    signs = {"inaccuracy": "?!", "mistake": "?", "blunder": "??"}
    for move, words in slips:
        label = re.match(r"\w+", words)
        assert label is not None
        assert re.sub(r"^[a-h][1-8]\s*", "", move) == signs[label[0].lower()], (move, words)


def test_reasons_say_whose_side_is_meant_when_it_is_not_the_readers(desk: OpenDesk) -> None:
    player = desk().play_new(white=WEAK, opening={"kind": "moves", "moves": GAME})
    player.page.locator("#controls").get_by_role("button", name="Resign").click()
    player.page.get_by_role("dialog").get_by_role("button", name="Resign").click()
    expect(player.page.locator(".end-card .accuracy strong")).to_have_count(2)
    expect(player.page.locator(".end-card .wait")).to_have_count(0)  # the analysis has ended
    player.press("Escape")
    slips = player.page.locator(".comment.slip")
    expect(slips.first).to_be_visible()
    told = slips.evaluate_all(
        "all => all.map(each => [each.previousElementSibling.lastElementChild.innerText, each.innerText])"
    )
    moves = [GAME[start : start + 2] for start in range(0, len(GAME), 2)]
    whites = {move[:2] for move, words in told if "As White sees it: " in words}
    assert whites == {move[:2] for move, _ in told if moves.index(move[:2]) % 2}
    assert 0 < len(whites) < len(told)


def test_a_button_is_clicked_though_its_panel_changes_meanwhile(desk: OpenDesk) -> None:
    player = desk().play_new(white=HUMAN, opening={"kind": "moves", "moves": GAME})
    page, opening = player.page, player.page.locator("#reading .opening")
    player.press("ArrowLeft")
    player.expect_ply(9)
    expect(page.locator("#reading .line-score")).to_have_count(3)  # the engine need not think while the button is held
    player.take_time()
    page.get_by_role("button", name="Back to the game").hover()
    page.mouse.down()
    opening.evaluate("(line) => { line.textContent = 'old' }")  # so that the panel would be drawn anew
    player.press("v")
    expect(player.board.locator(".value").first).to_be_visible()
    expect(opening).to_have_text("old")
    page.mouse.up()
    player.expect_ply(10)
    expect(opening).not_to_have_text("old")


def test_the_graph_tells_of_every_move(desk: OpenDesk) -> None:
    player = analysed(desk)
    slider = player.page.get_by_role("slider", name="Score over the game")
    expect(slider.locator(".tick").first).to_be_visible()
    assert slider.locator("span.third").all_inner_texts() == ["Opening", "Middle", "End"]
    slider.focus()
    player.press("Home")
    player.expect_ply(0)
    player.press("ArrowRight")
    player.expect_ply(1)
    expect(slider).to_have_attribute("aria-valuetext", re.compile("^move 1 f5, .* – best move$"))
    box = slider.bounding_box()
    assert box is not None
    player.page.mouse.move(box["x"] + box["width"] * 3 / 60, box["y"] + 20)
    expect(slider.locator(".tip")).to_have_text(re.compile("^move 3 e6"))
    player.page.mouse.move(1, 1)
    expect(slider.locator(".tip")).to_have_count(0)


def test_the_graph_rises_where_black_is_ahead(desk: OpenDesk, server: Server) -> None:
    """Black is about to take every disc: the last point is in the upper half."""
    game = server.new_game(white=HUMAN, opening={"kind": "moves", "moves": "e6f4e3f6g5d6e7f5"})
    player = desk().open(game)
    player.analyse()
    line = player.page.locator("#graph .line")
    expect(line).to_have_count(1)
    assert float(str(line.get_attribute("d")).split()[-1]) < 30  # of 60


def test_keys_may_come_faster_than_answers(desk: OpenDesk) -> None:
    player = analysed(desk)
    player.expect_ply(2)
    press = "target.dispatchEvent(new KeyboardEvent('keydown', {key, bubbles: true, cancelable: true}))"
    slider = player.page.get_by_role("slider", name="Score over the game")
    slider.evaluate(f"target => {{ for (const key of ['End', 'Home', 'ArrowRight']) {press}; }}")
    player.expect_ply(1)
    expect(slider).to_have_attribute("aria-valuenow", "1")
    body, controls = player.page.locator("body"), player.page.locator("#controls")
    player.press("End")
    expect(controls.get_by_role("button", name="Forward a move")).to_be_disabled()
    body.evaluate(f"target => {{ for (const key of ['Home', 'ArrowRight']) {press}; }}")
    player.expect_ply(1)
    body.evaluate(f"target => {{ for (const key of ['Home', 'ArrowLeft']) {press}; }}")
    player.expect_ply(0)
    expect(controls.get_by_role("button", name="Back a move")).to_be_disabled()


def test_a_try_opens_a_branch_and_the_game_waits(desk: OpenDesk) -> None:
    player = desk().play_new(white=WEAK)
    player.play("f5")
    before = player.moves()
    player.press("Home")
    player.expect_ply(0)
    expect(player.page.locator(".away")).to_contain_text("Looking back.")
    player.square("c4").click()
    player.expect_ply(1)
    expect(player.page.locator(".away")).to_contain_text("Trying moves.")
    expect(player.page.locator(".variation")).to_contain_text("c4")
    player.square("e3").click()  # for the machine, which does not answer
    player.expect_ply(2)
    player.page.get_by_role("button", name="Back to the game").click()
    expect(player.page.locator("body")).to_have_attribute("data-mode", "play")
    expect(player.page.locator(".away")).to_have_count(0)
    main = player.page.locator(".pair .move").all_inner_texts()
    assert main == before
    player.expect_ply(len(before))


def test_what_one_writes_stays_when_another_tab_plays(
    desk: OpenDesk, context: Callable[..., BrowserContext], server: Server
) -> None:
    browser = context()
    game = server.new_game(white=HUMAN, opening={"kind": "moves", "moves": "f5d6c3"})
    one, other = desk(browser).open(game), desk(browser).open(game)
    other.press("Home")
    other.expect_ply(0)
    field = other.page.get_by_label("Comment on the start")
    field.press_sequentially("nobody knows yet")
    one.square("d3").click()
    expect(other.page.locator("#panel-moves .moves")).to_contain_text("d3")
    one.press("Home")
    one.page.get_by_label("Comment on the start").fill("somebody does")
    one.press("Enter")
    expect(other.page.locator("#panel-moves .moves")).to_contain_text("somebody does")
    expect(field).to_have_value("nobody knows yet")
    expect(field).to_be_focused()
    field.press("Enter")
    expect(one.page.locator("#panel-moves .moves")).to_contain_text("nobody knows yet")
    other.press("End", "ArrowLeft")
    other.expect_ply(3)
    one.press("End")
    one.expect_ply(4)
    one.square(one.legal()[0]).click()
    one.expect_ply(5)
    expect(other.page.locator("#panel-moves button.move")).to_have_count(5)
    other.page.locator(".editor").get_by_role("button", name="Delete from here").click()
    expect(other.page.get_by_role("dialog")).to_contain_text("Delete 3 moves from the end of this game?")


def test_two_tabs_have_two_places(desk: OpenDesk, context: Callable[..., BrowserContext], server: Server) -> None:
    browser = context()
    game = server.new_game(white=HUMAN, opening={"kind": "moves", "moves": "f5d6c3"})
    one, other = desk(browser).open(game), desk(browser).open(game)
    other.press("Home")
    other.expect_ply(0)
    one.square("d3").click()
    one.expect_ply(4)
    expect(other.page.locator("#panel-moves")).to_contain_text("d3")
    assert other.ply() == 0
    other.press("f")  # from now on it goes along
    other.expect_following()  # and the server knows before the other line says anything
    one.press("ArrowLeft")
    one.expect_ply(3)
    other.expect_ply(3)
    other.press("f", "End")
    other.expect_ply(4)
    one.press("Home")
    one.expect_ply(0)
    assert other.ply() == 4


def test_while_one_plays_the_engine_is_silent_until_the_coach_is_asked(desk: OpenDesk) -> None:
    player = desk(bypass_csp=True).play_new(white=WEAK, opening={"kind": "position", "board": LATE})
    player.page.evaluate(AXE.read_text(encoding="utf-8"))
    controls = player.page.locator("#controls")
    expect(controls.get_by_role("button", name="Hint")).to_have_count(0)
    player.press("v")
    player.toast("The coach is off.").get_by_role("button", name="Switch it on").click()
    expect(player.square("g7")).to_have_text("+6.")
    player.press("v")
    expect(player.square("g7")).to_have_text("")
    for help_ in ("Hint", "Values"):
        expect(controls.get_by_role("button", name=help_)).to_be_visible()
    expect(player.page.locator("body")).to_have_attribute("data-mode", "play")
    player.page.set_viewport_size({"width": 360, "height": 640})
    expect(player.page.locator(".coach-said")).to_be_visible()  # on a phone too
    player.page.set_viewport_size({"width": 1280, "height": 800})
    player.square("h4").click()  # a word of warning; only a second click plays it
    player.told(re.compile(r"^h4 would be a blunder: −22 discs\..*Click again"))
    expect(player.page.locator("#live")).to_contain_text("h4 would be a blunder")
    assert player.ply() == 0
    assert complaints(player) == []
    player.square("h4").click()
    expect(player.board).not_to_have_attribute("data-ply", "0")


def test_the_coach_speaks_of_what_was_played_as_played(desk: OpenDesk) -> None:
    player = desk().play_new(white=WEAK, opening={"kind": "moves", "moves": GAME.removesuffix("f7d7")})
    player.press("c", "v")
    expect(player.square("f7")).to_have_text(re.compile(r"−\d"))  # before that nobody can warn
    player.square("f7").click()
    player.told(re.compile("^f7 would be a blunder"))
    player.square("f7").click()
    expect(player.page.locator(".coach-said")).to_contain_text("f7 was a blunder")


@pytest.mark.parametrize("size", [(360, 640), (390, 844), (820, 1180), (1280, 720), (1440, 900), (2560, 1080)])
def test_the_board_keeps_its_share_while_one_studies(desk: OpenDesk, size: tuple[int, int]) -> None:
    width, height = size
    player = desk(viewport={"width": width, "height": height}).play_new(
        white=HUMAN, opening={"kind": "moves", "moves": "f5d6"}
    )
    player.press("ArrowLeft")
    expect(player.page.locator("body")).to_have_attribute("data-mode", "study")
    box = player.board.bounding_box()
    assert box is not None
    assert box["width"] >= 0.99 * width if height > width else box["height"] >= 0.9 * height
    assert player.page.evaluate("document.documentElement.scrollWidth") <= width
    expect(player.page.get_by_role("meter", name="Who is ahead")).to_be_visible()
