"""Query plans: people's rows are found by keys, independent of the number of other rows.

What the pages and the API read, an answer writes and the sweeps look for is explained by the
database itself: no statement may read a table of people's rows from end to end. PostgreSQL is told
to avoid that wherever an index lets it, so few rows show what a million would.
"""

import re
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import timedelta
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from django.apps import apps
from django.db import connection
from django.db.models import ForeignKey
from django.test import Client
from django.utils import timezone
from pytest_django import Settings

from chat.turns.pipeline import answer_now, take_turn
from citations.ingestion.adding import add_document
from memory import tasks
from memory.admin.rows import BoundedPaginator, NewestValues
from memory.conversations.asking import Question, create_session
from memory.forgetting.deletion import erase_session, erase_turn
from memory.forgetting.retention import sweeping
from memory.jobs.queue import run_due
from memory.models import ExportPackage, Job, PackagePart, Session, Turn, User
from memory.personal_data import package_ends, packages
from tests.isolation.belongings import belongings_of
from tests.isolation.routes import OWN, PERSON, routes
from tests.isolation.test_isolation import FIXED
from tests.memory.test_package_ends import stored
from tests.people import person
from tests.plans import StatementWatch, plan_of

pytestmark = pytest.mark.django_db

SQLITE_SCAN = re.compile(r"^SCAN (\w+)(?: USING (?:COVERING )?INDEX (\w+))?$")
# Pages that find a person's rows by what isn't theirs: a link, or the document that goes.
BY_OTHER_KEYS = {"chat:package_file", "api:package_file", "chat:delete_document"}
# Tables that may be read as a whole, or by an index from its beginning, and the reason.
MAY_BE_SCANNED = {
    # Few rows, of those who run the place: by tier, by state.
    "memory_retentionpolicy",
    "memory_retentionrun",
    "memory_purgefailure",
    "memory_legalhold",
}


@dataclass
class Watch(StatementWatch):
    """The statements that were explained, and those that read a table of people's rows whole."""

    tables: set[str]
    explained: int = 0
    found: dict[str, str] = field(default_factory=dict)

    def look(self, sql: str, params: Any) -> None:
        self.explained += 1
        for table in _read(sql, params):
            if table in self.tables:
                self.found.setdefault(table, re.sub(r"\s+", " ", sql)[:400])


def _read(sql: str, params: Any) -> Iterator[str]:
    """Yield the tables, by their names, that the statement reads from end to end."""
    if connection.vendor == "sqlite":
        with connection.cursor() as cursor:
            cursor.execute(f"EXPLAIN QUERY PLAN {sql}", params)
            aliases = dict(re.findall(r'"(\w+)" (U\d+|T\d+)\b', sql))
            for *_ids, line in cursor.fetchall():
                if (known := SQLITE_SCAN.match(line)) and known[2] not in partial_indexes():
                    yield aliases.get(known[1], known[1])
        return
    yield from _nodes(plan_of(sql, params))


def _nodes(plan: dict[str, Any]) -> Iterator[str]:
    is_by_index = plan["Node Type"] in ("Index Scan", "Index Only Scan")
    is_partial = plan.get("Index Name") in partial_indexes()
    if plan["Node Type"] == "Seq Scan" or (
        is_by_index and "Index Cond" not in plan and not is_partial
    ):
        yield plan["Relation Name"]
    for inner in plan.get("Plans", ()):
        yield from _nodes(inner)


@cache
def partial_indexes() -> set[str]:
    """Return the indexes of few rows: those that are open, due or marked."""
    return {
        index.name
        for model in apps.get_models()
        for index in (*model._meta.indexes, *model._meta.constraints)
        if getattr(index, "condition", None) is not None
    }


def of_people() -> set[str]:
    """Return the tables with rows of people, and of what is to be done for them."""
    return {
        model._meta.db_table
        for model in apps.get_models()
        if getattr(getattr(model, "handling", None), "person", "") or model is Job
    } - MAY_BE_SCANNED


@contextmanager
def watched() -> Iterator[Watch]:
    """Explain each statement, and fail at the end if one reads the rows of all people."""
    watch = Watch(of_people())
    if connection.vendor == "postgresql":
        with connection.cursor() as cursor:
            # Statistics of tables with a handful of rows are forgotten.
            of_ours = "(SELECT oid FROM pg_class WHERE relnamespace = 'public'::regnamespace)"
            cursor.execute(
                f"UPDATE pg_class SET relpages = 0, reltuples = -1 WHERE oid IN {of_ours}"
            )
            cursor.execute(f"DELETE FROM pg_statistic WHERE starelid IN {of_ours}")
            cursor.execute("SET LOCAL enable_seqscan = off")
    with connection.execute_wrapper(watch):
        yield watch
    assert watch.explained > 5
    assert not watch.found, "\n\n".join(f"{what}\n  {sql}" for what, sql in watch.found.items())


# --- What people do -------------------------------------------------------------------------------


