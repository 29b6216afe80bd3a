"""Canaries: words that stand nowhere else, planted wherever a person's text can be, and a search
for their bytes that shares no code with the product's own.
"""

import re
import secrets
import tempfile
import zlib
from base64 import b64encode
from collections.abc import Iterable, Iterator
from contextlib import closing
from pathlib import Path

import numpy as np
from allauth.account.models import EmailAddress, EmailConfirmation
from allauth.mfa.models import Authenticator
from allauth.usersessions.models import UserSession
from django.apps import apps
from django.conf import settings
from django.contrib.admin.models import CHANGE, LogEntry
from django.contrib.contenttypes.models import ContentType
from django.contrib.sessions.models import Session as BrowserSession
from django.db import connections
from django.test import Client
from django.utils import timezone

from chat.turns.pipeline import answer_now, take_turn
from citations.ingestion.adding import add_document
from memory.conversations.asking import Question, create_session
from memory.conversations.editing import rate_answer
from memory.fields import SealedTextField
from memory.jobs.queue import run_due
from memory.models import Session, Turn, User
from memory.people.api_tokens import get_default_lifetime, issue
from memory.people.sign_in.web_sessions import SessionStore
from memory.postgresql.roles import make_owner_connection


class Canaries:
    """Words for one test; `next()` gives one, and all of them are remembered."""

    def __init__(self) -> None:
        self.words: list[str] = []

    def next(self) -> str:
        self.words.append(f"Kx{secrets.token_hex(9)}")
        return self.words[-1]

    def planted(self, person: User, *, sessions: int, documents: int) -> None:
        """Give the person everything that a person can have, with a canary in each text."""
        self._account(person)
        for _ in range(documents):
            word = self.next()
            add_document(
                f"The {word} clause sets the fee at 4711 guilders.".encode(),
                file_name=f"{self.next()}.txt",
                owner=person,
                title=f"On {self.next()}",
                authors=[self.next()],
            )
        run_due()
        for _ in range(sessions):
            self._session(person)
        run_due()

    def _account(self, person: User) -> None:
        person.username, person.first_name = self.next(), self.next()
        person.email = f"{self.next()}@example.org"
        person.save()
        address = EmailAddress.objects.create(user=person, email=f"{self.next()}@example.net")
        EmailConfirmation.objects.create(email_address=address, key=self.next())
        issue(person, lifetime=get_default_lifetime(), name=f"A token {self.next()}")
        Authenticator.objects.create(
            user=person, type="webauthn", data={"name": f"Key {self.next()}"}
        )
        self._browser(person)
        LogEntry.objects.create(
            user=person,
            content_type=ContentType.objects.get_for_model(User),
            object_id=str(person.pk),
            object_repr=str(person.pk),
            action_flag=CHANGE,
            change_message=f"Changed {self.next()}",
        )

    def _browser(self, person: User) -> None:
        browser = Client()
        browser.force_login(person)
        session = browser.session
        session["note"] = self.next()
        session.save()
        UserSession.objects.create(
            user=person,
            session_key=session.session_key,
            ip="192.0.2.7",
            user_agent=f"Mozilla/5.0 {self.next()}",
            last_seen_at=timezone.now(),
        )

    def _session(self, person: User) -> None:
        session = create_session(
            person, title=f"Title {self.next()}", metadata={"note": f"Note {self.next()}"}
        )
        for _ in range(2):
            turn = asked(session, f"What does the {self.next()} clause say of the fee?")
            rate_answer(turn, rating=1, feedback=f"Said well, {self.next()}")


def asked(session: Session, question: str, *, key: str = "") -> Turn:
    """Ask and answer to the end."""
    wish = Question(question, idempotency_key=key or secrets.token_hex(8), request="x")
    attempt = take_turn(session, wish).attempt
    assert attempt
    return answer_now(attempt)


# --- The search -----------------------------------------------------------------------------------


def bytes_of_all_stores() -> Iterator[bytes]:
    """Yield every byte that the installation keeps: databases, logs of theirs, folders, tmp."""
    for path in [*_database_files(), *Path(settings.DATA_DIR).rglob("*")]:
        if path.is_file() and settings.STATIC_ROOT not in path.parents:
            yield path.read_bytes()
    for folder in Path(tempfile.gettempdir()).glob("throughline-*"):
        for path in folder.rglob("*"):
            if path.is_file():
                yield path.read_bytes()


