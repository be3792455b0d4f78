"""Configurations in YAML: what may stand in one, its defaults, and what each parameter means.

A key nobody knows is refused with the nearest one that is known; every error is one line with the file and the
place. `reference` tells of all keys at once; doing what a configuration says is the business of `arena`, of `learn` and
of the command line.
"""

from __future__ import annotations

import typing
from pathlib import Path
from typing import Annotated, Any, Literal, TypeVar

import yaml
from pydantic import AliasChoices, BaseModel, BeforeValidator, ConfigDict, Field, ValidationError, model_validator

from othellier.base.aliases import OPTIONS as OPTION_WORDS
from othellier.base.files import read_file
from othellier.errors import ConfigError, OthellierError, RecordError, nearest
from othellier.games.results import clocked
from othellier.players import registered
from othellier.players.registry import canonical, likely, option_name, option_text, unnamed
from othellier.rules.geometry import Size

__all__ = [
    "ChancesConfig",
    "DatabaseConfig",
    "Device",
    "Display",
    "FitConfig",
    "LearnConfig",
    "NetworkConfig",
    "PlayerConfig",
    "ProbcutConfig",
    "ReplacementConfig",
    "RunConfig",
    "Section",
    "SelfplayConfig",
    "Starts",
    "System",
    "TournamentConfig",
    "load",
    "parse",
]

LIMIT = 1 << 20
"""Bytes a configuration may have."""

Display = Literal["page", "board", "moves", "result", "none"]
System = Literal["round robin", "gauntlet", "swiss"]
Starts = Literal["random", "short", "balanced"]
Device = Literal["auto", "cpu", "cuda"]

OPTIONS = {
    "backend": "the compiled search, its readable twin in Python, or the faster that there is",
    "book": "play from the opening book as far as the level trusts it",
    "c": "how much a Monte-Carlo search explores (the constant of UCB1)",
    "command": "the command that starts the program, such as `python3 mine.py`; commas in it stand in quotes",
    "count": "whether the empty squares of a finished game count for the winner or not at all",
    "deepening": "search to depth 1, 2, 3 … rather than at once",
    "depth": "moves to look ahead",
    "eval": "the strategy: positional, absolute, mobility, mixed, criteria or patterns, options as in mixed/opening=25",
    "fix_first": "of the first moves that are the same up to symmetry, look at one",
    "hash": "megabytes of the table of positions",
    "heuristic": "the table of square values that rollouts use",
    "iterations": "games a Monte-Carlo search plays out for a move",
    "keep": "keep the tree, or the table, from one move to the next",
    "killer": "try moves first that cut off elsewhere at the same depth",
    "level": "the level of play, from beginner to grandmaster",
    "move_timeout": "seconds another program may take for a move where no time is set",
    "networks": "a file of networks to value positions by instead of the built-in ones",
    "model": "what it has learnt from: the bare board, or what textbooks count",
    "nodes": "positions to visit for a move",
    "order": "the order in which moves are looked at",
    "ponder": "think on the opponent's time",
    "probcut": "a file of the numbers that forward pruning trusts shallow searches by, instead of the built-in ones",
    "revision": "which engine: a revision of this package, the folder of a source tree or a build, or `installed`",
    "rollout": "how games are played out: at random, by square values as odds, or with the opponent's best square",
    "seed": "for random choices; the same seed gives the same games",
    "symmetry": "take symmetric positions for the same one",
    "table": "remember positions and do not search them twice",
    "table_depth": "do not remember positions with less depth left",
    "threads": "threads that search together",
    "ties": "which of several best moves is played",
    "time": "seconds for a move",
    "timeout": "seconds another program may take for anything but a move",
    "weights": "a file of weights instead of the built-in ones; they value all positions unless networks are given",
    "width": "discs a book move may be worse than the best one and still be played; 2 unless given",
}
"""What the options of players mean. Which there are, and their defaults, only the players know."""


class Section(BaseModel):
    """Keys and values that belong together; any other key is refused."""

    model_config = ConfigDict(extra="forbid", frozen=True, allow_inf_nan=False)


