"""Long texts made to be slow, put to every recogniser and reader: a program that `test_hostile.py` runs.

Each of them may use some processor time and is ended by the system, and the program with it, if it needs more. What
is done next is written down first, so that the last line names what was too slow.
"""

import contextlib
import math
import resource
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from functools import partial
from itertools import islice
from pathlib import Path

from othellier import records
from othellier.base.text import clean_line
from othellier.errors import OthellierError
from othellier.openings import balanced, drill, names
from othellier.players import create_player
from othellier.protocols.gtp import GtpServer
from othellier.protocols.nboard import NBoardServer
from othellier.records.format import RecordSource
from othellier.rules.geometry import Size

SECONDS = 8
"""Fifty times what the slowest needs; a pattern that goes back over all its text needs more."""
LENGTH = 100_000
SIGNS = (*" \n([\\0x|,;:{", "1.", "--", "(;GM[", "GM[", "f5", "[]", "C[x]", ";C[a]")
BEGINS = (
    "",
    "(;GM[",
    "(;GM[2]",
    "(;GM[2]SZ[8",
    "(;GM[2]C[",
    "(;GM[Othello]BO[8 ",
    "(;GM[Othello]TY[8",
    "(;GM[Othello]TH[1",
    "(;GM[2]RE[B+1",
    "+d3-c3",
    "+d3-c3: +02 1",
    "game_id,winner,game_moves\n1,1,",
    "Othellier trace\nMoves\n  1. X F5 |",
    '{"args": [{"position": ',
    '{"black": "',
    "-" * 64 + " X;",
)


def texts() -> Iterator[tuple[str, str]]:
    """Every long text, with a word for it; some end as if nothing had been, which makes patterns go back."""
    for begin in BEGINS:
        for number, sign in enumerate(SIGNS):
            end = "y])\n" if number % 2 == 0 else ""
            yield f"{begin!r} {sign!r} ... {end!r}", begin + sign * (LENGTH // len(sign)) + end


def attempt(words: str, work: Callable[[], object]) -> None:
    """Do it, whatever comes of it; it must be one of our errors."""
    sys.stdout.write(words + "\n")
    sys.stdout.flush()
    resource.setrlimit(resource.RLIMIT_CPU, (math.ceil(time.process_time()) + SECONDS, resource.RLIM_INFINITY))
    with contextlib.suppress(OthellierError):
        work()


def read(text: str, words: str, path: Path) -> None:
    """Put a text to all readers."""
    source = RecordSource("text", text.encode())
    for format_ in records.FORMATS:
        attempt(f"{format_.name} recognises {words}", partial(format_.sniff, source))
        attempt(f"{format_.name} reads {words}", partial(records.read, source.data, format_.name))
    path.write_bytes(source.data)
    attempt(f"balanced starts {words}", partial(balanced.read, path))
    attempt(f"deck {words}", partial(drill.Deck, path))
    attempt(f"size {words}", partial(Size.parse, "8" + text))


def main(part: int, parts: int) -> None:
    """All texts to all readers, one part of several of them."""
    servers = GtpServer(create_player("random")), NBoardServer(create_player("random"), lambda _: None)
    with tempfile.TemporaryDirectory() as folder:
        for words, text in islice(texts(), part, None, parts):
            read(text, words, Path(folder) / "text")
    for sign in SIGNS[part::parts]:
        text = sign * (LENGTH // len(sign)) + "y"
        attempt(f"opening {sign!r} ...", partial(names.search, text))
        attempt(f"line {sign!r} ...", partial(clean_line, text))
        for spec in ("random:", "gtp:", "mcts:iterations="):
            attempt(f"player {spec}{sign!r} ...", partial(create_player, spec + text))
        for begin in ("", "1", "loadsgf x", "time_settings ", "play black ", "set game ", "move "):
            for server in servers:
                line = begin + text[: (1 << 16) - 20] + "y"
                attempt(f"{type(server).__name__} {begin!r} {sign!r} ...", partial(server.handle, line))
    for server in servers:
        server.close()
    sys.stdout.write("done\n")


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
