"""The tasks of the course, one file each; `othellier.course.find_tasks` reads them."""

__all__: list[str] = []
