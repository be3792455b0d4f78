"""Opponents as cards: chosen by mouse, finger and keyboard, watched in a class, offered step by step."""

import re
from collections.abc import Callable

from desk import Desk, OpenDesk
from playwright.sync_api import BrowserContext, Locator, expect

SMALL = {"viewport": {"width": 360, "height": 640}, "has_touch": True, "is_mobile": True}
LAST = {"kind": "position", "board": "X" + "O" * 6 + "-" + "X" * 56 + " X"}
"""Black wins with h1, the only move."""
LOST = {"kind": "position", "board": "O" + "X" * 6 + "-" + "O" * 55 + "- X"}
"""Black plays h1 and has lost all the same: White fills h8."""


def new_game(player: Desk) -> Locator:
    player.press("n")
    return player.dialog("new")


def test_an_opponent_is_one_of_a_group_of_radio_buttons_with_a_face(desk: OpenDesk) -> None:
    player = desk().open()
    dialog = new_game(player)
    cards = dialog.get_by_role("group", name="Opponent")
    levels = player.server.ask("GET", "players")["levels"]
    faces = cards.locator(".card .portrait")
    drawn = set(faces.evaluate_all("faces => faces.map(face => face.innerHTML)"))
    assert len(drawn) == faces.count() == len(levels) + 8  # everybody has a face of his own
    nora = cards.get_by_role("radio", name=re.compile("^Nora"))
    expect(nora).to_be_checked()  # who is played against now
    expect(nora).to_have_accessible_name(re.compile(r"^Nora\s+Elo \d+$"))
    expect(nora).to_have_accessible_description(re.compile("turns as many discs"))
    nora.focus()
    player.press("ArrowRight", "ArrowRight")
    expect(cards.get_by_role("radio", name=re.compile("^Lila"))).to_be_checked()
    player.press("Enter")
    expect(dialog).to_have_count(0)
    expect(player.page.locator("#bar-white .name")).to_have_text("Lila")
    expect(player.page.locator('#bar-white [data-face="lila"]')).to_be_visible()


def test_cards_are_for_fingers_on_the_smallest_phone(desk: OpenDesk) -> None:
    player = desk(**SMALL).open()
    dialog = new_game(player)
    for card in dialog.locator(".card:visible, .new-game select:visible, .new-game button:visible").all():
        box = card.bounding_box()
        assert box is not None
        assert min(box["width"], box["height"]) >= 44
    expect(dialog.get_by_role("button", name="Play")).to_be_in_viewport(ratio=1)  # without any scrolling
    assert dialog.evaluate("dialog => dialog.scrollWidth <= dialog.clientWidth")
    dialog.get_by_role("radio", name=re.compile("^Rosa")).tap()
    dialog.get_by_role("button", name="Play").tap()
    expect(player.page.locator("#bar-white .name")).to_have_text("Rosa")


def test_a_class_watches_two_algorithms_in_french(desk: OpenDesk) -> None:
    player = desk(locale="fr-FR").open()
    dialog = new_game(player)
    dialog.get_by_role("radio", name="Machines").check()
    dialog.get_by_role("radio", name="4×4").check()
    chosen = dialog.get_by_role("group", name="Choisir pour")
    for side, name, strategy in [("Noir", "Minimax", "mobilité"), ("Blanc", "Alpha-bêta", "valeurs des cases")]:
        chosen.get_by_role("radio", name=re.compile(side)).check()
        cards = dialog.get_by_role("group", name=side, exact=True)
        cards.get_by_role("radio", name=name, exact=True).check()
        cards.get_by_role("combobox", name="Profondeur").and_(cards.locator(":visible")).select_option("3")
        cards.get_by_role("combobox", name="Stratégie").and_(cards.locator(":visible")).select_option(label=strategy)
    expect(chosen.get_by_role("radio")).to_have_count(2)
    expect(chosen).to_contain_text("Noir : Minimax, profondeur 3, mobilité")
    dialog.get_by_role("button", name="Jouer").click()
    expect(player.board).to_have_attribute("data-state", "over")
    expect(player.page.locator("#bar-black .name")).to_have_text("Minimax, profondeur 3, mobilité")
    expect(player.page.locator("#bar-white .name")).to_have_text("Alpha-bêta, profondeur 3")
    for color in ("black", "white"):  # what every move took, also when one looks back
        expect(player.page.locator(f"#bar-{color} .effort")).to_have_text(re.compile(r"^\d+ positions, \d+ ms$"))
    card = player.page.locator(".end-card")
    expect(card.locator(".opponent .portrait")).to_have_count(2)
    player.press("Escape", "Home")
    expect(player.page.locator("#bar-black .effort")).to_have_text("")
    player.page.locator("#panel-moves button.move").first.click()
    expect(player.page.locator("#bar-black .effort")).to_have_text(re.compile(r"^\d+ positions"))


