"""The text formats one by one: what other programs write, and what ours looks like."""

import getpass
import platform

import pytest
from record_games import plain_game

from othellier import records
from othellier.errors import BadMove, RecordError
from othellier.games.game import Evaluation, Game, Headers, Outcome
from othellier.records import forest
from othellier.records.boardstring import format_board, parse_board
from othellier.records.transcript import format_moves, parse_moves, played
from othellier.rules import native
from othellier.rules.board import Position
from othellier.rules.geometry import PASS, parse_square, square_name

START = "---------------------------OX------XO--------------------------- X"


def one(text: str) -> Game:
    (game,) = records.read(text)
    return game


# -- transcripts


@pytest.mark.parametrize(
    "text",
    [
        "f5d6c3",
        "F5d6C3",
        "f5 d6 c3",
        "1. f5 d6 2. c3",
        "1.f5 2.d6 3.c3",
        "f5,d6;c3",
        "f5\nd6\nc3",
        "F5D6\r\nC3",
        "\ufefff5d6c3",
    ],
)
def test_ways_to_write_a_transcript(text: str) -> None:
    assert one(text) == Game.from_moves([37, 43, 18])


def test_written_passes_are_checked_and_left_out() -> None:
    game = next(g for g in map(plain_game, range(100)) if PASS in g.moves())
    told = "".join("--" if move == PASS else format_moves([move]) for move in game.moves())
    for word in ("--", "PA", "ps", "pass"):
        assert one(told.replace("--", word)).moves() == game.moves()
    assert one(game.transcript()).moves() == game.moves()


def test_games_a_line_or_one_game_over_lines() -> None:
    assert [game.transcript() for game in records.read("f5d6\ne6f4\n")] == ["F5D6", "E6F4"]
    assert one("f5d6\nc3\nd3c4\n").transcript() == "F5D6C3D3C4"
    # Each line opens a game, but the second is none of its own: it goes on.
    assert one("f5d6c3\nd3c4f4\n").transcript() == "F5D6C3D3C4F4"


def test_moves_of_other_sizes() -> None:
    assert parse_moves("a10L12", 12) == [108, 143]
    assert parse_moves("f4", "4x6") == [23]
    assert parse_moves(format_moves([0, PASS, 99], 10), 10) == [0, PASS, 99]
    with pytest.raises(RecordError, match="'g1' is not a move on a board of size 6"):
        parse_moves("g1", 6)


# -- boards


def test_board_strings() -> None:
    assert one(START).start == Position.start()
    rows = "\n".join(START[i : i + 8] for i in range(0, 64, 8)) + "\nX\n"
    assert one(rows).start == Position.start()
    assert one(START.replace("X", "*").replace("-", ".")).start == Position.start()
    assert len(records.read(f"{START}\n{START}\n")) == 2
    game = one("f5d6")
    assert records.dumps([game], "board") == game.end.position.board_string() + "\n"


@pytest.mark.parametrize("size", [4, 6, 8, 10, 12])
def test_a_board_over_several_lines(size: int) -> None:
    cells, side = Position.start(size).board_string().split()
    rows = [cells[at : at + size] for at in range(0, len(cells), size)]
    (game,) = records.read("\n".join([*rows, side, ""]), "board")
    assert game.start == Position.start(size)


@pytest.mark.parametrize("size", [4, 6, 8, 12, "4x6", "10x8"])
def test_boards_of_all_sizes(size: int | str) -> None:
    assert parse_board(format_board(Position.start(size))) == Position.start(size)


# -- OBF


def test_obf() -> None:
    text = f"% a suite\n\n{START}; F5:+2; D3:+1.5; --:-127; % no. 1\n{START}; -10;\n"
    first, second = records.read(text)
    assert first.root.scores == {37: 2.0, 19: 1.5}
    assert first.root.comment == "no. 1"
    assert second.root.evaluation == Evaluation(-10)
    assert records.dumps([first, second], "obf") == f"{START}; F5:+2; D3:+1.5; % no. 1\n{START}; -10;\n"


