"""The opening books there are, and the one in use: what comes with the program, those named at the start, and the files
of a folder, into which a browser may hand in more.

The book in use serves explorer, drill and the levels. To choose one that cannot be read changes nothing.
"""

from __future__ import annotations

import contextlib
import os
import re
import shutil
import tempfile
from collections.abc import Sequence
from pathlib import Path

from othellier.base.files import write_file
from othellier.errors import OthellierError, RecordError, RequestError
from othellier.openings import book
from othellier.openings.book import Book
from othellier.page.wire.explorer_models import BookChoice, BooksView

ENDING = ".bib"
CHOSEN = "chosen.txt"
"""The file that remembers the choice."""
MOST = 100


class BookShelf:
    """One book in use, and others to choose from; to choose and to hand in are for threads."""

    def __init__(self, folder: Path, given: Sequence[Path] = (), *, may_change: bool = True) -> None:
        self.may_change = may_change
        self.message = ""
        """What was wrong with the book that should have been in use at the start."""
        self.current = book.shipped()
        self.name = ""
        """Of the book in use; empty for the one that comes with the program."""
        self._folder = folder
        self._given = {path.name: path for path in given}
        try:
            self._use(next(iter(self._given), self._remembered()))
        except RecordError as error:
            self.message = str(error)

    def view(self) -> BooksView:
        """The books, the built-in one first."""
        shipped = book.shipped()
        names = ([] if shipped is None else [""]) + [*self._files()]
        known = None if self.current is None else len(self.current)
        return BooksView(
            books=[BookChoice(name=name, chosen=name == self.name) for name in names],
            positions=known,
            message=self.message,
            may_change=self.may_change,
        )

    def choose(self, name: str) -> None:
        """Use another book from now on, and at the next start."""
        self._check()
        if name and name not in self._files():
            raise RequestError("not_found", "there is no such book")
        try:
            self._use(name)
        except RecordError as error:
            raise RequestError("bad_record", str(error), where=error.where) from None
        self.message = ""
        try:
            self._folder.mkdir(parents=True, exist_ok=True)
            write_file(self._folder / CHOSEN, [name.encode()])
        except (OSError, OthellierError) as error:
            raise _not_kept(error) from None

    def add(self, source: Path, name: str) -> None:
        """Keep a file as a book of this folder, if it is one, and use it."""
        self._check()
        kept = re.sub(r"[^\w.-]+", "_", Path(name).stem, flags=re.ASCII).strip("._")[:60] or "book"
        if len(self._files()) >= MOST:
            raise RequestError("too_large", f"no more than {MOST} books are kept", limit=MOST)
        try:
            Book.open(source)
        except RecordError as error:
            raise RequestError("bad_record", f"this is no book: {error.reason}", where=error.where) from None
        target = self._folder / f"{kept}{ENDING}"
        try:
            self._folder.mkdir(parents=True, exist_ok=True)
            number, beside = tempfile.mkstemp(dir=self._folder)
            os.close(number)
            try:
                shutil.copyfile(source, beside)
                Path(beside).replace(target)
            finally:
                Path(beside).unlink(missing_ok=True)
        except OSError as error:
            raise _not_kept(error) from None
        self.choose(target.name)

    def _use(self, name: str) -> None:
        """The book of a name, checked before it takes the place of the other."""
        files = self._files()
        if name in files:
            self.current, self.name = Book.open(files[name]), name
        elif not name:
            self.current, self.name = book.shipped(), ""
        else:
            raise RecordError(name, "", "the book chosen last is not there any more; the built-in one is used")

    def _files(self) -> dict[str, Path]:
        """All but the built-in one, by their names."""
        inside = sorted(self._folder.glob(f"*{ENDING}")) if self._folder.is_dir() else []
        return {path.name: path for path in inside} | self._given

    def _remembered(self) -> str:
        with contextlib.suppress(OSError, UnicodeDecodeError):
            return (self._folder / CHOSEN).read_text(encoding="utf-8").strip()[:200]
        return ""

    def _check(self) -> None:
        if not self.may_change:
            raise RequestError("forbidden", "whoever started this server chooses its book")


def _not_kept(error: Exception) -> RequestError:
    reason = getattr(error, "strerror", None) or str(error)
    return RequestError("not_saved", f"the book could not be kept: {reason}", reason=str(reason))
