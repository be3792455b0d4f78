"""What the laboratory says, in English or French: English texts stand in the code, `fr.json` has their translations.

Numbers in French have a comma before the decimals and thin spaces between thousands.
"""

from __future__ import annotations

import json
import math
from collections.abc import Iterable
from functools import cache
from pathlib import Path
from typing import Any, get_args

from othellier.errors import ConfigError, nearest
from othellier.messages.languages import FrenchFormatter, english, french_number
from othellier.search.trees.drawing import Language

__all__ = ["Words", "french", "parse_language"]


@cache
def french() -> dict[str, str]:
    """The French of every text, by its English."""
    texts: dict[str, str] = json.loads((Path(__file__).parent / "fr.json").read_text(encoding="utf-8"))
    return texts


def parse_language(name: str) -> Language:
    """A language by its code."""
    for language in get_args(Language):
        if name.lower() == language:
            found: Language = language
            return found
    raise ConfigError(f"there is no language {name!r}{nearest(name, get_args(Language))}: en or fr expected")


class Words:
    """Texts in a language: `say("{n:,} games", n=1000)`.

    >>> Words("en")("{n:,} games in {s:g} s", n=1000, s=0.5)
    '1,000 games in 0.5 s'

    A text without a translation stays English; `missing` remembers which.
    """

    def __init__(self, language: Language = "en") -> None:
        self.language = language
        self.missing: set[str] = set()

    def __call__(self, text: str, /, **values: Any) -> str:
        """The text in the language, its places filled."""
        if self.language == "en":
            return english(text, **values)
        known = french().get(text)
        if known is None:
            self.missing.add(text)
            known = text
        return FrenchFormatter().format(known, **values) if values else known

    @property
    def between(self) -> str:
        """What stands between the ends of an interval: not the sign of the decimals."""
        return ", " if self.language == "en" else "\N{NO-BREAK SPACE}; "

    def join(self, parts: Iterable[str]) -> str:
        """Statements in a row."""
        return ("; " if self.language == "en" else "\N{NO-BREAK SPACE}; ").join(parts)

    def measured(self, value: float, low: float, high: float) -> tuple[str, str, str]:
        """A measured number and the ends of its interval, with as many digits as the interval has a use for.

        >>> Words("en").measured(89, 83.91, 92.57), Words("fr").measured(1.163, 0.971, 1.38)
        (('89.0', '83.9', '92.6'), ('1,16', '0,97', '1,38'))
        """
        if not 0 < high - low < math.inf:
            return self.number(value), self.number(low), self.number(high)
        digits = max(0, 1 - math.floor(math.log10(high - low)))
        texts = (f"{one:,.{digits}f}" for one in (value, low, high))
        first, second, third = texts if self.language == "en" else map(french_number, texts)
        return first, second, third

    def number(self, value: float) -> str:
        """A number as people read it: three digits that mean something, thousands apart.

        >>> Words("en").number(1234567), Words("fr").number(0.1234)
        ('1,234,567', '0,123')
        """
        if isinstance(value, int):
            text = f"{value:,}"
        else:
            text = f"{value:,.0f}" if abs(value) >= 1000 else f"{value:.4g}" if abs(value) >= 100 else f"{value:.3g}"
        return text if self.language == "en" else french_number(text)
