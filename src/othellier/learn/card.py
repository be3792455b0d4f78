"""The model card: what weights are, what they learnt from, how well they do. Made from a run's archive and the weights.

The card of the weights we ship is `data/model_card.json`; its checksum says which weights it speaks of.
"""

from __future__ import annotations

import json
from importlib import resources
from pathlib import Path
from typing import Any

import numpy as np

from othellier.base.files import write_file
from othellier.base.sheets import TableRows
from othellier.evaluation.weights import PatternGeometry
from othellier.learn.archive import NETWORK, PATTERNS, Archive
from othellier.learn.evaluation import NETWORKS, WEIGHTS, digest, shipped_data
from othellier.learn.tables import checksum, load_payload
from othellier.messages.languages import Translator, english
from othellier.rules.geometry import square_name

__all__ = ["CARD", "card_numbers", "card_table", "make_card", "shipped_card", "write_card"]

CARD = "model_card.json"

MATCH = ("new", "old", "player", "games", "wins", "draws", "losses", "elo", "elo_low", "elo_high")
STEP = 6
"""Every so many empty squares the error stands in the table."""
BANDS = ((2, 10), (11, 20), (21, 30), (31, 40), (41, 54))
"""Empty squares, from and to, over which the numbers of the documents are means."""


def shipped_card() -> dict[str, Any]:
    """The card of the weights of this package.

    >>> isinstance(shipped_card(), dict)
    True
    """
    text = (resources.files("othellier") / "data" / CARD).read_text(encoding="utf-8")
    card: dict[str, Any] = json.loads(text)
    return card


def write_card(card: dict[str, Any], path: Path) -> None:
    """Write a card as JSON."""
    write_file(path, [json.dumps(card, indent=1).encode() + b"\n"])


def make_card(archive: Archive, folder: Path | None = None) -> dict[str, Any]:
    """The card of the best evaluation of a run, whose files lie in a folder, or in the package."""
    if folder is None:
        with shipped_data() as shipped:
            return make_card(archive, shipped)
    weights = folder / WEIGHTS
    geometry, tables, unit = PatternGeometry.read(load_payload(weights))
    last = archive.last_round
    data = [line for line in archive.events("data") if line.get("round", 1) <= last]
    curve = archive.events("epoch", last, PATTERNS)
    fitted = next((line.get("positions", 0) for line in archive.events("fit", last, PATTERNS)), 0)
    counts = [line.get("positions") for line in data]
    facts = archive.facts
    return {
        "title": facts.get("title", ""),
        "date": facts.get("date", ""),
        "revision": facts.get("revision", ""),
        "machine": facts.get("machine", ""),
        "recipe": facts.get("recipe", ""),
        "weights": {
            "checksum": checksum(weights),
            "bytes": weights.stat().st_size,
            "phases": len(tables),
            "unit": unit,
            "tables": int(tables.size),
            "free": len(np.unique(geometry.representatives)) * len(tables),
        },
        "patterns": [" ".join(square_name(square) for square in pattern.squares) for pattern in geometry.patterns],
        "games": sum(line["games"] for line in data),
        "positions": fitted if None in counts else sum(counts),
        "data": [{key: line.get(key) for key in ("source", "games", "positions")} for line in data],
        "held_out": {
            "mse": curve[-1]["held_out"] if curve else None,
            "by_empties": _errors(archive, last, PATTERNS),
        },
        "networks": _networks(archive, last, folder / NETWORKS),
        "probcut": _facts(archive, "probcut", last, ("positions", "midgame", "endgame", "taken")),
        "chances": _facts(archive, "chances", None, ("estimates", "log_loss", "brier", "error")),
        "matches": [{key: line.get(key) for key in MATCH} for line in archive.events("match")],
        "config": facts.get("config", {}),
    }


def _errors(archive: Archive, number: int, model: str) -> list[dict[str, Any]]:
    lines = archive.events("error", number, model)
    return [{key: line.get(key) for key in ("empties", "positions", "mae", "bias")} for line in lines]


def _facts(archive: Archive, event: str, number: int | None, keys: tuple[str, ...]) -> dict[str, Any] | None:
    """Some facts of the last event of a kind, if there is one."""
    lines = archive.events(event, number)
    return {key: lines[-1].get(key) for key in keys} if lines else None


def _networks(archive: Archive, number: int, path: Path) -> dict[str, Any] | None:
    """What is known of the networks that were fitted beside the weights, if any were."""
    fits = archive.events("fit", number, NETWORK)
    if not fits:
        return None
    facts = {key: value for key, value in fits[-1].items() if key not in ("event", "round", "model")}
    policy = [
        {key: line.get(key) for key in ("empties", "positions", "accuracy")}
        for line in archive.events("policy", number)
    ]
    known = {"checksum": digest(path)} if path.exists() else {}
    return {**facts, **known, "by_empties": _errors(archive, number, NETWORK), "policy": policy}


