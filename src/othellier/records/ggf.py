"""GGF, the Generic Game Format of the GGS server: a game in brackets, any number a file.

    (;GM[Othello]PC[place]DT[date]PB[black]PW[white]RB[rating]RW[rating]TI[clock]TY[8]RE[+6.00]
      BO[8 <squares> *]B[F5/eval/time]W[D6//12.3]...;)

`RE` is for Black; evaluations are for the side that moves. GGF has the main line only, no comments, and of
an evaluation the score only: the rest is left out. `TY` with modifiers (`8r20`, `s8`) and properties
without a place of their own here (`KM`, `KB` ...) are kept in `headers.extra`. One property is ours: `TH`,
the theoretical score of WTHOR as `discs/empties`; programs that do not know it pass over it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from datetime import UTC, datetime
from functools import lru_cache

from othellier.base.text import LONGEST_TEXT, clean_line
from othellier.errors import IllegalMove, InvalidPosition, RecordError
from othellier.games.game import EndReason, Evaluation, Game, GameNode, Headers, Outcome
from othellier.records.bare import MoveStyle, bare_game, bare_moves
from othellier.records.brackets import RUN, Token, escape, first_properties, trees
from othellier.records.format import ALL, Format, Item, RecordSource, fit, format_number, parse_number
from othellier.rules import native
from othellier.rules.board import Color, Position
from othellier.rules.geometry import PASS, Size, parse_square, square_name

__all__ = ["FORMAT", "format_theory", "parse_game", "parse_theory"]

FLAGS: dict[str, EndReason] = {"": "", "r": "resigned", "t": "time", "s": "agreed"}
GAMES = ("othello", "reversi")
KNOWN = {"GM", "PC", "DT", "PB", "PW", "RB", "RW", "TI", "TY", "RE", "BO", "TH", "B", "W"}
MOVE = re.compile(r"([BW])\[([A-Ha-h][1-8]|PA)\]")
MOVES = re.compile(rf"(?:{MOVE.pattern}\s*+(?!\[))+")
STYLE = MoveStyle("{}[{}]", passed="PA", capitals=True)
DATE = re.compile(r"(\d{4})\.(\d\d)\.(\d\d)(?:_(\d\d:\d\d:\d\d)(?:\.([A-Za-z]+))?)?")
ISO_DATE = re.compile(r"(\d{4})-(\d\d)-(\d\d)(?:T(\d\d:\d\d:\d\d)(?:(Z)| ([A-Za-z]+))?)?")


def _sniff(source: RecordSource) -> bool:
    """Whether a bracketed game of Othello by name begins here."""
    return first_properties(source).get("GM", "").lower() in GAMES


# -- reading


def _read(source: RecordSource) -> Iterator[Item]:
    """The games one by one."""
    for number, tokens in enumerate(trees(source, MOVES), 1):
        where = f"game {number}, {source.line(tokens[0].at)}"
        try:
            yield parse_game(tokens)
        except IllegalMove as error:
            yield source.error(where, error)
        except RecordError as error:
            yield source.error(", ".join(filter(None, (where, error.where))), error.reason)
        except ValueError as error:
            yield source.error(where, error)


def parse_game(tokens: Iterable[Token]) -> Game:
    """The game of one bracket."""
    properties: dict[str, str] = {}
    moves: list[tuple[str, str]] = []
    for kind, values, _ in tokens:
        if kind == RUN:
            moves += MOVE.findall(values[0])
        elif kind in ("B", "W"):
            moves += ((kind, value) for value in values)
        elif kind not in "();":
            properties[kind] = values[0]
    game_name = properties.get("GM", "Othello")
    if game_name.strip().lower() not in GAMES:
        raise RecordError("", "", f"this is a game of {game_name}, not of Othello")
    start, headers = _parse_start(properties), _parse_headers(properties)
    if properties.get("TY", str(start.size)) != str(start.size):
        headers.extra["TY"] = clean_line(properties["TY"], LONGEST_TEXT)
    outcome = _parse_result(properties.get("RE", ""))
    game = bare_game(moves, start, headers, outcome)
    if game is None:
        game = Game(start, headers, outcome)
        node = game.root
        for side, text in moves:
            node = _parse_move(node, "black" if side == "B" else "white", text)
    return game


def _parse_start(properties: dict[str, str]) -> Position:
    board = properties.get("BO")
    if board is None:
        named = re.search(r"\d{1,2}(x\d{1,2})?", properties.get("TY", "8"))
        if named is None:
            raise RecordError("", "", f"TY[{properties['TY'][:20]}] names no size")
        return native.start(named[0])
    size, _, cells = " ".join(board.split()).partition(" ")
    return native.parse(cells, size)


def _parse_headers(properties: dict[str, str]) -> Headers:
    def line(key: str) -> str:
        return clean_line(properties.get(key, ""))

    def rating(key: str) -> float | None:
        text = line(key).rstrip("?")  # GGS marks an uncertain one
        return parse_number(text) if text else None

    return Headers(
        black=line("PB"),
        white=line("PW"),
        black_rating=rating("RB"),
        white_rating=rating("RW"),
        event=line("PC"),
        date=_parse_date(line("DT")),
        clock=line("TI"),
        theory=parse_theory(properties["TH"]) if "TH" in properties else None,
        extra={key: clean_line(value, LONGEST_TEXT) for key, value in properties.items() if key not in KNOWN},
    )


def _parse_date(text: str) -> str:
    if re.fullmatch(r"\d{9,10}", text):  # older files count seconds
        return datetime.fromtimestamp(int(text), UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
    match = DATE.fullmatch(text)
    if match is None:
        return text
    year, month, day, time, zone = match.groups()
    zone = "Z" if zone in ("GMT", "UTC") else f" {zone}" if zone else ""
    return f"{year}-{month}-{day}" + (f"T{time}{zone}" if time else "")


def parse_theory(text: str) -> tuple[int, int]:
    """WTHOR's theoretical score, `discs/empties`; the inverse of `format_theory`."""
    match = re.fullmatch(r"\s*(\d{1,3})/(\d{1,3})\s*", text)
    if match is None:
        raise RecordError("", "", f"TH[{text[:20]}] is not discs/empties")
    return int(match[1]), int(match[2])


