"""The terminal's game in French: every text of it has its words, with the same places to fill in."""

import json
from importlib import resources
from string import Formatter

import pytest

from othellier.messages import language
from othellier.terminal.screen import COMMANDS, WORDS

FRENCH: dict[str, str] = json.loads((resources.files("othellier.messages") / "fr.json").read_text("utf-8"))
SAME = {"level"}  # nothing to translate


def places(text: str) -> set[str]:
    return {name for _, name, _, _ in Formatter().parse(text) if name}


@pytest.mark.parametrize("text", [*(text for key, text in WORDS.items() if key not in SAME), *COMMANDS.values()])
def test_every_text_is_translated(text: str) -> None:
    assert text in FRENCH
    assert places(text) == places(FRENCH[text])


def test_a_text_is_said_in_the_language_of_the_run() -> None:
    language.choose_language(["--language", "fr"])
    try:
        assert language.say(WORDS["plays"], color=language.say("black"), move="d3") == "noir joue d3"
    finally:
        language.choose_language(["--language", "en"])
