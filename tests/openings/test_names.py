"""The table of names: legal, without twins, found under every symmetry and order of moves."""

import doctest
from pathlib import Path

import pytest

from othellier.errors import ConfigError, IllegalMove
from othellier.games.game import Game, replay
from othellier.openings import names
from othellier.openings.keys import key_of
from othellier.records.transcript import parse_moves
from othellier.rules import native
from othellier.rules.geometry import SYMMETRIES, geometry


def test_at_least_eighty_openings_have_sure_names_in_english_and_french() -> None:
    sure = [o for o in names.openings() if o.names["en"] and o.names["fr"] and not o.doubtful & {"en", "fr"}]
    assert len(sure) >= 80
    assert all(o.names["en"] and o.names["fr"] for o in names.openings())


def test_each_position_has_one_name_and_names_are_clean() -> None:
    keys = [key_of(opening.position) for opening in names.openings()]
    assert len(set(keys)) == len(keys)
    for opening in names.openings():
        for name in opening.names.values():
            assert name == name.strip()
            assert "?" not in name


@pytest.mark.parametrize("symmetry", SYMMETRIES)
def test_openings_are_found_through_every_symmetry(symmetry: int) -> None:
    table = geometry(native.start().size).symmetry_tables[symmetry]
    mirrors_start = native.start().transform(symmetry) == native.start()
    for opening in names.openings():
        assert names.find(opening.position.transform(symmetry)) is opening
        if mirrors_start:
            assert names.opening_of([table[move] for move in opening.moves]) is opening


def test_the_order_of_moves_does_not_matter() -> None:
    assert names.name_of("e6f6f5f4") == names.name_of("f5f6e6f4")
    assert names.name_of("f5d6c4d3c3") == "Tiger"


def test_the_deepest_name_along_a_game_counts() -> None:
    line = [(count, opening.name()) for count, opening in names.line_of("f5d6c3d3c4a1"[:-2] + "f4")]
    assert line == [(2, "Perpendicular"), (3, "Inhuman"), (5, "Tiger")]
    game = Game.from_moves(parse_moves("f5f6e6f4g5"))
    assert names.name_of(game, "fr") == "Heath"
    assert names.name_of(game, "ja") == "闘牛"
    assert names.name_of(Game(6)) == ""
    assert names.name_of("f5") == ""


def test_a_name_is_found_by_its_parts_without_accents() -> None:
    assert names.search("PARALLELE")[0].transcript == "F5F4"
    assert names.search("tiger")[0].name() == "Tiger"
    assert names.search("虎")[0].names["ja"] == "虎"
    assert names.search("no such opening") == []
    with pytest.raises(ConfigError):
        names.search(" ")


def test_bad_moves_are_said_as_such() -> None:
    with pytest.raises(IllegalMove):
        names.name_of("f5a1")


def test_every_sequence_starts_at_f5() -> None:
    for opening in names.openings():
        assert opening.transcript.startswith("F5")
        assert replay(native.start(), opening.moves)[0] == opening.moves


def test_the_document_tells_the_truth() -> None:
    document = Path(__file__).parents[2] / "docs" / "openings.md"
    result = doctest.testfile(str(document), module_relative=False, encoding="utf-8")
    assert result.attempted >= 3
    assert result.failed == 0
