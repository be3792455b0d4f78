"""The end of a game: a card with the result in words, what the analysis finds, and what one may want next."""

import re

import pytest
from desk import Desk, OpenDesk
from playwright.sync_api import Locator, expect

HUMAN = {"kind": "human"}
WEAK = {"kind": "level", "level": "beginner"}
LAST = {"kind": "position", "board": "X" + "O" * 6 + "-" + "X" * 56 + " X"}
"""Black fills the board with h1: 64 to nothing."""
CLOSE = {"kind": "position", "board": "XO-" + "-" * 61 + " X"}
"""Black takes the last white disc; the empty squares are the winner's too."""

SAME_NUMBERS = """() => {
  const numbers = (all) => [...document.querySelectorAll(all)].map((each) => each.innerText).join();
  const card = numbers(".end-card .accuracy strong");
  return card && card === numbers("#panel-analysis .report tbody tr:first-child td");
}"""
"""Card and report tell the same at one moment: the analysis is refined while one looks."""

SHOWER = """() => { window.fell = new Promise((resolve) => new MutationObserver(() => {
  const discs = document.querySelectorAll(".shower span").length;
  if (discs) resolve(discs);
}).observe(document.body, { childList: true, subtree: true })); }"""


def card(player: Desk) -> Locator:
    found = player.page.locator(".end-card")
    expect(found).to_be_visible()
    return found


def play_out(player: Desk) -> None:
    while player.expect_turn() == "yours":
        player.play(player.legal()[0])


def test_the_card_tells_the_result_and_what_decided_it(desk: OpenDesk) -> None:
    player = desk().play_new(white=WEAK, size="6")
    play_out(player)
    shown = card(player)
    expect(shown.get_by_role("heading")).to_have_text(re.compile(r"^(You win|You lose|Draw) \d+–\d+$"))
    more, less = sorted(map(int, re.findall(r"\d+", shown.get_by_role("heading").inner_text())))
    assert more + less == 36
    accuracies = shown.locator(".accuracy strong")
    expect(accuracies).to_have_text([re.compile(r"^\d+$")] * 2)
    expect(shown.locator(".course .line")).to_have_count(1)
    expect(shown.locator(".wait")).to_have_count(0)  # the analysis has ended
    expect(player.page.locator("#panel-moves .ending")).to_be_in_viewport(ratio=1)
    player.page.locator("#tab-analysis").click()
    player.page.wait_for_function(SAME_NUMBERS)
    expect(shown.locator(".highlights")).to_have_count(2)
    best, worst = shown.locator(".highlights").all()
    assert 1 <= best.locator("button").count() <= 3
    assert 1 <= worst.locator("button").count() <= 3
    assert len(shown.locator(".turning button").all_inner_texts()) == 1
    # A move of the card leads to it on the board, and the card makes room.
    worst.locator("button").first.click()
    expect(player.page.locator(".end-card")).to_have_count(0)
    assert player.ply() < len(player.moves())


@pytest.mark.parametrize(
    ("players", "opening", "square", "words"),
    [
        ({"white": WEAK}, LAST, "h1", "You win 64–0"),
        ({"white": HUMAN}, LAST, "h1", "Black wins 64–0"),
        ({"white": WEAK}, CLOSE, "c1", "You win 64–0"),
    ],
)
def test_results_in_words(desk: OpenDesk, players: dict[str, object], opening: object, square: str, words: str) -> None:
    player = desk().play_new(**players, opening=opening)
    player.square(square).click()
    expect(card(player).get_by_role("heading")).to_have_text(words)
    name = player.page.locator("#bar-black .name").inner_text()
    expect(player.page.locator("#bar-black .status")).to_have_text("win" if name == "You" else "wins")
    expect(player.page.locator("#live")).to_contain_text("Black wins 64–0")


def test_a_phone_shows_all_of_the_card(desk: OpenDesk) -> None:
    player = desk(viewport={"width": 360, "height": 640}).play_new(white=WEAK, size="6")
    play_out(player)
    shown = card(player)
    expect(shown.locator(".highlights")).to_have_count(2)
    assert shown.evaluate("each => each.scrollHeight <= each.clientHeight")
    for button in shown.get_by_role("button").all():
        expect(button).to_be_in_viewport(ratio=1)


