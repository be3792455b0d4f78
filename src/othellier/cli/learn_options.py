"""Options that several commands of `othellier learn` have in common."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

ShardsArgument = Annotated[list[Path], typer.Argument(metavar="SHARD…", help="Shards of self-play.")]
DatabaseOption = Annotated[list[Path] | None, typer.Option(metavar="SHARD", help="Completed games, weighted less.")]
ExcludeOption = Annotated[Path | None, typer.Option(metavar="FILE", help="Games to leave out, FILE RECORD a line.")]
WeightsOption = Annotated[Path | None, typer.Option(metavar="FILE", help="Weights other than the built-in ones.")]
NetworksOption = Annotated[Path | None, typer.Option(metavar="FILE", help="Networks other than the built-in ones.")]
ThreadsOption = Annotated[int | None, typer.Option(min=1, metavar="N", help="Threads; all cores unless given.")]
BatchOption = Annotated[int, typer.Option(min=1, metavar="N", help="Positions a step.")]
BlendOption = Annotated[float, typer.Option(min=0, max=1, metavar="B", help="Share of search values in labels.")]
HeldOutOption = Annotated[int, typer.Option(min=2, metavar="N", help="Keep one game in N for measuring.")]
OrderOption = Annotated[int, typer.Option(min=0, max=(1 << 31) - 1, metavar="K", help="For the order of the data.")]
