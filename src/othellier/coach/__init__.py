"""The coach: judges moves and games, gives reasons, finds what to learn from."""

__all__: list[str] = []
