"""The lists: what is found in them, by whom and when; and what is said where nothing is."""

import re
from datetime import timedelta
from uuid import uuid4

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from memory import holds
from memory.admin.rows import AmongNewest
from memory.forgetting.retention.previews import proposed
from memory.models import AuditEvent, User
from tests.admin.conftest import words
from tests.memory.retained import audited, session_of

pytestmark = pytest.mark.django_db


def listed(at_admin: Client, model: str, **asked: object) -> str:
    answer = at_admin.get(reverse(f"admin:{model}_changelist"), asked)
    assert answer.status_code == 200
    return answer.content.decode()


def test_conversations_and_questions_are_found_by_their_id_or_their_person(
    at_admin: Client, owner: User, colleague: User
) -> None:
    wanted, other = session_of(owner, turns=1), session_of(colleague, turns=1)
    for searched in (wanted.pk, wanted.pk.hex, owner.pk, "owner", " owner "):
        for model, found, left in (
            ("memory_session", wanted, other),
            ("memory_turn", wanted.turns.get(), other.turns.get()),
        ):
            page = listed(at_admin, model, q=searched)
            assert str(found.pk) in page, (model, searched)
            assert str(left.pk) not in page
    assert "Nothing is found." in listed(at_admin, "memory_session", q="nobody")
    assert "Nothing is found." in listed(at_admin, "memory_session", q=uuid4())


def test_lists_name_people_in_as_many_queries_for_many_as_for_one(
    at_admin: Client, owner: User, colleague: User, django_assert_max_num_queries: object
) -> None:
    for someone in (owner, colleague):
        for _number in range(5):
            session_of(someone)
    listed(at_admin, "memory_session")  # the address is kept once a day
    with django_assert_max_num_queries(8):  # type: ignore[operator]
        page = listed(at_admin, "memory_session")
    assert page.count(">owner</a>") == 5


def test_a_version_of_a_policy_says_in_words_what_it_keeps(at_admin: Client, boss: User) -> None:
    policy = proposed("research", lifetime=7 * 86_400)
    policy.version, policy.author_id = 1, boss.pk
    policy.save(force_insert=True)
    place = reverse("admin:memory_retentionpolicy_change", args=[policy.pk])
    said = words(at_admin.get(place))
    assert "conversations 7 days" in said
    assert "turns of a conversation 5,000" in said
    assert "604800" not in said
    assert str(boss.pk) not in said


def test_who_is_gone_is_shown_by_their_id(at_admin: Client) -> None:
    gone = uuid4()
    AuditEvent.objects.create(action="x.y", actor_id=gone, subject="memory.user", subject_id=gone)
    page = listed(at_admin, "memory_auditevent", q=gone)
    assert page.count(f"<code>{gone}</code>") == 2


# --- The audit ------------------------------------------------------------------------------------


@pytest.mark.postgresql
def test_the_audit_is_looked_through_by_days_people_and_ids(
    at_admin: Client, boss: User, owner: User
) -> None:
    session = session_of(owner)
    hold = holds.place(session, reason="A case", author=boss)
    today = timezone.localdate()
    audited("long.ago", actor=owner.pk, days=400)
    for asked in ({"q": hold.pk}, {"q": "boss"}, {"at_from": today, "at_to": today}):
        page = listed(at_admin, "memory_auditevent", **asked)
        assert "Hold placed" in page
        assert "legal hold" in page
        assert ">long.ago</a>" not in page
    past = listed(at_admin, "memory_auditevent", at_to=today - timedelta(days=1))
    assert "Long ago" in past
    assert str(hold.pk) not in past


def test_acts_are_told_in_words_and_moments_with_their_zone(at_admin: Client, owner: User) -> None:
    for code in ("turn.asked", "session.lifetime_changed", "token.by_operator"):
        audited(code, actor=owner.pk, days=1)
    page = listed(at_admin, "memory_auditevent")
    for said in ("Question asked", "Conversation lifetime changed", "Token by operator"):
        assert said in page
    assert "turn.asked" not in re.sub(r'href="[^"]*"', "", page)
    assert re.search(r"\d\d:\d\d:\d\d UTC", page)
    event = AuditEvent.objects.get(action="turn.asked")
    one = words(at_admin.get(reverse("admin:memory_auditevent_change", args=[event.pk])))
    assert "turn.asked" in one


def test_filters_look_through_the_newest_rows_and_say_so(
    at_admin: Client, owner: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    for days in (3, 2, 1):
        audited("rare.act", actor=owner.pk, days=days)
    place, asked = reverse("admin:memory_auditevent_changelist"), {"action": "rare.act"}
    whole = at_admin.get(place, asked)
    assert whole.context["cl"].result_count == 3
    assert "Filters look through" not in words(whole)
    newer = AuditEvent.objects.filter(at__gt=timezone.now() - timedelta(hours=30)).count()
    monkeypatch.setattr(AmongNewest, "MOST", newer)
    found = at_admin.get(place, asked)
    assert found.context["cl"].result_count == 1
    assert f"Filters look through the newest {newer} rows." in words(found)
    # Of what is older days are named, and a file has all of it.
    day = timezone.localdate() - timedelta(days=3)
    assert at_admin.get(place, asked | {"at_to": day}).context["cl"].result_count == 1
    lines = b"".join(at_admin.get(f"{place}csv/", asked).streaming_content).decode()
    assert lines.count("rare.act") == 3


def test_the_audit_is_taken_away_as_it_is_shown(at_admin: Client, boss: User, owner: User) -> None:
    hold = holds.place(owner, reason="A case", author=boss)
    page = listed(at_admin, "memory_auditevent", q=hold.pk)
    place = reverse("admin:memory_auditevent_csv")
    assert f"{place}?q={hold.pk}" in page
    answer = at_admin.get(place, {"q": hold.pk})
    lines = b"".join(answer.streaming_content).decode().splitlines()
    assert lines[0] == "id,at,action,outcome,actor_id,subject,subject_id,operator,change"
    assert [line.split(",")[2] for line in lines[1:]] == ["hold.placed"]
    assert str(boss.pk) in lines[1]
    assert AuditEvent.objects.filter(action="audit.listed", actor_id=boss.pk).exists()
    assert at_admin.get(place, {"at__year": 99999}).status_code == 404


@pytest.mark.parametrize(
    "query", ["at__year=99999", "at_from=9999-12-31&at_to=9999-12-31", "id__lt=x", "q=%00"]
)
def test_what_no_list_can_show_leads_to_the_whole_list(at_admin: Client, query: str) -> None:
    place = reverse("admin:memory_auditevent_changelist")
    answer = at_admin.get(f"{place}?{query}", follow=True)
    assert answer.status_code == 200
