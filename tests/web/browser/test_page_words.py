"""Every word the page asks for is there in every language, fits its places, and is asked for."""

import json
import re
from functools import cache
from pathlib import Path

import pytest

WEB = Path(__file__).parents[3] / "src" / "othellier" / "page"
SOURCES = "\n".join(path.read_text(encoding="utf-8") for path in sorted((WEB / "static").rglob("*.[jh]*")))
LANGUAGES = [path.stem for path in sorted((WEB / "i18n").glob("*.json"))]


@cache
def words(language: str) -> dict[str, str]:
    loaded: dict[str, str] = json.loads((WEB / "i18n" / f"{language}.json").read_text(encoding="utf-8"))
    return loaded


def prefixes() -> set[str]:
    """Beginnings of keys that are put together, such as `level.`."""
    return set(re.findall(r"(?:\bt\(|\bhas\(|key = )`([a-z]\w*\.(?:\w*_)?)\$\{", SOURCES))


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_key_asked_for_has_words(language: str) -> None:
    asked = set(re.findall(r"""\bt\(["']([^"']+)["']|data-t(?:-label)?="([^"]+)\"""", SOURCES))
    keys = {first or second for first, second in asked}
    assert len(keys) > 150
    assert keys <= set(words(language))
    for prefix in prefixes():
        assert any(key.startswith(prefix) for key in words(language)), prefix


@pytest.mark.parametrize("language", [name for name in LANGUAGES if name != "en"])
def test_translations_fill_in_the_same_places(language: str) -> None:
    for key, text in words("en").items():
        other = words(language)[key]
        assert set(re.findall(r"\{(\w+)\}", text)) == set(re.findall(r"\{(\w+)\}", other)), key
        # Where a word agrees with its number, {n:disc|discs}, one language may need it and another not.
        forms = [re.sub(r"\{\w+:[^}]*\}", "", each).count("|") for each in (text, other)]
        assert forms[0] == forms[1], key
        assert re.findall(r"^\[\d\]$", text, re.MULTILINE) == re.findall(r"^\[\d\]$", other, re.MULTILINE), key


@pytest.mark.parametrize("language", LANGUAGES)
def test_whoever_waits_names_the_button_there_is(language: str) -> None:
    assert words(language)["short.go"] in words(language)["bar.rests"]
