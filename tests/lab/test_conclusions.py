"""Conclusions follow from the findings: invented findings with other outcomes give other sentences."""

import ast
import inspect
import re
from pathlib import Path
from typing import Any

import pytest

from othellier.arena.stats import Tally
from othellier.lab import conclusions
from othellier.lab.branching import conclude_branching
from othellier.lab.conclusions import Observed, compare
from othellier.lab.conditions import BALANCE, ITS_CONDITIONS, PRINTED, Conditions, Counts, Pair
from othellier.lab.criteria import conclude_criteria
from othellier.lab.experiment import Measured, experiment
from othellier.lab.exploration import conclude_exploration
from othellier.lab.knowledge import conclude_knowledge
from othellier.lab.ladder import conclude_ladder
from othellier.lab.merging import KINDS, conclude_merging
from othellier.lab.parallel import conclude_parallel
from othellier.lab.phases import conclude_algorithms, conclude_heuristics, conclude_rollouts, conclude_strategies
from othellier.lab.ratings import conclude_ratings
from othellier.lab.small import conclude_four, conclude_six
from othellier.lab.strength import conclude_levels
from othellier.lab.techniques import LADDER
from othellier.lab.timing import COMPILED, conclude_timing
from othellier.lab.words import Words

SAY = Words()
NUMBERS = (
    r"\d|\b(two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|twenty|thirty|forty|fifty|hundred|thousand|"
    r"million|twice|half|third|quarter|fifth|tenth|hundredth)s?\b"
)


def texts(node: ast.expr) -> list[str]:
    """Texts of an expression; another kind of expression cannot be checked."""
    if isinstance(node, ast.IfExp):
        return texts(node.body) + texts(node.orelse)
    assert isinstance(node, ast.Constant), ast.unparse(node)
    return [str(node.value)]


def test_no_sentence_of_a_conclusion_holds_a_number_of_its_own() -> None:
    said: list[str] = []
    for path in Path(conclusions.__file__).parent.glob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and ast.unparse(node.func) == "conclude":
                said += texts(node.args[0])
    assert len(said) > 60
    for text in said:
        assert not re.search(NUMBERS, re.sub(r"{[^}]*}", "", text)), text


def test_an_experiment_has_no_place_for_a_conclusion_that_is_always_the_same() -> None:
    assert "meaning" not in inspect.signature(experiment).parameters


def test_a_family_of_comparisons_asks_for_more() -> None:
    part = Observed(60, 100)
    assert compare(part) == 1
    assert compare(part, family=13) == 0
    assert compare(Observed(40, 100)) == -1
    assert compare(Observed(30, 50), Observed(10, 50), 13) == 1
    assert compare(Observed(30, 50), Observed(25, 50)) == 0
    assert compare(Observed(0, 0)) == 0


def test_pairs_of_games_are_the_observations() -> None:
    alike = Tally()
    for _ in range(20):
        alike.add_pair(10, 10)  # both games won, or both lost: twenty observations, not forty
    for _ in range(10):
        alike.add_pair(-10, -10)
    part = Observed.points(alike)
    assert part.of == pytest.approx(30, rel=0.05)
    assert part.share == pytest.approx(2 / 3)
    mixed = Tally()
    for first, second in ((10, 10), (10, -10), (-10, -10)):
        for _ in range(10):
            mixed.add_pair(first, second)
    assert Observed.points(mixed).of == pytest.approx(0.25 * 60**2 / (30 * 20 / 29))  # between pairs and games
    split = Tally()
    for _ in range(30):
        split.add_pair(10, -10)  # the colour decides
    assert Observed.points(split) == Observed(15, 30)


def told(sentences: list[str]) -> str:
    return " ".join(sentences)


def test_criteria() -> None:
    parts = {"discs": Observed(520, 1000), "mobility": Observed(290, 1000), "stability": Observed(700, 1000)}
    words = told(conclude_criteria(parts, 1000, SAY))
    assert "weaker without: mobility." in words
    assert "stronger without: stability." in words
    assert "1,000 games cannot tell" in words
    assert "discs 52 %" in words
    few = told(conclude_criteria({name: Observed(part.share * 4, 4) for name, part in parts.items()}, 4, SAY))
    assert "Beyond chance" not in few
    assert "mobility 29 %" in few


