"""Plans of a series of games and of a tournament, as the arena reads them: configurations have these attributes.

The arena does without the packages that read configurations from YAML; any object with these attributes will do.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Protocol

__all__ = ["PlannedPlayer", "SeriesPlan", "TournamentPlan"]


class PlannedPlayer(Protocol):
    """A player of a plan."""

    @property
    def spec(self) -> str:
        """The player string."""

    @property
    def title(self) -> str:
        """The name under which the player is listed."""


class _GamesPlan(Protocol):
    """Settings that all games of a plan share; docs/configuration.md describes each."""

    @property
    def size(self) -> str:
        """The board."""

    @property
    def openings(self) -> str:
        """Where openings come from."""

    @property
    def plies(self) -> int | None:
        """Moves that are taken of each opening."""

    @property
    def games(self) -> int:
        """Games of the series, or of each pairing."""

    @property
    def time(self) -> float | None:
        """Seconds for a move."""

    @property
    def patience(self) -> float:
        """Seconds beyond its time after which a player from a file has lost."""

    @property
    def memory(self) -> int | None:
        """Megabytes for a player from a file, which is then fenced in."""

    @property
    def seed(self) -> int:
        """Seed of openings and of players that choose at random."""


class SeriesPlan(_GamesPlan, Protocol):
    """A series of games between two players."""

    @property
    def black(self) -> PlannedPlayer:
        """The player with the black discs in the first game."""

    @property
    def white(self) -> PlannedPlayer:
        """The other player."""

    @property
    def swap(self) -> bool:
        """True if the colours change in every second game."""


class TournamentPlan(_GamesPlan, Protocol):
    """A tournament of many players."""

    @property
    def title(self) -> str:
        """The heading of the report."""

    @property
    def players(self) -> Sequence[PlannedPlayer]:
        """The players, each with a name of its own."""

    @property
    def system(self) -> str:
        """`round robin`, `gauntlet` or `swiss`."""

    @property
    def hero(self) -> str | None:
        """The player that meets all others in a gauntlet."""

    @property
    def rounds(self) -> int | None:
        """Rounds of a Swiss tournament."""

    @property
    def own_openings(self) -> bool:
        """True if each pairing draws openings of its own."""

    @property
    def clock(self) -> float | str | None:
        """Time of a side for a whole game."""

    def facts(self) -> dict[str, Any]:
        """Return all settings as they are stored beside the games, as JSON values."""

    def defaults(self) -> Mapping[str, Any]:
        """Return the values of settings that an older description does not mention."""
