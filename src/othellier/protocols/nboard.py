"""The NBoard protocol, version 2, the engine's side: a state machine from lines to lines.

`handle` gives what is said at once. What the player finds by thinking is said later, by `send`, from the
thread in which it thinks, so that `ping` can stop it; after the `pong` nothing more is said about anything
asked before. What is asked without a `ping` in between is done one thing after the other.

    nboard 2              -> set myname Othellier
    set depth 12          -> set myname Othellier-12
    set game (;GM[...      the game all else is about
    move F5/eval/time      one move more
    go                    -> search ..., nodestats ..., === F5/eval/time; the move is not made
    hint 3                -> search ... for the three best moves, as they become known; nodestats ...
    analyze               -> analysis PLY EVAL for every position of the game, from the last to the first
    ping 7                -> pong 7, after all thinking has stopped
    learn                 -> learned
    quit

Whatever is wrong with a line is said by `status`; lines that are not known are passed over.
"""

from __future__ import annotations

import re
import threading
from collections.abc import Callable, Iterable
from typing import ClassVar

from othellier import records
from othellier.base.system import LOOK
from othellier.errors import OthellierError
from othellier.games.game import Game, GameNode
from othellier.games.results import Limit, Result
from othellier.players import Player, answer
from othellier.players.contract import failure
from othellier.protocols.thinker import Thinker
from othellier.rules.board import past_pass
from othellier.rules.geometry import PASS, Size, parse_square, square_name

__all__ = ["NBoardServer"]

NAME = "Othellier"
LONGEST = 1 << 16
"""Signs of a line that are looked at."""
DEPTH, DEEPEST = 12, 60
"""How deep to look until told, and the most one may be told."""
PASSES = ("PA", "PS", "--", "PASS")

_Send = Callable[[str], None]


class _Cancelled(BaseException):
    """Raised in the thinking thread where nobody waits for the answer any more; not an error of the player's."""


