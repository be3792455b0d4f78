"""The four criteria of the Neuchâtel project one by one: what each is worth alone, and what is lost without it."""

from __future__ import annotations

from othellier.lab.conclusions import Conclusions, Observed, judge
from othellier.lab.experiment import Findings, Lab, Table, Value, experiment
from othellier.lab.plots import Bar, draw_bars
from othellier.lab.studies import NEUCHATEL, Citation
from othellier.lab.words import Words

__all__ = ["conclude_criteria", "criteria"]

NAMES = ("discs", "mobility", "corners", "stability")
WEIGHTS = {"discs": 2, "mobility": 5, "corners": 10, "stability": 15}
OPTIONS = {"discs": "discs", "mobility": "moves", "corners": "corners", "stability": "stable"}
"""What the evaluator calls them."""


def _player(weights: dict[str, int], depth: int) -> str:
    options = "/".join(f"{OPTIONS[name]}={weight}" for name, weight in weights.items())
    return f"alphabeta:depth={depth},eval=criteria/{options},ties=random"


def conclude_criteria(without: dict[str, Observed], games: int, say: Words) -> list[str]:
    """Conclusions from the points that the sum without each criterion makes against the whole sum."""
    conclude = Conclusions(say)
    family = len(without)
    verdicts = judge(without)
    needed, harmful = ([name for name, one in verdicts.items() if one == sign] for sign in (-1, 1))
    unsure = [name for name, one in verdicts.items() if not one]
    conclude("A criterion is worth its place if the sum is weaker without it.")
    if needed:
        conclude("Beyond chance it is weaker without: {names}.", names=conclude.listed(needed))
    if harmful:
        conclude("Beyond chance it is stronger without: {names}.", names=conclude.listed(harmful))
    if unsure:
        told = (f"{say(name)} {conclude.part(without[name], family)}" for name in unsure)
        conclude(
            "{games:,} games cannot tell whether it is without one of these (points without it): {parts}.",
            games=games,
            parts=say.join(told),
        )
    conclude("Intervals are corrected for {family} comparisons.", family=family)
    return conclude.sentences


@experiment(
    "criteria",
    Citation(NEUCHATEL, "function Eval"),
    "Four criteria, one by one",
    "A position is worth 2 × parity of discs + 5 × mobility + 10 × corners + 15 × stability: stability and corners "
    "matter most. No measurement is given.",
    notes=(
        (
            "Alpha-beta at depth {depth} from balanced starts with both colours; ratios as in the project, for a "
            "criterion alone with the weight 1."
        ),
        (
            "What the project calls stability is a table of squares; real stability is compared in the experiment "
            "“ratings”."
        ),
    ),
)
def criteria(lab: Lab) -> Findings:
    """Each criterion alone, and all but each, against all four."""
    say = lab.say
    depth = lab.pick(4, 4, 1)
    whole = "all four"
    players = {whole: _player(WEIGHTS, depth)}
    for name in NAMES:
        players[f"{name} alone"] = _player({one: int(one == name) for one in NAMES}, depth)
        players[f"without {name}"] = _player({one: 0 if one == name else WEIGHTS[one] for one in NAMES}, depth)
    games = lab.games(1000, 100)
    played = lab.tournament("games", players, games, system="gauntlet", hero=whole)
    rows: list[tuple[Value, ...]] = []
    bars: dict[str, list[Bar]] = {say("alone"): [], say("all but this one"): []}
    scores: dict[str, float] = {}
    for name in NAMES:
        for title, group in ((f"{name} alone", say("alone")), (f"without {name}", say("all but this one"))):
            cell = played.report.cells[title, whole]
            points = played.per_cent(title, whole)
            scores[title] = points.value
            bars[group].append(points)
            rows.append((say(title), WEIGHTS[name], points, cell.games, cell.discs))
    heading = tuple(map(say, ("player", "weight in the sum", "points against all four, %", "games", "discs a game")))
    alone = {name: scores[f"{name} alone"] for name in NAMES}
    without = {name: scores[f"without {name}"] for name in NAMES}
    best, needed = max(alone, key=alone.__getitem__), min(without, key=without.__getitem__)
    useless = max(without, key=without.__getitem__)
    return Findings(
        say(
            "Against all four together, {best} alone makes {best_score:.0f} % of the points. Without {needed} the "
            "others make {needed_score:.0f} %, without {useless} {useless_score:.0f} %.",
            best=say(best),
            best_score=alone[best],
            needed=say(needed),
            needed_score=without[needed],
            useless=say(useless),
            useless_score=without[useless],
        ),
        [Table("criteria", say("Every criterion alone, and all but it, against all four"), heading, rows)],
        {
            "points": draw_bars(
                say("Points against the sum of all four criteria, with 95 % intervals (50: as good)"),
                [say(name) for name in NAMES],
                bars,
                say("per cent of points"),
            )
        },
        {"depth": depth},
        conclusions=conclude_criteria({name: played.points(f"without {name}", whole) for name in NAMES}, games, say),
    )
