"""What experiments brought, on paper: CSV, PNG, SVG and a page for each, and one page that leads to them all.

A folder of an experiment also tells what it was run with (`experiment.json`) and, once it is finished, what came of it
(`results.json`): by these an interrupted run goes on and a finished one is kept.
"""

from __future__ import annotations

import csv
import html
import io
import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from othellier import native
from othellier.errors import ConfigError, RecordError
from othellier.files import read_file, write_file
from othellier.lab.experiment import Experiment, Findings, Table, Value
from othellier.lab.machine import machine

__all__ = ["Outcome", "claim_folder", "read_outcome", "write_index", "write_outcome"]


@dataclass(frozen=True, slots=True)
class Outcome:
    """What a finished experiment has left in its folder."""

    experiment: Experiment
    facts: dict[str, Any]
    """Settings, machine, seconds, summary and the names of the figures."""


def claim_folder(folder: Path, experiment: Experiment, settings: dict[str, Any]) -> None:
    """Take a folder for an experiment; one that holds another, or other settings, is refused."""
    path = folder / "experiment.json"
    facts = {"experiment": experiment.name, "settings": settings}
    if path.exists():
        try:
            old = json.loads(read_file(path))
            kept, before = old["experiment"], old["settings"]
            changed = [key for key in settings if before.get(key) != settings[key]]
        except (ValueError, KeyError, AttributeError, TypeError):
            raise RecordError(str(path), "", "is no description of an experiment") from None
        if kept != experiment.name:
            raise ConfigError(f"{folder} holds the experiment {kept}: choose another folder with --out")
        if changed:
            words = ", ".join(f"{key} {before.get(key)}" for key in changed)
            raise ConfigError(f"{folder} holds this experiment with other settings ({words}): see --out")
        return
    write_file(path, [_json(facts)])


def read_outcome(folder: Path, experiment: Experiment) -> Outcome | None:
    """What is there of a finished run; nothing where it never was, or never came to its end."""
    path = folder / "results.json"
    if not path.exists():
        return None
    try:
        facts = json.loads(read_file(path))
        if not isinstance(facts["summary"], str) or not isinstance(facts["figures"], list):
            raise ValueError
    except (ValueError, KeyError, TypeError):
        raise RecordError(str(path), "", "holds no results of an experiment") from None
    return Outcome(experiment, facts)


def write_outcome(
    folder: Path, experiment: Experiment, findings: Findings, settings: dict[str, Any], seconds: float, where: str
) -> Outcome:
    """Write tables, figures and the page; the results last, which say that all the rest is there."""
    for table in findings.tables:
        write_file(folder / f"{table.name}.csv", [_csv(table)])
    for name, figure in findings.figures.items():
        figure.write(folder, name)
    facts: dict[str, Any] = {
        "experiment": experiment.name,
        "source": experiment.source,
        "title": experiment.title,
        "summary": findings.summary,
        "machine": machine(),
        "core": native.variant,
        "where": where,
        "seconds": round(seconds, 1),
        "settings": settings,
        "figures": list(findings.figures),
        "tables": {
            table.name: [dict(zip(table.heading, row, strict=True)) for row in table.rows] for table in findings.tables
        },
    }
    write_file(folder / "index.html", [_page(experiment, findings, facts).encode()])
    write_file(folder / "results.json", [_json(facts)])
    return Outcome(experiment, facts)


def write_index(folder: Path, outcomes: Sequence[Outcome]) -> None:
    """The page that leads to the pages of all experiments."""
    cards = []
    for outcome in outcomes:
        one, facts = outcome.experiment, outcome.facts
        image = "".join(
            f'<img src="{one.name}/{name}.svg" alt="{_text(one.title)}">' for name in list(facts["figures"])[:1]
        )
        quick = "" if facts["settings"]["scale"] == "full" else " · quick"
        cards.append(
            f'<a class="card" href="{one.name}/index.html">{image}'
            f"<h2>{_text(one.title)}</h2><p "
            f"class=source>{_text(one.source)}{quick}</p><p>{_text(facts['summary'])}</p></a>"
        )
    lead = (
        "<p>Published tables and figures of Othello studies, measured anew beside the published numbers. "
        f"Machine: {_text(machine())}; compiled core: {_text(native.variant)}.</p>"
    )
    body = f"<h1>The laboratory</h1>{lead}<main class=cards>{''.join(cards)}</main>"
    write_file(folder / "index.html", [PAGE.format(title="The laboratory", body=body).encode()])


# -- pages


