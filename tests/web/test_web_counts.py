"""What is counted and what is called what: deleted games nowhere, words for moves to the last bit of their limits."""

from __future__ import annotations

import math
from collections.abc import Iterator
from pathlib import Path

import pytest

from othellier import native
from othellier.analysis import label_for
from othellier.game import Game
from othellier.web.contract.requests import HumanSeat
from othellier.web.play.session import Session
from othellier.web.storage.position_paths import key
from othellier.web.storage.store import Kept, Search, Store
from othellier.web.study.library import keep


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    store = Store(tmp_path / "games.sqlite3")
    yield store
    store.close()


def kept(name: str, moves: tuple[int, ...], owner: str = "ann") -> Kept:
    session = Session(Game.from_moves(moves), {"black": HumanSeat(), "white": HumanSeat()})
    return keep(session, name, owner, 1000.0, 2000.0, imported=False)


def test_deleted_games_are_counted_nowhere(store: Store) -> None:
    start = native.start()
    played = start.play(37)
    store.save([kept("one", (37, 43)), kept("two", (37, 45)), kept("three", (37, 43)), kept("his", (37, 43), "bob")])
    for name in ("one", "two", "three", "his"):
        store.set_tags(name, ["club", name])

    def counts() -> tuple[int, int, int, dict[str, int]]:
        return (
            store.find("ann").total,
            sum(count for _, _, count in store.after("ann", key(start))),
            sum(count for _, _, count in store.after("ann", key(played))),
            dict(store.tags("ann")),
        )

    assert counts() == (3, 3, 3, {"club": 3, "one": 1, "two": 1, "three": 1})
    assert store.mark_deleted("one", 3000.0)
    assert counts() == (2, 2, 2, {"club": 2, "two": 1, "three": 1})
    assert store.find("ann", Search(deleted=True)).total == 1
    assert [game.id for game in store.find("ann", Search(deleted=True)).games] == ["one"]
    assert store.mark_deleted("two", 3000.0)
    assert counts() == (1, 1, 1, {"club": 1, "three": 1})
    assert store.mark_deleted("one", None), "the deletion is taken back"
    assert counts() == (2, 2, 2, {"club": 2, "one": 1, "three": 1})
    assert store.find("bob").total == 1


@pytest.mark.parametrize(
    ("limit", "below", "above"),
    [(0.05, "good", "inaccuracy"), (0.10, "inaccuracy", "mistake"), (0.20, "mistake", "blunder")],
)
def test_words_for_chances_given_away_change_at_their_limits(limit: float, below: str, above: str) -> None:
    assert label_for(2.0, math.nextafter(limit, 0)) == below
    assert label_for(2.0, limit) == above


def test_words_for_discs_given_away_change_at_their_limits() -> None:
    assert [label_for(loss, 0.0) for loss in (0.0, math.nextafter(0.5, 0), 0.5)] == ["best", "best", "good"]
    assert [label_for(loss, 0.0) for loss in (math.nextafter(12, 0), 12.0, 64.0)] == [
        "good",
        "inaccuracy",
        "inaccuracy",
    ]
    assert label_for(math.nextafter(0.5, 0), 0.9) == "best", "two moves as good as equal are equal"
    assert [label_for(20.0, lost) for lost in (0.07, 0.15, 0.3)] == ["inaccuracy", "mistake", "blunder"]
