"""The trace of a game, with the fields FOREST gives its own, in a layout that is ours.

    Othellier trace
    Date: 2024-05-01T12:30:00
    Level: amateur
    ...
    Moves
      1. X F5 | +0 | book, 42 plies | | D6C3 | book, win 43 %, draw 12 %
      2. O D6 | +0.5 | depth 7 | 1.25 s | C3D3 | win 51 %, draw 8 %
    Board
    ...
    Game: F5D6...

What the program knows about itself (version, cores, speed, table, book, level, colour) is `headers.extra`,
made by `facts`; the names of the host and of the account are only in it when asked for. The trace keeps the
main line, and of a book move the plies seen along its best line. Reading it back checks the moves against the
transcript.
"""

from __future__ import annotations

import getpass
import os
import platform
import re
import time
from collections.abc import Iterable, Iterator
from importlib import metadata
from itertools import pairwise

from othellier.base.text import LONGEST_TEXT, clean_line
from othellier.errors import IllegalMove, RecordError
from othellier.games.game import Evaluation, Game, GameNode, Headers, Outcome
from othellier.records.bare import MoveStyle, bare_moves
from othellier.records.boardstring import format_board, parse_board
from othellier.records.format import (
    ALL,
    Format,
    Item,
    RecordSource,
    fit,
    format_number,
    parse_depth,
    parse_number,
    parse_reason,
)
from othellier.records.transcript import format_moves, parse_moves
from othellier.rules.board import Position
from othellier.rules.geometry import PASS, parse_square, square_name

__all__ = ["FORMAT", "facts", "trace_name"]

TITLE = "Othellier trace"
FIELDS = {"Black": "black", "White": "white", "Event": "event", "Date": "date", "Clock": "clock"}
RATINGS = {"Black rating": "black_rating", "White rating": "white_rating"}
KNOWN = {*FIELDS, *RATINGS, "Start", "Result", "Theory", "Value", "Game"}
NAME = re.compile(r"[^\W\d_][\w ]{0,39}")
MOVE = re.compile(r"\s*\d+\. ([XO]) (\S+) \|(.*?)\|(.*?)\|(.*?)\|(.*?)\|(.*)")

BOOK = "book"
"""The first word about a move that was played from a book."""

STYLE = MoveStyle("{} {} |  | |  | |", passed="--", capitals=True, sides="XO")


def facts(
    level: str = "",
    computer: str = "",
    cores_used: int | None = None,
    speed: float | None = None,
    table_mb: int | None = None,
    book: str = "",
    private: bool = False,
) -> dict[str, str]:
    """What a trace says about the program and the machine, for `headers.extra`.

    `computer` is the colour it played; `speed` is in positions a second; `private` adds host and account.
    """
    present = os.cpu_count() or 1
    known = {
        "Version": metadata.version("othellier"),
        "Cores": f"{present} present" + ("" if cores_used is None else f", {cores_used} used"),
        "Speed": "" if speed is None else f"{speed:.0f} positions/s",
        "Table": "" if table_mb is None else f"{table_mb} MB",
        "Book": book,
        "Level": level,
        "Computer": computer,
    }
    if private:
        known |= {"Host": platform.node(), "Account": getpass.getuser()}
    return {key: value for key, value in known.items() if value}


def trace_name() -> str:
    """What the file of a trace is called, without its ending: by the date and the time."""
    return time.strftime("othellier %Y-%m-%d %H-%M-%S")


def _sniff(source: RecordSource) -> bool:
    """Whether the title is there."""
    return source.text[:200].lstrip().startswith(TITLE)


# -- reading


def _read(source: RecordSource) -> Iterator[Item]:
    """The traces one by one; each begins with the title."""
    starts = [number for number, line in enumerate(source.lines) if line.strip() == TITLE]
    for first, after in source.walk(pairwise([*starts, len(source.lines)]), len(starts)):
        text = _Lines(source.lines, first + 1, after)
        try:
            yield _parse_trace(text)
        except IllegalMove as error:
            yield source.error(f"line {text.number}", error)
        except ValueError as error:
            yield source.error(f"line {text.number}", getattr(error, "reason", error))


class _Lines:
    """The lines of one trace that are not blank, and the number of the one read last."""

    def __init__(self, lines: list[str], first: int, after: int) -> None:
        self.lines = lines
        self.number, self.after = first, after

    def __iter__(self) -> Iterator[str]:
        while self.number < self.after:
            self.number += 1
            if self.lines[self.number - 1].strip():
                yield self.lines[self.number - 1]


def _parse_trace(text: _Lines) -> Game:
    fields: dict[str, str] = {}
    for line in text:
        if line.strip() == "Moves":
            break
        key, colon, value = line.partition(":")
        if not colon:
            raise RecordError("", "", f"{line.strip()[:40]!r} is not `name: value`")
        fields[key.strip()] = value.strip()
    else:
        raise RecordError("", "", "the trace ends before its moves")
    game = _parse_fields(fields)
    node = game.root
    for line in text:
        if line.strip() == "Board":
            break
        node = _parse_move(node, line)
    transcript = next((line.partition(":")[2].strip() for line in text if line.startswith("Game:")), None)
    if transcript is None:
        raise RecordError("", "", "the trace ends before its transcript")
    if transcript.upper() != game.transcript():
        raise RecordError("", "", "the transcript does not tell the moves listed above it")
    return game


