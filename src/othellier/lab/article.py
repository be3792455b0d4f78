"""All experiments on one page that reads like an article: what was claimed, what we measured, what it means."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from othellier.base.files import write_file
from othellier.base.machine import machine
from othellier.lab.report import ReportedExperiment, escaped, lab_page
from othellier.lab.studies import STUDIES
from othellier.lab.words import Words
from othellier.rules import native

__all__ = ["CHAPTERS", "write_article"]

CHAPTERS = {
    "Small boards, solved": ("four", "six"),
    "What a search must look at": ("ladder", "branching", "merging", "parallel"),
    "How long a move takes": ("timing",),
    "Who beats whom": ("algorithms", "strategies", "heuristics", "criteria", "rollouts", "exploration", "knowledge"),
    "One scale for all": ("ratings", "levels"),
}
"""The order of the article; an experiment that is named nowhere comes at its end."""


def write_article(folder: Path, outcomes: Sequence[ReportedExperiment], say: Words) -> None:
    """Write the page of a folder of experiments."""
    known = {outcome.experiment.name: outcome for outcome in outcomes}
    placed = {name for names in CHAPTERS.values() for name in names}
    chapters = {title: [known[name] for name in names if name in known] for title, names in CHAPTERS.items()}
    chapters["Further experiments"] = [one for name, one in known.items() if name not in placed]
    cited = [study for study in STUDIES if any(study == s.study for o in outcomes for s in o.experiment.sources)]
    numbers = {study: number for number, study in enumerate(cited, 1)}
    parts = ["<article>", f"<h1>{escaped(say('Othello studies, measured anew'))}</h1>", _lead(outcomes, say)]
    figures = 0
    for title, members in chapters.items():
        if not members:
            continue
        parts.append(f"<h2>{escaped(say(title))}</h2>")
        for outcome in members:
            figures += bool(outcome.facts["figures"])
            marks = [str(numbers[one.study]) for one in outcome.experiment.sources if one.study in numbers]
            parts += _section(outcome, figures, ", ".join(dict.fromkeys(marks)), say)
    if cited:
        parts.append(f"<h2>{escaped(say('References'))}</h2><ol>")
        parts += [f"<li>{escaped(study.cite())}.</li>" for study in cited]
        parts.append("</ol>")
    parts.append("</article>")
    write_file(folder / "index.html", [lab_page(say("Othello studies, measured anew"), parts, say).encode()])


def _lead(outcomes: Sequence[ReportedExperiment], say: Words) -> str:
    quick = any(outcome.facts["settings"].get("scale") != "full" for outcome in outcomes)
    words = say(
        "Students and authors of programs have published what they measured about Othello: how many positions a "
        "search visits, how long a move takes, which strategy wins. Here {count} experiments run their studies "
        "again, beside the published numbers, with error bars. What follows is derived from the numbers of these "
        "runs; where they cannot tell, it says so.",
        count=len(outcomes),
    )
    if quick:
        words += " " + say(
            "This is the quick form: fewer games and shorter searches, so intervals are wide. The full form takes an "
            "hour or more."
        )
    where = say("Measured on: {machine}; compiled core: {core}.", machine=machine(), core=native.variant)
    return f"<p class=abstract>{escaped(words)}</p><p class=source>{escaped(where)}</p>"


def _section(outcome: ReportedExperiment, number: int, marks: str, say: Words) -> list[str]:
    facts, name = outcome.facts, outcome.experiment.name
    cited = f" [{marks}]" if marks else ""
    parts = [f'<h3 id="{name}">{escaped(facts["title"])}</h3>']
    told = (
        (say("What was claimed."), facts.get("published", "") + cited),
        (say("What we measured."), facts["summary"]),
        (say("What it means."), facts.get("meaning", "")),
    )
    parts += [f"<p><b>{escaped(term)}</b> {escaped(words)}</p>" for term, words in told if words]
    if facts["figures"]:
        caption = facts.get("captions", facts["figures"])[0]
        image = f'<img src="{name}/{facts["figures"][0]}.svg" alt="{escaped(caption)}">'
        words = f"<b>{escaped(say('Figure'))} {number}.</b> {escaped(caption)}."
        parts.append(f"<figure>{image}<figcaption>{words}</figcaption></figure>")
    parts.append(
        f'<p class=source><a href="{name}/index.html">{escaped(say("All tables, figures and how it was done"))}</a></p>'
    )
    return parts
