"""The admin: states, times and counts for those who run the place, and never anyone's words.

Whatever is changed here goes through the same functions as from everywhere else, is confirmed on a
page that says what it will do, and leaves an audit row.
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