def _parse_fields(fields: dict[str, str]) -> Game:
    headers = Headers(extra={key: clean_line(value, LONGEST_TEXT) for key, value in fields.items() if _is_extra(key)})
    for key, name in FIELDS.items():
        setattr(headers, name, clean_line(fields.get(key, "")))
    for key, name in RATINGS.items():
        if key in fields:
            setattr(headers, name, parse_number(fields[key]))
    if "Theory" in fields:
        match = re.fullmatch(r"(\d{1,3}) discs at (\d{1,3}) empties", fields["Theory"])
        if match is None:
            raise RecordError("", "", "the theoretical score cannot be read")
        headers.theory = int(match[1]), int(match[2])
    game = Game(parse_board(fields["Start"]) if "Start" in fields else 8, headers)
    if "Result" in fields:
        score, _, why = fields["Result"].partition(" ")
        game.result = Outcome(parse_number(score), parse_reason(why))
    if "Value" in fields:
        score, depth, _, pv, words = (cell.strip() for cell in fields["Value"].split("|", 4))
        game.root.evaluation = _parse_evaluation(game.start, score, depth, pv, words)
    return game


def _parse_evaluation(position: Position, score: str, depth: str, pv: str, words: str) -> Evaluation | None:
    if not score:
        return None
    number, _, exact = score.partition(" ")
    seen = re.fullmatch(r"|depth (.*)|book(?:, (.*) plies)?", depth)
    if exact not in ("", "exact") or seen is None:
        raise RecordError("", "", f"the value {score[:20]!r} {depth[:20]!r} cannot be read")
    number_seen = seen[1] or seen[2]
    plies = parse_depth(number_seen) if number_seen else None
    moves = tuple(parse_moves(pv, position.size))
    return Evaluation(parse_number(number), bool(exact), plies, moves, clean_line(words))


def _parse_move(node: GameNode, line: str) -> GameNode:
    match = MOVE.fullmatch(line)
    if match is None:
        raise RecordError("", "", f"{line.strip()[:40]!r} is not a move of a trace")
    side, name, score, depth, seconds, pv, words = (group.strip() for group in match.groups())
    position = node.position
    child = node.add(PASS if name == "--" else parse_square(name, position.size))
    if (child.color == "black") != (side == "X"):
        raise RecordError("", "", f"{name} is not a move of {side}")
    child.evaluation = _parse_evaluation(position, score, depth, pv, words)
    if seconds:
        child.seconds = parse_number(seconds.removesuffix(" s"))
    return child


# -- writing


def _text(games: Iterable[Game]) -> Iterator[str]:
    """A trace a game."""
    for game in games:
        yield "\n".join([TITLE, *_fields(game), "", "Moves", *_moves(game), "", "Board", *_board(game), ""])
        yield f"\nGame: {game.transcript()}\n\n"


def _fields(game: Game) -> Iterator[str]:
    headers = game.headers
    values: dict[str, str] = {key: getattr(headers, name) for key, name in FIELDS.items()}
    for key, name in RATINGS.items():
        rating = getattr(headers, name)
        values[key] = "" if rating is None else format_number(rating)
    values |= headers.extra
    if headers.theory is not None:
        values["Theory"] = f"{headers.theory[0]} discs at {headers.theory[1]} empties"
    if game.start != Game().start:
        values["Start"] = format_board(game.start)
    outcome = game.outcome()
    if outcome is not None:
        values["Result"] = f"{format_number(outcome.score, sign=True)} {outcome.reason}".rstrip()
    if game.root.evaluation is not None:
        values["Value"] = _value(game.root)
    return (f"{key}: {value}" for key, value in values.items() if value)


def _value(node: GameNode) -> str:
    """The five cells of a move, as they are read back: score, depth, seconds, expected moves, words."""
    evaluation = node.evaluation
    seconds = "" if node.seconds is None else f"{format_number(node.seconds)} s"
    if evaluation is None:
        return f" | | {seconds} | | "
    score = format_number(evaluation.score, sign=True) + (" exact" if evaluation.exact else "")
    if evaluation.text.partition(",")[0] == BOOK:
        depth = BOOK if evaluation.depth is None else f"{BOOK}, {evaluation.depth} plies"
    else:
        depth = "" if evaluation.depth is None else f"depth {evaluation.depth}"
    pv = format_moves(evaluation.pv, node.position.size)
    return f"{score} | {depth} | {seconds} | {pv} | {evaluation.text}"


def _moves(game: Game) -> Iterator[str]:
    line = game.bare()
    if line is not None:
        numbers = (f"{ply:3}. " for ply in range(1, len(line) + 1))
        yield from map(str.__add__, numbers, bare_moves(game.start, line, STYLE))
        return
    size = game.start.size
    for node in game.main_line():
        name = "--" if node.move is None or node.move == PASS else square_name(node.move, size).upper()
        yield f"{node.ply:3}. {'X' if node.color == 'black' else 'O'} {name} | {_value(node)}".rstrip(" ")


def _board(game: Game) -> Iterator[str]:
    last = game.last
    rows, columns = last.size
    cells = last.board_string()
    yield "   " + " ".join(chr(ord("a") + column) for column in range(columns))
    for row in range(rows):
        yield f"{row + 1:2} " + " ".join(cells[row * columns : (row + 1) * columns])
    yield f"Black (X) {last.discs('black')}, White (O) {last.discs('white')}"


def _fit_trace(game: Game) -> Game:
    """The main line; of `extra`, what has a name a trace can begin a line with."""
    kept = fit(game, FORMAT.holds)
    kept.root.seconds = None
    kept.headers.extra = {key: value for key, value in kept.headers.extra.items() if value and _is_extra(key)}
    return kept


def _is_extra(key: str) -> bool:
    """Whether a line of a trace may begin with this, and mean nothing else."""
    return key not in KNOWN and key == clean_line(key) and NAME.fullmatch(key) is not None


FORMAT = Format(
    name="trace",
    extensions=(".log", ".trace"),
    holds=ALL - {"variations", "comments", "scores"},
    sniff=_sniff,
    read=_read,
    text=_text,
    fit=_fit_trace,
)
