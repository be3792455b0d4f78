"""Openings on the command line: names, trees and drills."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

import typer

from othellier.cli.book import BookOption, LangOption, entry_facts, names_language, some_book
from othellier.errors import ConfigError, InvalidPosition
from othellier.messages.language import say
from othellier.rules.geometry import parse_square, square_name
from othellier.terminal.output import JsonOption, board_style, echo, json_line

if TYPE_CHECKING:
    from othellier.openings.explorer import Explorer
    from othellier.openings.names import NameLanguage
    from othellier.openings.tree import Branch

app = typer.Typer()
_group = typer.Typer(name="openings", help="Opening names, trees and drills.", no_args_is_help=True)
app.add_typer(_group)

_GamesOption = Annotated[
    list[Path] | None, typer.Option("--games", metavar="PATH", help="Files or folders of games, for results.")
]


@_group.command()
def names(
    text: Annotated[str, typer.Argument(metavar="[TEXT]", help="Only names with this in them.")] = "",
    lang: LangOption = None,
    json: JsonOption = False,
) -> None:
    """List the openings that have a name; a ? marks a doubtful one."""
    from othellier.openings import names

    chosen = names_language(lang)
    for opening in names.search(text) if text else names.openings():
        if json:
            called: dict[str, Any] = {language: opening.names[language] for language in names.LANGUAGES}
            json_line({"moves": opening.transcript, **called, "doubtful": sorted(opening.doubtful)})
        else:
            doubt = "?" if chosen in opening.doubtful else ""
            echo(f"{opening.name(chosen) + doubt:<40} {opening.transcript}")


@_group.command()
def name(
    moves: Annotated[str, typer.Argument(metavar="MOVES", help="Moves from the start: f5d6c3.")],
    lang: LangOption = None,
    json: JsonOption = False,
) -> None:
    """Name the opening of a game."""
    from othellier.openings import names

    opening = names.opening_of(moves)
    called = "" if opening is None else opening.name(names_language(lang))
    if json:
        json_line({"name": called, "moves": "" if opening is None else opening.transcript})
    else:
        echo(called or say("no name is known"))


@_group.command()
def tree(
    moves: Annotated[str, typer.Argument(metavar="MOVES", help="Moves from the start: f5d6c3.")] = "",
    depth: Annotated[int, typer.Option(min=0, max=60, metavar="N", help="Plies to follow.")] = 3,
    games: _GamesOption = None,
    book: BookOption = None,
    lang: LangOption = None,
    json: JsonOption = False,
) -> None:
    """The moves that matter after a line: names, book values for the side that moves, results of games."""
    from othellier.openings.tree import grow_tree
    from othellier.records.transcript import parse_moves

    line = [move for move in parse_moves(moves) if move >= 0]
    grown = grow_tree(line, depth, _explorer(games, book))
    chosen = names_language(lang)
    for branch in grown.walk():
        if json:
            json_line(_branch_facts(branch, chosen))
        else:
            echo(_branch_line(branch, len(line), chosen))


def _explorer(games: list[Path] | None, book: Path | None) -> Explorer:
    from othellier.openings.explorer import Explorer
    from othellier.openings.games import load

    return Explorer(load(games) if games else None, some_book(book))


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
    move = square_name(branch.moves[-1]) if branch.moves else say("start")
    parts = ["  " * (len(branch.moves) - first) + move]
    if branch.entry is not None:
        parts.append(f"{branch.entry.value:+d}" + ("!" if branch.entry.is_exact else ""))
    if branch.statistics.games:
        found = branch.statistics
        counts = {"games": found.games, "black": found.black, "draws": found.draws, "white": found.white}
        parts.append(say("({games:,} games: {black:,}-{draws:,}-{white:,})", **counts))
    if branch.opening is not None:
        parts.append(branch.opening.name(lang))
    return " ".join(parts)


@_group.command()
def drill(
    opening: Annotated[str, typer.Argument(metavar="[OPENING]", help="A name, or moves: f5d6c3.")] = "",
    color: Annotated[Literal["black", "white"], typer.Option(help="The side to learn.")] = "black",
    plies: Annotated[int, typer.Option(min=1, max=59, metavar="N", help="Learn so many plies.")] = 12,
    book: BookOption = None,
    deck: Annotated[Path | None, typer.Option(metavar="FILE", help="Where what was learnt is kept.")] = None,
    cards: Annotated[int, typer.Option(min=1, metavar="N", help="Ask no more than this today.")] = 20,
    lang: LangOption = None,
) -> None:
    """Learn an opening by heart: what is due today is asked, and comes back the sooner the worse it is known."""
    from othellier.openings.drill import Deck, repertoire, today
    from othellier.pictures import text

    memories = Deck(deck)
    asked = memories.due(repertoire(color, _opening_moves(opening), some_book(book), plies), today())[:cards]
    if not asked:
        echo(say("Nothing is due today."))
        return
    right = done = 0
    while asked:
        card = asked[0]
        last = card.moves[-1] if card.moves else None
        echo(
            f"\n{card.label(names_language(lang))}\n{text(card.position, last_move=last, style=board_style(), say=say)}"
        )
        move = _ask(card.position.moves())
        if move is None:
            break
        done += 1
        asked = asked[1:]
        answers = ", ".join(square_name(answer) for answer in card.answers)
        if memories.answer(card, move, today()):
            right += 1
            echo(say("Right.") if len(card.answers) == 1 else say("Right: {answers}.", answers=answers))
        else:
            echo(say("No: {answers}.", answers=answers))
            asked.append(card)  # until it is known
    echo(say("\n{right} of {done} right, {left} left for today.", right=right, done=done, left=len(asked)))


def _opening_moves(opening: str) -> tuple[int, ...]:
    """The moves of an opening given by name or by themselves."""
    from othellier.errors import RecordError
    from othellier.games.game import replay
    from othellier.openings import names
    from othellier.records.transcript import parse_moves
    from othellier.rules import native

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
        print(say("Your move (q ends): "), end="", flush=True)
        line = sys.stdin.readline()
        word = line.strip()
        if not line or word.lower() in ("q", "quit"):
            echo("")
            return None
        try:
            move = parse_square(word)
        except InvalidPosition:
            move = -1
        if move in legal:
            return move
        echo(say("Legal are {moves}.", moves=", ".join(square_name(square) for square in legal)))
