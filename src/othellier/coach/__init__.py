"""The coach judges moves and games, gives reasons, and finds what to learn from: one for page, terminal and Python.

scale       what a move gives away in a word, accuracy, phases: the one set of limits
reasons     why a move is worse than another, in features of the boards
judging     one move judged
analysis    a game judged: players, turning points, mistakes
workers     the engines that do it, a position each
advice      the best move and the value of every move, with the book
lessons     what to learn from: puzzles, weak phases, frequent reasons
puzzle_set, puzzle_making, puzzle_play
            graded puzzles: their file, how they are made, how one is played
words       labels and reasons in sentences, reports in lines
drawing     the graph of a game and its page for notebooks
"""

from othellier.coach.analysis import GameAnalysis
from othellier.coach.judging import JudgedMove
from othellier.coach.review import analyses, analyze

__all__ = ["GameAnalysis", "JudgedMove", "analyses", "analyze"]
