"""Pictures are checked for what they show, not for how they look."""

import random
import re
from typing import Any
from xml.etree import ElementTree

import pytest
from hypothesis import given
from hypothesis import strategies as st

from othellier.errors import InvalidPosition, WrongType
from othellier.games.game import Game
from othellier.pictures import Style, svg, text
from othellier.rules.board import Position
from othellier.rules.geometry import PASS, parse_square

NS = "{http://www.w3.org/2000/svg}"
ANSI = re.compile(r"\x1b\[[0-9;]*m")


def shown(picture: str, tag: str) -> list[ElementTree.Element]:
    return ElementTree.fromstring(picture).findall(f".//{NS}{tag}")


def words(picture: str, tag: str) -> str:
    return shown(picture, tag)[0].text or ""


def discs(picture: str, side: str) -> set[tuple[float, float]]:
    """Centres of one side's discs, in squares."""
    found = (c for c in shown(picture, "circle") if c.get("fill", "").endswith(f"{side})"))
    return {(float(c.attrib["cx"]) / 60 - 0.5, float(c.attrib["cy"]) / 60 - 0.5) for c in found}


def test_text_of_the_start() -> None:
    assert str(Position.start(4)) == "  a b c d\n1 · + · ·\n2 + ○ ● ·\n3 · ● ○ +\n4 · · + ·\n  ● 2  ○ 2  black to move"


def test_text_marks_the_last_move_and_hides_legal_moves() -> None:
    after = Position.start(4).play(parse_square("b1", 4))
    assert text(after, last_move=1, legal=False, style="ascii").splitlines() == [
        "  a b c d",
        "1 .(X). .",
        "2 . X X .",
        "3 . X O .",
        "4 . . . .",
        "  X 4  O 1  white to move",
    ]
    corner = Position.parse("XX-- OOXX ---- ---- X", 4)
    assert text(corner, last_move=0, style="ascii").splitlines()[1].startswith("1(X)X ")
    assert text(corner, last_move=7, style="ascii").splitlines()[2] == "2 O O X(X)"
    assert text(corner, last_move=PASS, style="ascii") == text(corner, style="ascii")


def test_text_writes_values_on_their_squares() -> None:
    lines = text(
        Position.start(4), style="ascii", last_move=5, values={1: -10.0, 4: 0.4, 14: 64.0}, exact=[1]
    ).splitlines()
    assert lines[:5] == [
        "    a    b    c    d",
        "1   .  -10.   .    .",
        "2  +0   (O)   X    .",
        "3   .    X    O    +",
        "4   .    .   +64   .",
    ]


