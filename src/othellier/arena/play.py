"""One game between two players, from an opening to its end, whatever the players do.

A player that fails loses the game and only the game: what went wrong is part of what is returned. Who plays
whom, and how often, is the business of `match` and `tournament`.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import NamedTuple

from othellier.base.processor import processor_seconds
from othellier.errors import OthellierError, Resigned
from othellier.games.game import EndReason, Evaluation, Game, Headers, Outcome
from othellier.games.results import Limit, Result
from othellier.players import Player, answer
from othellier.rules.board import Color, Position
from othellier.rules.geometry import PASS

__all__ = ["OpeningMoves", "Played", "Ply", "Watch", "play_game"]

ON_CLOCK = "where its clock had"
"""Words in the error of a game that was lost on the clock."""

TOLERANCE = 0.02
"""Seconds a move may take beyond its time before that counts: a busy machine's slice or two."""

Watch = Callable[[Position, Result], None]
"""Told of every move a player makes: the position before it, and the answer."""


@dataclass(frozen=True, slots=True)
class OpeningMoves:
    """Where a game begins: a position and moves from it, passes included, that the players do not choose.

    >>> from othellier import start
    >>> OpeningMoves(start().play("f5")).moves
    ()
    """

    start: Position
    moves: tuple[int, ...] = ()

    def position(self) -> Position:
        """Where the players take over."""
        position = self.start
        for move in self.moves:
            position = position.play(move)
        return position


class Ply(NamedTuple):
    """A move or pass, and what went into it: nothing where a player did not choose it."""

    move: int
    seconds: float = 0.0
    nodes: int = 0
    score: float | None = None
    """What the player expected, for its own side."""
    processor: float | None = None
    """Processor seconds that the player used, where they were measured."""


@dataclass(frozen=True, slots=True)
class Played:
    """A game that was played.

    >>> from othellier import create_player, start
    >>> played = play_game(create_player("random:seed=1"), create_player("random:seed=2"), OpeningMoves(start(4)))
    >>> played.end().is_over()
    True
    """

    start: Position
    plies: tuple[Ply, ...]
    opening: int
    """How many of the plies were given."""
    score: int
    """Black's disc difference, empty squares to the winner; all squares where a side gave up or failed."""
    reason: EndReason = ""
    error: str = ""
    """What the loser did wrong, with the position, where that ended the game."""
    overruns: tuple[int, ...] = ()
    """The plies, from 1, whose move was played but took longer than allowed."""

    @classmethod
    def of_game(cls, game: Game, opening: int, nodes: Mapping[Position, int]) -> Played:
        """A game that was played elsewhere; `nodes` tells what went into the moves from a position."""
        outcome = game.outcome()
        assert outcome is not None
        before, plies = game.start, []
        for node in game.main_line():
            assert node.move is not None
            score = None if node.evaluation is None else node.evaluation.score
            plies.append(Ply(node.move, node.seconds or 0.0, nodes.get(before, 0), score))
            before = node.position
        return cls(game.start, tuple(plies), opening, round(outcome.score), outcome.reason)

    @property
    def failed(self) -> Color | None:
        """The side that lost by failing, not on the board."""
        return None if not self.error else "black" if self.score < 0 else "white"

    @property
    def broken(self) -> bool:
        """True if an error, and not the clock, ended the game, which then is no evidence of strength."""
        return bool(self.error) and ON_CLOCK not in self.error

    @property
    def difference(self) -> float:
        """Black's disc difference as statistics take it: infinite where a side failed, as nothing was measured."""
        return math.copysign(math.inf, self.score) if self.error else self.score

    def chosen(self, color: Color) -> list[Ply]:
        """The moves that a colour chose."""
        own = 0 if color == self.start.turn else 1
        return [
            ply
            for index, ply in enumerate(self.plies)
            if index >= self.opening and index % 2 == own and ply.move != PASS
        ]

    def end(self) -> Position:
        """The last position."""
        return OpeningMoves(self.start, tuple(ply.move for ply in self.plies)).position()

    def game(self, black: str = "", white: str = "") -> Game:
        """The game as records keep it, with times and scores."""
        outcome = Outcome(self.score, self.reason) if self.reason else None
        moves = [ply.move for ply in self.plies]
        game = Game.from_moves(moves, self.start, Headers(black=black, white=white), outcome)
        for node, ply in zip(game.main_line(), self.plies, strict=True):
            if node.ply > self.opening and ply.move != PASS:
                node.seconds = ply.seconds
                node.evaluation = None if ply.score is None else Evaluation(ply.score)
        game.end.comment = self.error
        return game


