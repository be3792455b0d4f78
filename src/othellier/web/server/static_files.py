"""The files of the page and its words, by names known beforehand: no path of a request reaches the disk."""

from __future__ import annotations

import gzip
import hashlib
import json
from dataclasses import dataclass
from pathlib import Path
from typing import Self

from othellier.errors import RequestError
from othellier.search.steps import STEPPER

__all__ = ["File", "Pages"]

HERE = Path(__file__).parents[1]  # of the static files and the languages
TYPES = {
    ".css": "text/css; charset=utf-8",
    ".html": "text/html; charset=utf-8",
    ".ico": "image/x-icon",
    ".js": "text/javascript; charset=utf-8",
    ".json": "application/json",
    ".png": "image/png",
    ".svg": "image/svg+xml",
    ".txt": "text/plain; charset=utf-8",
    ".webmanifest": "application/manifest+json",
    ".woff2": "font/woff2",
}
PACKED_FROM = 1000  # bytes from which packing saves anything


@dataclass(frozen=True, slots=True)
class File:
    """A file ready to be sent, plain and packed."""

    kind: str
    tag: str
    data: bytes
    packed: bytes

    @classmethod
    def of(cls, data: bytes, ending: str) -> Self:
        """The file of these bytes."""
        packed = gzip.compress(data, mtime=0) if len(data) >= PACKED_FROM and ending != ".png" else b""
        return cls(TYPES[ending], f'"{hashlib.sha256(data).hexdigest()[:20]}"', data, packed)


class Pages:
    """The static files and the languages there are."""

    def __init__(self, folder: Path = HERE) -> None:
        static = folder / "static"
        self._paths = {
            path.relative_to(static).as_posix(): path
            for path in static.rglob("*")
            if path.is_file() and path.suffix in TYPES
        }
        # What a recorded search is shown with belongs to the searches: their own pages hold it too.
        self._paths |= {f"laboratory/{path.name}": path for path in STEPPER}
        self._languages = {path.stem: path for path in sorted((folder / "i18n").glob("*.json"))}
        self._files: dict[Path, tuple[int, File]] = {}

    def file(self, name: str) -> File:
        """A static file."""
        path = self._paths.get(name)
        if path is None:
            raise RequestError("not_found", "there is no such file")
        return self._read(path)

    def words(self, code: str) -> File:
        """All words of a language."""
        path = self._languages.get(code)
        if path is None:
            raise RequestError("unknown_language", f"there is no language {code[:20]!r}")
        return self._read(path)

    def languages(self) -> list[tuple[str, str]]:
        """The languages and what each calls itself."""
        found = []
        for code in self._languages:
            words = json.loads(self.words(code).data)
            found.append((code, str(words.get("language.name", code))))
        return found

    def _read(self, path: Path) -> File:
        try:
            changed = path.stat().st_mtime_ns
            known = self._files.get(path)
            if known is not None and known[0] == changed:
                return known[1]
            data = path.read_bytes()
        except OSError:
            raise RequestError("not_found", "the file is no longer there") from None
        file = File.of(data, path.suffix)
        self._files[path] = changed, file
        return file
