"""Counters of the work, for its operators: numbers, never anything of a person."""

from memory.metrics.counting import count, mirror, observe
from memory.metrics.tracing import TracedStep, traced

__all__ = ["TracedStep", "count", "mirror", "observe", "traced"]
