"""What the coach says in words: labels, reasons, a report in lines. The words are those of the page."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from othellier.coach.reasons import Reason
from othellier.messages.languages import dictionary, fill, french_number
from othellier.rules.geometry import Size, square_name

if TYPE_CHECKING:
    from othellier.coach.analysis import GameAnalysis
    from othellier.coach.judging import JudgedMove
    from othellier.coach.scale import Label

__all__ = ["SIGNS", "report", "sentence", "summary", "table"]

SIGNS: dict[Label, str] = {"forced": "", "best": "", "good": "", "inaccuracy": "?!", "mistake": "?", "blunder": "??"}


def sentence(reason: Reason, size: Size, played: str, best: str, language: str = "en") -> str:
    """A reason why a move is worse than the best one."""
    known = dictionary(language)
    told = {
        name: ", ".join(value) if isinstance(value, list) else known.get(f"{name}.{value}", value)
        for name, value in reason.data(size).items()
    }
    return fill(known[f"reasons.{reason.code}"], {"played": played, "best_move": best, **told}, language)


def report(analysis: GameAnalysis, language: str = "en", width: int = 80) -> Iterator[str]:
    """An analysis in lines: every move with its value for Black, then accuracy, then the mistakes and why.

    As many moves stand side by side as a window of so many columns holds, at most four.
    """
    size = analysis.start.size
    judged = {move.ply: move for move in analysis.moves}
    cells = []
    position = analysis.start
    for ply, played in enumerate(analysis.line):
        move, side = judged.get(ply), "X" if position.turn == "black" else "O"
        position = position.play(played)
        worth = ""
        if move is not None:
            worth = f"{move.score if move.color == 'black' else -move.score + 0.0:+.1f} {SIGNS[move.label]}"
        cells.append(f"{ply + 1:>3} {side} {square_name(played, size):<4} {worth:<8}")
    across = min(max((width + 1) // 20, 1), 4)
    for first in range(0, len(cells), across):
        yield " ".join(cells[first : first + across]).rstrip()
    yield from summary(analysis, language)


def table(analysis: GameAnalysis, language: str = "en") -> Iterator[str]:
    """A line a move: what it is worth to its side, the best move, what was lost and what that is called."""
    size, known = analysis.start.size, dictionary(language)
    number = french_number if language == "fr" else str
    best = known["report.best"]
    for move in analysis.moves:
        score, best_score, loss = (number(f"{one:+.1f}") for one in (move.score, move.best_score, -move.loss))
        lost = "" if move.label in ("forced", "best") else f"{loss} {known[f'label.{move.label}']}"
        yield (
            f"{move.ply + 1:>3} {known[f'color.{move.color}']:<5} {square_name(move.move, size):<4} {score:>6}  "
            f"{best} {square_name(move.best, size):<4} {best_score:>6}  {lost}".rstrip()
        )


def summary(analysis: GameAnalysis, language: str = "en") -> Iterator[str]:
    """What an analysis comes to: accuracy of both players, the turning point, the mistakes and why."""
    known = dictionary(language)
    for color, player in analysis.players.items():
        if player.accuracy is not None:
            labels = {known[f"label.{label}"]: count for label, count in player.labels.items() if SIGNS[label]}
            values = {
                "color": known[f"color.{color}"],
                "accuracy": f"{player.as_dict()['accuracy']:.0f}",
                "n": round(player.loss),
            }
            told = fill(known["report.player"], values, language)
            counts = ", ".join(f"{label} {count}" for label, count in labels.items())
            yield f"{told}; {counts}" if counts else told
    turning = analysis.turning_point
    if turning is not None:
        values = {
            "ply": turning.ply + 1,
            "color": known[f"color.{turning.color}"],
            "move": square_name(turning.move, analysis.start.size),
            "share": f"{100 * turning.lost_chance:.0f}",
        }
        yield fill(known["report.turning"], values, language)
    for move in analysis.mistakes:
        yield from _mistake(analysis, move, language)


def _mistake(analysis: GameAnalysis, move: JudgedMove, language: str) -> Iterator[str]:
    size, known = analysis.start.size, dictionary(language)
    played, best = square_name(move.move, size), square_name(move.best, size)
    side, better = known[f"color.{move.color}"], fill(known["report.better"], {"best": best}, language)
    yield f"{move.ply + 1:>3} {side} {played} {SIGNS[move.label]} {-move.loss:+.1f}: {better}"
    for line in analysis.explain(move, language):
        yield f"      {line}"
