"""The tournament of the INSA study in its four phases (S5.6): algorithms, strategies, heuristics, rollouts.

Points are the document's: for each opponent, per cent of games won less per cent lost, or 0.
"""

from __future__ import annotations

from collections.abc import Mapping

from othellier.arena.stats import points
from othellier.lab.experiment import Findings, Games, Lab, Table, Value, experiment
from othellier.lab.plots import draw_bars

__all__ = ["algorithms", "heuristics", "rollouts", "strategies"]

_Results = Mapping[tuple[str, str], tuple[int, int, int]]
"""Per cent of games won by the first, drawn, and won by the second."""

STARTS = (
    "The document played every game from the first position, the best of equal moves drawn at random. Here every "
    "pairing begins with balanced starts of eight moves, each played twice with the colours swapped."
)


def _total(results: _Results, name: str) -> float:
    """All points of a player."""
    mine = [r if name == a else r[::-1] for (a, b), r in results.items() if name in (a, b)]
    return sum(points(*r) for r in mine)


def _pairings(games: Games, published: _Results) -> tuple[Table, _Results]:
    """Every pairing beside the published one."""
    rows: list[tuple[Value, ...]] = []
    ours: dict[tuple[str, str], tuple[int, int, int]] = {}
    for (a, b), cell in games.report.cells.items():
        pair = (a, b) if (a, b) in published else None
        if pair is None and ((b, a) in published or (b, a) in ours):
            continue
        ours[a, b] = (cell.wins, cell.draws, cell.losses)
        shares = [100 * count / cell.games for count in ours[a, b]]
        rows.append((f"{a} – {b}", *(published[pair] if pair else (None,) * 3), *shares, cell.games, cell.discs))
    heading = ("", "published: won", "drawn", "lost", "won, %", "drawn, %", "lost, %", "games", "discs a game")
    return Table("pairings", "Pairings", heading, rows, heading[1:4]), ours


def _standings(games: Games, published: _Results, ours: _Results) -> Table:
    """Points as the document counts them, and what it did not count."""
    met = {name for pair in published for name in pair}
    rows: list[tuple[Value, ...]] = []
    for line in games.report.standings:
        reach = (line.rating.elo_high - line.rating.elo_low) / 2
        rows.append(
            (
                line.name,
                _total(published, line.name) if line.name in met else None,
                round(_total(ours, line.name)),
                f"{line.rating.elo:+.0f} ± {reach:.0f}",
                1000 * games.seconds(line.name),
                line.spec,
            )
        )
    heading = ("", "published: points", "points", "Elo", "ms a move", "player string")
    return Table("points", "Points", heading, rows, heading[1:2])


def _phase(games: Games, published: _Results, title: str, summary: str, notes: list[str]) -> Findings:
    pairings, ours = _pairings(games, published)
    standings = _standings(games, published, ours)
    names = [line.name for line in games.report.standings]
    met = {name for pair in published for name in pair}
    bars: dict[str, list[float | None]] = {
        "published": [_total(published, name) if name in met else None for name in names],
        "measured": [_total(ours, name) for name in names],
    }
    order = sorted(names, key=lambda name: -_total(ours, name))
    made = ", ".join(f"{name} {_total(ours, name):.0f}{' points' if name == order[0] else ''}" for name in order)
    return Findings(
        f"{summary} {made}.",
        [standings, pairings],
        {"points": draw_bars(title, names, bars, "points")},
        [*notes, STARTS],
    )


@experiment(
    "algorithms",
    "S5.6 · INSA study, table 6.1",
    "Algorithms at equal time",
    "At ten seconds a move in Python, alpha-beta makes 132 points, Monte-Carlo 30, random 0.",
)
def algorithms(lab: Lab) -> Findings:
    """Random, alpha-beta and Monte-Carlo; the ten seconds are scaled by the budget."""
    seconds = lab.settings.budget or lab.pick(0.1, 0.01, 0.001)
    players = {
        "random": "random",
        "alpha-beta": f"nega-alphabeta:time={seconds:g},eval=positional",
        "Monte-Carlo": f"mcts:time={seconds:g},c=1.5",
    }
    published = {
        ("random", "alpha-beta"): (16, 4, 80),
        ("alpha-beta", "Monte-Carlo"): (84, 0, 16),
        ("random", "Monte-Carlo"): (35, 0, 65),
    }
    return _phase(
        lab.tournament("games", players, lab.games(50, 10)),
        published,
        f"Table 6.1: algorithms, {seconds:g} s a move",
        f"At {seconds:g} s a move:",
        [
            f"{seconds:g} s a move, compiled, in place of the document's 10 s in Python; --budget 10 gives it its "
            f"time.",
            "The document's random player won 16 of 100 games against alpha-beta and 35 against Monte-Carlo; a random "
            "player should win next to none against a search.",
        ],
    )


