"""Files are written whole or not at all."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from othellier.errors import RecordError
from othellier.files import read_file, write_file


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
