from memory.models.audit import AuditEvent
from memory.models.conversations import Attempt, IdempotencyKey, Session, Turn, VectorBlock
from memory.models.jobs import Job
from memory.models.people import DataKey, Tier, User

__all__ = [
    "Attempt",
    "AuditEvent",
    "DataKey",
    "IdempotencyKey",
    "Job",
    "Session",
    "Tier",
    "Turn",
    "User",
    "VectorBlock",
]
