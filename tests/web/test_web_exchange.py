"""Many games in and out: all at once as one by one, in the background, out and in again."""

import gzip
import io
import os
import random
import threading
import zipfile
from collections.abc import AsyncIterator, Iterator
from concurrent.futures import FIRST_COMPLETED, ThreadPoolExecutor, wait
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from board import HUMANS, PATIENCE, Client, board, new_game, poll, server
from hypothesis import given
from hypothesis import strategies as st
from starlette.requests import ClientDisconnect

from othellier import records
from othellier.errors import RecordError, RequestError
from othellier.games.game import Game, Headers, Outcome
from othellier.page.server import transfer_routes
from othellier.page.server.transfer_routes import SMALL, received
from othellier.page.storage.collections import Collections
from othellier.page.storage.position_paths import key
from othellier.page.storage.store import Store
from othellier.page.study import helper_process as helpers
from othellier.page.study import transfer_jobs
from othellier.page.study.helper_process import Helper
from othellier.page.study.library import keep, own_tallies, read_kept, session_of
from othellier.page.study.transfer import PART, Part, ReadingPlan, Written, keep_imported, plan_reading
from othellier.page.study.transfer_jobs import ERRORS_SHOWN, REMEMBERED, WAITING, Exported, ImportJob, Jobs
from othellier.page.wire.explorer_models import ResultCounts
from othellier.page.wire.library_models import Ending
from othellier.records.wthor import HEADER_SIZE, RECORD_SIZE
from othellier.rules import native
from othellier.rules.geometry import PASS
from waiting import in_loop

DATES = ("", "2023-01-02", "2024", "2024-05-01")


def random_game(rng: random.Random, length: int = 60, **headers: Any) -> Game:
    position, moves = native.start(), list[int]()
    while not position.is_over() and len(moves) < length:
        move = PASS if position.must_pass() else rng.choice(position.moves())
        moves.append(move)
        position = position.play(move)
    return Game.from_moves(moves, native.start(), Headers(**headers))


@given(
    st.randoms(use_true_random=False),
    st.integers(0, 62),
    st.sampled_from(["", "Ann", " Ann ]\\ ", "x" * 100]),
    st.sampled_from(["plain", "resigned", "told", "varied", "elsewhere"]),
)
def test_games_kept_all_at_once_are_as_those_kept_one_by_one(
    rng: random.Random, length: int, name: str, kind: str
) -> None:
    def make() -> Game:
        game = random_game(random.Random(seed), length, black=name, event="Club", date="2024-05-01")
        if kind == "resigned":
            game.result = Outcome(64, "resigned")
        elif kind == "told":
            game.goto(-1)
            game.current.comment = "so it was"
        elif kind == "varied" and game.root.children:
            game.root.add(next(move for move in game.start.moves() if move != game.root.children[0].move))
        elif kind == "elsewhere":
            return Game.from_moves([], native.start("6"), Headers(black=name))
        return game

    seed = rng.getrandbits(32)
    other = random_game(rng, black="Bob", white="Eve")
    together = keep_imported([make(), other, make()], "me", 1000.0, 5)
    alone = keep(session_of(make()), "x", "me", 1000.0, 1000.0 - 5 / 1000, imported=True)
    assert replace(together[0], id="x") == alone
    assert replace(together[2], id="x", used=0.0) == replace(alone, used=0.0)
    assert read_kept(together[0]).game == read_kept(alone).game
    assert {player.kind for player in read_kept(alone).players.values()} == {"human"}, "nobody else sat there"


def test_games_kept_all_at_once_end_as_the_board_says() -> None:
    rng = random.Random(3)
    games = [random_game(rng, black="Ann", white="Bob") for _ in range(20)]
    ends = [game.outcome() for game in games]
    assert {end.winner for end in ends if end is not None} >= {"black", "white"}
    for game, end in zip(keep_imported(games, "me", 1000.0), ends, strict=True):
        assert game.result == ("unfinished" if end is None else end.winner or "draw")


@pytest.fixture
def fresh(tmp_path: Path) -> Iterator[Client]:
    with server(tmp_path) as client:
        yield client


def many(count: int, seed: int = 1) -> list[Game]:
    rng = random.Random(seed)
    return [random_game(rng, 12, black=f"Player {number}", white="Bob") for number in range(count)]


