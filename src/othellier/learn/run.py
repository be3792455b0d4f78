"""Learning by playing: rounds of self-play, fits and a match, in a folder that tells it all and can be gone on with.

The steps of a round (`steps`) are games, tables, networks, the numbers of forward pruning, and the match. What
is new replaces the old only where a sequential test over balanced openings, colours swapped, says so. At the end the
best is calibrated (chances) and described (the model card). Every step is written down when it is done (`archive` says
how), and is not done again: after a kill, a crash, Ctrl-C or the end of the time it was given, the same command
goes on with the step it was at. `ship` puts the outcome into the package.
"""

from __future__ import annotations

import datetime
import json
import subprocess
import time
import zlib
from collections.abc import Callable
from dataclasses import asdict
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

import numpy as np
import torch

from othellier.arena.ledger import Ledger
from othellier.arena.match import check_players
from othellier.arena.stats import Sprt
from othellier.base.files import read_file, write_file
from othellier.base.machine import machine
from othellier.base.system import cores
from othellier.config.models import LearnConfig, ReplacementConfig, SelfplayConfig
from othellier.engine.analysts import Stage, silent
from othellier.engine.engine import SURE
from othellier.engine.probcut import Probcut
from othellier.errors import ConfigError, RecordError
from othellier.evaluation.weights import PatternGeometry, write_payload
from othellier.learn import chances_fit, probcut, shards
from othellier.learn import games as made
from othellier.learn.archive import Archive
from othellier.learn.card import make_card, write_card
from othellier.learn.evaluation import CHANCES, NETWORKS, PROBCUT, WEIGHTS, LearntEvaluation, copy, digest, shipped_data
from othellier.learn.games import GameArray
from othellier.learn.measure import measure
from othellier.learn.parity import UNIT
from othellier.learn.replacement import compare
from othellier.learn.sources import collect, files, without
from othellier.learn.steps import STEPS, TrainingStep
from othellier.learn.tables import checksum, export
from othellier.learn.train import labelled, train, train_networks
from othellier.rules.geometry import STANDARD

__all__ = ["OnEvent", "Run"]

OnEvent = Callable[[dict[str, Any]], None]
"""Told of every event when it has been written down."""

NOTHING = Path("nothing")

FREE = ("title", "recipe", "rounds", "jobs", "executor")
"""What may be different when a run goes on, because it changes no result but their number."""

LATER = {"network": "fit", "probcut": "probcut", "match": "match", "chances": "chances"}
"""Settings of later steps, by what is in the log once they have been used: until then they may be different too."""

HELD_OUT = 50
"""Tables that are kept are measured by one game in so many, unless the networks' fit says another number."""


class _Paused(Exception):
    """The time is over, or the last step that was asked for is done."""


