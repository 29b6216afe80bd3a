"""Numbers of the dashboard: stored, expiring and purged conversations, and the purge's lag."""

from dataclasses import dataclass
from datetime import date, timedelta
from itertools import pairwise
from typing import Any

from django.conf import settings
from django.db.models import Count, Q, QuerySet, Sum
from django.db.models.functions import TruncDate
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.translation import gettext as _

from memory.admin.rows import limit_rows
from memory.forgetting.retention.due import Due
from memory.forgetting.retention.sweeping import compute_lag
from memory.holds import hold_on_session
from memory.models import AuditEvent, LegalHold, RetentionRun, Session, Tier, User, WaitingDeletion

# Days since the last question or answer, the bins of conversations.
AGES = (1, 7, 30)
WEEK, FORTNIGHT = 7, 14
# Most rows counted for a number; counting a million costs more than the page.
MOST = 100_000
Series = list[tuple[str, list[int]]]


@dataclass(frozen=True)
class Plot:
    """Numbers for bars; `empty` is shown if all of them are zero."""

    title: str
    labels: list[str]
    series: Series
    empty: str = ""

    @property
    def total(self) -> int:
        return sum(sum(values) for name, values in self.series)


@dataclass(frozen=True)
class PurgeLag:
    """The lag of the purge: seconds, failed and waiting conversations."""

    seconds: int
    failing: int
    waiting: str

    @property
    def is_late(self) -> bool:
        # A sweep runs at each interval, and takes a while itself.
        return self.seconds > 2 * settings.CLEANUP_INTERVAL + 60 or self.failing > 0


def purge_lag() -> PurgeLag:
    """Return the purge's lag."""
    behind = compute_lag()
    return PurgeLag(round(behind.seconds), behind.failing, format_row_count(Due().free()))


def format_row_count(rows: QuerySet[Any]) -> str:
    """Return the number of rows in words, or "over" the most that are counted."""
    number = rows.order_by().values("pk")[: MOST + 1].count()
    return format_count(min(number, MOST), is_all=number <= MOST)


def format_count(number: int, *, is_all: bool) -> str:
    return str(number) if is_all else _("over %(number)s") % {"number": number}


def plot_stored() -> Plot:
    """Count the live conversations, by age and tier."""
    live, is_all = limit_rows(Session.objects.live(), MOST, by="-pk")
    tiers = _count_by_age(live)
    nothing = [0] * (len(AGES) + 1)
    title = _("Stored conversations, by days since the last question")
    return Plot(
        title if is_all else f"{title} ({_('the newest %(number)s') % {'number': MOST}})",
        ["< 1", "1–7", "7–30", "> 30"],
        [(str(label), tiers.get(tier, nothing)) for tier, label in Tier.choices],
        _("Nothing is stored."),
    )


def _count_by_age(live: QuerySet[Any]) -> dict[str, list[int]]:
    now, buckets = timezone.now(), {}
    limits = [None, *(now - timedelta(days=days) for days in AGES), None]
    for number, (newer, older) in enumerate(pairwise(limits)):
        inside = Q(last_activity__gt=older) if older else Q()
        inside &= Q(last_activity__lte=newer) if newer else Q()
        buckets[f"age{number}"] = Count("pk", filter=inside)
    counted = live.order_by("owner__tier").values("owner__tier").annotate(**buckets)
    return {row["owner__tier"]: [row[name] for name in buckets] for row in counted}


def plot_expiring() -> Plot:
    """Count the conversations that expire within a week, by day and by hold."""
    now = timezone.now()
    days = [timezone.localdate() + timedelta(days=days) for days in range(WEEK + 1)]
    week = Session.objects.filter(expires_at__gt=now, expires_at__lte=now + timedelta(days=WEEK))
    rows, is_all = limit_rows(week, MOST, by="expires_at")
    by_day = rows.annotate(day=TruncDate("expires_at")).order_by("day").values_list("day")
    free = dict(by_day.filter(~hold_on_session()).annotate(Count("pk")))
    held = dict(by_day.filter(hold_on_session()).annotate(Count("pk")))
    series = [(_("will go"), _list_by_day(days, free)), (_("held"), _list_by_day(days, held))]
    empty, title = _("Nothing expires within a week."), _("Expiring this week")
    if not is_all:
        title = f"{title} ({_('the first %(number)s') % {'number': MOST}})"
    return Plot(title, [_format_day(day) for day in days], series, empty)


def plot_purged() -> Plot:
    """Count the conversations that were purged within a fortnight, by day."""
    since = timezone.localdate() - timedelta(days=FORTNIGHT - 1)
    days = [since + timedelta(days=days) for days in range(FORTNIGHT)]
    runs = RetentionRun.objects.filter(created_at__gt=timezone.now() - timedelta(days=FORTNIGHT))
    by_day = runs.annotate(day=TruncDate("created_at")).order_by("day").values_list("day")
    gone = dict(by_day.annotate(Sum("sessions_gone")))
    series = [(_("purged"), _list_by_day(days, gone))]
    return Plot(_("Purged"), [_format_day(day) for day in days], series, _("Nothing in two weeks."))


def plot_audit_events() -> Plot:
    """Count the events of the audit within a fortnight, by day and outcome."""
    since = timezone.localdate() - timedelta(days=FORTNIGHT - 1)
    days = [since + timedelta(days=days) for days in range(FORTNIGHT)]
    recent = AuditEvent.objects.newer(timezone.now() - timedelta(days=FORTNIGHT))
    rows, is_all = limit_rows(recent, MOST, by="-pk")
    by_day = rows.annotate(day=TruncDate("at")).order_by("day").values_list("day")
    refused = Q(outcome__in=(AuditEvent.Outcome.DENIED, AuditEvent.Outcome.FAILED))
    other, denied = (
        dict(by_day.filter(which).annotate(Count("pk")))
        for which in (~refused | Q(outcome=None), refused)
    )
    series = [
        (_("done"), _list_by_day(days, other)),
        (_("denied or failed"), _list_by_day(days, denied)),
    ]
    title = _("Acts and refusals")
    title = title if is_all else f"{title} ({_('the newest %(number)s') % {'number': MOST}})"
    return Plot(title, [_format_day(day) for day in days], series, _("Nothing in two weeks."))


def _list_by_day(days: list[date], counted: dict[date, int]) -> list[int]:
    return [counted.get(day) or 0 for day in days]


def _format_day(day: date) -> str:
    return date_format(day, "j M")


def list_tiles() -> list[tuple[str, str, str]]:
    """Return single numbers, each with its name and the admin's page about it."""
    live, is_all = limit_rows(Session.objects.live(), MOST, by="-pk")
    turns = live.aggregate(turns=Sum("turn_count"))["turns"] or 0
    waiting = WaitingDeletion.objects.open()
    return [
        (_("People"), format_row_count(User.objects.filter(is_active=True)), "memory_user"),
        (_("Conversations"), format_row_count(Session.objects.live()), "memory_session"),
        (_("Questions"), format_count(turns, is_all=is_all), "memory_turn"),
        (_("Legal holds"), format_row_count(LegalHold.objects.active()), "memory_legalhold"),
        (_("Deferred deletions"), format_row_count(waiting), "memory_waitingdeletion"),
    ]
