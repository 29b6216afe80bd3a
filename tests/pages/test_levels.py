"""The page of what is remembered of a person: explained, kept, corrected, deleted."""

import re
from datetime import timedelta

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from memory.conversations.asking import create_session
from memory.models import Consent, Fact, Purpose, Session, Turn, User
from memory.models.conversations import Reach
from memory.personal_data import consent
from memory.recall.facts import undoing
from tests.pages.conversations import page, text

# One engine is enough: tests/migrations/test_updates.py opens each page on either.

FACT = "I live in <Lisbon>"


@pytest.fixture
def fact(owner: User, session: Session) -> Fact:
    return Fact.objects.create(
        owner=owner, session=session, kind="fact", subject="home", text=FACT, is_shared=True
    )


def allow(owner: User) -> None:
    consent.decide(owner, {Purpose.RECALL: True}, source=Consent.Source.PAGE)


def test_an_empty_memory_says_what_would_come_into_it(client: Client, owner: User) -> None:
    shown = text(client.get(page("levels")))
    headings = re.findall(r"<h2>([^<]*?)(?: <small[^>]*>([^<]*)</small>)?</h2>", shown)
    assert headings == [
        ("This conversation", "working memory"),
        ("Earlier conversations", "episodic memory"),
        ("What you told me", "semantic memory"),
        ("How you like answers", "profile"),
        ("Add something", ""),
        ("Recurring topics", "derived"),
    ]
    assert "Nothing. When you say where you live" in shown
    assert "it needs your consent" in shown
    assert 'name="given" value="yes"' in shown


def test_consent_is_given_on_the_page_itself(client: Client, owner: User) -> None:
    decision = {"purpose": "recall", "given": "yes", "next": page("levels")}
    answer = client.post(reverse("chat:decide"), decision, follow=True)
    assert consent.allows(owner.pk, Purpose.RECALL)
    assert 'name="given" value="no"' in text(answer)
    client.post(page("write_fact"), {"text": "I prefer tea", "kind": "preference"})
    assert "I prefer tea" in text(client.get(page("levels")))


def test_what_counts_in_its_conversation_only_says_how_it_counts_in_others(
    client: Client, owner: User, fact: Fact
) -> None:
    Fact.objects.update(is_shared=False)
    assert "only in its conversation" in text(client.get(page("levels")))
    allow(owner)
    assert "only in its conversation, until you keep it" in text(client.get(page("levels")))
    client.post(page("confirm_fact", fact.pk))
    assert "only in its conversation" not in text(client.get(page("levels")))


def test_a_fact_is_kept_corrected_and_deleted_once_the_person_was_asked(
    client: Client, owner: User, fact: Fact
) -> None:
    allow(owner)
    shown = text(client.get(page("levels")))
    assert "I live in &lt;Lisbon&gt;" in shown
    assert page("confirm_fact", fact.pk) in shown
    client.post(page("confirm_fact", fact.pk))
    fact.refresh_from_db()
    assert fact.state == "confirmed"
    wrong = client.post(page("correct_fact", fact.pk), {"text": " ", "kind": "fact"})
    assert wrong.status_code == 400
    client.post(page("correct_fact", fact.pk), {"text": "I live in Porto", "kind": "fact"})
    shown = text(client.get(page("levels")))
    assert "Corrected. Before, it was “I live in &lt;Lisbon&gt;”" in shown
    assert "I live in Porto" in text(client.get(page("delete_fact", fact.pk)))
    assert Fact.objects.visible(owner).exists()
    client.post(page("delete_fact", fact.pk))
    assert not Fact.objects.visible(owner).exists()
    assert client.get(page("correct_fact", fact.pk)).status_code == 404


def test_what_was_deleted_or_corrected_is_brought_back_by_the_page(
    client: Client, owner: User, fact: Fact
) -> None:
    allow(owner)
    client.post(page("correct_fact", fact.pk), {"text": "I live in Porto", "kind": "fact"})
    (before,) = undoing.select_undoable_facts(owner)
    assert page("undo_fact", before.pk) in text(client.get(page("levels")))
    back = text(client.post(page("undo_fact", before.pk), follow=True))
    assert "It is as it was." in back
    assert "Porto" not in back
    client.post(page("delete_fact", fact.pk))
    assert page("undo_fact", fact.pk) in text(client.get(page("levels")))
    assert "“I live in &lt;Lisbon&gt;” <span" in text(
        client.post(page("undo_fact", fact.pk), follow=True)
    )
    client.post(page("delete_fact", fact.pk))
    Fact.objects.update(deleted_at=timezone.now() - undoing.UNDO_TIME)
    assert page("undo_fact", fact.pk) not in text(client.get(page("levels")))
    gone = client.post(page("undo_fact", fact.pk))
    assert gone.status_code == 404
    assert "gone for good" in text(gone)


