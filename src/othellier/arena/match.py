"""Two players over many openings, each played twice with the colours swapped, until the games or the doubts end."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Self

from othellier import native
from othellier.arena.bout import Batches, Bout, close_players, play_bouts
from othellier.arena.guard import PATIENCE, Contestant, resolve
from othellier.arena.ledger import game_line
from othellier.arena.openings import BALANCED, find_openings
from othellier.arena.play import OpeningMoves, Played
from othellier.arena.stats import Sprt, Tally, Verdict
from othellier.board import Color, other
from othellier.distribute import Crew
from othellier.errors import ConfigError
from othellier.geometry import STANDARD, Size, SizeLike
from othellier.results import Limit

__all__ = ["Match", "OnBout", "Side", "check_players", "finite", "plan"]

OnBout = Callable[[Bout, list[Played]], None]
"""Told of the games of a bout when they have been counted."""

_Done = tuple[Bout, list[Played]]


def finite(value: float, digits: int = 2) -> float | None:
    """A number as JSON can hold it: rounded, and nothing where it is infinite or not a number."""
    return round(value, digits) if math.isfinite(value) else None


def check_players(specs: Sequence[str], size: Any, patience: float = PATIENCE, memory: int | None = None) -> None:
    """Make each player once, so that a wrong string is told before the first game and not in each of them."""
    for spec in specs:
        contestant = Contestant(spec, patience, memory=memory)
        try:
            contestant.take(native.start(size), 0)
        finally:
            contestant.close()


def plan(
    players: tuple[str, str],
    openings: Sequence[OpeningMoves],
    games: int,
    *,
    seed: int = 0,
    limit: Limit | None = None,
    patience: float = PATIENCE,
    memory: int | None = None,
) -> list[Bout]:
    """The bouts of a match: as many openings as make the games, each twice; begun again where there are too few."""
    if games < 1:
        raise ConfigError(f"games={games}: a number from 1 on expected")
    if not openings:
        raise ConfigError("there is no opening to play")
    first, second = (resolve(spec) for spec in players)
    return [
        Bout(
            number,
            (first, second),
            openings[number % len(openings)],
            games=min(2, games - 2 * number),
            seed=(seed << 24) + number,
            limit=limit or Limit(),
            patience=patience,
            memory=memory,
        )
        for number in range((games + 1) // 2)
    ]


@dataclass(slots=True)
class Side:
    """What one player of a match did, beyond winning and losing; `errors` are games it lost by failing."""

    moves: int = 0
    seconds: float = 0.0
    nodes: int = 0
    overruns: int = 0
    slowest: float = 0.0
    errors: int = 0
    first_error: str = ""

    def add(self, game: Played, color: Color) -> None:
        """Count the moves of a game."""
        own = 1 if color == game.start.turn else 0
        for ply in game.chosen(color):
            self.moves += 1
            self.seconds += ply.seconds
            self.nodes += ply.nodes
            self.slowest = max(self.slowest, ply.seconds)
        self.overruns += sum(ply % 2 == own for ply in game.overruns)
        if game.failed == color:
            self.errors += 1
            self.first_error = self.first_error or game.error

    def merge(self, other: Side) -> None:
        """Count all that another has counted."""
        self.moves += other.moves
        self.seconds += other.seconds
        self.nodes += other.nodes
        self.overruns += other.overruns
        self.errors += other.errors
        self.first_error = self.first_error or other.first_error
        self.slowest = max(self.slowest, other.slowest)

    def summary(self) -> dict[str, Any]:
        """As JSON tells it: seconds and nodes are means of a move."""
        moves = max(1, self.moves)
        return {
            "moves": self.moves,
            "seconds": round(self.seconds / moves, 6),
            "slowest": round(self.slowest, 6),
            "nodes": round(self.nodes / moves, 1),
            "overruns": self.overruns,
            "errors": self.errors,
        }


class Match:
    """A match in progress: what is known so far is always there to be asked for, also after an interruption.

    >>> from othellier import match
    >>> played = match("random:seed=1", "random:seed=2", games=2, size=4)
    >>> isinstance(played, Match), played.tally.games
    (True, 2)
    """

    def __init__(self, bouts: Sequence[Bout], sprt: Sprt | None = None, names: tuple[str, str] = ("a", "b")) -> None:
        self.names = names
        self.bouts = bouts
        self.sprt = sprt
        self.tally = Tally()
        self.sides = (Side(), Side())
        self.verdict: Verdict = ""

    @classmethod
    def between(
        cls,
        a: str,
        b: str,
        games: int,
        *,
        openings: str = BALANCED,
        plies: int | None = None,
        size: SizeLike = STANDARD,
        limit: Limit | None = None,
        patience: float = PATIENCE,
        seed: int = 0,
        sprt: Sprt | None = None,
    ) -> Self:
        """A match of two player strings that is ready to be run: its players checked, its openings found."""
        size = Size.parse(size)
        check_players([a, b], size, patience)
        found = find_openings(openings, (games + 1) // 2, size, seed, plies)
        bouts = plan((a, b), found, games, seed=seed, limit=limit, patience=patience)
        return cls(bouts, sprt, (a, b))

    def run(self, crew: Crew, told: OnBout | None = None) -> None:
        """Play all bouts, or as many as the sequential test needs.

        A sequential test takes the bouts in their order, whichever is played first, and ends with the first that
        decides it. So what it finds depends on the games alone; those played beyond are not counted.
        """
        try:
            for bout, games in self._in_turn(self._played(crew)):
                self.add(games)
                if told is not None:
                    told(bout, games)
                if self.verdict:
                    break
        finally:
            close_players()

    def _played(self, crew: Crew) -> Iterator[_Done]:
        """The bouts as they are done."""
        batches = Batches(self.bouts, crew.jobs)
        for jobs, results in crew.map(play_bouts, batches):
            for bout, games in zip(jobs, results, strict=True):
                batches.measure(games)
                yield bout, games

    def _in_turn(self, done: Iterator[_Done]) -> Iterator[_Done]:
        """The bouts of a sequential test in their order, others as they come."""
        if self.sprt is None:
            yield from done
        early: dict[int, _Done] = {}
        order = [bout.number for bout in self.bouts]  # not from 0 where a match is gone on with
        turn = 0
        for bout, games in done:
            early[bout.number] = bout, games
            while turn < len(order) and order[turn] in early:
                yield early.pop(order[turn])
                turn += 1

    def add(self, games: Sequence[Played]) -> None:
        """Count the games of a bout: in the first one the first player is black."""
        differences = [game.difference if index == 0 else -game.difference for index, game in enumerate(games)]
        if len(differences) == 2:
            self.tally.add_pair(*differences)
        else:
            self.tally.add_single(*differences)
        color: Color = "black"
        for game in games:
            self.sides[0].add(game, color)
            self.sides[1].add(game, other(color))
            color = other(color)
        if self.sprt is not None:
            self.verdict = self.sprt.verdict(self.tally.pairs)

    def lines(self, bout: Bout, games: Sequence[Played]) -> Iterator[dict[str, Any]]:
        """The games of a bout as a ledger keeps them."""
        for index, game in enumerate(games):
            black, white = self.names if index == 0 else self.names[::-1]
            yield game_line(game, black, white, bout=bout.number, game=index)

    def __str__(self) -> str:
        lines = [f"{' - '.join(self.names)}: {self.score_line()}"]
        for name, side in zip(self.names, self.sides, strict=True):
            if side.errors:
                lines.append(f"{name} lost {side.errors} of these games by errors, first: {side.first_error}")
        return "\n".join(lines)

    def __repr__(self) -> str:
        return f"<Match {self}>"

    def score_line(self) -> str:
        """Games, score, Elo and discs in one line, from the first player's side."""
        tally = self.tally
        discs = f", {tally.discs:+.1f} discs a game" if tally.on_board else ""
        return (
            f"+{tally.wins} ={tally.draws} -{tally.losses} of {tally.games} games,"
            f" score {100 * tally.score:.1f} %, {tally.estimate()}{discs}"
        )

    def summary(self) -> dict[str, Any]:
        """All that is known, from the first player's side, as JSON tells it.

        An infinite Elo is null, and so is the mean of discs where no game was decided on the board.
        """
        tally, estimate = self.tally, self.tally.estimate()
        result: dict[str, Any] = {
            "wins": tally.wins,
            "draws": tally.draws,
            "losses": tally.losses,
            "score": round(tally.score, 6),
            "elo": finite(estimate.elo),
            "elo_low": finite(estimate.elo_low),
            "elo_high": finite(estimate.elo_high),
            "discs": finite(tally.discs, 4),
            "games": tally.games,
            "pairs": tally.pairs,
            "a": self.sides[0].summary(),
            "b": self.sides[1].summary(),
        }
        if self.sprt is not None:
            low, high = self.sprt.bounds
            result["sprt"] = {
                "elo0": self.sprt.elo0,
                "elo1": self.sprt.elo1,
                "llr": round(self.sprt.llr(tally.pairs), 4),
                "low": round(low, 4),
                "high": round(high, 4),
                "verdict": self.verdict,
            }
        return result
