"""Games of the database through a position: listed by player and year, and opened as they stand on the board."""

from __future__ import annotations

import hashlib

import numpy as np
import numpy.typing as npt

from othellier.errors import OthellierError, RequestError
from othellier.games.game import Game, replay
from othellier.games.symmetry import START_KEEPING, mapping
from othellier.openings.explorer import Explorer, Query
from othellier.openings.games import UNKNOWN, GameCollection
from othellier.openings.names import comparable
from othellier.page.wire.explorer_models import ModelGame, ModelGames, Sort
from othellier.rules.board import Position, past_pass
from othellier.rules.geometry import PASS, square_name

_Numbers = npt.NDArray[np.int64]


def list_games(
    database: Explorer, position: Position, query: Query, sort: Sort = "newest", limit: int = 20, offset: int = 0
) -> ModelGames:
    """The games that answer a query and pass through a position, some of them."""
    games = database.games
    if games is None:
        return ModelGames(games=[], total=0)
    try:
        numbers = database.search(query)
    except OthellierError as error:
        raise RequestError("bad_record", str(error), where="") from None
    numbers = _sorted(games, numbers, sort)
    shown = numbers[offset : offset + limit].tolist()
    return ModelGames(games=[_view(games, number, position) for number in shown], total=len(numbers))


def _sorted(games: GameCollection, numbers: _Numbers, sort: Sort) -> _Numbers:
    """Games in an order; among equals, as they are in the database."""
    table = games.table[numbers]
    year = table["year"].astype(np.int64)
    if sort == "newest":
        return numbers[np.argsort(-year, kind="stable")]
    if sort == "oldest":  # those without a year come last
        return numbers[np.argsort(np.where(year == 0, 1 << 16, year), kind="stable")]
    ids, places = np.unique(table[sort], return_inverse=True)
    names = [comparable(games.players[number]) for number in ids.tolist()]
    ranks = np.empty(len(names), np.int64)
    ranks[sorted(range(len(names)), key=names.__getitem__)] = np.arange(len(names))
    return numbers[np.lexsort((year, ranks[places]))]


def _view(games: GameCollection, number: int, position: Position) -> ModelGame:
    record = games.table[number]
    moves, _ = as_seen(games.game(number), position)
    at = 60 - position.empties
    following = [move for move in moves if move != PASS][at : at + 1]
    return ModelGame(
        number=number,
        black=games.players[record["black"]],
        white=games.players[record["white"]],
        year=int(record["year"]),
        tournament=games.tournaments[record["tournament"]],
        score=None if record["score"] == UNKNOWN else int(record["score"]),
        following=square_name(following[0]) if following else "",
    )


def as_seen(game: Game, position: Position) -> tuple[list[int], int]:
    """The moves of a game turned so that it comes by a position as that stands on the board, and after how many.

    Where it comes by in no such way, the game is as it was played.
    """
    moves, at = list(game.moves()), 0
    wanted, left = past_pass(position), 60 - position.empties
    while left and at < len(moves):
        left -= moves[at] != PASS
        at += 1
    reached = past_pass(replay(game.start, moves[:at])[1])
    for symmetry in START_KEEPING:
        if reached.transform(symmetry) == wanted:
            return [*map(mapping(symmetry, position.size), moves)], at
    return moves, at


def library_id(owner: str, game: Game) -> str:
    """The id under which somebody's library has a game of the database: opened twice, it is there once."""
    headers = game.headers
    words = "\n".join((owner, headers.black, headers.white, headers.event, headers.date, game.transcript()))
    return f"db-{hashlib.sha256(words.encode()).hexdigest()[:24]}"
