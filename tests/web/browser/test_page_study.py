"""Studying: walking through a game, variations, comments, values, advice, drawings, analysis, lessons."""

import re

from desk import Desk, OpenDesk
from playwright.sync_api import expect

HUMAN = {"kind": "human"}
WEAK = {"kind": "level", "level": "beginner"}
TIGER = {"kind": "moves", "moves": "f5d6c3d3c4"}
LATE = "OOOOOOOOXXXOXOOOXXOXOXX-OOXXXOX-OOOXXOOXXOOXOOOOXXXOXX-OXXXXXXXX X"
"""Three squares are empty: g7 wins by 6, h4 loses by 16."""


def studied(desk: OpenDesk, **choices: object) -> Desk:
    return desk().play_new(white=HUMAN, **choices)


def test_walking_with_buttons_wheel_and_clicks(desk: OpenDesk) -> None:
    player = studied(desk, opening=TIGER)
    controls = player.page.locator("#controls")
    player.expect_ply(5)
    walk = [
        ("Back a move", 4),
        ("Start of the game", 0),
        ("Forward a move", 1),
        ("End: to the last", 5),
        ("Back a move", 4),
    ]
    for name, ply in walk:
        controls.get_by_role("button", name=name).click()
        player.expect_ply(ply)
    player.press("ArrowUp")
    player.expect_ply(2)  # between two people a turn is two moves
    expect(controls.get_by_role("button", name="Forward a move")).to_be_enabled()
    player.page.locator("#panel-moves").get_by_role("button", name="d6", exact=True).click()
    player.expect_ply(2)
    player.board.hover()
    player.page.mouse.wheel(0, 100)
    player.expect_ply(3)
    player.page.mouse.wheel(0, -100)
    player.expect_ply(2)
    assert player.moves() == ["f5", "d6", "c3", "d3", "c4"]


def test_dragging_along_the_graph(desk: OpenDesk) -> None:
    player = studied(desk, opening=TIGER)
    player.press("ArrowLeft")  # who looks back studies: there is the graph
    slider = player.page.get_by_role("slider", name="Score over the game")
    box = slider.bounding_box()
    assert box is not None
    mouse = player.page.mouse
    mouse.move(box["x"] + 1, box["y"] + 20)
    mouse.down()
    player.expect_ply(0)
    mouse.move(box["x"] + box["width"] * 3 / 60, box["y"] + 20)
    player.expect_ply(3)
    mouse.up()
    slider.focus()
    player.press("ArrowRight")
    player.expect_ply(4)
    expect(slider).to_have_attribute("aria-valuenow", "4")


def test_a_variation_is_kept_promoted_and_deleted(desk: OpenDesk) -> None:
    player = studied(desk, opening=TIGER)
    player.press("ArrowLeft")
    player.expect_ply(4)
    other = next(name for name in player.legal() if name != "c4")
    player.square(other).click(button="right")
    variation = player.page.locator(".variation")
    expect(variation).to_contain_text(other)
    player.page.get_by_role("button", name="Make it the main line").click()
    expect(variation).to_contain_text("c4")
    variation.get_by_role("button", name="c4").click()
    expect(variation.get_by_role("button", name="c4")).to_have_attribute("aria-current", "true")
    player.page.get_by_role("button", name="Delete from here").click()
    expect(variation).to_have_count(0)
    assert player.moves() == ["f5", "d6", "c3", "d3", other]


def test_a_part_of_the_game_is_not_deleted_without_a_question(desk: OpenDesk) -> None:
    player = studied(desk, opening=TIGER)
    player.press("ArrowLeft")
    player.expect_ply(4)
    for answer, left in [("Cancel", 5), ("Delete from here", 3)]:
        player.page.locator(".editor").get_by_role("button", name="Delete from here").click()
        question = player.page.get_by_role("dialog")
        expect(question.get_by_role("heading")).to_have_text("Delete 2 moves from the end of this game?")
        question.get_by_role("button", name=answer).click()
        expect(player.page.locator("#panel-moves button.move")).to_have_count(left)


def test_a_comment_is_kept(desk: OpenDesk) -> None:
    player = studied(desk, opening=TIGER)
    field = player.page.get_by_label("Comment on c4")
    field.fill("the tiger <b>roars</b>")
    field.press("Enter")
    expect(player.page.locator(".comment")).to_have_text("the tiger <b>roars</b>")
    player.page.reload()
    expect(player.page.locator(".comment")).to_have_text("the tiger <b>roars</b>")


