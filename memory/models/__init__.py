from memory.models.audit import AuditEvent
from memory.models.conversations import Attempt, IdempotencyKey, Session, Turn, VectorBlock
from memory.models.jobs import Job
from memory.models.limits import Usage
from memory.models.people import DataKey, Tier, User
from memory.models.tokens import ApiToken, Scope

__all__ = [
    "ApiToken",
    "Attempt",
    "AuditEvent",
    "DataKey",
    "IdempotencyKey",
    "Job",
    "Scope",
    "Session",
    "Tier",
    "Turn",
    "Usage",
    "User",
    "VectorBlock",
]
