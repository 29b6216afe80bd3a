"""The life of packages, from request to download: their owner, lifetime and storage.

Their content is defined in chat.packages. The file is sealed in the database, in parts, so it is
deleted with its person. It is deleted (memory.personal_data.package_ends) once it was fetched
whole, or when it expires. A link works once, within its lifetime, and only for its person, who must
be signed in. A package and its links expire no later than the first of its conversations.
"""

import hashlib
import io
import secrets
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any
from uuid import UUID

from django.db import IntegrityError, transaction
from django.db.models import Exists
from django.utils import timezone
from django.utils.translation import gettext_lazy

from memory import audit, jobs
from memory.errors import NotFound, Refusal
from memory.models import ExportPackage, Job, PackagePart, RetentionPolicy, Session, User
from memory.models.exports import ExportPackageQuerySet
from memory.personal_data.package_ends import delete_parts, end

MAKE = jobs.register_kind("make_package", jobs.WorkClass.BULK, jobs.AuditClass.ACTS)
PART_BYTES = 1_048_576
LONGEST_LINK = timedelta(hours=24)
Status = ExportPackage.Status


class NotReady(Refusal):
    """The package is still being made, was already fetched, or could not be made."""

    code = "package_not_ready"
    says = gettext_lazy("There is no package to be fetched now.")


class NotWanted(Exception):
    """The package is no longer wanted: stop making it."""


@dataclass(frozen=True)
class Link:
    """The credential that fetches a package, once: the token is shown only now."""

    token: str
    until: datetime


def ask_for_package(user: User) -> ExportPackage:
    """Begin to make a package; return an unfinished one, and discard a ready one."""
    try:
        with transaction.atomic():
            mine = ExportPackage.objects.filter(owner=user).select_for_update()
            if begun := mine.filter(status__in=Status.unmade()).first():
                return begun
            end(mine.filter(status=Status.READY), Status.DISCARDED)
            package = ExportPackage.objects.create(owner=user, expires_at=_compute_end(user))
            audit.record("package.asked", actor=user.pk, subject=package)
            jobs.enqueue(MAKE, package.pk, owner=user.pk)
            return package
    except IntegrityError:  # another request was first
        return ExportPackage.objects.unfetched().get(owner=user)


def get_newest_package(user: User) -> ExportPackage | None:
    """Return the person's newest unexpired package, whatever its status."""
    return ExportPackage.objects.visible(user).order_by("-id").first()


def get_own_package(user: User, package_id: UUID) -> ExportPackage:
    """Return the person's own package, or raise NotFound as for one that doesn't exist."""
    package = ExportPackage.objects.visible(user).filter(pk=package_id).first()
    if package is None:
        raise NotFound
    return package


def _compute_end(user: User) -> datetime:
    seconds = RetentionPolicy.objects.ruling(user.tier).export_lifetime
    return timezone.now() + timedelta(seconds=seconds)


def _end_of_first(user: User, latest: datetime) -> datetime:
    """Return the earliest expiry of the person's conversations, if it is before the latest."""
    # Not by Min: a database would scan everyone's, in the order of expiry.
    ends = Session.objects.visible(user).values_list("expires_at", flat=True)
    return min([latest, *ends])


