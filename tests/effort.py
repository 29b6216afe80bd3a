"""A bound on processor time, wide enough for a slow machine and too tight for quadratic time."""

import time
from collections.abc import Callable
from typing import TypeVar

TRIES = 3
SLACK = 4.0
Made = TypeVar("Made")


def computed_within(
    seconds: float, make: Callable[[], Made], clock: Callable[[], float] = time.thread_time
) -> Made:
    """Return what is made; fail if the fastest of three tries takes more than SLACK times that."""
    least = float("inf")
    for _ in range(TRIES):
        begun = clock()
        made = make()
        least = min(least, clock() - begun)
        if is_within(seconds, least):
            return made
    raise AssertionError(f"{least:.2f} s of processor time, for {seconds:.2f} s")


def is_within(seconds: float, took: float) -> bool:
    """Return whether a time is within SLACK times the bound."""
    return took < SLACK * seconds
