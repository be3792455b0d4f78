"""Puzzles made of games that players of the ladder play against each other: positions with one right move.

Every position near the end is solved to the last disc; it is a puzzle where the right move is clearly better than all
others, and of a theme where that move, or the mistake beside it, shows the theme. The same seed gives the same puzzles.
"""

from __future__ import annotations

import math
import random
from collections.abc import Callable, Iterator

from othellier.coach.judging import judged
from othellier.coach.lessons import CLEAR
from othellier.coach.puzzle_play import best_replies, right_moves, solved
from othellier.coach.puzzle_set import GRADES, MOST_TURNS, THEMES, GradedPuzzle, PuzzleSet, Theme
from othellier.coach.reasons import beside_empty_corner, corner_squares, frontier, regions
from othellier.engine.engine import Analysis, Engine, network_move
from othellier.errors import ConfigError
from othellier.rules.board import Position, after
from othellier.rules.geometry import PASS, STANDARD, geometry
from othellier.rules.native import start

__all__ = ["PLAYERS", "make_puzzles"]

PLAYERS = ("iris", "hugo", "vera", "emil", "rosa")
"""Levels whose games are looked through: good enough for real positions, weak enough for mistakes."""
EMPTIES = range(6, 17)
"""Empty squares of the positions looked at; 16 are solved in an instant, below 6 little is left to find."""
WIN_EMPTIES = 8
LONGEST = 3
"""Right moves in a row that a puzzle asks for, where each of them is the only one."""
FEW_FLIPS = 2
"""Discs a quiet move turns at most."""
QUIET_EMPTIES = 10
BOARD = geometry(STANDARD)
CORNERS = corner_squares(BOARD)


def make_puzzles(
    seed: int, each: int, recipe: dict[str, str | int], progress: Callable[[int, int], None] | None = None
) -> PuzzleSet:
    """So many puzzles of each theme, the easy ones first; `progress(found, wanted)` hears of every game."""
    if each < 1:
        raise ConfigError(f"{each} puzzles of each theme: 1 is the least")
    found: dict[Theme, dict[str, GradedPuzzle]] = {theme: {} for theme in THEMES}
    games = 0
    with Engine(threads=1, hash_mb=16) as engine:
        while any(len(puzzles) < each for puzzles in found.values()):
            rng = random.Random(f"{seed} {games}")
            games += 1
            taken: set[Theme] = set()  # one of a theme from a game: neighbours look alike
            for position in _positions(engine, rng):
                puzzle = _puzzle(engine, position, {theme for theme in THEMES if len(found[theme]) < each} - taken, rng)
                if puzzle is not None and _is_new(puzzle, found, each):
                    found[puzzle.theme][puzzle.name] = puzzle
                    taken.add(puzzle.theme)
            if progress is not None:
                progress(sum(map(len, found.values())), each * len(THEMES))
    graded = [puzzle for theme in THEMES for puzzle in sorted(found[theme].values(), key=lambda one: one.grade)]
    return PuzzleSet(recipe | {"seed": seed, "games": games}, tuple(graded))


def _is_new(puzzle: GradedPuzzle, found: dict[Theme, dict[str, GradedPuzzle]], each: int) -> bool:
    """Whether a puzzle is not there yet, and its theme has room for one as hard: there are as many of every grade."""
    alike = sum(other.grade == puzzle.grade for other in found[puzzle.theme].values())
    return not any(puzzle.name in puzzles for puzzles in found.values()) and alike < math.ceil(each / len(GRADES))


def _positions(engine: Engine, rng: random.Random) -> Iterator[Position]:
    """The positions of a game near its end, in which somebody has a choice."""
    names = rng.choice(PLAYERS), rng.choice(PLAYERS)
    position = start()
    while not position.is_over() and position.empties >= EMPTIES.start:
        if position.empties in EMPTIES and len(position.moves()) > 2:
            yield position
        move = engine.play(position, names[position.turn == "white"], rng=rng).move
        position = after(position, move)


def _puzzle(engine: Engine, position: Position, wanted: set[Theme], rng: random.Random) -> GradedPuzzle | None:
    """A position as a puzzle of one of the themes that are still wanted, if it is one."""
    options = solved(engine, position)
    if "win8" in wanted and position.empties == WIN_EMPTIES:
        winning = right_moves(options, True)
        if (options[0].score or 0) > 0 and len(winning) == 1:
            return GradedPuzzle("win8", _grade(position, winning), position, winning, MOST_TURNS)
    right = right_moves(options, False)
    if len(right) != 1 or len(options) < 2 or (options[0].score or 0) - (options[1].score or 0) < CLEAR:
        return None
    themes = [theme for theme in _themes(position, options) if theme in wanted]
    if not themes:
        return None
    turns = _turns(engine, position, right[0])
    return GradedPuzzle(rng.choice(themes), _grade(position, right), position, right, turns)


def _themes(position: Position, options: Analysis) -> Iterator[Theme]:
    """What a position with one right move is about."""
    best, next_best = options[0].move, options[1].move
    verdict = judged(position, options, next_best, 0)
    codes = {reason.code for reason in verdict.reasons}
    is_corner = bool(1 << best & CORNERS)
    open_corners = position.moves_mask() & CORNERS
    if is_corner or open_corners or "corner_given" in codes:
        yield "corners"
    # An X-square is right for once, or the mistake to be seen through.
    if _is_x_square(position, best) or "x_square" in codes:
        yield "x_squares"
    if is_corner:
        return
    if _is_quiet(position, best):
        yield "quiet"
    if "parity" in codes:
        yield "parity"
    if _is_swindle(position, options):
        yield "swindles"


def _is_x_square(position: Position, move: int) -> bool:
    beside = beside_empty_corner(position, move, BOARD)
    return beside is not None and beside[0] == "x_square"


def _is_quiet(position: Position, move: int) -> bool:
    """Whether a move turns little and opens nothing, while there is much to be played."""
    if position.empties < QUIET_EMPTIES or position.flips_mask(move).bit_count() > FEW_FLIPS:
        return False
    mine = position.turn
    opened = frontier(position.play(move), mine) & ~frontier(position, mine) & ~(1 << move)
    return not opened and beside_empty_corner(position, move, BOARD) is None


def _is_swindle(position: Position, options: Analysis) -> bool:
    """Whether the best line takes a whole region, of two squares or more, that the other side cannot play into."""
    best, line = options[0].move, options[0].pv
    region = next(region for region in regions(position) if region >> best & 1)
    left = region & ~(1 << best)
    if not left or region.bit_count() > 4:
        return False
    mine, ours = position.turn, 0
    for move in line:
        if not position.is_legal(move):
            return False
        if move != PASS and region >> move & 1:
            if position.turn != mine:
                return False
            ours |= 1 << move
        position = position.play(move)
    return ours == region


def _turns(engine: Engine, position: Position, move: int) -> int:
    """How many moves in a row have no equal: each of them is part of the task."""
    turns = 1
    while turns < LONGEST:
        position = best_replies(engine, position, move)[1]
        if position.is_over() or len(position.moves()) < 2:
            break
        options = solved(engine, position)
        if (options[0].score or 0) - (options[1].score or 0) < CLEAR:
            break
        move = options[0].move
        turns += 1
    return turns


def _grade(position: Position, right: tuple[int, ...]) -> int:
    """1 where the move that looks natural and the one after which the board looks best are right, 3 if neither is."""
    glances = network_move(position, "policy").move, network_move(position, "value").move
    return 1 + sum(move not in right for move in glances)
