"""Who may sit at a board, and who answers for them: the one place that maps levels to players.

A browser may ask for the engine's levels and for the players of the laboratory. It may not start programs
(`gtp:…`), load files (`file.py:Class`) or take all memory and cores.
"""

from __future__ import annotations

import asyncio
import random
from collections.abc import Callable
from dataclasses import replace

from othellier.board import Position
from othellier.engine import Engine
from othellier.errors import ConfigError, OthellierError, RequestError
from othellier.levels import LEVELS, find_level
from othellier.openings import book, play
from othellier.players import Player, Registration, answer, create_player, registered
from othellier.results import Limit, Result
from othellier.web.contract.requests import HumanChoice, LevelChoice, StringChoice
from othellier.web.play.search_threads import Job

__all__ = [
    "MOVE_SECONDS",
    "allowed_players",
    "book_move",
    "book_ready",
    "check_seat",
    "choose",
    "create_allowed",
    "permit",
    "plies",
]

ALLOWED = ("alphabeta", "engine", "mcts", "minimax", "nega-alphabeta", "negamax", "policy", "pvs", "random")
OFFERED = frozenset(
    [
        "backend",
        "book",
        "c",
        "count",
        "deepening",
        "depth",
        "eval",
        "fix_first",
        "heuristic",
        "iterations",
        "keep",
        "killer",
        "level",
        "order",
        "rollout",
        "seed",
        "symmetry",
        "table",
        "table_depth",
        "ties",
        "time",
        "width",
    ]
)
"""Options a browser may set. Others would read a file, or take memory and cores that are everybody's."""
MOVE_SECONDS = 30.0
"""The longest a machine may think about a move: others wait too."""
BOOK_WIDTH = 2.0
"""Discs below the best within which a level varies its opening."""


def allowed_players() -> list[Registration]:
    """The players a browser may choose, with the options it may set."""
    players = (player for player in registered() if player.name in ALLOWED)
    return [
        replace(player, options={name: option for name, option in player.options.items() if name in OFFERED})
        for player in players
    ]


def check_seat(seat: HumanChoice | LevelChoice | StringChoice) -> None:
    """Refuse a seat nobody can take, before the game begins."""
    try:
        if isinstance(seat, LevelChoice):
            find_level(seat.level)
        elif isinstance(seat, StringChoice):
            create_allowed(seat.spec).close()
    except OthellierError as error:
        raise RequestError("bad_player", " ".join(str(error).split()), player=seat.label) from None


_permitted: set[str] = set()


def permit(spec: str) -> None:
    """Allow one more player: whoever starts the server may seat whom a browser may not, such as one of a file."""
    _permitted.add(spec)


def create_allowed(spec: str) -> Player:
    """The player of a string, if a browser may ask for it."""
    if spec in _permitted:
        return create_player(spec)
    name, _, rest = spec.strip().partition(":")
    if name not in ALLOWED or ".py" in spec:
        raise ConfigError(f"{name[:40]!r} cannot be played against here; there are {', '.join(ALLOWED)}")
    known = {option for player in registered() if player.name == name for option in player.options}
    options = {part.partition("=")[0].strip() for part in rest.split(",")}
    for option in sorted(options & (known - OFFERED)):
        raise ConfigError(f"player {spec!r}: the option {option} is not to be chosen here")
    return create_player(spec)


def plies(seat: HumanChoice | LevelChoice | StringChoice, position: Position) -> int:
    """How deep a level will look, for a progress bar; 0 where nobody can say."""
    if not isinstance(seat, LevelChoice):
        return 0
    level = find_level(seat.level)
    return position.empties if position.empties <= max(level.win_empties, level.exact_empties) else level.depth


async def book_ready() -> None:
    """Have the book at hand: it is read once, and not while others wait; to look into it takes no time."""
    if not book.shipped.cache_info().currsize:
        await asyncio.to_thread(book.shipped)


def book_move(seat: HumanChoice | LevelChoice | StringChoice, position: Position) -> Result | None:
    """What a level plays from the book, at once; None where it has to think."""
    level = find_level(seat.level) if isinstance(seat, LevelChoice) else None
    shipped = book.shipped()
    if level is None or shipped is None or not level.book_moves:
        return None
    return play.choose(shipped, position, moves=level.book_moves, width=BOOK_WIDTH, rng=random.Random())


def choose(
    job: Job,
    engine: Engine | None,
    seat: LevelChoice | StringChoice,
    position: Position,
    seconds: float | None,
    progress: Callable[[Result], None],
) -> Result:
    """A machine's move that is in no book, within a time where a clock sets one; runs in a thinking thread."""
    limit = Limit(time=MOVE_SECONDS if seconds is None else min(seconds, MOVE_SECONDS), stop=job.stop)
    if isinstance(seat, LevelChoice):
        level = find_level(seat.level)
        if level.uses_clock and seconds is None:
            limit = Limit(stop=job.stop)  # the engine knows what is fitting
        if engine is not None and level.depth > 0:
            return engine.play(position, level, limit, progress)
    with create_allowed(_spec(seat, engine)) as player:
        return answer(player, position, limit)


def _spec(seat: LevelChoice | StringChoice, engine: Engine | None) -> str:
    """The player string of a seat; without the compiled engine a classical search stands in for a level."""
    if isinstance(seat, StringChoice):
        return seat.spec
    if engine is not None:
        return f"engine:level={seat.level}"
    depth = 1 + list(LEVELS).index(find_level(seat.level).name)
    return f"alphabeta:depth={min(depth, 4)},eval=mixed"
