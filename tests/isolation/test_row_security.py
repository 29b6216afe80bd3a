"""Row-level security: what a restricted role reads and writes, with each way of sending a scope."""

import asyncio
import os
import re
import subprocess
import threading
from contextvars import Context
from functools import partial
from typing import Any

import pytest
from django.apps import apps
from django.conf import settings
from django.db import ProgrammingError, connection, connections, transaction

from chat.database_threads import run_in_thread
from chat.turns.pipeline import answer_now, take_turn
from citations.deletion import delete_from_library
from citations.ingestion.adding import add_document
from citations.library import change_metadata
from citations.models import Document
from citations.session_focus.document_scope import scope_session
from citations.sources.versions import replace_document
from memory.conversations.asking import Question, create_session
from memory.forgetting.evidence.stores import list_stores
from memory.jobs import queue
from memory.models import EmergencyAccess, Job, Session, Turn, User
from memory.people.staff.emergencies import get_operator_name
from memory.personal_data.data_map import get_handling
from memory.personal_data.row_security import find_missing, install, list_policies
from memory.postgresql import base
from memory.postgresql.scope import Purpose, assume_person, begin, get, whole_installation
from tests.isolation.application_role import ROLE, connect_as_application
from tests.people import person
from tests.surroundings import ROOT

on_postgresql = pytest.mark.postgresql
# Where the product sees the rows of all people, by file: each of these was looked at.
WHOLE = {
    "chat/database_threads.py": ["UPKEEP"],
    "chat/llm/whole_answers.py": ["UPKEEP"],
    "citations/deletion.py": ["LIBRARY"],
    "citations/pages/drawing.py": ["UPKEEP"],
    "config/asgi.py": ["UPKEEP"],
    "config/celery.py": ["JOB"],
    "config/health.py": ["UPKEEP"],
    "config/heartbeat.py": ["UPKEEP"],
    "manage.py": ["COMMAND"],
    "memory/jobs/queue.py": ["JOB"],
    "memory/people/api_tokens.py": ["SIGN_IN"],
    "memory/people/middleware.py": ["ADMIN", "SIGN_IN"],
}
USE = re.compile(r"(?:begin_installation|whole_installation)\((?:\w*scope\.)?Purpose\.(\w+)\)")


def test_the_places_that_see_all_people_are_these() -> None:
    files = [ROOT / "manage.py"]
    for app in ("config", "memory", "citations", "chat"):
        files += (ROOT / app).rglob("*.py")
    found = {str(file.relative_to(ROOT)): USE.findall(file.read_text()) for file in files}
    assert {name: uses for name, uses in found.items() if uses} == WHOLE


@pytest.mark.parametrize("name", ["*", "'; SELECT 1; --", "1"])
def test_only_an_id_becomes_a_scope(name: str) -> None:
    with pytest.raises(ValueError, match="hexadecimal"), assume_person(name):
        raise AssertionError


def test_each_table_with_rows_of_people_has_a_policy() -> None:
    secured = {policy.table for policy in list_policies()}
    for model in apps.get_models(include_auto_created=True):
        handling = get_handling(model)
        if handling and handling.person and not handling.stays:
            assert model._meta.db_table in secured


@pytest.mark.schema
@on_postgresql
@pytest.mark.django_db
def test_after_migrate_no_policy_is_missing_and_another_run_changes_nothing() -> None:
    for alias in connections:
        assert not find_missing(connections[alias])
    with connection.cursor() as cursor:
        cursor.execute("DROP POLICY memory_turn_own ON memory_turn")
        assert [policy.name for policy in find_missing(connection)] == ["memory_turn_own"]
        install("default")
        assert not find_missing(connection)


@on_postgresql
@pytest.mark.django_db
def test_nothing_leads_round_a_policy() -> None:
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT relname FROM pg_class WHERE relkind IN ('v', 'm') "
            "AND relnamespace = current_schema()::regnamespace "
            "AND NOT coalesce(reloptions, '{}') @> '{security_invoker=true}'"
        )
        assert not cursor.fetchall(), "a view reads with its owner's rights"
        cursor.execute(
            "SELECT proname FROM pg_proc "
            "WHERE prosecdef AND pronamespace = current_schema()::regnamespace"
        )
        assert not cursor.fetchall(), "a function reads with its owner's rights"


