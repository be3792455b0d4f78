"""A game analysed: totals, turning points, what to learn, words and drawings, and the same through every door."""

import doctest
import json
import math
import xml.etree.ElementTree as ElementTree
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

import othellier
from othellier.cli import main
from othellier.coach import GameAnalysis, JudgedMove, analyses, analyze
from othellier.coach.analysis import totals
from othellier.coach.judging import EFFORTS
from othellier.coach.lessons import learn_from, puzzles
from othellier.coach.reasons import Reason
from othellier.coach.scale import CHANCE_LIMITS, DISC_LIMITS
from othellier.coach.words import SIGNS, report, sentence, summary
from othellier.errors import InvalidPosition
from othellier.games.game import Game
from othellier.messages.languages import dictionary
from othellier.rules import native
from othellier.rules.board import after
from othellier.rules.geometry import PASS, STANDARD, square_name

pytestmark = pytest.mark.skipif(not native.available, reason="the engine needs the compiled core")

MOVES = (
    "f5f6e6f4e3c5c4e7f7d7b5e2g4f3g5d6e8h3g6d8c8f8g8h4c6a5b4a3b6b3"
    "c3d2e1d3d1c1b1c2f2h7h6h5g3a6c7g1g2h1h2f1h8g7b2a1a7a8a2a4b8b7"
)
LEVEL = "3/10"
"""Shallow, so that it is soon done."""


@pytest.fixture(scope="module")
def analysis() -> GameAnalysis:
    return analyze(MOVES, LEVEL)


def test_every_move_is_judged_once_and_in_order(analysis: GameAnalysis) -> None:
    game = othellier.read(MOVES)[0]
    assert analysis.done
    assert [move.ply for move in analysis.moves] == [
        ply for ply, node in enumerate(game.main_line()) if node.move != PASS
    ]
    for move in analysis.moves:
        assert analysis.line[move.ply] == move.move == move.line[0]
        assert move.best == move.pv[0]
        assert dict(move.options)[move.best] == move.options[0][1]
        assert move.best == (move.options[0][0] if move.loss else move.move)
        assert move.loss == move.options[0][1] - dict(move.options)[move.move] >= 0
        assert analysis.position(move).is_legal(move.move)
        assert bool(move.reasons) == (move.label not in ("forced", "best"))
    assert all(move.exact for move in analysis.moves if analysis.position(move).empties <= 10)
    assert {move.label for move in analysis.moves} > {"best", "mistake", "blunder"}


def test_a_game_is_judged_alike_by_one_core_and_by_many(analysis: GameAnalysis) -> None:
    assert analyze(MOVES, LEVEL, threads=1) == analysis == analyze(MOVES, LEVEL, threads=4)


def test_totals_cannot_contradict_themselves(analysis: GameAnalysis) -> None:
    for color, player in analysis.players.items():
        own = [move for move in analysis.moves if move.color == color]
        assert player.moves == len(own) == sum(player.labels.values()) == sum(p.moves for p in player.phases.values())
        assert math.isclose(player.loss, sum(part.loss for part in player.phases.values()))
        for part in (player, *player.phases.values()):
            told = part.as_dict()
            assert (told["accuracy"] == 100) == (told["loss"] == 0)


def test_a_phase_that_lost_discs_is_never_perfect(analysis: GameAnalysis) -> None:
    """28 discs given away in a game that was won anyway: the end was not played to 100 %."""
    move = next(move for move in analysis.moves if move.phase == "end" and move.label != "forced")
    perfect = replace(move, loss=0.0, lost_chance=0.0, label="best", win=1.0, score=40.0)
    wasteful = replace(perfect, loss=28.0, score=12.0)
    clean, wasted = totals([perfect] * 10), totals([*[perfect] * 9, wasteful])
    assert clean.phases["end"].as_dict()["accuracy"] == 100
    assert wasted.phases["end"].as_dict()["accuracy"] < 95
    assert wasted.weakest == "end"
    early = replace(wasteful, phase="opening", loss=2.0)
    assert totals([early, wasteful]).weakest == "end"
    assert totals([replace(early, loss=40.0), wasteful]).weakest == "opening"
    hardly = totals([*[perfect] * 500, replace(perfect, loss=0.01)])
    assert hardly.as_dict()["accuracy"] < 100


