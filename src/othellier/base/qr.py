"""QR codes of short texts, drawn for a terminal: an address for the phone in the same room.

Byte mode, versions 1 to 10, the lowest level of error correction: what a screen shows is not torn. After ISO/IEC 18004.
"""

from __future__ import annotations

from functools import cache
from itertools import product

from othellier.errors import ConfigError

__all__ = ["Grid", "qr_code", "qr_text"]

Grid = list[list[bool]]
"""The modules of a code by rows, true for dark ones."""

BLOCKS = [
    (7, 1, 19, 0),
    (10, 1, 34, 0),
    (15, 1, 55, 0),
    (20, 1, 80, 0),
    (26, 1, 108, 0),
    (18, 2, 68, 0),
    (20, 2, 78, 0),
    (24, 2, 97, 0),
    (30, 2, 116, 0),
    (18, 2, 68, 2),
]
"""Of versions 1 to 10 at level L: error correction bytes of a block, blocks, their data bytes, blocks with one more."""
ALIGNMENT = ["", "6 18", "6 22", "6 26", "6 30", "6 34", "6 22 38", "6 24 42", "6 26 46", "6 28 50"]
FIELD = 0x11D  # the polynomial of the field the bytes are numbers of
BCH_FORMAT, FORMAT_MASK, BCH_VERSION = 0x537, 0x5412, 0x1F25
LEVEL_L = 1
QUIET = 2
"""Light modules around a drawn code: the standard asks for four, readers do with two, and terminals are small."""


def qr_code(text: str) -> Grid:
    """The code of a text."""
    data = text.encode()
    version = next((number for number in range(1, 11) if len(data) <= _room(number)), None)
    if version is None:
        raise ConfigError(f"a QR code of this kind holds {_room(10)} bytes, not {len(data)}")
    bits = _interleaved(_padded(data, version), version)
    fixed = _frame(version)
    codes = []
    for mask in range(8):
        grid = _filled(fixed, bits, mask)
        _put_format(grid, mask)
        codes.append([[bool(cell) for cell in row] for row in grid])
    return min(codes, key=_penalty)


def qr_text(text: str) -> str:
    """The code of a text in half blocks, dark on light whatever the colours of the terminal."""
    code = qr_code(text)
    width = len(code) + 2 * QUIET
    light = [False] * width
    rows = [light] * QUIET + [[False] * QUIET + row + [False] * QUIET for row in code] + [light] * QUIET
    if len(rows) % 2:
        rows.append(light)
    signs = {(True, True): " ", (True, False): "▄", (False, True): "▀", (False, False): "█"}
    lines = []
    for upper, lower in zip(rows[::2], rows[1::2], strict=True):
        shown = "".join(signs[pair] for pair in zip(upper, lower, strict=True))
        lines.append(f"\x1b[38;2;255;255;255;48;2;0;0;0m{shown}\x1b[0m")
    return "\n".join(lines)


# -- the bytes


def _room(version: int) -> int:
    """The bytes of text a version holds: its data without the mode and the length before them."""
    _, blocks, size, longer = BLOCKS[version - 1]
    total = blocks * size + longer * (size + 1)
    return total - (2 if version < 10 else 3)


def _padded(data: bytes, version: int) -> bytes:
    _, blocks, size, longer = BLOCKS[version - 1]
    total = blocks * size + longer * (size + 1)
    length = 8 if version < 10 else 16
    bits = f"0100{len(data):0{length}b}" + "".join(f"{byte:08b}" for byte in data)
    bits += "0" * min(4, total * 8 - len(bits))
    bits += "0" * (-len(bits) % 8)
    whole = bytes(int(bits[at : at + 8], 2) for at in range(0, len(bits), 8))
    return (whole + b"\xec\x11" * total)[:total]


def _interleaved(data: bytes, version: int) -> str:
    """Data and error correction of all blocks, a byte of each in turn, as bits."""
    correction, blocks, size, longer = BLOCKS[version - 1]
    parts, at = [], 0
    for length in [size] * blocks + [size + 1] * longer:
        parts.append(data[at : at + length])
        at += length
    checks = [_remainder(part, correction) for part in parts]
    mixed = bytes(part[place] for place in range(size + 1) for part in parts if place < len(part))
    mixed += bytes(check[place] for place in range(correction) for check in checks)
    return "".join(f"{byte:08b}" for byte in mixed)


@cache
def _tables() -> tuple[list[int], list[int]]:
    """Powers of the field's generator, and their logarithms."""
    powers, logs, value = [0] * 512, [0] * 256, 1
    for power in range(255):
        powers[power], logs[value] = value, power
        value = value << 1 ^ (FIELD if value & 0x80 else 0)
    powers[255:510] = powers[:255]
    return powers, logs


def _times(a: int, b: int) -> int:
    powers, logs = _tables()
    return powers[logs[a] + logs[b]] if a and b else 0


