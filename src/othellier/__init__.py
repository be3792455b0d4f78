"""Othellier: an Othello (Reversi) engine, laboratory and game."""

from __future__ import annotations

__all__: list[str] = []
