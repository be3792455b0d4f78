"""What ships: files that were made for each other, and documents that tell their numbers."""

from othellier.learn.archive import shipped_archive
from othellier.learn.card import card_numbers, make_card, shipped_card
from othellier.learn.manifest import check, package
from othellier.learn.ship import with_numbers


def test_the_shipped_files_belong_together() -> None:
    assert check(package()) == []


def test_the_shipped_card_and_document_are_those_of_the_shipped_log() -> None:
    assert shipped_card() == make_card(shipped_archive())
    text = (package().parents[1] / "docs/learning.md").read_text(encoding="utf-8")
    assert text == with_numbers(text, shipped_card()), "bring the numbers up to date: othellier learn ship"


def test_the_french_document_has_the_same_numbers() -> None:
    text = (package().parents[1] / "docs/learning.fr.md").read_text(encoding="utf-8")
    rows = [
        line.split("|")[2:]
        for line in card_numbers(shipped_card())
        if line.startswith(("| tables", "| value", "| policy"))
    ]
    assert rows
    for row in rows:
        assert "|".join(row).replace(".", ",").replace("%", " %") in text
