"""The command that does what a configuration says: play a game or a series, save its statistics, replay games."""

from __future__ import annotations

import json as json_library
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from othellier.errors import ConfigError, OthellierError, RecordError
from othellier.messages.language import say
from othellier.terminal.output import JsonOption, board_style, echo, json_line, move_list, progress, tell_gaps

if TYPE_CHECKING:
    from othellier.arena.play import Played, Watch
    from othellier.arena.series import Series
    from othellier.config.models import Display, RunConfig
    from othellier.games.results import Result
    from othellier.rules.board import Color, Position
    from othellier.session.commands import NewGame

app = typer.Typer()

Show = Callable[[str], None]

SHARES = {"black": "black_wins", "white": "white_wins", "drawn": "draws"}
LINES = ".jsonl"
"""How files end that hold a game a line, with all that is known of it: they have room for every board."""


@app.command()
def run(
    config: Annotated[Path | None, typer.Argument(metavar="CONFIG", help="See docs/configuration.md.")] = None,
    replay: Annotated[Path | None, typer.Option(metavar="FILE", help="Show the games of a file instead.")] = None,
    reference: Annotated[bool, typer.Option("--reference", help="Print all parameters with defaults.")] = False,
    port: Annotated[
        int | None, typer.Option(min=0, max=65535, metavar="N", help="Port of the page (display: page).")
    ] = None,
    browser: Annotated[bool, typer.Option("--browser/--no-browser", help="Open that page in the browser.")] = True,
    json: JsonOption = False,
) -> int:
    """Play a game or a series as a configuration says: players, size, display, statistics."""
    from othellier.config.models import RunConfig, load
    from othellier.config.reference import parameter_reference

    if reference:
        typer.echo(parameter_reference(say), nl=False)
        return 0
    if config is None and replay is None:
        raise ConfigError("which configuration? (othellier run CONFIG.yaml, or --reference, or --replay FILE)")
    settings = RunConfig() if config is None else load(config, RunConfig)
    show: Show = _silent if json else typer.echo
    if (path := replay or settings.replay) is not None:
        _replay(path, settings.display, show)
        return 0
    if settings.display == "page" and not json:
        return _play_on_page(settings, port, browser)
    return _play(settings, show, json)


def _silent(_: str) -> None:
    """In the place of echo, where standard output belongs to JSON."""


def _play(settings: RunConfig, show: Show, json: bool) -> int:
    from othellier.arena.series import HUMAN, Series
    from othellier.base.jobs import Crew

    if settings.memory is not None:
        tell_gaps()
    series = Series(settings)
    display: Display = "none" if json else settings.display
    status = 0
    failure: OthellierError | None = None
    try:
        if HUMAN in series.specs:
            _play_at_terminal(series)
        elif display == "board":
            for number, game in series.play(_watcher(show)):
                show(_result(series, number, game))
        else:
            with (
                Crew(settings.executor, settings.jobs) as crew,
                progress(f"{series.names[0]} - {series.names[1]}", settings.games) as advance,
            ):
                for number, game in series.run(crew):
                    advance(1)
                    if display == "moves":
                        show(move_list(game.game().main_line()))
                    if display != "none":
                        show(_result(series, number, game))
    except KeyboardInterrupt:
        status = 130
    except OthellierError as error:
        failure = error
    _save(series, settings)
    if json:
        json_line(series.statistics())
    elif display != "none" and series.games:
        show(_summary(series))
    if failure is not None:  # told last, where it is seen
        raise failure
    return status


