"""A running game: the session, the tabs that watch it, the searches it wants, and its saving.

Every tab looks where it likes; who looks where the game goes on is taken along when it does, and who follows is
taken along by the others. All of it lives in the event loop; only searches and the disk are elsewhere. After every
change the searches that are under way are compared with those that are wanted: what no longer is, is dropped.
"""

from __future__ import annotations

import asyncio
import contextlib
import random
import time
from collections.abc import Awaitable, Callable, Iterable
from functools import partial
from typing import Protocol

from othellier.coach.analysis import GameAnalysis
from othellier.errors import OthellierError, RequestError, Resigned
from othellier.games.game import GameNode
from othellier.games.node_names import find_node
from othellier.games.results import Result
from othellier.games.timing import time_for_move
from othellier.games.walking import rest
from othellier.openings.book import Book
from othellier.page.play import engine_jobs, players
from othellier.page.play.analysis_run import AnalysisRun
from othellier.page.play.browser_tab import Tab
from othellier.page.play.search_slot import Slot
from othellier.page.play.state_view import (
    GameFacts,
    analysis_view,
    hint_view,
    result_view,
    state_text,
    state_view,
    thinking_view,
)
from othellier.page.play.tree_view import TreeText
from othellier.page.play.watched_values import WatchedValues
from othellier.page.wire import game_models
from othellier.page.wire.events import error_view, event_text
from othellier.players.follower import GameLine, line_to, position_after
from othellier.players.pool import Searchers, Urgency
from othellier.rules.board import Position, after
from othellier.session import commands as m
from othellier.session.rights import check_command
from othellier.session.session import Session
from othellier.session.session_events import Over, Passed, Relocated, SessionEvent

PROGRESS_SECONDS = 0.1  # between two words about one search
RETRY_SECONDS = 5.0  # until a save that failed is tried again
PACE_SECONDS = 0.4  # a move that machines take at least where they play alone, to be followed by eye
READY_LIMIT = 6
STAMP = "%Y-%m-%dT%H:%M:%SZ"


class Keeper(Protocol):
    """Whoever keeps games and hears of their end."""

    @property
    def book(self) -> Book | None:
        """The book that levels play from."""

    async def keep(self, running: RunningGame) -> None:
        """Save a running game; a RequestError where that fails."""

    async def ended(self, running: RunningGame) -> None:
        """A game has ended."""


