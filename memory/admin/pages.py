"""Pages of the product within the admin's frame, and the checks that each of them makes first."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any, cast

from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.db.models import Model
from django.http import Http404, HttpRequest
from django.template.response import TemplateResponse
from unfold.admin import ModelAdmin

from memory.errors import AwaitingApproval, Refusal
from memory.models import User

Facts = Sequence[tuple[str, object]]


def render_page(
    model_admin: ModelAdmin,
    request: HttpRequest,
    template: str,
    *,
    title: str,
    status: int = 200,
    **context: Any,
) -> TemplateResponse:
    """Return a page of the product, by the name of its template in templates/admin."""
    site = model_admin.admin_site
    request.current_app = site.name
    frame = site.each_context(request) | {"title": title}
    return TemplateResponse(request, f"admin/{template}", frame | context, status=status)


def get_row_or_404(model_admin: ModelAdmin, request: HttpRequest, object_id: str) -> Any:
    """Return the row that the admin may show; a malformed, missing or hidden one is a 404."""
    row: Model | None = model_admin.get_object(request, object_id)
    if row is None:
        raise Http404
    return row


def get_person(request: HttpRequest) -> User:
    """Return the signed-in person."""
    return cast(User, request.user)


def need(request: HttpRequest, permission: str) -> None:
    """Require a permission, such as "memory.add_legalhold"."""
    if not get_person(request).has_perm(permission):
        raise PermissionDenied


def has_permission_now(person: User, permission: str) -> bool:
    """Return whether the person currently has access to the admin, and the permission."""
    now = User.objects.filter(pk=person.pk, is_active=True, is_staff=True).first()
    return now is not None and now.has_perm(permission)


def has_more_rights(person: User, *, than: User) -> bool:
    """Return whether the person has, or might have, more rights here than the other."""
    someone_else_at_the_admin = person.is_staff and person.pk != than.pk
    may_be_more = person.is_superuser or someone_else_at_the_admin
    return may_be_more and not than.is_superuser


@contextmanager
def refusals_told(request: HttpRequest) -> Iterator[None]:
    """Show a refusal's reason on the next page."""
    try:
        yield
    except AwaitingApproval as stored:
        messages.info(request, stored.message)
    except Refusal as refusal:
        messages.error(request, refusal.message)
