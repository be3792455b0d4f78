"""All one learns with on a server: the drill, the puzzles, the games one has played and the profile they make."""

from __future__ import annotations

from pathlib import Path

from othellier.page.storage.store import Store
from othellier.page.study.book_shelf import BookShelf
from othellier.page.study.drill import Drill
from othellier.page.study.played_games import PlayedGames
from othellier.page.study.profile import profile
from othellier.page.study.puzzles import Puzzles
from othellier.page.wire.learning_models import ProfileView


class Learning:
    """What is remembered lies in files of a folder, games in the store."""

    def __init__(self, store: Store, folder: Path, shelf: BookShelf) -> None:
        self._store = store
        self.drill = Drill(folder, shelf)
        self.played = PlayedGames(store)
        self.puzzles = Puzzles(folder, self.played)

    def profile(self, owner: str) -> ProfileView:
        """What somebody's games and puzzles say; to be asked in a thread."""
        return profile(self.played.of(owner), self.puzzles.ask(owner, None), self._store.message)

    def close(self) -> None:
        """Give memory back."""
        self.puzzles.close()