def card_table(card: dict[str, Any], say: Translator = english) -> TableRows:
    """The card in words, a line a fact."""
    weights, held_out = card["weights"], card["held_out"]
    rows = [[say("what"), say("is")], [say("title"), card["title"]], [say("date"), card["date"]]]
    rows += [[say("revision"), card["revision"]], [say("machine"), card["machine"]]]
    rows.append([say("weights"), say("{tables:,}, of which {free:,} are free by symmetry", **weights)])
    rows.append([say("file"), say("{bytes:,} bytes, checksum {checksum}", **weights)])
    rows.append([say("phases"), say("{phases}, in units of 1/{unit} disc", **weights)])
    rows.append([say("patterns"), say("{count}, and the mobility of both sides", count=len(card["patterns"]))])
    counts = {"games": card["games"], "positions": card["positions"]}
    rows.append([say("games"), say("{games:,}, with {positions:,} positions", **counts)])
    rows += [["", say("{games:,}: {source}", games=one["games"], source=one["source"])] for one in card["data"]]
    if held_out["mse"] is not None:
        rows.append([say("held-out error"), say("{mse:.1f}, mean square of the labels", mse=held_out["mse"])])
    rows += _error_rows(held_out["by_empties"], say)
    if networks := card.get("networks"):
        shape = {"shape": networks["shape"], "bytes": networks["bytes"]}
        rows.append([say("networks"), say("{shape}, {bytes:,} bytes", **shape)])
        rows += _error_rows(networks["by_empties"], say)
        found = [one for one in networks["policy"] if one["empties"] % STEP == 0]
        words = "policy: {accuracy:.0f} % at {empties} empty squares"
        rows += [["", say(words, accuracy=100 * one["accuracy"], empties=one["empties"])] for one in found]
    for one in card["matches"]:
        interval = "" if one["elo"] is None else f", {one['elo']:+.0f} Elo"
        if one["elo_low"] is not None and one["elo_high"] is not None:
            interval += f" [{one['elo_low']:+.0f}, {one['elo_high']:+.0f}]"
        tally = f"+{one['wins']} ={one['draws']} -{one['losses']}"
        sides = say("{new} against {old}, {player}", new=one["new"], old=one["old"], player=one["player"])
        rows.append([say("match"), f"{sides}: {tally}{interval}"])
    if card["matches"]:
        rows.append(["", say("The matches are sequential tests: where a test ended one early, its Elo is biased.")])
    rows.append([say("recipe"), card["recipe"]])
    return [row for row in rows if row[1]]


def _error_rows(errors: list[dict[str, Any]], say: Translator) -> TableRows:
    found = [one for one in errors if one["empties"] % STEP == 0]
    words = "{mae:.1f} discs at {empties} empty squares"
    return [["", say(words, mae=one["mae"], empties=one["empties"])] for one in found]


def card_numbers(card: dict[str, Any]) -> list[str]:
    """The numbers of a card that documents tell, as a table in Markdown."""
    networks = card.get("networks") or {}
    tables, value, policy = card["held_out"]["by_empties"], networks.get("by_empties", []), networks.get("policy", [])
    even, odd = ([one for one in value if one["empties"] % 2 == parity] for parity in (0, 1))
    rows = [
        ("tables: mean absolute error in discs", _means(tables, "mae", "{:.2f}")),
        ("value network: mean absolute error in discs", _means(value, "mae", "{:.2f}")),
        ("value network: mean error, even numbers", _means(even, "bias", "{:+.2f}")),
        ("value network: mean error, odd numbers", _means(odd, "bias", "{:+.2f}")),
        ("policy: the move played was the likeliest", _means(policy, "accuracy", "{:.0%}")),
    ]
    told = [
        f"{card['title']}: {card['games']:,} games, {card['positions']:,} positions. On games held out:",
        "",
        f"| empty squares | {' | '.join(f'{low}–{high}' for low, high in BANDS)} |",
        f"|---{'|---' * len(BANDS)}|",
        *(f"| {words} | {' | '.join(means)} |" for words, means in rows if any(means)),
    ]
    if chances := card.get("chances"):
        measures = ", ".join(
            f"{words} {chances[key]:.3f}"
            for words, key in (("log loss", "log_loss"), ("Brier score", "brier"), ("calibration error", "error"))
        )
        told += ["", f"Chances of winning, on {chances['estimates']:,} estimates held out: {measures}."]
    return told


def _means(lines: list[dict[str, Any]], key: str, form: str) -> list[str]:
    """The mean over the positions of each band, empty where there is none."""
    told = []
    for low, high in BANDS:
        rows = [one for one in lines if low <= one["empties"] <= high and one.get(key) is not None]
        count = sum(one["positions"] for one in rows)
        told.append(form.format(sum(one[key] * one["positions"] for one in rows) / count) if count else "")
    return told
