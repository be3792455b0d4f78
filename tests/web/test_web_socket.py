"""A game over its socket: playing, values, hints, analysis, several tabs, nonsense."""

import json
from collections.abc import Iterator
from typing import Any

import pytest
from board import HUMANS, PATIENCE, Board, Client, board, new_game, poll, server
from websockets.exceptions import ConnectionClosed

from othellier.players.pool import Searchers

BEGINNER = {"kind": "level", "level": "beginner+"}


@pytest.fixture(scope="module")
def client(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Client]:
    with server(tmp_path_factory.mktemp("games")) as client:
        yield client


@pytest.fixture
def tab(client: Client) -> Iterator[Board]:
    with board(client, new_game(client, **HUMANS)["game"]) as tab:
        yield tab


def play_out(tab: Board) -> None:
    """Play the first legal move until the game is over."""
    while not tab.state["over"]:
        if tab.state["your_turn"]:
            tab.do("move", square=tab.state["legal"][0]["square"])
        else:
            tab.next()


@pytest.mark.parametrize("size", ["4", "6", "8"])
def test_a_whole_game_against_a_level(client: Client, size: str) -> None:
    state = new_game(client, size=size, white=BEGINNER)
    with board(client, state["game"]) as tab:
        play_out(tab)
        tab.do("ping")
        assert tab.state["result"] is not None
        assert sum(event["event"] == "over" for event in tab.heard) == 1
        passes = [event["color"] for event in tab.heard if event["event"] == "passed"]
        nodes = list(walk(tab.state["tree"]))
        assert sum(node.get("move") == "pass" for node in nodes) == len(passes)
        assert any(node.get("eval") for node in nodes if node.get("color") == "white")
        final = tab.state
    kept = client.get(f"/api/v1/games/{state['game']}").json()
    for key in ("board", "result", "tree", "node", "over"):
        assert kept[key] == final[key]


def walk(node: dict[str, Any]) -> Iterator[dict[str, Any]]:
    yield node
    for child in node.get("children", []):
        yield from walk(child)


