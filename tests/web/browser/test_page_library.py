"""Games kept: the library, imports by paste and drop, exports, bad texts."""

import os
import re
import signal
from pathlib import Path

from board import poll, started_by
from desk import Desk, OpenDesk, Server
from playwright.sync_api import FilePayload, Locator, Route, expect

CLIPBOARD = ["clipboard-read", "clipboard-write"]
HUMAN = {"kind": "human"}
WHOLE = (
    "F5F6E6F4E3C5C4E7F7D7B5E2G4F3G5D6E8H3G6D8C8F8G8H4C6A5B4A3B6B3C3D2E1D3D1C1B1C2F2H7H6H5G3A6C7G1G2H1H2F1H8G7B2A1A7A8A2A4"
    "B8B7"
)
"""A game from the start to the end."""


def paste(player: Desk, text: str) -> None:
    player.page.evaluate("text => navigator.clipboard.writeText(text)", text)
    player.press("Control+v")


def refused(player: Desk) -> None:
    """The browser notes an answer of 409 or 422 by itself: that is what was asked for."""
    player.troubles = [trouble for trouble in player.troubles if not re.search("409|422", trouble)]


def test_a_transcript_is_pasted_and_copied(desk: OpenDesk) -> None:
    player = desk(permissions=CLIPBOARD).play_new(white=HUMAN)
    paste(player, "F5D6C3D3C4")
    expect(player.page.locator("#panel-moves button.move")).to_have_text(["f5", "d6", "c3", "d3", "c4"])
    player.told("1 game imported.")
    player.press("Control+c")
    player.told("Copied: F5D6C3D3C4")
    assert player.page.evaluate("navigator.clipboard.readText()") == "F5D6C3D3C4"


def test_what_is_pasted_is_played_on_against_the_same_opponent(desk: OpenDesk) -> None:
    player = desk(permissions=CLIPBOARD).play_new(white={"kind": "level", "level": "beginner"})
    opponent = player.page.locator("#bar-white .name")
    expect(opponent).to_have_text("Beginner")
    paste(player, "F5D6C3D3C4F4F6")  # the program is to move, and does
    player.toast("You play on from these moves against Beginner.")
    player.expect_ply(8)
    player.expect_turn()
    expect(opponent).to_have_text("Beginner")
    paste(player, "1. F5 D6 2. C3 D3")  # the player is
    player.expect_ply(4)
    player.expect_turn()
    player.play("c4")
    player.expect_ply(6)
    expect(opponent).to_have_text("Beginner")


def test_what_is_pasted_is_studied_where_that_is_wanted(desk: OpenDesk) -> None:
    player = desk(permissions=CLIPBOARD).play_new(white={"kind": "level", "level": "beginner"})
    paste(player, "F5D6C3D3C4F4F6")
    told = player.toast("You play on from these moves against Beginner.")
    player.expect_ply(8)
    told.get_by_role("button", name="Study only").click()
    player.expect_ply(7)
    expect(player.page.locator("#bar-white .name")).to_have_text("White")
    player.square(player.legal()[-1]).click()  # a move of either side, which nobody answers
    player.expect_ply(8)
    expect(player.board).to_have_attribute("data-state", "yours")


def test_a_whole_game_that_is_pasted_has_no_opponent(desk: OpenDesk) -> None:
    player = desk(permissions=CLIPBOARD).play_new(white={"kind": "level", "level": "beginner"})
    paste(player, WHOLE)
    player.told("1 game imported.")
    player.expect_ply(61)  # with a pass
    expect(player.page.locator("#bar-white .name")).to_have_text("White")
    refused(player)


def test_a_broken_transcript_leaves_the_game_alone(desk: OpenDesk) -> None:
    player = desk(permissions=CLIPBOARD).play_new(white=HUMAN)
    player.play("f5")
    paste(player, "F5D6A1")
    player.told("Move 3, a1: it turns nothing over.")
    assert player.moves() == ["f5"]
    player.play("d6")
    assert player.moves() == ["f5", "d6"]
    refused(player)


def test_the_good_part_of_a_broken_transcript_is_offered_in_the_readers_language(desk: OpenDesk) -> None:
    player = desk(permissions=CLIPBOARD, locale="fr-FR").play_new(white=HUMAN)
    paste(player, "F5D6C3Z9")
    told = player.toast("Coup 4, Z9 : cette case n’existe pas.")
    told.get_by_role("button", name="Charger jusqu’au coup 3").click()
    expect(player.page.locator("#panel-moves button.move")).to_have_text(["f5", "d6", "c3"])
    player.press("i")  # the same in the dialog, and a reason that is no move's
    dialog = player.dialog("import")
    for text, words in [
        ("tout sauf une partie", "ce format est inconnu"),
        ("F5D6F5", "Coup 3, f5 : la case est occupée"),
    ]:
        dialog.get_by_role("textbox").fill(text)
        dialog.get_by_role("button", name="Importer", exact=True).click()
        expect(dialog.get_by_role("alert")).to_contain_text(words)
    dialog.get_by_role("button", name="Charger jusqu’au coup 2").click()
    expect(dialog).to_have_count(0)
    expect(player.page.locator("#panel-moves button.move")).to_have_text(["f5", "d6"])
    refused(player)


