"""Many players: pairings played over all cores, every game written down at once, resumed after any interruption.

The folder of a tournament holds `tournament.json`, what it is, and `games.jsonl`, what was played. Everything else
(`report`) is worked out from these.
"""

from __future__ import annotations

import hashlib
import json
import random
import zlib
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Self

from othellier.arena.bout import Batches, Bout, close_players, play_bouts
from othellier.arena.guard import FILE
from othellier.arena.ledger import Ledger, game_line
from othellier.arena.match import Match, check_players, plan
from othellier.arena.openings import BALANCED, START, find_openings
from othellier.arena.pairings import Pairing, gauntlet, round_robin, swiss_round, swiss_rounds
from othellier.arena.plan import TournamentPlan
from othellier.arena.play import OpeningMoves, Played
from othellier.base.files import read_file, write_file
from othellier.base.jobs import Crew
from othellier.errors import ConfigError, RecordError
from othellier.games.results import clocked
from othellier.rules.geometry import Size

__all__ = ["Encounter", "OnEncounter", "Tournament"]

_Key = tuple[int, str, str, int, int]
"""Round, the two players, bout and game: each game of a tournament has one."""

OnEncounter = Callable[["Encounter", list[Played]], None]
"""Told of games that were played and written down."""

FIXED = ("size", "plies", "time", "patience", "memory", "seed", "openings", "own_openings", "digest")
"""What must not be different when a tournament goes on, because it changes games. More players may join."""


class Encounter:
    """A pairing of a round: its bouts, and the match they make."""

    def __init__(self, number: int, names: Pairing, bouts: Sequence[Bout]) -> None:
        self.round = number
        self.names = names
        self.bouts = bouts
        self.match = Match(bouts, errors_count=True)
        self.played: dict[int, dict[int, Played]] = {}
        """The games of bouts that are not complete yet."""
        self.complete: set[int] = set()

    def add(self, bout: int, game: int, played: Played) -> None:
        """Count a game; a bout is counted when it is whole."""
        games = self.played.setdefault(bout, {})
        games[game] = played
        if len(games) == self.bouts[bout].games:
            self.match.add([games[index] for index in sorted(games)])
            self.complete.add(bout)
            del self.played[bout]

    def has(self, bout: int, game: int) -> bool:
        """Whether a game was counted."""
        return bout in self.complete or game in self.played.get(bout, ())


