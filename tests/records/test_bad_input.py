"""Bad input: damaged, foreign, huge or missing files give one RecordError that says where, and nothing else."""

import gzip
import os
import random
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from record_games import CSV, plain_game, valid_files

from damage import mutate
from othellier import records
from othellier.errors import ConfigError, RecordError
from othellier.games.game import Game
from othellier.records import FORMATS, Format

START = "---------------------------OX------XO--------------------------- X"


@pytest.fixture(scope="module")
def valid(tmp_path_factory: pytest.TempPathFactory) -> dict[str, bytes]:
    """A good file of every format; written ones hold two games with all they can."""
    return valid_files(tmp_path_factory.mktemp("valid"))


def read_or_error(source: Path | bytes | str, **options: str) -> records.ReadGames | RecordError:
    try:
        return records.read(source, **options)  # type: ignore[arg-type]
    except RecordError as error:
        return error


@pytest.mark.parametrize("format_", FORMATS, ids=lambda format_: format_.name)
def test_mutated_files_are_read_or_refused(format_: Format, valid: dict[str, bytes], tmp_path: Path) -> None:
    data = valid[format_.name]
    assert isinstance(read_or_error(data), list)
    path = tmp_path / f"mutated{format_.extensions[0]}"
    refused = 0
    for seed in range(100):
        mutated = mutate(data, random.Random(seed))
        path.write_bytes(mutated)
        strict = read_or_error(path)
        kept = records.read(path, errors="collect")
        if isinstance(strict, RecordError):
            refused += 1
            assert (strict.file, bool(strict.reason)) == (str(path), True)
            assert str(kept.errors[0]) == str(strict)
            assert "\n" not in str(strict)
        else:
            assert (kept, kept.errors) == (strict, [])
        assert isinstance(read_or_error(mutated), list | RecordError)
    assert refused > 10


@settings(max_examples=100)
@given(data=st.binary(max_size=300))
def test_junk_is_refused(data: bytes) -> None:
    for format_ in FORMATS:
        assert isinstance(read_or_error(data, format=format_.name), list | RecordError)


