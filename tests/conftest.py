"""What all tests share."""

from __future__ import annotations

import signal

from hypothesis import HealthCheck, settings

# No deadline, and examples may be slow to make: a busy machine must not fail a test that is right.
settings.register_profile(
    "quick", max_examples=10, deadline=None, print_blob=True, suppress_health_check=[HealthCheck.too_slow]
)
settings.register_profile("thorough", settings.get_profile("quick"), max_examples=100)  # `make test-all`
settings.load_profile("quick")

# A shell starts what it runs in the background with Ctrl-C ignored, and children inherit that; the tests of Ctrl-C
# must hold there too.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)
