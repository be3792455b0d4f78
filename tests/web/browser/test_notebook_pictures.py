"""A notebook as it is seen: executed, its outputs one below the other as Jupyter shows them, looked at by pixels."""

import io
from collections.abc import Callable
from importlib import import_module
from pathlib import Path

import pytest
from PIL import Image
from playwright.sync_api import BrowserContext, Page

import othellier
from othellier.rules import native
from othellier.rules.board import Position
from othellier.rules.geometry import squares_of
from othellier.search import Options, record

NOTEBOOK = Path(__file__).parents[3] / "notebooks" / "en" / "2_minimax_to_pvs.ipynb"
FOREIGN_STYLE = "<style>*{stroke-linejoin: round; stroke-linecap: butt}</style>"
"""As Matplotlib writes it into its pictures, and as the figures of others bring it to a page."""


def colours(page: Page, board: int, position: Position) -> dict[int, str]:
    """Return the colour in the middle of each square of a drawn board, as black, white or another."""
    felt = page.locator(".card rect[fill='#2c7a4b']").nth(board)
    felt.scroll_into_view_if_needed()
    box = felt.bounding_box()
    assert box is not None
    picture = Image.open(io.BytesIO(page.screenshot(clip=box))).convert("L")
    rows, columns = position.size
    found: dict[int, str] = {}
    for square in range(rows * columns):
        row, column = divmod(square, columns)
        light = picture.getpixel(
            (int((column + 0.5) * picture.width / columns), int((row + 0.5) * picture.height / rows))
        )
        assert isinstance(light, int)
        found[square] = "black" if light < 60 else "white" if light > 200 else "felt"
    return found


def discs(position: Position) -> dict[int, str]:
    rows, columns = position.size
    found = dict.fromkeys(range(rows * columns), "felt")
    for colour, bits in (("black", position.black), ("white", position.white)):
        found |= dict.fromkeys(squares_of(bits), colour)
    return found


@pytest.mark.skipif(not native.available, reason="the notebook uses the compiled searches")
@pytest.mark.filterwarnings("default")  # what Jupyter warns of is not ours to mend
def test_the_boards_of_an_executed_notebook_have_their_discs(
    context: Callable[..., BrowserContext], tmp_path: Path
) -> None:
    book = import_module("nbformat").read(NOTEBOOK, as_version=4)
    folder = {"metadata": {"path": str(tmp_path)}}
    import_module("nbclient").NotebookClient(book, timeout=240, kernel_name="python3", resources=folder).execute()
    outputs = [output.get("data", {}) for cell in book.cells for output in cell.get("outputs", ())]
    shown = [data.get("text/html") or data.get("image/svg+xml") or "" for data in outputs]
    assert any("matplotlib" in part for part in shown), "the notebook draws no figure beside its trees"
    page = context(viewport={"width": 1600, "height": 1000}).new_page()
    page.set_content(FOREIGN_STYLE + "".join(part for part in shown if "<iframe" not in part))
    opening = othellier.start().play("f5")
    roots = page.evaluate(
        "() => [...document.querySelectorAll('.card')].flatMap((card, i) => card.dataset.n === '0' ? [i] : [])"
    )
    assert len(roots) == 3  # minimax and alpha-beta beside one another, and PVS
    for board in roots:
        assert colours(page, board, opening) == discs(opening)


def test_the_arrow_keys_step_through_a_tree_as_soon_as_it_is_shown(context: Callable[..., BrowserContext]) -> None:
    tree = record(othellier.start(6), Options("alphabeta", depth=2))
    page = context().new_page()
    page.set_content(tree.html())
    steps = page.locator(".stepper p.now")
    last = steps.inner_text()
    page.keyboard.press("ArrowLeft")
    assert steps.inner_text() != last
    page.keyboard.press("ArrowRight")
    assert steps.inner_text() == last
    slider = page.get_by_role("slider")
    slider.focus()
    page.keyboard.press("ArrowLeft")  # one step by the slider itself, not two
    total = int(slider.get_attribute("max") or 0)
    assert slider.input_value() == str(total - 1)
