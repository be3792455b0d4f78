"""A game in play, without input, output, threads or a clock of its own.

commands        commands to a game, and their checks
rights          who may change a game
session         the state machine of a game in play
session_events  events that a command has caused
snapshot        a session as it is stored and read again
"""

__all__: list[str] = []
