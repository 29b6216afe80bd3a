"""Each row of a person says whose it is, those from before the column as well."""

from collections.abc import Iterator
from contextlib import contextmanager

import pytest
from django.apps import apps
from django.db import connection
from django.db.migrations.executor import MigrationExecutor
from django.db.models import Model

from chat.models import ContextPassage, ContextRecord
from citations.models import OfferedDocument, SessionDocument, Source, TurnDocument
from memory.conversations.asking import create_session
from memory.models import User
from memory.online import FillOwner
from memory.owners import OwnerId
from tests.chat.remembered import said

BEFORE = [
    ("chat", "0008_prefixed_indexes"),
    ("citations", "0006_prefixed_indexes"),
    ("memory", "0013_operators"),
]


def hanging() -> list[type[Model]]:
    """Return the models whose rows have their owner from the row that they hang on."""
    return [
        model
        for model in apps.get_models()
        if any(isinstance(field, OwnerId) for field in model._meta.fields)
    ]


@contextmanager
def version_before() -> Iterator[None]:
    """Let the databases be as they were before the column."""
    executor = MigrationExecutor(connection)
    newest = [
        node for node in executor.loader.graph.leaf_nodes() if node[0] in dict(BEFORE)
    ]
    executor.migrate(BEFORE)
    try:
        yield
    finally:
        MigrationExecutor(connection).migrate(newest)


@pytest.mark.django_db(transaction=True)
def test_rows_from_before_get_the_owner_of_what_they_hang_on(
    owner: User, library: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(FillOwner, "BATCH", 2)
    for _ in range(3):
        said(create_session(owner), "What is the Determination Date?")
    before = {model: model._base_manager.count() for model in hanging()}
    with version_before():
        pass
    for model, count in before.items():
        assert model._base_manager.filter(owner_id=owner.pk).count() == count, model
    assert len(before) == 10
    assert before[Source] > 2 and before[ContextRecord] > 2 and before[ContextPassage] > 5


@pytest.mark.django_db
def test_what_the_version_before_still_writes_gets_its_owner_from_the_database(owner: User) -> None:
    if connection.vendor == "sqlite":
        pytest.skip("on SQLite one version runs at a time")
    turn = said(create_session(owner), "What is the Determination Date?")
    with connection.cursor() as cursor:
        for model, key, pk in (
            (OfferedDocument, "turn_id", turn.pk),
            (TurnDocument, "turn_id", turn.pk),
            (SessionDocument, "session_id", turn.session_id),
        ):
            cursor.execute(f"INSERT INTO {model._meta.db_table} ({key}) VALUES (%s)", [pk])
            assert model._base_manager.get(document=None).owner_id == owner.pk
