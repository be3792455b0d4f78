"""What it is worth to keep what was explored, from one turn to the next."""

from __future__ import annotations

import random
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from othellier.arena.openings import BALANCED, find_openings
from othellier.board import Position
from othellier.geometry import PASS, STANDARD
from othellier.lab.experiment import Findings, Lab, Table, Value, experiment, share
from othellier.lab.plots import Curve, draw_curves
from othellier.lab.studies import BOULANGER, Citation
from othellier.players import KnowledgePlayer, create_player
from othellier.results import Limit
from othellier.search import KeptTable, MctsOptions, MonteCarlo, Options, search

__all__ = ["Turns", "knowledge", "measure_turns"]

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
    """Games of a search that keeps what it knows, each turn searched once more by one that knows nothing."""

    kind: str
    effort: int
    """Iterations a move, or depth."""
    games: int
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
    openings = find_openings(BALANCED, job.games, STANDARD, job.seed)
    for game in range(job.games):
        rival = create_player(RIVAL, seed=1000 * job.seed + game)
        position = openings[game % len(openings)].position()
        own = position.turn if game % 2 else random.Random(game).choice(("black", "white"))
        keeper, told = _searchers(job.kind, job.effort, game)
        while not position.is_over():
            move = PASS
            if not position.must_pass() and position.turn == own:
                kept = keeper(position)
                alone = _searchers(job.kind, job.effort, game)[0](position)
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
                move = rival.choose(position, Limit()).move
            position = position.play(move)
            told(move)
    return {"phases": phases, "turns": turns, "same": same, "values": values}


@experiment(
    "knowledge",
    Citation(BOULANGER, "section on the game loop"),
    "What is worth keeping from turn to turn",
    "Each player has a tree of its own and keeps what it explored. The document does not measure what that is worth.",
)
def knowledge(lab: Lab) -> Findings:
    """What is inherited, what it saves, and what it is worth in games."""
    say = lab.say
    games = lab.pick(20, 4, 1)
    efforts = {
        MONTE_CARLO: lab.pick(1000, 500, 20),
        TABLE: lab.pick(7, 6, 2),
        TABLE_BY_STEPS: lab.pick(7, 6, 2),
        TREE: lab.pick(5, 4, 2),
    }
    jobs = [Turns(kind, efforts[kind], games, lab.settings.seed) for kind in KINDS]
    found = {job.kind: result for job, result in lab.measure("turns", measure_turns, jobs)}
    rows: list[tuple[Value, ...]] = []
    curves = []
    saved: dict[str, float] = {}
    for number, (kind, what) in enumerate(KINDS.items()):
        result = found[kind]
        points = []
        total = {key: sum(phase[key] for phase in result["phases"]) for key in result["phases"][0]}
        for index, phase in enumerate(result["phases"]):
            if phase["turns"]:
                points.append((10 * index + 5, _saved(kind, efforts[kind], phase)))
        saved[kind] = _saved(kind, efforts[kind], total)
        curves.append(Curve(say(kind), points, color=number))
        turns = max(total["turns"], 1)
        same = 100 * result["same"] / max(result["turns"], 1)
        words = "{kind}, {effort:,} iterations" if kind == MONTE_CARLO else "{kind}, depth {effort}"
        effort = say(words, kind=say(kind), effort=efforts[kind])
        rows.append(
            (
                effort,
                f"{say.number(round(total['inherited'] / turns))} {say(what)}",
                total["nodes"] / turns,
                total["plain"] / turns,
                saved[kind],
                total["hits"] / turns,
                1000 * total["seconds"] / turns,
                1000 * total["plain_seconds"] / turns,
                same,
            )
        )
    heading: tuple[str, ...] = (
        "kept",
        "inherited a move",
        "nodes a move, keeping",
        "nodes a move, not keeping",
        "saved, %",
        "known again a move",
        "ms a move, keeping",
        "ms a move, not keeping",
        "same move, %",
    )
    tables = [Table("turns", say("What is inherited, and what it saves"), tuple(map(say, heading)), rows)]

    # What it is worth: at equal iterations, and at equal time.
    seconds = lab.pick(0.05, 0.02, 0.002)
    iterations = lab.pick(1000, 300, 10)
    pairs = {
        say("Monte-Carlo, {n:,} iterations", n=iterations): f"mcts:iterations={iterations},c=0.7",
        say("Monte-Carlo, {ms:g} ms", ms=1000 * seconds): f"mcts:time={seconds},c=0.7",
        say(
            "alpha-beta with a table, {ms:g} ms", ms=1000 * seconds
        ): f"nega-alphabeta:time={seconds},table=yes,ties=random",
        say("tree of nodes, {ms:g} ms", ms=1000 * seconds): f"knowledge:time={seconds}",
    }
    played = lab.games(400, 40)
    rows, verdicts = [], []
    for number, (title, spec) in enumerate(pairs.items()):
        players = {"keeping": f"{spec},keep=yes", "not keeping": f"{spec},keep=no"}
        cell = lab.tournament(f"match{number}", players, played).report.cells["keeping", "not keeping"]
        points_made = share(cell.wins + cell.draws / 2, cell.games)
        rows.append((title, points_made, cell.wins, cell.draws, cell.losses, cell.discs))
        worth = (
            "helps" if points_made.low > 50 else "harms" if points_made.high < 50 else "makes no difference to be seen"
        )
        verdicts.append(
            say("{title}: {score:.0f} % of points, {worth}", title=title, score=points_made.value, worth=say(worth))
        )
    heading = ("match", "points of the one that keeps, %", "won", "drawn", "lost", "discs a game")
    tables.append(Table("matches", say("Keeping against not keeping"), tuple(map(say, heading)), rows))
    figure = draw_curves(
        say("Work saved by what was kept"),
        curves,
        say("moves played (both sides)"),
        say("per cent of nodes, or visits inherited"),
    )
    return Findings(
        say(
            "Kept from the turn before: {saved} of the work saved. In {games} games each: {verdicts}.",
            saved=", ".join(f"{say(kind)} {part:.0f} %" for kind, part in saved.items()),
            games=played,
            verdicts="; ".join(verdicts),
        ),
        tables,
        {"saved": figure},
        say(
            "What is kept costs nothing and saves some work, most of it in a Monte-Carlo tree; where the matches "
            "show no difference, that work is not worth a move."
        ),
        [
            say(
                "Saved is the share of nodes that a search with what it kept does not visit; of Monte-Carlo it is "
                "the visits inherited as a share of the iterations of a move: they come on top, no iteration is "
                "saved."
            ),
            say(
                "The positions a table knows were searched two plies less deep than is wanted now: their values may "
                "not be used, their best moves are tried first. That helps a search to one depth at once, which has "
                "nothing else to order its moves by; a search step by step orders them by its own last step, and "
                "gains little."
            ),
            say(
                "The turns were played against `{rival}`, which the searches do not expect: what they explored below "
                "moves that were not played is lost. Intervals are Wilson's, of 95 %; a match at equal time depends "
                "on the machine.",
                rival=RIVAL,
            ),
        ],
    )


def _saved(kind: str, effort: int, phase: dict[str, float]) -> float:
    """The share of the work that was done already, in per cent."""
    if kind == MONTE_CARLO:
        return 100 * phase["inherited"] / max(phase["turns"] * effort, 1)
    return 100 * (1 - phase["nodes"] / max(phase["plain"], 1))
