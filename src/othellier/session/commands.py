"""What the page may ask, typed: players, openings, clocks, requests and the commands of a socket.

Whatever is not as described here is refused before anybody sees it. What the server
answers is in `game_models` and `replies`.
"""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, StringConstraints, TypeAdapter

from othellier.base.text import LONGEST_LINE, LONGEST_TEXT, clean_line, clean_text
from othellier.engine.levels import FIRST_LEVEL
from othellier.rules.board import Color

COMMENT_LIMIT = LONGEST_TEXT
FILE_LIMIT = 256 << 20
"""Bytes of a file of games, packed or not."""
_Line = AfterValidator(clean_line)  # what people call things, fit to be kept and shown
Square = Annotated[str, StringConstraints(pattern=r"^([a-lA-L]([1-9]|1[0-2])|pass)$")]
NodeId = Annotated[str, StringConstraints(max_length=1000, pattern=r"^[a-l0-9-]*$")]
LongText = Annotated[str, StringConstraints(strip_whitespace=True, max_length=LONGEST_LINE), _Line]
MoveList = Annotated[str, StringConstraints(strip_whitespace=True, max_length=1000, pattern=r"^[A-Za-z0-9 .,;:)-]*$")]
BoardText = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1, max_length=400)]
SizeText = Annotated[str, StringConstraints(pattern=r"^(4|6|8|10|12)(x(4|6|8|10|12))?$")]
Tag = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1, max_length=40), _Line, Field(min_length=1)]


