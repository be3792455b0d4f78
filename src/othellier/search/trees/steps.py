"""A recorded search as a page to go through step by step: windows close, cuts fall, Monte-Carlo trees grow.

Python draws the tree once (`drawing`) and writes down what each step changes on it; `stepper.js`, which the
Laboratory of the game uses too, only shows and hides. The page is one file that needs nothing else.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from functools import cache
from html import escape
from pathlib import Path
from typing import TYPE_CHECKING, Any

from othellier.rules.geometry import PASS, square_name
from othellier.search.trees.drawing import (
    WORDS,
    Language,
    Panel,
    agreeing,
    draw_panel,
    final_texts,
    heading,
    lay_out,
    move_name,
    number,
    result_text,
    sign_of,
    title_of,
    window_text,
)

if TYPE_CHECKING:
    from othellier.search.trees.recording import RecordedTree, SearchEvent

__all__ = ["LABELS", "STEPPER", "stepper_page", "steps"]

HERE = Path(__file__).parent
STEPPER = (HERE / "stepper.js", HERE / "stepper.css")
"""What a page needs to show the steps."""

CAPTIONS: dict[Language, dict[str, str]] = {
    "en": {
        "visit": "{path}: look at it",
        "improve": "{path}: {move} is the best so far, {value}",
        "enter": "{path}: look at it within α {low}, β {high}",
        "leaf": "{path}: the horizon, the evaluation says {value}",
        "over": "{path}: the game is over, {value}",
        "recall": "{path}: known from the table, {value}",
        "improve_max": "{path}: {move} is the best so far, α rises to {value}",
        "improve_min": "{path}: {move} is the best so far, β falls to {value}",
        "cut": "{path}: {move} is enough, {count} moves are cut",
        "cut_1": "{path}: {move} is enough, one move is cut",
        "leave": "{path}: done, {value}",
        "iteration": "iteration {number}: {path}; {side} {points} the game played out",
        "points": "lost drew won",
        "none": "before the first step",
    },
    "fr": {
        "visit": "{path} : à examiner",
        "improve": "{path} : {move} est le meilleur jusqu'ici, {value}",
        "enter": "{path} : à examiner entre α {low} et β {high}",
        "leaf": "{path} : horizon, l'évaluation dit {value}",
        "over": "{path} : la partie est finie, {value}",
        "recall": "{path} : connue de la table, {value}",
        "improve_max": "{path} : {move} est le meilleur jusqu'ici, α monte à {value}",
        "improve_min": "{path} : {move} est le meilleur jusqu'ici, β descend à {value}",
        "cut": "{path} : {move} suffit, {count} coups sont coupés",
        "cut_1": "{path} : {move} suffit, un coup est coupé",
        "leave": "{path} : terminé, {value}",
        "iteration": "itération {number} : {path} ; partie {points} pour {side}",
        "points": "perdue nulle gagnée",
        "none": "avant le premier pas",
    },
}

LABELS: dict[Language, dict[str, str]] = {
    "en": {
        "first": "First step",
        "back": "One step back",
        "forward": "One step forward",
        "last": "Last step",
        "play": "Play",
        "pause": "Pause",
        "step": "Step {step} of {steps}",
        "best": "To the best line",
        "smaller": "Smaller",
        "larger": "Larger",
        "decimal": ".",
        "visits": "{count} visits",
        "visit": "1 visit",
    },
    "fr": {
        "first": "Premier pas",
        "back": "Un pas en arrière",
        "forward": "Un pas en avant",
        "last": "Dernier pas",
        "play": "Lecture",
        "pause": "Pause",
        "step": "Pas {step} sur {steps}",
        "best": "À la meilleure suite",
        "smaller": "Plus petit",
        "larger": "Plus grand",
        "decimal": ",",
        "visits": "{count} visites",
        "visit": "1 visite",
    },
}


def steps(tree: RecordedTree, shown: int, language: Language) -> dict[str, Any]:
    """Everything `stepper.js` needs for one tree: the picture, and what each step changes on it."""
    panel = lay_out(tree, shown)
    facts: dict[str, Any] = {
        "title": heading(panel, WORDS[language]),
        "svg": draw_panel(panel, language),
        "labels": LABELS[language],
        "before": CAPTIONS[language]["none"],
        "line": sorted(panel.line),
    }
    if tree.iterations:
        return facts | _iterations(panel, language)
    there = {node.index for node in panel.nodes}
    told = [_step(event, panel, language) for event in tree.events if event.node.index in there]
    return facts | {"steps": told}


def _step(event: SearchEvent, panel: Panel, language: Language) -> list[Any]:
    """Node, value, window, remark, the best child (or -1), whether moves were cut, and what happened in words."""
    words, captions, tree, node = WORDS[language], CAPTIONS[language], panel.tree, event.node
    name, sign = move_name(node, tree, words), sign_of(node, tree)
    window = window_text(node, tree, event.alpha, words)
    low, high = (event.alpha, node.beta) if sign > 0 else (-node.beta, -event.alpha)
    told: dict[str, Any] = {"path": _path(event, tree, words), "low": number(low, words), "high": number(high, words)}
    told["value"] = number(sign * event.value, words) if event.value is not None else ""
    told["move"] = words["pass"] if event.move == PASS else square_name(event.move, tree.size)
    told["count"] = len(node.cut)
    value, _, remark = final_texts(node, panel, words)
    best = -1
    if event.what == "enter":
        value, remark = name, ""
    elif event.what == "improve":
        value, remark = f"{name} {'≥' if sign > 0 else '≤'} {told['value']}", ""
        best = next((child.index for child in reversed(node.children) if child.move == event.move), -1)
    elif event.what == "cut":
        value = f"{name} {'≥' if sign > 0 else '≤'} {told['value']}"
    elif event.what == "leave":
        value = result_text(node, tree, words)
        best = -1 if node.best is None else node.best.index
    what: str = event.what
    if what == "enter" and not tree.windowed:
        what = "visit"
    elif what == "improve" and tree.windowed:
        what = "improve_max" if sign > 0 else "improve_min"
    elif what == "leaf" and node.kind == "over":
        what = "over"
    return [
        node.index,
        value,
        window,
        remark,
        best,
        int(event.what == "cut"),
        agreeing(captions, what, len(node.cut)).format(**told),
    ]


def _path(event: SearchEvent, tree: RecordedTree, words: dict[str, str]) -> str:
    names = []
    node = event.node
    while node.parent is not None:
        names.append(move_name(node, tree, words))
        node = node.parent
    return " ".join(reversed(names)) or words["start"]


def _iterations(panel: Panel, language: Language) -> dict[str, Any]:
    """The way of each iteration through the nodes shown, and its half points for the side that moved first."""
    words, tree = WORDS[language], panel.tree
    there = {node.index for node in panel.nodes}
    ways: dict[int, list[int]] = {}
    for node in sorted(tree.root.walk(), key=lambda node: node.index):  # parents come before their children
        above = ways[node.parent.index] if node.parent is not None else []
        ways[node.index] = [*above, node.index] if node.index in there else above
    return {
        "c": getattr(tree.options, "c", 0.0),
        "names": {node.index: move_name(node, tree, words) for node in panel.nodes},
        "parents": {node.index: node.parent.index for node in panel.nodes if node.parent is not None},
        "iterations": [[ways[node.index], points] for node, points in tree.iterations],
        "caption": CAPTIONS[language]["iteration"].replace("{side}", words[tree.root.turn]),
        "points": CAPTIONS[language]["points"].split(),
    }


@cache
def _asset(name: str) -> str:
    return (HERE / name).read_text(encoding="utf-8")


def stepper_page(trees: Sequence[RecordedTree], shown: int, language: Language) -> str:
    """The trees side by side on one page, each with its buttons."""
    data = json.dumps([steps(tree, shown, language) for tree in trees], ensure_ascii=False)
    title = escape("; ".join(title_of(tree, WORDS[language]) for tree in trees))
    return PAGE.format(
        language=language,
        title=title,
        style=_asset("stepper.css"),
        data=data.replace("</", "<\\/"),
        script=_asset("stepper.js"),
    )


PAGE = """<!doctype html>
<html lang="{language}">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{title}</title>
<style>
body {{ margin: 0; font: 15px/1.45 system-ui, sans-serif; color: #1f2a24; background: #f4f6f5; }}
{style}</style>
<main id="trees" class="trees"></main>
<script type="application/json" id="data">{data}</script>
<script type="module">
{script}
const place = document.getElementById('trees');
for (const one of JSON.parse(document.getElementById('data').textContent)) place.append(stepper(one));
</script>
</html>
"""
