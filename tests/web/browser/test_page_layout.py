"""Where things are: a board as large as the screen allows, you at the bottom, words on every button, other looks."""

import re

import pytest
from desk import Desk, OpenDesk
from playwright.sync_api import expect

HUMAN = {"kind": "human"}
WEAK = {"kind": "level", "level": "beginner"}
PHONES = [(360, 640), (390, 844), (820, 1180)]
DESKS = [(1280, 720), (1440, 900), (2560, 1080)]
LEAST = 0.9  # of the height of a desk's screen
TARGET = 44  # pixels a finger needs
LUMINANCE = """(color) => {
  const canvas = new OffscreenCanvas(1, 1).getContext("2d");
  canvas.fillStyle = color;
  canvas.fillRect(0, 0, 1, 1);
  const [r, g, b] = [...canvas.getImageData(0, 0, 1, 1).data].map((value) => {
    const share = value / 255;
    return share <= 0.03928 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}"""


def see(player: Desk, size: tuple[int, int]) -> dict[str, float]:
    """The board on a screen."""
    player.page.set_viewport_size({"width": size[0], "height": size[1]})
    for selector in ("#board", "#controls", "#bar-black", "#bar-white", "#tabs"):
        expect(player.page.locator(selector)).to_be_in_viewport(ratio=1)
    box = player.board.bounding_box()
    assert box is not None
    assert abs(box["width"] - box["height"]) < 1
    assert player.page.evaluate("document.documentElement.scrollWidth") <= size[0]
    return {"x": box["x"], "y": box["y"], "width": box["width"], "height": box["height"]}


def test_the_board_has_nine_tenths_of_a_desk_and_the_width_of_a_phone(desk: OpenDesk) -> None:
    player = desk().play_new(white=HUMAN)
    for width, height in DESKS:
        assert see(player, (width, height))["height"] >= LEAST * height
    for width, height in PHONES:
        assert see(player, (width, height))["width"] == width
    lying = see(player, (844, 390))
    assert lying["height"] >= LEAST * 390


@pytest.mark.parametrize("size", [(740, 360), (844, 390), (932, 430)])
def test_on_a_phone_laid_down_the_bar_of_chances_has_room_of_its_own(desk: OpenDesk, size: tuple[int, int]) -> None:
    player = desk().play_new(white=HUMAN)
    player.press("v")
    board = see(player, size)
    bar, controls = (player.page.locator(name).bounding_box() for name in (".eval-bar", "#controls"))
    assert bar is not None
    assert controls is not None
    assert board["x"] + board["width"] <= bar["x"]
    assert bar["x"] + bar["width"] <= controls["x"]


def test_names_and_results_are_read_where_the_players_stand_side_by_side(desk: OpenDesk) -> None:
    player = desk().play_new(white={"kind": "level", "level": "grandmaster"})
    player.page.locator("#controls").get_by_role("button", name="Resign").click()
    player.page.get_by_role("dialog").get_by_role("button", name="Resign").click()
    player.page.locator(".end-card").get_by_role("button", name="Close").click()
    player.page.locator("#tab-analysis").click()
    see(player, (1280, 800))
    for color, name, status in [("black", "You", "resigned"), ("white", "Grandmaster", "wins")]:
        bar = player.page.locator(f"#bar-{color}")
        for part, words in [(".name", name), (".status", status)]:
            expect(bar.locator(part)).to_have_text(words)
            assert bar.locator(part).evaluate("each => 0 < each.clientWidth && each.scrollWidth <= each.clientWidth")


def test_what_stands_beside_one_another_in_the_options_begins_at_one_height(desk: OpenDesk) -> None:
    player = desk().play_new(white=HUMAN)
    player.press("o")
    for row in player.dialog("options").locator(".options > .row").all():
        assert len(row.evaluate("each => [...new Set([...each.children].map((field) => field.offsetTop))]")) == 1


