"""Consents: requested in versioned wording, given or withdrawn at any time, recorded.

A purpose is allowed while the newest decision on it is a yes to the current wording; a new wording
asks again. It is looked up at each use, never cached, so a withdrawal applies from its commit.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from django.conf import settings
from django.db import transaction
from django.db.models import Case, OuterRef, Q, QuerySet, Subquery, When
from django.db.models.lookups import Exact
from django.db.models.signals import post_save
from django.utils.translation import gettext as _, gettext_lazy, gettext_noop as noted

from memory import audit
from memory.errors import NotFound, Refusal
from memory.jobs import AuditClass, WorkClass, enqueue, register_kind
from memory.models import Attempt, Consent, Purpose, User
from memory.sealing import ledger

DELETE_RATINGS = register_kind("forget_ratings", WorkClass.RIGHTS, AuditClass.RECORDED)
DELETE_FACTS = register_kind("delete_facts", WorkClass.RIGHTS, AuditClass.RECORDED)
HISTORY_PAGE = 50
NOT_BY_THEM = (Consent.Source.PRESUMED, Consent.Source.RESTORED)
# Every wording ever shown, oldest first: a version is its position, from 1. Append a wording when
# the meaning changes, and everyone is asked again; never change one that was shown.
TEXTS: dict[str, Sequence[str]] = {
    Purpose.STORE: (
        noted(
            "My questions and the answers are kept, sealed under a key of my own, until they "
            "expire or I delete them. Without this, conversations are temporary."
        ),
    ),
    Purpose.RECALL: (
        noted(
            "What I said in one conversation may be used to answer me in another. Without this, "
            "each conversation stands alone."
        ),
        noted(
            "What I said in one conversation, and what I say of myself, may"
            " be used to answer me in "
            "another. Without this, each conversation stands alone. When I withdraw this, what was "
            "noticed and not confirmed by me is deleted."
        ),
    ),
    Purpose.IMPROVE: (
        noted(
            "My ratings of answers, and the comments I add, may be used to make answers better. "
            "When I withdraw this, they are deleted."
        ),
    ),
    Purpose.SHARE: (
        noted(
            "I may share conversations that I choose with other people. Nothing is shared by "
            "itself."
        ),
    ),
}
NEEDED = {
    Purpose.STORE: gettext_lazy(
        "You have not allowed your conversations to be kept, so only temporary ones can be begun."
    ),
    Purpose.RECALL: gettext_lazy("You have not allowed one conversation to be used in another."),
    Purpose.IMPROVE: gettext_lazy("You have not allowed your ratings to be used."),
    Purpose.SHARE: gettext_lazy("You have not allowed conversations to be shared."),
}


# Parts of a purpose that are not implemented yet, shown beside its wording.
NOT_YET = {
    Purpose.IMPROVE: gettext_lazy(
        "So far it only lets you rate: ratings are kept, the thumbs shown to those who run this "
        "place. Nothing learns from them yet."
    ),
    Purpose.SHARE: gettext_lazy("Not in use yet: so far nothing can be shared."),
}
UNUSED = frozenset({Purpose.SHARE})


class ConsentNeeded(Refusal):
    """The person has not consented to the request's purpose."""

    code = "consent_needed"

    def __init__(self, purpose: Purpose) -> None:
        super().__init__(str(NEEDED[purpose]))
        self.purpose = purpose


@dataclass(frozen=True)
class Standing:
    """A person's consent to a purpose: the current wording, and their newest decision, if any."""

    purpose: Purpose
    decision: Consent | None

    @property
    def version(self) -> int:
        return get_version(self.purpose)

    @property
    def text(self) -> str:
        return get_text(self.purpose, self.version)

    @property
    def not_yet(self) -> str:
        """The part that is not implemented yet; empty if there is none."""
        return str(NOT_YET.get(self.purpose, ""))

    @property
    def is_used(self) -> bool:
        """Whether anything is implemented under it."""
        return self.purpose not in UNUSED

    @property
    def is_live(self) -> bool:
        given = self.decision is not None and self.decision.given
        return given and not self.is_outdated

    @property
    def is_outdated(self) -> bool:
        """Whether the decision was on an older wording."""
        return self.decision is not None and self.decision.version != self.version


# --- Queries ------------------------------------------------------------------------------------


def get_version(purpose: str) -> int:
    """Return the current version of the purpose's wording."""
    return len(TEXTS[purpose])


def get_text(purpose: str, version: int) -> str:
    """Return a wording as shown, in the reader's language; empty for an unknown version."""
    known = TEXTS[purpose]
    return _(known[version - 1]) if 0 < version <= len(known) else ""


def allows(owner_id: UUID, purpose: Purpose) -> bool:
    """Return whether the person consents to the purpose now: one query, each time."""
    return _select_newest_decision(owner_id, purpose).first() == (True, get_version(purpose))


