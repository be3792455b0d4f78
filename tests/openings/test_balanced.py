"""Balanced starts: enumerated once each, judged, kept in a band, read, written and compared."""

from collections.abc import Iterable, Sequence
from pathlib import Path

import pytest

from othellier.errors import RecordError
from othellier.openings import balanced
from othellier.openings.keys import key_of
from othellier.rules.board import Position


def mobility(positions: Sequence[Position]) -> Iterable[float]:
    """A judge that counts moves."""
    return [float(len(position.moves()) - 6) for position in positions]


def test_every_opening_is_there_once() -> None:
    plies = 5
    found = balanced.all_openings(plies)
    # By plain enumeration: every line from the start, its end taken up to symmetry.
    ends = [balanced.Start(()).position]
    for _ in range(plies):
        ends = [position.play(move) for position in ends for move in position.moves()]
    assert {key_of(position) for position in ends} == found.keys()
    for key, moves in found.items():
        assert key_of(balanced.Start(moves).position) == key
        assert len(moves) == plies


def test_judges_keep_what_lies_in_their_bands() -> None:
    found, centre = balanced.build([(mobility, 3), (mobility, 1)], plies=4)
    assert found
    balanced.check(found, plies=4, band=1)
    kept = {start.transcript: start.value for start in found}
    for moves in balanced.all_openings(4).values():
        start = balanced.Start(moves)
        value = len(start.position.moves()) - 6 - centre
        assert kept.get(start.transcript) == (value if abs(value) <= 1 else None)


def test_values_count_from_best_play() -> None:
    def best(position: Position, left: int) -> float:
        if not left:
            return next(iter(mobility([position])))
        choose = max if position.turn == "black" else min
        return choose(best(position.play(move), left - 1) for move in position.moves())

    def leaning(positions: Sequence[Position]) -> Iterable[float]:
        signs = (1 if position.turn == "black" else -1 for position in positions)
        return [value + 5 * sign for value, sign in zip(mobility(positions), signs, strict=True)]

    straight, centre = balanced.build([(mobility, 1)], plies=4)
    assert centre == best(balanced.Start(()).position, 4)
    assert balanced.build([(leaning, 1)], plies=4) == (straight, centre + 5)


def test_a_list_is_refined_by_another_judge() -> None:
    def other(positions: Sequence[Position]) -> Iterable[float]:
        # Leans to Black by 7, and thinks twice as much of everything.
        signs = (1 if position.turn == "black" else -1 for position in positions)
        return [2 * value + 7 * sign for value, sign in zip(mobility(positions), signs, strict=True)]

    found = [
        balanced.Start(moves, float(len(balanced.Start(moves).position.moves()) - 6))
        for moves in balanced.all_openings(4).values()
    ]
    values = balanced.for_black(found, other)
    centre = balanced.lean(found, values)
    assert centre == pytest.approx(7 + sum(start.value or 0 for start in found) / len(found))
    refined = balanced.refine(found, other, band=2)
    assert 0 < len(refined) < len(found)
    expected = {start.moves: now - centre for start, now in zip(found, values, strict=True) if abs(now - centre) <= 2}
    assert {start.moves: start.value for start in refined} == expected
    assert balanced.lean([balanced.Start((37,))], [3.0]) == 0.0


def test_a_list_is_written_and_read_back(tmp_path: Path) -> None:
    found, _ = balanced.build([(mobility, 2)], plies=4)
    path = tmp_path / "starts.tsv"
    balanced.write(found, path, "made\nfor a test")
    assert balanced.read(path) == found
    path.write_text("f5d6c3d3c4f4c5b3\n\nc4 e3 f6  # mine\nf5d6 -1.5\n")
    own = balanced.read(path)
    assert [(start.transcript, start.value) for start in own] == [
        ("F5D6C3D3C4F4C5B3", None),
        ("C4E3F6", None),
        ("F5D6", -1.5),
    ]


@pytest.mark.parametrize(
    ("text", "where"),
    [("f5d6\nf5a1\n", "line 2"), ("f5z9\n", "line 1"), ("f5d6 1e999\n", "line 1"), ("# nothing\n", "no start")],
)
def test_a_bad_list_is_named_with_its_line(tmp_path: Path, text: str, where: str) -> None:
    path = tmp_path / "starts.txt"
    path.write_text(text)
    with pytest.raises(RecordError, match=where):
        balanced.read(path)


def test_a_list_with_twins_strays_or_other_lengths_is_refused() -> None:
    tiger, twin = balanced.Start((37, 43, 18), 0.0), balanced.Start((26, 20, 45), 0.0)
    with pytest.raises(RecordError, match="the same as F5D6C3"):
        balanced.check([tiger, twin], plies=3)
    with pytest.raises(RecordError, match="3 moves, not 8"):
        balanced.check([tiger])
    with pytest.raises(RecordError, match="outside the band"):
        balanced.check([balanced.Start((37, 43, 18), 3.0)], plies=3)


def test_starts_are_shuffled_by_a_seed() -> None:
    first, again, others = balanced.starts(1), balanced.starts(1), balanced.starts(2)
    assert first == again
    assert first != others
    assert sorted(first) == sorted(others)
    assert len(first) >= 1000
    assert all(len(transcript) == 16 for transcript in first)
    assert balanced.sample(5) == balanced.sample(5)
    assert balanced.sample(5) in balanced.shipped()


def test_lists_are_compared_up_to_symmetry() -> None:
    ours = [balanced.Start((37, 43)), balanced.Start((37, 29))]
    theirs = [balanced.Start((26, 20)), balanced.Start((37, 45))]
    result = balanced.compare(ours, theirs)
    assert (result.ours, result.theirs, result.both) == (2, 2, 1)
    assert [start.transcript for start in result.only_theirs] == ["F5F6"]
    assert [start.transcript for start in result.only_ours] == ["F5F4"]


def test_the_list_we_ship_is_what_it_says() -> None:
    balanced.check(balanced.shipped())
    assert all(start.value is not None for start in balanced.shipped())
    transcripts = [start.transcript for start in balanced.shipped()]
    assert transcripts == sorted(transcripts)
    first = set(balanced.all_openings().values())
    assert all(start.moves in first for start in balanced.shipped())
