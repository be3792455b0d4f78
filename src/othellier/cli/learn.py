"""Learning on the command line: self-play, completion of databases, fitting.

Further commands of the group have files of their own, each with a `typer.Typer` named `app` and an entry in PARTS.
"""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from othellier.cli import classify, networks, training
from othellier.cli.learn_options import (
    BatchOption,
    BlendOption,
    DatabaseOption,
    ExcludeOption,
    HeldOutOption,
    OrderOption,
    ShardsArgument,
    ThreadsOption,
    WeightsOption,
)
from othellier.errors import ConfigError, extra
from othellier.messages.language import say
from othellier.terminal.output import InterruptedCommand, JsonOption, echo, json_line, progress

app = typer.Typer()
_learn = typer.Typer(help="Learn from games: the evaluation, networks, chances of winning.", no_args_is_help=True)
app.add_typer(_learn, name="learn")

PARTS = (training, networks, classify)
for part in PARTS:
    _learn.add_typer(part.app)


@_learn.command()
def selfplay(
    out: Annotated[Path, typer.Option(metavar="DIR", help="Folder for the shards.")],
    games: Annotated[int, typer.Option(min=1, metavar="N", help="How many games in all.")] = 100_000,
    shard: Annotated[
        int, typer.Option(min=1, metavar="N", help="Games in a file; an interruption loses one file at most.")
    ] = 1000,
    depth: Annotated[int, typer.Option(min=1, max=20, metavar="D", help="Plies of search in the middle game.")] = 5,
    alternate: Annotated[
        bool, typer.Option("--alternate", help="Every second game one ply deeper: both parities.")
    ] = False,
    confidence: Annotated[
        int, typer.Option(min=1, max=100, metavar="PERCENT", help="How sure these searches prune; 100: not at all.")
    ] = 100,
    solve: Annotated[int, typer.Option(min=1, max=30, metavar="N", help="Perfect play from N empty squares.")] = 14,
    openings: Annotated[
        str, typer.Option(metavar="KIND", help="random; short: all of --plies moves up to symmetry; or balanced.")
    ] = "random",
    plies: Annotated[int, typer.Option(min=0, max=9, metavar="N", help="Moves of short openings.")] = 7,
    random: Annotated[str, typer.Option(metavar="MIN,MAX", help="So many random moves follow.")] = "6,26",
    exploration: Annotated[
        int, typer.Option(min=0, max=100, metavar="PERCENT", help="Random moves after that: errors to learn from.")
    ] = 0,
    seed: Annotated[int, typer.Option(min=0, max=(1 << 32) - 1, metavar="K", help="Other games for another.")] = 0,
    threads: ThreadsOption = None,
    executor: Annotated[
        str, typer.Option(metavar="WHERE", help="here (threads), processes, dask or dask://HOST:PORT.")
    ] = "here",
    weights: WeightsOption = None,
    networks: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Networks to value leaves by; the weights do unless given.")
    ] = None,
    json: JsonOption = False,
) -> int:
    """Play games of the engine against itself; run it again to go on where it was interrupted."""
    from othellier.config.models import SelfplayConfig, parse
    from othellier.engine.engine import default_threads
    from othellier.learn import shards

    low, comma, high = random.partition(",")
    if not (low.strip().isdigit() and (high if comma else low).strip().isdigit()):
        raise ConfigError(f"--random {random}: two numbers such as 6,26 expected")
    options = {"games": games, "shard": shard, "depth": depth, "solve": solve, "openings": openings, "plies": plies}
    options |= {
        "alternate": alternate,
        "confidence": confidence,
        "random_min": int(low),
        "random_max": int(high if comma else low),
        "exploration": exploration,
    }
    config = parse(options, SelfplayConfig, "selfplay")
    try:
        with progress("playing", games) as step:
            played = shards.play(
                out,
                config,
                seed=seed,
                weights=weights,
                networks=networks,
                threads=threads or default_threads(),
                executor=executor,
                progress=step,
            )
    except KeyboardInterrupt:
        raise InterruptedCommand("interrupted; run it again to go on") from None
    rate = round(played.rate, 1)
    if json:
        report = {"games": played.games, "shards": len(played.paths), "seconds": round(played.seconds, 3)}
        json_line(report | {"games_per_second": rate})
    else:
        words = "{games:,} games in {seconds:.1f} s, {rate} games/s, in {out}"
        echo(say(words, games=played.games, seconds=played.seconds, rate=rate, out=out))
    return 0