def test_the_game_turns_where_the_lead_changes_hands(analysis: GameAnalysis) -> None:
    points = analysis.turning_points
    assert points
    for move in points:
        before = move.win + move.lost_chance
        assert before >= 0.5 > move.win or before > 0.5 == move.win
    assert analysis.turning_point == points[-1]
    after_it = [move for move in analysis.moves if move.ply > points[-1].ply]
    ahead = {move.color for move in after_it if move.win > 0.5} | {
        "white" if move.color == "black" else "black" for move in after_it if move.win < 0.5
    }
    assert len(ahead) <= 1, "nobody else takes the lead after it"
    worst = analysis.worst_moves
    assert [move.accuracy for move in worst] == sorted(
        move.accuracy or 0 for move in analysis.moves if move.is_mistake
    )[:3]
    margins = sorted((move.margin or 0 for move in analysis.moves if move.label == "best"), reverse=True)
    assert [move.margin for move in analysis.best_moves] == margins[:3]


def test_a_win_that_slips_to_a_draw_turns_the_game() -> None:
    """Ortiz - Hubbard 1996: Black is ahead from move 16 on, and draws by a slip at move 55."""
    moves = (
        "f5d6c3d3c4f4e6b3e2e3f3f6e7c5d7g6g4f8c6f7e8g5g3e1b5h4h6h5h3a5b4f2d2c2a3g7h8h7g8b6a4a2a6a7g2c7b7g1b2a1"
        "h1h2d8a8c1d1f1c8b8b1"
    )
    analysis = analyze(moves, "quick")
    turning = analysis.turning_point
    assert turning is not None
    assert (turning.ply, square_name(turning.move), square_name(turning.best)) == (54, "c1", "d1")
    assert analysis.explain(turning)[0] == "d1 wins by 2; c1 only draws."
    assert analysis.explain(turning, "fr")[0] == "d1 gagne de 2 ; c1 ne fait que nulle."
    (told,) = (move for move in analysis.as_dict()["mistakes"] if move["played"] == "c1")
    assert told["reasons"][0] == {"code": "win_drawn", "data": {"best": 2}}
    assert "win_drawn" not in learn_from([(analysis, "black")]).reasons, "it says what happened, not why"
    assert all(move.best == move.move for move in analysis.moves if not move.loss), "of equals, the one chosen"
    own = analysis.as_dict()["players"]["white"]["worst_moves"]
    assert own
    assert all(move.color == "white" for move in analysis.moves if analysis.name_of(move) in own)


def test_the_graph_is_as_black_sees_it(analysis: GameAnalysis) -> None:
    first, *rest = analysis.points
    assert (first[0], first[1]) == ("", analysis.moves[0].best_score)
    assert len(rest) == len(analysis.moves)
    for (name, score, chance), move in zip(rest, analysis.moves, strict=True):
        assert name == analysis.name_of(move)
        assert (score, chance) == ((move.score, move.win) if move.color == "black" else (-move.score, 1 - move.win))


def test_an_empty_game_and_one_without_the_engine() -> None:
    empty = analyze(Game(), "quick")
    assert (empty.done, empty.moves, empty.turning_point, empty.points) == (True, (), None, [])
    assert "svg" in empty.plot().svg
    with pytest.raises(InvalidPosition, match="up to 8x8"):
        analyze(Game(native.start(10)))


def test_who_leaves_an_analysis_ends_its_searches() -> None:
    with closing(analyses(MOVES, "12/22", threads=2)) as growing:
        first = next(growing)
    assert len(first.moves) == 1
    assert not first.done


def test_what_is_learnt_is_asked_where_the_answer_is_clear(analysis: GameAnalysis) -> None:
    found = [*puzzles(analysis)]
    assert found
    for puzzle in found:
        scores = dict(_options(analysis, puzzle.played))
        right = min(scores[move] for move in puzzle.answers)
        others = [score for move, score in scores.items() if move not in puzzle.answers]
        assert right - max(others) >= 3.5
        assert puzzle.played not in puzzle.answers
        assert puzzle.line[0] == puzzle.answers[0]
        assert [replace(puzzle, gap=gap).stars for gap in (5.9, 6.0, 11.9, 12.0)] == [3, 2, 2, 1]
        assert puzzle.position.is_legal(puzzle.answers[0])
    black = learn_from([(analysis, "black"), (analysis, "black")])
    assert black.totals.moves == 2 * analysis.players["black"].moves
    assert black.weakest == analysis.players["black"].weakest
    assert sum(black.reasons.values()) == 2 * sum(move.color == "black" for move in analysis.mistakes)
    assert [*black.puzzles] == [*puzzles(analysis, "black")] * 2


def _options(analysis: GameAnalysis, played: int) -> tuple[tuple[int, float], ...]:
    return next(move.options for move in analysis.moves if move.move == played)


