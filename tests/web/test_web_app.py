"""The server by its REST routes: new games, library, import and export, explorer, options, pages, errors."""

import io
import platform
import re
import threading
import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from board import HUMANS, PATIENCE, Client, board, new_game, poll, server

from othellier import records
from othellier.engine.levels import FIRST_LEVEL, LEVELS
from othellier.page.play.running_game import RunningGame
from othellier.page.server.program_info import with_card
from othellier.page.storage.store import Store
from othellier.page.wire.replies import NetworkFacts
from othellier.records import FORMATS


@pytest.fixture(scope="module")
def client(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Client]:
    """A server many tests share."""
    with server(tmp_path_factory.mktemp("shared")) as client:
        yield client


@pytest.fixture
def fresh(tmp_path: Path) -> Iterator[Client]:
    """A server without games."""
    with server(tmp_path) as client:
        yield client


def total(client: Client) -> int:
    count: int = client.get("/api/v1/games").json()["total"]
    return count


def code(answer: Any, status: int) -> str:
    assert answer.status_code == status, answer.text
    error = answer.json()["error"]
    assert error["message"]
    assert "\n" not in error["message"]
    found: str = error["code"]
    return found


def test_a_new_game_is_described(client: Client) -> None:
    state = new_game(client, title="First")
    assert state["turn"] == "black"
    assert state["your_turn"]
    assert state["title"] == "First"
    assert {entry["square"]: entry["flips"] for entry in state["legal"]} == {
        "d3": ["d4"],
        "c4": ["d4"],
        "f5": ["e5"],
        "e6": ["e5"],
    }
    assert state["players"]["white"] == {"kind": "level", "level": "nora", "label": "nora"}
    assert client.get(f"/api/v1/games/{state['game']}").json() == state


@pytest.mark.parametrize(
    ("asked", "board", "node"),
    [
        ({"size": "6"}, "--------------OX----XO-------------- X", ""),
        ({"size": "4x6"}, "--------OX----XO-------- X", ""),
        ({"opening": {"kind": "moves", "moves": "f5 D6"}}, None, "f5d6"),
        ({"opening": {"kind": "position", "board": "-" * 20 + "XO" + "-" * 42 + " X"}}, None, ""),
        ({"opening": {"kind": "corners", "corners": 2, "to": "white"}}, None, ""),
    ],
)
def test_games_begin_anywhere(client: Client, asked: dict[str, Any], board: str | None, node: str) -> None:
    state = new_game(client, **asked, **HUMANS)
    assert state["node"] == node
    if board is not None:
        assert state["board"] == board
    if asked.get("opening", {}).get("kind") == "corners":
        assert (state["board"][0], state["board"][63], state["board"][7]) == ("O", "O", "-")


def test_balanced_and_named_openings(client: Client) -> None:
    openings = client.get("/api/v1/openings").json()
    tiger = next(opening for opening in openings["openings"] if opening["moves"] == "f5d6c3d3c4")
    assert (tiger["en"], tiger["fr"]) == ("Tiger", "Tigre")
    assert new_game(client, opening={"kind": "balanced"})["ply"] == 8
    state = new_game(client, opening={"kind": "named", "id": tiger["id"]}, **HUMANS)
    assert state["forced"] == ["d3", "c4", "f5", "e6"]
    with board(client, state["game"]) as tab:
        for square in ("f5", "d6", "c3", "d3", "c4"):
            tab.do("move", square=square)
        assert {**tab.state["opening"], "board": tiger["board"]} == {**tiger, "left": False}
        assert tab.state["forced"] == []
        assert tab.do("move", square=tab.state["legal"][0]["square"])["opening"] is not None


