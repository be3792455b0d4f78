"""Learning on the page: a puzzle solved and failed, and one that loses its server."""

import re

from board import poll
from desk import Desk, OpenDesk, Server
from playwright.sync_api import Locator, Route, expect

from othellier.coach.puzzle_set import GradedPuzzle, shipped_puzzles
from othellier.rules.geometry import square_name


def square(dialog: Locator, name: str) -> Locator:
    return dialog.get_by_role("button", name=re.compile(rf"^{name}\b"))


def play(dialog: Locator, name: str) -> None:
    """Click on a square once the server has said that it may be played."""
    expect(square(dialog, name)).to_have_class(re.compile("legal"))
    square(dialog, name).click()


def begin(player: Desk, theme: str) -> tuple[Locator, GradedPuzzle]:
    """A theme chosen, and the puzzle it begins with."""
    player.press("p")
    dialog = player.dialog("puzzles")
    dialog.locator(f'[data-theme-name="{theme}"]').click()
    expect(dialog.locator(".legal").first).to_be_visible()
    return dialog, next(puzzle for puzzle in shipped_puzzles() if puzzle.theme == theme)


def names(puzzle: GradedPuzzle) -> tuple[str, str]:
    """A right and a wrong first move."""
    wrong = next(move for move in puzzle.position.moves() if move not in puzzle.answers)
    return square_name(puzzle.answers[0]), square_name(wrong)


def test_a_puzzle_is_failed_explained_and_solved(desk: OpenDesk, fresh_server: Server) -> None:
    player = desk(on=fresh_server).play_new()
    dialog, puzzle = begin(player, "parity")
    right, wrong = names(puzzle)
    square(dialog, wrong).click()
    expect(dialog.locator(".verdict.wrong")).to_contain_text(f"Not {wrong}: it gives away")
    expect(dialog.locator(".reasons li").first).to_be_visible()
    expect(dialog.get_by_role("button", name="Try again")).to_be_focused()
    expect(square(dialog, right)).not_to_have_class(re.compile("legal"))  # nothing can be played meanwhile
    player.press("Enter")
    square(dialog, right).click()
    expect(dialog.locator(".verdict")).to_contain_text(re.compile("^(Right|Solved)"))
    while dialog.locator(".verdict.right").count() == 0:  # the answers are shown after a move that is wrong
        square(dialog, dialog.locator(".legal").first.get_attribute("aria-label") or "").click()
        expect(dialog.locator(".verdict.wrong, .verdict.right")).to_be_visible()
        if dialog.locator(".verdict.wrong").count():
            dialog.get_by_role("button", name="Show the answer").click()
            told = dialog.get_by_role("status").inner_text()
            square(dialog, told.removeprefix("The answer: ")[:2]).click()
            expect(dialog.locator(".verdict")).to_contain_text(re.compile("^(Right|Solved)"))
    expect(dialog.get_by_role("img", name="2 stars of 3", exact=True)).to_be_visible()
    dialog.get_by_role("button", name="All themes").click()
    expect(dialog.locator('[data-theme-name="parity"]')).to_contain_text("1 of 24 solved")
    player.press("Escape")


def test_the_theme_that_was_chosen_last_is_shown(desk: OpenDesk) -> None:
    player = desk().play_new()
    early: list[Route] = []  # the answer to the first choice comes last
    player.press("p")
    dialog = player.dialog("puzzles")
    player.page.route("**/puzzles?theme=*", lambda route: route.fallback() if early else early.append(route))
    dialog.locator('[data-theme-name="parity"]').click()
    dialog.locator('[data-theme-name="win8"]').click()
    title = dialog.get_by_role("heading", level=3)
    expect(title).to_contain_text("Win from 8 empty squares")
    player.let_go(early[0])
    expect(title).to_contain_text("Win from 8 empty squares")


def test_a_server_gone_in_the_middle_of_a_puzzle_loses_nothing(desk: OpenDesk, fresh_server: Server) -> None:
    player = desk(on=fresh_server).play_new()
    dialog, puzzle = begin(player, "win8")
    right, _ = names(puzzle)
    with fresh_server.gone():
        square(dialog, right).click()
        expect(dialog.get_by_role("alert")).to_have_text("The server does not answer. The page keeps trying.")
        expect(square(dialog, right)).to_have_class(re.compile("legal"))
    square(dialog, right).click()
    expect(dialog.locator(".verdict")).to_contain_text("Right. Go on")
    expect(dialog.get_by_role("alert")).to_have_count(0)
    player.forget_silence()


