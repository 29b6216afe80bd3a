"""Endpoints for documents and their passages: add, list, read, change, delete."""

from typing import Any
from uuid import UUID

from django.http import StreamingHttpResponse
from rest_framework.parsers import MultiPartParser
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.serializers import Serializer

from chat.api.schema import queries, serializers
from chat.api.schema.bodies import Nothing
from chat.api.schema.documentation import ORIGINAL_FILE, documented
from chat.protocol.credentials import require
from chat.protocol.paging import check_cursor, cut_page, parse_position
from chat.protocol.parsing import JSONObjectParser, parse_id
from chat.protocol.requests import Endpoint, check_body, check_query, person
from chat.shapes.originals import send_original
from chat.shapes.resources.documents import (
    ChangesAnswer,
    DocumentAnswer,
    PassageAnswer,
    changes_shape,
    document_shape,
    passage_shape,
)
from chat.shapes.resources.vocabulary import Id, Paged
from chat.uploads.uploading import add_upload, refuse_too_large
from citations import library
from citations.deletion import delete_from_library
from citations.ingestion.renewal.rereading import read_again
from citations.models import Document
from citations.sources.differences import compare_versions
from citations.sources.versions import (
    find_versions,
    refuse_replacing,
    replace_document,
    restore_document,
)
from memory.errors import NotFound
from memory.models import Scope


class DocumentsAnswer(Paged):
    documents: list[DocumentAnswer]


class PassagesAnswer(Paged):
    document_id: Id
    passages: list[PassageAnswer]


class Files(MultiPartParser):
    """Parser of forms with a file, which checks their size before reading them."""

    def parse(self, stream: Any, media_type: Any = None, parser_context: Any = None) -> Any:
        refuse_too_large(parser_context["request"])
        return super().parse(stream, media_type, parser_context)


class Documents(Endpoint):
    parser_classes = (JSONObjectParser, Files)  # type: ignore[assignment]

    @documented(
        "list_documents",
        "List the documents you may read, newest first",
        answer=DocumentsAnswer,
        parameters=[queries.DocumentsPage],
    )
    def get(self, request: Request) -> Response:
        query = check_query(request, queries.DocumentsPage)
        wanted = library.DocumentFilter(
            words=query["q"], whose=query["whose"], status=query["status"]
        )
        after = check_cursor(query["cursor"])
        found = library.list_documents(person(request), wanted, after=after, limit=query["limit"])
        jobs = library.find_reading_jobs(found.documents)
        shapes = [document_shape(row, jobs.get(row.pk)) for row in found.documents]
        return Response(DocumentsAnswer(documents=shapes, next=found.next or None))

    @documented(
        "add_document",
        "Add a document: a file (PDF, Word, Excel, PowerPoint, OpenDocument, RTF, EPUB, HTML,"
        " mail (.eml), CSV, Markdown, reStructuredText, text), or its text",
        request={
            "multipart/form-data": serializers.NewFile,
            "application/json": serializers.NewText,
        },
        answer=DocumentAnswer,
        status=201,
        more={200: DocumentAnswer},
        errors=(404, 408, 409, 503),
    )
    def post(self, request: Request) -> Response:
        if str(request.content_type).startswith("multipart/"):
            values = _read_details(request, serializers.NewFile)
            file = values.pop("file")
            data, name = file.read(), file.name
        else:
            values = _read_details(request, serializers.NewText)
            data, name = values.pop("text").encode(), ""
        older = self._replaced(request, values)
        added = add_upload(data, file_name=name, actor=person(request), **values)
        if older is not None:
            replace_document(added.document, older, actor=person(request))
        status = 201 if added.is_new else 200
        return Response(_describe_document(added.document), status=status)

    def _replaced(self, request: Request, values: dict[str, Any]) -> Document | None:
        """Return the older version to replace; refuse it before anything is added."""
        if (wanted := values.pop("supersedes", None)) is None:
            return None
        older = _get_changeable(request, wanted)
        refuse_replacing(older, owner=None if values["shared"] else person(request).pk)
        return older


def _read_details(request: Request, form: type[Serializer[Any]]) -> Any:
    values = check_body(request, form)
    if values["shared"]:
        require(request, Scope.ADMIN)
    return values


