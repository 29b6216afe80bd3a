"""The audit log: a record of acts that is never changed."""

from memory.audit.recording import clean_reason, record, record_all

__all__ = ["clean_reason", "record", "record_all"]
