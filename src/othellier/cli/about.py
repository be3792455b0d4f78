"""Commands about the program itself: what it is, who can play, how fast and right its rules are."""

from __future__ import annotations

import platform
import time
from typing import Annotated

import typer

from othellier.cli.common import JsonOption, SizeOption, json_line, progress
from othellier.geometry import STANDARD

__all__ = ["app", "perft", "players", "version"]

app = typer.Typer()


@app.command()
def version(json: JsonOption = False) -> None:
    """Say which Othellier, which compiled core and which Python this is."""
    from importlib import metadata

    from othellier import native

    facts = {
        "version": metadata.version("othellier"),
        "core": native.variant if native.available else None,
        "python": platform.python_version(),
    }
    if json:
        json_line(facts)
    else:
        core = facts["core"] or "missing: the plain Python rules take its place"
        typer.echo(f"othellier {facts['version']}\ncore      {core}\npython    {facts['python']}")


@app.command()
def players(json: JsonOption = False) -> None:
    """List the players there are, with their options."""
    from othellier.players import registered

    for player in registered():
        if json:
            options = {option.name: None if option.required else option.default for option in player.options.values()}
            json_line({"name": player.name, "summary": player.summary, "options": options})
            continue
        typer.echo(f"{player.name:<10} {player.summary}")
        for option in player.options.values():
            default = "" if option.required or option.default is None else f" ({option.default} unless given)"
            typer.echo(f"{'':<10}   {option.name}= {option.expected}{default}")


@app.command()
def perft(
    depth: Annotated[int, typer.Option(min=0, metavar="N", help="Plies to look ahead.")],
    size: SizeOption = STANDARD,
    python: Annotated[bool, typer.Option("--python", help="Count with the plain Python rules.")] = False,
    json: JsonOption = False,
) -> None:
    """Count the leaves of the game tree from the start; a pass costs one ply, a finished game is one leaf."""
    from othellier import native
    from othellier.board import Position

    start = Position.start(size) if python else native.start(size)
    with progress(f"counting {depth} plies on {size}"):
        begin = time.perf_counter()
        leaves = start.perft(depth)
        seconds = time.perf_counter() - begin
    if json:
        json_line({"size": str(size), "depth": depth, "leaves": leaves, "seconds": round(seconds, 6)})
    else:
        typer.echo(f"{leaves:,} leaves at depth {depth} on {size}, {seconds:.3f} s, {leaves / seconds / 1e6:,.1f} M/s")