def done(client: Client, job: str) -> dict[str, Any]:
    """Ask until a job has ended."""
    return poll(lambda: client.get(f"/api/v1/jobs/{job}").json(), "done", True)


@pytest.mark.parametrize("form", ["sgf", "ggf", "quest"])
def test_what_is_exported_can_be_imported_again(fresh: Client, tmp_path: Path, form: str) -> None:
    games = many(1300)
    text = records.dumps(games, "sgf")
    assert len(text) > PART  # several parts
    answer = fresh.post("/api/v1/import", content=text.encode(), params={"name": "games.sgf"}).json()
    assert (answer["imported"], answer["failed"], len(answer["games"])) == (1300, 0, 100)
    assert [game["black"] for game in answer["games"]] == [f"Player {number}" for number in range(100)]
    out = fresh.get("/api/v1/export", params={"format": form}).content
    assert len(records.read(out, form)) == 1300
    again = fresh.post("/api/v1/import", content=out, params={"name": f"games.{form}"}).json()
    assert (again["imported"], again["failed"]) == (1300, 0)
    found = fresh.get("/api/v1/games", params={"limit": 200, "offset": 1300}).json()
    assert found["total"] == 2600
    assert not list(tmp_path.glob("othellier-*"))
    first = [game.transcript() for game in records.read(out, form)]
    assert first == [game.transcript() for game in games]


@pytest.mark.parametrize("form", ["transcript", "wthor"])
def test_what_a_format_cannot_hold_is_left_out_and_told(fresh: Client, form: str) -> None:
    small = [Game.from_moves([native.start(6).moves()[0]], 6, Headers("Ann", "Bob")) for _ in range(2)]
    games = [*many(300), small[0], *many(300), small[1]]
    fresh.post("/api/v1/import", content=records.dumps(games, "sgf").encode(), params={"name": "games.sgf"})
    answer = fresh.get("/api/v1/export", params={"format": form})
    assert (answer.status_code, answer.headers["x-left-out"]) == (200, "2")
    if form == "transcript":
        assert len(records.read(answer.content, form)) == 600
    assert "x-left-out" not in fresh.get("/api/v1/export", params={"format": "sgf"}).headers
    ids = [game["game"] for game in fresh.get("/api/v1/games", params={"limit": 100, "offset": 590}).json()["games"]]
    chosen = fresh.get("/api/v1/export", params={"format": form, "id": ids})
    assert chosen.headers["x-left-out"] == "1"
    refused = fresh.get("/api/v1/export", params={"format": form, "id": ids[-1:]})
    assert (refused.status_code, refused.json()["error"]["code"]) == (422, "bad_record")
    assert "a board of size 6" in refused.json()["error"]["message"]


def test_an_import_in_the_background_tells_how_far_it_is(fresh: Client) -> None:
    text = records.dumps(many(1300), "ggf").splitlines(keepends=True)
    text[700] = text[700].replace("B[", "B[a1]B[", 1)
    answer = fresh.post("/api/v1/import", content="".join(text).encode(), params={"background": True})
    assert answer.status_code == 202
    view = done(fresh, answer.json()["job"])
    assert (view["games"], view["failed"], view["progress"], view["error"]) == (1299, 1, 1.0, None)
    assert view["result"]["imported"] == 1299
    assert view["result"]["errors"][0]["where"] == "game 701, line 701, ply 1"
    assert fresh.get("/api/v1/games").json()["total"] == 1299
    assert fresh.get("/api/v1/jobs/nothing").status_code == 404


