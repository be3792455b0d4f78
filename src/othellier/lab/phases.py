"""The tournament of the INSA report in its four phases: algorithms, strategies, heuristics, rollouts."""

from __future__ import annotations

from itertools import product

from othellier.arena.openings import BALANCED, START
from othellier.lab.conclusions import Conclusions, Observed, compare
from othellier.lab.conditions import (
    AS_PRINTED,
    BALANCE,
    CONDITIONS,
    FIRST_BLACK,
    ITS_CONDITIONS,
    PRINTED,
    PUBLISHED,
    Conditions,
    Counts,
    Pair,
    conclude_order,
    play_conditions,
    wins,
)
from othellier.lab.experiment import Findings, Lab, Measured, Table, Value, experiment, share
from othellier.lab.plots import Bar, draw_bars
from othellier.lab.printed import AlphaBeta, Chooser, PrintedMatch, PrintedMonteCarlo, RandomMoves, measure_printed
from othellier.lab.studies import INSA, Citation
from othellier.lab.words import Words

__all__ = [
    "algorithms",
    "conclude_algorithms",
    "conclude_heuristics",
    "conclude_rollouts",
    "conclude_strategies",
    "heuristics",
    "rollouts",
    "strategies",
]


PRINTED_DEPTH, PRINTED_ITERATIONS = 2, 100
"""The least of the efforts the report tells of, where random play wins most."""


_Efforts = dict[str, tuple[str, Observed]]
"""The rival of random play and the games that random play won, by the rival with its effort."""


def conclude_algorithms(found: Conditions, efforts: _Efforts, say: Words) -> list[str]:
    """Conclusions from the matches of the algorithms, and from random play against the searches as printed."""
    conclude = Conclusions(say)
    family = 2 * len(found.points[BALANCE]) + 2 * len(efforts)
    conclude_order(found, family, conclude)
    more = [
        effort
        for effort, (rival, part) in efforts.items()
        if compare(part, wins(found.measured[ITS_CONDITIONS]["random", rival]), family) > 0
    ]
    if more:
        conclude(
            "Random play wins more against the searches as the report prints them than against their usual form: "
            "{rivals}.",
            rivals=say.join(more),
        )
    else:
        conclude("This run cannot show that random play wins more against the searches as printed.")
    near, far = (
        [
            effort
            for effort, (rival, part) in efforts.items()
            if bool(compare(part, found.published_wins(("random", rival)), family)) == differs
        ]
        for differs in (False, True)
    )
    if near:
        conclude("What it wins is the published share within chance against: {rivals}.", rivals=say.join(near))
    if far:
        conclude("What it wins is not the published share, beyond chance, against: {rivals}.", rivals=say.join(far))
    conclude("Intervals are corrected for {family} comparisons.", family=family)
    return conclude.sentences


