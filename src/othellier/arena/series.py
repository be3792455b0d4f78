"""A game or a series of games as a configuration describes it, and the statistics of it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from othellier.arena.bout import Batches, Bout, close_players, play_bout, play_bouts
from othellier.arena.effort import Side
from othellier.arena.guard import resolve
from othellier.arena.ledger import game_line
from othellier.arena.match import check_players
from othellier.arena.openings import find_openings
from othellier.arena.plan import SeriesPlan
from othellier.arena.play import Played, Watch
from othellier.base.jobs import Crew
from othellier.games.results import Limit, Result
from othellier.players import Player
from othellier.players.lent import Borrowed
from othellier.rules.board import Color, Position
from othellier.rules.geometry import Size

__all__ = ["HUMAN", "CountedPlayer", "Series"]

HUMAN = "human"


class CountedPlayer(Borrowed):
    """Another player, asked with a limit of its own, whose nodes are counted by position."""

    def __init__(self, player: Player, limit: Limit, nodes: dict[Position, int]) -> None:
        super().__init__(player)
        self._limit = limit
        self._nodes = nodes

    def choose(self, position: Position, limit: Limit) -> Result:
        """The player's move."""
        result = super().choose(position, self._limit)
        self._nodes[position] = result.nodes
        return result


class Series:
    """The games of a configuration, planned and then played; what was played is always there to be asked for."""

    def __init__(self, config: SeriesPlan) -> None:
        self.config = config
        self.limit = Limit(time=config.time)
        size = Size.parse(config.size)
        self.specs = (config.black.spec, config.white.spec)
        self.names = (config.black.title, config.white.title)
        check_players([spec for spec in self.specs if spec != HUMAN], size, config.patience, config.memory)
        count = (config.games + 1) // 2 if config.swap else config.games
        openings = find_openings(config.openings, count, size, config.seed, config.plies)
        self.bouts = [
            Bout(
                number,
                self._in_order(number, *(resolve(spec) for spec in self.specs)),
                openings[(number // 2 if config.swap else number) % len(openings)],
                games=1,
                seed=(config.seed << 24) + number,
                limit=self.limit,
                patience=config.patience,
                memory=config.memory,
            )
            for number in range(config.games)
        ]
        self.games: dict[int, Played] = {}

    def _in_order(self, number: int, black: str, white: str) -> tuple[str, str]:
        return (white, black) if self.config.swap and number % 2 else (black, white)

    def players(self, number: int) -> tuple[str, str]:
        """Who plays black and who white in a game."""
        return self._in_order(number, *self.names)

    def play(self, watch: Watch) -> Iterator[tuple[int, Played]]:
        """The games one after the other, with somebody watching every move."""
        try:
            for bout in self.bouts:
                (self.games[bout.number],) = play_bout(bout, watch)
                yield bout.number, self.games[bout.number]
        finally:
            close_players()

    def run(self, crew: Crew) -> Iterator[tuple[int, Played]]:
        """The games as they are done, many at a time."""
        try:
            batches = Batches(self.bouts, crew.jobs)
            for jobs, results in crew.map(play_bouts, batches):
                for bout, (game,) in zip(jobs, results, strict=True):
                    batches.measure([game])
                    self.games[bout.number] = game
                    yield bout.number, game
        finally:
            close_players()

    def lines(self) -> list[dict[str, Any]]:
        """The games as JSON objects, in their order."""
        return [
            game_line(self.games[number], *self.players(number), number=number + 1) for number in sorted(self.games)
        ]

    def statistics(self) -> dict[str, Any]:
        """Every game in numbers, and what they come to: for the colours, and for the players."""
        games = []
        colors: dict[Color, Side] = {"black": Side(), "white": Side()}
        sides = (Side(), Side())
        won = [0, 0]
        for number in sorted(self.games):
            game = self.games[number]
            black, white = self.players(number)
            position = game.end()
            facts: dict[str, Any] = {"number": number + 1, "black": black, "white": white, "score": game.score}
            for color in colors:
                chosen = game.chosen(color)
                colors[color].add(game, color)
                owner = (color == "white") != bool(self.config.swap and number % 2)
                sides[owner].add(game, color)
                won[owner] += (game.score > 0) if color == "black" else (game.score < 0)
                facts[f"{color}_discs"] = position.discs(color)
                facts[f"{color}_moves"] = len(chosen)
                facts[f"{color}_nodes"] = sum(ply.nodes for ply in chosen)
                facts[f"{color}_seconds"] = round(sum(ply.seconds for ply in chosen), 6)
            games.append(facts | ({"error": game.error, "failed": game.failed} if game.failed else {}))
        scores = [game.score for game in self.games.values()]
        on_board = [game.score for game in self.games.values() if not game.failed]
        return {
            "games": len(scores),
            "black_wins": sum(score > 0 for score in scores),
            "white_wins": sum(score < 0 for score in scores),
            "draws": scores.count(0),
            "discs": round(sum(on_board) / len(on_board), 4) if on_board else None,
            "black": colors["black"].summary(),
            "white": colors["white"].summary(),
            "players": [
                {"name": name, "player": spec, "wins": wins, **side.summary()}
                for name, spec, wins, side in zip(self.names, self.specs, won, sides, strict=True)
            ],
            "all": games,
        }