def _database_files() -> Iterator[Path]:
    for alias in connections:
        connection = connections[alias]
        if connection.vendor == "postgresql":
            with closing(make_owner_connection(connection)) as owner, owner.cursor() as cursor:
                cursor.execute("SHOW data_directory")
                folder = Path(cursor.fetchone()[0])
                yield from (folder / "base").rglob("*")
                yield from (folder / "pg_wal").rglob("*")
            return
        name = str(connection.settings_dict["NAME"])
        yield from (Path(name + ending) for ending in ("", "-wal", "-shm"))


def left(words: Iterable[str], stores: Iterable[bytes]) -> set[str]:
    """Return the words of which the stores hold anything: raw, in UTF-16, in base64, packed, or
    any eight bytes of them in a row.
    """
    pieces = {word[at : at + 8].encode(): word for word in words for at in range(2, len(word) - 7)}
    coded = {b64encode(bytes(n) + word.encode())[4:-4]: word for word in words for n in range(3)}
    found: set[str] = set()
    for data in stores:
        for whole in (data, *_unpacked(data)):
            runs = [*NARROW.findall(whole), *(run[::2] for run in WIDE.findall(whole))]
            windows = {run[at : at + 8] for run in runs for at in range(len(run) - 7)}
            found |= {pieces[window] for window in windows & pieces.keys()}
            letters = b" ".join(LETTERS.findall(whole))
            found |= {word for form, word in coded.items() if form in letters}
    return found


# The alphabet of canaries, in one byte a letter and in two; and that of base64.
NARROW = re.compile(rb"[0-9a-f]{8,}")
WIDE = re.compile(rb"(?:[0-9a-f]\x00){8,}")
LETTERS = re.compile(rb"[A-Za-z0-9+/]{16,}")


def _unpacked(data: bytes) -> Iterator[bytes]:
    for match in re.finditer(rb"\x1f\x8b\x08|x[\x01\x5e\x9c\xda]", data):
        try:
            yield zlib.decompressobj(47).decompress(data[match.start() : match.start() + 65_536])
        except zlib.error:
            continue


# --- What is stored sealed ------------------------------------------------------------------------


def stored_pieces(words: Iterable[str], person: User) -> dict[bytes, set[str]]:
    """Return eight bytes of each value of the person that is sealed, or packed by Django, with the
    words that it says. They come from three places, because a page of the database may end in one.
    """
    pieces: dict[bytes, set[str]] = {}
    for value, stored in [*_sealed_values(person), *_browsers()]:
        if said := {word for word in words if word in value}:
            for at in (len(stored) * place // 4 for place in (1, 2, 3)):
                pieces[stored[at : at + 8]] = said
    return pieces


def _sealed_values(person: User) -> Iterator[tuple[str, bytes]]:
    """Yield each value as it is read and as it is stored."""
    for model in apps.get_models():
        fields = [field for field in model._meta.fields if isinstance(field, SealedTextField)]
        names = {field.name for field in model._meta.fields}
        whose = next((name for name in ("owner", "user") if name in names), None)
        for row in model._base_manager.filter(**{whose: person}) if fields and whose else ():
            for field in fields:
                if value := getattr(row, field.attname):
                    one = model._base_manager.filter(pk=row.pk)
                    yield str(value), bytes(one.values_list(field.name, flat=True).get())


def _browsers() -> Iterator[tuple[str, bytes]]:
    for row in BrowserSession.objects.all():
        yield str(SessionStore().decode(row.session_data)), row.session_data.encode()


def stored_still(pieces: dict[bytes, set[str]], stores: Iterable[bytes]) -> set[str]:
    """Return the words of which the stores hold a piece, sealed as it was."""
    keys = np.frombuffer(b"".join(sorted(pieces)), dtype="<u8")
    begins = np.zeros(65_536, dtype=bool)
    begins[keys & 0xFFFF] = True
    found: set[str] = set()
    for data in stores:
        for shift in range(min(8, max(0, len(data) - 7))):
            windows = np.frombuffer(data, "<u8", count=(len(data) - shift) // 8, offset=shift)
            likely = windows[begins[windows & 0xFFFF]]
            for key in np.unique(likely[np.isin(likely, keys)]):
                found |= pieces[int(key).to_bytes(8, "little")]
    return found
