"""How strong the levels of play are: all of them on one Elo scale, with two classical searches to compare."""

from __future__ import annotations

from othellier.lab.experiment import Findings, Lab, Table, Value, experiment
from othellier.lab.plots import draw_ratings
from othellier.lab.ratings import draw_scores, over_random
from othellier.lab.studies import FOREST, Citation
from othellier.levels import LEVELS

__all__ = ["levels"]

CLASSICAL = {
    "random": "random",
    "alpha-beta, depth 2": "alphabeta:depth=2,eval=mobility,ties=random",
    "alpha-beta, depth 4": "alphabeta:depth=4,eval=mobility,ties=random",
}


@experiment(
    "levels",
    Citation(FOREST, "section on the levels"),
    "The strength of the levels",
    "Six levels from Beginner (the policy network's move) to Master (depth 14, perfect from 26 empty squares on); how "
    "far apart they are is not told.",
    meaning=(
        "Every level is stronger than the one before it. The order is known long before the distances are: of a "
        "player who wins all of a few games one learns only that it is stronger, so that with few games the scale is "
        "too short (`benchmarks/LEVELS.md` tells of thousands)."
    ),
    notes=(
        (
            "All against all from balanced starts with both colours, the levels with their opening book, as they play "
            "on the page. Elo of Bradley and Terry's model; a gap of more than some 600 can only be seen through the "
            "players between. The last level, which thinks for seconds on all cores, is left out."
        ),
    ),
)
def levels(lab: Lab) -> Findings:
    """The levels that think to a depth, all against all."""
    say = lab.say
    named = [level.name for level in LEVELS.values() if not level.uses_clock and level.style is None]
    chosen = lab.pick(named, named[:4], named[:2])
    players = {**CLASSICAL, **{name: f"engine:level={name}" for name in chosen}}
    played = lab.tournament("games", players, lab.games(40, 4))
    lines = played.report.standings
    bars = over_random(played)
    rows: list[tuple[Value, ...]] = [
        (say(line.name), bar, 100 * line.rating.score, line.total.games, 1000 * line.side.summary()["seconds"])
        for line, bar in zip(lines, bars, strict=True)
    ]
    heading = tuple(map(say, ("player", "Elo over random", "score, %", "games", "ms a move")))
    names = [say(line.name) for line in lines]
    steps = [
        say("{name}: {elo:.0f}", name=say(line.name), elo=bar.value)
        for line, bar in zip(reversed(lines), reversed(bars), strict=True)
    ]
    return Findings(
        say("Elo over the random player: {steps}.", steps=say.join(steps)),
        [Table("levels", say("The levels on one scale"), heading, rows)],
        {
            "levels": draw_ratings(
                say("Elo of the levels over the random player, with 95 % intervals"),
                names,
                bars,
                say("Elo over random"),
            ),
            "crosstable": draw_scores(say("Scores of all levels against one another"), played, say),
        },
    )
