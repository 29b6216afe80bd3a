"""Sessions that are due: one query, by which a preview counts and a purge deletes."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from itertools import product
from uuid import UUID

from django.db.models import Exists, F, OuterRef, Q
from django.utils import timezone

from memory.holds import hold_on_session
from memory.models import PurgeFailure, RetentionPolicy, Session
from memory.models.conversations import SessionQuerySet


@dataclass(frozen=True)
class Due:
    """The sessions that have expired; or, under a proposed policy, those that would expire by it.

    They are everyone's, a tier's, or one person's. Held sessions are included, though they stay.
    """

    tier: str = ""
    person: UUID | None = None
    policy: RetentionPolicy | None = None
    at: datetime = field(default_factory=lambda: timezone.now())

    def concerned(self) -> SessionQuerySet:
        """Return all sessions in the query's scope, due or not."""
        rows = Session.objects.all()
        if self.person:
            return rows.filter(owner=self.person)
        return rows.filter(owner__tier=self.tier) if self.tier else rows

    def sessions(self) -> SessionQuerySet:
        """Return the due sessions, held ones included."""
        if self.policy is None:
            return self.concerned().filter(expires_at__lte=self.at)
        # Expired sessions are deleted anyway. The sessions' own shorter lifetimes are in
        # expires_at.
        return self.concerned().filter(
            _build_outlived_filter(self.policy, self.at), expires_at__gt=self.at
        )

    def held(self) -> SessionQuerySet:
        """Return the due sessions that stay because of a legal hold."""
        return self.sessions().filter(hold_on_session())

    def free(self) -> SessionQuerySet:
        """Return the due sessions without a hold."""
        return self.sessions().filter(~hold_on_session())

    def takable(self) -> SessionQuerySet:
        """Return the sessions that can be deleted now, without those that just failed."""
        failed = PurgeFailure.objects.filter(session_id=OuterRef("pk"), retry_at__gt=timezone.now())
        return self.free().filter(~Exists(failed))

    def get_overfull(self) -> SessionQuerySet:
        """Return the sessions with more turns than the policy allows, that are not due."""
        if self.policy is None:
            return Session.objects.none()
        live = self.concerned().filter(expires_at__gt=self.at)
        return live.filter(turn_count__gt=self.policy.max_turns)

    def excess(self) -> SessionQuerySet:
        """Return the sessions that would lose turns, with their number as `excess`."""
        if self.policy is None:
            return Session.objects.none().annotate(excess=F("turn_count"))
        stay = self.get_overfull().filter(
            ~_build_outlived_filter(self.policy, self.at), ~hold_on_session()
        )
        return stay.annotate(excess=F("turn_count") - self.policy.max_turns)


def _build_outlived_filter(policy: RetentionPolicy, at: datetime) -> Q:
    """Return the condition that the policy's lifetime of a session is over."""
    found = Q()
    for flags, lifetime in _list_lifetimes(policy):
        since = at - lifetime
        unextended = Q(extended_at=None) | Q(extended_at__lte=since)
        found |= Q(unextended, last_activity__lte=since, **flags)
    return found & (Q(kept_until=None) | Q(kept_until__lte=at))


def _list_lifetimes(policy: RetentionPolicy) -> Iterator[tuple[dict[str, bool], timedelta]]:
    """Yield the kinds of sessions with their lifetimes; kinds with the same lifetime are joined."""
    for temporary in (False, True):
        clocks = {
            (pinned, archived): policy.get_lifetime(
                temporary=temporary, pinned=pinned, archived=archived
            )
            for pinned, archived in product((False, True), repeat=2)
        }
        if len(set(clocks.values())) == 1:
            yield {"temporary": temporary}, clocks[False, False]
            continue
        for (pinned, archived), lifetime in clocks.items():
            yield {"temporary": temporary, "pinned": pinned, "archived": archived}, lifetime
