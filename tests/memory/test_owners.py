"""Whatever goes along a key between two rows of one person says whose they are."""

from collections.abc import Callable

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from memory.conversations.asking import create_session
from memory.models import Entity, Session, Turn, User
from tests.people import person

pytestmark = pytest.mark.django_db


@pytest.fixture
def session(owner: User) -> Session:
    session = create_session(owner)
    turn = Turn.objects.create(
        session=session, owner=owner, position=1, status="complete", query_tokens=1
    )
    Entity.objects.create(
        session=session, owner=owner, turn=turn, kind="term", fingerprint="f", position=1
    )
    return session


@pytest.mark.parametrize(
    "read",
    [
        lambda session: session.turns.get(),
        lambda session: session.turns.update(topic=1),
        lambda session: Entity.objects.filter(turn__in=list(Turn.objects.only("owner_id"))).get(),
        lambda session: Entity.objects.filter(turn__session__temporary=False).get(),
        lambda session: Entity.objects.select_related("turn__session").get().turn.session,
        lambda session: Entity.objects.get().turn,
        lambda session: Entity.objects.prefetch_related("turn__session").get(),
        lambda session: Session.objects.prefetch_related("turns__entities").get(),
        lambda session: Session.objects.filter(turns__entities__position=1).get(),
        lambda session: session.save(update_fields=["temporary"]),
        lambda session: Entity.objects.get().save(),
    ],
)
def test_each_statement_that_goes_along_it_names_the_owner(
    session: Session, read: Callable[[Session], object]
) -> None:
    with CaptureQueriesContext(
        connection,
    ) as made:
        read(session)
    along = [query["sql"] for query in made if "WHERE" in query["sql"] or "JOIN" in query["sql"]]
    assert along
    for sql in along:
        assert "owner_id" in sql.partition("FROM" if "SELECT" in sql else "WHERE")[2], sql


def test_a_row_of_someone_else_is_not_found_by_it(session: Session) -> None:
    Turn.objects.update(owner=person("someone"))
    assert not session.turns.exists()
    assert not Entity.objects.filter(turn__session=session).exists()
    with pytest.raises(Turn.DoesNotExist):
        assert Entity.objects.get().turn


def test_an_instance_that_does_not_know_its_owner_is_not_asked_for_it(session: Session) -> None:
    (bare,) = Session.objects.only("pk")
    with CaptureQueriesContext(connection) as made:
        assert bare.turns.count() == 1
    assert len(made) == 1


def test_what_is_left_out_is_left_out_whoever_has_it(session: Session) -> None:
    turn = Turn.objects.get()
    assert not Entity.objects.exclude(turn=turn).exists()
    assert Entity.objects.filter(turn=turn.pk).exists()
    assert not Session.objects.exclude(turns__entities=Entity.objects.get()).exists()