@pytest.mark.parametrize(
    ("asked", "status", "wanted"),
    [
        ({"white": {"kind": "level", "level": "god"}}, 422, "bad_player"),
        ({"white": {"kind": "player", "spec": "gtp:rm -rf x"}}, 422, "bad_player"),
        ({"white": {"kind": "player", "spec": "evil.py:Player"}}, 422, "bad_player"),
        ({"white": {"kind": "player", "spec": "alphabeta.py:Player"}}, 422, "bad_player"),
        ({"white": {"kind": "player", "spec": "engine:depth=3,hash=100000"}}, 422, "bad_player"),
        ({"white": {"kind": "player", "spec": "engine:depth=3, weights=/etc/passwd"}}, 422, "bad_player"),
        ({"white": {"kind": "player", "spec": "engine:depth=3,networks=/etc/passwd"}}, 422, "bad_player"),
        ({"white": {"kind": "player", "spec": "alphabeta:depth=-3"}}, 422, "bad_player"),
        ({"opening": {"kind": "named", "id": "nothing"}}, 404, "unknown_opening"),
        ({"opening": {"kind": "moves", "moves": "a1"}}, 422, "bad_move"),
        ({"opening": {"kind": "moves", "moves": "e6f4e3f6g5d6e7f5c5"}}, 409, "game_over"),
        ({"opening": {"kind": "position", "board": "XXXO"}}, 422, "bad_position"),
        ({"opening": {"kind": "position", "board": "X" * 64 + " X"}}, 422, "bad_position"),
        ({"opening": {"kind": "balanced"}, "size": "6"}, 422, "bad_position"),
        ({"size": "7"}, 422, "bad_request"),
        ({"size": "1000000"}, 422, "bad_request"),
        ({"clock": {"minutes": 0}}, 422, "bad_request"),
        ({"clock": {"minutes": 601}}, 422, "bad_request"),
        ({"colour": "black"}, 422, "bad_request"),
    ],
)
def test_what_cannot_be_played_is_refused(client: Client, asked: dict[str, Any], status: int, wanted: str) -> None:
    before = total(client)
    assert code(client.post("/api/v1/games", json=asked), status) == wanted
    assert total(client) == before


def test_positions_are_checked(client: Client) -> None:
    answer = client.post("/api/v1/positions", json={"board": "OX-- ---- ---- ---- X"}).json()
    assert (answer["ok"], answer["turn"], answer["pass"], answer["legal"]) == (True, "black", True, [])
    assert code(client.post("/api/v1/positions", json={"board": "OX0"}), 422) == "bad_position"


# -- the library


def test_the_library_finds_renames_tags_deletes_and_restores(fresh: Client) -> None:
    for title, moves in (("Élan", "f5d6"), ("Final", "c4"), ("Club night", "")):
        new_game(fresh, title=title, opening={"kind": "moves", "moves": moves}, **HUMANS)
    found = fresh.get("/api/v1/games", params={"search": "élan ann"}).json()
    assert [game["title"] for game in found["games"]] == ["Élan"]
    game = found["games"][0]["game"]
    assert [each["game"] for each in fresh.get("/api/v1/games", params={"search": "F5d6"}).json()["games"]] == [game]
    changed = fresh.patch(f"/api/v1/games/{game}", json={"title": "Elan", "tags": ["club", "blitz", "club"]}).json()
    assert (changed["title"], changed["tags"]) == ("Elan", ["blitz", "club"])
    listed = fresh.get("/api/v1/games", params={"tag": "club"}).json()
    assert (listed["total"], listed["tags"]) == (1, [{"tag": "blitz", "games": 1}, {"tag": "club", "games": 1}])
    assert fresh.get("/api/v1/games", params={"search": "club"}).json()["total"] == 2
    assert fresh.delete(f"/api/v1/games/{game}").json()["deleted"]
    assert fresh.get("/api/v1/games").json()["total"] == 2
    assert fresh.get("/api/v1/games", params={"deleted": True}).json()["total"] == 1
    assert not fresh.post(f"/api/v1/games/{game}/restore").json()["deleted"]
    assert fresh.get("/api/v1/games", params={"limit": 1, "offset": 1}).json()["total"] == 3
    assert fresh.get(f"/api/v1/games/{game}").json()["tags"] == ["blitz", "club"]


