"""P13: after `verified_at` the bytes are gone, from every store and in every form."""

import time

import pytest
from django.db import connection

from memory.forgetting.erasure import requests
from memory.forgetting.erasure.execution import carry_out
from memory.forgetting.erasure.people import count_left
from memory.models import Certificate, DataKey, ErasedPerson, ErasureRequest, User
from memory.personal_data.data_map import get_person_filter
from memory.sealing.cipher import UnsealError, seal
from tests.effort import is_within
from tests.people import person
from tests.promises.canaries import (
    Canaries,
    asked,
    bytes_of_all_stores,
    left,
    stored_pieces,
    stored_still,
)

pytestmark = [
    pytest.mark.django_db(transaction=True),
    pytest.mark.usefixtures("stores_of_its_own"),
]


Status, Scope = ErasureRequest.Status, ErasureRequest.Scope


def erased(someone: User, scope: str = Scope.ACCOUNT) -> ErasureRequest:
    """Ask for the erasure and carry it out to its end."""
    request = requests.ask(someone, scope, actor=someone.pk)
    requests.confirm(request, actor=someone.pk, at_once=True)
    carry_out(request)
    request.refresh_from_db()
    return request


def the_bytes_are_gone(someone: User, *, sessions: int, documents: int, seconds: float) -> None:
    canaries = Canaries()
    canaries.planted(someone, sessions=sessions, documents=documents)
    other = Canaries()
    bystander = person("bystander")
    other.planted(bystander, sessions=1, documents=1)
    before = count_left(bystander.pk)
    sealed = stored_pieces(canaries.words, someone)
    there = left(canaries.words, bytes_of_all_stores())
    there |= stored_still(sealed, bytes_of_all_stores())
    assert there == set(canaries.words), "each of them is found before, in the clear or sealed"

    begun = time.process_time()
    request = erased(someone)

    assert request.status == Status.VERIFIED, (request.status, request.delay, request.searched)
    assert is_within(seconds, time.process_time() - begun)
    assert left(canaries.words, bytes_of_all_stores()) == set()
    assert stored_still(sealed, bytes_of_all_stores()) == set()
    assert count_left(bystander.pk) == before
    assert left(other.words, bytes_of_all_stores()), "the search finds what is there"


def test_p13_nothing_is_left_of_twenty_canaries(owner: User, library: None) -> None:
    the_bytes_are_gone(owner, sessions=2, documents=2, seconds=60)


@pytest.mark.deep
def test_p13_nothing_is_left_of_two_hundred_canaries(owner: User, library: None) -> None:
    limit = 60 if connection.vendor == "sqlite" else 900
    the_bytes_are_gone(owner, sessions=24, documents=12, seconds=limit)


def test_p13_the_key_is_gone_before_the_rows_and_no_other_is_made(owner: User) -> None:
    Canaries().planted(owner, sessions=1, documents=0)
    request = erased(owner)
    assert request.shredded_at <= request.deleted_at <= request.scrubbed_at <= request.verified_at
    assert not DataKey.objects.filter(owner_id__in=[owner.pk, request.pk]).exists()
    assert ErasedPerson.objects.get(pk=owner.pk).request_id == request.pk
    with pytest.raises(UnsealError):
        seal(b"late", owner=owner.pk, place="x")


def test_p13_the_samples_were_taken_and_go_when_it_is_verified(owner: User) -> None:
    Canaries().planted(owner, sessions=1, documents=1)
    request = erased(owner)
    assert request.sample_count >= 15
    assert request.samples is None


@pytest.mark.postgresql
def test_p13_everything_goes_and_the_account_stays(owner: User) -> None:
    canaries = Canaries()
    canaries.planted(owner, sessions=1, documents=1)
    said = canaries.words[10:]  # the first ten are of the account
    sealed = stored_pieces(said, owner)
    assert stored_still(sealed, bytes_of_all_stores()) == set(said)
    request = erased(owner, Scope.EVERYTHING)
    assert request.status == Status.VERIFIED, request.searched
    assert left(said, bytes_of_all_stores()) == set()
    assert stored_still(sealed, bytes_of_all_stores()) == set()
    assert set(count_left(owner.pk)) >= {"memory.user", "memory.apitoken", "account.emailaddress"}
    assert not {"memory.session", "memory.turn", "citations.document"} & set(count_left(owner.pk))
    session = asked_again(owner)
    assert get_person_filter(type(session), owner.pk) is not None
    assert session.turns.get().query.startswith("What now?")
    assert Certificate.objects.get(request=request)


def asked_again(someone: User):
    from memory.conversations.asking import create_session

    session = create_session(User.objects.get(pk=someone.pk))
    asked(session, "What now?")
    return session
