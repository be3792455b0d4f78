"""Games as a server finds them in its folder: played against a level, judged or not, for the tests of learning."""

from dataclasses import replace
from pathlib import Path

from othellier.coach import GameAnalysis, analyze
from othellier.coach.judging import JudgedMove
from othellier.games.game import Game, Outcome
from othellier.page.storage.store import Kept, Store
from othellier.page.study.library import keep
from othellier.records.transcript import parse_moves
from othellier.session.commands import HumanChoice, LevelChoice
from othellier.session.rights import LOCAL
from othellier.session.session import Session

LINE = "f5d6c3d3c4f4f6g5e3f3"


def kept_game(name: str, level: str, black: float, analysis: GameAnalysis | None = None, *, owner: str = LOCAL) -> Kept:
    """A game of Black's against a level that ended with so many discs for Black."""
    game = Game.from_moves(parse_moves(LINE))
    game.result = Outcome(black, "agreed")
    session = Session(game, {"black": HumanChoice(), "white": LevelChoice(level=level)})
    session.analysis = analysis
    return keep(session, name, owner, float(ord(name[0])), 2.0, False)


def blundered() -> tuple[GameAnalysis, JudgedMove]:
    """The analysis of such a game in which Black's third move is a blunder, and that move."""
    judged = analyze(LINE, level="quick", threads=1)
    move = judged.moves[4]
    other = next(option for option in move.options if option[0] != move.move)[0]
    bad = replace(move, best=other, loss=20.0, label="blunder", options=((other, 20.0), (move.move, 0.0)), score=0.0)
    return replace(judged, moves=(*judged.moves[:4], bad, *judged.moves[5:])), bad


def store_games(folder: Path, *games: Kept) -> None:
    """Put games into the folder of a server that is not running."""
    store = Store(folder / "games.sqlite3")
    store.save(games)
    store.close()
