"""Openings on the command line: names, trees and drills, and balanced starts (xot)."""

from __future__ import annotations

import math
import sys
from collections.abc import Sequence
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

import typer

from othellier.cli.book import BookOption, ExecutorOption, JobsOption, LangOption, entry_facts, open_book
from othellier.cli.common import JsonOption, board_style, console, json_line, progress
from othellier.errors import ConfigError, InvalidPosition
from othellier.geometry import parse_square, square_name

if TYPE_CHECKING:
    from othellier.openings.balanced import Judge, Start
    from othellier.openings.book import Book
    from othellier.openings.explorer import Explorer
    from othellier.openings.names import NameLanguage
    from othellier.openings.tree import Branch

__all__ = ["app", "compare", "drill", "name", "names", "refine", "sample", "tree", "xot_build"]

app = typer.Typer()
_study = typer.Typer(name="openings", help="Opening names, trees and drills.", no_args_is_help=True)
_xot = typer.Typer(name="xot", help="Balanced starts: eight moves, nobody ahead.", no_args_is_help=True)
app.add_typer(_study)
app.add_typer(_xot)

_GamesOption = Annotated[
    list[Path] | None, typer.Option("--games", metavar="PATH", help="Files or folders of games, for results.")
]
_FileOption = Annotated[Path | None, typer.Option("--file", metavar="FILE", help="A list of one's own.")]

LEAN = 100
"""Starts of ours by which it is told how far a judge leans to one side."""


# -- names, trees, drills


@_study.command()
def names(
    text: Annotated[str, typer.Argument(metavar="[TEXT]", help="Only names with this in them.")] = "",
    lang: LangOption = "en",
    json: JsonOption = False,
) -> None:
    """List the openings that have a name; a ? marks a doubtful one."""
    from othellier.openings import names

    for opening in names.search(text) if text else names.openings():
        if json:
            called: dict[str, Any] = {language: opening.names[language] for language in names.LANGUAGES}
            json_line({"moves": opening.transcript, **called, "doubtful": sorted(opening.doubtful)})
        else:
            doubt = "?" if lang in opening.doubtful else ""
            typer.echo(f"{opening.name(lang) + doubt:<40} {opening.transcript}")


@_study.command()
def name(
    moves: Annotated[str, typer.Argument(metavar="MOVES", help="Moves from the start: f5d6c3.")],
    lang: LangOption = "en",
    json: JsonOption = False,
) -> None:
    """Name the opening of a game."""
    from othellier.openings import names

    opening = names.opening_of(moves)
    called = "" if opening is None else opening.name(lang)
    if json:
        json_line({"name": called, "moves": "" if opening is None else opening.transcript})
    else:
        typer.echo(called or "no name is known")


@_study.command()
def tree(
    moves: Annotated[str, typer.Argument(metavar="MOVES", help="Moves from the start: f5d6c3.")] = "",
    depth: Annotated[int, typer.Option(min=0, max=60, metavar="N", help="Plies to follow.")] = 3,
    games: _GamesOption = None,
    book: BookOption = None,
    lang: LangOption = "en",
    json: JsonOption = False,
) -> None:
    """The moves that matter after a line: names, book values for the side that moves, results of games."""
    from othellier.openings.tree import grow
    from othellier.records.transcript import parse_moves

    line = [move for move in parse_moves(moves) if move >= 0]
    grown = grow(line, depth, _explorer(games, book))
    for branch in grown.walk():
        if json:
            json_line(_branch_facts(branch, lang))
        else:
            typer.echo(_branch_line(branch, len(line), lang))


def _explorer(games: list[Path] | None, book: Path | None) -> Explorer:
    from othellier.openings import book as books
    from othellier.openings.explorer import Explorer
    from othellier.openings.games import load

    return Explorer(load(games) if games else None, books.shipped() if book is None else open_book(book))


