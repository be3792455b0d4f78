"""The laboratory: figures, and the experiments that regenerate the published tables."""

from __future__ import annotations

__all__: list[str] = []
