"""The same games under several conditions, beside what was published: the three columns of every study of matches.

* **published**: what the document prints;
* **its conditions**: every game from the first position, equal moves drawn at random, both colours as often;
* **first with black**: those of them with the colours of the document, black discs to the one it names first;
* **balanced**: from balanced starts of eight moves, each played twice with the colours swapped;
* **as printed**, where it tells something: its conditions and colours, with the searches as it prints them (`printed`).

Points are the document's: for each opponent, per cent of games won less per cent lost, or 0.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field

from othellier.arena.openings import BALANCED, START
from othellier.arena.stats import points
from othellier.lab.conclusions import Conclusions, Observed, compare
from othellier.lab.experiment import Lab, Measured, Table, Value, share
from othellier.lab.plots import Bar, Figure, draw_bars
from othellier.lab.printed import Chooser, PrintedMatch, measure_printed
from othellier.lab.words import Words

__all__ = [
    "AS_PRINTED",
    "BALANCE",
    "CONDITIONS",
    "FIRST_BLACK",
    "ITS_CONDITIONS",
    "PRINTED",
    "PUBLISHED",
    "Conditions",
    "Counts",
    "Pair",
    "conclude_order",
    "play_conditions",
    "published_games",
    "wins",
]

Pair = tuple[str, str]
"""The player with the black discs, and the other."""

Counts = tuple[int, int, int]
"""Games won by the first of a pair, drawn, and lost; of what was published, per cent."""

PUBLISHED, ITS_CONDITIONS, BALANCE, PRINTED = "published", "its conditions", "balanced", "as printed"
FIRST_BLACK = "first with black"

CONDITIONS = (
    "“Its conditions” are those of the document: every game from the first position, the best of equal moves drawn "
    "at random; both colours are played as often. “First with black” are those of these games in which the player "
    "named first has the black discs, as in the document. “Balanced” are balanced starts of eight moves, each played "
    "twice with the colours swapped. Intervals are of 95 %, Wilson's for shares; those of published numbers are for "
    "the 50 games that the document names (20 where its per cents are no fiftieths)."
)
AS_PRINTED = (
    "“As printed” are its conditions and its colours, the player named first with the black discs, with the searches "
    "as the document prints them: they know neither passes nor the end of a game."
)


@dataclass(slots=True)
class Conditions:
    """The results of all pairs under every condition."""

    published: dict[Pair, Counts]
    measured: dict[str, dict[Pair, Counts]] = field(default_factory=dict)
    first_black: dict[Pair, Counts] = field(default_factory=dict)
    points: dict[str, dict[Pair, Observed]] = field(default_factory=dict)
    """Points of the first of a pair by condition, as independent observations."""

    @property
    def names(self) -> list[str]:
        """The players in the order of the pairs."""
        return list(dict.fromkeys(name for pair in self._pairs() for name in pair))

    def _pairs(self) -> list[Pair]:
        return list(dict.fromkeys(pair for results in self.measured.values() for pair in results))

    def total(self, name: str, condition: str) -> Measured | None:
        """All points of a player."""
        results = self.published if condition == PUBLISHED else self.measured[condition]
        mine = [r if name == a else r[::-1] for (a, b), r in results.items() if name in (a, b)]
        if not mine:
            return None
        counted = [_points(r, published_games(r) if condition == PUBLISHED else sum(r)) for r in mine]
        made = sum(one.value for one in counted)
        down = math.hypot(*(one.value - one.low for one in counted))
        up = math.hypot(*(one.high - one.value for one in counted))
        return Measured(made, max(0.0, made - down), made + up)

    def pairings(self, say: Words, title: str = "Pairings") -> Table:
        """Every pair under every condition: per cent of games won and lost by the first."""
        heading = ["", say("published: won, %"), say("published: lost, %")]
        columns = {FIRST_BLACK: self.first_black, **self.measured}
        for condition in columns:
            heading += [say(f"{condition}: won, %"), say(f"{condition}: lost, %")]
        heading.append(say("games"))
        rows: list[tuple[Value, ...]] = []
        for pair in self._pairs():
            told = self.published.get(pair)
            cells: list[Value] = [f"{say(pair[0])} – {say(pair[1])}", *(_published(told) if told else (None, None))]
            games = []
            for results in columns.values():
                counts = results.get(pair)
                games.append("–" if counts is None else str(sum(counts)))
                cells += (
                    [None, None] if counts is None else [share(counts[0], sum(counts)), share(counts[2], sum(counts))]
                )
            rows.append((*cells, " / ".join(games)))
        return Table("pairings", say(title), tuple(heading), rows, tuple(heading[1:3]))

    def standings(self, say: Words) -> Table:
        """The points of all players under every condition."""
        heading = ("", say("published: points"), *(say(f"{condition}: points") for condition in self.measured))
        rows: list[tuple[Value, ...]] = []
        for name in self.names:
            told = self.total(name, PUBLISHED)
            ours = [self.total(name, condition) for condition in self.measured]
            rows.append((say(name), told, *ours))
        return Table("points", say("Points"), heading, rows, heading[1:2])

    def figure(self, title: str, say: Words) -> Figure:
        """The points as bars."""
        bars: dict[str, list[Bar]] = {
            say(condition): [self.total(name, condition) for name in self.names]
            for condition in (PUBLISHED, *self.measured)
        }
        return draw_bars(title, [say(name) for name in self.names], bars, say("points"), published=1)

    def sentence(self, condition: str, say: Words) -> str:
        """The points of all players, the best first."""
        made = {name: total.value for name in self.names if (total := self.total(name, condition)) is not None}
        order = sorted(made, key=lambda name: -made[name])
        return ", ".join(f"{say(name)} {made[name]:.0f}" for name in order)

    def published_wins(self, pair: Pair) -> Observed:
        """Games won by the first of a pair, as published."""
        games = published_games(self.published[pair])
        return Observed(self.published[pair][0] * games / 100, games)


def wins(counts: Counts) -> Observed:
    """Games won by the first of a pair."""
    return Observed(counts[0], sum(counts))


def conclude_order(found: Conditions, family: int, conclude: Conclusions) -> None:
    """Add sentences about who is better, from the first position and from balanced starts."""
    say = conclude.say
    for condition in (ITS_CONDITIONS, BALANCE):
        better, unsure = [], []
        for pair, part in found.points[condition].items():
            sign = compare(part, family=family)
            first, second = map(say, pair if sign >= 0 else pair[::-1])
            if sign:
                better.append(say("{first} against {second}", first=first, second=second))
            else:
                unsure.append(f"{first} – {second} {conclude.part(part, family)}")
        if better:
            conclude(
                "From balanced starts the first is better beyond chance: {pairs}."
                if condition == BALANCE
                else "From the first position the first is better beyond chance: {pairs}.",
                pairs=say.join(better),
            )
        if unsure:
            conclude(
                "From balanced starts this run cannot tell who is better; points of the first: {pairs}."
                if condition == BALANCE
                else "From the first position this run cannot tell who is better; points of the first: {pairs}.",
                pairs=say.join(unsure),
            )


def published_games(counts: Counts) -> int:
    """The games behind published per cents: the 50 the report names, or 20 where fiftieths do not give them."""
    return 50 if all(part % 2 == 0 for part in counts) else 20


def _published(counts: Counts) -> tuple[Measured, Measured]:
    """Published per cents, won and lost, with the interval that so many games give them."""
    games = published_games(counts)
    won, lost = (share(part * games / 100, games) for part in (counts[0], counts[2]))
    return won, lost


def _points(counts: Counts, games: int) -> Measured:
    """The points of a match and the ends of their 95 % interval: of a match that was lost, too, though it has none.

    As Agresti and Coull do it, two games more are taken to be won and two lost: a match won to the last game tells less
    than that every game would be.

    >>> [round(end) for end in _points((40, 0, 0), 40)]
    [100, 79, 100]
    """
    won, lost = counts[0] / sum(counts), counts[2] / sum(counts)
    more = games + 4
    decided, lead = (games * (won + lost) + 4) / more, games * (won - lost) / more
    reach = 1.96 * math.sqrt((decided - lead**2) / more)
    made = points(*counts)
    return Measured(made, max(0.0, min(made, 100 * (lead - reach))), min(100.0, max(made, 100 * (lead + reach))))


def play_conditions(
    lab: Lab,
    players: Mapping[str, str],
    published: dict[Pair, Counts],
    games: int,
    *,
    pairs: list[Pair] | None = None,
    printed: Mapping[str, Chooser] | None = None,
    printed_games: int = 0,
) -> Conditions:
    """Let all pairs (the published ones unless given) meet under every condition, so many games each."""
    found = Conditions(published)
    wanted = pairs or list(published)
    for condition, openings in ((ITS_CONDITIONS, START), (BALANCE, BALANCED)):
        played = lab.tournament(openings, dict(players), games, openings=openings)
        cells = {pair: played.report.cells[pair] for pair in wanted}
        found.measured[condition] = {pair: (c.wins, c.draws, c.losses) for pair, c in cells.items()}
        found.points[condition] = {pair: played.points(*pair) for pair in wanted}
        if openings == START:
            found.first_black = {pair: played.by_color(*pair) for pair in wanted}
    if printed:
        jobs = {
            PrintedMatch(printed[pair[0]], printed[pair[1]], printed_games, lab.settings.seed): pair for pair in wanted
        }
        found.measured[PRINTED] = {}
        for job, result in lab.measure(PRINTED, measure_printed, jobs):
            won, drawn, lost = result["results"]
            found.measured[PRINTED][jobs[job]] = won, drawn, lost
    return found