@settings(max_examples=100)
@given(text=st.text(alphabet='(;)[]\\BWGM2 f5d6\n\r{}":,-+XO%.1', max_size=120))
def test_texts_made_of_the_right_signs_are_read_or_refused(text: str) -> None:
    for format_ in FORMATS:
        assert isinstance(read_or_error(text + "\n", format=format_.name), list | RecordError)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "text: is empty"),
        ("   \n\n", "text, byte 0: is empty"),
        ("hello\nworld", "text: is in no known format"),
        ("F5D6A1", "text, line 1, ply 3: illegal move a1: it flips nothing"),
        ("F5D6\r\nE6F4\rF5F5\nE6F4", "text, line 3, ply 2: illegal move f5: the square is taken"),
        ("F5D6Z9", "text, line 1, character 5: 'Z9' is not a move on a board of size 8"),
        ("e6f4e3f6g5d6e7f5c5a1", "text, line 1, ply 10: illegal move a1: the game is over"),
        ("F5PA", "text, line 1, ply 2: illegal move pass: a pass is only legal when it is forced"),
        (START[:60] + " X\n", "text, line 1: 60 squares and a side to move are not a square board"),
        (START.replace("--- X", "-0- X") + "; A1:0;\n", "text: is in no known format"),
        (f"% c\n{START}; A1:+2;", "text, line 2: A1 is not a legal move here"),
        (f"{START}; F5:two;", "text, line 1: 'two' is not a number"),
        (f"{START}; F5:1e999;", "text, line 1: '1e999' is too large a number"),
        ("(;GM[Othello]B[F5]W[D6]", "text, line 1: the text ends before its brackets are closed"),
        ("(;GM[Othello]\nB[F5", "text, line 2: the '[' after B is never closed"),
        ("(;GM[Othello]B[F5]?;)", "text, line 1: '?;)' where a property should stand"),
        ("(;GM[Othello]B[F5];)x", "text, line 1: 'x' where a game should begin with '('"),
        (
            "(;GM[Othello]B[F5];)\n(;GM[Othello]B[F5]W[A1];)",
            "text, game 2, line 2, ply 2: illegal move a1: it flips nothing",
        ),
        ("(;GM[Othello]B[F5]B[D6];)", "text, game 1, line 1, ply 2: black moves, but white is to move"),
        ("(;GM[Othello]B[Z5];)", "text, game 1, line 1, ply 1: 'Z5' is not a square of a board of size 8"),
        ("(;GM[Othello]TY[7];)", "text, game 1, line 1: size 7x7: sides are even, from 4 to 12"),
        ("(;GM[Othello]BO[8 --- *];)", "text, game 1, line 1: 3 squares given, a board of size 8 has 64"),
        ("(;GM[Othello]RE[+2:z];)", "text, game 1, line 1: RE[+2:z] has an unknown flag"),
        ("(;GM[Othello]RE[two];)", "text, game 1, line 1: 'two' is not a number"),
        ("(;GM[Othello];)(;GM[Amazons];)", "text, game 2, line 1: this is a game of Amazons, not of Othello"),
        ("(;GM[2]\n;B[f5](;W[d6])(;W[f6]", "text, line 2: the text ends before its brackets are closed"),
        ("(;GM[2];B[f5])\n)", "text, line 2: ')' where a game should begin with '('"),
        ("(;GM[2]\n;B[f5]\n;W[a1])", "text, game 1, line 3, ply 2: illegal move a1: it flips nothing"),
        ("(;GM[2];B[f5];B[d6])", "text, game 1, line 1: black moves at ply 2, but white is to move"),
        ("(;GM[2];B[f5];AB[a1])", "text, game 1, line 1: discs are set up in the middle of a game"),
        ("(;GM[2];B[f5]W[d6])", "text, game 1, line 1: both sides move in one node"),
        ("(;GM[2]AB[a1]AW[a1])", "text, game 1, line 1: a1 holds two discs"),
        ("(;GM[2]RE[huge])", "text, game 1, line 1: RE[huge] is not a result"),
        ("(;GM[2];B[f5])\n(;)", "text, game 2, line 2: an empty bracket is no game"),
        ("((;GM[2])(;GM[2]))", "text, game 1, line 1: a game has one root, and this has two"),
        (
            '{"args": [{"position": {"moves": [{"m": "f5"}, {"m": "a1"}]}}]}',
            "text, game 1, ply 2: illegal move a1: it flips",
        ),
        ('{"args": [{"position": {}}]}', "text, game 1: there is no list 'moves' where one should be"),
        ('{"args": {"position": 1}}', "text: there is no list 'args' where one should be"),
        ('{"args": [\n{"position"', "text, line 2: is not JSON: Expecting ':' delimiter"),
        ("Othellier trace\nLevel: 1", "text, line 2: the trace ends before its moves"),
        ("Othellier trace\nLevel", "text, line 2: 'Level' is not `name: value`"),
        ("Othellier trace\nMoves\n 1. X F5\nBoard\n", "text, line 3: '1. X F5' is not a move of a trace"),
        ("Othellier trace\nMoves\n 1. O F5 | | | | |\n", "text, line 3: F5 is not a move of O"),
        ("Othellier trace\nMoves\n 1. X F5 | | | | |\n 2. X D6 | | | | |\n", "text, line 4: D6 is not a move of X"),
        ("Othellier trace\nMoves\n 1. X F5 | 1 | depth -3 | | |\n", "text, line 3: '-3' is not a depth"),
        ("Othellier trace\nMoves\nBoard", "text, line 3: the trace ends before its transcript"),
        ("Othellier trace\nMoves\nBoard\nGame: F5", "text, line 4: the transcript does not tell the moves"),
        ("+d3-c3+c4: +02\n+d3-d3: +00\n", "text, line 2, ply 2: illegal move d3: the square is taken"),
        ("+d3-c3-c4: +02\n", "text, line 1: a move has the sign of the side that was not to move"),
        ("+d3-c3 +02\n", "text, line 1: is not a game such as"),
        (CSV + "14,2,f5\n", "text, line 4: is not `id,winner,moves`"),
        (CSV + "14,1,f5f5\n", "text, line 4, ply 2: illegal move f5: the square is taken"),
    ],
)
def test_messages_say_what_and_where(text: str, message: str) -> None:
    with pytest.raises(RecordError) as caught:
        records.read(text)
    assert str(caught.value).startswith(message)


def test_collecting_keeps_the_good_games() -> None:
    games = records.read("F5D6\nF5A1\nE6F4\nE6Z9\n", errors="collect")
    assert [game.transcript() for game in games] == ["F5D6", "E6F4"]
    assert [error.where for error in games.errors] == ["line 2, ply 2", "line 4, character 3"]
    cut = records.read("(;GM[Othello]B[F5];)(;GM[Othello]B[A1];)(;GM[Othello]B[", errors="collect")
    assert ([game.transcript() for game in cut], len(cut.errors)) == (["F5"], 2)


# -- files


def test_missing_file(tmp_path: Path) -> None:
    for path in (tmp_path / "none.ggf", str(tmp_path / "none.ggf")):
        with pytest.raises(RecordError, match=r"none.ggf: no such file"):
            records.read(path)


def test_a_name_that_cannot_be() -> None:
    with pytest.raises(RecordError, match="cannot be read"):
        records.read(Path("a\0b"))
    with pytest.raises(RecordError, match="neither a file nor a record"):
        records.read("q" * 5000)


