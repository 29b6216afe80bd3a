"""The sample library of a test: read once for all lanes, for each test only written again.

Reading, cutting and embedding its documents takes ten times as long as writing their rows, and
comes to the same each time; what reads them for its own sake has tests of its own.
"""

import pickle
from collections.abc import Iterator
from contextlib import contextmanager
from copy import copy
from dataclasses import dataclass, field
from hashlib import sha256
from itertools import groupby, islice
from pathlib import Path
from typing import TypeVar

import pytest
from django.db import transaction
from django.db.models import Model

from citations import index
from citations.index.unit_vectors import store_units
from citations.ingestion import preparing
from citations.ingestion.adding import load_sample_library
from citations.ingestion.pacing import INGEST
from citations.ingestion.unit_embedding import embed_units
from citations.models import Document, Passage
from memory.jobs import run_due
from memory.models import AuditEvent, Job
from memory.text.embedding import get_embedder
from tests import moulds

Row = TypeVar("Row", bound=Model)


@dataclass
class Library:
    """The rows of the sample documents, and the other rows that adding them creates."""

    cuts: list[tuple[Document, preparing.Cut]] = field(default_factory=list)
    rows: list[Model] = field(default_factory=list)
    # The packed vectors of units, by passage of each cut.
    units: list[list[bytes]] = field(default_factory=list)


# By the model of the vectors.
_known: dict[str, Library] = {}


def load() -> None:
    """Let the sample library be there, ready to be searched."""
    if not is_known():
        name = f"library-{sha256(_model().encode()).hexdigest()[:16]}"
        path = moulds.place(*moulds.PRODUCT, "tests/sample_library.py") / name
        mould = moulds.made(path, _put_down, fresh=True)
        if is_known():  # it was read here, and is there
            return
        _known[_model()] = pickle.loads(mould.read_bytes())
    write_again(_known[_model()])


def _put_down(half: Path) -> None:
    library = _known[_model()] = read()
    half.write_bytes(pickle.dumps(library))


def is_known() -> bool:
    """Return whether a test before has had it, so that it need only be written again."""
    return _model() in _known


def _model() -> str:
    engine = get_embedder()
    return engine.model if engine else ""


def read() -> Library:
    """Add the sample documents as the product does; return what there is to write again."""
    library = Library()
    with seen_by(library):
        added = load_sample_library()
        while Job.objects.due().filter(kind=INGEST).exists():  # a round ends on a slow machine
            run_due()
    subjects = [document.pk for document in added]
    library.rows += Document.objects.filter(pk__in=subjects)
    library.rows += Job.objects.filter(subject__in=subjects)
    library.rows += AuditEvent.objects.filter(subject_id__in=subjects)
    if (engine := get_embedder()) is not None:
        library.units = [list(embed_units(cut.passages, engine)) for _, cut in library.cuts]
    return library


@contextmanager
def seen_by(library: Library) -> Iterator[None]:
    """Keep what the ingestion is about to write."""
    write = preparing.write_prepared

    def keep_and_write(document: Document, cut: preparing.Cut) -> None:
        library.cuts.append((document, cut))
        write(document, cut)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(preparing, "write_prepared", keep_and_write)
        yield


@transaction.atomic
def write_again(library: Library) -> None:
    """Write the rows with the product's own writers; whatever is numbered gets new numbers."""
    for model, rows in groupby(library.rows, key=type):
        model._base_manager.bulk_create(map(anew, rows))
    passages = iter(
        preparing.write_passages([anew(row) for _, cut in library.cuts for row in cut.passages])
    )
    for at, (document, cut) in enumerate(library.cuts):
        written = list(islice(passages, len(cut.passages)))
        index.add(document, written, cut.words)
        if cut.vectors is not None:
            index.add_vectors(document, written, cut.vectors, model=cut.model)
            units = zip([row.pk for row in written], library.units[at], strict=True)
            store_units(document, dict(units), model=cut.model)


def anew(row: Row) -> Row:
    """Return a copy that is inserted; a key that the database counts is left to it."""
    made = copy(row)
    made._state = copy(row._state)
    made._state.adding = True
    if isinstance(row, Job | Passage):
        made.pk = None
    return made
