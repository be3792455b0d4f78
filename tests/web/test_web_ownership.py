"""Whose is what, where others may come (--host): every route and every command, probed as somebody else."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any, get_args

import pytest
from board import HUMANS, Board, Client, server
from kept_games import blundered, kept_game, store_games

from othellier import records
from othellier.coach.puzzle_set import shipped_puzzles
from othellier.page.server.security import Access
from othellier.rules.geometry import square_name
from othellier.session.commands import Command

TOKEN = "a-token-of-many-letters"
ANN, BOB = "ann-of-the-first-row", "bob-of-the-last-row"

EACH = {
    "get /options",
    "patch /options",
    "post /games",
    "get /games",
    "post /games/selection",  # see test_web_library.py, as for collections
    "get /collections",
    "post /collections",
    "post /import",
    "get /export",
    "get /explorer",
    "post /explorer/games",  # see test_web_explorer.py
    "get /drill",
    "post /drill",
    "get /puzzles",
    "post /puzzles",
    "get /profile",
}
"""Every browser has its own."""
OWNER = {
    "patch /games/{game}",
    "delete /games/{game}",
    "post /games/{game}/restore",
    "patch /collections/{collection}",
    "delete /collections/{collection}",
    "get /jobs/{job}",
    "delete /jobs/{job}",
}
"""For the owner alone."""
SHOWN = {
    "get /games/{game}",
    "get /games/{game}/board.svg",
    "get /games/{game}/export",
    "post /trees",
    "get /explorer/values",
    "get /explorer/games",
}
"""Who was given a game's address may look at it."""
ALIKE = {
    "get /info",
    "get /players",
    "get /languages",
    "get /languages/{code}",
    "get /openings",
    "post /positions",
    "get /database",
    "get /books",
}
"""The same for everybody."""
NOBODY = {"post /database", "delete /database", "patch /books", "post /books"}  # of books see test_web_books.py
"""What all share is changed by nobody who comes from elsewhere."""


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("shared")


@pytest.fixture(scope="module")
def mistake() -> tuple[Any, Any]:
    return blundered()


@pytest.fixture(scope="module")
def shared(folder: Path, mistake: tuple[Any, Any]) -> Iterator[Client]:
    """A server for many, on which Ann has lost a game by a blunder."""
    store_games(folder, kept_game("annsgame", "tom", -2, mistake[0], owner=ANN))
    with server(folder, access=Access(token=TOKEN)) as client:
        yield client


def cookies(client: Client, profile: str) -> dict[str, str]:
    """Those of a browser that has signed in before."""
    return {"cookie": f"{client.token_cookie}={TOKEN}; othellier_profile={profile}"}


def is_forbidden(answer: Any) -> bool:
    return bool(answer.status_code == 403 and answer.json()["error"]["code"] == "forbidden")


def test_of_every_route_it_is_said_whose_it_is(shared: Client) -> None:
    paths = shared.get("/api/v1/openapi.json", headers=cookies(shared, ANN)).json()["paths"]
    found = {f"{method} {path.removeprefix('/api/v1')}" for path, methods in paths.items() for method in methods}
    groups = (EACH, OWNER, SHOWN, ALIKE, NOBODY)
    assert found == set().union(*groups), "a new route belongs into one of the groups, with a test of that"
    assert len(found) == sum(map(len, groups))


def test_the_games_of_all_are_changed_by_nobody(shared: Client) -> None:
    before = shared.get("/api/v1/database", headers=cookies(shared, BOB)).json()
    assert not before["may_change"]
    assert is_forbidden(shared.post("/api/v1/database", content=b"F5D6C3", headers=cookies(shared, BOB)))
    assert is_forbidden(shared.delete("/api/v1/database", headers=cookies(shared, BOB)))


def test_what_was_learnt_by_heart_is_ones_own(shared: Client) -> None:
    asked: dict[str, str | int] = {"color": "black", "opening": "", "plies": 6}

    def learnt(profile: str) -> Any:
        return shared.get("/api/v1/drill", params=asked, headers=cookies(shared, profile)).json()

    card = learnt(ANN)["card"]
    for square in [each["square"] for each in card["legal"]]:  # one of them is right
        given = {**asked, "card": card["card"], "square": square}
        if shared.post("/api/v1/drill", json=given, headers=cookies(shared, ANN)).json()["right"]:
            break
    assert (learnt(ANN)["learnt"], learnt(BOB)["learnt"]) == (1, 0)
    assert learnt(BOB)["card"] == card


