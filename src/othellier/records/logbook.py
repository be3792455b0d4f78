"""Logistello's book games, `.gam`: `+d3-c3+c4...: -04 10`, a game a line. Read only.

`+` is a move of Black, `-` of White; after the colon stands the plain disc difference for Black, which is
noted only where the board does not tell it. The last number is not documented and is passed over, so this
format is not written.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from othellier.errors import IllegalMove
from othellier.games.game import Game, Outcome, replay
from othellier.records.format import Format, Item, RecordSource
from othellier.rules import native
from othellier.rules.geometry import PASS, square_name

__all__ = ["FORMAT"]

LINE = re.compile(r"\s*((?:[+-][a-h][1-8]){1,60})\s*:\s*([+-]?\d{1,2})(?:\s+[+-]?\d+)?\s*", re.ASCII)
SQUARES = {square_name(square): square for square in range(64)}


def _sniff(source: RecordSource) -> bool:
    """Whether the text begins with a signed move."""
    return re.match(r"\s*\+[a-h][1-8][+-][a-h][1-8]", source.text[:200]) is not None


def _read(source: RecordSource) -> Iterator[Item]:
    """The games one by one."""
    for number, line in enumerate(source.walk(source.lines, len(source.lines)), 1):
        if not line.strip():
            continue
        match = LINE.fullmatch(line)
        if match is None:
            yield source.error(f"line {number}", "is not a game such as `+d3-c3...: -04`")
            continue
        moves = match[1]
        try:
            played, last = replay(native.start(), [SQUARES[moves[at + 1 : at + 3]] for at in range(0, len(moves), 3)])
        except IllegalMove as error:
            yield source.error(f"line {number}", error)
            continue
        if moves[::3] != "".join("+-"[ply % 2] for ply, move in enumerate(played) if move != PASS):
            yield source.error(f"line {number}", "a move has the sign of the side that was not to move")
            continue
        score = int(match[2])
        told = last.is_over() and score == last.discs("black") - last.discs("white")
        yield Game.from_moves(played, result=None if told else Outcome(score))


FORMAT = Format(
    name="logbook",
    extensions=(".gam",),
    holds=frozenset({"moves", "outcome"}),
    sniff=_sniff,
    read=_read,
)