def test_obf_of_a_game_is_its_last_position() -> None:
    game = one("f5d6")
    game.end.evaluation = Evaluation(3)
    kept = one(records.dumps([game], "obf"))
    assert kept.start == game.end.position
    assert kept.root.evaluation == Evaluation(-3)  # White moved, Black is to move


# -- GGF

GGF = """1 (;GM[Othello]PC[GGS/os]DT[2003.12.15_13:24:03.MST]PB[Saio1200]PW[Saio3000]RB[2197.01]RW[2199.72]
TI[05:00//02:00]TY[8]RE[+2.000:r]BO[8 -------- -------- -------- ---O*--- ---*O--- -------- -------- -------- *]
B[d3//0.01]W[c5/-1.5]B[f6/2/1.25];)
(;GM[Othello]DT[945277754]TY[8r14]KM[+1.5]RE[?];)"""


def test_ggf_as_ggs_writes_it() -> None:
    first, second = records.read(GGF)
    assert first.headers == Headers(
        "Saio1200", "Saio3000", 2197.01, 2199.72, "GGS/os", "2003-12-15T13:24:03 MST", "05:00//02:00"
    )
    assert first.result == Outcome(2, "resigned")
    assert [(node.evaluation, node.seconds) for node in first.main_line()] == [
        (None, 0.01),
        (Evaluation(-1.5), None),
        (Evaluation(2), 1.25),
    ]
    assert (second.headers.date, second.headers.extra) == ("1999-12-15T17:09:14Z", {"TY": "8r14", "KM": "+1.5"})
    assert second.outcome() is None
    assert records.read(records.dumps([first, second], "ggf")) == [first, second]


def test_ggf_passes_written_or_not() -> None:
    game = next(g for g in map(plain_game, range(100)) if PASS in g.moves())
    text = records.dumps([game], "ggf")
    assert "[PA]" in text
    assert one(text.replace("B[PA]", "").replace("W[PA]", "")) == one(text) == game


def test_ggf_ratings_may_be_uncertain() -> None:
    game = one("(;GM[Othello]RB[1800.5?]RW[?]B[F5];)")
    assert (game.headers.black_rating, game.headers.white_rating) == (1800.5, None)


def test_ggf_carries_what_wthor_knows() -> None:
    text = records.dumps([plain_game()], "ggf")
    for piece in ("PC[Club]", "DT[2024]", "PB[Ann]", "PW[Bob]", "TH[30/24]"):
        assert piece in text


# -- SGF


def test_sgf_as_others_write_it() -> None:
    game = one(
        "(;FF[4]GM[2]SZ[8]PB[Edax]RE[B+6]AB[d5][e4]AW[d4][e5]PL[B]TM[300];B[f5];W[d6](;B[c3]C[main])(;B[c4];W[D3]))"
    )
    assert (game.transcript(), game.result, game.headers.clock) == ("F5D6C3", Outcome(6), "05:00")
    assert game.end.comment == "main"
    side = game.main_line()[1].children[1]
    assert [node.move for node in side.walk()] == [parse_square("c4"), parse_square("d3")]


