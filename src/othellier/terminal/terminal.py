"""A game in the terminal: the board is printed, moves and commands are typed, or come through a pipe.

The terminal itself and its words are in `screen`. Rules and history are the business of `Game`, choosing moves that of
players, advice and judgement that of the coach; files are read and written by `records`. Whoever looks back through
the game is left in peace: machines rest until it goes on.
"""

from __future__ import annotations

import re
import shlex
import textwrap
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import ClassVar

from othellier import records
from othellier.base.text import plain
from othellier.coach.judging import EFFORTS
from othellier.coach.words import report
from othellier.engine.levels import LEVELS, Level, find_level
from othellier.errors import OthellierError, closest
from othellier.games.game import Evaluation, Game, GameNode, Outcome
from othellier.games.results import Limit, Result
from othellier.messages.complaints import complaint
from othellier.messages.language import language, say
from othellier.messages.languages import dictionary
from othellier.pictures import text
from othellier.players import Player, create_player
from othellier.players.follower import Follower, line_to
from othellier.records import forest
from othellier.rules import native
from othellier.rules.board import Color, Position, other
from othellier.rules.geometry import PASS, parse_square, square_name
from othellier.terminal.advice import Coach, patiently, result_line
from othellier.terminal.output import columns, move_list, progress, reason
from othellier.terminal.screen import COMMANDS, WORDS, Screen, called, meant
from othellier.terminal.trace import Tracer

OVER = "over"
HUMAN = "human"
ENGINE = "engine:level="
NARROWEST = 12

SIDES: tuple[Color, Color] = ("black", "white")

NAMED = ("black", "white", "Black", "White", HUMAN)
"""Values that have a name in every language."""


