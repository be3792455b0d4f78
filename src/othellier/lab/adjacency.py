"""The rules as the INSA report has them, with a list of adjacent squares, and its cost formula of Monte-Carlo.

The report keeps the empty squares beside discs in a list and looks from each of them along the eight lines (algorithms
1 and 2). Its formula says that a position costs at most 27 squares for each adjacent one, and a rollout so many times
as much as it has moves. Here the squares that are really looked at are counted.
"""

from __future__ import annotations

import random
from dataclasses import dataclass
from typing import Any

from othellier.lab.conclusions import Conclusions
from othellier.lab.experiment import Lab, Table, Value
from othellier.lab.words import Words

__all__ = ["AdjacentBoard", "RandomGames", "conclude_rules", "measure_rules", "rules_table"]

SIZE = 8
DIRECTIONS = [(dx, dy) for dx in (-1, 0, 1) for dy in (-1, 0, 1) if dx or dy]
WORST = 27
"""Squares on the eight lines through a square in the middle."""

PUBLISHED_MOVES = 63.5
"""Mean moves of a game in the report (section 7.1)."""

MOST_MOVES = SIZE * SIZE - 4
"""Squares that are empty at the start: each move fills one."""

_Ends = list[tuple[tuple[int, int], tuple[int, int]]]
"""Directions of a move, and the square of one's own at the end of each."""


class AdjacentBoard:
    """A board of squares with a list of the empty ones beside discs; 0 is empty, 1 and 2 are Black and White."""

    def __init__(self) -> None:
        middle = SIZE // 2
        self.squares = {(x, y): 0 for x in range(SIZE) for y in range(SIZE)}
        self.adjacent: set[tuple[int, int]] = set()
        self.looked = 0
        """Squares looked at since the start."""
        for x, y, color in ((middle, middle - 1, 1), (middle - 1, middle, 1), (middle, middle, 2)):
            self._put((x, y), color)
        self._put((middle - 1, middle - 1), 2)

    def _put(self, square: tuple[int, int], color: int) -> None:
        self.squares[square] = color
        self.adjacent.discard(square)
        x, y = square
        beside = [(x + dx, y + dy) for dx, dy in DIRECTIONS]
        self.adjacent.update(one for one in beside if self.squares.get(one) == 0)

    def possible_moves(self, color: int) -> dict[tuple[int, int], _Ends]:
        """Return the moves of a colour, each with its directions (algorithm 1)."""
        found = ((square, self.check_directions(square, color)) for square in sorted(self.adjacent))
        return {square: ends for square, ends in found if ends}

    def check_directions(self, square: tuple[int, int], color: int) -> _Ends:
        """Return the directions in which a disc on this square would turn others (algorithm 2)."""
        result: _Ends = []
        for dx, dy in DIRECTIONS:
            x, y = square[0] + dx, square[1] + dy
            self.looked += (x, y) in self.squares
            if self.squares.get((x, y)) != 3 - color:
                continue
            while True:
                x, y = x + dx, y + dy
                if (x, y) not in self.squares:
                    break
                self.looked += 1
                if self.squares[x, y] != 3 - color:
                    if self.squares[x, y] == color:
                        result.append(((dx, dy), (x, y)))
                    break
        return result

    def play(self, square: tuple[int, int], color: int, ends: _Ends) -> None:
        """Put a disc and turn those between it and the ends."""
        self._put(square, color)
        for (dx, dy), end in ends:
            x, y = square[0] + dx, square[1] + dy
            while (x, y) != end:
                self.squares[x, y] = color
                x, y = x + dx, y + dy


@dataclass(frozen=True, slots=True)
class RandomGames:
    """Games of random moves by these rules."""

    games: int
    seed: int = 0


