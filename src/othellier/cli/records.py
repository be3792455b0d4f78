"""Commands about records: show what is in one, convert one to another."""

from __future__ import annotations

import time
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from othellier.errors import ConfigError, RecordError
from othellier.messages.language import say
from othellier.terminal.output import JsonOption, board_style, echo, given, json_line, move_list, progress_share, reason

if TYPE_CHECKING:
    from othellier.games.game import Game

app = typer.Typer()

NAMED = 20
"""Games left out that are named one by one."""
FORMAT_HELP = "instead of going by the content or the file's ending."


@app.command()
def show(
    record: Annotated[
        str, typer.Argument(metavar="RECORD", help="A file, the text of a record (F5D6C3 …), or - for standard input.")
    ],
    game: Annotated[int | None, typer.Option(min=1, metavar="N", help="Show this game, not the list of all.")] = None,
    ply: Annotated[int, typer.Option(metavar="N", help="The board after N moves; -1 is the last.")] = -1,
    svg: Annotated[Path | None, typer.Option(metavar="FILE", help="Draw the board to a file.")] = None,
    json: JsonOption = False,
) -> None:
    """Show the games or positions of a record: the one there is, or a line for each."""
    from othellier import records

    data = given(record)
    with progress_share(say("reading {source}", source=record)) as reached:
        games = records.read(data, errors="collect", progress=reached)
    chosen = list(enumerate(games, 1))
    if game is not None and games:
        if game > len(games):
            raise ConfigError(f"there is no game {game}: the record has {len(games)}")
        chosen = [chosen[game - 1]]
    if svg is not None and len(chosen) > 1:
        raise ConfigError(f"the record has {len(chosen)} games: choose the one to draw with --game")
    for number, one in chosen:
        if not json and len(chosen) > 1:
            echo(_line(number, one))
            continue
        one.goto(ply)
        if json:
            json_line(_facts(number, one))
        else:
            echo(_page(one))
    if svg is not None and chosen:
        _draw(chosen[0][1], svg)
    if games.errors:  # the good games were shown; what was bad is told last, where it is seen
        raise games.errors[0]


@app.command()
def convert(
    source: Annotated[str, typer.Argument(metavar="IN", help="A file, the text of a record, or - for standard input.")],
    target: Annotated[str, typer.Argument(metavar="OUT", help="The file to write, or - for standard output.")],
    source_format: Annotated[
        str | None, typer.Option("--from", metavar="FORMAT", help=f"Read this format {FORMAT_HELP}")
    ] = None,
    target_format: Annotated[
        str | None, typer.Option("--to", metavar="FORMAT", help=f"Write this format {FORMAT_HELP}")
    ] = None,
    json: JsonOption = False,
) -> None:
    """Write the games of one record as another; the formats go by content and by the file's ending.

    A game that cannot be read, or that the other format cannot hold, is left out and named at the end.
    """
    from othellier import records

    left_out: list[RecordError] = []
    if target == "-":
        if json or target_format is None:
            raise ConfigError("to convert to standard output, name the format with --to, and leave out --json")
        data = given(source)
        with progress_share(say("reading {source}", source=source)) as reached:
            games = records.read(data, source_format, errors="collect", progress=reached)
        left_out += games.errors
        text = records.dumps(games, target_format, left_out)
        if not text:
            raise left_out[0]
        typer.echo(text, nl=False)
        _tell(left_out, len(games) + len(games.errors), "standard output")
        return
    begin = time.perf_counter()
    data = given(source)
    with progress_share(say("converting {source}", source=source)) as reached:
        count = records.convert(data, target, source_format, target_format, left_out=left_out, progress=reached)
    seconds = time.perf_counter() - begin
    if json:
        json_line({"games": count, "left_out": len(left_out), "out": target, "seconds": round(seconds, 6)})
    else:
        words = "{count} game written to {file}" if count == 1 else "{count:,} games written to {file}"
        echo(say(words, count=count, file=target))
    _tell(left_out, count + len(left_out), target)


def _tell(left_out: list[RecordError], count: int, target: str) -> None:
    """Name the games that were left out, the first of many, and end as after any error."""
    if not left_out:
        return
    for error in left_out[:NAMED]:
        echo(reason(error), err=True)
    raise RecordError(target, "", f"{len(left_out):,} of {count:,} games were left out")


def _line(number: int, game: Game) -> str:
    """One game of many in a line."""
    moves = game.transcript() or game.start.board_string()
    names = f"{game.headers.black or '?'} - {game.headers.white or '?'}"
    return f"{number:>6}  {names:<42} {_result(game):<14} {moves[:40]}{'…' if len(moves) > 40 else ''}"


def _result(game: Game) -> str:
    outcome = game.outcome()
    if outcome is None:
        return say("unfinished")
    why = f" ({say(outcome.reason)})" if outcome.reason else ""
    return f"{say(outcome.winner)} +{abs(outcome.score):g}{why}" if outcome.winner else say("draw") + why


def _page(game: Game) -> str:
    """One game in full: who, the board, the moves, the result."""
    from othellier.pictures import text
    from othellier.rules.geometry import square_name

    headers, current, size = game.headers, game.current, game.start.size
    names = ""
    if headers.black or headers.white:
        names = say("Black: {black}. White: {white}.", black=headers.black or "?", white=headers.white or "?")
    heading = "\n".join(filter(None, (names, ", ".join(filter(None, (headers.event, headers.date))))))
    parts = [heading] if heading else []
    parts.append(text(current.position, last_move=current.move, style=board_style(), say=say))
    if current.scores:
        parts.append("  ".join(f"{square_name(move, size)} {score:+g}" for move, score in current.scores.items()))
    if current.comment:
        parts.append(current.comment)
    if game.root.main is not None:
        parts.append(move_list(game.main_line()))
        parts.append(say("Result: {result}", result=_result(game)))
    return "\n\n".join(parts)


def _facts(number: int, game: Game) -> dict[str, Any]:
    """What the JSON line of a game says; `board`, `turn` and `ply` are those looked at."""
    from othellier.rules.geometry import square_name

    outcome = game.outcome()
    position, size = game.position, game.start.size
    return {
        "index": number,
        "size": str(size),
        "black": game.headers.black,
        "white": game.headers.white,
        "event": game.headers.event,
        "date": game.headers.date,
        "moves": game.transcript(),
        "score": None if outcome is None else outcome.score,
        "reason": None if outcome is None else outcome.reason,
        "ply": game.current.ply,
        "board": position.board_string(),
        "legal": [square_name(move, size) for move in position.moves()],
        "scores": {square_name(move, size): score for move, score in game.current.scores.items()},
    }


def _draw(game: Game, path: Path) -> None:
    from othellier.base.files import write_file
    from othellier.pictures import svg
    from othellier.rules.geometry import PASS

    current = game.current
    values = {move: score for move, score in current.scores.items() if move != PASS}
    write_file(path, [svg(current.position, last_move=current.move, values=values).encode()])
