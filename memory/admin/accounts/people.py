"""Admin of accounts: their columns, and the acts that each right allows."""

from typing import Any, ClassVar

from django.contrib import admin, messages
from django.contrib.auth.admin import UserAdmin as DjangoUserAdmin
from django.db.models import Model, QuerySet
from django.forms import ModelForm
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext_lazy as _
from unfold.widgets import UnfoldAdminCheckboxSelectMultipleWidget

from memory.admin.accounts.acts import PersonActs
from memory.admin.accounts.forms import NewPersonForm
from memory.admin.names import find_id
from memory.admin.pages import get_person, has_more_rights
from memory.admin.rows import BoundedPaginator
from memory.forgetting.erasure import requests
from memory.models import LegalHold, Session, User
from memory.people.sign_in import links
from memory.people.staff.roles import list_effective_rights, select_permissions

PASSWORD_FORM = "auth_user_password_change"
ADDED = _(
    "The account “%(name)s” was added. It has no password yet: send its person a link to set one."
)
ADDED_WITHOUT_ADDRESS = _(
    "The account “%(name)s” was added. It has no password yet, and no address, so an operator "
    "of the server creates a link: manage.py sign_in_link %(name)s."
)
GIVEN = {
    "groups": _("Each role has the rights of one task, for people with staff status."),
    "user_permissions": _("Single rights, on top of the roles."),
}


@admin.register(User)
class UserAdmin(PersonActs, DjangoUserAdmin):  # type: ignore[type-arg]
    """Admin of accounts; people set their passwords and addresses themselves."""

    form = ModelForm
    add_form = NewPersonForm
    list_display = ("username", "tier", "is_active", "is_staff", "date_joined", "last_login")
    list_filter = ("tier", "is_active", "is_staff")
    search_fields = ("username", "email")
    search_help_text = _("A user name, an address or an id")
    ordering = ("username",)
    paginator = BoundedPaginator
    show_full_result_count = False
    filter_horizontal = ()
    fieldsets = (
        (None, {"fields": ("id", "username", "email")}),
        (_("Rights"), {"fields": ("may_sign_in", "is_staff", "is_superuser")}),
        (
            _("What is kept"),
            {"fields": ("tier", "own_lifetime", "conversations", "legal_holds", "erasure")},
        ),
        (_("Times"), {"fields": ("date_joined", "last_login")}),
    )
    add_fieldsets = ((None, {"fields": ("username", "email", "tier")}),)
    actions = ("hold_chosen",)
    actions_detail: ClassVar = [
        "change_tier", "send_link", "suspend", "readmit", "hold", "open_in_emergency", "erase",
    ]  # fmt: skip

    def response_add(
        self, request: HttpRequest, obj: Any, post_url_continue: str | None = None
    ) -> HttpResponse:
        """Show the new account, with a message on how its person can sign in."""
        told = ADDED if links.find_address(obj) else ADDED_WITHOUT_ADDRESS
        messages.success(request, told % {"name": obj.get_username()})
        return redirect("admin:memory_user_change", obj.pk)

    # --- Visibility and rights
    # ------------------------------------------------------------------------

    def get_urls(self) -> list[Any]:
        """Leave out the form in which Django sets anyone's password."""
        return [place for place in super().get_urls() if place.name != PASSWORD_FORM]

    def change_view(
        self, request: HttpRequest, object_id: str, form_url: str = "", extra_context: Any = None
    ) -> HttpResponse:
        """Show an account under its name."""
        person: User | None = self.get_object(request, object_id)
        named = {"title": person.username, "subtitle": ""} if person else {}
        return super().change_view(request, object_id, form_url, (extra_context or {}) | named)

    def get_fieldsets(self, request: HttpRequest, obj: Model | None = None) -> Any:
        shown: list[Any] = list(super().get_fieldsets(request, obj))
        if obj is not None and get_person(request).is_superuser:
            shown.insert(2, (_("What they may do here"), {"fields": ("groups",)}))
            single = {"fields": ("user_permissions",), "classes": ("collapse",)}
            shown.append((_("Single rights"), single))
        return shown

    def formfield_for_manytomany(self, db_field: Any, request: Any, **options: Any) -> Any:
        """Offer roles, and the rights that have an effect here."""
        options["widget"] = UnfoldAdminCheckboxSelectMultipleWidget()
        if db_field.name == "user_permissions":
            options["queryset"] = select_permissions(list_effective_rights())
        options["help_text"] = GIVEN[db_field.name]
        return super().formfield_for_manytomany(db_field, request, **options)

    def get_readonly_fields(self, request: HttpRequest, obj: Model | None = None) -> Any:
        if obj is None:
            return ()
        shown = ("id", "email", "tier", "own_lifetime", "date_joined", "last_login")
        counted = ("may_sign_in", "conversations", "legal_holds", "erasure")
        rights = () if get_person(request).is_superuser else ("is_staff", "is_superuser")
        return (*shown, *counted, *rights)

    def get_search_results(
        self, request: HttpRequest, queryset: QuerySet[User], search_term: str
    ) -> tuple[QuerySet[User], bool]:
        known = find_id(search_term) if search_term else None
        if known:
            return queryset.filter(pk=known), False
        return super().get_search_results(request, queryset, search_term)

    def has_change_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        """Refuse changes of an account that has more rights."""
        allowed: bool = super().has_change_permission(request, obj)
        return allowed and not (
            isinstance(obj, User) and has_more_rights(obj, than=get_person(request))
        )

    def has_delete_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        return False

    def get_actions_detail(self, request: HttpRequest, object_id: Any) -> Any:
        person = self.get_object(request, object_id)
        pointless = "suspend" if person and not person.is_active else "readmit"
        shown = super().get_actions_detail(request, object_id)
        return [one for one in shown if not one.action_name.endswith(f"_{pointless}")]

    @admin.display(description=_("may sign in"), boolean=True)
    def may_sign_in(self, person: User) -> bool:
        return person.is_active

    @admin.display(description=_("conversations"))
    def conversations(self, person: User) -> SafeString:
        number = Session.objects.visible(person).count()
        return _render_list_link("memory_session", person, number)

    @admin.display(description=_("legal holds"))
    def legal_holds(self, person: User) -> SafeString:
        number = LegalHold.objects.active().filter(person_id=person.pk).count()
        return _render_list_link("memory_legalhold", person, number)

    @admin.display(description=_("erasure"))
    def erasure(self, person: User) -> str | SafeString:
        row = requests.get_open_request(person)
        if row is None:
            return "–"
        place = reverse("admin:memory_erasurerequest_change", args=[row.pk])
        return format_html('<a href="{}">{}</a>', place, row.get_status_display())


def _render_list_link(model: str, person: User, number: int) -> SafeString:
    """Return the number of rows as a link to their list."""
    place = reverse(f"admin:{model}_changelist")
    return format_html('<a href="{}?q={}">{}</a>', place, person.pk, number)
