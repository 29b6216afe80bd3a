"""Recording of reads and of refused attempts, from a request and its response.

The audit class of a route states whether it reads the object in its path, a list, or nothing
personal. Changes are recorded by the acts themselves, in their transactions. A person's reads of
one object of their own are recorded once in a quarter of an hour; an admin's always.
"""

import logging
import time
from collections import OrderedDict
from dataclasses import dataclass
from datetime import timedelta
from http import HTTPStatus
from uuid import UUID

from django.apps import apps
from django.conf import settings
from django.db import DatabaseError, transaction
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import ResolverMatch
from django.utils import timezone

from memory.audit import circumstances, recording
from memory.errors import describe_error
from memory.metrics.counting import count
from memory.models import AuditEvent, Tier, User
from memory.sqlite.patience import REQUEST_SECONDS, patience

log = logging.getLogger(__name__)

# The object in a path, by its parameter: of several, the first here.
OBJECTS = {
    "session_id": "memory.session",
    "document_id": "citations.document",
    "citation_id": "citations.citation",
    "fact_id": "memory.fact",
    "package_id": "memory.exportpackage",
    "erasure_id": "memory.erasurerequest",
    "certificate_id": "memory.certificate",
    "token_id": "memory.apitoken",
}
# Routes without an object: lists and pages of the person's own, and searches.
LISTS = frozenset(
    """
    api:sessions api:levels api:recollections api:facts api:query api:retrieval api:verify
    api:chosen_sources api:import_sources
    api:search api:consents api:decisions api:erasures api:packages
    api:documents chat:home
    chat:conversations chat:search chat:library chat:choices chat:rows chat:settings chat:keeping
    chat:levels chat:tokens chat:data chat:data_events chat:decisions chat:erasure
    chat:import_sources account_email mfa_index
    mfa_view_recovery_codes mfa_download_recovery_codes mfa_list_webauthn usersessions_list
    """.split()
)
# Routes that read by POST; pages of the admin show rows by any method.
READ_BY_POST = frozenset({"api:verify"})
DENIED = (HTTPStatus.UNAUTHORIZED, HTTPStatus.FORBIDDEN, HTTPStatus.NOT_FOUND)
ADMIN_READ = "admin.read"
OWN_READS = timedelta(minutes=15)
# Anonymous attempts: one row a minute for each address and route, in each process.
ANONYMOUS_SECONDS, MOST_ANONYMOUS = 60, 10_000
_anonymous: OrderedDict[tuple[str, str], float] = OrderedDict()
# Longest wait of a read for SQLite's write lock, in seconds, unless it must be recorded.
PATIENCE = 0.2


@dataclass(frozen=True)
class Access:
    """The target of a request: the act's name, and the object's model and id."""

    action: str
    subject: str = ""
    subject_id: UUID | None = None


def record_access(request: HttpRequest, response: HttpResponse) -> HttpResponse:
    """Record a read or a refusal; return 503 if recording is mandatory and fails."""
    access = find_access(request.resolver_match)
    outcome = _determine_outcome(request, response, access) if access else None
    if access is None or outcome is None:
        return response
    is_strict = _is_strict(request)
    try:
        if not _is_known(request, access, outcome):
            with patience(REQUEST_SECONDS if is_strict else PATIENCE), transaction.atomic():
                _record(request, access, outcome)
    except DatabaseError as error:
        count("audit_lost_total")
        log.error("audit_lost", extra={"action": access.action, **describe_error(error)})
        if is_strict:
            response.close()
            return render(request, "503.html", status=HTTPStatus.SERVICE_UNAVAILABLE)
    return response


def find_access(match: ResolverMatch | None) -> Access | None:
    """Find the object or the list that the route reads; None if it reads nothing personal."""
    if match is None:
        return None
    if match.namespace == "admin":
        return Access(ADMIN_READ, *_find_admin_object(match))
    for parameter, model in OBJECTS.items():
        if parameter in match.kwargs:
            return Access(f"{parameter[:-3]}.read", model, _parse_uuid(match.kwargs[parameter]))
    name = match.view_name
    return (
        Access(f"{name.replace('api:', '').replace('chat:', '')}.listed"[:40])
        if name in LISTS
        else None
    )


def _find_admin_object(match: ResolverMatch) -> tuple[str, UUID | None]:
    """Find the model by the page's name, and the row by the first id of its path."""
    app, model = [*(match.url_name or "").split("_"), ""][:2]
    is_known = app in apps.app_configs and model in apps.all_models[app]
    ids = filter(None, map(_parse_uuid, match.kwargs.values()))
    return (f"{app}.{model}" if is_known else ""), next(ids, None)


def _parse_uuid(value: object) -> UUID | None:
    try:
        return UUID(str(value))
    except ValueError:
        return None


def _determine_outcome(request: HttpRequest, response: HttpResponse, access: Access) -> str | None:
    """Return the outcome of the access; None if the act itself is recorded, or nothing was read."""
    if response.status_code in DENIED:
        return str(AuditEvent.Outcome.DENIED)
    route = request.resolver_match.view_name if request.resolver_match else ""
    is_read = request.method == "GET" or access.action == ADMIN_READ or route in READ_BY_POST
    is_done = response.status_code < HTTPStatus.MULTIPLE_CHOICES and request.user.is_authenticated
    return str(AuditEvent.Outcome.DONE) if is_read and is_done else None


def _is_known(request: HttpRequest, access: Access, outcome: str) -> bool:
    """Return whether the access is recorded already."""
    if not isinstance(request.user, User):
        return _was_seen(circumstances.get().address, access.action)
    if outcome != AuditEvent.Outcome.DONE or access.action.startswith("admin."):
        return False
    lately = AuditEvent.objects.newer(timezone.now() - OWN_READS, margin=timedelta())
    same = lately.filter(actor_id=request.user.pk, action=access.action, outcome=outcome)
    return same.filter(subject_id=access.subject_id).exists()


def _was_seen(address: str, action: str) -> bool:
    now = time.monotonic()
    last = _anonymous.pop((address, action), 0.0)
    is_new = not last or now - last >= ANONYMOUS_SECONDS
    _anonymous[address, action] = now if is_new else last
    if len(_anonymous) > MOST_ANONYMOUS:
        _anonymous.popitem(last=False)
    return not is_new


def _record(request: HttpRequest, access: Access, outcome: str) -> None:
    actor = request.user.pk if isinstance(request.user, User) else None
    recording.record_access(
        access.action, actor, access.subject, access.subject_id, outcome=outcome
    )


def _is_strict(request: HttpRequest) -> bool:
    tier = getattr(request.user, "tier", None)
    return bool(settings.AUDIT == "strict" or tier == Tier.ENTERPRISE)
