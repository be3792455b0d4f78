"""The terminal a game is played in: how it is shown and typed, and every word of it.

`Screen` is all the terminal there is, so a test or another program can take its place. What the commands do is the
business of `terminal`.
"""

from __future__ import annotations

import contextlib
import re
import sys
import unicodedata
from typing import Protocol

from othellier.messages.language import say
from othellier.pictures import Style
from othellier.terminal.output import echo

COMMANDS = {
    "MOVE": "play there, such as d3",
    "hint": "the best move, what it is worth, and the line expected",
    "values": "what every legal square is worth, on the board; once more takes them off",
    "legal": "the legal moves and the discs each turns over",
    "undo": "take back your last move",
    "redo": "play again what was taken back",
    "back, forward": "look a move back or on, or several: back 5 (also < and >)",
    "start, end": "look at the first or the last position (also << and >>)",
    "goto N": "look at the position after N moves",
    "go": "play on from what you look at; the computer moves if it is its turn",
    "level NAME": "how strongly the computer plays; level alone lists the levels",
    "black WHO": "who plays black: human, a level, a player such as mcts:iterations=500",
    "white WHO": "the same for white",
    "swap": "change sides",
    "analyse": "judge the whole game: analyse quick, normal or deep",
    "moves": "the moves so far",
    "board": "the board once more",
    "save FILE": "write the game down (.ggf, .sgf, .txt …); save! writes over a file that exists",
    "trace": "write down now what a trace holds: every move with its value, depth, time and line",
    "resign": "give the game up",
    "help": "this list",
    "quit": "stop",
}
VOCABULARY = (
    "hint values legal undo redo back forward start end goto go level black white swap analyse moves board save save! "
    "trace resign help quit human quick normal deep"
)
"""What is typed: other languages have a word for each, in this order. The English ones are always understood."""
STATUS = ("black to move", "white to move", "game over")
"""What stands below the board, as `pictures` has it."""
ALIASES = {
    "?": "help",
    "q": "quit",
    "exit": "quit",
    "analyze": "analyse",
    "<": "back",
    ">": "forward",
    "<<": "start",
    ">>": "end",
    "b": "back",
    "f": "forward",
}
WORDS = {
    "players": "Black: {black}. White: {white}.",
    "welcome": "Type a square to move there, or help.",
    "plays": "{color} plays {move}",
    "passes": "{color} has no move and passes",
    "won": "Game over: {winner} wins {most} to {least}.",
    "draw": "Game over: a draw, {most} each.",
    "resigned": "{color} resigns, {winner} wins.",
    "continue": "The game is over: analyse, undo, save FILE or quit.",
    "nothing to undo": "there is nothing to take back",
    "nothing to redo": "there is nothing to play again",
    "no moves": "no moves yet",
    "legal": "  {move:<4} turns {count:>2}: {squares}",
    "advice": "Advice: {line}",
    "values on": "The values of the squares are shown. Type values again to take them off.",
    "values off": "The values of the squares are no longer shown.",
    "nothing there": "there is nothing there to look at",
    "number expected": "{word} takes a number of moves, not {rest!r}",
    "looking": "Looking at move {ply} of {last}: play from here, or end to go back to the game.",
    "levels": "depth {depth}, who wins from {win} empty squares, the score from {exact}, {book} moves of the book",
    "depth 0": "its first thought, without any search",
    "depth 1": "looks one move ahead",
    "clock": "all cores and what time there is",
    "which level": "nobody but people plays: white {name} lets a computer play",
    "played_by": "{color} is played by {name}.",
    "who": "{color} is played by whom? human, {levels}, or a player of `othellier players`",
    "judging": "judging the moves",
    "nothing to judge": "there is no move to judge yet",
    "how deep": "analyse quick, normal or deep, not {rest!r}",
    "stopped": "Stopped: only the first {done} of {total} moves were judged.",
    "thinks": "{color} thinks (Ctrl-C: play now)",
    "file expected": "save to which file?",
    "exists": "{path} exists: save! {path} writes over it",
    "saved": "saved to {path}",
    "unknown": "{word!r} is neither a move nor a command, help lists them{near}",
    "near": " (did you mean {word}?)",
    "kept": "To go on with this game: othellier play --terminal {players} --load {record}",
}


def meant(typed: str) -> str:
    """The command that was typed, by its English name; whatever is none stays as it is."""
    words = dict(zip(map(_bare, say(VOCABULARY).split()), VOCABULARY.split(), strict=True))
    return ALIASES.get(typed) or words.get(_bare(typed), typed)


def called(command: str) -> str:
    """A command in the language of this run; what stands beside it in capitals stays as it is."""
    words = dict(zip(VOCABULARY.split(), say(VOCABULARY).split(), strict=True))
    return re.sub(r"[a-z]+!?", lambda found: words.get(found[0], found[0]), command)


def _bare(word: str) -> str:
    """A word without its accents: not every keyboard has them."""
    return "".join(each for each in unicodedata.normalize("NFD", word) if not unicodedata.combining(each))


class Screen(Protocol):
    """Where a game is shown and typed."""

    style: Style

    def say(self, words: str, *, whole: bool = False) -> None:
        """Show some lines; what is to be copied is kept whole."""

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

    def say(self, words: str, *, whole: bool = False) -> None:
        """Print some lines, at once: a pipe's other end may be waiting. What is kept whole is not broken."""
        if whole:
            print(words, flush=True)
        else:
            echo(words)

    def read(self, prompt: str) -> str | None:
        """A line of standard input."""
        if not self.interactive:
            return sys.stdin.readline() or None
        try:
            return input(prompt)
        except EOFError:
            print()
            return None