class NBoardServer:
    """A player for whoever speaks NBoard."""

    def __init__(self, player: Player, send: _Send) -> None:
        self.closed = False
        self._thinker = Thinker(player)
        self._send = send
        self._game = Game()
        self._limit = Limit(depth=DEPTH)
        self._round = 0
        """Goes up whenever all that is being thought about is of no interest any more."""
        self._speaking = threading.Lock()

    def handle(self, line: str) -> str:
        """What is said to a line at once; every line of it is complete."""
        if len(line) > LONGEST:
            return _status("a line was too long")
        command, _, arguments = "".join(sign if sign.isprintable() else " " for sign in line).strip().partition(" ")
        method = self._commands.get(command)
        if method is None:
            return ""
        try:
            return method(self, arguments.strip())
        except OthellierError as error:
            return _status(str(error))
        except Exception as error:  # whatever happens, the conversation goes on
            return _status(failure(error))

    def finish(self) -> None:
        """There are no more lines: do what was asked."""
        while not self._thinker.wait(LOOK):
            pass

    def close(self) -> None:
        """Stop thinking and let the player go."""
        self._cancel()
        self._thinker.close()

    # -- what is answered at once

    def _nboard(self, _: str) -> str:
        return f"set myname {NAME}\n"

    def _set(self, arguments: str) -> str:
        name, _, value = arguments.partition(" ")
        if name == "depth":
            depth = _whole(value)
            if not 1 <= depth <= DEEPEST:
                raise OthellierError(f"depth {depth}: 1 to {DEEPEST} expected")
            self._limit = Limit(depth=depth)
            return f"set myname {NAME}-{depth}\n"
        if name == "game":
            game = records.read(value.encode("utf-8", "replace"), format="ggf")[0]
            game.goto(-1)
            self._game = game
        return ""  # contempt: a draw is worth what it is

    def _move(self, arguments: str) -> str:
        name = re.split(r"[/\s]", arguments, maxsplit=1)[0]
        self._game.push(PASS if name.upper() in PASSES else parse_square(name, self._game.start.size))
        return ""

    def _ping(self, arguments: str) -> str:
        self._cancel()
        self._thinker.stop()
        return f"pong {arguments}".rstrip() + "\n"

    def _learn(self, _: str) -> str:
        return "learned\n"  # what it played is not remembered: books are built on purpose

    def _quit(self, _: str) -> str:
        self._cancel()
        self.closed = True
        return ""

    def _cancel(self) -> None:
        with self._speaking:
            self._round += 1

    # -- what is thought about

    def _go(self, _: str) -> str:
        return self._think(self._choose)

    def _hint(self, arguments: str) -> str:
        best = max(1, _whole(arguments or "1"))
        return self._think(lambda say, node: self._judge(say, node, best))

    def _analyze(self, _: str) -> str:
        return self._think(self._look_back)

    def _think(self, work: Callable[[_Send, GameNode], None]) -> str:
        """Have a place in the game thought about, in the other thread."""
        node, own_round = self._game.current, self._round

        def say(line: str) -> None:
            with self._speaking:
                if own_round != self._round:
                    raise _Cancelled
                try:
                    self._send(f"{line}\n")
                except (OSError, ValueError):  # nobody is there to hear it
                    self.closed = True
                    self._round += 1
                    raise _Cancelled from None

        def run() -> None:
            try:
                say(f"status {NAME} is thinking")
                problem = ""
                try:
                    work(say, node)
                except OthellierError as error:
                    problem = str(error)
                except Exception as error:
                    problem = failure(error)
                say(_status(problem or f"{NAME} is waiting").strip())
            except _Cancelled:
                pass

        self._thinker.submit(run)
        return ""

    def _choose(self, say: _Send, node: GameNode) -> None:
        position = node.position
        if position.must_pass():
            say("=== PA")
            return
        result = self._thinker.choose(node, self._limit)
        if result.score is not None:
            say(_search_line(result, position.size))
        say(f"nodestats {result.nodes} {result.seconds:.2f}")
        score = "" if result.score is None else f"{result.score:.2f}"
        say(f"=== {_line([result.move], position.size)}/{score}/{result.seconds:.2f}")

    def _judge(self, say: _Send, node: GameNode, best: int) -> None:
        position, said = node.position, dict[int, str]()
        if position.must_pass():
            say("search PA 0.00 0 0")
            return

        def tell(results: Iterable[Result]) -> None:
            for result in results:
                line = _search_line(result, position.size)
                if said.get(result.move) != line:  # an analysis tells again what has not changed
                    said[result.move] = line
                    say(line)

        self._thinker.follow(node)
        results = self._thinker.player.analyze(position, self._thinker.stoppable(self._limit), best=best, progress=tell)
        tell(results)
        say(f"nodestats {results[0].nodes} {results[0].seconds:.2f}")

    def _look_back(self, say: _Send, node: GameNode) -> None:
        """The whole game, from its end: what is found out about later positions helps with the earlier ones."""
        place: GameNode | None = node
        while place is not None:
            position = place.position
            score: float | None
            if position.is_over():
                score = position.score()
            else:
                limit = self._thinker.stoppable(self._limit)
                score = answer(self._thinker.player, past_pass(position), limit).score_for(position.turn)
            say(f"status {NAME} is at move {place.ply}" if score is None else f"analysis {place.ply} {score:.2f}")
            place = place.parent

    _commands: ClassVar[dict[str, Callable[[NBoardServer, str], str]]] = {
        "nboard": _nboard,
        "set": _set,
        "move": _move,
        "hint": _hint,
        "go": _go,
        "ping": _ping,
        "learn": _learn,
        "analyze": _analyze,
        "quit": _quit,
    }


def _status(words: str) -> str:
    return f"status {' '.join(words.split())}\n"


def _line(moves: Iterable[int], size: Size) -> str:
    """Moves as NBoard writes them: two capitals each, no blanks."""
    return "".join("PA" if move == PASS else square_name(move, size).upper() for move in moves)


def _search_line(result: Result, size: Size) -> str:
    kind = "book" if result.source == "book" else "search"
    line = _line(result.pv or [result.move], size)
    return f"{kind} {line} {result.score or 0:.2f} 0 {_depth(result)}"


def _depth(result: Result) -> str:
    """Plies, or how sure a result to the end of the game is; W where only the winner is known."""
    if result.source != "exact":
        return str(result.depth)
    return f"{result.selectivity}%" if result.bound == "exact" else f"{result.selectivity}%W"


def _whole(text: str) -> int:
    if not re.fullmatch(r"[+-]?\d{1,9}", text, re.ASCII):
        raise OthellierError(f"{text[:40]!r} is not a whole number")
    return int(text)
