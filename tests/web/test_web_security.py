"""Who may ask, and how much: names, origins, tokens, rates, sizes, and what every answer carries."""

import json
import time
from collections.abc import Iterator
from typing import Any

import pytest
from board import HUMANS, PATIENCE, Board, Client, new_game, server
from websockets.exceptions import ConnectionClosed, InvalidStatus

from othellier.page.server.security import Access, Bucket

TOKEN = "a-token-of-many-letters"


@pytest.fixture(scope="module")
def client() -> Iterator[Client]:
    with server() as client:
        yield client


@pytest.fixture(scope="module")
def shared() -> Iterator[Client]:
    with server(access=Access(Access().hosts | {"box.example"}, TOKEN)) as client:
        yield client


def is_forbidden(answer: Any) -> bool:
    return bool(answer.status_code == 403 and answer.json()["error"]["code"] == "forbidden")


@pytest.mark.parametrize(
    "host", ["evil.example", "127.0.0.1.evil.example:80", "10.0.0.1", "", "localhost.evil.example"]
)
def test_only_this_machines_names_are_answered(client: Client, host: str) -> None:
    assert is_forbidden(client.get("/", headers={"host": host}))
    assert is_forbidden(client.get("/api/v1/info", headers={"host": host}))


@pytest.mark.parametrize(
    "host", ["localhost", "localhost.", "localhost:1234", "127.0.0.1", "127.0.0.2:8080", "[::1]:80"]
)
def test_all_names_of_this_machine_are(client: Client, host: str) -> None:
    assert client.get("/", headers={"host": host}).status_code == 200


@pytest.mark.parametrize("origin", ["http://evil.example", "null", "https://127.0.0.1:1", "http://localhost"])
def test_other_sites_may_change_nothing(client: Client, origin: str) -> None:
    assert is_forbidden(client.post("/api/v1/games", json={}, headers={"origin": origin}))
    assert is_forbidden(client.patch("/api/v1/options", json={}, headers={"origin": origin}))
    assert is_forbidden(client.delete("/api/v1/games/x", headers={"origin": origin}))


@pytest.mark.parametrize(
    "headers",
    [{"sec-fetch-site": "cross-site"}, {"sec-fetch-site": "same-site"}, {"origin": "http://evil.example"}],
)
def test_other_sites_may_read_nothing_of_the_api(client: Client, headers: dict[str, str]) -> None:
    assert is_forbidden(client.get("/api/v1/export?format=quest", headers=headers))
    assert is_forbidden(client.get("/api/v1/info", headers=headers))
    assert client.get("/", headers=headers).status_code == 200  # a link leads here from anywhere


@pytest.mark.parametrize("site", ["same-origin", "none"])
def test_the_page_and_the_address_bar_may_read(client: Client, site: str) -> None:
    assert client.get("/api/v1/info", headers={"sec-fetch-site": site}).status_code == 200


def test_the_page_itself_may(client: Client) -> None:
    own = str(client.base_url).rstrip("/")
    assert client.post("/api/v1/games", json={}, headers={"origin": own}).status_code == 201
    named = {"host": "localhost:80", "origin": "http://LocalHost:80"}
    assert client.post("/api/v1/games", json={}, headers=named).status_code == 201


def closed_with(client: Client, game: str, **headers: str) -> tuple[str, int]:
    """What a refused socket says, and the code it closes with."""
    with client.socket(game, additional_headers=headers) as socket:
        said = json.loads(socket.recv(timeout=PATIENCE))["error"]["code"]
        with pytest.raises(ConnectionClosed) as closed:
            socket.recv(timeout=PATIENCE)
    assert closed.value.rcvd is not None
    return said, closed.value.rcvd.code


def test_a_socket_is_known_by_its_origin_alone(client: Client) -> None:
    headers = {"origin": str(client.base_url).rstrip("/"), "sec-fetch-site": "cross-site"}
    with client.socket(new_game(client, **HUMANS)["game"], additional_headers=headers) as socket:
        assert json.loads(socket.recv(timeout=PATIENCE))["event"] == "state"


def test_other_sites_may_open_no_socket(client: Client) -> None:
    game = new_game(client)["game"]
    assert closed_with(client, game, Origin="http://evil.example") == ("forbidden", 4403)


@pytest.mark.parametrize("origin", ["http://[", "http://[::1", "//[x]y["])
def test_a_header_that_cannot_be_read_is_told_in_one_line(client: Client, origin: str) -> None:
    game = new_game(client)["game"]
    for answer in (
        client.get("/", headers={"origin": origin}),
        client.post("/api/v1/games", json={}, headers={"origin": origin}),
    ):
        assert (answer.status_code, answer.json()["error"]["code"]) == (400, "bad_header")
        assert "\n" not in answer.json()["error"]["message"]
    with (
        pytest.raises(InvalidStatus) as refused,
        client.socket(game, additional_headers={"Origin": origin}),
    ):
        pass
    assert refused.value.response.status_code == 400
    assert json.loads(refused.value.response.body)["error"]["code"] == "bad_header"


