"""Commands about who wins a game in progress: a classifier, a position rated by it, chances calibrated."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from othellier.cli.learn_options import ExcludeOption, ShardsArgument
from othellier.errors import extra
from othellier.messages.language import language as spoken
from othellier.messages.language import say
from othellier.terminal.output import JsonOption, ReportLanguageOption, echo, json_line, progress

app = typer.Typer()

_Weights = Annotated[str | None, typer.Option(metavar="FILE", help="Weights other than the built-in ones.")]


@app.command()
def classify(
    database: Annotated[list[str], typer.Argument(metavar="WTHOR…", help="Files or folders of WTHOR games.")],
    out: Annotated[Path, typer.Option(metavar="DIR", help="Folder for the classifier, tables, figures and a page.")],
    exclude: ExcludeOption = None,
    seen: Annotated[
        list[Path] | None,
        typer.Option(metavar="SHARD", help="Games the weights were fitted to: to learn from, never to test by."),
    ] = None,
    games: Annotated[int, typer.Option(min=1, metavar="N", help="Most games to learn from.")] = 40_000,
    depth: Annotated[int, typer.Option(min=1, max=12, metavar="D", help="Plies of the search that is asked.")] = 6,
    solve: Annotated[int, typer.Option(min=0, max=20, metavar="N", help="It is exact from N empty squares.")] = 14,
    seed: Annotated[int, typer.Option(min=0, metavar="K", help="Other games to learn from and test by.")] = 0,
    weights: _Weights = None,
    language: ReportLanguageOption = None,
    json: JsonOption = False,
) -> None:
    """Learn to predict the results of games in progress, and compare with every heuristic and the engine."""
    with extra("learn", "the classifier"):
        from othellier.learn.classifier import ClassifierOptions
        from othellier.learn.classifier_board import export_board, export_textbook
        from othellier.learn.classifier_run import classify as learn
    from dataclasses import replace

    from othellier.evaluation.textbook import save_weights
    from othellier.lab.words import Words, parse_language
    from othellier.learn import shards
    from othellier.learn.classifier_data import extract, split
    from othellier.learn.classifier_report import figures, write_report

    listed = exclude.read_text().splitlines() if exclude is not None else []
    extraction = extract(database, listed)
    known = shards.load(seen) if seen else None
    parts = split(extraction.games, seen=known, most=games, seed=seed)
    words = Words(parse_language(language or spoken()))
    trained = learn(extraction, parts, ClassifierOptions(depth=depth, solve=solve, seed=seed), weights, progress)
    results = replace(trained.results, say=words)
    path = write_report(results, out, figures(results, trained.curves))
    trained.classifier.save(out / "classifier.pt")
    export_board(trained.board).save(out / "classifier.npz")
    save_weights(export_textbook(trained.textbook), out / "textbook.json")
    if json:
        heading, *rows = trained.results.stages()
        json_line({**trained.results.facts, "stages": [dict(zip(heading, row, strict=True)) for row in rows]})
        return
    left_out = sum(extraction.left_out.values())
    echo(say("{read:,} games read, {left_out:,} of them left out", read=extraction.read, left_out=left_out))
    for name, _, *cells in results.stages()[1:]:
        shares = "   ".join(f"{cells[at]:>5} [{cells[at + 1]}, {cells[at + 2]}]" for at in range(0, len(cells), 7))
        echo(f"{name:<36} {shares}")
    echo(say("per cent right at 20, 40 and 50 discs, with 95 % intervals; {path}", path=path))


@app.command()
def rate(
    classifier: Annotated[Path, typer.Argument(metavar="FILE", help="A classifier.pt that `learn classify` wrote.")],
    position: Annotated[str, typer.Option(metavar='"BOARD SIDE"', help="The position to rate.")],
    weights: _Weights = None,
    json: JsonOption = False,
) -> None:
    """The chances of a win, a draw and a loss for the side to move of a position."""
    with extra("learn", "the classifier"):
        from othellier.learn.classifier import Classifier
    from othellier.rules.native import parse

    win, draw, loss = Classifier.load(classifier, weights).rate(parse(position))
    if json:
        json_line({"win": round(win, 4), "draw": round(draw, 4), "loss": round(loss, 4)})
    else:
        echo(say("win {win:.1%}   draw {draw:.1%}   loss {loss:.1%}", win=win, draw=draw, loss=loss))


@app.command()
def chances(
    games: ShardsArgument,
    out: Annotated[Path, typer.Option(metavar="FILE", help="The file to write, such as chances.json.")],
    each: Annotated[int, typer.Option(min=1, metavar="N", help="Positions for each number of empty squares.")] = 150,
    depth: Annotated[int, typer.Option(min=1, max=20, metavar="D", help="Plies they are searched to.")] = 12,
    seed: Annotated[int, typer.Option(min=0, metavar="K", help="Other positions for another seed.")] = 0,
    weights: _Weights = None,
    networks: Annotated[Path | None, typer.Option(metavar="FILE", help="Networks that go with them.")] = None,
    json: JsonOption = False,
) -> None:
    """Calibrate the chances of a win and a draw that a score stands for; again for every new weights."""
    with extra("learn", "calibrating chances"):
        from othellier.learn import chances_fit
    from dataclasses import asdict

    from othellier.engine.engine import default_threads
    from othellier.learn import shards

    counts = chances_fit.EMPTIES[-1] + 1  # numbers of empty squares that are looked at
    with progress("searching", each * counts) as step:
        known = chances_fit.search(
            shards.load(games),
            weights=weights,
            networks=networks,
            deepest=depth,
            each=each,
            seed=seed,
            threads=default_threads(),
            progress=step,
        )
    curves, fitness = chances_fit.fit(known)
    chances_fit.save(curves, out)
    if json:
        json_line(asdict(fitness))
    else:
        words = (
            "{out}: log loss {log_loss:.4f}, Brier {brier:.4f}, calibration error {error:.4f} "
            "for {estimates:,} estimates held out"
        )
        echo(say(words, out=out, **asdict(fitness)))
