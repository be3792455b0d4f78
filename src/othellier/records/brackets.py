"""The bracket syntax that GGF and SGF share: trees of nodes of properties, `(;KEY[value][value];...)`.

Only the syntax: what the properties mean is the business of `ggf.py` and `sgf.py`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import suppress
from typing import NamedTuple

from othellier.errors import RecordError
from othellier.records.format import Source

__all__ = ["Token", "escape", "first_properties", "trees"]

DEEPEST, LONGEST = 1_000, 500_000
"""Brackets within brackets, and tokens and values, after which a text is no game: it would only fill the memory."""

HEAD = 4_000
"""Characters by which a text is recognised."""

BLANK = re.compile(r"[\s\d]*", re.ASCII)  # GGS archives put the number of games before them
SPACE = re.compile(r"\s*")
BEGIN = re.compile(r"\([\s(]*;")
KEY = re.compile(r"[A-Za-z]{1,32}")
VALUE = re.compile(r"\[((?:[^\]\\]++|\\.)*+)\]\s*", re.DOTALL)  # possessive: no way back, so no slow ways forward
ESCAPED = re.compile(r"\\(\r\n|.)", re.DOTALL)


class Token(NamedTuple):
    """A bracket, a semicolon or a property, and where it stands."""

    kind: str
    """`(`, `)`, `;` or the name of a property."""
    values: tuple[str, ...]
    at: int


def trees(source: Source) -> Iterator[list[Token]]:
    """The tokens of each outermost `( ... )`; what is not well formed is raised as a RecordError."""
    text = source.text
    at = _skip(BLANK, text, 0)
    while at < len(text):
        if text[at] != "(":
            raise source.error(source.line(at), f"{text[at : at + 10]!r} where a game should begin with '('")
        tokens: list[Token] = []
        depth = size = 0
        while not tokens or depth:
            token, at = _token(source, text, at)
            depth += {"(": 1, ")": -1}.get(token.kind, 0)
            size += 1 + len(token.values)
            tokens.append(token)
            if depth > DEEPEST or size > LONGEST:
                raise source.error(source.line(token.at), "this is larger than any game")
        yield tokens
        at = _skip(BLANK, text, at)


def first_properties(source: Source) -> dict[str, str]:
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


def _token(source: Source, text: str, at: int) -> tuple[Token, int]:
    """The token at a place that is not blank, and the next such place."""
    if at >= len(text):
        raise source.error(source.line(at), "the text ends before its brackets are closed")
    if text[at] in "();":
        return Token(text[at], (), at), _skip(SPACE, text, at + 1)
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
