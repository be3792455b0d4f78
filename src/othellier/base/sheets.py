"""Tables as CSV, and pages of tables and figures in one HTML file that needs nothing else.

What stands in them is the business of those who measure.
"""

from __future__ import annotations

import csv
import html
import io
from collections.abc import Sequence

__all__ = ["TableRows", "csv_table", "html_figure", "html_page", "html_table", "text_table"]

TableRows = list[list[str]]
"""A heading, then rows."""


def csv_table(table: Sequence[Sequence[str]]) -> bytes:
    """A table as a CSV file.

    >>> csv_table([["player", "points"], ["a, b", "3"]])
    b'player,points\\n"a, b",3\\n'
    """
    text = io.StringIO()
    csv.writer(text, lineterminator="\n").writerows(table)
    return text.getvalue().encode()


def text_table(table: TableRows) -> str:
    """A table in plain text: the second column, the name, to the left, all others to the right."""
    widths = [max(map(len, column)) for column in zip(*table, strict=True)]
    return "\n".join(
        "  ".join(
            cell.ljust(width) if index == 1 else cell.rjust(width)
            for index, (cell, width) in enumerate(zip(row, widths, strict=True))
        ).rstrip()
        for row in table
    )


def html_table(table: TableRows) -> str:
    """A table for a page."""

    def row(cells: Sequence[str], tag: str) -> str:
        return "<tr>" + "".join(f"<{tag}>{html.escape(cell)}</{tag}>" for cell in cells) + "</tr>"

    heading, *rows = table
    return "<table>\n" + "\n".join([row(heading, "th"), *(row(cells, "td") for cells in rows)]) + "\n</table>"


def html_figure(title: str, svg: str) -> str:
    """A figure for a page, under its title."""
    return f"<h2>{html.escape(title)}</h2>\n<figure>{svg[svg.find('<svg') :]}</figure>"


def html_page(title: str, parts: Sequence[str], *, refresh: int = 0, language: str = "en") -> str:
    """A whole page; with `refresh` a browser loads it again every so many seconds."""
    again = f'<meta http-equiv="refresh" content="{refresh}">\n' if refresh else ""
    return PAGE.format(language=language, title=html.escape(title), again=again, body="\n".join(parts))


PAGE = """<!doctype html>
<html lang="{language}">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
{again}<title>{title}</title>
<style>
body {{ font: 15px/1.5 system-ui, sans-serif; max-width: 72rem; margin: 2rem auto; padding: 0 1rem; color: #222; }}
table {{ border-collapse: collapse; margin: 1rem 0; font-variant-numeric: tabular-nums; }}
table {{ display: block; overflow-x: auto; }}
th, td {{ padding: .25rem .75rem; border-bottom: 1px solid #ddd; text-align: right; white-space: nowrap; }}
th:first-child, td:first-child, th:nth-child(2), td:nth-child(2) {{ text-align: left; }}
figure {{ margin: 1rem 0; overflow-x: auto; }}
figure svg {{ max-width: 100%; height: auto; }}
</style>
<h1>{title}</h1>
{body}
</html>
"""
