"""A program plays on the page: what is seen when it fails."""

import re
import shlex
import sys
from collections.abc import Callable
from pathlib import Path

from playwright.sync_api import BrowserContext, expect
from run_page import running


def test_a_program_that_fails_is_named_and_replaced(context: Callable[..., BrowserContext], tmp_path: Path) -> None:
    program, config = tmp_path / "dead.py", tmp_path / "game.yaml"
    program.write_text(
        "import sys\n"
        "for line in sys.stdin:\n"
        "    if line.startswith('genmove'): sys.exit('no weights')\n"
        "    print('=\\n', flush=True)\n"
    )
    command = f"{shlex.quote(sys.executable)} -S {shlex.quote(str(program))}"
    config.write_text(f"display: page\nblack: human\nwhite: {{algorithm: gtp, command: {command!r}, name: Broken}}\n")
    with running(config) as (address, game):
        page = context().new_page()
        page.goto(f"{address}#{game}")
        page.locator("#board").get_by_role("button", name=re.compile("^f5")).click()
        expect(page.locator(".toast")).to_contain_text(re.compile("Broken gave no legal move: .*no weights"))
        page.locator("#bar-white").get_by_role("button", name="failed: replace").click()
        dialog = page.get_by_role("dialog", name="Who plays white?")
        dialog.get_by_role("radio", name=re.compile("^Nora")).check(force=True)
        dialog.get_by_role("button", name="OK").click()
        expect(page.locator("#board")).to_have_attribute("data-ply", "2")
        expect(page.locator("#bar-white")).to_contain_text("Nora")
        expect(page.get_by_role("button", name="failed: replace")).to_have_count(0)