@experiment(
    "algorithms",
    Citation(INSA, "table 6.1"),
    "Algorithms at equal time",
    "At ten seconds a move in Python, alpha-beta makes 132 points, Monte-Carlo 30 and random play none; random play "
    "wins 16 % of its games against alpha-beta and 35 % against Monte-Carlo.",
    notes=(
        ("{seconds:g} s a move, compiled, in place of the report's 10 s in Python; --budget 10 gives it its time."),
        CONDITIONS,
        AS_PRINTED,
        (
            "Its alpha-beta so does not see that a game is won or lost; its Monte-Carlo plays the move of the largest "
            "UCB1 instead of the most visited one."
        ),
    ),
    compiled=True,
)
def algorithms(lab: Lab) -> Findings:
    """Random, alpha-beta and Monte-Carlo; the ten seconds are scaled by the budget."""
    say = lab.say
    seconds = lab.settings.budget or lab.pick(0.05, 0.005, 0.001)
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
    games = lab.games(200, 20)
    printed: dict[str, Chooser] = {
        "random": RandomMoves(),
        "alpha-beta": AlphaBeta(PRINTED_DEPTH),
        "Monte-Carlo": PrintedMonteCarlo(lab.pick(PRINTED_ITERATIONS, PRINTED_ITERATIONS, 5)),
    }
    found = play_conditions(lab, players, published, lab.games(40, 16), printed=printed, printed_games=games)
    by_random, (against, efforts) = {}, _printed_against_random(lab, games)
    for name in ("alpha-beta", "Monte-Carlo"):
        counts = found.measured[PRINTED]["random", name]
        by_random[name] = share(counts[0], sum(counts)).value
    return Findings(
        say(
            "At {seconds:g} s a move: {start} points under its conditions, {balanced} from balanced starts. As "
            "printed, random play wins {alpha_beta:.0f} % of its games against alpha-beta at depth {depth} and "
            "{monte_carlo:.0f} % against Monte-Carlo with {iterations} iterations.",
            seconds=seconds,
            start=found.sentence(ITS_CONDITIONS, say),
            balanced=found.sentence(BALANCE, say),
            alpha_beta=by_random["alpha-beta"],
            monte_carlo=by_random["Monte-Carlo"],
            depth=PRINTED_DEPTH,
            iterations=PRINTED_ITERATIONS,
        ),
        [found.standings(say), found.pairings(say), against],
        {"points": found.figure(say("Algorithms at equal time: points with 95 % intervals (table 6.1)"), say)},
        {"seconds": seconds},
        conclusions=conclude_algorithms(found, efforts, say),
    )


def _printed_against_random(lab: Lab, games: int) -> tuple[Table, _Efforts]:
    """Games that random play wins against the searches as printed, by their effort."""
    say = lab.say
    efforts: list[tuple[Chooser, str]] = [
        *(
            (AlphaBeta(depth), say("alpha-beta at depth {step}", step=depth))
            for depth in lab.pick((2, 4), (2, 4), (1,))
        ),
        *(
            (PrintedMonteCarlo(count), say("Monte-Carlo with {step} iterations", step=count))
            for count in lab.pick((100, 300, 900), (100, 300), (5,))
        ),
    ]
    jobs = {PrintedMatch(RandomMoves(), chooser, games, lab.settings.seed): name for chooser, name in efforts}
    found = {jobs[job]: result["results"] for job, result in lab.measure(PRINTED, measure_printed, jobs)}
    rows: list[tuple[Value, ...]] = [
        (name, share(found[name][0], games), share(found[name][2], games)) for _, name in efforts
    ]
    heading = ("", say("won by random play, %"), say("lost by it, %"))
    won = {
        name: ("alpha-beta" if isinstance(chooser, AlphaBeta) else "Monte-Carlo", Observed(found[name][0], games))
        for chooser, name in efforts
    }
    return Table("printed", say("Random play against the searches as printed"), heading, rows), won


def conclude_strategies(found: Conditions, say: Words) -> list[str]:
    """Conclusions from the matches of the strategies under all conditions."""
    conclude = Conclusions(say)
    start, printed = found.measured[ITS_CONDITIONS], found.measured[PRINTED]
    columns = {FIRST_BLACK: found.first_black, **found.measured}
    # By pair: who is better twice, the colour, the search as printed, and the published share in every column.
    family = len(start) * (4 + len(columns))
    conclude_order(found, family, conclude)
    titles = {pair: f"{say(pair[0])} – {say(pair[1])}" for pair in start}
    colored = []
    for pair, counts in start.items():
        black = found.first_black[pair]
        white = counts[0] - black[0], counts[1] - black[1], counts[2] - black[2]
        if compare(wins(black), wins(white), family):
            colored.append(titles[pair])
    if colored:
        conclude(
            "From the first position games resemble one another: the colour alone changes the games won, beyond "
            "chance, in {pairs}.",
            pairs=say.join(colored),
        )
    changed = [titles[pair] for pair in start if compare(wins(printed[pair]), wins(found.first_black[pair]), family)]
    if changed:
        conclude(
            "The search as printed, which knows neither passes nor the end of a game, changes the games won, beyond "
            "chance, in {pairs}.",
            pairs=say.join(changed),
        )
    if not colored and not changed:
        conclude("This run cannot show that the colour or the search as printed change the games won.")
    alike: dict[str, list[str]] = {}
    for pair in start:
        fits = [
            say(name)
            for name, results in columns.items()
            if not compare(wins(results[pair]), found.published_wins(pair), family)
        ]
        alike.setdefault(", ".join(fits), []).append(titles[pair])
    strange = alike.pop("", [])
    for conditions, pairs in alike.items():
        conclude(
            "The published games won are within chance of those measured here ({conditions}): {pairs}.",
            conditions=conditions,
            pairs=say.join(pairs),
        )
    if strange:
        conclude("Unlike every condition measured here, and not explained: {pairs}.", pairs=say.join(strange))
    conclude("Intervals are corrected for {family} comparisons.", family=family)
    return conclude.sentences


