"""Searches of the laboratory, recorded for the page: the tree of a classical search, within limits of time and size."""

from __future__ import annotations

import time
from collections.abc import Sequence
from typing import Any, get_args

from othellier.errors import OthellierError, RequestError
from othellier.page.play.players import create_allowed
from othellier.rules.board import Position
from othellier.search import MctsOptions, Options, record
from othellier.search.trees.drawing import Language
from othellier.search.trees.steps import steps

SECONDS = 4.0
"""The longest a search may take: it runs in Python, where the other games of the server wait for it now and then."""
MOST_RECORDED = 30_000
MOST_ITERATIONS = 3_000
SHOWN = 200
"""Positions drawn of each tree."""


class _Deadline:
    """Ends a search that takes too long."""

    def __init__(self, seconds: float) -> None:
        self._end = time.monotonic() + seconds

    def is_set(self) -> bool:
        """Whether the time is used up."""
        return time.monotonic() >= self._end


def recorded_trees(position: Position, specs: Sequence[str], language: str) -> list[dict[str, Any]]:
    """What `stepper.js` shows of each player's search of a position; runs in a thread."""
    if position.is_over():
        raise RequestError("game_over", "the game is over, there is nothing to search")
    known: list[Language] = [code for code in get_args(Language) if code == language]
    return [_tree(position, spec, known[0] if known else "en") for spec in specs]


def _tree(position: Position, spec: str, language: Language) -> dict[str, Any]:
    try:
        options = getattr(create_allowed(spec), "options", None)
        if not isinstance(options, Options | MctsOptions):
            name = spec.partition(":")[0][:40]
            raise RequestError("bad_player", f"{name!r} has no tree to show", player=spec[:200])
        iterations = options.iterations if isinstance(options, MctsOptions) else None
        if iterations is not None and iterations > MOST_ITERATIONS:
            raise RequestError("too_large", f"at most {MOST_ITERATIONS} iterations", limit=MOST_ITERATIONS)
        tree = record(position, options, most=MOST_RECORDED, stop=_Deadline(SECONDS))
    except RequestError:
        raise
    except OthellierError as error:
        raise RequestError("bad_player", " ".join(str(error).split()), player=spec[:200]) from None
    if (
        isinstance(options, Options)
        and not options.deepens
        and tree.outcome.depth < options.depth_for(position.empties)
    ):
        raise RequestError("too_large", f"the search takes more than {SECONDS:g} s", limit=f"{SECONDS:g} s")
    return steps(tree, SHOWN, language)
