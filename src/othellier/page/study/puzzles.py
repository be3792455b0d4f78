"""The puzzles for browsers: which one is asked, what became of a move, what is remembered of it.

The shipped ones are solved by an engine while they are played; those from one's own games are judged by the analysis
that found them. What was learnt is kept as the drill keeps it, in a file of its own. Where that cannot be read or
written, puzzles are played all the same, and one line says that nothing is remembered.
"""

from __future__ import annotations

import threading
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from othellier.coach.advice import BookReader
from othellier.coach.judging import EFFORTS, JudgedMove, judge
from othellier.coach.lessons import Puzzle
from othellier.coach.puzzle_play import Turn, play_turn
from othellier.coach.puzzle_set import THEMES, GradedPuzzle, puzzle_name, shipped_puzzles
from othellier.engine.engine import Engine
from othellier.errors import IllegalMove, InvalidPosition, OthellierError, RecordError, RequestError
from othellier.openings.drill import Deck, today
from othellier.page.play.state_view import legal_squares
from othellier.page.study.played_games import PlayedGame, PlayedGames
from othellier.page.wire import learning_models as models
from othellier.page.wire.game_models import ReasonView
from othellier.rules import native
from othellier.rules.board import Position
from othellier.rules.geometry import STANDARD, parse_square, square_name
from othellier.session.commands import PuzzleGiven
from othellier.session.rights import own_file

ALL: tuple[models.PuzzleThemeName, ...] = (*THEMES, "own")
HASH_MB = 16
STARS = 3
"""For a puzzle solved at once; a mistake costs one, and one is left in any case."""


@dataclass(frozen=True, slots=True)
class _Asked:
    """A puzzle of either kind."""

    name: str
    theme: models.PuzzleThemeName
    grade: int
    turns: int
    position: Position
    graded: GradedPuzzle | None = None
    own: Puzzle | None = None
    game: str = ""


class Puzzles:
    """Everybody's puzzles; to be asked in threads."""

    def __init__(self, folder: Path, played: PlayedGames) -> None:
        self._folder = folder
        self._played = played
        self._lock = threading.Lock()
        self._engine: Engine | None = None

    def close(self) -> None:
        """Give the engine's memory back."""
        with self._lock:
            if self._engine is not None:
                self._engine.close()
                self._engine = None

    def ask(
        self, owner: str, theme: models.PuzzleThemeName | None, last: str = "", ahead: bool = False
    ) -> models.PuzzlesView:
        """All themes with what is known of them, and the next puzzle of one: the last one only if there is no other.

        `ahead` asks also for what is not yet due.
        """
        found = self._all(owner)
        with self._lock:
            deck, message = self._deck(owner)
        chosen = deck.next([one for one in found if one.theme == theme], today(), last, ahead)
        return models.PuzzlesView(
            themes=[_theme(name, [one for one in found if one.theme == name], deck) for name in ALL],
            puzzle=None if chosen is None else _view(chosen, deck.memory(chosen).stars),
            message=message,
        )

    def answer(self, owner: str, given: PuzzleGiven) -> models.PuzzleAnswer:
        """What becomes of a move, the last of those given; a first mistake and a solution are remembered."""
        asked = next((one for one in self._all(owner) if one.name == given.puzzle), None)
        if asked is None:
            raise RequestError("not_found", "there is no such puzzle any more")
        try:
            moves = [parse_square(square, STANDARD) for square in given.moves]
            turn = self._turn(asked, moves)
        except InvalidPosition as error:
            raise RequestError("illegal_move", str(error), square=given.moves[-1]) from None
        except IllegalMove as error:
            raise RequestError("illegal_move", str(error), square=error.move) from None
        stars, due, message = 0, "", ""
        if turn.done or (not turn.right and not given.mistakes):
            stars = max(1, STARS - given.mistakes) if turn.done else 0
            due, message = self._remember(owner, asked, turn.right, given.mistakes, stars)
        return _answer(turn, stars, due, message)

    def _turn(self, asked: _Asked, moves: Sequence[int]) -> Turn:
        with self._lock:
            engine = self._ready()
            if asked.graded is not None:
                return play_turn(engine, asked.graded, moves)
            assert asked.own is not None
            return _own_turn(engine, asked.own, moves)

    def _ready(self) -> Engine:
        if not native.available:
            raise RequestError("no_engine", "puzzles need the compiled engine, which is missing")
        if self._engine is None:
            self._engine = Engine(threads=1, hash_mb=HASH_MB)
        return self._engine

    def _all(self, owner: str) -> list[_Asked]:
        try:
            shipped = shipped_puzzles()
        except RecordError as error:
            raise RequestError("bad_record", str(error), where=error.where) from None
        graded = [_Asked(one.name, one.theme, one.grade, one.turns, one.position, graded=one) for one in shipped]
        return graded + list(_from_games(self._played.of(owner)))

    # -- what is remembered

    def _deck(self, owner: str) -> tuple[Deck, str]:
        """What somebody has learnt, read anew; an empty one where that cannot be read, and why."""
        path = self._folder / own_file("puzzles", owner)
        try:
            return Deck(path), ""
        except RecordError as error:
            return Deck(path.with_suffix(".none")), str(error)  # there is no such file

    def _remember(self, owner: str, asked: _Asked, right: bool, mistakes: int, stars: int) -> tuple[str, str]:
        with self._lock:
            deck, message = self._deck(owner)
            if message:
                return "", message
            try:
                if not right or not mistakes:  # what was found only after a mistake stays as that left it
                    deck.take_down(asked, right, today(), stars)
                else:
                    deck.award(asked, stars)
            except (OSError, OthellierError) as error:
                return "", str(error)
            return deck.memory(asked).due, ""


