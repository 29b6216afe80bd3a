"""Documents: add, list, read, change, remove; and their passages."""

from typing import Any

from django.utils.translation import gettext as _
from rest_framework.exceptions import ValidationError
from rest_framework.parsers import MultiPartParser
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.serializers import Serializer

from chat.api.schema import answers, serializers
from chat.api.schema.documentation import DOCUMENT_ID, READING, WRITING, documented
from chat.protocol.credentials import require
from chat.protocol.parsing import JSONObjectParser, parsed_id
from chat.protocol.requests import Endpoint, checked, checked_query, person
from chat.uploads.uploading import Added, add_upload, refuse_too_large
from citations import library
from citations.models import Document, Passage
from citations.readers import failures
from memory.errors import NotFound
from memory.models import Job, Scope

Shape = dict[str, Any]


class Files(MultiPartParser):
    """Reads a form with a file, once its size is known to be one that was let in."""

    def parse(self, stream: Any, media_type: Any = None, parser_context: Any = None) -> Any:
        refuse_too_large(parser_context["request"])
        return super().parse(stream, media_type, parser_context)


class Documents(Endpoint):
    parser_classes = (JSONObjectParser, Files)  # type: ignore[assignment]

    @documented(
        "list_documents",
        "List the documents you may read, newest first",
        answer=answers.DocumentsAnswer,
        parameters=[serializers.DocumentsPage],
        errors=(400, 401),
    )
    def get(self, request: Request) -> Response:
        query = checked_query(request, serializers.DocumentsPage)
        wanted = library.DocumentFilter(
            words=query["q"], whose=query["whose"], status=query["status"]
        )
        try:
            found = library.documents(
                person(request), wanted, after=query["cursor"], limit=query["limit"]
            )
        except NotFound as error:
            raise ValidationError({"cursor": [_("This isn't a cursor of this list.")]}) from error
        jobs = library.reading_progress(found.documents)
        shapes = [document_shape(row, jobs.get(row.pk)) for row in found.documents]
        return Response({"documents": shapes, "next": found.next or None})

    @documented(
        "add_document",
        "Add a document: a file, or its text",
        request={
            "multipart/form-data": serializers.NewFile,
            "application/json": serializers.NewText,
        },
        answer=answers.DocumentAnswer,
        status=201,
        more={200: answers.DocumentAnswer},
        errors=(400, 401, 403, 408, 413, 415, 503),
    )
    def post(self, request: Request) -> Response:
        is_form = str(request.content_type).startswith("multipart/")
        added = _add_file(request) if is_form else _add_text(request)
        status = 201 if added.is_new else 200
        return Response(document_shape(added.document), status=status)


def _add_file(request: Request) -> Added:
    values = _about(request, serializers.NewFile)
    file = values.pop("file")
    return add_upload(file.read(), file_name=file.name, actor=person(request), **values)


def _add_text(request: Request) -> Added:
    values = _about(request, serializers.NewText)
    text = values.pop("text").encode()
    return add_upload(text, file_name="", actor=person(request), **values)


def _about(request: Request, form: type[Serializer[Any]]) -> Any:
    values = checked(request, form)
    if values["shared"]:
        require(request, Scope.ADMIN)
    return values


class OneDocument(Endpoint):
    @documented(
        "read_document",
        "Read what is known about a document",
        answer=answers.DocumentAnswer,
        parameters=[DOCUMENT_ID],
    )
    def get(self, request: Request, document_id: str) -> Response:
        document = _readable(request, document_id)
        return Response(
            document_shape(document, library.reading_progress([document]).get(document.pk))
        )

    @documented(
        "change_document",
        "Change what is said about a document",
        request=serializers.DocumentChanges,
        answer=answers.DocumentAnswer,
        parameters=[DOCUMENT_ID],
        errors=(*WRITING, 409),
    )
    def patch(self, request: Request, document_id: str) -> Response:
        document = _changeable(request, document_id)
        values = checked(request, serializers.DocumentChanges)
        library.change_about(document, actor=person(request), **values)
        return Response(document_shape(document))

    @documented(
        "delete_document",
        "Remove a document with all that was made from it",
        status=204,
        parameters=[DOCUMENT_ID],
        errors=(401, 403, 404, 409),
    )
    def delete(self, request: Request, document_id: str) -> Response:
        document = _changeable(request, document_id)
        library.delete_from_library(document, actor=person(request))
        return Response(status=204)


class Passages(Endpoint):
    @documented(
        "list_passages",
        "Read a document passage by passage",
        answer=answers.PassagesAnswer,
        parameters=[DOCUMENT_ID, serializers.PassagesPage],
        errors=(400, *READING),
    )
    def get(self, request: Request, document_id: str) -> Response:
        document = _readable(request, document_id)
        page = checked_query(request, serializers.PassagesPage)
        rows = library.passages(document, after=page["after"], limit=page["limit"] + 1)
        shown = rows[: page["limit"]]
        return Response(
            {
                "document_id": str(document.pk),
                "passages": [passage_shape(passage) for passage in shown],
                "next": shown[-1].position if len(rows) > len(shown) else None,
            }
        )


def _readable(request: Request, document_id: str) -> Document:
    return library.readable_document(person(request), parsed_id(document_id))


def _changeable(request: Request, document_id: str) -> Document:
    """Return a document that the person may change, with a credential that reaches as far."""
    document = _readable(request, document_id)
    if not library.may_change(document, person(request)):
        raise library.NotYours
    if document.owner_id is None:
        require(request, Scope.ADMIN)
    return document


# --- Shapes ---------------------------------------------------------------------------------------


def document_shape(document: Document, job: Job | None = None) -> Shape:
    """Return a document as the API shows it; the job is the work that is being done on it."""
    return {
        "document_id": str(document.pk),
        "title": document.title,
        "authors": list(document.authors),
        "year": document.year,
        "url": document.url or None,
        "language": document.language or None,
        "date": document.date or None,
        "about": document.about or None,
        "outline": [entry._asdict() for entry in library.stored_outline(document)],
        "questions": [str(question) for question in document.questions],
        "file_name": document.file_name,
        "media_type": document.media_type,
        "size": document.size,
        "pages": document.page_count,
        "status": document.status,
        "progress": progress_shape(document, job),
        "failure": failure_shape(document.failure),
        "unread": list(document.unread),
        "passage_count": document.passage_count,
        "shared": document.owner_id is None,
        "created_at": document.created_at.isoformat(),
    }


def progress_shape(document: Document, job: Job | None) -> Shape | None:
    if job is None or not job.total:
        return None
    read = "pages" if document.page_count else "characters"
    unit = "passages" if document.passage_count else read
    return {"unit": unit, "done": min(job.progress, job.total), "total": job.total}


def failure_shape(code: str) -> Shape | None:
    return {"code": code, "message": failures.failure_sentence(code)} if code else None


def passage_shape(passage: Passage) -> Shape:
    return {
        "passage_id": passage.pk,
        "position": passage.position,
        "page": passage.page,
        "heading": passage.heading,
        "text": passage.text,
        "layout": [span._asdict() for span in passage.spans],
        "tokens": passage.tokens,
    }