# Written by Quarry 0.2.0: points have two letters, a pass is an empty node.
QUARRY = (
    "(;GM[2]FF[4]\n"
    "CA[UTF-8]\n"
    "AP[Quarry:0.2.0]\n"
    "SZ[8]\n"
    "RE[W+12.0]\n"
    "PL[B];B[dc];W[cc];B[bc];W[ec];B[fc];W[ce];B[ff];W[gb];B[be]\n"
    ";W[cf];B[fd];W[ae];B[ha];W[fe];B[df];W[eg];B[dg];W[ef];B[dh]\n"
    ";W[cd];B[cg];W[bg];B[ah];W[bf];B[ad];W[fh];B[gd];W[bd];B[eh]\n"
    ";W[ac];B[ag];W[ge];B[gh];W[cb];B[hd];W[gc];B[ab];W[hc];B[ca]\n"
    ";W[da];B[db];W[ea];B[fa];W[fg];B[af];W[hf];B[eb];W[bh];B[gg]\n"
    ";W[ch];B[he];W[gf];B[hb];W[hg];B[hh];W[ga];B[bb];W[fb];;W[aa]\n"
    ";;W[ba]\n"
    ")\n"
)
QUARRY_CLOCKS = (
    "(;GM[2]FF[4]\nCA[UTF-8]\nAP[Quarry:0.2.0]\nSZ[8]\nTM[0.0]\nOT[10/300 Canadian]\nPB[Othellier 1.0.0]\n"
    "PW[GTP GRhino 0.16.1]\nRE[W+28]\n;B[dc]BL[300.0]OB[9];W[cc]WL[300.0]OW[9];B[cd]BL[300.0]OB[8]\n"
    ";W[ce]WL[300.0]OW[8];B[cf]BL[300.0]OB[7];W[fd]WL[300.0]OW[7]\n)"
)


def test_sgf_of_quarry() -> None:
    game = one(QUARRY)
    assert game.transcript() == (
        "D3C3B3E3F3C5F6G2B5C6F4A5H1F5D6E7D7E6D8C4C7B7A8B6A4F8G4B4E8A3"
        "A7G5G8C2H4G3A2H3C1D1D2E1F1F7A6H6E2B8G7C8H5G6H2H7H8G1B2F2A1B1"
    )
    assert [node.ply for node in game.main_line() if node.move == PASS] == [59, 61]
    assert (game.end.position.is_over(), game.outcome()) == (True, Outcome(-12))
    clocked = one(QUARRY_CLOCKS)
    assert (clocked.transcript(), clocked.headers.white) == ("D3C3C4C5C6F4", "GTP GRhino 0.16.1")
    assert one("(;GM[2]AB[aa:bb]AW[cc]PL[W])").start.board_string() == f"XX------XX--------O{'-' * 45} O"
    with pytest.raises(RecordError, match="'ii' is not a square"):
        one("(;GM[2];B[ii])")


@pytest.mark.parametrize(
    ("text", "outcome"),
    [
        ("RE[W+R]", Outcome(-64, "resigned")),
        ("RE[B+Time]", Outcome(64, "time")),
        ("RE[0]", Outcome(0)),
        ("RE[Draw]", Outcome(0)),
        ("RE[B+]", Outcome(64)),
        ("RE[?]", None),
        ("", None),
        ("RE[B+6]XR[6:agreed]", Outcome(6, "agreed")),
    ],
)
def test_sgf_results(text: str, outcome: Outcome | None) -> None:
    game = one(f"(;GM[2]{text};B[f5])")
    assert game.outcome() == outcome
    assert one(records.dumps([game], "sgf")) == game


def test_sgf_set_up() -> None:
    game = one("(;GM[2]SZ[6:4]AB[a1:b2]AW[c1]PL[W])")
    assert game.start == Position.parse("XXO---XX----------------O", "4x6")
    assert one("(;GM[2]PL[white])").start.turn == "white"
    assert one("(;GM[2];C[only words];B[f5])").root.comment == "only words"


def test_sgf_text_keeps_brackets_and_soft_line_ends() -> None:
    assert one("(;GM[2]C[a \\] b \\\\ c\\\nd])").root.comment == "a ] b \\ cd"


def test_sgf_values_are_for_black() -> None:
    game = one("f5d6")
    game.end.evaluation = Evaluation(3.5)
    assert "W[d6]V[-3.5]" in records.dumps([game], "sgf")


def test_sgf_clocks_are_seconds_for_others_to_read() -> None:
    game = one("f5d6")
    for clock, written in (("05:00", "TM[300]"), ("01:30", "TM[90]"), ("05:00/0:10", "TI[05:00/0:10]")):
        game.headers.clock = clock
        assert written in records.dumps([game], "sgf")
        assert one(records.dumps([game], "sgf")).headers.clock == clock