def test_the_right_button_plays_without_an_answer(desk: OpenDesk) -> None:
    player = desk().play_new(white=WEAK)
    player.square("f5").click(button="right")
    player.expect_ply(1)
    expect(player.board).to_have_attribute("data-state", "rests")
    player.square("d6").click(button="right")
    player.expect_ply(2)
    assert player.moves() == ["f5", "d6"]


def test_a_turn_is_taken_back_and_replayed(desk: OpenDesk) -> None:
    player = desk().play_new(white=WEAK)
    player.play("f5")
    before = player.moves()
    player.page.get_by_role("button", name="Take back a turn").click()
    player.expect_ply(0)
    player.press("Shift+U")
    player.expect_ply(2)
    assert player.moves() == before


def test_exact_values_advice_and_the_line(desk: OpenDesk) -> None:
    player = studied(desk, opening={"kind": "position", "board": LATE})
    player.press("v")
    best = player.square("g7")
    expect(best).to_have_text("+6.")
    expect(best).to_have_accessible_name("g7, legal, flips 3, exact value +6, best")
    expect(best.locator(".value")).to_have_css("font-weight", "750")
    expect(player.square("h4")).to_have_text("−16.")
    reading = player.page.locator("#reading")
    expect(reading).to_contain_text("Black +6.")
    player.page.get_by_role("button", name="Values of the squares").click()
    expect(best).to_have_text("")
    player.page.get_by_role("button", name="Hint").click()
    expect(best).to_have_accessible_name("g7, legal, flips 3, advised")
    line = reading.get_by_role("button", name=re.compile("^Play up to"))
    expect(line.first).to_have_text("g7")
    line.first.click()
    player.expect_ply(1)


def test_values_and_advice_where_white_is_to_move(desk: OpenDesk) -> None:
    other = LATE.translate(str.maketrans("XO", "OX"))
    player = studied(desk, opening={"kind": "position", "board": other})
    reading = player.page.locator("#reading .score strong")
    player.press("v")
    expect(player.square("g7")).to_have_text("+6.")  # to whoever plays there,
    expect(reading).to_have_text("White +6.")  # and beside the board with its name
    player.press("v")
    expect(player.square("g7")).to_have_text("")
    player.page.get_by_role("button", name="Hint").click()
    expect(player.square("g7")).to_have_accessible_name("g7, legal, flips 3, advised")
    expect(reading).to_have_text("White +6.")


def test_early_values_come_with_chances(desk: OpenDesk) -> None:
    player = studied(desk)
    player.press("v")
    expect(player.square("f5").locator(".value")).to_have_attribute("data-note", re.compile(r"^\d+%$"))
    expect(player.square("f5")).to_have_accessible_name(re.compile(r"chance to win \d+%"))
    expect(player.page.locator(".chances")).to_have_text(re.compile(r"^\d+%\d+%\d+%$"))


def test_circles_and_arrows(desk: OpenDesk) -> None:
    player = studied(desk)
    shapes = player.board.locator(".shapes")
    player.press("d")
    player.told("Drawing: click")
    player.square("a1").click()
    expect(shapes.locator(".circle")).to_have_count(1)
    player.square("b2").drag_to(player.square("e5"))
    expect(shapes.locator(".arrow")).to_have_count(1)
    player.square("a1").click()
    expect(shapes.locator(".circle")).to_have_count(0)
    player.press("d")
    player.square("f5").click()
    player.expect_ply(1)
    expect(shapes.locator(".arrow")).to_have_count(0)  # they belong to the position they were drawn on


def test_symmetries_turn_the_whole_game(desk: OpenDesk) -> None:
    player = studied(desk, opening=TIGER)
    for name, first in [("half round", "c4"), ("rising", "e6"), ("falling", "f5")]:
        player.page.get_by_role("button", name="More", exact=True).click()
        player.page.get_by_role("menuitem", name=re.compile(name)).click()
        expect(player.page.locator("#panel-moves button.move").first).to_have_text(first)