def _page(experiment: Experiment, findings: Findings, facts: dict[str, Any]) -> str:
    settings = facts["settings"]
    chosen = ", ".join(f"{key} {value}" for key, value in settings.items() if value is not None)
    parts = [
        '<p class=source><a href="../index.html">The laboratory</a></p>',
        f"<h1>{_text(experiment.title)}</h1>",
        f"<p class=source>{_text(experiment.source)}</p>",
        f"<dl><dt>Published</dt><dd>{_text(experiment.published)}</dd>"
        f"<dt>Measured</dt><dd>{_text(findings.summary)}</dd></dl>",
    ]
    for name, figure in findings.figures.items():
        links = " · ".join(f'<a href="{name}.{kind}">{kind.upper()}</a>' for kind in ("svg", "png"))
        image = f'<img src="{name}.svg" alt="{_text(figure.title)}">'
        parts.append(f"<figure>{image}<figcaption>{links}</figcaption></figure>")
    for table in findings.tables:
        parts += [f"<h2>{_text(table.title)}</h2>", _html(table)]
        parts += [f"<p>{_text(table.note)}</p>"] if table.note else []
    for title, svg in findings.boards.items():
        parts.append(f"<h2>{_text(title)}</h2><figure class=board>{svg[svg.find('<svg') :]}</figure>")
    parts += ["<h2>How it was done</h2>", *(f"<p>{_text(note)}</p>" for note in findings.notes)]
    command = f"othellier lab {experiment.name}" + (" --quick" if settings["scale"] == "quick" else "")
    parts.append(
        f"<p class=machine>Machine: {_text(facts['machine'])}. Compiled core: {_text(facts['core'])}. "
        f"Work done by {_text(facts['where'])} in {facts['seconds']:,.0f} s. Settings: {_text(chosen)}. "
        f"Again: <code>{command} --out DIR</code></p>"
    )
    return PAGE.format(title=_text(experiment.title), body="\n".join(parts))


def _text(words: str) -> str:
    return html.escape(words)


def _json(value: dict[str, Any]) -> bytes:
    return json.dumps(value, indent=2, ensure_ascii=False).encode() + b"\n"


def _csv(table: Table) -> bytes:
    text = io.StringIO()
    rows = csv.writer(text, lineterminator="\n")
    rows.writerow(table.heading)
    rows.writerows([_plain(value) for value in row] for row in table.rows)
    return text.getvalue().encode()


def _plain(value: Value) -> Value:
    """A value as files keep it: without the digits that no clock and no count has."""
    return "" if value is None else float(f"{value:.6g}") if isinstance(value, float) else value


def _number(value: Value) -> str:
    """A value as people read it: three digits that mean something, thousands apart."""
    if value is None:
        return "–"
    if isinstance(value, float):
        return f"{value:,.0f}" if abs(value) >= 1000 else f"{value:.4g}" if abs(value) >= 100 else f"{value:.3g}"
    return f"{value:,}" if isinstance(value, int) else value


def _html(table: Table) -> str:
    kinds = []
    for index, name in enumerate(table.heading):
        words = not any(isinstance(row[index], int | float) for row in table.rows)
        kinds.append(" ".join(["words"] * words + ["published"] * (name in table.published)))

    def row(cells: Sequence[Value], tag: str) -> str:
        parts = (
            f'<{tag} class="{kind}">{_text(_number(cell))}</{tag}>' for cell, kind in zip(cells, kinds, strict=True)
        )
        return "<tr>" + "".join(parts) + "</tr>"

    body = "\n".join([row(table.heading, "th"), *(row(cells, "td") for cells in table.rows)])
    link = f'<a href="{table.name}.csv">CSV</a>'
    return f"<div class=wide><table>\n{body}\n</table></div><p class=source>{link}</p>"


PAGE = """<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>{title}</title>
<style>
body {{ font: 16px/1.55 system-ui, sans-serif; max-width: 66rem; margin: 2rem auto 4rem; padding: 0 1rem;
  color: #1d2327; }}
h1 {{ font-size: 1.75rem; margin: .2rem 0; }}
h2 {{ font-size: 1.15rem; margin: 2.2rem 0 .4rem; }}
a {{ color: #14633c; }}
dl {{ display: grid; grid-template-columns: max-content 1fr; gap: .5rem 1.2rem; background: #f1f5f2;
  border-radius: .5rem; padding: 1rem 1.2rem; margin: 1.2rem 0; }}
dt {{ font-weight: 600; }}
dd {{ margin: 0; }}
.source, .machine, figcaption {{ color: #5c666e; font-size: .87rem; }}
.machine {{ border-top: 1px solid #dde2e5; padding-top: .8rem; margin-top: 2rem; }}
.wide {{ overflow-x: auto; }}
table {{ border-collapse: collapse; font-variant-numeric: tabular-nums; font-size: .92rem; }}
th, td {{ padding: .3rem .7rem; border-bottom: 1px solid #e3e7ea; text-align: right; }}
th {{ font-weight: 600; vertical-align: bottom; }}
th.words, td.words {{ text-align: left; }}
.published {{ background: #f4f4f2; color: #4a4a46; }}
td {{ white-space: nowrap; }}
figure {{ margin: 1.4rem 0; }}
figure img {{ max-width: 100%; }}
code {{ background: #f1f3f4; padding: .1rem .3rem; border-radius: .2rem; }}
.cards {{ display: grid; grid-template-columns: repeat(auto-fill, minmax(19rem, 1fr)); gap: 1.2rem; }}
.card {{ display: block; color: inherit; text-decoration: none; border: 1px solid #dde2e5; border-radius: .6rem;
  padding: 1rem; }}
.card:hover, .card:focus {{ border-color: #14633c; }}
.card img {{ width: 100%; height: 11rem; object-fit: contain; }}
.card h2 {{ margin: .6rem 0 .1rem; }}
.card p {{ margin: .2rem 0; font-size: .92rem; }}
</style>
{body}
</html>
"""
