"""What all tests share: property tests are never judged by the clock."""

from __future__ import annotations

from hypothesis import settings

settings.register_profile("othellier", deadline=None)
settings.load_profile("othellier")
