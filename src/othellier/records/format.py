"""What a record format is: its name, what it can hold, and how it is recognised, read and written.

One rule ties reading to writing for all of them: `fit(game)` is the game as the format will keep it, or an
error that says why it cannot; reading what was written gives exactly that. The registry is `__init__.py`.
"""

from __future__ import annotations

import math
import re
from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import Literal, TypeVar, cast, get_args

from othellier.base.text import LONGEST_TEXT, clean_line, clean_text
from othellier.errors import IllegalMove, RecordError
from othellier.games.game import EndReason, Evaluation, Game, Headers
from othellier.rules import native
from othellier.rules.geometry import STANDARD

__all__ = [
    "ALL",
    "Format",
    "FormatFeature",
    "Item",
    "RecordSource",
    "ending_of",
    "fit",
    "format_number",
    "parse_depth",
    "parse_number",
    "parse_reason",
]

FormatFeature = Literal[
    "moves",  # without them: one position, the last of the main line
    "variations",
    "comments",
    "evaluations",  # the score of a move
    "search",  # how it was found: exactness, depth, principal variation, words
    "times",  # spent on a move
    "scores",  # of the moves from a position
    "start",  # another start position than the usual one
    "sizes",  # other boards than 8x8
    "names",
    "ratings",
    "event",
    "date",
    "clock",
    "theory",
    "outcome",  # where it is not on the board
    "extra",
]

ALL: frozenset[FormatFeature] = frozenset(get_args(FormatFeature))

DEEPEST = 9_999
"""The depth of a search that can be written down: four figures."""

Item = Game | RecordError
"""What reading gives for each game: the game, or what is wrong with it."""


_Part = TypeVar("_Part")


class RecordSource:
    """The bytes of one record, the name to blame in errors, and the file they came from, if any."""

    def __init__(self, name: str, data: bytes, path: Path | None = None) -> None:
        self.name = name
        self.data = data
        self.path = path
        self.done = 0.0
        """How much of it has been read, from 0 to 1: readers of many games keep it."""

    def walk(self, parts: Iterable[_Part], count: int) -> Iterator[_Part]:
        """The parts of the record one by one, while `done` is kept."""
        for number, part in enumerate(parts, 1):
            self.done = number / count
            yield part

    @cached_property
    def text(self) -> str:
        """The bytes as text: UTF-8, UTF-16 if a mark says so, else Latin-1, which older programs write."""
        if self.data.startswith((b"\xff\xfe", b"\xfe\xff")):
            return self.data.decode("utf-16", "replace")
        try:
            return self.data.decode("utf-8-sig")
        except UnicodeDecodeError:
            return self.data.decode("latin-1")

    @cached_property
    def lines(self) -> list[str]:
        """The lines of the text, whatever ends them."""
        return re.split(r"\r\n|\r|\n", self.text)

    @cached_property
    def _line_starts(self) -> list[int]:
        return [0, *(match.end() for match in re.finditer(r"\r\n|\r|\n", self.text))]

    def line(self, offset: int) -> str:
        """`line N` of an offset in the text."""
        return f"line {bisect_right(self._line_starts, offset)}"

    def error(self, where: str, reason: str | Exception) -> RecordError:
        """What is wrong, and where in this source: one line, whatever the source put into it."""
        if isinstance(reason, IllegalMove):
            ply = f"ply {reason.ply}" if reason.ply else ""
            where = ", ".join(filter(None, (where, ply)))
            reason = f"illegal move {reason.move}: {reason.reason}"
        line = "".join(sign if sign.isprintable() else "?" for sign in " ".join(str(reason).split()))
        return RecordError(self.name, where, line if len(line) <= 200 else line[:197] + "...")


def ending_of(path: Path) -> str:
    """How the name of a file ends, without regard to capitals and to what gzip has added.

    >>> ending_of(Path("WTH_2001.WTB")), ending_of(Path("games.sgf.gz"))
    ('.wtb', '.sgf')
    """
    return Path(path.name.lower().removesuffix(".gz")).suffix


@dataclass(frozen=True)
class Format:
    """One record format. Text formats write text; a binary one writes its own files.

    >>> from othellier.records import find_format
    >>> sgf = find_format("sgf")
    >>> sgf.extensions, sgf.writes, "variations" in sgf.holds
    (('.sgf',), True, True)
    """

    name: str
    extensions: tuple[str, ...]
    holds: frozenset[FormatFeature]
    sniff: Callable[[RecordSource], bool]
    """Whether a source looks like this format, quickly."""
    read: Callable[[RecordSource], Iterator[Item]]
    """The games one by one; what cannot be skipped is raised."""
    text: Callable[[Iterable[Game]], Iterator[str]] | None = None
    """The text of fitted games, in pieces."""
    write: Callable[[Iterable[Game], Path], None] | None = None
    """Where there is no text: write fitted games to a file."""
    joins: bool = True
    """Whether texts, one after the other, are the text of all their games."""
    fit: Callable[[Game], Game] | None = None
    """The rule for what cannot be held, where it is not simply left out."""
    check_beside: Callable[[Game, Game], None] | None = None
    """Refuses a fitted game that cannot stand in one file with the first one."""

    @property
    def writes(self) -> bool:
        """Whether the format can be written."""
        return self.text is not None or self.write is not None

    def fitted(self, game: Game) -> Game:
        """The game as this format keeps it; a RecordError where it cannot keep it at all."""
        return self.fit(game) if self.fit is not None else fit(game, self.holds)


