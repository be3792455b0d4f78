"""The book on the command line: info, query, build, check, import, export, merge, prune."""

from __future__ import annotations

import math
import sys
import time
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

import typer

from othellier.errors import ConfigError
from othellier.messages.language import language, say
from othellier.rules.geometry import square_name
from othellier.terminal.output import ExecutorOption, JobsOption, JsonOption, echo, json_line, progress, progress_share

if TYPE_CHECKING:
    from othellier.openings.book import Book, Entry
    from othellier.openings.quality import SearchValues
    from othellier.rules.board import Position

app = typer.Typer()
_group = typer.Typer(name="book", help="A book of openings: look into it, grow it, convert it.", no_args_is_help=True)
app.add_typer(_group)

BookOption = Annotated[Path | None, typer.Option("--book", metavar="FILE", help="Another book than the built-in one.")]
LangOption = Annotated[
    Literal["en", "fr", "ja"] | None, typer.Option(help="Language of opening names; else that of the texts.")
]
_PositionOption = Annotated[
    str | None, typer.Option("--position", metavar='"BOARD SIDE"', help="A board string instead of moves.")
]
_MovesArgument = Annotated[str, typer.Argument(metavar="MOVES", help="Moves from the start: f5d6c3.")]
_PliesOption = Annotated[int | None, typer.Option(min=0, metavar="N", help="Only positions after N moves or fewer.")]
_WidthOption = Annotated[
    float | None, typer.Option(min=0, metavar="DISCS", help="Only moves within so many discs of the best.")
]


def names_language(lang: Literal["en", "fr", "ja"] | None) -> Literal["en", "fr", "ja"]:
    """The language of opening names: the one asked for, else that of this run."""
    return lang or ("fr" if language() == "fr" else "en")


def some_book(path: Path | None) -> Book | None:
    """The book named, else the built-in one, if there is one."""
    from othellier.openings import book

    return book.shipped() if path is None else book.Book.open(path)


def _open_book(path: Path | None) -> Book:
    """The book named, else the built-in one."""
    found = some_book(path)
    if found is None:
        raise ConfigError("no book is built in here: name one with --book FILE")
    return found


def find_position(moves: str, board: str | None = None) -> Position:
    """The position after moves, or that of a board string."""
    from othellier.games.game import replay
    from othellier.records.transcript import parse_moves
    from othellier.rules import native

    if board is not None:
        if moves:
            raise ConfigError("give moves or --position, not both")
        return native.parse(board)
    return replay(native.start(), parse_moves(moves))[1]


def entry_facts(entry: Entry | None) -> dict[str, Any]:
    """What the JSON says of a book's entry."""
    if entry is None:
        return {"value": None}
    return {
        "value": entry.value,
        "confidence": entry.confidence,
        "exact": entry.is_exact,
        "win": round(entry.win, 4),
        "draw": round(entry.draw, 4),
    }


@_group.command()
def info(
    file: Annotated[Path | None, typer.Argument(metavar="FILE", help="Another book than the built-in one.")] = None,
    width: Annotated[float, typer.Option(min=0, metavar="DISCS", help="Lines to look for: each move so good.")] = 4.0,
    json: JsonOption = False,
) -> None:
    """What a book holds: positions, exact positions and the range of values by moves played, and for how many moves
    it has all good lines. It is checked.
    """
    from othellier.openings.book import Book

    book = Book.open(file or _open_book(None).name)  # checked, the built-in one too
    rows = book.summary()
    date = _date(book.columns.date)
    if json:
        json_line(
            {
                "file": book.name,
                "positions": len(book),
                "exact": sum(row.exact for row in rows),
                "date": date,
                "covered": {"width": width, "moves": book.covered(width)},
                "rows": [
                    {
                        "moves": row.moves,
                        "positions": row.positions,
                        "exact": row.exact,
                        "min": row.least,
                        "max": row.greatest,
                    }
                    for row in rows
                ],
            }
        )
        return
    exact = sum(row.exact for row in rows)
    words = "{name}: {positions:,} positions, {exact:,} exact, of {date}; {covered}\n"
    covered = _covered(book, width)
    echo(say(words, name=book.name, positions=len(book), exact=exact, date=date, covered=covered))
    echo(say("moves  positions    exact   values"))
    for row in rows:
        echo(say("{moves:>5}  {positions:>9,}  {exact:>7,}   {least:+d} … {greatest:+d}", **row._asdict()))


