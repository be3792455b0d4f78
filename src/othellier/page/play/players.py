"""Who answers for the players of a game on the page: levels and players of the laboratory, with an engine of the pool.

A level is the same `EnginePlayer` here as everywhere. What a browser may ask for beyond the levels stands where a
player is registered (`Public`): it may not start programs (`gtp:…`), load files (`file.py:Class`) or take all memory
and cores.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import replace

from othellier.engine.engine import Engine
from othellier.engine.levels import LEVELS, find_level
from othellier.errors import OthellierError, PlayerError, RequestError
from othellier.games.results import Limit, Result
from othellier.openings.book import Book
from othellier.openings.play import Opener
from othellier.players import Player, Registration, create_player, create_public, registered
from othellier.players.engine_player import lent_player
from othellier.players.external import ExternalPlayer
from othellier.players.follower import Follower, GameLine, position_after
from othellier.players.pool import SearchJob
from othellier.players.registry import canonical
from othellier.rules.board import Color, Position
from othellier.session.commands import HumanChoice, LevelChoice, StringChoice
from othellier.session.session import PlayerChoices


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
        elif isinstance(choice, StringChoice) and not is_kept(choice):
            create_allowed(choice.spec).close()
    except OthellierError as error:
        raise RequestError("bad_player", " ".join(str(error).split()), player=choice.label) from None


_permitted: set[str] = set()


def permit(spec: str) -> None:
    """Allow one more player: whoever starts the server may choose whom a browser may not, such as one of a file."""
    _permitted.add(spec)


def is_kept(choice: HumanChoice | LevelChoice | StringChoice | None) -> bool:
    """Return True for a player that is kept from move to move: one that the server was started with."""
    return isinstance(choice, StringChoice) and choice.spec in _permitted


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
    line: GameLine,
    seconds: float | None,
    progress: Callable[[Result], None],
    seed: int | None = None,
    kept: KeptPlayers | None = None,
) -> Result:
    """Return a machine's move that is in no book, within a clock's time if there is one. Runs in a search thread.

    Args:
        line: the moves of the game up to the position.
        kept: the players of this game that stay from move to move.
    """
    position = position_after(line)
    longest = _seconds(choice)
    limit = Limit(time=longest if seconds is None else min(seconds, longest), stop=job.stop)
    if isinstance(choice, StringChoice) and kept is not None and is_kept(choice):
        return kept.choose(job, position.turn, choice.spec, line, limit)
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
        return Follower(player).choose(line, limit)


class KeptPlayers:
    """Players of one game that stay from move to move, each for its side, until `release`."""

    def __init__(self) -> None:
        self._followers: dict[tuple[Color, str], Follower] = {}
        self._lock = threading.Lock()

    def choose(self, job: SearchJob, color: Color, spec: str, line: GameLine, limit: Limit) -> Result:
        """Return the move of a player, which is made for its first move. If the job is dropped, its program ends."""
        with self._lock:
            if job.dropped:
                raise PlayerError(f"the move of {spec} is not wanted any more")
            if (color, spec) not in self._followers:
                self._followers[color, spec] = Follower(create_allowed(spec))
            follower = self._followers[color, spec]
            program = follower.player if isinstance(follower.player, ExternalPlayer) else None
            try:
                with job.stop.calling(lambda: program.abort() if program is not None and job.dropped else None):
                    return follower.choose(line, limit)
            finally:
                if job.dropped:
                    self._followers.pop((color, spec)).player.close()

    def others(self, players: PlayerChoices) -> set[tuple[Color, str]]:
        """The places that none of these players takes."""
        return set(self._followers) - {
            (color, choice.spec) for color, choice in players.items() if isinstance(choice, StringChoice)
        }

    def release(self, players: PlayerChoices) -> None:
        """Close the players that are not among these; a thread may have to wait for an answer under way."""
        with self._lock:
            for key in self.others(players):
                self._followers.pop(key).player.close()


def _stand_in(choice: LevelChoice) -> Player:
    """Without the compiled engine a classical search stands in for a level."""
    depth = 1 + list(LEVELS).index(find_level(choice.level).name)
    return create_player(f"alphabeta:depth={min(depth, 4)},eval=mixed")
