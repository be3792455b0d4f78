"""Every shortcut does what the sheet of keys says."""

import re
from collections.abc import Callable

import pytest
from desk import Desk, OpenDesk
from playwright.sync_api import expect

TIGER = {"kind": "moves", "moves": "f5d6c3d3c4"}
MIDDLE = 4  # the ply one looks at when a key is pressed


def opens(name: str) -> Callable[[Desk], None]:
    def check(player: Desk) -> None:
        player.dialog(name)
        player.press("Escape")
        expect(player.page.get_by_role("dialog")).to_have_count(0)

    return check


def shows(ply: int) -> Callable[[Desk], None]:
    return lambda player: player.expect_ply(ply)


def tells(words: str) -> Callable[[Desk], None]:
    def check(player: Desk) -> None:
        said = (
            player.page.locator("#live").filter(has_text=words).or_(player.page.locator(f'html[data-said*="{words}"]'))
        )
        expect(said.first).to_be_attached()

    return check


def selects(tab: str) -> Callable[[Desk], None]:
    return lambda player: expect(player.page.get_by_role("tab", name=tab)).to_have_attribute("aria-selected", "true")


def new_game(player: Desk) -> None:
    tells("A balanced start was drawn.")(player)
    player.expect_ply(8)


def theme(player: Desk) -> None:
    expect(player.page.locator("html")).to_have_attribute("data-theme", "dark")


def values(player: Desk) -> None:
    expect(player.board.locator(".value").first).to_be_visible()


def hint(player: Desk) -> None:
    expect(player.board.locator(".hinted")).to_have_count(1)


def switched(name: str, on: bool = True) -> Callable[[Desk], None]:
    def check(player: Desk) -> None:
        pattern = re.compile(rf"\b{name}\b")
        html = expect(player.page.locator("html"))
        html.to_have_attribute("data-on", pattern) if on else html.not_to_have_attribute("data-on", pattern)

    return check


def stop(player: Desk) -> None:
    """There is nothing to stop here; what is being thought about is stopped in the test below."""
    player.expect_ply(MIDDLE)


def swap(player: Desk) -> None:
    expect(player.page.locator("#bar-black .name")).to_have_text("Ann")


def legal(first: bool) -> Callable[[Desk], None]:
    def check(player: Desk) -> None:
        names = player.legal()
        expect(player.square(names[0 if first else -1])).to_be_focused()

    return check


def pasted(player: Desk) -> None:
    tells("1 game imported.")(player)
    player.expect_ply(3)


LOOKS: dict[str, Callable[[Desk], None]] = {
    "Control+n": opens("new"),
    "n": opens("new"),
    "Control+u": shows(MIDDLE - 1),
    "u": shows(MIDDLE - 1),
    "Shift+U": shows(MIDDLE + 1),
    "i": opens("import"),
    "ArrowLeft": shows(MIDDLE - 1),
    "PageUp": shows(MIDDLE - 1),
    "ArrowRight": shows(MIDDLE + 1),
    "PageDown": shows(MIDDLE + 1),
    "ArrowUp": shows(MIDDLE - 2),
    "Shift+PageUp": shows(MIDDLE - 2),
    "ArrowDown": shows(5),
    "Shift+PageDown": shows(5),
    "Home": shows(0),
    "End": shows(5),
    "j": shows(5),
    "m": opens("drill"),
    "p": opens("puzzles"),
    "z": opens("profile"),
    "e": opens("setup"),
    "F1": opens("learn"),
    "k": opens("learn"),
    "y": opens("laboratory"),
    "o": opens("options"),
    "?": opens("keys"),
}
"""What leaves nothing behind: one page will do for all of them."""
DEEDS: dict[str, Callable[[Desk], None]] = {
    "Control+x": new_game,
    "x": new_game,
    "Control+c": tells("Copied: F5D6C3D3C4"),
    "Control+v": pasted,
    "h": hint,
    "c": switched("coach"),
    "b": switched("lines", on=False),
    "f": Desk.expect_following,
    "v": values,
    "Escape": stop,
    "s": stop,
    "w": swap,
    ".": legal(first=True),
    ",": legal(first=False),
    "r": tells("Black to move, 6 moves"),
    "d": tells("Drawing: click"),
    "a": selects("Analysis"),
    "l": selects("Library"),
    "t": theme,
}
OTHERS = {"Control+s", "g"}  # each has a test of its own


def written(key: str) -> str:
    """A key as the sheet writes it."""
    parts = key.replace("Control", "Ctrl").split("+")
    names = {"Escape": "Esc", "PageUp": "Page Up", "PageDown": "Page Down"}
    names |= {"ArrowLeft": "←", "ArrowRight": "→", "ArrowUp": "↑", "ArrowDown": "↓"}
    return "+".join(names.get(part, part.upper() if len(part) == 1 else part) for part in parts)


