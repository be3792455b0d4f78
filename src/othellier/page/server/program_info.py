"""What the program says about itself: engine, evaluation, book, players, formats."""

from __future__ import annotations

import json
import platform
import time
from functools import cache, lru_cache
from importlib import metadata, resources
from typing import Any

from othellier.engine.engine import HASH_MB, Engine, default_threads
from othellier.engine.levels import FIRST_LEVEL, LEVELS
from othellier.evaluation.weights import read_payload
from othellier.games.results import Limit
from othellier.openings.book import Book
from othellier.page.play.players import allowed_players
from othellier.page.server.game_manager import GameManager
from othellier.page.server.security import BODY_LIMIT, RATE
from othellier.page.study.transfer import GAME_LIMIT, IMPORT_LIMIT
from othellier.page.wire import replies
from othellier.players.pool import SearchJob, Urgency
from othellier.records import FORMATS
from othellier.rules import native
from othellier.session.commands import COMMENT_LIMIT
from othellier.session.session import NODE_LIMIT

TRIAL = Limit(depth=60, nodes=400_000)
ERROR_STEP = 6  # empty squares between the rows of a table that is read, not studied


async def info(manager: GameManager, shared: bool, language: str | None) -> replies.Info:
    """All of it."""
    return replies.Info(
        program=replies.ProgramFacts(
            version=metadata.version("othellier"),
            core=native.variant if native.available else None,
            python=platform.python_version(),
            license="MIT",
        ),
        engine=replies.EngineFacts(
            present=manager.searchers.has_engine,
            searchers=manager.searchers.count,
            threads=default_threads(),
            hash_mb=HASH_MB,
            speed=await _speed(manager),
        ),
        network=_network(),
        book=_book(manager.shelf.current),
        formats=[
            replies.FormatView(name=known.name, endings=list(known.extensions), writes=known.writes)
            for known in FORMATS
        ],
        limits=replies.Limits(
            body=BODY_LIMIT, file=IMPORT_LIMIT, games=GAME_LIMIT, nodes=NODE_LIMIT, comment=COMMENT_LIMIT, rate=RATE
        ),
        store=replies.StoreFacts(ok=manager.store.kept or not manager.store.message, message=manager.store.message),
        shared=shared,
        language=language,
    )


_speeds: dict[int, int] = {}


async def _speed(manager: GameManager) -> int | None:
    """Positions a second of one thread, measured once."""
    if not manager.searchers.has_engine:
        return None
    if HASH_MB not in _speeds:

        def work(job: SearchJob, engine: Engine | None) -> int:
            assert engine is not None
            begin = time.perf_counter()
            result = engine.search(native.start().play(native.start().moves()[0]), TRIAL)
            return round(result.nodes / max(time.perf_counter() - begin, 1e-6))

        _speeds[HASH_MB] = await manager.searchers.run(work, Urgency.HINT)
    return _speeds[HASH_MB]


@cache
def _network() -> replies.NetworkFacts:
    """What is known of the shipped weights: from their file, and from the model card that was made with them."""
    if native.core is None:
        return replies.NetworkFacts(name="", facts={})
    data = resources.files("othellier") / "data"
    with resources.as_file(data / "evaluation.weights") as path:
        payload = read_payload(path)
        size = path.stat().st_size
    weights = native.core.Weights(payload)
    facts = {
        "phases": str(weights.phases),
        "unit": f"1/{weights.unit}",
        "weights": str(len(payload) // 2),
        "bytes": str(size),
    }
    try:
        card = (data / "model_card.json").read_text(encoding="utf-8")
    except OSError:
        card = ""
    return with_card(replies.NetworkFacts(name="evaluation.weights", facts=facts), card)


def with_card(network: replies.NetworkFacts, text: str) -> replies.NetworkFacts:
    """What is known of weights together with their model card; one of another time adds nothing."""
    try:
        card = json.loads(text)
        networks = card.get("networks") or {}
        known = {name: str(card[name]) for name in ("title", "date", "games", "positions") if card.get(name)}
        known |= {f"network_{name}": str(networks[name]) for name in ("shape", "bytes") if name in networks}
        return replies.NetworkFacts(
            name=network.name,
            facts={**known, "patterns": str(len(card["patterns"])), **network.facts},
            recipe=card["recipe"],
            patterns=card["patterns"],
            data=card["data"],
            errors=_errors(card),
            matches=card["matches"],
        )
    except (ValueError, TypeError, KeyError, AttributeError):
        return network


def _errors(card: dict[str, Any]) -> list[replies.ErrorRow]:
    """Some rows of a model card's errors, those of the networks beside those of the patterns."""
    networks = card.get("networks") or {}
    value = {row["empties"]: row["mae"] for row in networks.get("by_empties", [])}
    policy = {row["empties"]: row["accuracy"] for row in networks.get("policy", [])}
    return [
        replies.ErrorRow(empties=empties, mae=row["mae"], network=value.get(empties), policy=policy.get(empties))
        for row in card["held_out"]["by_empties"]
        if (empties := row["empties"]) % ERROR_STEP == 0
    ]


@lru_cache(1)
def _book(used: Book | None) -> replies.BookFacts:
    if used is None:
        return replies.BookFacts(present=False, facts={}, by_moves=[])
    rows = used.summary()
    facts = {"positions": str(len(used)), "exact": str(sum(row.exact for row in rows))}
    return replies.BookFacts(present=True, facts=facts, by_moves=[replies.BookRow(**row._asdict()) for row in rows])


@cache
def players() -> replies.PlayersView:
    """The levels and the players of the laboratory."""
    return replies.PlayersView(
        levels=[
            replies.LevelView(
                level=level.name,
                book_moves=level.book_moves,
                depth=level.depth,
                win_empties=level.win_empties,
                exact_empties=level.exact_empties,
                human=level.style is not None,
                rating=level.rating,
            )
            for level in LEVELS.values()
        ],
        default=FIRST_LEVEL,
        players=[
            replies.PlayerKind(
                name=player.name,
                summary=player.summary,
                example=player.example,
                options=[
                    replies.OptionView(name=option.name, expected=option.expected, default=option.default_text)
                    for option in player.options.values()
                ],
            )
            for player in allowed_players()
        ],
    )
