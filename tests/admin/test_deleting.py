"""Deleting for others in the admin: through the door of everyone, and no hold is passed by."""

import pytest
from django.test import Client
from django.urls import reverse

from citations.models import Document
from memory import holds
from memory.jobs.queue import run_due
from memory.models import AuditEvent, ErasedRow, Session, Turn, User, WaitingDeletion
from tests.admin.conftest import words
from tests.memory.retained import session_of

pytestmark = pytest.mark.django_db


def place_of(row: Session | Turn | Document) -> str:
    opts = row._meta
    return reverse(f"admin:{opts.app_label}_{opts.model_name}_erase", args=[row.pk])


def test_a_conversation_is_deleted_after_a_page_that_says_so(
    at_admin: Client, boss: User, owner: User
) -> None:
    session, other = session_of(owner, turns=2), session_of(owner, turns=1)
    assert "permanently" in words(at_admin.get(place_of(session)))
    assert Session.objects.filter(pk=session.pk).exists()
    assert "It is deleted." in words(at_admin.post(place_of(session), follow=True))
    assert list(Session.objects.values_list("pk", flat=True)) == [other.pk]
    assert not Turn.objects.filter(session_id=session.pk).exists()
    assert ErasedRow.objects.filter(row_id=session.pk).exists()
    assert AuditEvent.objects.filter(actor_id=boss.pk, subject_id=session.pk).exists()


def test_one_question_is_deleted_and_the_others_stay(at_admin: Client, owner: User) -> None:
    session = session_of(owner, turns=3)
    second = session.turns.get(position=2)
    at_admin.post(place_of(second))
    assert list(session.turns.order_by("position").values_list("position", flat=True)) == [1, 3]


def test_a_hold_refuses_and_the_wish_is_carried_out_at_its_end(
    at_admin: Client, boss: User, owner: User
) -> None:
    session = session_of(owner, turns=1)
    hold = holds.place(session, reason="A case", author=boss)
    said = words(at_admin.post(place_of(session), follow=True))
    assert "A legal hold forbids deleting this now." in said
    wish = WaitingDeletion.objects.get()
    assert (wish.target_id, wish.actor_id, wish.person_id) == (session.pk, boss.pk, owner.pk)
    holds.release(hold, actor=boss)
    run_due()
    assert not Session.objects.filter(pk=session.pk).exists()