def test_the_document_tells_the_truth() -> None:
    document = Path(__file__).parents[2] / "docs" / "analysis.md"
    result = doctest.testfile(str(document), module_relative=False, encoding="utf-8")
    assert (result.attempted, result.failed) == (5, 0)
    text = document.read_text(encoding="utf-8")
    for label, discs in DISC_LIMITS.items():
        assert f"| {label} {SIGNS[label]} | {discs:.0f} | {100 * CHANCE_LIMITS[label]:.0f} % |" in text
    for level, effort in EFFORTS.items():
        assert f"| {level} | {effort.depth} | {effort.exact} empty squares |" in text


# -- words and drawings


@pytest.mark.parametrize("language", ["en", "fr"])
def test_every_reason_is_a_sentence(analysis: GameAnalysis, language: str) -> None:
    said = [line for move in analysis.moves for line in analysis.explain(move, language)]
    assert len(said) > 20
    assert all(line and "{" not in line and line[-1] in ".!" for line in said)
    move = analysis.mistakes[0]
    assert (
        sentence(move.reasons[0], STANDARD, "a1", "b2", language)
        == analysis.explain(replace(move, move=0, best=9), language)[0]
    )


def test_words_agree_with_their_numbers() -> None:
    def told(theirs: int, language: str) -> str:
        reason = Reason("mobility", numbers=(("theirs", theirs), ("theirs_best", 0)))
        return sentence(reason, STANDARD, "a1", "b2", language)

    assert told(1, "en") == "It leaves the opponent 1 move; b2 leaves only 0."
    assert [f" {n} moves;" in told(n, "en") for n in (0, 1, 2)] == [True, False, True]
    assert [f" {n} coups ;" in told(n, "fr") for n in (0, 1, 2)] == [False, False, True]


def test_a_report_names_the_mistakes(analysis: GameAnalysis) -> None:
    lines = [*report(analysis)]
    assert lines[-len([*summary(analysis)]) :] == [*summary(analysis)]
    assert str(analysis) == "\n".join(lines)
    for move in analysis.mistakes:
        name = square_name(move.move)
        assert any(line.split()[:4] == [str(move.ply + 1), move.color, name, SIGNS[move.label]] for line in lines)


def test_a_drawing_marks_what_was_bad(analysis: GameAnalysis, tmp_path: Path) -> None:
    analysis.plot().save(tmp_path / "game.svg")
    drawn = ElementTree.parse(tmp_path / "game.svg").getroot()
    bad = [move for move in analysis.moves if SIGNS[move.label]]
    circles = [each for each in drawn.iter() if each.tag.endswith("circle")]
    assert len(circles) == len(bad)
    page = analysis._repr_html_()
    assert page.count("<li>") == len(analysis.mistakes)
    assert dictionary("nowhere") == dictionary("en")


# -- through every door


def test_a_turned_board_has_the_same_analysis(analysis: GameAnalysis) -> None:
    """The other diagonal way round, every square is another one and every number the same."""

    def seen(square: int) -> int:
        return square if square == PASS else 8 * (square % 8) + square // 8

    turned = analysis.turned(seen, analysis.start)
    assert turned.turned(seen, analysis.start) == analysis
    assert [move.label for move in turned.moves] == [move.label for move in analysis.moves]
    position = turned.start
    for move in turned.line:
        assert position.is_legal(move)
        position = position.play(move)


def lines(capsys: pytest.CaptureFixture[str], *arguments: str) -> list[dict[str, Any]]:
    assert main([*arguments, "--json"]) == 0
    return [json.loads(line) for line in capsys.readouterr().out.splitlines()]


def test_the_command_line_says_what_python_says(
    analysis: GameAnalysis, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    asked = ["analyze", MOVES, "--depth", "3", "--exact", "10"]
    plain = json.loads(json.dumps(analysis.as_dict()))
    assert lines(capsys, *asked) == plain["moves"]
    saved = tmp_path / "analysis.json"
    assert main([*asked, "--save", str(saved)]) == 0
    assert json.loads(saved.read_text(encoding="utf-8")) == plain
    capsys.readouterr()
    assert main(asked) == 0
    printed = capsys.readouterr().out
    for words in summary(analysis):
        assert words in printed


def judged_in(analysis: GameAnalysis, ply: int) -> JudgedMove:
    return next(move for move in analysis.moves if move.ply == ply)


def test_the_line_of_best_play_can_be_played(analysis: GameAnalysis) -> None:
    for move in analysis.moves:
        for line in (move.pv, move.line):
            position = analysis.position(move)
            for step in line:
                assert position.is_legal(step)
                position = position.play(step)
    first = analysis.moves[0]
    assert after(analysis.position(first), first.move) == analysis.position(judged_in(analysis, 1))
