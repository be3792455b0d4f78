"""Shards of self-play: openings, resuming after a kill, other settings, damage; weights as tables."""

import json
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from othellier.batch import NO_MOVE
from othellier.cli import main
from othellier.config.models import SelfplayConfig
from othellier.errors import ConfigError, RecordError, WeightsError
from othellier.evaluation.weights import PatternGeometry, read_payload, shipped_weights, write_payload
from othellier.learn import games as made
from othellier.learn import shards
from othellier.learn.tables import checksum, export, load_payload
from othellier.openings.balanced import all_openings, shipped
from othellier.openings.keys import key_of
from othellier.records.transcript import parse_moves
from othellier.rules import native
from waiting import LIMIT

QUICK = SelfplayConfig(games=12, shard=4, depth=1, solve=4)

DYING = """
import os, signal, sys
from pathlib import Path
replace = Path.replace
def dying(self, target):
    if str(target).endswith("games-0000000004.bin"):
        os.kill(os.getpid(), signal.SIGKILL)  # written, but not yet in its place
    return replace(self, target)
Path.replace = dying
from othellier.cli import main
main(sys.argv[1:])
"""


def test_self_play_goes_on_after_a_kill(tmp_path: Path) -> None:
    options = ["--games", "12", "--shard", "4", "--depth", "1", "--solve", "4", "--threads", "2"]
    command = [sys.executable, "-c", DYING, "learn", "selfplay", "--out", str(tmp_path), *options]
    killed = subprocess.run(command, check=False, timeout=LIMIT)
    assert killed.returncode == -signal.SIGKILL
    assert [path.name for path in sorted(tmp_path.glob("*.bin"))] == ["games-0000000000.bin"]
    first = (tmp_path / "games-0000000000.bin").stat().st_mtime_ns
    assert main(["learn", "selfplay", "--out", str(tmp_path), *options]) == 0
    assert (tmp_path / "games-0000000000.bin").stat().st_mtime_ns == first
    again = shards.play(tmp_path / "unbroken", QUICK, threads=1)
    assert (again.games, len(again.paths)) == (12, 3)
    assert (shards.load(sorted(tmp_path.glob("*.bin"))) == shards.load(again.paths)).all()


def test_other_seeds_give_other_games(tmp_path: Path) -> None:
    """Games are numbered within a seed: those of neighbouring seeds share nothing."""
    games = [shards.load(shards.play(tmp_path / str(seed), QUICK, seed=seed).paths) for seed in (3, 4)]
    lines = [{bytes(game[:60]) for game in some} for some in games]
    assert all(len(some) == QUICK.games for some in lines)
    assert lines[0].isdisjoint(lines[1])


def test_what_is_cut_or_missing_is_played_again(tmp_path: Path) -> None:
    whole = shards.load(shards.play(tmp_path, QUICK).paths)
    second = tmp_path / "games-0000000004.bin"
    second.write_bytes(second.read_bytes()[:100])
    (tmp_path / "games-0000000008.bin").unlink()
    with pytest.raises(RecordError, match=r"games-0000000004\.bin, byte 100: is cut in the middle of a game"):
        shards.load([second])
    told: list[int] = []
    played = shards.play(tmp_path, QUICK, progress=told.append)
    assert (played.games, sum(told)) == (8, 12)
    assert (shards.load(played.paths) == whole).all()
    more = shards.play(tmp_path, QUICK.model_copy(update={"games": 16}), executor="processes", threads=2)
    assert more.games == 4
    assert (shards.load(more.paths)[:12] == whole).all()


def test_games_of_other_settings_are_not_mixed(tmp_path: Path) -> None:
    shards.play(tmp_path, QUICK)
    with pytest.raises(ConfigError, match="holds other games: depth, seed changed"):
        shards.play(tmp_path, QUICK.model_copy(update={"depth": 2}), seed=3)
    (tmp_path / "selfplay.json").write_text("[]")
    with pytest.raises(RecordError, match="is no description of self-play"):
        shards.play(tmp_path, QUICK)


