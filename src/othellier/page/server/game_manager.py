"""All running games, and the way between them and the store: opened when a tab comes, put away when all have left."""

from __future__ import annotations

import asyncio
import random
import secrets
import threading
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import TypeVar

from othellier import records
from othellier.base.files import write_file
from othellier.coach.analysis import GameAnalysis
from othellier.engine.engine import HASH_MB, Engine, default_threads
from othellier.errors import InvalidPosition, OthellierError, RecordError, RequestError
from othellier.games.clock import Timer
from othellier.games.game import Game, replay
from othellier.openings.book import Book
from othellier.openings.move_chances import add_chances
from othellier.page.play.browser_tab import Tab
from othellier.page.play.opening_names import balanced_moves, named_moves
from othellier.page.play.players import check_player
from othellier.page.play.running_game import RunningGame
from othellier.page.storage.collections import Collections
from othellier.page.storage.store import GameFilter, Kept, Store
from othellier.page.storage.writer import Writer
from othellier.page.study.book_shelf import BookShelf
from othellier.page.study.bulk_analysis import BulkAnalysis
from othellier.page.study.game_database import GameDatabase
from othellier.page.study.learning import Learning
from othellier.page.study.library import keep, read_kept, session_of, summary_view
from othellier.page.study.transfer_jobs import Jobs
from othellier.page.wire import game_models
from othellier.page.wire.events import refusal
from othellier.players.pool import Searchers
from othellier.records import forest
from othellier.records.transcript import played
from othellier.rules import native
from othellier.rules.board import Color, Position
from othellier.rules.geometry import Size, geometry, squares_of
from othellier.session import commands as m
from othellier.session.rights import check_owner
from othellier.session.session import PlayerChoices, Session

T = TypeVar("T")
GAME_LIMIT = 4000
TAB_LIMIT = 4000
STORE_THREADS = 4
ANALYSED_AT_ONCE = 500
"""Games: about twenty minutes on two cores."""


def make_searchers() -> Searchers:
    """Twice as many thinking threads as cores: a long search slows others down, but lets them begin."""
    making = threading.Lock()

    def make() -> Engine:
        with making:  # two at once would both read the weights, which they then share
            return Engine(hash_mb=HASH_MB)

    return Searchers(max(4, min(2 * default_threads(), 16)), make if native.available else None)


def new_session(asked: m.NewGame, rng: random.Random) -> Session:
    """The session of a new game."""
    for choice in (asked.black, asked.white):
        check_player(choice)
    size = Size.parse(asked.size)
    try:
        start, moves, line = _opening(asked.opening, size, rng)
    except RequestError:
        raise
    except InvalidPosition as error:
        raise RequestError("bad_position", str(error)) from None
    except RecordError as error:
        raise refusal(error) from None
    except OthellierError as error:
        raise RequestError("bad_record", " ".join(str(error).split()), where="") from None
    game = Game.from_moves(moves, start)
    if game.outcome() is not None and {asked.black.kind, asked.white.kind} != {"human"}:
        raise RequestError("game_over", "the game is over after these moves: no machine can play on")
    game.headers.date = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime())
    game.goto(-1)
    timer = None
    if asked.clock is not None:
        seconds = 60 * asked.clock.minutes
        timer = Timer({"black": seconds, "white": seconds}, asked.clock.increment)
        game.headers.clock = f"{int(seconds) // 60:02}:{int(seconds) % 60:02}"
    players: PlayerChoices = {"black": asked.black, "white": asked.white}
    return Session(game, players, timer=timer, ponder=asked.ponder, book=asked.book, line=line, title=asked.title)


def _opening(
    opening: m.OpeningChoice, size: Size, rng: random.Random
) -> tuple[Position, tuple[int, ...], tuple[int, ...]]:
    """Where a game starts, the moves it begins with, and those the machine plays as long as one follows them."""
    start, moves, line = native.start(size), tuple[int, ...](), tuple[int, ...]()
    if isinstance(opening, m.SetUp):
        start = native.parse(opening.board, size if size.rows != size.columns else None)
    elif isinstance(opening, m.Corners):
        start = _with_corners(start, opening.corners, opening.to)
    elif isinstance(opening, m.Moves):
        moves = tuple(played(opening.moves, start).moves())
    elif isinstance(opening, m.Named):
        line = named_moves(opening.id)
    elif isinstance(opening, m.Balanced):
        moves = balanced_moves(rng)
    if (moves or line) and isinstance(opening, m.Named | m.Balanced) and size != (8, 8):
        raise RequestError("bad_position", "openings are known on 8x8 alone")
    if start.is_over():
        raise RequestError("bad_position", "nobody can move in this position")
    return start, replay(start, moves)[0], line


