"""The rules of the INSA report by adjacent squares, its cost formula, and the positions of 4x4 of the thesis."""

import random
from pathlib import Path
from typing import Any

import pytest

from othellier.base.jobs import Crew
from othellier.lab.adjacency import AdjacentBoard, conclude_rules, rules_table
from othellier.lab.catalogue import EXPERIMENTS
from othellier.lab.experiment import Lab, LabSettings, Table
from othellier.lab.small import Reachable, conclude_count, count_reachable
from othellier.lab.words import Words
from othellier.rules import native
from othellier.rules.geometry import PASS

pytestmark = pytest.mark.skipif(not native.available, reason="experiments compare the compiled searches")


def by_name(table: Table) -> dict[Any, Any]:
    return {row[0]: row[1:] for row in table.rows}


def test_4x4_is_counted_beside_the_thesis(tmp_path: Path) -> None:
    with Crew("here") as crew, Lab(LabSettings("tiny"), crew, tmp_path) as lab:
        findings = EXPERIMENTS["four"].run(lab)
    table = by_name(next(table for table in findings.tables if table.name == "count"))
    assert table["the start in one number of 32 bits"] == (69_206_592, 69_206_592)
    assert 2**6 + 2**9 + 2**21 + 2**26 == 69_206_592
    assert table["possible ends: 2^16, and boards that games can end with"] == (65_536, 5_254)
    assert table["boards with discs on the four middle squares: 3^12 × 2^4"] == (None, 8_503_056)
    counted = count_reachable(Reachable())
    assert counted == {"positions": 62_789, "classes": 14_401, "boards": 51_943, "ends": 5_254}
    assert "5,254 boards, fewer than its estimate of 65,536" in " ".join(findings.conclusions)
    told = " ".join(conclude_count(counted | {"ends": 70_000}, Words()))
    assert "70,000 boards, no fewer than its estimate of 65,536" in told


def test_the_rules_by_adjacent_squares_are_the_rules() -> None:
    rng = random.Random(3)
    for _ in range(3):
        board, position = AdjacentBoard(), native.start()
        while not position.is_over():
            color = 1 if position.turn == "black" else 2
            found = board.possible_moves(color)
            assert sorted(8 * y + x for x, y in found) == sorted(position.moves())
            move = rng.choice(position.moves() or [PASS])
            if move != PASS:
                square = (move % 8, move // 8)
                board.play(square, color, found[square])
            position = position.play(move)
        assert sum(color == 1 for color in board.squares.values()) == position.discs("black")


def test_the_cost_formula_is_a_bound_and_the_games_of_the_report_are_too_long(tmp_path: Path) -> None:
    with Crew("here") as crew, Lab(LabSettings("tiny"), crew, tmp_path) as lab:
        found, facts = rules_table(lab)
    table = by_name(found)
    published, measured = table["moves of a game (n_q)"]
    assert published == 63.5
    assert 40 < measured <= 60
    allowed, looked = table["squares looked at in a position: 27 × n_a, and counted"]
    assert 0 < looked < allowed
    told = " ".join(conclude_rules(facts, Words()))
    assert "cannot have the 63.5 moves" in told
    assert "The list of adjacent squares saves" in told
    other = {"moves": 59.0, "passes": 1.0, "looked": 10.0, "formula": 5.0, "everywhere": 10.0}
    told = " ".join(conclude_rules(other, Words()))
    assert "More squares are looked at than its formula allows: 200 %." in told
    assert "saves none" in told