def _covered(book: Book, width: float) -> str:
    words = "all lines within {width:g} discs of best for {moves} moves"
    return say(words, width=width, moves=book.covered(width))


def _date(seconds: int) -> str:
    try:
        return datetime.fromtimestamp(seconds, UTC).strftime("%Y-%m-%d")
    except (OverflowError, OSError, ValueError):
        return say("an unknown date")


@_group.command()
def query(
    moves: _MovesArgument = "",
    position: _PositionOption = None,
    book: BookOption = None,
    lang: LangOption = None,
    json: JsonOption = False,
) -> None:
    """What a book knows of a position and of its moves, best first, for the side to move."""
    from othellier.openings import names

    known = _open_book(book)
    where = find_position(moves, position)
    entry = known.get(where)
    choices = known.moves(where)
    opening = names.find(where) if position is not None else names.opening_of(moves)
    reached = [names.find(where.play(choice.move)) for choice in choices]
    called = ["" if name is None else name.name(names_language(lang)) for name in (opening, *reached)]
    if json:
        json_line(
            {
                "board": where.board_string(),
                "opening": called[0],
                **entry_facts(entry),
                "moves": [
                    {"move": square_name(choice.move), **entry_facts(choice.entry), "opening": name}
                    for choice, name in zip(choices, called[1:], strict=True)
                ],
            }
        )
        return
    known_of = _words(entry) if entry is not None else say("not in the book")
    echo(say("{opening}: {known}", opening=called[0] or say("No name"), known=known_of))
    for choice, name in zip(choices, called[1:], strict=True):
        echo(f"  {square_name(choice.move)}  {_words(choice.entry)}  {name}".rstrip())


def _words(entry: Entry) -> str:
    how = say("exact") if entry.is_exact else say("{plies} plies seen", plies=entry.confidence)
    words = "{value:+3d}  win {win:4.0%}  draw {draw:4.0%}  {how}"
    return say(words, value=entry.value, win=entry.win, draw=entry.draw, how=how)


@_group.command()
def build(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="The book to grow; made where there is none.")],
    positions: Annotated[int, typer.Option(min=2, metavar="N", help="Grow to so many positions.")] = 50_000,
    plies: Annotated[int, typer.Option(min=0, metavar="N", help="Cover all good lines for so many moves.")] = 10,
    width: Annotated[float, typer.Option(min=0, metavar="DISCS", help="Good: each move within so much of best.")] = 4.0,
    spread: Annotated[
        float, typer.Option(metavar="DISCS", help="Then, how much worse a move counts when its work doubles.")
    ] = 0.5,
    deepest: Annotated[int, typer.Option(min=1, max=59, metavar="N", help="No line is drawn further.")] = 50,
    through: Annotated[int, typer.Option(min=1, metavar="N", help="One of N lines is played on to its end.")] = 24,
    depth: Annotated[int, typer.Option(min=1, metavar="N", help="Plies to search each move.")] = 14,
    exact: Annotated[int, typer.Option(min=0, metavar="N", help="Solve with so many empty squares or fewer.")] = 20,
    minutes: Annotated[
        float | None, typer.Option(min=0, metavar="M", help="Begin nothing after M minutes, and save what there is.")
    ] = None,
    main: Annotated[int, typer.Option(min=0, max=59, metavar="N", help="Cover lines of best moves so far.")] = 20,
    along: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Look at the positions of this book too: what people play.")
    ] = None,
    quality: Annotated[int, typer.Option(min=0, metavar="N", help="Then search N ends two plies deeper.")] = 0,
    jobs: JobsOption = None,
    executor: ExecutorOption = "processes",
    json: JsonOption = False,
) -> None:
    """Grow a book: the most promising and least explored lines first. Interrupted, it goes on where it was saved."""
    from othellier.base.files import reserve
    from othellier.base.jobs import Crew
    from othellier.engine.analysts import analyst, searcher
    from othellier.openings.book import Book
    from othellier.openings.build import BookPlan
    from othellier.openings.grow import estimated_endings, grow, prove
    from othellier.rules import native

    seconds = math.inf if minutes is None else 60 * minutes
    plan = BookPlan(positions, plies, width, main, spread, deepest, through, seconds, exact)
    named = [] if along is None else [native.position(*key) for key, _ in Book.open(along).items()]
    begin = time.monotonic()
    sizes: list[int] = []
    with reserve(file), Crew(executor, jobs) as crew:
        with progress(say("growing {file}", file=file), positions) as advance:

            def told(count: int, saved: bool) -> None:
                advance(count - (sizes[-1] if sizes else 0))
                sizes.append(count)
                if saved and not sys.stderr.isatty():  # a log has no bar
                    words = "{file}: {count:,} positions after {seconds:.0f} s"
                    echo(say(words, file=file, count=count, seconds=time.monotonic() - begin), err=True)

            grown = grow(file, plan, analyst(crew, depth, exact), named, told)
        endings = estimated_endings(grown, exact) if time.monotonic() - begin < seconds else []
        if endings:
            with progress("solving", len(endings)) as advance:
                grown = prove(file, grown, endings, searcher(crew, exact), advance)
        first = sizes[0]
        facts: dict[str, Any] = {"file": str(file), "positions": len(grown), "added": len(grown) - first}
        facts["solved"] = len(endings)
        facts["seconds"] = round(time.monotonic() - begin, 3)
        facts["covered"] = grown.covered(width)
        if quality:
            facts["quality"] = _quality_facts(grown, searcher(crew, exact, stage=progress), quality)
    if json:
        json_line(facts)
        return
    words = "{file}: {positions:,} positions, {added:,} of them new; {good}"
    echo(say(words, **facts, good=_covered(grown, width)))
    if quality:
        echo(_quality_words(facts["quality"], 2))


