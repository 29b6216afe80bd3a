"""What is written down about what was done, and never changed."""

from memory.audit.recording import record, record_all

__all__ = ["record", "record_all"]
