"""The strong engine on the command line: bench, solve, evaluate, analyze."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

import typer

from othellier.cli.common import JsonOption, echo, given, json_line, parse_size, progress
from othellier.errors import ConfigError
from othellier.geometry import PASS, Size, square_name

if TYPE_CHECKING:
    from othellier.board import Position
    from othellier.results import Result

__all__ = ["analyze", "app", "bench", "evaluate", "solve"]

app = typer.Typer()

SOLVE_HASH = 512
"""Megabytes for solving: FFO 40-59 needs about a fifth more nodes with a quarter of it."""

MOVES_A_LINE = 6
DEPTH, EXACT = 10, 16
"""As `analysis` has them, which is only imported when it is needed."""

_ObfOption = Annotated[
    str | None, typer.Option("--obf", metavar="FILE", help="Positions, one a line; - is standard input.")
]
_PositionOption = Annotated[
    str | None, typer.Option("--position", metavar='"BOARD SIDE"', help="One position as a board string.")
]
_OptionalSize = Annotated[
    Size | None,
    typer.Option(parser=parse_size, metavar="SIZE", help="The start position of this size, or the size of --position."),
]
_ThreadsOption = Annotated[int, typer.Option(metavar="N", help="Threads that share a search.")]
_WeightsOption = Annotated[str | None, typer.Option(metavar="FILE", help="Weights other than the built-in ones.")]


def _positions(obf: str | None, position: str | None, size: Size | None) -> list[Position]:
    """What is asked about, whichever way it was named."""
    from othellier import native
    from othellier.records import read

    if obf is not None:
        if position is not None or size is not None:
            raise ConfigError("give --obf, --position or --size, not several of them")
        if obf != "-" and not Path(obf).exists():
            raise ConfigError(f"{obf}: no such file")
        found = (game.position for game in read(given(obf)))
        return [native.position(p.player, p.opponent, p.turn, p.size) for p in found]
    if position is not None:
        return [native.parse(position, size)]
    if size is not None:
        return [native.start(size)]
    raise ConfigError("nothing to do: give --obf FILE, --position BOARD or --size SIZE")


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
    from othellier import engine

    with progress("searching the bench positions"):
        found = engine.bench(weights)
    if json:
        json_line(found)
    else:
        typer.echo(
            f"{found['nodes']:,} nodes  signature {found['signature']}  {found['seconds']:.2f} s  "
            f"{found['nps']:,} nodes/s"
        )


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
    from othellier.engine import Engine

    positions = _positions(obf, position, size)
    with (
        Engine(threads=threads, hash_mb=hash_mb, weights=weights) as engine,
        progress("solving", len(positions)) as step,
    ):
        for index, asked in enumerate(positions):
            if asked.is_over():
                line = _finished(index, asked, count)
            else:
                result = engine.solve(asked, wld=wld, count=count)
                line = _line(index, asked, result)
                if wld and result.score:
                    line["score"] = 2 if result.score > 0 else -2
                    line["exact"] = False
            _print(line, json)
            step(1)


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
    from othellier.engine import Engine
    from othellier.results import Limit

    if depth is None and time is None:
        raise ConfigError("give --depth D or --time S")
    positions = _positions(obf, position, size)
    limit = Limit(depth=depth, time=time, selectivity=selectivity)
    with (
        Engine(threads=threads, hash_mb=hash_mb, weights=weights) as engine,
        progress("evaluating", len(positions)) as step,
    ):
        for index, asked in enumerate(positions):
            if asked.is_over():
                line = {**_finished(index, asked, "winner"), "depth": 0, "moves": {}}
            else:
                results = engine.analyze(asked, limit)
                line = _line(index, asked, results[0])
                line["depth"] = results[0].depth
                line["moves"] = {square_name(r.move, asked.size): r.score for r in results if r.move != PASS}
            _print(line, json)
            step(1)


@app.command()
def analyze(
    game: Annotated[str, typer.Argument(metavar="GAME", help="A file, the moves (f5d6c3…), or - for standard input.")],
    depth: Annotated[int, typer.Option(min=1, max=60, metavar="D", help="Plies to look ahead.")] = DEPTH,
    exact: Annotated[int, typer.Option(min=0, max=30, metavar="N", help="Solve from N empty squares on.")] = EXACT,
    number: Annotated[int, typer.Option(min=1, metavar="K", help="Which game of a file with several.")] = 1,
    threads: _ThreadsOption = 1,
    json: JsonOption = False,
) -> None:
    """Judge every move of a game: its score, the best one, what it lost."""
    from othellier.analysis import analyze_game
    from othellier.engine import Engine
    from othellier.records import read

    games = read(given(game))
    if number > len(games):
        raise ConfigError(f"game {number} of {len(games)}")
    chosen = games[number - 1]
    moves = sum(node.move not in (None, PASS) for node in chosen.main_line())
    losses = {"black": 0.0, "white": 0.0}
    with Engine(threads=threads) as engine, progress("analysing", moves) as step:
        for report in analyze_game(engine, chosen, depth, exact, lambda done, total: step(1)):
            size = report.node.position.size
            losses[report.color] += report.loss
            line = {
                "ply": report.ply,
                "color": report.color,
                "move": square_name(report.played.move, size),
                "score": report.played.score,
                "best": square_name(report.best.move, size),
                "best_score": report.best.score,
                "loss": report.loss,
                "label": report.label,
                "exact": report.best.is_exact,
            }
            if json:
                json_line(line)
            else:
                echo(
                    f"{line['ply']:>3} {line['color']:<5} {line['move']:<4} {line['score']:>+6.1f}  "
                    f"best {line['best']:<4} {line['best_score']:>+6.1f}  {_loss(report.loss, report.label)}"
                )
    if not json:
        typer.echo(f"lost in all: black {losses['black']:.0f} discs, white {losses['white']:.0f} discs")


def _loss(loss: float, label: str) -> str:
    return "" if label == "best" else f"-{loss:.0f} {label}"


def _print(line: dict[str, Any], json: bool) -> None:
    if json:
        json_line(line)
        return
    proof = "exact" if line["exact"] else f"depth {line['depth']}" if "depth" in line else "bound"
    pv = line["pv"] if len(line["pv"]) < 60 else line["pv"][:57] + "…"
    echo(
        f"{line['index']:>3}  {line['empties']:>2} empty  {line['move'] or '--':<4} {line['score']:>+4}  {proof:<8} "
        f"{line['nodes']:>15,} nodes {line['seconds']:>9.2f} s  {pv}"
    )
    moves = [f"{move} {score:+.1f}" for move, score in line.get("moves", {}).items()]
    for first in range(0, len(moves), MOVES_A_LINE):
        echo("     " + "  ".join(f"{move:<8}" for move in moves[first : first + MOVES_A_LINE]).rstrip())
