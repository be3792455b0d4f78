"""The files of the page and its words, by names known beforehand: no path of a request reaches the disk.

The page itself is sent in one script and one style sheet (`bundle`), whose names hold a hash of their content: they
never change, and are kept by the browser and by the service worker.
"""

from __future__ import annotations

import gzip
import hashlib
import json
import logging
import re
from dataclasses import dataclass
from html import escape
from pathlib import Path
from typing import Self

from othellier.errors import RequestError
from othellier.page.server.bundle import BundleError, join_modules, join_sheets, rest_of_page
from othellier.search.trees.steps import STEPPER

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
MAIN, EARLY, WORKER = "shell/main.js", "shell/early.js", "shell/worker.js"
SHEET = re.compile(r'<link rel="stylesheet" href="static/([^"]+)">')
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

    def __init__(self, folder: Path = HERE, language: str | None = None) -> None:
        self._language = language
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
        self._made: dict[str, File] = {}
        self._stamp: tuple[int, ...] = ()

    def file(self, name: str) -> File:
        """A static file."""
        path = self._paths.get(name)
        if path is None:
            raise RequestError("not_found", "there is no such file")
        return self._read(path)

    def index(self) -> File:
        """The page."""
        self._make()
        return self._made["index.html"]

    def asset(self, name: str) -> File:
        """A file made of others, by a name that holds the hash of its content."""
        if name not in self._made:
            self._make()
        if name not in self._made:
            raise RequestError("not_found", "there is no such file, or another version of it now")
        return self._made[name]

    def worker(self) -> File:
        """The service worker, with what it keeps."""
        self._make()
        return self._made["worker.js"]

    def manifest(self) -> File:
        """What an installed page is called and looks like."""
        return self.file("manifest.webmanifest")

    def _make(self) -> None:
        """Join the page, again where a file of it has changed: whoever works on it sees that at once."""
        paths = [*self._paths.values(), *self._languages.values()]
        stamp = tuple(path.stat().st_mtime_ns for path in paths if path.exists())
        if stamp == self._stamp:
            return
        html = self._text("index.html")
        try:
            head, files = self._joined(html)
            html = rest_of_page(html, head)
        except (BundleError, RequestError) as error:
            logging.getLogger("othellier").warning("othellier: the page is sent in parts: %s", error)
            files = []
        told = f"<html data-languages='{escape(json.dumps(dict(self.languages()), ensure_ascii=False))}' "
        if self._language is not None:  # what was asked for at the start, for those who have not chosen
            told += f'data-language="{self._language}" '
        html = html.replace("<html ", told, 1)
        page = File.of(html.encode(), ".html")
        kept = ["./", *files, "static/icon.svg"]
        listed = f"Object.assign(globalThis, {{ FILES: {json.dumps(kept)}, VERSION: {page.tag} }});\n"
        self._made["index.html"] = page
        self._made["worker.js"] = File.of((listed + self._text(WORKER)).encode(), ".js")
        self._stamp = stamp

    def _joined(self, html: str) -> tuple[str, list[str]]:
        """What the page's head holds instead of all its parts, and the files that stand for them."""
        scripts = sorted(name for name in self._paths if name.endswith(".js") and name not in (EARLY, WORKER))
        words = {code: self.words(code).data.decode() for code in self._languages}
        modules = join_modules({name: self._text(name) for name in scripts}, MAIN, words)
        script = File.of((self._text(EARLY) + modules).encode(), ".js")
        style = File.of(join_sheets(map(self._text, SHEET.findall(html))).encode(), ".css")
        names = []
        for file, ending in ((style, ".css"), (script, ".js")):
            name = f"page-{file.tag.strip(chr(34))}{ending}"
            self._made[name] = file
            names.append(f"assets/{name}")
        return f'<link rel="stylesheet" href="{names[0]}">\n<script src="{names[1]}"></script>', names

    def _text(self, name: str) -> str:
        return self.file(name).data.decode()

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