def measure_rules(job: RandomGames) -> dict[str, Any]:
    """Play the games; count positions, moves, passes, adjacent squares and the squares that were looked at."""
    rng = random.Random(f"rules {job.seed}")
    counted = dict.fromkeys(("positions", "choices", "adjacent", "looked", "everywhere", "moves", "passes"), 0)
    for _ in range(job.games):
        board, color, passed = AdjacentBoard(), 1, False
        while True:
            before = board.looked
            moves = board.possible_moves(color)
            after = board.looked
            for square, disc in board.squares.items():  # the same without the list: every empty square
                if not disc:
                    board.check_directions(square, color)
            counted["positions"] += 1
            counted["choices"] += len(moves)
            counted["adjacent"] += len(board.adjacent)
            counted["looked"] += after - before
            counted["everywhere"] += board.looked - after
            if moves:
                counted["moves"] += 1
                counted["passes"] += passed
                square = rng.choice(sorted(moves))
                board.play(square, color, moves[square])
            elif passed:
                break
            passed, color = not moves, 3 - color
    return counted


def rules_table(lab: Lab) -> tuple[Table, dict[str, float]]:
    """Return the quantities of the report's formula in random games, as a table and by name."""
    say = lab.say
    games = lab.pick(100, 40, 4)
    ((_, counted),) = lab.measure("rules", measure_rules, [RandomGames(games, lab.settings.seed)])
    positions = counted["positions"]
    facts = {
        "choices": counted["choices"] / positions,
        "adjacent": counted["adjacent"] / positions,
        "moves": counted["moves"] / games,
        "passes": counted["passes"] / games,
        "looked": counted["looked"] / positions,
        "everywhere": counted["everywhere"] / positions,
    }
    facts["formula"] = WORST * facts["adjacent"]
    rows: list[tuple[Value, ...]] = [
        (say("moves of a position (n_pm)"), None, facts["choices"]),
        (say("adjacent empty squares (n_a)"), None, facts["adjacent"]),
        (say("moves of a game (n_q)"), PUBLISHED_MOVES, facts["moves"]),
        (say("passes of a game"), None, facts["passes"]),
        (say("squares looked at in a position: 27 × n_a, and counted"), facts["formula"], facts["looked"]),
        (
            say("squares looked at in a rollout: 27 × n_a × n_q, and counted"),
            facts["formula"] * facts["moves"],
            counted["looked"] / games,
        ),
        (say("in a position without the list of adjacent squares"), None, facts["everywhere"]),
    ]
    heading = ("", say("published, or by its formula"), say("measured"))
    note = say(
        "Random games by the rules of the report, {games} of them. The formula takes every adjacent square to cost the "
        "{worst} squares that lie on the lines through one in the middle: it is a bound.",
        games=games,
        worst=WORST,
    )
    return Table("rules", say("The report's rules and its cost formula"), heading, rows, heading[1:2], note), facts


def conclude_rules(facts: dict[str, float], say: Words) -> list[str]:
    """Conclusions about the length of games, the formula, and what the list of adjacent squares saves."""
    conclude = Conclusions(say)
    if facts["moves"] <= MOST_MOVES < PUBLISHED_MOVES:
        conclude(
            "A game cannot have the {published} moves that the report gives: {most} squares are empty at the start. "
            "Random games have {moves:.1f} moves and {passes:.1f} passes.",
            published=PUBLISHED_MOVES,
            most=MOST_MOVES,
            moves=facts["moves"],
            passes=facts["passes"],
        )
    conclude(
        "Of the squares that its formula allows for a position, {part:.0f} % are looked at."
        if facts["looked"] <= facts["formula"]
        else "More squares are looked at than its formula allows: {part:.0f} %.",
        part=100 * facts["looked"] / facts["formula"],
    )
    saved = 100 * (1 - facts["looked"] / facts["everywhere"])
    conclude(
        "The list of adjacent squares saves {saved:.0f} % of those looked at."
        if saved > 0
        else "The list of adjacent squares saves none of those looked at.",
        saved=saved,
    )
    return conclude.sentences