def _play_on_page(settings: RunConfig, port: int | None, browser: bool) -> int:
    """The first game of a configuration in the browser: people click, machines are watched."""
    from othellier import records
    from othellier.arena.play import Played
    from othellier.arena.series import Series
    from othellier.cli.web import serve_page
    from othellier.games.game import Game

    series = Series(settings)
    if len(series.bouts) > 1:
        echo(say("the page shows the first of {count} games", count=len(series.bouts)), err=True)
    asked = _asked(series)
    opening = len(series.bouts[0].opening.moves)
    failures: list[OthellierError] = []

    def ended(game: Game) -> None:
        game.headers.black, game.headers.white = series.players(0)
        try:
            if game.outcome() is not None:
                series.games[0] = Played.of_game(game, opening, {})
                _save(series, settings)
            elif settings.record is not None and game.main_line():
                records.write([game], settings.record)
        except OthellierError as error:  # told when the server has ended
            failures.append(error)

    serve_page(
        hosts=["127.0.0.1"],
        port=port,
        browser=browser,
        language=None,
        data=None,
        private=True,
        games=(),
        first=asked,
        ended=ended,
    )
    if failures:
        raise failures[-1]
    return 0


def _asked(series: Series) -> NewGame:
    """The first game of a series as the page's server is asked for it."""
    from othellier.arena.series import HUMAN
    from othellier.engine.levels import LEVELS
    from othellier.page.play.players import permit
    from othellier.records.transcript import format_moves
    from othellier.rules import native
    from othellier.session.commands import (
        FreeOpening,
        HumanChoice,
        LevelChoice,
        Moves,
        NewGame,
        SetUp,
        StringChoice,
    )

    bout, names = series.bouts[0], series.players(0)

    def choice(spec: str, name: str) -> HumanChoice | LevelChoice | StringChoice:
        if spec == HUMAN:
            return HumanChoice(name="" if name == HUMAN else name)
        level = spec.removeprefix("engine:level=")
        if level in LEVELS:
            return LevelChoice(level=level)
        permit(spec)
        path, is_file, _ = spec.partition(".py:")
        return StringChoice(spec=spec, name=Path(path).name if is_file and name.startswith(path) else name[:80])

    opening = bout.opening
    size = opening.start.size
    start: FreeOpening | Moves | SetUp = FreeOpening()
    if opening.start != native.start(size):
        start = SetUp(kind="position", board=opening.position().board_string())
    elif opening.moves:
        start = Moves(kind="moves", moves=format_moves(opening.moves, size))
    specs = [spec if spec == HUMAN else _with_time(spec, series.config.time) for spec in bout.players]
    black, white = (choice(spec, name) for spec, name in zip(specs, names, strict=True))
    title = f"{names[0]} - {names[1]}"[:200]
    return NewGame(black=black, white=white, size=str(size), opening=start, title=title)


def _with_time(spec: str, seconds: float | None) -> str:
    """A player string that keeps to the time for a move, where the player can be told one."""
    from othellier.players import registered
    from othellier.players.registry import canonical

    name, _, options = canonical(spec).partition(":")
    known = next((one.options for one in registered() if one.name == name), {})
    if seconds is None or "time" not in known or "time=" in options:
        return spec
    return f"{spec}{',' if options else ':'}time={seconds:g}"


def _play_at_terminal(series: Series) -> None:
    """With somebody among the players: the games of `play --terminal`, one after the other, until one is left."""
    import contextlib

    from othellier.arena.guard import Contestant
    from othellier.arena.play import Played
    from othellier.arena.series import HUMAN, CountedPlayer
    from othellier.games.game import Game, Headers
    from othellier.players import Player
    from othellier.terminal.screen import Terminal
    from othellier.terminal.terminal import TerminalGame

    for bout in series.bouts:
        black, white = series.players(bout.number)
        game = Game(bout.opening.start, Headers(black=black, white=white))
        for move in bout.opening.moves:
            game.push(move)
        players: dict[Color, Player | None] = {"black": None, "white": None}
        counts: dict[Position, int] = {}
        with contextlib.ExitStack() as closing:
            for color, spec in zip(players, bout.players, strict=True):
                if spec != HUMAN:
                    contestant = Contestant(spec, bout.patience, memory=bout.memory)
                    closing.callback(contestant.close)
                    players[color] = CountedPlayer(contestant.take(game.start, bout.seed), bout.limit, counts)
            specs = dict(zip(players, bout.players, strict=True))
            table = contextlib.closing(TerminalGame(game, players, Terminal(board_style()), specs=specs))
            closing.enter_context(table).run()
        if game.outcome() is None:
            return
        series.games[bout.number] = Played.of_game(game, len(bout.opening.moves), counts)


