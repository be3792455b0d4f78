"""The command that shows a search: its tree as a picture, a page to step through, or data."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from othellier.errors import ConfigError, InvalidPosition
from othellier.messages.language import language as spoken
from othellier.messages.language import say
from othellier.rules.geometry import Size
from othellier.terminal.output import JsonOption, echo, json_line, parse_size, progress_share

if TYPE_CHECKING:
    from othellier.rules.board import Position
    from othellier.search import RecordedTree

app = typer.Typer()

BOARD_SIGNS = re.compile(r"[XxOo*BbWw.\-\s]+")
ENDINGS = (".svg", ".html", ".json")


def _position(text: str, size: Size | None) -> Position:
    """A board string, moves from the start, a record, or what `othellier show --json` prints."""
    import json

    from othellier import records
    from othellier.rules.board import Position

    if text.lstrip().startswith("{"):
        try:
            facts = json.loads(text)
            text, size = str(facts["board"]), size or Size.parse(str(facts["size"])) if "size" in facts else size
        except (json.JSONDecodeError, KeyError, TypeError):
            raise InvalidPosition("this JSON has no board: `othellier show GAME --json` prints one that has") from None
    if BOARD_SIGNS.fullmatch(text) and text.strip("- \n"):
        return Position.parse(text, size)
    games = records.read(text)
    if len(games) != 1:
        raise ConfigError(f"the record has {len(games)} games: name one position")
    games[0].goto(-1)
    return games[0].position


@app.command(context_settings={"ignore_unknown_options": True})  # a board may begin with empty squares: ------
def tree(
    position: Annotated[
        str,
        typer.Argument(
            metavar="POSITION", help='"BOARD SIDE", moves such as f5d6c3, a record, or a line of show --json.'
        ),
    ],
    player: Annotated[
        list[str] | None,
        typer.Option(metavar="PLAYER", help="A classical player; give two to see them side by side. alphabeta:depth=3"),
    ] = None,
    out: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help=".svg (a picture), .html (to step through) or .json (all of it)."),
    ] = None,
    size: Annotated[
        Size | None, typer.Option(parser=parse_size, metavar="SIZE", help="Of a board string that is not square.")
    ] = None,
    shown: Annotated[
        int, typer.Option(min=1, max=5000, metavar="N", help="Positions to draw; others are folded.")
    ] = 300,
    most: Annotated[
        int, typer.Option(min=1, max=10_000_000, metavar="N", help="Positions to keep; others are counted.")
    ] = 100_000,
    language: Annotated[
        str | None, typer.Option(metavar="en|fr", help="The words in the picture; else the language of the texts.")
    ] = None,
    json: JsonOption = False,
) -> None:
    """Show the tree of a classical search: values, windows, cuts and the best line."""
    from othellier.base.files import write_file
    from othellier.players import create_player
    from othellier.search import Comparison, record

    if out is not None and out.suffix not in ENDINGS:
        raise ConfigError(f"{out}: a tree is written as {', '.join(ENDINGS)}")
    language = language or spoken()
    if language not in ("en", "fr"):
        raise ConfigError(f"language {language!r}: en or fr expected")
    chosen: Literal["en", "fr"] = "fr" if language == "fr" else "en"
    start = _position(position, size)
    trees: list[RecordedTree] = []
    for spec in player or ["alphabeta:depth=3"]:
        with progress_share(say("recording {spec}", spec=spec)) as reached:
            made = create_player(spec)
            if not hasattr(made, "options"):
                raise ConfigError(f"player {spec!r}: only minimax and its relatives and mcts can be recorded")
            trees.append(record(start, made, most=most, told=reached))
    drawn = trees[0] if len(trees) == 1 else Comparison(trees)
    if out is not None:
        if out.suffix == ".svg":
            text = drawn.svg(shown=shown, language=chosen)
        elif out.suffix == ".html":
            text = drawn.html(shown=shown, language=chosen)
        else:
            text = drawn.json()
        write_file(out, [text.encode()])
    if json:
        for one in trees:
            json_line(one.facts())
        return
    for one in trees:
        echo("\n".join(_summary(one, shown, chosen)))
    if out is not None:
        echo(str(out))


def _summary(tree: RecordedTree, shown: int, language: Literal["en", "fr"]) -> list[str]:
    """What was found, and the first moves, the best first."""
    from othellier.messages.languages import french_number
    from othellier.rules.geometry import square_name
    from othellier.search.trees.drawing import WORDS, agreeing, heading, lay_out, number

    words = WORDS[language]
    lines = heading(lay_out(tree, shown), words)
    for one in sorted(tree.outcome.moves, key=lambda one: (one.visits, one.value, one.bound == "exact"), reverse=True):
        worth = number(one.value, words)
        if one.visits:
            visits = agreeing(words, "visits", one.visits).format(count=f"{one.visits:,}")
            worth = f"{100 * one.value:5.1f} %  {visits}"
            worth = french_number(worth) if language == "fr" else worth
        mark = {"exact": "", "upper": "≤ ", "lower": "≥ "}[one.bound]
        lines.append(f"  {square_name(one.move, tree.size):<4} {mark}{worth}")
    return lines
