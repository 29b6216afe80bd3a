"""A million turns of ten thousand people: rows that PostgreSQL copies from those of one.

What is sealed doesn't open in a copy: these are there to be passed by. Who is asked about has rows
of their own, as many as a busy person has.
"""

from typing import Any

from allauth.usersessions.models import UserSession
from django.contrib.sessions.models import Session as BrowserSession
from django.db import connection
from django.db.models import Model

from chat.models import ContextRecord
from citations.models import Citation, Claim, Document, Passage, PassageVectors, Source
from memory.conversations.asking import create_session
from memory.models import (
    ApiToken,
    Attempt,
    AuditEvent,
    Consent,
    Entity,
    ErasureRequest,
    ExportPackage,
    Fact,
    IdempotencyKey,
    Job,
    Session,
    Turn,
    User,
    VectorBlock,
    WordBlock,
)
from memory.recall.facts.managing import write

PEOPLE = 10_000
A_SESSION = 100
# Of the person who is asked about.
SESSIONS, FACTS = 40, 60
EXPIRES = "now() + interval '20 hours' - n % 36000 * interval '1 second'"
LATELY = "now() - n % 500000 * interval '1 second'"


def id_of(kind: int, number: str) -> str:
    """Return an id, in the order of the numbers, for a copy of some kind of row."""
    return f"('0193522e-0000-7{kind:03}-8000-' || lpad(to_hex({number}), 12, '0'))::uuid"


def id_at(moment: str, number: str) -> str:
    """Return an id as one that is made at that moment has it."""
    milliseconds = f"(extract(epoch FROM {moment}) * 1000)::bigint"
    return (
        f"(lpad(to_hex({milliseconds}), 12, '0') || '70118000' "
        f"|| lpad(to_hex({number}), 12, '0'))::uuid"
    )


