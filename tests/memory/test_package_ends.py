"""The bytes of a package go in short transactions, and nobody has it from the first of them on."""

from datetime import timedelta

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from memory.errors import NotFound
from memory.models import ExportPackage, PackagePart, User
from memory.personal_data import packages
from memory.personal_data.package_ends import (
    PARTS_AT_ONCE,
    purge_expired,
)

pytestmark = [pytest.mark.django_db, pytest.mark.postgresql]

PARTS = 3 * PARTS_AT_ONCE + 1
FUTURE = timedelta(days=1)


class Killed(BaseException):
    """The process is no more."""


class Dying:
    """A pulse that is the last one of its process, after so many transactions."""

    def __init__(self, after: int) -> None:
        self.left = after

    def __call__(self) -> None:
        if not self.left:
            raise Killed
        self.left -= 1


def stored(owner: User, *, parts: int = PARTS, end: timedelta = FUTURE) -> ExportPackage:
    """Store a package that is ready, with so many parts."""
    package = ExportPackage.objects.create(
        owner=owner, status="ready", size=4 * parts, expires_at=timezone.now() + end
    )
    for number in range(1, parts + 1):
        part = PackagePart(package=package, owner=owner, number=number)
        part.payload = f"{number:4}".encode()
        part.save(force_insert=True)
    return package


def expire(package: ExportPackage) -> None:
    ExportPackage.objects.filter(pk=package.pk).update(expires_at=timezone.now())


def test_a_purge_that_is_killed_between_two_slices_is_gone_on_with(
    owner: User, colleague: User
) -> None:
    package, other = stored(owner), stored(colleague, parts=2)
    expire(package)
    for left in (PARTS - PARTS_AT_ONCE, PARTS - 2 * PARTS_AT_ONCE):
        with pytest.raises(Killed):
            purge_expired(Dying(after=1))
        assert package.parts.count() == left
    assert purge_expired() == 1
    assert not package.parts.exists()
    assert [*ExportPackage.objects.all()] == [other]
    assert other.parts.count() == 2


def test_a_package_of_which_a_part_is_gone_is_fetched_by_nobody(owner: User) -> None:
    package = stored(owner)
    path = f"/api/v1/packages/{package.pk}/file/{packages.make_link(package).token}"
    begun = packages.read_pieces(ExportPackage.objects.get(pk=package.pk))
    next(begun)
    expire(package)
    with pytest.raises(Killed):
        purge_expired(Dying(after=1))
    # Not even with the clock put back.
    ExportPackage.objects.update(
        expires_at=timezone.now() + FUTURE, link_until=timezone.now() + FUTURE
    )
    client = Client()
    client.force_login(owner)
    assert client.get(path).status_code == 404
    assert (
        client.post(f"/api/v1/packages/{package.pk}/link", {}, "application/json").status_code
        == 409
    )
    with pytest.raises(NotFound):
        list(begun)


@pytest.mark.parametrize("parts", [1, PARTS])
def test_statements_are_bounded_by_the_slices(owner: User, colleague: User, parts: int) -> None:
    for each in (owner, colleague):
        expire(stored(each, parts=parts))
    with CaptureQueriesContext(
        connection,
    ) as asked:
        purge_expired()
    deleted = [query["sql"] for query in asked if query["sql"].startswith("DELETE")]
    slices = -(-2 * parts // PARTS_AT_ONCE)
    assert len(deleted) == slices + 2  # and what is left of parts, and the rows
    assert len(asked) <= 4 * slices + 16
    assert not ExportPackage.objects.exists()


# --- Erasure --------------------------------------------------------------------------------------
