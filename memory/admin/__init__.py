"""The admin: states, times and counts for operators, and never anyone's words.

Changes go through the same functions as everywhere else. Each is confirmed on a page that states
its effects, and leaves an audit event.
"""

from memory.admin import approvals, audit_lines, conversations, records
from memory.admin.accounts import people
from memory.admin.holds import placing, postponed
from memory.admin.requests import certificates, erasures, packages
from memory.admin.retention import policies, runs
from memory.admin.rows import ReadOnlyAdmin

__all__ = [
    "ReadOnlyAdmin",
    "approvals",
    "audit_lines",
    "certificates",
    "conversations",
    "erasures",
    "packages",
    "people",
    "placing",
    "policies",
    "postponed",
    "records",
    "runs",
]
