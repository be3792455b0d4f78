"""All that one learns with on a server: the drill of openings, the puzzles, the games one has played."""

from __future__ import annotations

from pathlib import Path

from othellier.web.storage.store import Store
from othellier.web.study.drill import Drill
from othellier.web.study.played_games import PlayedGames
from othellier.web.study.puzzles import Puzzles

__all__ = ["Learning"]


class Learning:
    """What is remembered lies in files of a folder, games in the store."""

    def __init__(self, store: Store, folder: Path) -> None:
        self.drill = Drill(folder)
        self.played = PlayedGames(store)
        self.puzzles = Puzzles(folder, self.played)

    def close(self) -> None:
        """Give memory back."""
        self.puzzles.close()
