"""The same tests say the same twice, on a busy machine too: the same examples in each run, and none against a clock.

`pytest --hypothesis-profile=explore` tries others.
"""

from __future__ import annotations

from hypothesis import HealthCheck, settings

settings.register_profile("steady", derandomize=True, deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.register_profile("explore", settings.get_profile("steady"), derandomize=False)
settings.load_profile("steady")