class _Meter:
    """Processor time of a player, move by move.

    All that a process of the player's own uses from one move to the next counts as used for the move, thinking on the
    opponent's time too. A player in this process shares it with others: there, only the time of its moves counts.
    """

    def __init__(self, player: Player) -> None:
        self._player = player
        self._last = self._now()

    def _now(self) -> tuple[int | None, float | None]:
        process = self._player.process_id
        return process, processor_seconds(process)

    def begin(self) -> None:
        """Begin a move."""
        if self._player.process_id is None:
            self._last = self._now()

    def spent(self) -> float | None:
        """Return the processor seconds used for a move; None if they cannot be known."""
        before, self._last = self._last, self._now()
        if before[0] != self._last[0] or before[1] is None or self._last[1] is None:
            return None
        return round(max(0.0, self._last[1] - before[1]), 6)


def play_game(
    black: Player,
    white: Player,
    opening: OpeningMoves,
    limit: Limit | None = None,
    watch: Watch | None = None,
    *,
    measured: bool = False,
) -> Played:
    """Let two players finish a game. Both have received its start by `new_game`; the opening's moves are observed.

    A limit's time is for each move: answers that took longer are listed in `overruns`. Its clock is for each side's
    whole game: a side that has nothing left loses. `measured` has the processor time of every move measured.

    >>> from othellier import create_player, start
    >>> played = play_game(create_player("random:seed=1"), create_player("random:seed=2"), OpeningMoves(start(4)))
    >>> played.end().score() in (played.score, -played.score)
    True
    """
    limit = limit or Limit()
    allowed = math.inf if limit.time is None else limit.time + max(TOLERANCE, limit.time / 50)
    clocks: dict[Color, float | None] = {"black": limit.clock, "white": limit.clock}
    meters = {"black": _Meter(black), "white": _Meter(white)} if measured else {}
    position = opening.position()
    plies = [Ply(move) for move in opening.moves]
    for move in opening.moves:
        black.observe(move)
        white.observe(move)
    overruns: list[int] = []
    score, error = 0, ""
    reason: EndReason = ""
    while True:
        ply = Ply(PASS)
        if position.moves_mask():
            left = clocks[position.turn]
            told = limit if left is None else replace(limit, clock=left)
            meter = meters.get(position.turn)
            if meter is not None:
                meter.begin()
            begin = time.perf_counter()
            try:
                result = answer(black if position.turn == "black" else white, position, told)
            except Resigned:
                score, reason = -position.size.squares, "resigned"
                break
            except OthellierError as failure:
                error = str(failure)
            spent = time.perf_counter() - begin
            late = spent > allowed
            if left is not None:
                if spent > left + TOLERANCE:
                    late = True
                    error = error or f"{position.turn} took {spent:.2f} s where its clock had {left:.2f} s left"
                clocks[position.turn] = max(0.0, left - spent) + limit.increment
            if error:
                # The board tells where it happened, for whoever looks for the mistake.
                error = error if position.board_string() in error else f"{error} ({position.board_string()})"
                score = -position.size.squares
                reason = "time" if late else "resigned"
                break
            if late:
                overruns.append(len(plies) + 1)
            if watch is not None:
                watch(position, result)
            ply = Ply(
                result.move, round(spent, 6), result.nodes, result.score, None if meter is None else meter.spent()
            )
        elif not position.must_pass():
            score = position.score()
            break
        plies.append(ply)
        position = position.play(ply.move)
        black.observe(ply.move)
        white.observe(ply.move)
    score = score if position.turn == "black" else -score
    return Played(opening.start, tuple(plies), len(opening.moves), score, reason, error, tuple(overruns))
