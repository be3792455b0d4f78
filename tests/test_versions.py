"""Files of other versions: what 0.1.0 has written is read, what is newer is refused in one line that names the version.

The folder data/version-0.1 was written by that version's own commands (revision 3bb7b51). The page's database has its
tests in tests/web/test_web_store.py, networks in tests/test_network.py.
"""

import json
import shutil
import zlib
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest

import othellier
from othellier.cli import main
from othellier.errors import OthellierError
from othellier.evaluation.weights import (
    HEADER,
    WEIGHTS,
    Pattern,
    PatternGeometry,
    read_payload,
    shipped_weights,
    write_payload,
)

OLD = Path(__file__).parent / "data" / "version-0.1"


@pytest.fixture
def old(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A copy of the folder, where commands work."""
    shutil.copytree(OLD, tmp_path / "old")
    for name in ("XDG_DATA_HOME", "XDG_CACHE_HOME"):
        monkeypatch.setenv(name, str(tmp_path / name))
    monkeypatch.chdir(tmp_path / "old")
    return tmp_path / "old"


def run(capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    assert main(arguments) == 0, capsys.readouterr().err
    return capsys.readouterr().out


@pytest.mark.usefixtures("old")
def test_games_of_a_match_are_read(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(capsys, "show", "match.jsonl").count("random:seed=1 - random:seed=2") == 1
    assert [game.transcript()[:8] for game in othellier.read("match.jsonl")] == ["D3B4A4D2", "D3B4A4D2"]


def test_a_tournament_goes_on(old: Path, capsys: pytest.CaptureFixture[str]) -> None:
    before = (old / "tournament" / "games.jsonl").read_bytes()
    out = run(capsys, "tournament", "tournament.yaml", "--out", "tournament", "--jobs", "1")
    assert "dice" in out
    assert (old / "tournament" / "games.jsonl").read_bytes() == before  # nothing was left to play


@pytest.mark.usefixtures("old")
def test_a_configuration_plays_and_its_game_is_shown(capsys: pytest.CaptureFixture[str]) -> None:
    assert "white wins by 10" in run(capsys, "run", "--replay", "run.ggf")
    run(capsys, "run", "run.yaml")


@pytest.mark.usefixtures("old")
def test_a_book_is_read_and_grows(capsys: pytest.CaptureFixture[str]) -> None:
    facts = json.loads(run(capsys, "book", "info", "book.bib", "--json").splitlines()[0])
    assert facts["positions"] == 31
    run(capsys, "book", "build", "book.bib", "--positions", "35", "--depth", "2", "--executor", "here")
    assert json.loads(run(capsys, "book", "info", "book.bib", "--json").splitlines()[0])["positions"] >= 35


@pytest.mark.parametrize("number", [0, 2])
def test_an_index_of_another_version_is_made_anew(old: Path, capsys: pytest.CaptureFixture[str], number: int) -> None:
    run(capsys, "database", "index", "games.txt", "--index", "games.index")
    index = old / "games.index"
    data = index.read_bytes()
    head = b"othellier games 1\n"
    assert data.startswith(head)
    index.write_bytes(b"othellier games %d\n" % number + data[len(head) :])
    assert "2 games" in run(capsys, "database", "stats", "games.txt", "--index", "games.index")
    assert index.read_bytes().startswith(head)


def test_what_was_learnt_by_heart_is_kept(old: Path) -> None:
    from othellier.openings.drill import Deck

    deck = Deck(old / "deck.json")
    written = json.loads((OLD / "deck.json").read_text(encoding="utf-8"))
    known = {name: deck.memory(SimpleNamespace(name=name)) for name in written}
    assert {name: (memory.box, memory.due) for name, memory in known.items()} == {
        name: (fields["box"], fields["due"]) for name, fields in written.items()
    }


def test_an_experiment_goes_on(old: Path, capsys: pytest.CaptureFixture[str]) -> None:
    before = (old / "lab" / "four" / "measured.jsonl").read_text(encoding="utf-8")
    assert "237,781 nodes" in run(capsys, "lab", "four", "--quick", "--out", "lab", "--jobs", "1")
    assert (old / "lab" / "four" / "measured.jsonl").read_text(encoding="utf-8").startswith(before)


def test_games_to_learn_from_are_read(old: Path) -> None:
    from othellier.learn import shards

    assert len(shards.load(sorted((old / "shards").glob("*.bin")))) == 20


@pytest.mark.parametrize("number", [0, 3])
def test_weights_of_another_version_are_refused(tmp_path: Path, number: int) -> None:
    path = tmp_path / "evaluation.weights"
    path.write_bytes(HEADER.pack(WEIGHTS.magic, number, 0, 0, 0))
    with pytest.raises(OthellierError) as told:
        othellier.Engine(weights=path)
    assert f"weights of version {number}, this program reads version 2" in str(told.value)
    assert "\n" not in str(told.value)


def test_weights_of_version_1_are_read(tmp_path: Path) -> None:
    with shipped_weights() as shipped:
        payload = read_payload(shipped)
    path = tmp_path / "evaluation.weights"
    header = HEADER.pack(WEIGHTS.magic, 1, 0, zlib.crc32(payload), len(payload))
    path.write_bytes(header + zlib.compress(payload, 1))
    assert read_payload(path) == payload


@pytest.mark.parametrize(("alike", "version"), [(True, 2), (False, 1)])
def test_weights_are_read_as_they_were_written(tmp_path: Path, alike: bool, version: int) -> None:
    """Each once where mirror images have the same, else as they are."""
    geometry = PatternGeometry((Pattern.parse("c1 d1 e1 f1"), Pattern.parse("a1 b2 c3"), Pattern.parse("a1 b1 a2")))
    tables = np.random.default_rng(1).integers(-9000, 9000, (2, geometry.phase_size), np.int16)
    payload = geometry.payload(tables[:, geometry.representatives] if alike else tables, 128)
    path = tmp_path / "some.weights"
    write_payload(path, payload)
    assert HEADER.unpack_from(path.read_bytes())[1] == version
    assert read_payload(path) == payload


@pytest.mark.parametrize("missing", [1, 2, 1000])
def test_packed_weights_that_end_early_are_refused(tmp_path: Path, missing: int) -> None:
    with shipped_weights() as shipped:
        packed = zlib.decompress(shipped.read_bytes()[HEADER.size :])[:-missing]
    path = tmp_path / "evaluation.weights"
    path.write_bytes(HEADER.pack(WEIGHTS.magic, 2, 0, zlib.crc32(packed), len(packed)) + zlib.compress(packed, 1))
    with pytest.raises(OthellierError, match=r"evaluation.weights: \d+ bytes of tables, not 30 phases"):
        othellier.Engine(weights=path)
