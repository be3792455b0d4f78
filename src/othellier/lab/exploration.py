"""The constant C of UCB1: table 7.1 of the INSA report, and a finer sweep of it."""

from __future__ import annotations

from itertools import combinations

from othellier.lab.conclusions import Conclusions, Observed, compare
from othellier.lab.conditions import BALANCE, CONDITIONS, ITS_CONDITIONS
from othellier.lab.experiment import Findings, Lab, Measured, Table, Value, experiment, share
from othellier.lab.plots import Curve, Figure, draw_curves
from othellier.lab.studies import INSA, Citation
from othellier.lab.words import Words

__all__ = ["conclude_exploration", "exploration"]

PUBLISHED = {1.0: 28, 1.5: 34, 2.0: 20}

PUBLISHED_GAMES = 50

REFERENCE = 1.5
"""The value that won most in the document: all others are compared with it."""

RIVAL = "nega-alphabeta:depth=6,ties=random"


def conclude_exploration(won: dict[str, dict[float, Observed]], say: Words) -> list[str]:
    """Conclusions from the games won with each value of C, by conditions."""
    conclude = Conclusions(say)
    claimed = [Observed(percent * PUBLISHED_GAMES / 100, PUBLISHED_GAMES) for percent in PUBLISHED.values()]
    pairs = list(combinations(claimed, 2))
    if not any(compare(one, other, len(pairs)) for one, other in pairs):
        conclude("The published differences between the values are within chance.")
    both = {
        c: Observed(sum(w[c].count for w in won.values()), sum(w[c].of for w in won.values())) for c in won[BALANCE]
    }
    others = [c for c in both if c != REFERENCE]
    # One family: every other value against the reference, and every value under one condition against the other.
    family = len(others) + len(both)
    verdicts = {c: compare(both[c], both[REFERENCE], family) for c in others}
    less, same, more = (say.join(say("{c:g}", c=c) for c in others if verdicts[c] == sign) for sign in (-1, 0, 1))
    if less:
        conclude(
            "Monte-Carlo wins less often than with C = {c:g}, beyond chance, at C = {values}.", c=REFERENCE, values=less
        )
    if more:
        conclude(
            "Monte-Carlo wins more often than with C = {c:g}, beyond chance, at C = {values}.", c=REFERENCE, values=more
        )
    if same:
        conclude(
            "Between C = {c:g} and C = {values} this run cannot tell: {games:,} games each, both conditions together.",
            c=REFERENCE,
            values=same,
            games=round(both[REFERENCE].of),
        )
    moved = [c for c in both if compare(won[BALANCE][c], won[ITS_CONDITIONS][c], family)]
    if moved:
        conclude(
            "Where games begin makes a difference beyond chance where C is {values}.",
            values=say.join(say("{c:g}", c=c) for c in moved),
        )
    else:
        conclude("Where games begin makes no difference that this run can show.")
    conclude("Intervals are corrected for {family} comparisons.", family=family)
    return conclude.sentences


@experiment(
    "exploration",
    Citation(INSA, "table 7.1"),
    "The constant C of UCB1",
    "Monte-Carlo with 1,000 iterations wins 28 %, 34 % and 20 % against alpha-beta at depth 6 with C = 1, 1.5 and 2.",
    notes=(
        "The Monte-Carlo search keeps its tree from move to move. The rival is `{rival}` with table 2.",
        "The report does not say who had which colour: both are played under both conditions.",
        CONDITIONS,
    ),
)
def exploration(lab: Lab) -> Findings:
    """The same match for many values of C, from the first position and from balanced starts."""
    say = lab.say
    values = lab.pick(
        (0.0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.85, 1.0, 1.25, 1.5, 1.75, 2.0, 2.5, 3.0),
        (0.0, 0.3, 1.0, 1.5, 2.0),
        (1.0, 1.5),
    )
    iterations = lab.pick(1000, 1000, 10)
    games = lab.games(400, 60)
    players = {f"C = {c:g}": f"mcts:iterations={iterations},c={c:g}" for c in values}
    found: dict[str, dict[float, Measured]] = {}
    counts: dict[str, dict[float, Observed]] = {}
    for condition, openings in ((ITS_CONDITIONS, "start"), (BALANCE, "balanced")):
        played = lab.tournament(
            openings, {"alpha-beta": RIVAL, **players}, games, system="gauntlet", hero="alpha-beta", openings=openings
        )
        cells = {c: played.report.cells[f"C = {c:g}", "alpha-beta"] for c in values}
        found[condition] = {c: share(cell.wins, cell.games) for c, cell in cells.items()}
        counts[condition] = {c: Observed(cell.wins, cell.games) for c, cell in cells.items()}
    rows: list[tuple[Value, ...]] = [
        (
            c,
            share(PUBLISHED[c] * PUBLISHED_GAMES / 100, PUBLISHED_GAMES) if c in PUBLISHED else None,
            found[ITS_CONDITIONS][c],
            found[BALANCE][c],
            games,
        )
        for c in values
    ]
    heading = ("C", *map(say, ("published: won, %", "its conditions: won, %", "balanced: won, %", "games")))
    best = max(values, key=lambda c: found[BALANCE][c].value)

    def told(condition: str) -> str:
        return ", ".join(f"{found[condition][c].value:.0f} %" for c in PUBLISHED if c in values)

    return Findings(
        say(
            "With C = {values} Monte-Carlo wins {start} under its conditions and {balanced} from balanced starts "
            "({games} games each); the most from balanced starts, {most:.0f} %, with C = {best:g}.",
            values=say.join(say("{c:g}", c=c) for c in PUBLISHED if c in values),
            start=told(ITS_CONDITIONS),
            balanced=told(BALANCE),
            games=games,
            most=found[BALANCE][best].value,
            best=best,
        ),
        [Table("wins", say("Games won by Monte-Carlo"), heading, rows, heading[1:2])],
        {"wins": _figure(found, iterations, say)},
        {"rival": RIVAL},
        conclusions=conclude_exploration(counts, say),
    )


def _figure(found: dict[str, dict[float, Measured]], iterations: int, say: Words) -> Figure:
    curves = [Curve.measured(say(name), shares, color) for color, (name, shares) in enumerate(found.items())]
    published = [share(percent * PUBLISHED_GAMES / 100, PUBLISHED_GAMES)[1:] for percent in PUBLISHED.values()]
    curves.append(Curve(say("published"), list(PUBLISHED.items()), "published", ranges=published))
    title = say(
        "Monte-Carlo ({iterations:,} iterations) against alpha-beta (depth 6), with 95 % intervals (table 7.1)",
        iterations=iterations,
    )
    highest = max(high for curve in curves for _, high in curve.ranges)
    return draw_curves(title, curves, "C", say("games won, per cent"), limits=(0, min(100.0, 1.1 * highest)))
