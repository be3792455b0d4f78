"""Games as the library keeps and shows them: summaries, search words, positions visited, import and export.

Texts become games by `records`; the store keeps what is made here.
"""

from __future__ import annotations

import io
import re
import tempfile
import zipfile
from collections.abc import Iterable
from datetime import UTC, datetime
from pathlib import Path

from pydantic import ValidationError

from othellier import records
from othellier.board import Color, Position
from othellier.errors import RecordError, RequestError
from othellier.game import Game
from othellier.geometry import PASS
from othellier.levels import DEFAULT_LEVEL
from othellier.openings.keys import after
from othellier.records import Games, find_format
from othellier.web.explorer import Tally, opening_at
from othellier.web.memo import read_session, write_session
from othellier.web.messages import HumanSeat, LevelSeat
from othellier.web.paths import key, path
from othellier.web.session import NODE_LIMIT, Seats, Session
from othellier.web.shapes import Summary
from othellier.web.store import Kept, Outcome
from othellier.web.views import result_view

__all__ = [
    "GAME_LIMIT",
    "date_text",
    "export_games",
    "import_games",
    "keep",
    "own_tallies",
    "read_kept",
    "seated",
    "summary_view",
    "transcript_asked",
]

GAME_LIMIT = 20_000


def date_text(seconds: float) -> str:
    """A time as ISO 8601 in UTC."""
    return datetime.fromtimestamp(seconds, UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


# -- keeping


def keep(
    session: Session, game: str, owner: str, created: float, used: float, imported: bool, tags: tuple[str, ...] = ()
) -> Kept:
    """A session as it is kept."""
    record, memo = write_session(session)
    played = session.game
    outcome = played.outcome()
    opening = opening_at(played.end)
    headers = played.headers
    moves = played.moves()
    summary = {
        "title": session.title,
        "black": headers.black,
        "white": headers.white,
        "size": str(played.start.size),
        "moves": sum(1 for move in moves if move != PASS),
        "result": None if outcome is None else (view := result_view(outcome)) and view.model_dump(),
        "opening": None if opening is None else opening.model_dump(include={"id", "en", "fr"}),
        "source": "imported" if imported else "played",
    }
    words = [session.title, headers.black, headers.white, headers.event, headers.date]
    words += [opening.en, opening.fr] if opening is not None else []
    ended: Outcome = "unfinished" if outcome is None else outcome.winner or "draw"
    return Kept(
        game,
        owner,
        record,
        memo,
        summary,
        " ".join(words).casefold(),
        played.transcript().lower(),
        ended,
        created,
        used,
        tags,
        path=path(played.start, moves),
    )


def read_kept(kept: Kept) -> Session:
    """The session of a kept game."""
    return read_session(kept.record, kept.memo)


def summary_view(kept: Kept) -> Summary:
    """What the library shows of a game."""
    try:
        return Summary(
            game=kept.id,
            created=date_text(kept.created),
            used=date_text(kept.used),
            tags=list(kept.tags),
            transcript=kept.transcript.upper(),
            deleted=kept.deleted,
            **kept.summary,
        )
    except ValidationError:
        raise RequestError("bad_record", f"the saved game {kept.id} is damaged", where="") from None


# -- the explorer of one's own games


def own_tallies(position: Position, found: Iterable[tuple[bytes, Outcome, int]]) -> dict[int, Tally]:
    """How one's own games went after each legal move."""
    tallies: dict[bytes, Tally] = {}
    for place, result, count in found:
        tally = tallies.setdefault(place, Tally())
        tally.games += count
        if result == "draw":
            tally.draws += count
        elif result != "unfinished":
            setattr(tally, result, getattr(tally, result) + count)
    keys = {move: key(after(position, move)) for move in position.moves()}
    return {move: tallies[place] for move, place in keys.items() if place in tallies}


# -- in and out


def transcript_asked(search: str) -> str:
    """The beginning of a game that a search asks for, `f5d6`, if it does; else nothing."""
    plain = search.strip().lower()
    return plain if re.fullmatch(r"([a-l]([1-9]|1[0-2]))+", plain) else ""


def import_games(data: bytes, name: str = "") -> Games:
    """The games of a text or file, and what was wrong with the others."""
    ending = Path(name.lower()).suffix
    format_name = None
    if any(ending in known.extensions for known in records.FORMATS) and ending == ".wtb":
        format_name = ending  # a binary format that its bytes do not betray
    games = records.read(data, format_name, errors="collect")
    if not games:
        error = games.errors[0]
        raise RequestError("bad_record", f"no game could be read: {error.reason}", where=error.where)
    if len(games) > GAME_LIMIT:
        raise RequestError("too_large", f"{len(games)} games: {GAME_LIMIT} at most at a time", limit=GAME_LIMIT)
    kept = Games()
    kept.errors = games.errors
    for number, game in enumerate(games, 1):
        size = sum(1 for _ in game.root.walk())
        if size > NODE_LIMIT:
            where = f"game {number}"
            kept.errors.append(RecordError("text", where, f"has {size} moves, {NODE_LIMIT} at most can be shown"))
        else:
            kept.append(game)
    return kept


def seated(game: Game) -> Session:
    """An imported game with its players: those it names, or whoever imports it against the computer."""
    game.goto(-1)
    headers = game.headers
    seats: Seats = {"black": HumanSeat(name=headers.black[:80]), "white": HumanSeat(name=headers.white[:80])}
    if not headers.black and not headers.white and game.outcome() is None:
        turn: Color = game.position.turn
        seats = {color: HumanSeat() if color == turn else LevelSeat(level=DEFAULT_LEVEL) for color in seats}
    return Session(game, seats, playing=False)


def export_games(games: list[Game], format_name: str) -> tuple[bytes, str]:
    """Games as a file of a format, and its ending."""
    format_ = find_format(format_name)
    ending = format_.extensions[0]
    if format_.text is not None:
        return records.dumps(games, format_name).encode(), ending
    # A format that only writes files is given one of its own, in a place nobody else can name.
    with tempfile.TemporaryDirectory(prefix="othellier-") as folder:
        path = Path(folder) / f"games{ending}"
        records.write(games, path, format_name)
        files = sorted(Path(folder).iterdir())
        if len(files) == 1:
            return path.read_bytes(), ending
        packed = io.BytesIO()
        with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
            for file in files:
                archive.write(file, file.name)
        return packed.getvalue(), ".zip"
