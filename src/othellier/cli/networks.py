"""The command that fits the networks on patterns."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

import typer

from othellier.cli.learn_options import (
    BatchOption,
    BlendOption,
    DatabaseOption,
    HeldOutOption,
    NetworksOption,
    OrderOption,
    ShardsArgument,
    ThreadsOption,
    WeightsOption,
)
from othellier.errors import extra
from othellier.messages.language import say
from othellier.terminal.output import JsonOption, echo, json_line, progress

app = typer.Typer()

PHASES = (("opening", 41, 60), ("middle", 21, 40), ("end", 1, 20))
"""Parts of the game by empty squares, for the summary."""


@app.command()
def network(
    games: ShardsArgument,
    out: Annotated[Path, typer.Option(metavar="FILE", help="The file of networks to write.")],
    database: DatabaseOption = None,
    exploring: Annotated[
        list[Path] | None, typer.Option(metavar="SHARD", help="Games with random moves, for the value's first epochs.")
    ] = None,
    epochs: Annotated[int, typer.Option(min=1, metavar="N", help="Times through the data, for the value.")] = 18,
    tune_epochs: Annotated[
        int, typer.Option(min=1, metavar="N", help="Then without the games with random moves.")
    ] = 13,
    policy_epochs: Annotated[int, typer.Option(min=1, metavar="N", help="The same for the policy.")] = 2,
    batch: BatchOption = 1 << 15,
    rate: Annotated[float, typer.Option(metavar="R", help="The highest learning rate, for the value.")] = 0.002,
    tune_rate: Annotated[
        float, typer.Option(metavar="R", help="The same without the games with random moves.")
    ] = 0.0008,
    policy_rate: Annotated[float, typer.Option(metavar="R", help="The same for the policy.")] = 0.015,
    start: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Networks whose value network to begin with.")
    ] = None,
    policy_of: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Take the policy of these networks instead of fitting one.")
    ] = None,
    suite: Annotated[
        list[Path] | None, typer.Option(metavar="OBF", help="Leave out all games through these positions.")
    ] = None,
    blend: BlendOption = 0.7,
    book_weight: Annotated[
        float, typer.Option(min=0, metavar="W", help="Weight of the shipped book's positions.")
    ] = 8.0,
    held_out: HeldOutOption = 50,
    seed: OrderOption = 0,
    json: JsonOption = False,
) -> None:
    """Fit the value and the policy network to games and write them, checked against the core."""
    with extra("learn", "fitting"):
        from othellier.learn.network_fit import NetworkOptions, fit_networks
    from othellier.config.models import DatabaseConfig
    from othellier.evaluation.network import Networks
    from othellier.learn import shards
    from othellier.learn.sources import without

    tested = suite or []
    sets = [(without(shards.load(games), tested), 1.0)]
    if database:
        sets.append((without(shards.load(database), tested), DatabaseConfig().weight))
    options = NetworkOptions(
        epochs,
        tune_epochs,
        policy_epochs,
        batch,
        rate,
        tune_rate,
        policy_rate,
        blend=blend,
        book_weight=book_weight,
        held_out=held_out,
        seed=seed,
    )
    explored = without(shards.load(exploring), tested) if exploring else None
    first, lent = (Networks.read(path) if path else None for path in (start, policy_of))
    steps = epochs + (0 if lent else policy_epochs) + (tune_epochs if exploring else 0)
    with progress("fitting", steps) as step:

        def told(network: str, epoch: int, loss: float) -> None:
            step(1)
            if json:
                json_line({"event": "epoch", "network": network, "epoch": epoch + 1, "held_out": round(loss, 4)})

        networks, measures = fit_networks(sets, options, told, explored, start=first, policy_of=lent)
    networks.write(out)
    if json:
        json_line({"event": "measures", **measures._asdict()})
        return
    words = "{out}: trainer and core agree on {count:,} positions of games held out"
    echo(say(words, out=out, count=measures.compared))
    for name, low, high in PHASES:
        rows = range(low, high + 1)
        error, right = (_mean(measures.counts, by, rows) for by in (measures.value_error, measures.policy_accuracy))
        even, odd = (
            _mean(measures.counts, measures.value_bias, [row for row in rows if row % 2 == parity]) for parity in (0, 1)
        )
        words = "{phase}: value off by {error:.2f} discs, {right:.1%} of the moves played foreseen;"
        echo(say(words, phase=say(name), error=error, right=right))
        words = "  on average {even:+.2f} at even numbers of empty squares, {odd:+.2f} at odd ones"
        echo(say(words, even=even, odd=odd))


@app.command()
def bias(
    games: Annotated[list[Path], typer.Argument(metavar="SHARD…", help="Games to take positions from.")],
    networks: NetworksOption = None,
    weights: WeightsOption = None,
    sample: Annotated[int, typer.Option(min=1, metavar="N", help="Positions to search.")] = 1000,
    deepest: Annotated[int, typer.Option(min=1, max=16, metavar="D", help="Search to every depth up to D.")] = 8,
    solve: Annotated[int, typer.Option(min=2, max=24, metavar="N", help="With at most N empty squares.")] = 18,
    threads: ThreadsOption = None,
    json: JsonOption = False,
) -> None:
    """Measure how far searches of each depth are from exact scores: whether either parity is off."""
    from othellier.engine.engine import default_threads
    from othellier.learn import shards
    from othellier.learn.measure import search_errors

    given = shards.load(games)
    with progress("searching", sample) as step:
        lines = search_errors(
            given,
            weights=weights,
            networks=networks,
            sample=sample,
            deepest=deepest,
            solve=solve,
            threads=threads or default_threads(),
            progress=step,
        )
    for line in lines:
        if json:
            json_line(line)
        else:
            even = "depth {depth:2}, even number of empty squares: {bias:+.2f} on average, off by {mae:.2f} discs"
            odd = "depth {depth:2}, odd number of empty squares: {bias:+.2f} on average, off by {mae:.2f} discs"
            echo(say(even if line["parity"] == "even" else odd, **line))


def _mean(counts: list[int], numbers: list[float], rows: Sequence[int]) -> float:
    """Of all positions with so many empty squares."""
    return sum(counts[row] * numbers[row] for row in rows) / max(sum(counts[row] for row in rows), 1)