# -- Othello Quest


def test_quest() -> None:
    players = '"players": [{"name": "a"}, {"name": "b", "rating": 1800}]'
    moves = '{"moves": [{"t": 1500, "m": "f5"}, {"t": 20, "m": "d6"}, {"t": 0, "s": "END"}]}'
    game = one(f'{{"args": [{{{players}, "tcb": 60000, "created": "2020-01-02T03:04:05Z", "position": {moves}}}]}}')
    assert game.headers == Headers("a", "b", None, 1800, date="2020-01-02T03:04:05Z", clock="01:00")
    assert [(node.move, node.seconds) for node in game.main_line()] == [(37, 1.5), (43, 0.02)]


def test_quest_ratings_that_are_none_are_passed_over() -> None:
    for rating in ("true", '"1800"', "null", "[]"):
        players = f'"players": [{{"name": "a", "rating": {rating}}}, {{"name": "b", "rating": 1800.5}}]'
        game = one(f'{{"args": [{{{players}, "position": {{"moves": [{{"m": "f5"}}]}}}}]}}')
        assert (game.headers.black_rating, game.headers.white_rating) == (None, 1800.5)


def test_quest_keeps_times_to_the_millisecond() -> None:
    game = one("f5d6")
    for node, seconds in zip(game.main_line(), (1.2349, 0.0004), strict=True):
        node.seconds = seconds
    assert [node.seconds for node in one(records.dumps([game], "quest")).main_line()] == [1.235, 0.0]
    for seconds in (1e12, -1e300, float("nan"), float("inf")):
        game.end.seconds = seconds
        with pytest.raises(RecordError, match="is not a time that can be kept"):
            records.dumps([game], "quest")


def test_quest_keeps_the_minutes_of_a_clock() -> None:
    for clock, milliseconds in (("05:00", 300_000), ("00:05", 5_000), ("90:30", 5_430_000)):
        game = one("f5d6")
        game.headers.clock = clock
        text = records.dumps([game], "quest")
        assert f'"tcb": {milliseconds}' in text
        assert one(text).headers.clock == clock


def test_quest_pass() -> None:
    game = next(g for g in map(plain_game, range(100)) if PASS in g.moves())
    text = records.dumps([game], "quest")
    assert '"m": "-"' in text
    assert one(text).moves() == game.moves()


# -- traces


def test_trace_tells_all_its_fields() -> None:
    game = plain_game()
    game.main_line()[0].evaluation = Evaluation(1.5, True, 12, (43, 18), "book, win 43 %, draw 12 %")
    game.main_line()[0].seconds = 0.25
    game.main_line()[1].evaluation = Evaluation(2.0, depth=7)
    game.main_line()[2].evaluation = Evaluation(0.0, text="book")
    game.headers.extra = forest.facts("amateur", "black", 4, 812_345.6, 64, "2000 positions")
    text = records.dumps([game], "trace")
    last = game.end.position
    for piece in (
        "Othellier trace\n",
        "Version: ",
        " present, 4 used\n",
        "Speed: 812346 positions/s\n",
        "Table: 64 MB\n",
        "Book: 2000 positions\n",
        "Level: amateur\n",
        "Computer: black\n",
        "| +1.5 exact | book, 12 plies | 0.25 s | D6C3 | book, win 43 %, draw 12 %\n",
        "| +2 | depth 7 |  |  |\n",
        "| +0 | book |  |  | book\n",
        f"Black (X) {last.discs('black')}, White (O) {last.discs('white')}\n",
        f"Game: {game.transcript()}\n",
    ):
        assert piece in text
    assert one(text) == game
    # Traces of earlier versions called the plies of a book a depth.
    assert one(text.replace("book, 12 plies", "depth 12")) == game
    for wrong in ("book, many plies", "bookish", "12 plies"):
        with pytest.raises(RecordError):
            one(text.replace("book, 12 plies", wrong))


