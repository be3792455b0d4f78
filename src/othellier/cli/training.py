"""Commands of a whole training: the run that makes weights, what is known of them, other forms of them."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Annotated, Any

import typer

from othellier.cli.common import JsonOption, json_line, needs_torch, progress

__all__ = ["app", "export", "run"]

app = typer.Typer()


@app.command()
def run(
    config: Annotated[Path, typer.Argument(metavar="CONFIG", help="A configuration, see docs/configuration.md.")],
    out: Annotated[Path, typer.Option(metavar="DIR", help="Where the run is kept, or goes on.")],
    json: JsonOption = False,
) -> int:
    """Play, fit and compare in rounds, keeping new weights when they win; run it again to go on."""
    from othellier.config import LearnConfig, load

    with needs_torch("learning"):
        from othellier.learn.run import Run

    def told(line: dict[str, Any]) -> None:
        words = WORDS.get(line["event"])
        if json:
            json_line(line)
        elif words is not None:
            typer.echo(f"round {line['round']}: {words(line)}")

    try:
        best = Run(load(config, LearnConfig), out, progress, told).go()
    except KeyboardInterrupt:
        typer.echo("interrupted; run it again to go on", err=True)
        return 130
    if not json:
        typer.echo(f"the best weights: {best}")
    return 0


def _match(line: dict[str, Any]) -> str:
    elo = "" if line["elo"] is None else f", {line['elo']:+.0f} Elo"
    return f"against {line['old']}: {line['wins']} won, {line['draws']} drawn, {line['losses']} lost{elo}"


WORDS: dict[str, Callable[[dict[str, Any]], str]] = {
    "data": lambda line: f"{line['games']:,} games, {line['positions']:,} positions ({line['source']})",
    "fit": lambda line: f"squared error {line['held_out']:.1f} held out, {line['training']:.1f} in training",
    "parity": lambda line: f"trainer and core agree on {line['positions']:,} positions",
    "match": _match,
    "weights": lambda line: "the new weights replace the old" if line["accepted"] else "the old weights stay",
}
"""How events are told."""


@app.command()
def export(
    out: Annotated[Path, typer.Argument(metavar="OUT", help="OUT.npz for NumPy tables, else a weights file.")],
    weights: Annotated[
        Path | None, typer.Option(metavar="FILE", help="A weights file or .npz; the built-in ones unless given.")
    ] = None,
    json: JsonOption = False,
) -> None:
    """Write weights as plain tables (.npz) for other programs, or such tables as weights for this one."""
    from othellier.learn.tables import export as write
    from othellier.weights import shipped_weights

    if weights is None:
        with shipped_weights() as path:
            write(path, out)
    else:
        write(weights, out)
    if json:
        json_line({"file": str(out), "bytes": out.stat().st_size})
    else:
        typer.echo(f"{out}, {out.stat().st_size:,} bytes")
