"""The Laboratory: a search of the position on the board, step by step."""

import re

import pytest
from desk import OpenDesk
from playwright.sync_api import expect

HUMAN = {"kind": "human"}
TIGER = {"kind": "moves", "moves": "f5d6c3d3"}
LATE = {"kind": "position", "board": "OOOOOOOOXXXOXOOOXXOXOXX-OOXXXOX-OOOXXOOXXOOXOOOOXXXOXX-OXXXXXXXX X"}
"""Three squares are empty: every value is the end of a game."""
OUTSIDE = """(texts) => texts.filter((text) => {
    const card = text.closest(".card").querySelector("rect").getBoundingClientRect();
    return text.getBoundingClientRect().right > card.right;
}).map((text) => text.textContent)"""


def test_a_search_is_stepped_through(desk: OpenDesk) -> None:
    player = desk().play_new(white=HUMAN, opening=TIGER)
    player.page.get_by_role("button", name="Laboratory", exact=True).click()
    dialog = player.dialog("laboratory")
    expect(dialog.locator(".stepper h2")).to_have_text("alphabeta, depth 3")
    cards = dialog.locator(".card")
    expect(cards).to_have_count(184)
    expect(dialog.locator(".card.later")).to_have_count(0)
    dialog.get_by_role("button", name="First step").click()
    expect(dialog.locator(".card.later")).to_have_count(184)
    for _ in range(3):
        dialog.get_by_role("button", name="One step forward").click()
    expect(dialog.locator(".now").first).to_contain_text("Step 3 of 435")
    expect(dialog.locator(".card:not(.later)")).to_have_count(3)
    dialog.get_by_role("button", name="One step back").click()
    expect(dialog.locator(".card:not(.later)")).to_have_count(2)
    dialog.get_by_role("button", name="Last step").click()
    expect(dialog.locator(".card.later")).to_have_count(0)
    expect(dialog.locator(".card .v").first).to_have_text("start = −3")
    best = dialog.locator(".card.best").nth(1)  # the move that is played: far down, behind the answers to the others
    expect(best).not_to_be_in_viewport()
    dialog.get_by_role("button", name="To the best line").click()
    expect(best).to_be_in_viewport()
    drawn = dialog.locator(".picture svg")
    before = drawn.bounding_box()
    dialog.get_by_role("button", name="Smaller").click()
    after = drawn.bounding_box()
    assert before
    assert after
    assert after["height"] < 0.8 * before["height"]
    assert not player.troubles


def test_two_searches_stand_side_by_side_in_french(desk: OpenDesk) -> None:
    player = desk(locale="fr-FR").play_new(white=HUMAN, opening=TIGER)
    player.press("y")
    dialog = player.dialog("laboratory")
    expect(dialog.locator(".stepper")).to_have_count(1)
    dialog.get_by_label("Comparée à").last.select_option("mcts")
    dialog.get_by_role("spinbutton", name="Itérations").fill("60")
    dialog.get_by_role("button", name="Chercher").click()
    expect(dialog.locator(".stepper")).to_have_count(2)
    # In half the room the tree is drawn smaller, so that its last column is in sight.
    player.page.wait_for_function(
        "() => { const p = document.querySelector('.picture'); return p.scrollWidth <= p.clientWidth; }"
    )
    growing = dialog.locator(".stepper").nth(1)
    expect(growing.locator("h2")).to_have_text("mcts, 60 itérations, C = 1,5")
    growing.get_by_role("slider").fill("10")
    expect(growing.locator(".card:not(.later)")).to_have_count(11)
    expect(growing.locator(".card .w").first).to_have_text("10 visites")
    expect(growing.locator(".now").first).to_contain_text(
        re.compile("itération 10 : .* ; partie (perdue|nulle|gagnée) pour Noir")
    )


def test_a_grown_tree_shows_the_shares_of_the_search(desk: OpenDesk) -> None:
    """After the last step every card says what the search itself has counted."""
    player = desk().play_new(white=HUMAN, opening=TIGER)
    player.press("y")
    dialog = player.dialog("laboratory")
    expect(dialog.locator(".stepper")).to_have_count(1)
    dialog.locator("select").first.select_option("mcts")
    dialog.get_by_role("spinbutton", name="Iterations").fill("60")
    with player.page.expect_response("**/trees") as answer:
        dialog.get_by_role("button", name="Search").click()
    expect(dialog.locator(".stepper h2")).to_contain_text("mcts, 60 iterations")
    drawn = re.findall(r'<text class="v"[^>]*>([^<]*)</text>', answer.value.json()["trees"][0]["svg"])
    assert len([text for text in drawn if "%" in text]) > 10
    assert dialog.locator(".card .v").all_text_contents() == drawn


def test_a_search_too_large_is_told(desk: OpenDesk) -> None:
    player = desk().play_new(white=HUMAN, opening=TIGER)
    player.press("y")
    dialog = player.dialog("laboratory")
    expect(dialog.locator(".stepper")).to_have_count(1)
    dialog.locator("select").first.select_option("minimax")
    dialog.get_by_role("spinbutton", name="Depth").fill("8")
    dialog.get_by_role("button", name="Search").click()
    expect(dialog.get_by_role("status").first).to_contain_text("Too large: the limit is 4 s.")
    player.troubles.clear()  # the browser notes the refusal


@pytest.mark.parametrize("locale", ["en-US", "fr-FR"])
def test_results_of_games_stay_on_their_cards(desk: OpenDesk, locale: str) -> None:
    player = desk(locale=locale).play_new(white=HUMAN, opening=LATE)
    player.press("y")
    texts = player.dialog("laboratory").locator(".card text")
    expect(texts.filter(has_text=re.compile("loses by|perd de")).first).to_be_visible()
    assert texts.evaluate_all(OUTSIDE) == []


def test_whoever_searches_by_keyboard_keeps_the_focus(desk: OpenDesk) -> None:
    player = desk().play_new(white=HUMAN, opening=TIGER)
    player.press("y")
    search = player.dialog("laboratory").get_by_role("button", name="Search")
    expect(player.page.locator(".stepper")).to_have_count(1)
    with player.page.expect_response("**/trees") as answer:
        search.press("Enter")
    answer.value.finished()
    expect(search).to_be_enabled()
    expect(search).to_be_focused()
