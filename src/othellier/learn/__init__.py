"""From games to weights: data, training, export. The only room that imports PyTorch."""

from __future__ import annotations

__all__: list[str] = []
