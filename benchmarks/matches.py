"""`python -m benchmarks.matches`: results against other programs, worked out from the games.

Every game of `benchmarks/data/matches` is replayed by the rules of this package, and its score checked. The Elo
difference and its 95 % interval take the two games of an opening as one observation (`othellier.arena.Tally`). The
table is that of docs/matches.md and of the README. `--openings ntest18` prints the openings of a match instead, for a
match of your own.
"""

import argparse
import csv
import tomllib
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from othellier.arena.stats import Tally
from othellier.errors import RecordError
from othellier.games.game import replay
from othellier.records.transcript import parse_moves
from othellier.rules import native
from othellier.rules.board import Color
from othellier.rules.geometry import PASS

DATA = Path(__file__).parent / "data" / "matches"
OPENING = 8
"""Moves of an opening."""


@dataclass(frozen=True, slots=True)
class PlayedGame:
    """A game of a match, checked."""

    match: str
    moves: str
    color: Color
    """Othellier's colour."""
    score: int
    """Othellier's disc difference, empty squares to the winner."""
    seconds: tuple[float, float]
    """Processor time of Othellier and of the opponent."""
    chosen: tuple[int, int]
    """Moves that Othellier and the opponent chose."""

    @property
    def opening(self) -> str:
        """The moves that were given."""
        return self.moves[: 2 * OPENING]


def read_game(row: dict[str, str], place: str) -> PlayedGame:
    """Replay a game. Raise RecordError if it is not over or its score is not the one of the file."""
    color: Color = "black" if row["othellier"] == "black" else "white"
    moves, end = replay(native.start(), parse_moves(row["moves"]))
    score = end.score() if end.turn == color else -end.score()
    if not end.is_over() or score != int(row["score"]):
        raise RecordError(str(DATA / "games.csv"), place, f"ends with {score} discs for {color}, not {row['score']}")
    position, chosen = native.start(), [0, 0]
    for number, move in enumerate(moves):
        if number >= OPENING and move != PASS:
            chosen[position.turn != color] += 1
        position = position.play(move)
    seconds = float(row["seconds"]), float(row["opponent_seconds"])
    return PlayedGame(row["match"], row["moves"], color, score, seconds, (chosen[0], chosen[1]))


def read_games(path: Path = DATA / "games.csv") -> list[PlayedGame]:
    """Return the games of the file, each replayed."""
    with path.open(encoding="utf-8", newline="") as file:
        return [read_game(row, f"game {number}") for number, row in enumerate(csv.DictReader(file), 1)]


def tally(games: Sequence[PlayedGame]) -> Tally:
    """Count games from Othellier's side. The two games of an opening, with the colours swapped, are a pair."""
    counted = Tally()
    by_opening: dict[str, dict[Color, int]] = {}
    for game in games:
        by_opening.setdefault(game.opening, {})[game.color] = game.score
    for scores in by_opening.values():
        if len(scores) == 2:
            counted.add_pair(scores["black"], scores["white"])
        else:
            counted.add_single(*scores.values())
    return counted


def row(condition: dict[str, Any], games: Sequence[PlayedGame]) -> str:
    """Return the line of a match in the table."""
    counted = tally(games)
    times = (
        1000 * sum(game.seconds[side] for game in games) / sum(game.chosen[side] for game in games) for side in (0, 1)
    )
    estimate = counted.estimate()
    elo = f"{estimate.elo:+.0f} [{estimate.elo_low:+.0f}, {estimate.elo_high:+.0f}]"
    cells = [
        condition["opponent"],
        " / ".join(f"{time:.0f}" for time in times),
        str(counted.games),
        f"+{counted.wins} ={counted.draws} -{counted.losses}",
        "cut off" if condition.get("cut_off") else elo,
    ]
    return f"| {' | '.join(cells)} |"


def table() -> str:
    """Return the table of all matches, in Markdown."""
    conditions = tomllib.loads((DATA / "conditions.toml").read_text(encoding="utf-8"))
    games = read_games()
    lines = [
        "| opponent | ms a move, ours / theirs | games | result | Elo [95 %] |",
        "|---|---|---|---|---|",
    ]
    lines += [row(condition, [game for game in games if game.match == name]) for name, condition in conditions.items()]
    return "\n".join([*lines, ""])


def main() -> None:
    names = list(tomllib.loads((DATA / "conditions.toml").read_text(encoding="utf-8")))
    parser = argparse.ArgumentParser(prog="python -m benchmarks.matches", description="Results against other programs.")
    parser.add_argument("--openings", choices=names, help="print the openings of a match, one a line")
    arguments = parser.parse_args()
    if arguments.openings:
        games = [game for game in read_games() if game.match == arguments.openings]
        print("\n".join(dict.fromkeys(game.opening for game in games)))
    else:
        print(table(), end="")


if __name__ == "__main__":
    main()