def test_machines_play_each_other_until_stopped(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    machine = {"kind": "player", "spec": "random:seed=1"}
    state = new_game(client, size="4", black=machine, white=machine)
    with board(client, state["game"]) as tab:
        tab.until(over=True)
        assert tab.state["ply"] > 4
    pace = "othellier.page.play.running_game.PACE_SECONDS"
    monkeypatch.setattr(pace, 1000.0)  # so that the game is not over before it is stopped
    state = new_game(client, black=BEGINNER, white=machine)
    with board(client, state["game"]) as tab:
        tab.do("stop")
        assert (tab.state["playing"], tab.state["ply"]) == (False, 0)
        assert tab.do("goto", to="live")["ply"] == 0
        monkeypatch.setattr(pace, 0.0)
        tab.do("go")
        while tab.state["ply"] < 2:
            tab.next()


def test_the_tree_is_sent_only_when_it_has_changed(tab: Board) -> None:
    tab.do("move", square="f5")
    assert "tree" in tab.heard[-2]["state"]
    tab.do("goto", to="start")
    assert "tree" not in tab.heard[-2]["state"]
    assert tab.heard[-2]["state"]["revision"] == tab.state["revision"]


def test_two_tabs_see_the_same(client: Client) -> None:
    game = new_game(client, **HUMANS)["game"]
    with board(client, game) as one, board(client, game) as other:
        one.do("move", square="f5")
        other.until(node="f5")
        other.do("move", square="d6", node="f5")
        one.until(node="f5d6")
        assert one.refused("move", square="c3", node="f5") == "not_your_turn"


def test_each_tab_looks_where_it_likes(client: Client) -> None:
    game = new_game(client, **HUMANS)["game"]
    with board(client, game) as one, board(client, game) as other:
        one.do("move", square="f5")
        other.until(node="f5")
        other.do("goto", to="start")
        one.do("move", square="d6")
        assert (one.state["node"], other.until(live="f5d6")["node"]) == ("f5d6", "")
        assert other.do("move", square="c4")["node"] == "c4"  # a try: the game goes on elsewhere
        assert (one.until(revision=other.state["revision"])["node"], one.state["live"]) == ("f5d6", "f5d6")
        assert other.do("goto", to="live")["node"] == "f5d6"
        one.do("undo")
        assert other.until(live="f5")["node"] == "f5"  # who looks at the game is taken along


def test_following_another_tab_is_a_choice(client: Client) -> None:
    game = new_game(client, opening={"kind": "moves", "moves": "f5d6c3"}, **HUMANS)["game"]
    with board(client, game) as one, board(client, game) as other:
        assert other.do("follow", on=True)["follows"]
        assert not one.state["follows"]
        one.do("goto", to="start")
        other.until(node="")
        one.do("study", square="c4")
        other.until(node="c4")
        other.do("goto", to="live")
        assert one.do("ping")["node"] == "c4"
        other.do("follow", on=False)
        one.do("delete", node="c4")
        assert (one.state["node"], other.until(revision=one.state["revision"])["node"]) == ("", "f5d6c3")
        other.do("goto", node="f5d6")
        one.do("symmetry", kind="central")
        assert other.until(revision=one.state["revision"])["node"] == "c4e3"
    with board(client, game, node="c4") as back:
        assert back.state["node"] == "c4"


def test_a_line_is_put_into_the_tree_and_walked(client: Client) -> None:
    state = new_game(client, opening={"kind": "moves", "moves": "f5d6c3"}, **HUMANS)
    with board(client, state["game"]) as tab:
        assert tab.do("line", node="f5", moves=["f6", "e6", "f4"], at=2)["node"] == "f5f6e6"
        assert tab.state["live"] == "f5d6c3"
        ids = {node["id"] for node in walk(tab.state["tree"])}
        assert {"f5d6c3", "f5f6e6f4"} <= ids
        assert tab.refused("line", node="f5", moves=["d6", "a1"]) == "illegal_move"
        assert tab.do("ping")["node"] == "f5f6e6"


def test_each_tab_sees_the_values_it_wants(client: Client) -> None:
    state = new_game(client, size="4", **HUMANS)
    with board(client, state["game"]) as one, board(client, state["game"]) as other:
        one.do("values", on=True)
        done = one.hear("values", done=True)
        assert not other.do("ping")["values_on"]
        other.do("values", on=True)
        assert other.hear("values", done=True) == done  # not searched twice
        one.do("move", square="b1")
        squares = one.hear("values", done=True)["squares"]
        worst = min(squares, key=lambda value: value["score"])
        assert squares[0]["label"] == "best"
        assert worst["label"] in ("mistake", "blunder")
        assert worst["reasons"]


def test_study_undo_swap_and_the_rest(client: Client) -> None:
    state = new_game(client, white=BEGINNER)
    with board(client, state["game"]) as tab:
        assert tab.refused("undo") == "nothing_to_do"
        tab.do("study", square="f5")
        assert (tab.state["live"], tab.state["thinking"]) == ("", None)
        assert tab.refused("move", square="d6") == "not_your_turn"
        tab.do("go")
        tab.until(ply=2)
        assert tab.do("undo")["node"] == ""
        assert len(tab.do("redo")["node"]) == 4
        tab.do("swap")
        assert tab.state["players"]["black"]["level"] == "beginner+"
        tab.until(ply=3)
        tab.do("players", black={"kind": "level", "level": "amateur"}, ponder=True)
        assert tab.state["players"]["black"]["level"] == "amateur"
        assert tab.refused("players", black={"kind": "player", "spec": "nboard:sh"}) == "bad_player"
        assert tab.do("symmetry", kind="central")["node"].startswith("c4")
        assert tab.do("title", title="Mine")["title"] == "Mine"
        node = tab.state["node"]
        tab.do("comment", node=node, text="why?")
        tab.do("marks", node=node, circles=["a1"], arrows=[["a1", "b2"]])
        assert tab.state["marks"] == {"circles": ["a1"], "arrows": [["a1", "b2"]]}
    assert client.get(f"/api/v1/games/{state['game']}").json()["marks"]["circles"] == ["a1"]


def test_values_deepen_to_exact_ones(client: Client) -> None:
    state = new_game(client, size="4", **HUMANS)
    with board(client, state["game"]) as tab:
        tab.do("values", on=True)
        last = tab.hear("values", done=True)
        assert last["turn"] == "black"
        assert [(value["square"], value["score"], value["exact"]) for value in last["squares"]] == [
            (square, -10.0, True) for square in ("b1", "a2", "d3", "c4")
        ]
        assert len([event for event in tab.heard if event["event"] == "values"]) > 1
        tab.do("move", square="b1")
        assert tab.hear("values")["node"] == "b1"
        assert not tab.do("values", on=False)["values_on"]


def test_a_hint(client: Client) -> None:
    state = new_game(client, size="4", opening={"kind": "moves", "moves": "b1"}, **HUMANS)
    with board(client, state["game"]) as tab:
        tab.do("hint")
        hint = tab.hear("hint")
        assert (hint["node"], hint["turn"], hint["score"], hint["exact"]) == ("b1", "white", 10.0, True)
        assert hint["pv"][0] == hint["square"]


def test_an_analysis_finds_what_a_game_lost(client: Client) -> None:
    state = new_game(client, size="4", black={"kind": "human"}, white={"kind": "human"})
    with board(client, state["game"]) as tab:
        assert tab.refused("analyse") == "nothing_to_do"
        play_out(tab)
        tab.do("analyse", level="quick")
        analysis = tab.hear("analysis", done=True)["analysis"]
        tab.hear("state")
        score = tab.state["result"]["black"]
        lost = {side: analysis["players"][side]["loss"] for side in ("black", "white")}
        # On 4x4 every value is exact: what was lost explains the result.
        assert score == -10 - lost["black"] + lost["white"]
        assert analysis["graph"][0] == {"node": "", "black": -10.0, "win": 0.0}
        assert analysis["graph"][-1]["black"] == score
        assert {move["label"] for move in analysis["moves"]} <= {
            "forced",
            "best",
            "good",
            "inaccuracy",
            "mistake",
            "blunder",
        }
        labels = {node["id"]: node.get("label") for node in walk(tab.state["tree"])}
        assert all(labels[move["node"]] == move["label"] for move in analysis["moves"])
        for mistake in analysis["mistakes"]:
            assert mistake["reasons"]
            assert {entry["square"] for entry in mistake["squares"] if entry["good"]} >= {mistake["best"]}
            assert mistake["played"] not in {entry["square"] for entry in mistake["squares"] if entry["good"]}
        assert tab.refused("analyse_stop") == "nothing_to_do"
    kept = client.get(f"/api/v1/games/{state['game']}").json()
    assert kept["analysis"] == analysis


def test_a_game_that_has_ended_is_looked_through_though_its_player_has_gone_on(client: Client) -> None:
    moves = (
        "c4c5b6d3c2a7d6e7d7e3b5d2f7b1b7c6e6e8d1a8c7a4b8c3f5e1b3c1b2a2"
        "d8f8a1f6g7g4b4a3g8a6g5g6a5h7h3g3g2h6f2g1f4h8h5f3h1h4f1c8h2e2"
    )
    state = new_game(client, opening={"kind": "moves", "moves": moves}, **HUMANS)
    with board(client, state["game"]) as tab:
        tab.do("analyse", level="quick")
    poll(lambda: client.get(f"/api/v1/games/{state['game']}").json()["analysis"] or {}, "done", True)


def test_an_analysis_begins_quickly_and_is_refined_in_place(client: Client) -> None:
    moves = "f5d6c3d3c4f4f6f3e6e7"
    state = new_game(client, opening={"kind": "moves", "moves": moves}, **HUMANS)
    with board(client, state["game"]) as tab:
        tab.do("analyse")
        normal = tab.hear("analysis", done=True)
        assert (normal["progress"], normal["refining"], normal["analysis"]["level"]) == (1.0, 0.0, "normal")
        deep = tab.hear("analysis", refining=None)["analysis"]
        assert (deep["level"], deep["done"]) == ("deep", True)
        pairs = list(zip(normal["analysis"]["moves"], deep["moves"], strict=True))
        assert len(pairs) == len(moves) // 2
        assert all(first["node"] == last["node"] and first["depth"] <= last["depth"] for first, last in pairs)
        tab.do("analyse")
        again = tab.hear("analysis", done=True)
        assert (again["refining"], again["analysis"]) == (None, deep)  # nothing is judged twice


def test_thinking_on_the_opponents_time_gives_the_same_game(client: Client) -> None:
    state = new_game(client, size="6", white=BEGINNER, ponder=True)
    with board(client, state["game"]) as tab:
        play_out(tab)
        assert tab.state["result"] is not None


def test_the_picture_shows_the_values_that_were_told(client: Client) -> None:
    state = new_game(client, size="4")
    with board(client, state["game"]) as tab:
        tab.do("values", on=True)
        tab.hear("values", done=True)
        picture = client.get(f"/api/v1/games/{state['game']}/board.svg", params={"values": True}).text
        assert picture.count(">−10.<") == 4
        assert "−10" not in client.get(f"/api/v1/games/{state['game']}/board.svg").text


@pytest.fixture
def endless(monkeypatch: pytest.MonkeyPatch) -> None:
    """The strongest level thinks until it is told to stop, so that a slow machine is in time to tell it."""
    monkeypatch.setattr("othellier.engine.engine.CLOCKLESS_SECONDS", 1000.0)


@pytest.mark.usefixtures("endless")
def test_hurrying_and_stopping_a_long_search(client: Client) -> None:
    state = new_game(client, white={"kind": "level", "level": "grandmaster"}, book=False)
    with board(client, state["game"]) as tab:
        assert tab.refused("hurry") == "nothing_to_do"
        tab.do("move", square="f5")
        tab.hear("thinking")
        tab.do("hurry")
        tab.until(ply=2)
        tab.do("move", square=tab.state["legal"][0]["square"])
        tab.hear("thinking")
        tab.do("stop")
        assert tab.state["ply"] == 3
        assert tab.state["thinking"] is None


@pytest.mark.usefixtures("endless")
def test_a_long_search_ends_with_its_tab_and_blocks_nobody(client: Client) -> None:
    for _ in range(4):  # more than there are threads
        slow = new_game(client, white={"kind": "level", "level": "grandmaster"}, book=False)
        with board(client, slow["game"]) as tab:
            tab.do("move", square="f5")
            tab.hear("thinking")
    quick = new_game(client, white=BEGINNER)
    with board(client, quick["game"]) as tab:
        tab.do("move", square="f5")
        tab.until(ply=2)
    with board(client, slow["game"]) as tab:  # opened again, the machine thinks again
        tab.hear("thinking")
        tab.do("hurry")
        tab.until(ply=2)


def test_a_clock_runs_out(client: Client) -> None:
    state = new_game(client, clock={"minutes": 0.0005}, **HUMANS)
    with board(client, state["game"]) as tab:
        tab.do("move", square="f5")
        over = tab.hear("over")
        assert over["result"] == {"black": 64.0, "winner": "black", "reason": "time"}
        assert tab.refused("move", square="d6") == "game_over"


@pytest.mark.parametrize(
    "text",
    [
        "",
        "{",
        "null",
        "[]",
        "7",
        '"move"',
        "{}",
        '{"do": "explode"}',
        '{"do": "move"}',
        '{"do": "move", "square": "z9"}',
        '{"do": "move", "square": ["f5"]}',
        '{"do": "move", "square": "f5", "extra": 1}',
        '{"do": "goto", "ply": 1e99}',
        '{"do": "comment", "node": "", "text": "' + "x" * 20000 + '"}',
        '{"do": "values", "on": "perhaps"}',
        '{"do": "players", "black": {"kind": "level"}, "white": {"kind": "ghost"}}',
        "[" * 5000,
        '{"do":' * 5000,
    ],
    ids=lambda text: text[:30],
)
def test_nonsense_is_answered_and_nothing_lost(tab: Board, text: str) -> None:
    tab.socket.send(text)
    answer = tab.hear("error")
    assert answer["error"]["code"] == "bad_request"
    assert "\n" not in answer["error"]["message"]
    assert tab.do("move", square="f5")["node"] == "f5"


def test_bytes_that_are_no_text(tab: Board) -> None:
    tab.socket.send(b"\xff\xfe\x00")
    assert tab.hear("error")["error"]["code"] == "bad_request"
    tab.do("ping")


def test_every_command_is_answered_by_its_id_though_there_are_too_many(
    client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("othellier.page.server.app.COMMAND_RATE", 0.001)  # however slow the machine is
    with board(client, new_game(client, **HUMANS)["game"]) as tab:
        flood(tab, 400)


def flood(tab: Board, count: int) -> None:
    for number in range(count):
        tab.socket.send(json.dumps({"do": "ping", "id": f"p{number}"}))
    answers = [tab.next(f"answer {number} of {count}") for number in range(count)]
    assert [answer["id"] for answer in answers] == [f"p{number}" for number in range(count)]
    refused = [answer["error"] for answer in answers if answer["event"] == "error"]
    assert refused
    assert {error["code"] for error in refused} == {"too_many"}
    assert all(error["data"]["retry"] > 0 for error in refused)


@pytest.mark.parametrize(
    "text",
    [
        '{"do": "explode", "id": 7}',
        '{"do": "move", "square": "z9", "id": 7}',
        '{"id": 7}',
        '{"do": "ping", "id": 7, "more": 1}',
        '{"do": "ping", "id": 7',
        '{"do": ping, "id" : 7}',
        '{"id": 7, "do":' * 3000,
    ],
    ids=lambda text: text[:30],
)
def test_what_is_malformed_but_names_an_id_is_answered_by_it(tab: Board, text: str) -> None:
    tab.socket.send(text)
    assert tab.hear("error")["id"] == 7
    tab.socket.send(text.replace("7", '"seven"').encode())
    assert tab.hear("error")["id"] == "seven"


def test_an_id_that_no_text_can_hold_does_not_end_the_line(tab: Board) -> None:
    tab.socket.send('{"do": "ping", "id": "\\ud800"}')
    assert tab.hear("error")["error"]["code"] == "bad_request"
    tab.do("move", square="f5")
    assert tab.state["node"] == "f5"


def test_an_unknown_game_is_told_before_the_line_is_closed(client: Client) -> None:
    with client.socket("nothing") as socket:
        assert json.loads(socket.recv(timeout=PATIENCE))["error"]["code"] == "unknown_game"
        with pytest.raises(ConnectionClosed) as closed:
            socket.recv(timeout=PATIENCE)
    assert closed.value.rcvd is not None
    assert closed.value.rcvd.code == 4404


def test_a_player_that_fails_is_told_and_the_game_stays(client: Client) -> None:
    state = client.post("/api/v1/import", json={"text": TEN}).json()["games"][0]
    with board(client, state["game"]) as tab:
        tab.do("players", white={"kind": "level", "level": "amateur"}, black={"kind": "level", "level": "amateur"})
        tab.do("go")
        assert "up to 8x8" in tab.hear("error")["error"]["message"]
        assert not tab.until(playing=False)["playing"]


TEN = "(;FF[4]GM[2]SZ[10]AB[e6][f5]AW[e5][f6]PL[B])"


def test_without_the_compiled_engine_one_still_plays() -> None:
    with server(searchers=lambda: Searchers(1, None)) as client:
        assert not client.get("/api/v1/info").json()["engine"]["present"]
        state = new_game(client, size="4", white={"kind": "level", "level": "amateur"})
        with board(client, state["game"]) as tab:
            tab.do("hint")
            assert tab.hear("hint")["square"] in {"b1", "a2", "d3", "c4"}
            play_out(tab)
            tab.do("goto", to="start")
            tab.do("values", on=True)
            assert tab.hear("error")["error"]["code"] == "no_engine"
            tab.do("analyse")
            assert tab.hear("error")["error"]["code"] == "no_engine"
