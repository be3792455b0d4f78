"""The database: what is kept survives, what is wrong with its file is said and the file left alone."""

import random
import sqlite3
import threading
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import cast

import pytest
from board import HUMANS, PATIENCE, board, kept, new_game, server

from othellier.errors import RequestError
from othellier.page.storage.carving import carve
from othellier.page.storage.database_file import VERSION
from othellier.page.storage.position_paths import key
from othellier.page.storage.store import GameFilter, Kept, Store
from othellier.rules import native

FILE = "games.sqlite3"


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "folder" / FILE


@pytest.fixture
def store(path: Path) -> Iterator[Store]:
    store = Store(path)
    assert store.message == ""
    yield store
    store.close()


def test_what_is_saved_is_there_after_opening_again(store: Store, path: Path) -> None:
    store.save([kept()])
    again = Store(path)
    found = again.load("one")
    again.close()
    assert found is not None
    assert (found.record, found.snapshot, found.transcript) == (kept().record, kept().snapshot, "f5d6")
    assert store.load("two") is None


def test_saving_again_keeps_the_day_it_began_and_its_tags(store: Store) -> None:
    store.save([kept()])
    store.set_tags("one", ["final", "club"])
    store.set_tags("one", ["club"])  # and no others
    store.save([kept(moves="f5d6c3")])
    found = store.load("one")
    assert found is not None
    assert (found.transcript, found.tags, found.created) == ("f5d6c3", ("club",), 1000.0)


def test_saving_again_finds_the_game_by_its_new_positions(store: Store) -> None:
    store.save([kept(moves="f5")])
    before = key(native.start().play("f5"))
    assert store.after("local", before) == []
    store.save([kept(moves="f5d6")])
    ((reached, ending, count),) = store.after("local", before)
    assert (reached, ending, count) == (key(native.start().play("f5").play("d6")), "unfinished", 1)


def test_owners_see_their_own_games(store: Store) -> None:
    store.save([kept("one", "ann"), kept("two", "bob")])
    assert [game.id for game in store.find("ann").games] == ["one"]
    store.set_options("ann", {"theme": "dark"}, 10)
    assert store.options("bob") == {}


def test_options_are_kept_up_to_their_limit(store: Store) -> None:
    store.set_options("ann", {"one": 1, "two": 2}, 2)
    with pytest.raises(RequestError, match="no more than 2"):
        store.set_options("ann", {"one": 5, "three": 3}, 2)
    assert store.options("ann") == {"one": 1, "two": 2}
    store.set_options("ann", {"one": None, "three": 3}, 2)
    assert store.options("ann") == {"two": 2, "three": 3}


def test_what_was_deleted_long_ago_goes_for_good(store: Store) -> None:
    store.save([kept("one"), kept("two")])
    store.mark_deleted("local", GameFilter(games=("one",)), 0.0)
    store.mark_deleted("local", GameFilter(games=("two",)), 29 * 86400.0)
    assert store.load("one") is not None
    store.mark_deleted("local", GameFilter(games=("two",), deleted=True), 31 * 86400.0)
    assert store.load("one") is None
    assert store.load("two") is not None


def test_all_or_nothing(store: Store) -> None:
    good = kept("one")
    bad = replace(kept("two"), owner=cast("str", None))
    with pytest.raises(RequestError):
        store.save([good, bad])
    assert store.find("local").total == 0


def test_words_of_a_search_are_only_words(store: Store) -> None:
    store.save([kept()])
    for text in ("%", "_", "' OR 1=1 --", '"', "\\", "title%"):
        assert store.find("local", GameFilter(text)).total == 0
    assert store.find("local", GameFilter("TITLE ann")).total == 1
    assert store.find("local", GameFilter("TITLE nobody")).total == 0, "every word must be there"


