"""The way into an account is its person's: whoever runs the place only sends them a link."""

import re

import pytest
from allauth.account.models import EmailAddress
from django.core.mail import EmailMessage
from django.test import Client
from django.urls import reverse

from memory.models import User
from tests.admin.conftest import words
from tests.admin.test_people import acts_of, place_of

# One engine is enough: tests/migrations opens each page of the admin on either.
pytestmark = pytest.mark.django_db


def test_no_form_here_sets_a_password_or_changes_an_address(at_admin: Client, owner: User) -> None:
    page = at_admin.get(place_of(owner)).content.decode()
    assert not re.search(r'name="(email|password)', page)
    assert "password/" not in page.replace("/account/", "")
    assert at_admin.get(f"/admin/memory/user/{owner.pk}/password/").status_code == 302
    before = owner.password
    form = {"username": "owner", "email": "thief@example.org", "password": "x", "password1": "x"}
    at_admin.post(place_of(owner), form)
    at_admin.post(f"/admin/memory/user/{owner.pk}/password/", {"password1": "x", "password2": "x"})
    owner.refresh_from_db()
    assert (owner.email, owner.password) == ("owner@example.org", before)


def test_a_link_to_set_a_password_goes_to_the_persons_own_address(
    at_admin: Client, boss: User, owner: User, mailoutbox: list[EmailMessage]
) -> None:
    EmailAddress.objects.create(user=owner, email="claimed@example.org", primary=True)
    EmailAddress.objects.create(user=owner, email="confirmed@example.org", verified=True)
    assert "confirmed@example.org" in words(at_admin.get(place_of(owner, "send_link")))
    assert mailoutbox == []
    said = words(at_admin.post(place_of(owner, "send_link"), follow=True))
    assert "The link is on its way." in said
    (mail,) = mailoutbox
    assert mail.to == ["confirmed@example.org"]
    link = re.search(r"http://testserver(/account/password/reset/key/\S+)", str(mail.body))
    assert link
    assert link[1] not in said
    person_there = Client()
    form = person_there.get(link[1], follow=True)
    new = {"password1": "another horse battery staple", "password2": "another horse battery staple"}
    person_there.post(form.redirect_chain[-1][0], new)
    owner.refresh_from_db()
    assert owner.check_password(new["password1"])
    assert "password.link_sent" in acts_of(boss)


def test_no_link_goes_to_an_address_that_nobody_confirmed(
    at_admin: Client, boss: User, owner: User, mailoutbox: list[EmailMessage]
) -> None:
    Client().force_login(owner)
    said = words(at_admin.post(place_of(owner, "send_link"), follow=True))
    assert "This account has no confirmed address." in said
    assert mailoutbox == []
    assert "password.link_sent" not in acts_of(boss)


def test_a_new_account_gets_its_first_link_at_the_address_it_was_made_with(
    at_admin: Client, mailoutbox: list[EmailMessage]
) -> None:
    form = {"username": "new", "email": "new@example.org", "tier": "default"}
    said = words(at_admin.post(reverse("admin:memory_user_add"), form, follow=True))
    assert "It has no password yet: send its person a link to set one." in said
    at_admin.post(place_of(User.objects.get(username="new"), "send_link"))
    (mail,) = mailoutbox
    assert mail.to == ["new@example.org"]
    assert mail.subject == "Set a password for your account"
    assert "You have an account at testserver, without a password yet." in str(mail.body)
    # As its message says, its person can ask for another one when the hour is over.
    Client().post(reverse("account_reset_password"), {"email": "new@example.org"})
    assert [each.to for each in mailoutbox] == [["new@example.org"]] * 2


@pytest.mark.parametrize(("others", "confirmed"), [(0, ["new@example.org"]), (1, [])])
def test_whoever_sets_a_password_by_a_mailed_link_has_confirmed_the_only_address(
    at_admin: Client, mailoutbox: list[EmailMessage], others: int, confirmed: list[str]
) -> None:
    form = {"username": "new", "email": "new@example.org", "tier": "default"}
    at_admin.post(reverse("admin:memory_user_add"), form)
    person = User.objects.get(username="new")
    if others:
        EmailAddress.objects.create(user=person, email="other@example.org")
        Client().post(reverse("account_reset_password"), {"email": "other@example.org"})
    else:
        at_admin.post(place_of(person, "send_link"))
    link = re.search(r"http://testserver(/account/password/reset/key/\S+)", str(mailoutbox[0].body))
    assert link
    person_there = Client()
    form_there = person_there.get(link[1], follow=True).redirect_chain[-1][0]
    new = "another horse battery staple"
    person_there.post(form_there, {"password1": new, "password2": new})
    person.refresh_from_db()
    assert person.check_password(new)
    known = EmailAddress.objects.filter(user=person, verified=True)
    assert list(known.values_list("email", flat=True)) == confirmed
