"""What an experiment brought, on paper: CSV and LaTeX, PDF, PNG and SVG, and a page.

A folder of an experiment also tells what it was run with (`experiment.json`) and, once it is finished, what came of it
(`results.json`): by these an interrupted run goes on and a finished one is kept. The page that tells of all experiments
is the business of `article`.
"""

from __future__ import annotations

import csv
import html
import io
import json
import re
import shlex
import time
from collections.abc import Sequence
from dataclasses import dataclass
from importlib import metadata
from pathlib import Path
from typing import Any

from othellier.base.builds import revision
from othellier.base.files import read_file, write_file
from othellier.base.machine import machine
from othellier.errors import ConfigError, RecordError
from othellier.lab.experiment import Experiment, Findings, Measured, Table, Value
from othellier.lab.latex import latex_table
from othellier.lab.words import Words
from othellier.rules import native

__all__ = ["ReportedExperiment", "claim_folder", "escaped", "lab_page", "read_outcome", "write_outcome"]


@dataclass(frozen=True, slots=True)
class ReportedExperiment:
    """What a finished experiment has left in its folder."""

    experiment: Experiment
    facts: dict[str, Any]
    """Settings, language, machine, seconds, summary, meaning, figures and tables."""


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


def read_outcome(folder: Path, experiment: Experiment) -> ReportedExperiment | None:
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
    return ReportedExperiment(experiment, facts)


def write_outcome(
    folder: Path,
    experiment: Experiment,
    findings: Findings,
    settings: dict[str, Any],
    seconds: float,
    where: str,
    say: Words,
) -> ReportedExperiment:
    """Write tables, figures and the page; the results last, which say that all the rest is there."""
    for table in findings.tables:
        write_file(folder / f"{table.name}.csv", [_csv(table, say)])
        write_file(folder / f"{table.name}.tex", [latex_table(table, say).encode()])
    for name, figure in findings.figures.items():
        figure.in_language(say.language).write(folder, name)
    facts: dict[str, Any] = {
        "experiment": experiment.name,
        "language": say.language,
        "source": experiment.source(say),
        "title": say(experiment.title),
        "published": say(experiment.published),
        "summary": findings.summary,
        "meaning": " ".join(findings.conclusions),
        "version": metadata.version("othellier"),
        "revision": revision(),
        "date": time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime()),
        "command": _command(experiment.name, settings, say.language),
        "seed": settings.get("seed"),
        "machine": machine(),
        "core": native.variant,
        "where": where,
        "seconds": round(seconds, 1),
        "settings": settings,
        "figures": list(findings.figures),
        "captions": [figure.title for figure in findings.figures.values()],
        "tables": {table.name: [_plain_row(table, row) for row in table.rows] for table in findings.tables},
    }
    write_file(folder / "index.html", [_page(experiment, findings, facts, say).encode()])
    write_file(folder / "results.json", [_json(facts)])
    return ReportedExperiment(experiment, facts)


def _plain_row(table: Table, row: Sequence[Value]) -> dict[str, Any]:
    cells = (value._asdict() if isinstance(value, Measured) else value for value in row)
    return dict(zip(table.heading, cells, strict=True))


# -- pages


def _page(experiment: Experiment, findings: Findings, facts: dict[str, Any], say: Words) -> str:
    settings = facts["settings"]
    chosen = ", ".join(f"{key} {value}" for key, value in settings.items() if value is not None)
    told = [(say("Claimed"), facts["published"]), (say("Measured"), findings.summary)]
    told += [(say("What it means"), facts["meaning"])] if facts["meaning"] else []
    parts = [
        f'<p class=source><a href="../index.html">{escaped(say("The laboratory"))}</a></p>',
        f"<h1>{escaped(facts['title'])}</h1>",
        *(f"<p class=source>{escaped(_reference(one, say))}</p>" for one in experiment.sources),
        f"<dl>{''.join(f'<dt>{escaped(term)}</dt><dd>{escaped(words)}</dd>' for term, words in told)}</dl>",
    ]
    for number, (name, figure) in enumerate(findings.figures.items(), 1):
        links = " · ".join(f'<a href="{name}.{kind}">{kind.upper()}</a>' for kind in ("pdf", "svg", "png"))
        caption = f"<b>{escaped(say('Figure'))} {number}.</b> {escaped(figure.title)}. <small>{links}</small>"
        image = f'<img src="{name}.svg" alt="{escaped(figure.title)}">'
        parts.append(f"<figure>{image}<figcaption>{caption}</figcaption></figure>")
    for table in findings.tables:
        parts += [f"<h2>{escaped(table.title)}</h2>", _html(table, say)]
        parts += [f"<p>{escaped(table.note)}</p>"] if table.note else []
    for title, svg in findings.boards.items():
        parts.append(f"<h2>{escaped(title)}</h2><figure class=board>{svg[svg.find('<svg') :]}</figure>")
    parts += [f"<h2>{escaped(say('How it was done'))}</h2>", *(f"<p>{_prose(note)}</p>" for note in findings.notes)]
    where = say(
        "Othellier {version} ({revision}), {date}. Machine: {machine}. Compiled core: {core}. Done in {seconds:,.0f} s "
        "({where}). Settings: {chosen}. Again:",
        version=facts["version"],
        revision=facts["revision"] or "–",
        date=facts["date"][:10],
        machine=facts["machine"],
        core=facts["core"],
        where=facts["where"],
        seconds=facts["seconds"],
        chosen=chosen,
    )
    parts.append(f"<p class=machine>{escaped(where)} <code>{escaped(facts['command'])} --out DIR</code></p>")
    return lab_page(facts["title"], parts, say)