def test_nonsense_in_the_import_dialog(desk: OpenDesk) -> None:
    player = desk().play_new(white=HUMAN)
    player.press("i")
    dialog = player.dialog("import")
    dialog.get_by_role("button", name="Import").click()
    expect(dialog.get_by_role("alert")).to_have_text("There is nothing to import.")
    dialog.get_by_label("Paste games").fill("all work and no play")
    dialog.get_by_role("button", name="Import").click()
    expect(dialog.get_by_role("alert")).to_contain_text("could not be read")
    refused(player)


def test_of_many_games_the_good_ones_are_kept(desk: OpenDesk) -> None:
    player = desk().play_new(white=HUMAN)
    player.press("i")
    player.dialog("import").get_by_label("Paste games").fill("F5D6C3\nF5D6A1\nF5F6E6\n")
    player.dialog("import").get_by_role("button", name="Import").click()
    told = player.dialog("imported")
    expect(told).to_contain_text("2 games imported.")
    expect(told.get_by_role("listitem")).to_have_text([re.compile("Line 2: Move 3, a1: it turns nothing over")])
    told.get_by_role("button", name="OK").click()
    expect(player.page.locator("#panel-library")).to_be_visible()


def test_a_file_is_dropped(desk: OpenDesk) -> None:
    player = desk().play_new(white=HUMAN)
    data = player.page.evaluate_handle(
        """() => {
            const data = new DataTransfer();
            data.items.add(new File(["F5D6C3D3C4"], "game.txt"));
            return data;
        }"""
    )
    player.page.locator("main").dispatch_event("drop", {"dataTransfer": data})
    expect(player.page.locator("#panel-moves button.move")).to_have_count(5)


def item(player: Desk, title: str) -> Locator:
    return player.page.locator("#panel-library li.game").filter(has_text=title)


def test_the_library(desk: OpenDesk) -> None:
    player = desk().play_new(white=HUMAN, title="Zebra crossing")
    player.play("f5")
    other = player.server.new_game(white=HUMAN, title="Quiet evening")
    page = player.page
    page.get_by_role("button", name="Library", exact=True).click()
    search = page.get_by_role("searchbox")
    search.fill("zebra")
    expect(page.locator("li.game")).to_have_count(1)
    page.get_by_role("button", name="Title and tags: Zebra crossing").click()
    page.get_by_role("dialog").get_by_label("Title").fill("Zebra finish")
    page.get_by_role("dialog").get_by_label("Tags").fill("striped, club")
    player.press("Enter")
    expect(item(player, "Zebra finish").locator(".thumbnail")).to_be_visible()
    expect(item(player, "Zebra finish").locator("time")).to_have_text(re.compile("now|seconds ago|minute"))
    expect(item(player, "Zebra finish")).to_contain_text("striped")
    search.fill("")
    page.locator("button.tag", has_text="striped").click()
    expect(page.locator("li.game")).to_have_count(1)
    page.locator("button.tag", has_text="striped").click()
    search.fill("quiet evening")
    page.get_by_role("button", name="Delete: Quiet evening").click()
    expect(page.locator("#panel-library")).to_contain_text("No game fits")
    player.toast("1 game deleted.").get_by_role("button", name="Undo").click()
    item(player, "Quiet evening").get_by_role("button", name="Quiet evening", exact=True).click()
    expect(page).to_have_url(re.compile(f"#{other}$"))
    player.expect_ply(0)


def test_an_answer_about_an_earlier_search_is_not_shown(desk: OpenDesk) -> None:
    player = desk().play_new(white=HUMAN, title="Two answers")
    player.server.new_game(white=HUMAN, title="Another game")
    early: list[Route] = []  # the first answer comes last: it is about all games
    player.page.route("**/api/v1/games?*", lambda route: route.fallback() if early else early.append(route))
    player.press("l")
    player.page.get_by_role("searchbox").fill("two answers")
    shown = player.page.locator("#panel-library li.game")
    expect(shown).to_have_count(1)
    player.let_go(early[0])
    expect(shown).to_have_count(1)
    expect(item(player, "Two answers")).to_be_visible()