def _parse_result(text: str) -> Outcome | None:
    score, _, flag = text.strip().partition(":")
    if score.strip() in ("", "?"):
        return None
    if flag.strip() not in FLAGS:
        raise RecordError("", "", f"RE[{text[:20]}] has an unknown flag")
    return Outcome(parse_number(score), FLAGS[flag.strip()])


def _parse_move(node: GameNode, color: Color, text: str) -> GameNode:
    name, _, rest = text.partition("/")
    score, _, seconds = rest.partition("/")
    where = f"ply {node.ply + 1}"
    try:
        name = name.strip()
        move = PASS if name.lower() in ("pa", "pas", "pass", "ps", "--") else parse_square(name, node.position.size)
        child = node.add(move)
        if child.color != color:
            raise RecordError("", where, f"{color} moves, but {child.color} is to move")
        if score.strip():
            child.evaluation = Evaluation(parse_number(score))
        if seconds.strip():
            child.seconds = parse_number(seconds)
    except (InvalidPosition, RecordError) as error:
        raise RecordError("", where, getattr(error, "reason", str(error))) from None
    except IllegalMove:
        raise
    except ValueError as error:
        raise RecordError("", where, str(error)) from None
    return child


# -- writing


def _text(games: Iterable[Game]) -> Iterator[str]:
    """A line a game."""
    for game in games:
        yield "".join(
            [
                "(;GM[Othello]",
                *(f"{key}[{escape(value)}]" for key, value in _properties(game) if value),
                _moves(game),
                ";)\n",
            ]
        )


def _properties(game: Game) -> Iterator[tuple[str, str]]:
    headers, start = game.headers, game.start
    yield "PC", headers.event
    yield "DT", _format_date(headers.date)
    yield "PB", headers.black
    yield "PW", headers.white
    for key, rating in (("RB", headers.black_rating), ("RW", headers.white_rating)):
        yield key, "" if rating is None else format_number(rating)
    yield "TI", headers.clock
    yield "TY", headers.extra.get("TY", str(start.size))
    yield "RE", _format_result(game.outcome())
    if headers.theory is not None:
        yield "TH", format_theory(headers.theory)
    for key, value in headers.extra.items():
        if key != "TY":
            yield key, value
    yield "BO", _format_start(start)


@lru_cache(64)
def _format_start(start: Position) -> str:
    cells, side = start.board_string().replace("X", "*").split()
    return f"{start.size} {cells} {side}"


def _format_date(date: str) -> str:
    match = ISO_DATE.fullmatch(date)
    if match is None:
        return date
    year, month, day, time, utc, zone = match.groups()
    zone = ".GMT" if utc else f".{zone}" if zone else ""
    return f"{year}.{month}.{day}" + (f"_{time}{zone}" if time else "")


def format_theory(theory: tuple[int, int]) -> str:
    """WTHOR's theoretical score as `discs/empties`."""
    return f"{theory[0]}/{theory[1]}"


def _format_result(outcome: Outcome | None) -> str:
    if outcome is None:
        return "?"
    flag = next(flag for flag, reason in FLAGS.items() if reason == outcome.reason)
    return format_number(outcome.score, sign=True) + (f":{flag}" if flag else "")


def _moves(game: Game) -> str:
    line = game.bare()
    if line is not None:
        return "".join(bare_moves(game.start, line, STYLE))
    return "".join(_format_move(node, game.start.size) for node in game.main_line())


def _format_move(node: GameNode, size: Size) -> str:
    move = node.move
    name = "PA" if move is None or move == PASS else square_name(move, size).upper()
    score = "" if node.evaluation is None else format_number(node.evaluation.score)
    seconds = "" if node.seconds is None else format_number(node.seconds)
    value = f"{name}/{score}/{seconds}".rstrip("/")
    return f"{'B' if node.color == 'black' else 'W'}[{value}]"


def _fit_ggf(game: Game) -> Game:
    """What GGF has a place for; of `extra`, what has the name of a property."""
    kept = fit(game, FORMAT.holds)
    kept.root.evaluation = kept.root.seconds = None
    kept.headers.date = _parse_date(_format_date(kept.headers.date))
    kept.headers.extra = {
        key: value
        for key, value in kept.headers.extra.items()
        if value and re.fullmatch("[A-Z]{1,32}", key) and (key not in KNOWN or key == "TY")
    }
    if kept.headers.extra.get("TY") == str(kept.start.size):
        del kept.headers.extra["TY"]
    return kept


FORMAT = Format(
    name="ggf",
    extensions=(".ggf",),
    holds=ALL - {"variations", "comments", "search", "scores"},
    sniff=_sniff,
    read=_read,
    text=_text,
    fit=_fit_ggf,
)