def test_results_are_found(fresh: Client) -> None:
    state = new_game(fresh, **HUMANS)
    with board(fresh, state["game"]) as tab:
        tab.do("move", square="f5")
        tab.do("resign", color="white")
        assert tab.hear("over")["result"] == {"black": 64.0, "winner": "black", "reason": "resigned"}
    new_game(fresh)
    assert fresh.get("/api/v1/games", params={"result": "black"}).json()["games"][0]["game"] == state["game"]
    assert fresh.get("/api/v1/games", params={"result": "unfinished"}).json()["total"] == 1
    assert code(fresh.get("/api/v1/games", params={"result": "won"}), 422) == "bad_request"


def test_import_keeps_the_good_games_and_lists_the_bad(fresh: Client) -> None:
    answer = fresh.post("/api/v1/import", json={"text": "F5D6C3\nF5A1\nC4E3"}).json()
    assert (answer["imported"], answer["failed"]) == (2, 1)
    bad = {"number": 2, "move": "a1", "why": "flips_nothing", "good": "F5"}
    assert answer["errors"] == [{"where": "line 2, ply 2", "reason": "illegal move a1: it flips nothing", "move": bad}]
    first = fresh.get(f"/api/v1/games/{answer['games'][0]['game']}").json()
    assert (first["node"], first["playing"], first["your_turn"]) == ("f5d6c3", False, True)
    assert [side["kind"] for side in first["players"].values()] == ["human", "human"], "no machine that never sat there"
    assert fresh.get("/api/v1/games").json()["total"] == 2


@pytest.mark.parametrize("text", ["", "hello", "(;GM[Othello]PC[", "\x00\x01", "/etc/passwd", "README.md"])
def test_what_is_no_record_is_refused(client: Client, text: str) -> None:
    before = total(client)
    assert code(client.post("/api/v1/import", json={"text": text}), 422) == "bad_record"
    assert total(client) == before


@pytest.mark.parametrize(
    ("text", "number", "move", "why", "good"),
    [
        ("F5D6C3Z9", 4, "Z9", "no_square", "F5D6C3"),
        ("F5F5", 2, "f5", "taken", "F5"),
        ("F5D6 -- C3", 3, "pass", "no_pass", "F5D6"),
        ("F5Z9A1", 2, "Z9", "no_square", "F5"),
        ("F5A1Z9", 2, "a1", "flips_nothing", "F5"),  # the first of two that are wrong
    ],
)
def test_the_first_bad_move_of_a_transcript_is_told(
    client: Client, text: str, number: int, move: str, why: str, good: str
) -> None:
    answer = client.post("/api/v1/import", json={"text": text})
    assert code(answer, 422) == "bad_move"
    data = answer.json()["error"]["data"]
    assert {key: data[key] for key in ("number", "move", "why", "good")} == {
        "number": number,
        "move": move,
        "why": why,
        "good": good,
    }


def test_ten_megabytes_are_refused(client: Client) -> None:
    answer = client.post("/api/v1/import", json={"text": "F5D6C3" * 1_800_000})
    assert code(answer, 413) == "too_large"
    assert answer.json()["error"]["data"] == {"limit": 8 << 20}


