"""Names and comments made to do harm: they come in clean from every format, and every format can write them again."""

import json
import random
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st
from record_games import HOSTILE, games, plain_game, valid_files

from damage import mutate
from othellier import records
from othellier.base.text import LONGEST_TEXT, clean_line, clean_text
from othellier.errors import RecordError
from othellier.games.game import Evaluation, Game
from othellier.records import FORMATS, Format

WRITABLE = [format_ for format_ in FORMATS if format_.writes]
REFUSALS = (
    "starts from a position of its own",
    "and only 8x8 can be kept",
    "has no moves",
    "which is no number of discs",
    "has the theoretical score",
    "which is not a legal move",
    "is not a time that can be kept",
)
"""Why a format may refuse a game that another one holds; what is written in it is never a reason."""


@pytest.fixture(scope="module")
def valid(tmp_path_factory: pytest.TempPathFactory) -> dict[str, bytes]:
    return valid_files(tmp_path_factory.mktemp("valid"))


def assert_clean(game: Game) -> None:
    headers = game.headers
    for line in (headers.black, headers.white, headers.event, headers.date, headers.clock):
        assert line == clean_line(line)
    for key, line in headers.extra.items():
        assert (key, line) == (clean_line(key), clean_line(line, LONGEST_TEXT))
    for node in game.root.walk():
        assert node.comment == clean_text(node.comment)
        if node.evaluation is not None:
            assert node.evaluation.text == clean_line(node.evaluation.text)
            assert node.evaluation.depth is None or node.evaluation.depth >= 0


def written(format_: Format, game: Game) -> Iterator[Game]:
    """The game as it comes back from a file of this format; nothing where the format refuses it."""
    kept, reason = None, ""
    try:
        kept = format_.fitted(game)
    except RecordError as error:
        reason = error.reason
    if kept is None:
        assert any(words in reason for words in REFUSALS), reason
        return
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / f"game{format_.extensions[0]}"
        records.write([game], path)
        (back,) = records.read(path)
    assert back == kept
    assert_clean(back)
    yield back


def named(text: str) -> Game:
    """A game that has a text in every place that takes one."""
    game = plain_game()
    headers, node = game.headers, game.main_line()[2]
    headers.black = headers.white = headers.event = headers.clock = text
    headers.extra = {"KM": text, "Level": text, text: "x"}
    game.root.comment = node.comment = game.end.comment = text
    node.evaluation = Evaluation(1.0, text=text)
    return game


@pytest.mark.parametrize("source", WRITABLE, ids=lambda format_: format_.name)
@settings(max_examples=15, suppress_health_check=[HealthCheck.too_slow])
@given(game=games())
def test_every_format_writes_what_every_other_reads(source: Format, game: Game) -> None:
    for first in written(source, game):
        for target in WRITABLE:
            for _ in written(target, first):
                pass


@pytest.mark.parametrize("text", HOSTILE, ids=lambda text: ascii(text[:20]))
def test_hostile_names_are_read_back_from_every_format(text: str) -> None:
    game = named(text)
    for format_ in WRITABLE:
        (back,) = written(format_, game)
        if format_.name in ("sgf", "ggf", "trace", "quest"):
            assert (back.headers.black, back.headers.white) == (clean_line(text), clean_line(text))
        if format_.name == "sgf":
            assert back.main_line()[2].comment == clean_text(text)


@pytest.mark.parametrize("text", HOSTILE, ids=lambda text: ascii(text[:20]))
def test_what_others_write_without_care_comes_in_clean(text: str) -> None:
    """The writers themselves, without the cleaning before them: as another program may well write."""
    raw = named(text.encode("utf-8", "replace").decode())
    raw.headers.clock = "05:00"
    for format_ in WRITABLE:
        if format_.text is not None:
            data = "".join(format_.text([raw])).encode()
            for game in records.read(data, format_.name, errors="collect"):
                assert_clean(game)
    line = {"black": text, "white": text, "size": "8", "moves": "F5", "score": 64, "reason": "time", "error": text}
    (game,) = records.read(json.dumps(line) + "\n")
    assert_clean(game)
    assert (game.headers.black, game.end.comment) == (clean_line(text), clean_text(text))


@pytest.mark.parametrize("size", [20, 26])
def test_names_of_wthor_come_in_clean(size: int, tmp_path: Path) -> None:
    suffix = ".jou" if size == 20 else ".trn"
    field = b"\x1b[31m \x9bRed\x85 \xe9".ljust(size, b"\0")
    (tmp_path / f"WTHOR{suffix}").write_bytes(bytes(8) + (1).to_bytes(2, "little") + bytes(6) + field)
    found = records.wthor.find_names(tmp_path)
    assert [*found.players, *found.tournaments] == ["[31m Red é"]


