"""Othello Quest's JSON: `{"args": [{"players": [...], "position": {"moves": [...]}, "tcb": ..., "created": ...}]}`.

Players stand black first; `t` of a move is the time it took and `tcb` the clock, both in milliseconds; the
move `-` is a pass. Unknown keys are passed over. Games start from the usual 8x8 position.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator
from typing import Any

from othellier.base.text import clean_line
from othellier.errors import RecordError
from othellier.games.game import Game, GameNode, Headers
from othellier.records.format import Format, Item, RecordSource, fit, parse_number
from othellier.records.sgf import format_clock
from othellier.rules.geometry import PASS, STANDARD, parse_square, square_names

__all__ = ["FORMAT"]

LONGEST = 1e12
"""Seconds beyond which milliseconds are no longer counted exactly."""
NAMES = {PASS: "-", **dict(enumerate(square_names(STANDARD)))}
BARE = {move: f'{{"m": "{name}"}}' for move, name in NAMES.items()}
"""A move of which nothing else is said, as it is written: sixty small objects a game take most of the time there."""


def _sniff(source: RecordSource) -> bool:
    """Whether this is an object with the keys of a Quest record."""
    head = source.text[:100_000].lstrip()
    return head.startswith("{") and '"args"' in head and '"position"' in head


# -- reading


def _read(source: RecordSource) -> Iterator[Item]:
    """The games one by one."""
    try:
        document = json.loads(source.text)
    except json.JSONDecodeError as error:
        raise source.error(f"line {error.lineno}", f"is not JSON: {error.msg}") from None
    except (ValueError, RecursionError):  # numbers or nesting beyond all sense
        raise source.error("", "is not JSON that can be read") from None
    try:
        games = _get(document, "args", list)
    except ValueError as error:
        raise source.error("", error) from None
    for number, game in enumerate(source.walk(games, len(games)), 1):
        try:
            yield _parse_game(game)
        except ValueError as error:
            yield source.error(f"game {number}", error)


def _get(mapping: object, key: str, kind: type) -> Any:
    """A value that must be there, of the right kind."""
    if not isinstance(mapping, dict) or not isinstance(mapping.get(key), kind):
        raise ValueError(f"there is no {kind.__name__} {key!r} where one should be")
    return mapping[key]


def _parse_game(record: object) -> Game:
    moves = _get(_get(record, "position", dict), "moves", list)
    assert isinstance(record, dict)
    headers = Headers(date=_words(record.get("created")))
    clock = _seconds(record.get("tcb"))
    if clock is not None:
        headers.clock = format_clock(clock)
    players = record.get("players")
    for color, player in zip(("black", "white"), players if isinstance(players, list) else (), strict=False):
        if isinstance(player, dict):
            setattr(headers, color, _words(player.get("name")))
            rating = player.get("rating")
            if isinstance(rating, int | float) and not isinstance(rating, bool):
                setattr(headers, f"{color}_rating", parse_number(str(rating)))
    game = Game(headers=headers)
    node = game.root
    for entry in moves:
        if isinstance(entry, dict) and "m" not in entry:  # other events of the game
            continue
        name = _get(entry, "m", str)
        node = node.add(PASS if name == "-" else parse_square(name))
        node.seconds = _seconds(entry.get("t"))
    return game


def _words(value: object) -> str:
    return clean_line(str(value)) if isinstance(value, str | int) else ""


def _seconds(milliseconds: object) -> float | None:
    if not isinstance(milliseconds, int | float) or isinstance(milliseconds, bool):
        return None
    return parse_number(str(milliseconds)) / 1000


# -- writing


def _text(games: Iterable[Game]) -> Iterator[str]:
    """One document."""
    yield '{"args": [\n'
    for number, game in enumerate(games):
        yield (",\n" if number else "") + _record(game)
    yield "\n]}\n"


def _record(game: Game) -> str:
    headers = game.headers
    players = [_player(headers.black, headers.black_rating), _player(headers.white, headers.white_rating)]
    text = f'{{"players": {_json(players)}, "position": {{"moves": [{", ".join(_moves(game))}]}}'
    if headers.clock:
        minutes, seconds = headers.clock.split(":")
        text += f', "tcb": {1000 * (60 * int(minutes) + int(seconds))}'
    if headers.date:
        text += f', "created": {_json(headers.date)}'
    return text + "}"


def _json(value: object) -> str:
    return json.dumps(value, ensure_ascii=False)


def _player(name: str, rating: float | None) -> dict[str, object]:
    return {"name": name} if rating is None else {"name": name, "rating": rating}


def _moves(game: Game) -> Iterable[str]:
    line = game.bare()
    return map(_move, game.main_line()) if line is None else map(BARE.__getitem__, line)


def _move(node: GameNode) -> str:
    move = PASS if node.move is None else node.move
    return BARE[move] if node.seconds is None else f'{{"t": {round(1000 * node.seconds)}, "m": "{NAMES[move]}"}}'


def _fit_quest(game: Game) -> Game:
    """The main line with times in whole milliseconds, and of the clock the minutes and seconds."""
    kept = fit(game, FORMAT.holds)
    kept.root.seconds = None
    clock = re.match(r"(\d{1,6}):([0-5]\d)(?![^/])", kept.headers.clock, re.ASCII)
    kept.headers.clock = format_clock(60 * int(clock[1]) + int(clock[2])) if clock is not None else ""
    for node in kept.main_line() if kept.bare() is None else ():
        if node.seconds is not None:
            if not abs(node.seconds) < LONGEST:  # written so that NaN fails it
                raise RecordError("", "", f"{node.seconds:g} s is not a time that can be kept")
            node.seconds = round(1000 * node.seconds) / 1000
    return kept


FORMAT = Format(
    name="quest",
    extensions=(".json",),
    holds=frozenset({"moves", "times", "names", "ratings", "date", "clock"}),
    sniff=_sniff,
    read=_read,
    text=_text,
    joins=False,
    fit=_fit_quest,
)
