"""The game as text in a terminal.

advice    hints, values and the report of an analysis
output    options, results, colours and progress that commands share
screen    boards and lists that fit the terminal
terminal  the game in a terminal: lines typed become commands
trace     the trace kept after a game
"""

__all__: list[str] = []