def _select_newest_decision(owner: UUID, purpose: Purpose) -> QuerySet[Consent, tuple[bool, int]]:
    decisions = Consent.objects.filter(owner_id=owner, purpose=purpose).order_by("-number")
    return decisions.values_list("given", "version")[:1]


def build_allowed_filter(purpose: Purpose) -> Q:
    """Return the condition, for a query of rows, that their person consents to the purpose."""
    decisions = Consent.objects.filter(owner=OuterRef("owner"), purpose=purpose)
    allowed_version = Case(When(given=True, then="version"), default=0)
    newest = decisions.order_by("-number").values(live=allowed_version)[:1]
    return Q(Exact(Subquery(newest), get_version(purpose)))


def is_older(owner_id: UUID, purpose: str, moment: datetime) -> bool:
    """Return whether the person's newest decision is a yes from before the moment."""
    newest = Consent.objects.filter(owner_id=owner_id, purpose=purpose).order_by("-number")
    decision = newest.values_list("given", "at").first()
    return decision is not None and decision[0] and decision[1] < moment


def require(owner_id: UUID, purpose: Purpose) -> None:
    """Raise ConsentNeeded unless the person consents to the purpose now."""
    if not allows(owner_id, purpose):
        raise ConsentNeeded(purpose)


def lock_person(owner_id: UUID) -> None:
    """Lock the person, so that they can't decide before the transaction's end.

    So work begun under a consent is visible to its withdrawal, and is stopped then.
    """
    if not User.objects.select_for_update(no_key=True).filter(pk=owner_id).exists():
        raise NotFound


def list_standings(user: User) -> list[Standing]:
    """Return the person's standing on each purpose: one query."""
    mine = Consent.objects.filter(owner=user)
    later = mine.filter(purpose=OuterRef("purpose")).order_by("-number").values("number")
    newest = {row.purpose: row for row in mine.filter(number=Subquery(later[:1]))}
    return [Standing(purpose, newest.get(purpose)) for purpose in Purpose]


def list_decisions(
    user: User, *, before: UUID | None = None, limit: int = HISTORY_PAGE
) -> list[Consent]:
    """Return a page of the person's decisions, newest first."""
    rows = Consent.objects.filter(owner=user).order_by("-id")
    return list((rows.filter(id__lt=before) if before else rows)[:limit])


# --- Decisions ----------------------------------------------------------------------------------


def decide(user: User, given: Mapping[Purpose, bool], *, source: Consent.Source) -> list[Consent]:
    """Record decisions of the person; an unchanged decision makes no new row."""
    with transaction.atomic():
        lock_person(user.pk)
        current = {standing.purpose: standing for standing in list_standings(user)}
        decided = [
            _record_decision(user, current[purpose], wish, source)
            for purpose, wish in given.items()
            if _is_new(current[purpose], wish)
        ]
        # Withdrawals stay valid if a backup is restored.
        ledger.note_withdrawals(row for row in decided if not row.given and row.number > 1)
        return decided


def _is_new(standing: Standing, wish: bool) -> bool:
    decision = standing.decision
    return decision is None or decision.given != wish or standing.is_outdated


def _record_decision(
    user: User, standing: Standing, given: bool, source: Consent.Source
) -> Consent:
    row = Consent.objects.create(
        owner=user,
        purpose=standing.purpose,
        number=standing.decision.number + 1 if standing.decision else 1,
        version=standing.version,
        given=given,
        source=source,
    )
    withdrawn = "consent.withdrawn" if standing.decision else "consent.declined"
    actor = None if source in NOT_BY_THEM else user.pk
    audit.record("consent.given" if given else withdrawn, actor=actor, subject=row)
    if not given:
        _stop(user, standing.purpose)
    return row


def _stop(user: User, purpose: Purpose) -> None:
    """End work under a consent that was just withdrawn."""
    if purpose == Purpose.STORE:
        kept = Attempt.objects.filter(owner=user, finished_at=None, turn__session__temporary=False)
        kept.update(stop_requested=True)
    elif purpose == Purpose.IMPROVE:
        enqueue(DELETE_RATINGS, user.pk, owner=user.pk)
    elif purpose == Purpose.RECALL:
        enqueue(DELETE_FACTS, user.pk, owner=user.pk)


# --- Accounts that others make --------------------------------------------------------------------


def listen() -> None:
    """Record the operator's presumed consents for each account that someone else makes."""
    post_save.connect(_presume, sender=User, dispatch_uid="consent:presumed")


def _presume(instance: User, created: bool, raw: bool = False, **event: Any) -> None:
    if created and not raw and instance.presumes_consent:
        presumed = {Purpose(name): True for name in settings.CONSENT_PRESUMED}
        decide(instance, presumed, source=Consent.Source.PRESUMED)
