"""Learning on the command line: self-play, completion of databases, fitting."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from othellier.cli import training
from othellier.cli.common import JsonOption, json_line, progress
from othellier.errors import ConfigError, MissingExtra

__all__ = ["app", "complete", "fit", "selfplay"]

app = typer.Typer()
_learn = typer.Typer(help="Make the evaluation's weights: games, then a fit.", no_args_is_help=True)
app.add_typer(_learn, name="learn")

PARTS = (training,)
for part in PARTS:
    _learn.add_typer(part.app)

_Threads = Annotated[int | None, typer.Option(metavar="N", help="Threads; all cores unless given.")]


@_learn.command()
def selfplay(
    out: Annotated[Path, typer.Option(metavar="DIR", help="Folder for the shards.")],
    games: Annotated[int, typer.Option(min=1, metavar="N", help="How many games in all.")] = 100_000,
    shard: Annotated[int, typer.Option(min=1, metavar="N", help="Games a file.")] = 10_000,
    depth: Annotated[int, typer.Option(min=1, max=20, metavar="D", help="Plies of search in the middle game.")] = 5,
    solve: Annotated[int, typer.Option(min=1, max=30, metavar="N", help="Perfect play from N empty squares.")] = 14,
    seed: Annotated[int, typer.Option(min=0, metavar="K", help="The first game's number.")] = 0,
    threads: _Threads = None,
    weights: Annotated[str | None, typer.Option(metavar="FILE", help="Weights other than the built-in ones.")] = None,
    json: JsonOption = False,
) -> None:
    """Play games of the engine against itself; run it again to go on where it was interrupted."""
    import time

    from othellier.engine import default_threads, shared_weights
    from othellier.learn import games as made

    out.mkdir(parents=True, exist_ok=True)
    begin, played = time.perf_counter(), 0
    with progress("playing", games) as step:
        for first in range(0, games, shard):
            path = out / f"games-{seed + first:010d}.bin"
            count = min(shard, games - first)
            if path.exists():
                step(count)
                continue
            batch = made.selfplay(
                shared_weights(weights),
                count,
                seed=seed + first,
                depth=depth,
                solve_empties=solve,
                threads=threads or default_threads(),
                progress=step,
            )
            made.save(batch, path)
            played += count
    seconds = time.perf_counter() - begin
    report = {"games": played, "seconds": round(seconds, 3), "games_per_second": round(played / seconds, 1)}
    if json:
        json_line(report)
    else:
        typer.echo(f"{played:,} games in {seconds:.1f} s, {report['games_per_second']} games/s, in {out}")


@_learn.command()
def complete(
    database: Annotated[list[str], typer.Argument(metavar="WTHOR…", help="Files or folders of WTHOR games.")],
    out: Annotated[Path, typer.Option(metavar="FILE", help="The shard to write.")],
    exclude: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Games to leave out, FILE RECORD a line.")
    ] = None,
    solve: Annotated[int, typer.Option(min=1, max=24, metavar="N", help="Perfect play from N empty squares.")] = 16,
    threads: _Threads = None,
    json: JsonOption = False,
) -> None:
    """Play recorded games on perfectly from near their end, so that their results can be trusted."""
    import numpy as np

    from othellier.engine import default_threads
    from othellier.learn import games as made
    from othellier.records import database as records

    paths = [
        path
        for name in database
        for path in (sorted(Path(name).glob("*.wtb")) if Path(name).is_dir() else [Path(name)])
    ]
    if not paths:
        raise ConfigError(f"no .wtb files in {', '.join(database)}")
    listed = exclude.read_text().splitlines() if exclude is not None else []
    kept, left_out = [], 0
    for path in paths:
        squares = records.load(path).games["moves"]
        keep = made.unlisted(path.name, len(squares), listed)
        left_out += int((~keep).sum())
        kept.append(squares[keep])
    moves = np.unique(np.concatenate(kept), axis=0)
    with progress("completing", len(moves)) as step:
        games = made.complete(moves, solve_empties=solve, threads=threads or default_threads(), progress=step)
    made.save(games, out)
    if json:
        json_line({"games": len(games), "left_out": left_out})
    else:
        typer.echo(f"{len(games):,} games in {out}, {left_out:,} left out as listed")


@_learn.command()
def fit(
    games: Annotated[list[Path], typer.Argument(metavar="SHARD…", help="Shards of self-play.")],
    out: Annotated[Path, typer.Option(metavar="FILE", help="The weights file to write.")],
    database: Annotated[
        list[Path] | None, typer.Option(metavar="SHARD", help="Completed games, weighted less.")
    ] = None,
    epochs: Annotated[int, typer.Option(min=1, metavar="N", help="Times through the data.")] = 22,
    phases: Annotated[int, typer.Option(min=1, max=60, metavar="N", help="Tables by phase of the game.")] = 30,
    json: JsonOption = False,
) -> None:
    """Fit the pattern evaluation to games and write its weights; on a GPU where there is one."""
    try:
        from othellier.learn.fit import FitOptions
        from othellier.learn.fit import fit as fit_model
    except ModuleNotFoundError as error:
        if error.name != "torch":
            raise
        raise MissingExtra("fitting", "learn") from None
    from othellier.learn import games as made
    from othellier.weights import write_payload

    unit, database_weight = 128, 0.3
    sets = [(made.load(games), 1.0)]
    if database:
        sets.append((made.load(database), database_weight))
    curve: list[tuple[float, float]] = []
    with progress("fitting", epochs) as step:

        def after(_: int, training: float, held_out: float) -> None:
            curve.append((training, held_out))
            step(1)

        model = fit_model(sets, FitOptions(epochs=epochs, phases=phases), after)
    write_payload(out, model.geometry.payload(model.quantised(unit), unit))
    report = {"held_out_mse": curve[-1][1], "training_mse": curve[-1][0], "curve": curve}
    if json:
        json_line(report)
    else:
        typer.echo(f"{out}: mean squared error {curve[-1][1]:.1f} held out, {curve[-1][0]:.1f} in training")
