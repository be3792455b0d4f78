"""Two players over many openings, each played twice with the colours swapped, until the games or the doubts end."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from typing import Any, Self

from othellier.arena.bout import Batches, Bout, close_players, play_bouts
from othellier.arena.effort import EqualTime, Side
from othellier.arena.guard import PATIENCE, Contestant, resolve
from othellier.arena.ledger import game_line
from othellier.arena.openings import BALANCED, find_openings
from othellier.arena.play import OpeningMoves, Played
from othellier.arena.stats import Sprt, Tally, Verdict
from othellier.base.jobs import Crew
from othellier.errors import ConfigError, PlayerError
from othellier.games.results import Limit
from othellier.messages.languages import Translator, english
from othellier.rules import native
from othellier.rules.board import Color, other
from othellier.rules.geometry import STANDARD, Size, SizeLike

__all__ = ["Match", "OnBout", "check_players", "finite", "plan"]

OnBout = Callable[[Bout, list[Played]], None]
"""Told of the games of a bout when they have been counted."""

_Done = tuple[Bout, list[Played]]

FAILURES = 20
"""Games in a row that a player may lose by errors until a match ends. One that has finished no game has two."""

BIASED = {
    "accepted": "the test ended the match at a moment that favours A: this Elo is biased, on average too high",
    "rejected": "the test ended the match at a moment that favours B: this Elo is biased, on average too low",
}
"""Remarks on the estimate after a sequential test, by its verdict."""

REPEATS = 10
"""Bouts in a row, and never fewer than there are openings, that may bring known games alone to a sequential test."""


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
    measured: bool = False,
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
            measured=measured,
        )
        for number in range((games + 1) // 2)
    ]


class Match:
    """A match in progress: what is known so far is always there to be asked for, also after an interruption.

    Evidence of strength, in `tally`, are games that differ from each other and that were not ended by an error.
    Games that repeat an earlier one, move by move, are counted once. All games are in `everything`.

    >>> from othellier import match
    >>> played = match("random:seed=1", "random:seed=2", games=2, size=4)
    >>> isinstance(played, Match), played.tally.games
    (True, 2)
    """

    def __init__(
        self,
        bouts: Sequence[Bout],
        sprt: Sprt | None = None,
        names: tuple[str, str] = ("a", "b"),
        *,
        errors_count: bool = False,
    ) -> None:
        """`errors_count` has games that were ended by errors count as lost, as in tournaments."""
        self.names = names
        self.bouts = bouts
        self.sprt = sprt
        self.tally = Tally()
        """Results of the games that are evidence of strength."""
        self.everything = Tally()
        """Results of all games that were played."""
        self.repeated = 0
        """Games that repeat an earlier one."""
        self.broken = 0
        """Games that were ended by errors and are not counted."""
        self.equal_time: EqualTime | None = None
        """The outcome of the pilot, where the time of a player was fitted."""
        self._errors_count = errors_count
        self._known: set[tuple[object, ...]] = set()
        self._failed_in_a_row = [0, 0]
        self._repeats_in_a_row = 0
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
        measured: bool = False,
    ) -> Self:
        """Return a match of two player strings that is ready to be run: its players checked, its openings found.

        `measured` has the processor time of every move measured.
        """
        size = Size.parse(size)
        check_players([a, b], size, patience)
        found = find_openings(openings, (games + 1) // 2, size, seed, plies)
        bouts = plan((a, b), found, games, seed=seed, limit=limit, patience=patience, measured=measured)
        return cls(bouts, sprt, (a, b))

    def run(self, crew: Crew, told: OnBout | None = None) -> None:
        """Play all bouts, or as many as the sequential test needs.

        A sequential test takes the bouts in their order, whichever is played first, and ends with the first that
        decides it. So what it finds depends on the games alone; those played beyond are not counted. It also ends,
        undecided, when nothing but repetitions comes any more. Raise PlayerError where a player fails in every game.
        """
        openings = len({bout.opening for bout in self.bouts})
        try:
            for bout, games in self._in_turn(self._played(crew)):
                self.add(games)
                if told is not None:
                    told(bout, games)
                self._refuse_failures()
                if self.verdict or (self.sprt is not None and self._repeats_in_a_row >= max(REPEATS, openings)):
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
        before = self.repeated
        evidence = []
        color: Color = "black"
        for game in games:
            self._count_effort(game, color)
            if self._is_evidence(game, color):
                evidence.append(game.difference if color == "black" else -game.difference)
            color = other(color)
        _count(self.everything, [game.difference * (1 - 2 * index) for index, game in enumerate(games)])
        _count(self.tally, evidence)
        self._repeats_in_a_row = self._repeats_in_a_row + 1 if self.repeated == before + len(games) else 0
        if self.sprt is not None:
            self.verdict = self.sprt.verdict(self.tally.pairs)

    def _count_effort(self, game: Played, color: Color) -> None:
        """Count the moves of a game in which the first player has a colour, and who failed in it."""
        for index, (side, own) in enumerate(zip(self.sides, (color, other(color)), strict=True)):
            side.add(game, own)
            failed = game.broken and game.failed == own
            self._failed_in_a_row[index] = self._failed_in_a_row[index] + 1 if failed else 0

    def _is_evidence(self, game: Played, color: Color) -> bool:
        """Return True for a game that counts: it is a new one, and no error has ended it."""
        if game.broken and not self._errors_count:
            self.broken += 1
            return False
        moves = tuple(ply.move for ply in game.plies)
        key = color, OpeningMoves(game.start, moves[: game.opening]).position(), moves[game.opening :]
        if key in self._known:
            self.repeated += 1
            return False
        self._known.add(key)
        return True

    def _refuse_failures(self) -> None:
        """End a match that can bring no evidence, because a player fails in every game."""
        for name, side, failed in zip(self.names, self.sides, self._failed_in_a_row, strict=True):
            if failed and (failed == self.everything.games or failed >= FAILURES):
                raise PlayerError(
                    f"{name} lost {failed} games in a row by errors, which ends the match: {side.first_error}"
                )

    def lines(self, bout: Bout, games: Sequence[Played]) -> Iterator[dict[str, Any]]:
        """The games of a bout as a ledger keeps them."""
        for index, game in enumerate(games):
            black, white = self.names if index == 0 else self.names[::-1]
            yield game_line(game, black, white, bout=bout.number, game=index)

    def __str__(self) -> str:
        lines = [f"{' - '.join(self.names)}: {self.score_line()}", *self.remarks()]
        for name, side in zip(self.names, self.sides, strict=True):
            if side.errors:
                lines.append(f"games that {name} lost by errors: {side.errors}, first: {side.first_error}")
        return "\n".join(lines)

    def remarks(self, say: Translator = english) -> list[str]:
        """Return a line on each thing that a reader of the score must know: games left out, a biased estimate."""
        lines = []
        if self.repeated:
            words = "{repeated} of {games} games repeated earlier ones: games that repeat are counted once"
            lines.append(say(words, repeated=self.repeated, games=self.everything.games))
        if self.broken:
            words = "{broken} of {games} games were ended by errors: they count neither in the score nor in the Elo"
            lines.append(say(words, broken=self.broken, games=self.everything.games))
        if self.verdict:
            lines.append(say(BIASED[self.verdict]))
        if self.equal_time is not None:
            lines += self.equal_time.remarks(self.sides, say)
        return lines

    def __repr__(self) -> str:
        return f"<Match {self}>"

    def score_line(self) -> str:
        """Games, score, Elo and discs in one line, from the first player's side."""
        tally = self.tally
        if not tally.games:
            return "no game that counts"
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
            "elo": finite(estimate.elo) if tally.games else None,
            "elo_low": finite(estimate.elo_low),
            "elo_high": finite(estimate.elo_high),
            "discs": finite(tally.discs, 4),
            "games": tally.games,
            "pairs": tally.pairs,
            "a": self.sides[0].summary(),
            "b": self.sides[1].summary(),
            "played": self.everything.games,
            "repeated": self.repeated,
            "broken": self.broken,
        }
        if self.equal_time is not None:
            result["equal_time"] = self.equal_time.summary(self.sides)
        if self.sprt is not None:
            low, high = self.sprt.bounds
            result["sprt"] = {
                "elo0": self.sprt.elo0,
                "elo1": self.sprt.elo1,
                "alpha": self.sprt.alpha,
                "beta": self.sprt.beta,
                "llr": round(self.sprt.llr(tally.pairs), 4),
                "low": round(low, 4),
                "high": round(high, 4),
                "verdict": self.verdict,
                "biased": bool(self.verdict),
            }
        return result


def _count(tally: Tally, differences: Sequence[float]) -> None:
    """Count the games of a bout: two are a pair."""
    if len(differences) == 2:
        tally.add_pair(*differences)
    else:
        for difference in differences:
            tally.add_single(difference)
