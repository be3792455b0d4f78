"""Board strings: the squares from a1 on by rows and the side to move, a position a line.

Rows may be parted by blanks, and must be where the board is not square: that tells its size. A position
may also be laid out over several lines. Of a game with moves the last position of the main line is kept.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from othellier.errors import InvalidPosition
from othellier.games.game import Game
from othellier.records.format import Format, Item, RecordSource
from othellier.rules import native
from othellier.rules.board import Position

__all__ = ["FORMAT", "format_board", "parse_board"]

SIGNS = re.compile(r"[Xx*BbOoWw.\-\s]{17,400}")


def parse_board(text: str) -> Position:
    """The position of a board string; rows parted by blanks tell the size.

    >>> parse_board("------ --XO-- --OX-- ------ X").size
    Size(rows=4, columns=6)
    """
    *rows, side = text.split() or [""]
    if len(side) == 1 and len(rows) > 1 and len({len(row) for row in rows}) == 1:
        return native.parse("".join((*rows, side)), (len(rows), len(rows[0])))
    return native.parse(text)


def format_board(position: Position) -> str:
    """The inverse of `parse_board`."""
    cells, side = position.board_string().split()
    rows, columns = position.size
    if rows == columns:
        return f"{cells} {side}"
    return " ".join([*(cells[i : i + columns] for i in range(0, len(cells), columns)), side])


def _sniff(source: RecordSource) -> bool:
    """Whether the first lines are made of the signs of a board and nothing else."""
    head = source.text[:400].strip()
    line = re.split(r"[\r\n]", head, maxsplit=1)[0]
    return SIGNS.fullmatch(line) is not None or (len(source.text) <= 400 and SIGNS.fullmatch(head) is not None)


def _read(source: RecordSource) -> Iterator[Item]:
    """A position a line, or one over all the lines."""
    lines = [(number, line) for number, line in enumerate(source.lines, 1) if line.strip()]
    if len(lines) > 1 and len("".join(lines[0][1].split())) <= 12:
        lines = [(lines[0][0], " ".join(line for _, line in lines))]
    for number, line in source.walk(lines, len(lines)):
        try:
            yield Game(parse_board(line))
        except InvalidPosition as error:
            yield source.error(f"line {number}", error)


def _text(games: Iterable[Game]) -> Iterator[str]:
    """A line a position."""
    for game in games:
        yield format_board(game.start) + "\n"


FORMAT = Format(
    name="board",
    extensions=(".board", ".pos"),
    holds=frozenset({"start", "sizes"}),
    sniff=_sniff,
    read=_read,
    text=_text,
)
