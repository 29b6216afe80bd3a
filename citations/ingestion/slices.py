"""Slices: a document is embedded some seconds at a time, with other jobs in between.

A slice stores its vectors under a separate model name that no search uses, until all are there. So
a killed slice loses its own two seconds, and half a document is never found.
"""

import time
from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

from citations.index.full_text import add_headings
from citations.models import Document, Passage, PassageVectors
from citations.models.passages import UNFINISHED, select_unfinished_vectors
from memory.jobs import Lease, enqueue
from memory.models import Job
from memory.personal_data.recipients import note_recipients
from memory.text.embedding import Embedder, Vectors, get_embedding_servers
from memory.text.vectors import Block

# Seconds of a slice, and passages embedded between two looks at the clock.
SLICE, BATCH = 2.0, 32


@dataclass
class Embedding:
    """The embedding of a document's passages under its title, so far."""

    document: Document
    passages: Sequence[Passage]
    engine: Embedder
    lease: Lease
    # By the index of their passage.
    _known: dict[int, Vectors] = field(default_factory=dict)
    _new: dict[int, Vectors] = field(default_factory=dict)

    def go_on(self) -> bool:
        """Embed for the time of a slice, after earlier slices; return whether all are embedded.

        Raises EmbeddingError.
        """
        note_recipients(self.document.owner_id, get_embedding_servers())
        self._known = self._kept()
        lacking = [at for at in range(len(self.passages)) if at not in self._known]
        end, done = time.monotonic() + SLICE, 0
        while done < len(lacking) and (not done or time.monotonic() < end):
            self.lease.pulse(progress=self.progress, total=len(self.passages))
            places = lacking[done : done + BATCH]
            self._new |= zip(places, self.engine.embed(self._texts(places)), strict=True)
            done += len(places)
        return done == len(lacking)

    @property
    def progress(self) -> int:
        """The number of passages with vectors."""
        return len(self._known) + len(self._new)

    def whole(self) -> Vectors:
        """Return the vectors of all passages, once they are complete."""
        vectors = self._known | self._new
        return np.stack([vectors[at] for at in range(len(self.passages))])

    def keep(self, current: Document, passages: Sequence[Passage]) -> None:
        """Store the new vectors, unless the document was renamed meanwhile.

        The passages have keys. Call with the document locked, in the transaction that ends the
        slice.
        """
        if current.title != self.document.title or not self._new:
            return
        vectors = np.stack(list(self._new.values()))
        PassageVectors.objects.create(
            document=current,
            owner_id=current.owner_id,
            model=self._name,
            dimensions=vectors.shape[1],
            payload=Block.quantise([[passages[at].pk] for at in self._new], vectors).packed(),
        )

    def end_slice(self, kind: str) -> None:
        """End the job, store the new vectors, and request the next slice, unless it was deleted."""
        rows = Document.objects.filter(pk=self.document.pk, status=self.document.status)
        with self.lease.finishing():
            current = rows.select_for_update().defer("file").first()
            if current is not None:
                self.keep(current, self.passages)
                self.come_again(kind)

    def come_again(self, kind: str) -> None:
        """Request the next slice, queued after other jobs, with the present progress."""
        row = enqueue(kind, self.document.pk, owner=self.document.owner_id)
        far = {"progress": self.progress, "total": len(self.passages)}
        Job.objects.filter(pk=row.pk).update(**far)

    @property
    def _name(self) -> str:
        return f"{UNFINISHED}{self.engine.model}"

    def _texts(self, places: Sequence[int]) -> list[str]:
        chosen = (self.passages[at] for at in places)
        return [add_headings(self.document.title, row.heading, row.text) for row in chosen]

    def _kept(self) -> dict[int, Vectors]:
        places = {row.pk: at for at, row in enumerate(self.passages) if row.pk}
        found: dict[int, Vectors] = {}
        for row in select_unfinished_vectors(self.document).filter(model=self._name):
            block = Block.unpacked(row.payload)
            vectors = block.vectors * block.scales[:, None]
            for key, vector in zip(block.numbers[:, 0].tolist(), vectors, strict=True):
                if key in places:
                    found[places[key]] = vector
        return found