class PlayerConfig(BaseModel):
    """A player: a player string, or its algorithm and options one by one."""

    model_config = ConfigDict(extra="allow", frozen=True)

    algorithm: str = Field(
        default="alphabeta", description="Who chooses the moves: a name below, or `mine.py:MyPlayer`."
    )
    name: str = Field(
        default="", description="What the player is called; its player string unless given.", max_length=100
    )

    @model_validator(mode="before")
    @classmethod
    def _from_string(cls, value: Any) -> Any:
        if isinstance(value, str):
            value = {"algorithm": value}
        if isinstance(value, dict) and isinstance(value.get("algorithm"), str):
            value = value | {"algorithm": canonical(value["algorithm"])}
        return value

    @model_validator(mode="after")
    def _check(self) -> PlayerConfig:
        known = {player.name: player for player in registered()}.get(self.algorithm.partition(":")[0])
        if self.algorithm.endswith(".py"):
            raise ValueError(unnamed(self.algorithm))
        if known is None and ".py:" not in self.algorithm:
            raise ValueError(f"unknown algorithm {self.algorithm!r}{likely(self.algorithm)}")
        given: dict[str, str] = {}
        argument = "" if known is None else known.argument or ""
        for key in self.model_extra or {}:
            option = self._option(key)
            if known is not None and option not in known.options and key != argument:
                words = [word for word, option in OPTION_WORDS.items() if option in known.options]
                names = [*known.options, *words, "name", "algorithm", *filter(None, [argument])]
                raise ValueError(f"unknown key {key!r}{nearest(key, names)}")
            if option in given:
                raise ValueError(f"{given[option]!r} and {key!r} are the same option, given twice")
            given[option] = key
        if argument:
            text = (self.model_extra or {}).get(argument, "")
            if not isinstance(text, str):
                raise ValueError(f"{argument}: a text expected, not {text!r}")
            if bool(text.strip()) == (":" in self.algorithm):
                name = self.algorithm.partition(":")[0]
                raise ValueError(f"give {argument}: TEXT, or {name}:TEXT as the algorithm")
        return self

    def _option(self, key: str) -> str:
        """Return the option of the player that a key stands for."""
        name = self.algorithm.partition(":")[0]
        options = next((player.options for player in registered() if player.name == name), {})
        return option_name(key, options)

    @property
    def spec(self) -> str:
        """The player string."""
        given = dict(self.model_extra or {})
        known = next((player for player in registered() if player.name == self.algorithm), None)
        argument = given.pop(known.argument, "") if known is not None and known.argument is not None else ""
        head = f"{self.algorithm}:{argument}" if argument else self.algorithm
        options = [f"{self._option(key)}={option_text(value)}" for key, value in given.items()]
        has_options = ":" in head.partition(".py:")[2 if ".py:" in self.algorithm else 0]
        return head + ("," if has_options else ":") * bool(options) + ",".join(options)

    @property
    def title(self) -> str:
        """The name, or the player string."""
        return self.name or self.spec


def _size(value: Any) -> str:
    try:
        return str(Size.parse(value if isinstance(value, int | str) else str(value)))
    except OthellierError as error:
        raise ValueError(str(error)) from None


_Size = Annotated[str, BeforeValidator(_size)]


class _Games(Section):
    """What a series of games and a tournament have in common."""

    size: _Size = Field(default="8", description="The board: `8`, or rows x columns such as `4x6`.")
    plies: int | None = Field(
        default=None, ge=0, description="Take only so many moves of each game of an openings file."
    )
    time: float | None = Field(default=None, ge=0, description="Seconds for a move; without it, players use their own.")
    patience: float = Field(
        default=60, gt=0, description="Seconds beyond that after which a player of your own has lost."
    )
    memory: int | None = Field(
        default=None,
        ge=16,
        le=1 << 20,
        description="Megabytes for a player of your own, which is then fenced in as in a class, see docs/teaching.md.",
    )
    seed: int = Field(default=0, ge=0, lt=1 << 31, description="For openings, and for players that choose at random.")
    jobs: int | None = Field(
        default=None, ge=1, description="Games played at a time; as many as there are cores unless given."
    )
    executor: str = Field(
        default="processes", description="Where: `processes`, `dask` (a local cluster), `dask://HOST:PORT`."
    )


def _display(value: Any) -> Any:
    """As the document writes it, true opens the game and false shows nothing."""
    return {True: "page", False: "none"}[value] if isinstance(value, bool) else value


class RunConfig(_Games):
    """A game or a series of games, for `othellier run`."""

    black: PlayerConfig = Field(default=PlayerConfig(algorithm="human"), description="Who plays black.")
    white: PlayerConfig = Field(default=PlayerConfig(algorithm="alphabeta"), description="Who plays white.")
    games: int = Field(default=1, ge=1, le=1_000_000, description="How many games.")
    swap: bool = Field(default=False, description="Exchange the colours in every second game.")
    openings: str = Field(default="start", description="`start`, `balanced`, or a file of games or positions.")
    display: Annotated[Display, BeforeValidator(_display)] = Field(
        default="board",
        description="How a game is shown: on a page in the browser (or `true`), in the terminal every board, its moves "
        "or its result, or not at all (`false`).",
    )
    statistics: Path | None = Field(
        default=None, description="Write discs, nodes and times of every game to this file (JSON)."
    )
    record: Path | None = Field(default=None, description="Write the games to this file: .jsonl, .ggf, .sgf, .txt …")
    replay: Path | None = Field(default=None, description="Play nothing: show the games of this file instead.")


