"""Openings on the page: the explorer with games handed in, the drill."""

import re
from pathlib import Path

import pytest
from desk import OpenDesk, Server
from playwright.sync_api import Route, expect

from othellier import records
from othellier.games.game import Game
from othellier.openings import book
from othellier.records.transcript import parse_moves

HUMAN = {"kind": "human"}


def test_games_are_handed_in_counted_and_taken_out(desk: OpenDesk, fresh_server: Server, tmp_path: Path) -> None:
    folder = tmp_path / "wthor"
    folder.mkdir()
    games = [Game.from_moves(parse_moves(line)) for line in ("f5d6c3", "f5d6c5", "f5f6e6")]
    records.write(games, folder / "WTH_2001.wtb")
    player = desk(on=fresh_server).play_new(white=HUMAN, opening={"kind": "moves", "moves": "f5"})
    player.page.locator("#tab-explorer").click()
    panel = player.page.locator("#panel-explorer")
    expect(panel).to_contain_text("No game database is loaded.")
    with player.page.expect_file_chooser() as chooser:
        panel.get_by_role("button", name="Add games…").click()
    chooser.value.set_files(sorted(folder.iterdir()))
    expect(panel).to_contain_text("3 games of others.")
    expect(panel.get_by_role("img", name="2 games: Black 2, draws 0, White 0")).to_be_visible()
    panel.get_by_role("button", name="Take them out").click()
    expect(panel).to_contain_text("No game database is loaded.")
    expect(panel.get_by_role("img")).to_have_count(0)
    with player.page.expect_file_chooser() as chooser:
        panel.get_by_role("button", name="Add games…").click()
    broken = tmp_path / "broken.wtb"
    broken.write_bytes(b"nothing")
    chooser.value.set_files(broken)
    player.told("That could not be read")
    player.troubles.clear()  # the browser's own words about the refusal


def test_the_explorer_goes_along(desk: OpenDesk) -> None:
    player = desk().play_new(white=HUMAN, opening={"kind": "moves", "moves": "f5d6c3d3c4"})
    player.page.locator("#tab-explorer").click()
    panel = player.page.locator("#panel-explorer")
    expect(panel.locator("h2")).to_have_text("Tiger")
    player.press("Home")
    expect(panel.locator("h2")).to_have_text("Start position")
    expect(panel.locator("tbody button")).to_have_text(["f5"])  # and those that are the same by symmetry
    player.press("End")
    expect(panel.locator("h2")).to_have_text("Tiger")


def test_openings_are_found_by_name_and_by_moves(desk: OpenDesk) -> None:
    player = desk(locale="fr-FR").play_new(white=HUMAN)
    player.page.locator("#tab-explorer").click()
    panel = player.page.locator("#panel-explorer")
    expect(panel.get_by_role("row", name=re.compile("^f5.*4 semblables par symétrie"))).to_be_visible()
    search = panel.get_by_role("searchbox", name="Ouverture : nom ou coups")
    search.fill("tigre")
    found = panel.locator("button.opening")
    expect(found.first).to_contain_text("Tigre")
    expect(found.first.locator(".thumbnail")).to_be_visible()
    expect(panel.locator("table")).to_be_hidden()
    search.fill("d3c5")  # f5d6 seen the other way up
    expect(found.first).to_contain_text("f5d6")
    search.fill("échec à la trace")
    expect(panel.get_by_role("status").first).to_have_text("Aucune ouverture ne porte ce nom.")
    search.fill("TIGRÉ")  # accents and capitals do not matter
    expect(found.first).to_contain_text("f5d6c3d3c4")
    player.press("ArrowDown", "ArrowDown", "ArrowUp", "Enter")
    player.expect_ply(5)
    expect(panel.get_by_role("heading", name="Tigre")).to_be_visible()
    expect(search).to_have_value("")


def test_model_games_are_filtered_and_opened_where_one_looks(
    desk: OpenDesk, fresh_server: Server, tmp_path: Path
) -> None:
    games = [Game.from_moves(parse_moves(line)) for line in ("f5d6c3d3c4f4", "f5d6c3g5", "f5f6e6f4")]
    for game, (black, year) in zip(games, (("Tamenori", "1983"), ("Seeley", "1990"), ("Ivanov", "2004")), strict=True):
        game.headers.black, game.headers.white, game.headers.date = black, "Tastet", year
    records.write(games, tmp_path / "models.ggf")
    player = desk(on=fresh_server).play_new(white=HUMAN, opening={"kind": "moves", "moves": "f5d6c3"})
    player.page.locator("#tab-explorer").click()
    panel = player.page.locator("#panel-explorer")
    with player.page.expect_file_chooser() as chooser:
        panel.get_by_role("button", name="Add games…").click()
    chooser.value.set_files(tmp_path / "models.ggf")
    models = panel.get_by_role("region", name="Model games")
    expect(models.get_by_role("listitem")).to_have_text(
        [re.compile("Seeley – Tastet"), re.compile("Tamenori – Tastet")]
    )
    models.get_by_label("Order").select_option("Oldest first")
    expect(models.get_by_role("listitem").first).to_contain_text("1983")
    models.get_by_role("searchbox", name="Player").fill("seel")
    expect(models.get_by_role("listitem")).to_have_text([re.compile("Seeley – Tastet1990.*then g5")])
    models.get_by_role("button", name="Seeley – Tastet").focus()
    player.press("Enter")
    expect(player.page).to_have_url(re.compile("#db-"))
    expect(player.page.locator("#bar-black .name")).to_have_text("Seeley")  # the game before shows the same ply
    player.expect_ply(3)
    player.press("ArrowRight")
    player.expect_ply(4)
    expect(models.get_by_role("searchbox", name="Player")).to_have_value("seel")  # what was typed stays