@pytest.fixture
def two(application: None, owner: User, colleague: User) -> dict[str, Session]:
    """A conversation of each of two people, and nothing else."""
    return {user.username: create_session(user) for user in (owner, colleague)}


@on_postgresql
def test_only_the_persons_rows_are_read(two: dict[str, Session], owner: User) -> None:
    with connect_as_application():
        with assume_person(owner.pk):
            assert list(Session.objects.all()) == [two["owner"]]
            assert list(User.objects.all()) == [owner]
        with assume_person(None):
            assert not Session.objects.exists()
            assert not User.objects.exists()
        with whole_installation(Purpose.COMMAND):
            assert Session.objects.count() == 2


@on_postgresql
def test_no_row_of_another_is_written(two: dict[str, Session], owner: User) -> None:
    foreign = two["colleague"]
    with connect_as_application(), assume_person(owner.pk):
        assert not Session.objects.filter(pk=foreign.pk).update(title_by="person")
        assert Session.objects.filter(pk=foreign.pk).delete()[0] == 0
        with pytest.raises(ProgrammingError, match="row-level security"):
            Session.objects.filter(pk=two["owner"].pk).update(owner=foreign.owner_id)
        with pytest.raises(ProgrammingError, match="row-level security"):
            Session(owner_id=foreign.owner_id, expires_at=foreign.expires_at).save()
        with connection.cursor() as cursor, pytest.raises(ProgrammingError, match="denied"):
            cursor.execute("TRUNCATE memory_session CASCADE")


@on_postgresql
def test_staff_keep_the_shared_library_and_everyone_cites_it(
    two: dict[str, Session], owner: User, colleague: User
) -> None:
    staff = person("staff", is_staff=True, is_superuser=True)
    with connect_as_application():
        with assume_person(staff.pk):
            older = add_document(b"The harbour closes at nine.", file_name="a.txt", actor=staff)
            newer = add_document(b"The harbour closes at ten.", file_name="b.txt", actor=staff)
            change_metadata(older, actor=staff, title="Harbour")
        with assume_person(None):
            queue.run_due()
        with assume_person(owner.pk):
            scope_session(two["owner"], [older.pk])
            asked = take_turn(two["owner"], Question("When does the harbour close?"))
            assert asked.attempt
            assert answer_now(asked.attempt).citations.exists()
            with pytest.raises(ProgrammingError, match="row-level security"), transaction.atomic():
                Document.objects.filter(pk=older.pk).update(year=1)
            assert Document(pk=older.pk).delete()[0] == 0
        with assume_person(staff.pk):
            older.refresh_from_db()
            newer.refresh_from_db()
            replace_document(newer, older, actor=staff)
            delete_from_library(older, actor=staff)
    assert two["owner"].sources.get().document is None


@on_postgresql
def test_a_transaction_a_savepoint_and_an_error_leave_no_scope(
    two: dict[str, Session], owner: User, colleague: User
) -> None:
    def ids() -> list[Any]:
        return list(Session.objects.values_list("pk", flat=True))

    with connect_as_application(), assume_person(owner.pk):
        with pytest.raises(ZeroDivisionError), transaction.atomic():
            assert ids() == [two["owner"].pk]
            with pytest.raises(ProgrammingError), transaction.atomic(), assume_person(colleague.pk):
                assert ids() == [two["colleague"].pk]
                connection.cursor().execute("SELECT nothing FROM nowhere")
            assert ids() == [two["owner"].pk]
            raise ZeroDivisionError
        with connection.cursor() as cursor:
            cursor.execute(f"SHOW {base.SETTING}")  # neither statement carries a scope
            assert cursor.fetchone() == ("",)
            cursor.execute("TABLE memory_session")
            assert not cursor.fetchall()


@on_postgresql
def test_many_rows_are_written_under_the_scope_in_and_outside_a_transaction(
    two: dict[str, Session], owner: User
) -> None:
    rows = [("a", session.pk) for session in two.values()]
    change = "UPDATE memory_session SET title_by = %s WHERE id = %s"
    with connect_as_application(), assume_person(owner.pk):
        with connection.cursor() as cursor:
            cursor.executemany(change, rows)
        with transaction.atomic(), connection.cursor() as cursor:
            cursor.executemany(change, rows)
            assert cursor.rowcount == 1
    assert Session.objects.filter(title_by="a").count() == 1


