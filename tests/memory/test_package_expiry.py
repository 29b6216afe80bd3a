"""A package goes with what is in it: at the moment that one of its conversations expires."""

from datetime import timedelta

import pytest
from django.utils import timezone

from citations.models import OfferedDocument
from memory.errors import NotFound
from memory.forgetting.retention import sweeping
from memory.forgetting.retention.lifetimes import limit_lifetime
from memory.jobs.queue import run_due
from memory.models import ExportPackage, Session, User
from memory.personal_data import package_ends, packages
from tests.memory.retained import expired_session_of, session_of

pytestmark = pytest.mark.django_db


def made(owner: User) -> ExportPackage:
    package = packages.ask_for_package(owner)
    run_due()
    package.refresh_from_db()
    assert package.status == "ready"
    return package


def offered(session: Session) -> None:
    """Let documents have been offered to its turns: rows that are locked before a package."""
    for turn in session.turns.all():
        OfferedDocument.objects.create(turn=turn)


def test_a_package_is_gone_at_the_moment_that_something_in_it_expires(owner: User) -> None:
    session = session_of(owner, turns=2)
    package = made(owner)
    link = packages.make_link(package)
    assert packages.get_newest_package(owner) == package
    Session.objects.filter(pk=session.pk).update(expires_at=timezone.now())
    assert packages.get_newest_package(owner) is None
    with pytest.raises(NotFound):
        packages.get_own_package(owner, package.pk)
    with pytest.raises(NotFound):
        packages.redeem(owner, package.pk, link.token)
    package_ends.purge_expired()
    assert not ExportPackage.objects.exists()


def test_a_shorter_time_takes_the_package_along(owner: User) -> None:
    session = session_of(owner, turns=2, idle=timedelta(hours=3))
    offered(session)
    package = made(owner)
    limit_lifetime(session, 3600)
    assert packages.get_newest_package(owner) is None
    sweeping.sweep()
    run_due()
    package.refresh_from_db()
    assert (package.status, package.parts.count()) == ("discarded", 0)
    assert packages.get_newest_package(owner) == package


def test_what_expired_before_is_in_no_package_and_takes_none_along(owner: User) -> None:
    expired_session_of(owner, turns=1)
    session_of(owner, turns=1)
    package = made(owner)
    sweeping.sweep()
    assert packages.get_newest_package(owner) == package
    later = expired_session_of(owner, turns=1)  # begun after it was made
    assert packages.get_newest_package(owner) == package
    sweeping.sweep()
    assert not Session.objects.filter(pk=later.pk).exists()
    package.refresh_from_db()
    assert package.status == "ready"