STRATEGIES = ("positional", "absolute", "mobility", "mixed")


@experiment(
    "strategies",
    Citation(INSA, "table 6.2"),
    "Strategies at depth 4",
    "In matches of 50 games mobility makes 28 points, mixed 26, positional 18 and absolute none; mixed beats mobility "
    "56 to 42, positional beats absolute 54 to 38.",
    notes=(
        CONDITIONS,
        AS_PRINTED,
        "Other strategies, and the learnt one, are in the experiment “ratings”.",
    ),
)
def strategies(lab: Lab) -> Findings:
    """The four strategies of the report under all conditions, and with its search as printed."""
    say = lab.say
    players = {name: f"nega-alphabeta:depth=4,eval={name},ties=random" for name in STRATEGIES}
    published: dict[Pair, Counts] = {
        ("positional", "absolute"): (54, 8, 38),
        ("positional", "mobility"): (46, 2, 52),
        ("positional", "mixed"): (50, 2, 48),
        ("mobility", "mixed"): (42, 2, 56),
        ("absolute", "mixed"): (44, 0, 56),
        ("absolute", "mobility"): (38, 2, 60),
    }
    printed: dict[str, Chooser] = {name: AlphaBeta(lab.pick(4, 4, 1), name) for name in STRATEGIES}
    found = play_conditions(
        lab, players, published, lab.games(2000, 200), printed=printed, printed_games=lab.games(400, 50)
    )
    pairs: tuple[Pair, ...] = (("mobility", "mixed"), ("positional", "absolute"))
    told = [_beside(found, pair, lab) for pair in pairs]
    return Findings(
        say(
            "Points under its conditions: {start}; from balanced starts: {balanced}; with its search as printed: "
            "{printed}. Won and lost: {told}.",
            start=found.sentence(ITS_CONDITIONS, say),
            balanced=found.sentence(BALANCE, say),
            printed=found.sentence(PRINTED, say),
            told=say.join(told),
        ),
        [found.standings(say), found.pairings(say)],
        {"points": found.figure(say("Strategies at depth 4: points with 95 % intervals (table 6.2)"), say)},
        conclusions=conclude_strategies(found, say),
    )


def _beside(found: Conditions, pair: Pair, lab: Lab) -> str:
    """A pair under every condition in a few words."""
    say = lab.say
    won, _, lost = found.published[pair]
    parts = [f"{say(PUBLISHED)} {won}–{lost}"]
    for condition, results in {FIRST_BLACK: found.first_black, **found.measured}.items():
        if pair in results:
            won, drawn, lost = results[pair]
            games = won + drawn + lost
            parts.append(f"{say(condition)} {100 * won / games:.0f}–{100 * lost / games:.0f}")
    names = f"{say(pair[0])} – {say(pair[1])}"
    return say("{pair}: {results}", pair=names, results=", ".join(parts))


_Matches = dict[tuple[int, str], tuple[Observed, dict[str, Observed]]]
"""By depth and condition: the points of table 2, and its games won by colour."""


