"""Acts on many rows of a list: confirmed first, then each in a transaction and with an audit line.

A refused row is counted with its reason and doesn't stop the others.
"""

from collections import Counter
from collections.abc import Callable, Sequence
from typing import Any

from django.contrib import messages
from django.contrib.admin.helpers import ACTION_CHECKBOX_NAME
from django.db.models import QuerySet
from django.forms import Form
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _, ngettext
from unfold.admin import ModelAdmin

from memory.admin.confirming import ConfirmedAct
from memory.errors import AwaitingApproval, Refusal
from memory.models import User

# Most rows of one act, since a request has a time limit.
MOST = 200
# Most chosen rows that are named.
NAMED = 5
CONFIRMED = "confirmed"


def is_confirmed(request: HttpRequest) -> bool:
    """Return whether the confirmation page was answered."""
    return CONFIRMED in request.POST


def run_bulk_action(
    model_admin: ModelAdmin,
    request: HttpRequest,
    act: ConfirmedAct,
    rows: "QuerySet[Any]",
    do: Callable[[Any], object],
    *,
    form: Form | None = None,
) -> HttpResponse | None:
    """Ask; then act on each row, and report the successes and the reasons of refusals."""
    found = list(rows[: MOST + 1])
    if len(found) > MOST:
        messages.error(request, _("Choose at most %(most)d at a time.") % {"most": MOST})
        return None
    if not found:
        messages.warning(request, _("The action applies to none of the chosen rows."))
        return None
    here = request.get_full_path()
    if is_confirmed(request) and (form is None or form.is_valid()):
        _act_on_each(request, act, found, do)
        return redirect(here)
    hidden = [("action", request.POST.get("action", "")), (CONFIRMED, 1)]
    hidden += [(ACTION_CHECKBOX_NAME, row.pk) for row in found]
    facts = [(_("Chosen"), _describe_rows(found))]
    return act.asked(model_admin, request, back=here, form=form, facts=facts, hidden=hidden)


def _act_on_each(
    request: HttpRequest, act: ConfirmedAct, rows: Sequence[Any], do: Callable[[Any], object]
) -> None:
    refused: Counter[str] = Counter()
    waiting = 0
    for row in rows:
        try:
            do(row)
        except AwaitingApproval:
            waiting += 1
        except Refusal as refusal:
            refused[str(refusal.message)] += 1
    if waiting:
        messages.info(request, AwaitingApproval().message)
    done = len(rows) - refused.total() - waiting
    if done:
        messages.success(request, _("%(act)s: %(count)d done.") % {"act": act.title, "count": done})
    for why, count in refused.most_common():
        said = ngettext("%(count)d was refused: %(why)s", "%(count)d were refused: %(why)s", count)
        messages.warning(request, said % {"count": count, "why": why})


def _describe_rows(rows: Sequence[Any]) -> str:
    """Return the number of rows, and the names of the first ones."""
    first = [row.username if isinstance(row, User) else str(row.pk) for row in rows[:NAMED]]
    more = ["…"] if len(rows) > NAMED else []
    return f"{len(rows)}: {', '.join([*first, *more])}"