def get_progress(package: ExportPackage) -> int:
    """Return the progress of the package, in percent."""
    if not package.is_being_made:
        return 100
    job = Job.objects.filter(kind=MAKE, subject=package.pk).order_by("-id").first()
    return min(99, 100 * job.progress // job.total) if job and job.total else 0


# --- Making ---------------------------------------------------------------------------------------


def begin_making(package_id: UUID, pulse: jobs.Pulse = lambda: None) -> ExportPackage | None:
    """Return the package to be made, empty; None if it is no longer wanted."""
    with transaction.atomic():
        wanted = ExportPackage.objects.filter(pk=package_id, status__in=Status.unmade())
        package = wanted.select_related("owner").select_for_update(of=("self",)).first()
        if package is None:
            return None
        package.status = Status.MAKING
        package.save(update_fields=["status"])
    # A dead worker may have begun it; or this one is dead for another, and `pulse` raises.
    delete_parts(ExportPackage.objects.filter(pk=package.pk), pulse=pulse)
    return package


def end_making(package: ExportPackage, *, size: int, digest: str) -> None:
    """Make the package available; call in the transaction that ends its job."""
    now = timezone.now()
    made = ExportPackage.objects.filter(pk=package.pk, status=Status.MAKING)
    end = _end_of_first(package.owner, _compute_end(package.owner))
    done = {"status": Status.READY, "ready_at": now, "expires_at": end}
    if made.update(size=size, digest=digest, **done):
        audit.record("package.made", actor=package.owner_id, subject=package)


def fail(package_id: UUID) -> None:
    """Note that the package could not be made."""
    end(ExportPackage.objects.unfetched().filter(pk=package_id), Status.FAILED)


class Sink(io.RawIOBase):
    """The writer of a package's file: each megabyte is sealed and stored at once.

    `pulse` renews the lease of the job that writes, or raises: then nothing more is stored.
    """

    def __init__(self, package: ExportPackage, pulse: jobs.Pulse) -> None:
        self.size = 0
        self._package = package
        self._pulse = pulse
        self._pending = bytearray()
        self._number = 0

    def writable(self) -> bool:
        return True

    def write(self, data: Any) -> int:
        self._pending += data
        self.size += len(data)
        while len(self._pending) >= PART_BYTES:
            self._store(PART_BYTES)
        return len(data)

    def finish(self) -> None:
        """Store the rest."""
        if self._pending:
            self._store(len(self._pending))

    def _store(self, length: int) -> None:
        payload = bytes(self._pending[:length])
        del self._pending[:length]
        self._number += 1
        with transaction.atomic():
            self._pulse()
            making = ExportPackage.objects.filter(pk=self._package.pk, status=Status.MAKING)
            if not making.select_for_update().exists():
                raise NotWanted
            owner_id, number = self._package.owner_id, self._number
            part = PackagePart(package=self._package, owner_id=owner_id, number=number)
            part.payload = payload
            part.save(force_insert=True)


# --- Fetching -------------------------------------------------------------------------------------


def make_link(package: ExportPackage) -> Link:
    """Make the link that fetches the package; an earlier one becomes invalid."""
    latest = min(package.expires_at, timezone.now() + LONGEST_LINK)
    link = Link(secrets.token_urlsafe(32), _end_of_first(package.owner, latest))
    with transaction.atomic():
        ready = ExportPackage.objects.filter(pk=package.pk, status=Status.READY)
        if not ready.update(link_hash=_hash_token(link.token), link_until=link.until):
            raise NotReady
        audit.record("package.link_made", actor=package.owner_id, subject=package)
    return link


def redeem(user: User, package_id: UUID, token: str) -> ExportPackage:
    """Return the person's package for the link, this once, or raise NotFound."""
    with transaction.atomic():
        linked = ExportPackage.objects.visible(user).filter(
            pk=package_id, status=Status.READY, link_hash=_hash_token(token)
        )
        # Of two simultaneous uses, one finds the row.
        if not linked.filter(link_until__gt=timezone.now()).update(link_hash=""):
            raise NotFound
        package = ExportPackage.objects.get(pk=package_id)
        audit.record("package.fetched", actor=user.pk, subject=package)
    return package


def read_pieces(package: ExportPackage) -> Iterator[bytes]:
    """Yield the file while it may be read; then delete it, since it was fetched whole."""
    number = 0
    readable = package.parts.filter(
        package__in=ExportPackage.objects.visible(package.owner).filter(status=Status.READY)
    )
    while part := readable.filter(number__gt=number).order_by("number").first():
        yield part.payload
        number = part.number
    mine = ExportPackage.objects.filter(pk=package.pk, status=Status.READY)
    if not mine.current().exists():
        raise NotFound
    with transaction.atomic():
        end(mine, Status.FETCHED)


def _hash_token(token: str) -> str:
    # 256 random bits need no salt: they can't be guessed.
    return hashlib.sha256(token.encode()).hexdigest()


# --- Ending ---------------------------------------------------------------------------------------


def delete_unfetched(owner_id: UUID) -> None:
    """Delete unfetched packages, in the caller's transaction: part of their content is deleted."""
    end(ExportPackage.objects.unfetched().filter(owner_id=owner_id), Status.DISCARDED)


def find_unfetched(session_ids: Collection[UUID]) -> list[UUID]:
    """Return the packages with these expired sessions; a later one has none of them."""
    ended = Exists(ExportPackageQuerySet.ended().filter(pk__in=session_ids))
    return list(ExportPackage.objects.unfetched().filter(ended).values_list("pk", flat=True))


def delete_packages(ids: Collection[UUID]) -> None:
    """Delete the unfetched ones of the packages, in the caller's transaction."""
    end(ExportPackage.objects.unfetched().filter(pk__in=ids), Status.DISCARDED)


def delete_package(package: ExportPackage, *, actor: User) -> None:
    """Delete a package on its person's request."""
    with transaction.atomic():
        audit.record("package.discarded", actor=actor.pk, subject=package)
        delete_packages([package.pk])
