"""SGF, the Smart Game Format, FF[4] with GM[2], as Edax and others write it for Othello.

    (;FF[4]GM[2]SZ[8]PB[black]PW[white]RE[B+6]AB[d5][e4]AW[d4][e5]PL[B];B[f5]C[comment];W[d6](;B[c3])(;B[c4]))

Points of two letters, such as `dc` for d3, are read too: Quarry writes them. SGF holds everything a `Game` does.
Where it has a property of its own, that is used: `C` comments, `V` the value for Black, `BR`/`WR` ratings, `EV`
the event, `DT` the date, `TM` seconds a player. For the rest there are private properties, which other programs
pass over:

    XX[1] exact   XD[14] depth   XP[F5D6] expected moves   XT[words]   XM[12.5] seconds spent on the move
    XS[f5:+2][d6:-1] scores of the moves from here, for the side to move
    XR[score:reason] the outcome, and TI[clock], where RE or TM cannot tell all   TH[discs/empties] as in GGF
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import lru_cache

from othellier.base.text import LONGEST_LINE, LONGEST_TEXT, clean_line, clean_text
from othellier.errors import IllegalMove, RecordError
from othellier.games.game import EndReason, Evaluation, Game, GameNode, Headers, Outcome
from othellier.records.bare import MoveStyle, bare_game, bare_moves
from othellier.records.brackets import RUN, Token, escape, first_properties, trees
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
from othellier.records.ggf import format_theory, parse_theory
from othellier.records.transcript import format_moves, parse_moves
from othellier.rules import native
from othellier.rules.board import Color, Position
from othellier.rules.geometry import PASS, Size, parse_square, square_name, squares_of

__all__ = ["FORMAT", "format_clock", "written"]

_Properties = dict[str, list[str]]

REASONS: dict[str, EndReason] = {"R": "resigned", "T": "time"}
SET_UP = {"AB", "AW", "AE"}
KNOWN = {
    *("FF", "GM", "CA", "AP", "SZ", "PL", "PB", "PW", "BR", "WR", "EV", "DT", "TM", "TI", "TH", "RE", "XR", "ST"),
    *("B", "W", "C", "V", "XX", "XD", "XP", "XT", "XM", "XS", *SET_UP),
}
MOVE = re.compile(r";\s*+([BW])\[([A-Ha-h][1-8]|)\]")
MOVES = re.compile(rf"(?:{MOVE.pattern}\s*+(?=[;()]))+")  # nodes that hold a move and nothing else
STYLE = MoveStyle(";{}[{}]", passed="", capitals=False)


def _sniff(source: RecordSource) -> bool:
    """Whether a bracketed game begins here whose number is 2, or has none but a format version."""
    found = first_properties(source)
    return found["GM"] == "2" if "GM" in found else not found.keys().isdisjoint(("FF", "B", "W"))


# -- reading


def _read(source: RecordSource) -> Iterator[Item]:
    """The games one by one."""
    for number, tokens in enumerate(trees(source, MOVES), 1):
        reader = _Reader(tokens[0].at)
        try:
            game = _bare_game(tokens)
            if game is not None:
                yield game
                continue
            for at, properties in _nodes(tokens, reader):
                reader.add(at, properties)
            if reader.game is None:
                raise RecordError("", "", "an empty bracket is no game")
            yield reader.game
        except IllegalMove as error:
            yield source.error(f"game {number}, {source.line(reader.at)}", error)
        except ValueError as error:
            yield source.error(f"game {number}, {source.line(reader.at)}", getattr(error, "reason", error))


def _bare_game(tokens: list[Token]) -> Game | None:
    """The game of a root and bare moves; None where there is more, or something is wrong."""
    kinds = [token.kind for token in tokens]
    if kinds[:2] != ["(", ";"] or kinds[-2:] != [RUN, ")"]:
        return None
    properties: _Properties = {}
    for kind, values, _ in tokens[2:-2]:
        if kind in ("(", ")", ";", RUN, "B", "W"):
            return None
        properties.setdefault(kind, []).extend(values)
    if not properties:
        return None
    try:
        root = _parse_root(properties)
        game = bare_game(MOVE.findall(tokens[-2].values[0]), root.start, root.headers, root.result)
        if game is not None:
            _parse_notes(game.root, properties)
    except ValueError:
        return None
    return game


def _nodes(tokens: list[Token], reader: _Reader) -> Iterator[tuple[int, _Properties]]:
    """The properties of each node and where it stands; brackets are told to the reader in between."""
    node: _Properties | None = None
    at = 0
    for token in tokens:
        if token.kind in ("(", ")", ";"):
            if node is not None:
                yield at, node
            node, at = ({} if token.kind == ";" else None), token.at
            if token.kind == "(":
                reader.open()
            elif token.kind == ")":
                reader.close()
        elif token.kind == RUN:
            if node is not None:
                yield at, node
            node = None
            for move in MOVE.finditer(token.values[0]):
                yield token.at + move.start(), {move[1]: [move[2]]}
        elif node is None:
            raise RecordError("", "", f"{token.kind} stands outside of a node")
        else:
            node.setdefault(token.kind, []).extend(token.values)


class _Reader:
    """The game being read and the place in its tree and in the text."""

    def __init__(self, at: int) -> None:
        self.at = at
        self.game: Game | None = None
        self.node: GameNode | None = None
        self.branches: list[GameNode | None] = []

    def open(self) -> None:
        """A variation begins here."""
        self.branches.append(self.node)

    def close(self) -> None:
        """Back to where the variation began."""
        self.node = self.branches.pop()

    def add(self, at: int, properties: _Properties) -> None:
        """The next node: the first is the root, one with a move is played, one without adds to the last."""
        self.at = at
        if self.game is None:
            if not properties:
                raise RecordError("", "", "an empty bracket is no game")
            self.game = _parse_root(properties)
            self.node = self.game.root
        elif self.node is None:
            raise RecordError("", "", "a game has one root, and this has two")
        elif SET_UP & properties.keys():
            raise RecordError("", "", "discs are set up in the middle of a game")
        assert self.node is not None
        if {"B", "W"} <= properties.keys():
            raise RecordError("", "", "both sides move in one node")
        for key in ("B", "W"):
            for value in properties.get(key, ()):
                self.node = _parse_move(self.node, "black" if key == "B" else "white", value)
        _parse_notes(self.node, properties)


def _parse_root(properties: _Properties) -> Game:
    def line(key: str, most: int = LONGEST_LINE) -> str:
        return clean_line(", ".join(properties.get(key, ())), most)

    def rating(key: str) -> float | None:
        text = line(key)
        try:
            return parse_number(text) if text else None
        except ValueError:  # ranks, such as `5 kyu`
            return None

    if line("GM") not in ("", "2"):
        raise RecordError("", "", f"GM[{line('GM')[:20]}] is not Othello, whose number is 2")
    start = _parse_start(properties)
    headers = Headers(
        black=line("PB"),
        white=line("PW"),
        black_rating=rating("BR"),
        white_rating=rating("WR"),
        event=line("EV"),
        date=line("DT"),
        clock=line("TI") or (clean_line(format_clock(parse_number(line("TM")))) if line("TM") else ""),
        theory=parse_theory(line("TH")) if "TH" in properties else None,
        extra={key: text for key in properties if key not in KNOWN and (text := line(key, LONGEST_TEXT))},
    )
    return Game(start, headers, _parse_result(line("RE"), line("XR"), start.size))


def _parse_start(properties: _Properties) -> Position:
    discs = tuple(tuple(properties.get(key, ())) for key in ("AB", "AW")) if SET_UP & properties.keys() else ()
    return _start(properties.get("SZ", ("8",))[0], properties.get("PL", ("B",))[0], discs)


@lru_cache(64)
def _start(shape: str, side: str, discs: tuple[tuple[str, ...], ...]) -> Position:
    """Where a game starts, by SZ, PL and, where discs are set up, AB and AW: nearly always the same."""
    # SGF gives columns before rows.
    columns, _, rows = shape.partition(":")
    size = Size.parse(f"{rows or columns}x{columns}")
    turn = side.strip().lower()[:1]
    if turn not in ("b", "w", "1", "2"):
        raise RecordError("", "", "PL names neither side")
    if not discs:
        start = native.start(size)
        black, white = start.black, start.white
    else:
        black, white = (_parse_points(points, size) for points in discs)
    if turn in ("w", "2"):
        return native.position(white, black, "white", size)
    return native.position(black, white, "black", size)


def _parse_points(values: Iterable[str], size: Size) -> int:
    """The discs of a list of squares; `a1:c3` is a whole rectangle."""
    discs = 0
    for value in filter(None, (value.strip() for value in values)):
        first, _, last = value.partition(":")
        corners = [divmod(_parse_point(corner, size), size.columns) for corner in (first, last or first)]
        (top, left), (bottom, right) = corners
        for row in range(top, bottom + 1):
            discs |= (1 << max(0, right + 1 - left)) - 1 << (size.columns * row + left)
    return discs


def _parse_point(name: str, size: Size) -> int:
    """Return the square of a point, written `d3` as Edax does or `dc` as SGF and Quarry do."""
    square = _two_letters(name, size)
    return parse_square(name, size) if square is None else square


def _two_letters(name: str, size: Size) -> int | None:
    """Return the square of a column and a row that are both letters; None if it is not such a point of the board."""
    if re.fullmatch("[A-Za-z]{2}", name) is None:
        return None
    column, row = (ord(letter) - ord("a") for letter in name.lower())
    return size.columns * row + column if column < size.columns and row < size.rows else None


def _parse_result(text: str, private: str, size: Size) -> Outcome | None:
    if private:
        score, _, why = private.partition(":")
        return Outcome(parse_number(score), parse_reason(why))
    if text.lower() in ("", "?", "void"):
        return None
    if text.lower() in ("0", "draw", "b+0", "w+0"):
        return Outcome(0)
    winner, plus, margin = text.partition("+")
    if winner.upper() not in ("B", "W") or not plus:
        raise RecordError("", "", f"RE[{text[:20]}] is not a result")
    sign = 1 if winner.upper() == "B" else -1
    reason = REASONS.get(margin[:1].upper())
    if reason is not None:  # who gives up or oversteps the time loses all the discs
        return Outcome(sign * size.squares, reason)
    return Outcome(sign * (parse_number(margin) if margin else size.squares))


def _parse_move(node: GameNode, color: Color, value: str) -> GameNode:
    name, size = value.strip(), node.position.size
    passed = name.lower() in ("", "pass", "pa", "ps", "--", "@@", "tt")  # no board has a column p or t
    child = node.add(PASS if passed else _parse_point(name, size))
    if child.color != color:
        raise RecordError("", "", f"{color} moves at ply {child.ply}, but {child.color} is to move")
    return child


def _parse_notes(node: GameNode, properties: _Properties) -> None:
    size = node.position.size

    def line(key: str) -> str:
        return clean_line(properties.get(key, ("",))[0])

    if "C" in properties and len(node.comment) < LONGEST_TEXT:
        node.comment = clean_text("\n".join((node.comment, *properties["C"])))
    if line("V"):
        value = parse_number(line("V"))
        node.evaluation = Evaluation(
            value if node.color == "black" else -value,
            exact=line("XX") == "1",
            depth=parse_depth(line("XD")) if line("XD") else None,
            pv=tuple(parse_moves(line("XP"), size)),
            text=line("XT"),
        )
    if line("XM"):
        node.seconds = parse_number(line("XM"))
    for score in properties.get("XS", ()):
        name, _, number = score.partition(":")
        node.scores[parse_square(name.strip(), size)] = parse_number(number)


def format_clock(seconds: float) -> str:
    """Seconds as GGF writes a clock: `format_clock(300) == "05:00"`."""
    minutes, rest = divmod(seconds, 60)
    return f"{int(minutes):02}:{int(rest):02}"


def _clock_seconds(clock: str) -> int | None:
    """The seconds of a clock that is nothing but minutes and seconds."""
    match = re.fullmatch(r"(\d{2,6}):([0-5]\d)", clock, re.ASCII)
    return 60 * int(match[1]) + int(match[2]) if match is not None else None


# -- writing


def _text(games: Iterable[Game]) -> Iterator[str]:
    """A game a line; the tree is written without recursion."""
    for game in games:
        size = game.start.size
        root = "".join(f"{key}[{escape(value)}]" for key, value in _properties(game) if value)
        pieces = [f"(;{root}{_format_start(game.start)}"]
        line = game.bare()
        if line is not None:
            yield "".join([*pieces, *bare_moves(game.start, line, STYLE), ")\n"])
            continue
        rest: list[GameNode | str] = [")\n", game.root]
        while rest:
            item = rest.pop()
            if isinstance(item, str):
                pieces.append(item)
                continue
            if item.move is not None:
                pieces.append(_format_move(item, size))
            pieces.extend(_format_notes(item, size))
            if len(item.children) == 1:
                rest.append(item.children[0])
            else:
                for child in reversed(item.children):
                    rest += [")", child, "("]
        yield "".join(pieces)


def _properties(game: Game) -> Iterator[tuple[str, str]]:
    headers, size = game.headers, game.start.size
    yield "FF", "4"
    yield "GM", "2"
    yield "CA", "UTF-8"
    yield "AP", "Othellier"
    yield "SZ", str(size.columns) if size.rows == size.columns else f"{size.columns}:{size.rows}"
    yield "PB", headers.black
    yield "PW", headers.white
    for key, rating in (("BR", headers.black_rating), ("WR", headers.white_rating)):
        yield key, "" if rating is None else format_number(rating)
    yield "EV", headers.event
    yield "DT", headers.date
    seconds = _clock_seconds(headers.clock)
    plain = seconds is not None and format_clock(seconds) == headers.clock
    yield ("TM", str(seconds)) if plain else ("TI", headers.clock)
    yield "TH", format_theory(headers.theory) if headers.theory is not None else ""
    yield from _format_result(game.outcome(), size)
    yield from headers.extra.items()


@lru_cache(64)
def _format_start(start: Position) -> str:
    discs = _points("AB", start.black, start.size) + _points("AW", start.white, start.size)
    return f"{discs or 'AB[]'}PL[{'B' if start.turn == 'black' else 'W'}]"


def _points(key: str, discs: int, size: Size) -> str:
    return (key if discs else "") + "".join(f"[{square_name(square, size)}]" for square in squares_of(discs))


@lru_cache(256)
def _format_result(outcome: Outcome | None, size: Size) -> tuple[tuple[str, str], ...]:
    if outcome is None:
        return ()
    winner = "B" if outcome.score > 0 else "W"
    letter = next((letter for letter, reason in REASONS.items() if reason == outcome.reason), "")
    result = f"{winner}+{letter or format_number(abs(outcome.score))}" if outcome.score else "0"
    if _parse_result(result, "", size) == outcome:
        return (("RE", result),)
    return (("RE", result), ("XR", f"{format_number(outcome.score)}:{outcome.reason}"))


def _format_move(node: GameNode, size: Size) -> str:
    name = "" if node.move is None or node.move == PASS else square_name(node.move, size)
    return f";{'B' if node.color == 'black' else 'W'}[{name}]"


def _format_notes(node: GameNode, size: Size) -> Iterator[str]:
    if node.comment:
        yield f"C[{escape(node.comment)}]"
    if node.evaluation is not None:
        yield _format_evaluation(node.evaluation, node.color, size)
    if node.seconds is not None:
        yield f"XM[{format_number(node.seconds)}]"
    if node.scores:
        items = (
            f"[{square_name(move, size)}:{format_number(score, sign=True)}]" for move, score in node.scores.items()
        )
        yield "XS" + "".join(items)


@lru_cache(1 << 14)
def _format_evaluation(evaluation: Evaluation, color: Color, size: Size) -> str:
    """What a move was thought to be worth: a running game is written again after each move."""
    text = f"V[{format_number(evaluation.score if color == 'black' else -evaluation.score)}]"
    if evaluation.exact:
        text += "XX[1]"
    if evaluation.depth is not None:
        text += f"XD[{evaluation.depth}]"
    if evaluation.pv:
        text += f"XP[{format_moves(evaluation.pv, size)}]"
    if evaluation.text:
        text += f"XT[{escape(evaluation.text)}]"
    return text


def written(game: Game) -> str:
    """The text of a game that was read or made here, so that its comments and values need not be looked through."""
    twin = Game(game.start, _fit_sgf(Game(game.start, game.headers)).headers, game.outcome())
    twin.root = game.root
    return "".join(_text([twin]))


def _fit_sgf(game: Game) -> Game:
    """Everything; of `extra`, what has the name of a property."""
    kept = fit(game, FORMAT.holds)
    kept.headers.extra = {
        key: value
        for key, value in kept.headers.extra.items()
        if value and key not in KNOWN and re.fullmatch("[A-Z]{1,32}", key)
    }
    return kept


FORMAT = Format(
    name="sgf",
    extensions=(".sgf",),
    holds=ALL,
    sniff=_sniff,
    read=_read,
    text=_text,
    fit=_fit_sgf,
)
