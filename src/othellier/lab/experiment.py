"""What an experiment is: a name, what was published, and a function that measures it anew.

An experiment asks the `Lab` it is handed for measurements and for games, and returns `Findings`: plain tables and
figures. Where work is done, what is known from an earlier run and what becomes of the findings is not its business.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Any, Literal, NamedTuple, Self, TypeVar

from othellier.arena.ledger import Ledger
from othellier.arena.openings import BALANCED
from othellier.arena.play import Played
from othellier.arena.report import TournamentReport
from othellier.arena.stats import Tally, wilson
from othellier.arena.tournament import Encounter, Tournament
from othellier.base.jobs import Crew
from othellier.config.models import PlayerConfig, System, TournamentConfig
from othellier.errors import ConfigError, OthellierError, RecordError
from othellier.lab.conclusions import Observed
from othellier.lab.plots import Figure
from othellier.lab.studies import Citation, Publication
from othellier.lab.words import Words
from othellier.rules import native
from othellier.search.trees.drawing import Language

__all__ = [
    "Experiment",
    "Findings",
    "Lab",
    "LabSettings",
    "Measured",
    "OnStep",
    "Scale",
    "Table",
    "TournamentGames",
    "Value",
    "experiment",
    "share",
]

J = TypeVar("J")
C = TypeVar("C")


class Measured(NamedTuple):
    """A number with the ends of its 95 % interval."""

    value: float
    low: float
    high: float


def share(count: float, games: int) -> Measured:
    """So many of so many in per cent, with Wilson's interval.

    >>> [round(end) for end in share(50, 100)]
    [50, 40, 60]
    """
    part = count / max(1, games)
    return Measured(100 * part, *(100 * end for end in wilson(part, max(1, games))))


Value = str | int | float | Measured | None
"""What a table holds; None is what was not measured, or not published."""

Scale = Literal["full", "quick", "tiny"]
"""As large as the document's; minutes for all experiments together; the least that shows that it works."""

OnStep = Callable[[str, int, int], None]
"""Told what is being done, how much of it is done, and how much there is."""


@dataclass(frozen=True, slots=True)
class LabSettings:
    """What may be chosen about experiments. None leaves it to the experiment and its scale."""

    scale: Scale = "full"
    budget: float | None = None
    """Seconds a move where the document gives ten (table 6.1)."""
    seconds: float | None = None
    """Seconds a single search may take before a technique goes no deeper (figure 4)."""
    games: int | None = None
    """Games of a pairing."""
    seed: int = 0
    language: Language = "en"

    def __post_init__(self) -> None:
        for name, value, least in (
            ("budget", self.budget, 0.001),
            ("seconds", self.seconds, 0.001),
            ("games", self.games, 2),
        ):
            if value is not None and not least <= value <= 1e6:
                raise ConfigError(f"{name}={value:g}: a number from {least:g} to 1000000 expected")


@dataclass(frozen=True, slots=True)
class Table:
    """Numbers with a heading; `published` names the columns that come from a document."""

    name: str
    title: str
    heading: tuple[str, ...]
    rows: Sequence[tuple[Value, ...]]
    published: tuple[str, ...] = ()
    note: str = ""


@dataclass(frozen=True, slots=True)
class Findings:
    """What an experiment has brought."""

    summary: str
    """The outcome in a sentence or two."""
    tables: Sequence[Table]
    figures: dict[str, Figure]
    """By the names of their files, the most telling first."""
    values: dict[str, Any] = field(default_factory=dict)
    """Values for the places of the experiment's notes."""
    boards: dict[str, str] = field(default_factory=dict)
    """Pictures of positions, SVG by title."""
    conclusions: Sequence[str] = ()
    """Sentences that follow from the numbers of this run."""
    notes: Sequence[str] = ()
    """The notes of the experiment in the language of the run, with the values put in."""


@dataclass(frozen=True, slots=True)
class Experiment:
    """A study that can be run again."""

    name: str
    sources: tuple[Citation, ...]
    """Where it was published."""
    title: str
    published: str
    """What the document found, in a sentence or two."""
    run: Callable[[Lab], Findings]
    compiled: bool = False
    """Whether it tells of compiled searches, which must then be there."""

    def check(self) -> None:
        """Refuse what cannot be measured here."""
        if self.compiled and not native.available:
            what = f"the experiment {self.name} needs the compiled core"
            raise OthellierError(f"{what}, which is missing here: see othellier version")

    def source(self, say: Words) -> str:
        """Where it was published, in short."""
        places = (
            f"{say(one.study.short)}, {say(one.place)}" if one.place else say(one.study.short) for one in self.sources
        )
        return say.join(places)


def experiment(
    name: str,
    sources: str | Publication | Citation | tuple[Citation, ...],
    title: str,
    published: str,
    notes: Sequence[str] = (),
    compiled: bool = False,
) -> Callable[[Callable[[Lab], Findings]], Experiment]:
    """Make an experiment of a function; `catalogue` lists them. Words will do for a source of one's own.

    `notes` describe the method, not the outcome: the outcome is in `Findings.conclusions`.
    """
    if isinstance(sources, str):
        sources = Publication(sources, "", sources, "")
    if isinstance(sources, Publication):
        sources = Citation(sources)
    places = (sources,) if isinstance(sources, Citation) else sources

    def make(run: Callable[[Lab], Findings]) -> Experiment:
        def explained(lab: Lab) -> Findings:
            found = run(lab)
            return replace(found, notes=[lab.say(text, **found.values) for text in notes])

        return Experiment(name, places, title, published, explained, compiled)

    return make


