"""What is written down about what was done, and never changed."""

from memory.audit.recording import clean_reason, record, record_all

__all__ = ["clean_reason", "record", "record_all"]
