"""Players known by name, and the strings that describe them.

A player is written `name`, or `name:key=value,key=value`; `file.py:Class` is a player of one's own, and so is
`file.py:function`.
The options of a player are the keyword parameters of its factory: their annotations give the types,
their defaults the defaults, so nothing is written down twice.
"""

from __future__ import annotations

import importlib.util
import inspect
import math
import random
import re
import sys
import types
import typing
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any, Literal, TypeVar

from othellier.base import aliases
from othellier.engine.levels import LEVELS
from othellier.errors import ConfigError, OthellierError, WrongType, nearest
from othellier.players.contract import Player, failure
from othellier.players.function import FunctionPlayer, MoveFunction
from othellier.rules.board import Position

__all__ = [
    "ONLY",
    "Ask",
    "Factory",
    "Option",
    "PlayerLike",
    "Public",
    "Registration",
    "canonical",
    "create_player",
    "create_public",
    "likely",
    "option_name",
    "option_text",
    "register",
    "registered",
    "takes_seed",
    "unnamed",
    "unregister",
]

Ask = Callable[[Position], int]
"""How a human is asked: handed the position, gives a legal move."""

Factory = Callable[..., Player]
PlayerLike = str | Player | MoveFunction
"""A player as one may give it: a string, an object, or a function from a position to a move."""
F = TypeVar("F", bound=Factory)


@dataclass(frozen=True, slots=True)
class Option:
    """One `key=value` of a player string.

    >>> depth = next(known for known in registered() if known.name == "pvs").options["depth"]
    >>> depth.parse("6"), depth.expected
    (6, 'a whole number')
    """

    name: str
    types: tuple[type, ...]
    """The types a value may have, tried in this order."""
    choices: tuple[str, ...]
    """The only words allowed; empty where any value of the type is."""
    default: Any

    def parse(self, text: str) -> Any:
        """The value a text stands for, or a ConfigError saying what is expected."""
        word = aliases.resolve(text, self.choices, aliases.CHOICES)
        if word in self.choices:
            return word
        for kind in self.types:
            value = _convert(text, kind)
            if value is not None:
                return value
        raise ConfigError(f"option {self.name}={text}: {self.expected} expected")

    @property
    def expected(self) -> str:
        """What a value may be, in words."""
        words = [WORDS[kind] for kind in self.types]
        return " or ".join([", ".join(self.choices), *words] if self.choices else words)

    @property
    def default_text(self) -> str:
        """The default as it would be typed, such as `no` or `1.5`; empty where there is none."""
        if self.required or self.default is None:
            return ""
        return option_text(self.default)

    @property
    def required(self) -> bool:
        """Whether it has no default."""
        return self.default is inspect.Parameter.empty


WORDS = {bool: "yes or no", int: "a whole number", float: "a number", str: "a word"}
UNQUOTED_COMMA = re.compile(r""",(?=(?:[^'"]|'[^']*'|"[^"]*")*$)""")
LONGEST = 4_000
"""Characters of a player string: each of its commas is looked at with all that follows it."""
ONLY = "*"
"""Stands for the one player of a file: `file.py:*`."""
SWITCH = {"yes": True, "true": True, "on": True, "no": False, "false": False, "off": False}


def option_text(value: object) -> str:
    """A value as player strings and configurations write it."""
    return {True: "yes", False: "no"}[value] if isinstance(value, bool) else str(value)


def _convert(text: str, kind: type) -> Any:
    if kind is bool:
        return SWITCH.get(text.lower())
    if kind is str:
        return text
    try:
        value = kind(text)
    except ValueError:
        return None
    return value if math.isfinite(value) else None


@dataclass(frozen=True, slots=True)
class Public:
    """What anybody with a browser may ask of a player: nothing that reads a file, or takes memory and cores that are
    everybody's.

    >>> public = Public({"depth": 8.0, "seed": None}, seconds=5)
    >>> public.options["depth"]  # `depth=9` is refused, any seed is taken
    8.0
    """

    options: Mapping[str, float | None]
    """The options that may be set, each up to a greatest value where it has one."""
    seconds: float = 30.0
    """The longest it may think about a move: others wait too."""


