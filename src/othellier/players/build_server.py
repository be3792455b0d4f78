"""`python -P build_server.py PATH PLAYER`: asks a player of the package in PATH, a line of JSON for a line of JSON.

A script of its own, handed a package of any revision: of that package it uses only what all of them have. An empty PATH
means the installed package. Requests are {} (are you there?), {"start": BOARD} (a game begins) and {"board": BOARD,
"observed": [MOVE…], "limit": {…}} (your move); a BOARD is the discs of either side in hexadecimal, the side to move and
the size.
"""

from __future__ import annotations

import json
import os
import sys
import threading
from collections.abc import Iterator
from importlib import import_module
from importlib.util import find_spec
from queue import SimpleQueue
from typing import Any

__all__: list[str] = []


def _serve(path: str, spec: str) -> None:
    if path:
        # Finders that installed packages bring along would go before the path: plain ones are classes, those objects.
        sys.meta_path[:] = [finder for finder in sys.meta_path if isinstance(finder, type)]
        sys.path.insert(0, path)
    import othellier

    # Earlier revisions, which are built and played too, have this module at the top of the package.
    native = import_module("othellier.rules.native" if find_spec("othellier.rules") else "othellier.native")
    if native.core is None or (path and not str(native.core.__file__).startswith(path)):
        raise ImportError(f"there is no compiled core in {path}")
    player = othellier.create_player(spec)

    def board(facts: list[Any]) -> Any:
        mine, other, turn, size = facts
        return othellier.position(int(mine, 16), int(other, 16), turn, othellier.Size.parse(size))

    def answer(request: dict[str, Any]) -> dict[str, Any]:
        if "start" in request:
            player.new_game(board(request["start"]))
        if "board" not in request:
            return {}
        for move in request["observed"]:
            player.observe(move)
        result = player.choose(board(request["board"]), othellier.Limit(**request["limit"]))
        return {"move": result.move, "score": result.score, "depth": result.depth, "nodes": result.nodes}

    for line in _lines():
        if not line.strip():
            return
        try:
            reply = answer(json.loads(line))
        except Exception as error:  # whoever asked shall hear of it
            reply = {"error": f"{type(error).__name__}: {error}"}
        os.write(1, f"{json.dumps(reply)}\n".encode())


def _lines() -> Iterator[str]:
    """What is asked. The process ends with its input, in the midst of a search too: then whoever asked is gone."""
    lines: SimpleQueue[str] = SimpleQueue()

    def read() -> None:
        for line in sys.stdin:
            lines.put(line)
        os._exit(0)

    threading.Thread(target=read, daemon=True).start()
    while True:
        yield lines.get()


if __name__ == "__main__":
    _serve(*sys.argv[1:])
