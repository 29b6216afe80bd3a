"""Samples of a person's own text, by which the scanner knows whether anything is left of it.

A real person has no canaries: pieces are taken here and there of what they said, uploaded and were
told, and of their addresses. What is too short or too common to be anyone's own is left out.
"""

import re
from collections.abc import Iterator
from typing import Any

from django.db import models

from memory.fields import SealedBytesField, SealedTextField
from memory.forgetting.data_map import handling_of, in_order, rows_of
from memory.forgetting.handling import Kind
from memory.models import ErasureRequest, User
from memory.sealing import UnsealError

ROWS_OF_A_MODEL = 60
SAMPLES = 400
SHORTEST, LONGEST = 12, 40  # bytes, characters
# Long words that mix letters and digits are hardly anyone else's, and are looked for in pieces too.
TEXTS = (SealedTextField, models.CharField, models.TextField)
OWN_WORD = re.compile(r"(?=\S*[A-Za-z])(?=\S*\d)[\w@.+-]{12,64}")


def samples_of(person: User, scope: str) -> list[str]:
    """Return pieces of what the erasure is to make disappear, at most SAMPLES."""
    kinds = {Kind.CONTENT}
    if scope == ErasureRequest.Scope.ACCOUNT:
        kinds.add(Kind.IDENTITY)
    found: dict[str, None] = {}
    for model in in_order():
        for text in _texts(model, person, kinds):
            found |= dict.fromkeys(_pieces(text))
    pieces = list(found)
    stride = max(1, -(-len(pieces) // SAMPLES))
    return pieces[::stride]


def _texts(model: type[models.Model], person: User, kinds: set[Kind]) -> Iterator[str]:
    mine, handling = rows_of(model, person.pk), handling_of(model)
    if mine is None or handling is None:
        return
    names = [name for name, kind in handling.kinds().items() if kind[0] in kinds]
    fields = [model._meta.get_field(name) for name in names]
    texts = [
        field
        for field in fields
        if isinstance(field, TEXTS) and not isinstance(field, SealedBytesField)
    ]
    if not texts:
        return
    rows = model._base_manager.filter(mine).order_by("pk")
    stride = max(1, rows.count() // ROWS_OF_A_MODEL)
    for row in rows[: stride * ROWS_OF_A_MODEL : stride]:
        for field in texts:
            yield from _said(row, field.attname)


def _said(row: models.Model, name: str) -> Iterator[str]:
    try:
        value = getattr(row, name)
    except UnsealError:  # it was written under a key that is gone: nobody can read it
        return
    yield from _strings(value)


def _strings(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for part in value.values():
            yield from _strings(part)
    elif isinstance(value, list):
        for part in value:
            yield from _strings(part)


def _pieces(text: str) -> Iterator[str]:
    """Yield some of the text: a piece of its longest line, and its first words of one's own."""
    line = max(text.splitlines(), key=len, default="").strip()
    piece = line[max(0, len(line) // 2 - LONGEST // 2) :][:LONGEST].strip()
    if len(piece.encode()) >= SHORTEST:
        yield piece
    yield from OWN_WORD.findall(text)[:2]
