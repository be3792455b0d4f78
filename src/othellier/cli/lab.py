"""The laboratory on the command line: experiments listed, run, resumed and put on pages."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated

import typer

from othellier.cli.common import InterruptedCommand, JsonOption, json_line
from othellier.errors import ConfigError

__all__ = ["app", "lab"]

app = typer.Typer()


@contextmanager
def _progress(name: str) -> Iterator[Callable[[str, int, int], None]]:
    """Show what an experiment is doing, on standard error if somebody looks at it."""
    if not sys.stderr.isatty():
        yield lambda words, done, total: None
        return
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, SpinnerColumn, TextColumn, TimeRemainingColumn

    columns = (
        SpinnerColumn(),
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeRemainingColumn(elapsed_when_finished=True),
    )
    with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task(name, total=None)
        yield lambda words, done, total: bar.update(task, description=f"{name}: {words}", completed=done, total=total)


@app.command()
def lab(
    names: Annotated[
        list[str] | None, typer.Argument(metavar="NAME", help="Experiments of the list, or `all`.")
    ] = None,
    listed: Annotated[bool, typer.Option("--list", help="List the experiments.")] = False,
    quick: Annotated[bool, typer.Option("--quick", help="Fewer games, shorter searches: minutes for all.")] = False,
    out: Annotated[Path, typer.Option(metavar="DIR", help="Where results are written, and kept.")] = Path("report"),
    budget: Annotated[
        float | None,
        typer.Option(metavar="S", help="Seconds a move where the study gives ten (algorithms, ratings)."),
    ] = None,
    seconds: Annotated[
        float | None, typer.Option(metavar="S", help="Seconds a search may take before it goes no deeper (ladder).")
    ] = None,
    games: Annotated[int | None, typer.Option(metavar="N", help="Games of each pairing.")] = None,
    seed: Annotated[int, typer.Option(metavar="N", help="For openings and for players that choose at random.")] = 0,
    jobs: Annotated[int | None, typer.Option(min=1, metavar="N", help="Processes; all cores unless given.")] = None,
    executor: Annotated[
        str, typer.Option(metavar="WHERE", help="processes, dask (a local cluster) or dask://HOST:PORT.")
    ] = "processes",
    language: Annotated[str, typer.Option(metavar="CODE", help="Of pages, tables and figures: en or fr.")] = "en",
    json: JsonOption = False,
) -> int:
    """Measure published tables and figures anew: an article, tables and figures; run it again to go on."""
    from othellier.distribute import Crew
    from othellier.lab.article import write_article
    from othellier.lab.catalogue import EXPERIMENTS, find_experiments
    from othellier.lab.experiment import Lab, LabSettings
    from othellier.lab.plots import new_figure
    from othellier.lab.report import claim_folder, read_outcome, write_outcome
    from othellier.lab.words import Words, parse_language

    say = Words(parse_language(language))
    if listed:
        for one in EXPERIMENTS.values():
            if json:
                facts = {"name": one.name, "source": one.source(say), "title": say(one.title)}
                json_line({**facts, "published": say(one.published)})
            else:
                typer.echo(f"{one.name:<12} {say(one.title)} ({one.source(say)})")
        return 0
    if not names:
        raise ConfigError("name an experiment, or `all`; othellier lab --list tells which there are")
    chosen = find_experiments(names)
    settings = LabSettings("quick" if quick else "full", budget, seconds, games, seed, say.language)
    new_figure("")  # better to learn now than after an hour that nothing can draw
    interrupted = False
    with Crew(executor, jobs) as crew:
        where = say("{jobs} at a time", jobs=crew.jobs) if executor == "processes" else executor
        try:
            for one in chosen:
                folder = out / one.name
                with _progress(one.name) as told, Lab(settings, crew, folder, told) as bench:
                    facts = bench.facts()
                    claim_folder(folder, one, facts)
                    outcome = read_outcome(folder, one)
                    # In another language it is written anew; what was measured is known.
                    kept = outcome is not None and outcome.facts.get("language") == say.language
                    if outcome is None or not kept:
                        begin = time.perf_counter()
                        findings = one.run(bench)
                        outcome = write_outcome(
                            folder, one, findings, facts, time.perf_counter() - begin, where, bench.say
                        )
                if json:
                    told_of = ("experiment", "title", "summary", "seconds", "machine")
                    json_line({key: outcome.facts[key] for key in told_of} | {"page": str(folder), "kept": kept})
                else:
                    typer.echo(f"{one.name}: {outcome.facts['summary']}{' (kept from before)' if kept else ''}")
        except KeyboardInterrupt:
            interrupted = True
    there = [found for one in EXPERIMENTS.values() if (found := read_outcome(out / one.name, one)) is not None]
    if there:
        write_article(out, there, say)
    if interrupted:
        raise InterruptedCommand("interrupted; what was measured is kept: run it again to go on")
    if not json:
        typer.echo(str(out / "index.html"))
    return 0