def test_a_profile_shows_games_and_leads_to_puzzles(desk: OpenDesk, fresh_server: Server) -> None:
    player = desk(on=fresh_server).play_new(white={"kind": "level", "level": "pip"})
    player.press("z")
    dialog = player.dialog("profile")
    expect(dialog).to_contain_text("Nothing to show yet.")
    player.press("Escape")
    player.page.get_by_role("button", name="Resign").click()
    player.page.locator("dialog").get_by_role("button", name="Resign").click()
    expect(player.page.locator("#panel-moves")).to_contain_text("White wins by resignation")
    expect(player.page.locator(".end-card")).to_be_visible()
    player.press("Escape")
    expect(player.page.locator(".end-card")).to_have_count(0)
    poll(lambda: fresh_server.ask("GET", "profile")["results"], "games", 1)  # a game is told before it is on the disk
    player.page.get_by_role("button", name="More").click()
    player.page.get_by_role("menuitem", name="Your progress").click()
    expect(dialog).to_contain_text("game: 0 won, 0 drawn, 1 lost")
    expect(dialog.locator("section").filter(has_text="Results by opponent").get_by_role("row")).to_have_count(2)


PROFILE = {
    "results": {"games": 6, "wins": 3, "draws": 1, "losses": 2},
    "rating": 700,
    "accuracy": 71.9,
    "analysed": 0,
    "levels": [{"level": "pip", "rating": 100, "games": 6, "wins": 3, "draws": 1, "losses": 2}],
    "history": [
        {"game": "x", "date": "2026-01-01", "level": "nora", "points": 0.0, "rating": 600, "accuracy": None},
        {"game": "y", "date": "2026-01-02", "level": "pip", "points": 1.0, "rating": 700, "accuracy": 71.9},
    ],
    "phases": [],
    "weakest": None,
    "openings": [],
    "reasons": [],
    "solved": 0,
    "stars": 0,
    "message": "",
}


def test_a_profile_lists_results_and_the_newest_games_first(desk: OpenDesk) -> None:
    player = desk().play_new()
    player.page.route("**/api/v1/profile", lambda route: route.fulfill(json=PROFILE))
    player.press("z")
    dialog = player.dialog("profile")
    by_level = dialog.locator("section").filter(has_text="Results by opponent").get_by_role("row")
    expect(by_level.last).to_contain_text("3 – 1 – 2")
    recent = dialog.get_by_role("region").get_by_role("row")
    expect(recent).to_have_count(3)
    expect(recent.nth(1)).to_contain_text(re.compile("Pip.*won.*71%.*700", re.IGNORECASE))
    expect(recent.nth(2)).to_contain_text(re.compile("Nora.*lost.*600", re.IGNORECASE))


def test_a_diagram_goes_on_after_a_pass(desk: OpenDesk) -> None:
    player = desk().play_new()
    player.press("k")
    dialog = player.dialog("learn")
    dialog.get_by_role("button", name="Quiet moves", exact=True).click()
    play(dialog, "f1")
    expect(square(dialog, "g1")).to_have_class(re.compile("legal"))


def test_a_lesson_is_played_on_from_where_it_stands(desk: OpenDesk) -> None:
    player = desk().play_new()
    player.press("k")
    dialog = player.dialog("learn")
    diagram = dialog.locator("figure.diagram").first
    expect(square(dialog, "f5").first).to_have_class(re.compile("legal"))
    square(dialog, "f5").first.click()
    expect(diagram.get_by_role("status")).to_have_text("White to move: try it.")
    diagram.get_by_role("button", name="Play from here").click()
    expect(dialog).to_have_count(0)
    assert player.expect_turn() == "yours"  # White moves next, and is the person
    assert "f6" in player.legal()


def test_a_first_game_is_guided_to_its_end(desk: OpenDesk, fresh_server: Server) -> None:
    player = desk(on=fresh_server).play_new()
    player.press("Escape")
    player.page.get_by_role("button", name="More").click()
    player.page.get_by_role("menuitem", name="A first game with a guide").click()
    dialog = player.dialog("first-game")
    said = dialog.get_by_role("status")
    for _ in range(3):
        dialog.locator(".legal").first.click()
        expect(said).to_contain_text(re.compile("your turn again|all there is"))
    dialog.get_by_role("button", name="Next").click()
    play(dialog, "f4")
    expect(said).to_contain_text("f4 can be played too")
    play(dialog, "h1")
    expect(said).to_contain_text("h1 is yours for good")
    dialog.get_by_role("button", name="Next").click()
    play(dialog, "g7")
    expect(said).to_contain_text("White takes the corner h8")
    dialog.get_by_role("button", name="Start again").click()
    play(dialog, "e2")
    expect(said).to_contain_text("e2 is safer")
    dialog.get_by_role("button", name="Next").click()
    play(dialog, "g8")
    expect(said).to_contain_text("must pass")
    play(dialog, "h8")
    expect(said).to_contain_text("You have 34 discs, White 30")
    dialog.get_by_role("button", name="Play a game now").click()
    expect(dialog).to_have_count(0)