class Run:
    """A run in its folder: `go` does what is not done yet.

    >>> run = Run(LearnConfig(rounds=2), Path("run"))
    >>> run.config.rounds, run.folder.name
    (2, 'run')
    """

    def __init__(
        self,
        config: LearnConfig,
        folder: Path,
        stage: Stage = silent,
        told: OnEvent | None = None,
        *,
        data: Path = Path(),
        minutes: float | None = None,
        until: TrainingStep | None = None,
        revision: str = "",
    ) -> None:
        """`data` is where relative names of files are looked for; work stops after some `minutes`, or a step."""
        self.config = config
        self.folder = folder
        self._stage = stage
        self._told = told
        self._data = data
        self._end = None if minutes is None else time.monotonic() + 60 * minutes
        self._until = until
        self._revision = revision or _revision()
        self._jobs = config.jobs or cores()
        self._loaded: dict[str, GameArray] = {}
        if config.match is not None:
            Sprt.parse(config.match.sprt)
            if any(f"{name}=" in config.match.player for name in ("weights", "networks", "probcut")):
                raise ConfigError("match.player: its weights are those of the run")
            check_players([config.match.player], STANDARD)
        self._log: Ledger

    def go(self) -> Path | None:
        """Do all that is not done yet. The folder of the best comes back, or None where there is more to do."""
        with Ledger(self.folder / "log.jsonl") as self._log:
            self._begin()
            try:
                for number in range(1, self.config.rounds + 1):
                    self._step("games", self._play, number)
                    self._step("tables", self._fit, number)
                    self._step("networks", self._fit_networks, number)
                    self._step("probcut", self._trust, number)
                    self._step("match", self._match, number)
                self._step("chances", self._finish, self.config.rounds)
            except _Paused:
                return None if self._until != STEPS[-1] else self.folder / "best"
            finally:
                self.archive().write_tables(self.folder)
        return self.folder / "best"

    def archive(self) -> Archive:
        """What is known so far."""
        return Archive.read(self.folder)

    def _step(self, name: TrainingStep, do: Callable[[int], None], number: int) -> None:
        self._look_at_clock()
        do(number)
        if self._until == name:
            raise _Paused

    def _look_at_clock(self) -> None:
        if self._end is not None and time.monotonic() > self._end:
            raise _Paused

    def _timed(self, advance: Callable[[float], None]) -> Callable[[float], None]:
        def step(done: float) -> None:
            advance(done)
            self._look_at_clock()

        return step

    # -- the folder

    def _begin(self) -> None:
        """Refuse a folder of another run; write down what this one is."""
        path = self.folder / "run.json"
        config = self.config.model_dump(mode="json")
        if path.exists():
            try:
                facts = json.loads(read_file(path).replace(b'"wander"', b'"exploration"'))  # its name before 1.0
                old = facts["config"]
                used = {line.get("event") for line in self._log.lines}
                free = {key for key, event in LATER.items() if event not in used}
                before, now = _fixed(old, free), _fixed(config, free)
                changed = [key for key in now if before.get(key) != now[key]]
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
                "recipe": self.config.recipe,
                "date": datetime.date.today().isoformat(),
                "revision": self._revision,
                "versions": {name: _version(name) for name in ("othellier", "torch", "numpy")},
                "machine": ", ".join([*_gpus(), machine()]),
                "seed": self.config.seed,
                "start": LearntEvaluation(self.folder / "start").digests(),
                "inputs": self._inputs(),
                "config": config,
            }
        if self.config.match is not None:  # before hours of self-play
            check_players([LearntEvaluation(self.folder / "start").player(self.config.match.player)], STANDARD)
        write_file(path, [json.dumps(facts, indent=2).encode() + b"\n"])

    def _copy_start(self) -> None:
        """What the run begins with is part of it."""
        start = LearntEvaluation(self.folder / "start")
        start.folder.mkdir(parents=True, exist_ok=True)
        weights, networks = self.config.weights, self.config.networks
        with shipped_data() as shipped:
            if weights == NOTHING:
                geometry = PatternGeometry.default()
                write_payload(start.weights, geometry.payload(np.zeros((1, geometry.phase_size), np.int16), UNIT))
            else:
                export(shipped / WEIGHTS if weights is None else self._file(weights), start.weights)
            if networks is None and weights is None:
                copy(shipped / NETWORKS, start.folder / NETWORKS)
            elif networks not in (None, NOTHING):
                copy(self._file(networks), start.folder / NETWORKS)
            copy(shipped / PROBCUT, start.probcut)
        network = self.config.network
        if network is not None and start.networks is None and not network.policy and self.config.rounds:
            raise ConfigError("network.policy: there is no policy to keep, the run begins without networks")

    def _file(self, path: Path) -> Path:
        return self._data / path

    def _inputs(self) -> dict[str, str]:
        """The checksums of what is read besides the games of the run; of a folder, that of its files' checksums."""
        database = self.config.database
        named = [*self.config.suites, *database.records, *database.shards]
        named += [] if database.exclude is None else [database.exclude]
        found = {}
        for name in named:
            path = self._file(name)
            try:
                parts = [digest(one) for one in (files([path]) if path.is_dir() else [path])]
            except OSError as error:
                raise ConfigError(f"{path}: {error.strerror or error}") from None
            found[str(name)] = parts[0] if len(parts) == 1 else f"{zlib.crc32(' '.join(parts).encode()):08x}"
        return found

    def _round(self, number: int) -> Path:
        return self.folder / f"round-{number:02d}"

    def _new(self, number: int) -> LearntEvaluation:
        return LearntEvaluation(self._round(number) / "new")

    def _seed(self, number: int, part: int = 0) -> int:
        return zlib.crc32(f"{self.config.seed} {number}{f' {part}' if part > 1 else ''}".encode())

    def _done(self, event: str, number: int, **facts: Any) -> bool:
        """Whether an event of a round is in the log, with some facts."""
        wanted = {"event": event, "round": number, **facts}
        return any(all(line.get(key) == value for key, value in wanted.items()) for line in self._log.lines)

    def _write(self, number: int, events: list[dict[str, Any]]) -> None:
        lines = [{"event": event["event"], "round": number, **event} for event in events]
        self._log.append(lines)
        self._log.lines += lines
        for line in lines:
            if self._told is not None:
                self._told(line)

    def _best(self, number: int) -> LearntEvaluation:
        """What was the best before a round."""
        accepted = [line["round"] for line in self._log.lines if line.get("event") == "weights" and line["accepted"]]
        before = [one for one in accepted if one < number]
        return self._new(max(before)) if before else LearntEvaluation(self.folder / "start")

    # -- games

    def _play(self, number: int) -> None:
        for part, config in enumerate(self.config.selfplay, 1):
            if not self._done("data", number, part=part):
                self._play_part(number, part, config)
        if number == 1 and not self._done("data", 1, part="database"):
            self._complete()

    def _play_part(self, number: int, part: int, config: SelfplayConfig) -> None:
        best = self._best(number)
        with self._stage(f"round {number}: playing", config.games) as advance:
            played = shards.play(
                self._games(number, part),
                config,
                seed=self._seed(number, part),
                weights=best.weights,
                networks=best.networks,
                probcut=best.probcut,
                threads=self._jobs,
                executor="here" if self.config.executor == "processes" else self.config.executor,
                progress=self._timed(advance),
            )
        games = self._load(f"{number}.{part}", played.paths)
        deep = f"{config.depth} and {config.depth + 1}" if config.alternate else str(config.depth)
        deep += f" at {config.confidence} %" if config.confidence < SURE else ""
        source = f"self-play, depth {deep}, exact from {config.solve} empty squares, {config.openings} openings"
        source += f", {config.random_min} to {config.random_max} random moves"
        source += f", then {config.exploration} % of all" if config.exploration else ""
        dropped = config.games - len(games)
        facts = {"part": part, "seed": self._seed(number, part), "files": best.digests(WEIGHTS, NETWORKS)}
        facts |= {"dropped": dropped, "played": played.games, "seconds": round(played.seconds, 1)}
        self._write(number, [_data(source, games, {**facts, "rate": round(played.rate, 1)})])

    def _games(self, number: int, part: int) -> Path:
        return self._round(number) / f"games-{part}"

    def _played(self, number: int, part: int) -> GameArray:
        return self._load(f"{number}.{part}", sorted(self._games(number, part).glob("*.bin")))

    def _load(self, key: str, paths: list[Path]) -> GameArray:
        """Games that do not reach a position of a test suite, checked and kept for the steps that follow."""
        if key not in self._loaded:
            self._loaded[key] = without(shards.load(paths), [self._file(suite) for suite in self.config.suites])
        return self._loaded[key]

    def _complete(self) -> None:
        """Play the games of others on perfectly from near their end."""
        config = self.config.database
        facts: dict[str, Any] = {"part": "database"}
        if config.records:
            paths = files([self._file(path) for path in config.records])
            listed = read_file(self._file(config.exclude)).decode("utf-8", "replace") if config.exclude else ""
            with self._stage("reading records", len(paths)) as advance:
                found = collect(paths, listed.splitlines(), advance)
            with self._stage("completing records", len(found.moves)) as advance:
                games = made.complete(found.moves, solve_empties=config.solve, threads=self._jobs, progress=advance)
            made.save(games, self.folder / "database.bin")
            facts |= {"left_out": found.listed, "unusable": found.unusable, "doubles": found.doubles}
        known = self._database()
        if known is not None:
            source = f"databases, exact from {config.solve} empty squares"
            self._write(1, [_data(source, known, {**facts, "weight": config.weight})])

    def _database(self) -> GameArray | None:
        config = self.config.database
        own = [self.folder / "database.bin"] if config.records else []
        paths = own + [self._file(path) for path in config.shards]
        return self._load("database", paths) if paths else None

    def _sets(self, number: int, window: int | None) -> tuple[list[tuple[GameArray, float]], GameArray | None]:
        """What there is to learn from: sets with their weights, and apart from them games with random moves."""
        steady: list[GameArray] = []
        exploring: list[GameArray] = []
        for one in range(1 if window is None else max(1, number - window + 1), number + 1):
            for part, config in enumerate(self.config.selfplay, 1):
                (exploring if config.exploration else steady).append(self._played(one, part))
        database = self._database()
        sets = [(np.concatenate(steady), 1.0)] if steady else []
        sets += [] if database is None else [(database, self.config.database.weight)]
        return sets, np.concatenate(exploring) if exploring else None

    # -- fits

    def _fit(self, number: int) -> None:
        new, config = self._new(number), self.config.fit
        if self._done("error", number, model=None):
            return
        new.folder.mkdir(parents=True, exist_ok=True)
        sets, exploring = self._sets(number, None if config is None else config.window)
        sets += [] if exploring is None else [(exploring, 1.0)]
        if config is None:
            copy(self._best(number).weights, new.weights)
            one_in = HELD_OUT if self.config.network is None else self.config.network.held_out
            self._write(number, measure(new.weights, [games for games, _ in sets], one_in))
            return
        with self._stage(f"round {number}: fitting tables", config.epochs) as advance:
            events = train(sets, config, self._seed(number) & 0x7FFFFFFF, new.weights, advance)
        self._write(number, events)

    def _fit_networks(self, number: int) -> None:
        new, config, before = self._new(number), self.config.network, self._best(number).networks
        if config is None:
            if before is not None:
                copy(before, new.folder / NETWORKS)
            return
        if self._done("fit", number, model="network"):
            return
        sets, exploring = self._sets(number, config.window)
        if not sets and exploring is not None:
            sets, exploring = [(exploring, 1.0)], None
        total = config.epochs + (0 if exploring is None else config.tune_epochs) + config.policy * config.policy_epochs
        with self._stage(f"round {number}: fitting networks", total) as advance:
            seed, out = self._seed(number) & 0x7FFFFFFF, new.folder / NETWORKS
            events = train_networks(sets, exploring, config, seed, out, before, advance)
        self._write(number, events)

    def _trust(self, number: int) -> None:
        new, config = self._new(number), self.config.probcut
        if config is None:
            copy(self._best(number).probcut, new.probcut)
            return
        if self._done("probcut", number):
            return
        with self._stage(f"round {number}: measuring searches", config.sample) as advance:
            found, positions = probcut.measure(
                self._good_games(number),
                weights=new.weights,
                networks=new.networks,
                sample=config.sample,
                deepest=config.deepest,
                solve=config.solve,
                seed=self._seed(number),
                threads=self._jobs,
                progress=advance,
            )
        taken = Probcut(config.midgame or found.midgame, config.endgame or found.endgame)
        taken.write(new.probcut)
        line = {"event": "probcut", "positions": positions, **asdict(found), "taken": asdict(taken)}
        self._write(number, [line | {"files": new.digests(WEIGHTS, NETWORKS)}])

    def _good_games(self, number: int) -> GameArray:
        """The games of a round that do not explore, or all where all do."""
        parts = list(enumerate(self.config.selfplay, 1))
        chosen = [part for part, config in parts if not config.exploration] or [part for part, _ in parts]
        return np.concatenate([self._played(number, part) for part in chosen])

    # -- the match, and the end

    def _match(self, number: int) -> None:
        if self._done("weights", number):
            return
        new, config = self._new(number), self.config.match
        events = [] if config is None else [self._play_match(number, config)]
        accepted = config is None or events[0]["sprt"]["verdict"] == "accepted"
        facts = {"checksum": checksum(new.weights), "bytes": new.weights.stat().st_size, "files": new.digests()}
        self._write(number, [*events, {"event": "weights", "accepted": accepted, **facts}])

    def _play_match(self, number: int, config: ReplacementConfig) -> dict[str, Any]:
        old = self._best(number)
        with self._stage(f"round {number}: new against old", config.games) as advance:
            found = compare(
                self._new(number),
                old,
                config,
                self._round(number) / "match.jsonl",
                seed=self._seed(number),
                executor=self.config.executor,
                jobs=self._jobs,
                progress=self._timed(advance),
            )
        facts = {"new": f"round {number}", "old": self._name(old), "player": config.player}
        return {"event": "match", **facts, "openings": config.openings, **found}

    def _name(self, evaluation: LearntEvaluation) -> str:
        folder = evaluation.folder
        return "start" if folder.name == "start" else folder.parent.name.replace("-0", "-").replace("-", " ")

    def _finish(self, last: int) -> None:
        """Copy the best, calibrate its chances, write its card."""
        config = self.config.chances
        source, best = self._best(last + 1), LearntEvaluation(self.folder / "best")
        best.folder.mkdir(exist_ok=True)
        for name in (WEIGHTS, NETWORKS, PROBCUT):
            (best.folder / name).unlink(missing_ok=True)
            if (source.folder / name).exists():
                copy(source.folder / name, best.folder / name)
        if config is not None and not self._done("chances", last):
            with self._stage("calibrating chances", None) as advance:
                known = chances_fit.search(
                    self._good_games(last),
                    weights=best.weights,
                    networks=best.networks,
                    probcut=best.probcut,
                    deepest=config.deepest,
                    each=config.each,
                    seed=self._seed(last) & 0x7FFFFFFF,
                    threads=self._jobs,
                    progress=advance,
                )
            curves, fitness = chances_fit.fit(known)
            chances_fit.save(curves, best.folder / CHANCES)
            self._write(last, [{"event": "chances", **asdict(fitness), "files": best.digests(WEIGHTS, NETWORKS)}])
        write_card(make_card(self.archive(), best.folder), best.folder / "model_card.json")


