"""The analysis of a game as it runs: a quick look at every move first, then deeper ones, each in place of the last."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Coroutine
from dataclasses import replace
from functools import partial
from typing import Any

from othellier.coach.analysis import GameAnalysis
from othellier.coach.judging import EFFORTS, AnalysisLevel, JudgedMove
from othellier.coach.review import Question, questions
from othellier.page.play import engine_jobs
from othellier.players.pool import Searchers, Urgency
from othellier.session.session import Session

SAY_SECONDS = 0.3  # between two words about a run one waits for
REFINED_SECONDS = 1.0  # and about one in the background
LEVELS: tuple[AnalysisLevel, ...] = tuple(EFFORTS)
WEIGHTS: dict[AnalysisLevel, int] = {"quick": 1, "normal": 6, "deep": 48}
"""What a move costs at each level, about: for the bar that shows how far a run has come."""

_Tell = Callable[[GameAnalysis, float, float | None], None]
"""Hears an analysis, how far it has come, and how far its refinement has, if there is one."""


class AnalysisRun:
    """One run over the main line, up to a level; the usual level is refined afterwards, while nobody waits."""

    def __init__(self, session: Session, searchers: Searchers, level: AnalysisLevel, tell: _Tell) -> None:
        self._session, self._searchers, self._level, self._tell = session, searchers, level, tell
        self._asked = questions(session.game)
        self._line = tuple(session.game.moves())
        self._ranks: dict[int, int] = {}
        """By its ply: the level at which a move was judged."""
        self._done, self._total, self._said = 0, 1, 0.0
        self.over = False
        """Whether all is told, and nothing left that could be stopped."""
        self.refines = False
        """Whether the level asked for is reached, and more is looked for."""

    async def run(self, finished: Callable[[], Coroutine[Any, Any, None]], watched: Callable[[], bool]) -> None:
        """Judge every move; `finished` is called when the level asked for is reached, and after the refinement, for
        which there is none where nobody watches.
        """
        self._begin()
        rank = LEVELS.index(self._level)
        await self._judge(LEVELS[: rank + 1], Urgency.ANALYSIS, self._searchers.count)
        self._close(self._level)
        refines = self._level == "normal" and self._missing("deep")
        self.over = not refines
        self._tell(self._analysis, 1.0, 0.0 if refines else None)
        await finished()
        if refines and watched():
            self.refines = True
            # One thread stays free: whoever plays shall not wait for what nobody waits for.
            await self._judge(("deep",), Urgency.PONDER, max(1, self._searchers.count - 1))
            self._close("deep")
            self.over = True
            self._tell(self._analysis, 1.0, None)
            await finished()

    async def run_beside(self) -> None:
        """Judge every move while nobody waits for it: whoever does goes first, and nothing is refined."""
        self._begin()
        await self._judge((self._level,), Urgency.PONDER, max(1, self._searchers.count // 2))
        self._close(self._level)
        self.over = True

    def _begin(self) -> None:
        """Start from what is known of these very moves: it stays until there is better."""
        old, game = self._session.analysis, self._session.game
        known: tuple[JudgedMove, ...] = ()
        if old is not None:
            known = tuple(move for move in old.moves if old.line[: move.ply + 1] == self._line[: move.ply + 1])
            if old.done and old.level in LEVELS:
                self._ranks = {move.ply: LEVELS.index(old.level) for move in known}
        names = game.headers.black, game.headers.white
        self._session.analysis = GameAnalysis(game.start, self._line, self._level, known, False, *names)

    @property
    def _analysis(self) -> GameAnalysis:
        analysis = self._session.analysis
        assert analysis is not None
        return analysis

    def _close(self, level: AnalysisLevel) -> None:
        least = min((self._ranks[question.ply] for question in self._asked), default=LEVELS.index(level))
        self._session.analysis = replace(self._analysis, level=LEVELS[least], done=True)

    def _missing(self, level: AnalysisLevel) -> list[Question]:
        """The moves not judged at a level yet; what is solved at a lower one is solved."""
        found, rank = [], LEVELS.index(level)
        for question in self._asked:
            known = self._ranks.get(question.ply, -1)
            if 0 <= known < rank and question.position.empties <= EFFORTS[LEVELS[known]].exact:
                self._ranks[question.ply] = known = rank
            if known < rank:
                found.append(question)
        return found

    async def _judge(self, levels: tuple[AnalysisLevel, ...], urgency: Urgency, count: int) -> None:
        self._done, self._total = 0, len(self._asked) * sum(WEIGHTS[level] for level in levels)
        for level in levels:
            missing = self._missing(level)
            self._done += (len(self._asked) - len(missing)) * WEIGHTS[level]
            # Those that are solved first: they take longest, and no thread shall wait for the last of them.
            missing.sort(key=lambda question: question.position.empties > EFFORTS[level].exact)
            workers = [asyncio.create_task(self._work(missing, level, urgency)) for _ in range(count)]
            try:
                await asyncio.gather(*workers)
            finally:
                for worker in workers:
                    worker.cancel()

    async def _work(self, missing: list[Question], level: AnalysisLevel, urgency: Urgency) -> None:
        while missing:
            question = missing.pop(0)
            job = partial(engine_jobs.judgement, question=question, effort=EFFORTS[level])
            found = await self._searchers.run(job, urgency)
            others = (move for move in self._analysis.moves if move.ply != found.ply)
            self._session.analysis = replace(self._analysis, moves=(*others, found))
            self._ranks[found.ply] = LEVELS.index(level)
            self._done += WEIGHTS[level]
            refining = urgency is Urgency.PONDER
            if time.monotonic() - self._said >= (REFINED_SECONDS if refining else SAY_SECONDS):
                self._said = time.monotonic()
                share = self._done / self._total
                self._tell(self._analysis, 1.0 if refining else share, share if refining else None)
