"""Who answers for the players of a game on the page: levels and players of the laboratory, with an engine of the pool.

A level is the same `EnginePlayer` here as everywhere. What a browser may ask for beyond the levels stands where a
player is registered (`Public`): it may not start programs (`gtp:…`), load files (`file.py:Class`) or take all memory
and cores.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from othellier.board import Position
from othellier.engine import Engine
from othellier.errors import OthellierError, RequestError
from othellier.levels import LEVELS, find_level
from othellier.openings.book import Book
from othellier.openings.play import Opener
from othellier.players import Player, Registration, answer, create_player, create_public, registered
from othellier.players.registry import canonical
from othellier.players.strong import lent_player
from othellier.results import Limit, Result
from othellier.web.contract.requests import HumanChoice, LevelChoice, StringChoice
from othellier.web.play.search_threads import SearchJob


def allowed_players() -> list[Registration]:
    """The players a browser may choose, with the options it may set."""
    return [
        replace(player, options={name: player.options[name] for name in player.public.options})
        for player in registered()
        if player.public is not None
    ]


def check_player(choice: HumanChoice | LevelChoice | StringChoice) -> None:
    """Refuse a player there is not, before the game begins."""
    try:
        if isinstance(choice, LevelChoice):
            find_level(choice.level)
        elif isinstance(choice, StringChoice):
            create_allowed(choice.spec).close()
    except OthellierError as error:
        raise RequestError("bad_player", " ".join(str(error).split()), player=choice.label) from None


_permitted: set[str] = set()


def permit(spec: str) -> None:
    """Allow one more player: whoever starts the server may choose whom a browser may not, such as one of a file."""
    _permitted.add(spec)


def create_allowed(spec: str) -> Player:
    """The player of a string, if a browser may ask for it."""
    return create_player(spec) if spec in _permitted else create_public(spec)


def _seconds(choice: LevelChoice | StringChoice) -> float:
    """The longest a player may think about a move."""
    name = "engine" if isinstance(choice, LevelChoice) else canonical(choice.spec.strip()).partition(":")[0]
    allowed = {player.name: player.public.seconds for player in registered() if player.public is not None}
    return allowed.get(name, allowed["engine"])


def plies(choice: HumanChoice | LevelChoice | StringChoice, position: Position) -> int:
    """How deep a level will look, for a progress bar; 0 where nobody can say."""
    if not isinstance(choice, LevelChoice):
        return 0
    level = find_level(choice.level)
    return position.empties if level.solves(position.empties) else level.depth


def book_move(
    choice: HumanChoice | LevelChoice | StringChoice, position: Position, book: Book | None, seed: int | None = None
) -> Result | None:
    """What a level plays from a book, at once, without waiting for an engine; None where it has to think."""
    if not isinstance(choice, LevelChoice) or book is None:
        return None
    level = find_level(choice.level)
    return Opener(book, level.book_width, seed).choose(position, level.book_moves)


def choose(
    job: SearchJob,
    engine: Engine | None,
    choice: LevelChoice | StringChoice,
    position: Position,
    seconds: float | None,
    progress: Callable[[Result], None],
    seed: int | None = None,
) -> Result:
    """A machine's move that is in no book, within a time where a clock sets one; runs in a thinking thread."""
    longest = _seconds(choice)
    limit = Limit(time=longest if seconds is None else min(seconds, longest), stop=job.stop)
    if not isinstance(choice, LevelChoice):
        player = create_allowed(choice.spec)
    elif engine is None:
        player = _stand_in(choice)
    else:
        level = find_level(choice.level)
        if level.uses_clock and seconds is None:
            limit = Limit(stop=job.stop)  # the engine knows what is fitting
        player = lent_player(level, engine, position, seed, progress)
    with player:
        return answer(player, position, limit)


def _stand_in(choice: LevelChoice) -> Player:
    """Without the compiled engine a classical search stands in for a level."""
    depth = 1 + list(LEVELS).index(find_level(choice.level).name)
    return create_player(f"alphabeta:depth={min(depth, 4)},eval=mixed")
