"""Sealing: only the right person's key opens a value, and only in its own place."""

import pytest
from django.db import connections
from hypothesis import HealthCheck, given, settings, strategies as some
from uuid_utils.compat import uuid4, uuid7

from memory.models import DataKey, Session, Turn, User
from memory.sealing.cipher import (
    UnsealError,
    destroy_data_keys,
    fingerprint_words,
    key_ring,
    seal,
    unseal,
)
from tests.people import person

PLACE = "memory_turn|1|query"


def stored(table: str, field: str, pk: object) -> bytes:
    """Return the field as it stands in the database."""
    with connections["default"].cursor() as cursor:
        value = getattr(pk, "hex", pk) if connections["default"].vendor == "sqlite" else pk
        cursor.execute(f"SELECT {field} FROM {table} WHERE id = %s", [value])
        return bytes(cursor.fetchone()[0])


def make_session(owner: User, title: str = "Business days") -> Session:
    from django.utils import timezone

    session = Session(owner=owner, title=title, metadata={"matter": "17"})
    session.expires_at = session.compute_expiry(timezone.now())
    session.save()
    return session


def make_turn(session: Session, position: int = 1) -> Turn:
    return Turn.objects.create(
        session=session,
        owner=session.owner,
        position=position,
        status=Turn.Status.COMPLETE,
        query=f"Canary question {position}",
        query_tokens=3,
        response=f"Canary answer {position}",
    )


@pytest.mark.django_db
@settings(max_examples=50, suppress_health_check=list(HealthCheck))
@given(plain=some.binary(max_size=5000))
def test_what_was_sealed_opens_again(plain: bytes) -> None:
    who = uuid7()
    assert unseal(seal(plain, owner=who, place=PLACE), owner=who, place=PLACE) == plain


@pytest.mark.django_db
def test_p26_a_row_reads_as_it_was_written_and_its_text_is_not_in_the_database(owner: User) -> None:
    session = make_session(owner)
    turn = make_turn(session)
    again = Turn.objects.get(pk=turn.pk)
    assert (again.query, again.response) == ("Canary question 1", "Canary answer 1")
    assert Session.objects.get(pk=session.pk).metadata == {"matter": "17"}
    assert b"Canary" not in stored("memory_turn", "query", turn.pk)
    assert b"Business" not in stored("memory_session", "title", session.pk)


@pytest.mark.django_db
def test_the_same_text_never_looks_the_same(owner: User) -> None:
    assert seal(b"x", owner=owner.pk, place=PLACE) != seal(b"x", owner=owner.pk, place=PLACE)


