"""Transcripts such as `F5D6C3`: a game a line, or one game over several lines.

Capitals do not matter; blanks, move numbers and written passes (`PA`, `PS`, `--`) are skipped over or
checked. Games start from the usual 8x8 position: another start cannot be told, and is refused.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import lru_cache

from othellier.errors import BadMove, IllegalMove, RecordError
from othellier.games.game import Game
from othellier.records.format import Format, Item, RecordSource, fit
from othellier.rules import native
from othellier.rules.board import Position
from othellier.rules.geometry import PASS, STANDARD, Size, SizeLike, square_name

__all__ = ["FORMAT", "format_moves", "parse_moves", "played"]

LONGEST = 10_000
"""Characters after which a text is no transcript, however many blanks and numbers it has."""

OPENING = re.compile(r"\s*(?:1[.):]+\s*)?(?:d3|c4|f5|e6)[\s\d,;.):]*(?:[a-z]\d|--|pa|ps|$)", re.IGNORECASE | re.ASCII)
OPENERS = frozenset(native.start().moves())


@lru_cache(maxsize=64)
def _token(size: Size) -> re.Pattern[str]:
    column = f"[a-{chr(ord('a') + size.columns - 1)}]"
    row = f"[1-{size.rows}]" if size.rows < 10 else f"(?:1[0-{size.rows - 10}]|[1-9])"
    # A square, a pass, or what may stand between them: blanks, and numbers with a stop.
    return re.compile(rf"({column})({row})|(pass|pa|ps|--)|[\s,;]+|\d{{1,3}}[.):]+", re.IGNORECASE | re.ASCII)


def parse_moves(text: str, size: SizeLike = STANDARD) -> list[int]:
    """The squares and passes of a transcript, not yet checked against the rules.

    >>> parse_moves("1. f5 D6 2. --")
    [37, 43, -1]
    """
    size = Size.parse(size)
    token = _token(size)
    moves: list[int] = []
    at = 0
    while at < len(text):
        match = token.match(text, at)
        if len(moves) > 2 * size.squares or at > LONGEST:
            raise _bad(text, at, "this is longer than any game", "too_long", moves, size)
        if match is None:
            raise _bad(
                text, at, f"{text[at : at + 2]!r} is not a move on a board of size {size}", "no_square", moves, size
            )
        column, row, passed = match.groups()
        if column:
            moves.append(size.columns * (int(row) - 1) + ord(column.lower()) - ord("a"))
        elif passed:
            moves.append(PASS)
        at = match.end()
    return moves


def _bad(text: str, at: int, reason: str, why: str, moves: list[int], size: Size) -> BadMove:
    number = 1 + sum(move != PASS for move in moves)
    return BadMove("text", f"character {at + 1}", reason, number, text[at : at + 2], why, format_moves(moves, size))


WHY = {"the square is taken": "taken", "the game is over": "over", "no such square": "no_square"}


def played(text: str, start: Position) -> Game:
    """The game of a transcript; its first move that cannot be played is a BadMove, with the good ones before it.

    >>> try:
    ...     played("f5d6a1", native.start())
    ... except BadMove as error:
    ...     error.number, error.move, error.why, error.good
    (3, 'a1', 'flips_nothing', 'F5D6')
    """
    unread: BadMove | None = None
    try:
        moves = parse_moves(text, start.size)
    except BadMove as error:
        unread, moves = error, parse_moves(error.good, start.size)
    game = Game(start)
    for move in moves:
        try:
            game.push(move)
        except IllegalMove as error:
            good = game.transcript()
            number = 1 + sum(done != PASS for done in game.moves())
            why = "no_pass" if move == PASS else WHY.get(error.reason, "flips_nothing")
            where = f"ply {error.ply}" if error.ply else ""
            reason = f"illegal move {error.move}: {error.reason}"
            raise BadMove("text", where, reason, number, error.move, why, good) from None
    if unread is not None:
        raise unread
    return game


def format_moves(moves: Iterable[int], size: SizeLike = STANDARD) -> str:
    """Moves as `F5D6--C3`; passes are written, so that any list of moves can be read back."""
    return "".join("--" if move == PASS else square_name(move, size).upper() for move in moves)


def _sniff(source: RecordSource) -> bool:
    """Whether the text begins with a first move, and nothing or another move follows it."""
    return OPENING.match(source.text[:2000]) is not None


def _read(source: RecordSource) -> Iterator[Item]:
    """The games of a text: one a line if they all can be, else one over all the lines."""
    lines = [(number, line) for number, line in enumerate(source.lines, 1) if line.strip()]
    if len(lines) > 1 and (game := _wrapped(lines)) is not None:
        yield game
        return
    for number, line in source.walk(lines, len(lines)):
        try:
            yield Game.from_moves(parse_moves(line))
        except (RecordError, IllegalMove):
            yield _problem(source, number, line)


def _problem(source: RecordSource, number: int, line: str) -> RecordError:
    """What is wrong with a line that is no game."""
    try:
        played(line, native.start())
    except BadMove as error:
        told = source.error(f"line {number}, {error.where}", error.reason)
        return BadMove(told.file, told.where, told.reason, error.number, error.move, error.why, error.good)
    raise AssertionError("a game is no problem")


def _wrapped(lines: list[tuple[int, str]]) -> Game | None:
    """The one game that goes on from line to line, or None.

    No square is played twice in a game, so a list of games is soon known for one.
    """
    seen: set[int] = set()
    moves: list[int] = []
    all_open = True
    for _, line in lines:
        try:
            part = parse_moves(line)
        except RecordError:
            return None
        squares = [move for move in part if move != PASS]
        if len(seen) + len(squares) != len(seen.union(squares)):
            return None
        all_open = all_open and bool(squares) and squares[0] in OPENERS
        seen.update(squares)
        moves += part
    try:
        if all_open:  # short games may well share no square: only if one fails are they a single game
            for _, line in lines:
                Game.from_moves(parse_moves(line))
            return None
    except IllegalMove:
        pass
    try:
        return Game.from_moves(moves)
    except IllegalMove:
        return None


def _text(games: Iterable[Game]) -> Iterator[str]:
    """A line a game."""
    for game in games:
        yield game.transcript() + "\n"


def _fit_moves(game: Game) -> Game:
    """The main line; a game without moves would be an empty line, which is no game."""
    kept = fit(game, FORMAT.holds)
    if not kept.transcript():
        raise RecordError("", "", "has no moves, and a transcript is nothing else")
    return kept


FORMAT = Format(
    name="transcript",
    extensions=(".txt", ".tsc"),
    holds=frozenset({"moves"}),
    sniff=_sniff,
    read=_read,
    text=_text,
    fit=_fit_moves,
)