@on_postgresql
def test_rows_are_read_in_chunks_under_the_scope_of_each_chunk(
    two: dict[str, Session], owner: User, colleague: User
) -> None:
    Session.objects.bulk_create(
        Session(owner=user, expires_at=two["owner"].expires_at)
        for user in (owner, colleague)
        for _number in range(4)
    )
    with connect_as_application(), assume_person(owner.pk):
        alone = Session.objects.iterator(chunk_size=2)
        begun = next(alone)
        with assume_person(colleague.pk):
            assert {row.owner_id for row in [begun, *alone]} == {owner.pk}
        with transaction.atomic():
            assert len(list(Session.objects.iterator(chunk_size=2))) == 5
        with assume_person(None):
            assert not list(Session.objects.iterator(chunk_size=2))


@on_postgresql
def test_what_is_begun_without_a_scope_sees_nothing(two: dict[str, Session]) -> None:
    seen: list[int] = []

    def count() -> None:
        with connect_as_application():
            seen.append(Session.objects.count() + Turn.objects.count() + User.objects.count())

    thread = threading.Thread(target=partial(Context().run, count))
    thread.start()
    thread.join()
    assert seen == [0]


@on_postgresql
def test_a_shell_of_the_database_has_the_scope_of_its_command(two: dict[str, Session]) -> None:
    def count() -> int:
        shell = connection.client
        arguments, variables = shell.settings_to_cmd_args_env(
            connection.settings_dict, ["-Atc", "SELECT count(*) FROM memory_session"]
        )
        place = {"PGHOST": str(connection.settings_dict["OPTIONS"].get("host", ""))}
        environment = os.environ | place | variables
        done = subprocess.run(arguments, env=environment, check=True, capture_output=True)
        return int(done.stdout)

    with connect_as_application():
        with whole_installation(Purpose.COMMAND):
            assert count() == 2
        with assume_person(None):
            assert count() == 0


@on_postgresql
@pytest.mark.django_db
@pytest.mark.skipif(not settings.DATABASE_OWNER, reason="there is one role")
def test_the_servers_files_are_looked_for_as_the_owner() -> None:
    assert any(each.blocks for each in list_stores() if each.name == "default database")


@on_postgresql
def test_people_are_told_the_name_of_who_opened_their_conversations(
    two: dict[str, Session], owner: User, colleague: User
) -> None:
    with connect_as_application(), assume_person(owner.pk):
        opening = EmergencyAccess(operator_id=colleague.pk)
        assert get_operator_name(opening) == colleague.username


@on_postgresql
def test_a_job_sees_the_rows_of_its_owner_alone(
    two: dict[str, Session], owner: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    seen: list[Any] = []
    monkeypatch.setattr(queue.kinds, "do", lambda *job: seen.append(list(Session.objects.all())))
    Job.objects.all().delete()
    with connect_as_application(), assume_person(None):
        queue.enqueue("looking", owner.pk, owner=owner.pk)
        queue.run_due()
        assert get() == ""
    assert seen == [[two["owner"]]]


@pytest.mark.schema
@on_postgresql
@pytest.mark.parametrize("right", ["SUPERUSER", "BYPASSRLS", "owner"])
def test_a_role_that_no_policy_holds_for_is_refused(application: None, right: str) -> None:
    with connection.cursor() as cursor:
        cursor.execute("SELECT current_user")
        (owner,) = cursor.fetchone()
        cursor.execute(
            f"GRANT {owner} TO {ROLE}" if right == "owner" else f"ALTER ROLE {ROLE} {right}"
        )
    try:
        with connect_as_application(), pytest.raises(base.UnfitRole, match="DATABASE_URL"):
            Session.objects.exists()
    finally:
        with connection.cursor() as cursor:
            cursor.execute(f"REVOKE {owner} FROM {ROLE}")
            cursor.execute(f"ALTER ROLE {ROLE} NOSUPERUSER NOBYPASSRLS")


@on_postgresql
def test_a_stream_keeps_its_person(two: dict[str, Session], owner: User) -> None:
    def titles() -> list[Any]:
        with connect_as_application():
            return list(Session.objects.all())

    async def follow() -> list[Any]:
        begin(owner.pk)
        task = asyncio.create_task(run_in_thread(titles))
        begin()
        return await task

    assert asyncio.run(follow()) == [two["owner"]]
