"""What it is worth to keep what was explored, from one turn to the next."""

from __future__ import annotations

import math
import random
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from othellier.arena.openings import BALANCED, find_openings
from othellier.games.results import Limit
from othellier.lab.conclusions import Conclusions, Observed, compare, judge
from othellier.lab.experiment import Findings, Lab, Measured, Table, Value, experiment, share
from othellier.lab.plots import Curve, Figure, draw_curves
from othellier.lab.studies import BOULANGER, Citation
from othellier.lab.words import Words
from othellier.players import KnowledgePlayer, answer, create_player
from othellier.rules.board import Position
from othellier.rules.geometry import PASS, STANDARD
from othellier.search import KeptTable, MctsOptions, MonteCarlo, Options, search

__all__ = ["Turns", "conclude_knowledge", "knowledge", "measure_turns"]

MONTE_CARLO, TABLE, TABLE_BY_STEPS, TREE = "Monte-Carlo tree", "table", "table, step by step", "tree of nodes"
KINDS = {
    MONTE_CARLO: "visits of the new root",
    TABLE: "positions in the table",
    TABLE_BY_STEPS: "positions in the table",
    TREE: "nodes below the new root",
}
RIVAL = "nega-alphabeta:depth=3,ties=random"
PHASES = 6
"""Parts of the game that are told apart, ten moves of both sides each."""


@dataclass(frozen=True, slots=True)
class Turns:
    """A game of a search that keeps what it knows, each turn searched once more by one that knows nothing."""

    kind: str
    effort: int
    """Iterations a move, or depth."""
    game: int
    """Its number, which decides the opening and the side."""
    seed: int = 0


@dataclass(slots=True)
class _Turn:
    move: int
    value: float
    inherited: int
    nodes: int
    hits: int
    seconds: float


def _searchers(kind: str, effort: int, seed: int) -> tuple[Callable[[Position], _Turn], Callable[[int], None]]:
    """Something to be asked turn by turn, and to be told of every move."""
    if kind == MONTE_CARLO:
        tree = MonteCarlo(STANDARD, MctsOptions(effort, c=0.7, seed=seed))

        def grow(position: Position) -> _Turn:
            begin = time.thread_time()
            found = tree.search(position)
            spent = time.thread_time() - begin
            before = sum(one.visits for one in found.moves) - effort
            return _Turn(found.move, found.value, max(before, 0), found.counters.nodes, found.counters.kept, spent)

        return grow, lambda move: None
    if kind == TREE:
        player = KnowledgePlayer(depth=effort)

        def explore(position: Position) -> _Turn:
            begin = time.thread_time()
            result = player.choose(position, Limit())
            spent, thinking = time.thread_time() - begin, player.thinking
            value = max(one.value for one in result.moves)
            return _Turn(result.move, value, thinking.inherited, thinking.visited, thinking.known, spent)

        return explore, player.observe
    options = Options("nega-alphabeta", effort, table=True, table_depth=1, deepening=kind == TABLE_BY_STEPS)
    kept = KeptTable()

    def remember(position: Position) -> _Turn:
        begin = time.thread_time()
        found = search(position, options, kept=kept)
        spent, counters = time.thread_time() - begin, found.counters
        return _Turn(found.move, found.value, counters.kept, counters.nodes, counters.table_hits, spent)

    return remember, lambda move: None