@pytest.mark.parametrize("format_", FORMATS, ids=lambda format_: format_.name)
def test_whatever_is_read_can_be_written(format_: Format, valid: dict[str, bytes]) -> None:
    for seed in range(12):
        mutated = mutate(valid[format_.name], random.Random(seed))
        try:
            found = records.read(mutated, format_.name, errors="collect")[:1]
        except RecordError:
            continue
        for game in found:
            assert_clean(game)
            for target in WRITABLE:
                for _ in written(target, game):
                    pass


# -- single cases


def test_a_comment_of_7_megabytes_is_cut() -> None:
    for text in (f"(;GM[2]C[{'x' * 7_000_000}];B[f5])", f"(;GM[2]{'C[xxxxxxx]' * 20_000};B[f5])"):
        (game,) = records.read(text)
        assert len(game.root.comment) == LONGEST_TEXT
        assert game.root.comment.endswith("x…")
    (game,) = records.read("(;GM[2]" + ";C[xxxxxxxxx]" * 20_000 + ")")
    assert len(game.root.comment) == LONGEST_TEXT


@pytest.mark.parametrize("depth", ["-19", "1.5", "1e3", "99999", "deep", "١٢"])
def test_a_depth_that_is_none_is_refused(depth: str) -> None:
    with pytest.raises(RecordError, match="is not a depth"):
        records.read(f"(;GM[2];B[f5]V[1]XD[{depth}])")
    (game,) = records.read("f5")
    game.end.evaluation = Evaluation(1.0, depth=-19)
    with pytest.raises(RecordError, match="search depth of -19"):
        records.dumps([game], "sgf")
    game.end.evaluation = Evaluation(1.0, depth=0)
    for name in ("sgf", "trace"):
        assert records.read(records.dumps([game], name)) == [game]


@settings(max_examples=20)
@given(value=st.floats(allow_nan=False, allow_infinity=False))
@example(value=1e300)
@example(value=-5.0)
def test_odd_numbers_are_kept_or_refused_by_every_format(value: float) -> None:
    text = f"(;GM[2]BR[{value!r}]TM[{value!r}]XR[{value!r}:time];B[f5]V[{value!r}]XM[{value!r}];W[d6])"
    (game,) = records.read(text)
    assert game.headers.black_rating == value
    for target in WRITABLE:
        for _ in written(target, game):
            pass


def test_rectangles_of_discs() -> None:
    (game,) = records.read("(;GM[2]AB[a1:c2][h8:h8]AW[d4:a1])")  # the last one is none: its corners are crossed
    assert (game.start.black, game.start.white) == (0x8000000000000707, 0)
    (game,) = records.read("(;GM[2]SZ[12]AB[k11:l12]AW[a1:l1])")
    assert (game.start.discs("black"), game.start.discs("white")) == (4, 12)


def test_recognition_looks_at_properties_not_at_what_is_in_them() -> None:
    for text, name in (
        ("(;FF[4]GM[2]PB[(;GM[Othello\\]];B[f5])", "sgf"),
        ("(;GM[Othello]PB[(;FF[4\\]GM[2\\]]B[F5];)", "ggf"),
        ("12 ( (;GM [ 2 ];B[f5]))", "sgf"),
        ("(;C[words];B[f5])", "sgf"),
        (f"(;FF[4]C[{'x' * 5000}]GM[2];B[f5])", "sgf"),
        ("(;GM[Reversi]B[F5];)", "ggf"),
    ):
        assert records.recognise(records.format.RecordSource("text", text.encode())).name == name
        assert records.read(text)[0].transcript() == "F5"
    for text in ("(;GM[1];B[aa])", "(;C[words])", "(;)", "(;GM[Go];B[f5])"):
        with pytest.raises(RecordError, match="is in no known format"):
            records.read(text.encode())


# -- long inputs


@pytest.mark.parametrize("part", range(4))
def test_long_inputs_take_time_in_proportion(part: int) -> None:
    """A process of its own reads them, with a limit on the processor time of each. The last line it wrote is what
    it was at."""
    command = [sys.executable, str(Path(__file__).parent / "long_inputs.py"), str(part), "4"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=250, check=False)
    last = (done.stdout.splitlines() or ["nothing"])[-1]
    assert (done.returncode, last) == (0, "done"), f"it ended at {last}: {done.stderr[-2000:]}"
