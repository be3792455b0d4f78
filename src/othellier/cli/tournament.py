"""The command that lets many players play each other: those of a configuration, or those of a folder, a class.

Standings are shown while games are played: in the terminal, and on the report's page, which loads itself again.
"""

from __future__ import annotations

import math
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from othellier.cli.arena import attempt, tell_errors
from othellier.errors import ConfigError, MissingExtra
from othellier.messages.complaints import complaint
from othellier.messages.language import language, say
from othellier.terminal.output import JobsOption, JsonOption, echo, json_line, progress, tell_gaps

if TYPE_CHECKING:
    from rich.table import Table

    from othellier.arena.entrants import Entrant
    from othellier.arena.play import Played
    from othellier.arena.player_report import ReportedGame
    from othellier.arena.report import TournamentReport
    from othellier.arena.tournament import Encounter, Tournament
    from othellier.base.jobs import Crew
    from othellier.config.models import TournamentConfig
    from othellier.lab.words import Words

app = typer.Typer()

GAMES, TIME, PATIENCE, MEMORY = 2, 0.1, 1.0, 512  # of a class, unless told otherwise
CHOICES = 11 / 12
"""Of the moves of a game, those with a choice: nobody is asked for the others."""

REFRESH = 3
"""Seconds between two looks at the standings."""
FITTING = 9
"""Columns of the standings that a narrow terminal has room for; the page has them all."""


@app.command()
def tournament(
    config: Annotated[
        Path | None, typer.Argument(metavar="CONFIG", help="A configuration, see docs/configuration.md; or --players.")
    ] = None,
    out: Annotated[
        Path | None, typer.Option(metavar="DIR", help="Where games and tables are written, or go on.")
    ] = None,
    players: Annotated[
        Path | None, typer.Option(metavar="FOLDER", help="A class: every .py file is a player, named by its file.")
    ] = None,
    games: Annotated[
        int | None, typer.Option(min=1, metavar="N", help=f"Games of each pairing of a class ({GAMES}).")
    ] = None,
    seconds: Annotated[
        float | None, typer.Option("--time", min=0.001, metavar="S", help=f"Seconds a move in a class ({TIME}).")
    ] = None,
    patience: Annotated[
        float | None,
        typer.Option(min=0.01, metavar="S", help=f"Seconds beyond that until a game is lost ({PATIENCE:g})."),
    ] = None,
    memory: Annotated[
        int | None, typer.Option(min=16, metavar="MB", help=f"Megabytes for each player of a class ({MEMORY}).")
    ] = None,
    seed: Annotated[
        int | None, typer.Option(min=0, metavar="N", help="For the openings and random choices of a class.")
    ] = None,
    review: Annotated[
        bool, typer.Option(help="Have the engine judge the worst games of each player of a class.")
    ] = True,
    jobs: JobsOption = None,
    executor: Annotated[str | None, typer.Option(metavar="WHERE", help="As in the configuration, or instead.")] = None,
    json: JsonOption = False,
) -> int:
    """Let many players play each other, and write tables, figures and a page; run it again to go on."""
    from othellier.arena.report import TournamentReport
    from othellier.arena.tournament import Tournament
    from othellier.base.jobs import Crew
    from othellier.base.sheets import text_table
    from othellier.config.models import TournamentConfig, load

    if (config is None) == (players is None):
        raise ConfigError("name a configuration, or a folder of players with --players: one of them")
    if out is None:
        raise ConfigError("--out DIR is missing: where games and tables are written")
    chosen = {"games": games, "time": seconds, "patience": patience, "memory": memory, "seed": seed}
    chosen = {name: value for name, value in chosen.items() if value is not None}
    entrants: list[Entrant] = []
    if players is not None:
        tell_gaps()
        entrants = _enter(players, memory or MEMORY, patience or PATIENCE)
        settings = _class_config(players, entrants, chosen)
    elif chosen:
        raise ConfigError(
            "--games, --time, --patience, --memory and --seed go with --players, not with a configuration"
        )
    else:
        assert config is not None
        settings = load(config, TournamentConfig)
        if settings.memory is not None:
            tell_gaps()
    with ExitStack() as closing:
        running = closing.enter_context(Tournament(settings, out, checked=players is not None))
        crew = closing.enter_context(Crew(executor or settings.executor, jobs or settings.jobs))
        if entrants:
            _announce(running, crew.jobs)
        show = closing.enter_context(_live(running, out, entrants))

        def told(encounter: Encounter, played: list[Played]) -> None:
            if players is None:
                tell_errors(encounter.names, played)
            show(len(played))

        status, failure = attempt(lambda: running.run(crew, told))
        report = TournamentReport(running)
        words = _words()
        if failure is None:
            above = report.above(running.planned(), entrants, words)
            if players is not None and not status:
                running.close()  # the file of games is read again
                _player_reports(running, report, crew if review else None, out)
            report.write(out, _figures(report, out), above, say=words, language=words.language)
    if json:
        json_line(
            {"title": report.title, "standings": [line.facts() for line in report.standings]} | _problems(entrants)
        )
    else:
        echo("\n".join([text_table(report.table(words)), *report.remarks(words)]))
        if failure is None:
            echo(say("interrupted; run it again to go on") if status else str(out / "report.html"))
    if failure is not None:
        raise failure
    return status


