from memory.models.attempts import Attempt, Process
from memory.models.blocks import Entity, VectorBlock, WordBlock
from memory.models.conversations import Session
from memory.models.exports import ExportPackage, PackagePart
from memory.models.facts import Fact, FactKind
from memory.models.governance.approvals import PendingAct
from memory.models.governance.audit import (
    AuditAddress,
    AuditDetail,
    AuditEvent,
    EffectiveSettings,
    OperatorAct,
    SavedFilter,
)
from memory.models.governance.audit_chain import (
    AuditAnchor,
    AuditCheck,
    AuditFeed,
    AuditLink,
    AuditStub,
)
from memory.models.governance.consents import Consent, Purpose
from memory.models.governance.emergencies import EmergencyAccess
from memory.models.governance.erasures import Certificate, ErasureRequest
from memory.models.governance.holds import LegalHold, WaitingDeletion
from memory.models.governance.policies import PurgeFailure, RetentionPolicy, RetentionRun
from memory.models.jobs import Job
from memory.models.people import ApiToken, Recipient, Scope, Tier, Usage, User
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
    "AuditAddress",
    "AuditAnchor",
    "AuditCheck",
    "AuditDetail",
    "AuditEvent",
    "AuditFeed",
    "AuditLink",
    "AuditStub",
    "Certificate",
    "Consent",
    "DataKey",
    "EffectiveSettings",
    "EmergencyAccess",
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
    "PendingAct",
    "Process",
    "PurgeFailure",
    "Purpose",
    "Recipient",
    "RetentionPolicy",
    "RetentionRun",
    "RewriteSource",
    "SavedFilter",
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