class TerminalGame:
    """One game between whoever is named; None among the players is the person at the terminal."""

    def __init__(
        self,
        game: Game,
        players: Mapping[Color, Player | None],
        screen: Screen,
        coach: Coach | None = None,
        tracer: Tracer | None = None,
        specs: Mapping[Color, str] | None = None,
    ) -> None:
        """`specs` are the player strings, if the game's headers have other names."""
        self.game = game
        self.players = {color: None if player is None else Follower(player) for color, player in players.items()}
        named: dict[Color, str] = {"black": game.headers.black or HUMAN, "white": game.headers.white or HUMAN}
        self.specs = dict(specs or named)
        self.screen = screen
        self.coach = coach or Coach()
        self.tracer = tracer or Tracer()
        self.resigned = False
        self.going_on = True
        self.looking = False
        """Somebody looks at the game: no machine moves."""
        self.valued = False
        """The values of the squares are shown."""
        self._traced: GameNode | None = None
        """The end that was reached last, and has its trace."""

    def close(self) -> None:
        """Give back what the players and the coach hold."""
        self.coach.close()
        for follower in filter(None, self.players.values()):
            follower.player.close()

    # -- the course of the game

    def run(self) -> None:
        """Play until somebody quits, the input ends, or a game between machines is over."""
        self._restart()
        self._tell_players()
        if None in self.players.values():
            self._say("welcome")
        shown = None
        try:
            while self.going_on:
                position, over = self.game.position, self._is_over()
                if not over and position.must_pass():
                    self._say("passes", color=position.turn)
                    self._push(PASS)
                elif not over and not self.looking and (player := self.players[position.turn]) is not None:
                    self._let_play(player)
                else:
                    if shown is not self.game.current:
                        shown = self.game.current
                        self._board()
                        if over:
                            self._tell_result()
                            self._trace_end()
                        elif self.looking:
                            self._say("looking", ply=self.game.current.ply, last=self.game.end.ply)
                    with_human = None in self.players.values() or self.looking
                    self.going_on = with_human and self._read_command(OVER if over else position.turn)
        except KeyboardInterrupt:
            self.screen.say("")  # the shell's prompt gets a line of its own
            raise
        finally:  # whatever ended it: the game is not lost
            last = self.game.end if self.looking else self.game.current
            if not self.resigned and not last.position.is_over() and last is not self.game.root:
                self._say("kept", whole=True, players=self._player_options(), record=self._record(last))

    def _is_over(self) -> bool:
        resigned = self.resigned and self.game.current is self.game.end
        return resigned or self.game.position.is_over()

    def _restart(self) -> None:
        """Go on with the game from here, which need not be the last move that the players received."""
        self.resigned, self.game.result, self.looking = False, None, False
        self._lead()

    def _lead(self) -> None:
        """Hand the players the moves of the game up to here."""
        for follower in filter(None, self.players.values()):
            follower.follow(line_to(self.game.current))

    def _push(self, move: int) -> GameNode:
        node = self.game.push(move)
        node.promote()  # after an undo, the game is what is played now
        self._lead()
        return node

    def _let_play(self, player: Follower) -> None:
        position = self.game.position
        with progress(say(WORDS["thinks"], color=say(position.turn))):
            line = line_to(self.game.current)
            result = patiently(lambda stop: player.choose(line, Limit(stop=stop)))
        self._say("plays", color=position.turn, move=square_name(result.move, position.size))
        self.tracer.count(result)
        node = self._push(result.move)
        node.seconds = round(result.seconds, 2)
        if result.score is not None:
            known = "book" if result.source == "book" else ""
            node.evaluation = Evaluation(
                round(result.score, 2), result.is_move_exact, result.depth or None, result.pv[1:], known
            )

    # -- commands

    def _read_command(self, prompt: str) -> bool:
        """Obey one line; False when there are no more."""
        begin = time.perf_counter()
        line = self.screen.read(f"{say(prompt)}> ")
        if line is None:
            return False
        word, _, rest = line.strip().partition(" ")
        try:
            if word:
                self._obey(word.lower(), rest.strip(), time.perf_counter() - begin)
        except (OthellierError, OSError) as error:  # a mistake is told, the game goes on
            self.screen.say(complaint(reason(error)))
        return self.going_on

    def _obey(self, typed: str, rest: str, seconds: float) -> None:
        word = meant(typed)
        if word in self._with_words:
            self._with_words[word](self, word, rest)
        elif word in self._commands and not rest:
            self._commands[word](self)
        elif re.fullmatch(r"[a-z]\d+|pass", word) and not rest:
            self._play(parse_square(word, self.game.start.size), seconds)
        else:
            near = closest(typed, [called(each) for each in (*self._commands, *self._with_words)])
            hint = say(WORDS["near"], word=near) if near not in ("", typed) else ""
            self._say("unknown", word=f"{typed} {rest}".strip(), near=hint)

    def _play(self, move: int, seconds: float) -> None:
        if self._is_over():
            self._say("continue")
            return
        self.game.position.play(move)  # one that is illegal changes nothing
        if self.looking:
            self._restart()
        self._push(move).seconds = round(seconds, 2)

    # -- advice

    def _legal(self) -> None:
        position = self.game.position
        for move in position.moves():
            turned = [square_name(square, position.size) for square in position.flips(move)]
            self._say("legal", move=square_name(move, position.size), count=len(turned), squares=" ".join(turned))

    def _hint(self) -> None:
        position = self.game.position
        if self._is_over():
            self._say("continue")
        else:
            self._say("advice", line=result_line(self.coach.advice(position), position))

    def _values(self) -> None:
        self.valued = not self.valued
        self._say("values on" if self.valued else "values off")
        self._board()

    def _analyse(self, _: str, rest: str) -> None:
        level = meant(rest) or "normal"
        line = self.game.main_line()
        if level not in EFFORTS:
            self._say("how deep", rest=rest)
        elif not line:
            self._say("nothing to judge")
        else:
            total = sum(node.move != PASS for node in line)
            with progress(say(WORDS["judging"]), total) as advance:
                view = self.coach.judge(self.game, level, lambda: advance(1))
            for words in report(view, language(), columns()):
                self._row(" " * (len(words) - len(words.lstrip())), words.lstrip())
            if len(view.moves) < total:
                self._say("stopped", done=len(view.moves), total=total)

    # -- through the game

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

    def _walk(self, word: str, rest: str) -> None:
        if rest and not rest.isdecimal():
            self._say("number expected", word=called(word), rest=rest)
            return
        steps = int(rest or 1)
        self._look(self.game.current.ply + (-steps if word == "back" else steps))

    def _goto(self, word: str, rest: str) -> None:
        if not rest.isdecimal():
            self._say("number expected", word=called(word), rest=rest)
        else:
            self._look(int(rest))

    def _start(self) -> None:
        self._look(0)

    def _end(self) -> None:
        self._look(self.game.end.ply)

    def _look(self, ply: int) -> None:
        """Look at a place of the main line; at its end the game is where it was."""
        line = [self.game.root, *self.game.main_line()]
        target = line[max(0, min(ply, len(line) - 1))]
        if target is self.game.current:
            self._say("nothing there")
            return
        forward = ply > self.game.current.ply
        while target.position.must_pass():  # nobody looks at a side that cannot move
            target = line[target.ply + 1] if forward else line[target.ply - 1]
        self.game.goto(target)
        self.looking = target is not self.game.end

    def _go(self) -> None:
        if self._is_over():
            self._say("continue")
        else:
            self._restart()

    # -- who plays

    def _level(self, _: str, rest: str) -> None:
        machines = [color for color, player in self.players.items() if player is not None]
        if not rest:
            played = {self.players_words(color) for color in machines}
            for level in LEVELS.values():
                mark, rating = "*" if level.name in played else " ", "" if level.rating is None else level.rating
                self._row(f"  {mark} {level.name:<12}{rating:>5}  ", _level_words(level))
        elif not machines:
            self._say("which level", name=find_level(rest).name)
        else:
            for color in machines:
                self._set_player(color, find_level(rest).name)

    def _set_player(self, color: str, who: str) -> None:
        """Let somebody else play a colour."""
        side: Color = "black" if color == "black" else "white"
        if not who:
            self._say("who", color=side, levels=", ".join(LEVELS))
            return
        human = meant(who.lower()) == HUMAN
        spec = HUMAN if human else f"{ENGINE}{who.lower()}" if who.lower() in LEVELS else who
        player = None if human else create_player(spec)
        before, self.players[side] = self.players[side], None if player is None else Follower(player)
        self.specs[side] = HUMAN if human else spec
        if before is not None:
            before.player.close()
        self._lead()
        setattr(self.game.headers, side, spec)
        self._say("played_by", color=side, name=self.players_words(side))

    def players_words(self, color: Color) -> str:
        """Who plays a colour: a level by its name alone."""
        return str(getattr(self.game.headers, color)).removeprefix(ENGINE)

    def _tell_players(self) -> None:
        self._say("players", black=self.players_words("black"), white=self.players_words("white"))

    def _swap(self) -> None:
        headers = self.game.headers
        self.players = {"black": self.players["white"], "white": self.players["black"]}
        self.specs = {"black": self.specs["white"], "white": self.specs["black"]}
        headers.black, headers.white = headers.white, headers.black
        self._tell_players()
        if not self._is_over():
            self._restart()

    # -- the game itself

    def _moves(self) -> None:
        self.screen.say(move_list(self.game.current.path()) or say(WORDS["no moves"]))

    def _board(self) -> None:
        current = self.game.current
        position = current.position
        values: list[Result] = []
        if self.valued and not self._is_over():
            try:
                values = self.coach.values(position)
            except OthellierError as error:  # a board without values is better than none
                self.valued = False
                self.screen.say(complaint(reason(error)))
        last = current.parent.move if current.move == PASS and current.parent is not None else current.move
        picture = text(
            position,
            last_move=last,
            style=self.screen.style,
            values={value.move: value.score or 0.0 for value in values},
            exact=[value.move for value in values if value.is_move_exact],
            narrow=columns() < 5 * position.size.columns + 2,
            say=say,
        )
        self.screen.say(f"\n{picture}\n")

    def _save(self, word: str, name: str) -> None:
        path = Path(name).expanduser()
        if not name:
            self._say("file expected")
        elif path.exists() and word == "save":
            self._say("exists", path=name)
        else:
            trace = path.suffix in forest.FORMAT.extensions
            records.write([self._trace() if trace else self.game], path)
            self._say("saved", path=name)

    def _trace(self) -> Game:
        machines = {color: getattr(self.game.headers, color) for color, who in self.players.items() if who is not None}
        return self.tracer.told(self.game, machines, self._is_over())

    def _save_trace(self) -> None:
        self._say("saved", path=self.tracer.save(self._trace()))

    def _trace_end(self) -> None:
        """Save the trace of a game that has ended, once, if somebody played it against a machine and wants it."""
        mixed = {who is None for who in self.players.values()} == {True, False}
        if self.tracer.folder is not None and mixed and self.game.current is not self._traced:
            self._traced = self.game.current
            try:
                self._save_trace()
            except OSError as error:
                self.screen.say(complaint(reason(error)))

    def _resign(self) -> None:
        if self._is_over():
            self._say("continue")
            return
        if self.looking:
            self._end()
        loser = self.game.position.turn
        self.game.current.promote()  # what was taken back is no part of it
        del self.game.current.children[:]
        lost = -self.game.start.size.squares
        self.resigned, self.game.result = True, Outcome(lost if loser == "black" else -lost, "resigned")
        self._say("resigned", color=loser, winner=other(loser))

    def _help(self) -> None:
        for command, words in COMMANDS.items():
            self._row(f"  {called(say(command)):<14} ", say(words))

    def _quit(self) -> None:
        self.going_on = False

    _commands: ClassVar[dict[str, Callable[[TerminalGame], None]]] = {
        "hint": _hint,
        "values": _values,
        "legal": _legal,
        "undo": _undo,
        "redo": _redo,
        "start": _start,
        "end": _end,
        "go": _go,
        "swap": _swap,
        "moves": _moves,
        "trace": _save_trace,
        "board": _board,
        "resign": _resign,
        "help": _help,
        "quit": _quit,
    }
    _with_words: ClassVar[dict[str, Callable[[TerminalGame, str, str], None]]] = {
        "back": _walk,
        "forward": _walk,
        "goto": _goto,
        "level": _level,
        "black": _set_player,
        "white": _set_player,
        "analyse": _analyse,
        "save": _save,
        "save!": _save,
    }

    # -- words

    def _say(self, key: str, *, whole: bool = False, **values: object) -> None:
        named = {name: say(value) if value in NAMED else value for name, value in values.items()}
        self.screen.say(plain(say(WORDS[key], **named)), whole=whole)

    def _row(self, head: str, words: str) -> None:
        """A line of a list; where the terminal is narrow, its words go on below themselves."""
        wide = max(columns() - len(head), NARROWEST)
        first, *more = textwrap.wrap(words, wide) or [""]
        self.screen.say("\n".join([head + first, *(" " * len(head) + line for line in more)]))

    def _tell_result(self) -> None:
        if self.resigned:
            return  # the one who gave up has said so
        position = self.game.position
        score = position.score()
        most = (position.size.squares + abs(score)) // 2
        winner = position.turn if score > 0 else other(position.turn)
        self._say("won" if score else "draw", winner=winner, most=most, least=position.size.squares - most)

    def _player_options(self) -> str:
        """The options of `play` that seat the same players; its own default for white depends on the board."""
        black, white = (HUMAN if self.players[color] is None else shlex.quote(self.specs[color]) for color in SIDES)
        return f"--white {white}" if black == HUMAN else f"--black {black} --white {white}"

    def _record(self, last: GameNode) -> str:
        """The game up to a move as an argument of --load: its moves, or all of it if it began elsewhere."""
        moves = [node.move for node in last.path() if node.move is not None]
        game = Game.from_moves(moves, self.game.start)
        if game.start == native.start():
            return game.transcript()
        return shlex.quote(records.dumps([game], "ggf").strip())


def _level_words(level: Level) -> str:
    """What a level is like: a person by character, an engine by how far it looks."""
    character = dictionary(language()).get(f"person.{level.name}")
    if character is not None:
        return character
    kind = "clock" if level.uses_clock else "levels" if level.depth > 1 else f"depth {level.depth}"
    return say(WORDS[kind], depth=level.depth, win=level.win_empties, exact=level.exact_empties, book=level.book_moves)
