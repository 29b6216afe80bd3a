from memory.models.attempts import Attempt, Process
from memory.models.audit import AuditEvent, OperatorAct
from memory.models.blocks import Entity, VectorBlock, WordBlock
from memory.models.consents import Consent, Purpose
from memory.models.conversations import Session
from memory.models.erasures import Certificate, ErasureRequest
from memory.models.exports import ExportPackage, PackagePart
from memory.models.facts import Fact, FactKind
from memory.models.holds import LegalHold, WaitingDeletion
from memory.models.jobs import Job
from memory.models.people import ApiToken, Recipient, Scope, Tier, Usage, User
from memory.models.policies import PurgeFailure, RetentionPolicy, RetentionRun
from memory.models.summaries import Summary
from memory.models.turns import IdempotencyKey, RewriteSource, Turn
from memory.sealing.models import (
    DataKey,
    ErasedPerson,
    ErasedRow,
    LedgerEcho,
    LedgerMark,
    WithdrawnConsent,
)

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
    "Fact",
    "FactKind",
    "IdempotencyKey",
    "Job",
    "LedgerEcho",
    "LedgerMark",
    "LegalHold",
    "OperatorAct",
    "PackagePart",
    "Process",
    "PurgeFailure",
    "Purpose",
    "Recipient",
    "RetentionPolicy",
    "RetentionRun",
    "RewriteSource",
    "Scope",
    "Session",
    "Summary",
    "Tier",
    "Turn",
    "Usage",
    "User",
    "VectorBlock",
    "WaitingDeletion",
    "WithdrawnConsent",
    "WordBlock",
]
