"""An analysis drawn: the score over the game as SVG, and a small page with the moves for notebooks."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from html import escape
from pathlib import Path
from typing import TYPE_CHECKING, Any

from othellier.base.files import write_file
from othellier.coach.scale import PHASES
from othellier.messages.languages import dictionary
from othellier.rules.geometry import square_name

if TYPE_CHECKING:
    from othellier.coach.analysis import GameAnalysis
    from othellier.coach.judging import JudgedMove

__all__ = ["Picture", "graph", "page"]

WIDTH, HEIGHT = 720, 260
LEFT, RIGHT, TOP, BOTTOM = 46, 14, 26, 34
COLORS = {"inaccuracy": "#b8860b", "mistake": "#d2691e", "blunder": "#c0272d"}
INK, FAINT, BLACK, WHITE = "#444", "#d8d8d2", "#3c4a44", "#f4f1e6"
LEAST = 8
"""Discs the axis shows at least, so that a level game looks level."""


class Picture:
    """A drawing: notebooks show it, `save` writes it.

    >>> import othellier
    >>> picture = othellier.analyze("f5f6e6", "2/2").plot()
    >>> picture.svg.startswith("<svg")
    True
    """

    def __init__(self, svg: str) -> None:
        self.svg = svg

    def save(self, path: str | Path) -> None:
        """Write it to an SVG file."""
        write_file(Path(path), [self.svg.encode()])

    def _repr_svg_(self) -> str:
        return self.svg

    def __repr__(self) -> str:
        return f"<Picture, {len(self.svg)} characters of SVG>"


def graph(analysis: GameAnalysis) -> Picture:
    """The score over the game, Black's advantage upwards; bad moves are marked by what they are called."""
    return Picture("\n".join(_svg(analysis)))


def _svg(analysis: GameAnalysis) -> Iterator[str]:
    last = max(len(analysis.line), 1)
    scores = [score for _, score, _ in analysis.points]
    most = max([LEAST, *(-(-abs(score) // 8) * 8 for score in scores)])

    def across(ply: float) -> float:
        return LEFT + (WIDTH - LEFT - RIGHT) * ply / last

    def down(score: float) -> float:
        return TOP + (HEIGHT - TOP - BOTTOM) * (most - score) / (2 * most)

    title = escape(_title(analysis))
    yield (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" width="{WIDTH}" height="{HEIGHT}" '
        f'role="img" font-family="sans-serif" font-size="11" fill="{INK}">'
    )
    yield f"<title>{title}</title>"
    yield f'<rect width="{WIDTH}" height="{HEIGHT}" fill="#fff"/>'
    yield f'<text x="{LEFT}" y="16" font-size="13">{title}</text>'
    for score in (most, most / 2, 0, -most / 2, -most):
        y = down(score)
        yield f'<path d="M{LEFT} {y:.1f}H{WIDTH - RIGHT}" stroke="{INK if not score else FAINT}"/>'
        yield f'<text x="{LEFT - 6}" y="{y + 4:.1f}" text-anchor="end">{f"{score:+.0f}" if score else "0"}</text>'
    yield from _phases(analysis, across)
    for ply in range(0, last + 1, 10):
        yield f'<text x="{across(ply):.1f}" y="{HEIGHT - 18}" text-anchor="middle">{ply}</text>'
    yield f'<text x="{WIDTH - RIGHT}" y="{HEIGHT - 4}" text-anchor="end">move</text>'
    yield f'<text x="{LEFT}" y="{HEIGHT - 4}">discs ahead: Black above, White below</text>'
    plies = [analysis.moves[0].ply, *(move.ply + 1 for move in analysis.moves)] if analysis.moves else []
    spots = [f"{across(ply):.1f} {down(score):.1f}" for ply, score in zip(plies, scores, strict=True)]
    if spots:
        zero = f"{down(0):.1f}"
        area = f"M{across(plies[0]):.1f} {zero}L{'L'.join(spots)}L{across(plies[-1]):.1f} {zero}Z"
        yield f'<path d="{area}" fill="{BLACK}" fill-opacity="0.12"/>'
        yield f'<path d="M{"L".join(spots)}" fill="none" stroke="{BLACK}" stroke-width="1.8" stroke-linejoin="round"/>'
    for move in analysis.moves:
        if move.label in COLORS:
            score = move.score if move.color == "black" else -move.score
            told = escape(_told(analysis, move))
            fill = BLACK if move.color == "black" else WHITE
            yield (
                f'<circle cx="{across(move.ply + 1):.1f}" cy="{down(score):.1f}" r="4" fill="{fill}" '
                f'stroke="{COLORS[move.label]}" stroke-width="2.4"><title>{told}</title></circle>'
            )
    yield "</svg>"


def _phases(analysis: GameAnalysis, across: Callable[[float], float]) -> Iterator[str]:
    """Where one phase ends and the next begins."""
    known = dictionary()
    for phase in PHASES:
        plies = [move.ply for move in analysis.moves if move.phase == phase]
        if plies:
            at = across(plies[0])
            yield f'<path d="M{at:.1f} {TOP}V{HEIGHT - BOTTOM}" stroke="{FAINT}" stroke-dasharray="3 3"/>'
            yield f'<text x="{at + 4:.1f}" y="{TOP + 11}" fill="#888">{escape(known[f"phase.{phase}"])}</text>'


def _title(analysis: GameAnalysis) -> str:
    return f"{analysis.black or 'Black'} – {analysis.white or 'White'}"


def _told(analysis: GameAnalysis, move: JudgedMove) -> str:
    size = analysis.start.size
    played, best = square_name(move.move, size), square_name(move.best, size)
    return f"{move.ply + 1}. {played} ({move.label}, {-move.loss:+.1f}): {best} was better"


def page(analysis: GameAnalysis) -> str:
    """The graph, what both players' moves came to, and the mistakes with their reasons."""
    known = dictionary()
    cells = []
    for color, player in analysis.players.items():
        told = player.as_dict()
        parts = [told, *(told["phases"][phase] for phase in PHASES)]
        numbers = "".join(f"<td>{_numbers(part)}</td>" for part in parts)
        counted = [
            f"{known[f'labels.{label}']} {count}" for label, count in told["labels"].items() if label != "forced"
        ]
        counts = ", ".join(counted)
        name = getattr(analysis, color) or known[f"color.{color.capitalize()}"]
        cells.append(f"<tr><th>{escape(name)}</th>{numbers}<td>{escape(counts)}</td></tr>")
    head = "".join(f"<th>{escape(known[key])}</th>" for key in ("analysis.accuracy", *(f"phase.{p}" for p in PHASES)))
    bad = "".join(
        f"<li>{escape(_told(analysis, move))}<br><small>{escape(' '.join(analysis.explain(move)))}</small></li>"
        for move in analysis.mistakes
    )
    return (
        f"<div>{graph(analysis).svg}<table><tr><th></th>{head}<th></th></tr>{''.join(cells)}</table>"
        f"{f'<ul>{bad}</ul>' if bad else ''}</div>"
    )


def _numbers(part: dict[str, Any]) -> str:
    """Accuracy, and discs lost."""
    if not part["moves"]:
        return "–"
    return f"{'–' if part['accuracy'] is None else math.floor(part['accuracy'])} ({-part['loss']:+.0f})"
