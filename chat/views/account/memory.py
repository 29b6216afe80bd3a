"""Pages for the facts about a person: their reasons and history, and managing them."""

from collections.abc import Sequence
from functools import partial
from uuid import UUID

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _

from chat import llm
from chat.forms.memory import FactForm
from chat.shapes.resources.facts import find_turns
from chat.turns.personal.person import is_met_by_quoting
from chat.views.requests import (
    PersonRequest,
    action_view,
    form_view,
    page_view,
    report_refusals,
    submit,
)
from memory.conversations import listing
from memory.errors import NotFound, Refusal
from memory.forgetting.retention.terms import format_duration
from memory.models import Fact, FactKind, Purpose, RetentionPolicy, Turn, User
from memory.personal_data import consent
from memory.recall.earlier.returning import find_returning_topics
from memory.recall.facts import managing, undoing
from memory.recall.facts.managing import find_replaced, read_past
from memory.recall.facts.patterns import find_patterns
from memory.recall.levels import count_levels

PAGE = 30
MOST_UNDOABLE = 5


@page_view
def show_levels(request: PersonRequest) -> HttpResponse:
    """Explain the levels of memory, and show the contents of each."""
    return _show_page(request, FactForm())


@action_view
def write_fact(request: PersonRequest) -> HttpResponse:
    """Add a fact."""
    form = FactForm(request.POST)
    if status := submit(form, "text", partial(managing.write, request.user)):
        return _show_page(request, form, status=status)
    messages.success(request, _("It is remembered."))
    return redirect("chat:levels")


@form_view
def correct_fact(request: PersonRequest, fact_id: UUID) -> HttpResponse:
    """Show a fact with its earlier versions, and correct it."""
    fact = _get_own_fact(request, fact_id)
    form = FactForm(request.POST or None, initial={"text": fact.text, "kind": fact.kind})
    if (status := submit(form, "text", partial(managing.change, fact))) is None:
        return redirect("chat:levels")  # the page offers to undo it
    past = _add_turns(read_past(fact), request.user)
    turn = dict(_add_turns([fact], request.user))[fact]
    context = {"fact": fact, "form": form, "past": past, "turn": turn}
    return render(request, "account/fact.html", context, status=status)


@action_view
def confirm_fact(request: PersonRequest, fact_id: UUID) -> HttpResponse:
    """Keep a fact beyond its conversation."""
    with report_refusals(request):
        managing.confirm(_get_own_fact(request, fact_id))
        messages.success(request, _("It is kept, also when its conversation goes."))
    return redirect("chat:levels")


@form_view
def delete_fact(request: PersonRequest, fact_id: UUID) -> HttpResponse:
    """Delete a fact, after the person has confirmed; it can be undone for a short while."""
    fact = _get_own_fact(request, fact_id)
    if request.method != "POST":
        return render(request, "account/delete_fact.html", {"fact": fact})
    with report_refusals(request):
        undoing.hide(fact)
    return redirect("chat:levels")


@action_view
def undo_fact(request: PersonRequest, fact_id: UUID) -> HttpResponse:
    """Restore a deleted fact, or the version before a correction."""
    try:
        undoing.undo(request.user, fact_id)
        messages.success(request, _("It is as it was."))
    except NotFound:  # another person's looks missing too
        messages.error(request, _("It is gone for good."))
        return _show_page(request, FactForm(), status=404)
    except Refusal as refusal:
        messages.error(request, refusal.message)
    return redirect("chat:levels")


def _get_own_fact(request: PersonRequest, fact_id: UUID) -> Fact:
    rows = Fact.objects.visible(request.user).select_related("session")
    return get_object_or_404(rows, pk=fact_id)


def _add_turns(facts: Sequence[Fact], owner: User) -> list[tuple[Fact, Turn | None]]:
    """Return the facts, each with its turn, if that still exists."""
    turns = find_turns(facts, owner)
    return [(fact, turns.get(fact.said_in) if fact.said_in else None) for fact in facts]


def _read_derived(request: PersonRequest) -> dict[str, object]:
    """Return the derived topics, and patterns with their turns, for the page."""
    patterns = find_patterns(request.user)
    said = dict(_add_turns(patterns.facts, request.user))
    with_turns = {
        name: [(each, [(fact, said[fact]) for fact in each.facts]) for each in found]
        for name, found in (("changed", patterns.changed), ("alike", patterns.alike))
    }
    return {"returned": find_returning_topics(request.user), **with_turns}


def _show_page(request: PersonRequest, adding: FactForm, *, status: int = 200) -> HttpResponse:
    """Show a page of current facts, newest first; the first page has the levels too."""
    cursor = request.GET.get("after", "")
    rows = Fact.objects.visible(request.user).current().order_by("-valid_from", "-id")
    found = list(listing.get_following(rows, cursor, "valid_from")[: PAGE + 1])
    facts = found[:PAGE]
    more = listing.make_cursor(facts[-1].valid_from, facts[-1].pk) if len(found) > PAGE else ""
    standings = consent.list_standings(request.user)
    lifetime = RetentionPolicy.objects.ruling(request.user.tier).fact_lifetime
    shown = _add_turns(facts, request.user)
    likes = [each for each in shown if each[0].kind != FactKind.FACT]
    wishes = [fact for fact, _turn in likes if fact.kind == FactKind.WISH]
    context = {
        "levels": count_levels(request.user),
        **({} if cursor else _read_derived(request)),
        "told": [each for each in shown if each[0].kind == FactKind.FACT],
        "likes": likes,
        "changed_before": find_replaced(facts).keys(),
        "waits_for_model": not (llm.is_configured() or all(map(is_met_by_quoting, wishes))),
        "lifetime": format_duration(lifetime) if lifetime else "",
        "undoable": list(undoing.select_undoable_facts(request.user)[:MOST_UNDOABLE]),
        "undo_seconds": undoing.UNDO_SECONDS,
        "more": more,
        "after": cursor,
        "adding": adding,
        "standing": next(each for each in standings if each.purpose == Purpose.RECALL),
    }
    return render(request, "account/memory.html", context, status=status)
