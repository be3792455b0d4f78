"""The feel of a move: two-faced discs that turn in waves, the reply after them, passes held, refusals explained."""

import io
from typing import Any

import pytest
from board import poll
from desk import Desk, OpenDesk, Server
from PIL import Image
from playwright.sync_api import expect

MOVING = {"reduced_motion": "no-preference"}
HUMAN = {"kind": "human"}
WEAK = {"kind": "level", "level": "beginner"}
WAVES = {"kind": "position", "board": "X" + "O" * 6 + "-" + "-" * 55 + "O X"}
"""Black plays h1 and turns six discs, one after another."""
PASS = {"kind": "position", "board": "-OX" + "-" * 21 + "XO------" + "-" * 32 + " X"}
"""Black plays a1; then White cannot move, and Black can."""
LATE_PASS = {"kind": "position", "board": "OOOOOOOXOOXXXOXXOOOXXXXXOXXOOXXXOXXOOXXXOOOXXXOXOOOXXOX--OOXXX-X O"}
"""White plays h7 and Black anything; then White cannot move, and Black takes the last square."""

# Note of every change on the board when it came to be seen: what the tests ask is in which order.
WATCH = """() => {
  const log = window.seen = [];
  const board = document.getElementById("board");
  const note = (what) => log.push({ what, ply: board.dataset.ply, at: performance.now() });
  board.addEventListener("animationend", (event) => note(event.animationName));
  new MutationObserver((changes) => {
    for (const change of changes) {
      if (change.type === "attributes") note("ply");
      for (const added of change.addedNodes) if (added.classList?.contains("notice")) note("notice");
      for (const gone of change.removedNodes) if (gone.classList?.contains("notice")) note("cleared");
    }
  }).observe(board, { attributeFilter: ["data-ply"], childList: true });
}"""


# Hold every disc the moment it begins to turn, however busy the machine is.
HOLD = """() => {
  window.turns = [];
  new MutationObserver((changes) => {
    for (const { addedNodes } of changes) {
      for (const disc of addedNodes) {
        if (!disc.classList?.contains("turned")) continue;
        for (const turn of disc.getAnimations({ subtree: true })) (turn.pause(), window.turns.push(turn));
      }
    }
  }).observe(document.querySelector("#board .felt"), { childList: true, subtree: true });
}"""
SHARE = """(share) => {
  for (const turn of window.turns) {
    const { delay, duration } = turn.effect.getTiming();
    turn.currentTime = delay + share * duration;
  }
}"""


# Count the knocks played aloud and note the loudest; mark the page when the knock has been worked out.
KNOCKS = """
  window.knocks = 0;
  const { start } = AudioBufferSourceNode.prototype;
  AudioBufferSourceNode.prototype.start = function (...all) {
    if (this.context instanceof AudioContext) window.knocks++;
    return start.apply(this, all);
  };
  window.loudest = 0;
  const { connect } = AudioNode.prototype;
  AudioNode.prototype.connect = function (...all) {
    const aloud = this instanceof GainNode && this.context instanceof AudioContext;
    if (aloud) window.loudest = Math.max(window.loudest, this.gain.value);
    return connect.apply(this, all);
  };
  const { startRendering } = OfflineAudioContext.prototype;
  OfflineAudioContext.prototype.startRendering = async function () {
    const buffer = await startRendering.apply(this);
    setTimeout(() => (document.documentElement.dataset.recorded = "yes"));
    return buffer;
  };
"""

# How many discs were turning each time what stands beside the board was drawn.
BESIDE = """() => {
  window.turning = [];
  const turns = (each) => each.animationName === "turn-over" && each.playState === "running";
  const watch = new MutationObserver(() => window.turning.push(document.getAnimations().filter(turns).length));
  watch.observe(document.querySelector(".side"), { subtree: true, childList: true, attributes: true });
}"""


