"""The page: `othellier play` serves it and opens the browser. What is served is the business of `web`."""

from __future__ import annotations

import socket
import threading
import webbrowser
from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

import typer

from othellier.base.qr import qr_text
from othellier.errors import ConfigError
from othellier.messages.language import say
from othellier.terminal.output import echo

if TYPE_CHECKING:
    from othellier.games.game import Game
    from othellier.session.commands import NewGame

ELSEWHERE = ("192.0.2.1", 9)
"""An address nobody has: nothing is sent there, but the system says from which of its own it would be."""


def network_address() -> str:
    """The address by which other machines of the network reach this one."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as line:
        try:
            line.connect(ELSEWHERE)
            address = str(line.getsockname()[0])
        except OSError:
            address = "127.0.0.1"
    if address.startswith(("127.", "0.")):
        raise ConfigError(
            "this machine is in no network a phone could be in: connect it, or name its address by --host"
        )
    return address


def serve_page(
    *,
    hosts: Sequence[str],
    phone: bool = False,
    port: int | None,
    browser: bool,
    language: str | None,
    data: Path | None,
    private: bool,
    games: Sequence[Path],
    books: Sequence[Path] = (),
    first: NewGame | None = None,
    ended: Callable[[Game], None] | None = None,
) -> None:
    """Serve the page until Ctrl-C; with `private` nothing is kept, with `phone` a code for a phone is drawn.

    `first` is the game it opens with.
    """
    from platformdirs import user_data_path

    from othellier.page.server.serve import serve

    def ready(address: str) -> None:
        if phone:
            typer.echo(qr_text(address))
            echo(say("Point the camera of a phone in the same network at this code, or open the address there."))
        echo(say("Othellier is at {address}  (Ctrl-C ends it)", address=address))
        if browser:  # in a thread of its own: some browsers only return when they are closed
            threading.Thread(target=webbrowser.open, args=(address,), daemon=True).start()

    hosts = ["0.0.0.0", network_address()] if phone else hosts
    folder = None if private else data or user_data_path("othellier", appauthor=False)
    with suppress(KeyboardInterrupt):  # its end, as was said
        serve(
            hosts=hosts,
            port=port,
            data=folder,
            language=language,
            games=tuple(games),
            books=tuple(books),
            ready=ready,
            first=first,
            ended=ended,
        )