def measure_turns(job: Turns) -> dict[str, Any]:
    """For every part of the game: turns, what was inherited, and nodes, hits and seconds with and without it."""
    counted = ("turns", "inherited", "nodes", "plain", "hits", "seconds", "plain_seconds")
    phases = [dict.fromkeys(counted, 0.0) for _ in range(PHASES)]
    same = values = turns = 0
    openings = find_openings(BALANCED, job.game + 1, STANDARD, job.seed)
    rival = create_player(RIVAL, seed=1000 * job.seed + job.game)
    position = openings[job.game % len(openings)].position()
    own = position.turn if job.game % 2 else random.Random(job.game).choice(("black", "white"))
    keeper, told = _searchers(job.kind, job.effort, job.game)
    while not position.is_over():
        move = PASS
        if not position.must_pass() and position.turn == own:
            kept = keeper(position)
            alone = _searchers(job.kind, job.effort, job.game)[0](position)
            phase = phases[min((60 - position.empties) // 10, PHASES - 1)]
            phase["turns"] += 1
            phase["inherited"] += kept.inherited
            phase["hits"] += kept.hits
            phase["nodes"] += kept.nodes
            phase["plain"] += alone.nodes
            phase["seconds"] += kept.seconds
            phase["plain_seconds"] += alone.seconds
            turns += 1
            same += kept.move == alone.move
            values += kept.value == alone.value
            move = kept.move
        elif not position.must_pass():
            move = answer(rival, position).move
        position = position.play(move)
        told(move)
    return {"phases": phases, "turns": turns, "same": same, "values": values}


def conclude_knowledge(
    saved: dict[str, Measured], times: dict[str, float], matches: dict[str, Observed], games: int, say: Words
) -> list[str]:
    """Conclusions from the work saved, the seconds spent and the matches.

    Args:
        saved: Per cent of the work saved, by what was kept.
        times: Seconds with what was kept, as a multiple of those without.
        matches: Points of the player that keeps against the one that does not, by match.
        games: Games of each match.
    """
    conclude = Conclusions(say)
    helps = [kind for kind, part in saved.items() if part.low > 0]
    if helps:
        told = [say("{kind} {part:.0f} %", kind=say(kind), part=saved[kind].value) for kind in helps]
        conclude("Work is saved beyond chance by keeping: {kinds}.", kinds=say.join(told))
    rest = [kind for kind in saved if kind not in helps]
    if rest:
        conclude("This run cannot show that work is saved by keeping: {kinds}.", kinds=conclude.listed(rest))
    slower, quicker = ([kind for kind, part in times.items() if (part > 1) == slow] for slow in (True, False))
    for_all = {kind: say("{kind} {times:.2f}", kind=say(kind), times=part) for kind, part in times.items()}
    if slower:
        conclude(
            "Keeping saves no time with these (times the seconds without it): {kinds}.",
            kinds=say.join(for_all[kind] for kind in slower),
        )
    if quicker:
        conclude(
            "Keeping takes less time with these (times the seconds without it, an estimate): {kinds}.",
            kinds=say.join(for_all[kind] for kind in quicker),
        )
    family = len(matches)
    verdicts = judge(matches)
    for sign in (1, -1):
        told = [f"{match} {conclude.part(matches[match], family)}" for match in matches if verdicts[match] == sign]
        if told:
            conclude(
                "Keeping wins points beyond chance: {matches}."
                if sign > 0
                else "Keeping loses points beyond chance: {matches}.",
                matches=say.join(told),
            )
    unsure = [f"{match} {conclude.part(matches[match], family)}" for match in matches if not verdicts[match]]
    if unsure:
        conclude(
            "In {games:,} games each no difference can be seen; points of the one that keeps: {matches}.",
            games=games,
            matches=say.join(unsure),
        )
    conclude("Intervals of points are corrected for {family} comparisons.", family=family)
    return conclude.sentences


@experiment(
    "knowledge",
    Citation(BOULANGER, "section on the game loop"),
    "What is worth keeping from turn to turn",
    "Each player has a tree of its own and keeps what it explored. The document does not measure what that is worth.",
    notes=(
        (
            "Saved is the share of nodes that a search with what it kept does not visit; of Monte-Carlo it is the "
            "visits inherited as a share of the iterations of a move: they come on top, no iteration is saved."
        ),
        (
            "The positions a table knows were searched two plies less deep than is wanted now: their values may not "
            "be used, their best moves are tried first. A search to one depth at once has nothing else to order its "
            "moves by; a search step by step orders them by its own last step."
        ),
        (
            "The turns were played against `{rival}`, which the searches do not expect: what they explored below "
            "moves that were not played is lost. Times are of the processor; a match at equal time goes by the clock "
            "and depends on the machine. Intervals are of 95 %; a difference is told where all four matches together "
            "would show one by chance in less than one run of twenty."
        ),
    ),
)
def knowledge(lab: Lab) -> Findings:
    """What is inherited, what it saves, and what it is worth in games."""
    say = lab.say
    played = lab.games(400, 40)
    turns, saved, times, figure = _turns(lab)
    matches, points, verdicts = _matches(lab, played)
    return Findings(
        say(
            "Kept from the turn before: {saved} of the work saved. In {games} games each: {verdicts}.",
            saved=", ".join(f"{say(kind)} {part.value:.0f} %" for kind, part in saved.items()),
            games=played,
            verdicts=say.join(verdicts),
        ),
        [turns, matches],
        {"saved": figure},
        {"rival": RIVAL},
        conclusions=conclude_knowledge(saved, times, points, played, say),
    )


def _turns(lab: Lab) -> tuple[Table, dict[str, Measured], dict[str, float], Figure]:
    """Work inherited and saved: a table, per cent and times the seconds by kind, and a figure by phases."""
    say = lab.say
    games = lab.pick(20, 4, 1)
    efforts = {
        MONTE_CARLO: lab.pick(1000, 500, 20),
        TABLE: lab.pick(7, 6, 2),
        TABLE_BY_STEPS: lab.pick(7, 6, 2),
        TREE: lab.pick(5, 4, 2),
    }
    jobs = [Turns(kind, efforts[kind], game, lab.settings.seed) for game in range(games) for kind in KINDS]
    found: dict[str, list[dict[str, Any]]] = {kind: [] for kind in KINDS}
    for job, result in lab.measure("turns", measure_turns, jobs):
        found[job.kind].append(result)
    rows: list[tuple[Value, ...]] = []
    curves = []
    saved: dict[str, Measured] = {}
    times: dict[str, float] = {}
    for number, (kind, what) in enumerate(KINDS.items()):
        played, effort = found[kind], efforts[kind]
        by_phase = [[result["phases"][phase] for result in played] for phase in range(PHASES)]
        points = {
            10.0 * phase + 5: _saved(kind, effort, parts)
            for phase, parts in enumerate(by_phase)
            if any(part["turns"] for part in parts)
        }
        curves.append(Curve.measured(say(kind), points, color=number))
        whole = [_sum(result["phases"]) for result in played]
        saved[kind], total = _saved(kind, effort, whole), _sum(whole)
        words = "{kind}, {effort:,} iterations" if kind == MONTE_CARLO else "{kind}, depth {effort}"
        times[kind] = total["seconds"] / max(total["plain_seconds"], 1e-9)
        a_turn = {key: value / max(total["turns"], 1) for key, value in total.items()}
        row: dict[str, Value] = {
            "kept": say(words, kind=say(kind), effort=effort),
            "inherited a move": f"{say.number(round(a_turn['inherited']))} {say(what)}",
            "nodes a move, keeping": a_turn["nodes"],
            "nodes a move, not keeping": a_turn["plain"],
            "saved, %": saved[kind],
            "known again a move": a_turn["hits"],
            "ms a move, keeping": 1000 * a_turn["seconds"],
            "ms a move, not keeping": 1000 * a_turn["plain_seconds"],
            "same move, %": share(sum(r["same"] for r in played), sum(r["turns"] for r in played)),
        }
        heading = tuple(map(say, row))
        rows.append(tuple(row.values()))
    figure = draw_curves(
        say("Work saved by what was kept, with 95 % intervals"),
        curves,
        say("moves played (both sides)"),
        say("per cent of nodes, or visits inherited"),
    )
    return Table("turns", say("What is inherited, and what it saves"), heading, rows), saved, times, figure


def _matches(lab: Lab, games: int) -> tuple[Table, dict[str, Observed], list[str]]:
    """What keeping is worth, at equal iterations and at equal time: the results, and what they say."""
    say = lab.say
    seconds = lab.pick(0.02, 0.02, 0.002)
    iterations = lab.pick(1000, 300, 10)
    pairs = {
        say("Monte-Carlo, {n:,} iterations", n=iterations): f"mcts:iterations={iterations},c=0.7",
        say("Monte-Carlo, {ms:g} ms", ms=1000 * seconds): f"mcts:time={seconds},c=0.7",
        say(
            "alpha-beta with a table, {ms:g} ms", ms=1000 * seconds
        ): f"nega-alphabeta:time={seconds},table=yes,ties=random",
        say("tree of nodes, {ms:g} ms", ms=1000 * seconds): f"knowledge:time={seconds}",
    }
    rows: list[tuple[Value, ...]] = []
    verdicts = []
    points: dict[str, Observed] = {}
    for number, (title, spec) in enumerate(pairs.items()):
        players = {"keeping": f"{spec},keep=yes", "not keeping": f"{spec},keep=no"}
        played = lab.tournament(f"match{number}", players, games)
        cell = played.report.cells["keeping", "not keeping"]
        points[title] = played.points("keeping", "not keeping")
        made = played.per_cent("keeping", "not keeping")
        rows.append((title, made, cell.wins, cell.draws, cell.losses, cell.discs))
        sign = compare(points[title], family=len(pairs))
        worth = "helps" if sign > 0 else "harms" if sign < 0 else "makes no difference to be seen"
        words = "{title}: {score:.0f} % of points, {worth}"
        verdicts.append(say(words, title=title, score=made.value, worth=say(worth)))
    heading = ("match", "points of the one that keeps, %", "won", "drawn", "lost", "discs a game")
    return Table("matches", say("Keeping against not keeping"), tuple(map(say, heading)), rows), points, verdicts


def _sum(parts: Sequence[dict[str, float]]) -> dict[str, float]:
    return {key: sum(part[key] for part in parts) for key in parts[0]}


def _saved(kind: str, effort: int, games: Sequence[dict[str, float]]) -> Measured:
    """The share of the work that was done already, in per cent; its interval by leaving out each game in turn."""

    def part(of: Sequence[dict[str, float]]) -> float:
        total = _sum(of)
        if kind == MONTE_CARLO:
            return 100 * total["inherited"] / max(total["turns"] * effort, 1)
        return 100 * (1 - total["nodes"] / max(total["plain"], 1))

    value, count = part(games), len(games)
    if count < 2:
        return Measured(value, value, value)
    without = [part([*games[:i], *games[i + 1 :]]) for i in range(count)]
    mean = sum(without) / count
    reach = 1.96 * math.sqrt((count - 1) / count * sum((one - mean) ** 2 for one in without))
    return Measured(value, value - reach, value + reach)
