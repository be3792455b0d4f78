"""Commands about the program itself: what it is, who can play, how fast and right its rules are."""

from __future__ import annotations

import platform
import time
from typing import Annotated

import typer

from othellier.errors import ConfigError
from othellier.messages.language import say
from othellier.rules.geometry import STANDARD
from othellier.terminal.output import JsonOption, SizeOption, echo, json_line, progress

app = typer.Typer()

PARTED = 8
"""Plies from which a count takes long enough to show how far it is."""


def version_line() -> str:
    """Which Othellier this is, in one line: `othellier 1.0.0 (d3bc13b)`."""
    from importlib import metadata

    from othellier.base.builds import revision

    name = revision()
    return f"othellier {metadata.version('othellier')}" + (f" ({name})" if name else "")


@app.command()
def version(json: JsonOption = False) -> None:
    """Say which Othellier, which compiled core and which Python this is."""
    from importlib import metadata

    from othellier.base.builds import revision
    from othellier.rules import native

    facts = {
        "version": metadata.version("othellier"),
        "revision": revision(),
        "core": native.variant if native.available else None,
        "python": platform.python_version(),
    }
    if json:
        json_line(facts)
    else:
        missing = "missing: the plain Python rules take its place; install a C++20 compiler, then Othellier again"
        core = facts["core"] or say(missing if native.variant == "none" else "none, as asked")
        echo(f"{version_line()}\n{say('core'):<9} {core}\npython    {facts['python']}")


@app.command()
def players(
    name: Annotated[str | None, typer.Argument(metavar="[NAME]", help="The player whose options to list.")] = None,
    json: JsonOption = False,
) -> None:
    """List the players there are, or the options of one."""
    from othellier.config.models import OPTIONS
    from othellier.players import registered

    chosen = [player for player in registered() if name in (None, player.name)]
    if not chosen:
        raise ConfigError(f"there is no player {name!r}, see othellier players")
    for player in chosen:
        options = player.options.values()
        if json:
            defaults = {option.name: None if option.required else option.default for option in options}
            json_line({"name": player.name, "summary": player.summary, "options": defaults})
            continue
        argument = f":{player.argument.upper()}" if player.argument else ""
        echo(f"{player.name + argument:<16} {say(player.summary)}")
        for option in options if name is not None else ():
            default = say(" ({default} unless given)", default=option.default_text) if option.default_text else ""
            meaning = say("; {meaning}", meaning=say(OPTIONS[option.name])) if option.name in OPTIONS else ""
            echo(f"  {option.name + '=':<14} {say(option.expected)}{default}{meaning}")


@app.command()
def perft(
    depth: Annotated[int, typer.Option(min=0, metavar="N", help="Plies to look ahead.")],
    size: SizeOption = STANDARD,
    python: Annotated[bool, typer.Option("--python", help="Count with the plain Python rules.")] = False,
    json: JsonOption = False,
) -> None:
    """Count the leaves of the game tree from the start; a pass costs one ply, a finished game is one leaf."""
    from othellier.reference import Position
    from othellier.rules import native

    start = Position.start(size) if python else native.start(size)
    # By pairs of moves, so that one sees how far it is.
    twice = [first.play(move) for first in map(start.play, start.moves()) for move in first.moves()]
    parts = [start] if depth < PARTED else twice
    with progress(say("counting {depth} plies on {size}", depth=depth, size=size), len(parts)) as step:
        begin = time.perf_counter()
        leaves = 0
        for part in parts:
            leaves += part.perft(depth - (2 if depth >= PARTED else 0))
            step(1)
        seconds = time.perf_counter() - begin
    if json:
        json_line({"size": str(size), "depth": depth, "leaves": leaves, "seconds": round(seconds, 6)})
    else:
        words = "{leaves:,} leaves at depth {depth} on {size}, {seconds:.3f} s, {rate:,.1f} M/s"
        echo(say(words, leaves=leaves, depth=depth, size=size, seconds=seconds, rate=leaves / seconds / 1e6))