class OneDocument(Endpoint):
    @documented("read_document", "Read what is known about a document", answer=DocumentAnswer)
    def get(self, request: Request, document_id: str) -> Response:
        document = _get_readable(request, document_id)
        return Response(_describe_document(document))

    @documented(
        "change_document",
        "Change what is said about a document",
        request=serializers.DocumentChanges,
        answer=DocumentAnswer,
        errors=(409,),
    )
    def patch(self, request: Request, document_id: str) -> Response:
        document = _get_changeable(request, document_id)
        values = check_body(request, serializers.DocumentChanges)
        if "supersedes" in values:
            self._replace(request, document, values.pop("supersedes"))
        library.change_metadata(document, actor=person(request), **values)
        return Response(_describe_document(document))

    def _replace(self, request: Request, document: Document, wanted: UUID | None) -> None:
        if wanted is not None:
            replace_document(document, _get_changeable(request, wanted), actor=person(request))
        elif document.supersedes_id is not None:
            older = _get_readable(request, document.supersedes_id)
            restore_document(older, actor=person(request))
            document.refresh_from_db(fields=["supersedes"])

    @documented("remove_document", "Remove a document with all that was made from it")
    def delete(self, request: Request, document_id: str) -> Response:
        document = _get_changeable(request, document_id)
        delete_from_library(document, actor=person(request))
        return Response(status=204)


class Rereading(Endpoint):
    @documented(
        "reread_document",
        "Have a document read again that an older version has read; meanwhile that reading serves",
        request=Nothing,
        answer=DocumentAnswer,
        status=202,
        errors=(409,),
    )
    def post(self, request: Request, document_id: str) -> Response:
        document = _get_changeable(request, document_id)
        check_body(request, Nothing)
        read_again(document, actor=person(request))
        document.refresh_from_db(fields=["rereading_failure"])
        job = library.find_reading_jobs([document]).get(document.pk)
        return Response(document_shape(document, job), status=202)


class DocumentFile(Endpoint):
    @documented(
        "fetch_original",
        "Fetch the file that a document was made from, if it was kept",
        more=ORIGINAL_FILE,
    )
    def get(self, request: Request, document_id: str) -> StreamingHttpResponse:
        document = _get_readable(request, document_id)
        return send_original(request._request, document, actor=person(request))


class VersionChanges(Endpoint):
    @documented(
        "compare_versions",
        "Compare a document with the older version that it replaces, passage by passage",
        answer=ChangesAnswer,
    )
    def get(self, request: Request, document_id: str) -> Response:
        document = _get_readable(request, document_id)
        if document.supersedes_id is None:
            raise NotFound
        older = _get_readable(request, document.supersedes_id)
        return Response(changes_shape(document, compare_versions(older, document)))


class Passages(Endpoint):
    @documented(
        "list_passages",
        "Read a document passage by passage",
        answer=PassagesAnswer,
        parameters=[queries.Page],
    )
    def get(self, request: Request, document_id: str) -> Response:
        document = _get_readable(request, document_id)
        page = check_query(request, queries.Page)
        after = parse_position(page["cursor"], first=-1)
        rows = library.list_passages(document, after=after, limit=page["limit"] + 1)
        shown, last = cut_page(rows, page["limit"])
        answer = PassagesAnswer(
            document_id=str(document.pk),
            passages=[passage_shape(passage) for passage in shown],
            next=str(last.position) if last else None,
        )
        return Response(answer)


def _get_readable(request: Request, document_id: str | UUID) -> Document:
    return library.get_readable_document(person(request), parse_id(str(document_id)))


def _describe_document(document: Document) -> DocumentAnswer:
    """Describe one document, with the progress of its reading and its older versions."""
    job = library.find_reading_jobs([document]).get(document.pk)
    return document_shape(document, job, versions=find_versions(document))


def _get_changeable(request: Request, document_id: str | UUID) -> Document:
    """Return a document that both the person and the credential may change."""
    document = _get_readable(request, document_id)
    if not library.may_change(document, person(request)):
        raise library.NotYours
    if document.owner_id is None:
        require(request, Scope.ADMIN)
    return document
