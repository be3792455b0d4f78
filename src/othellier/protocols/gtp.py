"""GTP version 2, the server's side: a state machine from command lines to replies.

Each command is a method marked with its name; `list_commands` lists those and no others. Squares are those
of Othello, a1 in the top left corner. Boards have 4, 6 or 8 rows and columns: beyond, GTP leaves out the
letter i, and others do not. Rectangles have KataGo's `rectangular_boardsize`, columns first, and SGF files.
"""

from __future__ import annotations

import re
import time
from collections.abc import Callable
from importlib import metadata
from pathlib import Path
from typing import TypeVar

from othellier import records
from othellier.errors import OthellierError
from othellier.games.game import Game
from othellier.pictures import text
from othellier.players import Player
from othellier.players.contract import failure
from othellier.protocols.clock import Clock, TimeSettings
from othellier.protocols.thinker import Thinker
from othellier.records.format import parse_number
from othellier.rules.board import Color, Position, other
from othellier.rules.geometry import PASS, Size, parse_square, square_name

__all__ = ["GtpServer"]

NAME = "Othellier"
GAME = "Othello"
LONGEST = 1 << 16
"""Signs of a line that are looked at."""
COLORS: dict[str, Color] = {"b": "black", "black": "black", "w": "white", "white": "white"}
ANALYSES = ("plist/Legal Moves/gogui-rules_legal_moves", "string/Final Result/gogui-rules_final_result")

_Method = Callable[["GtpServer", str], str]
M = TypeVar("M", bound=Callable[..., str])
COMMANDS: dict[str, _Method] = {}


def _command(name: str) -> Callable[[M], M]:
    """Mark a method as what is done for a command; it is handed the arguments as one text."""

    def enter(method: M) -> M:
        COMMANDS[name] = method
        return method

    return enter


