"""The audit's own time: nobody can use it to hide what was done about keeping and deleting."""

from typing import Any

import pytest
from django.db import IntegrityError, transaction

from memory.audit import chain, feed
from memory.audit.expiry import purge_audit
from memory.models import AuditEvent, AuditFeed, AuditLink, RetentionPolicy, User
from tests.memory.retained import DAY, audited

pytestmark = pytest.mark.django_db

TERMS = {"version": 1, "lifetime": 1000, "max_turns": 9}


def test_the_audit_is_kept_unless_its_tier_gives_it_a_time(owner: User, colleague: User) -> None:
    User.objects.filter(pk=colleague.pk).update(tier="research")
    for actor in (owner.pk, colleague.pk, None):
        audited("old", actor=actor, days=200)
        AuditEvent.objects.create(action="new", actor_id=actor)
    assert purge_audit() == 0
    RetentionPolicy.objects.create(tier="default", audit_lifetime=100 * DAY, **TERMS)
    assert purge_audit() == 1
    left = AuditEvent.objects.filter(action="old").values_list("actor_id", flat=True)
    assert set(left) == {colleague.pk, None}
    for tier in ("enterprise", "research"):
        RetentionPolicy.objects.create(tier=tier, audit_lifetime=300 * DAY, **TERMS)
    assert purge_audit() == 0
    second = TERMS | {"version": 2, "audit_lifetime": 90 * DAY}
    RetentionPolicy.objects.create(tier="research", **second)
    assert purge_audit() == 1
    assert AuditEvent.objects.filter(action="old").get().actor_id is None
    assert AuditEvent.objects.filter(action="new").count() == 3
    # Each pass that removes something says that it did.
    assert AuditEvent.objects.filter(action="audit.forgotten").count() == 2


def test_what_a_receiver_of_the_feed_has_not_taken_is_kept(owner: User, settings: Any) -> None:
    settings.AUDIT_FEED = ["https://siem.example/in"]
    RetentionPolicy.objects.create(tier="default", audit_lifetime=90 * DAY, **TERMS)
    for action, days in (("first", 200), ("second", 199)):
        audited(action, actor=owner.pk, days=days)
    chain.extend()
    assert purge_audit() == 0
    assert not AuditEvent.objects.filter(action="audit.forgotten").exists()
    first = AuditLink.objects.get(event_id=AuditEvent.objects.get(action="first").pk)
    name = feed._name(settings.AUDIT_FEED[0])
    AuditFeed.objects.create(name=name, number=first.number)
    assert purge_audit() == 1
    left = AuditEvent.objects.filter(action__in=["first", "second"])
    assert [event.action for event in left] == ["second"]


def test_what_is_said_of_keeping_and_deleting_is_said_for_good(owner: User) -> None:
    for tier in ("default", "enterprise", "research"):
        RetentionPolicy.objects.create(tier=tier, audit_lifetime=90 * DAY, **TERMS)
    kept = {"policy.changed", "hold.released", "erasure.confirmed", "retention.done"}
    for action in (*kept, "turn.asked"):
        audited(action, actor=owner.pk, days=3000)
    assert purge_audit() == 1
    actions = set(AuditEvent.objects.values_list("action", flat=True))
    assert actions - {"consent.given"} == kept | {"audit.forgotten"}


@pytest.mark.parametrize("terms", [{"audit_lifetime": 60}, {"export_lifetime": 8 * DAY}])
def test_the_database_refuses_a_policy_that_hides_the_audit_or_keeps_packages(
    db: None, terms: dict[str, int]
) -> None:
    with pytest.raises(IntegrityError), transaction.atomic():
        RetentionPolicy.objects.create(tier="default", **TERMS, **terms)
