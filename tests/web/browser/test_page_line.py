"""The line to the server, as it is on a bad day: answers that come late, commands wanted later, a line that breaks."""

import json
import re
from typing import Any

from desk import Desk, OpenDesk
from playwright.sync_api import Route, WebSocketRoute, expect

HUMAN = {"kind": "human"}
TIGER = {"kind": "moves", "moves": "f5d6c3d3c4"}
HEARD = "This was heard."


class Line:
    """Stands between the page and its server: what comes by is noted, and may be kept back."""

    def __init__(self, player: Desk) -> None:
        self.sent: list[dict[str, Any]] = []  # what the server was asked
        self.refused = 0  # commands that are still to be put off
        self.silent = ""  # the event that is kept from the page
        self.lost = ""  # the command that is kept from the server
        self.wrong = ""  # the command that is refused
        self.broken = False
        self.ends: list[WebSocketRoute] = []
        player.page.route_web_socket(re.compile("/socket"), self.connect)

    def connect(self, page: WebSocketRoute) -> None:
        if self.broken:
            page.close(code=1011)
            return
        self.ends.append(page)
        server = page.connect_to_server()

        def ask(message: str | bytes) -> None:
            command = json.loads(message)
            if self.refused:
                self.refused -= 1
                error = {"code": "too_many", "message": "later", "data": {"retry": 0.5}}
                page.send(json.dumps({"event": "error", "id": command["id"], "error": error}))
                page.send(json.dumps({"event": "store", "ok": False, "message": HEARD}))  # behind it, and shown
                return
            if command["do"] == self.wrong:
                error = {"code": "internal", "message": "no"}
                page.send(json.dumps({"event": "error", "id": command["id"], "error": error}))
                return
            if command["do"] == self.lost:
                return
            self.sent.append(command)
            server.send(message)

        def tell(message: str | bytes) -> None:
            if json.loads(message)["event"] != self.silent:
                page.send(message)

        page.on_message(ask)
        server.on_message(tell)

    def asked(self, name: str) -> list[dict[str, Any]]:
        return [command for command in self.sent if command["do"] == name]


def test_a_command_the_server_wants_later_is_sent_again_and_in_its_turn(desk: OpenDesk) -> None:
    player = desk()
    line = Line(player)
    player.play_new(white=HUMAN, opening=TIGER)
    line.refused = 1
    player.press("ArrowLeft")
    player.told(HEARD)  # and so was the refusal before it
    player.press("Home")
    player.expect_ply(0)
    assert [command["to"] for command in line.asked("goto")] == ["back", "start"]
    said = player.page.locator("html").get_attribute("data-said") or ""
    assert said.strip().count("\n") == 0, said  # nobody hears of a command that was only late


def test_every_answer_is_that_of_its_own_command(desk: OpenDesk) -> None:
    player = desk().play_new(white=HUMAN, opening=TIGER)
    press = "target.dispatchEvent(new KeyboardEvent('keydown', {key, bubbles: true, cancelable: true}))"
    player.page.locator("body").evaluate(f"target => {{ for (const key of ['ArrowLeft', 'ArrowLeft']) {press}; }}")
    player.expect_ply(3)
    player.press("Home")
    player.expect_ply(0)
    # Nothing is under way any more: it is known again that there is nowhere to go.
    expect(player.page.locator("#controls").get_by_role("button", name="Back a move")).to_be_disabled()
    assert player.page.locator("html").get_attribute("data-said") is None


def test_a_move_stays_drawn_while_something_else_is_refused(desk: OpenDesk) -> None:
    player = desk()
    line = Line(player)
    player.play_new(white=HUMAN, opening=TIGER)
    line.lost, line.wrong = "move", "swap"
    square = player.legal()[0]
    player.square(square).click()
    expect(player.board).to_have_attribute("data-state", "sent")
    player.press("w")
    player.told(re.compile("."))
    player.page.evaluate("new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)))")  # it is drawn
    expect(player.board).to_have_attribute("data-state", "sent")
    expect(player.square(square)).to_have_accessible_name(f"{square}, white, last move")


def test_a_line_that_breaks_is_taken_up_where_one_looked(desk: OpenDesk) -> None:
    player = desk()
    line = Line(player)
    player.play_new(white=HUMAN, opening=TIGER)
    player.press("ArrowUp")
    player.expect_ply(3)
    line.broken = True
    line.ends[-1].close(code=1011)
    banner = player.page.locator("#banner")
    expect(banner).to_contain_text("Connection lost")
    line.broken = False
    expect(banner).to_be_empty()
    player.press("ArrowLeft")
    player.expect_ply(2)
    assert player.moves() == ["f5", "d6", "c3", "d3", "c4"]


def test_values_are_those_of_the_position_one_looks_at(desk: OpenDesk) -> None:
    player = desk()
    line = Line(player)
    player.play_new(white=HUMAN, opening=TIGER)
    player.press("v")
    expect(player.board.locator(".value").first).to_be_visible()
    line.silent = "values"
    player.press("ArrowLeft")
    player.expect_ply(4)
    assert player.board.locator(".value").count() == 0  # those of this position are not known yet


def test_a_request_the_server_wants_later_is_made_again(desk: OpenDesk) -> None:
    player = desk().play_new(white=HUMAN)
    put_off: list[str] = []

    def later(route: Route) -> None:
        if put_off:
            route.fallback()
            return
        put_off.append(route.request.url)
        error = {"error": {"code": "too_many", "message": "later", "data": {"retry": 0.2}}}
        route.fulfill(status=429, headers={"Retry-After": "0.2"}, json=error)

    player.page.route("**/api/v1/openings*", later)
    with player.page.expect_response("**/api/v1/openings*"):
        player.press("n")
    player.dialog("new")
    assert put_off
    player.troubles = [trouble for trouble in player.troubles if "429" not in trouble]  # the browser's own words
