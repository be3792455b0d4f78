"""Text that others have written, made fit to be kept and shown: names, comments, whatever stands in a record.

Every reader of records and the page's server pass such text through here on its way in, so that what is kept never
holds a control character (a terminal would obey an escape sequence), nothing that turns the direction of writing
round, and never more than a limit. Brackets, quotes and backslashes are text like any other: quoting them is for
whoever writes a format.
"""

from __future__ import annotations

__all__ = ["LONGEST_LINE", "LONGEST_TEXT", "clean_line", "clean_text", "plain"]

LONGEST_LINE = 200
"""Characters of a name, a place, a date."""
LONGEST_TEXT = 10_000
"""Characters of a comment."""

ENDS = "\r\x0b\x0c\x85\u2028\u2029"
DIRECTIONS = "\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069"  # embeddings, overrides, isolates
MARK = "\ufeff"  # of the byte order; elsewhere it is nothing
CONTROLS = (chr(code) for code in (*range(0x20), *range(0x7F, 0xA0)))
CLEANED = str.maketrans(
    {
        **{sign: None for sign in (*CONTROLS, *DIRECTIONS, MARK) if sign not in "\t\n"},
        **dict.fromkeys(ENDS, "\n"),
        **{chr(code): "?" for code in range(0xD800, 0xE000)},  # halves of characters, which no file can hold
    }
)


def clean_text(text: str, most: int = LONGEST_TEXT) -> str:
    r"""Text of several lines, without blanks around it; one that is too long is cut and ends with `…`.

    >>> clean_text("one\r\ntwo \x1b[31m")
    'one\ntwo [31m'
    """
    return _cut(plain(text).strip(), most)


def clean_line(text: str, most: int = LONGEST_LINE) -> str:
    r"""Text as one line, with single blanks.

    >>> clean_line(" Ann\t\x00 \nLee ")
    'Ann Lee'
    """
    return _cut(" ".join(plain(text).split()), most)


def plain(text: str) -> str:
    """Text without what a terminal would obey or a file cannot hold; nothing else is changed."""
    if text.isascii() and text.isprintable():  # nearly all names are: nothing to be done
        return text
    return text.replace("\r\n", "\n").translate(CLEANED)


def _cut(text: str, most: int) -> str:
    return text if len(text) <= most else text[: most - 1].rstrip() + "…"
