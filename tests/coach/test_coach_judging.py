"""One move judged, and several together: chances, labels, accuracy, phases."""

from dataclasses import replace

import pytest

from othellier.coach.analysis import totals
from othellier.coach.judging import EFFORTS, Effort, JudgedMove, effort_of, judge
from othellier.coach.judging import judged as judge_by
from othellier.coach.scale import accuracy, phase_of
from othellier.engine.engine import Engine
from othellier.errors import ConfigError
from othellier.games.results import Limit, Result
from othellier.rules import native
from othellier.rules.board import Position
from othellier.rules.geometry import parse_square


class Fixed:
    """An analyst with a ready answer."""

    def __init__(self, scores: dict[str, float], exact: bool = False) -> None:
        self.scores, self.exact = scores, exact

    def analyze(self, position: Position, limit: Limit) -> list[Result]:
        source = "exact" if self.exact else "search"
        found = [
            Result(parse_square(name, position.size), position.turn, score, depth=10, source=source)  # type: ignore[arg-type]
            for name, score in self.scores.items()
        ]
        return sorted(found, key=lambda result: -(result.score or 0))


def judged(move: str, scores: dict[str, float], exact: bool = False) -> JudgedMove:
    return judge(Fixed(scores, exact), native.start(), parse_square(move), 0, EFFORTS["normal"])


def test_the_same_discs_weigh_more_in_a_close_game() -> None:
    close = judged("d3", {"f5": 4, "d3": -4, "c4": 0, "e6": 0})
    lost = judged("d3", {"f5": -40, "d3": -48, "c4": -50, "e6": -50})
    assert close.loss == lost.loss == 8
    assert close.lost_chance > 10 * lost.lost_chance
    assert (close.label, lost.label) == ("blunder", "mistake")


def test_exact_scores_are_judged_by_who_wins_and_by_discs() -> None:
    assert judged("d3", {"f5": 4, "d3": 2, "c4": -2, "e6": 0}, exact=True).label == "good"
    assert judged("d3", {"f5": 10, "d3": 2, "c4": -2, "e6": 0}, exact=True).label == "mistake"  # a waste of discs
    assert judged("e6", {"f5": 2, "d3": 2, "c4": -2, "e6": 0}, exact=True).label == "blunder"
    assert judged("d3", {"f5": 2, "d3": 2, "c4": -2, "e6": 0}, exact=True).label == "best"


def test_a_judgement_is_exact_where_both_moves_are() -> None:
    options = Fixed({"f5": 4, "d3": 2}, exact=True).analyze(native.start(), Limit(depth=10))
    options[1] = replace(options[1], source="search")
    assert judge_by(native.start(), options, parse_square("f5"), 0).exact
    assert not judge_by(native.start(), options, parse_square("d3"), 0).exact


def test_chances_are_told_as_black_sees_them() -> None:
    position = native.start().play("f5")
    options = Fixed({"d6": 20, "f4": -20}).analyze(position, Limit(depth=10))
    move = judge_by(position, options, parse_square("d6"), 1)
    told = move.as_dict([parse_square("f5"), parse_square("d6")], position.size)
    assert move.win > 0.9
    assert (told["score"], told["black"], told["win"]) == (20, -20, round(1 - move.win, 4))


def test_a_move_without_a_choice_is_no_merit() -> None:
    forced = judge(Fixed({"f5": -50}), native.start(), parse_square("f5"), 0, EFFORTS["quick"])
    assert forced.label == "forced"
    assert (forced.accuracy, totals([forced]).accuracy, forced.margin) == (None, None, None)


def test_summaries_add_up() -> None:
    best = judged("f5", {"f5": 2, "d3": 0})
    bad = judged("d3", {"f5": 2, "d3": -10})
    summary = totals([best, bad])
    assert (summary.moves, summary.loss, summary.labels) == (2, 12, {"best": 1, "blunder": 1})
    assert summary.accuracy == pytest.approx((100 + accuracy(bad.loss, bad.lost_chance)) / 2)


def test_phases_are_thirds() -> None:
    boards = [native.parse("X" * (64 - empties) + "-" * empties + " O") for empties in (41, 40, 21, 20)]
    assert [phase_of(board) for board in boards] == ["opening", "middle", "middle", "end"]


def test_the_engines_analysis_is_judged() -> None:
    with Engine(hash_mb=1) as engine:
        options = engine.analyze(native.start(4), Limit(depth=16))
        judgement = judge(engine, native.start(4), options[0].move, 0, EFFORTS["quick"])
    assert (judgement.score, judgement.exact, judgement.label, judgement.win) == (-10.0, True, "best", 0.0)


def test_all_that_could_be_played_is_told_and_how_clear_the_choice_was() -> None:
    move = judged("d3", {"f5": 4, "d3": -4, "c4": 1, "e6": 0})
    assert [(parse_square(name), score) for name, score in (("f5", 4), ("c4", 1), ("e6", 0), ("d3", -4))] == [
        *move.options
    ]
    assert (move.margin, move.best_score) == (3, 4)
    good = [each["square"] for each in move.alternatives(native.start().size) if each["good"]]
    assert good == ["f5"]


def test_what_is_no_effort_is_refused() -> None:
    assert effort_of("12/18") == Effort(12, 18)
    for wrong in ("", "fast", "0/10", "10/", "-3/5"):
        with pytest.raises(ConfigError):
            effort_of(wrong)


def test_a_search_is_limited_by_depth_alone() -> None:
    """A limit of time would make the answer depend on the machine."""
    effort = Effort(10, 20)
    early, late = native.start(), native.parse("X" * 43 + "O" + "-" * 20 + " O")
    assert [effort.limit(position) for position in (early, late)] == [Limit(depth=10), Limit(depth=64)]
