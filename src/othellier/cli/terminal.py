"""A game in the terminal: the board is printed, moves and commands are typed, or come through a pipe.

`Screen` is all the terminal there is, so a test or another program can take its place. Rules and history
are the business of `Game`, choosing moves that of players; files are read and written by `records`.
"""

from __future__ import annotations

import contextlib
import difflib
import re
import shlex
import sys
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import ClassVar, Protocol

from othellier import native, records
from othellier.board import Color, Position, other
from othellier.cli.common import move_list, reason
from othellier.errors import OthellierError
from othellier.game import Evaluation, Game, GameNode, Outcome
from othellier.geometry import PASS, parse_square, square_name
from othellier.pictures import Style, text
from othellier.players import Player, answer

__all__ = ["Screen", "Terminal", "TerminalGame"]

COMMANDS = {
    "MOVE": "play there, such as d3",
    "hint": "the legal moves and the discs each turns over",
    "undo": "take back your last move",
    "redo": "play again what was taken back",
    "moves": "the moves so far",
    "board": "the board once more",
    "save FILE": "write the game down (.ggf, .sgf, .txt …); save! writes over a file that exists",
    "resign": "give the game up",
    "help": "this list",
    "quit": "stop",
}
ALIASES = {"?": "help", "q": "quit", "exit": "quit"}
OVER = "over"
WORDS = {
    "players": "Black: {black}. White: {white}.",
    "welcome": "Type a square to move there, or help.",
    "plays": "{color} plays {move}",
    "passes": "{color} has no move and passes",
    "won": "Game over: {winner} wins {most} to {least}.",
    "draw": "Game over: a draw, {most} each.",
    "resigned": "{color} resigns, {winner} wins.",
    "continue": "The game is over: undo, save FILE or quit.",
    "nothing to undo": "there is nothing to take back",
    "nothing to redo": "there is nothing to play again",
    "no moves": "no moves yet",
    "hint": "  {move:<4} turns {count:>2}: {squares}",
    "file expected": "save to which file?",
    "exists": "{path} exists: save! {path} writes over it",
    "saved": "saved to {path}",
    "unknown": "{word!r} is neither a move nor a command, help lists them{near}",
    "near": " (did you mean {word}?)",
    "kept": "To go on with this game: othellier play --terminal --load {record}",
}


class Screen(Protocol):
    """Where a game is shown and typed."""

    style: Style

    def say(self, words: str) -> None:
        """Show some lines."""

    def read(self, prompt: str) -> str | None:
        """The next line typed; None when there are no more."""


class Terminal:
    """The real screen: prompts and line editing where a person types, plain lines in a pipe."""

    def __init__(self, style: Style) -> None:
        self.style = style
        self.interactive = sys.stdin.isatty() and sys.stdout.isatty()
        if self.interactive:
            with contextlib.suppress(ImportError):
                import readline  # noqa: F401 - its presence gives input() line editing and history

    def say(self, words: str) -> None:
        """Print some lines, at once: a pipe's other end may be waiting for them."""
        print(words, flush=True)

    def read(self, prompt: str) -> str | None:
        """A line of standard input."""
        if not self.interactive:
            return sys.stdin.readline() or None
        try:
            return input(prompt)
        except EOFError:
            print()
            return None


