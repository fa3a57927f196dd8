"""The time for clocks and dice: it goes on steadily, even if the clock of the system is set meanwhile.

It starts at the time of the system, so that processes agree and a stored time has a meaning after a restart.
"""

from __future__ import annotations

import time
from typing import Final

_STARTED: Final = time.time() - time.monotonic()


def steady_time() -> float:
    """Return the seconds since 1970, as the clock of the system said when this process started."""
    return _STARTED + time.monotonic()