def _remainder(data: bytes, count: int) -> bytes:
    """The Reed-Solomon bytes of a block: what is left of dividing by the polynomial of so many roots."""
    powers, _ = _tables()
    generator = [1]
    for root in range(count):
        shifted = [*generator, 0]
        for place, factor in enumerate(generator):
            shifted[place + 1] ^= _times(factor, powers[root])
        generator = shifted
    rest = [0] * count
    for byte in data:
        lead = byte ^ rest[0]
        rest = [*rest[1:], 0]
        rest = [value ^ _times(lead, factor) for value, factor in zip(rest, generator[1:], strict=True)]
    return bytes(rest)


# -- the modules: None where data goes


def _frame(version: int) -> list[list[bool | None]]:
    """Everything but data and format: finders, timing, alignment, the version."""
    size = 17 + 4 * version
    grid: list[list[bool | None]] = [[None] * size for _ in range(size)]

    def rings(row: int, column: int, reach: int, light: tuple[int, ...]) -> None:
        """Squares in one another around a centre, dark but for some; what lies beyond the edge is left out."""
        for r, c in product(range(-reach, reach + 1), repeat=2):
            if 0 <= row + r < size and 0 <= column + c < size:
                grid[row + r][column + c] = max(abs(r), abs(c)) not in light

    for row, column in ((3, 3), (3, size - 4), (size - 4, 3)):
        rings(row, column, 4, (2, 4))
    for at in range(8, size - 8):
        grid[6][at] = grid[at][6] = at % 2 == 0
    centres = [int(place) for place in ALIGNMENT[version - 1].split()]
    for row, column in product(centres, repeat=2):
        if (row, column) not in ((6, 6), (6, centres[-1]), (centres[-1], 6)):  # the finders are there
            rings(row, column, 2, (1,))
    grid[size - 8][8] = True
    for at in (*range(9), *range(size - 8, size)):  # kept free for the format
        for row, column in ((at, 8), (8, at)):
            grid[row][column] = grid[row][column] or False
    if version >= 7:
        bits = version << 12 | _bch(version << 12, BCH_VERSION, 12)
        for at in range(18):
            dark = bool(bits >> at & 1)
            grid[at // 3][size - 11 + at % 3] = grid[size - 11 + at % 3][at // 3] = dark
    return grid


def _bch(value: int, polynomial: int, degree: int) -> int:
    while value.bit_length() > degree:
        value ^= polynomial << value.bit_length() - polynomial.bit_length()
    return value


def _filled(fixed: list[list[bool | None]], bits: str, mask: int) -> list[list[bool | None]]:
    """The data in columns of two, up and down from the right, through a mask."""
    grid = [row[:] for row in fixed]
    size, at = len(grid), 0
    columns = [column if column > 6 else column - 1 for column in range(size - 1, 0, -2)]
    for turn, right in enumerate(columns):
        for step in range(size):
            row = step if turn % 2 else size - 1 - step
            for column in (right, right - 1):
                if grid[row][column] is None:
                    dark = at < len(bits) and bits[at] == "1"
                    grid[row][column] = dark != _masked(mask, row, column)
                    at += 1
    return grid


def _masked(mask: int, r: int, c: int) -> bool:
    rules = (
        r + c,
        r,
        c % 3,
        (r + c) % 3,
        r // 2 + c // 3,
        r * c % 2 + r * c % 3,
        r * c % 2 + r * c % 3,
        (r + c) % 2 + r * c % 3,
    )
    value = rules[mask]
    return value == 0 if mask in (2, 3, 5) else value % 2 == 0


def _put_format(grid: list[list[bool | None]], mask: int) -> None:
    size = len(grid)
    value = LEVEL_L << 3 | mask
    bits = (value << 10 | _bch(value << 10, BCH_FORMAT, 10)) ^ FORMAT_MASK
    around = [(0, 8), (1, 8), (2, 8), (3, 8), (4, 8), (5, 8), (7, 8), (8, 8)]
    around += [(8, 7), (8, 5), (8, 4), (8, 3), (8, 2), (8, 1), (8, 0)]
    far = [(8, size - 1 - at) for at in range(8)] + [(size - 7 + at, 8) for at in range(7)]
    for places in (around, far):
        for at, (row, column) in enumerate(places):
            grid[row][column] = bool(bits >> at & 1)


def _penalty(grid: Grid) -> int:
    """How hard a code is to read, by the standard's four rules."""
    size, total = len(grid), 0
    for lines in (grid, [list(column) for column in zip(*grid, strict=True)]):
        for line in lines:
            run = 1
            for before, now in zip(line, [*line[1:], None], strict=True):
                if before == now:
                    run += 1
                else:
                    total += run - 2 if run >= 5 else 0
                    run = 1
            text = "".join("1" if dark else "0" for dark in line)
            for pattern in ("10111010000", "00001011101"):
                total += 40 * sum(text.startswith(pattern, at) for at in range(size - 10))
    for r in range(size - 1):
        for c in range(size - 1):
            total += 3 * (grid[r][c] == grid[r][c + 1] == grid[r + 1][c] == grid[r + 1][c + 1])
    dark = 100 * sum(map(sum, grid)) / size**2
    return total + 10 * int(abs(dark - 50) // 5)