class GtpServer:
    """A player for whoever speaks GTP."""

    def __init__(self, player: Player) -> None:
        self.closed = False
        self._thinker = Thinker(player)
        self._settings = TimeSettings()
        self._steps: list[int] = []
        """Plies that each command has added, for `undo`."""
        self._new_game(Game())

    def handle(self, line: str) -> str:
        """The reply to a line, with the empty line that ends it; nothing for an empty line or a comment."""
        line = re.sub(r"[\x00-\x08\x0a-\x1f\x7f]", "", line[: LONGEST + 1]).replace("\t", " ")
        words = line.partition("#")[0].strip()
        if not words:
            return ""
        match = re.fullmatch(r"(?:(\d+)(?:\s+|$))?(\S*)\s*(.*)", words, re.ASCII | re.DOTALL)
        assert match is not None
        number, command, arguments = match[1] or "", match[2], match[3]
        try:
            if len(line) > LONGEST:
                raise OthellierError("the line is too long")
            if command not in COMMANDS:
                raise OthellierError("unknown command")
            sign, reply = "=", COMMANDS[command](self, arguments)
        except OthellierError as error:
            sign, reply = "?", " ".join(str(error).split())
        except Exception as error:  # whatever happens, the other side waits for a reply
            sign, reply = "?", failure(error)
        return f"{sign}{number} {reply}".rstrip() + "\n\n"

    def finish(self) -> None:
        """There are no more lines: nothing is left to be done."""

    def close(self) -> None:
        """Let the player go."""
        self._thinker.close()

    # -- about the program

    @_command("protocol_version")
    def _protocol_version(self, _: str) -> str:
        return "2"

    @_command("name")
    def _name(self, _: str) -> str:
        return NAME

    @_command("version")
    def _version(self, _: str) -> str:
        return metadata.version("othellier")

    @_command("known_command")
    def _known_command(self, arguments: str) -> str:
        return "true" if arguments in COMMANDS else "false"

    @_command("list_commands")
    def _list_commands(self, _: str) -> str:
        return "\n".join(COMMANDS)

    @_command("quit")
    def _quit(self, _: str) -> str:
        self.closed = True
        return ""

    @_command("list_games")
    def _list_games(self, _: str) -> str:
        return GAME

    @_command("set_game")
    def _set_game(self, arguments: str) -> str:
        if arguments.lower() != GAME.lower():
            raise OthellierError(f"unsupported game, there is only {GAME}")
        return self._clear_board("")

    # -- setting up

    @_command("boardsize")
    def _boardsize(self, arguments: str) -> str:
        return self._resize(arguments, arguments)

    @_command("rectangular_boardsize")
    def _rectangular_boardsize(self, arguments: str) -> str:
        columns, rows = _split(arguments, 2, "columns and rows")
        return self._resize(rows, columns)

    def _resize(self, rows: str, columns: str) -> str:
        if not {rows, columns} <= {"4", "6", "8"}:
            raise OthellierError("unacceptable size: sides of 4, 6 or 8 squares are")
        self._new_game(Game(Size(int(rows), int(columns))))
        return ""

    @_command("clear_board")
    def _clear_board(self, _: str) -> str:
        self._new_game(Game(self._game.start.size))
        return ""

    @_command("komi")
    def _komi(self, arguments: str) -> str:
        _number(arguments)  # it must be one, but Othello counts none
        return ""

    @_command("loadsgf")
    def _loadsgf(self, arguments: str) -> str:
        name, _, number = arguments.rpartition(" ")
        if not name or re.fullmatch(r"\d{1,4}", number) is None:
            name, number = arguments, ""
        name = name.strip()
        name = name[1:-1] if name.startswith('"') and name.endswith('"') else name
        if not name:
            raise OthellierError("syntax error: a file is expected, and perhaps the number of a move")
        try:
            game = records.read(Path(name))[0]
        except OthellierError as error:
            raise OthellierError(f"cannot load file: {error}") from None
        if not {game.start.size.rows, game.start.size.columns} <= {4, 6, 8}:
            raise OthellierError(f"cannot load file: a board of {game.start.size} is an unacceptable size")
        line = game.main_line()
        # Up to the position in which that move is to be made; without a number, to the end.
        plies = min(len(line), max(0, int(number) - 1)) if number else len(line)
        self._new_game(game)
        game.goto(plies)
        self._steps = [1] * plies
        return ""

    def _new_game(self, game: Game) -> None:
        self._game = game
        self._steps = []
        self._set_clocks()

    # -- playing

    @_command("play")
    def _play(self, arguments: str) -> str:
        color_name, vertex = _split(arguments, 2, "a colour and a square")
        color = _color(color_name)
        move = parse_square(vertex, self._game.start.size)
        position = self._game.position
        if position.is_over() and move == PASS:
            # Controllers that do not know the rules end every game with two passes.
            self._steps.append(0)
        else:
            self._push(color, move)
        return ""

    @_command("genmove")
    def _genmove(self, arguments: str) -> str:
        color = _color(arguments)
        move = self._think(color)
        if not self._game.position.is_over():
            self._push(color, move)
        else:
            self._steps.append(0)
        return self._vertex(move)

    @_command("reg_genmove")
    def _reg_genmove(self, arguments: str) -> str:
        return self._vertex(self._think(_color(arguments)))

    @_command("undo")
    def _undo(self, _: str) -> str:
        if not self._steps:
            raise OthellierError("cannot undo")
        for _step in range(self._steps.pop()):
            self._game.pop()
        return ""

    def _think(self, color: Color) -> int:
        """The player's move for a colour: a pass where it has none."""
        node = self._game.current
        position = self._seen_by(color)
        if not position.moves_mask():
            return PASS
        if position is not node.position:
            node = node.add(PASS)
        begin = time.perf_counter()
        result = self._thinker.result(lambda: self._thinker.choose(node, self._clocks[color].limit()))
        self._clocks[color].spend(time.perf_counter() - begin)
        return result.move

    def _push(self, color: Color, move: int) -> None:
        position = self._seen_by(color)
        position.play(move)  # or refuse it
        steps = 1
        if position is not self._game.position:
            self._game.push(PASS)
            steps = 2
        self._game.push(move)
        self._steps.append(steps)

    def _seen_by(self, color: Color) -> Position:
        """The position with this colour to move: as it is, or after the pass of the other side, if it must."""
        position = self._game.position
        if position.turn == color or position.is_over():
            return position
        if not position.must_pass():
            raise OthellierError(f"illegal move: {position.turn} is to move")
        return position.play(PASS)

    # -- time

    @_command("time_settings")
    def _time_settings(self, arguments: str) -> str:
        main, period, stones = _split(arguments, 3, "main time, period and moves")
        self._settings = TimeSettings(_number(main, least=0), _number(period, least=0), int(_number(stones, least=0)))
        self._set_clocks()
        return ""

    @_command("time_left")
    def _time_left(self, arguments: str) -> str:
        color, seconds, stones = _split(arguments, 3, "a colour, seconds and moves")
        self._clocks[_color(color)].set(_number(seconds, least=0), int(_number(stones, least=0)))
        return ""

    def _set_clocks(self) -> None:
        self._clocks: dict[Color, Clock] = {"black": Clock(self._settings), "white": Clock(self._settings)}

    # -- looking

    @_command("showboard")
    def _showboard(self, _: str) -> str:
        current = self._game.current
        return "\n" + text(current.position, last_move=current.move, legal=False, style="ascii")

    @_command("final_score")
    def _final_score(self, _: str) -> str:
        winner, margin = self._outcome()
        return "0" if winner is None else f"{winner[0].upper()}+{margin}"

    def _outcome(self) -> tuple[Color | None, int]:
        position = self._game.position
        if not position.is_over():
            raise OthellierError("cannot score: the game is not over")
        score = position.score()
        winner = None if not score else position.turn if score > 0 else other(position.turn)
        return winner, abs(score)

    @_command("gogui-rules_game_id")
    def _rules_game_id(self, _: str) -> str:
        return GAME.lower()  # GoGui asks for small letters

    @_command("gogui-rules_board_size")
    def _rules_board_size(self, _: str) -> str:
        return str(self._game.start.size)

    @_command("gogui-rules_board")
    def _rules_board(self, _: str) -> str:
        # GoGui takes the first line for the row with the highest number.
        size = self._game.start.size
        cells = self._game.position.board_string().replace("-", ".")
        rows = [cells[size.columns * row : size.columns * (row + 1)] for row in range(size.rows)]
        return "\n".join(" ".join(row) for row in reversed(rows))

    @_command("gogui-rules_legal_moves")
    def _rules_legal_moves(self, _: str) -> str:
        position = self._game.position
        moves = [PASS] if position.must_pass() else position.moves()
        return " ".join(self._vertex(move) for move in moves)

    @_command("gogui-rules_side_to_move")
    def _rules_side_to_move(self, _: str) -> str:
        return self._game.position.turn

    @_command("gogui-rules_final_result")
    def _rules_final_result(self, _: str) -> str:
        winner, margin = self._outcome()
        return "A draw" if winner is None else f"{winner.capitalize()} wins by {margin}"

    @_command("gogui-analyze_commands")
    def _analyze_commands(self, _: str) -> str:
        return "\n".join(ANALYSES)

    def _vertex(self, move: int) -> str:
        # GoGui looks for capitals among the legal moves, but for `pass` in small letters.
        return "pass" if move == PASS else square_name(move, self._game.start.size).upper()


def _split(arguments: str, count: int, expected: str) -> list[str]:
    words = arguments.split()
    if len(words) != count:
        raise OthellierError(f"syntax error: {expected} expected")
    return words


def _color(name: str) -> Color:
    if name.lower() not in COLORS:
        raise OthellierError("syntax error: black or white expected")
    return COLORS[name.lower()]


def _number(text: str, least: float | None = None) -> float:
    try:
        number = parse_number(text)
    except ValueError:
        raise OthellierError("syntax error: a number is expected") from None
    if least is not None and number < least:
        raise OthellierError(f"syntax error: a number from {least:g} on is expected")
    return number
