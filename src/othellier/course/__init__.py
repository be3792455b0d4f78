"""Exercises that check themselves: each task is one file in `tasks/`, or in a folder of the teacher's own."""

from othellier.course.checking import TaskReport, check_solution
from othellier.course.task import Counted, Failed, Task, Told, find_tasks

__all__ = ["Counted", "Failed", "Task", "TaskReport", "Told", "check_solution", "find_tasks"]