def test_pictures_of_the_board(desk: OpenDesk) -> None:
    player = studied(desk, opening=TIGER)
    starts = {"SVG": b"<svg", "PNG": b"\x89PNG"}
    for name, start in starts.items():
        player.page.get_by_role("button", name="More", exact=True).click()
        with player.page.expect_download() as download:
            player.page.get_by_role("menuitem", name=f"Board as {name}").click()
        assert download.value.path().read_bytes().startswith(start)


def test_link_and_picture_are_of_where_one_looks(desk: OpenDesk) -> None:
    player = desk(permissions=["clipboard-read", "clipboard-write"]).play_new(white=HUMAN, opening=TIGER)
    player.press("ArrowLeft", "ArrowLeft")
    player.expect_ply(3)
    more = player.page.get_by_role("button", name="More", exact=True)
    more.click()
    player.page.get_by_role("menuitem", name="Copy a link to the position").click()
    player.told("Copied: http")
    assert player.page.evaluate("navigator.clipboard.readText()").endswith("#moves=F5D6C3")
    more.click()
    with player.page.expect_download() as download:
        player.page.get_by_role("menuitem", name="Board as SVG").click()
    drawn = download.value.path().read_text(encoding="utf-8")
    assert "Last move: c3." in drawn


def test_a_mistake_is_asked_about_until_a_good_move_is_found(desk: OpenDesk) -> None:
    player = studied(desk, opening={"kind": "moves", "moves": "f5f6e6f4e3c5c4e7f7d7"})
    page, panel = player.page, player.page.locator("#panel-analysis")
    player.analyse()
    listed = page.locator(".mistakes li")
    expect(listed.first).to_contain_text("was better")
    count, better = listed.count(), listed.first.locator(".muted").inner_text()[:2]
    page.get_by_role("button", name="Learn from them").click()
    question = re.search(r"played (\w\d)", panel.locator(".big").inner_text())
    assert question is not None
    # The words are there before the board is; at the end of the game, where we come from, the square is taken.
    expect(player.square(question[1])).to_have_accessible_name(re.compile("legal"))
    player.square(question[1]).click()  # what was played in the game
    expect(panel.locator(".verdict.wrong")).to_contain_text(f"Not {question[1]} (−")
    player.square(better).click()
    expect(panel.locator(".verdict.right")).to_have_text(f"Yes, {better} is good.")
    panel.get_by_role("button", name="Next").click()
    for index in range(2, count + 1):
        expect(panel).to_contain_text(f"Mistake {index} of {count}")
        panel.get_by_role("button", name="Skip").click()
    expect(panel.locator(".big")).to_have_text(f"Done: 0 of {count} found at once.")


def test_a_key_starts_the_analysis(desk: OpenDesk) -> None:
    player = studied(desk, opening={"kind": "moves", "moves": "f5f6e6f4e3"})
    player.press("a")
    expect(player.page.get_by_role("tab", name="Analysis")).to_have_attribute("aria-selected", "true")
    expect(player.page.locator(".report")).to_contain_text("Accuracy")


def test_analysis_and_learning_from_mistakes(desk: OpenDesk) -> None:
    player = desk().open(imported(desk))
    page = player.page
    player.analyse()
    expect(page.locator(".report")).to_contain_text("Accuracy")
    mistakes = page.locator(".mistakes li")
    expect(mistakes.first).to_contain_text("was better")
    count = mistakes.count()  # of both sides: people played them
    page.get_by_role("button", name="Learn from them").click()
    panel = page.locator("#panel-analysis")
    expect(panel).to_contain_text(f"Mistake 1 of {count}")
    panel.get_by_role("button", name="Show the answer").click()
    expect(panel.locator(".reasons li").first).not_to_be_empty()
    answer = panel.locator(".verdict").inner_text()[:2]
    expect(player.square(answer)).to_have_accessible_name(re.compile("advised"))
    panel.get_by_role("button", name="Next" if count > 1 else "Back to the game").click()
    if count > 1:
        expect(panel).to_contain_text(f"Mistake 2 of {count}")
        panel.get_by_role("button", name="Back to the game").click()
    expect(mistakes.first).to_contain_text("was better")
    expect(page.locator("#graph .line")).to_have_count(1)


def imported(desk: OpenDesk) -> str:
    """A game in which Black moved at random."""
    server = desk().server
    games = server.ask("POST", "import", {"text": "C4E3F6C5F4F5F2E2C6B3G5E6F3G4D2E1A2D6F7B7H4H3G3B5"})["games"]
    return str(games[0]["game"])


