"""A new migration keeps nobody waiting; and one that has to wait lets others by."""

import threading
import uuid
from contextlib import closing

import pytest
from django.core.management import call_command
from django.db import OperationalError, connection, connections, models, transaction
from django.db.migrations import Migration, operations
from django.db.migrations.loader import MigrationLoader
from django.db.models.functions import Now

from chat.installation import locks
from memory import online
from memory.models import User
from tests.migrations.landed import APPS, listed
from tests.migrations.locking import findings

LANDED = {tuple(path.removesuffix(".py").split("/migrations/")) for path in listed()}
CHECK = models.CheckConstraint(condition=models.Q(position__gte=0), name="position_is_natural")


def test_no_new_migration_keeps_people_waiting() -> None:
    loader = MigrationLoader(None)
    new = [key for key in loader.graph.nodes if key[0] in APPS and key not in LANDED]
    found = [
        finding
        for key in new
        for finding in findings(loader.graph.nodes[key], loader.project_state(key, at_end=False))
    ]
    assert not found, "\n".join(map(str, found))


def of(*done: operations.base.Operation, atomic: bool = True) -> list[str]:
    """Return what is found in a migration of these operations behind the last that has landed."""
    loader = MigrationLoader(None)
    migration = Migration("0099_next", "memory")
    migration.operations, migration.atomic = list(done), atomic
    last = max(key for key in LANDED if key[0] == "memory")
    return [str(finding) for finding in findings(migration, loader.project_state(last))]


def a_field(field: models.Field) -> operations.AddField:
    return operations.AddField("turn", "extra", field)


def nothing(apps: object, schema_editor: object) -> None:
    pass


@pytest.mark.parametrize(
    ("operation", "reason"),
    [
        (operations.AddIndex("turn", models.Index(fields=["topic"], name="t")), "builds an index"),
        (operations.RemoveIndex("turn", "t"), "every reader"),
        (a_field(models.IntegerField(default=1)), "which leaves it out"),
        (a_field(models.UUIDField(default=uuid.uuid4)), "which leaves it out"),
        (a_field(models.DateTimeField(db_default=Now())), "rewrite the table for its default"),
        (a_field(models.IntegerField(null=True, db_index=True)), "builds an index"),
        (a_field(models.IntegerField(null=True, unique=True)), "builds an index"),
        (
            a_field(models.ForeignKey("memory.user", models.CASCADE, null=True, db_index=False)),
            "checks every row",
        ),
        (operations.AlterField("turn", "topic", models.BigIntegerField(null=True)), "its type"),
        (operations.AlterField("turn", "topic", models.PositiveIntegerField()), "reads every row"),
        (operations.AlterField("turn", "length", models.CharField(max_length=8)), "its type"),
        (operations.AddConstraint("turn", CHECK), "reads every row"),
        (
            operations.AddConstraint("turn", models.UniqueConstraint(fields=["topic"], name="u")),
            "builds an index",
        ),
        (operations.AlterUniqueTogether("turn", {("session", "topic")}), "builds an index"),
        (operations.RemoveField("turn", "topic"), "breaks the version that still runs"),
        (operations.RenameField("turn", "topic", "theme"), "breaks the version that still runs"),
        (operations.DeleteModel("usage"), "breaks the version that still runs"),
        (operations.RunPython(nothing), "until its end"),
        (operations.RunSQL("UPDATE memory_turn SET topic = 1"), "until its end"),
        (operations.RunSQL("CREATE INDEX t ON memory_turn (topic)"), "builds an index"),
        (operations.RunSQL("ALTER TABLE memory_turn ADD CONSTRAINT c CHECK (1 = 1)"), "every row"),
        (operations.AlterOrderWithRespectTo("turn", "session"), "isn't known to be safe"),
    ],
)
def test_what_keeps_people_waiting_is_told_with_its_remedy(
    operation: operations.base.Operation, reason: str
) -> None:
    found = of(operation)
    assert any(reason in each for each in found), found
    assert all("memory.0099_next: " in each and ". Instead: " in each for each in found)


