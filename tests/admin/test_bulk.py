"""Bulk actions: confirmed first, then done row by row, with audit events."""

from collections.abc import Sequence
from uuid import UUID

import pytest
from django.db.models import Model
from django.http import HttpResponseBase
from django.test import Client

from citations.library import REREAD
from citations.models import Document
from memory import holds
from memory.admin import bulk
from memory.jobs import queue
from memory.models import AuditEvent, Job, LegalHold, Session, Turn, User
from memory.people.staff.roles import ensure_roles
from tests.admin.conftest import words
from tests.citations.documents import add
from tests.memory.retained import session_of
from tests.people import person

pytestmark = pytest.mark.django_db

LISTS = {
    Session: "/admin/memory/session/",
    Turn: "/admin/memory/turn/",
    LegalHold: "/admin/memory/legalhold/",
    User: "/admin/memory/user/",
    Document: "/admin/citations/document/",
}


def post(browser: Client, act: str, rows: Sequence[Model], **given: object) -> HttpResponseBase:
    """Choose the rows in their list and the act, as the list's form or the page that asks does."""
    form = {"action": act, "_selected_action": [str(row.pk) for row in rows], **given}
    return browser.post(LISTS[type(rows[0])], form, follow=True)  # type: ignore[index]


def lines(action: str) -> set[UUID | None]:
    return set(AuditEvent.objects.filter(action=action).values_list("subject_id", flat=True))


def test_conversations_are_deleted_once_it_is_confirmed(at_admin: Client, owner: User) -> None:
    gone, kept = [session_of(owner, turns=1) for _ in range(2)], session_of(owner, turns=1)
    asked = post(at_admin, "erase_chosen", gone)
    assert "Chosen 2" in words(asked)
    assert Session.objects.count() == 3
    assert not lines("session.erased")
    said = words(post(at_admin, "erase_chosen", gone, confirmed=1))
    assert "Delete: 2 done." in said
    assert list(Session.objects.all()) == [kept]
    assert lines("session.erased") == {row.pk for row in gone}


def test_what_is_held_is_refused_and_stops_no_other(
    at_admin: Client, owner: User, boss: User
) -> None:
    held, free = session_of(owner, turns=1), session_of(owner, turns=1)
    holds.place(held, reason="A case", author=boss)
    said = words(post(at_admin, "erase_chosen", [held, free], confirmed=1))
    assert "Delete: 1 done." in said
    assert "1 was refused: " in said
    assert list(Session.objects.all()) == [held]
    holds.release(LegalHold.objects.get(), actor=boss)
    queue.run_due()
    assert not Session.objects.exists()  # the wish was kept


def test_holds_are_placed_with_a_reason_and_released(
    at_admin: Client, owner: User, colleague: User
) -> None:
    rows = [session_of(owner, turns=1), session_of(colleague, turns=1)]
    assert "Reason" in words(post(at_admin, "hold_chosen", rows))
    post(at_admin, "hold_chosen", rows, confirmed=1)  # without one
    assert not LegalHold.objects.exists()
    post(at_admin, "hold_chosen", rows, confirmed=1, reason="Two cases", tells_person="on")
    placed = list(LegalHold.objects.all())
    assert {hold.target_id for hold in placed} == {row.pk for row in rows}
    assert {hold.reason for hold in placed} == {"Two cases"}
    assert lines("hold.placed") == {hold.pk for hold in placed}
    post(at_admin, "release_chosen", placed)
    assert LegalHold.objects.active().count() == len(placed)
    post(at_admin, "release_chosen", placed, confirmed=1)
    assert not LegalHold.objects.active().exists()
    assert lines("hold.released") == {hold.pk for hold in placed}


def test_shared_documents_are_read_again_and_others_are_not(at_admin: Client, owner: User) -> None:
    documents = [add("The fee is ten.", None), add("The fee is nine.", owner)]
    Document.objects.update(reading=None)
    assert "Chosen 1" in words(post(at_admin, "reread_chosen", documents))
    post(at_admin, "reread_chosen", documents, confirmed=1)
    jobs = Job.objects.filter(kind=REREAD).values_list("subject", flat=True)
    assert list(jobs) == [documents[0].pk]
    assert lines("document.reread") == {documents[0].pk}


def test_too_many_at_once_are_refused_as_a_whole(
    at_admin: Client, owner: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(bulk, "MOST", 1)
    rows = [session_of(owner, turns=1) for _ in range(2)]
    assert "Choose at most 1 at a time" in words(post(at_admin, "erase_chosen", rows, confirmed=1))
    assert Session.objects.count() == 2


def test_who_may_only_look_is_offered_no_act_and_can_do_none(owner: User) -> None:
    ensure_roles()
    from django.contrib.auth.models import Group

    looker = person("looker", is_staff=True)
    looker.groups.add(Group.objects.get(name="People"))
    browser, row = Client(), session_of(owner, turns=1)
    browser.force_login(looker)
    page = browser.get(LISTS[Session]).content.decode()
    assert "erase_chosen" not in page
    assert "hold_chosen" not in page
    for act in ("erase_chosen", "hold_chosen"):
        post(browser, act, [row], confirmed=1, reason="x")
    assert Session.objects.exists()
    assert not LegalHold.objects.exists()
