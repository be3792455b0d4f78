"""Pictures beside one another for notebooks and lectures: positions, and bitboards with their zeros and ones."""

from __future__ import annotations

from collections.abc import Mapping
from html import escape

from othellier.errors import InvalidPosition
from othellier.pictures import Board, svg
from othellier.rules.geometry import STANDARD, Size, SizeLike

__all__ = ["Gallery", "bitboard_svg"]

CELL, FRAME = 24, 18
INK, FAINT, LINE, SET = "#1d2327", "#9aa3a9", "#c8ced2", "#ffd65a"
FONT = 'font-family="ui-monospace, monospace" font-size="13" text-anchor="middle"'


def bitboard_svg(bits: int, size: SizeLike = STANDARD, *, size_px: int = 200) -> str:
    """A set of squares as a picture: a one on each of its squares, a zero on the others.

    >>> bitboard_svg(0b11, 4).count(">1</text>")  # the figure of the first row is one of them
    3
    """
    board = Size.parse(size)
    if not 0 <= bits < 1 << board.squares:
        raise InvalidPosition(f"{bits:#x} has bits beyond a {board} board")
    rows, columns = board
    width, height = columns * CELL + 2 * FRAME, rows * CELL + 2 * FRAME
    parts = []
    for square in range(board.squares):
        x, y = square % columns * CELL, square // columns * CELL
        there = bits >> square & 1
        fill = SET if there else "#ffffff"
        parts.append(f'<rect x="{x}" y="{y}" width="{CELL}" height="{CELL}" fill="{fill}" stroke="{LINE}"/>')
        color = INK if there else FAINT
        parts.append(f'<text x="{x + CELL / 2:g}" y="{y + CELL / 2:g}" dy=".35em" fill="{color}">{there}</text>')
    labels = [((column + 0.5) * CELL, -FRAME / 2, chr(ord("a") + column)) for column in range(columns)]
    labels += [(-FRAME / 2, (row + 0.5) * CELL, str(row + 1)) for row in range(rows)]
    parts += [f'<text x="{x:g}" y="{y:g}" dy=".35em" fill="{FAINT}">{label}</text>' for x, y, label in labels]
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="{-FRAME} {-FRAME} {width} {height}" width="{size_px}" '
        f'height="{size_px * height / width:g}" role="img" aria-label="{bits.bit_count()} squares">'
        f"<g {FONT}>{''.join(parts)}</g></svg>"
    )


class Gallery:
    """Pictures in a row, each under its title: a position is drawn as a board, a number as a bitboard.

    >>> from othellier.rules.native import start
    >>> page = Gallery({"start": start(), "moves": start().moves_mask()})._repr_html_()
    >>> page.count("<svg"), page.count("<figcaption")
    (2, 2)
    """

    def __init__(self, pictures: Mapping[str, Board | int], *, size: SizeLike = STANDARD, size_px: int = 200) -> None:
        self.figures = {
            title: bitboard_svg(one, size, size_px=size_px) if isinstance(one, int) else svg(one, size_px=size_px)
            for title, one in pictures.items()
        }

    def _repr_html_(self) -> str:
        figures = "".join(
            f'<figure style="margin: 0"><figcaption style="margin-bottom: .3em">{escape(title)}</figcaption>'
            f"{picture}</figure>"
            for title, picture in self.figures.items()
        )
        return f'<div style="display: flex; flex-wrap: wrap; gap: 1.2em; align-items: end">{figures}</div>'