def fill(turns: int) -> None:
    """Copy the first row of each table until there are so many turns, and what goes with them."""
    sessions = turns // A_SESSION
    owner = id_of(0, f"n % {PEOPLE}")
    session, turn = id_of(1, f"n % {sessions}"), id_of(2, "n")
    asker = id_of(0, f"n / {A_SESSION} % {PEOPLE}")
    of_turn = {"turn_id": turn, "owner_id": asker}
    a_few = range(0, turns, 4)
    with connection.cursor() as cursor:
        # Nobody looks after the keys of a million rows one by one.
        cursor.execute("SET LOCAL session_replication_role = replica")
    copy(User, range(PEOPLE), id=id_of(0, "n"), username="'other-' || n", email="n || '@b.org'")
    copy(Session, range(sessions), id=session, owner_id=owner, expires_at=EXPIRES,
         last_activity=LATELY, created_at=LATELY, turn_count=str(A_SESSION))  # fmt: skip
    copy(Turn, range(turns), id=turn, session_id=id_of(1, f"n / {A_SESSION}"),
         owner_id=asker, position=f"1 + n % {A_SESSION}", asked_at=LATELY)  # fmt: skip
    copy(Attempt, a_few, id=id_of(3, "n"), **of_turn)
    copy(Claim, a_few, id=id_of(4, "n"), **of_turn)
    copy(ContextRecord, a_few, id=after(ContextRecord), **of_turn)
    first_source, first_passage = next_id(Source), next_id(Passage)
    copy(Source, range(sessions), id=f"{first_source} + n", session_id=session, owner_id=owner,
         document_id=id_of(10, "n"))  # fmt: skip
    copy(Citation, a_few, id=id_of(5, "n"), source_id=f"{first_source} + n / {A_SESSION}",
         claim_id=id_of(4, "n"), passage_id=f"{first_passage} + n / 5", **of_turn)  # fmt: skip
    for kind, model in enumerate((VectorBlock, WordBlock), start=6):
        copy(model, range(sessions), id=id_of(kind, "n"), session_id=session, owner_id=owner)
    copy(Entity, range(sessions), id=id_of(8, "n"), session_id=session, owner_id=owner,
         turn_id=id_of(2, f"n * {A_SESSION}"))  # fmt: skip
    copy(Fact, range(turns // 5), id=id_of(9, "n"), owner_id=owner, valid_from=LATELY,
         session_id="NULL", turn_id="NULL", replaced_by_id="NULL",
         expires_at="now() + interval '9 days'")  # fmt: skip
    copy(Document, range(turns // 50), id=id_of(10, "n"), owner_id=owner, created_at=LATELY,
         checksum="md5(n::text)")  # fmt: skip
    copy(Passage, range(turns // 5), id=f"{first_passage} + n", document_id=id_of(10, "n / 10"),
         position="n % 10", owner_id=id_of(0, f"n / 10 % {PEOPLE}"))  # fmt: skip
    # Of private documents, one each.
    copy(PassageVectors, range(PEOPLE), id=id_of(11, "n"), document_id=id_of(10, "n"),
         owner_id=owner)  # fmt: skip
    copy(Job, range(turns // 5), id=after(Job), subject=turn, owner_id=owner, status="'done'",
         finished_at=LATELY, created_at=LATELY)  # fmt: skip
    copy(Job, range(turns // 100), id=after(Job), subject=session, owner_id=owner,
         kind="'embed'", status="'waiting'", due_at="now() + interval '1 hour'")  # fmt: skip
    copy(AuditEvent, range(turns // 5), id=id_at(LATELY, "n"), at=LATELY, actor_id=owner,
         subject_id=turn)  # fmt: skip
    copy_of_accounts()
    with connection.cursor() as cursor:
        cursor.execute("SET LOCAL session_replication_role = origin")
        for model in (ContextRecord, Source, Passage, Job):  # the database goes on numbering
            table = model._meta.db_table
            sequence = f"pg_get_serial_sequence('{table}', 'id')"
            cursor.execute(f"SELECT setval({sequence}, (SELECT max(id) FROM {table}))")


def copy_of_accounts() -> None:
    """Copy what each account has one of: a browser, a token, a decision, a package, a request."""
    people, owner = range(PEOPLE), id_of(0, "n")
    key = "lpad(n::text, 40, '0')"
    copy(BrowserSession, people, session_key=key, expire_date="now() + interval '9 days'")
    copy(UserSession, people, id="n + 1000000", session_key=key, user_id=owner, last_seen_at=LATELY)
    copy(ApiToken, people, id=id_of(12, "n"), user_id=owner, digest="n::text",
         expiry="now() + interval '9 days'")  # fmt: skip
    copy(Consent, people, id=id_of(13, "n"), owner_id=owner, at=LATELY)
    copy(ExportPackage, range(PEOPLE // 10), id=id_of(14, "n"), owner_id=owner, status="'fetched'",
         link_hash="''", created_at=LATELY, expires_at="now() + interval '2 days'")  # fmt: skip
    copy(ErasureRequest, people, id=id_of(15, "n"), status="'verified'", person_id=id_of(16, "n"),
         actor_id=id_of(16, "n"), requested_at=LATELY, verified_at=LATELY)  # fmt: skip
    today = "now() - n % 36000 * interval '1 second'"
    copy(IdempotencyKey, range(5 * PEOPLE), id=id_of(17, "n"), owner_id=id_of(0, f"n % {PEOPLE}"),
         turn_id=id_of(2, "n"), key="n::text", created_at=today)  # fmt: skip


def next_id(model: type[Model]) -> int:
    """Return the first key that the database hasn't given yet."""
    newest = model._base_manager.order_by("-pk").values_list("pk", flat=True).first()
    return 1 + (newest or 0)


def after(model: type[Model]) -> str:
    """Return a key that the database numbers, behind those that there are."""
    return f"n + 1 + (SELECT max(id) FROM {model._meta.db_table})"


def copy(model: type[Model], numbers: range, **columns: str) -> None:
    """Insert a copy of the first row for each number n, in which these columns are as said."""
    table = model._meta.db_table
    names = [field.column for field in model._meta.concrete_fields]
    assert columns.keys() <= set(names), columns.keys() - set(names)
    values = ", ".join(columns.get(name, f'first."{name}"') for name in names)
    quoted = ", ".join(f'"{name}"' for name in names)
    series = f"generate_series({numbers.start}, {numbers.stop - 1}, {numbers.step}) AS n"
    with connection.cursor() as cursor:
        cursor.execute(
            f"INSERT INTO {table} ({quoted}) SELECT {values} FROM {series}, "
            f"(SELECT * FROM {table} LIMIT 1) AS first"
        )
        assert cursor.rowcount == len(numbers)


def be_busy(owner: User) -> None:
    """Give the person many conversations of many turns, and much that is remembered of them."""
    for number in range(SESSIONS):
        session = create_session(owner, title=f"Number {number}")
        of_it: dict[str, Any] = {"session": session, "owner": owner, "status": "complete"}
        Turn.objects.bulk_create(
            Turn(position=position, query="So?", query_tokens=2, response="So.", **of_it)
            for position in range(1, A_SESSION + 1)
        )
        ended = {"turn_count": A_SESSION, "last_position": A_SESSION}
        Session.objects.filter(pk=session.pk).update(**ended)
    for number in range(FACTS):
        write(owner, text=f"My number {number} is {number * 7}", kind="fact")
