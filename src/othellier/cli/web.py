"""The page: `othellier play` serves it and opens the browser. What is served is the business of `web`."""

from __future__ import annotations

import threading
import webbrowser
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import typer

if TYPE_CHECKING:
    from othellier.game import Game
    from othellier.web.contract.requests import NewGame

__all__ = ["serve_page"]


def serve_page(
    *,
    hosts: Sequence[str],
    port: int | None,
    browser: bool,
    language: str | None,
    data: Path | None,
    private: bool,
    games: Sequence[Path],
    first: NewGame | None = None,
    ended: Callable[[Game], None] | None = None,
) -> None:
    """Serve the page until Ctrl-C; with `private` nothing is kept. `first` is the game it opens with."""
    from platformdirs import user_data_path

    from othellier.web.server.serve import serve

    def ready(address: str) -> None:
        typer.echo(f"Othellier is at {address}  (Ctrl-C ends it)")
        if browser:  # in a thread of its own: some browsers only return when they are closed
            threading.Thread(target=webbrowser.open, args=(address,), daemon=True).start()

    folder = None if private else data or user_data_path("othellier", appauthor=False)
    serve(
        hosts=hosts,
        port=port,
        data=folder,
        language=language,
        games=tuple(games),
        ready=ready,
        first=first,
        ended=ended,
    )
