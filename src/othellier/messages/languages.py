"""The languages there are: each is a file of `web/i18n/`, found by its name. A new language is a new file there.

The page, the server, the terminal and the command line all ask here. What a language has no words
for is said in English.
"""

from __future__ import annotations

import json
import re
import string
from collections.abc import Mapping
from functools import cache
from importlib import resources
from types import MappingProxyType
from typing import Any, Protocol

__all__ = [
    "ENGLISH",
    "FrenchFormatter",
    "Translator",
    "dictionary",
    "english",
    "fill",
    "french_number",
    "languages",
]

ENGLISH = "en"
SINGULAR = {"fr": (0, 1)}
"""The numbers that go with the singular: 1 alone, unless a language has it otherwise."""
FRENCH_SIGNS = str.maketrans({",": "\N{NARROW NO-BREAK SPACE}", ".": ","})


class Translator(Protocol):
    """Whoever says an English text in a language, with its values put in: `say("{n:,} games", n=1000)`."""

    def __call__(self, text: str, /, **values: Any) -> str: ...  # noqa: D102


def english(text: str, /, **values: Any) -> str:
    """The text as it is.

    >>> english("{n:,} games", n=1000)
    '1,000 games'
    """
    return text.format(**values) if values else text


@cache
def languages() -> Mapping[str, str]:
    """The codes of all languages, and what each calls itself.

    >>> languages()["fr"]
    'Français'
    """
    files = sorted(resources.files("othellier").joinpath("page", "i18n").iterdir(), key=lambda file: file.name)
    codes = [file.name.removesuffix(".json") for file in files if file.name.endswith(".json")]
    return MappingProxyType({code: dictionary(code).get("language.name", code) for code in codes})


@cache
def dictionary(code: str = ENGLISH) -> Mapping[str, str]:
    """All words of a language by their keys, those it lacks in English; English where there is no such language."""
    file = resources.files("othellier").joinpath("page", "i18n", f"{code}.json")
    if not code.isalpha() or not file.is_file():
        return dictionary()
    words: dict[str, str] = json.loads(file.read_text(encoding="utf-8"))
    return MappingProxyType(words if code == ENGLISH else {**dictionary(), **words})


def fill(text: str, values: Mapping[str, object], code: str = ENGLISH) -> str:
    """A text with its values put in, and of `{name:disc|discs}` the form that suits the number of that name.

    >>> fill("{n} {n:disc|discs}", {"n": 1}), fill("{n} {n:disc|discs}", {"n": 2})
    ('1 disc', '2 discs')
    """

    def put(found: re.Match[str]) -> str:
        value = values[found["name"]]
        if found["one"] is None:
            return str(value)
        return found["one"] if value in SINGULAR.get(code, (1,)) else found["many"]

    return re.sub(r"\{(?P<name>\w+)(?::(?P<one>[^|}]*)\|(?P<many>[^}]*))?\}", put, text)


def french_number(text: str) -> str:
    """A number as French writes it: thin spaces between thousands, a comma before the decimals.

    >>> french_number("-1.5")
    '-1,5'
    """
    return text.translate(FRENCH_SIGNS)


class FrenchFormatter(string.Formatter):
    """`str.format` with the numbers as French writes them.

    >>> FrenchFormatter().format("{gain:+.1f} pions", gain=2)
    '+2,0 pions'
    """

    def format_field(self, value: Any, format_spec: str) -> str:
        """A number as it is written in French, anything else as it is."""
        text: str = super().format_field(value, format_spec)
        return french_number(text) if isinstance(value, int | float) else text
