"""How strong the levels of play are: all of them on one Elo scale, with two classical searches to compare."""

from __future__ import annotations

from itertools import pairwise

from othellier.arena.effort import Side
from othellier.arena.rating_scale import RatingScale, Score
from othellier.engine.levels import LEVELS
from othellier.lab.conclusions import Conclusions, Observed, judge
from othellier.lab.experiment import Findings, Lab, Measured, Table, Value, experiment
from othellier.lab.plots import draw_cross_table, draw_ratings
from othellier.lab.ratings import over_random
from othellier.lab.studies import FOREST, Citation
from othellier.lab.words import Words

__all__ = ["conclude_levels", "levels"]

CLASSICAL = {
    "random": "random",
    "alpha-beta, depth 2": "alphabeta:depth=2,eval=mobility,ties=random",
    "alpha-beta, depth 4": "alphabeta:depth=4,eval=mobility,ties=random",
}
NEAR = 2
"""Everybody meets so many of those next to it on either side: who is further away would win or lose every game."""
SLOW = {"master": 4}
"""How many times fewer games these play: a game of Master's takes 15 to 30 s, one of Expert's 1.5."""


def conclude_levels(steps: dict[str, Observed], elo: dict[str, float], say: Words) -> list[str]:
    """Conclusions from the points of each level against the one before it, and from the Elo of all levels in order."""
    conclude = Conclusions(say)
    family = len(steps)
    verdicts = judge(steps)
    weaker, unsure, stronger = ([name for name in steps if verdicts[name] == sign] for sign in (-1, 0, 1))
    if stronger:
        conclude("Stronger than the level before, beyond chance: {levels}.", levels=conclude.listed(stronger))
    if weaker:
        conclude("WEAKER than the level before, beyond chance: {levels}.", levels=conclude.listed(weaker))
    if unsure:
        told = (f"{say(name)} {conclude.part(steps[name], family)}" for name in unsure)
        conclude(
            "This run cannot tell whether these are stronger than the level before (points against it): {levels}.",
            levels=say.join(told),
        )
    conclude("Intervals are corrected for {family} comparisons.", family=family)
    if len(steps) > 1:
        rises = {after: elo[after] - elo[before] for before, after in pairwise(elo)}
        most = max(rises, key=rises.__getitem__)
        conclude(
            "The largest estimated step in Elo is the one to {level}: {elo:.0f}.", level=say(most), elo=rises[most]
        )
    return conclude.sentences


@experiment(
    "levels",
    Citation(FOREST, "section on the levels"),
    "The strength of the levels",
    "Six levels from Beginner (the policy network's move) to Master (depth 14, perfect from 26 empty squares on); how "
    "far apart they are is not told.",
    notes=(
        (
            "Each player meets the {near} next to it on either side, from balanced starts with both colours, {games} "
            "games each ({slow} with Master); the levels with their opening book, as they play on the page. Elo of "
            "Bradley and Terry's model. The last level, which thinks for seconds on all cores, is left out."
        ),
    ),
)
def levels(lab: Lab) -> Findings:
    """The levels that think to a depth, each against those near it."""
    say = lab.say
    named = [level.name for level in LEVELS.values() if not level.uses_clock and level.style is None]
    chosen = lab.pick(named, named[:4], named[:2])
    players = {**CLASSICAL, **{name: f"engine:level={name}" for name in chosen}}
    games = lab.games(40, 10)
    few = max(2, games // max(SLOW.values()))
    names = list(players)
    played: dict[tuple[str, str], Score] = {}
    won_points: dict[tuple[str, str], Observed] = {}
    per_cent: dict[tuple[str, str], Measured] = {}
    sides = {name: Side() for name in names}
    for number, name in enumerate(names):
        for other in names[number + 1 : number + 1 + NEAR]:
            wanted = few if {name, other} & set(SLOW) else games
            folder = f"{name}-{other}".replace(", ", "-").replace(" ", "-")
            met = lab.tournament(folder, {one: players[one] for one in (name, other)}, wanted)
            report = met.report
            played |= report.scores
            won_points[other, name] = met.points(other, name)
            per_cent[other, name] = met.per_cent(other, name)
            for line in report.standings:
                sides[line.name].merge(line.side)
    scores = {
        pair: one for (a, b), score in played.items() for pair, one in (((a, b), score), ((b, a), score.turned()))
    }
    scale = RatingScale(played, names)
    rated, bars = scale.estimates("random"), over_random(scale)
    order = sorted(names, key=lambda name: -bars[name].value)
    rows: list[tuple[Value, ...]] = [
        (
            say(name),
            bars[name],
            100 * rated[name].score,
            sum(made.games for pair, made in scores.items() if pair[0] == name),
            1000 * sides[name].summary()["seconds"],
        )
        for name in order
    ]
    steps = {after: per_cent[after, before] for before, after in pairwise(chosen)}
    heading = tuple(map(say, ("player", "Elo over random", "score, %", "games", "ms a move")))
    told = [say("{name}: {elo:.0f}", name=say(name), elo=bars[name].value) for name in reversed(order)]
    won = [
        say("{name} {value:.0f} % [{low:.0f}, {high:.0f}]", name=say(name), **made._asdict())
        for name, made in steps.items()
    ]
    table = [[scores.get((row, column)) for column in order] for row in order]
    return Findings(
        say(
            "Elo over the random player: {steps}. Points of each level against the one before it: {won}.",
            steps=say.join(told),
            won=say.join(won),
        ),
        [Table("levels", say("The levels on one scale"), heading, rows)],
        {
            "levels": draw_ratings(
                say("Elo of the levels over the random player, with 95 % intervals"),
                [say(name) for name in order],
                [bars[name] for name in order],
                say("Elo over random"),
            ),
            "crosstable": draw_cross_table(
                say("Scores of all levels against those near them"),
                [say(name) for name in order],
                [[None if made is None else made.points / made.games for made in row] for row in table],
                say("per cent of points, row against column"),
            ),
        },
        {"near": NEAR, "games": games, "slow": few},
        conclusions=conclude_levels(
            {after: won_points[after, before] for before, after in pairwise(chosen)},
            {name: bars[name].value for name in chosen},
            say,
        ),
    )
