"""Figures: their error bars reach from the low end of an interval to its high one."""

import warnings
from pathlib import Path
from typing import Any

import pytest

from othellier.lab.plots import Curve, Figure, draw_curves, draw_ratings


def bars(figure: Figure, along: int) -> list[tuple[float, float]]:
    """The ends of the error bars along an axis, 0 or 1."""
    lines: list[Any] = [line for container in figure.axes.containers for line in container[2]]
    return [(float(segment[0][along]), float(segment[1][along])) for line in lines for segment in line.get_segments()]


def test_error_bars_of_curves() -> None:
    found = {1.0: (5.0, 4.0, 8.0), 2.0: (7.0, 3.0, 7.5)}
    assert bars(draw_curves("t", [Curve.measured("a", found)], "x", "y"), 1) == [(4.0, 8.0), (3.0, 7.5)]


def test_error_bars_of_ratings() -> None:
    figure = draw_ratings(
        "t", ["one", "two", "three"], [(100.0, 90.0, 150.0), (0.0, -30.0, 10.0), (5.0, 0.0, float("inf"))]
    )
    assert bars(figure, 0) == [pytest.approx((90.0, 150.0)), pytest.approx((-30.0, 10.0))], "where they have an end"


def test_the_styles_of_a_figure_concern_nothing_else_on_a_page() -> None:
    """Matplotlib writes a style for all elements, which on a page would be those of other pictures too."""
    drawn = draw_ratings("Elo", ["a", "b"], [(1, 0, 2), (3, 2, 4)]).svg()
    assert "<style" not in drawn
    assert 'style="stroke-linejoin: round; stroke-linecap: butt"' in drawn[: drawn.index("<metadata")]


def test_names_in_any_writing_are_drawn_without_a_warning(tmp_path: Path) -> None:
    """Our font has no Chinese: a page leaves such names to the browser's fonts."""
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        figure = draw_ratings("Elo", ["李雷", "Ann"], [(1, 0, 2), (3, 2, 4)])
        figure.write(tmp_path, "ratings")
        drawn = figure.svg()
    assert "李雷</text>" in drawn
    assert "李雷</text>" in (tmp_path / "ratings.svg").read_text("utf-8")
    assert "<text" not in draw_ratings("Elo", ["Eve", "Ann"], [(1, 0, 2), (3, 2, 4)]).svg()
