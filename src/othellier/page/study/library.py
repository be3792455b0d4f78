"""Games as the library keeps and shows them: summaries, search words, positions visited, import and export.

Texts become games by `records`; the store keeps what is made here.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import lru_cache

from pydantic import ValidationError

from othellier import records
from othellier.errors import OthellierError, RequestError
from othellier.games.game import Game, Headers, Outcome
from othellier.page.play.opening_names import opening_at
from othellier.page.play.state_view import result_view
from othellier.page.storage.position_paths import key, path
from othellier.page.storage.store import Kept
from othellier.page.wire.explorer_models import ResultCounts
from othellier.page.wire.game_models import OpeningView, Summary
from othellier.page.wire.library_models import Ending
from othellier.rules.board import Color, Position, after
from othellier.rules.geometry import Size
from othellier.session.commands import HumanChoice
from othellier.session.session import PlayerChoices, Session
from othellier.session.snapshot import accuracies, read_session, write_session


def date_text(seconds: float) -> str:
    """A time as ISO 8601 in UTC."""
    return datetime.fromtimestamp(seconds, UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


# -- keeping


def keep(
    session: Session, game: str, owner: str, created: float, used: float, imported: bool, tags: tuple[str, ...] = ()
) -> Kept:
    """A session as it is kept."""
    record, snapshot = write_session(session)
    played = session.game
    moves = played.moves()
    facts = LibraryFacts(session.title, played.headers, played.start.size, played.outcome(), opening_at(played.end))
    return kept(
        facts,
        game,
        owner,
        record=record,
        snapshot=snapshot,
        transcript=played.transcript().lower(),
        path=path(played.start, moves),
        created=created,
        used=used,
        imported=imported,
        tags=tags,
    )


@dataclass(frozen=True, slots=True)
class LibraryFacts:
    """What the library shows of a game and finds it by."""

    title: str
    headers: Headers
    size: Size
    outcome: Outcome | None
    opening: OpeningView | None


def kept(
    facts: LibraryFacts,
    game: str,
    owner: str,
    *,
    record: str,
    snapshot: str,
    transcript: str,
    path: bytes,
    created: float,
    used: float,
    imported: bool,
    tags: tuple[str, ...] = (),
) -> Kept:
    """A game as it is kept, of all its parts."""
    headers, outcome, opening = facts.headers, facts.outcome, facts.opening
    result = result_view(outcome)
    summary = {
        "title": facts.title,
        "black": headers.black,
        "white": headers.white,
        "size": str(facts.size),
        "moves": sum(map(str.isalpha, transcript)),
        "result": None if result is None else result.model_dump(),
        "opening": None if opening is None else opening.model_dump(include={"id", "en", "fr"}),
        "source": "imported" if imported else "played",
    }
    words = [facts.title, headers.black, headers.white, headers.event, headers.date]
    words += [opening.en, opening.fr] if opening is not None else []
    ended: Ending = "unfinished" if outcome is None else outcome.winner or "draw"
    found_by = " ".join(words).casefold()
    return Kept(game, owner, record, snapshot, summary, found_by, transcript, ended, created, used, tags, path=path)


def read_kept(game: Kept) -> Session:
    """The session of a kept game."""
    return read_session(game.record, game.snapshot)


def summary_view(game: Kept) -> Summary:
    """What the library shows of a game."""
    board, date = _ending(game.record)
    try:
        return Summary(
            game=game.id,
            created=date_text(game.created),
            used=date_text(game.used),
            tags=list(game.tags),
            transcript=game.transcript.upper(),
            board=board,
            date=date,
            accuracy=_accuracies(game.snapshot),
            deleted=game.deleted,
            **game.summary,
        )
    except ValidationError:
        raise RequestError("bad_record", f"the saved game {game.id} is damaged", where="") from None


@lru_cache(512)
def _accuracies(snapshot: str) -> dict[Color, float | None] | None:
    return None if snapshot.endswith('"analysis":null}') else accuracies(snapshot)


@lru_cache(4096)
def _ending(record: str) -> tuple[str, str]:
    """The board at the end of a record's main line, and when it says it was played; a damaged one says nothing."""
    try:
        game = records.read(record.encode(), "sgf")[0]
        return game.end.position.board_string(), game.headers.date
    except (OthellierError, IndexError):
        return "", ""


# -- the explorer of one's own games


def own_tallies(position: Position, found: Iterable[tuple[bytes, Ending, int]]) -> dict[int, ResultCounts]:
    """How one's own games went after each legal move."""
    tallies: dict[bytes, ResultCounts] = {}
    for place, result, count in found:
        tally = tallies.setdefault(place, ResultCounts())
        tally.games += count
        if result == "draw":
            tally.draws += count
        elif result != "unfinished":
            setattr(tally, result, getattr(tally, result) + count)
    keys = {move: key(after(position, move)) for move in position.moves()}
    return {move: tallies[place] for move, place in keys.items() if place in tallies}


# -- in and out


def people(headers: Headers) -> PlayerChoices:
    """The players that a record names."""
    return {"black": HumanChoice(name=headers.black[:80]), "white": HumanChoice(name=headers.white[:80])}


def session_of(game: Game) -> Session:
    """An imported game with the players it names."""
    game.goto(-1)
    return Session(game, people(game.headers), playing=False)
