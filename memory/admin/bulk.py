"""What is done to many rows of a list at once: asked first, then each by itself, with its own line
in the audit.

Each row has a transaction of its own, by the same door as alone. What is refused is counted with
its reason, and stops no other.
"""

from collections import Counter
from collections.abc import Callable, Sequence
from typing import Any

from django.contrib import messages
from django.contrib.admin.helpers import ACTION_CHECKBOX_NAME
from django.db.models import Model, QuerySet
from django.forms import Form
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from unfold.admin import ModelAdmin

from memory.admin.confirming import ConfirmedAct
from memory.admin.pages import Facts
from memory.errors import Refusal
from memory.models import User

# So many at once: a request has to end.
MOST = 200
# Of those that are chosen so many are named.
NAMED = 5
CONFIRMED = "confirmed"


def chosen(request: HttpRequest, rows: "QuerySet[Any]") -> list[Any]:
    """Return the rows that were chosen; none, and why is told, if they are too many."""
    found = list(rows[: MOST + 1])
    if len(found) > MOST:
        messages.error(request, _("Choose at most %(most)d at a time.") % {"most": MOST})
        return []
    if not found:
        messages.warning(request, _("Nothing that is chosen is concerned."))
    return found


def is_confirmed(request: HttpRequest) -> bool:
    """Return whether the page that asks was answered."""
    return CONFIRMED in request.POST


def asked(
    model_admin: ModelAdmin,
    request: HttpRequest,
    act: ConfirmedAct,
    rows: Sequence[Model],
    *,
    form: Form | None = None,
    facts: Facts = (),
    hidden: Sequence[tuple[str, object]] = (),
) -> HttpResponse:
    """Return the page that says what will be done to these rows, and asks."""
    chosen_ones = [(ACTION_CHECKBOX_NAME, row.pk) for row in rows]
    return act.asked(
        model_admin,
        request,
        back=request.get_full_path(),
        form=form,
        facts=[(_("Chosen"), _named(rows)), *facts],
        hidden=[
            ("action", request.POST.get("action", "")),
            (CONFIRMED, 1),
            *chosen_ones,
            *hidden,
        ],
    )


def done_to_each(
    model_admin: ModelAdmin,
    request: HttpRequest,
    act: ConfirmedAct,
    rows: "QuerySet[Any]",
    do: Callable[[Any], object],
    *,
    form: Form | None = None,
    facts: Callable[[Sequence[Any]], Facts] = lambda rows: (),
) -> HttpResponse | None:
    """Ask; then do it to each of the rows, and tell how often it was done and why it was not."""
    found = chosen(request, rows)
    if not found:
        return None
    if not is_confirmed(request) or not (form is None or form.is_valid()):
        return asked(model_admin, request, act, found, form=form, facts=facts(found))
    tell(request, act, found, do)
    return redirect(request.get_full_path())


def tell(
    request: HttpRequest, act: ConfirmedAct, rows: Sequence[Any], do: Callable[[Any], object]
) -> None:
    """Do it to each of the rows, and say on the next page what came of it."""
    refused: Counter[str] = Counter()
    for row in rows:
        try:
            do(row)
        except Refusal as refusal:
            refused[str(refusal.message)] += 1
    done = len(rows) - refused.total()
    if done:
        messages.success(request, _("%(act)s: %(count)d done.") % {"act": act.title, "count": done})
    for why, count in refused.most_common():
        said = ngettext("%(count)d was refused: %(why)s", "%(count)d were refused: %(why)s", count)
        messages.warning(request, said % {"count": count, "why": why})


def _named(rows: Sequence[Any]) -> str:
    """Return how many rows there are, and which the first of them are."""
    first = [row.username if isinstance(row, User) else str(row.pk) for row in rows[:NAMED]]
    more = ["…"] if len(rows) > NAMED else []
    return f"{len(rows)}: {', '.join([*first, *more])}"
