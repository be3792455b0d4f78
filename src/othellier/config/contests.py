"""A tournament in one call, for programs: `othellier.tournament`, whose settings are those of a configuration.

Players are strings, objects or functions, as in `othellier.match`.
"""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import Any

from othellier.arena.contests import crew_for
from othellier.arena.play import Played
from othellier.arena.report import TournamentReport
from othellier.arena.tournament import Encounter, Tournament
from othellier.config.models import TournamentConfig, parse
from othellier.errors import WrongType
from othellier.players import PlayerLike, lent

__all__ = ["tournament"]

_Progress = Callable[[int, int], None]


def tournament(
    players: Sequence[PlayerLike] | Mapping[str, PlayerLike],
    games: int = 50,
    *,
    folder: str | Path | None = None,
    jobs: int = 1,
    executor: str = "processes",
    progress: _Progress | None = None,
    **settings: Any,
) -> TournamentReport:
    """Let many players play each other: all against all unless `system` says otherwise, so many games a pairing.

    Players may be given with names, as a mapping. In a `folder` every game is kept, and the same call goes on where it
    was interrupted. Other settings are those of docs/configuration.md: `system`, `openings`, `size`, `time`, `seed` …

    >>> report = tournament({"searcher": "alphabeta:depth=4", "dice": "random:seed=1"}, games=4, size=6)
    >>> [(line.name, line.total.wins) for line in report.standings]
    [('searcher', 4), ('dice', 0)]
    """
    if isinstance(players, str) or not isinstance(players, Sequence | Mapping):
        raise WrongType.of("players", players, "a list of players, or names with players such as {'me': 'random'},")
    names, given = (list(players), list(players.values())) if isinstance(players, Mapping) else ([], list(players))
    with ExitStack() as closing:
        specs = closing.enter_context(lent(given))
        entries = [{"algorithm": spec, "name": name} for spec, name in zip(specs, names or specs, strict=True)]
        facts = {**settings, "players": entries, "games": games, "jobs": jobs, "executor": executor}
        if "size" in facts:
            facts["size"] = str(facts["size"])
        config = parse(facts, TournamentConfig, "tournament")
        place = closing.enter_context(tempfile.TemporaryDirectory()) if folder is None else folder
        running = closing.enter_context(Tournament(config, Path(place)))
        crew = closing.enter_context(crew_for(given, executor, jobs))
        done = 0

        def told(_: Encounter, played: list[Played]) -> None:
            nonlocal done
            done += len(played)
            if progress is not None:
                progress(done, running.planned())

        running.run(crew, told)
        return TournamentReport(running)
