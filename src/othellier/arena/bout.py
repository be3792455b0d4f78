"""The unit of work of matches and tournaments: an opening played by two players, once or with colours swapped.

A bout is a plain value that any process can play, and the same bout always gives the same games, as far as its
players do: their seeds are part of it. Who hands out bouts, and where, is not known here.
"""

from __future__ import annotations

import threading
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from othellier.arena.guard import PATIENCE, Contestant
from othellier.arena.play import OpeningMoves, Played, Ply, Watch, play_game
from othellier.errors import OthellierError
from othellier.games.results import Limit

__all__ = ["Batches", "Bout", "close_players", "play_bout", "play_bouts"]

UNLIMITED = Limit()

JOB = 0.2
"""Seconds a job should take: a hundred times what it costs to hand it out."""

LONGEST = 32
"""Bouts of a job at most, however quick."""

KEPT = 4
"""Players a worker keeps for the next bout, the last one's among them: making one may take longer than a game."""


@dataclass(frozen=True, slots=True)
class Bout:
    """Two players and an opening; in the first game the first player has the black discs."""

    number: int
    players: tuple[str, str]
    """Their strings."""
    opening: OpeningMoves
    games: int = 2
    seed: int = 0
    limit: Limit = UNLIMITED
    patience: float = PATIENCE
    memory: int | None = None
    """Megabytes for each player of a file, which is confined then."""
    measured: bool = False
    """True if the processor time of each move is measured."""


_kept = threading.local()


def _contestants(bout: Bout) -> list[Contestant]:
    """The players of a bout, kept from earlier ones if they are there. Each thread has its own, and so has each side:
    one string on both sides is two players. Others are let go of before the game, never in it."""
    contestants: dict[tuple[object, ...], Contestant] = _kept.__dict__.setdefault("contestants", {})
    found = []
    for index, spec in enumerate(bout.players):
        key = index, spec, bout.patience, bout.memory
        contestant = contestants.pop(key, None) or Contestant(spec, bout.patience, memory=bout.memory)
        contestants[key] = contestant  # now the newest
        found.append(contestant)
    while len(contestants) > KEPT:
        contestants.pop(next(iter(contestants))).close()  # the oldest; the newest two are those of the bout
    return found


def close_players() -> None:
    """Let go of the players kept by this thread."""
    contestants: dict[tuple[object, ...], Contestant] = _kept.__dict__.pop("contestants", {})
    for contestant in contestants.values():
        contestant.close()


def play_bout(bout: Bout, watch: Watch | None = None) -> list[Played]:
    """The games of a bout."""
    return [_play(bout, game, watch) for game in range(bout.games)]


def _play(bout: Bout, game: int, watch: Watch | None) -> Played:
    contestants = _contestants(bout)
    players = []
    for color, index in enumerate((game, 1 - game)):
        try:
            players.append(contestants[index].take(bout.opening.start, bout.seed * 4 + game * 2 + color))
        except OthellierError as error:  # not even ready to play
            start = bout.opening.position()
            lost = start.size.squares if color else -start.size.squares
            given = tuple(Ply(move) for move in bout.opening.moves)
            words = f"{error} ({start.board_string()})"
            return Played(bout.opening.start, given, len(given), lost, "resigned", words)
    played = play_game(players[0], players[1], bout.opening, bout.limit, watch, measured=bout.measured)
    if played.error:  # whoever it was may be in no state to go on
        close_players()
    return played


def play_bouts(bouts: Sequence[Bout]) -> list[list[Played]]:
    """The games of several bouts: a job for one worker."""
    return [play_bout(bout) for bout in bouts]


class Batches:
    """Bouts in jobs: alone at first, then, as games prove to be quick, many at a time.

    So handing them out costs little, results come often, and at the end nobody waits long for the last.
    """

    def __init__(self, bouts: Sequence[Bout], workers: int) -> None:
        self._bouts = bouts
        self._workers = workers
        self._measured = 0
        self._seconds = 0.0

    def measure(self, games: Sequence[Played]) -> None:
        """Take note of how long a bout took."""
        self._measured += 1
        self._seconds += sum(ply.seconds for game in games for ply in game.plies)

    def __iter__(self) -> Iterator[Sequence[Bout]]:
        index = 0
        while index < len(self._bouts):
            share = (len(self._bouts) - index) // (2 * self._workers)
            quick = int(JOB * self._measured / max(self._seconds, 1e-6))
            length = max(1, min(share, quick, LONGEST))
            yield self._bouts[index : index + length]
            index += length