# -- a class


def _enter(folder: Path, memory: int, patience: float) -> list[Entrant]:
    """The players of a folder; whoever cannot play is told of."""
    from othellier.arena.entrants import find_entrants, player_files

    with progress(say("the players of {folder}", folder=folder), len(player_files(folder))) as advance:
        found = find_entrants(folder, memory=memory, patience=patience, told=lambda _: advance(1))
    entrants = [replace(one, problem=complaint(one.problem)) for one in found]
    for entrant in entrants:
        if entrant.problem:
            echo(say("{file} does not play: {why}", file=entrant.file, why=entrant.problem), err=True)
    playing = sum(not entrant.problem for entrant in entrants)
    if playing < 2:
        raise ConfigError(f"{folder}: {playing} of its {len(entrants)} files can play, two at least are needed")
    return entrants


def _class_config(folder: Path, entrants: Sequence[Entrant], chosen: dict[str, Any]) -> TournamentConfig:
    from othellier.config.models import PlayerConfig, TournamentConfig

    usual: dict[str, Any] = {"games": GAMES, "time": TIME, "patience": PATIENCE, "memory": MEMORY, "seed": 0}
    playing = [PlayerConfig(algorithm=one.spec, name=one.name) for one in entrants if not one.problem]
    # One opening for a whole class would decide the places of players that always answer it alike.
    usual["own_openings"] = True
    return TournamentConfig(
        title=say("Tournament of {folder}", folder=folder.resolve().name), players=playing, **(usual | chosen)
    )


def _announce(running: Tournament, jobs: int) -> None:
    """How long a class may take, so that a teacher can choose a time a move that fits the lesson."""
    from othellier.arena.guard import thinking_time

    games, config = running.planned(), running.config
    moves = CHOICES * running.longest()
    minutes = math.ceil(games * moves * thinking_time(config.time or 0) / jobs / 60)
    told = (
        "{players} players, {games} games, {jobs} at a time, {time:g} s a move: about {minutes} min if everybody uses "
        "all the time (--time, --jobs)"
    )
    facts = {"players": len(running.names), "games": games, "jobs": jobs, "time": config.time, "minutes": minutes}
    echo(say(told, **facts), err=True)


def _problems(entrants: Sequence[Entrant]) -> dict[str, Any]:
    return {"not_playing": {one.file: one.problem for one in entrants if one.problem}} if entrants else {}


