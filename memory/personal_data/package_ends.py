"""The end of packages: unavailable at once, their bytes are deleted afterwards, a few at a time.

A package has a part for each megabyte, and may have thousands. So its end is a change of one row,
in the transaction of its cause; from then on it is neither shown nor fetched. A job deletes its
parts, in short transactions, and the clean-up those of expired packages. The row is deleted last,
so that after a kill the next run finds the remaining parts.
"""

from functools import partial
from uuid import UUID

from django.db import transaction
from django.utils import timezone

from memory import jobs
from memory.jobs.batches import delete_in_batches, run_each_alone
from memory.models import ExportPackage, PackagePart
from memory.models.exports import ExportPackageQuerySet

DELETE_PARTS = jobs.register_kind(
    "delete_package_parts", jobs.WorkClass.RIGHTS, jobs.AuditClass.DERIVED
)
# Parts of a transaction, a megabyte each, that is short enough not to be noticed.
PARTS_AT_ONCE = 8
PACKAGES_AT_ONCE = 100
Status = ExportPackage.Status


def end(packages: ExportPackageQuerySet, status: str) -> None:
    """Make the packages unavailable, in the caller's transaction; a job deletes their parts."""
    for package, owner in _shut(packages, status):
        jobs.enqueue(DELETE_PARTS, package, owner=owner)


@jobs.job(DELETE_PARTS)
def delete_parts_of_ended(lease: jobs.Lease) -> None:
    """Delete the parts of a package that has ended."""
    ended = ExportPackage.objects.done().filter(pk=lease.subject)
    delete_parts(ended, pulse=lease.pulse)
    with lease.finishing():
        pass


def delete_parts(packages: ExportPackageQuerySet, *, pulse: jobs.Pulse) -> None:
    """Delete the parts of the packages, in small transactions that each call `pulse`."""
    ids = list(packages.values_list("pk", flat=True))
    parts = PackagePart.objects.filter(package__in=ids).order_by("package_id", "number")
    delete_in_batches(parts, batch=PARTS_AT_ONCE, pulse=pulse)


def purge_expired(pulse: jobs.Pulse = lambda: None) -> int:
    """Delete the expired packages, and those with expired content; return how many."""
    _expire_with_ended()
    gone, left = 0, list[UUID]()
    over = ExportPackage.objects.expired().order_by("expires_at").values_list("pk", flat=True)
    while ids := list((over.exclude(pk__in=left) if left else over)[:PACKAGES_AT_ONCE]):
        try:
            gone += _delete_expired(ids, pulse)
        except jobs.LostLease:
            raise
        except Exception:  # noqa: BLE001 - one of them: it is told below
            alone = partial(_delete_expired, pulse=pulse)
            some, raised = run_each_alone(alone, ([each] for each in ids), "package_not_purged")
            gone, left = gone + some, [*left, *(each for (each,) in raised)]
    return gone


def _delete_expired(ids: list[UUID], pulse: jobs.Pulse) -> int:
    packages = ExportPackage.objects.filter(pk__in=ids)
    # After a clock is set back, they would not be expired any more.
    with transaction.atomic():
        _shut(packages.unfetched(), Status.DISCARDED)
    delete_parts(packages, pulse=pulse)
    return packages.delete()[0]


def _expire_with_ended() -> None:
    """End the packages with expired content, and set their expiry."""
    incomplete = ExportPackage.objects.containing_ended().order_by("owner")
    while ids := list(incomplete.values_list("pk", flat=True)[:PACKAGES_AT_ONCE]):
        with transaction.atomic():
            packages = ExportPackage.objects.filter(pk__in=ids)
            _shut(packages.unfetched(), Status.DISCARDED, expires_at=timezone.now())


def _shut(
    packages: ExportPackageQuerySet, status: str, **values: object
) -> list[tuple[UUID, UUID]]:
    """Set the packages' final status; return their ids and owners."""
    locked = packages.order_by("pk").select_for_update()
    found = list(locked.values_list("pk", "owner_id"))
    fetched_at = timezone.now() if status == Status.FETCHED else None
    ended = {"status": status, "link_hash": "", "fetched_at": fetched_at} | values
    if found:
        ids, owners = zip(*found, strict=True)
        ExportPackage.objects.filter(pk__in=ids, owner__in=owners).update(**ended)
    return found
