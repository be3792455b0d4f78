"""Databases of games: every game found by what it holds, an index that is made anew when it must be."""

import gzip
import os
import random
from pathlib import Path

import numpy as np
import pytest

from othellier import batch, records
from othellier.errors import ConfigError, RecordError
from othellier.games.game import Game, Headers, Outcome
from othellier.openings import games as store
from othellier.openings.book import Book, Entry, shipped
from othellier.openings.explorer import Explorer, Query
from othellier.openings.keys import key_of
from othellier.openings.names import name_of
from othellier.records.transcript import parse_moves
from othellier.rules import native
from othellier.rules.board import Color, after
from othellier.rules.geometry import PASS, SYMMETRIES

PLAYERS = ["Tamenori Hideshi", "Lévy-Abégnoli T.", "Murakami Takeshi", "Rose Brian"]
OPENERS = ["f5d6c3d3c4f4", "f5f6e6f4e3", "f5d6c5f4e3", "c4e3f6e6f5", "d3c3c4e3"]


def whole_game(number: int) -> Game:
    """A game played out at random after a known opening."""
    rng = random.Random(number)
    game = Game.from_moves(parse_moves(OPENERS[number % len(OPENERS)]))
    game.goto(-1)
    while not game.position.is_over():
        game.push(rng.choice(game.position.moves() or [PASS]))
    outcome = game.outcome()
    assert outcome is not None
    names = PLAYERS[number % 4], PLAYERS[(number // 4 + 1) % 4]
    headers = Headers(*names, event=f"Open {number % 3}", date="2001", theory=(int(outcome.score + 64) // 2, 24))
    return Game.from_moves(game.moves(), headers=headers, result=outcome)


@pytest.fixture(scope="module")
def played() -> list[Game]:
    return [whole_game(number) for number in range(60)]


@pytest.fixture
def folder(tmp_path: Path, played: list[Game]) -> Path:
    path = tmp_path / "games"
    path.mkdir()
    records.write(played[:40], path / "WTH_2001.wtb")
    records.write(played[40:], path / "WTH_2002.wtb")
    return path


def positions(game: Game) -> list[tuple[int, int, Color]]:
    """Every position of a game, forced passes played, up to symmetry."""
    position = game.start
    found = [(*key_of(position), position.turn)]
    for move in game.moves():
        if move != PASS:
            position = after(position, move)
            found.append((*key_of(position), position.turn))
    return found


def test_fingerprints_are_those_of_the_plain_rules(played: list[Game]) -> None:
    rows = np.full((len(played), 60), batch.NO_MOVE, np.uint8)
    for row, game in zip(rows, played, strict=True):
        moves = [move for move in game.moves() if move != PASS]
        row[: len(moves)] = moves
    prints = batch.fingerprints(rows)
    assert prints.shape == (61, len(played))
    for number, game in enumerate(played):
        position, ply = game.start, 0
        assert prints[0, number] == store.fingerprint(position)
        for move in game.moves():
            if move != PASS:
                position, ply = after(position, move), ply + 1
                assert prints[ply, number] == store.fingerprint(position)
        assert not prints[ply + 1 :, number].any()
    assert (batch.fingerprints(rows, threads=3) == prints).all()


def test_fingerprints_stop_at_an_illegal_move() -> None:
    prints = batch.fingerprints([[37, 0, 43]])
    assert (prints[:, 0] != 0).tolist() == [True, True, False, False]


def test_every_position_is_found_in_every_symmetry(folder: Path, played: list[Game]) -> None:
    games = store.build([folder])
    holders: dict[tuple[int, int, Color], list[int]] = {}
    for number, game in enumerate(played):
        for key in positions(game):
            holders.setdefault(key, []).append(number)
    rng = random.Random(1)
    for key in rng.sample(sorted(holders), 200):
        position = native.position(*key)
        for symmetry in SYMMETRIES:
            assert games.find(position.transform(symmetry)).tolist() == holders[key]
    assert games.find(native.start(6)).tolist() == []


def test_games_come_back_whole(folder: Path, played: list[Game]) -> None:
    games = store.build([folder])
    assert (len(games), games.left_out, games.nameless) == (60, 0, [])
    for number, game in enumerate(played):
        assert games.game(number) == game


def test_the_index_is_one_file_made_anew_when_a_source_changes(folder: Path, played: list[Game]) -> None:
    index = folder.parent / "games.index"
    assert len(store.load([folder], index)) == 60
    first = index.stat()
    again = store.load([folder], index)
    assert index.stat().st_mtime_ns == first.st_mtime_ns
    assert again.find(native.start()).tolist() == list(range(60))
    assert again.game(59) == played[59]
    records.write(played[:5], folder / "WTH_2003.wtb")
    assert len(store.load([folder], index)) == 65
    (folder / "WTH_2003.wtb").unlink()
    os.utime(folder / "WTH_2001.wtb", ns=(1, 1))
    assert len(store.load([folder], index)) == 60
    assert store.load([folder], index).sources != again.sources


def test_a_cut_index_is_made_anew_and_a_foreign_file_left_alone(folder: Path) -> None:
    index = folder.parent / "games.index"
    store.load([folder], index)
    whole = index.read_bytes()
    for length in (0, 10, 30, 200, len(whole) // 2, len(whole) - 1):
        index.write_bytes(whole[:length] if length > 18 or not length else whole[:20])
        assert len(store.load([folder], index)) == 60
        assert index.read_bytes() == whole
    index.write_bytes(b"my own notes")
    with pytest.raises(RecordError, match="not an index of games"):
        store.load([folder], index)
    assert index.read_bytes() == b"my own notes"


def test_an_index_that_cannot_be_kept_is_told(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    from othellier.cli import main

    (tmp_path / "cache").write_text("a file where a folder should be", encoding="utf-8")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    assert main(["database", "index", str(folder)]) == 2
    out, err = capsys.readouterr()
    assert (out, err.count("\n")) == ("", 1)


def test_the_index_is_kept_in_the_users_cache(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    cache = folder.parent / "cache"
    monkeypatch.setattr(store, "user_cache_path", lambda _: cache)
    assert len(store.load([folder])) == 60
    assert [path.suffix for path in cache.iterdir()] == [".index"]
    monkeypatch.setattr(store, "user_cache_path", lambda _: folder / "WTH_2001.wtb" / "no")
    assert len(store.load([folder])) == 60


def test_games_of_other_formats_are_taken_in(tmp_path: Path, played: list[Game]) -> None:
    records.write(played[:6], tmp_path / "some.ggf")
    small = Game(6)
    small.push(native_name(6))
    records.write([*played[6:8], small], tmp_path / "others.sgf")
    games = store.build([tmp_path / "some.ggf", tmp_path / "others.sgf"])
    assert (len(games), games.left_out) == (8, 1)
    assert games.game(7).moves() == played[7].moves()
    assert games.game(0).headers.black == played[0].headers.black
    assert len(store.build([tmp_path])) == 8


def test_all_the_games_of_a_folder_are_taken(folder: Path, played: list[Game]) -> None:
    records.write(played[:3], folder / "more.sgf")
    records.write(played[3:7], folder / "packed.ggf")
    for name in ("packed.ggf", "WTH_2002.wtb"):
        (folder / f"{name}.gz").write_bytes(gzip.compress((folder / name).read_bytes()))
        (folder / name).unlink()
    (folder / "README.txt").write_text("What is in here.\n", encoding="utf-8")
    games = store.build([folder])
    assert (len(games), games.left_out, games.nameless) == (67, 0, [])
    assert sorted(game.transcript() for game in games) == sorted(g.transcript() for g in [*played, *played[:7]])
    assert store.load([folder], folder.parent / "games.index").find(native.start()).tolist() == list(range(67))


def test_a_damaged_file_of_a_folder_is_named_and_one_without_games_is_not(folder: Path) -> None:
    damaged = folder / "cut.sgf"
    damaged.write_text("(;GM[2]FF[4]B[f5];W[a1])", encoding="utf-8")
    with pytest.raises(RecordError, match=r"cut\.sgf.*a1"):
        store.build([folder])
    damaged.unlink()
    damaged = folder / "begin.ggf"
    damaged.write_text("%PDF (;GM[Othello]", encoding="utf-8")
    with pytest.raises(RecordError, match=r"begin\.ggf"):
        store.build([folder])
    damaged.unlink()
    games = len(store.build([folder]))
    (folder / "notes.txt.gz").write_bytes(b"\x1f\x8b half of a file")
    assert len(store.build([folder])) == games
    for path in folder.iterdir():
        path.unlink()
    (folder / "README.txt").write_text("What is in here.\n", encoding="utf-8")
    with pytest.raises(RecordError, match=r"README\.txt: has no game in it, nor has any other file there"):
        store.build([folder])
    with pytest.raises(RecordError, match=r"README\.txt"):  # named by itself, it is told what is wrong with it
        store.build([folder / "README.txt"])


def native_name(size: int) -> str:
    from othellier.rules.geometry import square_name

    return square_name(native.start(size).moves()[0], size)


@pytest.mark.parametrize(
    ("query", "wanted"),
    [
        (Query(), lambda g: True),
        (Query(player="levy"), lambda g: "Lévy" in g.headers.black + g.headers.white),
        (Query(black="TAMENORI"), lambda g: "Tamenori" in g.headers.black),
        (Query(white="rose", player="murakami"), lambda g: "Rose" in g.headers.white and "Mura" in g.headers.black),
        (Query(tournament="open 2"), lambda g: g.headers.event == "Open 2"),
        (Query(result="black"), lambda g: g.outcome().score > 0),
        (Query(result="draw"), lambda g: g.outcome().score == 0),
        (Query(result="white", first_year=2001, last_year=2001), lambda g: g.outcome().score < 0),
        (Query(first_year=2002), lambda g: False),
        (Query(opening="tigre"), lambda g: "Tiger" in [name_of(g.moves()[:5])]),
        (Query(position=native.start().play(37).play(43)), lambda g: name_of(g.moves()[:2]) == "Perpendicular"),
        (Query(player="nobody at all"), lambda g: False),
    ],
)
def test_games_are_searched_by_what_they_hold(folder: Path, played: list[Game], query: Query, wanted: object) -> None:
    assert callable(wanted)
    found = Explorer(store.build([folder])).search(query)
    assert found.tolist() == [number for number, game in enumerate(played) if wanted(game)]


def test_questions_that_make_no_sense_are_refused(folder: Path) -> None:
    explorer = Explorer(store.build([folder]))
    with pytest.raises(ConfigError, match="no opening is called"):
        explorer.search(Query(opening="kangaroo"))
    with pytest.raises(ConfigError, match="result"):
        explorer.search(Query(result="victory"))  # type: ignore[arg-type]
    with pytest.raises(ConfigError, match="no database"):
        Explorer(None).search(Query())


def test_a_folder_without_names_is_named(folder: Path) -> None:
    for path in folder.glob("WTHOR.*"):
        path.unlink()
    explorer = Explorer(store.build([folder]))
    assert explorer.games is not None
    assert len(explorer.games.nameless) == 2
    assert explorer.games.game(0).headers.black.startswith("#")
    assert len(explorer.search(Query(position=native.start()))) == 60
    with pytest.raises(RecordError, match="no name files"):
        explorer.search(Query(player="tamenori"))


def test_bad_sources_are_named(tmp_path: Path, folder: Path) -> None:
    empty = tmp_path / "empty"
    empty.mkdir()
    with pytest.raises(RecordError, match="no file of games"):
        store.load([empty])
    with pytest.raises(RecordError, match="cannot be read"):
        store.load([tmp_path / "none.wtb"], tmp_path / "x.index")
    with pytest.raises(RecordError, match="needs files"):
        store.load([])
    damaged = bytearray((folder / "WTH_2001.wtb").read_bytes())
    damaged[16 + 8 + 3] = 11  # the fourth move of the first game goes to a1
    (folder / "WTH_2001.wtb").write_bytes(damaged)
    games = store.build([folder])
    assert (len(games), games.left_out) == (59, 1)


def test_statistics_count_moves_results_and_scores(folder: Path, played: list[Game]) -> None:
    book = Book.make({key_of(native.start().play(37).play(43)): Entry(-1, 9, 0.4, 0.1)})
    explorer = Explorer(store.build([folder]), book)
    position = native.start().play(37)
    found = explorer.explore(position)
    assert found.statistics.games == 60
    scores = [outcome.score for game in played if (outcome := game.outcome()) is not None]
    assert found.statistics.score == pytest.approx(sum(scores) / 60)
    assert found.statistics.black == sum(score > 0 for score in scores)
    assert found.statistics.black + found.statistics.draws + found.statistics.white == 60
    assert found.statistics.theory == pytest.approx(found.statistics.score, abs=1)
    assert found.statistics.error is not None
    assert sum(move.statistics.games for move in found.moves) == 60
    counts = {move.opening.name(): move.statistics.games for move in found.moves if move.opening is not None}
    perpendicular = sum(name_of(game.moves()[:2]) == "Perpendicular" for game in played)
    assert counts["Perpendicular"] == perpendicular
    valued = next(move for move in found.moves if move.opening and move.opening.name() == "Perpendicular")
    assert valued.entry == pytest.approx((1, 9, 0.5, 0.1))
    start = explorer.explore(native.start())
    assert [move.moves for move in start.moves] == [(37, 44, 19, 26)]
    few = explorer.explore(position, among=range(10))
    assert few.statistics.games == 10


def test_the_end_of_a_game_has_results_and_no_moves(folder: Path, played: list[Game]) -> None:
    explorer = Explorer(store.build([folder]))
    full = next(game for game in played if not game.end.position.empties)
    found = explorer.explore(full.end.position)
    assert (found.statistics.games, found.moves) == (1, ())


def test_without_games_the_book_alone_is_explored() -> None:
    book = Book.make({key_of(native.start().play(37)): Entry(0, 9, 0.4, 0.2)})
    found = Explorer(None, book).explore(native.start())
    assert found.statistics.games == 0
    assert found.statistics.score is None
    assert found.moves[0].entry is not None
    assert Explorer(None).explore(native.start()).entry is None


def test_unknown_results_are_not_counted(tmp_path: Path) -> None:
    game = Game.from_moves(parse_moves("f5d6c3"))
    known = Game.from_moves(parse_moves("f5d6c3"), result=Outcome(6, "agreed"))
    records.write([game, known], tmp_path / "two.ggf")
    found = Explorer(store.build([tmp_path / "two.ggf"])).explore(native.start())
    assert (found.statistics.games, found.statistics.black, found.statistics.score) == (2, 1, 6.0)


def test_unknown_results_and_years_answer_no_question(tmp_path: Path) -> None:
    moves = parse_moves("f5d6c3")
    made = [
        Game.from_moves(moves, headers=Headers(date=date, theory=(30, 24)), result=result)
        for date in ("", "1999", "2001")
        for result in (None, Outcome(-8, "agreed"), Outcome(0, "agreed"), Outcome(8, "agreed"))
    ]
    records.write(made, tmp_path / "games.ggf")
    explorer = Explorer(store.build([tmp_path / "games.ggf"]))
    for query, wanted in (
        (Query(result="white"), [1, 5, 9]),
        (Query(result="draw"), [2, 6, 10]),
        (Query(result="black"), [3, 7, 11]),
        (Query(last_year=1999), [4, 5, 6, 7]),
        (Query(last_year=2001), [4, 5, 6, 7, 8, 9, 10, 11]),
        (Query(first_year=2001), [8, 9, 10, 11]),
        (Query(first_year=1999, last_year=2000, result="white"), [5]),
    ):
        assert explorer.search(query).tolist() == wanted
    told = explorer.explore(native.start()).statistics
    assert (told.games, told.black, told.draws, told.white) == (12, 3, 3, 3)
    assert (told.score, told.theory) == (0.0, -4.0)
    assert told.error == pytest.approx((4 + 4 + 12) / 3)


def test_among_moves_never_played_the_best_of_the_book_comes_first() -> None:
    found = Explorer(None, shipped()).explore(native.start().play("f5"))
    values = [move.entry.value for move in found.moves if move.entry is not None]
    assert len(set(values)) > 1
    assert values == sorted(values, reverse=True)