class TournamentConfig(_Games):
    """A tournament, for `othellier tournament`."""

    title: str = Field(default="Tournament", description="The heading of the report.", max_length=200)
    players: list[PlayerConfig] = Field(description="Who plays: at least two, no two of the same name.", min_length=2)
    system: System = Field(
        default="round robin", description="All against all, one against all, or those of equal score."
    )
    hero: str | None = Field(
        default=None, description="The one who meets all others in a gauntlet; the first unless given."
    )
    rounds: int | None = Field(
        default=None, ge=1, le=1000, description="Rounds of a Swiss tournament; enough for one winner unless given."
    )
    games: int = Field(
        default=50, ge=1, le=1_000_000, description="Games of each pairing; every opening is played twice."
    )
    openings: str = Field(default="balanced", description="`balanced`, `start`, or a file of games or positions.")
    own_openings: bool = Field(
        default=False, description="Each pairing plays openings of its own, drawn by the seed; else all play the same."
    )
    clock: float | str | None = Field(
        default=None,
        description="Seconds each side has for a whole game, and what each move adds: `60` or `60+0.5`. Who has none "
        "left loses.",
    )

    def facts(self) -> dict[str, Any]:
        """Return all settings as they are stored beside the games, as JSON values."""
        return self.model_dump(mode="json")

    def defaults(self) -> dict[str, Any]:
        """Return the value of each setting that nobody gave."""
        return {name: field.default for name, field in type(self).model_fields.items()}

    @model_validator(mode="after")
    def _check(self) -> TournamentConfig:
        names = [player.title for player in self.players]
        twice = next((name for name in names if names.count(name) > 1), None)
        if twice is not None:
            raise ValueError(f"two players are called {twice!r}: give them names")
        clocked(self.clock)
        if self.hero is not None and self.hero not in names:
            raise ValueError(f"there is no player {self.hero!r} to be the hero{nearest(self.hero, names)}")
        return self


class SelfplayConfig(Section):
    """Games of the engine against itself, for `othellier learn`."""

    games: int = Field(default=10_000, ge=1, le=100_000_000, description="Games of a round.")
    depth: int = Field(default=5, ge=1, le=20, description="Plies of search in the middle of the game.")
    alternate: bool = Field(default=False, description="Every second game searches one ply deeper.")
    confidence: int = Field(
        default=100, ge=1, le=100, description="How sure these searches prune, in per cent; 100 prunes nothing."
    )
    solve: int = Field(default=14, ge=1, le=30, description="Play is perfect from so many empty squares.")
    openings: Starts = Field(
        default="random",
        description="From the start, from all openings of a few moves up to symmetry, or from balanced starts.",
    )
    plies: int = Field(default=7, ge=0, le=9, description="Moves of the `short` openings.")
    random_min: int = Field(default=6, ge=0, le=60, description="At least so many random moves follow,")
    random_max: int = Field(default=26, ge=0, le=60, description="and at most so many, drawn evenly.")
    exploration: int = Field(
        default=0,
        ge=0,
        le=100,
        validation_alias=AliasChoices("exploration", "wander"),  # the second before 1.0
        description="Per cent of random moves after that: errors, as searches meet them.",
    )
    shard: int = Field(default=1000, ge=1, le=1_000_000, description="Games a file: what a kill can cost.")

    @model_validator(mode="after")
    def _check(self) -> SelfplayConfig:
        if self.random_min > self.random_max:
            raise ValueError(f"random_min: {self.random_min} is more than random_max, {self.random_max}")
        return self


class DatabaseConfig(Section):
    """Games of others to learn from as well, for `othellier learn`."""

    records: list[Path] = Field(default=[], description="Files of games in any format, or folders of them,")
    exclude: Path | None = Field(default=None, description="without those on this list, `FILE RECORD` a line,")
    solve: int = Field(default=16, ge=1, le=24, description="played on perfectly from so many empty squares.")
    shards: list[Path] = Field(default=[], description="Games that `learn complete` has played on already.")
    weight: float = Field(default=0.5, gt=0, description="What their positions count, our own counting 1.")


