"""The match of a new evaluation against the old: balanced openings, colours swapped, until a sequential test can tell.

Every bout is written down when it is over, so that an interrupted match goes on where it was.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

from othellier.arena.bout import Bout
from othellier.arena.ledger import Ledger, game_line
from othellier.arena.match import Match, plan
from othellier.arena.openings import find_openings
from othellier.arena.play import Played
from othellier.arena.stats import Sprt
from othellier.base.jobs import Crew
from othellier.config.models import ReplacementConfig
from othellier.learn.evaluation import LearntEvaluation
from othellier.rules.geometry import STANDARD

__all__ = ["compare"]


def compare(
    new: LearntEvaluation,
    old: LearntEvaluation,
    config: ReplacementConfig,
    path: Path,
    *,
    seed: int,
    executor: str,
    jobs: int,
    progress: Callable[[int], None],
) -> dict[str, Any]:
    """All that the match tells; its games go to a ledger."""
    openings = find_openings(config.openings, (config.games + 1) // 2, STANDARD, seed)
    players = new.player(config.player), old.player(config.player)
    match = Match(plan(players, openings, config.games, seed=seed & 0xFFFF), Sprt.parse(config.sprt))
    with Ledger(path) as ledger, Crew(executor, jobs) as crew:
        _count_old(match, ledger)
        progress(match.everything.games)

        def told(bout: Bout, games: list[Played]) -> None:
            names = [("new", "old"), ("old", "new")]
            ledger.append(
                game_line(game, *names[index], bout=bout.number, game=index) for index, game in enumerate(games)
            )
            progress(len(games))

        if not match.verdict:
            match.run(crew, told)
    return match.summary()


def _count_old(match: Match, ledger: Ledger) -> None:
    """Count the whole bouts an earlier run has played; only the others are left to play."""
    games: dict[int, dict[int, Played]] = {}
    for line, game in ledger.games("bout", "game"):
        games.setdefault(line["bout"], {})[line["game"]] = game
    whole = {bout.number for bout in match.bouts if len(games.get(bout.number, ())) == bout.games}
    for number in sorted(whole):
        match.add([games[number][index] for index in sorted(games[number])])
    match.bouts = [bout for bout in match.bouts if bout.number not in whole]
