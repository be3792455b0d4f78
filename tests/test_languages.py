"""Languages: what one lacks is said in English, and what is no language is English."""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from othellier.messages import languages


@pytest.fixture
def german(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """English with two words, and a German that has one of them."""
    folder = tmp_path / "page" / "i18n"
    folder.mkdir(parents=True)
    (folder / "en.json").write_text(json.dumps({"language.name": "English", "hint": "Hint", "undo": "Undo"}))
    (folder / "de.json").write_text(json.dumps({"language.name": "Deutsch", "hint": "Tipp"}))
    monkeypatch.setattr("othellier.messages.languages.resources.files", lambda _: tmp_path)
    for cached in (languages.dictionary, languages.languages):
        cached.cache_clear()
    yield
    for cached in (languages.dictionary, languages.languages):
        cached.cache_clear()


@pytest.mark.usefixtures("german")
def test_what_a_language_lacks_is_said_in_english() -> None:
    assert dict(languages.languages()) == {"de": "Deutsch", "en": "English"}
    assert dict(languages.dictionary("de")) == {"language.name": "Deutsch", "hint": "Tipp", "undo": "Undo"}
    assert languages.dictionary("xx") == languages.dictionary("../de") == languages.dictionary("en")
