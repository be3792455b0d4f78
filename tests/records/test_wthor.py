"""WTHOR files byte by byte, their names, damaged ones, and whole databases as arrays."""

import struct
from pathlib import Path

import numpy as np
import pytest
from record_games import plain_game

from othellier import records
from othellier.errors import RecordError
from othellier.games.game import Game, Headers, Outcome
from othellier.records import database, wthor
from othellier.rules import native

SHORTEST = "e6f4e3f6g5d6e7f5c5"


def header(games: int = 1, names: int = 0, year: int = 2024, size: int = 8, kind: int = 0, depth: int = 24) -> bytes:
    return struct.pack("<4BIHH4B", 20, 24, 5, 1, games, names, year, size, kind, depth, 0)


def record(moves: bytes, ids: tuple[int, int, int] = (0, 1, 2), score: int = 64, theory: int = 60) -> bytes:
    return struct.pack("<3H2B60s", *ids, score, theory, moves)


def wthor_moves(text: str) -> bytes:
    return bytes(10 * int(text[i + 1]) + ord(text[i]) - 96 for i in range(0, len(text), 2))


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A small database made by hand."""
    players = [b"???", b"Ann", "Jérôme".encode("latin-1")]
    (tmp_path / "WTHOR.JOU").write_bytes(header(0, 3, 0) + b"".join(name.ljust(20, b"\0") for name in players))
    (tmp_path / "WTHOR.TRN").write_bytes(header(0, 1, 0) + "Coupe d'été".encode("latin-1").ljust(26, b"\0"))
    (tmp_path / "WTH_2024.wtb").write_bytes(
        header(2) + record(wthor_moves(SHORTEST)) + record(wthor_moves("f5d6"), (0, 0, 1), 20, 22)
    )
    (tmp_path / "WTH_2025.WTB").write_bytes(header(1, year=2025, size=0, depth=0) + record(wthor_moves("f5f6")))
    return tmp_path


def test_bytes_of_a_game(folder: Path) -> None:
    assert wthor_moves("f5") == bytes([56])
    first, second = records.read(folder / "WTH_2024.wtb")
    assert first.transcript() == SHORTEST.upper()
    assert first.headers == Headers("Ann", "Jérôme", event="Coupe d'été", date="2024", theory=(60, 24))
    assert (first.outcome(), second.outcome()) == (Outcome(64), Outcome(-24))
    assert (second.headers.black, second.headers.white) == ("", "Ann")
    (third,) = records.read(folder / "WTH_2025.WTB")
    assert (third.headers.date, third.headers.theory) == ("2025", (60, 22))


def test_without_names_players_are_numbers(folder: Path) -> None:
    for name in ("WTHOR.JOU", "WTHOR.TRN"):
        (folder / name).unlink()
    first = records.read(folder / "WTH_2024.wtb")[0]
    assert (first.headers.black, first.headers.white, first.headers.event) == ("#1", "#2", "#0")
    assert records.read((folder / "WTH_2024.wtb").read_bytes())[0] == first


def test_writing_adds_names_and_keeps_numbers(folder: Path) -> None:
    game = plain_game()
    game.headers.white = "Zoë with a name that is far too long"
    before = (folder / "WTH_2024.wtb").read_bytes()
    records.write([game], folder / "new.wtb")
    assert wthor.read_names(folder / "WTHOR.JOU") == ["???", "Ann", "Jérôme", "Zoë with a name tha"]
    assert wthor.read_names(folder / "WTHOR.TRN") == ["Coupe d'été", "Club"]
    assert (folder / "new.wtb").read_bytes()[16:22] == struct.pack("<3H", 1, 1, 3)
    assert (folder / "WTH_2024.wtb").read_bytes() == before
    assert records.read(folder / "WTH_2024.wtb")[0].headers.white == "Jérôme"


def test_games_of_one_year(tmp_path: Path) -> None:
    games = [plain_game(1), plain_game(2)]
    games[1].headers.date = "1999-12-31"
    message = "game 2: cannot be written as wthor: is of the year 1999, depth 24; the first is of 2024, 24"
    with pytest.raises(RecordError, match=message):
        records.write(games, tmp_path / "games.wtb")
    assert list(tmp_path.iterdir()) == []


def test_games_of_other_years_are_left_out_and_named(tmp_path: Path) -> None:
    games = [plain_game(seed) for seed in range(4)]
    small = Game(6)
    games[2].headers.date, games[2].headers.black = "1999", "Who is left out"
    left_out: list[RecordError] = []
    records.write([games[0], small, *games[1:]], tmp_path / "games.wtb", left_out=left_out)
    assert records.read(tmp_path / "games.wtb") == [games[0], games[1], games[3]]
    assert [error.where for error in left_out] == ["game 2", "game 4"]
    assert "is of the year 1999, depth 24; the first is of 2024, 24" in left_out[1].reason
    assert "Who is left out" not in wthor.read_names(tmp_path / "WTHOR.JOU")


def test_results_wthor_cannot_tell(tmp_path: Path) -> None:
    game = plain_game()
    game.result = Outcome(0.5)
    with pytest.raises(RecordError, match=r"has the result \+0.5, which is no number of discs"):
        records.write([game], tmp_path / "game.wtb")
    open_game = Game.from_moves([37], headers=Headers(date="2024"))
    records.write([open_game], tmp_path / "game.wtb")
    (read_back,) = records.read(tmp_path / "game.wtb")
    assert read_back.outcome() == Outcome(62)  # four discs to one, the empty squares for the winner
    assert read_back.headers.theory == (63, 24)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda data: data[:10], "byte 10: is too short for a WTHOR header"),
        (lambda data: data[:-1], "byte 151: has 151 bytes, but its 2 games make 152"),
        (lambda data: data + b"\0", "byte 152: has 153 bytes, but its 2 games make 152"),
        (lambda data: header(2, size=10) + data[16:], "byte 12: is for boards of size 10"),
        (lambda data: header(2, kind=1) + data[16:], "byte 13: holds solitaires"),
        (lambda data: header(0), "holds no wthor game"),
        (
            lambda _: header() + record(wthor_moves("f5a1")),
            "game 1 at byte 16, ply 2: illegal move a1: it flips nothing",
        ),
        (lambda _: header() + record(bytes([56, 99])), "game 1 at byte 16, move 2: 99 is not a square"),
        (lambda _: header() + record(bytes([56, 0, 64])), "game 1 at byte 16, move 2: the moves go on after their end"),
        (lambda _: header() + record(b"8", score=65), "game 1 at byte 16: gives Black 65 discs"),
        (lambda _: header() + record(b"8", (0, 3, 1)), "game 1 at byte 16: refers to name 3 of 3"),
        (
            lambda _: header() + record(wthor_moves(SHORTEST + "a1")),
            "game 1 at byte 16, ply 10: illegal move a1: the game is over",
        ),
    ],
)
def test_damaged_games(folder: Path, change: object, message: str) -> None:
    assert callable(change)
    path = folder / "WTH_2024.wtb"
    path.write_bytes(change(path.read_bytes()))
    with pytest.raises(RecordError) as caught:
        records.read(path)
    assert message in str(caught.value)


def test_damaged_names(folder: Path) -> None:
    path = folder / "WTHOR.JOU"
    path.write_bytes(path.read_bytes()[:-1])
    with pytest.raises(RecordError, match=r"WTHOR.JOU, byte 75: has 75 bytes, but its 3 names make 76"):
        records.read(folder / "WTH_2024.wtb")
    path.write_bytes(b"short")
    with pytest.raises(RecordError, match="too short for a WTHOR header"):
        wthor.read_names(path)
    with pytest.raises(RecordError, match="is a file of WTHOR names, without games"):
        records.read(folder / "WTHOR.TRN")
    with pytest.raises(RecordError, match=r"neither .jou nor .trn"):
        wthor.read_names(folder / "WTH_2024.wtb")


# -- databases


def test_load_gives_arrays_and_games(folder: Path) -> None:
    base = database.load(folder)
    assert len(base) == 3
    assert base.games["year"].tolist() == [2024, 2024, 2025]
    assert base.games["depth"].tolist() == [24, 24, 22]
    assert base.games["score"].tolist() == [64, 20, 64]
    assert base.games["moves"].shape == (3, 60)
    assert base.games["moves"][1, :3].tolist() == [37, 43, 255]
    assert base.names.players == ["???", "Ann", "Jérôme"]
    assert list(base) == records.read(folder / "WTH_2024.wtb") + records.read(folder / "WTH_2025.WTB")
    assert [str(file) for file, _ in base.files] == [str(folder / "WTH_2024.wtb"), str(folder / "WTH_2025.WTB")]
    assert base.check() == []


def test_load_files_in_the_order_given(folder: Path) -> None:
    base = database.load([folder / "WTH_2025.WTB", folder / "WTH_2024.wtb"])
    assert base.games["year"].tolist() == [2025, 2024, 2024]


def test_plain_replay_agrees_with_the_core(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    bad = [wthor_moves("f5d6a1"), bytes([56, 99]), wthor_moves(SHORTEST + "a1"), b""]
    (folder / "bad.wtb").write_bytes(header(len(bad)) + b"".join(map(record, bad)))
    base = database.load(folder)
    assert native.available
    fast = base.replay()
    monkeypatch.setattr(native, "available", False)
    plain = base.replay()
    for field in fast._fields:
        assert np.array_equal(getattr(plain, field), getattr(fast, field)), field


def test_check_tells_what_is_wrong(folder: Path) -> None:
    bad = [
        record(wthor_moves("f5d6a1")),
        record(wthor_moves(SHORTEST), score=63),
        record(bytes([56, 0, 64])),
        record(wthor_moves("f5d6"), score=65),
        record(wthor_moves("f5d6"), theory=65),
        record(wthor_moves("f5d6"), score=64, theory=64),
    ]
    (folder / "bad.wtb").write_bytes(header(len(bad)) + b"".join(bad))
    base = database.load(folder)
    assert [f"{Path(error.file).name} {error.where}: {error.reason}" for error in base.check()] == [
        "bad.wtb game 1: move 3 is illegal",
        "bad.wtb game 2: the score is given as 63, but Black has 64 discs",
        "bad.wtb game 3: the moves go on after their end",
        "bad.wtb game 4: a score is above 64 discs",
        "bad.wtb game 5: a score is above 64 discs",
    ]
    number = len(base) - len(bad)
    with pytest.raises(RecordError, match=r"bad.wtb, game 1, ply 3: illegal move a1: it flips nothing"):
        base[number]
    with pytest.raises(RecordError, match=r"bad.wtb, game 4: gives Black 65 discs"):
        base[number + 3]


def test_load_refuses_what_does_not_belong_together(folder: Path, tmp_path_factory: pytest.TempPathFactory) -> None:
    elsewhere = tmp_path_factory.mktemp("elsewhere")
    with pytest.raises(RecordError, match=r"elsewhere\d+: has no .wtb file"):
        database.load(elsewhere)
    (elsewhere / "games.wtb").write_bytes((folder / "WTH_2024.wtb").read_bytes())
    with pytest.raises(RecordError, match="has other names than the rest"):
        database.load([folder, elsewhere])
    with pytest.raises(RecordError, match="no such file"):
        database.load(folder / "none.wtb")