def test_what_keeps_nobody_waiting_is_let_through() -> None:
    own = operations.CreateModel("Note", [("id", models.BigAutoField(primary_key=True))])
    assert not of(
        own,
        operations.AddField("note", "turn", models.ForeignKey("memory.turn", models.CASCADE)),
        operations.AddIndex("note", models.Index(fields=["turn"], name="n")),
        a_field(models.IntegerField(null=True)),
        operations.AddField("turn", "other", models.IntegerField(db_default=0)),
        operations.AlterField("turn", "model", models.CharField(max_length=9_000)),
        operations.AlterModelOptions("turn", {"verbose_name": "question"}),
    )
    assert not of(
        online.AddIndex("turn", models.Index(fields=["topic"], name="t")),
        online.RemoveIndex("turn", "t"),
        online.AddCheck("turn", CHECK),
        online.ValidateCheck("turn", CHECK.name),
        operations.RunPython(nothing),
        operations.RunSQL("CREATE INDEX CONCURRENTLY t ON memory_turn (topic)"),
        atomic=False,
    )




# --- On the database ----------------------------------------------------------------------------


@pytest.mark.schema
@pytest.mark.postgresql
@pytest.mark.django_db(transaction=True)
def test_the_operations_that_keep_nobody_waiting_work_on_this_engine() -> None:
    loader = MigrationLoader(connection)
    before = loader.project_state()
    index = models.Index(fields=["topic"], name="turn_topic_tried")
    steps = [
        online.AddIndex("turn", index),
        online.AddCheck("turn", CHECK),
        online.ValidateCheck("turn", CHECK.name),
    ]
    for step in steps:
        before = apply(step, before)
    assert {index.name, CHECK.name} <= constraints()
    before = apply(operations.RemoveConstraint("turn", CHECK.name), before)
    apply(online.RemoveIndex("turn", index.name), before)
    assert not {index.name, CHECK.name} & constraints()


def apply(operation: operations.base.Operation, before: object) -> object:
    after = before.clone()
    operation.state_forwards("memory", after)
    with connection.schema_editor(atomic=False) as editor:
        operation.database_forwards("memory", editor, before, after)
    return after


def constraints() -> set[str]:
    with connection.cursor() as cursor:
        return set(connection.introspection.get_constraints(cursor, "memory_turn"))


@pytest.fixture
def short(settings: object, monkeypatch: pytest.MonkeyPatch) -> None:
    if connection.vendor != "postgresql":
        pytest.skip("SQLite has one lock, and its own time for it")
    settings.MIGRATION_LOCK_TIMEOUT = 0.3
    monkeypatch.setattr(locks, "PAUSE", 0.2)


def hold_the_table(until: threading.Event, held: threading.Event) -> None:
    """Read of a table, and keep the transaction open."""
    with closing(connections["default"]), transaction.atomic():
        User.objects.exists()
        held.set()
        assert until.wait(60)


@pytest.mark.schema
@pytest.mark.postgresql
@pytest.mark.django_db(transaction=True)
def test_a_migration_that_waits_lets_others_by_and_tries_again(short: None) -> None:
    told, until, held = [], threading.Event(), threading.Event()
    reader = threading.Thread(target=hold_the_table, args=(until, held))
    reader.start()
    assert held.wait(60)

    def say(text: str) -> None:
        told.append(text)
        assert not User.objects.exists()  # nobody queues behind it
        if len(told) == 2:
            until.set()
            reader.join()

    def migrate() -> None:
        with connection.schema_editor() as editor:
            editor.execute("ALTER TABLE memory_user ADD COLUMN tried integer")

    try:
        locks.migrate_patiently("default", migrate, say=say)
        assert len(told) == 2
        with connection.cursor() as cursor:
            cursor.execute("ALTER TABLE memory_user DROP COLUMN tried")
            cursor.execute("SHOW lock_timeout")
            assert cursor.fetchone() == ("0",)
    finally:
        until.set()
        reader.join()




