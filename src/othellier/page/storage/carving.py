"""Games found in the bytes of a database that SQLite itself cannot read any more.

Neither the head of the file nor its schema nor the order of its pages is asked: a row of `games` is recognised by the
kinds of its values, which stand before them, wherever it lies. Rows that were replaced may still be there too; of
several with one id the one used last counts.
"""

from __future__ import annotations

import re
import struct
from collections.abc import Iterator
from pathlib import Path
from typing import Any

COLUMNS = (
    *("id", "owner", "record", "snapshot", "summary", "words", "transcript", "result"),
    *("created", "used", "deleted", "path"),
)
TEXTS = 8
"""So many columns are texts; then come two times, a third or nothing, and in newer rows a blob."""
TIMES = re.compile(rb"(?=[\x01-\x07]{2}[\x00-\x07])")
"""How SQLite writes that two numbers and a third, or nothing, follow."""
WIDTHS = (0, 1, 2, 3, 4, 6, 8, 8)
"""Bytes of nothing, of whole numbers and of others, by their kinds."""
FAR = 40
"""Bytes before that within which a row's description begins: eight texts take at most four each."""
USUAL = 4096
ID = re.compile(r"[\w-]{1,64}", re.ASCII)


def carve(path: Path) -> dict[str, tuple[Any, ...]]:
    """The rows of games in a file, by their ids, each with the values of COLUMNS."""
    data = path.read_bytes()
    found: dict[str, tuple[Any, ...]] = {}
    pages = _Pages(data)
    for match in TIMES.finditer(data):
        for start in range(max(0, match.start() - FAR), match.start() - TEXTS):
            row = _row(pages, start, match.start())
            if row is None:
                continue
            known = found.get(row[0])
            if known is None or known[9] < row[9]:
                found[row[0]] = row
            break
    return found


class _Pages:
    """The pages of a file: what does not fit into the one where it begins goes on in others."""

    def __init__(self, data: bytes) -> None:
        self.data = data
        (told,) = struct.unpack_from(">H", data.ljust(18, b"\0"), 16)
        self.size = told if told >= 512 and told & (told - 1) == 0 else USUAL

    def payload(self, start: int, length: int) -> bytes | None:
        """So many bytes of a row from its first one on, in all its pages; None where that leads nowhere."""
        size = self.size
        most, least = size - 35, (size - 12) * 32 // 255 - 23  # as the format of the file has it
        here = length
        if length > most:
            here = least + (length - least) % (size - 4)
            here = here if here <= most else least
        end = start + here
        if end > (start // size + 1) * size:
            return None
        pieces, rest = [self.data[start:end]], length - here
        while rest > 0:
            (page,) = struct.unpack_from(">I", self.data.ljust(end + 4, b"\0"), end)
            begin = (page - 1) * size
            if page < 2 or begin + size > len(self.data) or len(pieces) > len(self.data) // size:
                return None
            pieces.append(self.data[begin + 4 : begin + min(size, 4 + rest)])
            rest -= size - 4
            end = begin
        return b"".join(pieces)


def _row(pages: _Pages, start: int, times: int) -> tuple[Any, ...] | None:
    """The row whose description begins at a place and tells of its times at another; None where there is none."""
    head = pages.data[start]
    if not times - start + 3 <= head <= FAR + 8:
        return None
    kinds, at = list[int](), start + 1
    while at < start + head:
        if len(kinds) == TEXTS and at != times:
            return None
        kind, at = _number(pages.data, at)
        if len(kinds) < TEXTS and (kind < 13 or kind % 2 == 0):
            return None
        kinds.append(kind)
    blob = kinds[TEXTS + 3 :]
    if at != start + head or len(kinds) < TEXTS + 3 or len(blob) > 1 or any(kind < 12 or kind % 2 for kind in blob):
        return None
    payload = pages.payload(start, head + sum(map(_width, kinds)))
    if payload is None:
        return None
    values = tuple(_values(payload, head, kinds))
    if ID.fullmatch(values[0]) is None or not all(0 < time < 1e11 for time in values[8:10]):
        return None
    return values if blob else (*values, b"")


def _values(payload: bytes, at: int, kinds: list[int]) -> Iterator[Any]:
    for kind in kinds:
        part = payload[at : at + _width(kind)]
        at += len(part)
        if kind == 0:
            yield None
        elif kind == 7:
            yield struct.unpack(">d", part)[0]
        elif kind < 7:
            yield float(int.from_bytes(part, signed=True))
        else:
            yield part.decode("utf-8", "replace") if kind % 2 else part


def _width(kind: int) -> int:
    """Bytes of a value of a kind."""
    return (kind - 12) // 2 if kind >= 12 else WIDTHS[kind]


def _number(data: bytes, at: int) -> tuple[int, int]:
    """A number as SQLite writes it, seven bits a byte, and the place after it."""
    value = 0
    for count in range(4):  # more are of no text that we keep
        byte = data[at + count] if at + count < len(data) else 0
        value = value << 7 | byte & 0x7F
        if byte < 0x80:
            return value, at + count + 1
    return 0, at + 4
