"""Rights to read are asked for again while streams are open: of all readers together."""

import asyncio
from uuid import uuid4

import pytest
from django.contrib.auth import BACKEND_SESSION_KEY, HASH_SESSION_KEY, SESSION_KEY

from chat.streams import watching
from chat.streams.reading_rights import Right, is_valid, select_valid
from chat.streams.watching import watched
from memory.conversations.asking import Question, ask, create_session
from memory.models import ApiToken, Session, Turn, User
from memory.people import api_tokens
from memory.people.credentials import Credential
from memory.people.sign_in.web_sessions import SessionStore
from tests.surroundings import PATIENCE

pytestmark = pytest.mark.django_db


def turn_of(person: User) -> Turn:
    return ask(create_session(person), Question("What is the Closing Date?"), patience=0).turn


def by_token(person: User) -> Credential:
    row, _ = api_tokens.issue(person, lifetime=None)
    return Credential(person.pk, token_digest=row.digest)


def by_browser(person: User) -> Credential:
    store = SessionStore()
    store[SESSION_KEY], store[BACKEND_SESSION_KEY] = str(person.pk), "-"
    store[HASH_SESSION_KEY] = person.get_session_auth_hash()
    store.save()
    return Credential(person.pk, session_key=store.session_key or "")


def rights_of(*people: User) -> list[Right]:
    turns = [turn_of(person) for person in people]
    return [
        Right(credential, turn.pk)
        for person, turn in zip(people, turns, strict=True)
        for credential in (by_token(person), by_browser(person))
    ]


def test_many_rights_cost_as_many_statements_as_one(
    owner: User, colleague: User, django_assert_num_queries
) -> None:
    rights = rights_of(owner, colleague, owner)
    with django_assert_num_queries(4):  # turns, people, tokens, web sessions
        assert select_valid(rights) == set(rights)
    with django_assert_num_queries(4):
        assert select_valid(rights[:2]) == set(rights[:2])


def test_a_right_ends_with_its_token_its_password_its_person_or_its_turn(
    owner: User, colleague: User
) -> None:
    token, browser = rights_of(owner)
    theirs = Right(token.credential, turn_of(colleague).pk)
    assert select_valid([token, browser, theirs]) == {token, browser}
    ApiToken.objects.all().delete()
    assert select_valid([token, browser]) == {browser}
    owner.set_password("Another one, and long")
    owner.save()
    assert select_valid([token, browser]) == set()
    signed_in_again = Right(by_browser(owner), browser.turn_id)
    assert is_valid(signed_in_again)
    Session.objects.all().delete()
    assert not is_valid(signed_in_again)
    alone = Right(signed_in_again.credential)  # an answer that nobody stores
    assert is_valid(alone)
    User.objects.filter(pk=owner.pk).update(is_active=False)
    assert not is_valid(alone)


def test_a_right_that_cannot_be_asked_for_ends(monkeypatch) -> None:
    monkeypatch.setattr(watching, "RECHECK_SECONDS", 0.01)
    monkeypatch.setattr(watching, "UNCONFIRMED_SECONDS", 0.2)

    def away(rights: object) -> None:
        raise OSError

    monkeypatch.setattr(watching, "select_valid", away)

    async def lost() -> list[bool]:
        with watched(Right(Credential(uuid4()))) as reader:
            at_first = reader.holds
            async with asyncio.timeout(PATIENCE):
                while reader.holds:
                    await asyncio.sleep(0.01)
            return [at_first, reader.holds]

    assert asyncio.run(lost()) == [True, False]


def test_those_whose_right_is_withdrawn_stop_reading_and_no_others(monkeypatch) -> None:
    monkeypatch.setattr(watching, "RECHECK_SECONDS", 0.01)
    stays, goes = Right(Credential(uuid4())), Right(Credential(uuid4()))
    monkeypatch.setattr(watching, "select_valid", lambda rights: set(rights) - {goes})

    async def read() -> list[bool]:
        with watched(stays) as first, watched(goes) as second, watched(stays) as third:
            async with asyncio.timeout(PATIENCE):
                while second.holds:
                    await asyncio.sleep(0.01)
            return [first.holds, second.holds, third.holds]

    assert asyncio.run(read()) == [True, False, True]