@pytest.mark.parametrize("kind", ["short", "balanced"])
def test_games_start_from_every_opening_of_a_kind(kind: str, tmp_path: Path) -> None:
    config = SelfplayConfig.model_validate(
        {"games": 14, "openings": kind, "plies": 3, "random_min": 0, "random_max": 0, "depth": 1, "solve": 4}
    )
    games = shards.load(shards.play(tmp_path, config).paths)
    length = 3 if kind == "short" else 8
    assert (games[:, made.OPENING] == length).all()
    known = all_openings(3) if kind == "short" else {key_of(start.position): start.moves for start in shipped()}
    seen = set()
    for row in games:
        position = native.start()
        for move in row[:length].tolist():
            position = position.play(move)
        seen.add(key_of(position))
    assert len(seen) == 14  # all fourteen of three moves, and as many different balanced ones
    assert seen <= set(known)


def test_random_moves_follow_an_opening() -> None:
    config = SelfplayConfig(openings="short", plies=2, random_min=3, random_max=5)
    found = [shards.opening(config, number) for number in range(60)]
    assert {len(moves) for moves in found} == {5, 6, 7}
    assert len({tuple(moves) for moves in found}) > 50
    assert found == [shards.opening(config, number) for number in range(60)]
    ends = SelfplayConfig(openings="short", plies=0, random_min=60, random_max=60)
    assert all(len(shards.opening(ends, number)) <= 60 for number in range(20))


def test_labels_that_contradict_the_game_are_refused(tmp_path: Path) -> None:
    games = shards.load(shards.play(tmp_path / "games", QUICK).paths)

    def refused(column: int, value: int, words: str) -> None:
        wrong = games.copy()
        wrong[5, column] = value
        made.save(wrong, tmp_path / "wrong.bin")
        with pytest.raises(RecordError, match=rf"wrong\.bin, game 6: {words}"):
            shards.load([tmp_path / "wrong.bin"])

    refused(121, (int(games[5, 121]) + 2) % 256, "has a result that contradicts its moves")
    refused(0, 0, "has an illegal move")
    refused(57, NO_MOVE, "is not finished")
    refused(100, 65, "has a value beyond 64 discs")


def test_a_game_that_leaves_one_side_without_discs(tmp_path: Path) -> None:
    """The shortest game there is: White has no disc left after nine moves."""
    row = np.full((1, made.ROW), made.NO_VALUE & 0xFF, np.uint8)
    row[0, :60] = NO_MOVE
    row[0, :9] = parse_moves("e6f4e3f6g5d6e7f5c5")
    row[0, 120:] = 0, 64
    shards.check(row, "nine moves")
    found = made.positions(row)
    assert len(found.player) == 9
    assert sorted(set(found.score.tolist())) == [-64, 64]


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["--openings", "strange"], "openings: Input should be 'random', 'short' or 'balanced'"),
        (["--random", "many"], "--random many: two numbers such as 6,26 expected"),
        (["--random", "9,3"], "random_min: 9 is more than random_max, 3"),
        (["--weights", "missing.weights"], "missing.weights: No such file"),
        (["--executor", "moon"], "executor 'moon': here, processes, dask or dask://HOST:PORT expected"),
    ],
)
def test_wrong_options_are_one_line(
    arguments: list[str], words: str, tmp_path: Path, complaint: Callable[..., str]
) -> None:
    assert words in complaint("learn", "selfplay", "--out", tmp_path, "--games", "1", *arguments)


# -- fits of what is too little, or wrong


def test_fits_of_bad_data_are_one_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("torch.cuda.is_available", lambda: False)
    games = shards.load(shards.play(tmp_path / "games", QUICK).paths)
    (tmp_path / "empty.bin").touch()
    (tmp_path / "cut.bin").write_bytes(games.tobytes()[:1000])
    made.save(games[:1], tmp_path / "one.bin")
    made.save(games, tmp_path / "few.bin")
    silent = games.copy()
    silent[:, made.OPENING] = 60
    made.save(silent, tmp_path / "unlabelled.bin")

    def told(*arguments: str) -> str:
        assert main(["learn", "fit", *arguments, "--out", str(tmp_path / "out.weights")]) == 2
        error = capsys.readouterr().err
        assert len(error.splitlines()) == 1
        return error

    assert "is empty: there is no game in it" in told(str(tmp_path / "empty.bin"))
    assert "byte 1000: is cut in the middle of a game" in told(str(tmp_path / "cut.bin"))
    assert "too few games" in told(str(tmp_path / "one.bin"))
    assert "too few games" in told(str(tmp_path / "unlabelled.bin"))
    assert "no such file" in told(str(tmp_path / "missing.bin"))
    assert "the fit has lost its way" in told(str(tmp_path / "few.bin"), "--rate", "1e30", "--epochs", "2")
    assert "rate: Input should be a finite number" in told(str(tmp_path / "few.bin"), "--rate", "nan")
    assert "device cuda: PyTorch finds no GPU here" in told(str(tmp_path / "few.bin"), "--device", "cuda")
    assert not (tmp_path / "out.weights").exists()


