"""Texts that people read, and the languages they are read in.

complaints  error messages in that language
language    the language of this run, and the command line's texts in it
languages   the languages there are, each a file of `web/i18n/`, and their words
"""

from __future__ import annotations

TYPE_CHECKING = False  # importing `typing` for it would cost every start

if TYPE_CHECKING:
    from othellier.messages.languages import ENGLISH, Translator, fill

__all__ = ["ENGLISH", "Translator", "fill"]

if not TYPE_CHECKING:
    from othellier.base.lazy import lazy_names

    __getattr__, __dir__ = lazy_names(
        __name__,
        {
            "othellier.messages.languages": ["ENGLISH", "Translator", "fill"],
        },
    )
