"""The game list of eOthello, a table of `id,winner,moves`. Read only: it tells the winner, not the score.

Where a finished board agrees with the winner nothing more is noted; an unfinished game that was given to
one side counts as all discs for it, as after a resignation.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from othellier.errors import IllegalMove, RecordError
from othellier.games.game import Game, Headers, Outcome, replay
from othellier.records.format import Format, Item, RecordSource
from othellier.records.transcript import parse_moves
from othellier.rules import native

__all__ = ["FORMAT"]

HEADER = re.compile(r"\s*\w*game_id\s*,\s*winner\s*,\s*game_moves\s*", re.IGNORECASE)
LINE = re.compile(r"(\d{1,20})\s*,\s*(-1|0|1)\s*,\s*([A-Za-z0-9-]{0,400})", re.ASCII)


def _sniff(source: RecordSource) -> bool:
    """Whether the first line names the columns."""
    return HEADER.fullmatch(re.split(r"[\r\n]", source.text[:200].lstrip(), maxsplit=1)[0]) is not None


def _read(source: RecordSource) -> Iterator[Item]:
    """The games one by one."""
    for number, line in enumerate(source.walk(source.lines[1:], len(source.lines)), 2):
        if not line.strip():
            continue
        try:
            yield _parse_line(line)
        except IllegalMove as error:
            yield source.error(f"line {number}", error)
        except RecordError as error:
            yield source.error(", ".join(filter(None, (f"line {number}", error.where))), error.reason)


def _parse_line(line: str) -> Game:
    match = LINE.fullmatch(line.strip())
    if match is None:
        raise RecordError("", "", "is not `id,winner,moves`")
    winner = int(match[2])
    played, last = replay(native.start(), parse_moves(match[3]))
    lead = last.discs("black") - last.discs("white")
    told = last.is_over() and (lead > 0) - (lead < 0) == winner
    result = None if told else Outcome(64 * winner, "resigned" if winner else "agreed")
    return Game.from_moves(played, headers=Headers(event="eOthello", extra={"ID": match[1]}), result=result)


FORMAT = Format(
    name="eothello",
    extensions=(".csv",),
    holds=frozenset({"moves", "event", "outcome"}),
    sniff=_sniff,
    read=_read,
)
