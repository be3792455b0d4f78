"""The command that starts a game."""

from __future__ import annotations

from contextlib import ExitStack
from datetime import UTC, datetime
from typing import Annotated

import typer

from othellier.cli.common import SizeOption, board_style
from othellier.geometry import STANDARD

__all__ = ["app", "play"]

app = typer.Typer()

HUMAN = "human"
# Of four evaluators tried at this depth, each in the same 20 games against random: mixed won by most (20 won,
# 47.6 discs on average; mobility 40.6, absolute 35.4 with 18 won, positional 25.7).
OPPONENT = "alphabeta:depth=4,eval=mixed"
PAGE_IS_MISSING = "The page is not there yet: the game starts in the terminal."


@app.command()
def play(
    terminal: Annotated[bool, typer.Option("--terminal", help="Play in the terminal.")] = False,
    black: Annotated[str, typer.Option(metavar="PLAYER", help="Who plays black; see `othellier players`.")] = HUMAN,
    white: Annotated[str, typer.Option(metavar="PLAYER", help="Who plays white.")] = OPPONENT,
    size: SizeOption = STANDARD,
    load: Annotated[
        str | None, typer.Option(metavar="RECORD", help="Go on with a game or position: a file, or its text.")
    ] = None,
) -> None:
    """Play a game: two people, a person and a player, or two players."""
    from othellier import records
    from othellier.cli.terminal import Terminal, TerminalGame
    from othellier.game import Game
    from othellier.players import create_player

    if not terminal:
        typer.echo(PAGE_IS_MISSING)
    if load is None:
        game = Game(size)
    else:
        game = records.read(load)[0]
        game.goto(-1)
    game.headers.black = game.headers.black or black
    game.headers.white = game.headers.white or white
    game.headers.date = game.headers.date or datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
    with ExitStack() as closing:
        black_player, white_player = (
            None if spec.strip() == HUMAN else closing.enter_context(create_player(spec)) for spec in (black, white)
        )
        TerminalGame(game, {"black": black_player, "white": white_player}, Terminal(board_style())).run()