@pytest.mark.parametrize("format_name", [known.name for known in FORMATS if known.writes])
def test_every_format_is_exported_and_imported_again(client: Client, format_name: str) -> None:
    text = "(;GM[Othello]PC[x]DT[2024]PB[Ann]PW[Bob]TY[8]RE[?]BO[8 " + "-" * 27 + "O*------*O" + "-" * 27
    game = client.post("/api/v1/import", json={"text": text + " *]B[F5]W[D6]B[C3];)"}).json()["games"][0]["game"]
    answer = client.get(f"/api/v1/games/{game}/export", params={"format": format_name})
    assert answer.status_code == 200, answer.text
    assert answer.headers["content-disposition"].startswith('attachment; filename="othellier')
    data, name = answer.content, answer.headers["content-disposition"].split('"')[1]
    if name.endswith(".zip"):
        archive = zipfile.ZipFile(io.BytesIO(data))
        name = next(entry for entry in archive.namelist() if entry.endswith(".wtb"))
        data = archive.read(name)
    headers = {"content-type": "application/octet-stream"}
    again = client.post("/api/v1/import", params={"name": name}, content=data, headers=headers)
    assert again.status_code == 200, again.text
    assert again.json()["imported"] == 1
    if format_name not in ("obf", "board"):
        assert again.json()["games"][0]["transcript"] == "F5D6C3"


def test_several_games_are_exported_together(fresh: Client) -> None:
    fresh.post("/api/v1/import", json={"text": "F5D6C3\nC4E3\nE6"})
    everything = fresh.get("/api/v1/export", params={"format": "transcript"}).text
    assert sorted(everything.split()) == ["C4E3", "E6", "F5D6C3"]
    ids = [game["game"] for game in fresh.get("/api/v1/games").json()["games"]][:2]
    assert len(records.read(fresh.get("/api/v1/export", params={"format": "ggf", "id": ids}).text)) == 2
    assert code(fresh.get("/api/v1/export", params={"format": "exe"}), 422) == "bad_request"
    assert code(fresh.get("/api/v1/export", params={"search": "nobody"}), 409) == "nothing_to_do"


def test_a_trace_says_who_played_and_how(client: Client) -> None:
    state = new_game(client, white={"kind": "level", "level": "beginner+"})
    with board(client, state["game"]) as tab:
        tab.do("move", square="f5")
        tab.until(ply=2)
    text = client.get(f"/api/v1/games/{state['game']}/export", params={"format": "trace"}).text
    for part in ("Level: beginner+", "Computer: white", "Cores: ", "Table: ", "Version: ", "Book: ", "1. X F5 |"):
        assert part in text
    assert re.search(r"^ *2\. O .* win \d+ %, draw \d+ %$", text, re.MULTILINE)


def test_a_trace_calls_a_book_move_one_and_has_its_chances(client: Client) -> None:
    state = new_game(client, white={"kind": "level", "level": "amateur"})
    with board(client, state["game"]) as tab:
        tab.do("move", square="f5")
        tab.until(ply=2)
    text = client.get(f"/api/v1/games/{state['game']}/export", params={"format": "trace"}).text
    assert re.search(
        r"^ *2\. O \S+ \| \S+ \| book, \d+ plies \| .* \| book, win \d+ %, draw \d+ %$", text, re.MULTILINE
    )


def test_traces_are_saved_for_whoever_wants_them(fresh: Client, tmp_path: Path) -> None:
    for wanted in (False, True):  # True is what nobody has to ask for
        fresh.patch("/api/v1/options", json={"trace": None if wanted else False})
        with board(fresh, new_game(fresh, **HUMANS)["game"]) as tab:
            tab.do("move", square="f5")
            tab.do("resign")  # done means that the trace is there too
            assert len(list(tmp_path.glob("traces/*.log"))) == wanted
    (trace,) = tmp_path.glob("traces/*.log")
    assert re.fullmatch(r"othellier \d{4}-\d\d-\d\d \d\d-\d\d-\d\d .*", trace.stem)
    kept = records.read(trace)[0]
    assert kept.transcript() == "F5"
    assert kept.headers.extra["End"]
    assert "Host" not in kept.headers.extra
    # Later the end is still when it was; the host is named where that is wanted.
    (game,) = [each["game"] for each in fresh.get("/api/v1/games").json()["games"] if each["transcript"] == "F5"][:1]
    fresh.patch("/api/v1/options", json={"traceHost": True})
    later = fresh.get(f"/api/v1/games/{game}/export", params={"format": "trace"})
    assert re.search(r'filename="othellier \d{4}-\d\d-\d\d \d\d-\d\d-\d\d\.', later.headers["content-disposition"])
    told = records.read(later.content, "trace")[0].headers.extra
    assert told["End"]
    assert told["Host"] == platform.node()