def test_a_game_given_up_says_so_without_numbers(desk: OpenDesk) -> None:
    player = desk().play_new(white=WEAK)
    player.play("f5")
    player.page.locator("#controls").get_by_role("button", name="Resign").click()
    player.page.get_by_role("dialog").get_by_role("button", name="Resign").click()
    expect(card(player).get_by_role("heading")).to_have_text("White wins by resignation")
    expect(player.page.locator(".ending")).to_have_text("White wins by resignation")
    player.press("Escape")
    player.square(player.legal()[0]).click()  # what would have come
    expect(player.page.locator(".ending")).to_have_text("White wins by resignation")


def test_rematch_swap_and_the_next_level(desk: OpenDesk) -> None:
    player = desk(reduced_motion="no-preference").play_new(white=WEAK, opening=LAST)
    praises = ["Your first win against Beginner!", "Not one of Beginner’s discs is left!"]
    for button, mine, level in [("Rematch", "black", "Beginner"), ("Swap colours", "white", "Beginner")]:
        player.square("h1").click()
        expect(card(player).locator(".praise")).to_have_text(praises.pop(0))
        if button == "Rematch":  # the next time a step is offered instead
            expect(card(player).get_by_role("img", name="Beaten so far: Beginner")).to_be_visible()
        card(player).get_by_role("button", name=button).click()
        expect(player.page.locator(".end-card")).to_have_count(0)
        other = "white" if mine == "black" else "black"
        expect(player.page.locator(f"#bar-{mine} .name")).to_have_text("You")
        expect(player.page.locator(f"#bar-{other} .name")).to_have_text(level)
        assert player.expect_turn() == "yours"
        player.open(player.server.new_game(white=WEAK, opening=LAST))
    player.page.evaluate(SHOWER)
    player.square("h1").click()
    expect(card(player).get_by_role("button", name="Rematch")).to_be_focused()
    assert player.page.evaluate("window.fell") > 0
    levels = [each["level"] for each in player.server.ask("GET", "players")["levels"]]
    stronger = levels[levels.index("beginner") + 1]  # whichever the ratings put there
    card(player).get_by_role("button", name=re.compile("^Play ")).press("Enter")  # offered after several wins
    expect(player.board.locator(".square:focus")).to_have_count(1)  # whoever plays by keys goes on there
    expect(player.page.locator("#bar-white .name")).to_have_text(re.compile(f"^{re.escape(stronger)}$", re.IGNORECASE))


def test_whoever_clicks_twice_gets_one_game(desk: OpenDesk) -> None:
    player = desk().play_new(white=WEAK, opening=LAST)
    player.square("h1").click()
    shown = card(player)
    before = player.server.ask("GET", "games")["total"]
    shown.get_by_role("button", name="Rematch").dblclick()
    expect(player.page.locator(".end-card")).to_have_count(0)
    assert player.expect_turn() == "yours"
    assert player.server.ask("GET", "games")["total"] == before + 1


def test_a_game_gone_on_with_after_its_end_has_no_result_yet(desk: OpenDesk) -> None:
    player = desk().play_new(white=WEAK, opening=LAST)
    player.square("h1").click()
    card(player)
    player.press("Escape")
    expect(player.page.locator(".ending")).to_have_text(re.compile("64–0"))
    player.press("u")
    player.expect_ply(0)
    expect(player.page.locator(".ending")).to_have_count(0)
    player.square("h1").click()
    expect(player.page.locator(".ending")).to_have_text(re.compile("64–0"))


def test_the_end_is_shared_as_moves_a_link_and_a_picture(desk: OpenDesk) -> None:
    player = desk(permissions=["clipboard-read", "clipboard-write"]).play_new(white=WEAK, size="4")
    play_out(player)
    shown = card(player)
    final = player.board.locator(".disc.black").count()
    shown.get_by_role("button", name="Moves").click()
    player.told(re.compile("^Copied: ([A-D][1-4])+"))
    with player.page.expect_download() as download:
        shown.get_by_role("button", name="Picture").click()
    assert download.value.path().read_bytes().startswith(b"\x89PNG")
    shown.get_by_role("button", name="Link").click()
    player.told(re.compile("^Copied: http"))
    link = player.page.evaluate("navigator.clipboard.readText()")
    friend = desk()
    friend.page.goto(link)
    expect(friend.board).to_have_attribute("data-state", "over")
    assert friend.board.locator(".disc.black").count() == final


