"""The command line in other languages: help and the words of the everyday commands.

Texts are written in English where they belong. `fr.json` beside this file maps them to French, and a test holds it to
every help text there is. The language is that of `--language`, else that of the system's locale.
"""

from __future__ import annotations

import json
import locale
import os
from functools import cache
from importlib import resources

from othellier.errors import ConfigError
from othellier.messages.languages import ENGLISH, FrenchFormatter, languages

__all__ = ["OPTION", "choose_language", "language", "say"]

OPTION = "--language"
_chosen = "en"


def choose_language(arguments: list[str]) -> None:
    """Find the language: by the option before the command, by the locale, or English."""
    global _chosen
    _chosen = _of_locale()
    for index, argument in enumerate(arguments):
        if not argument.startswith("-"):
            return
        name, given, value = argument.partition("=")
        if name == OPTION:
            value = value if given else "".join(arguments[index + 1 : index + 2])
            if value not in languages():
                raise ConfigError(f"there is no language {value!r}: there are {', '.join(languages())}")
            _chosen = value
            return


def _of_locale() -> str:
    """As gettext does: the first of these variables that says anything."""
    for name in ("LC_ALL", "LC_MESSAGES", "LANG"):
        value = os.environ.get(name, "")
        if value:
            return _known(value)
    return _known(locale.getlocale()[0] or "")


def _known(value: str) -> str:
    code = value.partition("_")[0].partition(".")[0].lower()
    code = "fr" if code == "french" else code  # as Windows calls it
    return code if code in languages() else ENGLISH


def language() -> str:
    """The language of this run."""
    return _chosen


@cache
def _words(code: str) -> dict[str, str]:
    file = resources.files(__package__) / f"{code}.json"
    if not file.is_file():  # English, or a language that only the page has words for
        return {}
    words: dict[str, str] = json.loads(file.read_text("utf-8"))
    return words


def say(text: str, /, **values: object) -> str:
    """A text in the language of this run, with its values put in."""
    found = _words(_chosen).get(text, text)
    if not values:
        return found
    return FrenchFormatter().format(found, **values) if _chosen == "fr" else found.format(**values)
