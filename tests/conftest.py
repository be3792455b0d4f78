"""What all tests share: property tests are never judged by the clock, and Ctrl-C works wherever they were started."""

from __future__ import annotations

import signal

from hypothesis import settings

settings.register_profile("othellier", deadline=None)
settings.load_profile("othellier")

# A shell starts what runs in the background with Ctrl-C ignored, and programs pass that on to those they start. Here
# it is sent on purpose; where it has a handler, the programs of the tests begin with the usual one.
signal.signal(signal.SIGINT, signal.default_int_handler)