def conclude_heuristics(found: _Matches, published: dict[str, Observed], say: Words) -> list[str]:
    """Conclusions from the matches of the two tables, by depth and condition."""
    conclude = Conclusions(say)
    family = len(found) * (2 + len(published))
    verdicts: dict[int, list[str]] = {-1: [], 0: [], 1: []}
    colored, unlike = [], []
    for (depth, condition), (part, colors) in found.items():
        name = say("depth {depth}, " + condition, depth=depth)
        verdicts[compare(part, family=family)].append(f"{name} {conclude.part(part, family)}")
        if compare(colors["black"], colors["white"], family):
            colored.append(name)
        if any(compare(colors[color], published[color], family) for color in published):
            unlike.append(name)
    if verdicts[1]:
        conclude("The second table is better beyond chance, as the report says: {where}.", where=say.join(verdicts[1]))
    if verdicts[-1]:
        conclude("The first table is better beyond chance, unlike the report: {where}.", where=say.join(verdicts[-1]))
    if verdicts[0]:
        conclude("This run cannot tell which table is better: {where}.", where=say.join(verdicts[0]))
    if colored:
        conclude("The colour changes the games won beyond chance: {where}.", where=say.join(colored))
    if unlike:
        conclude(
            "With one colour at least, the published share is not met, beyond chance: {where}.", where=say.join(unlike)
        )
    conclude("Intervals are corrected for {family} comparisons.", family=family)
    return conclude.sentences


@experiment(
    "heuristics",
    Citation(INSA, "figures 6.13 and 6.14"),
    "Two tables of square values",
    "Table 2 won 62 % of 50 games with the black discs and 78 % with the white ones, said to be at depth 6; the moves "
    "took 18 and 27 ms, which is what the report's alpha-beta takes at depth 4.",
    notes=(CONDITIONS,),
)
def heuristics(lab: Lab) -> Findings:
    """The two tables of square values at depths 4 and 6, with both colours told apart."""
    say = lab.say
    published = {"black": (62, 36), "white": (78, 16)}
    found: dict[tuple[int, str, str], tuple[Measured, Measured, int]] = {}
    matches: _Matches = {}
    bars: dict[str, list[Bar]] = {say("published"): [share(won / 2, 50) for won, _ in published.values()]}
    told = []
    depths = lab.pick((4, 6), (4, 6), (2,))
    for depth, condition in product(depths, (ITS_CONDITIONS, BALANCE)):
        first, second = "heuristic 2", "heuristic 1"
        players = {
            name: f"nega-alphabeta:depth={depth},eval=positional/table={name.replace(' ', '')},ties=random"
            for name in (second, first)
        }
        openings = START if condition == ITS_CONDITIONS else BALANCED
        games = lab.tournament(f"{openings}-{depth}", players, lab.games(1000, 100), openings=openings)
        by_color = {"black": games.by_color(first, second), "white": games.by_color(second, first)[::-1]}
        matches[depth, condition] = games.points(first, second), {c: wins(r) for c, r in by_color.items()}
        for color, (won, drawn, lost) in by_color.items():
            total = won + drawn + lost
            found[depth, condition, color] = share(won, total), share(lost, total), total
        shares = [found[depth, condition, color][0] for color in published]
        name = say("depth {depth}, " + condition, depth=depth)
        bars[name] = list(shares)
        results = f"{shares[0].value:.0f} % / {shares[1].value:.0f} %"
        told.append(say("{pair}: {results}", pair=name, results=results))
    rows: list[tuple[Value, ...]] = [
        (
            depth,
            say(color),
            *(share(part / 2, 50) for part in published[color]),
            *ours[:2],
            *balanced[:2],
            f"{ours[2]} / {balanced[2]}",
        )
        for depth, color in product(depths, published)
        for ours, balanced in [(found[depth, ITS_CONDITIONS, color], found[depth, BALANCE, color])]
    ]
    names = ["depth", "table 2 has"]
    names += [f"{one}: {what}, %" for one in (PUBLISHED, ITS_CONDITIONS, BALANCE) for what in ("won", "lost")]
    heading = tuple(map(say, (*names, "games")))
    figure = draw_bars(
        say("Games won by table 2 against table 1, with 95 % intervals (figures 6.13 and 6.14)"),
        [say("with the black discs"), say("with the white discs")],
        bars,
        say("per cent"),
        published=1,
    )
    return Findings(
        say("Games won by table 2 with the black discs / with the white ones: {told}.", told=say.join(told)),
        [Table("colors", say("Games of table 2 against table 1, by colours"), heading, rows, heading[2:4])],
        {"won": figure},
        conclusions=conclude_heuristics(
            matches, {color: Observed(won / 2, 50) for color, (won, _) in published.items()}, say
        ),
    )