class FitConfig(Section):
    """A fit of the evaluation's tables, for `othellier learn`."""

    window: int | None = Field(default=None, ge=1, description="Learn from the games of so many last rounds; of all.")
    epochs: int = Field(default=12, ge=1, le=10_000, description="Times through the data.")
    phases: int = Field(default=30, ge=1, le=60, description="Tables by phase of the game.")
    batch: int = Field(default=1 << 16, ge=1, description="Positions a step.")
    rate: float = Field(default=0.05, gt=0, description="The highest learning rate of the cycle.")
    decay: float = Field(default=1e-6, ge=0, description="How strongly weights are drawn to zero.")
    jitter: float = Field(default=0.15, ge=0, le=0.5, description="Share of positions lent to either next phase.")
    blend: float = Field(default=0.5, ge=0, le=1, description="Share of the search's value in a label.")
    scatter: float = Field(
        default=4.0, ge=0, description="Positions count 20 / (20 + scatter * empties): early results scatter more."
    )
    held_out: int = Field(default=50, ge=2, description="One game in so many is kept from training, to measure by.")
    device: Device = Field(default="auto", description="Where to fit; on a GPU if there is one, unless given.")


class NetworkConfig(Section):
    """A fit of the networks, for `othellier learn`."""

    window: int | None = Field(default=None, ge=1, description="Learn from the games of so many last rounds; of all.")
    epochs: int = Field(default=18, ge=1, le=10_000, description="Times through the data, for the value network,")
    tune_epochs: int = Field(default=13, ge=1, le=10_000, description="and then without the games with random moves.")
    policy: bool = Field(default=True, description="Fit the policy too, or keep the one the run begins with.")
    policy_epochs: int = Field(default=2, ge=1, le=10_000, description="Times through the data for it.")
    batch: int = Field(default=1 << 15, ge=1, description="Positions a step.")
    rate: float = Field(default=0.002, gt=0, description="The highest learning rate of the value network,")
    tune_rate: float = Field(default=0.0008, gt=0, description="the same without the games with random moves,")
    policy_rate: float = Field(default=0.015, gt=0, description="and the same of the policy.")
    scatter: float = Field(default=1.0, ge=0, description="Positions count 20 / (20 + scatter * empties).")
    caution: float = Field(default=1e-4, gt=0, description="The more, the less rarely met rows move.")
    blend: float = Field(default=0.7, ge=0, le=1, description="Share of the searches' values in a label.")
    book_weight: float = Field(default=8.0, ge=0, description="What a position of our opening book counts.")
    held_out: int = Field(default=50, ge=2, description="One game in so many is kept from training, to measure by.")
    warm: bool = Field(default=False, description="Begin with the numbers of the value network there is.")


class ProbcutConfig(Section):
    """The measurement of forward pruning, for `othellier learn`."""

    sample: int = Field(default=8000, ge=1, description="Positions to search, drawn from the last round's games,")
    deepest: int = Field(default=10, ge=4, le=16, description="to every depth up to this one,")
    solve: int = Field(default=20, ge=1, le=24, description="and to the end with at most so many empty squares.")
    midgame: tuple[float, float, float, float] | None = Field(
        default=None, description="The numbers for estimates, where others than those measured have proven better."
    )
    endgame: tuple[float, float, float] | None = Field(default=None, description="The same for exact scores.")


class ChancesConfig(Section):
    """The calibration of chances, for `othellier learn`."""

    each: int = Field(default=150, ge=1, description="Positions for every number of empty squares, of the last games,")
    deepest: int = Field(default=12, ge=1, le=20, description="searched to every depth up to this one.")


class ReplacementConfig(Section):
    """The match that what is new must win to replace the old, for `othellier learn`."""

    player: str = Field(default="engine:depth=6", description="Who plays it, with either evaluation.")
    games: int = Field(default=4000, ge=2, le=1_000_000, description="Games at most.")
    sprt: str = Field(default="0,10", description="Better by the second Elo difference rather than by the first?")
    openings: str = Field(default="balanced", description="`balanced`, `start`, or a file of games or positions.")


def _keep(value: Any) -> Any:
    return None if value in ("keep", "none") else value


def _several(value: Any) -> Any:
    return [value] if isinstance(value, dict | SelfplayConfig) else value