@experiment(
    "strategies",
    "S5.6 · INSA study, table 6.2",
    "Strategies at depth 4",
    "Mobility 28 points, mixed 26, positional 18, absolute 0, in matches of 50 games that took some 95 s each.",
)
def strategies(lab: Lab) -> Findings:
    """The four strategies of the document, then those of the other documents and the learnt one."""
    names = ("positional", "absolute", "mobility", "mixed")
    players = {name: f"nega-alphabeta:depth=4,eval={name},ties=random" for name in names}
    published = {
        ("positional", "absolute"): (54, 8, 38),
        ("positional", "mobility"): (46, 2, 52),
        ("positional", "mixed"): (50, 2, 48),
        ("mobility", "mixed"): (42, 2, 56),
        ("absolute", "mixed"): (44, 0, 56),
        ("absolute", "mobility"): (38, 2, 60),
    }
    return _phase(
        lab.tournament("games", players, lab.games(50, 50)),
        published,
        "Table 6.2: strategies at depth 4",
        "With alpha-beta at depth 4:",
        ["The strategies of the other documents and the learnt evaluation are in the experiment “ratings”."],
    )


@experiment(
    "heuristics",
    "S5.6 · INSA study, figures 6.13 and 6.14",
    "Heuristic tables 1 and 2 at depth 6",
    "Table 2 won 62 % with the black discs and 78 % with the white ones.",
)
def heuristics(lab: Lab) -> Findings:
    """The two tables of square values, with both colours told apart."""
    players = {
        f"heuristic {number}": f"nega-alphabeta:depth=6,eval=positional/table=heuristic{number},ties=random"
        for number in (1, 2)
    }
    games = lab.tournament("games", players, lab.games(200, 50))
    rows: list[tuple[Value, ...]] = []
    won: list[float] = []
    published = {("heuristic 2", "heuristic 1"): (62, 2, 36), ("heuristic 1", "heuristic 2"): (16, 6, 78)}
    for (black, white), shares in published.items():
        counts = games.by_color(black, white)
        ours = [100 * count / max(1, sum(counts)) for count in counts]
        won.append(ours[0] if black == "heuristic 2" else ours[2])
        rows.append((f"{black} (black) – {white} (white)", *shares, *ours, sum(counts)))
    heading = ("", "published: black won", "drawn", "white won", "black won, %", "drawn, %", "white won, %", "games")
    cell = games.report.cells["heuristic 2", "heuristic 1"]
    figure = draw_bars(
        "Figures 6.13 and 6.14: games won by heuristic 2",
        ["with the black discs", "with the white discs"],
        {"published": [62, 78], "measured": won},
        "per cent",
    )
    return Findings(
        f"Table 2 wins {100 * cell.wins / cell.games:.0f} % of {cell.games} games against table 1 and loses "
        f"{100 * cell.losses / cell.games:.0f} %, by {cell.discs:+.1f} discs a game.",
        [Table("colors", "By colours", heading, rows, heading[1:4])],
        {"won": figure},
        [STARTS],
    )


@experiment(
    "rollouts",
    "S5.6 · INSA study, figure 6.15",
    "Monte-Carlo: rollouts that expect a clever opponent",
    "The improved rollout (the opponent plays its best square) won 56 % of 50 games against the classical one, lost "
    "40 %.",
)
def rollouts(lab: Lab) -> Findings:
    """Random, weighted and greedy rollouts at equal iterations."""
    iterations = lab.pick(500, 500, 10)
    names = {"classical": "random", "improved (1), by odds": "weighted", "improved (2), best square": "greedy"}
    players = {name: f"mcts:iterations={iterations},c=1.5,rollout={kind}" for name, kind in names.items()}
    return _phase(
        lab.tournament("games", players, lab.games(200, 50)),
        {("classical", "improved (2), best square"): (40, 4, 56)},
        f"Figure 6.15: rollouts, {iterations} iterations",
        f"At {iterations} iterations:",
        ["The document compared the classical rollout with improvement (2) alone, at some 500 iterations a move."],
    )
