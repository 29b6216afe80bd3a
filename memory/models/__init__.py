from memory.models.audit import AuditEvent
from memory.models.blocks import VectorBlock, WordBlock
from memory.models.consents import Consent, Purpose
from memory.models.conversations import Session
from memory.models.erasures import Certificate, ErasureRequest
from memory.models.exports import ExportPackage, PackagePart
from memory.models.holds import LegalHold, WaitingDeletion
from memory.models.jobs import Job
from memory.models.knowledge import Entity
from memory.models.ledger import (
    DataKey,
    ErasedPerson,
    ErasedRow,
    LedgerEcho,
    LedgerMark,
    WithdrawnConsent,
)
from memory.models.limits import Usage
from memory.models.people import Tier, User
from memory.models.policies import PurgeFailure, RetentionPolicy, RetentionRun
from memory.models.turns import Attempt, IdempotencyKey, RewriteSource, Turn
from memory.models.tokens import ApiToken, Scope

__all__ = [
    "ApiToken",
    "Attempt",
    "AuditEvent",
    "Certificate",
    "Consent",
    "DataKey",
    "Entity",
    "ErasedPerson",
    "ErasedRow",
    "ErasureRequest",
    "ExportPackage",
    "IdempotencyKey",
    "Job",
    "LedgerEcho",
    "LedgerMark",
    "LegalHold",
    "PackagePart",
    "PurgeFailure",
    "Purpose",
    "RetentionPolicy",
    "RetentionRun",
    "RewriteSource",
    "Scope",
    "Session",
    "Tier",
    "Turn",
    "Usage",
    "User",
    "VectorBlock",
    "WaitingDeletion",
    "WithdrawnConsent",
    "WordBlock",
]
