"""A limit in processor time fails for what takes too long, and for nothing else."""

from itertools import count

import pytest

from tests.effort import TRIES, computed_within


def test_what_is_quick_is_returned_at_once() -> None:
    calls = count(1)
    assert computed_within(0.5, lambda: next(calls)) == 1


def test_what_a_neighbour_held_up_is_tried_again() -> None:
    clock = iter([0.0, 9.0, 10.0, 10.1])
    calls = count(1)
    assert computed_within(0.5, lambda: next(calls), lambda: next(clock)) == 2


def test_what_is_slow_each_time_fails() -> None:
    clock = count(0, 50.0)
    calls = count(1)
    with pytest.raises(AssertionError, match=r"50\.00 s"):
        computed_within(0.5, lambda: next(calls), lambda: next(clock))
    assert next(calls) == TRIES + 1
