"""The numbers of the dashboard: what is stored, what will go, and how far behind anything is."""

from dataclasses import dataclass
from datetime import date, timedelta
from itertools import pairwise
from typing import Any

from django.conf import settings
from django.db.models import Count, Q, Sum
from django.db.models.functions import TruncDate
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.translation import gettext as _

from memory.forgetting.due import Due
from memory.forgetting.holds import hold_on_session
from memory.forgetting.retention import lag
from memory.models import LegalHold, RetentionRun, Session, Tier, User, WaitingDeletion

# Days since the last question or answer, by which conversations are sorted.
AGES = (1, 7, 30)
WEEK, FORTNIGHT = 7, 14
Series = list[tuple[str, list[int]]]


@dataclass(frozen=True)
class Plot:
    """Numbers for bars: one bar for each label, in as many parts as there are series."""

    title: str
    labels: list[str]
    series: Series

    @property
    def total(self) -> int:
        return sum(sum(values) for name, values in self.series)


@dataclass(frozen=True)
class Standing:
    """How far the purge is behind, in seconds, and whether that is more than it should be."""

    seconds: int
    failing: int
    waiting: int

    @property
    def is_late(self) -> bool:
        # A sweep comes every interval, and needs a while itself.
        return self.seconds > 2 * settings.CLEANUP_INTERVAL + 60 or self.failing > 0


def standing() -> Standing:
    """Return how far the purge is behind."""
    behind = lag()
    return Standing(round(behind.seconds), behind.failing, Due().free().count())


def stored() -> Plot:
    """Count the conversations that live, by age and tier."""
    now, buckets = timezone.now(), {}
    limits = [None, *(now - timedelta(days=days) for days in AGES), None]
    for number, (newer, older) in enumerate(pairwise(limits)):
        inside = Q(last_activity__gt=older) if older else Q()
        inside &= Q(last_activity__lte=newer) if newer else Q()
        buckets[f"age{number}"] = Count("pk", filter=inside)
    tiers = Session.objects.live().order_by("owner__tier").values("owner__tier")
    rows: Any = tiers.annotate(**buckets)
    by_tier = {row["owner__tier"]: [row[name] for name in buckets] for row in rows}
    series = [(str(tier.label), by_tier.get(tier.value, [0] * len(buckets))) for tier in Tier]
    return Plot(_("Stored conversations, by days since the last question"), _ages(), series)


def _ages() -> list[str]:
    between = pairwise(AGES)
    return [f"< {AGES[0]}", *(f"{first}–{last}" for first, last in between), f"> {AGES[-1]}"]


def going() -> Plot:
    """Count the conversations that expire within a week, by day; what is held stays."""
    now = timezone.now()
    days = [timezone.localdate() + timedelta(days=days) for days in range(WEEK + 1)]
    rows = Session.objects.filter(expires_at__gt=now, expires_at__lte=now + timedelta(days=WEEK))
    by_day = rows.annotate(day=TruncDate("expires_at")).order_by("day").values_list("day")
    free = dict(by_day.filter(~hold_on_session()).annotate(Count("pk")))
    held = dict(by_day.filter(hold_on_session()).annotate(Count("pk")))
    series = [(_("will go"), _by(days, free)), (_("held"), _by(days, held))]
    return Plot(_("Expiring this week"), [_day(day) for day in days], series)


def purged() -> Plot:
    """Count the conversations that were purged within a fortnight, by day."""
    since = timezone.localdate() - timedelta(days=FORTNIGHT - 1)
    days = [since + timedelta(days=days) for days in range(FORTNIGHT)]
    runs = RetentionRun.objects.filter(created_at__gt=timezone.now() - timedelta(days=FORTNIGHT))
    by_day = runs.annotate(day=TruncDate("created_at")).order_by("day").values_list("day")
    gone = dict(by_day.annotate(Sum("sessions_gone")))
    return Plot(_("Purged"), [_day(day) for day in days], [(_("purged"), _by(days, gone))])


def _by(days: list[date], counted: dict[date, int]) -> list[int]:
    return [counted.get(day) or 0 for day in days]


def _day(day: date) -> str:
    return date_format(day, "j M")


def tiles() -> list[tuple[str, int, str]]:
    """Return single numbers, each with its name and the admin's page about it."""
    live = Session.objects.live()
    turns = live.aggregate(turns=Sum("turn_count"))["turns"] or 0
    return [
        (_("People"), User.objects.filter(is_active=True).count(), "memory_user"),
        (_("Conversations"), live.count(), "memory_session"),
        (_("Questions"), turns, "memory_turn"),
        (_("Legal holds"), LegalHold.objects.active().count(), "memory_legalhold"),
        (
            _("Deletions that wait"),
            WaitingDeletion.objects.open().count(),
            "memory_waitingdeletion",
        ),
    ]
