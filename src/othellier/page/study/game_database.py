"""Other people's games for the explorer: those named at the start, and those a browser has handed in.

What is handed in is checked, named after its own bytes, and kept beside the games of this server, so it is there the
next time too. Reading all of them goes on beside everything else; `openings.games` does it.
"""

from __future__ import annotations

import asyncio
import hashlib
import io
import logging
import shutil
import tempfile
import zipfile
from collections.abc import Iterator, Sequence
from pathlib import Path

from othellier import records
from othellier.base.files import LIMIT, write_file
from othellier.errors import OthellierError, RecordError, RequestError
from othellier.openings import games
from othellier.openings.book import Book
from othellier.openings.explorer import Explorer
from othellier.page.wire.replies import DatabaseView
from othellier.records import wthor

FOLDER_LIMIT = 128 << 20
"""Bytes handed in altogether: all of WTHOR is 10 MB."""
INDEX = "games.index"
NAMES = (".jou", ".trn")  # players and tournaments of WTHOR; a folder has one of each
ZIP = b"PK\x03\x04"
RESTING = 0.5  # seconds in which more files may come before all are read


class GameDatabase:
    """The games the explorer looks through; loading them never fails, it only leaves a message."""

    def __init__(
        self, folder: Path, given: Sequence[Path] = (), *, book: Book | None = None, may_change: bool = True
    ) -> None:
        self.explorer = Explorer(None, book)
        self.message = ""
        self.may_change = may_change
        self._folder = folder
        self._given = tuple(given)
        self._loading: asyncio.Task[None] | None = None

    def view(self) -> DatabaseView:
        """What there is."""
        known = self.explorer.games
        return DatabaseView(
            games=0 if known is None else len(known),
            added=len(self._added()),
            loading=self._loading is not None,
            message=self.message,
            may_change=self.may_change,
        )

    def use_book(self, book: Book | None) -> None:
        """Show another book's values beside the games."""
        self.explorer = Explorer(self.explorer.games, book)

    def start(self) -> None:
        """Begin to read all files, anew if that is under way."""
        rest = 0.0 if self._loading is None else RESTING
        self.close()
        if self._given or self._added():
            self._loading = asyncio.get_running_loop().create_task(self._load(rest))
        else:
            self.explorer = Explorer(None, self.explorer.book)

    def close(self) -> None:
        """Give up reading."""
        if self._loading is not None:
            self._loading.cancel()
            self._loading = None

    async def _load(self, rest: float) -> None:
        await asyncio.sleep(rest)
        self.message = ""
        try:
            self.explorer = Explorer(await asyncio.to_thread(self._read), self.explorer.book)
        except OthellierError as error:
            self.message = str(error)
            logging.getLogger("othellier").warning("othellier: %s", error)
        self._loading = None

    def _read(self) -> games.GameCollection:
        """All games; a file handed in that cannot be read is named and left out."""
        added = self._added()
        try:
            return games.load([*self._given, *added], self._folder / INDEX if added else None)
        except RecordError:
            good, bad = [], []
            for file in added:
                try:
                    games.build([file])
                    good.append(file)
                except RecordError as error:
                    bad.append(error)
            if not bad or not (self._given or good):
                raise
            self.message = "; ".join(str(error) for error in bad)[:500]
            (self._folder / INDEX).unlink(missing_ok=True)
            return games.load([*self._given, *good], self._folder / INDEX if good else None)

    def _added(self) -> list[Path]:
        if not self._folder.is_dir():
            return []
        files = sorted(self._folder.iterdir())
        return [file for file in files if file.name != INDEX and file.suffix not in NAMES]

    # -- handing in

    def add(self, data: bytes, name: str) -> None:
        """Keep a file of games, or of the names that go with WTHOR; an archive holds several. For a thread."""
        self._check()
        files = [*_unpacked(data)] if data.startswith(ZIP) or _is_zip(data) else [(name, data)]
        if len(data) > LIMIT:
            raise RequestError("too_large", f"more than {LIMIT >> 20} MB", limit=LIMIT)
        checked = [(_kept_name(given, content), content) for given, content in files]
        there = sum(file.stat().st_size for file in self._folder.glob("*")) if self._folder.is_dir() else 0
        if there + sum(len(content) for _, content in checked) > FOLDER_LIMIT:
            raise RequestError("too_large", "the database is full", limit=FOLDER_LIMIT)
        try:
            self._folder.mkdir(parents=True, exist_ok=True)
            for kept, content in checked:
                write_file(self._folder / kept, [content])
        except (OSError, OthellierError) as error:
            raise RequestError("not_saved", f"the games could not be kept: {error}", reason=str(error)) from None

    def clear(self) -> None:
        """Forget what was handed in. For a thread."""
        self._check()
        shutil.rmtree(self._folder, ignore_errors=True)

    def _check(self) -> None:
        if not self.may_change:
            raise RequestError("forbidden", "whoever started this server chooses its database")


def _is_zip(data: bytes) -> bool:
    try:
        return zipfile.is_zipfile(io.BytesIO(data))
    except Exception:  # damage; its reader will say what is wrong
        return False


def _unpacked(data: bytes) -> Iterator[tuple[str, bytes]]:
    """The files of games and names in an archive; other things in it are passed over."""
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            wanted = [each for each in archive.infolist() if Path(each.filename.lower()).suffix in (".wtb", *NAMES)]
            if not wanted:
                raise RequestError("bad_record", "there is no .wtb file in the archive", where="")
            left = FOLDER_LIMIT
            for each in wanted:
                with archive.open(each) as packed:  # it may be larger than it says
                    content = packed.read(min(LIMIT, left) + 1)
                left -= len(content)
                if len(content) > LIMIT or left < 0:
                    raise RequestError("too_large", "the archive holds too much", limit=LIMIT)
                yield each.filename, content
    except RequestError:
        raise
    except Exception as error:  # damage makes of an archive whatever it likes, and zipfile says so in many ways
        reason = " ".join(str(error).split())[:200] or type(error).__name__
        raise RequestError("bad_record", f"the archive cannot be unpacked: {reason}", where="") from None


def _kept_name(name: str, data: bytes) -> str:
    """Under which name a file is kept: of what the browser calls it, only a known ending counts."""
    ending = Path(name.lower()).suffix
    try:
        if ending in NAMES:
            with tempfile.TemporaryDirectory(prefix="othellier-") as folder:
                (Path(folder) / f"names{ending}").write_bytes(data)
                wthor.find_names(Path(folder))
            return f"names{ending}"
        found = records.read(data, ending if ending == ".wtb" else None, errors="collect")
        if not found:
            raise found.errors[0]
    except RecordError as error:
        raise RequestError("bad_record", f"no game could be read: {error.reason}", where=error.where) from None
    known = {extension for format_ in records.FORMATS for extension in format_.extensions}
    return f"{hashlib.sha256(data).hexdigest()[:24]}{ending if ending in known else '.txt'}"