@pytest.mark.django_db
def test_p27_any_flipped_bit_is_noticed(owner: User) -> None:
    sealed = seal(b"the Determination Date", owner=owner.pk, place=PLACE)
    for bit in range(len(sealed) * 8):
        changed = bytearray(sealed)
        changed[bit // 8] ^= 1 << bit % 8
        with pytest.raises(UnsealError):
            unseal(bytes(changed), owner=owner.pk, place=PLACE)


@pytest.mark.django_db
def test_p27_any_shortened_value_is_refused(owner: User) -> None:
    sealed = seal(b"text", owner=owner.pk, place=PLACE)
    for length in range(len(sealed)):
        with pytest.raises(UnsealError):
            unseal(sealed[:length], owner=owner.pk, place=PLACE)


@pytest.mark.django_db
def test_p27_a_value_moved_to_another_row_does_not_open(owner: User) -> None:
    session = make_session(owner)
    first, second = make_turn(session, 1), make_turn(session, 2)
    Turn.objects.filter(pk=second.pk).update(
        query=first._meta.get_field("query").seal_value(first, "Canary question 1")
    )
    with pytest.raises(UnsealError):
        _ = Turn.objects.get(pk=second.pk).query


@pytest.mark.django_db
def test_p27_a_value_moved_to_another_field_does_not_open(owner: User) -> None:
    turn = make_turn(make_session(owner))
    field = Turn._meta.get_field("response")
    Turn.objects.filter(pk=turn.pk).update(query=field.seal_value(turn, "Canary answer 1"))
    with pytest.raises(UnsealError):
        _ = Turn.objects.get(pk=turn.pk).query


@pytest.mark.django_db
def test_p27_a_value_moved_to_another_person_does_not_open(owner: User, stranger: User) -> None:
    make_turn(make_session(stranger))  # so that the stranger has a key, of the same version
    turn = make_turn(make_session(owner))
    Turn.objects.filter(pk=turn.pk).update(owner=stranger)
    with pytest.raises(UnsealError):
        _ = Turn.objects.get(pk=turn.pk).query


@pytest.mark.django_db
def test_p29_with_its_key_destroyed_everything_a_person_said_is_noise(owner: User) -> None:
    turn = make_turn(make_session(owner))
    assert Turn.objects.get(pk=turn.pk).query == "Canary question 1"
    assert destroy_data_keys(owner.pk) == 1
    with pytest.raises(UnsealError, match="key is gone"):
        _ = Turn.objects.get(pk=turn.pk).query


@pytest.mark.django_db
def test_a_new_key_does_not_open_what_the_destroyed_one_sealed(owner: User) -> None:
    sealed = seal(b"text", owner=owner.pk, place=PLACE)
    destroy_data_keys(owner.pk)
    seal(b"makes another key", owner=owner.pk, place=PLACE)
    with pytest.raises(UnsealError):
        unseal(sealed, owner=owner.pk, place=PLACE)


@pytest.mark.django_db
def test_p29_another_process_forgets_a_destroyed_key_in_time(
    owner: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    sealed = seal(b"text", owner=owner.pk, place=PLACE)
    DataKey.objects.filter(owner_id=owner.pk).delete()  # as another process does it
    assert unseal(sealed, owner=owner.pk, place=PLACE) == b"text"
    import time

    later = time.monotonic() + 31
    monkeypatch.setattr("memory.sealing.cipher.time.monotonic", lambda: later)
    with pytest.raises(UnsealError):
        unseal(sealed, owner=owner.pk, place=PLACE)


@pytest.mark.django_db
def test_clear_text_is_refused_in_a_row_that_has_an_owner(owner: User) -> None:
    clear = seal(b"library", owner=None, place=PLACE)
    assert unseal(clear, owner=None, place=PLACE) == b"library"
    with pytest.raises(UnsealError):
        unseal(clear, owner=owner.pk, place=PLACE)


@pytest.mark.django_db
def test_sealed_text_is_refused_in_a_row_without_an_owner(owner: User) -> None:
    sealed = seal(b"text", owner=owner.pk, place=PLACE)
    with pytest.raises(UnsealError):
        unseal(sealed, owner=None, place=PLACE)


@pytest.mark.django_db
def test_plain_text_cannot_be_put_into_an_update_by_mistake(owner: User) -> None:
    turn = make_turn(make_session(owner))
    with pytest.raises(TypeError, match="sealed values only"):
        Turn.objects.filter(pk=turn.pk).update(query="in the clear")


@pytest.mark.django_db
def test_rows_that_are_not_read_are_not_opened(owner: User) -> None:
    turn = make_turn(make_session(owner))
    destroy_data_keys(owner.pk)
    again = Turn.objects.get(pk=turn.pk)
    assert again.position == 1


@pytest.mark.django_db
def test_blinded_words_are_alike_for_one_person_only(owner: User, stranger: User) -> None:
    mine = fingerprint_words(["servicer", "advance", "servicer"], owner=owner.pk)
    assert mine[0] == mine[2] != mine[1]
    assert fingerprint_words(["servicer"], owner=stranger.pk)[0] != mine[0]
    key_ring.clear()
    assert fingerprint_words(["servicer"], owner=owner.pk)[0] == mine[0]


@pytest.mark.django_db
def test_a_person_has_one_key_however_often_it_is_asked_for() -> None:
    who = uuid4()
    for _ in range(3):
        seal(b"text", owner=who, place=PLACE)
        key_ring.clear()
    assert DataKey.objects.filter(owner_id=who).count() == 1
    assert person("someone").pk != who
