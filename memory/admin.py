"""People, sessions and turns for those who run the place: states, times and counts, never words."""

from typing import Any, ClassVar

from allauth.account.models import EmailAddress
from allauth.mfa.models import Authenticator
from allauth.usersessions.models import UserSession
from django.apps import apps
from django.contrib import admin
from django.contrib.auth.admin import UserAdmin as DjangoUserAdmin
from django.contrib.auth.models import Group
from django.db.models import Model, QuerySet
from django.http import HttpRequest
from django.utils.translation import gettext_lazy as _
from unfold.admin import ModelAdmin
from unfold.forms import AdminPasswordChangeForm, UserChangeForm, UserCreationForm

from memory.models import AuditEvent, Job, Session, Turn, User

# What other packages register shows addresses and secrets, or gives rights in groups.
PROVIDER_MODELS = list(apps.all_models.get("socialaccount", {}).values())
for model in (Group, Authenticator, EmailAddress, UserSession, *PROVIDER_MODELS):
    if admin.site.is_registered(model):
        admin.site.unregister(model)


class ReadOnlyAdmin(ModelAdmin):  # type: ignore[misc]
    """Rows that are made and deleted elsewhere: here they are looked at."""

    list_per_page = 50
    # Counting all rows of a large table for each page costs more than the page.
    show_full_result_count = False

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        return False


@admin.register(User)
class UserAdmin(DjangoUserAdmin, ModelAdmin):  # type: ignore[misc,type-arg]
    """Accounts with their tier; an account is erased with all it holds, so not from here."""

    form = UserChangeForm
    add_form = UserCreationForm
    change_password_form = AdminPasswordChangeForm
    list_display = ("username", "tier", "is_active", "is_staff", "date_joined", "last_login")
    list_filter = ("tier", "is_active", "is_staff")
    search_fields = ("username", "email")
    ordering = ("username",)
    filter_horizontal = ()
    readonly_fields = ("id", "date_joined", "last_login")
    fieldsets = (
        (None, {"fields": ("id", "username", "email", "password")}),
        (_("Limits"), {"fields": ("tier",)}),
        (_("Rights"), {"fields": ("is_active", "is_staff", "is_superuser")}),
        (_("Times"), {"fields": ("date_joined", "last_login")}),
    )
    add_fieldsets = ((None, {"fields": ("username", "email", "tier", "password1", "password2")}),)

    def has_delete_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        return False


@admin.register(Session)
class SessionAdmin(ReadOnlyAdmin):
    list_display = ("id", "owner_id", "turn_count", "context_tokens", "last_activity", "expires_at")
    list_filter = ("strategy", "temporary", "archived")
    ordering = ("-last_activity", "-id")
    fields: ClassVar = [
        "id", "owner", "created_at", "last_activity", "expires_at", "turn_count", "context_tokens",
        "context_window", "strategy", "temporary", "pinned", "archived",
    ]  # fmt: skip

    def get_queryset(self, request: HttpRequest) -> QuerySet[Session]:
        return Session.objects.live()


@admin.register(Turn)
class TurnAdmin(ReadOnlyAdmin):
    list_display = ("id", "session_id", "position", "status", "failure", "model", "asked_at")
    list_filter = ("status", "failure", "rating", "model")
    ordering = ("-id",)
    fields: ClassVar = [
        "id", "session", "owner", "position", "status", "failure", "model", "style", "query_tokens",
        "response_tokens", "asked_at", "finished_at", "rating",
    ]  # fmt: skip

    def get_queryset(self, request: HttpRequest) -> QuerySet[Turn]:
        return Turn.objects.filter(session__in=Session.objects.live())


@admin.register(Job)
class JobAdmin(ReadOnlyAdmin):
    list_display = ("kind", "subject", "status", "failures", "progress", "total", "due_at")
    list_filter = ("status", "kind")
    ordering = ("-id",)


@admin.register(AuditEvent)
class AuditEventAdmin(ReadOnlyAdmin):
    list_display = ("at", "action", "actor_id", "subject", "subject_id")
    list_filter = ("action",)
    ordering = ("-id",)
    search_fields = ("=actor_id", "=subject_id")

    def get_search_results(
        self, request: HttpRequest, queryset: QuerySet[AuditEvent], search_term: str
    ) -> Any:
        return super().get_search_results(request, queryset, search_term.replace("-", ""))
