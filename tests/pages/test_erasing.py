"""Erasing by page: one question, everything, or the account; and what its link shows."""

import re

import pytest
from django.test import Client

from memory import holds
from memory.conversations.asking import create_session
from memory.forgetting.erasure import execution, requests
from memory.jobs.queue import run_due
from memory.models import ErasureRequest, Session, Turn, User
from memory.templatetags.moments import when
from tests.accounts.conftest import prove, sign_in
from tests.pages.conversations import HTMX, page, text, turn_of

pytestmark = pytest.mark.django_db
Status = ErasureRequest.Status


@pytest.fixture
def client(owner: User) -> Client:
    """A browser in which the owner has signed in, and has just proved again who they are."""
    browser = Client()
    assert sign_in(browser).status_code == 302
    prove(browser)
    return browser


@pytest.fixture
def _quickly(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing can be rewritten inside a test's transaction; P13 does it for real."""
    monkeypatch.setattr(execution.scrubbing, "scrub", lambda pulse, **only: ["scrubbed"])
    monkeypatch.setattr(execution.scanning, "search", lambda samples, not_ours, pulse: [])


# --- One question ---------------------------------------------------------------------------------


def test_a_question_is_deleted_once_the_person_has_agreed(client: Client, session: Session) -> None:
    first, second = turn_of(session), turn_of(session, query="And then?")
    Session.objects.filter(pk=session.pk).update(turn_count=2, context_tokens=100)
    place = page("delete_turn", session.pk, first.pk)
    assert place in text(client.get(page("conversation", session.pk)))
    assert "What is the Determination Date?" in text(client.get(place))
    assert Turn.objects.count() == 2
    answer = client.post(place)
    assert answer["Location"] == page("conversation", session.pk)
    assert Turn.objects.get() == second


def test_a_dialog_asks_before_a_question_goes(client: Client, session: Session) -> None:
    place = page("delete_turn", session.pk, turn_of(session).pk)
    shown = text(client.get(place, headers=HTMX))
    assert "<html" not in shown
    assert 'id="dialog-title"' in shown


def test_what_a_hold_keeps_is_said(client: Client, session: Session, colleague: User) -> None:
    turn = turn_of(session)
    holds.place(session, reason="A trial", author=colleague)
    for place in (page("delete_turn", session.pk, turn.pk), page("delete", session.pk)):
        answer = client.post(place, follow=True)
        assert "legal hold" in text(answer)
    assert Turn.objects.exists()


# --- Everything, or the account -------------------------------------------------------------------


@pytest.mark.usefixtures("_quickly")
def test_an_account_is_erased_and_its_link_shows_the_certificate(
    client: Client, owner: User, settings: object
) -> None:
    settings.ERASURE_GRACE = 0
    create_session(owner, title="Fees")
    asked = text(client.get(page("confirm_erasure", "account")))
    assert "1 conversation" in asked
    assert client.post(page("confirm_erasure", "account"), {}).status_code == 400
    assert not ErasureRequest.objects.exists()
    begun = client.post(page("confirm_erasure", "account"), {"sure": "on"})
    assert begun.status_code == 201
    link = re.search(r'value="http://testserver(/erasures/[^"]+)"', text(begun))[1]

    anyone = Client()
    assert "Waiting" in text(anyone.get(link))
    run_due()
    done = text(anyone.get(link))
    assert "Erased and verified" in done
    certificate = re.search(r'href="(/certificates/[0-9a-f-]{36})"', done)[1]
    assert "genuine" in text(anyone.get(certificate))
    assert client.get(page("settings")).status_code == 302
    assert not User.objects.filter(pk=owner.pk).exists()


def test_it_takes_a_fresh_proof_of_who_one_is(owner: User) -> None:
    browser = Client()
    browser.force_login(owner)
    for send in (browser.get, browser.post):
        answer = send(page("confirm_erasure", "everything"), {"sure": "on"})
        assert answer.status_code in (302, 403)
    assert not ErasureRequest.objects.exists()


def test_it_can_be_taken_back_while_it_waits(client: Client) -> None:
    client.post(page("confirm_erasure", "everything"), {"sure": "on"})
    shown = text(client.get(page("erasure")))
    assert "Waiting" in shown
    assert page("cancel_erasure") in shown
    again = client.post(page("confirm_erasure", "account"), {"sure": "on"}, follow=True)
    assert "a request for erasure already" in text(again)
    client.post(page("cancel_erasure"))
    assert ErasureRequest.objects.get().status == Status.CANCELLED
    assert "Erase my account" in text(client.get(page("erasure")))
    assert client.post(page("cancel_erasure")).status_code == 404


def test_unknown_scopes_and_links_are_not_there(client: Client) -> None:
    assert client.get(page("confirm_erasure", "others")).status_code == 404
    assert Client().get("/erasures/nothing").status_code == 404


def test_your_data_leads_to_it(client: Client) -> None:
    assert page("erasure") in text(client.get(page("data")))


# --- When it begins, and until when it can be taken back ------------------------------------------


def test_the_grace_is_said_before_and_after_and_on_every_page(
    client: Client, settings: object
) -> None:
    settings.ERASURE_GRACE = 2 * 86_400
    asked = text(client.get(page("confirm_erasure", "account")))
    assert "It begins 2 days after you confirm: <time " in asked
    assert "Until then you can cancel it." in asked
    assert "Cancel it" not in text(client.get(page("home")))
    begun = text(client.post(page("confirm_erasure", "account"), {"sure": "on"}))
    due = when(ErasureRequest.objects.get().due_at)
    assert f"It begins {due}. Until then you can cancel it." in begun
    for place in (page("home"), page("library"), page("settings"), page("data")):
        shown = text(client.get(place))
        assert f"Your account will be erased {due}." in shown
        assert f'action="{page("cancel_erasure")}"' in shown
    client.post(page("cancel_erasure"))
    assert "Cancel it" not in text(client.get(page("home")))


def test_without_grace_it_is_said_that_it_begins_at_once(client: Client, settings: object) -> None:
    settings.ERASURE_GRACE = 0
    asked = text(client.get(page("confirm_erasure", "everything")))
    assert "It begins at once and can’t be cancelled." in asked
    begun = text(client.post(page("confirm_erasure", "everything"), {"sure": "on"}))
    assert "It begins now and can’t be cancelled." in begun


@pytest.mark.parametrize("tells_person", [True, False])
def test_a_hold_that_makes_it_wait_is_said(
    client: Client, session: Session, colleague: User, tells_person: bool
) -> None:
    holds.place(session, reason="A trial", author=colleague, tells_person=tells_person)
    asked = text(client.get(page("confirm_erasure", "account")))
    assert ("Some of your data has been under a legal hold" in asked) == tells_person
    begun = text(client.post(page("confirm_erasure", "account"), {"sure": "on"}))
    assert "A legal hold delays it: it begins when the hold has ended." in begun
    assert "It doesn’t begin before" in begun
    assert "when a legal hold has ended" in text(client.get(page("home")))
    assert "A trial" not in asked + begun


def test_a_request_that_nobody_confirmed_is_not_announced(client: Client, owner: User) -> None:
    requests.ask(owner, "account", actor=owner.pk)
    assert "Cancel it" not in text(client.get(page("home")))
