"""Messages between the arena and guarded players: JSON, of which the arena reads no more than it expects.

A question is the player and the start of a game, or a position, the moves since the last one and a limit. An answer
is `true`, a result or an error. Whatever else comes from a player, however large or deep, is a ValueError.
"""

from __future__ import annotations

import json
import math
from dataclasses import fields
from operator import index
from typing import Any, get_args

from othellier.base.text import clean_line
from othellier.errors import ConfigError, OthellierError, PlayerError, Resigned
from othellier.games.results import Bound, Limit, MoveSource, MoveValue, Result, ResultBound
from othellier.rules import native
from othellier.rules.board import Color, Position
from othellier.rules.geometry import Size

__all__ = ["LONGEST", "Begin", "Choose", "read_answer", "read_question", "write_answer", "write_question"]

LONGEST = 1 << 16
"""Bytes of an answer: those of our own searches, with the values of all moves, take some five thousand."""

DIGITS = 20
"""Of a number: positions that were visited fit into 64 bits."""

WHOLE = ("depth", "nodes", "selectivity", "infinite")
"""Fields of a limit that hold a whole number, or yes or no."""

WORDS = 2_000
"""Characters of an error."""

ERRORS: dict[str, type[OthellierError]] = {"config": ConfigError, "player": PlayerError, "resigned": Resigned}

Begin = tuple[str, Position, int]
"""A player string, the position a game begins with, and a seed."""
Choose = tuple[tuple[int, ...], Position, Limit]
"""Moves played since the last question, the position, and how long to think."""


def write_question(question: Begin | Choose) -> bytes:
    """Return the bytes of a question; `limit.stop` has no meaning in another process and is left out."""
    first, position, last = question
    facts: dict[str, Any] = {"board": position.board_string(), "size": str(position.size)}
    if isinstance(last, Limit) and not isinstance(first, str):
        facts |= {"observed": [index(move) for move in first], "limit": _limit(last)}
    else:
        facts |= {"player": first, "seed": last}
    return json.dumps(facts).encode()


def _limit(limit: Limit) -> dict[str, float]:
    values = ((field.name, getattr(limit, field.name)) for field in fields(Limit) if field.name != "stop")
    return {name: index(value) if name in WHOLE else float(value) for name, value in values if value is not None}


def read_question(message: bytes) -> Begin | Choose:
    """Return the question of these bytes, which come from the arena.

    >>> from othellier import start
    >>> read_question(write_question(((19,), start(4), Limit(depth=3)))) == ((19,), start(4), Limit(depth=3))
    True
    """
    facts = json.loads(message)
    position = native.parse(facts["board"], Size.parse(facts["size"]))
    if "player" in facts:
        return facts["player"], position, facts["seed"]
    return tuple(facts["observed"]), position, Limit(**facts["limit"])


def write_answer(answer: Result | OthellierError | None) -> bytes:
    """Return the bytes of an answer, whose values are plain; None says that the player is ready."""
    if answer is None:
        return b"true"
    if isinstance(answer, OthellierError):
        kind = next((name for name, error in ERRORS.items() if type(answer) is error), "player")
        return json.dumps({"error": kind, "words": str(answer)[:WORDS]}).encode()
    facts = {field.name: getattr(answer, field.name) for field in fields(Result)}
    facts["moves"] = [(one.move, one.value, one.bound, one.visits) for one in answer.moves]
    return json.dumps(facts, allow_nan=False).encode()


def read_answer(message: bytes) -> Result | OthellierError | None:
    """Return the answer of these bytes, which anybody may have written; raise ValueError if it is none.

    >>> read_answer(write_answer(Result(19, "black", nodes=7))).nodes
    7
    >>> read_answer(b'{"move": 19, "turn": "black", "nodes": 1' + 5000 * b"0" + b"}")
    Traceback (most recent call last):
    ValueError: a number has too many digits
    """
    if len(message) > LONGEST:
        raise ValueError("it is too long")
    try:
        facts = json.loads(message, parse_int=_whole, parse_float=_number, parse_constant=_number)
    except RecursionError:
        raise ValueError("it is too deep") from None
    if facts is True:
        return None
    if not isinstance(facts, dict):
        raise ValueError("it is no object")
    if "error" in facts:
        kind, words = facts["error"], facts.get("words", "")
        if not isinstance(kind, str) or kind not in ERRORS or not isinstance(words, str):
            raise ValueError("it is no error")
        return ERRORS[kind](clean_line(words, WORDS))
    return _result(facts)


def _whole(text: str) -> int:
    if len(text) > DIGITS:
        raise ValueError("a number has too many digits")
    return int(text)


def _number(text: str) -> float:
    value = float(text)
    if not math.isfinite(value):
        raise ValueError("a number is not finite")
    return value


def _result(facts: dict[str, Any]) -> Result:
    score = facts.get("score")
    return Result(
        _int(facts.get("move")),
        _word(facts.get("turn"), Color),
        None if score is None else _float(score),
        _word(facts.get("bound", "estimate"), ResultBound),
        _int(facts.get("depth", 0)),
        _int(facts.get("nodes", 0)),
        _float(facts.get("seconds", 0.0)),
        tuple(map(_int, _list(facts.get("pv", [])))),
        _word(facts.get("source", "choice"), MoveSource),
        _int(facts.get("selectivity", 100)),
        tuple(map(_move_value, _list(facts.get("moves", [])))),
        facts.get("may_be_beaten") is True,
    )


def _move_value(row: object) -> MoveValue:
    move, value, bound, visits = _list(row)
    return MoveValue(_int(move), _float(value), _word(bound, Bound), _int(visits))


def _int(value: object) -> int:
    if type(value) is not int:
        raise ValueError("a whole number is missing")
    return value


def _float(value: object) -> float:
    if type(value) not in (int, float):
        raise ValueError("a number is missing")
    assert isinstance(value, int | float)
    return value


def _word(value: object, words: Any) -> Any:
    if value not in get_args(words):
        raise ValueError("a word is unknown")
    return value


def _list(value: object) -> list[Any]:
    if not isinstance(value, list):
        raise ValueError("a list is missing")
    return value