def _command(name: str, settings: dict[str, Any], language: str) -> str:
    """Return the command that makes the same run again, apart from its folder.

    >>> _command("ratings", {"scale": "quick", "games": 20, "seed": 3}, "en")
    'othellier lab ratings --quick --games 20 --seed 3 --language en'
    """
    words = ["othellier", "lab", name]
    words += ["--quick"] if settings.get("scale") == "quick" else []
    for option in ("budget", "seconds", "games", "seed"):
        value = settings.get(option)
        words += [] if value is None else [f"--{option}", f"{value:g}" if isinstance(value, float) else str(value)]
    return shlex.join([*words, "--language", language])


def _reference(source: Any, say: Words) -> str:
    if not source.study.year and not source.place:
        return say(source.study.short)
    return f"{source.study.cite()}, {say(source.place)}" if source.place else source.study.cite()


def lab_page(title: str, parts: Sequence[str], say: Words) -> str:
    """A whole page in the laboratory's style."""
    return PAGE.format(title=escaped(title), body="\n".join(parts), language=say.language)


def escaped(words: str) -> str:
    """Text that a page can hold."""
    return html.escape(words)


def _prose(words: str) -> str:
    """Text with what is typed between backticks."""
    return re.sub(r"`([^`]+)`", r"<code>\1</code>", escaped(words))


def _json(value: dict[str, Any]) -> bytes:
    return json.dumps(value, indent=2, ensure_ascii=False).encode() + b"\n"


def _csv(table: Table, say: Words) -> bytes:
    """The table as people and programs read it: a measured number has columns for the ends of its interval."""
    text = io.StringIO()
    rows = csv.writer(text, lineterminator="\n")
    wide = [any(isinstance(row[index], Measured) for row in table.rows) for index in range(len(table.heading))]
    heading: list[str] = []
    for name, measured in zip(table.heading, wide, strict=True):
        heading += [name, f"{name} ({say('from')})", f"{name} ({say('to')})"] if measured else [name]
    rows.writerow(heading)
    for row in table.rows:
        cells: list[Value] = []
        for value, measured in zip(row, wide, strict=True):
            ends = value if isinstance(value, Measured) else (value, None, None)
            cells += map(_plain, ends if measured else [value])
        rows.writerow(cells)
    return text.getvalue().encode()


def _plain(value: Value) -> Value:
    """A value as files keep it: without the digits that no clock and no count has."""
    return "" if value is None else float(f"{value:.6g}") if isinstance(value, float) else value


def _cell(value: Value, say: Words) -> str:
    if value is None or isinstance(value, str):
        return escaped(value or "–")
    if isinstance(value, Measured):
        middle, low, high = say.measured(*value)
        return f"{middle} <small>[{low}{say.between}{high}]</small>"
    return say.number(value)


def _html(table: Table, say: Words) -> str:
    kinds = []
    for index, name in enumerate(table.heading):
        words = all(row[index] is None or isinstance(row[index], str) for row in table.rows)
        kinds.append(" ".join(["words"] * words + ["published"] * (name in table.published)))

    def row(cells: Sequence[str], tag: str) -> str:
        parts = (f'<{tag} class="{kind}">{cell}</{tag}>' for cell, kind in zip(cells, kinds, strict=True))
        return "<tr>" + "".join(parts) + "</tr>"

    lines = [row([escaped(name) for name in table.heading], "th")]
    lines += (row([_cell(value, say) for value in cells], "td") for cells in table.rows)
    links = f'<a href="{table.name}.csv">CSV</a> · <a href="{table.name}.tex">LaTeX</a>'
    body = "\n".join(lines)
    return f"<div class=wide><table>\n{body}\n</table></div><p class=source>{links}</p>"


PAGE = """<!doctype html>
<html lang="{language}">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>{title}</title>
<style>
body {{ font: 16px/1.55 system-ui, sans-serif; max-width: 72rem; margin: 2rem auto 4rem; padding: 0 1rem;
  color: #1d2327; }}
h1 {{ font-size: 1.75rem; margin: .2rem 0; }}
h2 {{ font-size: 1.15rem; margin: 2.2rem 0 .4rem; }}
a {{ color: #0b5394; }}
dl {{ display: grid; grid-template-columns: max-content 1fr; gap: .5rem 1.2rem; background: #f1f5f2;
  border-radius: .5rem; padding: 1rem 1.2rem; margin: 1.2rem 0; }}
dt {{ font-weight: 600; }}
dd {{ margin: 0; }}
.source, .machine, figcaption {{ color: #5c666e; font-size: .87rem; }}
.machine {{ border-top: 1px solid #dde2e5; padding-top: .8rem; margin-top: 2rem; }}
.wide {{ overflow-x: auto; }}
table {{ border-collapse: collapse; font-variant-numeric: tabular-nums; font-size: .92rem; }}
th, td {{ padding: .3rem .45rem; border-bottom: 1px solid #e3e7ea; text-align: right; }}
th {{ font-weight: 600; vertical-align: bottom; }}
th.words, td.words {{ text-align: left; }}
.published {{ background: #f4f4f2; color: #4a4a46; }}
td {{ white-space: nowrap; }}
figure {{ margin: 1.4rem 0; }}
figure img {{ max-width: 100%; }}
code {{ background: #f1f3f4; padding: .1rem .3rem; border-radius: .2rem; }}
small {{ color: #5c666e; }}
td small {{ display: block; line-height: 1.1; }}
article {{ max-width: 46rem; }}
article h2 {{ font-size: 1.35rem; }}
article h3 {{ font-size: 1.05rem; margin: 1.8rem 0 .3rem; }}
article .abstract {{ background: #f1f5f2; border-radius: .5rem; padding: .8rem 1.2rem; }}
article ol {{ padding-left: 1.4rem; }}
</style>
{body}
</html>
"""