def test_trace_names_host_and_account_only_when_asked(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(platform, "node", lambda: "tower")
    monkeypatch.setattr(getpass, "getuser", lambda: "ann")
    assert not {"Host", "Account"} & forest.facts().keys()
    asked = forest.facts(private=True)
    assert (asked["Host"], asked["Account"]) == ("tower", "ann")


# -- read-only lists


def test_logbook() -> None:
    first, second = records.read("+d3-c3+c4-c5: +02 10\n+f5-d6: -04\n")
    assert (first.transcript(), first.result, second.result) == ("D3C3C4C5", Outcome(2), Outcome(-4))


def test_logbook_notes_no_result_the_board_tells() -> None:
    (game,) = records.read("+e6-f4+e3-f6+g5-d6+e7-f5+c5: +13\n")
    assert (game.result, game.outcome()) == (None, Outcome(64))
    (game,) = records.read("+e6-f4+e3-f6+g5-d6+e7-f5+c5: +20\n")
    assert game.result == Outcome(20)
    (game,) = records.read("+f5-d6: +00\n")  # three discs each, but the game goes on
    assert game.result == Outcome(0)


def test_eothello() -> None:
    first, second = records.read("Othello_game_id,winner,game_moves\n7,-1,f5d6\n8,1,e6f4e3f6g5d6e7f5c5\n")
    assert (first.result, first.headers.extra) == (Outcome(-64, "resigned"), {"ID": "7"})
    assert (second.result, second.outcome()) == (None, Outcome(64))


@pytest.mark.parametrize(("winner", "result"), [(1, None), (0, Outcome(0, "agreed")), (-1, Outcome(-64, "resigned"))])
def test_eothello_notes_what_the_board_does_not_tell(winner: int, result: Outcome | None) -> None:
    assert one(f"game_id,winner,game_moves\n8,{winner},e6f4e3f6g5d6e7f5c5\n").result == result


def test_lines_of_the_arena_have_times_and_scores_after_the_opening() -> None:
    line = (
        '"black": "a", "white": "b", "size": "8", "moves": "F5D6C3D3", "score": -64, "reason": "time", "error": "late"'
    )
    game = one(f'{{{line}, "opening": 2, "seconds": [0.5, 1], "scores": [null, 2.5]}}\n')
    assert [node.seconds for node in game.main_line()] == [None, None, 0.5, 1]
    assert [node.evaluation for node in game.main_line()] == [None, None, None, Evaluation(2.5)]
    assert (game.result, game.end.comment) == (Outcome(-64, "time"), "late")


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("(;GM[Othello]TY[4]BO[4 OX-- ---- ---- ---- *]B[{}//2]W[C1];)", "PA"),
        ("(;GM[Othello]TY[4]BO[4 OX-- ---- ---- ---- *]B[{}//2]W[C1];)", "pass"),
        ("(;FF[4]GM[2]SZ[4]AB[b1]AW[a1]PL[B];B[{}]XM[2];W[c1])", ""),
        ("(;FF[4]GM[2]SZ[4]AB[b1]AW[a1]PL[B];B[{}]XM[2];W[c1])", "tt"),
    ],
)
def test_a_pass_of_which_something_is_said_is_a_pass(text: str, name: str) -> None:
    (game,) = records.read(text.format(name))
    assert game.moves() == [PASS, 2]
    assert game.main_line()[0].seconds == 2


def test_a_bad_move_is_numbered_without_the_passes() -> None:
    game = next(game for game in map(plain_game, range(100)) if PASS in game.moves()[:-2])
    line = game.moves()
    good = line[: line.index(PASS) + 2]  # the pass, and a move after it
    with pytest.raises(BadMove) as caught:
        played(format_moves(good) + square_name(good[0]), native.start())
    assert (caught.value.number, caught.value.why) == (len(good), "taken")
