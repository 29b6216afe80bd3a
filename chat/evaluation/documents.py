"""Evaluation of questions over documents, read, retrieved and answered as `/query` does.

Each `source` of the documents is a library of its own, in a temporary database. A question is asked
in the library of its source, or in one whose name is a prefix of its source's name.
"""

from collections.abc import Iterable, Iterator, Mapping
from contextlib import aclosing
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from uuid import UUID

from asgiref.sync import async_to_sync
from django.conf import settings
from django.utils import timezone

from chat.database_threads import in_this_thread
from chat.evaluation.files import Line
from chat.streams.querying import pair_messages
from chat.turns.composing import write_pieces
from chat.turns.grounding import prepare_ground
from chat.turns.grounding.ground import AnswerRequest, Ground
from chat.turns.writing import check_claims
from citations.attribution.citing import cite_afresh
from citations.index.scope import Scope
from citations.ingestion.adding import add_document
from citations.models import Passage
from memory.jobs import run_due
from memory.models import Job
from memory.recall import Given
from memory.recall.budget import scale_limits
from memory.text.citation_markers import strip_markers, strip_places

RANKED = 10
DECLINED = ("unsure", "nothing_found", "not_read_yet")


@dataclass(frozen=True)
class SourceLibrary:
    """The documents of one source, by their `doc_id`."""

    documents: Mapping[str, UUID]

    @cached_property
    def names(self) -> Mapping[UUID, str]:
        return {pk: name for name, pk in self.documents.items()}


def load_documents(lines: Iterable[Line], folder: Path) -> Iterator[tuple[str, UUID]]:
    """Add the documents to the shared library and read them; yield the `doc_id` of each."""
    for line in lines:
        about = {"title": line["title"]} if line.get("title") and not line.get("file") else {}
        if line.get("file"):
            path = folder / line["file"]
            document = add_document(path.read_bytes(), file_name=path.name)
        else:
            data = line["text"].encode()
            document = add_document(data, file_name="text.txt", media_type="text/plain", **about)
        while Job.objects.due().exists():
            run_due()
        yield line["doc_id"], document.pk
    finish_jobs()


def finish_jobs() -> None:
    """Run all waiting jobs, delayed ones included."""
    while Job.objects.filter(status=Job.Status.WAITING).update(due_at=timezone.now()):
        run_due()


def compute_mean_length() -> float:
    """Return the mean number of words in a passage."""
    lengths = [len(row.text.split()) for row in Passage.objects.only("text").iterator()]
    return sum(lengths) / max(len(lengths), 1)


def find_source(question: Line, sources: Iterable[str]) -> str | None:
    """Return the source of the library for the question."""
    asked = str(question["source"])
    fitting = [name for name in sources if asked == name or asked.startswith(f"{name}_")]
    return max(fitting, key=len, default=None)


def answer_question(
    question: Line, library: SourceLibrary, *, without: frozenset[str] = frozenset()
) -> Line:
    """Retrieve passages and answer the question, with some documents excluded."""
    ground = ground_question(question, library, without=without)
    names, answer = library.names, write_answer(ground)
    return {
        "id": question["id"],
        "ranked": [
            {
                "doc_id": names[found.passage.document_id],
                "text": found.passage.text,
                "page": found.passage.page,
            }
            for found in ground.found[:RANKED]
        ],
        "answer": "" if ground.outcome in DECLINED else answer,
        "outcome": ground.outcome,
        "answerability": ground.answerability,
    }


def find_gold_documents(question: Line) -> frozenset[str]:
    """Return the documents that answer the question."""
    return frozenset(question.get("doc_ids") or [question["doc_id"]])


def ground_question(
    question: Line, library: SourceLibrary, *, without: frozenset[str] = frozenset()
) -> Ground:
    """Return the ground of the question's answer, with some documents excluded."""
    names = set(library.documents)
    if question.get("scope") == "document":
        names &= {question["doc_id"]}
    kept = frozenset(library.documents[name] for name in names - without)
    request = AnswerRequest(
        question["question"],
        Given(pair_messages(question.get("history") or [])),
        limits=scale_limits(settings.MAX_TOKENS_PER_CONTEXT),
        scope=Scope(documents=None if len(kept) == len(library.documents) else kept),
        begin=cite_afresh,
        today=timezone.localdate(),
    )
    return prepare_ground(request)


def write_answer(ground: Ground) -> str:
    """Return the answer's text without its markers and the places of its quotations."""

    async def gathered() -> str:
        async with aclosing(write_pieces(ground, last_try=True)) as steps:
            async for _ in steps:
                pass
        ground.citing.judged = await check_claims(ground)
        return strip_places(strip_markers(ground.citing.text))

    token = in_this_thread.set(True)
    try:
        return async_to_sync(gathered)()
    finally:
        in_this_thread.reset(token)
