"""Admin of certificates of erasure: view, download and verify."""

import json
from typing import ClassVar

from django.contrib import admin
from django.db import transaction
from django.http import HttpRequest, HttpResponse
from django.utils.translation import gettext as _

from memory import audit
from memory.admin.pages import get_person, get_row_or_404, need, render_page
from memory.admin.rows import ReadOnlyAdmin
from memory.forgetting.erasure import certificates
from memory.models import Certificate

VIEW = "memory.view_certificate"


@admin.register(Certificate)
class CertificateAdmin(ReadOnlyAdmin):
    list_display = ("issued_at", "id", "request_id", "key")
    ordering = ("-issued_at",)
    pages: ClassVar = {"download": ("<path:object_id>/download/", "download")}

    def show_row(self, request: HttpRequest, row: Certificate) -> HttpResponse:
        """Show the content of a certificate, and whether it is genuine."""
        verdict = certificates.verify(row.document)
        context = {"certificate": row, "verdict": verdict, "said": json.loads(row.document)}
        return render_page(self, request, "certificate.html", title=_("Certificate"), **context)

    def download(self, request: HttpRequest, object_id: str) -> HttpResponse:
        """Send a certificate as it was signed."""
        need(request, VIEW)
        row: Certificate = get_row_or_404(self, request, object_id)
        with transaction.atomic():
            audit.record("certificate.fetched", actor=get_person(request).pk, subject=row)
        disposition = {"Content-Disposition": f'attachment; filename="certificate-{row.pk}.json"'}
        return HttpResponse(row.document, content_type="application/json", headers=disposition)
