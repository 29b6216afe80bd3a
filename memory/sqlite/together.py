"""What is written for several people at once: on SQLite together, as each commit is a turn."""

from contextlib import AbstractContextManager, nullcontext

from django.db import connection, transaction


def in_one_turn() -> AbstractContextManager[object]:
    """Make one transaction of those inside where writers take turns.

    Elsewhere each stays for itself: whoever held the rows of several would keep others waiting in
    a circle.
    """
    return transaction.atomic() if connection.vendor == "sqlite" else nullcontext()
