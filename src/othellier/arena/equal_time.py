"""Equal time for both players of a match: `time=fit` gives one of them the processor time that the other one uses.

A pilot of a few games measures the processor time a move of both players, and adapts the seconds a move of the one
with `time=fit` until both agree. Its games are not part of the match.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

from othellier.arena.effort import EqualTime, Side, differs, used
from othellier.arena.guard import PATIENCE
from othellier.arena.match import Match, check_players, plan
from othellier.arena.openings import BALANCED, find_openings
from othellier.base.jobs import Crew
from othellier.errors import ConfigError
from othellier.games.results import Limit
from othellier.messages.languages import Translator, english
from othellier.rules.geometry import STANDARD, Size, SizeLike

__all__ = ["OnPilot", "fit_time", "wants_fit"]

FIT = re.compile(r"(?<=[:,])time=fit(?=,|$)")
"""The option of a player whose time is fitted."""

PILOT = 4
"""Games of each step of the pilot, at least."""
STEPS = 5
"""Steps of the pilot, at most."""
CLOSE = 0.05
"""Relative difference of the processor times that ends the pilot."""
FIRST, LEAST, MOST = 0.05, 0.001, 600.0
"""Seconds a move of the first step, and the least and the most that are tried."""
SEEDS = 7_919
"""Distance of the pilot's seed from that of the match: its openings are other ones where there are enough."""

OnPilot = Callable[[str], None]
"""Receives a line on each step of the pilot."""


def wants_fit(a: str, b: str) -> bool:
    """Return True if the time of one of two players is to be fitted; refuse to fit both.

    >>> wants_fit("engine:time=fit", "gtp:some-program"), wants_fit("engine", "gtp:some-program --time=fit")
    (True, False)
    """
    wanted = [FIT.search(spec) is not None for spec in (a, b)]
    if all(wanted):
        raise ConfigError("time=fit: only one of the players can be fitted to the other")
    return any(wanted)


def fit_time(
    a: str,
    b: str,
    crew: Crew,
    *,
    openings: str = BALANCED,
    plies: int | None = None,
    size: SizeLike = STANDARD,
    limit: Limit | None = None,
    patience: float = PATIENCE,
    seed: int = 0,
    told: OnPilot | None = None,
    say: Translator = english,
) -> EqualTime:
    """Play the pilot of a match of two player strings, one of which has `time=fit`."""
    side = 0 if FIT.search(a) else 1
    size = Size.parse(size)
    games = max(PILOT, 2 * crew.jobs)
    seconds, opponent = FIRST, Side()
    found = find_openings(openings, games // 2, size, seed + SEEDS, plies)
    for step in range(STEPS):
        players = _with_time(a, b, seconds)
        if step == 0:
            check_players(players, size, patience)
        options: dict[str, Any] = {"limit": limit, "patience": patience, "measured": True}
        match = Match(plan(players, found, games, seed=seed + SEEDS, **options), names=players)
        match.run(crew)
        opponent.merge(match.sides[1 - side])  # its time does not depend on ours: all steps tell of it
        own, other, _ = used((match.sides[side], opponent), 0)
        if told is not None:
            words = "pilot: {player} used {own:.2f} ms a move, its opponent {other:.2f} ms"
            told(say(words, player=players[side], own=1000 * own, other=1000 * other))
        fitted = float(f"{min(MOST, max(LEAST, seconds * other / max(own, 1e-9))):.3g}")
        if not differs(own, other, CLOSE) or fitted == seconds:
            break
        seconds = fitted
    return EqualTime(side, seconds, _with_time(a, b, seconds))


def _with_time(a: str, b: str, seconds: float) -> tuple[str, str]:
    return FIT.sub(f"time={seconds:g}", a), FIT.sub(f"time={seconds:g}", b)