def test_a_profile_that_no_browser_was_given_is_a_guests(shared: Client) -> None:
    """It names files as well."""
    shared.patch("/api/v1/options", json={"theme": "dark"}, headers=cookies(shared, f"{ANN}/../{BOB}"))
    assert shared.get("/api/v1/options", headers=cookies(shared, "guest")).json() == {"theme": "dark"}
    assert shared.get("/api/v1/options", headers=cookies(shared, ANN)).json() == {}


def test_puzzles_solved_are_ones_own(shared: Client) -> None:
    single = next(puzzle for puzzle in shipped_puzzles() if puzzle.turns == 1)
    given = {"puzzle": single.name, "moves": [square_name(single.answers[0])]}
    assert shared.post("/api/v1/puzzles", json=given, headers=cookies(shared, ANN)).json()["stars"] == 3

    def stars(profile: str) -> int:
        themes = shared.get("/api/v1/puzzles", headers=cookies(shared, profile)).json()["themes"]
        return sum(theme["stars"] for theme in themes if theme["theme"] != "own")

    assert (stars(ANN), stars(BOB)) == (3, 0)


def test_mistakes_are_shown_to_whoever_made_them(shared: Client, mistake: tuple[Any, Any]) -> None:
    def own(profile: str) -> Any:
        return shared.get("/api/v1/puzzles", params={"theme": "own"}, headers=cookies(shared, profile)).json()["puzzle"]

    puzzle = own(ANN)
    assert puzzle["game"] == "annsgame"
    assert own(BOB) is None
    given = {"puzzle": puzzle["puzzle"], "moves": [square_name(mistake[1].best)]}
    refused = shared.post("/api/v1/puzzles", json=given, headers=cookies(shared, BOB))
    assert (refused.status_code, refused.json()["error"]["code"]) == (404, "not_found")
    assert shared.post("/api/v1/puzzles", json=given, headers=cookies(shared, ANN)).json()["right"]


def test_a_profile_is_made_of_ones_own_games(shared: Client) -> None:
    told = {name: shared.get("/api/v1/profile", headers=cookies(shared, name)).json() for name in (ANN, BOB)}
    assert (told[ANN]["results"]["losses"], told[ANN]["analysed"]) == (1, 1)
    assert (told[BOB]["results"]["games"], told[BOB]["analysed"], told[BOB]["history"]) == (0, 0, [])


def test_games_imported_exported_and_explored_are_ones_own(shared: Client) -> None:
    def reached(profile: str) -> int:
        asked = shared.get("/api/v1/explorer", params={"moves": "c4c3"}, headers=cookies(shared, profile)).json()
        return sum(square["own"]["games"] for square in asked["squares"] if square["own"])

    played = {**HUMANS, "opening": {"kind": "moves", "moves": "c4c3d3c5"}}
    assert shared.post("/api/v1/games", json=played, headers=cookies(shared, ANN)).status_code == 201
    assert (reached(ANN), reached(BOB)) == (1, 0)
    assert shared.post("/api/v1/import", content=b"C4C3D3C5", headers=cookies(shared, ANN)).status_code == 200
    ann = shared.get("/api/v1/export", headers=cookies(shared, ANN))
    assert [game.transcript() for game in records.read(ann.content, "sgf")].count("C4C3D3C5") == 2
    bob = shared.get("/api/v1/export", headers=cookies(shared, BOB))
    assert (bob.status_code, bob.json()["error"]["code"]) == (409, "nothing_to_do")


def test_a_game_is_restored_by_its_owner_alone(shared: Client) -> None:
    game = shared.post("/api/v1/games", json=HUMANS, headers=cookies(shared, ANN)).json()["game"]
    assert shared.delete(f"/api/v1/games/{game}", headers=cookies(shared, ANN)).status_code == 200
    assert is_forbidden(shared.post(f"/api/v1/games/{game}/restore", headers=cookies(shared, BOB)))
    assert shared.post(f"/api/v1/games/{game}/restore", headers=cookies(shared, ANN)).status_code == 200


