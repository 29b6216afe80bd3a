"""How long something computes, held against a limit on any machine.

Processor time is longer, too, where neighbours take the caches or the machine is older. What is
over its limit is tried again, since neighbours come and go, and at last the limit grows with what a
loop of known length takes there and then. What takes time in the square is over by far more.
"""

import time
from collections.abc import Callable
from typing import TypeVar

from tests.budget import slowness

TRIES = 3
Made = TypeVar("Made")


def computed_within(
    seconds: float, make: Callable[[], Made], clock: Callable[[], float] = time.thread_time
) -> Made:
    """Return what is made; fail if it takes more processor time than that, by the clock."""
    least = float("inf")
    for _ in range(TRIES):
        begun = clock()
        made = make()
        least = min(least, clock() - begun)
        if least < seconds:
            break
    assert is_within(seconds, least), f"{least:.2f} s of processor time"
    return made


def is_within(seconds: float, took: float) -> bool:
    """Return whether what took so long is within the limit, as fast as the machine is just now."""
    return took < seconds or took < seconds * slowness()
