"""Names of people while their accounts exist; their ids afterwards."""

from collections.abc import Callable, Iterable
from typing import Any
from uuid import UUID

from django.contrib import admin
from django.db.models import Model, OuterRef, QuerySet, Subquery
from django.urls import reverse
from django.utils.html import format_html
from django.utils.safestring import SafeString

from memory.models import User

NOBODY = SafeString("–")


def annotate_names(rows: QuerySet[Any], *fields: str) -> QuerySet[Any]:
    """Annotate each row with the user name of the person in each field, as `<field>_name`."""
    return rows.annotate(**{f"{field}_name": _select_name(field) for field in fields})


def _select_name(field: str) -> Subquery:
    return Subquery(User.objects.filter(pk=OuterRef(field)).values("username")[:1])


def make_person_column(field: str, title: Any) -> Callable[[Any], SafeString]:
    """Return a list's column with the person of the field, named by `annotate_names`."""

    @admin.display(description=title, ordering=field)
    def person(row: Model) -> SafeString:
        return render_person(getattr(row, field), getattr(row, f"{field}_name", None))

    person.__name__ = field
    return person


def get_names(ids: Iterable[UUID | None]) -> dict[UUID, str]:
    """Return the user names of those people whose accounts exist."""
    known = {pk for pk in ids if pk}
    people = User.objects.filter(pk__in=known) if known else User.objects.none()
    return dict(people.values_list("pk", "username"))


def render_person(pk: UUID | None, name: str | None = None) -> SafeString:
    """Return a person as a link by their name, or by their id if they have none any more."""
    if pk is None:
        return NOBODY
    if name is None:
        return format_html("<code>{}</code>", pk)
    return format_html('<a href="{}">{}</a>', reverse("admin:memory_user_change", args=[pk]), name)


def render_people(*ids: UUID | None) -> dict[UUID | None, SafeString]:
    """Return each of the people as a link, by their ids."""
    names = get_names(ids)
    return {pk: render_person(pk, names.get(pk) if pk else None) for pk in ids}


def find_id(found_by: str) -> UUID | None:
    """Return the id in a text, or that of the person with this user name."""
    text = found_by.strip()
    try:
        return UUID(text)
    except ValueError:
        return User.objects.filter(username=text).values_list("pk", flat=True).first()


# --- Other targets --------------------------------------------------------------------------------

# The admin's pages of targets of holds and of deferred deletions.
PLACES = {
    "session": "admin:memory_session_change",
    "trim": "admin:memory_session_change",
    "turn": "admin:memory_turn_change",
    "document": "admin:citations_document_change",
    "erasure": "admin:memory_erasurerequest_change",
}


def render_target(kind: str, pk: UUID, name: str | None = None) -> SafeString:
    """Return the target of a hold or deletion as a link: a person's name or another row's id."""
    if kind not in PLACES:
        return render_person(pk, name)
    place = reverse(PLACES[kind], args=[pk])
    return format_html('<a href="{}"><code>{}</code></a>', place, pk)
