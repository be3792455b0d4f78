"""The values of squares that tabs want to see: each position is searched once, however many look at it."""

from __future__ import annotations

from collections.abc import Collection
from functools import partial

from othellier.coach.advice import value_limits
from othellier.errors import OthellierError
from othellier.games.game import GameNode
from othellier.games.node_names import node_id, square_names
from othellier.games.results import Result
from othellier.page.play import engine_jobs
from othellier.page.play.browser_tab import Tab
from othellier.page.play.search_slot import Slot
from othellier.page.play.state_view import judged_view
from othellier.page.wire import game_models
from othellier.page.wire.events import error_view, event_text
from othellier.players.pool import Searchers, Urgency

_Wish = tuple[GameNode, int | None]
"""A position, and how deep to look at most."""


class WatchedValues:
    """The searches behind the values, and which tab hears of which."""

    def __init__(self, searchers: Searchers) -> None:
        self.last: tuple[GameNode, list[Result]] | None = None
        """The values that were told last."""
        self._searchers = searchers
        self._slots: dict[_Wish, Slot] = {}
        self._told: dict[_Wish, str] = {}
        self._heard: dict[Tab, _Wish] = {}
        """What each tab is told of."""

    def serve(self, tabs: Collection[Tab]) -> None:
        """Search what these tabs want to see, and nothing else; who comes late is told what is known."""
        wishes = {tab: wish for tab in tabs if (wish := self._wish(tab)) is not None}
        for wish in self._slots.keys() - set(wishes.values()):
            self._slots.pop(wish).want(None)
            self._told.pop(wish, None)
        before, self._heard = self._heard, wishes
        for tab, wish in wishes.items():
            if before.get(tab) != wish and wish in self._told:
                tab.tell(self._told[wish])
            self._slots.setdefault(wish, Slot()).want(wish, partial(self._deepen, wish))

    def _wish(self, tab: Tab) -> _Wish | None:
        place = tab.place
        if not tab.values_on or place is None or not place.position.moves_mask():
            return None
        return place, tab.values_depth

    def _hearers(self, wish: _Wish) -> list[Tab]:
        return [tab for tab, heard in self._heard.items() if heard == wish]

    async def _deepen(self, wish: _Wish) -> None:
        """Each step waits its turn behind other people's moves."""
        node, most = wish
        steps = value_limits(node.position, most)
        try:
            for limit in steps:
                work = partial(engine_jobs.judged_values, position=node.position, limit=limit)
                found = await self._searchers.run(work, Urgency.VALUES)
                done = limit is steps[-1] or all(result.is_move_exact for result, _ in found)
                self._tell(wish, found, done)
                if done:
                    return
        except Exception as error:  # even a bug ends nothing else
            for tab in self._hearers(wish):
                tab.values_on = False if isinstance(error, OthellierError) else tab.values_on
                tab.tell(event_text("error", error=error_view(error)))

    def _tell(self, wish: _Wish, found: list[engine_jobs.JudgedResult], done: bool) -> None:
        node, position = wish[0], wish[0].position
        results = [result for result, _ in found]
        best = max(result.score or 0.0 for result in results)
        self.last = node, results
        view = game_models.ValuesView(
            node=node_id(node),
            turn=position.turn,
            depth=min(result.depth for result in results),
            done=done,
            best=square_names([results[0].move], position.size)[0],
            squares=[judged_view(position, result, best, judged) for result, judged in found],
        )
        text = event_text("values", **view.model_dump(mode="json"))
        self._told[wish] = text
        for tab in self._hearers(wish):
            tab.tell(text, progress=not done)
