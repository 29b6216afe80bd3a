"""Recipients: the external servers, by name, that receive a person's words.

They are noted before anything is sent, and kept until the account is erased: text deleted here may
still be there.
"""

from collections.abc import Iterable
from datetime import datetime
from urllib.parse import urlsplit
from uuid import UUID

from django.db import connection
from django.db.migrations.recorder import MigrationRecorder

from memory.models import Recipient

# The migration that introduced them.
NOTED_BY = {"app": "memory", "name__endswith": "_recipients_of_erased"}


def note_recipients(owner: UUID | None, addresses: Iterable[str]) -> None:
    """Note that the person's words are sent to the servers at these addresses."""
    hosts = {urlsplit(address).netloc.rpartition("@")[2][:255] for address in addresses}
    if owner is None or not hosts:
        return
    if new := hosts.difference(get_recipients(owner)):
        rows = [Recipient(owner_id=owner, host=host) for host in sorted(new)]
        Recipient.objects.bulk_create(rows, ignore_conflicts=True)


def get_recipients(owner: UUID) -> list[str]:
    """Return the names of the servers that received the person's words."""
    rows = Recipient.objects.filter(owner_id=owner)
    return list(rows.order_by("host").values_list("host", flat=True))


def get_noting_start() -> datetime | None:
    """Return the start of the records: the installation of the version that began them."""
    applied = MigrationRecorder(connection).migration_qs.filter(**NOTED_BY)
    return applied.values_list("applied", flat=True).first()
