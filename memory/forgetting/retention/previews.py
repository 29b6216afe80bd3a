"""Dry runs: what a purge would delete now, or what would be deleted under a proposed policy."""

import csv
import hashlib
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from django.db import transaction
from django.db.models import Count, Exists, OuterRef, Sum
from django.db.models.functions import Coalesce
from django.utils import timezone
from django.utils.text import capfirst
from django.utils.translation import gettext as _, ngettext

from memory import audit
from memory.audit.expiry import get_old_lines, get_ruling_lifetimes, select_outlived_lines
from memory.errors import NotFound
from memory.forgetting.retention.counting import Counts, count_due, sum_counts
from memory.forgetting.retention.due import Due
from memory.forgetting.retention.terms import TERMS, get_term_name, get_terms, said
from memory.holds import hold_on_session
from memory.models import Fact, LegalHold, RetentionPolicy, RetentionRun, Tier, User

LINES_AT_ONCE = 2000


@dataclass(frozen=True)
class Change:
    """One term that a policy changes, in words."""

    name: str
    before: str
    after: str

    def __str__(self) -> str:
        return f"{self.name} {self.alone}"

    @property
    def alone(self) -> str:
        """The change without its term."""
        return f"{self.before} → {self.after}"


@dataclass(frozen=True)
class Preview:
    """The effects of a run; it is confirmed by the id of its row (retention.runs)."""

    run: RetentionRun
    changes: list[Change]
    total: Counts
    tiers: list[Counts]

    @property
    def headline(self) -> str:
        """The preview in a line: "30 days → 7 days: 1,204 conversations of 88 people would go"."""
        is_one = len(self.changes) == 1
        changed = ", ".join(change.alone if is_one else str(change) for change in self.changes)
        number, excess = self.total.sessions, self.run.excess
        if excess and not number:
            cut = ngettext("%(number)s question", "%(number)s questions", excess)
            gone = _("%(questions)s would be deleted from conversations that stay") % {
                "questions": cut % {"number": f"{excess:,}"}
            }
            return f"{capfirst(changed)}: {gone}" if changed else gone
        gone = ngettext("%(number)s conversation", "%(number)s conversations", number)
        people = ngettext("%(people)s person", "%(people)s people", self.total.people)
        what = _("%(conversations)s of %(people)s would be deleted") % {
            "conversations": gone % {"number": f"{number:,}"},
            "people": people % {"people": f"{self.total.people:,}"},
        }
        return f"{capfirst(changed)}: {what}" if changed else what


def proposed(tier: str, **terms: int | None) -> RetentionPolicy:
    """Return the tier's next policy, unsaved: the current one with these terms changed."""
    ruling = RetentionPolicy.objects.ruling(tier)
    return RetentionPolicy(tier=tier, version=ruling.version + 1, **get_terms(ruling) | terms)


def preview(
    policy: RetentionPolicy | None = None, *, person: User | None = None, author: User | None = None
) -> Preview:
    """Count and store what would be deleted: of everyone now, or under a proposed policy.

    With a person, as if they moved into the policy's tier.
    """
    concerned = person.pk if person else None
    due = Due(tier=policy.tier if policy else "", person=concerned, policy=policy)
    ruling = compute_basis(person)
    terms = before = {}
    if policy:
        terms = get_terms(policy)
        before = get_terms(RetentionPolicy.objects.ruling(person.tier if person else policy.tier))
    counted = _build_run_counts(due)
    with transaction.atomic():
        run = RetentionRun.objects.create(
            tier=due.tier,
            person_id=due.person,
            terms=terms,
            before=before,
            basis=ruling,
            created_at=due.at,
            author_id=author.pk if author else None,
            lines=_count_audit_lines(policy, person) if policy else 0,
            facts=_count_facts(policy, person) if policy else 0,
            **counted,
        )
        audit.record("retention.previewed", actor=run.author_id, subject=run)
    return read_stored_preview(run)


def has_grown(run: RetentionRun) -> bool:
    """Return whether more content would be deleted by now than the run's preview showed.

    A run that has grown is previewed again, which counts all of it; here counting stops at the
    first difference. Audit events aren't counted anew: more become due at each moment, and no run
    deletes them.
    """
    return any(
        more > getattr(run, name) for going in _count_due_now(run) for name, more in going.items()
    )


def _count_due_now(run: RetentionRun) -> Iterator[dict[str, int]]:
    """Yield the counts that are due by now, each kind on demand, by its name in the run's row."""
    due = build_due(run)
    yield due.free().aggregate(sessions=Count("pk"), turns=Coalesce(Sum("turn_count"), 0))
    if run.terms:
        person = User.objects.filter(pk=run.person_id).first() if run.person_id else None
        yield {"excess": _count_excess(due)["turns"]}
        yield {"facts": _count_facts(RetentionPolicy(tier=run.tier, **run.terms), person)}