def _with_corners(start: Position, count: int, to: Color) -> Position:
    """A handicap: corners taken before the first move, first opposite ones."""
    board = geometry(start.size)
    corners = list(squares_of((board.top | board.bottom) & (board.left | board.right)))
    order = [corners[0], corners[3], corners[1], corners[2]]
    given = sum(1 << square for square in order[:count])
    black, white = start.black | (given if to == "black" else 0), start.white | (given if to == "white" else 0)
    return native.position(black, white, "black", start.size)


class GameManager:
    """The running games of one server."""

    def __init__(
        self,
        store: Store,
        searchers: Searchers,
        database: GameDatabase,
        learning: Learning,
        shelf: BookShelf,
        *,
        traces: Path | None = None,
    ) -> None:
        self.store = store
        self.searchers = searchers
        self.database = database
        self.learning = learning
        self.shelf = shelf
        self.collections = Collections(store)
        self.jobs = Jobs(store, self.collections)
        self._writer = Writer(store)
        self._store_threads = ThreadPoolExecutor(STORE_THREADS, "store")
        """Of its own: whatever else takes all threads, a game is begun and opened."""
        self.running: dict[str, RunningGame] = {}
        self._traces = traces
        self._opening = asyncio.Lock()
        self._analysing = asyncio.Lock()
        self._analyses: set[asyncio.Task[None]] = set()
        self._rng = random.Random()

    async def ask_store(self, question: Callable[[], T]) -> T:
        """Ask the store something; the disk may take its time, the page does not wait for it."""
        return await asyncio.get_running_loop().run_in_executor(self._store_threads, question)

    # -- games

    async def create(self, asked: m.NewGame, owner: str) -> RunningGame:
        """Begin a game; it is saved at once."""
        options = await self.ask_store(lambda: self.store.options(owner))
        name = options.get("name")
        if isinstance(name, str) and name:
            changes = {
                color: m.HumanChoice(name=name[:80])
                for color, choice in (("black", asked.black), ("white", asked.white))
                if isinstance(choice, m.HumanChoice) and not choice.name
            }
            # Of two people at one board only one has the name.
            asked = asked.model_copy(update=dict(list(changes.items())[:1]))
        running = self._make(secrets.token_urlsafe(12), owner, new_session(asked, self._rng), created=time.time())
        await running.changed()
        if running.saved:
            return running
        self.running[running.name] = running  # it cannot be saved now: it must not be forgotten
        return running

    def _make(
        self,
        name: str,
        owner: str,
        session: Session,
        *,
        created: float,
        tags: tuple[str, ...] = (),
        imported: bool = False,
    ) -> RunningGame:
        return RunningGame(name, owner, session, self.searchers, self, created=created, tags=tags, imported=imported)

    async def find(self, name: str) -> RunningGame:
        """A game: the running one, or one just for looking at."""
        if name in self.running:
            return self.running[name]
        kept = await self.kept(name)
        try:
            session = read_kept(kept)
        except OthellierError as error:
            raise RequestError("bad_record", f"the saved game cannot be read: {error}", where="") from None
        imported = kept.summary.get("source") == "imported"
        return self._make(name, kept.owner, session, created=kept.created, tags=kept.tags, imported=imported)

    async def kept(self, name: str) -> Kept:
        """A game as it is kept."""
        kept = await self.ask_store(lambda: self.store.load(name))
        if kept is None:
            raise RequestError("unknown_game", "there is no such game", game=name[:80])
        return kept

    async def join(self, name: str, tab: Tab) -> RunningGame:
        """Bring a tab to a game."""
        async with self._opening:
            running = await self.find(name)
            if name not in self.running:
                await self._make_room()
                self.running[name] = running
            if sum(len(other.tabs) for other in self.running.values()) >= TAB_LIMIT:
                raise RequestError("too_many", "too many tabs are open", retry=30)
            running.join(tab)
            return running

    async def _make_room(self) -> None:
        for name in [name for name, running in self.running.items() if running.is_idle]:
            del self.running[name]
        if len(self.running) >= GAME_LIMIT:
            raise RequestError("too_many", "too many games are being played", retry=30)

    async def leave(self, running: RunningGame, tab: Tab) -> None:
        """A tab has gone; a game nobody watches is put away once it is saved."""
        running.leave(tab)
        await running.save()
        if running.is_idle and self.running.get(running.name) is running:
            del self.running[running.name]

    async def rename(self, name: str, asked: m.Rename, owner: str) -> game_models.Summary:
        """Change a game's title and tags."""
        async with self._opening:  # nobody may open it from the store meanwhile
            running = await self.find(name)
            check_owner(running.owner, owner)
            if asked.tags is not None:
                tags = tuple(dict.fromkeys(asked.tags))
                await self.ask_store(lambda: self.store.set_tags(name, tags))
                running.tags = tags
            if asked.title is not None:
                running.session.title = asked.title
            await running.changed()
        return summary_view(await self.kept(name))

    async def keep_imported(self, game: Game, name: str, owner: str) -> None:
        """Have a game in somebody's library; one that is there already stays as it is."""
        if await self.ask_store(lambda: self.store.load(name)) is None:
            now = time.time()
            kept = keep(session_of(game), name, owner, now, now, imported=True)
            await self.ask_store(lambda: self.store.save([kept]))
        else:
            await self.delete(name, owner, restore=True)

    async def delete(self, name: str, owner: str, restore: bool = False) -> game_models.Summary:
        """Delete a game, or undo that."""
        check_owner((await self.find(name)).owner, owner)
        chosen = GameFilter(games=(name,), deleted=restore)
        await self.ask_store(lambda: self.store.mark_deleted(owner, chosen, None if restore else time.time()))
        return summary_view(await self.kept(name))

    # -- analysing many games

    async def analyse(self, owner: str, search: GameFilter) -> tuple[int, str]:
        """Begin to analyse the owner's games that a search finds: how many they are, and the job to ask about."""
        found = await self.ask_store(lambda: self.store.find(owner, search, limit=ANALYSED_AT_ONCE))
        if found.total > ANALYSED_AT_ONCE:
            words = f"no more than {ANALYSED_AT_ONCE} games are analysed at once"
            raise RequestError("too_large", words, limit=ANALYSED_AT_ONCE)
        if not found.games:
            raise RequestError("nothing_to_do", "there is no game to analyse")
        # The one used last comes last, so that the library shows them in the order they had.
        job = BulkAnalysis(owner, [summary_view(game) for game in reversed(found.games)], self, self.searchers)
        self.jobs.add(job)
        task = job.start(self._analysing)
        self._analyses.add(task)
        task.add_done_callback(self._analyses.discard)
        return len(found.games), job.id

    async def session(self, game: str) -> Session:
        """A game as it is now."""
        return (await self.find(game)).session

    async def keep_analysis(self, game: str, analysis: GameAnalysis) -> None:
        """Save the analysis of a game; where the game is open, its tabs are told."""
        async with self._opening:  # nobody may open it from the store meanwhile
            running = await self.find(game)
            await running.adopt(analysis)
            if not running.saved:
                self.running[game] = running  # it is saved later: it must not be forgotten
                raise RequestError("not_saved", "the analysis could not be saved yet", reason="the analysis")

    # -- as the keeper of running games

    @property
    def book(self) -> Book | None:
        """The book that levels play from."""
        return self.shelf.current

    async def keep(self, running: RunningGame) -> None:
        """Save a running game."""
        # Written here, not in the thread: meanwhile the game may go on.
        kept = keep(
            running.session, running.name, running.owner, running.created, time.time(), running.imported, running.tags
        )
        await asyncio.wrap_future(self._writer.save(kept))

    async def ended(self, running: RunningGame) -> None:
        """Save the trace of a game that has ended, unless its owner has switched that off."""
        if self._traces is None:
            return
        options = await self.ask_store(lambda: self.store.options(running.owner))
        if options.get("trace") is not False:
            game = self.traced(running.session, options.get("traceHost") is True)
            path = self._traces / f"{forest.trace_name()} {running.name[:6]}.log"
            await asyncio.to_thread(self._write_trace, path, game)

    def _write_trace(self, path: Path, game: Game) -> None:
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            write_file(path, [records.dumps([game], "trace").encode()])
        except (OSError, OthellierError) as error:
            raise RequestError("not_saved", f"the trace could not be saved: {error}", reason=str(error)) from None

    def traced(self, session: Session, private: bool = False) -> Game:
        """A copy of a session's game with what a trace says of the program; where wanted, host and account too."""
        game = session.game.copy()
        add_chances(game, self.shelf.current)
        machines = [color for color, choice in session.players.items() if not isinstance(choice, m.HumanChoice)]
        searched = [node.seconds or 0.0 for node in game.main_line() if node.evaluation is not None]
        nodes, seconds = session.searched
        levels = [choice.label for choice in session.players.values() if not isinstance(choice, m.HumanChoice)]
        game.headers.extra |= forest.facts(
            level=", ".join(levels),
            computer=", ".join(machines),
            cores_used=default_threads() if searched else None,
            table_mb=HASH_MB,
            speed=nodes / seconds if nodes and seconds else None,
            book=self._book_words() if session.book else "not used",
            private=private,
        )
        if session.closed and session.ended_at:
            game.headers.extra["End"] = session.ended_at
        return game

    def _book_words(self) -> str:
        """The book's facts, for a trace."""
        used, name = self.shelf.current, self.shelf.name
        return "none" if used is None else used.facts + (f", {name}" if name else "")

    async def close(self) -> None:
        """Save everything and end."""
        self.database.close()
        self.jobs.stop()
        await asyncio.gather(*self._analyses, return_exceptions=True)
        for running in list(self.running.values()):
            await running.close()
        self.running.clear()
        await asyncio.to_thread(self._writer.close)
        await asyncio.to_thread(self.jobs.close)
        await asyncio.to_thread(self.searchers.close)
        await asyncio.to_thread(self.learning.close)
        await asyncio.to_thread(self._store_threads.shutdown)
        self.store.close()
