"""The first page, sign-in, and what those who run the place see."""

import pytest
from django.test import Client
from django.urls import reverse

from citations.models import Document, Passage
from memory.models import Session, Turn, User
from tests.pages.conversations import QUESTION, page, text, turn_of


@pytest.mark.usefixtures("library")
def test_the_first_page_suggests_questions(client: Client) -> None:
    Document.objects.update(status=Document.Status.READY)
    shown = text(client.get(page("home")))
    assert f'name="query" value="{QUESTION}"' in shown


def test_an_empty_library_is_said(client: Client) -> None:
    assert "There is nothing to answer from yet" in text(client.get(page("home")))


def test_other_documents_are_asked_about_by_title(client: Client, passage: Passage) -> None:
    question = "What is “Agreement &lt;1&gt;” about?"
    assert question not in text(client.get(page("home")))  # nothing is known of it
    passage.document.about = "An agreement on dates."
    passage.document.save()
    assert question in text(client.get(page("home")))


def test_a_long_title_is_cut_where_it_is_suggested(client: Client, passage: Passage) -> None:
    document = passage.document
    document.title, document.about = "A very long name " + "x" * 190, "An agreement on dates."
    document.save()
    shown = text(client.get(page("home")))
    assert "What is “A very long name…” about?" in shown
    assert "x" * 60 not in shown.partition("suggestions-title")[2].partition("</section>")[0]


def test_how_long_conversations_are_kept_is_a_part_of_the_settings(client: Client) -> None:
    shown = text(client.get(page("keeping")))
    assert f'<a href="{page("settings")}" aria-current="page">' in shown


def test_the_sign_in_page_is_ours_and_has_no_sign_up(db: None) -> None:
    shown = text(Client().get(reverse("account_login")))
    assert "Throughline" in shown
    assert "Create an account" not in shown


def test_pages_have_no_inline_script_or_style(client: Client, session: Session) -> None:
    turn_of(session)
    for url in (page("home"), page("conversation", session.pk), page("delete", session.pk)):
        shown = text(client.get(url))
        assert "style=" not in shown
        assert "<script>" not in shown


def test_staff_cannot_change_or_delete_what_is_said(admin_client: Client, session: Session) -> None:
    turn = turn_of(session)
    for url in (
        reverse("admin:memory_session_delete", args=[session.pk]),
        reverse("admin:memory_turn_delete", args=[turn.pk]),
        reverse("admin:memory_session_add"),
    ):
        assert admin_client.post(url, {"post": "yes"}).status_code == 403
    assert Turn.objects.exists()


def test_who_came_by_a_link_is_told_to_set_a_password(client: Client, owner: User) -> None:
    assert "no password yet" not in text(client.get(page("home")))
    owner.set_unusable_password()
    owner.save()
    client.force_login(owner)
    assert reverse("account_set_password") in text(client.get(page("home")))
