"""A session as the page sees it: sessions and results become the shapes of the contract.

Nothing is decided here. Scores of moves become Black's, squares become names.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from othellier.coach.analysis import GameAnalysis
from othellier.coach.judging import JudgedMove, black_score
from othellier.evaluation.chances import chances
from othellier.games.game import GameNode, Outcome
from othellier.games.node_names import node_id, square_names
from othellier.games.results import Result
from othellier.games.walking import is_main
from othellier.page.play.opening_names import opening_at
from othellier.page.play.tree_view import rounded, tree_view
from othellier.page.wire import game_models
from othellier.page.wire.events import event_text
from othellier.rules.board import Color, Position
from othellier.rules.geometry import PASS, square_name
from othellier.session.session import Session


@dataclass(frozen=True, slots=True)
class GameFacts:
    """What a state says that the session does not know."""

    game: str
    tags: Sequence[str] = ()
    created: str = ""
    saved: bool = True
    thinking: game_models.Thinking | None = None
    values_on: bool = False
    follows: bool = False
    failed: game_models.Failure | None = None


def legal_squares(position: Position) -> list[game_models.Legal]:
    """The legal moves with what they turn over."""
    size = position.size
    return [
        game_models.Legal(square=square_name(move, size), flips=square_names(position.flips(move), size))
        for move in position.moves()
    ]


def result_view(outcome: Outcome | None) -> game_models.ResultView | None:
    """How a game ended."""
    if outcome is None:
        return None
    return game_models.ResultView(black=outcome.score, winner=outcome.winner, reason=outcome.reason)


# -- the state


def state_view(
    session: Session, facts: GameFacts, now: float, place: GameNode | None = None, tree: bool = True
) -> game_models.GameState:
    """The whole state as it is seen from a place, or where one looked last; tree and analysis only if asked for."""
    node, game = session.current if place is None else place, session.game
    position, size = node.position, game.start.size
    marks = session.marks.get(node)
    opening = opening_at(node)
    state = game_models.GameState(
        game=facts.game,
        revision=session.revision,
        title=session.title,
        tags=list(facts.tags),
        created=facts.created,
        size=game_models.SizeView(rows=size.rows, columns=size.columns),
        players={color: _player_view(session, color) for color in ("black", "white")},
        ponder=session.ponder,
        book=session.book,
        node=node_id(node),
        live=node_id(session.live),
        main=is_main(node),
        board=position.board_string(),
        turn=position.turn,
        discs=game_models.Discs(black=position.discs("black"), white=position.discs("white")),
        ply=node.ply,
        legal=legal_squares(position),
        last=_last_view(node),
        playing=session.playing,
        your_turn=session.is_asked(node),
        over=session.is_over(node),
        result=result_view(game.outcome()),
        clock=_clock_view(session, now),
        opening=opening,
        forced=square_names(session.forced(node), size),
        can=_can_view(session, node),
        values_on=facts.values_on,
        follows=facts.follows,
        thinking=facts.thinking,
        failed=facts.failed,
        marks=game_models.MarksView(circles=[], arrows=[])
        if marks is None
        else game_models.MarksView(
            circles=square_names(marks.circles, size),
            arrows=[(square_name(a, size), square_name(b, size)) for a, b in marks.arrows],
        ),
        saved=facts.saved,
    )
    if tree:
        state.tree = tree_view(game, session.analysis)
        state.analysis = None if session.analysis is None else analysis_view(session.analysis)
    return state


def state_text(session: Session, facts: GameFacts, now: float, place: GameNode, tree: str | None) -> str:
    """The same as the event that tells it, with the tree as JSON that is known already."""
    text = event_text("state", state=state_view(session, facts, now, place, tree=False))
    if tree is None:
        return text
    analysis = None if session.analysis is None else analysis_view(session.analysis)
    told = "null" if analysis is None else analysis.model_dump_json(exclude_unset=True)
    return f'{text[:-2]},"analysis":{told},"tree":{tree}}}}}'


def _player_view(session: Session, color: Color) -> game_models.PlayerView:
    choice = session.players[color]
    return game_models.PlayerView(label=choice.label, **choice.model_dump())


def _last_view(node: GameNode) -> game_models.Last | None:
    passed = None
    if node.move == PASS and node.parent is not None:
        passed, node = node.color, node.parent
    if node.parent is None or node.move is None:
        return None
    before, size = node.parent.position, node.position.size
    square = square_name(node.move, size)
    return game_models.Last(
        square=square, color=node.color, flips=square_names(before.flips(node.move), size), passed=passed
    )


def _clock_view(session: Session, now: float) -> game_models.ClockView | None:
    timer = session.timer
    if timer is None:
        return None
    black, white = (round(timer.seconds(color, now), 2) for color in ("black", "white"))
    return game_models.ClockView(black=black, white=white, increment=timer.increment, running=timer.running)


def _can_view(session: Session, node: GameNode) -> game_models.Can:
    return game_models.Can(
        undo=session.can_undo(node),
        redo=session.can_redo(node),
        back=node.parent is not None,
        forward=bool(node.children),
        resign=not session.closed and any(map(session.is_human, session.players)) and not session.is_over(session.live),
        swap=not session.is_over(session.live),
    )


# -- results


def analysis_view(analysis: GameAnalysis) -> game_models.AnalysisView:
    """An analysis, as far as it has come."""
    return game_models.AnalysisView.model_validate(analysis.as_dict())


def thinking_view(node: GameNode, result: Result | None, of: int, queued: bool = False) -> game_models.Thinking:
    """How far the search for a move has come; without a result it has only begun, or waits."""
    color = node.position.turn
    if result is None:
        return game_models.Thinking(color=color, node=node_id(node), of=of, queued=queued)
    return game_models.Thinking(
        color=color,
        node=node_id(node),
        depth=result.depth,
        of=max(of, result.depth),
        black=None if result.score is None else black_score(result.score, color),
        exact=result.is_exact,
        pv=square_names(result.pv, node.position.size),
        nodes=result.nodes,
        seconds=round(result.seconds, 3),
        queued=queued,
    )


def hint_view(node: GameNode, result: Result) -> game_models.HintView:
    """Return the best move with its score. A proven move is an estimate here as long as another may be better."""
    position = node.position
    if result.may_be_beaten:
        result = replace(result, source="search")
    view = value_view(position, result, result.score or 0.0).model_dump(exclude={"loss", "label", "reasons"})
    if result.score is None:
        view |= {"score": None, "win": None, "draw": None}
    return game_models.HintView(node=node_id(node), turn=position.turn, **view)


def value_view(position: Position, result: Result, best: float) -> game_models.SquareValue:
    """What a move is worth to the side to move, beside the best one's score."""
    score = result.score or 0.0
    win, draw = rounded(*chances(score, position.empties, result.is_move_exact, result.depth))
    return game_models.SquareValue(
        square=square_name(result.move, position.size),
        score=score,
        exact=result.is_move_exact,
        depth=result.depth,
        pv=square_names(result.pv, position.size),
        source=result.source,
        win=win,
        draw=draw,
        loss=max(0.0, best - score),
    )


def judged_view(position: Position, result: Result, best: float, judged: JudgedMove) -> game_models.SquareValue:
    """The same, with what would be said of whoever played it."""
    view = value_view(position, result, best)
    view.label = judged.label
    view.reasons = [
        game_models.ReasonView(code=reason.code, data=reason.data(position.size)) for reason in judged.reasons
    ]
    return view
