"""What is known of an opening: its name, the book's values, other people's games and one's own, the engine's opinion.

`openings` knows all but the last two, of which the store has counted one's own games. Here it is put together for one
position; moves that are the same up to symmetry are one.
"""

from __future__ import annotations

from collections.abc import Mapping

from othellier.engine.engine import Engine
from othellier.errors import RequestError
from othellier.games.results import Limit
from othellier.openings.book import Book
from othellier.openings.explorer import Explorer, MoveStatistics
from othellier.page.play.opening_names import opening_view
from othellier.page.storage.position_paths import key
from othellier.page.wire.explorer_models import BookView, EngineValue, Explored, ExploredSquare, ResultCounts
from othellier.page.wire.game_models import OpeningView
from othellier.players.pool import SearchJob
from othellier.rules.board import Position, after
from othellier.rules.geometry import STANDARD, square_name

BEYOND = Limit(depth=14, time=1.0)
"""How long the engine looks at moves that are in no book."""


def fold(position: Position) -> list[tuple[int, ...]]:
    """The legal moves, those that are the same up to symmetry together; the rightmost stands for all."""
    groups: dict[bytes, list[int]] = {}
    for move in sorted(position.moves(), key=lambda move: square_name(move, position.size), reverse=True):
        groups.setdefault(key(after(position, move)), []).append(move)
    return [tuple(moves) for moves in groups.values()]


def explore(
    position: Position, moves: str, opening: OpeningView | None, own: Mapping[int, ResultCounts], database: Explorer
) -> Explored:
    """All that is known of a position and its moves: those the book likes come first."""
    found: dict[int, MoveStatistics] = {}
    if position.size == STANDARD:
        found = {move: known for known in database.explore(position).moves for move in known.moves}
    squares = [_square(same, position, found.get(same[0]), own.get(same[0])) for same in fold(position)]
    squares.sort(key=lambda square: (square.book is None, -(square.book.score if square.book else 0)))
    return Explored(
        moves=moves,
        turn=position.turn,
        opening=opening,
        squares=squares,
        book=database.book is not None,
        database=database.games is not None,
    )


def _square(
    moves: tuple[int, ...], position: Position, known: MoveStatistics | None, own: ResultCounts | None
) -> ExploredSquare:
    entry = None if known is None else known.entry
    played = None if known is None else known.statistics
    first, *same = [square_name(move, position.size) for move in moves]
    square = ExploredSquare(square=first, same=same, opening=None, book=None, database=None, own=own)
    if known is not None and known.opening is not None:
        square.opening = opening_view(known.opening)
    if entry is not None:
        win, draw = round(entry.win, 4), round(entry.draw, 4)
        square.book = BookView(score=entry.value, exact=entry.is_exact, win=win, draw=draw)
    if played is not None and played.games:
        square.database = ResultCounts(games=played.games, black=played.black, draws=played.draws, white=played.white)
    return square


def values_beyond_book(
    job: SearchJob, engine: Engine | None, position: Position, book: Book | None
) -> list[EngineValue]:
    """What the engine thinks of the moves that the book does not have; a job of a search thread."""
    known = set() if book is None or position.size != STANDARD else {move for move, _ in book.moves(position)}
    wanted = {same[0] for same in fold(position)} - known
    if not wanted:
        return []
    if engine is None:
        raise RequestError("no_engine", "the compiled engine is missing: no values, no analysis")
    limit = Limit(depth=BEYOND.depth, time=BEYOND.time, stop=job.stop)
    return [
        EngineValue(
            square=square_name(result.move, position.size),
            score=round(result.score or 0.0, 1),
            depth=result.depth,
            exact=result.is_move_exact,
        )
        for result in engine.analyze(position, limit)
        if result.move in wanted
    ]
