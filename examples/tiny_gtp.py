"""The smallest engine that can play matches here: rules, a greedy choice and GTP, in plain Python alone.

othellier match engine:depth=8 "gtp:python examples/tiny_gtp.py" --games 4

It answers the five commands that a match needs. A line of GTP is a command, an answer begins with `=` or, where the
command failed, with `?`, and ends with an empty line.
"""

import itertools
import sys

STEPS = [(row, column) for row, column in itertools.product((-1, 0, 1), repeat=2) if row or column]
COMMANDS = ("boardsize", "clear_board", "genmove", "list_commands", "play", "protocol_version", "quit")


def new_board() -> dict[str, str]:
    """Return the discs of the start: colour by square."""
    return {"d4": "w", "e5": "w", "e4": "b", "d5": "b"}


def flips(board: dict[str, str], color: str, square: str) -> list[str]:
    """Return the discs that a move turns, none where it is illegal."""
    turned: list[str] = []
    for down, right in STEPS:
        line = []
        column, row = ord(square[0]) + right, int(square[1]) + down
        while board.get(f"{chr(column)}{row}", color) != color:
            line.append(f"{chr(column)}{row}")
            column, row = column + right, row + down
        if f"{chr(column)}{row}" in board:
            turned += line
    return [] if square in board else turned


def play(board: dict[str, str], color: str, square: str) -> None:
    """Put a disc on the board and turn the others."""
    board |= dict.fromkeys([*flips(board, color, square), square], color)


def choose(board: dict[str, str], color: str) -> str:
    """Return the move that turns most discs, or pass."""
    squares = [column + row for column in "abcdefgh" for row in "12345678"]
    best = max(squares, key=lambda square: len(flips(board, color, square)))
    return best if flips(board, color, best) else "pass"


def answer(board: dict[str, str], command: str, words: list[str]) -> str:
    """Carry out a command and return its answer."""
    if command == "clear_board":
        board.clear()
        board |= new_board()
    elif command in ("play", "genmove"):
        color = words[0][0].lower()
        move = words[1].lower() if command == "play" else choose(board, color)
        if move != "pass":
            play(board, color, move)
        return "= " + (move if command == "genmove" else "")
    elif command == "boardsize" and words != ["8"]:
        return "? unacceptable size"
    return {"protocol_version": "= 2", "list_commands": "= " + "\n".join(COMMANDS)}.get(command, "= ")


def main() -> None:
    """Answer commands until the input ends or `quit` comes."""
    board = new_board()
    for line in sys.stdin:
        if command := line.split():
            known = command[0] in COMMANDS
            reply = answer(board, command[0], command[1:]) if known else "? unknown command"
            sys.stdout.write(f"{reply}\n\n")
            sys.stdout.flush()
            if command[0] == "quit":
                break


if __name__ == "__main__":
    main()
