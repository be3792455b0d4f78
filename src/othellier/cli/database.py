"""Databases of games on the command line: index, search, stats, openings."""

from __future__ import annotations

import time
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

import typer

from othellier.cli.book import BookOption, LangOption, entry_facts, find_position, names_language, some_book
from othellier.messages.language import say
from othellier.rules.geometry import square_name
from othellier.terminal.output import JsonOption, echo, json_line, progress_share

if TYPE_CHECKING:
    from othellier.openings.explorer import Explorer, Query, Statistics
    from othellier.openings.games import GameCollection

app = typer.Typer()
_group = typer.Typer(
    name="database", help="Databases of games: by player, year, result, position, opening.", no_args_is_help=True
)
app.add_typer(_group)

_PathsArgument = Annotated[
    list[Path], typer.Argument(metavar="PATH…", help="Files of games, or folders: WTHOR, GGF, SGF, transcripts …")
]
_IndexOption = Annotated[
    Path | None,
    typer.Option("--index", metavar="FILE", help="Where the index is kept; in the user's cache by default."),
]
_PlayerOption = Annotated[str, typer.Option(metavar="NAME", help="Part of a player's name, of either colour.")]
_BlackOption = Annotated[str, typer.Option(metavar="NAME", help="Part of Black's name.")]
_WhiteOption = Annotated[str, typer.Option(metavar="NAME", help="Part of White's name.")]
_TournamentOption = Annotated[str, typer.Option(metavar="NAME", help="Part of a tournament's name.")]
_YearOption = Annotated[str, typer.Option(metavar="YEAR", help="One year, or several: 1990-1999, 2010-.")]
_ResultOption = Annotated[Literal["", "black", "white", "draw"], typer.Option(help="Who won.")]
_PositionOption = Annotated[
    str | None, typer.Option("--position", metavar="MOVES", help="A position by moves, or a board string.")
]
_OpeningOption = Annotated[str, typer.Option(metavar="NAME", help="An opening by its name, in any language.")]


@_group.command()
def index(paths: _PathsArgument, file: _IndexOption = None, json: JsonOption = False) -> None:
    """Read games and keep an index of them; it is made anew by itself when they change."""
    from othellier.openings.games import index_path

    begin = time.perf_counter()
    kept = file or index_path(paths)
    if file is None:
        kept.parent.mkdir(parents=True, exist_ok=True)
    games = _load(paths, kept)  # told where, it says when the index cannot be kept
    facts = {
        "index": str(kept),
        "games": len(games),
        "left_out": games.left_out,
        "players": len(games.players),
        "tournaments": len(games.tournaments),
        "seconds": round(time.perf_counter() - begin, 4),
    }
    if json:
        json_line(facts)
        return
    echo(say("{games:,} games of {players:,} players, {left_out:,} left out: {index}", **facts))


@_group.command()
def search(
    paths: _PathsArgument,
    position: _PositionOption = None,
    opening: _OpeningOption = "",
    player: _PlayerOption = "",
    black: _BlackOption = "",
    white: _WhiteOption = "",
    tournament: _TournamentOption = "",
    year: _YearOption = "",
    result: _ResultOption = "",
    limit: Annotated[int, typer.Option(min=0, metavar="N", help="Show so many games; 0 shows all.")] = 20,
    file: _IndexOption = None,
    json: JsonOption = False,
) -> None:
    """Find games; all that is asked for must hold."""
    from othellier.openings.explorer import Explorer

    games = _load(paths, file)
    query = _query(position, opening, (player, black, white), tournament, year, result)
    begin = time.perf_counter()
    found = Explorer(games).search(query)
    seconds = time.perf_counter() - begin
    shown = [_game_facts(games, int(number)) for number in (found if limit == 0 else found[:limit])]
    if json:
        json_line({"count": len(found), "searched": len(games), "seconds": round(seconds, 6), "games": shown})
        return
    for one in shown:
        score = "      ?" if one["score"] is None else f"{one['score']:+7d}"
        names = f"{one['black'] or '?'} - {one['white'] or '?'}"
        echo(f"{one['year'] or '????'}  {names:<42} {score}  {one['tournament']:<26} {one['moves'][:24]}…")
    echo(say("{found:,} of {games:,} games", found=len(found), games=len(games)))


@_group.command()
def stats(
    paths: _PathsArgument,
    position: _PositionOption = None,
    opening: _OpeningOption = "",
    player: _PlayerOption = "",
    black: _BlackOption = "",
    white: _WhiteOption = "",
    tournament: _TournamentOption = "",
    year: _YearOption = "",
    result: _ResultOption = "",
    book: BookOption = None,
    lang: LangOption = None,
    file: _IndexOption = None,
    json: JsonOption = False,
) -> None:
    """What was played from a position, how often and with what success; the book's values beside it."""
    from othellier.openings.explorer import Explorer

    explorer = Explorer(_load(paths, file), some_book(book))
    query = _query(position, opening, (player, black, white), tournament, year, result)
    chosen = names_language(lang)
    json_line(_exploration(explorer, query, chosen)) if json else _print_exploration(explorer, query, chosen)


