"""The files of the page and its words, by names known beforehand: no path of a request reaches the disk."""

from __future__ import annotations

import gzip
import hashlib
import json
from dataclasses import dataclass
from pathlib import Path

from othellier.errors import RequestError

__all__ = ["File", "Pages"]

HERE = Path(__file__).parent
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

    changed: int
    kind: str
    tag: str
    data: bytes
    packed: bytes


class Pages:
    """The static files and the languages there are."""

    def __init__(self, folder: Path = HERE) -> None:
        static = folder / "static"
        self._paths = {
            path.relative_to(static).as_posix(): path
            for path in static.rglob("*")
            if path.is_file() and path.suffix in TYPES
        }
        self._languages = {path.stem: path for path in sorted((folder / "i18n").glob("*.json"))}
        self._files: dict[Path, File] = {}

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
            if known is not None and known.changed == changed:
                return known
            data = path.read_bytes()
        except OSError:
            raise RequestError("not_found", "the file is no longer there") from None
        packed = gzip.compress(data, mtime=0) if len(data) >= PACKED_FROM and path.suffix != ".png" else b""
        tag = f'"{hashlib.sha256(data).hexdigest()[:20]}"'
        self._files[path] = file = File(changed, TYPES[path.suffix], tag, data, packed)
        return file