def test_games_are_selected_collected_and_deleted_by_keyboard(desk: OpenDesk, fresh_server: Server) -> None:
    for title in ("one", "two", "three"):
        fresh_server.new_game(white=HUMAN, title=title)
    player = desk(on=fresh_server).open(fresh_server.new_game(white=HUMAN, title="four"))
    page, panel = player.page, player.page.locator("#panel-library")
    player.press("l")
    select = panel.get_by_role("button", name="Select games")
    select.focus()
    player.press("Enter")
    for title in ("one", "three"):
        panel.get_by_role("checkbox", name=f"Select: {title}").focus()
        player.press("Space")
    expect(panel.get_by_role("status")).to_have_text("2 games selected")
    panel.get_by_role("button", name="Collection…").focus()
    player.press("Enter")
    player.dialog("collection").get_by_label("Name of the collection").fill("Odd ones")
    player.press("Enter")
    player.told("2 games put into Odd ones.")
    select.click()  # done
    panel.get_by_role("combobox", name="Collection").select_option("Odd ones (2)")
    expect(page.locator("li.game")).to_have_count(2)
    expect(item(player, "two")).to_have_count(0)
    panel.get_by_role("button", name="Rename the collection: Odd ones").click()
    page.get_by_role("dialog").get_by_label("Name of the collection").fill("Uneven")
    player.press("Enter")
    expect(panel.get_by_role("heading", name="Uneven 2 games")).to_be_visible()
    select.click()
    panel.get_by_role("button", name="All", exact=True).click()
    with page.expect_download() as download:
        panel.get_by_role("button", name="Export", exact=True).click()
    assert download.value.path().read_text(encoding="utf-8").count("(;") == 2
    panel.get_by_role("button", name="Delete", exact=True).click()
    expect(panel).to_contain_text("Nothing is in this collection yet.")
    player.toast("2 games deleted.").get_by_role("button", name="Undo").click()
    expect(page.locator("li.game")).to_have_count(2)
    panel.get_by_role("button", name="Delete the collection: Uneven").click()
    page.get_by_role("dialog").get_by_role("button", name="Delete the collection").click()
    expect(page.locator("li.game")).to_have_count(4)


def test_selected_games_are_analysed(desk: OpenDesk, fresh_server: Server) -> None:
    for moves in ("f5d6c3", "f5f6e6f4"):
        game = fresh_server.new_game(white=HUMAN, opening={"kind": "moves", "moves": moves})
    player = desk(on=fresh_server).open(game)
    page = player.page
    player.press("Home", "l")  # whoever studies is told too
    expect(page.locator('[data-mode="study"][data-tab="library"]')).to_have_count(1)
    page.get_by_role("button", name="Select games").click()
    page.get_by_role("button", name="All", exact=True).click()
    page.get_by_role("group", name="Select games").get_by_role("button", name="Analyse", exact=True).click()
    player.told("2 games analysed.")
    expect(page.locator(".job")).to_have_count(0)
    expect(page.locator("#panel-library li.game").filter(has_text="accuracy")).to_have_count(2)
    assert page.evaluate("localStorage.getItem('othellier.jobs')") == "[]"
    page.locator("#tab-moves").click()  # the game one looks at has been told
    player.press("Home")
    player.expect_ply(0)
    player.press("ArrowRight")
    expect(page.locator("#reading .verdict-line strong")).to_have_text("f5")


def test_a_large_import_shows_how_far_it_is_and_can_be_stopped(
    desk: OpenDesk, fresh_server: Server, tmp_path: Path
) -> None:
    player = desk(on=fresh_server).open(fresh_server.new_game(white=HUMAN))
    page = player.page
    player.press("i")
    dialog = player.dialog("import")
    many = tmp_path / "many.txt"
    many.write_text(f"{WHOLE}\nF5A1\n" * 30_000)  # more than is read until we look
    dialog.get_by_label("choose files").set_input_files(many)
    dialog.get_by_label("Put them into a collection").fill("Large")
    dialog.get_by_role("button", name="Import", exact=True).click()
    poll(lambda: {"some": fresh_server.ask("GET", "games")["total"] > 1}, "some", True)
    reading = started_by(fresh_server.process.pid)
    for process in reading:  # however slow the page is, there is something left to be read
        os.kill(process, signal.SIGSTOP)
    strip = page.locator(".job")
    expect(strip.get_by_role("progressbar", name="Importing many.txt.")).to_be_visible()
    expect(strip.get_by_role("status")).to_have_text(
        re.compile(r"^Importing many.txt. [1-9][\d,]* games so far. [1-9][\d,]* games left out.$")
    )
    expect(dialog).to_have_count(0)
    player.play("f5")  # one plays on meanwhile
    page.reload()  # and the import is shown again, with how far it has come
    expect(strip.get_by_role("progressbar", name="Importing many.txt.")).to_be_visible()
    strip.get_by_role("button", name="Cancel").click()
    for process in reading:
        os.kill(process, signal.SIGCONT)
    told = player.dialog("imported")
    expect(told).to_contain_text("games imported.")
    expect(told.get_by_role("listitem").first).to_have_text(re.compile("Move 2, a1: it turns nothing over"))
    told.get_by_role("button", name="OK").click()
    expect(strip).to_have_count(0)
    kept = fresh_server.ask("GET", "games?source=imported")["total"]
    assert 0 < kept < 30_000
    assert [each["games"] for each in fresh_server.ask("GET", "collections")["collections"]] == [kept]