def _count_excess(due: Due) -> dict[str, int]:
    """Return how many turns remaining conversations would lose, and the number of these."""
    return due.excess().aggregate(turns=Coalesce(Sum("excess"), 0), sessions=Count("pk"))


def _build_run_counts(due: Due) -> dict[str, Any]:
    """Return the counts as the fields of a run."""
    tiers = count_due(due)
    total = sum_counts(tiers)
    excess = _count_excess(due)
    return {
        "people": total.people,
        "sessions": total.sessions,
        "turns": total.turns,
        "size": total.size,
        "held": total.held,
        "excess": excess["turns"],
        "excess_sessions": excess["sessions"],
        "counts": [counts.stored() for counts in tiers],
    }


def preview_again(run: RetentionRun, *, author: User | None = None) -> Preview:
    """Count the same change's effects as of now; raises NotFound if its person is deleted.

    Only the changed terms are taken over. A person gets the tier's current policy, and terms
    changed by someone else meanwhile stay.
    """
    if not run.terms:
        return preview(author=author)
    if run.person_id is None:
        changed = {name: run.terms[name] for name in _list_changed_terms(run)}
        return preview(proposed(run.tier, **changed), author=author)
    person = User.objects.filter(pk=run.person_id).first()
    if person is None:
        raise NotFound
    return preview(RetentionPolicy.objects.ruling(run.tier), person=person, author=author)


def read_stored_preview(run: RetentionRun) -> Preview:
    """Return the preview stored in the run."""
    tiers = [Counts.restored(stored) for stored in run.counts]
    return Preview(run, diff(run), sum_counts(tiers), tiers)


def _count_audit_lines(policy: RetentionPolicy, person: User | None) -> int:
    """Count the audit events due under the policy, or in the person's new tier."""
    seconds = policy.audit_lifetime
    if person:
        return get_old_lines(seconds).filter(actor_id=person.pk).count() if seconds else 0
    lifetimes = get_ruling_lifetimes() | {policy.tier: seconds}
    return sum(lines.count() for lines in select_outlived_lines(lifetimes))


def _count_facts(policy: RetentionPolicy, person: User | None) -> int:
    """Count the confirmed facts that would be deleted under the policy; held people's stay."""
    if policy.fact_lifetime is None:
        return 0
    now = timezone.now()
    rows = Fact.objects.filter(**({"owner": person} if person else {"owner__tier": policy.tier}))
    held = LegalHold.objects.active().filter(person_id=OuterRef("owner_id"))
    outlived = rows.filter(confirmed_at__lte=now - timedelta(seconds=policy.fact_lifetime))
    return outlived.exclude(expires_at__lte=now).filter(~Exists(held)).count()


def compute_basis(person: User | None = None) -> str:
    """Return a fingerprint of the current policies of all tiers, and of the person's own tier."""
    ruling = [RetentionPolicy.objects.ruling(tier) for tier in Tier.values]
    facts = [(policy.tier, policy.version, *get_terms(policy).values()) for policy in ruling]
    tier = User.objects.filter(pk=person.pk).values_list("tier", flat=True)[0] if person else ""
    return hashlib.sha256(repr((facts, tier)).encode()).hexdigest()


def diff(run: RetentionRun) -> list[Change]:
    """Return the terms that the run changes, in words."""
    return [
        Change(get_term_name(term), said(term, run.before[term]), said(term, run.terms[term]))
        for term in _list_changed_terms(run)
    ]


def _list_changed_terms(run: RetentionRun) -> list[str]:
    return [name for name in TERMS if name in run.terms and run.terms[name] != run.before[name]]


def build_due(run: RetentionRun) -> Due:
    """Return the query of the run's preview, as of now."""
    policy = RetentionPolicy(tier=run.tier, **run.terms) if run.terms else None
    return Due(tier=run.tier, person=run.person_id, policy=policy)


class _Echo:
    """Returns each line written to it, for csv.writer."""

    def write(self, line: str) -> str:
        return line


def render_csv_rows(due: Due) -> Iterator[str]:
    """Yield the due sessions as lines of CSV: ids, times and numbers, never words."""
    columns = ("pk", "owner_id", "owner__tier", "created_at", "last_activity", "expires_at")
    flags = ("turn_count", "temporary", "pinned", "archived", "is_held")
    writer = csv.writer(_Echo())
    yield writer.writerow(("session", "person", "tier", *columns[3:], "turns", *flags[1:4], "held"))
    rows = due.sessions().annotate(is_held=hold_on_session()).order_by("expires_at", "pk")
    for row in rows.values_list(*columns, *flags).iterator(chunk_size=LINES_AT_ONCE):
        yield writer.writerow(
            cell.isoformat() if isinstance(cell, datetime) else cell for cell in row
        )