@_group.command()
def openings(
    paths: _PathsArgument,
    moves: Annotated[int, typer.Option(min=1, max=60, metavar="N", help="Look at the first N moves of a game.")] = 12,
    limit: Annotated[int, typer.Option(min=0, metavar="N", help="Show so many openings; 0 shows all.")] = 20,
    lang: LangOption = None,
    file: _IndexOption = None,
    json: JsonOption = False,
) -> None:
    """What the openings of the games are called, and how many games have a name at all."""
    from othellier.openings.explorer import Explorer

    games = _load(paths, file)
    found = Explorer(games).openings(moves)
    named = sum(count for _, count in found)
    depths = {depth: sum(count for one, count in found if len(one.moves) >= depth) for depth in range(2, moves + 1)}
    share = {depth: round(count / max(1, len(games)), 4) for depth, count in depths.items() if count}
    shown = found if limit == 0 else found[:limit]
    chosen = names_language(lang)
    if json:
        listed = [{"name": one.name(chosen), "moves": one.transcript, "games": count} for one, count in shown]
        json_line({"games": len(games), "named": named, "share": share.get(2, 0.0), "from": share, "openings": listed})
        return
    for one, count in shown:
        echo(say("{count:>9,}  {name:<40} {moves}", count=count, name=one.name(chosen), moves=one.transcript))
    words = "{named:,} of {games:,} games have a name after {moves} moves: {share:.1%}"
    echo(say(words, named=named, games=len(games), moves=moves, share=share.get(2, 0.0)))
    parts = ", ".join(say("{part:.1%} from {depth}", part=part, depth=depth) for depth, part in share.items())
    echo(say("by the moves of the name: {parts}", parts=parts))


def _load(paths: list[Path], file: Path | None) -> GameCollection:
    from othellier.openings.games import load

    with progress_share("reading games") as reached:
        return load(paths, file, reached)


def _query(
    position: str | None,
    opening: str,
    players: tuple[str, str, str],
    tournament: str,
    year: str,
    result: Literal["", "black", "white", "draw"],
) -> Query:
    from othellier.openings.explorer import Query

    where = None
    if position is not None:
        signs = sum(sign in "-.XxOo*BbWw" for sign in position if not sign.isspace())
        where = find_position("", position) if signs >= 64 else find_position(position)
    first, last = _years(year)
    return Query(*players, tournament, first, last, result, where, opening)


def _years(text: str) -> tuple[int | None, int | None]:
    if not text:
        return None, None
    first, dash, last = text.partition("-")
    if not all(part.isdecimal() and len(part) <= 4 for part in (first, last) if part) or not (first or last):
        raise typer.BadParameter(f"{text!r} is not a year such as 1999, nor several such as 1990-1999")
    return int(first) if first else None, int(last) if last else None if dash else int(first)


def _game_facts(games: GameCollection, number: int) -> dict[str, Any]:
    from othellier.openings.games import UNKNOWN

    record = games.table[number]
    score = int(record["score"])
    return {
        "number": number,
        "year": int(record["year"]),
        "tournament": games.tournaments[record["tournament"]],
        "black": games.players[record["black"]],
        "white": games.players[record["white"]],
        "score": None if score == UNKNOWN else score,
        "moves": "".join(square_name(move) for move in record["moves"][: record["length"]].tolist()),
    }


def _statistics_facts(statistics: Statistics) -> dict[str, Any]:
    def rounded(number: float | None) -> float | None:
        return None if number is None else round(number, 3)

    return {
        "games": statistics.games,
        "black": statistics.black,
        "draws": statistics.draws,
        "white": statistics.white,
        "score": rounded(statistics.score),
        "theory": rounded(statistics.theory),
        "error": rounded(statistics.error),
    }


def _exploration(explorer: Explorer, query: Query, lang: Literal["en", "fr", "ja"]) -> dict[str, Any]:
    from othellier.rules import native

    position = query.position or native.start()
    begin = time.perf_counter()
    among = explorer.search(query)
    found = explorer.explore(position, among)
    seconds = time.perf_counter() - begin
    return {
        "board": position.board_string(),
        "opening": "" if found.opening is None else found.opening.name(lang),
        **_statistics_facts(found.statistics),
        "book": entry_facts(found.entry),
        "seconds": round(seconds, 6),
        "moves": [
            {
                "move": square_name(move.moves[0]),
                "same": [square_name(twin) for twin in move.moves[1:]],
                "opening": "" if move.opening is None else move.opening.name(lang),
                **_statistics_facts(move.statistics),
                "book": entry_facts(move.entry),
            }
            for move in found.moves
        ],
    }


def _print_exploration(explorer: Explorer, query: Query, lang: Literal["en", "fr", "ja"]) -> None:
    facts = _exploration(explorer, query, lang)
    echo(say("{file}: {count:,} games", file=facts["opening"] or facts["board"], count=facts["games"]))
    echo(say("move    games   Black    draw   White   score   book"))
    for row in [{**facts, "move": say("all")}, *facts["moves"]]:
        if not row["games"] and row["book"]["value"] is None:
            continue
        shares = (
            f"{row[side] / row['games']:7.1%}" if row["games"] else "      -" for side in ("black", "draws", "white")
        )
        score = "      -" if row["score"] is None else f"{row['score']:+7.2f}"
        book = "-" if row["book"]["value"] is None else f"{row['book']['value']:+d}"
        name = row["opening"] if row["move"] != say("all") else ""
        echo(f"{row['move']:<5} {row['games']:>7,} {' '.join(shares)} {score}   {book:>4}  {name}".rstrip())