def test_a_book_is_handed_in_and_a_damaged_one_refused(desk: OpenDesk, fresh_server: Server, tmp_path: Path) -> None:
    shipped = book.shipped()
    assert shipped is not None
    shipped.pruned(plies=3).save(tmp_path / "Short.bib")
    (tmp_path / "broken.bib").write_bytes(b"no book")
    player = desk(on=fresh_server).play_new(white=HUMAN, opening={"kind": "moves", "moves": "f5d6c3d3"})
    player.page.locator("#tab-explorer").click()
    panel = player.page.locator("#panel-explorer")
    books = panel.get_by_role("combobox", name="Book")
    expect(books).to_have_value("")
    expect(panel.get_by_role("row", name=re.compile("^c4")).get_by_role("cell").first).to_have_text("0")

    def hand_in(name: str) -> None:
        with player.page.expect_file_chooser() as chooser:
            panel.get_by_role("button", name="Add a book…").click()
        chooser.value.set_files(tmp_path / name)

    hand_in("Short.bib")
    player.told(re.compile(r"Book in use: Short, \d+ positions\."))
    expect(books).to_have_value("Short.bib")
    expect(panel.locator(".thought").first).to_contain_text("engine, depth")  # the short book ends before
    hand_in("broken.bib")
    player.told("That could not be read")
    expect(books).to_have_value("Short.bib")
    books.select_option("built in")
    expect(panel.locator(".thought")).to_have_count(0)
    player.troubles.clear()  # the browser's own words about the refusal


def test_openings_are_drilled_by_keyboard_in_french(desk: OpenDesk, fresh_server: Server) -> None:
    player = desk(on=fresh_server, locale="fr-FR").play_new(white=HUMAN)
    early: list[Route] = []  # the first answer comes last: it is about what was chosen before
    player.page.route("**/drill?*", lambda route: route.fallback() if early else early.append(route))
    player.press("m")
    dialog = player.dialog("drill")
    dialog.locator("select").first.select_option("Tigre")
    dialog.locator("select").last.select_option("6 coups")
    count = dialog.locator(".setup-tools > p").last
    expect(count).to_have_text("3 à revoir aujourd’hui, 0 sue sur 3.")
    with player.page.expect_response(early[0].request.url):
        early[0].continue_()
    player.page.evaluate("new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)))")
    expect(count).to_have_text("3 à revoir aujourd’hui, 0 sue sur 3.")
    for line in ("f5", "c3", "c4"):  # each the only answer, up to symmetry
        square = dialog.get_by_role("button", name=re.compile(f"^{line}, jouable"))
        square.focus()
        player.press("Enter")
        expect(dialog.get_by_role("status")).to_contain_text(f"Oui, {line}. La question reviendra dans 1 jour.")
        expect(dialog.get_by_role("button", name="Suivante")).to_be_focused()
        player.press("Enter")
    expect(dialog.get_by_role("status")).to_have_text("Plus rien à revoir aujourd’hui. Bravo.")
    expect(count).to_have_text("0 à revoir aujourd’hui, 3 sues sur 3.")
    dialog.get_by_role("button", name="Continuer quand même").click()
    dialog.get_by_role("button", name=re.compile("^[a-h][1-8], jouable")).last.click()
    expect(dialog.locator(".verdict.right, .verdict.wrong")).to_be_visible()
    player.press("Escape")
    player.press("m")  # what was chosen is remembered
    expect(dialog.locator("select").first).to_have_value("tiger")


def test_a_wrong_answer_of_the_drill_is_told(desk: OpenDesk, fresh_server: Server) -> None:
    player = desk(on=fresh_server).play_new(white=HUMAN)
    player.press("m")
    dialog = player.dialog("drill")
    dialog.locator("select").first.select_option("Tiger")
    dialog.locator("select").last.select_option("6 moves")
    expect(dialog.locator(".setup-tools > p").last).to_contain_text("of 3")
    dialog.get_by_role("button", name=re.compile("^f5, legal")).click()
    expect(dialog.locator(".verdict.right")).to_contain_text("Yes, f5.")
    expect(dialog.get_by_role("button", name=re.compile("^e5, black"))).to_be_visible()  # the move is played
    dialog.get_by_role("button", name="Next").click()
    dialog.get_by_role("button", name=re.compile("^c7, legal")).click()
    expect(dialog.locator(".verdict.wrong")).to_have_text("Not c7: c3. It comes back today.")
    expect(dialog.get_by_role("button", name=re.compile("^c3, .*circle"))).to_be_visible()
    expect(dialog.get_by_role("button", name=re.compile("^c7, empty"))).to_be_visible()  # and this one is not


@pytest.mark.parametrize(
    ("board", "words"),
    [
        ("zzz", "« z » n’est pas un pion : X, O ou - attendu"),
        (64 * "X", "le trait, X ou O, manque à la fin"),
        (1200 * "X", "c’est plus long que 400 signes"),
    ],
)
def test_a_position_that_cannot_be_played_is_told_in_the_readers_language(
    desk: OpenDesk, board: str, words: str
) -> None:
    player = desk(locale="fr-FR").play_new(white=HUMAN)
    player.press("n")
    dialog = player.dialog("new")
    dialog.get_by_role("combobox", name="Ouverture", exact=True).select_option("position")
    dialog.get_by_role("textbox", name="Position, puis le trait").fill(board)
    dialog.get_by_role("button", name="Jouer").click()
    expect(player.page.get_by_role("alert")).to_contain_text(words)
    player.troubles.clear()  # the browser notes the refusal
