"""The bracket syntax that GGF and SGF share: trees of nodes of properties, `(;KEY[value][value];...)`.

Only the syntax: what the properties mean is the business of `ggf.py` and `sgf.py`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import suppress
from typing import NamedTuple

from othellier.errors import RecordError
from othellier.records.format import RecordSource

__all__ = ["RUN", "Token", "escape", "first_properties", "trees"]

RUN = "moves"
"""The kind of a token that is many bare moves at once."""

DEEPEST, LONGEST = 1_000, 500_000
"""Brackets within brackets, and tokens and values, after which a text is no game: it would only fill the memory."""
SHORTEST = 3
"""Characters of a move with its side and its brackets: a pass, `B[]`, has no others."""

HEAD = 4_000
"""Characters by which a text is recognised."""

BLANK = re.compile(r"[\s\d]*", re.ASCII)  # GGS archives put the number of games before them
SPACE = re.compile(r"\s*")
BEGIN = re.compile(r"\([\s(]*;")
KEY = re.compile(r"[A-Za-z]{1,32}")
# Written out so that there is one way forward and none back. Possessive groups would say it shorter, but before Python
# 3.11.5 they are wrong.
VALUE = re.compile(r"\[([^\]\\]*+(?:\\.[^\]\\]*+)*)\]\s*+", re.DOTALL)
PROPERTY = re.compile(rf"([A-Za-z]{{1,32}})\s*+{VALUE.pattern}(?!\[)", re.DOTALL)  # with one value, as most have
ESCAPED = re.compile(r"\\(\r\n|.)", re.DOTALL)


class Token(NamedTuple):
    """A bracket, a semicolon or a property, and where it stands."""

    kind: str
    """`(`, `)`, `;`, the name of a property, or RUN."""
    values: tuple[str, ...]
    at: int


def trees(source: RecordSource, run: re.Pattern[str]) -> Iterator[list[Token]]:
    """The tokens of each outermost `( ... )`; what is not well formed is raised as a RecordError.

    What `run` matches is one token of its own, whose value is the whole text: nearly all of a file is bare moves.
    """
    text = source.text
    at = _skip(BLANK, text, 0)
    while at < len(text):
        if text[at] != "(":
            raise source.error(source.line(at), f"{text[at : at + 10]!r} where a game should begin with '('")
        tokens: list[Token] = []
        depth = size = 0
        while not tokens or depth:
            moves = run.match(text, at) if tokens else None
            if moves is not None:
                token, at = Token(RUN, (moves[0],), at), moves.end()
                size += len(moves[0]) // SHORTEST
            else:
                token, at = _token(source, text, at)
                depth += (token.kind == "(") - (token.kind == ")")
                size += 1 + len(token.values)
            tokens.append(token)
            if depth > DEEPEST or size > LONGEST:
                raise source.error(source.line(token.at), "this is larger than any game")
        source.done = at / len(text)
        yield tokens
        at = _skip(BLANK, text, at)


def first_properties(source: RecordSource) -> dict[str, str]:
    """The properties a text in brackets begins with, each by its first value; none where it is no such text."""
    text = source.text[:HEAD]
    found: dict[str, str] = {}
    at = _skip(BLANK, text, 0)
    if BEGIN.match(text, at) is None:
        return found
    with suppress(RecordError):  # the head ends within a value, or has a mistake that its reader will name
        while True:
            token, at = _token(source, text, at)
            if token.values:
                found.setdefault(token.kind, token.values[0].strip())
    return found


def _skip(pattern: re.Pattern[str], text: str, at: int) -> int:
    match = pattern.match(text, at)
    return match.end() if match is not None else at


def _token(source: RecordSource, text: str, at: int) -> tuple[Token, int]:
    """The token at a place that is not blank, and the next such place."""
    if at >= len(text):
        raise source.error(source.line(at), "the text ends before its brackets are closed")
    if text[at] in "();":
        return Token(text[at], (), at), _skip(SPACE, text, at + 1)
    plain = PROPERTY.match(text, at)
    if plain is not None:
        return Token(plain[1].upper(), (_unescape(plain[2]),), at), plain.end()
    key = KEY.match(text, at)
    if key is None:
        raise source.error(source.line(at), f"{text[at : at + 10]!r} where a property should stand")
    values = []
    end = _skip(SPACE, text, key.end())
    while text.startswith("[", end):
        value = VALUE.match(text, end)
        if value is None:
            raise source.error(source.line(end), f"the '[' after {key[0]} is never closed")
        values.append(_unescape(value[1]))
        end = value.end()
    if not values:
        raise source.error(source.line(at), f"{key[0]} has no value in brackets")
    return Token(key[0].upper(), tuple(values), at), end


def _unescape(value: str) -> str:
    if "\\" in value:
        # A backslash before the end of a line joins it to the next one.
        value = ESCAPED.sub(lambda match: "" if match[1] in ("\n", "\r", "\r\n") else match[1], value)
    if "\r" in value:
        value = value.replace("\r\n", "\n").replace("\r", "\n")
    return value


def escape(value: str) -> str:
    """The text of a value, safe between brackets."""
    return value.replace("\\", "\\\\").replace("]", "\\]")