def test_a_trace_names_the_machine_to_nobody_else(shared: Client) -> None:
    """The option is for whoever sits at it."""
    shared.patch("/api/v1/options", json={"traceHost": True}, headers=cookies(shared, BOB))
    trace = shared.get("/api/v1/games/annsgame/export", params={"format": "trace"}, headers=cookies(shared, BOB))
    told = records.read(trace.content, "trace")[0].headers.extra
    assert told["Level"]
    assert not told.keys() & {"Host", "Account"}


def signed_in(shared: Client) -> dict[str, str]:
    """The cookies of a browser that has opened the address with its token."""
    answer = shared.get("/", params={"token": TOKEN})
    assert (answer.status_code, answer.headers["location"]) == (303, "/")
    cookie = answer.headers["set-cookie"]
    assert "HttpOnly" in cookie
    assert "SameSite=Strict" in cookie
    token = cookie.partition(";")[0]
    page = shared.get("/", headers={"cookie": token})
    profile = page.headers["set-cookie"].partition(";")[0]
    shared.cookies.clear()
    return {"cookie": f"{token}; {profile}"}


def test_every_browser_has_its_own_library(shared: Client) -> None:
    ann, bob = signed_in(shared), signed_in(shared)
    game = shared.post("/api/v1/games", json=HUMANS, headers=ann).json()["game"]
    shared.patch("/api/v1/options", json={"theme": "dark"}, headers=ann)
    assert shared.get("/api/v1/games", headers=ann).json()["total"] == 1
    assert shared.get("/api/v1/games", headers=bob).json()["total"] == 0
    assert shared.get("/api/v1/options", headers=bob).json() == {}
    assert is_forbidden(shared.delete(f"/api/v1/games/{game}", headers=bob))
    assert is_forbidden(shared.patch(f"/api/v1/games/{game}", json={"title": "mine"}, headers=bob))
    with (
        shared.socket(game, additional_headers=ann) as one,
        shared.socket(game, additional_headers=bob) as other,
    ):  # but whoever is given its address may play along
        first, second = Board(one), Board(other)
        first.do("move", square="f5")
        second.until(node="f5")
        second.do("move", square="d6")
        first.until(node="f5d6")


def test_an_import_is_its_owners_alone(shared: Client) -> None:
    ann, bob = signed_in(shared), signed_in(shared)
    games = b"F5D6C3\n" * 20_000  # too many to be imported at once
    job = shared.post("/api/v1/import", params={"background": True}, content=games, headers=ann).json()["job"]
    assert is_forbidden(shared.get(f"/api/v1/jobs/{job}", headers=bob))
    assert is_forbidden(shared.delete(f"/api/v1/jobs/{job}", headers=bob))
    assert shared.delete(f"/api/v1/jobs/{job}", headers=ann).status_code == 200


OWNERS: dict[str, dict[str, Any]] = {
    "title": {"title": "mine"},
    "delete": {"node": "f5"},
    "resign": {},
    "agree": {},
    "undo": {},
    "redo": {},
    "stop": {},
    "go": {},
    "swap": {},
    "study": {"square": "d6"},
    "players": {"black": {"kind": "level", "level": "beginner"}},
    "promote": {"node": "f5"},
    "comment": {"node": "f5", "text": "mine"},
    "marks": {"node": "f5"},
    "symmetry": {"kind": "central"},
    "analyse": {},
    "analyse_stop": {},
}


def test_what_belongs_to_the_owner_is_refused_over_the_socket_too(shared: Client) -> None:
    ann, bob = signed_in(shared), signed_in(shared)
    game = shared.post("/api/v1/games", json=HUMANS, headers=ann).json()["game"]
    names = {get_args(kind.model_fields["do"].annotation)[0] for kind in get_args(get_args(Command)[0])}
    with (
        shared.socket(game, additional_headers=ann) as one,
        shared.socket(game, additional_headers=bob) as other,
    ):
        owner, guest = Board(one), Board(other)
        guest.do("move", square="f5")
        before = {**owner.until(node="f5")}
        for name, fields in OWNERS.items():
            assert guest.refused(name, **fields) == "forbidden", name
        for name in names - set(OWNERS) - {"move"}:
            assert guest.ask(name, to="live", on=False) != {}, name  # goto, values and the like are for everybody
        owner.do("ping")
        assert owner.state == before
        assert owner.do("title", title="Ours")["title"] == "Ours"
        owner.do("resign")
