from memory.models.audit import AuditEvent
from memory.models.blocks import VectorBlock, WordBlock
from memory.models.conversations import (
    Attempt,
    IdempotencyKey,
    RewriteSource,
    Session,
    Turn,
)
from memory.models.jobs import Job
from memory.models.knowledge import Entity
from memory.models.limits import Usage
from memory.models.people import DataKey, Tier, User
from memory.models.tokens import ApiToken, Scope

__all__ = [
    "ApiToken",
    "Attempt",
    "AuditEvent",
    "DataKey",
    "Entity",
    "IdempotencyKey",
    "Job",
    "RewriteSource",
    "Scope",
    "Session",
    "Tier",
    "Turn",
    "Usage",
    "User",
    "VectorBlock",
    "WordBlock",
]
