"""Balanced starts on the command line: `othellier xot` builds, checks, refines, draws and compares lists of them."""

from __future__ import annotations

import math
import random
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from othellier.errors import ConfigError
from othellier.messages.language import say
from othellier.terminal.output import (
    ExecutorOption,
    JobsOption,
    JsonOption,
    board_style,
    console,
    echo,
    json_line,
    progress,
)

if TYPE_CHECKING:
    from othellier.openings.balanced import Judge, Start

app = typer.Typer()
_group = typer.Typer(name="xot", help="Balanced starts: eight moves, nobody ahead.", no_args_is_help=True)
app.add_typer(_group)

_FileOption = Annotated[Path | None, typer.Option("--file", metavar="FILE", help="A list of one's own.")]
_BandOption = Annotated[float, typer.Option(min=0, metavar="DISCS", help="Keep what nobody is further ahead in.")]

LEAN = 100
"""Starts of ours by which it is told how far a judge leans to one side."""


@_group.command()
def build(
    out: Annotated[Path | None, typer.Argument(metavar="[OUT]", help="The list to write; or to check.")] = None,
    band: _BandOption = 2.0,
    depth: Annotated[
        int | None, typer.Option(min=1, metavar="N", help="Plies to search: 16 by default, 12 when checking.")
    ] = None,
    check: Annotated[bool, typer.Option("--check", help="Check a list instead: the built-in one, or OUT.")] = False,
    sample: Annotated[int, typer.Option(min=0, metavar="N", help="When checking, value so many again.")] = 50,
    jobs: JobsOption = None,
    executor: ExecutorOption = "processes",
    json: JsonOption = False,
) -> None:
    """Value every opening of eight moves up to symmetry, and keep the balanced ones."""
    from othellier.base.jobs import Crew
    from othellier.engine.analysts import start_judge
    from othellier.openings import balanced

    with Crew(executor, jobs) as crew:
        if check:
            _check_starts(_starts(out), band, start_judge(crew, depth or 12, progress), sample, json)
            return
        depth = depth or 16
        if out is None:
            raise ConfigError("name the file to write, or check the built-in list with --check")
        found, centre = balanced.build(balanced.stages(lambda plies: start_judge(crew, plies, progress), depth, band))
    balanced.write(found, out, balanced.comment(depth, centre, band))
    if json:
        count = len(balanced.all_openings())
        json_line({"file": str(out), "openings": count, "starts": len(found), "band": band, "centre": centre})
    else:
        words = "{file}: {starts:,} of {openings:,} openings are balanced"
        echo(say(words, file=out, starts=len(found), openings=len(balanced.all_openings())))


def _starts(path: Path | None) -> list[Start]:
    from othellier.openings import balanced

    return list(balanced.shipped()) if path is None else balanced.read(path)


def _check_starts(found: list[Start], band: float, judge: Judge, sample: int, json: bool) -> None:
    """Check a list for what it must be, and value some of it again, and some of what it has left out."""
    from othellier.openings import balanced
    from othellier.openings.keys import key_of

    balanced.check(found, band=band)
    every = balanced.all_openings()
    rng = random.Random(0)
    drawn = rng.sample(found, min(sample, len(found)))
    others = every.keys() - {key_of(start.position) for start in found}
    absent = [balanced.Start(every[key]) for key in rng.sample(sorted(others), min(sample, len(others)))]
    values, beyond = balanced.for_black(drawn, judge), balanced.for_black(absent, judge)
    centre = balanced.lean(drawn, values)
    changes = [
        abs(now - centre - start.value) for start, now in zip(drawn, values, strict=True) if start.value is not None
    ]
    facts: dict[str, Any] = {"starts": len(found), "openings": len(every), "band": band, "valued_again": len(values)}
    facts["lean"] = round(centre, 3)
    facts["mean_change"] = round(sum(changes) / len(changes), 3) if changes else None
    facts["outside"] = sum(abs(now - centre) > band for now in values)
    facts["farthest"] = round(max((abs(now - centre) for now in values), default=0.0), 3)
    facts["absent_valued"] = len(beyond)
    facts["absent_inside"] = sum(abs(now - centre) <= band for now in beyond)
    if json:
        json_line(facts)
        return
    echo(say("{starts:,} starts of {openings:,} openings: legal, all different, within {band:g} discs.", **facts))
    if changes:
        again = "{valued_again} of them valued again differ by {mean_change:.2f} discs in the mean;"
        outside = "{outside} then lie outside, none beyond {farthest:.2f} discs from balance,"
        inside = "and {absent_inside} of {absent_valued} openings not in the list lie inside."
        for words in (again, outside, inside):
            echo(say(words, **facts))


