"""A match in one call, for programs: `othellier.match`. Its twin for tournaments, which reads settings, is in `config`.

Players are strings, objects or functions. Strings can play on several processes (`jobs`); a script that asks for
that needs the usual `if __name__ == "__main__":`. With an object or a function among the players all games are played
in the calling thread. The command line does the same with progress bars and files.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import Any

from othellier.arena.bout import Bout
from othellier.arena.equal_time import fit_time, wants_fit
from othellier.arena.ledger import Ledger
from othellier.arena.match import Match
from othellier.arena.openings import BALANCED
from othellier.arena.play import Played
from othellier.arena.stats import Sprt
from othellier.base.jobs import Crew
from othellier.errors import expect
from othellier.games.results import clocked
from othellier.players import PlayerLike, lent
from othellier.rules.geometry import STANDARD, SizeLike

__all__ = ["crew_for", "match"]

_Progress = Callable[[int, int], None]


def match(
    a: PlayerLike,
    b: PlayerLike,
    games: int = 100,
    *,
    openings: str = BALANCED,
    plies: int | None = None,
    size: SizeLike = STANDARD,
    time: float | None = None,
    clock: float | str | None = None,
    sprt: tuple[float, float] | None = None,
    alpha: float = 0.05,
    beta: float = 0.05,
    seed: int = 0,
    jobs: int = 1,
    executor: str = "processes",
    save: str | Path | None = None,
    progress: _Progress | None = None,
) -> Match:
    """Let two players play each other, every opening twice with the colours swapped; all results are for `a`.

    `openings` is `balanced`, `start` or a file; `time` is seconds for a move, `clock` for a whole game, also with what
    each move adds (`"60+0.5"`): a side that has nothing left loses. With `sprt=(0, 10)` the match ends when it is clear
    whether `a` is better by 10 Elo rather than by 0; `alpha` is the chance that it then accepts a difference of 0,
    `beta` the chance that it rejects one of 10. `save` names a file (.jsonl) for the games. `progress` is called with
    how many games are played, and of how many.

    At equal time: `time=fit` in the string of one player (`"engine:time=fit"`) gives it, after a pilot of a few games,
    as much processor time a move as the other one uses. Each game then has a core of its own, and the match reports
    the processor time of both.

    Games that repeat earlier ones and games that an error has ended are not counted: the match says how many there
    were. Raise PlayerError if a player loses all games of the first opening, or 20 in a row, by errors.

    >>> print(match("alphabeta:depth=4", "random:seed=1", games=4, size=6))
    alphabeta:depth=4 - random:seed=1: +4 =0 -0 of 4 games, score 100.0 %, +inf Elo [-113, +inf], +21.0 discs a game
    """
    expect("games", games, int, "how many games to play")
    test = None if sprt is None else Sprt(*sprt, alpha, beta)
    with ExitStack() as closing:
        first, second = closing.enter_context(lent([a, b]))
        fits = wants_fit(first, second)
        crew = closing.enter_context(crew_for([a, b], executor, jobs, pinned=fits))
        facts: dict[str, Any] = {"openings": openings, "plies": plies, "size": size, "seed": seed}
        facts["limit"] = clocked(clock, time)
        fitted = fit_time(first, second, crew, **facts) if fits else None
        first, second = (first, second) if fitted is None else fitted.players
        running = Match.between(first, second, games, **facts, sprt=test, measured=fits)
        running.equal_time = fitted
        ledger = None if save is None else closing.enter_context(Ledger(Path(save)))

        def told(bout: Bout, played: list[Played]) -> None:
            if ledger is not None:
                ledger.append(running.lines(bout, played))
            if progress is not None:
                progress(running.everything.games, games)

        running.run(crew, told)
    return running


def crew_for(players: Sequence[PlayerLike], executor: str, jobs: int, *, pinned: bool = False) -> Crew:
    """Return a crew for these players. Objects cannot be sent to other processes: with one, all is played here."""
    return Crew(executor, jobs, pinned=pinned) if all(isinstance(player, str) for player in players) else Crew("here")