class TerminalGame:
    """One game between whoever is named; None among the players is the person at the terminal."""

    def __init__(self, game: Game, players: Mapping[Color, Player | None], screen: Screen) -> None:
        self.game = game
        self.players = players
        self.screen = screen
        self.resigned = False
        self.going_on = True

    # -- the course of the game

    def run(self) -> None:
        """Play until somebody quits, the input ends, or a game between machines is over."""
        self._restart()
        with_human = None in self.players.values()
        self._say("players", black=self.game.headers.black, white=self.game.headers.white)
        if with_human:
            self._say("welcome")
        shown = None
        try:
            while self.going_on:
                position, over = self.game.position, self._is_over()
                if not over and position.must_pass():
                    self._say("passes", color=position.turn)
                    self._push(PASS)
                elif not over and (player := self.players[position.turn]) is not None:
                    self._let_play(player)
                else:
                    if shown is not self.game.current:
                        shown = self.game.current
                        self._board()
                        if over:
                            self._tell_result()
                    self.going_on = with_human and self._read_command(OVER if over else position.turn)
        except KeyboardInterrupt:
            self.screen.say("")  # the shell's prompt gets a line of its own
            raise
        finally:  # whatever ended it: the game is not lost
            if not self._is_over() and self.game.current is not self.game.root:
                self._say("kept", record=self._record())

    def _is_over(self) -> bool:
        return self.resigned or self.game.position.is_over()

    def _restart(self) -> None:
        """Tell the players that the game goes on from here, not from the last move they saw."""
        self.resigned, self.game.result = False, None
        for player in self.players.values():
            if player is not None:
                player.new_game(self.game.position)

    def _push(self, move: int) -> GameNode:
        node = self.game.push(move)
        node.promote()  # after an undo, the game is what is played now
        for player in self.players.values():
            if player is not None:
                player.observe(move)
        return node

    def _let_play(self, player: Player) -> None:
        position = self.game.position
        result = answer(player, position)
        self._say("plays", color=position.turn, move=square_name(result.move, position.size))
        node = self._push(result.move)
        node.seconds = round(result.seconds, 2)
        if result.score is not None:
            node.evaluation = Evaluation(result.score, result.is_exact, result.depth, result.pv[1:])

    # -- commands

    def _read_command(self, prompt: str) -> bool:
        """Obey one line; False when there are no more."""
        begin = time.perf_counter()
        line = self.screen.read(f"{prompt}> ")
        if line is None:
            return False
        word, _, rest = line.strip().partition(" ")
        try:
            if word:
                self._obey(word.lower(), rest.strip(), time.perf_counter() - begin)
        except (OthellierError, OSError) as error:  # a mistake is told, the game goes on
            self.screen.say(reason(error))
        return self.going_on

    def _obey(self, word: str, rest: str, seconds: float) -> None:
        word = ALIASES.get(word, word)
        if word in ("save", "save!"):
            self._save(rest, over=word == "save!")
        elif word in self._commands and not rest:
            self._commands[word](self)
        elif re.fullmatch(r"[a-z]\d+|pass", word) and not rest:
            if self._is_over():
                self._say("continue")
            else:
                self._push(parse_square(word, self.game.start.size)).seconds = round(seconds, 2)
        else:
            near = difflib.get_close_matches(word, [*self._commands, "save"], n=1)
            hint = WORDS["near"].format(word=near[0]) if near and near[0] != word else ""
            self._say("unknown", word=f"{word} {rest}".strip(), near=hint)

    def _hint(self) -> None:
        position = self.game.position
        for move in position.moves():
            turned = [square_name(square, position.size) for square in position.flips(move)]
            self._say("hint", move=square_name(move, position.size), count=len(turned), squares=" ".join(turned))

    def _undo(self) -> None:
        node = self.game.current.parent
        while node is not None and not self._is_asked(node.position):
            node = node.parent
        if node is None:
            self._say("nothing to undo")
            return
        while self.game.current is not node:
            self.game.undo()
        self._restart()

    def _redo(self) -> None:
        before = self.game.current
        if self.game.redo().current is before:
            self._say("nothing to redo")
            return
        while not self._is_asked(self.game.position) and self.game.current is not before:
            before = self.game.current
            self.game.redo()
        self._restart()

    def _is_asked(self, position: Position) -> bool:
        """Whether the person at the terminal is the one to move."""
        return self.players[position.turn] is None and bool(position.moves_mask())

    def _moves(self) -> None:
        self.screen.say(move_list(self.game.current.path()) or WORDS["no moves"])

    def _board(self) -> None:
        current = self.game.current
        self.screen.say(f"\n{text(current.position, last_move=current.move, style=self.screen.style)}\n")

    def _save(self, name: str, over: bool) -> None:
        path = Path(name).expanduser()
        if not name:
            self._say("file expected")
        elif path.exists() and not over:
            self._say("exists", path=name)
        else:
            records.write([self.game], path)
            self._say("saved", path=name)

    def _resign(self) -> None:
        if self._is_over():
            self._say("continue")
            return
        loser = self.game.position.turn
        lost = -self.game.start.size.squares
        self.resigned, self.game.result = True, Outcome(lost if loser == "black" else -lost, "resigned")
        self._say("resigned", color=loser, winner=other(loser))

    def _help(self) -> None:
        for command, words in COMMANDS.items():
            self.screen.say(f"  {command:<10} {words}")

    def _quit(self) -> None:
        self.going_on = False

    _commands: ClassVar[dict[str, Callable[[TerminalGame], None]]] = {
        "hint": _hint,
        "undo": _undo,
        "redo": _redo,
        "moves": _moves,
        "board": _board,
        "resign": _resign,
        "help": _help,
        "quit": _quit,
    }

    # -- words

    def _say(self, key: str, **values: object) -> None:
        self.screen.say(WORDS[key].format(**values))

    def _tell_result(self) -> None:
        position = self.game.position
        score = position.score()
        most = (position.size.squares + abs(score)) // 2
        winner = position.turn if score > 0 else other(position.turn)
        self._say("won" if score else "draw", winner=winner, most=most, least=position.size.squares - most)

    def _record(self) -> str:
        """The game up to here as an argument of --load: its moves, or all of it if it began elsewhere."""
        moves = [node.move for node in self.game.current.path() if node.move is not None]
        game = Game.from_moves(moves, self.game.start)
        if game.start == native.start():
            return game.transcript()
        return shlex.quote(records.dumps([game], "ggf").strip())
