"""Very many conversations, written by the database itself: `python -m tests.scale.material TURNS`.

Each turn has one citation, and each conversation a hundred turns, as a full one of the default tier
has. Every second one has expired; what is sealed is as long as life, but copies of one value.
"""

import sys
from datetime import timedelta

import django

TURNS_A_SESSION = 100
QUERY = "What does the agreement say of it? " * 3
RESPONSE, QUOTE = "It says a lot. " * 50, "So. " * 40


def store(
    turns: int, *, expired_over: timedelta = timedelta(days=1), per: int = 0, people: int = 100
) -> None:
    """Store so many turns; the sessions that have expired did so evenly over the last time."""
    from django.db import connection
    from django.utils import timezone
    from uuid_utils.compat import uuid7

    from citations.models import Citation, Source
    from memory.models import Session, Turn, User
    from tests.people import person

    per = per or TURNS_A_SESSION
    owners = [person(f"person-{number}") for number in range(people)]
    now = timezone.now()
    sessions = []
    for number in range(turns // per):
        ago = expired_over * (number / (turns // per))
        has_expired = number % 2 == 0
        sessions.append(
            Session(
                owner=owners[number % len(owners)],
                title="",
                last_activity=now - (timedelta(days=1) + ago if has_expired else timedelta(0)),
                expires_at=now - ago if has_expired else now + timedelta(days=1),
                turn_count=per,
                last_position=per,
            )
        )
    for start in range(0, len(sessions), 1000):
        Session.objects.bulk_create(sessions[start : start + 1000])
        Source.objects.bulk_create(
            Source(session=session, number=1) for session in sessions[start : start + 1000]
        )
    first = _first_turn(sessions[0])
    with connection.cursor() as cursor:
        cursor.execute(
            "CREATE TEMPORARY TABLE wanted (turn uuid, citation uuid, session uuid, owner uuid, "
            "source bigint, position integer)"
            if connection.vendor == "postgresql"
            else "CREATE TEMPORARY TABLE wanted (turn, citation, session, owner, source, position)"
        )
        uuid = str if connection.vendor == "postgresql" else lambda value: value.hex
        sources = dict(Source.objects.values_list("session_id", "pk"))
        for start in range(0, len(sessions), 100):
            rows = [
                (
                    uuid(uuid7()),
                    uuid(uuid7()),
                    uuid(session.pk),
                    uuid(session.owner_id),
                    sources[session.pk],
                    position,
                )
                for session in sessions[start : start + 100]
                for position in range(1, per + 1)
                if (session.pk, position) != (first.session_id, 1)
            ]
            marks = "%s, %s, %s, %s, %s, %s"
            cursor.executemany(f"INSERT INTO wanted VALUES ({marks})", rows)
            for model, columns in (
                (Turn, {"id": "turn", "session_id": "session", "position": "position"}),
                (Citation, {"id": "citation", "turn_id": "turn", "source_id": "source"}),
            ):
                _copy(cursor, model, columns | {"owner_id": "owner"})
            cursor.execute("DELETE FROM wanted")
        cursor.execute("DROP TABLE wanted")
        cursor.execute("ANALYZE")
    assert User.objects.count() >= len(owners)


def _first_turn(session):
    from citations.models import Citation
    from memory.models import Turn

    turn = Turn.objects.create(
        session=session,
        owner=session.owner,
        position=1,
        status="complete",
        query=QUERY,
        query_tokens=30,
        response=RESPONSE,
        response_tokens=200,
    )
    source = session.sources.get()
    Citation.objects.create(
        turn=turn, owner=session.owner, source=source, start=0, claim_start=0, quote=QUOTE, score=1
    )
    return turn


def _copy(cursor, model, columns) -> None:
    """Insert a row for each that is wanted: the columns given, and the rest as in the first one."""
    table = model._meta.db_table
    names = [field.column for field in model._meta.fields]
    values = ", ".join(
        f"wanted.{columns[name]}" if name in columns else f"first.{name}" for name in names
    )
    oldest = f"(SELECT * FROM {table} ORDER BY id LIMIT 1)"
    cursor.execute(
        f"INSERT INTO {table} ({', '.join(names)}) SELECT {values} FROM wanted, {oldest} AS first"
    )


if __name__ == "__main__":
    django.setup()
    store(int(sys.argv[1]))