def _fixed(config: dict[str, Any], free: set[str]) -> dict[str, Any]:
    """The settings that must stay as they are when a run goes on. How many games it plays need not: each depends on
    its number alone, and a round that has been fitted is not played again."""
    kept = {key: value for key, value in config.items() if key not in free.union(FREE)}
    return kept | {"selfplay": [{**kind, "games": None} for kind in config["selfplay"]]}


def _data(source: str, games: GameArray, facts: dict[str, Any]) -> dict[str, Any]:
    return {"event": "data", "source": source, "games": len(games), "positions": labelled(games, valued=True), **facts}


def _version(name: str) -> str:
    """Of a package; empty where it was not installed but only put in the way."""
    try:
        return version(name)
    except PackageNotFoundError:
        return ""


def _gpus() -> list[str]:
    return [torch.cuda.get_device_name(number) for number in range(torch.cuda.device_count())]


def _revision() -> str:
    """The commit of the source, with a plus where it was changed since; empty outside a repository."""
    git = ["git", "-C", str(Path(__file__).parent)]
    try:
        commit = subprocess.run([*git, "rev-parse", "HEAD"], capture_output=True, text=True, timeout=10, check=True)
        changes = subprocess.run([*git, "diff", "--quiet", "HEAD", "--", "."], timeout=10, check=False)
    except (OSError, subprocess.SubprocessError):
        return ""
    return commit.stdout.strip() + ("+" if changes.returncode else "")