def test_without_torch_one_line_says_what_to_install(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, complaint: Callable[..., str]
) -> None:
    monkeypatch.setitem(sys.modules, "torch", None)
    for name in [name for name in sys.modules if name.startswith("othellier.learn.")]:
        monkeypatch.delitem(sys.modules, name)
    (tmp_path / "learn.yaml").write_text("{}")
    for arguments in (
        ["fit", "games.bin", "--out", "x"],
        ["run", str(tmp_path / "learn.yaml"), "--out", str(tmp_path)],
    ):
        assert "-m pip install 'torch>=" in complaint("learn", *arguments)


# -- weights as tables


def test_weights_become_tables_and_back(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    geometry = PatternGeometry.default()
    tables = np.random.default_rng(1).integers(-999, 999, (2, geometry.phase_size), np.int16)
    write_payload(tmp_path / "random.weights", geometry.payload(tables, 128))
    assert main(["learn", "export", str(tmp_path / "t.npz"), "--weights", str(tmp_path / "random.weights")]) == 0
    with np.load(tmp_path / "t.npz") as arrays:
        assert arrays["unit"] == 128
        assert arrays["table_9"].shape == (2, 3**8)
        assert arrays["squares_9"].tolist() == [[0, 9, 18, 27, 36, 45, 54, 63], [7, 14, 21, 28, 35, 42, 49, 56]]
        assert (arrays["replies"] == tables[:, -64:]).all()
    assert main(["learn", "export", str(tmp_path / "b.weights"), "--weights", str(tmp_path / "t.npz"), "--json"]) == 0
    assert json.loads(capsys.readouterr().out.splitlines()[-1])["file"] == str(tmp_path / "b.weights")
    assert read_payload(tmp_path / "b.weights") == read_payload(tmp_path / "random.weights")
    assert main(["learn", "export", str(tmp_path / "shipped.weights")]) == 0
    assert checksum(tmp_path / "shipped.weights") == checksum(None)


def test_tables_of_another_geometry_are_refused(tmp_path: Path) -> None:
    with shipped_weights() as path:
        export(path, tmp_path / "t.npz")
    with np.load(tmp_path / "t.npz") as arrays:
        good = dict(arrays)

    def refused(words: str, **changed: object) -> None:
        arrays = {name: value for name, value in {**good, **changed}.items() if value is not None}
        np.savez(tmp_path / "wrong.npz", **arrays)
        with pytest.raises(WeightsError, match=rf"wrong\.npz: {words}"):
            load_payload(tmp_path / "wrong.npz")

    refused("tables of", table_13=good["table_12"])
    refused("not an archive of tables", moves=good["moves"][:1])
    refused("lacks the array 'replies'", replies=None)
    refused("a weight is not a number", moves=np.full(good["moves"].shape, np.nan))
    refused("weights must be whole numbers of sixteen bits", moves=good["moves"] + 0.5)
    (tmp_path / "wrong.npz").write_bytes(b"PK\x03\x04 and no more")
    with pytest.raises(WeightsError, match="not an archive of tables"):
        load_payload(tmp_path / "wrong.npz")


def test_payloads_of_another_geometry_are_refused() -> None:
    with shipped_weights() as path:
        payload = read_payload(path)
    geometry, tables, unit = PatternGeometry.read(payload)
    assert geometry == PatternGeometry.default()
    assert geometry.payload(tables, unit) == payload
    with pytest.raises(WeightsError, match="bytes of tables, not 30 phases"):
        PatternGeometry.read(payload[:-2])
    with pytest.raises(WeightsError, match="end in the middle"):
        PatternGeometry.read(payload[:7])
    with pytest.raises(WeightsError, match="pattern 0 is not a set of squares"):
        PatternGeometry.read(payload[:18] + bytes([63 - payload[18]]) + payload[19:])
