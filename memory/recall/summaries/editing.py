"""Deletion and editing of summaries. A summary is deleted with each of its turns."""

from collections.abc import Collection

from django.db.models import Q
from django.utils.translation import gettext_lazy

from memory import audit
from memory.errors import NotFound, Refusal
from memory.holds import refuse_overwriting
from memory.models import Session, Summary
from memory.models.summaries import EXTRACT, TO_BE_WRITTEN, SummaryQuerySet
from memory.outages import one_transaction
from memory.people import rate_limits
from memory.recall import titles
from memory.recall.summaries.making import condense_later
from memory.text.token_counting import count_tokens

Kind = Summary.Kind
# The kinds of summaries that may be derived from each kind.
ABOVE = {
    Kind.TURN: (Kind.ROLLING,),
    Kind.SEGMENT: (Kind.SECTION, Kind.SESSION),
    Kind.SECTION: (Kind.SESSION,),
}
# Longest summary by a person, in characters.
LONGEST_TEXT = 8_000


class NotEdited(Refusal):
    code = "summary_not_edited"
    says = gettext_lazy("The summary was not edited: there is nothing to go back to.")


def delete_summaries(session: Session, positions: Collection[int]) -> None:
    """Delete everything made of these turns, and have it made again without them.

    Call with the session locked.
    """
    near = session.summaries.filter(
        first_position__lte=max(positions), last_position__gte=min(positions)
    )
    ranges = near.values_list("pk", "first_position", "last_position")
    gone = [pk for pk, first, last in ranges if any(first <= at <= last for at in positions)]
    for start in range(0, len(gone), 500):
        Summary.objects.filter(pk__in=gone[start : start + 500]).delete()
    if gone:
        titles.name_by_question(session, without=positions)
        condense_later(session.pk)


def count_edited(session: Session, position: int) -> int:
    """Return how many edited summaries would be deleted with the turn."""
    rows = session.summaries.filter(state=Summary.State.EDITED)
    return rows.filter(first_position__lte=position, last_position__gte=position).count()


@one_transaction
def edit(summary: Summary, text: str) -> None:
    """Replace the summary by the person's words and keep the automatic text; or raise Held."""
    current = _lock_summary(summary)
    if not current.is_edited:
        summary.made_text = current.text
    _write(summary, text, Summary.State.EDITED, "summary.edited")
    _renew_derived(current)


@one_transaction
def go_back(summary: Summary) -> None:
    """Restore the automatic text of an edited summary. Raises NotEdited and Held."""
    current = _lock_summary(summary)
    if not current.is_edited:
        raise NotEdited
    text, summary.made_text = current.made_text or "", None
    _write(summary, text, Summary.State.MADE, "summary.restored")
    # Derived summaries may cover later edits.
    _renew_derived(current)


@one_transaction
def make_anew(summary: Summary, *, by_model: bool) -> None:
    """Have a summary made anew, and those derived from it. Raises Held and LimitReached.

    With `by_model`, which counts as a question, a model's text stays until the new one is stored.
    Any other text is deleted, and made again at once.
    """
    current = _lock_summary(summary)
    if by_model:
        rate_limits.take_turn(current.owner)
    audit.record("summary.made_anew", actor=current.owner_id, subject=current)
    rows = Summary.objects.filter(session=current.session_id)
    asked = rows.filter(
        Q(pk=current.pk) | Q(pk__in=_select_derived_summaries(current).values("pk"))
    )
    if by_model:
        written = asked.filter(state=Summary.State.MADE).exclude(model=EXTRACT)
        written.update(prompt_version=TO_BE_WRITTEN)
        asked = asked.exclude(~Q(model=EXTRACT), state=Summary.State.MADE)
    asked.delete()
    condense_later(current.session_id)


def _renew_derived(changed: Summary) -> None:
    """Delete and remake the summaries derived from this one, except edited ones."""
    _select_derived_summaries(changed).delete()
    condense_later(changed.session_id)


def _select_derived_summaries(summary: Summary) -> SummaryQuerySet:
    """Return the summaries derived from this one, except edited ones."""
    rows = Summary.objects.filter(session=summary.session_id, state=Summary.State.MADE)
    return rows.filter(
        kind__in=ABOVE.get(Kind(summary.kind), ()),
        first_position__lte=summary.first_position,
        last_position__gte=summary.last_position,
    )


def _lock_summary(summary: Summary) -> Summary:
    """Return the current summary, with its session locked and not held."""
    session = Session.objects.select_for_update().filter(pk=summary.session_id).first()
    current = Summary.objects.filter(pk=summary.pk).first() if session else None
    if session is None or current is None:
        raise NotFound
    refuse_overwriting(session)
    return current


def _write(summary: Summary, text: str, state: str, action: str) -> None:
    summary.text, summary.state = text, state
    summary.tokens_after = count_tokens(text)
    summary.save(update_fields=["text", "made_text", "state", "tokens_after"])
    audit.record(action, actor=summary.owner_id, subject=summary)