def test_a_very_wide_screen_has_something_on_both_sides(desk: OpenDesk) -> None:
    player = desk().play_new(white=HUMAN)
    board = see(player, (2560, 1080))
    bar, panel = (player.page.locator(name).bounding_box() for name in ("#bar-black", ".side"))
    assert bar is not None
    assert panel is not None
    assert bar["x"] + bar["width"] <= board["x"]
    assert panel["x"] >= board["x"] + board["width"]
    assert (bar["width"] + board["width"] + panel["width"]) / 2560 > 0.9


def test_a_very_wide_screen_shows_who_sits_opposite(desk: OpenDesk) -> None:
    player = desk().play_new(white={"kind": "level", "level": "lila"})
    opposite = player.page.locator("#opposite")
    expect(opposite).to_be_empty()
    see(player, (2560, 1080))
    expect(opposite).to_contain_text("Lila has heard that corners are good.")
    expect(opposite.locator("svg")).to_be_in_viewport(ratio=1)


@pytest.mark.parametrize("side", ["black", "white"])
@pytest.mark.parametrize("size", [PHONES[0], DESKS[0]])
def test_you_sit_at_the_bottom(desk: OpenDesk, side: str, size: tuple[int, int]) -> None:
    other = "white" if side == "black" else "black"
    player = desk().play_new(**{side: HUMAN, other: WEAK})
    player.expect_turn()
    see(player, size)
    mine, theirs = (player.page.locator(f"#bar-{color}").bounding_box() for color in (side, other))
    assert mine is not None
    assert theirs is not None
    assert mine["y"] > theirs["y"]


@pytest.mark.parametrize("side", ["black", "white"])
def test_the_bar_of_chances_stands_as_the_players_sit(desk: OpenDesk, side: str) -> None:
    """At the start the chances are about even: Black's half is at Black's end, whichever that is."""
    other = "white" if side == "black" else "black"
    player = desk().play_new(**{side: HUMAN, other: WEAK})
    player.expect_turn()
    player.page.locator("#tab-analysis").click()
    bar = player.page.locator(".eval-bar")
    expect(bar).to_be_visible()
    whole, black = bar.bounding_box(), bar.locator(".eval-black").bounding_box()
    assert whole is not None
    assert black is not None
    assert (black["y"] > whole["y"] + whole["height"] / 5) == (side == "black")


def test_whoever_studies_sees_moves_on_a_low_screen_too(desk: OpenDesk) -> None:
    player = desk().play_new(white=HUMAN, opening={"kind": "moves", "moves": "f5d6c3d3c4f4c5b3c2e6c6b4b5d2e3a6c1"})
    player.press("v")
    see(player, DESKS[0])
    list_, editor = (player.page.locator(f"#panel-moves{part}").bounding_box() for part in ("", " .editor"))
    row = player.page.locator("#panel-moves .pair").first.bounding_box()
    assert list_ is not None
    assert editor is not None
    assert row is not None
    assert (editor["y"] - list_["y"]) / row["height"] >= 5


def test_every_control_has_a_word_and_room_for_a_finger(desk: OpenDesk) -> None:
    player = desk().play_new(white=HUMAN, opening={"kind": "moves", "moves": "f5d6"})
    for size in (PHONES[0], DESKS[0]):
        see(player, size)
        for key, names in [("", ["Undo", "Hint", "Back", "Forward", "Resign", "More"]), ("v", ["Start", "Values"])]:
            if key:
                player.press(key)
            expect(player.page.locator("#controls")).to_contain_text(names[-1])
            shown = player.page.locator("#controls button").all()
            assert set(names) <= {button.inner_text().strip() for button in shown}
            for button in shown:
                box = button.bounding_box()
                assert box is not None
                assert min(box["width"], box["height"]) >= TARGET
                assert button.locator("span").evaluate("each => each.scrollWidth <= each.clientWidth"), key
                expect(button).to_have_accessible_name(re.compile("^" + re.escape(button.inner_text().strip())))
        player.press("v")
        expect(player.page.locator("body")).to_have_attribute("data-mode", "play")


