"""Games of matches and tournaments, one on a line of JSON. Read only: the arena writes them, with what went in.

    {"black": "a", "white": "b", "size": "8", "moves": "F5D6C3", "score": 12, "opening": 2, "seconds": [0.1], …}

`start` is a board string where the game did not begin as usual; `moves` tells passes as `--`; `seconds` and `scores`
are of the moves after the opening; `reason` and `error` tell how a game ended that was not played out.
"""

from __future__ import annotations

import json
import math
from collections.abc import Iterator
from typing import Any

from othellier.base.text import clean_line, clean_text
from othellier.errors import IllegalMove, OthellierError, RecordError
from othellier.games.game import Evaluation, Game, Headers, Outcome, replay
from othellier.records.format import Format, Item, RecordSource, parse_reason
from othellier.records.transcript import parse_moves
from othellier.rules import native
from othellier.rules.board import Position
from othellier.rules.geometry import PASS, Size

__all__ = ["FORMAT", "parse_game"]


def parse_game(line: dict[str, Any]) -> tuple[Position, tuple[int, ...]]:
    """Where the game of a line began, and its moves, checked, passes included."""
    size = Size.parse(str(line["size"]))
    start = native.parse(line["start"], size) if "start" in line else native.start(size)
    return start, replay(start, parse_moves(line["moves"], size))[0]


def _sniff(source: RecordSource) -> bool:
    """Whether the first line is an object with a game in it."""
    first = source.text[:100_000].lstrip().partition("\n")[0]
    try:
        line = json.loads(first) if first.startswith("{") else None
    except (ValueError, RecursionError):
        return False
    return isinstance(line, dict) and {"black", "white", "size", "moves"} <= set(line)


def _read(source: RecordSource) -> Iterator[Item]:
    """The games one by one."""
    for number, text in enumerate(source.walk(source.lines, len(source.lines)), 1):
        if not text.strip():
            continue
        try:
            yield _parse(json.loads(text))
        except IllegalMove as error:
            yield source.error(f"line {number}", error)
        except RecordError as error:
            yield source.error(", ".join(filter(None, (f"line {number}", error.where))), error.reason)
        except OthellierError as error:
            yield source.error(f"line {number}", error)
        except (KeyError, TypeError, ValueError, AttributeError, OverflowError, RecursionError):
            yield source.error(f"line {number}", "is not a game")


def _parse(line: dict[str, Any]) -> Game:
    start, moves = parse_game(line)
    headers = Headers(black=clean_line(line["black"]), white=clean_line(line["white"]))
    result = None
    if reason := parse_reason(line.get("reason", "")):
        result = Outcome(_number(line["score"]), reason)
    game = Game.from_moves(moves, start, headers, result)
    nodes = game.main_line()[int(line.get("opening", 0)) :]
    for node, seconds, score in zip(nodes, line.get("seconds", []), line.get("scores", []), strict=False):
        if node.move != PASS:
            node.seconds = _number(seconds)
            node.evaluation = None if score is None else Evaluation(_number(score))
    game.end.comment = clean_text(line.get("error", ""))
    return game


def _number(value: object) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float) or not math.isfinite(value):
        raise ValueError(f"{value!r} is not a number")
    return value


FORMAT = Format(
    name="lines",
    extensions=(".jsonl",),
    holds=frozenset({"moves", "comments", "evaluations", "times", "start", "sizes", "names", "outcome"}),
    sniff=_sniff,
    read=_read,
)