def test_several_files_are_imported_and_a_bad_one_is_named(desk: OpenDesk, fresh_server: Server) -> None:
    player = desk(on=fresh_server).open(fresh_server.new_game(white=HUMAN))
    player.press("i")
    texts = {"one.txt": "F5D6C3", "bad.txt": "nothing of the kind", "two.txt": "F5F6E6\n" * 239 + "F5A1"}
    files: list[FilePayload] = [
        {"name": name, "mimeType": "text/plain", "buffer": text.encode()} for name, text in texts.items()
    ]
    player.dialog("import").get_by_label("choose files").set_input_files(files)
    player.dialog("import").get_by_role("button", name="Import", exact=True).click()
    told = player.dialog("imported")
    expect(told).to_contain_text("240 games imported.")
    expect(told.get_by_role("listitem").nth(0)).to_have_text(re.compile(r"^bad\.txt: "))
    expect(told.get_by_role("listitem").nth(1)).to_have_text(
        re.compile(r"^two\.txt, line 240: Move 2, a1", re.IGNORECASE)
    )
    told.get_by_role("button", name="OK").click()
    refused(player)
    shown = player.page.locator("#panel-library li.game")
    for left, count in (("211 more", 30), ("111 more", 130), ("11 more", 230)):  # all of them can be reached
        expect(shown).to_have_count(count)
        player.page.get_by_role("button", name=left).click()
    expect(shown).to_have_count(241)


def test_saving_in_every_format(desk: OpenDesk) -> None:
    player = desk().play_new(white=HUMAN)
    player.play("f5")
    page = player.page

    def choose() -> Locator:
        page.get_by_role("button", name="More", exact=True).click()
        page.get_by_role("menuitem", name="Save the game as").click()
        return player.dialog("export").locator(".formats button")

    count = choose().count()
    assert count >= 6
    player.press("Escape")
    for index in range(count):
        with page.expect_download() as download:
            choose().nth(index).click()
        assert download.value.path().stat().st_size >= len("F5")


def test_a_game_that_is_gone(desk: OpenDesk) -> None:
    player = desk()
    player.page.goto(f"{player.server.url}#nosuchgame000000")
    expect(player.board).to_have_attribute("data-state", re.compile("."))
    assert not player.page.url.endswith("nosuchgame000000")
    player.troubles = [trouble for trouble in player.troubles if "404" not in trouble]


def test_an_address_that_names_no_game_leads_nowhere_else(desk: OpenDesk) -> None:
    player = desk()
    lines = list[str]()
    player.page.on("websocket", lambda socket: lines.append(socket.url))
    for fragment in ("../../../x", "a/b?c", "%2e%2e"):
        player.page.goto("about:blank")
        player.page.goto(f"{player.server.url}#{fragment}")
        player.told("That game is not there any more.")
        expect(player.board).to_have_attribute("data-state", re.compile("."))
        assert not player.page.url.endswith(fragment)
    assert lines
    assert all(re.fullmatch(r"ws://[^/]+/api/v1/games/[\w-]+/socket(\?.*)?", line) for line in lines), lines


def test_games_that_cannot_be_kept_are_told_of(desk: OpenDesk, tmp_path: Path) -> None:
    damaged = tmp_path / "games.sqlite3"
    damaged.write_bytes(b"no database" * 100)
    server = Server(tmp_path)
    try:
        player = desk(on=server).open()
        player.told(re.compile("Your games cannot be kept.*damaged"))
        player.play("f5")
        stranger = desk(on=server)
        stranger.page.goto(f"{server.url}#nothing")
        stranger.told("That game is not there any more.")
        stranger.troubles.clear()  # the browser's own words about the missing game
    finally:
        server.kill()
    assert damaged.read_bytes() == b"no database" * 100
