"""Books out of games and games out of books.

A book made of games counts: the value of a position is the mean result of the games that pass through it (the
theoretical one where the record has it), its odds are their shares, and its confidence is 0, since nobody has
searched. Games made of a book are its lines, each to its end, with the values written beside the moves.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from othellier import native
from othellier.board import Position
from othellier.errors import ConfigError
from othellier.game import Evaluation, Game, GameNode
from othellier.geometry import PASS
from othellier.openings.book import Book, Entry
from othellier.openings.keys import Key, after, key_of

__all__ = ["from_games", "to_games"]


def from_games(games: Iterable[Game], plies: int = 20, least: int = 2, date: int = 0) -> Book:
    """The positions that at least so many games reach within so many moves; games without a result say nothing."""
    if plies < 0 or least < 1:
        raise ConfigError("a book of games needs plies from 0 on and at least 1 game a position")
    counts: dict[Key, list[float]] = {}
    for game in games:
        outcome = game.outcome()
        if outcome is None or game.start != native.start():
            continue
        theory = game.headers.theory
        score = outcome.score if theory is None else 2 * theory[0] - 64
        for position in _positions(game, min(plies, 59)):
            mine = outcome.score if position.turn == "black" else -outcome.score
            count = counts.setdefault(key_of(position), [0, 0, 0, 0.0])
            count[0] += 1
            count[1] += mine > 0
            count[2] += mine == 0
            count[3] += score if position.turn == "black" else -score
    entries = {
        key: Entry(max(-64, min(64, round(total / number))), 0, wins / number, draws / number)
        for key, (number, wins, draws, total) in counts.items()
        if number >= least
    }
    return Book.make(entries, date)


def _positions(game: Game, plies: int) -> Iterator[Position]:
    """The positions of a game's main line, forced passes played."""
    position = game.start
    yield position
    for move in [move for move in game.moves() if move != PASS][:plies]:
        position = after(position, move)
        yield position


def to_games(book: Book, width: float = 0.0) -> Iterator[Game]:
    """The lines of a book from the start: at each step the moves within `width` discs of the best.

    Where lines meet, only the first goes on. The values stand beside the moves.
    """
    seen: set[Key] = set()
    stack: list[tuple[int, ...]] = [()]
    while stack:
        moves = stack.pop()
        game = Game.from_moves(moves)
        position = game.end.position
        position = position.play(PASS) if position.must_pass() else position
        known = book.moves(position)
        following = []
        for move, entry in known:
            key = key_of(after(position, move))
            if known[0].entry.value - entry.value <= width and key not in seen:
                seen.add(key)
                following.append((*moves, move))
        if following:
            stack += reversed(following)
        elif moves:
            for node in game.main_line():
                node.evaluation = _evaluation(book, node)
            yield game


def _evaluation(book: Book, node: GameNode) -> Evaluation | None:
    entry = None if node.move == PASS else book.get(node.position)
    if entry is None:
        return None
    return Evaluation(float(-entry.value), entry.is_exact, None if entry.is_exact else entry.confidence, text="book")