def fit(game: Game, holds: frozenset[FormatFeature]) -> Game:
    """The game without what cannot be held; a start position or size that cannot be held is an error."""
    if "moves" not in holds:
        game = _last_position(game)
    start = game.start
    if "sizes" not in holds and start.size != STANDARD:
        raise RecordError("", "", f"is on a board of size {start.size}, and only 8x8 can be kept")
    if "start" not in holds and start != native.start(start.size):
        raise RecordError("", "", "starts from a position of its own, which cannot be kept")
    kept = game.copy(variations="variations" in holds)
    kept.headers = _fit_headers(game.headers, holds)
    kept.result = game.result if "outcome" in holds else None
    for node in kept.root.walk() if kept.bare() is None else ():
        node.comment = clean_text(node.comment) if "comments" in holds else ""
        node.evaluation = _fit_evaluation(node.evaluation, holds)
        if "times" not in holds:
            node.seconds = None
        if "scores" not in holds:
            node.scores = {}
    return kept


def _last_position(game: Game) -> Game:
    """The end of the main line as a game without moves, with what was said about it."""
    if game.bare() is not None:
        return Game(game.last, game.headers, game.result)
    end = game.end
    last = Game(end.position, game.headers, game.result)
    last.root.copy_notes(end)
    last.root.seconds = None
    if end is not game.root and end.evaluation is not None:
        # At a root the score is for the side to move, elsewhere for the side that has moved.
        last.root.evaluation = replace(end.evaluation, score=-end.evaluation.score)
    return last


def _fit_headers(headers: Headers, holds: frozenset[FormatFeature]) -> Headers:
    kept = Headers()
    if "names" in holds:
        kept.black, kept.white = clean_line(headers.black), clean_line(headers.white)
    if "ratings" in holds:
        kept.black_rating, kept.white_rating = headers.black_rating, headers.white_rating
    if "event" in holds:
        kept.event = clean_line(headers.event)
    if "date" in holds:
        kept.date = clean_line(headers.date)
    if "clock" in holds:
        kept.clock = clean_line(headers.clock)
    if "theory" in holds:
        kept.theory = headers.theory
    if "extra" in holds:
        kept.extra = {key: clean_line(value, LONGEST_TEXT) for key, value in headers.extra.items()}
    return kept


def _fit_evaluation(evaluation: Evaluation | None, holds: frozenset[FormatFeature]) -> Evaluation | None:
    if evaluation is None or "evaluations" not in holds:
        return None
    if "search" not in holds:
        return Evaluation(evaluation.score)
    if evaluation.depth is not None and not 0 <= evaluation.depth <= DEEPEST:
        raise RecordError("", "", f"has a search depth of {evaluation.depth}, which cannot be")
    return replace(evaluation, text=clean_line(evaluation.text))


def format_number(number: float, sign: bool = False) -> str:
    """A number so that it is read back the same: `2`, `-0.25`; with `sign`, `+2`."""
    if not math.isfinite(number):
        raise RecordError("", "", f"{number} is not a number that can be kept")
    text = str(int(number)) if number == int(number) and abs(number) < 1e15 else repr(float(number))
    return f"+{text}" if sign and not text.startswith("-") else text


def parse_number(text: str) -> float:
    """A plain decimal number; ValueError for all else, also for `nan`, `inf` and `1_000`."""
    if len(text) > 40 or not re.fullmatch(r"\s*[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d{1,3})?\s*", text, re.ASCII):
        raise ValueError(f"{text[:40]!r} is not a number")
    number = float(text)
    if not math.isfinite(number):
        raise ValueError(f"{text[:40]!r} is too large a number")
    return number


def parse_depth(text: str) -> int:
    """How deep a search went; ValueError for what is no such number."""
    if not re.fullmatch(r"\d{1,4}", text, re.ASCII):
        raise ValueError(f"{text[:20]!r} is not a depth")
    return int(text)


def parse_reason(text: str) -> EndReason:
    """Why a game ended, by its own word."""
    for reason in get_args(EndReason):
        if text == reason:
            return cast("EndReason", reason)
    raise ValueError(f"{text[:20]!r} is no way to end a game")
