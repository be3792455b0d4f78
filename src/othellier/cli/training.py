"""Commands of a whole training: the run that makes weights, what is known of them, other forms of them."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from othellier.cli.learn_options import ShardsArgument, ThreadsOption, WeightsOption
from othellier.errors import ConfigError, MissingExtra, extra
from othellier.learn.steps import STEPS
from othellier.messages.language import say
from othellier.terminal.output import InterruptedCommand, JsonOption, echo, json_line, progress

if TYPE_CHECKING:
    from othellier.learn.archive import Archive

app = typer.Typer()

UNFINISHED = 75
"""The exit status of a run that has more to do: try again."""


@app.command()
def run(
    config: Annotated[Path, typer.Argument(metavar="CONFIG", help="A configuration, see docs/configuration.md.")],
    out: Annotated[Path, typer.Option(metavar="DIR", help="Where the run is kept, or goes on.")],
    minutes: Annotated[
        float | None, typer.Option(min=0, metavar="M", help="Begin nothing new after M minutes; status 75 if not done.")
    ] = None,
    until: Annotated[str | None, typer.Option(metavar="STEP", help=f"Stop after {', '.join(STEPS)}.")] = None,
    data: Annotated[Path, typer.Option(metavar="DIR", help="Where the configuration's files are looked for.")] = Path(),
    revision: Annotated[str, typer.Option(metavar="REV", help="Of the source, where git cannot tell it.")] = "",
    json: JsonOption = False,
) -> int:
    """Play, fit and compare in rounds, keeping what is new when it wins; run it again to go on."""
    from othellier.config.models import LearnConfig, load

    last = next((step for step in STEPS if step == until), None)
    if until is not None and last is None:
        raise ConfigError(f"--until {until}: there is no such step; {', '.join(STEPS)} are the steps")
    with extra("learn", "learning"):
        from othellier.learn.run import Run

    def told(line: dict[str, Any]) -> None:
        words = WORDS.get(line["event"])
        if json:
            json_line(line)
        elif words is not None:
            echo(say("round {number}: {words}", number=line["round"], words=say(words(line), **line)))

    try:
        settings = load(config, LearnConfig)
        best = Run(settings, out, progress, told, data=data, minutes=minutes, until=last, revision=revision).go()
    except KeyboardInterrupt:
        raise InterruptedCommand("interrupted; run it again to go on") from None
    if best is None:
        echo(say("there is more to do; run it again to go on"), err=True)
        return 0 if until is not None and minutes is None else UNFINISHED
    if not json:
        echo(say("the best evaluation: {file}", file=best))
    return 0


def _match(line: dict[str, Any]) -> str:
    if line["elo"] is None:
        return "against {old}: {wins} won, {draws} drawn, {losses} lost"
    return "against {old}: {wins} won, {draws} drawn, {losses} lost, {elo:+.0f} Elo"


def _fit(line: dict[str, Any]) -> str:
    if line.get("model", "patterns") == "patterns":
        return "patterns fitted, squared error {held_out:.1f} held out"
    return "networks fitted, squared error {held_out:.1f} held out"


WORDS: dict[str, Callable[[dict[str, Any]], str]] = {
    "data": lambda _: "{games:,} games, {positions:,} positions ({source})",
    "fit": _fit,
    "parity": lambda _: "trainer and core agree on {positions:,} positions",
    "probcut": lambda _: "forward pruning measured on {positions:,} positions",
    "match": _match,
    "chances": lambda _: "chances: calibration error {error:.4f} of {estimates:,} estimates",
    "weights": lambda line: "what is new replaces the old" if line["accepted"] else "the old stays",
}
"""How events are told; their values stand in the event."""


@app.command()
def report(
    run: Annotated[
        Path | None, typer.Option(metavar="DIR", help="The folder of a run; that of the built-in weights unless given.")
    ] = None,
    out: Annotated[Path | None, typer.Option(metavar="DIR", help="Write a page with figures and tables there.")] = None,
    card: Annotated[Path | None, typer.Option(metavar="FILE", help="Write the model card to this file.")] = None,
    json: JsonOption = False,
) -> None:
    """Tell what weights were learnt from and how well they do: the model card, and a page with figures."""
    from othellier.learn.archive import Archive, shipped_archive
    from othellier.learn.card import card_table, make_card, shipped_card, write_card

    if run is None:
        archive, known = shipped_archive(), shipped_card()
    else:
        archive = Archive.read(run)
        known = make_card(archive, run / "best")
    if card is not None:
        write_card(known, card)
    page = None if out is None else _page(archive, known, out)
    if json:
        json_line(known)
        return
    rows = card_table(known, say)[1:]
    width = max(len(name) for name, _ in rows)
    echo("\n".join(f"{name:{width}}  {words}" for name, words in rows))
    if page is not None:
        echo(f"{page}")


def _page(archive: Archive, card: dict[str, Any], out: Path) -> Path:
    """Written with figures, or without them, with a word why, where nothing can draw."""
    from othellier.learn.report import figures, write_report

    try:
        drawn = figures(archive)
    except MissingExtra as error:
        echo(say("no figures: {error}", error=error), err=True)
        drawn = {}
    return write_report(archive, card, out, drawn)


@app.command()
def ship(
    run: Annotated[Path, typer.Argument(metavar="DIR", help="The folder of a run that is over.")],
    into: Annotated[
        Path | None, typer.Option(metavar="DIR", help="The package to put it into; the one that runs unless given.")
    ] = None,
    json: JsonOption = False,
) -> None:
    """Put what a run has made into the package: weights, networks, chances, card, log, manifest, documents' numbers."""
    from othellier.learn.manifest import package
    from othellier.learn.ship import ship as put

    names = put(run, into or package())
    if json:
        json_line({"files": names})
    else:
        echo("\n".join(names))


