"""The command that lets two players play each other."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from othellier.errors import ConfigError, OthellierError
from othellier.messages.complaints import complaint
from othellier.messages.language import say
from othellier.rules.geometry import STANDARD
from othellier.terminal.output import (
    INTERRUPTED,
    ExecutorOption,
    JobsOption,
    JsonOption,
    SizeOption,
    echo,
    json_line,
    progress,
)

if TYPE_CHECKING:
    from othellier.arena.bout import Bout
    from othellier.arena.match import Match
    from othellier.arena.play import Played

app = typer.Typer()

GAMES = 100
ERRORS = 0.05  # the chance of either error of a sequential test
GAMES_AT_MOST = 40_000  # of a sequential test that cannot make up its mind

_A = Annotated[str, typer.Argument(metavar="A", help="A player: see `othellier players`, or mine.py:MyPlayer.")]
_B = Annotated[str, typer.Argument(metavar="B", help="The other player.")]


@app.command()
def match(
    a: _A,
    b: _B,
    games: Annotated[int | None, typer.Option(min=1, metavar="N", help=f"Games to play; {GAMES} unless given.")] = None,
    openings: Annotated[
        str, typer.Option(metavar="FILE", help="A file of games or positions, `balanced` or `start`.")
    ] = "balanced",
    plies: Annotated[
        int | None, typer.Option(min=0, metavar="N", help="Take the first N moves of each game of the file.")
    ] = None,
    size: SizeOption = STANDARD,
    time: Annotated[float | None, typer.Option(min=0, metavar="S", help="Seconds for a move.")] = None,
    clock: Annotated[
        str | None, typer.Option(metavar="S+S", help="Seconds for a game, and what each move adds: 60 or 60+0.5.")
    ] = None,
    patience: Annotated[
        float, typer.Option(min=0, metavar="S", help="Seconds beyond that until a player of your own loses.")
    ] = 60,
    sprt: Annotated[
        str | None, typer.Option(metavar="E0,E1", help="Stop when A is better by E1 Elo rather than by E0, or is not.")
    ] = None,
    alpha: Annotated[
        float | None, typer.Option(metavar="P", help="With --sprt: chance to accept a difference of E0; 0.05.")
    ] = None,
    beta: Annotated[
        float | None, typer.Option(metavar="P", help="With --sprt: chance to reject a difference of E1; 0.05.")
    ] = None,
    seed: Annotated[int, typer.Option(metavar="N", help="For openings and for players that choose at random.")] = 0,
    jobs: JobsOption = None,
    executor: ExecutorOption = "processes",
    save: Annotated[Path | None, typer.Option(metavar="FILE", help="Write every game to this file (.jsonl).")] = None,
    json: JsonOption = False,
) -> int:
    """Let two players play each other: every opening twice, with the colours swapped.

    With time=fit one of them, such as engine:time=fit, gets as much processor time a move as the other one uses.
    """
    from othellier.arena.equal_time import fit_time, wants_fit
    from othellier.arena.ledger import Ledger
    from othellier.arena.match import Match
    from othellier.arena.stats import Sprt
    from othellier.base.jobs import Crew
    from othellier.games.results import clocked

    if sprt is None and not (alpha is None and beta is None):
        raise ConfigError("--alpha and --beta go with --sprt")
    test = (
        None if sprt is None else Sprt.parse(sprt, ERRORS if alpha is None else alpha, ERRORS if beta is None else beta)
    )
    games = games or (GAMES if test is None else GAMES_AT_MOST)
    facts: dict[str, Any] = {"openings": openings, "plies": plies, "size": size, "seed": seed, "patience": patience}
    facts["limit"] = clocked(clock, time)
    fits = wants_fit(a, b)
    with ExitStack() as closing:
        crew = closing.enter_context(Crew(executor, jobs, pinned=fits))
        fitted = fit_time(a, b, crew, **facts, told=lambda line: echo(line, err=True), say=say) if fits else None
        a, b = (a, b) if fitted is None else fitted.players
        running = Match.between(a, b, games, **facts, sprt=test, measured=fits)
        running.equal_time = fitted
        ledger = None if save is None else closing.enter_context(Ledger(save))
        if ledger is not None and ledger.lines:
            raise ConfigError(f"{save} holds {len(ledger.lines):,} games already: choose another file, or remove it")
        advance = closing.enter_context(progress(f"{a} - {b}", games))

        def told(bout: Bout, played: list[Played]) -> None:
            if ledger is not None:
                ledger.append(running.lines(bout, played))
            tell_errors((a, b), played)
            advance(len(played))

        status, failure = attempt(lambda: running.run(crew, told))
    if json and running.everything.games:
        json_line(running.summary())
    elif running.everything.games:
        echo(_page(a, b, running, interrupted=status != 0))
    if failure is not None:
        raise failure
    return status


def tell_errors(names: tuple[str, str], played: Sequence[Played]) -> None:
    """Who of two players lost a game by failing, and how; they change colours after each."""
    for index, game in enumerate(played):
        if game.error:
            loser = names[(index + (game.score > 0)) % 2]
            echo(say("{name} lost a game: {error}", name=loser, error=complaint(game.error)), err=True)


def attempt(work: Callable[[], object]) -> tuple[int, OthellierError | None]:
    """Do some work: the exit status after it, and what went wrong, for it is told last, where it is seen."""
    try:
        work()
    except KeyboardInterrupt:
        return INTERRUPTED, None
    except OthellierError as error:
        return 0, error
    return 0, None


def _page(a: str, b: str, running: Match, interrupted: bool) -> str:
    facts = running.summary()
    lines = [f"{a} - {b}" + (say(", interrupted") if interrupted else ""), f"  {_score_line(running)}"]
    if running.sprt is not None:
        test = facts["sprt"]
        verdict = running.verdict or say("undecided")
        lines.append(
            f"  SPRT {running.sprt.elo0:g},{running.sprt.elo1:g}: {verdict}, LLR {test['llr']:.2f}"
            f" [{test['low']:.2f}, {test['high']:.2f}]"
        )
    lines += (f"  {words}" for words in running.remarks(say))
    lines += (_side(name, facts[key]) for name, key in ((a, "a"), (b, "b")))
    return "\n".join(lines)


def _score_line(running: Match) -> str:
    """Games, score, Elo and discs in one line, from the first player's side."""
    tally = running.tally
    if not tally.games:
        return say("no game that counts")
    words = "+{wins} ={draws} -{losses} of {games} games, score {score:.1f} %, {elo}"
    counts = {"wins": tally.wins, "draws": tally.draws, "losses": tally.losses, "games": tally.games}
    line = say(words, **counts, score=100 * tally.score, elo=tally.estimate())
    return line + (say(", {discs:+.1f} discs a game", discs=tally.discs) if tally.on_board else "")


def _side(name: str, facts: dict[str, Any]) -> str:
    told = "  {name}: {ms:.2f} ms and {nodes:,.0f} nodes a move"
    words = say(told, name=name, ms=1000 * facts["seconds"], nodes=facts["nodes"])
    if "processor" in facts:
        words += say(", {ms:.2f} ms of processor time", ms=1000 * facts["processor"])
    if facts["overruns"]:
        words += say(", {moves} moves took too long", moves=facts["overruns"])
        if facts["slowest"]:  # a move that never came is not among those measured
            words += say(" (the slowest answer {seconds:.3f} s)", seconds=facts["slowest"])
    if facts["timeouts"]:
        words += say(", {games} games lost on the clock", games=facts["timeouts"])
    if broken := facts["errors"] - facts["timeouts"]:
        words += say(", {games} games lost by errors", games=broken)
    return words
