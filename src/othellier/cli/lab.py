"""The laboratory on the command line: experiments listed, run, resumed and put on pages."""

from __future__ import annotations

import time
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from othellier.errors import ConfigError
from othellier.messages import language as spoken
from othellier.terminal.output import (
    ExecutorOption,
    InterruptedCommand,
    JobsOption,
    JsonOption,
    ReportLanguageOption,
    echo,
    json_line,
    stages,
)

if TYPE_CHECKING:
    from othellier.lab.experiment import Experiment, Lab
    from othellier.lab.report import ReportedExperiment
    from othellier.lab.words import Words

app = typer.Typer()


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
    jobs: JobsOption = None,
    executor: ExecutorOption = "processes",
    language: ReportLanguageOption = None,
    json: JsonOption = False,
) -> int:
    """Measure published tables and figures anew: an article, tables and figures; run it again to go on."""
    from othellier.base.jobs import Crew
    from othellier.lab.article import write_article
    from othellier.lab.catalogue import EXPERIMENTS, find_experiments
    from othellier.lab.experiment import Lab, LabSettings
    from othellier.lab.plots import new_figure
    from othellier.lab.report import read_outcome
    from othellier.lab.words import Words, parse_language

    say = Words(parse_language(language or spoken.language()))
    if listed:
        _list(say, json)
        return 0
    if not names:
        raise ConfigError("name an experiment, or `all`; othellier lab --list tells which there are")
    chosen = find_experiments(names)
    for one in chosen:
        one.check()
    settings = LabSettings("quick" if quick else "full", budget, seconds, games, seed, say.language)
    new_figure("")  # better to learn now than after an hour that nothing can draw
    interrupted = False
    with Crew(executor, jobs) as crew:
        where = say("{jobs} at a time", jobs=crew.jobs) if executor == "processes" else executor
        try:
            for one in chosen:
                with stages(one.name) as told, Lab(settings, crew, out / one.name, told) as bench:
                    outcome, kept = _run(one, bench, where)
                if json:
                    keys = ("experiment", "title", "summary", "seconds", "machine")
                    json_line({key: outcome.facts[key] for key in keys} | {"page": str(out / one.name), "kept": kept})
                else:
                    echo(f"{one.name}: {outcome.facts['summary']}{say(' (kept from before)') if kept else ''}")
        except KeyboardInterrupt:
            interrupted = True
    there = [found for one in EXPERIMENTS.values() if (found := read_outcome(out / one.name, one)) is not None]
    if there:
        write_article(out, there, say)
    if interrupted:
        raise InterruptedCommand("interrupted; what was measured is kept: run it again to go on")
    if not json:
        echo(str(out / "index.html"))
    return 0


def _list(say: Words, json: bool) -> None:
    from othellier.lab.catalogue import EXPERIMENTS

    for one in EXPERIMENTS.values():
        if json:
            facts = {"name": one.name, "source": one.source(say), "title": say(one.title)}
            json_line({**facts, "published": say(one.published)})
        else:
            echo(f"{one.name:<12} {say(one.title)} ({one.source(say)})")


def _run(one: Experiment, bench: Lab, where: str) -> tuple[ReportedExperiment, bool]:
    """What an experiment has brought, and whether an earlier run has written it."""
    from othellier.lab.report import claim_folder, read_outcome, write_outcome

    facts = bench.facts()
    claim_folder(bench.folder, one, facts)
    outcome = read_outcome(bench.folder, one)
    # In another language it is written anew; what was measured is known.
    if outcome is not None and outcome.facts.get("language") == bench.say.language:
        return outcome, True
    begin = time.perf_counter()
    findings = one.run(bench)
    return write_outcome(bench.folder, one, findings, facts, time.perf_counter() - begin, where, bench.say), False
