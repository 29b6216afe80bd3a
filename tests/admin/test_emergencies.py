"""P07: nobody at the admin reads what was said, but in an emergency, with a reason, on record."""

from contextlib import suppress
from datetime import timedelta
from typing import Any

import pytest
from allauth.account.models import EmailAddress
from django.contrib.auth.models import Permission
from django.core import mail
from django.core.management import CommandError, call_command
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from memory import holds
from memory.models import AuditDetail, AuditEvent, EmergencyAccess, Session, User
from memory.people.staff import emergencies
from memory.personal_data.rows import audit_lines
from tests.admin.conftest import prove, words
from tests.memory.retained import session_of
from tests.people import person

pytestmark = pytest.mark.django_db
SAID = "The <script>alert(1)</script> diagnosis"
REASON = "The person does not answer, and their doctor asks."
READ = "from memory.models import Session; [row.title for row in Session.objects.all()]"


@pytest.fixture
def session(owner: User) -> Session:
    session = session_of(owner, turns=2, title="About the clinic")
    turn = session.turns.first()
    assert turn
    turn.query, turn.response = SAID, "It is **benign**. ![x](https://evil.example/x.png)"
    turn.save()
    return session


def outcomes(action: str) -> list[str | None]:
    rows = AuditEvent.objects.filter(action=action).order_by("id")
    return list(rows.values_list("outcome", flat=True))


def opened(at_admin: Client, row: User | Session) -> EmergencyAccess:
    """Open the conversations of the person, or the one, as the page does."""
    place = reverse(f"admin:memory_{row._meta.model_name}_open_in_emergency", args=[row.pk])
    prove(at_admin, place)
    assert at_admin.post(place, {"reason": REASON}).status_code == 302
    opening = EmergencyAccess.objects.order_by("-id").first()
    assert opening
    return opening


def read(client: Client, opening: EmergencyAccess, session: Session | None = None) -> Any:
    name = "admin:memory_emergencyaccess_read"
    found = client.get(reverse(name, args=[opening.pk]), follow=True)
    if session and found.status_code == 200:
        one = reverse("admin:memory_emergencyaccess_session", args=[opening.pk, session.pk])
        found = client.get(one)
    return found


def test_p07_each_opening_is_one_row_with_its_reason_and_lasts_thirty_minutes(
    at_admin: Client, boss: User, owner: User, session: Session
) -> None:
    place = reverse("admin:memory_user_open_in_emergency", args=[owner.pk])
    prove(at_admin, place)
    assert at_admin.post(place, {"reason": "  "}).status_code == 400
    assert at_admin.post(place, {"reason": "x" * 301}).status_code == 400
    assert at_admin.post(place, {"reason": REASON}).status_code == 302
    (opening,) = EmergencyAccess.objects.all()
    (event,) = AuditEvent.objects.filter(action="emergency.opened")
    assert (event.actor_id, event.subject_id) == (boss.pk, opening.pk)
    assert event.reason
    assert AuditDetail.objects.get(event_id=event.pk).reason == REASON
    assert "About the clinic" in words(read(at_admin, opening))
    page = read(at_admin, opening, session)
    shown = page.content.decode()
    assert "It is <strong>benign</strong>" in shown
    assert "<script>alert" not in shown
    assert 'src="https://evil' not in shown
    assert 'href="https://evil' not in shown
    assert "for 30 more minutes" in words(page)
    assert outcomes("emergency.read") == ["done"] * 3
    late = timezone.now() - timedelta(seconds=1)
    EmergencyAccess.objects.update(expires_at=late)
    assert read(at_admin, opening, session).status_code == 404
    assert outcomes("emergency.read")[-1] == "denied"
    assert opening.expires_at - opening.opened_at < timedelta(minutes=30, seconds=1)


def test_an_opening_ends_at_a_button_and_opens_nothing_to_others(
    at_admin: Client, owner: User, session: Session
) -> None:
    opening, other = opened(at_admin, session), session_of(owner, turns=1)
    assert "benign" in words(read(at_admin, opening))
    assert read(at_admin, opening, other).status_code == 404
    another = Client()
    another.force_login(person("second", is_staff=True, is_superuser=True))
    assert read(another, opening).status_code == 404
    end = reverse("admin:memory_emergencyaccess_end", args=[opening.pk])
    assert at_admin.get(end).status_code == 404
    assert at_admin.post(end).status_code == 302
    assert outcomes("emergency.closed") == ["done"]
    assert read(at_admin, opening).status_code == 404


