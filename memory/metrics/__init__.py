"""What is counted of the work, for those who watch it: numbers, never what they are of."""

from memory.metrics.counting import count, mirror, observe

__all__ = ["count", "mirror", "observe"]