def test_many_threads_at_once(store: Store) -> None:
    def work(number: int) -> None:
        for _ in range(10):
            store.save([kept(f"game{number}")])
            store.find("local")

    threads = [threading.Thread(target=work, args=(number,)) for number in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(PATIENCE)
        assert not thread.is_alive()
    assert store.find("local").total == 6


@pytest.mark.parametrize("write", [False, True])
def test_one_at_a_time_reads_and_one_writes(store: Store, write: bool) -> None:
    """A connection has one transaction: whoever comes meanwhile waits for its turn."""
    store.save([kept()])
    found: list[int] = []

    def meanwhile() -> None:
        with store.transaction(write) as connection:
            found.append(connection.execute("SELECT count(*) FROM games").fetchone()[0])

    with store.transaction(write):
        other = threading.Thread(target=meanwhile)
        other.start()
        other.join(0.05)  # long enough for it to fail, were it not to wait
        assert not found
    other.join(PATIENCE)
    assert found == [1]


def refused(path: Path, words: str) -> None:
    """The file is left as it is, the reason is said, and games are kept in memory."""
    before = path.read_bytes()
    store = Store(path)
    assert words in store.message
    assert str(path) in store.message
    assert "\n" not in store.message
    store.save([kept()])
    assert store.find("local").total == 1
    store.close()
    assert path.read_bytes() == before


def test_a_newer_database(store: Store, path: Path) -> None:
    store.close()
    with sqlite3.connect(path) as connection:
        connection.execute(f"PRAGMA user_version = {VERSION + 1}")
    connection.close()
    refused(path, "newer version")


def test_another_programs_database(tmp_path: Path) -> None:
    path = tmp_path / FILE
    connection = sqlite3.connect(path)
    connection.execute("CREATE TABLE theirs (a)")
    connection.commit()
    connection.close()
    refused(path, "another program")


@pytest.mark.parametrize(
    "damage", [b"this is no database at all, just text\n" * 100, b"SQLite format 3\x00" + b"\x00" * 5000]
)
def test_a_damaged_database(tmp_path: Path, damage: bytes) -> None:
    path = tmp_path / FILE
    path.write_bytes(damage)
    refused(path, "it is damaged")


@pytest.mark.parametrize("damage", [b"\xccesult", b"\xa0\xff\xfe!t)", b"rezult"])
def test_a_damaged_schema_is_no_reason_not_to_begin(store: Store, path: Path, damage: bytes) -> None:
    store.save([kept("one")])
    store.close()
    data = path.read_bytes()
    assert b"\n    result TEXT" in data
    path.write_bytes(data.replace(b"\n    result TEXT", b"\n    " + damage + b" TEXT", 1))
    again = Store(path)
    assert (again.kept, "it was damaged" in again.message) == (True, True)
    again.find("local")
    again.save([kept("new")])
    assert again.load("new") is not None
    again.close()


def test_databases_with_flipped_bits_never_end_in_a_traceback(store: Store, path: Path, tmp_path: Path) -> None:
    store.save([kept(f"game{number}", moves="f5d6c3") for number in range(5)])
    store.close()
    whole = path.read_bytes()
    saved = 0
    for seed in range(40):
        rng = random.Random(seed)
        data = bytearray(whole)
        for _ in range(rng.choice((1, 5, 30, 200))):
            data[rng.randrange(len(data))] ^= 1 << rng.randrange(8)
        file = tmp_path / f"{seed}.db"
        file.write_bytes(data)
        again = Store(file)
        found = again.find("local")
        for game in found.games:
            again.load(game.id)
        assert sum(map(len, again.records("local"))) >= len(found.games) - len(found.damaged)
        assert again.kept
        saved += len(found.games) + len(found.damaged)
        again.save([kept("new")])
        assert again.load("new") is not None
        again.close()
    assert saved >= 40 * 5 * 0.9  # some are in the hands of owners whose names were damaged


@pytest.mark.parametrize("long", [False, True])
@pytest.mark.parametrize(("first", "last"), [(0, 100), (0, 4096), (56, 72)])
def test_games_are_found_without_the_head_of_the_file(
    store: Store, path: Path, long: bool, first: int, last: int
) -> None:
    games = {f"game-{number}": replace(kept(f"game-{number}"), used=number + 0.5, created=7.25) for number in range(30)}
    if long:  # on several pages each
        games = {name: replace(game, record=f"(;FF[4]C[{name * 1500}])") for name, game in games.items()}
    store.save(replace(game, record="an older one", used=0.25) for game in games.values())
    store.save(games.values())
    store.close()
    data = bytearray(path.read_bytes())
    data[first:last] = b"\xa5" * (last - first)
    path.write_bytes(data)
    again = Store(path)
    assert (again.kept, "30 games were saved, 0 lost" in again.message) == (True, True)
    assert {game.id: game.record for game in again.find("local", limit=50).games} == {
        name: game.record for name, game in games.items()
    }
    again.close()


def test_of_several_states_of_a_game_the_last_one_is_found(tmp_path: Path) -> None:
    pages = []
    for number in range(2):
        store = Store(tmp_path / f"{number}.db")
        store.save([replace(kept("one"), record=f"(;FF[4]C[{number}])", used=number + 0.5)])
        store.close()
        pages.append((tmp_path / f"{number}.db").read_bytes())
    for order in (pages, pages[::-1]):
        (tmp_path / "both").write_bytes(b"".join(order))
        found = carve(tmp_path / "both")
        assert [(row[0], row[2], row[9]) for row in found.values()] == [("one", "(;FF[4]C[1])", 1.5)]


@pytest.mark.parametrize("mark", ["application_id", "user_version"])
def test_a_file_with_our_tables_is_ours_whatever_its_marks_say(store: Store, path: Path, mark: str) -> None:
    store.save([kept("one")])
    store.set_options("local", {"theme": "dark"}, 10)
    store.close()
    with sqlite3.connect(path) as connection:
        connection.execute(f"PRAGMA {mark} = 4711")
    connection.close()
    again = Store(path)
    assert again.kept
    assert [game.id for game in again.find("local").games] == ["one"]
    assert again.options("local") == {"theme": "dark"}
    again.close()


def test_of_a_database_with_a_torn_page_all_other_games_go_on(store: Store, path: Path) -> None:
    games = {f"game{number}": kept(f"game{number}", moves="f5d6c3d3c4") for number in range(50)}
    store.save(games.values())
    store.set_tags("game7", ["club"])
    store.set_options("local", {"theme": "dark"}, 10)
    store.close()
    data = bytearray(path.read_bytes())
    places = [at for at in range(4096, len(data), 4096) if b"(;FF[4]" in data[at : at + 4096]]
    data[places[1] : places[1] + 4096] = b"\xa5" * 4096
    path.write_bytes(data)
    again = Store(path)
    found = again.find("local", limit=200)
    assert 0 < len(found.games) < 50
    assert again.kept
    for game in found.games:
        assert (game.record, game.snapshot) == (games[game.id].record, games[game.id].snapshot)
    assert f"{len(found.games)} games were saved" in again.message
    assert again.options("local") == {"theme": "dark"}
    again.save([kept("new")])
    again.close()
    (aside,) = (file for file in path.parent.glob("*.damaged-*") if not file.name.endswith(("-wal", "-shm")))
    assert aside.read_bytes() == data
    assert aside.name in again.message
    quiet = Store(path)
    assert (quiet.message, quiet.find("local").total) == ("", len(found.games) + 1)
    quiet.close()


@pytest.mark.parametrize(
    ("column", "value"),
    [
        ("summary", "{"),
        ("summary", "[]"),
        ("summary", "{}"),
        ("summary", '{"title": 7}'),
        ("result", "blbck"),
        ("used", 1e300),
        ("created", -1e18),
    ],
)
def test_a_damaged_row_is_set_aside_and_named(store: Store, path: Path, column: str, value: object) -> None:
    store.save([kept("good"), kept("bad"), kept("fine")])
    with sqlite3.connect(path) as connection:
        connection.execute(f"UPDATE games SET {column} = ? WHERE id = 'bad'", (value,))
    connection.close()
    found = store.find("local")
    assert sorted(game.id for game in found.games) == ["fine", "good"]
    assert (found.total, found.damaged, store.damaged("local")) == (2, ["bad"], ["bad"])
    assert (store.find("local").total, store.find("local").damaged) == (2, [])
    assert store.load("bad") is None


def test_a_damaged_row_does_not_close_the_library(tmp_path: Path) -> None:
    damages = {
        "result": """summary = replace(summary, '"winner"', '"wjnner"'), transcript = transcript""",
        "letter": "summary = CAST(x'7b8001' AS TEXT)",
        "record": "record = '(;FF[4]GM[2', snapshot = 'x'",
    }
    with server(tmp_path) as client:
        ids = [new_game(client, **HUMANS, title=name)["game"] for name in (*damages, "good")]
        for game in ids:
            with board(client, game) as tab:
                tab.do("move", square="f5")
                tab.do("resign")
        with sqlite3.connect(tmp_path / FILE) as connection:
            for game, change in zip(ids, damages.values(), strict=False):
                connection.execute(f"UPDATE games SET {change} WHERE id = ?", (game,))
        connection.close()
        library = client.get("/api/v1/games").json()
        assert [game["game"] for game in library["games"]] == ids[:1:-1]
        assert library["damaged"] == sorted(ids[:2])
        assert library["total"] == 2
        assert client.get("/api/v1/explorer").status_code == 200
        answer = client.get(f"/api/v1/games/{ids[2]}")
        assert (answer.status_code, answer.json()["error"]["code"]) == (422, "bad_record")
        assert client.get(f"/api/v1/games/{ids[3]}").status_code == 200


def test_deleted_games_are_counted_nowhere(store: Store) -> None:
    store.save([kept("one"), kept("two")])
    store.set_tags("one", ["club"])
    store.set_tags("two", ["club"])
    start = key(native.start())
    assert [count for _, _, count in store.after("local", start)] == [2]
    store.mark_deleted("local", GameFilter(games=("one",)), 1.0)
    assert store.find("local").total == 1
    assert store.find("local", GameFilter(deleted=True)).total == 1
    assert store.tags("local") == [("club", 1)]
    assert [count for _, _, count in store.after("local", start)] == [1]
    assert list(store.records("local")) == [[kept("two").record]]
    store.mark_deleted("local", GameFilter(games=("one",), deleted=True), None)
    assert [count for _, _, count in store.after("local", start)] == [2]


def test_all_records_come_in_pieces_and_none_twice(store: Store) -> None:
    store.save([replace(kept(f"game{number:02}"), used=number // 3, record=f"record {number}") for number in range(20)])
    pieces = list(store.records("local", at_once=6))
    assert [len(piece) for piece in pieces] == [6, 6, 6, 2]
    assert {record for piece in pieces for record in piece} == {f"record {number}" for number in range(20)}


def test_a_place_that_cannot_be_written(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    store = Store(tmp_path / "file" / FILE)
    assert store.message
    store.close()


def test_a_save_survives_a_loss_of_power(store: Store) -> None:
    with store.transaction() as connection:
        found = [connection.execute(f"PRAGMA {name}").fetchone()[0] for name in ("journal_mode", "synchronous")]
    assert found == ["wal", 2], "each save is on the disk before it is answered"


def test_a_locked_database_is_said_and_the_game_kept(store: Store, path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    store.close()
    monkeypatch.setattr("othellier.page.storage.database_file.BUSY_SECONDS", 0.0)
    store = Store(path)
    other = sqlite3.connect(path, isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    with pytest.raises(RequestError) as caught:
        store.save([kept()])
    assert (caught.value.code, caught.value.data["reason"]) == ("not_saved", "another program has locked it")
    other.execute("ROLLBACK")
    other.close()
    store.save([kept()])
    assert store.find("local").total == 1
    store.close()


def test_a_full_disk_does_not_stop_the_game(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("othellier.page.play.running_game.RETRY_SECONDS", 0.01)
    full = threading.Event()
    save = Store.save

    def saving(self: Store, games: list[Kept]) -> None:
        if full.is_set():
            with self.transaction():
                raise sqlite3.OperationalError("database or disk is full")
        save(self, games)

    monkeypatch.setattr(Store, "save", saving)
    with server(tmp_path) as client:
        game = new_game(client, **HUMANS)["game"]
        with board(client, game) as tab:
            full.set()
            tab.do("move", square="f5")
            said = tab.hear("saved")
            assert (said["saved"], said["error"]["data"]["reason"]) == (False, "the disk is full")
            assert not tab.do("move", square="d6")["saved"]
            full.clear()
            assert tab.hear("saved")["saved"]
        assert client.get("/api/v1/games").json()["games"][0]["transcript"] == "F5D6"


def test_a_server_with_a_bad_database_says_so_and_plays(tmp_path: Path) -> None:
    (tmp_path / FILE).write_bytes(b"nonsense" * 1000)
    with server(tmp_path) as client:
        store = client.get("/api/v1/info").json()["store"]
        assert not store["ok"]
        assert "damaged" in store["message"]
        with board(client, new_game(client, **HUMANS)["game"]) as tab:
            assert tab.do("move", square="f5")["node"] == "f5"
    assert (tmp_path / FILE).read_bytes() == b"nonsense" * 1000


def test_a_server_started_again_goes_on(tmp_path: Path) -> None:
    with server(tmp_path) as client:
        state = new_game(client, **HUMANS, clock={"minutes": 5}, opening={"kind": "moves", "moves": "f5d6"})
        with board(client, state["game"]) as tab:
            tab.do("move", square="c3")
            tab.do("goto", to="start")
            tab.do("study", square="c4")
            before = tab.state
    with server(tmp_path) as client, board(client, state["game"]) as tab:
        for key in ("node", "live", "tree", "players", "board", "title", "created"):
            assert tab.state[key] == before[key], key
        assert 0 < tab.state["clock"]["white"] <= 300