class LearnConfig(Section):
    """Rounds of self-play, fits and match, for `othellier learn run`."""

    title: str = Field(default="Learning", description="The heading of the report.", max_length=200)
    recipe: str = Field(default="", description="What is done here and why, in words, for the model card.")
    rounds: int = Field(default=1, ge=1, le=1000, description="How often to play, fit and compare.")
    weights: Path | None = Field(
        default=None,
        description="The weights to begin with: a file, `nothing` for weights of zero, or the built-in ones.",
    )
    networks: Path | None = Field(
        default=None,
        description="The networks to begin with: a file, `nothing`, or with the built-in weights the built-in ones.",
    )
    seed: int = Field(default=0, ge=0, lt=1 << 31, description="For games, fits and matches.")
    suites: list[Path] = Field(
        default=[], description="Test positions (OBF): games that reach one, in any symmetry, teach nothing."
    )
    selfplay: Annotated[list[SelfplayConfig], BeforeValidator(_several)] = Field(
        default=[SelfplayConfig()], min_length=1, description="The games of a round, of one kind or of several."
    )
    database: DatabaseConfig = Field(default=DatabaseConfig(), description="Games of others.")
    fit: Annotated[FitConfig | None, BeforeValidator(_keep)] = Field(
        default=FitConfig(), description="The fit of the tables; `keep`: none."
    )
    network: Annotated[NetworkConfig | None, BeforeValidator(_keep)] = Field(
        default=NetworkConfig(), description="The fit of the networks; `keep`: none."
    )
    probcut: Annotated[ProbcutConfig | None, BeforeValidator(_keep)] = Field(
        default=ProbcutConfig(), description="The measurement of forward pruning; `keep`: none."
    )
    match: Annotated[ReplacementConfig | None, BeforeValidator(_keep)] = Field(
        default=ReplacementConfig(), description="The match of new against old; `none`: what is new is taken."
    )
    chances: Annotated[ChancesConfig | None, BeforeValidator(_keep)] = Field(
        default=ChancesConfig(), description="The chances of winning that go with the best; `none`: not calibrated."
    )
    jobs: int | None = Field(default=None, ge=1, description="Cores to use; all unless given.")
    executor: str = Field(
        default="processes", description="Where matches are played, and games unless it is `processes`: see above."
    )


# -- reading

M = TypeVar("M", bound=BaseModel)


class _Loader(yaml.SafeLoader):
    """Refuses a key that stands twice, of which YAML would silently take the last."""

    def construct_mapping(self, node: yaml.MappingNode, deep: bool = False) -> dict[Any, Any]:
        keys = [self.construct_object(key, deep=True) for key, _ in node.value]
        for key, (mark, _) in zip(keys, node.value, strict=True):
            if keys.count(key) > 1:
                raise yaml.constructor.ConstructorError(None, None, f"the key {key!r} stands twice", mark.start_mark)
        return super().construct_mapping(node, deep)


def load(path: str | Path, model: type[M]) -> M:
    """Read a configuration; anything wrong with it is a ConfigError with file and place."""
    try:
        data = read_file(Path(path), LIMIT)
        value = yaml.load(data.decode("utf-8"), _Loader)
    except RecordError as error:
        raise ConfigError(str(error)) from None
    except UnicodeDecodeError:
        raise ConfigError(f"{path}: is not a text in UTF-8") from None
    except yaml.MarkedYAMLError as error:
        where = f", line {mark.line + 1}" if (mark := error.problem_mark) is not None else ""
        raise ConfigError(f"{path}{where}: {error.problem or 'is not YAML'}") from None
    except (yaml.YAMLError, ValueError, RecursionError) as error:
        raise ConfigError(f"{path}: is not YAML: {str(error).splitlines()[0] if str(error) else 'too deep'}") from None
    return parse(value if value is not None else {}, model, str(path))


def parse(value: Any, model: type[M], place: str) -> M:
    """The same for what is no file."""
    if not isinstance(value, dict):
        raise ConfigError(f"{place}: keys and values expected, such as size: 8")
    try:
        return model.model_validate(value)
    except ValidationError as error:
        raise ConfigError(f"{place}: {_explain(error, model)}") from None


def _explain(error: ValidationError, model: type[BaseModel]) -> str:
    first = error.errors(include_url=False)[0]
    where = ".".join(str(part) for part in first["loc"])
    if first["type"] == "extra_forbidden":
        *sections, key = first["loc"]
        for section in sections:
            if section in model.model_fields:
                model = _section(model.model_fields[str(section)].annotation) or model
        return f"unknown key {where!r}{nearest(str(key), list(model.model_fields))}"
    if first["type"] == "too_short":
        return f"{where}: at least {first['ctx']['min_length']} expected, not {first['ctx']['actual_length']}"
    words = first["msg"].removeprefix("Value error, ")
    return f"{where}: {words}" if where else words


def _section(annotation: Any) -> type[BaseModel] | None:
    """The section that stands under a key: alone, or where it may be left out or there may be several."""
    if isinstance(annotation, type) and issubclass(annotation, BaseModel):
        return annotation
    return next((part for part in map(_section, typing.get_args(annotation)) if part is not None), None)