def test_all_that_is_chosen_is_played(desk: OpenDesk) -> None:
    player = desk().open()
    first = player.page.url
    dialog = new_game(player)
    dialog.get_by_role("radio", name="White, second").check()
    dialog.get_by_role("radio", name=re.compile("^Rosa")).check()
    dialog.get_by_role("radio", name="6×6").check()
    dialog.get_by_role("combobox", name="Clock").select_option("3 min + 2 s")
    with player.page.expect_request("**/api/v1/games") as asked:
        dialog.get_by_role("button", name="Play").click()
    sent = asked.value.post_data_json
    assert sent is not None
    assert sent["clock"] == {"minutes": 3, "increment": 2}
    expect(dialog).to_have_count(0)
    assert player.page.url != first
    game = player.server.ask("GET", f"games/{player.page.url.rsplit('#', 1)[1]}")
    assert game["players"]["black"]["level"] == "rosa"
    assert game["players"]["white"]["kind"] == "human"
    assert game["size"] == {"rows": 6, "columns": 6}
    assert game["clock"]["increment"] == 2
    expect(player.board.locator(".square")).to_have_count(36)  # the game before is gone from the board
    assert player.expect_turn() == "yours"
    player.page.reload()  # the next one is offered as this one was chosen
    dialog = new_game(player)
    for name in (re.compile("^White"), re.compile("^Rosa"), "6×6"):
        expect(dialog.get_by_role("radio", name=name)).to_be_checked()
    expect(dialog.get_by_role("combobox", name="Clock")).to_have_value("3+2")


def end(player: Desk, opening: object, level: str) -> Locator:
    """Play a game that is nearly over."""
    player.open(player.server.new_game(white={"kind": "level", "level": level}, opening=opening))
    player.square("h1").click()
    card = player.page.locator(".end-card")
    expect(card).to_be_visible()
    return card


def test_two_wins_offer_the_next_step_and_two_losses_the_one_before(desk: OpenDesk) -> None:
    player = desk()
    card = end(player, LAST, "nora")
    expect(card.get_by_role("button", name="Try Tom")).to_be_visible()
    expect(card.locator(".step")).to_have_count(0)  # one game says little
    expect(card.locator('.opponent [data-face="nora"]')).to_have_attribute("data-mood", "amazed")
    expect(player.page.locator(".shower")).to_have_count(0)  # less motion is asked for
    card = end(player, LAST, "nora")
    expect(card.locator(".step")).to_contain_text("ready for")
    player.page.reload()  # this device remembers, and counts no game twice
    player.expect_turn()  # before the game is there its result is not in the menu
    player.page.get_by_role("button", name="More", exact=True).click()
    player.page.get_by_role("menuitem", name="Result of the game").click()
    card.get_by_role("button", name="Play Tom").click()
    expect(player.page.locator("#bar-white .name")).to_have_text("Tom")
    for _ in range(2):
        expect(player.page.locator(".end-card .step")).to_have_count(0)
        card = end(player, LOST, "tom")
    expect(card.locator(".step")).to_contain_text("Nora")
    expect(card.locator('.opponent [data-face="tom"]')).to_have_attribute("data-mood", "glad")
    card.get_by_role("button", name="Play Nora").click()
    expect(player.page.locator("#bar-white .name")).to_have_text("Nora")


def test_a_game_seen_in_two_tabs_counts_once(desk: OpenDesk, context: Callable[..., BrowserContext]) -> None:
    browser = context()
    one, other = desk(within=browser), desk(within=browser)
    game = one.server.new_game(white={"kind": "level", "level": "nora"}, opening=LAST)
    for tab in (one, other):
        tab.open(game)
    one.square("h1").click()
    for tab in (one, other):
        expect(tab.page.locator(".end-card .praise")).to_have_text("Your first win against Nora!")
    assert one.page.evaluate("JSON.parse(localStorage.getItem('othellier.streak')).run") == 1


def test_wins_as_white_count_too(desk: OpenDesk) -> None:
    board = str(LAST["board"]).translate(str.maketrans("XO", "OX"))
    player = desk()
    nora = {"kind": "level", "level": "nora"}
    player.play_new(black=nora, white={"kind": "human"}, opening={"kind": "position", "board": board})
    player.square("h1").click()
    card = player.page.locator(".end-card")
    expect(card.get_by_role("heading")).to_have_text("You win 64–0")
    expect(card.locator(".praise")).to_have_text("Your first win against Nora!")
