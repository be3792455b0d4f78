"""A game in play: who plays which side, where one looks, where the game goes on, clocks, variations, its end.

No input or output, no threads, no wall clock: commands and answers come with their time, `take_events` gives what has
happened, `to_move` where a machine is to move. Searching, saving and sending are the business of `running_game`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import ClassVar

from othellier.coach.analysis import GameAnalysis
from othellier.errors import IllegalMove, InvalidPosition, RequestError
from othellier.games.clock import Timer
from othellier.games.game import EndReason, Evaluation, Game, GameNode, Outcome, replay
from othellier.games.node_names import Marks, find_node
from othellier.games.results import Result
from othellier.games.symmetry import KINDS, following, mapping, turned
from othellier.games.walking import back, forward, is_main, rest, turns
from othellier.rules import native
from othellier.rules.board import Color
from othellier.rules.geometry import PASS, parse_square
from othellier.session import commands as m
from othellier.session.session_events import Over, Passed, Relocated, SessionEvent

NODE_LIMIT = 5000
"""Moves a game may hold with all its variations: far more than anybody plays, and still a small message."""

PlayerChoices = dict[Color, m.HumanChoice | m.LevelChoice | m.StringChoice]


class Session:
    """A game, its players and its place: the state machine behind one board."""

    def __init__(
        self,
        game: Game,
        players: PlayerChoices,
        *,
        timer: Timer | None = None,
        ponder: bool = False,
        book: bool = True,
        line: tuple[int, ...] = (),
        title: str = "",
        playing: bool = True,
    ) -> None:
        self.game = game
        self.players = players
        self.timer = timer
        self.ponder = ponder
        self.book = book
        self.line = line
        """The moves of the chosen opening, in any symmetric form: machines keep to them while everybody does."""
        self.title = title
        self.playing = playing
        self.live = rest(game.current)
        """Where the game goes on. Looking elsewhere and studying leave it alone."""
        game.current = self.live
        self.closed = game.outcome() is not None
        """The game has ended, and what is played now are variations of it."""
        self.ended_at = ""
        """When that was; whoever has a clock notes it."""
        self.marks: dict[GameNode, Marks] = {}
        self.analysis: GameAnalysis | None = None
        self.revision = 1
        """Counts the changes of the tree."""
        self._ended: tuple[GameNode, Outcome] | None = None
        if game.result is not None:
            self._ended = game.end, game.result
        self._taken_back: list[GameNode] = []
        self._events: list[SessionEvent] = []
        self._name_players()

    # -- looking

    @property
    def searched(self) -> tuple[int, float]:
        """Positions the machines have looked at for the moves of the game, and the seconds they took."""
        moves = [node for node in self.game.main_line() if node.nodes]
        return sum(node.nodes or 0 for node in moves), sum(node.seconds or 0.0 for node in moves)

    @property
    def current(self) -> GameNode:
        """The node at which whoever gives a command looks."""
        return self.game.current

    @property
    def running(self) -> Color | None:
        """Whose clock runs: nobody's before the first move."""
        started = self.live.parent is not None
        if self.timer is None or not self.playing or not started or self.is_over(self.live):
            return None
        return self.live.position.turn

    def is_over(self, node: GameNode) -> bool:
        """Whether the game is at an end there, on the board or because somebody ended it."""
        return node.position.is_over() or (self._ended is not None and self._ended[0] is node)

    def is_human(self, color: Color) -> bool:
        """Whether a person plays that colour."""
        return isinstance(self.players[color], m.HumanChoice)

    def is_asked(self, node: GameNode) -> bool:
        """Whether a person is to move there."""
        return not self.is_over(node) and self.is_human(node.position.turn)

    def to_move(self) -> GameNode | None:
        """The node where a machine is to be asked for a move now."""
        if not self.playing or self.is_over(self.live) or self.is_human(self.live.position.turn):
            return None
        return self.live

    def forced(self, node: GameNode) -> list[int]:
        """The moves that keep to the chosen opening there; it may be played in any of its symmetric forms."""
        if not self.line or self.game.start != native.start(self.game.start.size):
            return []
        played = [step.move for step in node.path() if step.move is not None]
        return following(self.line, played, self.game.start.size)

    def take_events(self) -> list[SessionEvent]:
        """What has happened since this was last asked."""
        events, self._events = self._events, []
        return events

    # -- changing

    def apply(self, command: m.Command, now: float) -> None:
        """Obey a command; one that cannot be obeyed is a RequestError and changes nothing."""
        handler = self._handlers.get(type(command))
        if handler is None:
            raise RequestError("bad_request", "that is nothing a game can do", field="do")
        if self.timer is not None:
            self.timer.charge(now)
        try:
            handler(self, command)
        finally:
            self.run_clock(now)

    def answer(self, node: GameNode, result: Result, now: float) -> bool:
        """Play the move a machine was asked for; False if the game has gone elsewhere meanwhile."""
        if node is not self.to_move():
            return False
        if self.timer is not None:
            self.timer.charge(now)
        follow = self.current is self.live
        evaluation = None
        if result.score is not None:
            text, exact = "book" if result.source == "book" else "", result.is_move_exact
            evaluation = Evaluation(round(result.score, 2), exact, result.depth or None, result.pv[1:], text)
        played = self._push(node, result.move, evaluation)
        played.seconds = round(result.seconds, 3)
        played.nodes = result.nodes
        if follow:
            self.game.goto(self.live)
        self.run_clock(now)
        return True

    def tick(self, now: float) -> bool:
        """End the game of a side whose time is up; whether that happened."""
        loser = self.running
        if self.timer is None or loser is None or self.timer.seconds(loser, now):
            return False
        self.lose(loser, "time")
        self.run_clock(now)
        return True

    def run_clock(self, now: float, hold: bool = False) -> None:
        """Let the time of the side to move run from now on, or nobody's while nobody is there to see it."""
        if self.timer is not None:
            self.timer.run(None if hold else self.running, now)

    # -- moves

    def _add(self, node: GameNode, move: int) -> GameNode:
        """The node of a move, made if it is new."""
        self._check(node, [move])
        self.revision += 1
        return node.add(move)

    def _check(self, node: GameNode, moves: list[int]) -> None:
        """Refuse moves that the rules forbid, and more than a game holds."""
        if sum(1 for _ in self.game.root.walk()) + len(moves) > NODE_LIMIT:
            raise RequestError("too_large", f"a game holds {NODE_LIMIT} moves at most", limit=NODE_LIMIT)
        try:
            replay(node.position, moves)
        except IllegalMove as error:
            words = f"illegal move {error.move}: {error.reason}"
            raise RequestError("illegal_move", words, square=error.move) from None

    def _push(self, node: GameNode, move: int, evaluation: Evaluation | None = None) -> GameNode:
        """Play a move where the game goes on, with the pass that follows."""
        played = self._add(node, move)
        played.evaluation = evaluation or played.evaluation
        if self.timer is not None:
            self.timer.earn(played)
        after = rest(played)
        if after is not played:
            self._events.append(Passed(played.position.turn))
        self.live = after
        self._taken_back.clear()
        if not self.closed:
            after.promote()
            self._settle()
        if not self.closed and self.live.position.is_over():
            self.closed = True
            self._events.append(Over())
        return played

    def _at(self, name: str | None) -> GameNode:
        """Where one looks, which must be the node the page thinks it is."""
        if name is not None and rest(find_node(self.game, name)) is not self.current:
            raise RequestError("not_your_turn", "the board has changed meanwhile", turn=self.current.position.turn)
        return self.current

    def _open(self, node: GameNode, square: str) -> int:
        """The move a square stands for, where moves can still be made."""
        if node.position.is_over():
            raise RequestError("game_over", "the game is over")
        return self._square(square)

    def _square(self, square: str) -> int:
        try:
            return parse_square(square, self.game.start.size)
        except InvalidPosition as error:
            raise RequestError("illegal_move", str(error), square=square) from None

    def _move(self, command: m.Play) -> None:
        node = self._at(command.node)
        move = self._open(node, command.square)
        turn = node.position.turn
        if self._ended is not None and self._ended[0] is node:
            raise RequestError("game_over", "the game is over")
        if not self.is_human(turn):
            raise RequestError("not_your_turn", f"{turn} is to move, which is not yours", turn=turn)
        if node is not self.live:  # looking back never changes the game: this is a try
            if self.running is not None:
                raise RequestError("not_your_turn", "the clock runs elsewhere: go to the last move", turn=turn)
            self.game.goto(rest(self._add(node, move)))
            return
        self._push(node, move)
        self.playing = True
        self.game.goto(self.live)

    def _study(self, command: m.Study) -> None:
        """A move that is only tried: the game stays where it is."""
        node = self._at(command.node)
        self.game.goto(rest(self._add(node, self._open(node, command.square))))

    def _follow_line(self, command: m.Line) -> None:
        """Put a line into the tree as a variation, and look at one of its moves."""
        node = target = rest(find_node(self.game, command.node))
        squares = [self._square(square) for square in command.moves]
        self._check(node, [square for square in squares if square != PASS])
        for number, square in enumerate(squares, 1):
            node = node if square == PASS else rest(self._add(node, square))  # passes come by themselves
            target = node if number <= command.at else target
        self.game.goto(target)

    def can_undo(self, place: GameNode) -> bool:
        """Whether there is a turn to take back there; away from the game one only steps back."""
        return (self._back_turn(place) if place is self.live else back(place)) is not place

    def can_redo(self, place: GameNode) -> bool:
        """Whether there is a turn to replay there; away from the game one only steps forward."""
        return bool(place.children or (place is self.live and self._taken_back))

    def _undo(self, _: m.Undo) -> None:
        if not self.can_undo(self.current):
            raise RequestError("nothing_to_do", "there is no turn to take back")
        if self.current is not self.live:
            self.game.goto(back(self.current))
            return
        self._taken_back.append(self.current)
        self._resume(self._back_turn(self.current))
        self.closed = False

    def _redo(self, _: m.Redo) -> None:
        if not self.can_redo(self.current):
            raise RequestError("nothing_to_do", "there is no turn to replay")
        if self.current is not self.live:
            self.game.goto(self._forward(self.current))
            return
        target = self._taken_back.pop() if self._taken_back else self._forward_turn(self.current)
        self._resume(target)
        self.closed = self.is_over(target)

    def _resume(self, node: GameNode) -> None:
        """Look at a node, and play on from there."""
        self.game.goto(node)
        self._relocate(node)
        self.playing = True

    def _relocate(self, node: GameNode) -> None:
        """Let the game go on at another node."""
        if self.timer is not None:
            self.timer.relocate(self.live, node)
        self.live = node

    # -- moving about

    def _forward(self, node: GameNode) -> GameNode:
        return forward(node, self._taken_back[-1].path() if self._taken_back else [])

    @property
    def _has_one_human(self) -> bool:
        return self.is_human("black") != self.is_human("white")

    def _turns(self, node: GameNode, step: Callable[[GameNode], GameNode]) -> GameNode:
        return turns(node, step, self.is_asked if self._has_one_human else None)

    def _back_turn(self, node: GameNode) -> GameNode:
        """Where taking back leads: of two people, or two machines, only the last move goes."""
        if not self._has_one_human:
            return back(node)
        target = self._turns(node, back)
        return target if self.is_asked(target) else node

    def _forward_turn(self, node: GameNode) -> GameNode:
        return self._turns(node, self._forward) if self._has_one_human else self._forward(node)

    def _goto(self, command: m.Goto) -> None:
        if [command.node, command.to, command.ply].count(None) != 2:
            raise RequestError("bad_request", "goto takes one of node, to and ply", field="to")
        current = self.current
        if command.node is not None:
            target = find_node(self.game, command.node)
        elif command.ply is not None:
            try:
                target = self.game.goto(command.ply)
            except InvalidPosition as error:
                raise RequestError("unknown_node", str(error), node=str(command.ply)) from None
        elif command.to == "start":
            target = self.game.root
        elif command.to == "live":
            target = self.live
        elif command.to == "end":
            target = self.game.goto(-1)
        else:
            step = back if command.to in ("back", "back_turn") else self._forward
            target = step(current) if command.to in ("back", "forward") else self._turns(current, step)
        self.game.goto(rest(target))

    def _go(self, _: m.Go) -> None:
        if self.is_over(self.current):
            raise RequestError("game_over", "the game is over")
        self._resume(self.current)

    def _stop(self, _: m.StopMachines) -> None:
        if not self.playing:
            raise RequestError("nothing_to_do", "nobody is thinking")
        self.playing = False

    # -- players and the end

    def _name_players(self) -> None:
        for color, choice in self.players.items():
            setattr(self.game.headers, color, choice.label)

    def _swap(self, _: m.Swap) -> None:
        self.players = {"black": self.players["white"], "white": self.players["black"]}
        self._name_players()
        self._resume(self.live)

    def _change_players(self, command: m.Players) -> None:
        self.players = {
            "black": command.black or self.players["black"],
            "white": command.white or self.players["white"],
        }
        self.ponder = self.ponder if command.ponder is None else command.ponder
        self.book = self.book if command.book is None else command.book
        self._name_players()

    def lose(self, loser: Color, reason: EndReason) -> None:
        """End the game by a side's loss of all squares."""
        squares = self.game.start.size.squares
        self._end(-squares if loser == "black" else squares, reason)

    def _end(self, score: float, reason: EndReason) -> None:
        """End the game where it is played."""
        self._ended = self.live, Outcome(score, reason)
        if self.live is not self.game.end:  # a turn was taken back: the game is what led here
            self.live.promote()
        self.game.result = self._ended[1]
        self.closed, self.playing = True, False
        self.revision += 1
        self._events.append(Over())

    def _resign(self, command: m.Resign) -> None:
        if self.closed or self.is_over(self.live):
            raise RequestError("game_over", "the game is over")
        humans = [color for color in self.players if self.is_human(color)]
        turn = self.live.position.turn
        loser = command.color or (humans[0] if len(humans) == 1 else turn)
        if loser not in humans:
            raise RequestError("not_your_turn", f"{loser} is not yours to resign", turn=turn)
        self.lose(loser, "resigned")

    def _agree(self, _: m.Agree) -> None:
        if self.closed or self.is_over(self.live):
            raise RequestError("game_over", "the game is over")
        position = self.live.position
        score = position.score()
        self._end(score if position.turn == "black" else -score, "agreed")

    def _settle(self) -> None:
        """The result as given belongs to the line it was given for; another main line has that of its board."""
        self.game.result = None
        if self._ended is not None and self._ended[0] is self.game.end:
            self.game.result = self._ended[1]

    # -- the tree

    def _promote(self, command: m.Promote) -> None:
        find_node(self.game, command.node).promote()
        if not is_main(self.live):  # another line is the game now
            self._relocate(rest(self.game.end))
        self._settle()
        self.closed = self.game.outcome() is not None
        self.revision += 1

    def _delete(self, command: m.Delete) -> None:
        node = find_node(self.game, command.node)
        if node.parent is None:
            raise RequestError("nothing_to_do", "the start of a game cannot be deleted")
        if node.move == PASS:  # it goes with the move before it
            node = node.parent
        if node.parent is None:
            raise RequestError("nothing_to_do", "the pass at the start cannot be deleted")
        before = node.parent
        inside = node in self.live.path()
        self.game.delete(node)
        if inside:
            self._relocate(before)
            self.playing = False
        self._taken_back.clear()
        if self._ended is not None and node in self._ended[0].path():
            self._ended = None
        self.marks = {marked: marks for marked, marks in self.marks.items() if node not in marked.path()}
        self._settle()
        self.closed = self.game.outcome() is not None
        self.revision += 1
        self._events.append(Relocated(lambda place: before if node in place.path() else place))

    def _comment(self, command: m.Comment) -> None:
        find_node(self.game, command.node).comment = command.text
        self.revision += 1

    def _mark(self, command: m.DrawMarks) -> None:
        node = find_node(self.game, command.node)
        size = self.game.start.size
        try:
            circles = tuple(parse_square(name, size) for name in command.circles if name != "pass")
            arrows = tuple((parse_square(a, size), parse_square(b, size)) for a, b in command.arrows)
        except InvalidPosition as error:
            raise RequestError("bad_request", str(error), field="circles") from None
        self.marks.pop(node, None)
        if circles or arrows:
            self.marks[node] = Marks(circles, arrows)

    def _turn_over(self, command: m.Symmetry) -> None:
        symmetry = KINDS[command.kind]
        seen = mapping(symmetry, self.game.start.size)
        self.game, twins = turned(self.game, symmetry)
        self.marks = {twins[node]: marks.turned(seen) for node, marks in self.marks.items()}
        self.live = twins[self.live]
        if self.timer is not None:
            self.timer.rename(twins)
        self._ended = None if self._ended is None else (twins[self._ended[0]], self._ended[1])
        self._taken_back = [twins[node] for node in self._taken_back]
        self.analysis = None if self.analysis is None else self.analysis.turned(seen, self.game.start)
        self.revision += 1
        self._events.append(Relocated(twins.__getitem__))

    def _rename(self, command: m.Title) -> None:
        self.title = command.title

    _handlers: ClassVar[dict[type, Callable[..., None]]] = {
        m.Play: _move,
        m.Study: _study,
        m.Line: _follow_line,
        m.Undo: _undo,
        m.Redo: _redo,
        m.Goto: _goto,
        m.Go: _go,
        m.StopMachines: _stop,
        m.Swap: _swap,
        m.Players: _change_players,
        m.Resign: _resign,
        m.Agree: _agree,
        m.Promote: _promote,
        m.Delete: _delete,
        m.Comment: _comment,
        m.DrawMarks: _mark,
        m.Symmetry: _turn_over,
        m.Title: _rename,
    }
