"""Who may do what to a game: the one place that says so, for requests and sockets alike.

Whoever knows a game's id may look at it and play along: that is how a friend is invited. All else that changes it,
its name, its players, its end, belongs to its owner.
"""

from __future__ import annotations

import hashlib

from othellier.errors import RequestError
from othellier.session import commands as m

LOCAL = "local"
"""Who owns the games of this machine's own browser."""
GUESTS = (m.Play, m.Goto, m.Hint, m.Values, m.Follow, m.Hurry, m.Ping)
"""The commands of those who were given a game's address."""


def own_file(kind: str, owner: str) -> str:
    """The name of somebody's file: this machine's user shares that of the command line, strangers,
    whose names are no file names, have their own."""
    return f"{kind}.json" if owner == LOCAL else f"{kind}-{hashlib.sha256(owner.encode()).hexdigest()[:24]}.json"


def check_owner(owner: str, asker: str) -> None:
    """Refuse whoever is not the owner."""
    if asker != owner:
        raise RequestError("forbidden", "this is somebody else's game")


def check_command(command: m.Command, owner: str, asker: str) -> None:
    """Refuse a command that is the owner's alone."""
    if not isinstance(command, GUESTS):
        check_owner(owner, asker)