class _Message(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


# -- who plays, from where, how fast


class HumanChoice(_Message):
    """Somebody at a browser."""

    kind: Literal["human"] = "human"
    name: Annotated[str, StringConstraints(strip_whitespace=True, max_length=80), _Line] = ""

    @property
    def label(self) -> str:
        """What this player is called."""
        return self.name


class LevelChoice(_Message):
    """The engine at one of its levels."""

    kind: Literal["level"] = "level"
    level: Annotated[str, StringConstraints(max_length=40)] = FIRST_LEVEL

    @property
    def label(self) -> str:
        """What this player is called."""
        return self.level


class StringChoice(_Message):
    """Any other player, by its player string."""

    kind: Literal["player"] = "player"
    spec: LongText
    name: Annotated[str, StringConstraints(strip_whitespace=True, max_length=80), _Line] = ""

    @property
    def label(self) -> str:
        """What this player is called."""
        return self.name or self.spec


PlayerChoice = Annotated[HumanChoice | LevelChoice | StringChoice, Field(discriminator="kind")]


class TimeControl(_Message):
    """Time for each player."""

    minutes: Annotated[float, Field(gt=0, le=600, allow_inf_nan=False)]
    increment: Annotated[float, Field(ge=0, le=600, allow_inf_nan=False)] = 0.0


class FreeOpening(_Message):
    """The usual start, nothing chosen."""

    kind: Literal["any"] = "any"


class Balanced(_Message):
    """A balanced start, drawn at random."""

    kind: Literal["balanced"]


class Named(_Message):
    """A named opening, which machines follow as long as everybody does."""

    kind: Literal["named"]
    id: Annotated[str, StringConstraints(max_length=80)]


class Moves(_Message):
    """Moves that have been played."""

    kind: Literal["moves"]
    moves: MoveList


class SetUp(_Message):
    """A position of one's own."""

    kind: Literal["position"]
    board: BoardText


class Corners(_Message):
    """A handicap: so many corners are given to a side before the start."""

    kind: Literal["corners"]
    corners: Annotated[int, Field(ge=1, le=4)]
    to: Color


OpeningChoice = Annotated[FreeOpening | Balanced | Named | Moves | SetUp | Corners, Field(discriminator="kind")]


class NewGame(_Message):
    """A game to begin."""

    black: PlayerChoice = HumanChoice()
    white: PlayerChoice = LevelChoice()
    size: SizeText = "8"
    opening: OpeningChoice = FreeOpening()
    clock: TimeControl | None = None
    ponder: bool = False
    book: bool = True
    title: LongText = ""


# -- other requests


class Rename(_Message):
    """A game's title and tags."""

    title: LongText | None = None
    tags: Annotated[list[Tag], Field(max_length=20)] | None = None


class Text(_Message):
    """A record to import."""

    text: str


class BoardAsked(_Message):
    """A position to check."""

    board: BoardText
    size: SizeText | None = None


class Repertoire(_Message):
    """What one wants to know by heart: a side, an opening by its id or all, so many moves deep."""

    color: Color = "black"
    opening: Annotated[str, StringConstraints(max_length=80)] = ""
    plies: Annotated[int, Field(ge=1, le=30)] = 12


class DrillGiven(Repertoire):
    """An answer to a card of the drill."""

    card: Annotated[str, StringConstraints(pattern=r"^[0-9a-f]{32}$")]
    square: Square


class PuzzleGiven(_Message):
    """The moves of whoever solves a puzzle so far, and how many were wrong before."""

    puzzle: Annotated[str, StringConstraints(pattern=r"^[0-9a-f]{32}$")]
    moves: Annotated[list[Square], Field(min_length=1, max_length=20)]
    mistakes: Annotated[int, Field(ge=0, le=1000)] = 0


class TreesAsked(_Message):
    """One search or two of a position of a game, to be recorded."""

    game: Annotated[str, StringConstraints(pattern=r"^[A-Za-z0-9_-]{1,40}$")]
    node: Annotated[str, StringConstraints(max_length=1000)] = ""
    players: Annotated[list[Annotated[str, StringConstraints(max_length=400)]], Field(min_length=1, max_length=2)]
    language: Annotated[str, StringConstraints(pattern=r"^[a-z]{2,8}$")] = "en"


OptionName = Annotated[str, StringConstraints(pattern=r"^[A-Za-z][A-Za-z0-9_.-]{0,39}$")]
OptionWords = Annotated[str, StringConstraints(max_length=200)]
OptionValue = bool | int | Annotated[float, Field(allow_inf_nan=False)] | OptionWords | None
OptionValues = Annotated[dict[OptionName, OptionValue], Field(max_length=100)]
"""The page's own options; None removes one."""


# -- the commands of a socket


class _Command(_Message):
    id: Annotated[int | Annotated[str, StringConstraints(max_length=80)] | None, Field()] = None


class Play(_Command):
    """A move of the human to move; machines answer."""

    do: Literal["move"]
    square: Square
    node: NodeId | None = None


class Study(_Command):
    """A move of whoever is to move; nobody answers."""

    do: Literal["study"]
    square: Square
    node: NodeId | None = None


class Line(_Command):
    """A line to be looked at, put into the tree as a variation."""

    do: Literal["line"]
    node: NodeId
    moves: Annotated[list[Square], Field(min_length=1, max_length=150)]
    at: Annotated[int, Field(ge=0, le=150)] = 1


class Undo(_Command):
    """Take back a turn."""

    do: Literal["undo"]


class Redo(_Command):
    """Replay a turn taken back."""

    do: Literal["redo"]


class Goto(_Command):
    """Look elsewhere."""

    do: Literal["goto"]
    node: NodeId | None = None
    to: Literal["start", "back", "back_turn", "forward", "forward_turn", "end", "live"] | None = None
    ply: Annotated[int, Field(ge=-1000, le=1000)] | None = None


class Go(_Command):
    """Play on from here."""

    do: Literal["go"]


class StopMachines(_Command):
    """Let no machine think or move."""

    do: Literal["stop"]


class Hurry(_Command):
    """Let the machine play the best it has found."""

    do: Literal["hurry"]


class Swap(_Command):
    """Exchange the players."""

    do: Literal["swap"]


class Players(_Command):
    """Change who plays, and how."""

    do: Literal["players"]
    black: PlayerChoice | None = None
    white: PlayerChoice | None = None
    ponder: bool | None = None
    book: bool | None = None


class Resign(_Command):
    """Give up."""

    do: Literal["resign"]
    color: Color | None = None


class Agree(_Command):
    """End the game by agreement, as the board counts."""

    do: Literal["agree"]


class Hint(_Command):
    """Ask for the best move."""

    do: Literal["hint"]


class Values(_Command):
    """Show what every legal square is worth."""

    do: Literal["values"]
    on: bool
    depth: Annotated[int, Field(ge=1, le=60)] | None = None


class Follow(_Command):
    """Look where the others look, or no longer."""

    do: Literal["follow"]
    on: bool


class Analyse(_Command):
    """Analyse the main line."""

    do: Literal["analyse"]
    level: Literal["quick", "normal", "deep"] = "normal"


class AnalyseStop(_Command):
    """Stop the analysis."""

    do: Literal["analyse_stop"]


class Promote(_Command):
    """Make a node the main line."""

    do: Literal["promote"]
    node: NodeId


class Delete(_Command):
    """Delete a node and all that follows."""

    do: Literal["delete"]
    node: NodeId


class Comment(_Command):
    """Say something about a node."""

    do: Literal["comment"]
    node: NodeId
    text: Annotated[str, StringConstraints(max_length=COMMENT_LIMIT), AfterValidator(clean_text)]


class DrawMarks(_Command):
    """Draw circles and arrows on a node's board."""

    do: Literal["marks"]
    node: NodeId
    circles: Annotated[list[Square], Field(max_length=64)] = []
    arrows: Annotated[list[tuple[Square, Square]], Field(max_length=64)] = []


class Symmetry(_Command):
    """Turn the whole game."""

    do: Literal["symmetry"]
    kind: Literal["central", "falling", "rising"]


class Title(_Command):
    """Rename the game."""

    do: Literal["title"]
    title: LongText


class Ping(_Command):
    """Ask whether anybody is there."""

    do: Literal["ping"]


Command = Annotated[
    Play
    | Study
    | Line
    | Undo
    | Redo
    | Goto
    | Go
    | StopMachines
    | Hurry
    | Swap
    | Players
    | Resign
    | Agree
    | Hint
    | Values
    | Follow
    | Analyse
    | AnalyseStop
    | Promote
    | Delete
    | Comment
    | DrawMarks
    | Symmetry
    | Title
    | Ping,
    Field(discriminator="do"),
]

_COMMAND: TypeAdapter[Command] = TypeAdapter(Command)


def parse_command(text: str | bytes) -> Command:
    """A command from its JSON; pydantic's ValidationError if it is none."""
    return _COMMAND.validate_json(text)
