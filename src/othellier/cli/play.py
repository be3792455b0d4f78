"""The command that starts a game."""

from __future__ import annotations

from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from othellier.engine.levels import FIRST_LEVEL, LEVELS
from othellier.errors import ConfigError
from othellier.rules.geometry import STANDARD, Size
from othellier.terminal.output import board_style, parse_size

if TYPE_CHECKING:
    from othellier.rules.board import Color

app = typer.Typer()

HUMAN = "human"
LOCAL = "127.0.0.1"
# For boards the engine does not play on. Of four evaluators tried at this depth, each in the same 20 games against
# random: mixed won by most (20 won, 47.6 discs on average; mobility 40.6, absolute 35.4 with 18 won, positional 25.7).
STAND_IN = "alphabeta:depth=4,eval=mixed"
OPPONENT = f"engine:level={FIRST_LEVEL}"


def _opponent(size: Size) -> str:
    """Whom a newcomer plays against: the engine, where its core is there and the board fits."""
    from othellier.rules import native

    return OPPONENT if native.available and native.fits(size) else STAND_IN


def _spec(who: str) -> str:
    """A player; a level may be called by its name alone."""
    return f"engine:level={who.strip().lower()}" if who.strip().lower() in LEVELS else who


@app.command()
def play(
    terminal: Annotated[bool, typer.Option("--terminal", help="Play in the terminal.")] = False,
    black: Annotated[str, typer.Option(metavar="PLAYER", help="Who plays black; see `othellier players`.")] = HUMAN,
    white: Annotated[str | None, typer.Option(metavar="PLAYER", help="Who plays white.", show_default=OPPONENT)] = None,
    size: Annotated[
        Size | None,
        typer.Option(
            parser=parse_size, metavar="SIZE", show_default="8", help="Board size, such as 8 or 4x6 (rows x columns)."
        ),
    ] = None,
    load: Annotated[
        str | None, typer.Option(metavar="RECORD", help="Go on with a game or position: a file, or its text.")
    ] = None,
    host: Annotated[
        list[str] | None,
        typer.Option(
            metavar="ADDRESS",
            help="Serve the page to other machines too; asks them for a token. Once more: another name to answer to.",
            show_default=LOCAL,
        ),
    ] = None,
    phone: Annotated[
        bool,
        typer.Option("--phone", help="Serve the page to a phone in the same network, and draw its address as a code."),
    ] = False,
    port: Annotated[
        int | None, typer.Option(min=0, max=65535, metavar="N", help="Port of the page; else the first free from 8080.")
    ] = None,
    browser: Annotated[bool, typer.Option("--browser/--no-browser", help="Open the page in the browser.")] = True,
    lang: Annotated[
        str | None, typer.Option(metavar="CODE", help="Language of the page, en or fr; else the browser's.")
    ] = None,
    data: Annotated[
        Path | None, typer.Option(metavar="FOLDER", help="Where games are kept; else where the system keeps such data.")
    ] = None,
    private: Annotated[bool, typer.Option("--private", help="Keep no games.")] = False,
    trace: Annotated[
        bool,
        typer.Option("--trace/--no-trace", help="In the terminal: save a trace of each game against the computer."),
    ] = True,
    games: Annotated[
        list[Path] | None,
        typer.Option(
            "--games", "--database", metavar="PATH", help="Games for the explorer: files or folders, such as WTHOR."
        ),
    ] = None,
    book: Annotated[
        list[Path] | None,
        typer.Option(metavar="FILE", help="A book for explorer, drill and levels. Once more: another to choose from."),
    ] = None,
) -> None:
    """Play a game on a page of the browser, or in the terminal: people, players, or both."""
    if not terminal:
        from othellier.cli.web import serve_page

        if (black, white, size or STANDARD, load) != (HUMAN, None, STANDARD, None):
            raise ConfigError("--black, --white, --size and --load go with --terminal; the page asks for them itself")
        if phone and host:
            raise ConfigError("--phone finds the address by itself: leave --host out")
        serve_page(
            hosts=host or [LOCAL],
            phone=phone,
            port=port,
            browser=browser,
            language=lang,
            data=data,
            private=private,
            games=games or (),
            books=book or (),
        )
        return
    from platformdirs import user_data_path

    from othellier import records
    from othellier.games.game import Game
    from othellier.players import Player, create_player
    from othellier.terminal.screen import Terminal
    from othellier.terminal.terminal import TerminalGame
    from othellier.terminal.trace import Tracer

    if load is None:
        game = Game(size or STANDARD)
    else:
        game = records.read(load)[0]
        if size not in (None, game.start.size):
            raise ConfigError(f"--size {size}: the game of --load is on a board of size {game.start.size}")
        game.goto(-1)
    black, white = _spec(black), _spec(white or _opponent(game.start.size))
    game.headers.black = game.headers.black or black
    game.headers.white = game.headers.white or white
    game.headers.date = game.headers.date or datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
    black_player, white_player = (None if spec.strip() == HUMAN else create_player(spec) for spec in (black, white))
    screen = Terminal(board_style())
    wanted = trace and not private and screen.interactive  # whoever sends lines through a pipe asks for a trace
    tracer = Tracer((data or user_data_path("othellier", appauthor=False)) / "traces" if wanted else None)
    machines: dict[Color, Player | None] = {"black": black_player, "white": white_player}
    specs: dict[Color, str] = {"black": black, "white": white}
    with closing(TerminalGame(game, machines, screen, tracer=tracer, specs=specs)) as table:
        table.run()
