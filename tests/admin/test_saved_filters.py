"""Saved filters of the audit's list: one's own, for whoever reads it."""

import pytest
from django.contrib.auth.models import Group
from django.test import Client
from django.urls import reverse

from memory.admin.saved_filters import MOST
from memory.models import SavedFilter, User
from memory.people.staff.roles import ensure_roles
from tests.admin.conftest import words
from tests.people import person

pytestmark = pytest.mark.django_db

LIST = reverse("admin:memory_auditevent_changelist")
SAVE = reverse("admin:memory_auditevent_save_filter")
QUERY = "outcome__exact=denied"


@pytest.fixture
def auditor(db: None) -> User:
    ensure_roles()
    auditor = person("auditor", is_staff=True)
    auditor.groups.add(Group.objects.get(name="Audit"))
    return auditor


@pytest.fixture
def at_audit(auditor: User) -> Client:
    client = Client()
    client.force_login(auditor)
    return client


def test_an_auditor_saves_uses_and_deletes_filters_of_their_own(
    at_audit: Client, at_admin: Client, auditor: User
) -> None:
    assert "No saved filters yet." in words(at_audit.get(LIST))
    saved = at_audit.post(SAVE, {"name": "Refused\n<b>", "query": QUERY})
    assert saved.headers["Location"] == f"{LIST}?{QUERY}"
    shown = at_audit.get(f"{LIST}?{QUERY}")
    assert "Refused <b>" in words(shown) or "Refused" in words(shown)
    assert f'href="?{QUERY}"' in shown.content.decode()
    assert "Refused" not in words(at_admin.get(LIST)), "they are one's own"
    row = SavedFilter.objects.get()
    delete = reverse("admin:memory_auditevent_delete_filter", args=[row.pk])
    assert at_admin.post(delete).status_code == 404
    assert at_audit.get(delete).status_code == 405
    assert at_audit.post(delete).status_code == 302
    assert not SavedFilter.objects.exists()


def test_p44_filters_are_bounded(at_audit: Client) -> None:
    for number in range(MOST + 1):
        at_audit.post(SAVE, {"name": str(number) * 100, "query": QUERY})
    at_audit.post(SAVE, {"name": "", "query": QUERY})
    assert SavedFilter.objects.count() == MOST
    assert all(len(row.name) <= 60 for row in SavedFilter.objects.all())


def test_nobody_saves_filters_of_a_list_that_they_can_not_read(db: None) -> None:
    client = Client()
    client.force_login(person("other", is_staff=True))
    assert client.post(SAVE, {"name": "x", "query": QUERY}).status_code == 403