@dataclass(frozen=True, slots=True)
class Registration:
    """A player the registry knows: how it is made and what may be said about it.

    >>> known = next(known for known in registered() if known.name == "random")
    >>> known.summary, list(known.options), known.example
    ('Any legal move, each as likely; the same moves in the same order for the same seed.', ['seed'], 'random:seed=1')
    """

    name: str
    factory: Factory
    options: Mapping[str, Option]
    argument: str | None
    """The name of the free text after the colon (`gtp:COMMAND`), for players that take one."""
    example: str
    """A player string that answers quickly, for tests and demonstrations."""
    public: Public | None = None
    """What a browser may ask of it; nothing, if None."""

    @property
    def summary(self) -> str:
        """The first line of the factory's description."""
        return (inspect.getdoc(self.factory) or "").partition("\n")[0]


_registry: dict[str, Registration] = {}


def register(name: str, *, example: str | None = None, public: Public | None = None) -> Callable[[F], F]:
    """Decorate a factory (a function or a Player class) to make it known by a name.

    Its keyword-only parameters become options; a positional one takes the text after the colon as it
    is; one called `ask` is handed the caller's way of asking a human. `public` is what a browser may ask of it.

    >>> from othellier import start
    >>> @register("corners")
    ... class Corners(Player):
    ...     def choose(self, position, limit):
    ...         moves = position.moves()
    ...         return next((move for move in moves if move in (0, 7, 56, 63)), moves[0])
    >>> create_player("corners").choose(start(), None)
    19
    >>> unregister("corners")
    """

    def enter(factory: F) -> F:
        if name in _registry:
            raise ConfigError(f"a player named {name!r} is already registered")
        _registry[name] = replace(_registration(name, factory, example), public=public)
        return factory

    return enter


def unregister(name: str) -> None:
    """Forget a player that was known by a name."""
    _registry.pop(name, None)


def registered() -> tuple[Registration, ...]:
    """All players known by name, in alphabetical order.

    >>> {"engine", "human", "random"} <= {known.name for known in registered()}
    True
    """
    return tuple(_registry[name] for name in sorted(_registry))


def _registration(name: str, factory: Factory, example: str | None = None) -> Registration:
    options, argument = {}, None
    for parameter in inspect.signature(factory, eval_str=True).parameters.values():
        if parameter.kind is parameter.KEYWORD_ONLY:
            if parameter.name != "ask":
                options[parameter.name] = _option(parameter)
        else:
            argument = parameter.name
    return Registration(name, factory, options, argument, example or name)


def _option(parameter: inspect.Parameter) -> Option:
    annotation = parameter.annotation
    union = typing.get_origin(annotation) in (types.UnionType, typing.Union)
    kinds: list[type] = []
    choices: list[str] = []
    for part in typing.get_args(annotation) if union else (annotation,):
        if typing.get_origin(part) is Literal:
            choices += typing.get_args(part)
        elif part in WORDS:
            kinds.append(part)
    return Option(parameter.name, tuple(kinds), tuple(choices), parameter.default)


# -- player strings


def create_player(spec: PlayerLike, *, ask: Ask | None = None, seed: int | None = None, **options: object) -> Player:
    """Make the player a string describes; a player stays what it is, a function of positions becomes one.

    `ask` is how a human is asked. Options may stand in the string or beside it: `create_player("pvs", depth=6)` is
    `create_player("pvs:depth=6")`. The `eval` of a classical search may be a function from the discs of both sides to a
    whole number. A player that chooses at random takes `seed` into account beside its own: as many
    players as there are numbers, each of which can be made again.

    >>> create_player("random:sed=1")
    Traceback (most recent call last):
    othellier.errors.ConfigError: player 'random:sed=1': unknown option 'sed', did you mean 'seed'?
    >>> create_player("pvs", depth=3, eval=lambda mine, theirs: mine.bit_count() - theirs.bit_count())
    <ClassicalPlayer pvs:depth=3>
    """
    if isinstance(spec, Player):
        return spec
    if not isinstance(spec, str):
        if isinstance(spec, type) and issubclass(spec, Player):
            raise WrongType(f"{spec.__name__} is a class: {spec.__name__}() makes a player of it")
        if isinstance(spec, type) or not callable(spec):
            raise WrongType.of("player", spec, "a string such as 'engine:level=expert', a Player or a function")
        return FunctionPlayer(spec)
    functions = {name: value for name, value in options.items() if callable(value)}
    texts = {name: value for name, value in options.items() if name not in functions}
    spec = _with_options(spec.strip(), texts)
    try:
        player = _create(spec, ask, seed, functions)
    except ConfigError as error:
        raise ConfigError(f"player {spec!r}: {error}") from None
    object.__setattr__(player, "_described", spec)  # a class of one's own may be frozen
    return player