def test_no_page_and_no_endpoint_reads_the_rows_of_all_people(owner: User) -> None:
    ids = belongings_of(owner).ids
    browser = Client(raise_request_exception=False)
    browser.force_login(owner)
    asked = 0
    with watched() as watch:
        for route in routes():
            if route.name in BY_OTHER_KEYS:
                continue
            if route.access in (OWN, PERSON) and not route.name.startswith(("mfa", "account")):
                asked += browser.get(route.path(FIXED | ids)).status_code == 200
        for query in ("q=fee", f"session={ids['session_id']}&q=fee"):
            asked += browser.get(f"/api/v1/search?{query}").status_code == 200
    assert asked > 25
    assert watch.explained > 200


def test_a_question_its_answer_and_their_end_touch_their_own_rows(
    owner: User, library: None
) -> None:
    session = create_session(owner, title="Fees")
    with watched():
        for text in ("What is the Determination Date?", "And if it falls on a weekend?"):
            attempt = take_turn(session, Question(text)).attempt
            assert attempt
            turn = answer_now(attempt)
        run_due()
    with watched():
        erase_turn(turn, actor=owner)
        erase_session(session, actor=owner)
    assert not Turn.objects.exists()


def test_a_document_is_added_and_deleted_by_its_own_keys(owner: User) -> None:
    client = Client()
    client.force_login(owner)
    with watched():
        document = add_document(b"The fee is ten.", file_name="fee.txt", owner=owner)
        run_due()
        assert client.post(f"/library/{document.pk}/delete").status_code in (302, 303, 200)


def test_the_sweeps_find_what_is_due_by_an_index(
    owner: User, settings: Settings, tmp_path: Path
) -> None:
    settings.AUDIT_ANCHORS_FILE = tmp_path / "anchors"  # other tests' events are gone
    create_session(owner)
    shorter = create_session(owner)
    ended = stored(owner, parts=2, end=timedelta(0))
    packages.delete_packages([ended.pk])
    incomplete = stored(owner, parts=2)
    Session.objects.filter(pk=shorter.pk).update(expires_at=timezone.now())
    assert ExportPackage.objects.containing_ended().get() == incomplete
    with watched():
        package_ends.purge_expired()
        sweeping.compute_lag()
        sweeping.sweep()
        tasks.look()
        tasks.clean_up_all()
        run_due()
    assert Session.objects.exists()
    assert not PackagePart.objects.exists()


def test_the_admins_lists_count_no_further_than_they_show(
    owner: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    session = create_session(owner)
    Turn.objects.bulk_create(
        Turn(session=session, owner=owner, position=number, status="complete", query_tokens=1)
        for number in range(1, 130)
    )
    Turn.objects.filter(position=1).update(failure="beyond_them")
    Turn.objects.filter(position=129).update(failure="internal_error")
    monkeypatch.setattr(BoundedPaginator, "MOST", 100)
    boss = Client()
    boss.force_login(person("boss", is_staff=True, is_superuser=True))
    page = boss.get("/admin/memory/turn/")
    assert page.context["cl"].result_count == 100
    assert len(page.context["cl"].result_list) == 50
    assert page.context["cl"].paginator.num_pages == 2
    offered = {spec.title: list(spec.lookup_choices) for spec in page.context["cl"].filter_specs
               if isinstance(spec, NewestValues)}  # fmt: skip
    assert offered == {"failure": ["", "internal_error"], "rating": [None], "model": [""]}
    one = Turn.objects.get(position=1)  # beyond them, and found by its id
    assert boss.get("/admin/memory/turn/", {"q": str(one.pk)}).context["cl"].result_count == 1


# --- Indexes --------------------------------------------------------------------------------------


def test_no_foreign_key_has_an_index_that_another_begins_with() -> None:
    twice = [
        f"{model._meta.label}.{key.name}: db_index=False, as {index.name} begins with it"
        for model in apps.get_models()
        if model._meta.app_label in ("memory", "citations", "chat")
        for key in model._meta.local_fields
        if isinstance(key, ForeignKey) and key.db_index and not key.unique
        for index in (*model._meta.indexes, *model._meta.constraints)
        if getattr(index, "condition", None) is None
        and [name.lstrip("-") for name in getattr(index, "fields", ())][:1] == [key.name]
    ]
    assert not twice, "\n".join(twice)


def test_every_foreign_key_is_found_by_an_index_of_the_database() -> None:
    """Deleting a row looks for what hangs on it."""
    missing = []
    with connection.cursor() as cursor:
        for model in apps.get_models():
            if model._meta.app_label not in ("memory", "citations", "chat"):
                continue
            if model._meta.db_table not in connection.introspection.table_names(cursor):
                continue  # it is in the other database
            known = connection.introspection.get_constraints(cursor, model._meta.db_table)
            leading = {each["columns"][0] for each in known.values() if each["columns"]
                       and (each["index"] or each["unique"] or each["primary_key"])}  # fmt: skip
            missing += [
                f"{model._meta.label}.{key.name}"
                for key in model._meta.local_fields
                if isinstance(key, ForeignKey) and key.column not in leading
            ]
    assert not missing