def test_every_answer_carries_the_policy(client: Client) -> None:
    for path in ("/", "/static/nothing", "/api/v1/players", "/nothing"):
        headers = client.get(path).headers
        policy = headers["content-security-policy"]
        assert "default-src 'none'" in policy
        assert "unsafe" not in policy
        assert "http:" not in policy
        assert headers["x-content-type-options"] == "nosniff"
        assert "server" not in headers


def test_a_token_is_needed_where_others_may_come(shared: Client) -> None:
    for path in ("/", "/api/v1/info", "/static/index.html", "/api/v1/openapi.json"):
        assert is_forbidden(shared.get(path))
    assert is_forbidden(shared.get("/api/v1/info", params={"token": TOKEN})), "only the page takes it from its address"
    for wrong in ("", "x", TOKEN[:-1], TOKEN + "x", "é"):
        assert is_forbidden(shared.get("/", params={"token": wrong}))
        assert is_forbidden(shared.get("/api/v1/info", headers={"cookie": f"{shared.token_cookie}={wrong!a}"}))
    assert closed_with(shared, "x") == ("forbidden", 4403)


def test_a_server_on_another_port_signs_nobody_out(shared: Client) -> None:
    with (
        server(access=Access(token="another")) as other,
        Client(base_url=shared.base_url, timeout=PATIENCE) as browser,
    ):
        for address, token in ((shared.base_url, TOKEN), (other.base_url, "another")):
            assert browser.get(f"{address}/", params={"token": token}).status_code == 303
        for address in (shared.base_url, other.base_url):
            assert browser.get(f"{address}/api/v1/info").status_code == 200


@pytest.mark.parametrize("host", ["box.example:80", "192.168.1.7:8080", "[fe80::1]"])
def test_plain_addresses_are_answered_where_others_may_come(shared: Client, host: str) -> None:
    assert shared.get("/", params={"token": TOKEN}, headers={"host": host}).status_code == 303
    assert is_forbidden(shared.get("/", params={"token": TOKEN}, headers={"host": "evil.example"}))


@pytest.mark.parametrize("path", ["/api/v1/import", "/api/v1/database", "/api/v1/positions"])
def test_a_body_that_says_too_little_of_its_length_is_cut_off(
    client: Client, monkeypatch: pytest.MonkeyPatch, path: str
) -> None:
    monkeypatch.setattr("othellier.page.server.security.FILE_LIMIT", 9 << 20)

    def endless() -> Iterator[bytes]:
        for _ in range(10):
            yield b"x" * (1 << 20)

    answer = client.post(path, content=endless())
    assert (answer.status_code, answer.json()["error"]["code"]) == (413, "too_large")


def test_too_large_a_command_closes_the_socket_and_loses_nothing(client: Client) -> None:
    game = new_game(client, **HUMANS)["game"]
    with client.socket(game) as socket:
        tab = Board(socket)
        tab.do("move", square="f5")
        socket.send(json.dumps({"do": "comment", "node": "", "text": "x" * 100_000}))
        with pytest.raises(ConnectionClosed) as closed:
            tab.hear("done")
        assert closed.value.rcvd is not None
        assert closed.value.rcvd.code == 1009
    assert client.get(f"/api/v1/games/{game}").json()["node"] == "f5"


def test_too_many_requests_are_told_to_wait(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("othellier.page.server.security.RATE", 0.001)
    monkeypatch.setattr("othellier.page.server.security.BURST", 3.0)
    with server() as client:
        assert [client.get("/api/v1/players").status_code for _ in range(4)] == [200, 200, 200, 429]
        refused = client.get("/api/v1/players").json()["error"]
        assert refused["code"] == "too_many"
        assert refused["data"]["retry"] > 1
        assert closed_with(client, "x") == ("too_many", 4429)
        assert client.get("/").status_code == 200  # the page itself is not counted


def test_a_bucket_fills_again() -> None:
    bucket = Bucket(rate=2.0, burst=3.0)
    assert [bucket.take(0.0) for _ in range(4)] == [0.0, 0.0, 0.0, 0.5]
    assert bucket.take(0.5) == 0.0
    assert bucket.take(0.5) == 0.5
    assert [bucket.take(100.0) for _ in range(4)] == [0.0, 0.0, 0.0, 0.5]


def test_one_other_machine_may_not_open_all_sockets(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    game = new_game(client, **HUMANS)["game"]
    monkeypatch.setattr("othellier.page.server.security.SOCKETS_EACH", 2)
    with client.socket(game), client.socket(game), client.socket(game):
        pass  # as many as one likes from this machine itself
    monkeypatch.setattr("othellier.page.server.security.is_own", lambda client: False)
    with let_in(client, game).socket, let_in(client, game).socket:
        assert closed_with(client, game) == ("too_many", 4429)
    again = let_in(client, game)
    with again.socket:
        again.do("ping")


def let_in(client: Client, game: str) -> Board:
    """A tab that comes until there is a place: the server may take a moment to see that others have gone."""
    end = time.monotonic() + PATIENCE
    while True:
        socket = client.socket(game)
        try:
            return Board(socket)
        except ConnectionClosed:
            socket.close()
            assert time.monotonic() < end, f"waited {PATIENCE:g} s for a place"
