"""What is counted of the work, for those who watch it: numbers, never what they are of."""

from memory.metrics.counting import count, mirror, observe
from memory.metrics.tracing import TracedStep, traced

__all__ = ["TracedStep", "count", "mirror", "observe", "traced"]
