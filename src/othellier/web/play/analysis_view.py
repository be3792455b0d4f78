"""An analysis as the page sees it. Nothing is judged here: scores become Black's, squares become names."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import get_args

from othellier.analysis import SAME, chance
from othellier.board import Color
from othellier.coach.analysis import Analysis, Judgement, Mistake, Phase, summarise
from othellier.coach.reasons import Reason
from othellier.game import Game
from othellier.geometry import Size, geometry, square_name, squares_of
from othellier.web.contract import game_models
from othellier.web.contract.node_names import line_id

__all__ = ["analysis_view", "black_score", "names"]


def names(moves: Iterable[int], size: Size) -> list[str]:
    """Squares by name."""
    return [square_name(move, size) for move in moves]


def black_score(score: float, color: Color) -> float:
    """A side's score as Black sees it, without a negative zero."""
    return (score if color == "black" else -score) + 0.0


def analysis_view(analysis: Analysis, game: Game) -> game_models.AnalysisView:
    """An analysis, as far as it has come."""
    size = game.start.size
    judgements = sorted(analysis.judgements, key=lambda judgement: judgement.ply)
    moves = [_move_view(judgement, analysis.line, size) for judgement in judgements]
    mistakes = [
        _mistake_view(move, judgement.mistake, line_id(analysis.line[: judgement.ply], size), size)
        for move, judgement in zip(moves, judgements, strict=True)
        if judgement.mistake is not None
    ]
    graph = [game_models.Point(node=move.node, black=move.black, win=move.win) for move in moves]
    if judgements:
        first = judgements[0]  # the value of the position before it is that of its best move
        score = black_score(first.score + first.loss, first.color)
        win = round(chance(score, game.start.empties, first.exact), 4)
        graph.insert(0, game_models.Point(node=line_id(analysis.line[: first.ply], size), black=score, win=win))
    return game_models.AnalysisView(
        level=analysis.level,
        done=analysis.done,
        moves=moves,
        players={color: _report(judgements, color) for color in get_args(Color)},
        graph=graph,
        mistakes=mistakes,
    )


def _move_view(judgement: Judgement, line: tuple[int, ...], size: Size) -> game_models.MoveView:
    color = judgement.color
    return game_models.MoveView(
        node=line_id(line[: judgement.ply + 1], size),
        color=color,
        move=square_name(judgement.move, size),
        black=black_score(judgement.score, color),
        exact=judgement.exact,
        win=round(judgement.win if color == "black" else 1 - judgement.win, 4),
        loss=judgement.loss,
        chance_loss=round(judgement.lost_chance, 4),
        label=judgement.label,
        best=square_name(judgement.best, size),
        pv=names(judgement.pv, size),
    )


def _mistake_view(move: game_models.MoveView, mistake: Mistake, before: str, size: Size) -> game_models.MistakeView:
    top = max(value for _, value in mistake.squares)
    return game_models.MistakeView(
        node=before,
        played=move.move,
        color=move.color,
        best=move.best,
        loss=move.loss,
        chance_loss=move.chance_loss,
        label=move.label,
        pv=move.pv,
        squares=[
            game_models.TriedSquare(
                square=square_name(square, size), score=value, loss=top - value, good=top - value < SAME
            )
            for square, value in mistake.squares
        ],
        reasons=[_reason_view(reason, size) for reason in mistake.reasons],
    )


def _report(judgements: Sequence[Judgement], color: Color) -> game_models.PlayerReport:
    own = [judgement for judgement in judgements if judgement.color == color]
    total = summarise(own)
    phases: dict[Phase, game_models.PhaseView] = {}
    for phase in get_args(Phase):
        part = summarise(judgement for judgement in own if judgement.phase == phase)
        phases[phase] = game_models.PhaseView(moves=part.moves, loss=part.loss, accuracy=_round(part.accuracy))
    return game_models.PlayerReport(
        moves=total.moves, loss=total.loss, accuracy=_round(total.accuracy), labels=total.labels, phases=phases
    )


def _round(percent: float | None) -> float | None:
    return None if percent is None else round(percent, 1)


def _reason_view(reason: Reason, size: Size) -> game_models.ReasonView:
    data: dict[str, object] = dict(reason.numbers)
    data |= {name: square_name(square, size) for name, square in reason.squares}
    if reason.code == "edge":
        board = geometry(size)
        sides = {"top": board.top, "bottom": board.bottom, "left": board.left, "right": board.right}
        data["edge"] = next(name for name, line in sides.items() if set(squares_of(line)) == set(reason.region))
    elif reason.region:
        data["region"] = names(reason.region, size)
    return game_models.ReasonView(code=reason.code, data=data)
