"""A person with something of everything, their package, and the same by the database's own word."""

import io
import json
from dataclasses import dataclass
from functools import cached_property
from typing import Any
from zipfile import ZipFile

from django.db import connection

from chat.models import ContextPassage, ContextRecord, ContextTurn
from citations.models import Citation, Claim, Document, Passage, Source
from memory.conversations.asking import create_session
from memory.jobs.queue import run_due
from memory.models import ExportPackage, Session, Turn, User
from memory.personal_data.packages import Status, ask_for_package, make_link, read_pieces, redeem

Row = dict[str, Any]
# Through which a row without a person of its own is someone's.
PARENTS = ("memory_session", "memory_turn", "chat_contextrecord", "account_emailaddress")


@dataclass(frozen=True)
class Packed:
    """A downloaded package."""

    content: bytes

    @cached_property
    def files(self) -> dict[str, bytes]:
        with ZipFile(io.BytesIO(self.content)) as archive:
            assert archive.testzip() is None
            return {name: archive.read(name) for name in archive.namelist()}

    @cached_property
    def data(self) -> Row:
        found: Row = json.loads(self.files["data.json"])
        return found

    @property
    def tables(self) -> dict[str, list[Row]]:
        return self.data["tables"] | self.data["about_you"]

    @property
    def text(self) -> str:
        return "\n".join(content.decode() for content in self.files.values())


def made(person: User) -> ExportPackage:
    """Ask for a package and let the worker make it."""
    package = ask_for_package(person)
    run_due()
    package.refresh_from_db()
    assert package.status == Status.READY
    return package


def packed(person: User) -> Packed:
    """Return what the person gets by the link to a new package of theirs."""
    package = made(person)
    fetched = redeem(person, package.pk, make_link(package).token)
    return Packed(b"".join(read_pieces(fetched)))


def history_of(person: User, *, turns: int) -> Session:
    """Store a conversation of answered turns, each with two citations and what the model saw."""
    document = Document.objects.create(
        title="Agreement",
        authors=[],
        media_type="text/plain",
        checksum=f"{turns:064}",
        status="ready",
    )
    passage = Passage.objects.create(document=document, position=0, text="It is. " * 20, tokens=40)
    session = create_session(person, title="A long one", turn_count=turns, last_position=turns)
    source = Source.objects.create(session=session, document=document, number=1)
    values = {"owner": person, "session": session, "status": "complete", "query_tokens": 5}
    rows = [
        Turn(
            position=at, query=f"Question {at}?", response="It is [1]. So it is [1]." * 8, **values
        )
        for at in range(1, turns + 1)
    ]
    Turn.objects.bulk_create(rows)
    claims = Claim.objects.bulk_create(
        Claim(owner=person, turn=row, start=0, end=10, state="supported", score=0.9,
              method="overlap", version="1")
        for row in rows
    )  # fmt: skip
    Citation.objects.bulk_create(
        Citation(
            owner=person, turn=row, source=source, passage=passage, start=start, claim_start=0,
            quote="It is.", score=0.9, claim=claim, passage_start=0, passage_end=6,
        )
        for row, claim in zip(rows, claims, strict=True)
        for start in (6, 20)
    )  # fmt: skip
    _what_the_model_saw(rows, passage)
    return session


def _what_the_model_saw(turns: list[Turn], passage: Passage) -> None:
    seen = {"strategy": "hybrid", "reason": "x", "rewrite_reason": "x", "model": "quoting"}
    names = ("system", "history", "passages", "question")
    parts = [{"part": part, "tokens": 90, "allowance": 500} for part in names]
    records = ContextRecord.objects.bulk_create(
        ContextRecord(turn=turn, attempt=1, prompt_version="1", prompt_hash="0" * 64, window=4096,
                      prompt_tokens=900, parts=parts, **seen)
        for turn in turns
    )  # fmt: skip
    ContextPassage.objects.bulk_create(
        ContextPassage(record=record, passage=passage, rank=rank, score=0.5, tokens=40)
        for record in records
        for rank in range(1, 9)
    )
    ContextTurn.objects.bulk_create(
        ContextTurn(record=record, turn=earlier, position=earlier.position, tokens=20)
        for record, at in zip(records, range(len(turns)), strict=True)
        for earlier in turns[max(0, at - 5) : at]
    )


# --- By the database's own word ------------------------------------------------------------------


class Stored:
    """Finds a person's rows by the foreign keys of the tables alone, without our models."""

    def __init__(self, person: User) -> None:
        self._person = person.pk.hex if connection.vendor == "sqlite" else str(person.pk)
        self._people = User._meta.db_table

    def count(self, table: str) -> int:
        return int(self._value(f"SELECT count(*) FROM {table} WHERE {self._mine(table)}"))

    def column(self, table: str, column: str) -> list[Any]:
        """Return the column as it stands in the person's rows, in no order."""
        with connection.cursor() as cursor:
            name = connection.ops.quote_name(column)
            cursor.execute(f"SELECT {name} FROM {table} WHERE {self._mine(table)}")
            return [value for (value,) in cursor.fetchall()]

    def _mine(self, table: str) -> str:
        if table == self._people:
            return f"id = '{self._person}'"
        with connection.cursor() as cursor:
            links = connection.introspection.get_relations(cursor, table)
        for column, (_target_column, target) in sorted(links.items()):
            if target == self._people:
                return f"{column} = '{self._person}'"
        column, target = next(
            (column, target)
            for column, (_target_column, target) in sorted(links.items())
            if target in PARENTS
        )
        return f"{column} IN (SELECT id FROM {target} WHERE {self._mine(target)})"

    def _value(self, sql: str) -> Any:
        with connection.cursor() as cursor:
            cursor.execute(sql)
            (value,) = cursor.fetchone()
        return value
