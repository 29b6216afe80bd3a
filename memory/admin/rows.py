"""Read-only admin pages of rows; each change that is allowed leaves an audit event."""

from collections.abc import Callable
from typing import Any, ClassVar, cast
from uuid import UUID

from allauth.account.models import EmailAddress
from allauth.mfa.models import Authenticator
from allauth.usersessions.models import UserSession
from django.apps import apps
from django.contrib import admin, messages
from django.contrib.admin.options import IncorrectLookupParameters
from django.contrib.auth.models import Group
from django.core.paginator import Paginator
from django.db import DataError
from django.db.models import Model, Q, QuerySet
from django.http import Http404, HttpRequest, HttpResponse
from django.urls import path
from django.utils.functional import cached_property
from django.utils.translation import gettext_lazy as _
from unfold.admin import ModelAdmin

from memory import audit
from memory.admin.names import annotate_names, find_id
from memory.admin.pages import get_row_or_404, need

# Admin pages of other packages show addresses and secrets, or give rights in groups.
PROVIDER_MODELS = list(apps.all_models.get("socialaccount", {}).values())
for model in (Group, Authenticator, EmailAddress, UserSession, *PROVIDER_MODELS):
    if admin.site.is_registered(model):
        admin.site.unregister(model)


class RecordedAdmin(ModelAdmin):  # type: ignore[misc]
    """Records additions and changes by Django's forms in the audit, beside Django's own log."""

    def get_changelist_instance(self, request: HttpRequest) -> Any:
        """Return the list; invalid filters, such as the year 99999, are dropped."""
        try:
            rows = super().get_changelist_instance(request)
        except (ValueError, OverflowError, DataError) as error:
            raise IncorrectLookupParameters from error
        if not rows.query and not rows.has_active_filters:
            # Otherwise a complete list would offer to show all.
            rows.full_result_count = rows.result_count
        return rows

    def _get_obj_does_not_exist_redirect(self, request: HttpRequest, *_of: Any) -> Any:
        """Answer unknown addresses with 404, not with the admin's first page."""
        raise Http404

    def log_addition(self, request: HttpRequest, obj: Model, message: Any) -> Any:
        audit.record("admin.added", actor=get_actor_id(request), subject=obj)
        return super().log_addition(request, obj, message)

    def log_change(self, request: HttpRequest, obj: Model, message: Any) -> Any:
        audit.record("admin.changed", actor=get_actor_id(request), subject=obj)
        return super().log_change(request, obj, message)

    def has_hold_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Return whether the admin may place legal holds."""
        return bool(request.user.has_perm("memory.add_legalhold"))


class BoundedPaginator(Paginator):  # type: ignore[type-arg]
    """The first MOST rows only: counting a million for the number of pages is too slow."""

    MOST = 10_000

    @cached_property
    def count(self) -> int:
        """Return the number of rows, at most MOST."""
        rows = cast(QuerySet[Model], self.object_list)
        return rows.order_by().values("pk")[: self.MOST].count()


def limit_rows(rows: QuerySet[Any], most: int, *, by: str) -> tuple[QuerySet[Any], bool]:
    """Return the first rows by an indexed field ("-" for descending), and whether these are all."""
    field, side = by.removeprefix("-"), "gt" if by.startswith("-") else "lt"
    for beyond in rows.order_by(by).values_list(field, flat=True)[most : most + 1]:
        return rows.filter(**{f"{field}__{side}": beyond}), False
    return rows, True


class AmongNewest(admin.FieldListFilter):
    """Filters by a field without an index, among the newest rows only: a million cost too much."""

    MOST = 100_000

    def queryset(self, request: HttpRequest, queryset: QuerySet[Any]) -> QuerySet[Any] | None:
        if self.used_parameters and not request.path.endswith("/csv/"):
            queryset = self._newest(request, queryset)
        return super().queryset(request, queryset)

    def _newest(self, request: HttpRequest, rows: QuerySet[Any]) -> QuerySet[Any]:
        newest, is_all = limit_rows(rows, self.MOST, by="-pk")
        if not is_all:
            told = _("Filters look through the newest %(number)s rows.")
            messages.info(request, told % {"number": self.MOST})
        return newest


class NewestChoices(AmongNewest, admin.ChoicesFieldListFilter):
    """Filters by one of a field's choices, among the newest rows."""


class NewestValues(AmongNewest, admin.AllValuesFieldListFilter):
    """Filters by the values of the newest rows: collecting them from a million costs too much."""

    lookup_choices: Any

    def __init__(
        self, field: Any, request: HttpRequest, params: Any, model: Any, *of: Any, **at: Any
    ):
        super().__init__(field, request, params, model, *of, **at)
        newest = model._default_manager.order_by("-pk").values_list(field.name, flat=True)
        found = set(newest[: BoundedPaginator.MOST])
        self.lookup_choices = sorted(found - {None}) + [None] * (None in found)


class ReadOnlyAdmin(RecordedAdmin):
    """Rows that are made and deleted elsewhere, and only viewed here."""

    list_per_page = 50
    paginator = BoundedPaginator
    # Counting all rows of a large table for each page costs more than the page.
    show_full_result_count = False
    # The fields with ids of people, which are shown as names (memory.admin.names).
    people: ClassVar[tuple[str, ...]] = ()
    search_help_text = _("An id, or a user name")
    # Shows a row on a page of the product, instead of Django's form.
    show_row: Callable[..., HttpResponse] | None = None
    # Further pages: the suffixes of their names, with their routes and methods.
    pages: ClassVar[dict[str, tuple[str, str]]] = {}

    def get_urls(self) -> list[Any]:
        wrap, place = self.admin_site.admin_view, f"{self.opts.app_label}_{self.opts.model_name}"
        further = [
            path(route, wrap(getattr(self, method)), name=f"{place}_{end}")
            for end, (route, method) in self.pages.items()
        ]
        return [*further, *super().get_urls()]

    def change_view(
        self, request: HttpRequest, object_id: str, form_url: str = "", extra_context: Any = None
    ) -> HttpResponse:
        """Show the row to admins who may view such rows."""
        if self.show_row is None:
            shown: HttpResponse = super().change_view(request, object_id, form_url, extra_context)
            return shown
        need(request, f"{self.opts.app_label}.view_{self.opts.model_name}")
        return self.show_row(request, get_row_or_404(self, request, object_id))

    def get_queryset(self, request: HttpRequest) -> QuerySet[Any]:
        return annotate_names(self.visible_rows(), *self.people)

    def visible_rows(self) -> QuerySet[Any]:
        """Return the rows that operators may see."""
        return self.model._default_manager.all()

    def get_search_results(
        self, request: HttpRequest, queryset: QuerySet[Any], search_term: str
    ) -> tuple[QuerySet[Any], bool]:
        """Find rows by a whole id, their own or a person's: most rows contain no name."""
        if not search_term:
            return queryset, False
        wanted = find_id(search_term)
        found = Q(pk__in=[])
        for field in self.search_fields if wanted else ():
            found |= Q(**{field: wanted})
        return queryset.filter(found), False

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        return False


def get_actor_id(request: HttpRequest) -> UUID | None:
    """Return the id of the signed-in person."""
    return request.user.pk
