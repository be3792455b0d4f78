"""The strong engine on the command line: bench, solve, evaluate, analyze."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

import typer

from othellier.errors import ConfigError, RecordError
from othellier.messages.language import language, say
from othellier.rules.geometry import PASS, Size, square_name
from othellier.terminal.output import JsonOption, columns, echo, given, json_line, parse_size, progress, progress_share

if TYPE_CHECKING:
    from collections.abc import Sequence

    from othellier.games.results import Result
    from othellier.rules.board import Position

app = typer.Typer()

SOLVE_HASH = 512
"""Megabytes for solving: FFO 40-59 needs about a fifth more nodes with a quarter of it."""

MOVES_A_LINE = 6

GROWTH = 1.6
"""How many times as long a search takes for each ply more: 1.5 to 1.7 from the start and in FFO 52."""
PROVEN = {58: 0.004, 87: 0.04, 99: 0.1}
"""What part of a proof is done when it is so sure, in per cent: of FFO 46 and 48 1.2, 6.4, 16 and 0.3, 3, 7 %."""

_ObfOption = Annotated[
    str | None,
    typer.Option("--obf", metavar="FILE", help="Positions, one a line, or the ends of games; - is standard input."),
]
_PositionOption = Annotated[
    str | None, typer.Option("--position", metavar='"BOARD SIDE"', help="One position as a board string.")
]
_OptionalSize = Annotated[
    Size | None,
    typer.Option(parser=parse_size, metavar="SIZE", help="The start position of this size, or the size of --position."),
]
_ThreadsOption = Annotated[int, typer.Option(metavar="N", help="Threads that share a search.")]
_WeightsOption = Annotated[
    str | None,
    typer.Option(
        metavar="FILE", help="Weights other than the built-in ones; they value all positions, without networks."
    ),
]


def _positions(obf: str | None, position: str | None, size: Size | None) -> list[Position]:
    """What is asked about, whichever way it was named."""
    from othellier.records import read
    from othellier.rules import native

    if obf is not None:
        if position is not None or size is not None:
            raise ConfigError("give --obf, --position or --size, not several of them")
        if obf != "-" and not Path(obf).exists():
            raise ConfigError(f"{obf}: no such file")
        found = (game.last for game in read(given(obf)))
        return [native.position(p.player, p.opponent, p.turn, p.size) for p in found]
    if position is not None:
        return [native.parse(position, size)]
    if size is not None:
        return [native.start(size)]
    raise ConfigError("nothing to do: give --obf FILE, --position BOARD or --size SIZE")


def _share(found: Result, depth: int) -> float:
    """Roughly what part of a search to a depth is done after a step of it, judged by the time such steps take.

    >>> from othellier.games.results import Result
    >>> round(_share(Result(19, "black", depth=10), 12), 2), _share(Result(19, "black", depth=24, selectivity=99), 24)
    (0.39, 0.1)
    """
    if found.depth < depth:
        return float(GROWTH ** (found.depth - depth))
    return PROVEN.get(found.selectivity, 0.0) if found.selectivity < 100 else 1.0


def _names(moves: tuple[int, ...], size: Size) -> str:
    return " ".join(square_name(move, size) for move in moves)


def _finished(index: int, position: Position, count: Literal["winner", "discs"]) -> dict[str, Any]:
    """The line of a game that is over: its score is what it is."""
    return {
        "index": index,
        "empties": position.empties,
        "score": position.score(count),
        "move": None,
        "pv": "",
        "nodes": 0,
        "seconds": 0.0,
        "exact": True,
    }


def _line(index: int, position: Position, result: Result) -> dict[str, Any]:
    score = result.score
    assert score is not None
    return {
        "index": index,
        "empties": position.empties,
        "score": int(score) if score == int(score) else score,
        "move": square_name(result.move, position.size),
        "pv": _names(result.pv, position.size),
        "nodes": result.nodes,
        "seconds": round(result.seconds, 6),
        "exact": result.is_exact,
    }


@app.command()
def bench(json: JsonOption = False, weights: _WeightsOption = None) -> None:
    """Search fixed positions with one thread; the signature is the same on every machine."""
    from othellier.engine import engine

    with progress_share("searching the bench positions") as reached:
        found = engine.bench(weights, lambda done, total: reached(done / total))
    if json:
        json_line(found)
    else:
        words = "{nodes:,} nodes  signature {signature}  {seconds:.2f} s  {nps:,} nodes/s"
        echo(say(words, **found))


@app.command()
def solve(
    obf: _ObfOption = None,
    position: _PositionOption = None,
    size: _OptionalSize = None,
    threads: _ThreadsOption = 1,
    hash_mb: Annotated[
        int, typer.Option("--hash", metavar="MB", help="Megabytes of transposition table.")
    ] = SOLVE_HASH,
    wld: Annotated[bool, typer.Option("--wld", help="Only who wins; the score is then a bound, 2, 0 or -2.")] = False,
    count: Annotated[
        Literal["winner", "discs"], typer.Option(help="Who gets the squares left empty: the winner, or nobody.")
    ] = "winner",
    weights: _WeightsOption = None,
    json: JsonOption = False,
) -> None:
    """Solve positions exactly: the score with best play, proven."""
    from othellier.engine.engine import Engine

    positions = _positions(obf, position, size)
    with (
        Engine(threads=threads, hash_mb=hash_mb, weights=weights) as engine,
        progress("solving", len(positions)) as step,
    ):
        for index, asked in enumerate(positions):
            spent = 0.0

            def told(found: Result, asked: Position = asked) -> None:
                nonlocal spent
                now = max(spent, _share(found, asked.empties)) if found.depth >= asked.empties else spent
                step(now - spent)
                spent = now

            if asked.is_over():
                line = _finished(index, asked, count)
            else:
                result = engine.solve(asked, wld=wld, count=count, progress=told)
                line = _line(index, asked, result)
                if wld and result.score:
                    line["score"] = 2 if result.score > 0 else -2
                    line["exact"] = False
            _print(line, json)
            step(1 - spent)


@app.command()
def evaluate(
    obf: _ObfOption = None,
    position: _PositionOption = None,
    size: _OptionalSize = None,
    depth: Annotated[int | None, typer.Option(min=1, max=60, metavar="D", help="Plies to look ahead.")] = None,
    time: Annotated[float | None, typer.Option(metavar="S", help="Seconds for each position.")] = None,
    selectivity: Annotated[
        int | None, typer.Option(min=1, max=100, metavar="P", help="Confidence of forward pruning, in per cent.")
    ] = None,
    threads: _ThreadsOption = 1,
    hash_mb: Annotated[int, typer.Option("--hash", metavar="MB", help="Megabytes of transposition table.")] = 64,
    weights: _WeightsOption = None,
    json: JsonOption = False,
) -> None:
    """Estimate positions and every move in them, to a depth or within a time."""
    from othellier.engine.engine import Engine
    from othellier.games.results import Limit

    if depth is None and time is None:
        raise ConfigError("give --depth D or --time S")
    positions = _positions(obf, position, size)
    limit = Limit(depth=depth, time=time, selectivity=selectivity)
    share = 1.0 if time is None else time  # a bar of seconds, or of positions
    with (
        Engine(threads=threads, hash_mb=hash_mb, weights=weights) as engine,
        progress("evaluating", len(positions) * share) as step,
    ):
        for index, asked in enumerate(positions):
            spent = 0.0

            def told(found: Sequence[Result], asked: Position = asked) -> None:
                nonlocal spent
                now = found[0].seconds if time is not None else _share(found[0], min(depth or 0, asked.empties))
                now = min(share, max(spent, now))
                step(now - spent)
                spent = now

            if asked.is_over():
                line = {**_finished(index, asked, "winner"), "depth": 0, "moves": {}}
            else:
                results = engine.analyze(asked, limit, told)
                line = _line(index, asked, results[0])
                line["depth"] = results[0].depth
                line["moves"] = {square_name(r.move, asked.size): r.score for r in results if r.move != PASS}
            _print(line, json)
            step(share - spent)


@app.command()
def analyze(
    game: Annotated[str, typer.Argument(metavar="GAME", help="A file, the moves (f5d6c3…), or - for standard input.")],
    level: Annotated[str, typer.Option(metavar="NAME", help="quick, normal or deep.")] = "normal",
    depth: Annotated[
        int | None, typer.Option(min=1, max=60, metavar="D", help="Plies to look ahead, instead of the level's.")
    ] = None,
    exact: Annotated[
        int | None,
        typer.Option(min=0, max=30, metavar="N", help="Solve from N empty squares on, instead of the level's."),
    ] = None,
    number: Annotated[int, typer.Option(min=1, metavar="K", help="Which game of a file with several.")] = 1,
    threads: Annotated[
        int | None, typer.Option(min=1, metavar="N", help="Positions judged at once; as many as cores if not given.")
    ] = None,
    plot: Annotated[str | None, typer.Option(metavar="FILE", help="Draw the score over the game, as SVG.")] = None,
    save: Annotated[
        str | None, typer.Option(metavar="FILE", help="Write the whole analysis as JSON, as the page gets it.")
    ] = None,
    json: JsonOption = False,
) -> None:
    """Judge every move of a game: its score, the best one, what it lost, what that is called, and why."""
    from json import dumps

    from othellier.base.files import write_file
    from othellier.coach import analyze as judge_game
    from othellier.coach.judging import effort_of
    from othellier.coach.words import summary, table
    from othellier.records import read

    effort = effort_of(level)
    if depth is not None or exact is not None:
        level = f"{depth or effort.depth}/{effort.exact if exact is None else exact}"
    games = read(given(game))
    if number > len(games):
        raise ConfigError(f"game {number} of {len(games)}")
    chosen = games[number - 1]
    moves = sum(node.move not in (None, PASS) for node in chosen.main_line())
    if not moves:
        raise RecordError("standard input" if game == "-" else game, f"game {number}", "has no move to judge")
    with progress("analysing", moves) as step:
        analysis = judge_game(chosen, level, threads=threads, progress=lambda done, total: step(1))
    if plot is not None:
        analysis.plot().save(plot)
    if save is not None:
        write_file(Path(save), [dumps(analysis.as_dict(), ensure_ascii=False).encode()])
    if json:
        for line in analysis.as_dict()["moves"]:
            json_line(line)
    else:
        for words in (*table(analysis, language()), *summary(analysis, language())):
            echo(words)


def _print(line: dict[str, Any], json: bool) -> None:
    if json:
        json_line(line)
        return
    depth = say("depth {depth}", depth=line["depth"]) if "depth" in line else say("bound")
    proof = say("exact") if line["exact"] else depth
    pv = line["pv"] if len(line["pv"]) < 60 else line["pv"][:57] + "…"
    words = (
        "{index:>3}  {empties:>2} empty  {move:<4} {score:>+4}  {proof:<8} {nodes:>15,} nodes {seconds:>9.2f} s  {pv}"
    )
    echo(say(words, **{**line, "move": line["move"] or "--", "proof": proof, "pv": pv}))
    moves = [say("{move} {score:+.1f}", move=move, score=score) for move, score in line.get("moves", {}).items()]
    room = max(1, min(MOVES_A_LINE, (columns() - 5) // 10))
    for first in range(0, len(moves), room):
        echo("     " + "  ".join(f"{move:<8}" for move in moves[first : first + room]).rstrip())
