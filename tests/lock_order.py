"""The order in which a transaction takes the locks that others may wait for.

Two transactions that take them in different orders wait for each other for ever: PostgreSQL ends
one of them after a second. So whoever needs several takes them in this order; the tests look at
each statement that locks (tests/lock_watch.py). SQLite has one lock, taken when a transaction
begins.
"""

from collections.abc import Collection

# The higher table is locked first.
ORDER = (
    "memory_session",
    "memory_retentionrun",
    "memory_user",
    "citations_document",
    "citations_offereddocument",
    "memory_exportpackage",
    "mfa_authenticator",
    "memory_erasurerequest",
    "memory_ledgerecho",
    "memory_ledgermark",
    "citations_embedderrecord",
    "chat_modelprofile",
    "memory_effectivesettings",
)
# Rows of a session: never before it, and behind it in any order. Others come to none of them but to
# facts, and wait for those last.
INSIDE_SESSION = frozenset(
    {
        "memory_attempt",
        "memory_turn",
        "memory_fact",
        "memory_purgefailure",
        "citations_documentstanding",
    }
)


def taken_too_late(table: str, held: Collection[str]) -> list[str]:
    """Return the tables whose rows are held already, and should have been locked after this one."""
    if table in held or table not in ORDER:
        return []
    later = set(ORDER[ORDER.index(table) + 1 :])
    if table == ORDER[0]:
        later |= INSIDE_SESSION
    return sorted(later & set(held))


def has_place(table: str) -> bool:
    """Return whether the order says when the rows of the table are locked."""
    return table in ORDER or table in INSIDE_SESSION
