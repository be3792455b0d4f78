"""A study of our own: every algorithm and every strategy on one Elo scale, with the engine's levels."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations

from othellier.arena.rating_scale import RatingScale, holm
from othellier.lab.conclusions import Conclusions
from othellier.lab.experiment import Findings, Lab, Measured, Table, TournamentGames, Value, experiment
from othellier.lab.plots import Figure, draw_cross_table, draw_ratings
from othellier.lab.studies import OWN
from othellier.lab.words import Words

__all__ = ["conclude_ratings", "draw_scores", "over_random", "ratings", "told_apart"]

STRATEGIES = {
    "absolute": "absolute",
    "heuristic 1": "positional/table=heuristic1",
    "heuristic 2": "positional/table=heuristic2",
    "Utrecht squares": "positional/table=utrecht",
    "mobility": "mobility",
    "mixed": "mixed",
    "four criteria": "criteria",
    "criteria, real stability": "criteria/stability=real",
    "patterns": "patterns",
}

SAME_STRATEGY = ("minimax, to time", "alpha-beta, to time", "PVS, table, to time")
"""Algorithms that search with mobility for the same time."""

ENGINE_LEVELS = ["beginner", "beginner+", "amateur", "amateur+"]
"""Those that think no longer than the others; `strength` tells of all."""


def _players(lab: Lab) -> dict[str, str]:
    seconds = lab.settings.budget or lab.pick(0.02, 0.005, 0.001)
    strategies = lab.pick(list(STRATEGIES), list(STRATEGIES), ["absolute", "mobility"])
    players = {"random": "random"}
    players |= {f"{name}, depth 4": f"alphabeta:depth=4,eval={STRATEGIES[name]},ties=random" for name in strategies}
    timed = {
        "minimax": f"minimax:time={seconds:g},eval=mobility",
        "alpha-beta": f"alphabeta:time={seconds:g},eval=mobility",
        "PVS, table": f"pvs:time={seconds:g},eval=mobility,order=evaluator,table=yes,killer=yes",
        "PVS, patterns": f"pvs:time={seconds:g},eval=patterns,order=evaluator,table=yes,killer=yes",
        "Monte-Carlo": f"mcts:time={seconds:g},c=0.7",
        "Monte-Carlo, greedy": f"mcts:time={seconds:g},c=0.7,rollout=greedy",
    }
    players |= {
        f"{name}, to time": spec
        for name, spec in timed.items()
        if name in lab.pick(list(timed), list(timed), ["alpha-beta"])
    }
    for name in lab.pick(ENGINE_LEVELS, ENGINE_LEVELS[:2], ENGINE_LEVELS[:2]):
        players[f"engine: {name}"] = f"engine:level={name}"
    return players


def over_random(scale: RatingScale) -> dict[str, Measured]:
    """Return the ratings counted from the random player, which makes runs comparable, with their 95 % intervals."""
    return {name: Measured(one.elo, one.elo_low, one.elo_high) for name, one in scale.estimates("random").items()}


def told_apart(scale: RatingScale, names: Sequence[str]) -> tuple[int, int]:
    """Return how many pairs of players differ beyond chance, and how many there are, with Holm's correction."""
    corrected = holm([scale.p_value(*pair) for pair in combinations(names, 2)])
    return sum(value < 0.05 for value in corrected), len(corrected)


def draw_scores(title: str, played: TournamentGames, say: Words) -> Figure:
    """Everybody's share of the points against everybody else."""
    names = [line.name for line in played.report.standings]
    cells = [[played.report.cells.get((row, column)) for column in names] for row in names]
    scores = [[None if cell is None else cell.score for cell in row] for row in cells]
    return draw_cross_table(title, [say(name) for name in names], scores, say("per cent of points, row against column"))


