"""Text of others: what is taken out, what is left alone, and where it ends."""

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from othellier.base.text import LONGEST_LINE, LONGEST_TEXT, clean_line, clean_text

ANY = st.text(st.characters(), max_size=60) | st.text(st.sampled_from("a \t\n\r\x00\x1b\x85\u2028\u202e\ud800\ufeff"))


@pytest.mark.parametrize(
    ("raw", "line", "text"),
    [
        ("Ann", "Ann", "Ann"),
        ("  Ann \t Lee\n", "Ann Lee", "Ann \t Lee"),
        ("one\r\ntwo\rthree\x0bfour\x0cfive\x85six\u2028seven", None, "one\ntwo\nthree\nfour\nfive\nsix\nseven"),
        ("\x1b[31mred\x1b]0;title\x07", "[31mred]0;title", "[31mred]0;title"),
        ("\x9b2Jnul\x00\x7f\x1f", "2Jnul", "2Jnul"),
        ("\u202eright\u202c \u2066left\u2069 \ufeffmark", "right left mark", "right left mark"),
        ("half \ud800\udfff", "half ??", "half ??"),
        ("a]b[c\\ (;GM[2] 'q' \"q\" % | $(x)", "a]b[c\\ (;GM[2] 'q' \"q\" % | $(x)", None),
        ("日本 مرحبا שלום\u200f Zoë 👩‍👩‍👧", "日本 مرحبا שלום\u200f Zoë 👩‍👩‍👧", None),
    ],
)
def test_what_is_kept(raw: str, line: str | None, text: str | None) -> None:
    assert clean_line(raw) == (text or "").replace("\n", " ") if line is None else line
    assert clean_text(raw) == (line if text is None else text)


@given(raw=ANY)
def test_what_is_clean_stays_so(raw: str) -> None:
    line, text = clean_line(raw), clean_text(raw)
    assert (clean_line(line), clean_text(line), clean_text(text)) == (line, line, text)
    for sign in text.replace("\n", "").replace("\t", ""):
        assert unicodedata.category(sign) not in ("Cc", "Cs", "Zl", "Zp")
        assert unicodedata.bidirectional(sign) not in ("LRE", "RLE", "LRO", "RLO", "PDF", "LRI", "RLI", "FSI", "PDI")
    assert "\n" not in line
    assert "\t" not in line


def test_long_text_is_cut_and_says_so() -> None:
    assert clean_line("x" * LONGEST_LINE) == "x" * LONGEST_LINE
    assert clean_line("x" * (LONGEST_LINE + 1)) == "x" * (LONGEST_LINE - 1) + "…"
    assert clean_text("x" * LONGEST_TEXT) == "x" * LONGEST_TEXT
    assert clean_text("\x1b" + "x" * 7_000_000) == "x" * (LONGEST_TEXT - 1) + "…"
    assert clean_line("a" + " " * 1000 + "b") == "a b"
    assert clean_line("abc def", most=5) == "abc…"
