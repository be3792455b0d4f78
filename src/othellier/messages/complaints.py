"""What went wrong, in the language of this run.

Errors are worded in English where they are raised, with the values of the case in them. `errors.fr.json` beside this
file maps their patterns to French: `{name}` stands for a value, which may be a message itself. A message without a
pattern stays as it is. A test holds every pattern to a message that the program has.
"""

from __future__ import annotations

import json
import re
from functools import cache
from importlib import resources

from othellier.messages.language import language

__all__ = ["FIELD", "LONGEST", "ON_BOARD", "VALUE", "VALUES", "complaint", "complaint_patterns"]

FIELD = re.compile(r"\{(\w+)\}")
VALUE = r"(?:(?!: ).)+?"
VALUES = {"number": r"\d+", "why": r".+?", "spec": r".+?"}
"""What a field stands for: a message of its own, or a command with anything in it, may hold a colon."""
ON_BOARD = re.compile(r"(?P<words>.+) (?P<board>\([XO-]{9,} [XO]\))", re.DOTALL)
"""A message with the position it is about, as errors of players have it."""
LONGEST = 2_000
"""Characters of a message up to which it is compared with patterns."""


@cache
def complaint_patterns(code: str) -> dict[str, str]:
    """The patterns of a language, the most telling first; none for English."""
    file = resources.files(__package__) / f"errors.{code}.json"
    if not file.is_file():
        return {}
    found: dict[str, str] = json.loads(file.read_text("utf-8"))
    return dict(sorted(found.items(), key=lambda pair: -len(FIELD.sub("", pair[0]))))


@cache
def _compiled(code: str) -> list[tuple[re.Pattern[str], str]]:
    def expression(pattern: str) -> re.Pattern[str]:
        parts = FIELD.split(pattern)
        texts = (
            f"(?P<{part}>{VALUES.get(part, VALUE)})" if index % 2 else re.escape(part)
            for index, part in enumerate(parts)
        )
        return re.compile("".join(texts), re.DOTALL)

    return [(expression(pattern), words) for pattern, words in complaint_patterns(code).items()]


def complaint(message: str) -> str:
    """A message in the language of this run, as far as it has words for it."""
    return _translated(message, language()) if len(message) <= LONGEST else message


def _translated(message: str, code: str) -> str:
    for expression, words in _compiled(code):
        found = expression.fullmatch(message)
        if found is not None:
            return words.format(**{name: _translated(value, code) for name, value in found.groupdict().items()})
    if (found := ON_BOARD.fullmatch(message)) is not None:
        told = _translated(found["words"], code)
        if told != found["words"]:
            return f"{told} {found['board']}"
    place, colon, rest = message.partition(": ")  # a file and a place in it, then what is wrong there
    if colon:
        told = _translated(rest, code)
        if told != rest:
            return f"{_translated(place, code)} : {told}"
    first, comma, more = message.partition(", ")
    if comma:
        told = _translated(more, code)
        if told != more:
            return f"{_translated(first, code)}, {told}"
    return message
