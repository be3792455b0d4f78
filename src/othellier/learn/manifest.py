"""The manifest of what ships: every data file of the package, its checksum, and what it was made from, by what.

`data/manifest.json` has an entry a file, named from the package on:

    sha256        of the file
    command       what makes it again; `make weights` does it for all that a run of learning makes
    revision      of the source it was made with
    made_from     checksums of what went in, by name
    belongs_to    checksums of the shipped files it was made for: with others it must not be shipped

`check` refuses a mixed set; `ship` writes the entries of a run.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import othellier
from othellier.base.files import read_file, write_file
from othellier.errors import ConfigError
from othellier.learn.evaluation import digest

__all__ = ["MANIFEST", "Entries", "check", "entry", "package", "read_manifest", "write_manifest"]

MANIFEST = "data/manifest.json"
FOLDERS = ("data", "data/training", "openings/data")
"""Where the package keeps data that was made."""

Entries = dict[str, dict[str, Any]]


def package() -> Path:
    """The folder of this package."""
    return Path(othellier.__file__).parent


def entry(
    root: Path, name: str, *, command: str, revision: str, made_from: dict[str, str], belongs_to: tuple[str, ...] = ()
) -> dict[str, Any]:
    """What is to be said of a file as it is now, and of those it belongs to."""
    facts = {"sha256": digest(root / name), "command": command, "revision": revision, "made_from": made_from}
    return facts | {"belongs_to": {other: digest(root / other) for other in belongs_to}}


def read_manifest(root: Path) -> Entries:
    """All entries by the names of their files."""
    path = root / MANIFEST
    try:
        entries: Entries = json.loads(read_file(path))["files"]
        for name, one in entries.items():
            if not isinstance(one["sha256"], str) or not isinstance(one["belongs_to"], dict):
                raise ConfigError(f"{path}: the entry of {name} is none")
    except ConfigError:
        raise
    except (KeyError, TypeError, AttributeError, json.JSONDecodeError) as error:
        raise ConfigError(f"{path}: is no manifest: {error!r}") from None
    return entries


def write_manifest(root: Path, entries: Entries) -> None:
    """Write entries in the order of their names."""
    text = json.dumps({"files": dict(sorted(entries.items()))}, indent=1)
    write_file(root / MANIFEST, [text.encode() + b"\n"])


def check(root: Path) -> list[str]:
    """All that is wrong with the set of shipped files, a line each; nothing if it is whole."""
    entries = read_manifest(root)
    there = {
        path.relative_to(root).as_posix(): digest(path)
        for folder in FOLDERS
        for path in sorted((root / folder).glob("*"))
        if path.is_file() and path != root / MANIFEST
    }
    wrong = [f"{name} is not in the manifest" for name in there if name not in entries]
    for name, one in sorted(entries.items()):
        if name not in there:
            wrong.append(f"{name} is missing")
        elif one["sha256"] != there[name]:
            wrong.append(f"{name} is not the file of the manifest")
        wrong += [
            f"{name} was made for another {other}"
            for other, known in one["belongs_to"].items()
            if there.get(other) != known
        ]
    return wrong