def conclude_ratings(rated: dict[str, Measured], say: Words) -> list[str]:
    """Conclusions from the Elo over random play: the spread of strategies beside that of algorithms."""
    conclude = Conclusions(say)
    strategies = [rated[f"{name}, depth 4"] for name in STRATEGIES if f"{name}, depth 4" in rated]
    algorithms = [rated[name] for name in SAME_STRATEGY if name in rated]
    if min(len(strategies), len(algorithms)) < 2:
        conclude("This run has too few players to compare strategies with algorithms.")
        return conclude.sentences
    known, way = (
        max(one.value for one in group) - min(one.value for one in group) for group in (strategies, algorithms)
    )
    # The extremes of two groups: two differences, whose errors are taken to add.
    reach = sum(one.high - one.low for group in (strategies, algorithms) for one in (max(group), min(group))) / 2
    values = {"known": known, "way": way}
    if known - way > reach:
        conclude(
            "With the same search the strategies are {known:.0f} Elo apart, with the same strategy the algorithms only "
            "{way:.0f}: what a search knows is worth more than how it searches.",
            **values,
        )
    elif way - known > reach:
        conclude(
            "With the same strategy the algorithms are {way:.0f} Elo apart, with the same search the strategies only "
            "{known:.0f}: how a search goes on is worth more than what it knows.",
            **values,
        )
    else:
        conclude(
            "With the same search the strategies are {known:.0f} Elo apart, with the same strategy the algorithms "
            "{way:.0f}: which is worth more, this run cannot tell.",
            **values,
        )
    return conclude.sentences


@experiment(
    "ratings",
    OWN,
    "Every algorithm and strategy on one Elo scale",
    "Nothing like it was published: the documents compare at most four players at a time.",
    notes=(
        (
            "Elo of Bradley and Terry's model with 95 % intervals for the difference to the random player, each for "
            "itself; a gap of more than some 600 can only be seen "
            "through the players between. Those with a depth or a time search on one core, levels as they play on the "
            "page; those above Amateur+ are in the experiment “levels”. The search to a time depends on the machine; "
            "that to a depth does not."
        ),
    ),
)
def ratings(lab: Lab) -> Findings:
    """All against all from balanced starts, both colours of each."""
    say = lab.say
    players = _players(lab)
    played = lab.tournament("games", players, lab.games(10, 2))
    scale = RatingScale(played.report.scores, played.report.names)
    rated = over_random(scale)
    lines = sorted(played.report.standings, key=lambda line: -rated[line.name].value)
    bars = [rated[line.name] for line in lines]
    apart, pairings = told_apart(scale, played.report.names)
    rows: list[tuple[Value, ...]] = []
    for rank, (line, bar) in enumerate(zip(lines, bars, strict=True), 1):
        facts = line.side.summary()
        score, discs = 100 * line.rating.score, line.total.discs
        effort = (1000 * facts["seconds"], round(facts["nodes"]))
        rows.append((rank, say(line.name), bar, score, line.total.games, discs, *effort, line.spec))
    heading = (
        "",
        *map(say, ("player", "Elo over random", "score, %", "games", "discs", "ms a move", "nodes a move", "string")),
    )
    names = [say(line.name) for line in lines]
    following = ", ".join(f"{name} ({bar.value:.0f})" for name, bar in zip(names[1:4], bars[1:4], strict=True))
    return Findings(
        say(
            "{players} players, {games:,} games. First: {first}, {elo:.0f} Elo above random; then {following}. "
            "Of the {pairings} pairs of players {apart} differ beyond chance (95 % for all pairs together, Holm's "
            "correction).",
            players=len(players),
            games=len(played.lines),
            first=names[0],
            elo=bars[0].value,
            following=following,
            pairings=pairings,
            apart=apart,
        ),
        [Table("standings", say("Standings"), heading, rows)],
        {
            "ratings": draw_ratings(
                say("Elo of all players over the random one, with 95 % intervals"), names, bars, say("Elo over random")
            ),
            "crosstable": draw_scores(say("Scores of all against all"), played, say),
        },
        conclusions=conclude_ratings({line.name: bar for line, bar in zip(lines, bars, strict=True)}, say),
    )