def test_what_was_copied_is_told_in_one_line(desk: OpenDesk) -> None:
    player = desk(permissions=["clipboard-read", "clipboard-write"]).play_new(white=WEAK, opening=LAST)
    player.take_time()
    player.square("h1").click()
    card(player).get_by_role("button", name="Link").click()
    told = player.toast(re.compile("^Copied: http.*…")).locator("p")
    assert told.evaluate("each => each.clientHeight < 2 * parseFloat(getComputedStyle(each).lineHeight)")
    copied = player.page.evaluate("navigator.clipboard.readText()")
    assert copied.startswith("http")
    assert "…" not in copied


def test_a_button_of_the_card_is_clicked_though_the_analysis_comes_meanwhile(desk: OpenDesk) -> None:
    player = desk(permissions=["clipboard-read", "clipboard-write"]).play_new(white=WEAK, opening=LAST)
    player.square("h1").click()
    shown = card(player)
    expect(shown.locator(".accuracy")).to_be_visible()
    expect(shown.locator(".wait")).to_have_count(0)
    player.take_time()
    shown.get_by_role("button", name="Moves").hover()
    player.page.mouse.down()
    title = shown.get_by_role("heading")
    title.evaluate("(line) => { line.textContent = 'old' }")  # so that something above the button would be drawn anew
    player.press("b")  # the page is drawn anew
    expect(player.page.locator("html")).not_to_have_attribute("data-on", re.compile("lines"))
    expect(title).to_have_text("old")
    player.page.mouse.up()
    player.told("Copied")
    expect(title).not_to_have_text("old")


def test_the_buttons_of_the_card_stay_where_they_are_while_the_analysis_comes(desk: OpenDesk) -> None:
    player = desk().play_new(white=WEAK, size="4")
    play_out(player)
    shown = card(player)
    expect(shown.locator(".wait")).to_have_count(0)

    def places() -> list[object]:
        found: list[object] = []
        for width, height in ((1280, 800), (390, 844)):
            player.page.set_viewport_size({"width": width, "height": height})
            found.append(shown.get_by_role("button", name="Rematch").bounding_box())
        return found

    at_the_end = places()
    shown.locator(".found").evaluate("(part) => { while (part.children.length > 1) part.lastChild.remove(); }")
    assert places() == at_the_end, "it was elsewhere before the analysis had ended"


def test_the_card_keeps_room_for_an_analysis_that_has_not_begun(desk: OpenDesk) -> None:
    player = desk().play_new(white=WEAK, size="4")
    player.page.evaluate("""() => {
        const send = WebSocket.prototype.send;
        window.kept = [];
        WebSocket.prototype.send = function (text) {
            if (text.includes('"analyse"')) window.kept.push(() => send.call(this, text));
            else send.call(this, text);
        };
    }""")
    play_out(player)
    shown = card(player)
    rematch = shown.get_by_role("button", name="Rematch")
    expect(shown.locator(".wait")).to_be_visible()
    before = rematch.bounding_box()
    assert player.page.evaluate("() => { window.kept.forEach((go) => go()); return window.kept.length; }") == 1
    expect(shown.locator(".accuracy strong")).to_have_count(2)
    expect(shown.locator(".wait")).to_have_count(0)
    assert rematch.bounding_box() == before


def test_a_card_without_an_analysis_does_not_wait_for_it(desk: OpenDesk) -> None:
    player = desk().play_new(white=WEAK, size="4")
    player.page.evaluate("""() => {
        const send = WebSocket.prototype.send;
        WebSocket.prototype.send = function (text) {
            send.call(this, text.includes('"analyse"') ? text.replace('"analyse"', '"analyse_stop"') : text);
        };
    }""")
    play_out(player)
    shown = card(player)
    expect(shown.get_by_role("button", name="Rematch")).to_be_visible()
    expect(shown.locator(".found > *")).to_have_count(0)


def test_a_link_that_was_cut_short_is_told_and_the_page_is_there(desk: OpenDesk) -> None:
    player = desk()
    player.page.goto(f"{player.server.url}#moves=F5D6A1")
    player.told(re.compile("a1", re.IGNORECASE))
    expect(player.board).to_have_attribute("data-state", re.compile("."))
    player.troubles = [trouble for trouble in player.troubles if "422" not in trouble]


def test_escape_closes_the_card_and_the_menu_brings_it_back(desk: OpenDesk) -> None:
    player = desk().play_new(white=WEAK, opening=LAST)
    player.square("h1").click()
    expect(card(player).get_by_role("button", name="Rematch")).to_be_focused()
    player.press("Escape")
    expect(player.page.locator(".end-card")).to_have_count(0)
    player.page.get_by_role("button", name="More", exact=True).click()
    player.page.get_by_role("menuitem", name="Result of the game").click()
    card(player)
