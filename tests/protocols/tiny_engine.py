"""A GTP engine as a beginner writes one: a board, `play`, `genmove`, and int() for every number.

With an argument it lists its commands, with `loadsgf` among them, which ignores the discs that are set up.
"""

import sys
from collections.abc import Callable

STEPS = (-11, -10, -9, -1, 1, 9, 10, 11)
PLACES = [10 * row + column for row in range(1, 9) for column in range(1, 9)]
board: dict[int, str] = {}


def turned(place: int, me: str) -> list[int]:
    found: list[int] = []
    for step in STEPS if board.get(place) == "." else ():
        run: list[int] = []
        while (disc := board.get(place + step * (len(run) + 1))) not in (me, ".", None):
            run.append(place + step * (len(run) + 1))
        found += run if disc == me else []
    return found


def play(me: str, name: str) -> str:
    me, place = me[0].lower(), 10 * int(name[1]) + "abcdefgh".index(name[0].lower()) + 1 if name != "pass" else 0
    if place and not turned(place, me):
        return "? illegal move"
    board.update(dict.fromkeys([place, *turned(place, me)], me) if place else {})
    return "="


def genmove(me: str) -> str:
    place = max(PLACES, key=lambda each: len(turned(each, me[0].lower())))
    name = "abcdefgh"[place % 10 - 1] + str(place // 10) if turned(place, me[0].lower()) else "pass"
    play(me, name)
    return f"= {name}"


def clear_board(*_: str) -> str:
    board.update(dict.fromkeys(PLACES, ".") | {44: "w", 55: "w", 45: "b", 54: "b"})
    return "="


def time_left(_: str, seconds: str, stones: str) -> str:
    return f"= {int(seconds)} {int(stones)}"


def main() -> None:
    commands: dict[str, Callable[..., str]] = {"play": play, "genmove": genmove, "clear_board": clear_board}
    commands |= {"boardsize": clear_board, "name": lambda: "= tiny", "quit": lambda: sys.exit(0)}
    commands |= {"time_left": time_left, "time_settings": time_left}
    if sys.argv[1:]:
        commands |= {"loadsgf": clear_board, "list_commands": lambda: "= " + "\n".join(commands)}
    for line in sys.stdin:
        command, *words = line.split()
        try:
            reply = commands[command](*words)
        except (KeyError, TypeError, ValueError):
            reply = "? cannot do that"
        sys.stdout.write(f"{reply}\n\n")
        sys.stdout.flush()


if __name__ == "__main__":
    main()
