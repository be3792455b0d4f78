"""The commands by which other programs use a player of ours."""

from __future__ import annotations

import sys
from typing import Annotated

import typer

app = typer.Typer()

LEVEL_PLAYER = "engine:level=expert"
DEPTH_PLAYER = "engine:depth=60"  # as deep as the other program says: GUIs for NBoard always say
PlayerOption = Annotated[str, typer.Option(metavar="PLAYER", help="The player to ask; see `othellier players`.")]


@app.command()
def gtp(player: PlayerOption = LEVEL_PLAYER) -> None:
    """Serve a player to GoGui and others, over GTP version 2 on standard input and output."""
    from othellier.players import create_player
    from othellier.protocols import GtpServer, serve, writer

    serve(GtpServer(create_player(player)), sys.stdin, writer(sys.stdout))


@app.command()
def nboard(player: PlayerOption = DEPTH_PLAYER) -> None:
    """Serve a player to NBoard and others, over the NBoard protocol version 2 on standard input and output."""
    from othellier.players import create_player
    from othellier.protocols import NBoardServer, serve, writer

    write = writer(sys.stdout)
    serve(NBoardServer(create_player(player), write), sys.stdin, write)
