"""Playing without seeing, without a mouse, with forced colours: names typed, legal squares reached, all of it said."""

import io

from desk import Desk, OpenDesk
from PIL import Image
from playwright.sync_api import expect

HUMAN = {"kind": "human"}
TIGER = {"kind": "moves", "moves": "f5d6c3d3c4"}


def enter_board(player: Desk) -> None:
    player.page.locator("body").press("Tab")
    player.press("Enter")
    expect(player.board.locator("button:focus")).to_have_count(1)


def test_a_square_is_typed_and_played(desk: OpenDesk) -> None:
    player = desk().play_new(white=HUMAN)
    enter_board(player)
    player.press("f", "5")
    player.expect_ply(1)
    expect(player.square("f5")).to_be_focused()
    player.press("a", "1")
    expect(player.page.locator("#live")).to_contain_text("a1 would turn no disc.")
    expect(player.page.get_by_role("dialog")).to_have_count(0)  # no letter was taken for a shortcut
    player.press("d", "6")
    player.expect_ply(2)


def test_arrows_end_at_the_edge(desk: OpenDesk) -> None:
    player = desk().play_new(white=HUMAN, size="4")
    enter_board(player)
    for keys, square in [
        (["ArrowLeft", "ArrowUp"], "a1"),
        (["ArrowRight"] * 4, "d1"),
        (["ArrowDown"] * 4, "d4"),
        (["ArrowLeft"] * 4, "a4"),
    ]:
        player.press(*keys)
        expect(player.square(square)).to_be_focused()


def test_a_key_goes_from_legal_square_to_legal_square(desk: OpenDesk) -> None:
    player = desk().play_new(white=HUMAN)
    names = player.legal()
    for name in [*names, names[0]]:
        player.press(".")
        expect(player.square(name)).to_be_focused()
    player.press(",")
    expect(player.square(names[-1])).to_be_focused()
    player.press("Enter")
    player.expect_ply(1)


def test_values_are_said(desk: OpenDesk) -> None:
    player = desk().play_new(white=HUMAN, opening=TIGER)
    player.press("v")
    expect(player.page.locator("#live")).to_contain_text("best ")


def test_only_the_side_that_may_play_sees_where(desk: OpenDesk) -> None:
    player = desk().play_new(white={"kind": "player", "spec": "mcts:time=30"})
    shown = "each => getComputedStyle(each, '::before').content !== 'none'"
    assert player.square("f5").evaluate(shown)
    player.square("f5").click()
    player.expect_ply(1)
    expect(player.board).to_have_attribute("data-state", "theirs")
    assert not any(square.evaluate(shown) for square in player.board.locator(".legal").all())


def test_forced_colours_show_discs_and_legal_squares(desk: OpenDesk) -> None:
    for scheme in ("light", "dark"):
        player = desk(forced_colors="active", color_scheme=scheme).play_new(white=HUMAN)

        def middle(name: str, player: Desk = player) -> int:
            picture = Image.open(io.BytesIO(player.square(name).screenshot())).convert("L")
            value = picture.getpixel((picture.width // 2, picture.height // 2))
            assert isinstance(value, int | float)
            return int(value)

        black, white = middle("e4"), middle("d4")
        assert white - black > 200
        square = Image.open(io.BytesIO(player.square("f5").screenshot())).convert("L")
        empty = Image.open(io.BytesIO(player.square("a1").screenshot())).convert("L")
        low, high = square.getextrema()
        assert isinstance(low, int | float)
        assert isinstance(high, int | float)
        assert high - low > 200  # the mark stands out from the square
        assert empty.getpixel((5, 5)) == empty.getpixel((empty.width // 2, empty.height // 2))


def test_targets_are_large_enough_for_a_finger(desk: OpenDesk) -> None:
    player = desk(viewport={"width": 390, "height": 844}, has_touch=True, is_mobile=True).play_new(white=HUMAN)
    for button in player.page.locator("#controls button, .top button:visible, #tabs button").all():
        box = button.bounding_box()
        assert box is not None
        assert min(box["width"], box["height"]) >= 44, button.get_attribute("aria-label")


def test_a_button_that_has_done_all_it_can_keeps_the_focus(desk: OpenDesk) -> None:
    player = desk().play_new(white=HUMAN, opening=TIGER)
    player.press("ArrowLeft")
    player.expect_ply(4)
    back = player.page.locator("#controls").get_by_role("button", name="Back a move")
    for ply in reversed(range(4)):
        back.press("Enter")
        player.expect_ply(ply)
    expect(back).to_have_attribute("aria-disabled", "true")
    expect(back).to_be_focused()
    back.press("Enter")
    player.press("Tab")  # it is a button that can be left
    player.press("End")
    player.expect_ply(5)
    expect(back).to_be_enabled()