def _branch_facts(branch: Branch, lang: NameLanguage) -> dict[str, Any]:
    statistics = branch.statistics
    return {
        "moves": "".join(square_name(move) for move in branch.moves),
        "opening": "" if branch.opening is None else branch.opening.name(lang),
        **entry_facts(branch.entry),
        "games": statistics.games,
        "black": statistics.black,
        "draws": statistics.draws,
        "white": statistics.white,
        "score": None if statistics.score is None else round(statistics.score, 2),
    }


def _branch_line(branch: Branch, first: int, lang: NameLanguage) -> str:
    move = square_name(branch.moves[-1]) if branch.moves else "start"
    parts = ["  " * (len(branch.moves) - first) + move]
    if branch.entry is not None:
        parts.append(f"{branch.entry.value:+d}" + ("!" if branch.entry.is_exact else ""))
    if branch.statistics.games:
        found = branch.statistics
        parts.append(f"({found.games:,} games: {found.black:,}-{found.draws:,}-{found.white:,})")
    if branch.opening is not None:
        parts.append(branch.opening.name(lang))
    return " ".join(parts)


@_study.command()
def drill(
    opening: Annotated[str, typer.Argument(metavar="[OPENING]", help="A name, or moves: f5d6c3.")] = "",
    color: Annotated[Literal["black", "white"], typer.Option(help="The side to learn.")] = "black",
    plies: Annotated[int, typer.Option(min=1, max=59, metavar="N", help="Learn so many plies.")] = 12,
    book: BookOption = None,
    deck: Annotated[Path | None, typer.Option(metavar="FILE", help="Where what was learnt is kept.")] = None,
    cards: Annotated[int, typer.Option(min=1, metavar="N", help="Ask no more than this today.")] = 20,
    lang: LangOption = "en",
) -> None:
    """Learn an opening by heart: what is due today is asked, and comes back the sooner the worse it is known."""
    from othellier.openings import book as books
    from othellier.openings.drill import Deck, repertoire
    from othellier.pictures import text

    memories = Deck(deck)
    known: Book | None = books.shipped() if book is None else open_book(book)
    asked = memories.due(repertoire(color, _opening_moves(opening), known, plies), date.today())[:cards]
    if not asked:
        typer.echo("Nothing is due today.")
        return
    right = done = 0
    while asked:
        card = asked[0]
        last = card.moves[-1] if card.moves else None
        typer.echo(f"\n{card.label(lang)}\n{text(card.position, last_move=last, style=board_style())}")
        move = _ask(card.position.moves())
        if move is None:
            break
        done += 1
        asked = asked[1:]
        answers = ", ".join(square_name(answer) for answer in card.answers)
        if memories.answer(card, move, date.today()):
            right += 1
            typer.echo("Right." if len(card.answers) == 1 else f"Right: {answers}.")
        else:
            typer.echo(f"No: {answers}.")
            asked.append(card)  # until it is known
    typer.echo(f"\n{right} of {done} right, {len(asked)} left for today.")


def _opening_moves(opening: str) -> tuple[int, ...]:
    """The moves of an opening given by name or by themselves."""
    from othellier import native
    from othellier.errors import RecordError
    from othellier.game import replay
    from othellier.openings import names
    from othellier.records.transcript import parse_moves

    if not opening:
        return ()
    try:
        moves = parse_moves(opening)
    except RecordError:
        found = names.search(opening)
        if not found:
            raise ConfigError(f"no opening is called {opening!r}") from None
        return found[0].moves
    return tuple(move for move in replay(native.start(), moves)[0] if move >= 0)


def _ask(legal: list[int]) -> int | None:
    """A legal move typed by the learner; None at the end of the input, or for q."""
    while True:
        print("Your move (q ends): ", end="", flush=True)
        line = sys.stdin.readline()
        word = line.strip()
        if not line or word.lower() in ("q", "quit"):
            typer.echo("")
            return None
        try:
            move = parse_square(word)
        except InvalidPosition:
            move = -1
        if move in legal:
            return move
        typer.echo(f"Legal are {', '.join(square_name(square) for square in legal)}.")


# -- balanced starts


