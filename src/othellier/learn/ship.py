"""Puts the outcome of a run into the package: files, configuration, log, manifest, and the numbers of the documents.

Nothing is put together by hand: what a run does not hold, or what does not belong together, is refused.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import yaml

from othellier.base.files import read_file, write_file
from othellier.errors import ConfigError
from othellier.learn.archive import Archive
from othellier.learn.card import CARD, card_numbers, make_card
from othellier.learn.evaluation import CHANCES, NETWORKS, PROBCUT, WEIGHTS, LearntEvaluation, copy, digest
from othellier.learn.manifest import MANIFEST, Entries, entry, read_manifest, write_manifest

__all__ = ["BEGIN", "END", "ship", "with_numbers"]

DOCUMENT = Path("docs/learning.md")
BEGIN, END = "<!-- made from the model card: othellier learn ship -->\n", "<!-- end of what is made -->\n"

COMMAND = "make weights: othellier learn run src/othellier/data/training/config.yaml; othellier learn ship"


def ship(run: Path, root: Path) -> list[str]:
    """Copy what a run has made into the package at `root` and say so in the manifest; the names of the files."""
    archive = Archive.read(run)
    best = LearntEvaluation(run / "best")
    _check(archive, best)
    log = {f"data/training/{name}": run / name for name in ("run.json", "log.jsonl")}
    made = {f"data/{name}": best.folder / name for name in (WEIGHTS, NETWORKS, PROBCUT, CHANCES, CARD)}
    (root / "data/training").mkdir(parents=True, exist_ok=True)
    for name, source in {**log, **made}.items():
        copy(source, root / name)
    config = "data/training/config.yaml"
    write_file(root / config, [yaml.safe_dump(archive.facts["config"], sort_keys=False, width=120).encode()])
    entries = read_manifest(root) if (root / MANIFEST).exists() else {}
    write_manifest(root, entries | _entries(archive, root, [*log, config, *made]))
    _write_document(root, json.loads(read_file(root / "data" / CARD)))
    return [*log, config, *made, MANIFEST]


def _check(archive: Archive, best: LearntEvaluation) -> None:
    """Refuse a run that has found nothing better or is not over, and files that are not those of its log."""
    missing = [name for name in (WEIGHTS, NETWORKS, PROBCUT, CHANCES, CARD) if not (best.folder / name).exists()]
    if missing:
        raise ConfigError(f"{best.folder} lacks {', '.join(missing)}: the run is not over, or does not make them")
    rounds = archive.events("weights")
    if rounds and not any(line["accepted"] for line in rounds):
        raise ConfigError(f"{best.folder} is what the run began with, no round won its match: there is nothing to ship")
    if json.loads(read_file(best.folder / CARD)) != make_card(archive, best.folder):
        raise ConfigError(f"{best.folder / CARD} is not the card of this run and these weights")
    own = best.digests()
    known = [line["files"] for line in rounds if line["accepted"]]
    if (known[-1] if known else archive.facts.get("start")) != own:
        raise ConfigError(f"{best.folder} does not hold what the log calls the best")
    for name in ("probcut", "chances"):
        lines = archive.events(name, archive.last_round if name == "probcut" else None)
        if not lines or lines[-1]["files"] != best.digests(WEIGHTS, NETWORKS):
            raise ConfigError(f"{best.folder / name}.json was not measured with these weights and networks")


def _entries(archive: Archive, root: Path, names: list[str]) -> Entries:
    weights, networks, log = f"data/{WEIGHTS}", f"data/{NETWORKS}", "data/training/log.jsonl"
    belongs = {
        f"data/{PROBCUT}": (weights, networks),
        f"data/{CHANCES}": (weights, networks),
        f"data/{CARD}": (weights, networks, "data/training/run.json", log),
    }
    inputs: dict[str, str] = archive.facts.get("inputs", {})
    start: dict[str, str] = archive.facts.get("start", {})
    made_from = {**{f"start/{name}": known for name, known in start.items()}, **inputs}
    made_from["data/training/config.yaml"] = digest(root / "data/training/config.yaml")
    revision = archive.facts.get("revision", "")
    return {
        name: entry(
            root,
            name,
            command=COMMAND,
            revision=revision,
            made_from={} if name.startswith("data/training") else made_from,
            belongs_to=belongs.get(name, ()),
        )
        for name in names
    }


def _write_document(root: Path, card: dict[str, Any]) -> None:
    """Bring the numbers of the document up to date, where the package lies in its repository."""
    path = root.parents[1] / DOCUMENT
    if path.exists():
        write_file(path, [with_numbers(read_file(path).decode("utf-8"), card).encode()])


def with_numbers(text: str, card: dict[str, Any]) -> str:
    """A document with the numbers of a card between its marks."""
    before, begin, rest = text.partition(BEGIN)
    _, end, after = rest.partition(END)
    if not begin or not end:
        raise ConfigError(f"{DOCUMENT} has no place for the numbers of the model card: {BEGIN.strip()} … {END.strip()}")
    return before + begin + "\n" + "\n".join(card_numbers(card)) + "\n\n" + end + after
