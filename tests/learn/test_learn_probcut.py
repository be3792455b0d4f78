"""Probcut's numbers: fitted to what was measured, written, read, and heeded by the core."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from othellier.cli import main
from othellier.config.models import SelfplayConfig
from othellier.engine.engine import Engine
from othellier.engine.probcut import Probcut, load_probcut, shipped_probcut
from othellier.errors import ConfigError, RecordError
from othellier.games.results import Limit
from othellier.learn import shards
from othellier.learn.probcut import Spread, fit
from othellier.rules import native


def test_the_numbers_are_found_again_that_spreads_were_made_from() -> None:
    made = Probcut((1.5, 7.0, 3.0, 0.15), (10.0, -0.15, 0.1))
    known = []
    for empties in (16, 24, 32):
        for shallow in range(1, 9):
            known.append(Spread(float(empties), 0, shallow, made.sigma(empties, empties, shallow), 1000))
            known += [
                Spread(float(empties), deep, shallow, made.sigma(60, deep, shallow), 1000)
                for deep in range(shallow + 2, 11, 2)
            ]
    found = fit(known)
    assert found.midgame == pytest.approx(made.midgame, abs=0.05)
    assert found.endgame == pytest.approx(made.endgame, abs=0.05)


def test_they_are_measured_by_a_command(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], complaint: Callable[..., str]
) -> None:
    config = SelfplayConfig(games=40, depth=1, solve=6)
    (shard,) = shards.play(tmp_path / "games", config, threads=2).paths
    out = tmp_path / "probcut.json"
    few = ["--deepest", "4", "--solve", "12", "--sample", "4000"]
    assert main(["learn", "probcut", str(shard), *few, "--out", str(out), "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["positions"] > 1000
    written = load_probcut(out)
    assert written.midgame == pytest.approx(found["midgame"], rel=1e-3)
    assert written.endgame == pytest.approx(found["endgame"], rel=1e-3)
    assert "9 positions are too few" in complaint("learn", "probcut", shard, "--sample", "9")


def test_the_core_prunes_by_them(tmp_path: Path) -> None:
    wide, narrow = tmp_path / "wide.json", tmp_path / "narrow.json"
    Probcut((64, 0, 1, 0), (64, 0, 0)).write(wide)
    Probcut((0.1, 0, 1, 0), (0.1, 0, 0)).write(narrow)
    asked = Limit(depth=7, selectivity=87)
    nodes = {}
    for name in (None, wide, narrow):
        with Engine(hash_mb=1, probcut=name) as engine:
            nodes[name] = engine.search(native.start().play(19), asked).nodes
    assert nodes[narrow] < nodes[None] < nodes[wide]


def test_what_is_read_is_what_was_written(tmp_path: Path) -> None:
    path = tmp_path / "probcut.json"
    shipped_probcut().write(path)
    assert load_probcut(path) == shipped_probcut()


@pytest.mark.parametrize(
    "text",
    [
        "",
        "[]",
        '{"midgame": [1, 2, 3, 0.1]}',
        '{"midgame": [1, 2, 3], "endgame": [9, 0, 0]}',
        '{"midgame": [1, 2, 3, "x"], "endgame": [9, 0, 0]}',
        '{"midgame": [-9, 2, 3, 0.1], "endgame": [9, 0, 0]}',
        '{"midgame": [1, 2, 3, 0.1], "endgame": [1, -1, 0]}',
        '{"midgame": [1, 2, -2, 0.1], "endgame": [9, 0, 0]}',
        '{"midgame": [NaN, 2, 3, 0.1], "endgame": [9, 0, 0]}',
    ],
)
def test_other_files_are_refused_in_a_line(tmp_path: Path, text: str) -> None:
    path = tmp_path / "bad.json"
    path.write_text(text)
    with pytest.raises(ConfigError, match=r"bad\.json: .*(probcut|JSON)"):
        load_probcut(path)
    with pytest.raises(RecordError, match="no such file"):
        Engine(hash_mb=1, probcut=tmp_path / "missing.json")