class RunningGame:
    """One game with everybody around it."""

    def __init__(
        self,
        name: str,
        owner: str,
        session: Session,
        searchers: Searchers,
        keeper: Keeper,
        *,
        created: float,
        tags: tuple[str, ...] = (),
        imported: bool = False,
    ) -> None:
        self.name, self.owner, self.created, self.tags, self.imported = name, owner, created, tags, imported
        self.session = session
        self.tabs: set[Tab] = set()
        self.thinking: game_models.Thinking | None = None
        self.values = WatchedValues(searchers)
        self.saved = True
        self._searchers, self._keeper = searchers, keeper
        self._changes = self._kept_changes = 0
        self._saving = asyncio.Lock()
        self._move, self._analysis, self._ponder = (Slot() for _ in range(3))
        self._flag: asyncio.TimerHandle | None = None
        self.failed: game_models.Failure | None = None
        self._kept = players.KeptPlayers()
        self._ready: dict[tuple[Position, object], Result] = {}
        """Answers thought of on the opponent's time."""
        self._tree = TreeText()
        self._chores: set[asyncio.Task[None]] = set()
        self._retrying: asyncio.Task[None] | None = None

    # -- tabs

    def join(self, tab: Tab) -> None:
        """A tab has opened, and is told everything. It begins where it asks to, where one looked last, or in play."""
        tab.place = self._first_place(tab)
        self.tabs.add(tab)
        if len(self.tabs) == 1:
            self.session.run_clock(time.monotonic())
        self._tell_state([tab])
        self._reconcile()

    def _first_place(self, tab: Tab) -> GameNode:
        if tab.wanted is not None:
            with contextlib.suppress(RequestError):
                return rest(find_node(self.session.game, tab.wanted))
        return self.session.live if self.tabs else self.session.current

    def leave(self, tab: Tab) -> None:
        """A tab has closed; with the last one all thinking ends and the clock stands."""
        self.tabs.discard(tab)
        tab.hint.want(None)
        if not self.tabs:
            self.session.run_clock(time.monotonic(), hold=True)
        self._reconcile()

    def _tell(self, text: str, progress: bool = False) -> None:
        for tab in self.tabs:
            tab.tell(text, progress)

    def state(self) -> game_models.GameState:
        """The state as it is now."""
        return state_view(self.session, self._facts(), time.monotonic())

    def _facts(self, tab: Tab | None = None) -> GameFacts:
        seen = (False, False) if tab is None else (tab.values_on, tab.follows)
        return GameFacts(self.name, self.tags, self.created_text, self.saved, self.thinking, *seen, self.failed)

    @property
    def created_text(self) -> str:
        """When the game was begun."""
        return time.strftime(STAMP, time.gmtime(self.created))

    def _tell_state(self, tabs: Iterable[Tab]) -> None:
        """Tell tabs the state, each as it sees it; those that have the tree are spared that."""
        written: str | None = None
        for tab in tabs:
            lacking = tab.revision != self.session.revision
            if lacking and written is None:
                written = self._tree.write(self.session.game, self.session.analysis)
            tab.revision = self.session.revision
            assert tab.place is not None
            tree = written if lacking else None
            tab.tell(state_text(self.session, self._facts(tab), time.monotonic(), tab.place, tree))

    def _carry(self, live: GameNode, events: list[SessionEvent], leader: Tab | None = None) -> None:
        """Lead tabs on after a change: off what has gone, along with the game, and after whom they follow."""
        for event in events:
            if isinstance(event, Relocated):
                live = event.place(live)
                for tab in self.tabs - {leader}:
                    assert tab.place is not None
                    tab.place = event.place(tab.place)
        for tab in self.tabs - {leader}:
            if leader is not None and tab.follows:
                tab.place = leader.place
            elif tab.place is live:
                tab.place = self.session.live

    # -- commands

    async def obey(self, command: m.Command, tab: Tab, asker: str) -> None:
        """Do what a tab asks, if it may; it is done, and saved, when this returns."""
        check_command(command, self.owner, asker)
        if isinstance(command, m.Players):
            for choice in (command.black, command.white):
                if choice is not None:
                    players.check_player(choice)
            self.session.playing |= self.failed is not None
        if isinstance(command, m.Ping):
            return
        if isinstance(command, m.Hurry):
            if self._move.job is None:
                raise RequestError("nothing_to_do", "nobody is thinking about a move")
            self._move.job.hurry()
        elif isinstance(command, m.Hint):
            self._ask_hint(tab)
        elif isinstance(command, m.Values):
            tab.values_on, tab.values_depth = command.on, command.depth
            self._tell_state([tab])
            self._reconcile()
        elif isinstance(command, m.Follow):
            tab.follows = command.on
            self._tell_state([tab])
        elif isinstance(command, m.Analyse):
            if not self.session.game.root.children:
                raise RequestError("nothing_to_do", "there is no move to analyse")
            begun = AnalysisRun(self.session, self._searchers, command.level, self._tell_analysis)
            self._analysis.want(None)
            self._analysis.want(begun, lambda: self._guard(lambda: self._analyse(begun)))
        elif isinstance(command, m.AnalyseStop):
            run = self._analysis.key
            if not isinstance(run, AnalysisRun) or run.over:
                raise RequestError("nothing_to_do", "nothing is being analysed")
            self._analysis.want(None)
            self.session.revision += 1
            await self.changed()
        else:
            await self._apply(command, tab)

    async def _apply(self, command: m.Command, tab: Tab) -> None:
        """Let the session obey, as seen from where a tab looks."""
        session = self.session
        if isinstance(command, m.Symmetry):
            self._analysis.want(None)  # it is about another board now
        assert tab.place is not None
        session.game.goto(tab.place)
        live = session.live
        session.apply(command, time.monotonic())
        tab.place = session.current
        if isinstance(command, m.Goto):
            before = {each: each.place for each in self.tabs}
            self._carry(live, [], tab)
            # Where one looks is saved with the next change: a hundred places a minute need not go to the disk.
            await self.changed(
                save=False, tabs=[each for each in self.tabs if each is tab or each.place is not before[each]]
            )
        else:
            await self.changed(live=live, leader=tab)

    async def changed(
        self,
        save: bool = True,
        tabs: list[Tab] | None = None,
        live: GameNode | None = None,
        leader: Tab | None = None,
    ) -> None:
        """Tell, think anew and save after a change; of all tabs, or some; `live` is where the game was before it."""
        self._changes += 1
        events = self.session.take_events()
        if live is not None:
            self._carry(live, events, leader)
        self._reconcile()
        self._tell_state(list(self.tabs) if tabs is None else tabs)
        ended = False
        for event in events:
            if isinstance(event, Passed):
                self._tell(event_text("passed", color=event.color))
            elif isinstance(event, Over):
                position = self.session.live.position
                discs = game_models.Discs(black=position.discs("black"), white=position.discs("white"))
                outcome = result_view(self.session.game.outcome())
                self._tell(event_text("over", result=outcome, discs=discs))
                ended = True
                self.session.ended_at = time.strftime(STAMP, time.gmtime())
        if save:
            await self.save()
        if ended:
            await self._guard(lambda: self._keeper.ended(self))

    # -- saving

    async def save(self) -> None:
        """Save what has changed; where that fails, say so, keep it in memory and try again later."""
        async with self._saving:
            if self._kept_changes == self._changes:
                return
            changes = self._changes
            try:
                await self._keeper.keep(self)
            except RequestError as error:
                if self.saved:
                    self.saved = False
                    self._tell(event_text("saved", saved=False, error=error_view(error)))
                    self._retrying = self._chore(self._retry)
                return
            self._kept_changes = changes
            if not self.saved:
                self.saved = True
                self._tell(event_text("saved", saved=True))

    async def _retry(self) -> None:
        while not self.saved:
            await asyncio.sleep(RETRY_SECONDS)
            await self.save()

    @property
    def is_idle(self) -> bool:
        """Whether nobody watches and nothing is left to find out or to save."""
        busy = self._owes_analysis or bool(self._chores)
        return not self.tabs and not busy and self._kept_changes == self._changes

    def _chore(self, work: Callable[[], Awaitable[None]]) -> asyncio.Task[None]:
        """Something to be done beside, whose task must not be forgotten while it runs."""
        task = asyncio.get_running_loop().create_task(self._guard(work))
        self._chores.add(task)
        task.add_done_callback(self._chores.discard)
        return task

    async def _guard(self, work: Callable[[], Awaitable[None]]) -> None:
        """An error of a search, even a bug, is told to everybody and ends nothing else.

        Work is begun in here: a task may be cancelled before its first step, and nothing must be left waiting then.
        """
        try:
            await work()
        except Exception as error:
            self._tell(event_text("error", error=error_view(error)))

    async def close(self) -> None:
        """End all searches and tabs; the game is saved once more."""
        for tab in list(self.tabs):
            tab.close(1012)
            self.leave(tab)
        await self.save()
        if self._retrying is not None:
            self._retrying.cancel()
        await asyncio.gather(*self._chores, return_exceptions=True)  # such as the trace of a game that has just ended

    # -- thinking

    def _reconcile(self) -> None:
        """Compare the searches under way with those that are wanted."""
        session, watched = self.session, bool(self.tabs)
        node = session.to_move() if watched else None
        choice = None if node is None else session.players[node.position.turn]
        wanted = None if node is None else (node, choice, session.book)
        self.failed = None if session.playing else self.failed
        self._release()
        if wanted is None and self.thinking is not None:
            self.thinking = None
            self._tell(event_text("thinking", color=None))
        self._move.want(wanted, lambda: self._guard(self._answer))
        self.values.serve(self.tabs)
        live = session.live
        ahead = watched and session.ponder and session.playing and session.is_asked(live) and self._machine is not None
        self._ponder.want(live if ahead else None, lambda: self._think_ahead(live))
        if not watched and not self._owes_analysis:
            self._analysis.want(None)
        self._set_flag()

    @property
    def _owes_analysis(self) -> bool:
        """Whether a game that has ended is being looked through: one learns from it, though one plays the next."""
        run = self._analysis.key
        return isinstance(run, AnalysisRun) and not run.refines and self.session.closed

    @property
    def _machine(self) -> m.LevelChoice | m.StringChoice | None:
        """The player that may think about its answer while a person is to move."""
        turn = self.session.live.position.turn
        choice = self.session.players["white" if turn == "black" else "black"]
        return None if isinstance(choice, m.HumanChoice) or players.is_kept(choice) else choice

    def _release(self) -> None:
        """Close the players that this game does not need any more, beside: a program may take a moment to end."""
        wanted = self.session.players if self.tabs and not self.session.is_over(self.session.live) else {}
        if self._kept.others(wanted):
            self._chore(lambda: asyncio.to_thread(self._kept.release, wanted))

    def _set_flag(self) -> None:
        if self._flag is not None:
            self._flag.cancel()
            self._flag = None
        timer, now = self.session.timer, time.monotonic()
        if timer is not None and timer.running is not None:
            left = timer.seconds(timer.running, now)
            self._flag = asyncio.get_running_loop().call_later(left, lambda: self._chore(self._time_up))

    async def _time_up(self) -> None:
        if self.session.tick(time.monotonic()):
            await self.changed()
        else:
            self._set_flag()

    async def _answer(self) -> None:
        """Ask the machine to move, and play what it says."""
        node = self.session.live
        position, begin = node.position, time.monotonic()
        choice = self.session.players[position.turn]
        assert not isinstance(choice, m.HumanChoice)
        forced = self.session.forced(node)
        try:
            result = self._ready.pop((position, choice), None)
            if forced:
                result = Result(random.choice(forced), position.turn, source="book")
            if result is None and self.session.book:
                result = players.book_move(choice, position, self._keeper.book)
            if result is None:
                self._hear(node, choice, None)
                work = self._work(choice, line_to(node), self._relay(node, choice))
                result = await self._searchers.run(work, Urgency.MOVE, self._move.begun)
        except Resigned:
            self.session.lose(position.turn, "resigned")
            self.session.run_clock(time.monotonic())
            self._chore(self.changed)
            return
        except OthellierError as error:
            view = error_view(error)
            view.data |= {"player": choice.label, "color": position.turn}
            self.session.playing = False
            self.failed = game_models.Failure(color=position.turn, reason=view.message)
            self._tell(event_text("error", error=view))
            self._chore(self.changed)
            return
        if not any(map(self.session.is_human, self.session.players)):
            await asyncio.sleep(max(0.0, begin + PACE_SECONDS - time.monotonic()))
        self._ready.clear()
        self.thinking = None
        self._tell(event_text("thinking", color=None))
        if self.session.answer(node, result, time.monotonic()):
            self._chore(lambda: self.changed(live=node))  # on its own: it may cancel this very task

    def _work(
        self, choice: m.LevelChoice | m.StringChoice, line: GameLine, progress: Callable[[Result], None]
    ) -> Callable[..., Result]:
        """The job of finding a machine's move at the end of a line, within the time of its clock."""
        position, timer, seconds = position_after(line), self.session.timer, None
        if timer is not None:
            seconds = time_for_move(timer.seconds(position.turn, time.monotonic()), timer.increment, position.empties)
        return partial(players.choose, choice=choice, line=line, seconds=seconds, progress=progress, kept=self._kept)

    def _relay(self, node: GameNode, choice: m.LevelChoice | m.StringChoice) -> Callable[[Result], None]:
        """Carry progress from a thinking thread to the event loop, not too often; a quick answer tells none."""
        loop = asyncio.get_running_loop()
        said = time.monotonic()

        def heard(result: Result) -> None:
            nonlocal said
            if time.monotonic() - said >= PROGRESS_SECONDS:
                said = time.monotonic()
                loop.call_soon_threadsafe(self._hear, node, choice, result)

        return heard

    def _hear(self, node: GameNode, choice: m.LevelChoice | m.StringChoice, result: Result | None) -> None:
        if node is self.session.to_move():
            queued = result is None and not self._searchers.is_free
            self.thinking = thinking_view(node, result, players.plies(choice, node.position), queued)
            self._tell(event_text("thinking", **self.thinking.model_dump(mode="json")), progress=True)

    def _ask_hint(self, tab: Tab) -> None:
        node = tab.place
        if node is None or not node.position.moves_mask():
            raise RequestError("game_over", "the game is over")
        tab.hint.want(None)
        tab.hint.want(node, lambda: self._guard(lambda: self._think_hint(node, tab)))

    async def _think_hint(self, node: GameNode, tab: Tab) -> None:
        work = partial(engine_jobs.hint, position=node.position)
        result = await self._searchers.run(work, Urgency.HINT)
        tab.tell(event_text("hint", **hint_view(node, result).model_dump(mode="json")))

    async def _think_ahead(self, node: GameNode) -> None:
        """On the opponent's time, find answers to the replies that are most likely."""
        choice, (start, moves) = self._machine, line_to(node)
        assert choice is not None
        try:
            for move in await self._searchers.run(partial(engine_jobs.likely, position=node.position), Urgency.PONDER):
                position = after(node.position, move)
                if position.is_over() or position.turn == node.position.turn or len(self._ready) >= READY_LIMIT:
                    continue
                if self.session.book and players.book_move(choice, position, self._keeper.book) is not None:
                    continue
                work = self._work(choice, (start, (*moves, move)), lambda _: None)
                self._ready[position, choice] = await self._searchers.run(work, Urgency.PONDER)
        except OthellierError:
            return  # nobody waits for it

    async def _analyse(self, run: AnalysisRun) -> None:
        await run.run(self._analysed, lambda: bool(self.tabs))
        if self._analysis.key is run:
            self._analysis.key = None

    async def _analysed(self) -> None:
        """An analysis has come to an end, or to a better one."""
        self.session.revision += 1
        await self.changed()

    async def adopt(self, analysis: GameAnalysis) -> None:
        """Take over an analysis made beside; not where the game has gone on, or is being analysed here."""
        if self._analysis.key is None and analysis.line == tuple(self.session.game.moves()):
            self.session.analysis = analysis
            await self._analysed()

    def _tell_analysis(self, analysis: GameAnalysis, progress: float, refining: float | None) -> None:
        told = None if refining is None else round(refining, 3)
        view = analysis_view(analysis)
        text = event_text("analysis", progress=round(progress, 3), done=analysis.done, refining=told, analysis=view)
        self._tell(text, progress=told != 0.0 and not (analysis.done and told is None))