def _quality_facts(
    book: Book, searcher: SearchValues, positions: int, seed: int = 0, deeper: int = 2
) -> dict[str, Any]:
    from othellier.openings.quality import quality

    found = quality(book, searcher, positions, seed, deeper)
    mean, bias = round(found.mean, 3), round(found.bias, 3)
    return {"positions": found.positions, "mean": mean, "bias": bias, "worst": found.worst}


def _quality_words(facts: dict[str, Any], deeper: int) -> str:
    words = (
        "{deeper} plies deeper, {positions} ends of lines change by {mean:.2f} discs in the mean "
        "({bias:+.2f} with its sign, {worst} at the worst)"
    )
    return say(words, deeper=deeper, **facts)


@_group.command()
def check(
    file: Annotated[Path | None, typer.Argument(metavar="FILE", help="Another book than the built-in one.")] = None,
    positions: Annotated[int, typer.Option(min=1, metavar="N", help="Ends of lines to search again.")] = 100,
    deeper: Annotated[int, typer.Option(min=0, max=30, metavar="N", help="Plies more than the book has seen.")] = 2,
    exact: Annotated[int, typer.Option(min=0, metavar="N", help="Solve with so many empty squares or fewer.")] = 20,
    selectivity: Annotated[
        int, typer.Option(min=1, max=100, metavar="PERCENT", help="How sure to be before a move is left out.")
    ] = 73,
    seed: Annotated[int, typer.Option(metavar="N", help="The same number draws the same positions.")] = 0,
    jobs: JobsOption = None,
    executor: ExecutorOption = "processes",
    json: JsonOption = False,
) -> None:
    """How far a book may be trusted: what a deeper search says of the ends of its lines, and whether its values agree
    with those of the moves.
    """
    from othellier.base.jobs import Crew
    from othellier.engine.analysts import searcher
    from othellier.openings.quality import inconsistent

    book = _open_book(file)
    with Crew(executor, jobs) as crew:
        facts = _quality_facts(book, searcher(crew, exact, selectivity, progress), positions, seed, deeper)
    with progress("checking", len(book)) as advance:
        wrong = inconsistent(book, advance)
    if json:
        json_line({"file": book.name, "inconsistent": wrong, "deeper": deeper, "quality": facts})
        return
    words = "{name}: {positions:,} positions, {wrong} of them worth other than their best move"
    echo(say(words, name=book.name, positions=len(book), wrong=wrong))
    echo(_quality_words(facts, deeper))


@_group.command("import")
def import_(
    source: Annotated[Path, typer.Argument(metavar="IN", help="A book (.bib, Edax .dat), games, or a folder of them.")],
    target: Annotated[Path, typer.Argument(metavar="FILE", help="The book to add to; made where there is none.")],
    plies: Annotated[int, typer.Option(min=0, metavar="N", help="Of games: positions after N moves or fewer.")] = 20,
    least: Annotated[int, typer.Option(min=1, metavar="N", help="Of games: positions of N games or more.")] = 2,
    first: Annotated[int, typer.Option("--from", min=0, metavar="N", help="Of games: after N moves or more.")] = 0,
    json: JsonOption = False,
) -> None:
    """Add the positions of another book, or of games, to a book; the surer value of a position counts."""
    from othellier.base.files import reserve
    from othellier.openings.book import Book

    with reserve(target):
        before = Book.open(target) if target.exists() else Book.make({})
        merged = before.merged(_import(source, plies, least, first))
        merged.save(target)
    _report(target, len(merged), {"added": len(merged) - len(before)}, json)