def test_the_panel_depends_on_whether_one_plays_or_studies(desk: OpenDesk) -> None:
    player = desk().play_new(white=WEAK)
    body, graph = player.page.locator("body"), player.page.locator("#graph")
    expect(body).to_have_attribute("data-mode", "play")
    expect(graph).to_be_hidden()
    player.play("f5")
    comment = player.page.get_by_placeholder("Comment")
    expect(comment).to_have_count(0)
    expect(player.page.locator("#reading .score")).to_be_empty()  # what the machine thinks is its own affair
    player.page.locator("#tab-analysis").click()
    expect(body).to_have_attribute("data-mode", "study")
    expect(graph).to_be_visible()
    player.page.locator("#tab-moves").click()
    expect(body).to_have_attribute("data-mode", "play")
    player.press("ArrowLeft")
    expect(body).to_have_attribute("data-mode", "study")
    expect(comment).to_be_visible()
    player.page.get_by_role("button", name="Back to the game").click()
    expect(body).to_have_attribute("data-mode", "play")


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_every_board_shows_marks_of_both_colours_and_is_remembered(desk: OpenDesk, scheme: str) -> None:
    player = desk(color_scheme=scheme).play_new(white=HUMAN)
    for name in ("Green felt", "Walnut", "Blue", "Slate", "Plum"):
        player.press("o")
        player.dialog("options").get_by_role("combobox", name=re.compile("^Board")).select_option(label=name)
        player.press("Escape")
        squares = [player.square(square) for square in ("a1", "b1")]
        felts = [square.evaluate("each => getComputedStyle(each).backgroundColor") for square in squares]
        for felt in felts:
            light = player.page.evaluate(LUMINANCE, felt)
            black, white = (
                player.page.evaluate(f"getComputedStyle(document.documentElement).getPropertyValue('--{color}-mark')")
                for color in ("black", "white")
            )
            dark = player.page.evaluate(LUMINANCE, black)
            bright = player.page.evaluate(LUMINANCE, white)
            assert (light + 0.05) / (dark + 0.05) >= 3, (name, felt)
            assert (bright + 0.05) / (light + 0.05) >= 4.5, (name, felt)
    player.page.reload()
    expect(player.page.locator("html")).to_have_attribute("data-board", "plum")


def test_discs_have_other_faces_too(desk: OpenDesk) -> None:
    player = desk().play_new(white=HUMAN)
    disc = player.square("d4").locator(".disc")
    before = disc.evaluate("each => getComputedStyle(each).background")
    player.press("o")
    player.dialog("options").get_by_role("combobox", name="Discs", exact=True).select_option(label="High contrast")
    player.press("Escape")
    assert disc.evaluate("each => getComputedStyle(each).background") != before
    expect(disc).to_have_css("border-top-color", "rgb(0, 0, 0)")


def test_forced_colours_keep_the_chances_and_the_best_move(desk: OpenDesk) -> None:
    player = desk(forced_colors="active").play_new(white=HUMAN, opening={"kind": "moves", "moves": "f5d6c3"})
    player.press("v")
    best = player.board.locator(".square.best")
    expect(best).to_have_count(1)
    expect(player.page.locator('.move[aria-current="true"]')).to_have_css("outline-style", "solid")
    background, note, ring = best.evaluate("""(square) => [
      getComputedStyle(square).backgroundColor,
      getComputedStyle(square.querySelector(".value[data-note]"), "::after").color,
      getComputedStyle(square, "::after").borderTopColor,
    ]""")
    assert note != background
    assert ring != background
    light, dark = sorted((player.page.evaluate(LUMINANCE, color) for color in (background, note)), reverse=True)
    assert (light + 0.05) / (dark + 0.05) >= 4.5


@pytest.mark.parametrize("locale", ["en-US", "fr-FR"])
def test_all_words_of_the_menu_are_seen_in_one_line(desk: OpenDesk, locale: str) -> None:
    player = desk(locale=locale).play_new(white=HUMAN)
    buttons = player.page.locator("#nav button")
    expect(buttons).to_have_count(6)
    for size in (*DESKS, (1280, 800), PHONES[2]):
        see(player, size)
        tops = set()
        for button in buttons.all():
            expect(button).to_be_in_viewport(ratio=1)
            assert button.evaluate("each => each.scrollWidth <= each.clientWidth")
            box = button.bounding_box()
            assert box is not None
            tops.add(box["y"])
        assert len(tops) == 1
