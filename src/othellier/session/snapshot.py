"""A session as it is kept: the game as SGF, which holds all of it, and the rest as JSON.

Where the text lies is the store's business; a text that cannot be read is a RecordError.
"""

from __future__ import annotations

from typing import Any, get_args

from pydantic import AliasChoices, BaseModel, Field, ValidationError

from othellier import records
from othellier.coach.analysis import GameAnalysis, totals
from othellier.coach.judging import JudgedMove
from othellier.errors import RecordError
from othellier.games.clock import Timer
from othellier.games.game import Game, GameNode
from othellier.games.node_names import Marks, find_node, named_nodes, node_id
from othellier.records import sgf
from othellier.rules.board import Color
from othellier.session.commands import PlayerChoice
from othellier.session.session import PlayerChoices, Session


class _Snapshot(BaseModel):
    players: dict[Color, PlayerChoice] = Field(
        validation_alias=AliasChoices("players", "seats")
    )  # the second before 1.0
    node: str = ""
    live: str = ""
    playing: bool = False
    closed: bool = False
    ponder: bool = False
    book: bool = True
    line: tuple[int, ...] = ()
    title: str = ""
    ended_at: str = ""
    clock: tuple[float, float, float] | None = None
    """Seconds left to Black and to White, and the increment."""
    times: dict[str, float] = {}
    """Seconds left before the increment, by the move."""
    marks: dict[str, tuple[tuple[int, ...], tuple[tuple[int, int], ...]]] = {}
    nodes: dict[str, int] = {}
    """Positions a machine looked at, by the move it made."""
    analysis: dict[str, Any] | None = None


class _Analysis(BaseModel):
    level: str
    line: tuple[int, ...]
    done: bool
    moves: tuple[JudgedMove, ...]


def write_session(session: Session) -> tuple[str, str]:
    """The record of the game, and the JSON of the rest."""
    timer = session.timer
    before = {} if timer is None else timer.before
    snapshot = _Snapshot(
        players=session.players,
        node=node_id(session.current),
        live=node_id(session.live),
        playing=session.playing,
        closed=session.closed,
        ponder=session.ponder,
        book=session.book,
        line=session.line,
        title=session.title,
        ended_at=session.ended_at,
        clock=None if timer is None else (timer.left["black"], timer.left["white"], timer.increment),
        times={name: before[node] for name, node in named_nodes(session.game) if node in before},
        marks={node_id(node): (marks.circles, marks.arrows) for node, marks in session.marks.items()},
        nodes={name: node.nodes for name, node in named_nodes(session.game) if node.nodes is not None},
        analysis=None if session.analysis is None else _kept_analysis(session.analysis),
    )
    return sgf.written(session.game), snapshot.model_dump_json()


def finished_snapshot(players: PlayerChoices, node: str, closed: bool) -> str:
    """What `write_session` would say besides the game of a session that nobody has touched yet, at a node."""
    return _Snapshot(players=players, node=node, live=node, closed=closed).model_dump_json()


def read_session(record: str, snapshot: str) -> Session:
    """The session that was written."""
    game = records.read(record.encode(), "sgf")[0]
    try:
        kept = _Snapshot.model_validate_json(snapshot)
    except ValidationError as error:
        raise RecordError("saved game", "", f"cannot be read: {error.error_count()} fields are wrong") from None
    timer = None
    if kept.clock is not None:
        timer = Timer({"black": kept.clock[0], "white": kept.clock[1]}, kept.clock[2])
        timer.before = {find_node(game, name): seconds for name, seconds in kept.times.items()}
    live: GameNode = find_node(game, kept.live)
    game.goto(live)
    session = Session(
        game,
        kept.players,
        timer=timer,
        ponder=kept.ponder,
        book=kept.book,
        line=kept.line,
        title=kept.title,
        playing=kept.playing,
    )
    session.game.goto(find_node(game, kept.node))
    session.closed, session.ended_at = kept.closed, kept.ended_at
    session.marks = {find_node(game, name): Marks(*marks) for name, marks in kept.marks.items()}
    for name, nodes in kept.nodes.items():
        find_node(game, name).nodes = nodes
    session.analysis = None if kept.analysis is None else _read_analysis(kept.analysis, game)
    return session


def accuracies(snapshot: str) -> dict[Color, float | None] | None:
    """How accurately each side played, if the session that was written has a whole analysis."""
    try:
        kept = _Snapshot.model_validate_json(snapshot).analysis
        analysis = None if kept is None else _Analysis.model_validate(kept)
    except ValidationError:
        return None
    if analysis is None or not analysis.done:
        return None
    return {color: totals(move for move in analysis.moves if move.color == color).accuracy for color in get_args(Color)}


def _kept_analysis(analysis: GameAnalysis) -> dict[str, Any]:
    kept = _Analysis(level=analysis.level, line=analysis.line, done=analysis.done, moves=analysis.moves)
    return kept.model_dump()


def _read_analysis(kept: dict[str, Any], game: Game) -> GameAnalysis | None:
    """The analysis that was written; None where another version wrote it: a new one is soon made."""
    try:
        read = _Analysis.model_validate(kept)
    except ValidationError:
        return None
    names = game.headers.black, game.headers.white
    return GameAnalysis(game.start, read.line, read.level, read.moves, read.done, *names)