def test_what_is_told_and_what_is_wished_stand_apart(client: Client, owner: User) -> None:
    Fact.objects.create(owner=owner, kind="fact", subject="home", text="I live in Porto")
    Fact.objects.create(owner=owner, kind="wish", subject="length", text="answer briefly")
    shown = text(client.get(page("levels")))
    told, liked = shown.index("What you told me"), shown.index("How you like answers")
    assert told < shown.index("I live in Porto") < liked < shown.index("answer briefly")


def test_wishes_that_take_a_language_model_say_so_once(client: Client, owner: User) -> None:
    wishes = {"length": "be brief", "language": "answer in German", "tone": "use formal language"}
    for at, (subject, said) in enumerate(wishes.items()):
        Fact.objects.create(owner=owner, kind="wish", subject=subject, text=said)
        shown = text(client.get(page("levels")))
        assert shown.count("Without a language model answers are quotations") == bool(at)


def test_what_a_fact_has_replaced_stands_behind_it(client: Client, owner: User, fact: Fact) -> None:
    old = Fact.objects.create(
        owner=owner, kind="fact", subject="home", text="I live in Rome", replaced_by=fact,
        valid_until=fact.valid_from,
    )  # fmt: skip
    shown = text(client.get(page("correct_fact", fact.pk)))
    assert "I live in Rome" in shown
    assert page("delete_fact", old.pk) in shown
    older = Fact.objects.create(
        owner=owner, kind="fact", subject="home", text="I live in Oslo", replaced_by=old,
        valid_from=old.valid_from - timedelta(days=2), valid_until=old.valid_from,
    )  # fmt: skip
    assert page("delete_fact", older.pk) in text(client.get(page("correct_fact", fact.pk)))
    listed = text(client.get(page("levels")))
    assert "I live in Rome" not in listed
    assert f"{page('correct_fact', fact.pk)}#past" in listed


def test_of_what_has_replaced_nothing_the_list_says_nothing(client: Client, fact: Fact) -> None:
    assert "#past" not in text(client.get(page("levels")))


def test_what_is_derived_links_to_what_it_comes_from(client: Client, owner: User) -> None:
    assert "Nothing: you have not allowed it." in text(client.get(page("levels")))
    allow(owner)
    assert "Nothing yet." in text(client.get(page("levels")))
    for at in range(3):
        one = create_session(owner, title=f"About <deposit> {at}")
        values = {"position": 1, "query": "What is the security deposit?", "query_tokens": 5}
        asked_at = timezone.now() - timedelta(days=at)
        Turn.objects.create(
            session=one, owner=owner, status="complete", asked_at=asked_at, **values
        )
        Fact.objects.create(
            owner=owner, session=one, kind="fact", subject="home", text=f"I live in <Town {at}>",
            is_shared=True, said_in=one.turns.get().pk,
        )  # fmt: skip
    shown = text(client.get(page("levels"))).partition("Recurring topics")[2]
    assert "security deposit" in shown
    assert "in 3 conversations," in shown
    assert "About &lt;deposit&gt; 2" in shown
    link = f"{page('conversation', one.pk)}?before=2#turn-1"
    assert shown.count(link) == 2  # of the topic, and of the fact
    changed = shown.partition("Changed several times")[2]
    assert changed.index("&lt;Town 0&gt;") < changed.index("&lt;Town 2&gt;")
    assert "Nothing yet." not in shown


def test_many_facts_come_in_pages(client: Client, owner: User) -> None:
    for number in range(35):
        Fact.objects.create(
            owner=owner, kind="fact", subject=f"s{number}", text=f"Fact no. {number}."
        )
    first = text(client.get(page("levels")))
    assert "Fact no. 34." in first
    assert "Fact no. 4." not in first
    address = first.split('href="')
    older = next(each.split('"')[0] for each in address if "after=" in each.split('"')[0])
    assert "Fact no. 4." in text(client.get(older.partition("#")[0]))


def test_a_conversation_is_told_to_keep_to_itself(
    client: Client, session: Session, owner: User
) -> None:
    assert page("reach", session.pk) in text(client.get(page("memory", session.pk)))
    client.post(page("reach", session.pk), {"reach": "session"})
    session.refresh_from_db()
    assert session.reach == Reach.SESSION
    assert client.post(page("reach", session.pk), {"reach": "world"}).status_code == 404
