"""Dry runs: what a purge would delete now, or what would go under a policy to come."""

import csv
import hashlib
import io
from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import datetime
from functools import reduce
from typing import Any

from django.db import transaction
from django.db.models import Count, Sum
from django.db.models.functions import Coalesce
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from memory import audit
from memory.forgetting.counting import Counts, added, counts_of
from memory.forgetting.due import Due
from memory.forgetting.durations import in_words
from memory.forgetting.holds import hold_on_session
from memory.models import RetentionPolicy, RetentionRun, Tier, User

# The terms of a policy; the other fields say whose, which and since when.
TERMS = (
    "lifetime",
    "max_turns",
    "temporary_lifetime",
    "archived_lifetime",
    "pinned_lifetime",
    "export_lifetime",
    "fact_lifetime",
    "audit_lifetime",
)


@dataclass(frozen=True)
class Change:
    """One term that a policy changes, in words."""

    name: str
    before: str
    after: str


@dataclass(frozen=True)
class Preview:
    """What a run would do; it is confirmed by the id of its row (memory.forgetting.runs)."""

    run: RetentionRun
    changes: list[Change]
    total: Counts
    tiers: list[Counts]
    # Turns that would leave sessions that stay, and how many sessions those are.
    excess_turns: int
    excess_sessions: int

    @property
    def headline(self) -> str:
        """The preview in a line: "30 days → 7 days: 1,204 conversations of 88 people would go"."""
        changed = ", ".join(f"{change.before} → {change.after}" for change in self.changes)
        number = self.total.sessions
        gone = ngettext("%(number)s conversation", "%(number)s conversations", number)
        people = ngettext("%(people)s person", "%(people)s people", self.total.people)
        what = _("%(conversations)s of %(people)s would go") % {
            "conversations": gone % {"number": f"{number:,}"},
            "people": people % {"people": f"{self.total.people:,}"},
        }
        return f"{changed}: {what}" if changed else what


def proposed(tier: str, **terms: int | None) -> RetentionPolicy:
    """Return the tier's next policy, unsaved: the ruling one with these terms changed."""
    ruling = RetentionPolicy.objects.ruling(tier)
    values = {name: getattr(ruling, name) for name in TERMS} | terms
    return RetentionPolicy(tier=tier, version=ruling.version + 1, **values)


def preview(
    policy: RetentionPolicy | None = None, *, person: User | None = None, author: User | None = None
) -> Preview:
    """Count what would go, and note it: of everyone now, or under a policy to come.

    With a person, as if they moved into the policy's tier.
    """
    concerned = person.pk if person else None
    due = Due(tier=policy.tier if policy else "", person=concerned, policy=policy)
    shown = _counted(RetentionRun(), due, person)
    total = shown.total
    with transaction.atomic():
        run = RetentionRun.objects.create(
            tier=due.tier,
            person_id=due.person,
            terms=terms_of(policy) if policy else {},
            basis=basis(person),
            created_at=due.at,
            author_id=author.pk if author else None,
            people=total.people,
            sessions=total.sessions,
            turns=total.turns,
            size=total.size,
            held=total.held,
            excess=shown.excess_turns,
        )
        audit.record("retention.previewed", actor=run.author_id, subject=run)
    return replace(shown, run=run)


def look_again(run: RetentionRun) -> Preview:
    """Count what the run would do if it were confirmed now, and note nothing."""
    person = User.objects.filter(pk=run.person_id).first() if run.person_id else None
    return _counted(run, due_of(run), person)


def _counted(run: RetentionRun, due: Due, person: User | None) -> Preview:
    tiers = counts_of(due)
    excess = due.excess().aggregate(turns=Coalesce(Sum("excess"), 0), sessions=Count("pk"))
    changes = diff(due.policy, person) if due.policy else []
    total = reduce(added, tiers, Counts())
    return Preview(run, changes, total, tiers, excess["turns"], excess["sessions"])


def terms_of(policy: RetentionPolicy) -> dict[str, int | None]:
    """Return the policy's terms by name."""
    return {name: getattr(policy, name) for name in TERMS}


def basis(person: User | None = None) -> str:
    """Return a fingerprint of what rules now: all tiers' policies, and the person's own tier."""
    ruling = [RetentionPolicy.objects.ruling(tier) for tier in Tier.values]
    facts = [(policy.tier, policy.version, *terms_of(policy).values()) for policy in ruling]
    tier = User.objects.filter(pk=person.pk).values_list("tier", flat=True)[0] if person else ""
    return hashlib.sha256(repr((facts, tier)).encode()).hexdigest()


def diff(policy: RetentionPolicy, person: User | None = None) -> list[Change]:
    """Return the terms in which the policy differs from what rules its tier, or the person, now."""
    ruling = RetentionPolicy.objects.ruling(person.tier if person else policy.tier)
    before, after = terms_of(ruling), terms_of(policy)
    return [
        Change(str(_field(name).verbose_name), _worded(name, before[name]), _worded(name, value))
        for name, value in after.items()
        if value != before[name]
    ]


def due_of(run: RetentionRun) -> Due:
    """Return the query that the run was previewed with; its moment is now."""
    terms = {name: run.terms[name] for name in run.terms if name in TERMS}
    policy = RetentionPolicy(tier=run.tier, **terms) if terms else None
    return Due(tier=run.tier, person=run.person_id, policy=policy)


def rows_as_csv(due: Due) -> Iterator[str]:
    """Yield the sessions that are due as lines of CSV: ids, times and numbers, never words."""
    columns = ("pk", "owner_id", "owner__tier", "created_at", "last_activity", "expires_at")
    flags = ("turn_count", "temporary", "pinned", "archived", "is_held")
    line = io.StringIO()
    writer = csv.writer(line)
    heads = ("session", "person", "tier", *columns[3:], "turns", *flags[1:4], "held")
    rows = due.sessions().annotate(is_held=hold_on_session()).order_by("expires_at", "pk")
    writer.writerow(heads)
    for row in rows.values_list(*columns, *flags).iterator(chunk_size=2000):
        yield _taken(line)
        writer.writerow(cell.isoformat() if isinstance(cell, datetime) else cell for cell in row)
    yield _taken(line)


def _taken(line: io.StringIO) -> str:
    text = line.getvalue()
    line.seek(0)
    line.truncate()
    return text


def _field(name: str) -> Any:
    return RetentionPolicy._meta.get_field(name)


def _worded(name: str, value: int | None) -> str:
    if value is None:
        return _("not set")
    return f"{value:,}" if name == "max_turns" else in_words(value)