def _from_games(games: Iterable[PlayedGame]) -> Iterable[_Asked]:
    """One's own mistakes as puzzles, the latest game first; a position only once."""
    seen: set[str] = set()
    for game in reversed(list(games)):
        for puzzle in game.puzzles:
            if puzzle.position.size != STANDARD:
                continue
            name = puzzle_name(puzzle.position)
            if name not in seen:
                seen.add(name)
                yield _Asked(name, "own", puzzle.stars, 1, puzzle.position, own=puzzle, game=game.game)


def _own_turn(engine: Engine, puzzle: Puzzle, moves: Sequence[int]) -> Turn:
    """An answer to a mistake of one's own: right is what the analysis found, why not is looked at now."""
    position = puzzle.position
    if len(moves) != 1 or not position.is_legal(moves[0]):
        raise IllegalMove(square_name(moves[-1], STANDARD), position.board_string())
    verdict: JudgedMove = judge(BookReader(engine), position, moves[0], 0, EFFORTS["quick"])
    right = moves[0] in puzzle.answers
    return Turn(right, right, position, verdict, (), position.play(moves[0]) if right else position, puzzle.answers)


# -- as the page is told


def _theme(name: models.PuzzleThemeName, ours: list[_Asked], deck: Deck) -> models.PuzzleTheme:
    earned = [deck.memory(one).stars for one in ours]
    return models.PuzzleTheme(
        theme=name,
        puzzles=len(ours),
        solved=sum(stars > 0 for stars in earned),
        due=len(deck.due(ours, today())),
        stars=sum(earned),
    )


def _view(asked: _Asked, stars: int) -> models.PuzzleView:
    return models.PuzzleView(
        puzzle=asked.name,
        theme=asked.theme,
        grade=asked.grade,
        turns=asked.turns,
        board=asked.position.board_string(),
        turn=asked.position.turn,
        legal=legal_squares(asked.position),
        stars=stars,
        played="" if asked.own is None else square_name(asked.own.played, STANDARD),
        game=asked.game,
    )


def _answer(turn: Turn, stars: int, due: str, message: str) -> models.PuzzleAnswer:
    verdict, position = turn.judged, turn.position
    best = verdict.best if verdict.best in turn.answers else turn.answers[0]
    steps: list[models.PuzzleStep] = []
    shown = turn.before.play(verdict.move)
    for reply in turn.replies:
        color, shown = shown.turn, shown.play(reply)
        steps.append(models.PuzzleStep(square=square_name(reply, STANDARD), color=color, board=shown.board_string()))
    return models.PuzzleAnswer(
        right=turn.right,
        done=turn.done,
        steps=steps,
        board=position.board_string(),
        turn=position.turn,
        legal=[] if turn.done else legal_squares(position),
        over=position.is_over(),
        best=square_name(best, STANDARD),
        answers=[square_name(move, STANDARD) for move in turn.answers],
        score=verdict.score,
        best_score=verdict.best_score,
        exact=verdict.exact,
        line=[square_name(move, STANDARD) for move in verdict.line],
        reasons=[ReasonView(code=reason.code, data=reason.data(STANDARD)) for reason in verdict.reasons],
        stars=stars,
        due=due,
        message=message,
    )