@_learn.command()
def complete(
    database: Annotated[
        list[Path], typer.Argument(metavar="RECORD…", help="Files of games in any format, or folders of them.")
    ],
    out: Annotated[Path, typer.Option(metavar="FILE", help="The shard to write.")],
    exclude: ExcludeOption = None,
    solve: Annotated[int, typer.Option(min=1, max=24, metavar="N", help="Perfect play from N empty squares.")] = 16,
    threads: ThreadsOption = None,
    json: JsonOption = False,
) -> None:
    """Play recorded games on perfectly from near their end, so that their results can be trusted."""
    from othellier.base.files import read_file
    from othellier.engine.engine import default_threads
    from othellier.learn import games as made
    from othellier.learn.sources import collect, files

    paths = files(database)
    listed = [] if exclude is None else read_file(exclude).decode("utf-8", "replace").splitlines()
    with progress("reading", len(paths)) as step:
        found = collect(paths, listed, step)
    with progress("completing", len(found.moves)) as step:
        games = made.complete(found.moves, solve_empties=solve, threads=threads or default_threads(), progress=step)
    made.save(games, out)
    if json:
        facts = {"left_out": found.listed, "unusable": found.unusable, "doubles": found.doubles}
        json_line({"games": len(games), **facts})
    else:
        words = "{games:,} games in {out}; left out: {listed:,} as listed, {unusable:,} unusable, {doubles:,} double"
        counts = {"listed": found.listed, "unusable": found.unusable, "doubles": found.doubles}
        echo(say(words, games=len(games), out=out, **counts))


@_learn.command()
def fit(
    games: ShardsArgument,
    out: Annotated[Path, typer.Option(metavar="FILE", help="The weights file to write.")],
    database: DatabaseOption = None,
    epochs: Annotated[int, typer.Option(min=1, metavar="N", help="Times through the data.")] = 12,
    phases: Annotated[int, typer.Option(min=1, max=60, metavar="N", help="Tables by phase of the game.")] = 30,
    batch: BatchOption = 1 << 16,
    rate: Annotated[float, typer.Option(metavar="R", help="The highest learning rate.")] = 0.05,
    blend: BlendOption = 0.5,
    held_out: HeldOutOption = 50,
    seed: OrderOption = 0,
    device: Annotated[
        str, typer.Option(metavar="WHERE", help="cpu, cuda, or auto: a GPU where there is one.")
    ] = "auto",
    json: JsonOption = False,
) -> None:
    """Fit the pattern evaluation to games and write its weights, checked against the core."""
    from othellier.config.models import DatabaseConfig, FitConfig, parse

    with extra("learn", "fitting"):
        from othellier.learn.train import train
    from othellier.learn import shards

    options = {"epochs": epochs, "phases": phases, "batch": batch, "rate": rate, "blend": blend}
    config = parse(options | {"held_out": held_out, "device": device}, FitConfig, "fit")
    sets = [(shards.load(games), 1.0)]
    if database:
        sets.append((shards.load(database), DatabaseConfig().weight))
    with progress("fitting", epochs) as step:
        events = train(sets, config, seed, out, step)
    for line in events:
        if json:
            json_line(line)
        elif line["event"] == "fit":
            words = "{out}: squared error {held_out:.1f} held out, {training:.1f} in training"
            echo(say(words, out=out, held_out=line["held_out"], training=line["training"]))
