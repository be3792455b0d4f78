"""Every registered format keeps what it says it keeps: a new one is picked up by itself."""

import tempfile
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from record_games import games, plain_game

from othellier import records
from othellier.base.text import clean_text
from othellier.errors import RecordError
from othellier.games.game import Game
from othellier.records import FORMATS, Format
from othellier.records.format import RecordSource

WRITABLE = [format_ for format_ in FORMATS if format_.writes]
QUICK = settings(max_examples=30, suppress_health_check=[HealthCheck.too_slow])


def name(format_: Format) -> str:
    return format_.name


def fitting(format_: Format, drawn: list[Game]) -> list[Game]:
    """Those of the games that the format takes, as it will keep them."""
    kept = []
    for game in drawn:
        try:
            kept.append(format_.fitted(game))
        except RecordError:
            continue
    return kept


@pytest.mark.parametrize("format_", WRITABLE, ids=name)
@QUICK
@given(drawn=st.lists(games(), min_size=1, max_size=3))
def test_what_is_written_is_read_back(format_: Format, drawn: list[Game]) -> None:
    kept = fitting(format_, drawn)
    if format_.name == "wthor":  # a file has one year
        kept = [game for game in kept if game.headers.date == kept[0].headers.date]
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / f"games{format_.extensions[0]}"
        if not kept:
            with pytest.raises(RecordError):
                records.write(drawn, path)
            return
        records.write(kept, path)
        assert records.read(path) == kept
        assert records.recognise(RecordSource(str(path), path.read_bytes())) is format_


@pytest.mark.parametrize("format_", WRITABLE, ids=name)
@QUICK
@given(game=games())
def test_a_fitted_game_fits(format_: Format, game: Game) -> None:
    for kept in fitting(format_, [game]):
        assert format_.fitted(kept) == kept


@QUICK
@given(game=games())
def test_sgf_holds_every_game_but_odd_names(game: Game) -> None:
    kept = records.find_format("sgf").fitted(game)
    for node, other in zip(game.root.walk(), kept.root.walk(), strict=True):
        assert (node.move, node.seconds, node.scores) == (other.move, other.seconds, other.scores)
        assert other.comment == clean_text(node.comment)
    assert kept.outcome() == game.outcome()


@pytest.mark.parametrize("source", WRITABLE, ids=name)
@pytest.mark.parametrize("target", WRITABLE, ids=name)
def test_every_pair_converts_or_says_why_not(source: Format, target: Format, tmp_path: Path) -> None:
    first, second = tmp_path / f"a{source.extensions[0]}", tmp_path / f"b{target.extensions[-1 if target.text else 0]}"
    originals = [plain_game(seed) for seed in (1, 2)]
    records.write(originals, first)
    kept = [source.fitted(game) for game in originals]
    if "moves" in target.holds and "start" not in target.holds and "moves" not in source.holds:
        with pytest.raises(RecordError, match=r"game 1: cannot be written as .*: starts from a position of its own"):
            records.convert(first, second, target_format=target.name)
        assert not second.exists()
        return
    assert records.convert(first, second, target_format=target.name) == 2
    assert records.read(second) == [target.fitted(game) for game in kept]


def test_wthor_to_ggf_and_back_loses_nothing(tmp_path: Path) -> None:
    originals = [plain_game(seed) for seed in range(5)]
    for number, game in enumerate(originals):
        game.headers.black, game.headers.theory = f"Player {number}", (number, 24)
    first, middle, last = tmp_path / "a.wtb", tmp_path / "b.ggf", tmp_path / "new" / "c.wtb"
    last.parent.mkdir()
    records.write(originals, first)
    assert records.convert(first, middle) == 5
    assert records.convert(middle, last) == 5
    assert records.read(last) == records.read(first) == originals
    assert last.read_bytes() == first.read_bytes()


def test_only_wthor_and_the_read_only_formats_have_no_text() -> None:
    assert [format_.name for format_ in FORMATS if format_.text is None] == ["lines", "logbook", "eothello", "wthor"]
    with pytest.raises(RecordError, match="wthor: cannot be written as text"):
        records.dumps([plain_game()], "wthor")


@pytest.mark.parametrize(("document", "yes", "no"), [("formats.md", "yes", "no"), ("formats.fr.md", "oui", "non")])
def test_the_document_tells_what_formats_keep_and_which_are_written(document: str, yes: str, no: str) -> None:
    text = (Path(__file__).parents[2] / "docs" / document).read_text(encoding="utf-8")
    rows = [[cell.strip(" `") for cell in line.split("|")[1:-1]] for line in text.splitlines() if line[:2] == "| "]
    words = {True: yes, False: no}
    assert {ending: told for _, ending, _, *told in rows[1:]} == {
        format_.extensions[0]: [words["comments" in format_.holds], words[format_.writes]] for format_ in FORMATS
    }
    assert [format_.name for format_ in FORMATS if "variations" in format_.holds] == ["sgf"]


def test_names_and_endings_are_unique() -> None:
    assert len({format_.name for format_ in FORMATS}) == len(FORMATS)
    endings = [ending for format_ in FORMATS for ending in format_.extensions]
    assert len(set(endings)) == len(endings)