ROLLOUTS = {"classical": "random", "improved (1), by odds": "weighted", "improved (2), best square": "greedy"}


def conclude_rollouts(found: Conditions, say: Words) -> list[str]:
    """Conclusions from the matches of the improved rollouts against the classical ones."""
    conclude = Conclusions(say)
    for counts in found.published.values():
        decided = Observed(counts[2], counts[0] + counts[2])
        games = round(50 * decided.of / 100)
        if not compare(Observed(decided.share * games, games)):
            conclude(
                "The published improvement is within chance: {won:.0f} of {games} games that were decided.",
                won=decided.share * games,
                games=games,
            )
    family = 2 * len(found.points[BALANCE])
    conclude_order(found, family, conclude)
    conclude("Intervals are corrected for {family} comparisons.", family=family)
    return conclude.sentences


@experiment(
    "rollouts",
    Citation(INSA, "figure 6.15"),
    "Monte-Carlo: rollouts that expect a clever opponent",
    "The improved rollout, in which the opponent plays its best square, won 56 % of 50 games against the classical "
    "one and lost 40 %.",
    notes=(
        "One pairing is compared with one pairing; improvement (1) was not published.",
        (
            "The improved rollout (2) plays the opponent's best square and our moves at random: it counts the chances "
            "of neither side."
        ),
        CONDITIONS,
    ),
)
def rollouts(lab: Lab) -> Findings:
    """Classical rollouts against either improvement at equal iterations: pairing by pairing."""
    say = lab.say
    iterations = lab.pick(500, 500, 10)
    players = {name: f"mcts:iterations={iterations},c=1.5,rollout={kind}" for name, kind in ROLLOUTS.items()}
    classical, odds, best = ROLLOUTS
    published: dict[Pair, Counts] = {(classical, best): (40, 4, 56)}
    found = play_conditions(lab, players, published, lab.games(400, 50), pairs=[(classical, best), (classical, odds)])

    def lost(pair: Pair, condition: str) -> Bar:
        if condition == PUBLISHED:
            return share(published[pair][2] / 2, 50) if pair in published else None
        counts = found.measured[condition][pair]
        return share(counts[2], sum(counts))

    pairs = [(classical, best), (classical, odds)]
    bars = {say(c): [lost(pair, c) for pair in pairs] for c in (PUBLISHED, ITS_CONDITIONS, BALANCE)}
    results = found.measured
    wins = [100 * results[c][classical, best][2] / sum(results[c][classical, best]) for c in (ITS_CONDITIONS, BALANCE)]
    return Findings(
        say(
            "At {iterations} iterations the improved rollout (2) wins {start:.0f} % of its games against the "
            "classical one under its conditions and {balanced:.0f} % from balanced starts.",
            iterations=iterations,
            start=wins[0],
            balanced=wins[1],
        ),
        [found.pairings(say)],
        {
            "won": draw_bars(
                say("Games won by improved rollouts against classical ones, with 95 % intervals (figure 6.15)"),
                [say(pair[1]) for pair in pairs],
                bars,
                say("per cent"),
                published=1,
            )
        },
        conclusions=conclude_rollouts(found, say),
    )