@app.command()
def manifest(
    file: Annotated[
        str | None, typer.Argument(metavar="FILE", help="Say of this file of the package how it was made.")
    ] = None,
    command: Annotated[str, typer.Option(metavar="TEXT", help="The command that made it.")] = "",
    revision: Annotated[str, typer.Option(metavar="REV", help="The revision of the source that made it.")] = "",
    made_from: Annotated[
        list[Path] | None, typer.Option("--from", metavar="FILE", help="What went into it; may be given again.")
    ] = None,
    belongs_to: Annotated[
        list[str] | None, typer.Option("--for", metavar="FILE", help="A file of the package it goes with; again.")
    ] = None,
    into: Annotated[
        Path | None, typer.Option(metavar="DIR", help="The package; the one that runs unless given.")
    ] = None,
    json: JsonOption = False,
) -> int:
    """See that the package's data files belong together, or say of one how it was made."""
    from othellier.learn import manifest as known
    from othellier.learn.evaluation import digest

    root = into or known.package()
    if file is not None:
        if not command or not (root / file).is_file():
            raise ConfigError(f"{file}: a file of the package and the --command that made it are needed")
        inputs = {path.name: digest(path) for path in made_from or []}
        entries = known.read_manifest(root) if (root / known.MANIFEST).exists() else {}
        others = tuple(belongs_to or ())
        entries[file] = known.entry(root, file, command=command, revision=revision, made_from=inputs, belongs_to=others)
        known.write_manifest(root, entries)
    wrong = known.check(root)
    if json:
        json_line({"wrong": wrong})
    else:
        echo("\n".join(wrong) or say("all files are those of the manifest and belong together"))
    return 1 if wrong else 0


@app.command()
def export(
    out: Annotated[Path, typer.Argument(metavar="OUT", help="OUT.npz for NumPy tables, else a weights file.")],
    weights: Annotated[
        Path | None, typer.Option(metavar="FILE", help="A weights file or .npz; the built-in ones unless given.")
    ] = None,
    json: JsonOption = False,
) -> None:
    """Write weights as plain tables (.npz) for other programs, or such tables as weights for this one."""
    from othellier.evaluation.weights import shipped_weights
    from othellier.learn.tables import export as write

    if weights is None:
        with shipped_weights() as path:
            write(path, out)
    else:
        write(weights, out)
    if json:
        json_line({"file": str(out), "bytes": out.stat().st_size})
    else:
        echo(say("{out}, {size:,} bytes", out=out, size=out.stat().st_size))


@app.command()
def probcut(
    games: ShardsArgument,
    sample: Annotated[int, typer.Option(min=1, metavar="N", help="Positions to search, drawn from the games.")] = 8000,
    deepest: Annotated[int, typer.Option(min=4, max=16, metavar="D", help="Search them to every depth up to D.")] = 10,
    solve: Annotated[int, typer.Option(min=1, max=24, metavar="N", help="Solve those with at most N empties.")] = 20,
    threads: ThreadsOption = None,
    weights: WeightsOption = None,
    networks: Annotated[Path | None, typer.Option(metavar="FILE", help="Networks that go with them.")] = None,
    out: Annotated[Path | None, typer.Option(metavar="FILE", help="Write the numbers for engine:probcut=FILE.")] = None,
    json: JsonOption = False,
) -> None:
    """Measure how far shallow searches are from deep ones, and fit the numbers of forward pruning to it."""
    from othellier.engine.engine import default_threads
    from othellier.learn import probcut as model
    from othellier.learn.shards import load

    with progress("searching", sample) as step:
        found, positions = model.measure(
            load(games),
            weights=weights,
            networks=networks,
            sample=sample,
            deepest=deepest,
            solve=solve,
            threads=threads or default_threads(),
            progress=step,
        )
    if out is not None:
        found.write(out)
    if json:
        json_line({"positions": positions, "midgame": found.midgame, "endgame": found.endgame})
    else:
        echo(say("{positions:,} positions, every depth up to {deepest}", positions=positions, deepest=deepest))
        for name, numbers in (("estimates", found.midgame), ("exact scores", found.endgame)):
            echo(f"{say(name)}: {', '.join(f'{number:.4g}' for number in numbers)}")