def _player_reports(running: Tournament, report: TournamentReport, crew: Crew | None, out: Path) -> None:
    """A page for each player, with what the engine thinks of its worst games."""
    from othellier.arena.ledger import Ledger
    from othellier.arena.player_report import PlayerReport, games_of, review, to_review, write_player_report
    from othellier.rules import native

    with Ledger(out / "games.jsonl") as ledger:
        games = {name: list(map(_told, games_of(ledger.lines, name))) for name in running.names}
    jobs = [to_review(name, own) for name, own in games.items()] if crew is not None and native.available else []
    found: dict[str, dict[str, Any]] = {}
    words = _words()
    with progress(say("the engine looks at the worst games"), len(jobs)) as advance:
        if crew is not None:
            for job, judged in crew.map(review, jobs):
                found[job.name] = judged
                advance(1)
    for rank, line in enumerate(report.standings, 1):
        judged = found.get(line.name, {"mistakes": [], "loss": None})
        page = PlayerReport(line.name, rank, tuple(games[line.name]), tuple(judged["mistakes"]), judged["loss"])
        write_player_report(out, page, say=words, language=words.language)


def _told(played: ReportedGame) -> ReportedGame:
    """A game with what went wrong in it in the language of this run."""
    error, _, board = played.game.error.rpartition(" (")
    words = f"{complaint(error)} ({board}" if error else played.game.error
    return replace(played, game=replace(played.game, error=words))


# -- what is seen of it


def _words() -> Words:
    """What pages and tables say, in the language of this run."""
    from othellier.lab.words import Words

    return Words("fr" if language() == "fr" else "en")


@contextmanager
def _live(running: Tournament, out: Path, entrants: Sequence[Entrant]) -> Iterator[Any]:
    """The standings while games are played: on the report's page, and in the terminal if somebody looks at it."""
    last = 0.0

    def due() -> bool:
        nonlocal last
        if time.monotonic() - last < REFRESH:
            return False
        last = time.monotonic()
        _write_page(running, out, entrants)
        return True

    if not sys.stderr.isatty():
        with progress(running.config.title, running.planned()) as advance:

            def count(games: int) -> None:
                due()
                advance(games)

            yield count
        return
    from rich.console import Console, Group
    from rich.live import Live
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    bar = Progress(TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    task = bar.add_task(running.config.title, total=running.planned())

    with Live(bar, console=Console(stderr=True), transient=True, refresh_per_second=4) as live:

        def show(games: int) -> None:
            bar.advance(task, games)
            if due():
                live.update(Group(bar, _standings(running)))

        yield show


def _write_page(running: Tournament, out: Path, entrants: Sequence[Entrant]) -> None:
    """The report as it stands, on a page that loads itself again."""
    from othellier.arena.report import TournamentReport
    from othellier.base.files import write_file

    report, words = TournamentReport(running), _words()
    above = report.above(running.planned(), entrants, words)
    text = report.page({}, above, refresh=REFRESH, say=words, language=words.language)
    write_file(out / "report.html", [text.encode()])


def _standings(running: Tournament) -> Table:
    """The first of the standings, for a terminal."""
    from rich.table import Table

    from othellier.arena.report import TournamentReport

    heading, *rows = TournamentReport(running).table(_words())
    table = Table(box=None, header_style="bold")
    for index, column in enumerate(heading[:FITTING]):
        table.add_column(column, justify="left" if index == 1 else "right")
    for row in rows[:30]:
        table.add_row(*row[:FITTING])
    return table


def _figures(report: TournamentReport, out: Path) -> dict[str, str]:
    """The figures of a tournament, written and as SVG; none, with a word why, where nothing can draw."""
    from othellier.lab.plots import draw_cross_table, draw_ratings

    words, lines = _words(), report.standings
    names = [line.name for line in lines]
    cells = [[report.cells.get((row, column)) for column in names] for row in names]
    try:
        figures = {
            "ratings": draw_ratings(
                words("Ratings"),
                names,
                [(line.rating.elo, line.rating.elo_low, line.rating.elo_high) for line in lines],
                words("Elo, with 95 % intervals"),
            ),
            "crosstable": draw_cross_table(
                words("Scores"),
                names,
                [[None if cell is None else cell.score for cell in row] for row in cells],
                words("per cent of points, row against column"),
            ),
        }
    except MissingExtra as error:
        echo(f"no figures: {error}", err=True)
        return {}
    for name, figure in figures.items():
        figure.in_language(words.language).write(out, name)
    return {figure.title: (out / f"{name}.svg").read_text("utf-8") for name, figure in figures.items()}
