"""The page of a person's data, and what other pages say where something isn't allowed."""

from typing import Any

import pytest
from django.test import Client

from memory.jobs.queue import run_due
from memory.models import Consent, ExportPackage, Purpose, Session, Turn, User
from memory.personal_data.consent import TEXTS, allows, decide
from tests.accounts.conftest import prove, sign_in
from tests.pages.conversations import HTMX, QUESTION, page, text, turn_of

# One engine is enough: tests/migrations/test_updates.py opens each page on either.

Queries = Any


def withdraw(person: User, *purposes: Purpose) -> None:
    decide(person, dict.fromkeys(purposes, False), source=Consent.Source.PAGE)


def test_what_one_allows_is_shown_and_changed(client: Client, owner: User) -> None:
    shown = text(client.get(page("data")))
    assert "Keep my conversations" in shown
    assert "By those who made your account" in shown
    assert "Not in use yet" not in shown, "sharing, until it was allowed by a program"
    decide(owner, {Purpose.SHARE: True}, source=Consent.Source.PAGE)
    assert "Not in use yet" in text(client.get(page("data")))
    assert "Nothing learns from them yet" in shown
    answer = client.post(page("decide"), {"purpose": "store", "given": "no"}, follow=True)
    assert "Your decision is recorded" in text(answer)
    assert not allows(owner.pk, Purpose.STORE)
    listed = text(client.get(page("decisions")))
    assert "withdrawn" in listed
    assert "Without this, conversations are temporary." in listed


def test_a_new_wording_asks_anew(
    client: Client, owner: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(TEXTS, Purpose.STORE, (*TEXTS[Purpose.STORE], "Kept in another country."))
    shown = text(client.get(page("data")))
    assert "Kept in another country." in shown
    assert "please decide again" in shown
    client.post(page("decide"), {"purpose": "store", "given": "yes"})
    assert allows(owner.pk, Purpose.STORE)
    assert "Wording 2" in text(client.get(page("decisions")))


@pytest.mark.parametrize("form", [{"purpose": "spy", "given": "yes"}, {"purpose": "store"}])
def test_only_purposes_that_there_are_can_be_decided(client: Client, form: dict[str, str]) -> None:
    assert client.post(page("decide"), form).status_code == 404


def test_a_decision_leads_back_to_our_own_pages_only(client: Client) -> None:
    form = {"purpose": "share", "given": "yes"}
    assert client.post(page("decide"), form | {"next": "/"})["Location"] == "/"
    for elsewhere in ("https://example.org/", "//example.org", "javascript:alert(1)"):
        answer = client.post(page("decide"), form | {"next": elsewhere})
        assert answer["Location"] == page("data")


def test_without_consent_a_new_conversation_is_temporary_and_says_so(
    client: Client, owner: User
) -> None:
    assert "will be temporary" not in text(client.get(page("home")))
    withdraw(owner, Purpose.STORE)
    assert "will be temporary" in text(client.get(page("home")))
    client.post(page("start"), {"query": QUESTION})
    session = Session.objects.get()
    assert session.temporary
    assert not session.title
    shown = text(client.get(page("conversation", session.pk)))
    assert 'name="query"' in shown


def test_a_kept_conversation_can_only_be_read_after_a_withdrawal(
    client: Client, owner: User, session: Session
) -> None:
    turn_of(session)
    withdraw(owner, Purpose.STORE)
    shown = text(client.get(page("conversation", session.pk)))
    assert "so this one can only be read" in shown
    assert 'name="query"' not in shown
    refused = client.post(page("ask", session.pk), {"query": QUESTION})
    assert refused.status_code == 403
    assert Turn.objects.count() == 1
    client.post(page("decide"), {"purpose": "store", "given": "yes"})
    assert 'name="query"' in text(client.get(page("conversation", session.pk)))


@pytest.mark.parametrize("headers", [HTMX, {}])
def test_a_rating_asks_for_the_consent_it_takes(
    client: Client, owner: User, session: Session, headers: dict[str, str]
) -> None:
    turn = turn_of(session)
    withdraw(owner, Purpose.IMPROVE)
    url = page("feedback", session.pk, turn.pk)
    asked = text(client.post(url, {"rating": "-1"}, headers=headers))
    assert "may be used to make answers better" in asked
    turn.refresh_from_db()
    assert turn.rating is None
    assert 'name="allow" value="-1"' in asked
    client.post(url, {"rating": "1"}, headers=headers)
    assert not allows(owner.pk, Purpose.IMPROVE)
    client.post(url, {"allow": "-1"}, headers=headers)
    turn.refresh_from_db()
    assert turn.rating == -1
    assert allows(owner.pk, Purpose.IMPROVE)


def test_a_package_takes_a_fresh_proof_of_who_asks(client: Client, owner: User) -> None:
    answer = client.post(page("ask_for_package"))
    assert answer.status_code in (302, 403)
    assert not ExportPackage.objects.exists()


def test_a_package_is_asked_for_and_downloaded_once(owner: User, session: Session) -> None:
    browser = Client()
    sign_in(browser)
    prove(browser)
    assert "other people’s data" in text(browser.get(page("ask_for_package")))
    assert browser.post(page("ask_for_package"))["Location"] == page("data")
    package = ExportPackage.objects.get()
    assert "is being made" in text(browser.get(page("data")))
    run_due()
    fragment = text(browser.get(page("package", package.pk), headers=HTMX))
    assert "Your package is ready" in fragment
    assert "<html" not in fragment
    link = browser.post(page("package_link", package.pk))["Location"]
    assert browser.head(link).status_code == 405  # looking at it doesn't use it up
    file = browser.get(link)
    assert file["Content-Disposition"].endswith('.zip"')
    content = b"".join(file)
    assert content[:2] == b"PK"
    assert file["Content-Length"] == str(len(content))
    assert browser.get(link).status_code == 404
    assert "You have fetched your package" in text(browser.get(page("data")))
    again = browser.post(page("package_link", package.pk), follow=True)
    assert "no package to be fetched" in text(again)


def test_a_package_that_nobody_wants_is_deleted(client: Client, owner: User) -> None:
    from memory.personal_data.packages import ask_for_package

    package = ask_for_package(owner)
    run_due()
    client.post(page("discard_package", package.pk))
    package.refresh_from_db()
    assert package.status == "discarded"
    assert "Your package was deleted" in text(client.get(page("data")))


def test_the_page_takes_the_same_queries_however_much_was_decided(
    client: Client, owner: User, django_assert_max_num_queries: Queries
) -> None:
    for number in range(12):
        decide(owner, {Purpose.SHARE: number % 2 == 0}, source=Consent.Source.PAGE)
    client.get(page("data"))  # the first read in a quarter of an hour is recorded
    # Browser's session, person; package; standings; whether the read is recorded.
    with django_assert_max_num_queries(7):
        client.get(page("data"))