def _import(source: Path, plies: int, least: int, first: int) -> Book:
    from othellier.openings import edax, games
    from othellier.openings.book import Book
    from othellier.openings.lines import from_games

    if source.suffix.lower() == ".bib":
        return Book.open(source)
    words = say("reading {source}", source=source)
    if source.suffix.lower() == ".dat":
        size = source.stat().st_size if source.exists() else 1
        with progress(words, 1.0) as advance:
            found = edax.read(source, lambda read: advance(read / size))
        with progress("merging", len(found.nodes)) as advance:
            book = edax.to_book(found, advance)
    else:
        with progress_share(words) as reached:
            found_games = games.build([source], reached)
        book = from_games(found_games, plies, least, int(time.time()), first)
    book.name = str(source)
    return book


@_group.command()
def export(
    source: Annotated[Path, typer.Argument(metavar="[FILE]", help="Another book than the built-in one.")],
    target: Annotated[
        Path | None, typer.Argument(metavar="OUT", help="A book (.bib, Edax .dat) or games (.ggf, .sgf …).")
    ] = None,
    plies: _PliesOption = None,
    width: _WidthOption = None,
    json: JsonOption = False,
) -> None:
    """Write a book in another format; as games, its lines with their values, by default the best ones."""
    from othellier import records
    from othellier.base.files import reserve
    from othellier.openings import edax
    from othellier.openings.lines import to_games

    known = _pruned(_open_book(source if target is not None else None), plies, width)
    target = target or source
    ending = target.suffix.lower()
    count = len(known)
    with reserve(target):
        if ending == ".bib":
            known.save(target)
        elif ending == ".dat":
            with progress("writing", count) as advance:
                edax.write(edax.from_book(known, advance), target)
        else:
            games = list(to_games(known, width or 0.0))
            records.write(games, target)
            count = len(games)
    what = "positions" if ending in (".bib", ".dat") else "games"
    if json:
        json_line({"file": str(target), what: count})
    else:
        echo(
            say(
                "{file}: {count:,} positions" if what == "positions" else "{file}: {count:,} games",
                file=target,
                count=count,
            )
        )


@_group.command()
def merge(
    first: Annotated[Path, typer.Argument(metavar="FIRST", help="A book.")],
    second: Annotated[Path, typer.Argument(metavar="SECOND", help="Another.")],
    target: Annotated[Path, typer.Argument(metavar="OUT", help="The book to write.")],
    json: JsonOption = False,
) -> None:
    """Make one book of two; where they differ, the surer value counts, and two proofs that differ are an error."""
    from othellier.base.files import reserve
    from othellier.openings.book import Book

    with reserve(target):
        both = Book.open(first).merged(Book.open(second))
        both.save(target)
    _report(target, len(both), {}, json)


@_group.command()
def prune(
    source: Annotated[Path, typer.Argument(metavar="IN", help="A book.")],
    target: Annotated[Path, typer.Argument(metavar="OUT", help="The book to write.")],
    plies: _PliesOption = None,
    width: _WidthOption = None,
    json: JsonOption = False,
) -> None:
    """Keep only what is reached from the start by good moves, to a depth."""
    from othellier.base.files import reserve
    from othellier.openings.book import Book

    with reserve(target):
        book = Book.open(source)
        kept = _pruned(book, plies, width)
        kept.save(target)
    _report(target, len(kept), {"left_out": len(book) - len(kept)}, json)


def _pruned(book: Book, plies: int | None, width: float | None) -> Book:
    from othellier.openings.bookfile import PLACES

    if plies is None and width is None:
        return book
    plies = PLACES - 1 if plies is None else min(plies, PLACES - 1)
    most = sum(row.positions for row in book.summary() if row.moves <= plies)
    with progress("pruning", most) as advance:
        return book.pruned(plies, math.inf if width is None else width, advance)


def _report(target: Path, positions: int, more: dict[str, int], json: bool) -> None:
    if json:
        json_line({"file": str(target), "positions": positions, **more})
    else:
        told = {"added": ", added {count:,}", "left_out": ", left out {count:,}"}
        words = "".join(say(told[name], count=count) for name, count in more.items())
        echo(say("{file}: {count:,} positions", file=target, count=positions) + words)
