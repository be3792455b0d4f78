"""A level is the same on the page as in matches; a browser may ask for no more than is declared."""

import random
from functools import partial

import pytest

from othellier import random_position
from othellier.engine.engine import HASH_MB, Engine
from othellier.errors import ConfigError, RequestError
from othellier.games.results import Result
from othellier.openings import book
from othellier.page.play import players
from othellier.players import answer, create_player, create_public, registered
from othellier.players.pool import Searchers, Urgency
from othellier.records import read
from othellier.rules import native
from othellier.rules.board import Position
from othellier.session.commands import LevelChoice, StringChoice
from waiting import in_loop

SEED = 7
POSITIONS = [
    Position.start(),
    read("f5d6c3")[0].current.position,
    read("f5d6c3d3c4f4")[0].current.position,
    *(random_position(random.Random(number), 8, plies) for number, plies in enumerate((12, 26, 40, 46, 52))),
]


async def on_the_page(searchers: Searchers, level: str, position: Position) -> Result:
    """A level's move as the running game asks for it."""
    choice = LevelChoice(level=level)
    known = players.book_move(choice, position, book.shipped(), SEED)
    if known is not None:
        return known
    work = partial(players.choose, choice=choice, line=(position, ()), seconds=None, progress=lambda _: None, seed=SEED)
    return await searchers.run(work, Urgency.MOVE)


@pytest.mark.skipif(not native.available, reason="needs the compiled engine")
@pytest.mark.parametrize("level", ["pip", "oscar", "vera", "emil", "beginner", "beginner+", "amateur", "amateur+"])
def test_page_and_player_give_the_same_moves(level: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """One pool answers for all positions, one after the other: what it searched before does not matter."""
    # Several threads that solve a position may find another of its best moves.
    monkeypatch.setattr("othellier.players.pool.default_threads", lambda: 1)
    searchers = Searchers(1, lambda: Engine(hash_mb=HASH_MB))
    try:
        for position in POSITIONS:
            if not position.moves():
                continue
            page = in_loop(partial(on_the_page, searchers, level, position))
            with create_player(f"engine:level={level},seed={SEED}") as player:
                rated = answer(player, position)
            assert (page.move, page.score, page.source) == (rated.move, rated.score, rated.source), position
    finally:
        searchers.close()


@pytest.mark.skipif(not native.available, reason="needs the compiled engine")
def test_no_engine_is_made_for_a_move(monkeypatch: pytest.MonkeyPatch) -> None:
    searchers = Searchers(1, lambda: Engine(hash_mb=1))
    try:
        in_loop(partial(on_the_page, searchers, "amateur", POSITIONS[-1]))  # now the pool has its engine
        monkeypatch.setattr("othellier.players.engine_player.Engine", None)
        for level in ("nora", "rosa", "beginner", "amateur"):
            in_loop(partial(on_the_page, searchers, level, POSITIONS[-1]))
    finally:
        searchers.close()


def test_what_a_browser_may_ask_for() -> None:
    public = {player.name: player.public for player in registered() if player.public is not None}
    assert not public.keys() & {"human", "gtp", "nboard", "build"}
    for name, offered in public.items():
        known = next(player for player in registered() if player.name == name)
        assert offered.options.keys() <= known.options.keys(), name
        assert not offered.options.keys() & {"threads", "hash", "weights", "networks", "probcut", "ponder"}
    create_public("mcts:iterations=10").close()
    for spec, words in {
        "gtp:cat": "cannot be played against here",
        "thing.py:Thing": "cannot be played against here",
        "engine:hash=4096": "the option hash is not to be chosen here",
        "pvs:depth=61": "60 is the most here",
        "mcts:iterations=99999999999": "is the most here",
    }.items():
        with pytest.raises(ConfigError, match=words):
            create_public(spec)
        with pytest.raises(RequestError, match=words):
            players.check_player(StringChoice(spec=spec))