@_group.command()
def refine(
    source: Annotated[Path, typer.Argument(metavar="IN", help="A list of starts.")],
    out: Annotated[Path, typer.Argument(metavar="OUT", help="The list to write.")],
    band: _BandOption = 2.0,
    depth: Annotated[
        int, typer.Option(min=0, metavar="N", help="Plies to search; 0: none, keep by the values of the list.")
    ] = 16,
    jobs: JobsOption = None,
    executor: ExecutorOption = "processes",
    json: JsonOption = False,
) -> None:
    """Value a list of starts again, deeper, and keep those that stay balanced."""
    from othellier.base.jobs import Crew
    from othellier.engine.analysts import start_judge
    from othellier.openings import balanced

    before = balanced.read(source)
    if depth:
        with Crew(executor, jobs) as crew:
            found = balanced.refine(before, start_judge(crew, depth, progress), band)
        comment = (
            f"Openings of 8 moves worth {band:g} discs or less to either side, as a first search found and our\n"
            f"engine at depths {depth} and {depth + 1} again, and their value for Black: the mean of these."
        )
    else:
        found = balanced.narrow(before, band)
        comment = f"The openings of a longer list whose value for Black there lies from -{band:g} to +{band:g}."
    balanced.write(found, out, comment)
    if json:
        json_line({"file": str(out), "valued": len(before), "starts": len(found), "band": band})
    else:
        words = "{file}: {starts:,} of {before:,} starts stay balanced"
        echo(say(words, file=out, starts=len(found), before=len(before)))


@_group.command()
def sample(
    seed: Annotated[int | None, typer.Option(metavar="N", help="The same number draws the same start.")] = None,
    file: _FileOption = None,
    json: JsonOption = False,
) -> None:
    """Draw a balanced start."""
    from othellier.openings import balanced
    from othellier.pictures import text

    start = balanced.sample(seed, _starts(file))
    if json:
        position = start.position
        json_line({"moves": start.transcript, "value": start.value, "board": position.board_string()})
        return
    echo(start.transcript + ("" if start.value is None else say("  {value:+g} for Black", value=start.value)))
    if console().is_terminal:
        echo(text(start.position, style=board_style(), say=say))


@_group.command()
def compare(
    other: Annotated[Path, typer.Argument(metavar="FILE", help="Another list of starts.")],
    file: _FileOption = None,
    depth: Annotated[int, typer.Option(min=0, metavar="N", help="Value what we lack, at this depth; 0: do not.")] = 0,
    jobs: JobsOption = None,
    json: JsonOption = False,
) -> None:
    """How our list of balanced starts and another overlap, and how far off what we lack is."""
    from othellier.openings import balanced

    ours = _starts(file)
    found = balanced.compare(ours, balanced.read(other))
    facts: dict[str, Any] = {
        "ours": found.ours,
        "theirs": found.theirs,
        "both": found.both,
        "only_ours": len(found.only_ours),
        "only_theirs": len(found.only_theirs),
    }
    if depth and found.only_theirs:
        facts["theirs_valued"] = _distances(found.only_theirs, ours[:: -(-len(ours) // LEAN)], depth, jobs)
    if json:
        json_line(facts)
        return
    echo(say("ours {ours:,}, theirs {theirs:,}, in both {both:,}", **facts))
    if "theirs_valued" in facts:
        for discs, count in facts["theirs_valued"].items():
            words = "  {count:>6,} that we lack are worth up to {discs} discs to one side"
            echo(say(words, count=count, discs=discs))


def _distances(starts: Sequence[Start], ours: Sequence[Start], depth: int, jobs: int | None) -> dict[str, int]:
    """How many starts there are by their distance from balance, in whole discs; balance is that of our list."""
    from othellier.base.jobs import Crew
    from othellier.engine.analysts import start_judge
    from othellier.openings import balanced

    with Crew("processes", jobs) as crew:
        values = start_judge(crew, depth, progress)
        centre = balanced.lean(ours, balanced.for_black(ours, values))
        discs = sorted(math.ceil(abs(value - centre)) for value in balanced.for_black(starts, values))
    return {str(distance): discs.count(distance) for distance in dict.fromkeys(discs)}