def test_an_import_is_not_told_done_while_a_part_is_read(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    parts = (Part(0, 1, 0), Part(1, 2, 1), Part(2, 3, 2))
    job = ImportJob("job", "ann", 0.0)
    begun, told, seen = threading.Event(), threading.Event(), list[float]()

    class Helpers:
        """They are long about the first part: the other two are read meanwhile."""

        def ask(self, work: object, *given: Any) -> Iterator[Any]:
            if work is plan_reading:
                yield ReadingPlan("ggf", parts)
            elif given[3] == parts[0]:
                begun.set()
                assert told.wait(PATIENCE), "nobody took the last part"
            elif given[3] == parts[1]:
                assert begun.wait(PATIENCE), "nobody took the first part"
            else:
                seen.append(job.progress)
                told.set()

        def close(self) -> None:
            pass

    monkeypatch.setattr(transfer_jobs, "Helper", Helpers)
    store = Store(None)
    Jobs(store, Collections(store))._run(job, tmp_path / "games.ggf", "games.ggf")
    store.close()
    assert (seen, job.progress, job.error) == ([1 / 3], 1.0, None)


def test_an_import_of_nonsense_in_the_background_ends_with_its_error(fresh: Client) -> None:
    for data in (b"all work and no play\n" * 5000, b"\x1f\x8b" + b"\0" * 100_000, gzip.compress(b"x" * (300 << 20))):
        answer = fresh.post("/api/v1/import", content=data, params={"background": True})
        view = done(fresh, answer.json()["job"])
        assert (view["result"], view["error"]["code"]) == (None, "bad_record"), view
        assert "\n" not in view["error"]["message"]
        assert fresh.post("/api/v1/import", content=data).status_code == 422


def test_an_import_can_be_stopped_and_others_cannot_see_it(fresh: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    begun, go_on = threading.Event(), threading.Event()
    save = Store.save

    def slowly(self: Store, games: Any) -> None:
        save(self, games)
        begun.set()
        assert go_on.wait(PATIENCE)

    monkeypatch.setattr(Store, "save", slowly)
    job = fresh.post("/api/v1/import", content=records.dumps(many(2500), "ggf").encode(), params={"background": True})
    assert begun.wait(PATIENCE), "no game was saved"
    assert not fresh.delete(f"/api/v1/jobs/{job.json()['job']}").json()["done"]
    go_on.set()
    view = done(fresh, job.json()["job"])
    assert 0 < view["games"] < 2500
    assert fresh.get("/api/v1/games").json()["total"] == view["games"]


def test_games_go_on_during_an_import(fresh: Client) -> None:
    job = fresh.post("/api/v1/import", content=records.dumps(many(1500), "ggf").encode(), params={"background": True})
    with board(fresh, new_game(fresh, **HUMANS)["game"]) as tab:
        for square in ("f5", "d6", "c3", "d3", "c4"):
            assert tab.do("move", square=square)["saved"]
    assert done(fresh, job.json()["job"])["games"] == 1500


def test_too_many_imports_are_told_to_wait(fresh: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("othellier.page.study.transfer_jobs.WAITING", 0)
    answer = fresh.post("/api/v1/import", content=b"F5\n" * 30_000)
    assert (answer.status_code, answer.json()["error"]["code"]) == (503, "busy")


def test_exports_are_made_one_after_another_and_too_many_are_told_to_wait(
    fresh: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    new_game(fresh, **HUMANS)
    begun, go_on = list[str](), threading.Event()

    def slowly(texts: Any, format_name: str) -> Exported:
        begun.append(format_name)
        assert go_on.wait(PATIENCE)
        return Exported(io.BytesIO(b"games"), ".txt", 0)

    monkeypatch.setattr(transfer_jobs, "export", slowly)
    monkeypatch.setattr(transfer_jobs, "WAITING", 3)
    with ThreadPoolExecutor(4) as threads:
        asked = [threads.submit(fresh.get, "/api/v1/export", params={"format": "quest"}) for _ in range(4)]
        try:
            refused = wait(asked, PATIENCE, FIRST_COMPLETED).done
            assert [answer.result().status_code for answer in refused] == [503]
            assert len(begun) <= 1
        finally:
            go_on.set()
        assert sorted(answer.result(PATIENCE).status_code for answer in asked) == [200, 200, 200, 503]
    assert len(begun) == 3


def test_a_game_is_begun_while_other_work_has_all_threads(fresh: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    game = new_game(fresh, **HUMANS)["game"]
    begun, go_on = threading.Semaphore(0), threading.Event()

    def slowly(games: Any, format_name: str) -> Written:
        begun.release()
        assert go_on.wait(PATIENCE)
        return Written(b"games", ".txt", [])

    monkeypatch.setattr(transfer_routes, "export_games", slowly)
    usual = min(32, (getattr(os, "process_cpu_count", os.cpu_count)() or 1) + 4)  # threads that Python starts
    with ThreadPoolExecutor(usual + 1) as threads:
        asked = [threads.submit(fresh.get, f"/api/v1/games/{game}/export") for _ in range(usual + 1)]
        try:
            assert all(begun.acquire(timeout=PATIENCE) for _ in range(usual))
            assert new_game(fresh, **HUMANS)["game"] != game
        finally:
            go_on.set()
        assert {answer.result(PATIENCE).status_code for answer in asked} == {200}


# -- helpers


def count(number: int) -> Iterator[int]:
    yield from range(number)


def fail(number: int) -> Iterator[int]:
    yield number
    raise RecordError("x", "line 1", "is bad")


def hang() -> Iterator[int]:
    threading.Event().wait()
    yield 1


@pytest.fixture
def helper(monkeypatch: pytest.MonkeyPatch) -> Iterator[Helper]:
    here = Path(__file__).parent  # this file is imported there, with what it shares with others
    monkeypatch.setenv("PYTHONPATH", f"{here}{os.pathsep}{here.parent}")
    helper = Helper()
    yield helper
    helper.close()


def test_a_helper_answers_in_pieces_and_tells_errors(helper: Helper) -> None:
    assert list(helper.ask(count, 5)) == [0, 1, 2, 3, 4]
    answer = helper.ask(fail, 7)
    assert next(answer) == 7
    with pytest.raises(RecordError, match="is bad"):
        next(answer)
    assert list(helper.ask(count, 2)) == [0, 1]


def test_a_helper_that_hangs_is_ended(helper: Helper, monkeypatch: pytest.MonkeyPatch) -> None:
    assert list(helper.ask(count, 1)) == [0]
    monkeypatch.setattr(helpers, "PIECE_SECONDS", 0.05)
    with pytest.raises(RequestError, match="took too long"):
        next(helper.ask(hang))


def test_wthor_gets_a_file_for_each_year(fresh: Client) -> None:
    games = [random_game(random.Random(seed), black="Ann", white="Bob", date=date) for seed, date in enumerate(DATES)]
    fresh.post("/api/v1/import", json={"text": records.dumps(games, "sgf")})
    packed = zipfile.ZipFile(io.BytesIO(fresh.get("/api/v1/export", params={"format": "wthor"}).content))
    held = {name: (packed.getinfo(name).file_size - HEADER_SIZE) // RECORD_SIZE for name in packed.namelist()}
    assert {name: count for name, count in held.items() if name.endswith(".wtb")} == {
        "games.wtb": 1,
        "games-2023.wtb": 1,
        "games-2024.wtb": 2,
    }


def test_of_many_errors_the_first_are_shown_and_all_are_counted() -> None:
    job = ImportJob("job", "ann", 0.0)
    for part in range(3):
        job.add([], [RecordError("file", f"line {100 * part + number}", "is no game") for number in range(70)])
    assert (job.failed, len(job.errors), job.errors[-1].where) == (210, ERRORS_SHOWN, "line 129")


def test_jobs_are_remembered_for_an_hour_and_refused_where_many_wait(monkeypatch: pytest.MonkeyPatch) -> None:
    now = 0.0
    monkeypatch.setattr(transfer_jobs, "time", SimpleNamespace(monotonic=lambda: now))
    store = Store(None)
    jobs = Jobs(store, Collections(store))
    old = ImportJob("old", "ann", now, ended=now)
    jobs.add(old)
    now = REMEMBERED - 1
    jobs.add(ImportJob("0", "ann", now))
    assert jobs.find("old", "ann") is old
    now = REMEMBERED
    for number in range(1, WAITING):
        jobs.add(ImportJob(str(number), "ann", now))
    with pytest.raises(RequestError, match="no such job"):
        jobs.find("old", "ann")
    with pytest.raises(RequestError, match="many such jobs"):
        jobs.add(ImportJob("one too many", "ann", now))
    jobs.close()
    store.close()


def test_ones_own_games_are_told_by_how_they_ended() -> None:
    start = native.start()
    f5, c4 = 37, 26  # the same up to symmetry
    place = key(start.play(f5))
    endings: tuple[Ending, ...] = ("black", "white", "draw", "unfinished")
    tallies = own_tallies(start, [(place, ending, 1 + number) for number, ending in enumerate(endings)])
    assert tallies[f5] == tallies[c4] == ResultCounts(games=10, black=1, white=2, draws=3)


def test_an_upload_that_is_broken_off_leaves_nothing_behind(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async def upload() -> AsyncIterator[bytes]:
        yield b"F5D6C3\n" * SMALL
        assert len(list(tmp_path.iterdir())) == 1
        raise ClientDisconnect

    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    with pytest.raises(RequestError, match="did not come to its end"):
        in_loop(lambda: received(upload()))
    assert list(tmp_path.iterdir()) == []