def create_public(spec: str) -> Player:
    """Make the player a stranger's string describes, if its registration lets anybody ask for it.

    >>> create_public("engine:hash=4000")
    Traceback (most recent call last):
    othellier.errors.ConfigError: player 'engine:hash=4000': the option hash is not to be chosen here
    """
    spec = canonical(spec.strip())
    name, _, rest = spec.partition(":")
    known = _registry.get(name)
    if known is None or known.public is None:
        names = ", ".join(player.name for player in registered() if player.public is not None)
        raise ConfigError(f"{name[:40]!r} cannot be played against here; there are {names}")
    try:
        _, values = _split(rest, known)
        for option, value in values.items():
            if option not in known.public.options:
                raise ConfigError(f"the option {option} is not to be chosen here")
            most = known.public.options[option]
            if most is not None and value > most:
                raise ConfigError(f"option {option}={value}: {most:g} is the most here")
    except ConfigError as error:
        raise ConfigError(f"player {spec!r}: {error}") from None
    return create_player(spec)


def _with_options(spec: str, options: Mapping[str, object]) -> str:
    texts = [f"{name}={option_text(value)}" for name, value in options.items()]
    head, colon, rest = spec.rpartition(".py:")  # the colon of a file is not that of options
    between = "" if not texts else "," if ":" in rest else ":"
    return f"{head}{colon}{rest}{between}{','.join(texts)}"


def takes_seed(spec: str) -> bool:
    """Whether the player draws lots: then each game needs a new one with a seed of its own.

    >>> takes_seed("random"), takes_seed("human")
    (True, False)
    """
    try:
        return "seed" in _find(spec.strip())[0].options
    except ConfigError as error:
        raise ConfigError(f"player {spec!r}: {error}") from None


def canonical(spec: str) -> str:
    """Return a player string with the registered name of its player.

    >>> canonical("Negamax-AlphaBeta:depth=4"), canonical("MCTS")
    ('nega-alphabeta:depth=4', 'mcts')
    """
    name, colon, rest = spec.partition(":")
    return aliases.resolve(name, _registry, aliases.PLAYERS) + colon + rest


def option_name(key: str, options: Collection[str]) -> str:
    """Return the option that a key stands for; the key itself where it stands for none.

    >>> option_name("strategy", ["depth", "eval"])
    'eval'
    """
    return aliases.resolve(key, options, aliases.OPTIONS)


def _find(spec: str) -> tuple[Registration, str]:
    """Who is meant, and what is said about it after the colon."""
    spec = canonical(spec)
    name, _, rest = spec.partition(":")
    if name in _registry:  # first, because the command of another program may hold anything
        return _registry[name], rest
    path, is_file, rest = spec.partition(".py:")
    if not is_file:
        raise ConfigError(unnamed(name) if name.endswith(".py") else f"unknown player{likely(name)}")
    name, _, rest = rest.partition(":")
    return _registration(name, _load(Path(f"{path}.py"), name)), rest


def likely(name: str) -> str:
    """The end of a message about a name that no player has: who may be meant, a level of the engine too.

    >>> "unknown player" + likely("nora"), "unknown player" + likely("rndom")
    ("unknown player, did you mean 'engine:level=nora'?", "unknown player, did you mean 'random'?")
    """
    return f", did you mean 'engine:level={name}'?" if name in LEVELS else nearest(name, _registry)


def unnamed(file: str) -> str:
    """What to say of a file whose player is not named."""
    return f"which player of the file? Write {file}:NAME, or {file}:{ONLY} for its only one"


def _create(spec: str, ask: Ask | None, seed: int | None, functions: Mapping[str, object]) -> Player:
    registration, rest = _find(spec)
    argument, values = _split(rest, registration)
    for name, function in functions.items():
        if name != "eval" or name not in registration.options:
            raise ConfigError(f"option {name} cannot be a function")
        values[name] = function
    if registration.argument is not None and not argument:
        raise ConfigError(f"{registration.name}:{registration.argument.upper()} expected")
    for option in registration.options.values():
        if option.required and option.name not in values:
            raise ConfigError(f"option {option.name}=… is missing")
    if "ask" in inspect.signature(registration.factory).parameters:
        values["ask"] = ask
    if seed is not None and "seed" in registration.options:
        own = values.get("seed", registration.options["seed"].default)
        values["seed"] = random.Random(f"{own} {seed}").getrandbits(31)
    try:
        return registration.factory(*([argument] if argument else []), **values)
    except OthellierError:
        raise
    except Exception as error:  # of a player of one's own
        raise ConfigError(f"it cannot be made: {failure(error)}") from error


