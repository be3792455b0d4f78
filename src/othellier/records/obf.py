"""OBF: a position a line with the scores of its moves, as endgame suites are handed round.

    <squares> <side>; <move>:<score>; <move>:<score>; % comment

Scores are for the side to move, best first; a score without a move is the position's own; the field
`--:-127`, "no other move", says nothing. Lines starting with `%` are skipped. Each position becomes a game
without moves: `root.scores` has the moves, `root.evaluation` the position. Of a game with moves the last
position of the main line is kept.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from othellier.base.text import LONGEST_TEXT, clean_line
from othellier.errors import InvalidPosition, RecordError
from othellier.games.game import Evaluation, Game
from othellier.records.boardstring import format_board, parse_board
from othellier.records.format import Format, Item, RecordSource, fit, format_number, parse_number
from othellier.rules.geometry import parse_square, square_name

__all__ = ["FORMAT"]

LINE = re.compile(r"[Xx*BbOoWw.\-\s]{17,400};")


def _sniff(source: RecordSource) -> bool:
    """Whether the first line that is no comment is a board and a semicolon."""
    lines = (line.strip() for line in re.split(r"[\r\n]", source.text[:20000]))
    first = next((line for line in lines if line and not line.startswith("%")), "")
    return LINE.match(first) is not None


def _parse_line(line: str) -> Game:
    """The position of one line, with its scores."""
    content, _, comment = line.partition("%")
    board, _, fields = content.partition(";")
    game = Game(parse_board(board))
    root = game.root
    root.comment = clean_line(comment, LONGEST_TEXT)
    for field in fields.split(";"):
        name, colon, score = field.rpartition(":")
        if not field.strip() or name.strip() == "--":
            continue
        if not colon:
            root.evaluation = Evaluation(parse_number(score))
            continue
        move = parse_square(name.strip(), root.position.size)
        if not root.position.is_legal(move):
            raise InvalidPosition(f"{name.strip()} is not a legal move here")
        root.scores[move] = parse_number(score)
    return game


def _read(source: RecordSource) -> Iterator[Item]:
    """A position a line."""
    for number, line in enumerate(source.walk(source.lines, len(source.lines)), 1):
        if not line.strip() or line.lstrip().startswith("%"):
            continue
        try:
            yield _parse_line(line)
        except ValueError as error:
            yield source.error(f"line {number}", error)


def _text(games: Iterable[Game]) -> Iterator[str]:
    """A line a position."""
    for game in games:
        root, size = game.root, game.start.size
        fields = [format_board(game.start)]
        if root.evaluation is not None:
            fields.append(format_number(root.evaluation.score, sign=True))
        for move, score in sorted(root.scores.items(), key=lambda item: -item[1]):
            fields.append(f"{square_name(move, size).upper()}:{format_number(score, sign=True)}")
        comment = f" % {root.comment}" if root.comment else ""
        yield "; ".join(fields) + ";" + comment + "\n"


def _fit_position(game: Game) -> Game:
    """The last position; its comment becomes one line, and only scores of legal moves have a place."""
    kept = fit(game, FORMAT.holds)
    kept.root.comment = clean_line(kept.root.comment, LONGEST_TEXT)
    for move in kept.root.scores:
        if not kept.start.is_legal(move):
            raise RecordError(
                "", "", f"has a score for {square_name(move, kept.start.size)}, which is not a legal move"
            )
    return kept


FORMAT = Format(
    name="obf",
    extensions=(".obf",),
    holds=frozenset({"start", "sizes", "comments", "evaluations", "scores"}),
    sniff=_sniff,
    read=_read,
    text=_text,
    fit=_fit_position,
)
