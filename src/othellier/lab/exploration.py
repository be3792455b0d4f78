"""The constant C of UCB1: table 7.1 of the INSA study (S5.7), and a finer sweep of it."""

from __future__ import annotations

from othellier.arena.stats import wilson
from othellier.lab.experiment import Findings, Lab, Table, Value, experiment
from othellier.lab.plots import Curve, draw_curves

__all__ = ["exploration"]

PUBLISHED = {1.0: 28, 1.5: 34, 2.0: 20}

RIVAL = "nega-alphabeta:depth=6,ties=random"


@experiment(
    "exploration",
    "S5.7 · INSA study, table 7.1",
    "The constant C of UCB1",
    "Monte-Carlo with 1,000 iterations wins 28 %, 34 % and 20 % against alpha-beta at depth 6 with C = 1, 1.5 and 2.",
)
def exploration(lab: Lab) -> Findings:
    """The same match for many values of C."""
    values = lab.pick(
        (0.0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.85, 1.0, 1.25, 1.5, 1.75, 2.0, 2.5, 3.0),
        (0.1, 0.3, 0.5, 0.7, 1.0, 1.5, 2.0),
        (1.0, 1.5),
    )
    iterations = lab.pick(1000, 1000, 10)
    games = lab.games(400, 100)
    players = {f"C = {c:g}": f"mcts:iterations={iterations},c={c:g}" for c in values}
    played = lab.tournament("games", {"alpha-beta": RIVAL, **players}, games, system="gauntlet", hero="alpha-beta")
    rows: list[tuple[Value, ...]] = []
    points, ranges = [], []
    for c in values:
        cell = played.report.cells[f"C = {c:g}", "alpha-beta"]
        won = cell.wins / cell.games
        low, high = wilson(won, cell.games)
        points.append((c, 100 * won))
        ranges.append((100 * low, 100 * high))
        rows.append((c, PUBLISHED.get(c), 100 * won, 100 * low, 100 * high, cell.draws, cell.games, cell.discs))
    heading = ("C", "published: won, %", "won, %", "from", "to", "draws", "games", "discs a game")
    best = max(points, key=lambda point: point[1])
    figure = draw_curves(
        f"Monte-Carlo ({iterations} iterations) against alpha-beta (depth 6)",
        [
            Curve("measured, with 95 % intervals", points, ranges=ranges),
            Curve("published (table 7.1)", list(PUBLISHED.items()), "published"),
        ],
        "C",
        "games won, per cent",
        limits=(0, 1.1 * max(high for _, high in ranges)),
    )
    return Findings(
        f"The most games, {best[1]:.0f} %, are won with C = {best[0]:g}; "
        + ", ".join(f"{share:.0f} % with C = {c:g}" for c, share in points if c in PUBLISHED)
        + f" ({games} games each).",
        [Table("wins", "Games won by Monte-Carlo", heading, rows, heading[1:2])],
        {"wins": figure},
        [
            "The side with the Monte-Carlo search keeps its tree from move to move. Intervals are Wilson's, of 95 %.",
            f"The rival is `{RIVAL}` with heuristic 2, from balanced starts with both colours.",
        ],
    )
