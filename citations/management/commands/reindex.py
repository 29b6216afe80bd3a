"""Rebuild the index of the passages, and make missing vectors of turns."""

from typing import Any

from django.core.management.base import CommandError
from tqdm import tqdm

from citations.ingestion.renewal.reindexing import reindex
from citations.models import Document
from memory.people.staff.operators import RecordedCommand
from memory.recall.index.indexing import embed_missing
from memory.text.embedding import EmbeddingError


class Command(RecordedCommand):
    help = "Make the index again: after another EMBEDDING was chosen, or pgvector was installed."

    def handle(self, *args: Any, **options: Any) -> None:
        total = Document.objects.ready().count()
        try:
            done = sum(1 for _ in tqdm(reindex(), total=total, unit="document"))
        except EmbeddingError as error:
            raise CommandError(f"The embedding engine failed: {error.code}.") from error
        turns = embed_missing()
        self.stdout.write(f"{done} documents indexed; {turns} turns wait for their vectors.")
