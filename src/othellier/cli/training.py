"""Commands around the making of weights: what they are, and in other forms."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from othellier.cli.common import JsonOption, json_line

__all__ = ["app", "export"]

app = typer.Typer()


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
