"""Saves that come together share a transaction; each is told how its own went."""

import threading
from collections.abc import Iterable
from pathlib import Path

import pytest

from othellier.errors import RequestError
from othellier.page.storage.store import Kept, Store
from othellier.page.storage.writer import AT_ONCE, Writer
from waiting import LIMIT


def game(name: str, title: str = "") -> Kept:
    summary = dict.fromkeys(("black", "white", "opening", "result", "source", "size", "moves"))
    return Kept(name, "ann", "(;)", "{}", {**summary, "title": title}, "", "", "unfinished", 1.0, 2.0)


class Slow(Store):
    """A store whose first save waits until it is let go, and that refuses one game."""

    def __init__(self, path: Path | None) -> None:
        super().__init__(path)
        self.batches: list[list[str]] = []
        self.begun, self.go = threading.Event(), threading.Event()

    def save(self, games: Iterable[Kept]) -> None:
        found = list(games)
        self.batches.append([each.id for each in found])
        self.begun.set()
        assert self.go.wait(LIMIT)
        if any(each.id == "bad" for each in found):
            raise RequestError("not_saved", "no", reason="no")
        super().save(found)


@pytest.fixture
def slow() -> Slow:
    return Slow(None)


def test_what_waits_is_saved_together_and_in_order(slow: Slow) -> None:
    writer = Writer(slow)
    first = writer.save(game("first"))
    assert slow.begun.wait(LIMIT)
    others = [writer.save(game(f"game {number}")) for number in range(AT_ONCE + 5)]
    others.append(writer.save(game("first", "renamed")))
    assert not first.done()
    slow.go.set()
    for future in (first, *others):
        future.result(LIMIT)
    assert [len(batch) for batch in slow.batches] == [1, AT_ONCE, 6]
    saved = [name for batch in slow.batches for name in batch]
    assert saved == ["first", *(f"game {number}" for number in range(AT_ONCE + 5)), "first"]
    kept = slow.load("first")
    assert kept is not None
    assert kept.summary["title"] == "renamed"
    writer.close()


def test_what_is_wrong_with_one_is_told_to_that_one_alone(slow: Slow) -> None:
    writer = Writer(slow)
    first = writer.save(game("first"))
    assert slow.begun.wait(LIMIT)
    good, bad, other = (writer.save(game(name)) for name in ("good", "bad", "other"))
    slow.go.set()
    for future in (first, good, other):
        future.result(LIMIT)
    with pytest.raises(RequestError):
        bad.result(LIMIT)
    assert slow.find("ann").total == 3
    writer.close()


def test_the_last_saves_are_made_at_the_end_and_none_after(slow: Slow) -> None:
    writer = Writer(slow)
    first = writer.save(game("first"))
    assert slow.begun.wait(LIMIT)
    second = writer.save(game("second"))
    assert not second.cancel()  # whoever stops waiting does not undo it
    slow.go.set()
    writer.close()
    assert first.done()
    assert second.done()
    assert slow.find("ann").total == 2
    with pytest.raises(RequestError):
        writer.save(game("third")).result(LIMIT)
