"""What is counted: deleted games nowhere, those of two machines not as one's own."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from othellier.games.game import Game
from othellier.page.storage.position_paths import key
from othellier.page.storage.store import GameFilter, Kept, Store
from othellier.page.study.library import keep
from othellier.rules import native
from othellier.session.commands import HumanChoice, LevelChoice
from othellier.session.session import PlayerChoices, Session


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    store = Store(tmp_path / "games.sqlite3")
    yield store
    store.close()


def kept(name: str, moves: tuple[int, ...], owner: str = "ann") -> Kept:
    session = Session(Game.from_moves(moves), {"black": HumanChoice(), "white": HumanChoice()})
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
    assert store.mark_deleted("ann", GameFilter(games=("one", "his")), 3000.0) == 1, "not somebody else's"
    assert counts() == (2, 2, 2, {"club": 2, "two": 1, "three": 1})
    assert store.find("ann", GameFilter(deleted=True)).total == 1
    assert [game.id for game in store.find("ann", GameFilter(deleted=True)).games] == ["one"]
    assert store.mark_deleted("ann", GameFilter(games=("two",)), 3000.0) == 1
    assert counts() == (1, 1, 1, {"club": 1, "three": 1})
    assert store.mark_deleted("ann", GameFilter(games=("one",), deleted=True), None) == 1, "the deletion is taken back"
    assert counts() == (2, 2, 2, {"club": 2, "one": 1, "three": 1})
    assert store.find("bob").total == 1


def test_games_of_two_machines_are_not_ones_own(store: Store) -> None:
    def saved(name: str, players: PlayerChoices) -> Kept:
        return keep(Session(Game.from_moves((37, 43)), players), name, "ann", 1000.0, 2000.0, imported=False)

    store.save([saved("machines", {"black": LevelChoice(), "white": LevelChoice(level="pip")})])
    assert store.after("ann", key(native.start())) == []
    store.save([saved("mine", {"black": HumanChoice(), "white": LevelChoice()})])
    assert [count for _, _, count in store.after("ann", key(native.start()))] == [1]