def test_the_sheet_lists_every_key(desk: OpenDesk) -> None:
    player = desk().play_new()
    player.press("?")
    listed = player.dialog("keys").locator("dl").first.locator("kbd").all_inner_texts()
    assert sorted(listed) == sorted(map(written, [*LOOKS, *DEEDS, *OTHERS]))


def at_the_middle(player: Desk) -> Desk:
    """A game of two people, seen a move before its end."""
    people = {"black": {"kind": "human"}, "white": {"kind": "human", "name": "Ann"}}
    player.play_new(**people, opening=TIGER)
    player.expect_ply(5)
    player.press("ArrowLeft")
    player.expect_ply(MIDDLE)
    return player


def test_every_key_that_only_looks(desk: OpenDesk) -> None:
    player = at_the_middle(desk())
    for key, check in LOOKS.items():
        player.press(key)
        check(player)
        player.press("End")
        player.expect_ply(5)
        player.press("ArrowLeft")
        player.expect_ply(MIDDLE)


@pytest.mark.parametrize(("key", "place"), [("i", "textarea"), ("k", ".lesson")])
def test_a_key_right_after_a_dialog_is_not_lost(desk: OpenDesk, key: str, place: str) -> None:
    player = at_the_middle(desk())
    player.press(key)
    field = player.page.get_by_role("dialog").locator(place)
    field.focus()
    # A quick hand is there before the browser takes the focus out of what it has just closed.
    field.evaluate("""field => {
        field.closest("dialog").close();
        field.dispatchEvent(new KeyboardEvent("keydown", { key: "End", bubbles: true }));
    }""")
    player.expect_ply(5)


def test_every_key_that_changes_something(desk: OpenDesk) -> None:
    player = desk(permissions=["clipboard-read", "clipboard-write"]).open()
    for key, check in DEEDS.items():
        player.server.forget_options()
        at_the_middle(player)
        if key == "Control+v":
            player.page.evaluate("navigator.clipboard.writeText('F5D6C3')")
        player.press(key)
        check(player)
        player.page.evaluate("localStorage.clear()")


def test_the_trace_file(desk: OpenDesk) -> None:
    player = desk().play_new(white={"kind": "level", "level": "beginner"})
    player.play("f5")
    with player.page.expect_download() as download:
        player.press("Control+s")
    trace = download.value.path().read_text(encoding="utf-8")
    assert re.search("F5", trace, re.IGNORECASE)
    assert "beginner" in trace.lower()


def test_thinking_is_stopped_and_gone_on_with(desk: OpenDesk) -> None:
    player = desk().play_new(white={"kind": "player", "spec": "mcts:time=30"})
    player.square("f5").click()
    player.expect_ply(1)
    expect(player.page.locator("#bar-white .progress")).to_be_visible()
    player.press("Escape")
    expect(player.board).to_have_attribute("data-state", "rests")
    expect(player.page.locator("#bar-white .progress")).to_have_count(0)
    player.page.locator("#bar-white .name").click()
    dialog = player.dialog("player")
    dialog.get_by_role("radio", name=re.compile("^Beginner Elo")).check()
    dialog.get_by_role("button", name="OK").click()
    expect(dialog).to_be_hidden()
    expect(player.page.locator("#bar-white .name")).to_have_text("Beginner")
    player.press("g")
    player.expect_ply(2)


def test_after_a_click_on_the_board_keys_are_the_pages(desk: OpenDesk) -> None:
    player = desk().play_new(white={"kind": "level", "level": "beginner"})
    player.press(".")  # the keyboard brings the focus to the board, as the dialog of a new game does
    expect(player.board.locator("button:focus")).to_have_count(1)
    player.press("ArrowLeft")
    player.expect_ply(0)
    player.play("f5")
    player.expect_ply(2)
    player.press("ArrowLeft")
    player.expect_ply(1)
    expect(player.board).to_have_attribute("data-state", "rests")
    player.press("ArrowLeft")
    player.expect_ply(0)
    player.press("g")
    expect(player.board).to_have_attribute("data-state", "yours")
    player.press(".", "ArrowLeft", "g", "Escape")  # in the board again: a letter names a column
    player.expect_ply(0)
    expect(player.board.locator("button:focus")).to_have_count(1)


def test_letters_can_be_switched_off(desk: OpenDesk) -> None:
    player = desk().play_new()
    player.press("o")
    player.dialog("options").get_by_label(re.compile("Single-letter shortcuts")).uncheck()
    player.press("Escape")
    player.press("n", "Control+n")
    player.dialog("new")
    expect(player.page.get_by_role("dialog")).to_have_count(1)


def test_keys_are_left_alone_while_typing(desk: OpenDesk) -> None:
    player = desk().play_new(white={"kind": "human"}, opening=TIGER)
    field = player.page.get_by_label("Comment on c4")
    field.press_sequentially("nuxhv?")
    expect(field).to_have_value("nuxhv?")
    expect(player.page.get_by_role("dialog")).to_have_count(0)
    player.expect_ply(5)
