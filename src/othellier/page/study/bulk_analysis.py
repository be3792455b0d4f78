"""Many games analysed one after another, beside everything else: whoever plays or studies goes first."""

from __future__ import annotations

import asyncio
import secrets
import time
from collections.abc import Sequence
from typing import Protocol

from othellier.coach.analysis import GameAnalysis
from othellier.errors import OthellierError, RequestError
from othellier.page.play.analysis_run import AnalysisRun
from othellier.page.wire.events import error_view
from othellier.page.wire.game_models import Summary
from othellier.page.wire.replies import JobView
from othellier.players.pool import Searchers
from othellier.session.session import Session

GONE = ("unknown_game", "bad_record")
"""Errors of one game alone, deleted for good or damaged: the others can be analysed all the same."""


class GameKeeper(Protocol):
    """Whoever has the games."""

    async def session(self, game: str) -> Session:
        """A game as it is now; a RequestError where there is none any more."""

    async def keep_analysis(self, game: str, analysis: GameAnalysis) -> None:
        """Save the analysis of a game; a RequestError where there is none any more."""


class BulkAnalysis:
    """One such run: what has become of it so far."""

    def __init__(self, owner: str, games: Sequence[Summary], keeper: GameKeeper, searchers: Searchers) -> None:
        self.id = secrets.token_urlsafe(12)
        self.owner = owner
        self.ended: float | None = None
        self._games, self._keeper, self._searchers = games, keeper, searchers
        self._done = 0
        self._left_out: list[Summary] = []
        self._share = 0.0  # of the game being analysed
        self._error: OthellierError | None = None
        self._task: asyncio.Task[None] | None = None

    def start(self, turn: asyncio.Lock) -> asyncio.Task[None]:
        """Begin as soon as it is one's turn: one such run at a time is enough for the machine."""
        self._task = asyncio.create_task(self._run(turn))
        return self._task

    def stop(self) -> None:
        """End it; what is analysed stays."""
        if self._task is not None:
            self._task.cancel()

    def view(self) -> JobView:
        """How far it has come."""
        return JobView(
            job=self.id,
            done=self.ended is not None,
            progress=round((self._done + len(self._left_out) + self._share) / max(1, len(self._games)), 3),
            games=self._done,
            failed=len(self._left_out),
            left_out=self._left_out,
            error=None if self._error is None else error_view(self._error),
        )

    async def _run(self, turn: asyncio.Lock) -> None:
        try:
            async with turn:
                for game in self._games:
                    await self._analyse_or_leave_out(game)
        except OthellierError as error:  # no engine, or no room on the disk: the others would end so too
            self._error = error
        finally:
            self._share = 0.0
            self.ended = time.monotonic()

    async def _analyse_or_leave_out(self, game: Summary) -> None:
        try:
            await self._analyse(game.game)
            self._done += 1
        except RequestError as error:
            if error.code not in GONE:
                raise
            self._left_out.append(game)
        self._share = 0.0

    async def _analyse(self, game: str) -> None:
        known = await self._keeper.session(game)
        if known.game.root.children:
            session = Session(known.game.copy(), known.players)
            session.analysis = known.analysis
            await AnalysisRun(session, self._searchers, "normal", self._hear).run_beside()
            if session.analysis is not None and session.analysis != known.analysis:
                await self._keeper.keep_analysis(game, session.analysis)

    def _hear(self, _: GameAnalysis, progress: float, beside: float | None) -> None:
        self._share = progress if beside is None else beside