def test_who_has_not_the_right_any_more_reads_nothing(owner: User, session: Session) -> None:
    clerk = person("clerk", is_staff=True, is_superuser=True)
    opening = emergencies.open_conversations(owner, operator=clerk, reason=REASON)
    User.objects.filter(pk=clerk.pk).update(is_superuser=False)
    client = Client()
    client.force_login(User.objects.get(pk=clerk.pk))
    assert read(client, opening, session).status_code == 403
    place = reverse("admin:memory_user_open_in_emergency", args=[owner.pk])
    assert client.get(place).status_code == 403
    denied = AuditEvent.objects.filter(action="admin.read", outcome="denied", actor_id=clerk.pk)
    assert denied.count() == 2


def test_nobody_opens_their_own_or_those_of_who_may_do_more(boss: User, owner: User) -> None:
    clerk = person("clerk", is_staff=True)
    clerk.user_permissions.set(
        Permission.objects.filter(codename__in=["add_emergencyaccess", "view_user"])
    )
    client = Client()
    client.force_login(clerk)
    for someone, status in ((boss, 403), (clerk, 403), (owner, 302)):
        place = reverse("admin:memory_user_open_in_emergency", args=[someone.pk])
        assert client.get(place).status_code == status


def test_the_person_is_told_at_once(
    owner: User, boss: User, settings: Any, django_capture_on_commit_callbacks: Any
) -> None:
    EmailAddress.objects.create(user=owner, email=owner.email, verified=True)
    settings.EMAIL_BACKEND = "django.core.mail.backends.locmem.EmailBackend"
    client = Client()
    client.force_login(owner)
    with django_capture_on_commit_callbacks(execute=True):
        opening = emergencies.open_conversations(owner, operator=boss, reason=REASON)
    emergencies.find_opening(opening.pk, operator=boss)
    (message,) = mail.outbox
    assert "boss opened your conversations" in message.body
    assert REASON not in message.body
    assert "boss opened your conversations" in words(client.get("/conversations"))
    shown = words(client.get("/account/data/events"))
    assert "by boss, today" in shown
    assert REASON in shown
    assert "Emergency access read" in shown
    assert "boss opened your conversations" not in words(client.get("/conversations"))


ROLLED_BACK = f"""
from django.db import transaction
with transaction.atomic():
    {READ}
    transaction.set_rollback(True)
"""


@pytest.mark.parametrize(
    ("command", "readings"),
    [
        ({"args": ["shell"], "command": f"{READ}; {READ}"}, 1),
        ({"args": ["shell"], "command": ROLLED_BACK}, 1),
        ({"args": ["shell"], "command": f"{READ.replace('title', 'pk')}"}, 0),
        ({"args": ["dumpdata", "memory.session"], "output": "/dev/null"}, 1),
        ({"args": ["dumpdata", "memory.user"], "output": "/dev/null"}, 0),
    ],
)
def test_whose_words_a_command_reads_is_recorded_and_told(
    owner: User, session: Session, command: dict[str, Any], readings: int
) -> None:
    command = dict(command)
    with suppress(CommandError):  # Django can't write what is sealed
        call_command(*command.pop("args"), **command, operator="Anna", reason=REASON)
    openings = EmergencyAccess.objects.all()
    events = AuditEvent.objects.filter(action="emergency.opened")
    assert (len(openings), len(events)) == (readings, readings)
    client = Client()
    client.force_login(owner)
    assert ("Anna) opened your conv" in words(client.get("/conversations"))) is bool(readings)
    for opening, event in zip(openings, events, strict=True):
        assert (opening.owner, opening.reason, event.subject_id) == (owner, REASON, opening.pk)
        assert event.operator == opening.terminal
        assert AuditDetail.objects.get(event_id=event.pk).reason == REASON


def test_a_hold_that_the_person_may_not_know_of_is_not_betrayed(
    owner: User, boss: User, session: Session
) -> None:
    hold = holds.place(session, reason="A case", author=boss, tells_person=False)
    opening = emergencies.open_conversations(owner, operator=boss, reason=REASON)
    client = Client()
    client.force_login(owner)
    emergencies.tell_waiting()
    assert "opened your conversations" not in words(client.get("/conversations"))
    assert "mergency" not in words(client.get("/account/data/events"))
    exported = [row["action"] for row in audit_lines(owner, iter([]))]
    assert not [action for action in exported if action.startswith("emergency")]
    holds.release(hold, actor=boss)
    emergencies.tell_waiting()
    assert REASON in words(client.get("/account/data/events"))
    opening.refresh_from_db()
    assert opening.told_at
