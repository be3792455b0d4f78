"""Learning by playing: rounds of self-play, fit and match, in a folder that tells it all and can be gone on with.

New weights replace the old only where a sequential test over balanced openings, colours swapped, says so. Every step
is written down when it is done (`archive` says how), and is not done again: after a kill, a crash or Ctrl-C the
same command goes on with the step it was at.
"""

from __future__ import annotations

import datetime
import json
import subprocess
import zlib
from collections.abc import Callable
from contextlib import AbstractContextManager
from importlib.metadata import version
from pathlib import Path
from typing import Any

import numpy as np

from othellier.arena.bout import Bout
from othellier.arena.ledger import Ledger, game_line, parse_line
from othellier.arena.match import Match, check_players, plan
from othellier.arena.openings import find_openings
from othellier.arena.play import Played
from othellier.arena.stats import Sprt
from othellier.config import LearnConfig
from othellier.distribute import Crew, cores
from othellier.errors import ConfigError, RecordError
from othellier.files import read_file, write_file
from othellier.geometry import STANDARD
from othellier.lab.machine import machine
from othellier.learn import shards
from othellier.learn.archive import Archive
from othellier.learn.games import Games
from othellier.learn.parity import UNIT
from othellier.learn.tables import checksum, export
from othellier.learn.train import labelled, train
from othellier.weights import PatternGeometry, shipped_weights, write_payload

__all__ = ["Run", "Stage", "Told"]

Stage = Callable[[str, float | None], AbstractContextManager[Callable[[float], None]]]
"""Shows that a stage of the work goes on: given its name and how much it is, it hands out what to advance it by."""

Told = Callable[[dict[str, Any]], None]
"""Told of every event when it has been written down."""

NOTHING = Path("nothing")

FREE = ("title", "rounds", "jobs", "executor")
"""What may be different when a run goes on, because it changes no result but their number."""


