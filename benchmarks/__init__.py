"""What Othellier promises in numbers, measured: `make bench` writes RESULTS.md anew."""

from __future__ import annotations