def test_a_trace_is_saved_though_the_server_ends_with_the_game(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    ending = threading.Event()
    close, options = RunningGame.close, Store.options

    async def closing(self: RunningGame) -> None:
        ending.set()
        await close(self)

    def asked(self: Store, owner: str) -> Any:
        assert not playing.is_set() or ending.wait(PATIENCE)
        return options(self, owner)

    playing = threading.Event()
    monkeypatch.setattr(RunningGame, "close", closing)
    monkeypatch.setattr(Store, "options", asked)
    machine = {"kind": "player", "spec": "random:seed=1"}
    with server(tmp_path) as client:
        game = new_game(client, size="4", black=machine, white=machine)["game"]
        playing.set()
        with board(client, game) as tab:
            tab.until(over=True)
    assert len(list(tmp_path.glob("traces/*.log"))) == 1


# -- what is known


def test_the_explorer_counts_ones_own_games_in_every_symmetry(fresh: Client) -> None:
    for moves in ("f5d6c3", "c4e3f6", "f5f6"):
        fresh.post("/api/v1/games", json={"white": {"kind": "human"}, "opening": {"kind": "moves", "moves": moves}})
    fresh.post("/api/v1/import", json={"text": "F5F4"})  # somebody else's
    found = fresh.get("/api/v1/explorer", params={"moves": "f5"}).json()
    assert found["turn"] == "white"
    own = {square["square"]: square["own"] and square["own"]["games"] for square in found["squares"]}
    assert own == {"d6": 2, "f6": 1, "f4": None}
    named = {square["square"]: square["opening"] and square["opening"]["en"] for square in found["squares"]}
    assert named["f6"] == "Diagonal"
    assert code(fresh.get("/api/v1/explorer", params={"moves": "f5f5"}), 422) == "bad_move"
    assert code(fresh.get("/api/v1/explorer", params={"game": "nothing"}), 404) == "unknown_game"


def test_the_explorer_counts_other_peoples_games(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    (tmp_path / "games.txt").write_text("F5D6C3\nF5D6C4\nF5F6\n")
    with server(games=(tmp_path / "games.txt",)) as client:
        found = poll(lambda: client.get("/api/v1/explorer", params={"moves": "f5"}).json(), "database", True)
        counts = {each["square"]: each["database"] and each["database"]["games"] for each in found["squares"]}
        assert counts == {"d6": 2, "f6": 1, "f4": None}


def test_the_model_card_is_told(client: Client) -> None:
    network = client.get("/api/v1/info").json()["network"]
    assert len(network["patterns"]) == int(network["facts"]["patterns"]) > 10
    assert all(len(pattern.split()) >= 4 for pattern in network["patterns"])
    assert sum(row["games"] for row in network["data"]) == int(network["facts"]["games"])
    assert [row["empties"] % 6 for row in network["errors"]] == [0] * len(network["errors"])
    assert network["errors"]


@pytest.mark.parametrize("text", ["", "nonsense", "[]", "{}", '{"patterns": 3}', '{"patterns": [], "recipe": null}'])
def test_without_a_model_card_the_weights_speak_for_themselves(text: str) -> None:
    network = NetworkFacts(name="some", facts={"bytes": "5"})
    assert with_card(network, text) == network


def test_options_are_remembered(fresh: Client) -> None:
    assert fresh.get("/api/v1/options").json() == {}
    changes = {"theme": "dark", "sound": True, "size": 1.5, "name": "Zoé", "n": 3}
    assert fresh.patch("/api/v1/options", json=changes).json() == changes
    assert fresh.patch("/api/v1/options", json={"sound": None}).json() == {
        key: value for key, value in changes.items() if key != "sound"
    }
    assert new_game(fresh)["players"]["black"]["name"] == "Zoé"
    assert code(fresh.patch("/api/v1/options", json={"a b": 1}), 422) == "bad_request"
    assert code(fresh.patch("/api/v1/options", json={"deep": {"a": 1}}), 422) == "bad_request"
    as_json = {"content-type": "application/json"}
    assert code(fresh.patch("/api/v1/options", content=b'{"n": Infinity}', headers=as_json), 422) == "bad_request"
    many = {f"option{number}": 1 for number in range(99)}
    assert code(fresh.patch("/api/v1/options", json=many), 413) == "too_large"
    assert len(fresh.get("/api/v1/options").json()) == 4


def test_the_program_describes_itself(client: Client) -> None:
    info = client.get("/api/v1/info").json()
    assert info["engine"]["present"]
    assert info["engine"]["speed"] > 0
    assert info["store"] == {"ok": True, "message": ""}
    assert {known["name"] for known in info["formats"]} == {known.name for known in FORMATS}
    players = client.get("/api/v1/players").json()
    assert [known["level"] for known in players["levels"]] == list(LEVELS)
    assert players["default"] == FIRST_LEVEL == "nora"  # as the page has it
    assert "gtp" not in {player["name"] for player in players["players"]}


def test_pictures_of_a_board(client: Client) -> None:
    state = new_game(client, opening={"kind": "moves", "moves": "f5d6"})
    answer = client.get(
        f"/api/v1/games/{state['game']}/board.svg", params={"node": "f5", "circles": "e6", "arrows": "e6f5"}
    )
    assert answer.headers["content-type"] == "image/svg+xml"
    assert "Last move: f5" in answer.text
    missing = client.get(f"/api/v1/games/{state['game']}/board.svg", params={"node": "a1"})
    assert code(missing, 404) == "unknown_node"


def test_the_page_and_its_files_are_served_by_known_names_alone(client: Client) -> None:
    page = client.get("/")
    assert page.headers["content-type"].startswith("text/html")
    tag = page.headers["etag"]
    assert client.get("/", headers={"if-none-match": tag}).status_code == 304
    for name in ("../app.py", "..%2fapp.py", "%2e%2e/app.py", "/etc/passwd", "", "app.py", "nothing.js"):
        assert code(client.get(f"/static/{name}"), 404) == "not_found"
    assert code(client.get("/api/v1/languages/xx"), 404) == "unknown_language"
    for language in client.get("/api/v1/languages").json()["languages"]:
        assert client.get(f"/api/v1/languages/{language['code']}").json()


@pytest.mark.parametrize("path", ["languages/en", "openings"])
def test_long_answers_are_packed_and_sent_once(client: Client, path: str) -> None:
    packed = client.get(f"/api/v1/{path}", headers={"accept-encoding": "gzip"})
    plain = client.get(f"/api/v1/{path}", headers={"accept-encoding": "identity"})
    assert packed.headers["content-encoding"] == "gzip"
    assert "content-encoding" not in plain.headers
    assert packed.json() == plain.json()
    assert int(packed.headers["content-length"]) < int(plain.headers["content-length"]) / 2
    again = client.get(f"/api/v1/{path}", headers={"if-none-match": plain.headers["etag"]})
    assert again.status_code == 304


def test_unknown_places_and_methods(client: Client) -> None:
    assert code(client.get("/nothing"), 404) == "not_found"
    assert code(client.get("/api/v1/games/nothing"), 404) == "unknown_game"
    assert code(client.get("/api/v1/games/" + "x" * 41), 422) == "bad_request"
    assert code(client.put("/api/v1/games"), 405) == "bad_request"
    assert code(client.post("/api/v1/games", content=b"{", headers={"content-type": "application/json"}), 422)