class Run:
    """A run in its folder."""

    def __init__(self, config: LearnConfig, folder: Path, stage: Stage, told: Told | None = None) -> None:
        self.config = config
        self.folder = folder
        self._stage = stage
        self._told = told
        self._sprt = Sprt.parse(config.match.sprt)
        self._jobs = config.jobs or cores()
        if "weights=" in config.match.player:
            raise ConfigError("match.player: its weights are those of the run")
        check_players([config.match.player], STANDARD)
        self._log: Ledger

    def go(self) -> Path:
        """Do all that is not done yet; the best weights are in the file that comes back."""
        with Ledger(self.folder / "log.jsonl") as self._log:
            self._begin()
            for number in range(1, self.config.rounds + 1):
                self._play(number)
                self._fit(number)
                self._match(number)
                self.archive().write_tables(self.folder)
            best = self._best(self.config.rounds + 1)
            export(best, self.folder / "best.weights")
        return self.folder / "best.weights"

    def archive(self) -> Archive:
        """What is known so far."""
        return Archive.read(self.folder)

    # -- the folder

    def _begin(self) -> None:
        """Refuse a folder of another run; write down what this one is."""
        path = self.folder / "run.json"
        config = self.config.model_dump(mode="json")
        if path.exists():
            try:
                facts = json.loads(read_file(path))
                old = facts["config"]
                changed = [key for key in config if key not in FREE and old.get(key) != config[key]]
            except (ValueError, KeyError, AttributeError, TypeError):
                raise RecordError(str(path), "", "is no description of a run") from None
            if changed:
                raise ConfigError(f"{self.folder} holds another run: {', '.join(changed)} changed; see --out")
            facts["config"] = config
        elif self._log.lines:
            raise ConfigError(f"{self.folder} holds a log but no run.json: choose another folder with --out")
        else:
            self._copy_start()
            facts = {
                "title": self.config.title,
                "date": datetime.date.today().isoformat(),
                "revision": _revision(),
                "versions": {name: version(name) for name in ("othellier", "torch", "numpy")},
                "machine": machine(),
                "seed": self.config.seed,
                "start": checksum(self.folder / "start.weights"),
                "config": config,
            }
        check_players([self._player(self.folder / "start.weights")], STANDARD)  # before hours of self-play
        write_file(path, [json.dumps(facts, indent=2).encode() + b"\n"])

    def _player(self, weights: Path) -> str:
        """The player of the match, with weights."""
        player = self.config.match.player
        return f"{player}{',' if ':' in player else ':'}weights={weights.resolve()}"

    def _copy_start(self) -> None:
        """What the run begins with is part of it."""
        if self.config.weights == NOTHING:
            geometry = PatternGeometry.default()
            tables = np.zeros((1, geometry.phase_size), np.int16)
            write_payload(self.folder / "start.weights", geometry.payload(tables, UNIT))
            return
        if self.config.weights is not None:
            export(self.config.weights, self.folder / "start.weights")
            return
        with shipped_weights() as path:
            export(path, self.folder / "start.weights")

    def _round(self, number: int) -> Path:
        return self.folder / f"round-{number:02d}"

    def _seed(self, number: int) -> int:
        return zlib.crc32(f"{self.config.seed} {number}".encode())

    def _done(self, event: str, number: int) -> bool:
        return any(line.get("event") == event and line.get("round") == number for line in self._log.lines)

    def _write(self, number: int, events: list[dict[str, Any]]) -> None:
        lines = [{"event": event["event"], "round": number, **event} for event in events]
        self._log.append(lines)
        self._log.lines += lines
        for line in lines:
            if self._told is not None:
                self._told(line)

    def _best(self, number: int) -> Path:
        """The weights that were the best before a round."""
        accepted = [line["round"] for line in self._log.lines if line.get("event") == "weights" and line["accepted"]]
        before = [one for one in accepted if one < number]
        return self._round(max(before)) / "new.weights" if before else self.folder / "start.weights"

    # -- the three steps of a round

    def _play(self, number: int) -> None:
        config = self.config.selfplay
        with self._stage(f"round {number}: playing", config.games) as advance:
            played = shards.play(
                self._round(number) / "games",
                config,
                seed=self._seed(number),
                weights=self._best(number),
                threads=self._jobs,
                executor="here" if self.config.executor == "processes" else self.config.executor,
                progress=advance,
            )
        if not self._done("data", number):
            facts = {"seed": self._seed(number), "weights": checksum(self._best(number))}
            facts |= {"played": played.games, "seconds": round(played.seconds, 1), "rate": round(played.rate, 1)}
            source = (
                f"self-play, depth {config.depth}, exact from {config.solve} empty squares, {config.openings} openings"
            )
            self._write(number, [_data(source, shards.load(played.paths), facts)])

    def _fit(self, number: int) -> None:
        if self._done("fit", number):
            return
        config = self.config.fit
        first = 1 if config.window is None else max(1, number - config.window + 1)
        own = [path for one in range(first, number + 1) for path in sorted((self._round(one) / "games").glob("*.bin"))]
        sets = [(shards.load(own), 1.0)]
        events: list[dict[str, Any]] = []
        if config.database:
            sets.append((shards.load(config.database), config.database_weight))
            events.append(_data("database", sets[1][0], {"weight": config.database_weight}))
        path = self._round(number) / "new.weights"
        with self._stage(f"round {number}: fitting", config.epochs) as advance:
            events += train(sets, config, self._seed(number) & 0x7FFFFFFF, path, advance)
        self._write(number, events)

    def _match(self, number: int) -> None:
        if self._done("match", number):
            return
        config = self.config.match
        new, old = self._round(number) / "new.weights", self._best(number)
        openings = find_openings(config.openings, (config.games + 1) // 2, STANDARD, self._seed(number))
        players = self._player(new), self._player(old)
        bouts = plan(players, openings, config.games, seed=self._seed(number) & 0xFFFF)
        match = Match(bouts, self._sprt)
        with (
            Ledger(self._round(number) / "match.jsonl") as ledger,
            Crew(self.config.executor, self._jobs) as crew,
            self._stage(f"round {number}: new against old", config.games) as advance,
        ):
            _count_old(match, ledger)
            advance(match.tally.games)

            def told(bout: Bout, games: list[Played]) -> None:
                names = [("new", "old"), ("old", "new")]
                ledger.append(
                    game_line(game, *names[index], bout=bout.number, game=index) for index, game in enumerate(games)
                )
                advance(len(games))

            if not match.verdict:
                match.run(crew, told)
        accepted = match.verdict == "accepted"
        facts = {"new": f"round {number}", "old": _name(old), "player": config.player, "openings": config.openings}
        self._write(
            number,
            [
                {"event": "match", **facts, **match.summary()},
                {"event": "weights", "accepted": accepted, "checksum": checksum(new), "bytes": new.stat().st_size},
            ],
        )


def _count_old(match: Match, ledger: Ledger) -> None:
    """Count the whole bouts an earlier run has played; only the others are left to play."""
    games: dict[int, dict[int, Played]] = {}
    for number, line in enumerate(ledger.lines, 1):
        try:
            games.setdefault(line["bout"], {})[line["game"]] = parse_line(line)
        except (KeyError, TypeError, ValueError) as error:
            raise RecordError(str(ledger.path), f"line {number}", f"is not a game: {error}") from None
    whole = {bout.number for bout in match.bouts if len(games.get(bout.number, ())) == bout.games}
    for number in sorted(whole):
        match.add([games[number][index] for index in sorted(games[number])])
    match.bouts = [bout for bout in match.bouts if bout.number not in whole]


def _data(source: str, games: Games, facts: dict[str, Any]) -> dict[str, Any]:
    return {"event": "data", "source": source, "games": len(games), "positions": labelled(games), **facts}


def _name(path: Path) -> str:
    return "start" if path.name == "start.weights" else path.parent.name.replace("-0", "-").replace("-", " ")


def _revision() -> str:
    """The commit of the source, with a plus where it was changed since; empty outside a repository."""
    git = ["git", "-C", str(Path(__file__).parent)]
    try:
        commit = subprocess.run([*git, "rev-parse", "HEAD"], capture_output=True, text=True, timeout=10, check=True)
        changes = subprocess.run([*git, "diff", "--quiet", "HEAD", "--", "."], timeout=10, check=False)
    except (OSError, subprocess.SubprocessError):
        return ""
    return commit.stdout.strip() + ("+" if changes.returncode else "")
