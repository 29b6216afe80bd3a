"""Samples of the data to be erased; the scanner searches for what is left of them.

A real person has no canaries. Samples are pieces of their words, uploads and answers, their names,
and some bytes of each sealed value. These bytes matter where an account lives on: its key does too,
so sealed remains could be read. Names that are too short to be searched for in bytes are looked for
as whole values in rows. Left out are texts that may legitimately exist elsewhere in the clear:
names of others, ids, times and common words.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import islice
from typing import Any, Self
from uuid import UUID

from django.db import models
from django.db.models.functions import Length, Substr

from memory.classification import Kind
from memory.fields import SealedTextField
from memory.forgetting.evidence import known_elsewhere
from memory.models import ErasureRequest, User
from memory.personal_data.data_map import get_ordered_models, get_person_filter
from memory.personal_data.texts import defer_files, read_texts, select_fields, select_text_fields

ROWS_OF_A_MODEL = 60
SAMPLES = 400  # of each sort
SHORTEST, LONGEST = 12, 40  # bytes, characters
LETTERS_ENOUGH = 8
SEALED_BYTES = 32
# Long words that mix letters and digits are nearly unique, and are searched in pieces too.
OWN_WORD = re.compile(
    r"(?=(?:[\w@.+-]{0,30}?\d){3})(?=(?:[\w@.+-]{0,30}?[A-Za-z]){3})[\w@.+-]{12,64}"
)
UUID_TEXT = re.compile(r"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}|\b[0-9a-f]{32}\b", re.I)


@dataclass(frozen=True)
class Samples:
    """The samples to search for: texts and stored bytes in every store, short names in rows."""

    texts: list[str] = field(default_factory=list)
    sealed: list[bytes] = field(default_factory=list)
    names: list[str] = field(default_factory=list)

    def __len__(self) -> int:
        return len(self.texts) + len(self.sealed) + len(self.names)

    def serialize(self) -> dict[str, list[str]]:
        """Return them in the form for the request."""
        sealed = [data.hex() for data in self.sealed]
        return {"texts": self.texts, "sealed": sealed, "names": self.names}

    @classmethod
    def deserialize(cls, kept: dict[str, list[str]] | None) -> Self:
        """Return the samples that `serialize` stored; none for None."""
        kept = kept or {}
        sealed = [bytes.fromhex(data) for data in kept.get("sealed", ())]
        return cls(kept.get("texts", []), sealed, kept.get("names", []))


def take_samples(person: User, scope: str) -> Samples:
    """Return some of the data to be erased, at most SAMPLES of each sort."""
    is_account = scope == ErasureRequest.Scope.ACCOUNT
    kinds = {Kind.CONTENT, Kind.IDENTITY} if is_account else {Kind.CONTENT}
    pieces: list[str] = []
    sealed: list[bytes] = []
    for model in get_ordered_models():
        if select_fields(model, kinds):
            ids = _sample_rows(model, person.pk)
            pieces += [piece for text in _read_texts(model, ids) for piece in _sample_pieces(text)]
            sealed += _read_sealed_bytes(model, ids, kinds)
    names = _read_person_names(person) if is_account else []
    # Names of an account that lives on will be found, and so will the names of others.
    gone = person.pk if is_account else None
    texts = [*filter(_is_long, names), *_spread(pieces)]
    taken = known_elsewhere.find_in_names(texts, known_elsewhere.get_naming_models(), but=gone)
    short = {name for name in names if not _is_long(name)}
    return Samples(
        texts=[text for text in dict.fromkeys(texts) if text not in taken],
        sealed=_spread(sealed),
        names=sorted(short - known_elsewhere.find_left_names(short, but=gone)),
    )


def _sample_rows(model: type[models.Model], person: UUID) -> list[Any]:
    """Return the ids of some of the person's rows, evenly spread."""
    mine = get_person_filter(model, person)
    if mine is None:
        return []
    rows = model._base_manager.filter(mine).order_by("pk")
    stride = max(1, rows.count() // ROWS_OF_A_MODEL)
    ids = rows.values_list("pk", flat=True).iterator()
    return list(islice(ids, 0, stride * ROWS_OF_A_MODEL, stride))


def _read_texts(model: type[models.Model], ids: list[Any]) -> Iterator[str]:
    if fields := select_text_fields(model, {Kind.CONTENT}):
        for row in defer_files(model._base_manager.filter(pk__in=ids)).iterator(chunk_size=5):
            yield from read_texts(row, fields)


def _read_person_names(person: User) -> list[str]:
    """Return the person's names and addresses, with the texts of the same rows."""
    names = [person.password[-LONGEST:]]
    for model in known_elsewhere.get_naming_models():
        fields = select_text_fields(model, {Kind.IDENTITY})
        for row in model._base_manager.filter(get_person_filter(model, person.pk)):
            names += read_texts(row, fields)
    return list(dict.fromkeys(filter(None, names)))


def _read_sealed_bytes(
    model: type[models.Model], ids: list[Any], kinds: set[Kind]
) -> Iterator[bytes]:
    """Yield bytes from the middle of sealed values; files stay in the database."""
    sealed = [f for f in select_fields(model, kinds) if isinstance(f, SealedTextField)]
    middles = [  # the shortest sealed value has 31 bytes
        Substr(f.name, Length(f.name) / 2 - 8, SEALED_BYTES, output_field=models.BinaryField())
        for f in sealed
    ]
    for values in model._base_manager.filter(pk__in=ids).values_list(*middles) if sealed else ():
        yield from (bytes(value) for value in values if value)


def _sample_pieces(text: str) -> Iterator[str]:
    """Yield some of the text: a piece of its longest line, and its first distinctive words."""
    text = UUID_TEXT.sub(" ", text)
    line = max(text.splitlines(), key=len, default="").strip()
    piece = line[max(0, len(line) // 2 - LONGEST // 2) :][:LONGEST].strip()
    if _is_long(piece) and sum(map(str.isalpha, piece)) >= LETTERS_ENOUGH:
        yield piece
    yield from (match[0] for match in islice(OWN_WORD.finditer(text), 2))


def _is_long(text: str) -> bool:
    return len(text.encode()) >= SHORTEST


def _spread(found: list[Any]) -> list[Any]:
    """Return at most SAMPLES of the items, evenly spread."""
    once = list(dict.fromkeys(found))
    return once[:: max(1, -(-len(once) // SAMPLES))]
