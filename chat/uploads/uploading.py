"""Uploads into the library, from the page and the API.

A file is held in memory during its request and never written to disk unencrypted. The request may
be as large as one document with its form, for any number of files; no other request may
(config.asgi).
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeAlias, Unpack

from django.conf import settings
from django.core.files.uploadedfile import UploadedFile
from django.http import HttpRequest
from django.template.defaultfilters import filesizeformat
from django.utils.functional import lazy
from django.utils.translation import gettext as _, ngettext

from citations.ingestion.adding import About, add_document, fingerprint
from citations.models import Document
from memory.errors import Refusal
from memory.models import User

MAX_FILES = 20
File: TypeAlias = "UploadedFile[bytes]"


@dataclass(frozen=True)
class Added:
    """A document that was added, or existed already."""

    document: Document
    is_new: bool


@dataclass(frozen=True)
class Outcome:
    """The result for one file of a form."""

    file_name: str
    added: Added | None = None
    refusal: Refusal | None = None


class UploadTooLarge(Refusal):
    code = "body_too_large"
    says = lazy(
        lambda: (
            _("A document may have at most %s, and so may all documents of one form together.")
            % filesizeformat(settings.MAX_DOCUMENT_BYTES)
        ),
        str,
    )()


class WrongFiles(Refusal):
    """A form without a file, or with too many."""

    code = "invalid_request"


def add_upload(
    data: bytes,
    *,
    file_name: str,
    actor: User,
    shared: bool,
    media_type: str | None = None,
    **about: Unpack[About],
) -> Added:
    """Add a document to the person's own, or to the library. Raises Unreadable."""
    owner = None if shared else actor
    same = Document.objects.filter(owner=owner, checksum=fingerprint(data, owner))
    known = same.exclude(status=Document.Status.FAILED).exists()
    document = add_document(
        data, file_name=file_name, owner=owner, actor=actor, media_type=media_type, **about
    )
    return Added(document, is_new=not known)


def refuse_too_large(request: HttpRequest) -> None:
    """Raise UploadTooLarge for a request that no upload handler has accepted."""
    length = str(request.headers.get("content-length") or "")
    if length.isdecimal() and int(length) > settings.MAX_UPLOAD_BYTES:
        raise UploadTooLarge


def add_files(files: Sequence[File], *, actor: User, shared: bool) -> list[Outcome]:
    """Add each file of a form; an unreadable one doesn't stop the others."""
    if not files:
        raise WrongFiles(_("Choose a file first."))
    if len(files) > MAX_FILES:
        message = ngettext("%d file at a time.", "At most %d files at a time.", MAX_FILES)
        raise WrongFiles(message % MAX_FILES)
    return [_add_file(file, actor=actor, shared=shared) for file in files]


def _add_file(file: File, *, actor: User, shared: bool) -> Outcome:
    name = file.name or ""
    try:
        added = add_upload(file.read(), file_name=name, actor=actor, shared=shared)
    except Refusal as refusal:
        return Outcome(name, refusal=refusal)
    return Outcome(name, added)