def _watcher(show: Show) -> Watch:
    """Shows every move and the board after it."""
    from othellier.pictures import text
    from othellier.rules.geometry import square_name

    def watch(position: Position, result: Result) -> None:
        show(say("{who} plays {move}", who=say(position.turn), move=square_name(result.move, position.size)))
        show(f"\n{text(position.play(result.move), last_move=result.move, style=board_style(), say=say)}\n")

    return watch


def _result(series: Series, number: int, game: Played) -> str:
    black, white = series.players(number)
    end = game.end()
    discs = f"{end.discs('black')}-{end.discs('white')}"
    won = "black wins" if game.score > 0 else "white wins" if game.score else "a draw"
    why = f" ({game.error})" if game.error else ""
    words = "game {number}: {black} - {white}: {won}, {discs}"
    return say(words, number=number + 1, black=black, white=white, won=say(won), discs=discs) + why


def _summary(series: Series) -> str:
    facts = series.statistics()
    count = facts["games"]
    shares = {name: 100 * facts[key] / count for name, key in SHARES.items()}
    one = "1 game: black won {black:.0f} %, white {white:.0f} %, drawn {drawn:.0f} %"
    many = "{count:,} games: black won {black:.0f} %, white {white:.0f} %, drawn {drawn:.0f} %"
    lines = [say(many if count > 1 else one, count=count, **shares)]
    for player in facts["players"]:
        words = "  {name}: won {wins}, {effort:.2f} ms and {nodes:,.0f} nodes a move"
        wins, nodes = player["wins"], player["nodes"]
        lines.append(say(words, name=player["name"], wins=wins, effort=1000 * player["seconds"], nodes=nodes))
    return "\n".join(lines)


def _save(series: Series, settings: RunConfig) -> None:
    """Write what the configuration wants to be kept, of the games there are."""
    from othellier import records
    from othellier.base.files import write_file

    if (path := settings.statistics) is not None:
        write_file(path, [json_library.dumps(series.statistics(), indent=2).encode() + b"\n"])
    if (path := settings.record) is not None and series.games:
        if path.suffix == LINES:
            _write_lines(series, path)
            return
        games = (game.game(*series.players(number)) for number, game in sorted(series.games.items()))
        try:
            records.write(games, path)
        except (
            RecordError
        ) as error:  # a format may not have room for such a board: what was played is kept all the same
            spare = path.with_suffix(LINES)
            _write_lines(series, spare)
            raise RecordError(error.file, error.where, f"{error.reason}; the games are in {spare}") from None


def _write_lines(series: Series, path: Path) -> None:
    from othellier.base.files import write_file

    write_file(path, (json_library.dumps(line).encode() + b"\n" for line in series.lines()))


def _replay(path: Path, display: Display, show: Show) -> None:
    """Show the games of a file as they were played."""
    from othellier import records
    from othellier.pictures import text
    from othellier.rules.geometry import square_name

    for number, game in enumerate(records.read(path), 1):
        names = {"black": game.headers.black or "?", "white": game.headers.white or "?"}
        show(say("game {number}: {black} - {white}", number=number, **names))
        line = game.main_line()
        for node in line if display == "board" else ():
            name = square_name(node.move, game.start.size) if node.move is not None else ""
            show(say("{who} plays {move}", who=say(node.color or ""), move=name))
            show(f"\n{text(node.position, last_move=node.move, style=board_style(), say=say)}\n")
        if display == "moves":
            show(move_list(line))
        if (outcome := game.outcome()) is not None:
            won = "{who} wins by {discs:g}" if outcome.winner else "a draw"
            told = say(won, who=say(outcome.winner or ""), discs=abs(outcome.score))
            show(f"  {told}{f' ({game.end.comment})' if game.end.comment else ''}")