def test_exploration() -> None:
    def won(percents: dict[float, float], games: int) -> dict[str, dict[float, Observed]]:
        same = {c: Observed(games * percent / 100, games) for c, percent in percents.items()}
        return {BALANCE: same, ITS_CONDITIONS: same}

    words = told(conclude_exploration(won({0.0: 10, 1.0: 33, 1.5: 30, 2.0: 60}, 400), SAY))
    assert "less often than with C = 1.5, beyond chance, at C = 0." in words
    assert "more often than with C = 1.5, beyond chance, at C = 2." in words
    assert "Between C = 1.5 and C = 1 this run cannot tell: 800 games each" in words
    assert "corrected for 7 comparisons" in words
    few = told(conclude_exploration(won({0.0: 10, 1.0: 33, 1.5: 30, 2.0: 60}, 10), SAY))
    assert "Between C = 1.5 and C = 0; 1; 2 this run cannot tell" in few
    elsewhere = won({1.0: 30, 1.5: 30}, 400)
    elsewhere[BALANCE] = {1.0: Observed(300, 400), 1.5: Observed(120, 400)}
    assert "begin makes a difference beyond chance where C is 1." in told(conclude_exploration(elsewhere, SAY))


def matches(published: dict[Pair, Counts], results: dict[Pair, Counts], printed: dict[Pair, Counts]) -> Conditions:
    """The same results from the first position and from balanced starts, other ones as printed."""
    points = {pair: Observed(won + drawn / 2, won + drawn + lost) for pair, (won, drawn, lost) in results.items()}
    half = {pair: (won // 2, drawn // 2, lost // 2) for pair, (won, drawn, lost) in results.items()}
    return Conditions(
        published,
        {ITS_CONDITIONS: results, BALANCE: results, PRINTED: printed},
        half,
        {ITS_CONDITIONS: points, BALANCE: points},
    )


def test_algorithms() -> None:
    published = {("random", "alpha-beta"): (16, 4, 80), ("alpha-beta", "Monte-Carlo"): (84, 0, 16)}
    results = {("random", "alpha-beta"): (0, 0, 200), ("alpha-beta", "Monte-Carlo"): (100, 0, 100)}
    found = matches(published, results, results)
    words = told(conclude_algorithms(found, {"depth 2": ("alpha-beta", Observed(40, 200))}, SAY))
    assert "beyond chance: alpha-beta against random." in words
    assert "cannot tell who is better; points of the first: alpha-beta – Monte-Carlo 50 %" in words
    assert "than against their usual form: depth 2." in words
    assert "the published share within chance against: depth 2." in words
    words = told(conclude_algorithms(found, {"depth 2": ("alpha-beta", Observed(0, 200))}, SAY))
    assert "cannot show that random play wins more" in words
    assert "not the published share, beyond chance, against: depth 2." in words


def test_strategies() -> None:
    pair = ("positional", "absolute")
    found = matches({pair: (54, 8, 38)}, {pair: (1800, 0, 200)}, {pair: (200, 0, 200)})
    found.first_black = {pair: (1000, 0, 0)}
    words = told(conclude_strategies(found, SAY))
    assert "better beyond chance: positional against absolute." in words
    assert "the colour alone changes the games won, beyond chance, in positional – absolute." in words
    assert "as printed, which knows neither passes nor the end of a game, changes" in words
    assert "measured here (as printed): positional – absolute." in words
    even = told(conclude_strategies(matches({pair: (54, 8, 38)}, {pair: (10, 0, 10)}, {pair: (5, 0, 5)}), SAY))
    assert "cannot show that the colour" in even
    lost = told(conclude_strategies(matches({pair: (54, 8, 38)}, {pair: (0, 0, 400)}, {pair: (0, 0, 400)}), SAY))
    assert "absolute against positional" in lost
    assert "Unlike every condition measured here, and not explained: positional – absolute." in lost


def test_heuristics() -> None:
    published = {"black": Observed(31, 50), "white": Observed(39, 50)}
    alike = {"black": Observed(350, 500), "white": Observed(350, 500)}
    apart = {"black": Observed(100, 500), "white": Observed(450, 500)}
    words = told(
        conclude_heuristics(
            {
                (4, BALANCE): (Observed(700, 1000), alike),
                (6, BALANCE): (Observed(300, 1000), apart),
                (6, ITS_CONDITIONS): (Observed(505, 1000), alike),
            },
            published,
            SAY,
        )
    )
    assert "The second table is better beyond chance, as the report says: depth 4, balanced 70 %" in words
    assert "The first table is better beyond chance, unlike the report: depth 6, balanced 30 %" in words
    assert "cannot tell which table is better: depth 6, its conditions" in words
    assert "The colour changes the games won beyond chance: depth 6, balanced." in words
    assert "not met, beyond chance: depth 6, balanced." in words


def test_rollouts() -> None:
    pair = ("classical", "improved (2), best square")
    words = told(conclude_rollouts(matches({pair: (40, 4, 56)}, {pair: (300, 0, 100)}, {}), SAY))
    assert "The published improvement is within chance: 28 of 48" in words
    assert "better beyond chance: classical against improved (2), best square." in words
    other = told(conclude_rollouts(matches({pair: (2, 0, 98)}, {pair: (5, 0, 5)}, {}), SAY))
    assert "within chance" not in other
    assert "cannot tell who is better" in other


def test_four() -> None:
    def found(nodes: int, score: int) -> dict[str, dict[str, Any]]:
        return {
            "none": {"nodes": 200_000, "thesis_nodes": nodes, "score": -8},
            "alpha-beta": {"nodes": 1000, "thesis_nodes": 0, "score": score},
        }

    words = told(conclude_four(found(237_781, -8), SAY))
    assert "exactly the nodes" in words
    assert "“alpha-beta”, visits 0.5 %" in words
    assert "the same by every technique" in words
    words = told(conclude_four(found(1000, 2), SAY))
    assert "1,000 nodes instead of 237,781" in words
    assert "NOT the same by: alpha-beta" in words


def test_six() -> None:
    def line(factor: float, last: int) -> list[dict[str, Any]]:
        return [{"empties": n, "nodes": 200 * factor**n, "seconds": 60.0} for n in range(4, last + 1)]

    words = told(conclude_six(line(2.0, 32), SAY))
    assert "The whole board takes 60 s" in words
    assert "grow 2.00 times for each empty square, from 4 to 32" in words
    words = told(conclude_six(line(1.0, 12), SAY))
    assert "whole board" not in words
    assert "do not grow" in words
    assert "cannot tell how the nodes grow" in told(conclude_six(line(2.0, 6), SAY))


def ladder(nodes: dict[str, tuple[int, ...]]) -> dict[tuple[str, int], dict[str, Any]]:
    """Nodes at depth 3, 4, 5 of some techniques."""
    return {(name, depth): {"nodes": n} for name, counts in nodes.items() for depth, n in enumerate(counts, 3)}


def test_ladder() -> None:
    one, other = "alpha-beta, disc difference", "alpha-beta, square values"
    words = told(conclude_ladder(ladder({one: (100, 200, 300), other: (200, 400, 600)}), SAY))
    assert words == (
        "As the thesis says: “alpha-beta, disc difference” visits 0.5 times the nodes of “alpha-beta, square values” "
        "at depth 5."
    )
    words = told(conclude_ladder(ladder({one: (100, 200, 300), other: (200, 190, 150)}), SAY))
    assert words.startswith("Unlike the thesis, at the greatest depth of this run: ")
    assert "2 times the nodes of “alpha-beta, square values” at depth 5 (otherwise at depth 4)" in words
    table, without = "the same with a table", "PVS, difference, first move fixed"
    assert {table, without} <= set(LADDER)
    assert "saves 25 %" in told(conclude_ladder(ladder({table: (75,), without: (100,)}), SAY))
    assert "saves no nodes" in told(conclude_ladder(ladder({table: (120,), without: (100,)}), SAY))
    assert "too shallow" in told(conclude_ladder({}, SAY))


def test_branching() -> None:
    random, best = "alpha-beta, random order", "PVS, evaluator, deepening, table"
    words = told(conclude_branching({"8x8": {random: 0.7, best: 0.6}}, SAY))
    assert "60 % of the way to it" in words
    assert "Pruning itself brings more" in words
    words = told(conclude_branching({"8x8": {random: 0.9, best: 0.6}}, SAY))
    assert "The order of moves brings more" in words
    both = {"8x8": {random: 0.7, best: 0.6}, "6x6": {random: 0.9, best: 0.6}}
    assert "differs from board to board" in told(conclude_branching(both, SAY))


def test_merging() -> None:
    def right(found: int) -> dict[tuple[int, float], dict[str, Observed]]:
        return {
            (1000, 0.7): {KINDS[0]: Observed(100, 200), KINDS[1]: Observed(found, 200), KINDS[2]: Observed(100, 200)}
        }

    shares = {KINDS[0]: [100.0], KINDS[1]: [70.0], KINDS[2]: [20.0]}
    left = {60: Measured(50, 50, 50), 30: Measured(99, 98, 100.5)}
    words = told(conclude_merging(shares, True, left, right(105), SAY))
    assert "same value with and without" in words
    assert "leaves 70 to 70 %" in words
    assert "beyond chance with 60 empty squares" in words
    assert "With 30 empty squares it saves nothing" in words
    assert "no difference that 200 endgames can show" in words
    shares[KINDS[1]] = [130.0]
    words = told(conclude_merging(shares, False, left, right(190), SAY))
    assert "NOT the same" in words
    assert "does not save nodes in every search" in words
    assert "more or less often beyond chance: duplicates merged with 1,000 iterations" in words


def test_parallel() -> None:
    fast, more = Measured(1.9, 1.8, 2.0), Measured(1.2, 1.1, 1.3)
    words = told(conclude_parallel(2, True, fast, more, SAY))
    assert "1.20 [1.10, 1.30] times the nodes" in words
    assert "The time shrinks" in words
    words = told(conclude_parallel(2, False, fast, Measured(1, 0.9, 1.1), SAY))
    assert "cannot tell whether 2 threads visit more" in words
    assert "Other work ran" in words
    words = told(conclude_parallel(2, True, Measured(1, 0.9, 1.1), Measured(0.8, 0.7, 0.9), SAY))
    assert "fewer nodes" in words
    assert "cannot show that threads save time" in words
    assert "one core" in told(conclude_parallel(1, True, fast, more, SAY))


def timings(negamax: float, alphabeta: float, power: float, won: int) -> dict[tuple[str, str, int], dict[str, Any]]:
    """Times that grow by these factors, and games won of 200 under the report's conditions."""
    found: dict[tuple[str, str, int], dict[str, Any]] = {}
    for depth in (2, 4, 6):
        found[COMPILED, "negamax", depth] = {"seconds": negamax**depth}
        found[COMPILED, "nega-alphabeta", depth] = {"seconds": alphabeta**depth}
    for count in (100, 300, 900):
        found[COMPILED, "mcts", count] = {"seconds": float(count) ** power}
        found[ITS_CONDITIONS, "mcts", count] = {"won": won, "games": 200}
    return found


def test_timing() -> None:
    words = told(conclude_timing(timings(10, 3, 1.0, 160), {100: Observed(20, 100)}, 10, SAY))
    assert "10.0 times as long, about the number of moves" in words
    assert "3.0 times as long" in words
    assert "as theory says of the best order" in words
    assert "in proportion to its iterations" in words
    assert "more games than published, beyond chance, with 100; 300; 900 iterations" in words
    assert "it wins fewer, beyond chance, with 100 iterations" in words
    words = told(conclude_timing(timings(5, 5, 1.5, 40), {100: Observed(20, 100)}, 10, SAY))
    assert "theory says the number of moves, 10.0" in words
    assert "take the moves as they come" in words
    assert "to the power of 1.50" in words
    assert "cannot show that it wins more games than published with 100; 300; 900 iterations" in words
    assert "cannot show that the pseudo-code explains" in words


def test_knowledge() -> None:
    saved = {"table": Measured(30, 20, 40), "tree of nodes": Measured(2, -3, 7)}
    times = {"table": 1.2, "tree of nodes": 0.8}
    games = {"at equal time": Observed(300, 400), "at equal iterations": Observed(200, 400)}
    words = told(conclude_knowledge(saved, times, games, 400, SAY))
    assert "saved beyond chance by keeping: table 30 %." in words
    assert "cannot show that work is saved by keeping: tree of nodes" in words
    assert "no time with these (times the seconds without it): table 1.20" in words
    assert "less time with these (times the seconds without it, an estimate): tree of nodes 0.80" in words
    assert "wins points beyond chance: at equal time 75 %" in words
    assert "In 400 games each no difference can be seen" in words
    # The finding of the issue: 64 % of 40 games beside "in matches of 400 games no difference can be seen".
    few = told(conclude_knowledge(saved, times, {"at equal time": Observed(10, 40)}, 40, SAY))
    assert "loses points beyond chance" in few
    assert "no difference" not in few
    assert "400" not in few


def test_ratings() -> None:
    def rated(strategies: float, algorithms: float) -> dict[str, Measured]:
        def at(elo: float) -> Measured:
            return Measured(elo, elo - 50, elo + 50)

        return {
            "absolute, depth 4": at(100),
            "patterns, depth 4": at(100 + strategies),
            "minimax, to time": at(300),
            "PVS, table, to time": at(300 + algorithms),
        }

    assert "what a search knows is worth more" in told(conclude_ratings(rated(900, 200), SAY))
    assert "how a search goes on is worth more" in told(conclude_ratings(rated(200, 900), SAY))
    assert "this run cannot tell" in told(conclude_ratings(rated(400, 300), SAY))
    assert "too few players" in told(conclude_ratings({}, SAY))


def test_levels() -> None:
    steps = {"amateur": Observed(38, 40), "amateur+": Observed(5.5, 10), "expert": Observed(2, 40)}
    words = told(conclude_levels(steps, {"beginner": 900, "amateur": 1700, "amateur+": 1800, "expert": 1500}, SAY))
    assert "Stronger than the level before, beyond chance: amateur." in words
    # The finding of the issue: "every level is stronger" at 55 % [27, 80].
    assert "cannot tell whether these are stronger than the level before (points against it): amateur+ 55 %" in words
    assert "WEAKER than the level before, beyond chance: expert." in words
    assert "one to amateur: 800" in words
    assert "corrected for 3 comparisons" in words