def test_the_explorer_names_and_plays(desk: OpenDesk) -> None:
    player = studied(desk, opening=TIGER)
    player.page.get_by_role("tab", name="Explorer").click()
    panel = player.page.locator("#panel-explorer")
    expect(panel.get_by_role("heading")).to_have_text("Tiger")
    panel.get_by_role("button").first.click()
    player.expect_ply(6)


def test_a_named_opening_is_followed(desk: OpenDesk) -> None:
    player = desk().open()
    player.press("n")
    dialog = player.dialog("new")
    dialog.get_by_role("combobox", name="Opening", exact=True).select_option(label="A named opening")
    dialog.get_by_role("combobox", name=re.compile("Opening, followed")).select_option(label="Tiger")
    dialog.get_by_role("button", name="Play").click()
    expect(dialog).to_be_hidden()
    # The board shows the new game, and not for a moment longer the one before.
    expect(player.square("f5")).to_have_accessible_name(re.compile("keeps to the opening"))
    player.play("f5")
    player.play("c3")
    assert player.moves()[:4] == ["f5", "d6", "c3", "d3"]


def test_setting_up_a_position(desk: OpenDesk) -> None:
    player = studied(desk)
    player.press("e")
    dialog = player.dialog("setup")
    status = dialog.get_by_role("status")
    expect(status).to_have_text("Black 2, White 2; 4 legal moves.")
    dialog.get_by_role("button", name="Empty board").click()
    expect(dialog.get_by_role("button", name="Play from here")).to_be_disabled()
    dialog.get_by_role("button", name=re.compile("^a1")).click()  # black
    for _ in range(2):
        dialog.get_by_role("button", name=re.compile("^b1")).click()  # then white
    expect(status).to_have_text("Black 1, White 1; 1 legal move.")
    dialog.get_by_role("button", name="Study").click()
    expect(dialog).to_be_hidden()
    expect(player.board.locator(".disc")).to_have_count(2)
    assert player.legal() == ["c1"]
    player.press("e")
    dialog.get_by_role("button", name="Play from here").click()
    player.dialog("new").get_by_role("button", name="Play").click()
    expect(player.page.locator("#bar-white .name")).to_have_text("Nora")
    player.square("c1").click()
    expect(player.board).to_have_attribute("data-state", "over")


def test_setting_up_a_position_with_white_to_move(desk: OpenDesk) -> None:
    player = studied(desk)
    player.press("e")
    dialog = player.dialog("setup")
    dialog.get_by_role("group", name="To move").get_by_role("radio", name="White").check()
    expect(dialog.get_by_role("status")).to_have_text("Black 2, White 2; 4 legal moves.")
    dialog.get_by_role("button", name="Study").click()
    expect(dialog).to_be_hidden()
    expect(player.square("f4")).to_have_accessible_name("f4, legal, flips 1")
    assert player.legal() == ["e3", "f4", "c5", "d6"]


def test_lessons_can_be_played(desk: OpenDesk) -> None:
    player = desk(locale="fr-FR").play_new(white=HUMAN)
    player.page.get_by_role("button", name="Apprendre", exact=True).click()
    dialog = player.dialog("learn")
    for chapter in dialog.locator(".chapters button").all():
        chapter.click()
        expect(dialog.locator(".lesson h3")).to_have_text(chapter.inner_text())
        expect(dialog.locator(".lesson")).not_to_contain_text(re.compile(r"learn\.|about\.|\["))
        expect(dialog.locator(".lesson > *").nth(1)).to_be_visible()
    dialog.get_by_role("button", name="La parité").click()
    diagram = dialog.locator(".diagram")
    diagram.get_by_role("button", name=re.compile("^g7, jouable")).click()
    expect(diagram.get_by_role("button", name=re.compile("^g7, noir"))).to_be_visible()
    diagram.get_by_role("button", name="Recommencer").click()
    expect(diagram.get_by_role("button", name=re.compile("^g7, jouable"))).to_be_visible()
    diagram.get_by_role("button", name="Jouer d’ici").click()
    expect(dialog).to_be_hidden()
    expect(player.square("g7")).to_have_accessible_name("g7, jouable, retourne 3 pions")