def _split(rest: str, registration: Registration) -> tuple[str, dict[str, Any]]:
    """The free text and the options after the colon.

    A free text may itself hold commas and equal signs; what in it would look like an option stands in quotes.
    """
    if len(rest) > LONGEST:
        raise ConfigError(f"it has {len(rest)} characters, {LONGEST} at most are read")
    values: dict[str, Any] = {}
    parts = UNQUOTED_COMMA.split(rest) if rest else []
    while parts:
        key, equals, value = (part.strip() for part in parts[-1].partition("="))
        if registration.argument is None:  # in a free text, only an option as it is written here is one
            key = option_name(key, registration.options)
        if key not in registration.options or not equals:
            if registration.argument is not None:
                break
            if not equals:
                raise ConfigError(f"{parts[-1]!r} is not key=value")
            raise ConfigError(f"unknown option {key!r}{nearest(key, registration.options)}")
        if key in values:
            raise ConfigError(f"option {key!r} is given twice")
        values[key] = registration.options[key].parse(value)
        parts.pop()
    return ",".join(parts).strip(), values


def _load(path: Path, name: str) -> Factory:
    """A player class, or a function from a position to a move, from a user's own file."""
    module_name = f"othellier_player_{path.stem}"
    found = importlib.util.spec_from_file_location(module_name, path)
    assert found is not None
    assert found.loader is not None
    module = importlib.util.module_from_spec(found)
    sys.modules[module_name] = module  # dataclasses and pickle look their module up there
    try:
        found.loader.exec_module(module)
    except FileNotFoundError:
        raise ConfigError(f"there is no file {path}") from None
    except Exception as error:
        raise ConfigError(f"{path} cannot be loaded: {failure(error)}") from error
    candidate = _only_player(path, module) if name == ONLY else getattr(module, name, None)
    if inspect.isfunction(candidate):
        return _function_factory(candidate)
    if not isinstance(candidate, type):
        own = [key for key, value in vars(module).items() if getattr(value, "__module__", "") == module_name]
        raise ConfigError(f"{path} has no class or function {name!r}{nearest(name, own)}")
    if not issubclass(candidate, Player):
        raise ConfigError(f"class {name!r} of {path} is not a Player (derive it from othellier.players.Player)")
    return candidate


def _only_player(path: Path, module: types.ModuleType) -> Any:
    """The player of a file that names none: its class derived from Player, or its function."""
    own = {key: value for key, value in vars(module).items() if getattr(value, "__module__", "") == module.__name__}
    classes = [value for value in own.values() if isinstance(value, type) and issubclass(value, Player)]
    # One class may derive from another of the file: the last of the family plays.
    classes = [kind for kind in classes if not any(kind in other.__mro__[1:] for other in classes)]
    if len(classes) > 1:
        names = ", ".join(kind.__name__ for kind in classes)
        raise ConfigError(f"{path} has several players ({names}): keep one")
    functions = {key: value for key, value in own.items() if inspect.isfunction(value) and not key.startswith("_")}
    named = next((functions[key] for key in ("choose", "play", "move", path.stem) if key in functions), None)
    found = classes[0] if classes else named or (next(iter(functions.values())) if len(functions) == 1 else None)
    if found is None:
        raise ConfigError(f"{path} has no player: write a class derived from Player, or a function choose(position)")
    return found


def _function_factory(function: Callable[..., Any]) -> Factory:
    """Makes players of a function; its keyword-only parameters are the options."""

    kind = type(function.__name__, (FunctionPlayer,), {})  # by its own name in errors

    def create(**options: Any) -> Player:
        player: Player = kind(partial(function, **options))
        return player

    signature = inspect.signature(function, eval_str=True)
    options = [value for value in signature.parameters.values() if value.kind is value.KEYWORD_ONLY]
    setattr(create, "__signature__", signature.replace(parameters=options))  # noqa: B010 - mypy knows no such attribute
    return create
