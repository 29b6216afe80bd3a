"""Admin of retention policies: each tier's policy, its versions, and a change with its dry run."""

from typing import Any, ClassVar

from django.contrib import admin
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _, gettext_lazy
from unfold.decorators import action

from memory.admin.confirming import ConfirmedAct
from memory.admin.names import make_person_column
from memory.admin.pages import get_person, need
from memory.admin.retention.terms import TermsForm
from memory.admin.rows import BoundedPaginator, ReadOnlyAdmin
from memory.forgetting.retention.previews import Preview, preview, proposed
from memory.forgetting.retention.terms import format_duration, get_term_name, get_terms, said
from memory.models import RetentionPolicy, Tier

CHANGE = "memory.add_retentionpolicy"
PREVIEW_PURGE = ConfirmedAct(
    gettext_lazy("Dry run of a purge"),
    gettext_lazy("Counts what has expired and is still stored. Nothing is deleted."),
    button=gettext_lazy("Count"),
)
AUTHOR = make_person_column("author_id", gettext_lazy("author"))


def _show(shown: Preview) -> HttpResponse:
    return redirect("admin:memory_retentionrun_change", shown.run.pk)


def describe_terms(policy: RetentionPolicy) -> list[tuple[str, str]]:
    """Return the policy's terms by their names, in words."""
    return [(get_term_name(term), said(term, value)) for term, value in get_terms(policy).items()]


class VersionsPaginator(BoundedPaginator):
    """Counts the rows of the list: versions with an author, without default policies."""

    template_name = "admin/_versions.html"


@admin.register(RetentionPolicy)
class RetentionPolicyAdmin(ReadOnlyAdmin):
    """Former versions of policies, below the current ones."""

    list_display = ("tier", "version", "conversations", "max_turns", AUTHOR, "created_at")
    list_filter = ("tier",)
    ordering = ("-created_at",)
    people = ("author_id",)
    fields: ClassVar = ["tier", "version", "terms", AUTHOR, "created_at"]
    list_before_template = "admin/_rulings.html"
    paginator = VersionsPaginator
    pages: ClassVar = {"propose": ("propose/<str:tier>/", "propose")}
    actions_list: ClassVar = ["preview_purge"]

    @admin.display(description=gettext_lazy("conversations"))
    def conversations(self, policy: RetentionPolicy) -> str:
        return format_duration(policy.lifetime)

    @admin.display(description=gettext_lazy("what it keeps"))
    def terms(self, policy: RetentionPolicy) -> SafeString:
        lines = format_html_join("", "<dt>{}</dt><dd>{}</dd>", describe_terms(policy))
        return format_html('<div class="tl"><dl>{}</dl></div>', lines)

    def has_preview_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return get_person(request).has_perm(CHANGE)

    def changelist_view(self, request: HttpRequest, extra_context: Any = None) -> HttpResponse:
        ruling = [RetentionPolicy.objects.ruling(tier) for tier in Tier.values]
        context = {
            "rulings": [(policy, describe_terms(policy)) for policy in ruling],
            "may_change": get_person(request).has_perm(CHANGE),
        }
        return super().changelist_view(request, (extra_context or {}) | context)

    def propose(self, request: HttpRequest, tier: str) -> HttpResponse:
        """Accept new terms, and show the deletions that they cause."""
        need(request, CHANGE)
        if tier not in Tier.values:
            raise Http404
        form = TermsForm(request.POST or None, ruling=RetentionPolicy.objects.ruling(tier))

        def do() -> HttpResponse:
            policy = proposed(tier, **form.cleaned_data)
            return _show(preview(policy, author=get_person(request)))

        act = ConfirmedAct(
            _("Change the policy: %(tier)s") % {"tier": Tier(tier).label},
            _("Nothing changes yet. First you see what would be deleted."),
            button=_("Show what would be deleted"),
        )
        back = reverse("admin:memory_retentionpolicy_changelist")
        return act.answer(self, request, do, back=back, form=form)

    @action(
        description=gettext_lazy("What would a purge delete now?"),
        url_path="purge",
        permissions=["preview"],
    )
    def preview_purge(self, request: HttpRequest) -> HttpResponse:
        """Count the expired rows that still wait for their purge."""

        def do() -> HttpResponse:
            return _show(preview(author=get_person(request)))

        back = reverse("admin:memory_retentionpolicy_changelist")
        return PREVIEW_PURGE.answer(self, request, do, back=back)