def brightness(player: Desk, name: str) -> float:
    """How bright the middle of a square looks, 0 to 255."""
    picture = Image.open(io.BytesIO(player.square(name).screenshot())).convert("L")
    return float(picture.getpixel((picture.width // 2, picture.height // 2)))  # type: ignore[arg-type]


def test_a_disc_shows_its_new_face_from_the_middle_of_its_turn(desk: OpenDesk) -> None:
    player = desk(**MOVING).play_new(white=HUMAN)
    player.page.evaluate(HOLD)
    player.square("f5").click()
    expect(player.board.locator(".turned")).to_have_count(1)
    looks = []
    for share in (0.0, 0.25, 0.4, 0.6, 0.75, 1.0):
        player.page.evaluate(SHARE, share)
        looks.append(brightness(player, "e5"))
    assert all(bright > 150 for bright in looks[:3]), looks  # white until it stands on its edge,
    assert all(bright < 90 for bright in looks[3:]), looks  # and black from there on


def test_discs_turn_in_waves_outward_from_the_move(desk: OpenDesk) -> None:
    player = desk(**MOVING).play_new(white=HUMAN, opening=WAVES)
    player.square("h1").click()
    expect(player.board.locator(".turned")).to_have_count(6)
    waits = player.board.locator(".turned").evaluate_all(
        "discs => discs.map(disc => [disc.closest('.square').ariaLabel.slice(0, 2),"
        "  parseInt(disc.style.getPropertyValue('--wait'))])"
    )
    order = [name for name, _ in sorted(waits, key=lambda each: each[1])]
    assert order == ["g1", "f1", "e1", "d1", "c1", "b1"]
    assert len({wait for _, wait in waits}) == len(waits)


def seen(player: Desk) -> list[dict[str, Any]]:
    log: list[dict[str, Any]] = player.page.evaluate("window.seen")
    return log


def test_own_flips_end_before_the_reply_is_drawn(desk: OpenDesk) -> None:
    player = desk(**MOVING).play_new(white=WEAK)
    player.page.evaluate(WATCH)
    player.play("f5")
    player.expect_ply(2)
    log = seen(player)
    names = [each["what"] for each in log]
    reply = next(at for at, each in enumerate(log) if each["what"] == "ply" and each["ply"] == "2")
    assert "turn-over" in names[:reply]
    # A machine takes its time, however quickly it has thought.
    assert log[reply]["at"] - log[0]["at"] > 300


def test_a_pass_is_shown_on_the_board_and_held(desk: OpenDesk) -> None:
    player = desk(**MOVING).play_new(white=HUMAN, opening=PASS)
    player.page.evaluate(WATCH)
    player.square("a1").click()
    player.told("White cannot move and passes")
    expect(player.page.locator("#live")).to_contain_text("White cannot move and passes")
    expect(player.board.locator(".notice")).to_have_count(0)
    times = {each["what"]: each["at"] for each in seen(player)}
    assert times["turn-over"] <= times["notice"]  # first the discs, then the word
    assert times["cleared"] - times["notice"] >= 1000


def test_a_machine_waits_while_a_pass_is_shown(desk: OpenDesk) -> None:
    black = {"kind": "player", "spec": "random:seed=1"}
    player = desk(**MOVING).play_new(black=black, white=HUMAN, opening=LATE_PASS)
    player.page.evaluate(WATCH)
    player.square("h7").click()  # nothing happens before that, however busy the machine is
    expect(player.board).to_have_attribute("data-state", "over")
    log = seen(player)
    names = [each["what"] for each in log]
    shown = names.index("notice")
    after = next(each for each in log[shown:] if each["ply"] != log[shown]["ply"])
    assert after["at"] - log[shown]["at"] >= 1000


def test_while_discs_turn_nothing_beside_the_board_is_drawn(desk: OpenDesk) -> None:
    player = desk(**MOVING).play_new(white=WEAK)
    player.page.evaluate(BESIDE)
    player.play("f5")
    expect(player.page.locator("#panel-moves .move")).to_have_count(2)
    turning = player.page.evaluate("window.turning")
    assert turning
    assert not any(turning), turning


def test_a_move_is_drawn_before_the_server_answers(desk: OpenDesk) -> None:
    player = desk()
    player.page.add_init_script(
        "const { send } = WebSocket.prototype; WebSocket.prototype.send = function (text) {"
        "if (!text.includes('\"square\":')) send.call(this, text); };"
    )
    for opening, square, turned, colour in [("f5", "d6", "d5", "white"), ("f5d6", "c3", "d4", "black")]:
        player.play_new(white=HUMAN, opening={"kind": "moves", "moves": opening})
        player.square(square).click()
        expect(player.board).to_have_attribute("data-state", "sent")
        expect(player.square(square)).to_have_accessible_name(f"{square}, {colour}, last move")
        expect(player.square(turned)).to_have_accessible_name(f"{turned}, {colour}")


def test_whoever_goes_on_while_discs_turn_misses_nothing(desk: OpenDesk, server: Server) -> None:
    game = server.new_game(white=WEAK)
    player = desk(**MOVING).open(game)
    player.page.evaluate(HOLD)
    player.square("f5").click()
    poll(lambda: server.ask("GET", f"games/{game}"), "ply", 2)  # the reply is there, and waits for the discs
    expect(player.board).not_to_have_attribute("data-ply", "0")  # before that there is nowhere to go
    player.press("Home")
    player.expect_ply(0)
    expect(player.page.locator("#panel-moves .move")).to_have_count(2)


def test_a_move_the_server_refuses_is_taken_back_and_told(desk: OpenDesk) -> None:
    player = desk(**MOVING)
    player.page.add_init_script(
        "const { send } = WebSocket.prototype; WebSocket.prototype.send = function (text) {"
        'send.call(this, text.replace(\'"square":"f5"\', \'"square":"a1"\')); };'
    )
    player.play_new(white=WEAK)
    player.square("f5").click()
    player.told("a1")
    expect(player.board).to_have_attribute("data-state", "yours")
    expect(player.board.locator(".disc")).to_have_count(4)
    player.play("d3")
    assert player.ply() == 2


def test_nothing_moves_or_waits_under_reduced_motion(desk: OpenDesk) -> None:
    player = desk().play_new(white=WEAK)
    player.page.evaluate(WATCH)
    player.play("f5")
    assert not [each for each in seen(player) if each["what"] != "ply"]
    expect(player.board.locator(".turned, .fresh")).to_have_count(0)


@pytest.mark.parametrize(("speed", "flip"), [("Slowly", "420ms"), ("Quickly", "120ms"), ("At once", "")])
def test_the_speed_is_a_choice(desk: OpenDesk, speed: str, flip: str) -> None:
    player = desk(**MOVING).play_new(white=HUMAN)
    player.press("o")
    chosen = player.dialog("options").get_by_label("Discs turn")
    words = chosen.locator("option").all_inner_texts()
    chosen.select_option(label=next(text for text in words if text.startswith(speed)))
    player.press("Escape")
    player.play("f5")
    assert player.board.locator(".felt").evaluate("felt => felt.style.getPropertyValue('--flip')") in (flip, "220ms")
    expect(player.board.locator(".turned")).to_have_count(1 if flip else 0)


def test_a_move_is_previewed_under_the_mouse_and_the_focus(desk: OpenDesk) -> None:
    player = desk().play_new(white=HUMAN, opening=WAVES)
    player.square("h1").hover()
    expect(player.board.locator(".aim")).to_have_count(1)
    expect(player.board.locator(".would")).to_have_count(6)
    player.square("c5").hover()
    expect(player.board.locator(".would")).to_have_count(0)
    player.page.mouse.move(0, 0)
    player.page.locator(".skip").press("Enter")
    player.press(*["ArrowRight"] * 7)
    expect(player.square("h1")).to_be_focused()
    expect(player.board.locator(".would")).to_have_count(6)


def test_a_long_touch_previews_and_does_not_play(desk: OpenDesk) -> None:
    player = desk(viewport={"width": 390, "height": 844}, has_touch=True, is_mobile=True).play_new(white=HUMAN)
    box = player.square("f5").bounding_box()
    assert box is not None
    point = {"clientX": box["x"] + box["width"] / 2, "clientY": box["y"] + box["height"] / 2}
    touch = {"pointerType": "touch", "button": 0, "bubbles": True, **point}
    player.square("f5").dispatch_event("pointerdown", touch)
    expect(player.board.locator(".would")).to_have_count(1)
    player.square("f5").dispatch_event("pointerup", touch)
    player.square("f5").dispatch_event("click", {"detail": 1, "bubbles": True})
    expect(player.board.locator(".would")).to_have_count(0)
    assert player.ply() == 0
    player.square("f5").tap()
    player.expect_ply(1)


def test_a_square_that_cannot_be_played_says_why(desk: OpenDesk) -> None:
    player = desk().play_new(white={"kind": "player", "spec": "mcts:time=30"})
    live = player.page.locator("#live")
    for square, words in [("a1", "a1 would turn no disc."), ("d4", "d4 is taken: there is a white disc.")]:
        player.square(square).click()
        player.told(words)
        expect(live).to_contain_text(words)
    player.square("f5").click()
    player.expect_ply(1)
    player.square("a1").click()
    player.told("White is to move.")


def test_sound_is_on_with_a_volume_and_made_of_knocks(desk: OpenDesk) -> None:
    player = desk(**MOVING)
    player.page.add_init_script(KNOCKS)
    player.play_new(white=HUMAN)
    expect(player.page.locator("html[data-recorded]")).to_be_attached()
    assert player.page.evaluate("window.knocks") == 0
    player.play("f5")
    assert player.page.evaluate("window.knocks") > 0
    assert player.page.evaluate("window.loudest") == pytest.approx(0.9 * 0.6)  # the disc put down, at the usual volume
    player.press("o")
    volume = player.dialog("options").get_by_label("Sound")
    expect(volume).to_have_value("0.6")
    volume.fill("0")
    player.press("Escape")
    before = player.page.evaluate("window.knocks")
    player.play("d6")
    assert player.page.evaluate("window.knocks") == before
