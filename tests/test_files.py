"""Files are written whole or not at all."""

import os
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import nullcontext, suppress
from pathlib import Path
from typing import IO

import pytest

from othellier.base import files, system
from othellier.base.files import read_file, reserve, write_file
from othellier.errors import RecordError
from waiting import LIMIT


def test_write_and_read(tmp_path: Path) -> None:
    path = tmp_path / "file"
    write_file(path, [b"one ", b"two"])
    assert read_file(path) == b"one two"
    write_file(path, [b"three"])
    assert read_file(path) == b"three"
    assert list(tmp_path.iterdir()) == [path]


def failing() -> Iterator[bytes]:
    yield b"half of"
    raise RecordError("game", "", "cannot be kept")


def test_an_interrupted_write_leaves_the_old_file(tmp_path: Path) -> None:
    path = tmp_path / "file"
    path.write_bytes(b"old")
    with pytest.raises(RecordError, match="cannot be kept"):
        write_file(path, failing())
    assert path.read_bytes() == b"old"
    assert list(tmp_path.iterdir()) == [path]


def test_a_full_disk_leaves_the_old_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "file"
    path.write_bytes(b"old")

    def full(_: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(RecordError, match="cannot be written: No space left on device"):
        write_file(path, [b"new"])
    assert path.read_bytes() == b"old"
    assert list(tmp_path.iterdir()) == [path]


def test_what_a_killed_writer_has_left_is_removed_by_the_next(tmp_path: Path) -> None:
    fcntl = pytest.importorskip("fcntl")
    left, held, fresh = (tmp_path / f".othellier-{name}" for name in ("left", "held", "fresh"))
    for path in (left, held, fresh):
        path.write_bytes(b"half")
    for path in (left, held):
        os.utime(path, (0, 0))
    with held.open("rb") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        write_file(tmp_path / "file", [b"whole"])
    assert {path.name for path in tmp_path.iterdir()} == {"file", held.name, fresh.name}
    write_file(tmp_path / "file", [b"whole"])
    assert {path.name for path in tmp_path.iterdir()} == {"file", fresh.name}


def test_permissions_and_links_are_kept(tmp_path: Path) -> None:
    path, link = tmp_path / "file", tmp_path / "link"
    write_file(path, [b"old"])
    path.chmod(0o640)
    link.symlink_to(path)
    write_file(link, [b"new"])
    assert link.is_symlink()
    assert (path.read_bytes(), path.stat().st_mode & 0o777) == (b"new", 0o640)


def test_no_folder_to_write_to(tmp_path: Path) -> None:
    with pytest.raises(RecordError, match="cannot be written: No such file or directory"):
        write_file(tmp_path / "none" / "file", [b"new"])


def test_links_in_a_circle(tmp_path: Path) -> None:
    first, second = tmp_path / "first", tmp_path / "second"
    first.symlink_to(second)
    second.symlink_to(first)
    with pytest.raises(RecordError, match="cannot be written"):
        write_file(first, [b"new"])
    with pytest.raises(RecordError, match="cannot be read"):
        read_file(first)


posix = pytest.mark.skipif(os.name != "posix", reason="pipes and devices of Unix")


@posix
def test_a_device_stays_a_device() -> None:
    """It was replaced by a plain file once, where the rights allowed it."""
    write_file(Path(os.devnull), [b"gone"])
    assert Path(os.devnull).is_char_device()


@posix
def test_a_full_device_is_told(tmp_path: Path) -> None:
    full = Path("/dev/full")
    if not full.is_char_device():
        pytest.skip("there is no device that is always full")
    with pytest.raises(RecordError, match=r"^/dev/full: cannot be written: No space left on device"):
        write_file(full, [b"x" * 100_000])
    assert full.is_char_device()


@posix
def test_a_pipe_is_written_into(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    with subprocess.Popen(["cat", str(pipe)], stdout=subprocess.PIPE) as reader:
        end = time.monotonic() + LIMIT
        written = False
        while not written:  # until the reader has opened it
            assert time.monotonic() < end, "waited for cat to open the pipe"
            with suppress(RecordError):
                write_file(pipe, [b"one ", b"two"])
                written = True
        assert reader.communicate(timeout=LIMIT)[0] == b"one two"
    assert pipe.is_fifo()


@posix
def test_a_pipe_that_nobody_reads_is_not_waited_for(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    with pytest.raises(RecordError, match="it is a pipe that nobody reads"):
        write_file(pipe, [b"one"])


@posix
@pytest.mark.parametrize("to_file", [False, True])
def test_standard_output_can_be_named(tmp_path: Path, to_file: bool) -> None:
    code = (
        "from pathlib import Path; from othellier.base.files import write_file; print('before');"
        "write_file(Path('/dev/stdout'), [b'within\\n']); print('after')"
    )
    out = tmp_path / "out"
    with out.open("wb") if to_file else nullcontext(subprocess.PIPE) as target:
        done = subprocess.run([sys.executable, "-c", code], stdout=target, check=True, timeout=LIMIT)
    assert (out.read_bytes() if to_file else done.stdout) == b"before\nwithin\nafter\n"


def test_a_file_is_reserved_for_one_process_by_any_of_its_names(tmp_path: Path) -> None:
    path, link = tmp_path / "book", tmp_path / "link"
    link.symlink_to(path)
    with reserve(path):
        for name in (path, link):
            with pytest.raises(RecordError, match="is being written by another run"), reserve(name):
                raise AssertionError("reserved twice")
        with reserve(tmp_path / "other"):
            write_file(path, [b"new"])
            with pytest.raises(RecordError, match="is being written by another run"), reserve(path):
                raise AssertionError("reserved again after it was replaced")
    assert {each.name for each in tmp_path.iterdir()} == {"book", "link"}
    with reserve(link):
        pass


def test_what_cannot_be_written_cannot_be_reserved(tmp_path: Path) -> None:
    with pytest.raises(RecordError, match="cannot be written: No such file"), reserve(tmp_path / "no" / "book"):
        raise AssertionError("reserved in a folder that is not there")
    with reserve(Path("/dev/null")), reserve(Path("/dev/null")):
        pass


def test_a_lock_that_is_removed_while_another_waits_for_it_holds_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "book"
    real, tried = system.lock, list[str]()

    def late(file: IO[bytes]) -> bool:
        tried.append(file.name)
        if len(tried) == 1:  # its owner ends between the opening and the lock
            Path(file.name).unlink()
        return real(file)

    monkeypatch.setattr(files, "lock", late)
    with reserve(path):
        assert len(tried) == 2
        assert Path(tried[0]).exists()