class Tournament:
    """A tournament in a folder. What is known so far is always there to be asked for.

    >>> from othellier import tournament
    >>> report = tournament(["random:seed=1", "random:seed=2"], games=2, size=4)  # makes one and plays it
    >>> len(report.standings)
    2
    """

    def __init__(self, config: TournamentPlan, folder: Path, *, checked: bool = False) -> None:
        """`checked` says that all players have been made once already."""
        self.config = config
        self.folder = folder
        self.specs = {player.title: player.spec for player in config.players}
        self.names = list(self.specs)
        self.encounters: list[Encounter] = []
        self.byes: list[str] = []
        self._size = Size.parse(config.size)
        if not checked:
            check_players(list(self.specs.values()), self._size, config.patience, config.memory)
        self._openings = self._find_openings(config.seed)
        self._ledger = Ledger(folder / "games.jsonl")
        try:
            self._check_folder()
            self._old = self._read_games()
        except BaseException:
            self._ledger.close()
            raise

    # -- what was there before

    def _check_folder(self) -> None:
        """Refuse a folder of another tournament; write down what this one is."""
        facts = self.config.facts()
        facts["players"] = self.specs
        facts["digest"] = self._digest()
        facts["files"] = {name: digest for name, spec in self.specs.items() if (digest := _file_digest(spec))}
        path = self.folder / "tournament.json"
        if path.exists():
            try:
                old = json.loads(read_file(path))
                # What an older version did not know was as it is now unless somebody says otherwise.
                usual = self.config.defaults()
                changed = [key for key in FIXED if old.get(key, usual.get(key)) != facts[key]]
                changed += [name for name, spec in old["players"].items() if self.specs.get(name, spec) != spec]
                files = old.get("files", {})
                changed += [
                    f"the file of {name}" for name, now in facts["files"].items() if files.get(name, now) != now
                ]
            except (ValueError, KeyError, AttributeError):
                raise RecordError(str(path), "", "is no description of a tournament") from None
            if changed:
                raise ConfigError(f"{self.folder} holds another tournament: {', '.join(changed)} changed; see --out")
        elif self._ledger.lines:
            raise ConfigError(f"{self.folder} holds games but no tournament.json: choose another folder with --out")
        write_file(path, [json.dumps(facts, indent=2).encode() + b"\n"])

    def _digest(self) -> str:
        """What the openings were, where they come from a file that may change."""
        if self.config.openings in (START, BALANCED):
            return ""
        return hashlib.sha256(read_file(Path(self.config.openings))).hexdigest()

    def _read_games(self) -> dict[_Key, Played]:
        games: dict[_Key, Played] = {}
        for number, (line, game) in enumerate(self._ledger.games("round", "bout", "game"), 1):
            try:
                a, b, index = line["a"], line["b"], line["game"]
                key = (line["round"], a, b, line["bout"], index)
                if (line["black"], line["white"]) != ((a, b) if index == 0 else (b, a)):
                    raise ValueError("the colours are not those of its pairing")
                if key in games:
                    raise ValueError("it stands there twice")
                games[key] = game
            except (KeyError, TypeError, ValueError) as error:
                raise RecordError(str(self._ledger.path), f"line {number}", f"is not a game: {error}") from None
        return games

    # -- playing

    def planned(self) -> int:
        """How many games there will be."""
        players = len(self.names)
        pairs = {"round robin": players * (players - 1) // 2, "gauntlet": players - 1}
        return self.config.games * pairs.get(self.config.system, self._rounds() * (players // 2))

    def longest(self) -> int:
        """Moves of the longest game there can be, after its opening."""
        return max(opening.position().empties for opening in self._openings)

    def run(self, crew: Crew, told: OnEncounter | None = None) -> None:
        """Play what is not played yet."""
        try:
            for number in range(self._rounds()):
                self._begin_round(number)
                self._play(crew, [one for one in self.encounters if one.round == number], told)
        finally:
            close_players()

    def _rounds(self) -> int:
        if self.config.system != "swiss":
            return 1
        return self.config.rounds or swiss_rounds(len(self.names))

    def _begin_round(self, number: int) -> None:
        """Pair the players, and count what an earlier run has played of it."""
        if self.config.system == "round robin":
            pairs = round_robin(self.names)
        elif self.config.system == "gauntlet":
            pairs = gauntlet(self.names, self.config.hero or self.names[0])
        else:
            met = {frozenset(one.names) for one in self.encounters}
            pairs, rest = swiss_round(self.names, self.match_points(), met, self.byes)
            self.byes += [rest] if rest is not None else []
        for a, b in pairs:
            seed = zlib.crc32(f"{self.config.seed} {number} {a} {b}".encode())
            bouts = plan(
                (self.specs[a], self.specs[b]),
                self._openings_of(seed) if self.config.own_openings else self._openings,
                self.config.games,
                seed=seed,
                limit=clocked(self.config.clock, self.config.time),
                patience=self.config.patience,
                memory=self.config.memory,
            )
            encounter = Encounter(number, (a, b), bouts)
            for bout in bouts:
                for game in range(bout.games):
                    if (old := self._old.get((number, a, b, bout.number, game))) is not None:
                        encounter.add(bout.number, game, old)
            self.encounters.append(encounter)

    def _find_openings(self, seed: int) -> list[OpeningMoves]:
        config = self.config
        return find_openings(config.openings, (config.games + 1) // 2, self._size, seed, config.plies)

    def _openings_of(self, seed: int) -> list[OpeningMoves]:
        """The openings of one pairing: it keeps them whoever else joins."""
        if self.config.openings == BALANCED:
            return self._find_openings(seed)
        return random.Random(seed).sample(self._openings, len(self._openings))

    def _play(self, crew: Crew, encounters: Sequence[Encounter], told: OnEncounter | None) -> None:
        # One list of jobs for all pairings: nobody waits for the end of a match. Bouts are numbered through.
        jobs = [(one, bout) for one in encounters for bout in one.bouts if bout.number not in one.complete]
        numbered = [replace(bout, number=index) for index, (_, bout) in enumerate(jobs)]
        batches = Batches(numbered, crew.jobs)
        for done, results in crew.map(play_bouts, batches):
            self._write([(*jobs[bout.number], games) for bout, games in zip(done, results, strict=True)])
            for bout, games in zip(done, results, strict=True):
                batches.measure(games)
                encounter, original = jobs[bout.number]
                for index, game in enumerate(games):
                    if not encounter.has(original.number, index):
                        encounter.add(original.number, index, game)
                if told is not None:
                    told(encounter, games)

    def _write(self, results: Sequence[tuple[Encounter, Bout, list[Played]]]) -> None:
        """Games are written before they are counted, and those there already are not written again."""
        lines = []
        for encounter, bout, games in results:
            a, b = encounter.names
            for index, game in enumerate(games):
                if not encounter.has(bout.number, index):
                    black, white = (a, b) if index == 0 else (b, a)
                    facts = {"round": encounter.round, "a": a, "b": b, "bout": bout.number, "game": index}
                    lines.append(game_line(game, black, white, **facts))
        self._ledger.append(lines)

    # -- what came of it

    def match_points(self) -> dict[str, float]:
        """Points a player made, a game won counting 1; a bye counts as a match won."""
        points = dict.fromkeys(self.names, 0.0)
        for one in self.encounters:
            tally = one.match.everything
            points[one.names[0]] += tally.wins + tally.draws / 2
            points[one.names[1]] += tally.losses + tally.draws / 2
        for name in self.byes:
            points[name] += self.config.games
        return points

    def close(self) -> None:
        """Let go of the folder."""
        self._ledger.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def _file_digest(spec: str) -> str:
    """What the file of a player held; empty for players that come with the package."""
    path, is_file, _ = spec.partition(FILE)
    try:
        return hashlib.sha256(read_file(Path(f"{path}.py"))).hexdigest() if is_file else ""
    except OSError:
        return ""