@_xot.command("build")
def xot_build(
    out: Annotated[Path | None, typer.Argument(metavar="[OUT]", help="The list to write; or to check.")] = None,
    band: Annotated[float, typer.Option(min=0, metavar="DISCS", help="Keep what nobody is further ahead in.")] = 2.0,
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
    from othellier.analysts import judge
    from othellier.distribute import Crew
    from othellier.openings import balanced

    with Crew(executor, jobs) as crew:
        if check:
            _check_starts(_starts(out), band, judge(crew, depth or 12, progress), sample, json)
            return
        depth = depth or 16
        if out is None:
            raise ConfigError("name the file to write, or check the built-in list with --check")
        found, centre = balanced.build(balanced.stages(lambda plies: judge(crew, plies, progress), depth, band))
    balanced.write(found, out, balanced.comment(depth, centre, band))
    if json:
        count = len(balanced.all_openings())
        json_line({"file": str(out), "openings": count, "starts": len(found), "band": band, "centre": centre})
    else:
        typer.echo(f"{out}: {len(found):,} of {len(balanced.all_openings()):,} openings are balanced")


def _starts(path: Path | None) -> list[Start]:
    from othellier.openings import balanced

    return list(balanced.shipped()) if path is None else balanced.read(path)


def _check_starts(found: list[Start], band: float, judge: Judge, sample: int, json: bool) -> None:
    """Check a list for what it must be, and value some of it again, and some of what it has left out."""
    import random

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
    typer.echo(f"{len(found):,} starts of {len(every):,} openings: legal, all different, within {band:g} discs.")
    if changes:
        typer.echo(f"{len(changes)} of them valued again differ by {facts['mean_change']:.2f} discs in the mean;")
        typer.echo(f"{facts['outside']} then lie outside, none beyond {facts['farthest']:.2f} discs from balance,")
        typer.echo(f"and {facts['absent_inside']} of {len(beyond)} openings not in the list lie inside.")


@_xot.command()
def refine(
    source: Annotated[Path, typer.Argument(metavar="IN", help="A list of starts.")],
    out: Annotated[Path, typer.Argument(metavar="OUT", help="The list to write.")],
    band: Annotated[float, typer.Option(min=0, metavar="DISCS", help="Keep what nobody is further ahead in.")] = 2.0,
    depth: Annotated[
        int, typer.Option(min=0, metavar="N", help="Plies to search; 0: none, keep by the values of the list.")
    ] = 16,
    jobs: JobsOption = None,
    executor: ExecutorOption = "processes",
    json: JsonOption = False,
) -> None:
    """Value a list of starts again, deeper, and keep those that stay balanced."""
    from othellier.analysts import judge
    from othellier.distribute import Crew
    from othellier.openings import balanced

    before = balanced.read(source)
    if depth:
        with Crew(executor, jobs) as crew:
            found = balanced.refine(before, judge(crew, depth, progress), band)
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
        typer.echo(f"{out}: {len(found):,} of {len(before):,} starts stay balanced")


@_xot.command()
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
    typer.echo(start.transcript + ("" if start.value is None else f"  {start.value:+g} for Black"))
    if console().is_terminal:
        typer.echo(text(start.position, style=board_style()))


@_xot.command()
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
    typer.echo(f"ours {found.ours:,}, theirs {found.theirs:,}, in both {found.both:,}")
    if "theirs_valued" in facts:
        for discs, count in facts["theirs_valued"].items():
            typer.echo(f"  {count:>6,} that we lack are worth up to {discs} discs to one side")


def _distances(starts: Sequence[Start], ours: Sequence[Start], depth: int, jobs: int | None) -> dict[str, int]:
    """How many starts there are by their distance from balance, in whole discs; balance is that of our list."""
    from othellier.analysts import judge
    from othellier.distribute import Crew
    from othellier.openings import balanced

    with Crew("processes", jobs) as crew:
        values = judge(crew, depth, progress)
        centre = balanced.lean(ours, balanced.for_black(ours, values))
        discs = sorted(math.ceil(abs(value - centre)) for value in balanced.for_black(starts, values))
    return {str(distance): discs.count(distance) for distance in dict.fromkeys(discs)}
