"""The games somebody has played here, as one learns from them: against whom, how they ended, what the analysis says.

Games are read once and remembered as long as nobody changes them; imported ones are other people's and left out.
"""

from __future__ import annotations

import threading
from collections import OrderedDict
from dataclasses import dataclass

from othellier.coach.analysis import GameAnalysis
from othellier.coach.lessons import Puzzle, puzzles
from othellier.errors import OthellierError
from othellier.page.storage.store import GameFilter, Kept, Store
from othellier.page.study.library import read_kept
from othellier.rules.board import Color
from othellier.session.commands import HumanChoice, LevelChoice

MOST = 500
"""Games looked at, the last ones used: more say little new about a player."""


@dataclass(frozen=True, slots=True)
class PlayedGame:
    """A game of one person against a machine."""

    game: str
    created: float
    color: Color
    """The person's."""
    level: str
    """Of the opponent; empty for a player of the laboratory."""
    opponent: str
    size: str
    moves: int
    points: float | None
    """1 for a win, a half for a draw, 0 for a loss; None while it goes on."""
    discs: float
    """By which the person won."""
    opening: dict[str, str] | None
    analysis: GameAnalysis | None
    """Only a finished one."""
    puzzles: tuple[Puzzle, ...]


class PlayedGames:
    """Reads them from the store; to be asked in threads."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._lock = threading.Lock()
        self._known: OrderedDict[tuple[str, float], PlayedGame | None] = OrderedDict()

    def of(self, owner: str) -> list[PlayedGame]:
        """Somebody's games against machines, the first one first."""
        kept = self._store.find(owner, GameFilter(source="played"), limit=MOST).games
        found = [self._read(game) for game in kept]
        return sorted((game for game in found if game is not None), key=lambda game: game.created)

    def _read(self, kept: Kept) -> PlayedGame | None:
        place = kept.id, kept.used
        with self._lock:
            if place in self._known:
                self._known.move_to_end(place)
                return self._known[place]
        game = _played(kept)
        with self._lock:
            self._known[place] = game
            while len(self._known) > 4 * MOST:
                self._known.popitem(last=False)
        return game


def _played(kept: Kept) -> PlayedGame | None:
    """A kept game, if one person played it against a machine and it can be read."""
    try:
        session = read_kept(kept)
    except OthellierError:  # the library tells of it
        return None
    people: list[Color] = [color for color, choice in session.players.items() if isinstance(choice, HumanChoice)]
    if len(people) != 1:
        return None
    mine = people[0]
    opponent = session.players["white" if mine == "black" else "black"]
    outcome = session.game.outcome()
    points, discs = None, 0.0
    if outcome is not None:
        points = 0.5 if outcome.winner is None else float(outcome.winner == mine)
        discs = outcome.score if mine == "black" else -outcome.score
    analysis = session.analysis if session.analysis is not None and session.analysis.done else None
    return PlayedGame(
        game=kept.id,
        created=kept.created,
        color=mine,
        level=opponent.level if isinstance(opponent, LevelChoice) else "",
        opponent=opponent.label,
        size=str(kept.summary["size"]),
        moves=int(kept.summary["moves"]),
        points=points,
        discs=discs,
        opening=kept.summary["opening"],
        analysis=analysis,
        puzzles=() if analysis is None else tuple(puzzles(analysis, mine)),
    )
