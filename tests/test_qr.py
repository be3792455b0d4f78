"""QR codes, read back by a reader of our own: the standard's places, the mask, and no errors in any block."""

import re
from collections.abc import Callable

import pytest

from othellier.base.qr import ALIGNMENT, BLOCKS, Grid, qr_code, qr_text
from othellier.errors import ConfigError

ADDRESS = "http://192.168.178.21:8765/?token=Zt0pLx9Qk3vRw7HnYb2Mc5Fd"
MASKS: list[Callable[[int, int], bool]] = [
    lambda r, c: (r + c) % 2 == 0,
    lambda r, c: r % 2 == 0,
    lambda r, c: c % 3 == 0,
    lambda r, c: (r + c) % 3 == 0,
    lambda r, c: (r // 2 + c // 3) % 2 == 0,
    lambda r, c: r * c % 2 + r * c % 3 == 0,
    lambda r, c: (r * c % 2 + r * c % 3) % 2 == 0,
    lambda r, c: ((r + c) % 2 + r * c % 3) % 2 == 0,
]


def is_function(version: int, row: int, column: int) -> bool:
    """Whether a module belongs to the pattern, not to the data."""
    size = 17 + 4 * version
    if row == 6 or column == 6:
        return True
    if (row < 9 and (column < 9 or column >= size - 8)) or (row >= size - 8 and column < 9):
        return True
    if version >= 7 and ((row < 6 and size - 11 <= column < size - 8) or (column < 6 and size - 11 <= row < size - 8)):
        return True
    centres = [int(place) for place in ALIGNMENT[version - 1].split()]
    last = centres[-1] if centres else 0
    return any(
        abs(row - r) <= 2 and abs(column - c) <= 2
        for r in centres
        for c in centres
        if (r, c) not in ((6, 6), (6, last), (last, 6))
    )


def times(a: int, b: int) -> int:
    """The product in the field of 256."""
    product = 0
    while b:
        product ^= a if b & 1 else 0
        a = a << 1 ^ (0x11D if a & 0x80 else 0)
        b >>= 1
    return product


def is_clean(block: bytes, correction: int) -> bool:
    """Whether a block with its error correction has every syndrome zero."""
    root = 1
    for _ in range(correction):
        value = 0
        for byte in block:
            value = times(value, root) ^ byte
        if value:
            return False
        root = times(root, 2)
    return True


def read(code: Grid) -> str:
    """The text of a code."""
    size = len(code)
    version = (size - 17) // 4
    spots = [(8, 0), (8, 1), (8, 2), (8, 3), (8, 4)]
    told = int("".join(str(int(code[r][c])) for r, c in spots), 2) ^ 0b10101
    assert told >> 3 == 1  # level L
    mask = MASKS[told & 7]
    bits = ""
    for turn, right in enumerate(c if c > 6 else c - 1 for c in range(size - 1, 0, -2)):
        for step in range(size):
            row = step if turn % 2 else size - 1 - step
            for column in (right, right - 1):
                if not is_function(version, row, column):
                    bits += str(int(code[row][column] != mask(row, column)))
    stream = [int(bits[at : at + 8], 2) for at in range(0, len(bits) - 7, 8)]
    correction, blocks, length, longer = BLOCKS[version - 1]
    lengths = [length] * blocks + [length + 1] * longer
    parts: list[list[int]] = [[] for _ in lengths]
    for place in range(length + 1):
        for part, most in zip(parts, lengths, strict=True):
            if place < most:
                part.append(stream.pop(0))
    data = bytes(byte for part in parts for byte in part)
    for _ in range(correction):
        for part in parts:
            part.append(stream.pop(0))
    assert all(is_clean(bytes(part), correction) for part in parts)
    text = "".join(f"{byte:08b}" for byte in data)
    assert text[:4] == "0100"
    head = 12 if version < 10 else 20
    count = int(text[4:head], 2)
    return bytes(int(text[at : at + 8], 2) for at in range(head, head + 8 * count, 8)).decode()


@pytest.mark.parametrize(
    "text", ["a", ADDRESS, "é" * 40, *("x" * count for count in (17, 18, 106, 107, 154, 230, 271))]
)
def test_a_code_is_read_back(text: str) -> None:
    assert read(qr_code(text)) == text


def test_a_text_that_is_too_long_is_refused() -> None:
    with pytest.raises(ConfigError, match="271 bytes, not 272"):
        qr_code("x" * 272)


def test_the_drawing_holds_the_code_with_light_around_it() -> None:
    code = qr_code(ADDRESS)
    lines = [re.sub(r"\x1b\[[\d;]*m", "", line) for line in qr_text(ADDRESS).splitlines()]
    assert {len(line) for line in lines} == {len(code) + 4}
    assert set(lines[0]) == {"█"}
    halves = {" ": (True, True), "▄": (True, False), "▀": (False, True), "█": (False, False)}
    drawn = [[halves[sign][half] for sign in line] for line in lines for half in (0, 1)]
    assert [row[2:-2] for row in drawn[2 : 2 + len(code)]] == code