def test_directory(tmp_path: Path) -> None:
    with pytest.raises(RecordError, match="is a directory, not a file"):
        records.read(tmp_path)
    with pytest.raises(RecordError, match="is a directory, not a file"):
        records.write([plain_game()], tmp_path, "ggf")


def test_pipe_is_not_waited_for(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe.ggf"
    os.mkfifo(pipe)
    with pytest.raises(RecordError, match="is not a plain file"):
        records.read(pipe)


@pytest.mark.parametrize("ending", [".wtb", ".ggf", ".txt"])
def test_empty_and_huge_files(ending: str, tmp_path: Path) -> None:
    path = tmp_path / f"file{ending}"
    path.write_bytes(b"")
    with pytest.raises(RecordError, match=r"byte 0: is empty"):
        records.read(path)
    with path.open("wb") as file:
        file.truncate(100_000_000)
    with pytest.raises(RecordError, match=r"byte 67108864: is larger than 64 MB"):
        records.read(path)


@pytest.mark.parametrize(
    "sign",
    ["(", ")", "[", "(;", "(;GM[2]", "(;GM[Othello]B[", "f5", "F5 1.", "1.", "{", '{"args":[', "X", "--", "+d3", "\n"],
)
@pytest.mark.parametrize("format_", FORMATS, ids=lambda format_: format_.name)
def test_long_repetitions_end(format_: Format, sign: str) -> None:
    text = sign * (50_000 // len(sign))
    assert isinstance(read_or_error(text + "\n", format=format_.name), RecordError)
    assert isinstance(read_or_error(text), RecordError)


def test_gzip(tmp_path: Path) -> None:
    path = tmp_path / "game.ggf.gz"
    packed = gzip.compress(records.dumps([plain_game()], "ggf").encode())
    path.write_bytes(packed)
    assert records.read(path) == [plain_game()]
    path.write_bytes(packed[:-20])
    with pytest.raises(RecordError, match="is damaged"):
        records.read(path)
    path.write_bytes(packed[:30] + b"junk" + packed[34:])
    with pytest.raises(RecordError, match="is damaged"):
        records.read(path)
    path.write_bytes(gzip.compress(bytes(70_000_000), 1))
    with pytest.raises(RecordError, match="is larger than 64 MB"):
        records.read(path)


def test_limit_can_be_changed() -> None:
    with pytest.raises(RecordError, match="is larger than 0 MB"):
        records.read(Path(__file__), limit=10)


def test_too_many_games_for_a_list(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(records, "MOST", 2)
    with pytest.raises(RecordError, match="game 3: holds more than the 2 games that are read at once"):
        records.read("f5d6\nf5f6\nf5f4\n")
    assert records.convert("f5d6\nf5f6\nf5f4\n", tmp_path / "games.ggf") == 3


# -- encodings and line ends


def test_encodings(tmp_path: Path) -> None:
    game = plain_game()
    game.headers.black = "Jérôme"
    text = records.dumps([game], "ggf")
    path = tmp_path / "game.ggf"
    for encoding in ("utf-8", "utf-8-sig", "utf-16", "latin-1"):
        path.write_bytes(text.encode(encoding))
        assert records.read(path) == [game], encoding


@pytest.mark.parametrize("ends", ["\n", "\r\n", "\r", "\r\n\n\r"])
@pytest.mark.parametrize("name", ["transcript", "board", "obf", "trace", "quest"])
def test_line_ends(name: str, ends: str) -> None:
    games = [plain_game(1), plain_game(2)]
    text = records.dumps(games, name)
    assert records.read(text.replace("\n", ends)) == records.read(text)


def test_content_wins_over_the_ending(tmp_path: Path) -> None:
    path = tmp_path / "game.sgf"
    path.write_text(records.dumps([plain_game()], "ggf"))
    assert records.read(path) == [plain_game()]


# -- options


def test_unknown_formats(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match=r"'pgn' is no record format; there are .*ggf, sgf"):
        records.read("F5D6", format="pgn")
    with pytest.raises(RecordError, match=r"no format has the ending '.pgn'"):
        records.write([plain_game()], tmp_path / "game.pgn")
    with pytest.raises(RecordError, match="logbook is only read, not written"):
        records.write([plain_game()], tmp_path / "game.gam")


def test_refusals_name_the_game(tmp_path: Path) -> None:
    for games, name, reason in (
        ([plain_game(), Game(6)], "wthor", "game 2: cannot be written as wthor: is on a board of size 6"),
        ([plain_game(), Game()], "transcript", "game 2: cannot be written as transcript: has no moves"),
    ):
        with pytest.raises(RecordError, match=reason):
            records.write(games, tmp_path / "file.wtb", name)
    assert list(tmp_path.iterdir()) == []