@pytest.mark.parametrize("style", ["color", "truecolor"])
@pytest.mark.parametrize("size", ["4x6", "12"])
def test_coloured_text_has_straight_columns(style: Style, size: str) -> None:
    position = Position.start(size)
    lines = text(position, last_move=0, style=style).splitlines()
    board = [ANSI.sub("", line) for line in lines[1:-1]]
    assert {len(line) for line in board} == {len(str(position.size.rows)) + 1 + 3 * position.size.columns}
    assert sum(line.count("●") for line in board) == 4
    assert all(line.endswith("\x1b[0m") for line in lines[1:-1])
    letters = ANSI.sub("", lines[0])
    row = board[position.size.rows // 2]
    assert row.index("●") == letters.index(chr(ord("a") + position.size.columns // 2 - 1))


def test_text_says_when_the_game_is_over() -> None:
    assert text(Position.parse("XXXX XXXX XXXX XXX- O", 4)).endswith("● 15  ○ 0  game over")


@given(st.integers(), st.sampled_from(["4", "6", "8", "4x6", "10x4", "12"]))
def test_svg_shows_exactly_the_discs_and_legal_moves(seed: int, size: str) -> None:
    position = Position.random(random.Random(seed), size)
    picture = svg(position)
    columns = position.size.columns

    def places(bits: int) -> set[tuple[float, float]]:
        return {(s % columns, s // columns) for s in range(position.size.squares) if bits >> s & 1}

    assert discs(picture, "b") == places(position.black)
    assert discs(picture, "w") == places(position.white)
    dots = len(shown(picture, "circle")) - len(shown(svg(position, legal=False), "circle"))
    assert dots == len(position.moves())


def test_svg_fits_the_asked_size() -> None:
    root = ElementTree.fromstring(svg(Position.start("4x12"), size_px=300))
    assert float(root.attrib["width"]) == 300
    assert float(root.attrib["height"]) < 150
    with pytest.raises(InvalidPosition, match="0 pixels"):
        svg(Position.start(), size_px=0)


def test_svg_coordinates_can_be_left_out() -> None:
    labels = [label.text for label in shown(svg(Position.start("4x6")), "text")]
    assert labels == ["a", "b", "c", "d", "e", "f", "1", "2", "3", "4"]
    assert not shown(svg(Position.start("4x6"), coordinates=False), "text")


def test_svg_values_are_signed_rounded_and_the_best_is_ringed() -> None:
    values = {19: 3, 26: -2.46, 37: -0.01, 44: -12.6}
    picture = svg(Position.start(), values=values, exact=[19, 44], coordinates=False)
    labels = {label.text: label for label in shown(picture, "text")}
    assert list(labels) == ["+3.", "−2.5", "0", "−13."]
    assert labels["+3."].get("font-weight") == "700"
    assert labels["0"].get("font-weight") is None
    assert labels["+3."].get("fill") != labels["−13."].get("fill")
    assert [ring.get("cx") for ring in shown(picture, "circle") if ring.get("fill") == "none"] == ["210"]
    assert "Values: d3 +3, c4 −2.5, f5 0, e6 −12.6." in words(picture, "desc")


def test_svg_circles_arrows_and_last_move() -> None:
    plain, picture = svg(Position.start()), svg(Position.start(), circles=[0], arrows=[(0, 63), (5, 5)], last_move=20)
    rings = [(ring.get("cx"), ring.get("cy")) for ring in shown(picture, "circle") if ring.get("fill") == "none"]
    assert rings == [("30", "30"), ("330", "30")]  # an arrow to its own square is a ring
    assert len(shown(picture, "path")) == len(shown(plain, "path")) + 2
    assert "Last move: e3." in words(picture, "desc")
    assert "Last move: pass." in words(svg(Position.start(), last_move=PASS), "desc")


def test_svg_tells_the_board_in_words() -> None:
    picture = svg(Position.start())
    assert words(picture, "title") == "Othello board, black to move"
    assert words(picture, "desc").startswith("Black discs: e4 d5. White discs: d4 e5. Legal moves: d3 c4 f5 e6.")


@given(st.text())
def test_svg_holds_any_title(title: str) -> None:
    kept = "".join(sign for sign in title if sign.isprintable() or sign in "\n\t")
    assert words(svg(Position.start(4), title=title), "title") == kept


def test_svg_names_are_its_own() -> None:
    one, two = svg(Position.start()), svg(Position.start(6))
    names = [set(re.findall(r'id="(\w+)"', picture)) for picture in (one, two)]
    assert len(names[0]) == len(names[1]) == 4
    assert not names[0] & names[1]
    assert set(re.findall(r"url\(#(\w+)\)", one)) < names[0]
    assert one == svg(Position.start())


@pytest.mark.parametrize("wrong", [-2, 16])
def test_svg_refuses_what_is_not_on_the_board(wrong: int) -> None:
    attempts: list[dict[str, Any]] = [
        {"last_move": wrong},
        {"circles": [wrong]},
        {"arrows": [(0, wrong)]},
        {"values": {wrong: 1}},
    ]
    for options in attempts:
        with pytest.raises(InvalidPosition, match=f"square {wrong} cannot be drawn on a board of size 4"):
            svg(Position.start(4), **options)


@pytest.mark.parametrize("arrows", [5, [5], [("f5",)], [("f5", "d6", "c3")]])
def test_svg_refuses_arrows_that_are_no_pairs(arrows: Any) -> None:
    with pytest.raises(WrongType, match="arrow"):
        svg(Position.start(), arrows=arrows)


def test_svg_refuses_values_that_are_no_numbers() -> None:
    with pytest.raises(InvalidPosition, match="finite"):
        svg(Position.start(), values={1: float("nan")})


def test_positions_draw_themselves_in_notebooks() -> None:
    assert Position.start()._repr_svg_() == svg(Position.start())


def test_games_draw_where_one_looks() -> None:
    game = Game()
    game.push("f5")
    game.current.scores = {PASS: 0, parse_square("d6"): 1.0}
    assert game._repr_svg_() == svg(game.position, last_move=parse_square("f5"), values={parse_square("d6"): 1.0})
    assert game.undo()._repr_svg_() == svg(Position.start())


def test_values_fit_a_narrow_terminal() -> None:
    values = {"c4": -13.0, "d3": 64.0}
    narrow = text(Position.start(), style="ascii", values=values, exact=["c4"], narrow=True).splitlines()
    assert (
        max(map(len, narrow)) <= 36 < max(map(len, text(Position.start(), style="ascii", values=values).splitlines()))
    )
    assert "-13." in narrow[4]
