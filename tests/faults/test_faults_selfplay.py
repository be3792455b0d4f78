"""Self-play that is killed, loses workers or finds no room: in the end every shard is the same, byte by byte."""

from pathlib import Path

import pytest
from faulty import MOMENTS, die, full_disk, kill_a_worker, read_only

from othellier.cli import main
from othellier.config.models import SelfplayConfig
from othellier.errors import RecordError
from othellier.learn import shards
from othellier.rules import native

pytestmark = pytest.mark.skipif(not native.available, reason="self-play needs the compiled core")

CONFIG = SelfplayConfig(games=48, shard=12, depth=1, solve=4)
COMMAND = ["learn", "selfplay", "--games", "48", "--shard", "12", "--depth", "1", "--solve", "4", "--threads", "1"]


def files(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in folder.iterdir()}


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> dict[str, bytes]:
    """What is there when nothing happens."""
    folder = tmp_path_factory.mktemp("whole")
    shards.play(folder, CONFIG)
    found = files(folder)
    assert len(found) == 5
    return found


def test_self_play_killed_as_it_writes(tmp_path: Path, whole: dict[str, bytes]) -> None:
    """A shard that is not whole is not there; what was being written may lie beside the shards."""
    for moment in MOMENTS:
        before = set(tmp_path.glob("games-*.bin"))
        die(3, moment, *COMMAND, "--out", str(tmp_path))  # after its description and a shard
        shard = set(tmp_path.glob("games-*.bin")) - before
        assert len(shard) == 1
        assert all(path.read_bytes() == whole[path.name] for path in shard)
    assert main([*COMMAND, "--out", str(tmp_path)]) == 0
    found = files(tmp_path)
    assert {name: data for name, data in found.items() if not name.startswith(".")} == whole
    assert len(found) == len(whole) + 3


def test_self_play_that_loses_workers(tmp_path: Path, whole: dict[str, bytes]) -> None:
    killed: list[int] = []

    def progress(games: int) -> None:
        if not killed:
            kill_a_worker()
        killed.append(games)

    played = shards.play(tmp_path, CONFIG, executor="processes", threads=2, progress=progress)
    assert (played.games, killed) == (48, [12] * 4)
    assert files(tmp_path) == whole


def test_self_play_on_a_full_disk(tmp_path: Path, whole: dict[str, bytes], capsys: pytest.CaptureFixture[str]) -> None:
    shards.play(tmp_path, CONFIG.model_copy(update={"games": 12}))
    with full_disk(1000), pytest.raises(RecordError, match=r"games-0000000012.bin: cannot be written: File too large"):
        shards.play(tmp_path, CONFIG)
    assert sorted(files(tmp_path)) == ["games-0000000000.bin", "selfplay.json"], "nothing half is left"
    with full_disk(1000):
        assert main([*COMMAND, "--out", str(tmp_path)]) == 2
    assert capsys.readouterr().err.count("\n") == 1
    shards.play(tmp_path, CONFIG)
    assert files(tmp_path) == whole


def test_self_play_in_a_folder_that_is_read_only(
    tmp_path: Path, whole: dict[str, bytes], capsys: pytest.CaptureFixture[str]
) -> None:
    for folder in (tmp_path, tmp_path / "new"):
        with read_only(tmp_path):
            assert main([*COMMAND, "--out", str(folder)]) == 2
        err = capsys.readouterr().err
        assert "read-only file system" in err.lower()
        assert err.count("\n") == 1
        assert files(tmp_path) == {}
    assert main([*COMMAND, "--out", str(tmp_path)]) == 0
    assert files(tmp_path) == whole