@dataclass(frozen=True, slots=True)
class TournamentGames:
    """What a tournament of an experiment brought."""

    report: TournamentReport
    lines: list[dict[str, Any]]
    """Every game, as its file holds it."""
    tallies: dict[tuple[str, str], Tally] = field(default_factory=dict)
    """Results of each encounter, for the player named first, with its pairs of games."""

    def points(self, name: str, other: str) -> Observed:
        """Points of a player against another, with pairs of games as observations."""
        if (name, other) in self.tallies:
            return Observed.points(self.tallies[name, other])
        turned = Observed.points(self.tallies[other, name])
        return Observed(turned.of - turned.count, turned.of)

    def per_cent(self, name: str, other: str) -> Measured:
        """Return the points of a player against another in per cent, with an interval from the pairs of games."""
        points = self.points(name, other)
        return Measured(*(100 * end for end in (points.share, *points.interval())))

    def by_color(self, black: str, white: str) -> tuple[int, int, int]:
        """Games won, drawn and lost by a player with the black discs against another."""
        scores = [line["score"] for line in self.lines if (line["black"], line["white"]) == (black, white)]
        return sum(s > 0 for s in scores), scores.count(0), sum(s < 0 for s in scores)

    def seconds(self, name: str) -> float:
        """Mean seconds a move of a player."""
        side = next(line.side for line in self.report.standings if line.name == name)
        return side.seconds / max(1, side.moves)


class Lab:
    """What an experiment works with: settings, workers, and a folder where everything measured is kept at once."""

    def __init__(self, settings: LabSettings, crew: Crew, folder: Path, told: OnStep | None = None) -> None:
        self.settings = settings
        self.say = Words(settings.language)
        self.folder = folder
        self._crew = crew
        self._told = told or (lambda words, done, total: None)
        self._ledger = Ledger(folder / "measured.jsonl")
        self._known: dict[str, dict[str, Any]] = {line["job"]: line["result"] for line in self._lines()}

    def _lines(self) -> Iterator[dict[str, Any]]:
        for number, line in enumerate(self._ledger.lines, 1):
            if not isinstance(line.get("job"), str) or not isinstance(line.get("result"), dict):
                self._ledger.close()
                raise RecordError(str(self._ledger.path), f"line {number}", "is no measurement")
            yield line

    def pick(self, full: C, quick: C, tiny: C) -> C:
        """What the scale asks for."""
        return {"full": full, "quick": quick, "tiny": tiny}[self.settings.scale]

    def games(self, full: int, quick: int, tiny: int = 2) -> int:
        """Games of a pairing: those of the settings, or of the scale."""
        return self.settings.games or self.pick(full, quick, tiny)

    def measure(
        self, words: str, function: Callable[[J], dict[str, Any]], jobs: Iterable[J]
    ) -> Iterator[tuple[J, dict[str, Any]]]:
        """Do jobs over all workers, each once: what an earlier run has measured is not measured again.

        A job is a plain value whose `repr` says all about it, its result what JSON can hold.
        """
        wanted = list(jobs)
        known = [job for job in wanted if repr(job) in self._known]
        todo = [job for job in wanted if repr(job) not in self._known]
        total = len(wanted)
        self._told(words, len(known), total)
        for job in known:
            yield job, self._known[repr(job)]
        for done, (job, result) in enumerate(self._crew.map(function, todo), len(known) + 1):
            self._ledger.append([{"job": repr(job), "result": result}])
            self._known[repr(job)] = result
            self._told(words, done, total)
            yield job, result

    def tournament(
        self,
        name: str,
        players: dict[str, str],
        games: int,
        *,
        system: System = "round robin",
        hero: str | None = None,
        openings: str = BALANCED,
    ) -> TournamentGames:
        """Let players (their strings by name) meet, both colours of each opening; what was played before is kept."""
        config = TournamentConfig(
            title=name,
            players=[PlayerConfig(algorithm=spec, name=title) for title, spec in players.items()],
            system=system,
            hero=hero,
            games=games,
            openings=openings,
            seed=self.settings.seed,
        )
        with Tournament(config, self.folder / name) as running:
            total = running.planned()
            done = 0

            def told(encounter: Encounter, played: list[Played]) -> None:
                nonlocal done
                done += len(played)
                self._told(name, done, total)
                failed = next((game.error for game in played if game.error), "")
                if failed:  # its numbers would mean nothing
                    raise ConfigError(f"{' - '.join(encounter.names)}: {failed}")

            self._told(name, 0, total)
            running.run(self._crew, told)
            report = TournamentReport(running)
            tallies = {one.names: one.match.tally for one in running.encounters}
        failed_before = [line.name for line in report.standings if line.total.errors]
        if failed_before:
            raise ConfigError(
                f"{self.folder / name} holds games that were lost by errors of {', '.join(failed_before)}"
            )
        with Ledger(self.folder / name / "games.jsonl") as ledger:
            return TournamentGames(report, ledger.lines, tallies)

    def facts(self) -> dict[str, Any]:
        """The settings that decide what is measured, as JSON keeps them: the language does not."""
        facts = asdict(self.settings)
        del facts["language"]
        return facts

    def close(self) -> None:
        """Let others write to the folder."""
        self._ledger.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()
